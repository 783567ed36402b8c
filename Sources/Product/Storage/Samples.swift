import Activity
import People
import Postgres

enum SampleSQL {
  private static let insert = """
    INSERT INTO samples
      (person_id, started_at, sample_key, value, recorded_at, duration_ms, type, source_id, zone_no, client_no)
    SELECT p.person_id, t.*, $10
    FROM persons p, unnest($2::timestamptz[], $3::uuid[], $4::double precision[], $5::timestamptz[], $6::integer[],
      $7::smallint[], $8::smallint[], $9::smallint[]) AS t (start, key, value, recorded, length, type, source, zone)
    WHERE p.person_id = $1
    """
  private static let types: [PGType] = [
    .int64, .instants, .uuids, .doubles, .instants, .int32s, .int16s, .int16s, .int16s, .int16,
  ]

  /// Stores what is not there yet and answers only that.
  static let add = Statement(
    "add_samples", insert + " ON CONFLICT DO NOTHING RETURNING started_at, duration_ms, type, sample_key", types)

  /// The same for one upload; answers one row: NULL when all were stored, else the keys of those that were.
  static let addSent = Statement(
    "add_sent_samples",
    "WITH new AS (" + insert + """
       ON CONFLICT DO NOTHING RETURNING sample_key)
      SELECT CASE WHEN count(*) < cardinality($3::uuid[]) THEN coalesce(array_agg(sample_key), '{}') END FROM new
      """, types)

  /// The same for people who have deleted samples: what is dead stays dead.
  static let addLiving = Statement(
    "add_living_samples",
    insert + """
       AND NOT EXISTS (SELECT FROM sample_tombstones x WHERE x.person_id = $1 AND x.sample_key = t.key)
      ON CONFLICT DO NOTHING RETURNING started_at, duration_ms, type, sample_key
      """, types)

  /// Samples that start in [$3, $4): the key's range.
  static let inRange = Statement(
    "samples",
    """
    SELECT started_at, duration_ms, value, recorded_at, sample_key, source_id, zone_no FROM samples
    WHERE person_id = $1 AND type = $2 AND started_at >= $3 AND started_at < $4
    """, [.int64, .int16, .instant, .instant])

  /// The rare samples above six hours that start in [$3, $4): index samples_long.
  static let long = Statement(
    "long_samples",
    """
    SELECT started_at, duration_ms, value, recorded_at, sample_key, source_id, zone_no FROM samples
    WHERE person_id = $1 AND type = $2 AND started_at >= $3 AND started_at < $4 AND duration_ms > 21600000
    """, [.int64, .int16, .instant, .instant])

  /// One client's samples in the order of the key, from a place on: for the sweep of a snapshot.
  static let page = Statement(
    "sample_page",
    """
    SELECT started_at, duration_ms, type, client_no, sample_key FROM samples
    WHERE person_id = $1 AND (started_at, sample_key) > ($2, $3) ORDER BY started_at, sample_key LIMIT 10000
    """, [.int64, .instant, .uuid])

  static let remove = Statement(
    "remove_samples",
    """
    DELETE FROM samples s USING unnest($2::timestamptz[], $3::uuid[]) AS t (start, key)
    WHERE s.person_id = $1 AND s.started_at = t.start AND s.sample_key = t.key
    RETURNING s.started_at, s.duration_ms, s.type, s.sample_key
    """, [.int64, .instants, .uuids])

  /// By keys alone, when the phone does not know the starts: reads the person's part of the index.
  static let removeByKey = Statement(
    "remove_samples_by_key",
    """
    DELETE FROM samples WHERE person_id = $1 AND sample_key = ANY ($2)
    RETURNING started_at, duration_ms, type, sample_key
    """, [.int64, .uuids])

  /// A stone for each; answers those that are new.
  static let bury = Statement(
    "add_tombstones",
    """
    INSERT INTO sample_tombstones (person_id, sample_key, deleted_at)
    SELECT p.person_id, t.key, $3 FROM persons p, unnest($2::uuid[]) AS t (key) WHERE p.person_id = $1
    ON CONFLICT DO NOTHING RETURNING sample_key
    """, [.int64, .uuids, .instant])

