package import Postgres

/// How far a statement reaches (storage.md R2): what a test expects of its plan.
package enum Reach: Sendable {
  /// `person_id = $1`: one shard.
  case onePerson
  /// `person_id = ANY`, at most about 20 ids.
  case fewPersons
  /// By the unique text of its table.
  case oneName
  /// By bucket.
  case oneBucket
  /// All shards: only for commands on the server and retention, never for a page.
  case scatter
}

/// Every statement of the product with its reach; each noun's file declares its own list.
package enum Registry {
  package static let statements: [(statement: Statement, reach: Reach)] =
    AccountSQL.all + SessionSQL.all + SettingsSQL.all + GoalSQL.all + SourceSQL.all + SampleSQL.all + DaySQL.all
    + FactSQL.all + RecountSQL.all + SummarySQL.all + ImportSQL.all + JobSQL.all + PageSQL.all + UploadSQL.all
    + DeviceSQL.all + ConsentSQL.all + ChangeSQL.all
}
