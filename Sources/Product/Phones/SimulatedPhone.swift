package import Activity
package import PhoneKit
import Synchronization

/// One phone of a person, with what its health store holds at a moment that the caller moves on: the watch that is bridged
/// through it, apps, what was typed. Anchors go from moment to moment; a page that was begun is finished for its moment first,
/// so that the same anchor always gives the same items.
package final class SimulatedPhone: HealthStore {
  package let life: Life
  private let devices: Set<Device>
  /// Milliseconds that everything takes to reach this phone.
  private let delay: Int64
  /// Additions and deletions in the order in which the store learns of them.
  private let events: [Event]
  private let now: Mutex<Instant>

  private struct Event {
    var time: Instant
    var walk: Int
    var isDeletion: Bool
  }

  /// The phone at the end of a life. `devices`: whose samples it holds; a second phone of the person may hold the others, or
  /// the same some time later (`delay`, as iCloud brings them).
  package init(_ life: Life, holding devices: Set<Device> = Set(Device.allCases), delay: Int64 = 0) {
    self.life = life
    self.devices = devices
    self.delay = max(0, delay)
    var known: Set<SampleKey> = []
    var events: [Event] = []
    for (place, walk) in life.walks.enumerated() where devices.contains(walk.device) && known.insert(walk.id).inserted {
      events.append(Event(time: walk.recorded, walk: place, isDeletion: false))
      if let deleted = walk.deleted { events.append(Event(time: deleted, walk: place, isDeletion: true)) }
    }
    self.events = events.sorted {
      ($0.time, $0.isDeletion ? 1 : 0, $0.walk) < ($1.time, $1.isDeletion ? 1 : 0, $1.walk)
    }
    now = Mutex(life.now)
  }

  /// The moment at which the phone is looked at; never after the end of its life.
  package var moment: Instant { now.withLock { $0 } }

  package func move(to moment: Instant) { now.withLock { $0 = min(moment, life.now) } }

  /// Up to which moment an anchor has given everything; nil for none or one that is not of such a phone.
  package static func through(_ anchor: HealthAnchor?) -> Instant? { Anchor(anchor).since }

  /// The anchor of a phone that has given everything up to a moment.
  package static func anchor(after moment: Instant) -> HealthAnchor { Anchor(since: moment).written }

  package var zone: String { zone(at: moment) }

  package func changes(since anchor: HealthAnchor?, limit: Int) async throws -> HealthChanges {
    var place = Anchor(anchor)
    let seen = seen
    let through = place.through ?? seen
    guard place.since.map({ $0 < through }) ?? true else {
      return HealthChanges(anchor: place.written)
    }
    let events = events(after: place.since, through: through)
    let page = events.dropFirst(place.given).prefix(limit)
    var changes = items(of: page, heldAt: through)
    // The rings follow when all samples are given.
    let isLast = place.given + page.count >= events.count
    let rings = isLast ? life.summaries(after: place.since, through: through) : []
    let ringPage = rings.dropFirst(max(0, place.given - events.count)).prefix(limit - page.count)
    changes.activitySummaries = ringPage.map { HealthActivitySummary($0) }
    place.given += page.count + ringPage.count
    if !isLast || place.given < events.count + rings.count {
      place.through = through
      changes.hasMore = true
    } else {
      let from = place.since ?? life.history.firstInstant(of: life.firstDay)
      changes.asked = [DataType.stepCount, .activitySummary].compactMap { AskedInterval($0, from: from, to: through) }
      place = Anchor(since: through)
      changes.hasMore = through < seen
    }
    changes.anchor = place.written
    return changes
  }

  package func everything(of type: String, from: HealthDate, to: HealthDate) async throws -> HealthChanges {
    let (from, to) = (Instant(milliseconds: from.milliseconds), Instant(milliseconds: to.milliseconds))
    let seen = seen
    var changes = HealthChanges(anchor: HealthAnchor(plain: []))
    switch DataType(named: type) {
    case .stepCount:
      let wanted = events(after: nil, through: seen).filter {
        life.walks[$0.walk].start < to && life.walks[$0.walk].end >= from && !$0.isDeletion
      }
      changes.added = items(of: wanted[...], heldAt: seen).added
    case .activitySummary where from < to:
      for day in life.history.days(from: from, through: to) {
        if let summary = life.summary(of: day, at: seen) {
          changes.activitySummaries.append(HealthActivitySummary(summary))
        }
      }
    default: break
    }
    let whole = AskedInterval(DataType(named: type) ?? .stepCount, from: from, to: min(to, seen))
    // Said in any case: silence would be taken for completeness.
    changes.asked = [
      whole
        ?? AskedInterval(
          type: type, from: HealthDate(milliseconds: from.milliseconds), to: HealthDate(milliseconds: to.milliseconds),
          complete: false)
    ]
    return changes
  }

  private var seen: Instant { moment.advanced(milliseconds: -delay) }

  private func zone(at moment: Instant) -> String {
    life.zones.last { $0.since.map { $0 <= moment } ?? true }?.zone ?? life.scenario.home
  }

  private func events(after: Instant?, through: Instant) -> [Event] {
    let first = after.map { after in firstPlace { $0.time > after } } ?? 0
    let end = firstPlace { $0.time > through }
    return first < end ? Array(events[first..<end]) : []
  }

  /// By halving: `isLater` is false up to a place and true from there on.
  private func firstPlace(_ isLater: (Event) -> Bool) -> Int {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if isLater(events[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// A sample that is gone again by then is not given any more; its deletion is, like HealthKit's.
  private func items(of events: ArraySlice<Event>, heldAt moment: Instant) -> HealthChanges {
    var changes = HealthChanges(anchor: HealthAnchor(plain: []))
    let isTravelling = life.zones.count > 1
    for event in events {
      let walk = life.walks[event.walk]
      if event.isDeletion {
        changes.deleted.append(walk.deletion)
      } else if walk.deleted.map({ $0 > moment }) ?? true {
        changes.added.append(
          walk.sample(of: life.scenario.owner, zone: isTravelling ? zone(at: walk.start) : nil))
      }
    }
    return changes
  }
}

/// `since through given`, in milliseconds since 1970 and items; `-` where there is none yet.
private struct Anchor {
  /// Everything up to then is given.
  var since: Instant?
  /// The moment of a page that was begun.
  var through: Instant?
  /// How many of the items after `since` up to `through` are given.
  var given = 0

  init(since: Instant) { self.since = since }

  init(_ bytes: HealthAnchor?) {
    let words = String(decoding: bytes?.plain ?? [], as: UTF8.self).split(separator: " ")
    guard words.count == 3, let given = Int(words[2]), given >= 0 else { return }
    since = Int64(words[0]).map { Instant(milliseconds: $0) }
    through = Int64(words[1]).map { Instant(milliseconds: $0) }
    self.given = through == nil ? 0 : given
  }

  var written: HealthAnchor {
    let words = [since.map { String($0.milliseconds) } ?? "-", through.map { String($0.milliseconds) } ?? "-"]
    return HealthAnchor(plain: Array("\(words[0]) \(words[1]) \(given)".utf8))
  }
}