  static let hasTombstones = Statement(
    "has_tombstones", "SELECT EXISTS (SELECT FROM sample_tombstones WHERE person_id = $1)", [.int64])

  static let all: [(statement: Statement, reach: Reach)] = [
    (add, .onePerson), (addSent, .onePerson), (addLiving, .onePerson),
    (inRange, .onePerson), (long, .onePerson), (page, .onePerson),
    (remove, .onePerson), (removeByKey, .onePerson), (bury, .onePerson), (hasTombstones, .onePerson),
  ]
}

/// Samples as the columns of one INSERT.
struct SampleColumns {
  private var starts: [Int64] = []
  private var keys: [(UInt64, UInt64)] = []
  private var values: [Double] = []
  private var recorded: [Int64] = []
  private var lengths: [Int32] = []
  private var types: [Int16] = []
  private var sources: [Int16] = []
  private var zones: [Int16?] = []

  /// Translates a batch's positions of sources and zones to the person's numbers, adding numbers as needed. A sample that
  /// Intake would never let through (longer than 4 days) is left out.
  init(_ samples: some Collection<Sample>, of batch: Batch, numbering: inout Numbering) throws(Problem) {
    var sourceNumbers = [Int16?](repeating: nil, count: batch.sources.count)
    var zoneNumbers = [Int16?](repeating: nil, count: batch.zones.count)
    reserve(samples.count)
    for sample in samples {
      let length = sample.end.milliseconds(since: sample.start)
      guard (0...Sample.longest).contains(length), sourceNumbers.indices.contains(Int(sample.source)) else { continue }
      let source = Int(sample.source)
      if sourceNumbers[source] == nil { sourceNumbers[source] = try numbering.number(of: batch.sources[source]) }
      var zone: Int16?
      if let place = sample.zone.map(Int.init), zoneNumbers.indices.contains(place) {
        if zoneNumbers[place] == nil { zoneNumbers[place] = try numbering.number(ofZone: batch.zones[place]) }
        zone = zoneNumbers[place]
      }
      starts.append(sample.start.microseconds)
      keys.append((sample.key.high, sample.key.low))
      values.append(sample.count)
      recorded.append(sample.recorded.microseconds)
      lengths.append(Int32(truncatingIfNeeded: length))
      types.append(sample.type.rawValue)
      sources.append(sourceNumbers[source] ?? 0)
      zones.append(zone)
    }
  }

  var count: Int { starts.count }

  func parameters(person: PersonID, clientNumber: Int16) -> [Parameter] {
    [
      .int64(person.number), .instants(starts), .uuids(keys), .doubles(values), .instants(recorded), .int32s(lengths),
      .int16s(types), .int16s(sources), .int16sOrNil(zones), .int16(clientNumber),
    ]
  }

  private mutating func reserve(_ count: Int) {
    starts.reserveCapacity(count)
    keys.reserveCapacity(count)
    values.reserveCapacity(count)
    recorded.reserveCapacity(count)
    lengths.reserveCapacity(count)
    types.reserveCapacity(count)
    sources.reserveCapacity(count)
    zones.reserveCapacity(count)
  }
}

extension Sample {
  /// A row of `SampleSQL.inRange` and `.long`.
  init(_ row: Row, type: DataType) {
    let start = Instant(microseconds: row.instant(0))
    let key = row.uuid(4)
    self.init(
      start: start, end: start.advanced(milliseconds: Int64(row.int32(1))), count: row.double(2),
      recorded: Instant(microseconds: row.instant(3)), key: SampleKey(high: key.0, low: key.1),
      source: Int32(row.int16(5)), zone: row.optionalInt16(6), type: type)
  }

  /// Adds the two statements that find every sample that may overlap `window`.
  static func read(
    _ window: Range<Instant>, of person: PersonID, type: DataType, into pipeline: inout Pipeline
  ) {
    let near = window.lowerBound.advanced(hours: -6)
    let far = window.lowerBound.advanced(milliseconds: -Sample.longest)
    let common: [Parameter] = [.int64(person.number), .int16(type.rawValue)]
    pipeline.add(
      SampleSQL.inRange, common + [.instant(near.microseconds), .instant(window.upperBound.microseconds)])
    pipeline.add(SampleSQL.long, common + [.instant(far.microseconds), .instant(near.microseconds)])
  }
}
