/// Deadlines in a binary heap. Entries are never taken out early: who is woken before its time leaves its entry
/// behind, and when that comes due nobody answers to it.
struct TimerHeap {
  enum Owner {
    case wait(UInt64)
    case watch(Int32, UInt32)
  }

  private var entries: [(time: LoopTime, owner: Owner)] = []

  var next: LoopTime? { entries.first?.time }
  var count: Int { entries.count }

  mutating func insert(at time: LoopTime, _ owner: Owner) {
    entries.append((time, owner))
    var child = entries.count &- 1
    while child > 0 {
      let parent = (child &- 1) / 2
      guard entries[child].time < entries[parent].time else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeNext(ifDueAt now: LoopTime) -> Owner? {
    guard let first = entries.first, first.time <= now else { return nil }
    let last = entries.removeLast()
    guard !entries.isEmpty else { return first.owner }
    entries[0] = last
    var parent = 0
    while true {
      var child = parent &* 2 &+ 1
      guard child < entries.count else { break }
      if child &+ 1 < entries.count, entries[child &+ 1].time < entries[child].time { child &+= 1 }
      guard entries[child].time < entries[parent].time else { break }
      entries.swapAt(child, parent)
      parent = child
    }
    return first.owner
  }
}
