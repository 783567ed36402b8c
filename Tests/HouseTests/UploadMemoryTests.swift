import Archive
import Foundation
import HTTP
import HTTPClient
import Support
import Testing

/// Bodies that are too much, over real TLS: a clear answer, and memory that stays where it was.
@Suite(.serialized)
struct UploadMemoryTests {
  private static let limit = 8 << 20

  @Test("200 MB, bombs and ten thousand items of garbage are answered with their limit and leave memory flat")
  func flat() throws {
    let server = try HouseServer()
    let browser = try HouseBrowser(server)
    _ = try browser.setUp()
    let token = try browser.addDevice("Phone")
    let attacks = try Attacks(server, token: token)
    // Once for what is made at first use.
    try attacks.garbage()
    try attacks.bomb()
    let (began, peak) = (try server.memory("VmRSS"), try server.memory("VmHWM"))
    try attacks.announced(200 << 20)
    try attacks.announced(200 << 20)
    try attacks.unannounced(megabytes: 200)
    #expect(try server.memory("VmHWM") < peak + 24 << 10, "a body of 200 MB is not kept")
    for _ in 0..<5 {
      try attacks.garbage()
      try attacks.bomb()
    }
    let ended = try server.memory("VmRSS")
    print("memory: \(began) KiB before, \(ended) KiB after, at most \(try server.memory("VmHWM")) KiB")
    #expect(ended < began + 24 << 10)
    #expect(try browser.get("/today").status == 200)
    #expect(server.stop() == 0)
  }

  private struct Attacks {
    let server: HouseServer
    let token: String
    let client: HTTPClient

    init(_ server: HouseServer, token: String) throws {
      self.server = server
      self.token = token
      var settings = ClientSettings()
      settings.trust = .only(pem: try Repository.bytes(server.home.folder + "/certificate.pem"))
      settings.compressAbove = .max
      client = HTTPClient(settings)
    }

    func garbage() throws {
      let items = [String](repeating: "{\"uuid\":\"\",\"value\":[1,{\"x\":null}]}", count: 10_000)
      let (status, answer) = try post(Array("{\"added\":[\(items.joined(separator: ","))]}".utf8))
      #expect(status == 200)
      #expect(answer.contains("\"received\":10000"))
    }

    /// 70 MB of blanks in 70 KB.
    func bomb() throws {
      var packed: [UInt8] = []
      #expect(GzipEncoder(level: 9).encode([UInt8](repeating: 32, count: 70 << 20), into: &packed))
      let (status, answer) = try post(packed, [("content-encoding", "gzip")])
      #expect(status == 413)
      #expect(answer.contains("\"code\":\"unpacked_too_large\""))
    }

    func announced(_ length: Int) throws {
      let (status, answer) = try post([UInt8](repeating: 32, count: length))
      #expect(status == 413)
      #expect(answer.contains("\"limit\":8388608,\"received\":\(length)"), "\(answer)")
    }

    /// In chunks, so that the length is not known before.
    func unannounced(megabytes: Int) throws {
      let script = """
        head -c \(megabytes)M /dev/zero | curl --silent --insecure --max-time 60 --write-out ' %{http_code}' \
        --header 'Content-Type: application/json' --header 'Transfer-Encoding: chunked' \
        --header 'X-Stepwell-Token: \(token)' --data-binary @- \(server.base)/api/batches
        """
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", script]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let answer = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(answer.contains("\"limit\":8388608") && answer.hasSuffix(" 413"), "\(answer)")
    }

    private func post(_ body: [UInt8], _ fields: [(name: String, value: String)] = []) throws -> (Int, String) {
      let reply = try client.perform(
        ClientRequest(
          .post, server.base + "/api/batches",
          fields: [("content-type", "application/json"), ("x-stepwell-token", token)] + fields, body: body))
      return (reply.status.code, String(decoding: reply.body, as: UTF8.self))
    }
  }
}
