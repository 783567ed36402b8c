import Support
import Testing

/// The commands and their words.
struct CommandTests {
  @Test("an unknown setting names the nearest one")
  func unknownSetting() throws {
    let answer = try HouseServer.run(["STEPWELL_PROT=1"], ["doctor"])
    #expect(answer.status == 1)
    #expect(answer.output.contains("STEPWELL_PORT"))
  }

  @Test(
    "a setting that cannot be is said with its place",
    arguments: [
      ("STEPWELL_PORT=x", "port"), ("STEPWELL_BASE_URL=http://x", "base_url"),
      ("STEPWELL_CERTIFICATE=/x", "certificate_key"),
      ("STEPWELL_CLOCK=2026-01-01T00:00:00Z", "development"), ("STEPWELL_LOG=loud", "info, debug, error"),
      ("STEPWELL_CONFIG=/nowhere/stepwell.conf", "cannot be read"), ("STEPWELL_METRICS_LISTEN=1", "metrics"),
    ])
  func wrongSetting(setting: String, expected: String) throws {
    let answer = try HouseServer.run([setting], ["serve"])
    #expect(answer.status == 1)
    #expect(answer.output.contains(expected))
  }

  @Test("a wrong command shows the right ones")
  func usage() throws {
    let answer = try HouseServer.run([], ["sevre"])
    #expect(answer.status == 2)
    #expect(answer.output.contains("stepwell serve"))
  }

  @Test("doctor looks at everything and says what to do")
  func doctor() throws {
    let home = try TemporaryServer()
    let good = try HouseServer.run(
      ["STEPWELL_DATA=\(home.folder)", "STEPWELL_RESOURCES=\(Repository.root)"], ["doctor"])
    for part in ["configuration", "data folder", "certificate", "database", "views", "time zones", "clock"] {
      #expect(good.output.contains(part), "\(part)")
    }
    let bad = try HouseServer.run(
      ["STEPWELL_DATA=\(home.folder)", "STEPWELL_RESOURCES=/nowhere", "STEPWELL_ZONEINFO=/nowhere"], ["doctor"])
    #expect(bad.status == 1)
    #expect(bad.output.contains("STEPWELL_RESOURCES"))
    #expect(bad.output.contains("tzdata"))
  }

  @Test("seeds are refused outside of development")
  func seeds() throws {
    let answer = try HouseServer.run([], ["seed"])
    #expect(answer.status == 1)
    #expect(answer.output.contains("STEPWELL_DEVELOPMENT"))
  }
}
