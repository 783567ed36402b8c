import EventLoop
package import People
import Synchronization

/// The pages of this program that are open and want to hear of changes, by the person whose data they show. Used from any
/// thread: changes come in on one loop, pages are open on all of them.
package final class LiveHub: Sendable {
  /// Open pages of one person, and of the whole program. Each costs a connection and a few kilobytes.
  package static let mostOfPerson = 12
  package static let mostOfAll = 4_000

  private struct State {
    var tickets: [PersonID: [LiveTicket]] = [:]
    var count = 0
    /// How far each watched person's data was at the last look.
    var seen: [PersonID: ChangeCount] = [:]
  }

  /// How often a person's data and rights have changed; only whether it is another than before means anything.
  package struct ChangeCount: Hashable, Sendable {
    package let data: Int64
    package let rights: Int64

    package init(data: Int64, rights: Int64) {
      self.data = data
      self.rights = rights
    }
  }

  private let state = Mutex(State())

  package init() {}

  /// People whom somebody watches.
  package var watched: [PersonID] { state.withLock { Array($0.tickets.keys) } }

  /// Pages that are open.
  package var count: Int { state.withLock { $0.count } }

  /// A place for one more page; nil when the person or the program has no more.
  func enter(_ person: PersonID, on loop: EventLoop, _ ticket: LiveTicket) -> Bool {
    state.withLock { state in
      guard state.count < Self.mostOfAll, state.tickets[person]?.count ?? 0 < Self.mostOfPerson else { return false }
      state.tickets[person, default: []].append(ticket)
      state.count += 1
      return true
    }
  }

  func leave(_ person: PersonID, _ ticket: LiveTicket) {
    state.withLock { state in
      guard let place = state.tickets[person]?.firstIndex(where: { $0 === ticket }) else { return }
      state.tickets[person]?.remove(at: place)
      state.count -= 1
      if state.tickets[person]?.isEmpty ?? true {
        state.tickets[person] = nil
        state.seen[person] = nil
      }
    }
  }

  /// Something of the person has changed.
  package func wake(_ person: PersonID) {
    for ticket in state.withLock({ $0.tickets[person] ?? [] }) { ticket.ringFromAnywhere() }
  }

  /// What a look at the database found; wakes the pages of those who have changed since the look before.
  package func compare(_ found: [PersonID: ChangeCount]) {
    let changed = state.withLock { state in
      found.filter { person, count in
        guard state.tickets[person] != nil else { return false }
        defer { state.seen[person] = count }
        // The first look at somebody may come after a change that the page did not see.
        return state.seen[person] != count
      }
    }
    for person in changed.keys { wake(person) }
  }
}

/// One open page's bell. The loop's own; others only hand it back to that loop.
final class LiveTicket: @unchecked Sendable {
  private let loop: EventLoop
  private let bell: Bell
  /// Something changed since the page looked last.
  private(set) var isChanged = false

  /// On `loop`.
  init(loop: EventLoop, poller: Poller) {
    self.loop = loop
    bell = Bell(poller)
  }

  func ringFromAnywhere() {
    loop.spawn { _ in
      self.isChanged = true
      self.bell.ring()
    }
  }

  /// Before looking: what changes from now on rings.
  func reset() { isChanged = false }

  /// Until something has changed or the time is over (false).
  func wait(until deadline: LoopTime) async throws(LoopError) -> Bool {
    if isChanged { return true }
    do throws(LoopError) { try await bell.wait(until: deadline) } catch {
      if error != .timedOut { throw error }
    }
    return isChanged
  }
}
