import Activity
import EventLoop
import Glibc
import HTTPClient
import PhoneKit
import Phones

/// `stepwell simulate`: plays a scenario and uploads it the way that a phone does. Exit status: 0 everything is with the server,
/// 1 it could not be brought there, 2 asked wrongly, 3 the server does not accept the token or is no Stepwell.
struct SimulateCommand {
  static let usage = """
    usage: stepwell simulate --server https://localhost:8443 --token swu_… --scenario NAME
             [--trust FILE]     the certificate of the server, where it signed its own
             [--seed N]         another person with the same story
             [--until INSTANT]  the end of the story, 2026-11-26T16:00:00Z; now
             [--step 1d|6h]     how often the phone uploads; 1d
             [--once]           once, at the end
             [--speed N]        so many seconds of the story in one of ours; as fast as it goes
             [--queue DIR]      keeps what is under way: the same command goes on where it was stopped
             [--patience N]     seconds to go on trying when nothing is taken; 120
             [--really]         for a server that is not this machine
    """

  private let question: SimulateQuestion
  private let scenario: Scenario
  private let app: BridgeApp
  private let tally: Tally
  private let loop: EventLoop

  static func run(_ arguments: [String], zoneinfo: String) throws -> Int32 {
    let question: SimulateQuestion
    do throws(SimulateQuestion.Fault) { question = try SimulateQuestion(arguments) } catch {
      Program.complain("stepwell simulate: \(error.message)\n" + usage)
      return 2
    }
    guard let scenario = question.scenario else { return 2 }
    let folder = try SimulateFolder(question.queue, story: "\(scenario.name) \(scenario.seed)", until: question.until)
    defer { folder.close() }
    let life = scenario.play(until: folder.until, in: try Resources.zones(zoneinfo))
    return try SimulateCommand(question, life, folder).play()
  }

  private init(_ question: SimulateQuestion, _ life: Life, _ folder: SimulateFolder) throws {
    self.question = question
    scenario = life.scenario
    var certificate: [UInt8]?
    if let path = question.trust {
      certificate = try File.read(path)
    }
    let sender = CurlSender(server: question.server, certificate: certificate)
    let tally = Tally { try await sender.send($0) }
    self.tally = tally
    var system = SystemRandomNumberGenerator()
    app = try BridgeApp(
      SimulatedPhone(life), queue: folder.queue, token: question.token, seed: system.next(),
      send: { try await tally.send($0) })
    loop = try EventLoop.start(named: "phone")
  }

  /// One pass after the other.
  private func play() throws -> Int32 {
    defer {
      loop.stop()
      loop.join()
    }
    let app = app
    let end = app.phone.life.now
    var moment = try loop.runBlocking { _ in await app.readThrough } ?? beginning
    if moment >= end || question.isOnce { moment = end.advanced(hours: -question.step) }
    while moment < end {
      moment = min(end, moment.advanced(hours: question.step))
      if let status = try pass(at: moment) { return status }
      if let speed = question.speed, moment < end { sleep(seconds: Double(question.step) * 3600 / speed) }
    }
    let refused = try loop.runBlocking { _ in await app.queue.refused }
    guard refused == 0 else { throw Failure("The server refused \(refused) batches for good; they lie in the queue.") }
    return 0
  }

  private var beginning: Instant {
    let life = app.phone.life
    return life.history.firstInstant(of: life.firstDay)
  }

  /// Tries until the server has everything of this moment; else how the program ends.
  private func pass(at moment: Instant) throws -> Int32? {
    let app = app
    var waited = 0.0
    while true {
      let begin = Clock.system.now()
      let outcome = try loop.runBlocking { _ in try await app.wake(at: moment) }
      let counts = tally.take()
      let took = Clock.system.now().milliseconds(since: begin)
      say(moment, counts, outcome, took)
      switch outcome {
      case .done: return nil
      case .needsAttention: return 3
      case .wait(let seconds):
        if case .untrusted = counts.error as? HTTPClientError {
          throw Failure("The server shows a certificate that is not trusted. Name its file with --trust.")
        }
        guard waited < Double(question.patience) else {
          throw Failure(
            "Nothing was taken for \(question.patience) seconds. With --queue the same command can go on later.")
        }
        sleep(seconds: min(seconds, Double(question.patience)))
        waited += seconds
      }
    }
  }

  /// `2026-11-20T19:00:00Z Europe/Berlin  1 request, 41 KB: 212 stored, 3 duplicate  (12 ms)`
  private func say(_ moment: Instant, _ counts: Tally.Counts, _ outcome: UploadOutcome, _ took: Int64) {
    let results = counts.results.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    var line = "\(moment.utc) \(app.phone.zone)  \(counts.requests) requests, \((counts.bytes + 512) / 1024) KB"
    if !results.isEmpty { line += ": " + results.map { "\($0.value) \($0.key)" }.joined(separator: ", ") }
    line += "  (\(took) ms)"
    switch outcome {
    case .done: break
    case .wait(let seconds): line += "  again in \(Int(seconds.rounded(.up))) s: \(counts.trouble ?? "no answer")"
    case .needsAttention(let status): line += "  stopped: \(counts.trouble ?? "\(status)")"
    }
    Program.say(line)
  }

  private func sleep(seconds: Double) { usleep(UInt32(min(max(seconds, 0), 3600) * 1_000_000)) }
}
