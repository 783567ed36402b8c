import Activity
import People
import Postgres

enum SourceSQL {
  static let list = Statement(
    "sources",
    "SELECT source_id, class, position, key, device FROM sources WHERE person_id = $1 ORDER BY source_id", [.int64])

  static let add = Statement(
    "add_sources",
    """
    INSERT INTO sources (person_id, source_id, class, key, device)
    SELECT p.person_id, t.* FROM persons p, unnest($2::smallint[], $3::smallint[], $4::text[], $5::text[]) t
    WHERE p.person_id = $1
    """, [.int64, .int16s, .int16s, .texts, .texts])

  static let zones = Statement(
    "sample_zones", "SELECT zone_no, zone FROM sample_zones WHERE person_id = $1", [.int64])

  static let addZones = Statement(
    "add_sample_zones",
    """
    INSERT INTO sample_zones (person_id, zone_no, zone)
    SELECT p.person_id, t.* FROM persons p, unnest($2::smallint[], $3::text[]) t WHERE p.person_id = $1
    """, [.int64, .int16s, .texts])

  /// Place in the person's own order; keys that are not named lose theirs.
  static let order = Statement(
    "order_sources",
    """
    UPDATE sources SET position = array_position($2::text[], key) - 1
    WHERE person_id = $1 AND position IS DISTINCT FROM array_position($2::text[], key) - 1
    """, [.int64, .texts])

  static let all: [(statement: Statement, reach: Reach)] = [
    (list, .onePerson), (add, .onePerson), (zones, .onePerson), (addZones, .onePerson), (order, .onePerson),
  ]
}

extension StoredSource {
  /// A row of `SourceSQL.list`.
  init(_ row: Row) {
    self.init(
      number: Int32(row.int16(0)),
      source: Source(key: row.text(3), sourceClass: SourceClass(rawValue: row.int16(1)) ?? .other, device: row.text(4)),
      position: row.optionalInt16(2).map(Int.init))
  }
}

/// A source by what tells it from others.
struct SourceIdentity: Hashable {
  let key: String
  let sourceClass: SourceClass
}

/// The numbers under which a person's samples know sources and zones, and those that a batch adds.
struct Numbering {
  private(set) var sources: [StoredSource]
  private(set) var zones: [Int16: String]
  private var sourceNumbers: [SourceIdentity: Int16]
  private var zoneNumbers: [String: Int16]
  private(set) var newSources: [StoredSource] = []
  private(set) var newZones: [(number: Int16, name: String)] = []

  init(sources: [StoredSource], zones: [Int16: String]) {
    self.sources = sources
    self.zones = zones
    sourceNumbers = Dictionary(
      sources.map {
        (SourceIdentity(key: $0.source.key, sourceClass: $0.source.sourceClass), Int16(truncatingIfNeeded: $0.number))
      }, uniquingKeysWith: { first, _ in first })
    zoneNumbers = Dictionary(zones.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of a source, a new one if it is not known; throws when a person has more sources than fit.
  mutating func number(of source: Source) throws(Problem) -> Int16 {
    let identity = SourceIdentity(key: source.key, sourceClass: source.sourceClass)
    if let known = sourceNumbers[identity] { return known }
    guard let number = Int16(exactly: (sources.last?.number ?? -1) + 1) else {
      throw Problem(.tooLarge, "This file names more than 32,768 sources.", limit: 32_768)
    }
    let stored = StoredSource(number: Int32(number), source: source, position: nil)
    sources.append(stored)
    newSources.append(stored)
    sourceNumbers[identity] = number
    return number
  }

  mutating func number(ofZone name: String) throws(Problem) -> Int16 {
    if let known = zoneNumbers[name] { return known }
    guard let number = Int16(exactly: (zones.keys.max().map(Int.init) ?? -1) + 1) else {
      throw Problem(.tooLarge, "This file names more than 32,768 time zones.", limit: 32_768)
    }
    zones[number] = name
    zoneNumbers[name] = number
    newZones.append((number, name))
    return number
  }

  /// Adds the statements that make the new numbers known.
  func write(for person: PersonID, into pipeline: inout Pipeline) {
    if !newSources.isEmpty {
      pipeline.add(
        SourceSQL.add,
        [
          .int64(person.number), .int16s(newSources.map { Int16(truncatingIfNeeded: $0.number) }),
          .int16s(newSources.map(\.source.sourceClass.rawValue)), .texts(newSources.map(\.source.key)),
          .texts(newSources.map(\.source.device)),
        ])
    }
    if !newZones.isEmpty {
      pipeline.add(
        SourceSQL.addZones,
        [.int64(person.number), .int16s(newZones.map(\.number)), .texts(newZones.map(\.name))])
    }
  }
}
