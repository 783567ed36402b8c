import HTTP

/// Pages of one loop as they were last written, so that looking at an unchanged page again costs its rows and no
/// rendering.
///
/// A page is a pure function of what its tag covers: session, view, day, settings and every value that the database
/// answered. It is kept under that tag, so nothing here must ever be told of a change: other rows make another tag, and a
/// page is looked for only after the database has answered the rows under a valid session. Bounded in bytes.
final class PageMemory {
  /// Milliseconds: what nobody asked for so long is forgotten at the next sweep.
  static let patience: Int64 = 15 * 60_000
  private static let sweepEvery: Int64 = 60_000

  private struct Page {
    let body: KeptBody
    let size: Int
    var used: Int64
    /// When it was put at the end of `order`.
    var placed: Int64
  }

  private let limit: Int
  /// Bytes that the kept pages are counted as.
  private(set) var size = 0
  private var pages: [String: Page] = [:]
  /// Tags; the one to go next stands first.
  private var order: [String] = []
  private var swept: Int64 = 0

  /// `limit`: bytes at most; 0 keeps nothing.
  init(limit: Int) { self.limit = limit }

  /// The page of a tag; `now` in milliseconds.
  func page(_ tag: String, at now: Int64) -> KeptBody? {
    guard let page = pages[tag] else { return nil }
    pages[tag]?.used = now
    return page.body
  }

  /// The largest page that is kept.
  static let largest = 512 << 10

  /// Keeps a page. One that is larger than `largest`, or would fill more than a quarter of the room, is not kept.
  func keep(_ body: KeptBody, as tag: String, at now: Int64) {
    // The compressed form comes later and takes less than a fifth more.
    let size = body.bytes.count + body.bytes.count / 5 + 256
    guard body.bytes.count <= Self.largest, size <= limit / 4, pages[tag] == nil else { return }
    if now - swept >= Self.sweepEvery { sweep(at: now) }
    pages[tag] = Page(body: body, size: size, used: now, placed: now)
    order.append(tag)
    self.size += size
    makeRoom()
  }

  private func sweep(at now: Int64) {
    swept = now
    order.removeAll { tag in
      guard let page = pages[tag], now - page.used >= Self.patience else { return false }
      drop(tag, page)
      return true
    }
  }

  /// The oldest goes, but what was used since it was placed is placed once more (second chance).
  private func makeRoom() {
    while size > limit, let oldest = order.first, let page = pages[oldest] {
      order.removeFirst()
      if page.used > page.placed {
        pages[oldest]?.placed = page.used
        order.append(oldest)
      } else {
        drop(oldest, page)
      }
    }
  }

  private func drop(_ tag: String, _ page: Page) {
    pages[tag] = nil
    size -= page.size
  }
}
