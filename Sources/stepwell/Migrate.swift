/// `stepwell migrate`: brings the database to this version.
enum Migrate {
  static func run(_ configuration: Configuration) throws -> Int32 {
    let folder = try DataFolder(configuration.data)
    let database = try Database(configuration, folder: folder, sharing: true)
    defer { database.close() }
    let applied = try database.migrate()
    for name in applied { Program.say("applied \(name)") }
    Program.say(applied.isEmpty ? "The database is up to date." : "The database is up to date now.")
    return 0
  }
}
