import Postgres

/// Statements of pages. Each begins with $1 person, $2 token hash, $3 now and answers nothing without a valid session.
enum PageSQL {
  private static let claim: [PGType] = [.int64, .bytes, .instant]
  /// A day with more samples is shown without the picture of who counted when: one made of a part of them would be wrong. Real
  /// days have some hundred, with three devices a thousand.
  static let mostSamples = 20_000

  /// Totals of a range of days, $4 to $5: the key's stretch of one type.
  static let days = Statement(
    "page_days",
    """
    SELECT day, shown, flags FROM day_totals
    WHERE person_id = $1 AND type = 1 AND day BETWEEN $4 AND $5 AND \(SessionSQL.valid) ORDER BY day
    """, claim + [.date, .date])

  /// The last ten weeks up to $4 and the day after it, with the hours of the newest days and of that weekday.
  static let recentDays = Statement(
    "page_recent_days",
    """
    SELECT day, shown, flags, CASE WHEN wanted THEN slot_share END, CASE WHEN wanted THEN slot_start END,
      CASE WHEN wanted THEN slot_length END, CASE WHEN wanted THEN slot_code END
    FROM (SELECT *, day >= $4 - 2 OR ($4 - day) % 7 IN (0, 1, 6) AS wanted FROM day_totals
      WHERE person_id = $1 AND type = 1 AND day BETWEEN $4 - 71 AND $4 + 1 AND \(SessionSQL.valid)) AS d ORDER BY day
    """, claim + [.date])

  static let summaries = Statement(
    "page_summaries",
    """
    SELECT \(SummarySQL.columns) FROM activity_summaries
    WHERE person_id = $1 AND day BETWEEN $4 AND $5 AND \(SessionSQL.valid) ORDER BY day
    """, claim + [.date, .date])

  /// Goals, pauses, coverage, first days, stale days from $4 to $5: short lists in one statement, told apart by `kind`.
  static let context = Statement(
    "page_context",
    """
    SELECT c.* FROM (
      SELECT 1::smallint AS kind, type AS a, weekday AS b, since AS first, NULL::date AS last, goal AS x,
        NULL::text AS note, NULL::timestamptz AS at, NULL::timestamptz[] AS starts, NULL::timestamptz[] AS ends
      FROM goals WHERE person_id = $1
      UNION ALL SELECT 2::smallint, NULL, NULL, first_day, last_day, NULL, note, NULL, NULL, NULL
      FROM pauses WHERE person_id = $1
      UNION ALL SELECT 3::smallint, type, NULL, NULL, NULL, NULL, NULL, newest, complete_from, complete_until
      FROM coverage WHERE person_id = $1 AND type = 1
      UNION ALL SELECT 4::smallint, NULL, NULL,
        (SELECT min(day) FROM day_totals WHERE person_id = $1 AND type = 1), NULL, NULL, NULL, NULL, NULL, NULL
      UNION ALL SELECT 5::smallint, NULL, NULL,
        (SELECT min(day) FROM activity_summaries WHERE person_id = $1), NULL, NULL, NULL, NULL, NULL, NULL
      UNION ALL SELECT 6::smallint, NULL, NULL, day, NULL, NULL, NULL, NULL, NULL, NULL
      FROM stale_days WHERE person_id = $1 AND type = 1 AND day BETWEEN $4 AND $5
    ) AS c WHERE \(SessionSQL.valid)
    """, claim + [.date, .date])

  static let facts = Statement(
    "page_facts", "SELECT year, facts FROM year_facts WHERE person_id = $1 AND \(SessionSQL.valid) ORDER BY year",
    claim)

  static let sources = Statement(
    "page_sources",
    """
    SELECT source_id, class, position, key, device FROM sources WHERE person_id = $1 AND \(SessionSQL.valid)
    ORDER BY source_id
    """, claim)

  static let total = Statement(
    "page_day",
    """
    SELECT exact, flags, slot_share, slot_start, slot_length, slot_code, source_id, source_counted, source_hidden
    FROM day_totals WHERE person_id = $1 AND type = 1 AND day = $4 AND \(SessionSQL.valid)
    """, claim + [.date])

