import Secrets

/// One owner's events as they are stored, and where the chain of them should end (decisions.md "Consent's bytes").
package struct ConsentRecord: Sendable {
  /// One row: its fields as text in the order of the table, without the two hashes.
  package struct Entry: Sendable, Equatable {
    package var number: Int64
    package var fields: [String?]
    package var previous: [UInt8]
    package var hash: [UInt8]

    package init(number: Int64, fields: [String?], previous: [UInt8], hash: [UInt8]) {
      self.number = number
      self.fields = fields
      self.previous = previous
      self.hash = hash
    }
  }

  /// What was done to it, with the number of the first event that does not fit.
  package enum Fault: Error, Equatable {
    /// An event is not there: the next one that is has another number.
    case missing(Int64)
    /// An event does not follow on the one before it.
    case unchained(Int64)
    /// A field of an event was changed afterwards.
    case altered(Int64)
    /// The last events are not there, or more than the owner's row counts.
    case cutOff(after: Int64)
  }

  package var entries: [Entry]
  /// How many events the owner's row counts, and the hash of the last.
  package var count: Int64
  package var head: [UInt8]

  package init(entries: [Entry], count: Int64, head: [UInt8]) {
    self.entries = entries
    self.count = count
    self.head = head
  }

  /// Walks the chain from the beginning to its head. Throws the first fault.
  package func verify() throws(Fault) {
    var previous = ConsentEvent.beginning
    var number: Int64 = 0
    for entry in entries {
      number &+= 1
      guard entry.number == number else { throw .missing(number) }
      guard equalInConstantTime(entry.previous, previous) else { throw .unchained(number) }
      guard equalInConstantTime(ConsentEvent.hash(of: entry.fields, after: previous), entry.hash) else {
        throw .altered(number)
      }
      previous = entry.hash
    }
    guard number == count, equalInConstantTime(previous, head) else { throw .cutOff(after: number) }
  }
}
