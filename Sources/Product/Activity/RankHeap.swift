/// A binary heap of ranks; the smallest is the best.
struct RankHeap {
  private var ranks: [Int32] = []

  init(capacity: Int) { ranks.reserveCapacity(capacity) }

  var best: Int32? { ranks.first }

  mutating func insert(_ rank: Int32) {
    var place = ranks.count
    ranks.append(rank)
    while place > 0 {
      let parent = (place - 1) / 2
      guard ranks[parent] > rank else { break }
      ranks[place] = ranks[parent]
      place = parent
    }
    ranks[place] = rank
  }

  mutating func removeBest() {
    guard let last = ranks.popLast(), !ranks.isEmpty else { return }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < ranks.count else { break }
      if child + 1 < ranks.count, ranks[child + 1] < ranks[child] { child += 1 }
      guard ranks[child] < last else { break }
      ranks[place] = ranks[child]
      place = child
    }
    ranks[place] = last
  }
}