  static let revisions = Statement(
    "page_revisions",
    """
    SELECT revision, at, old, new, reason FROM day_revisions
    WHERE person_id = $1 AND type = 1 AND day = $4 AND \(SessionSQL.valid) ORDER BY revision LIMIT 1000
    """, claim + [.date])

  /// Samples that start in [$4, $5), and longer ones that start in [$6, $4): the first of the key's stretch, and one more than
  /// a page takes, to know of days that have more.
  static let samples = Statement(
    "page_samples",
    """
    SELECT s.* FROM (
      SELECT started_at, duration_ms, value, recorded_at, sample_key, source_id, zone_no FROM samples
      WHERE person_id = $1 AND started_at >= $4 AND started_at < $5 AND type = 1
      UNION ALL
      SELECT started_at, duration_ms, value, recorded_at, sample_key, source_id, zone_no FROM samples
      WHERE person_id = $1 AND started_at >= $6 AND started_at < $4 AND duration_ms > 21600000 AND type = 1
    ) AS s WHERE \(SessionSQL.valid) ORDER BY s.started_at, s.sample_key LIMIT \(mostSamples + 1)
    """, claim + [.instant, .instant, .instant])

  static let zones = Statement(
    "page_zones", "SELECT zone_no, zone FROM sample_zones WHERE person_id = $1 AND \(SessionSQL.valid)", claim)

  static let login = Statement(
    "page_login", "SELECT login FROM accounts WHERE person_id = $1 AND \(SessionSQL.valid)", claim)

  static let sessions = Statement(
    "page_sessions",
    """
    SELECT s.role, s.created_at, s.seen_at, s.expires_at, s.confirmed_at, s.form_key, s.agent, s.token_hash
    FROM sessions s WHERE s.person_id = $1 AND s.expires_at > $3 AND \(SessionSQL.valid)
    ORDER BY s.seen_at DESC, s.token_hash LIMIT 100
    """, claim)

  static let staleCount = Statement(
    "page_stale_count", "SELECT count(*) FROM stale_days WHERE person_id = $1 AND \(SessionSQL.valid)", claim)

  /// The newest first; ids follow time.
  static let imports = Statement(
    "page_imports",
    """
    SELECT \(ImportSQL.columns) FROM imports WHERE person_id = $1 AND \(SessionSQL.valid)
    ORDER BY import_id DESC LIMIT $4
    """, claim + [.int64])

  /// The newest import that ended well: what Today calls the last update.
  static let lastImport = Statement(
    "page_last_import",
    """
    SELECT \(ImportSQL.columns) FROM imports WHERE person_id = $1 AND state = 3 AND \(SessionSQL.valid)
    ORDER BY import_id DESC LIMIT 1
    """, claim)

  /// Phones and bridges that have sent something, the newest first.
  static let senders = Statement(
    "page_senders",
    """
    SELECT name, seen_at FROM clients
    WHERE person_id = $1 AND kind = 1 AND ended_at IS NULL AND seen_at IS NOT NULL AND \(SessionSQL.valid)
    ORDER BY seen_at DESC LIMIT 10
    """, claim)

  static let oneImport = Statement(
    "page_import",
    """
    SELECT \(ImportSQL.columns) FROM imports WHERE person_id = $1 AND import_id = $4 AND \(SessionSQL.valid)
    """, claim + [.int64])

  static let refused = Statement(
    "page_refused",
    """
    SELECT record, reason, detail FROM refused_records
    WHERE person_id = $1 AND import_id = $4 AND \(SessionSQL.valid) ORDER BY record LIMIT $5
    """, claim + [.int64, .int64])

  static let all: [(statement: Statement, reach: Reach)] = [
    (days, .onePerson), (recentDays, .onePerson), (summaries, .onePerson), (context, .onePerson), (facts, .onePerson),
    (sources, .onePerson), (total, .onePerson), (revisions, .onePerson), (samples, .onePerson), (zones, .onePerson),
    (login, .onePerson), (sessions, .onePerson), (staleCount, .onePerson), (imports, .onePerson),
    (oneImport, .onePerson), (lastImport, .onePerson), (senders, .onePerson), (refused, .onePerson),
  ]
}
