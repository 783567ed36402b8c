import HTTP
import Support
import Testing

/// What deploy/phones.md tells people to send is taken as it stands there.
struct PhonesPageTests {
  @Test("both documented bodies are stored, with both documented headers")
  func bodies() async throws {
    let page = String(decoding: try Repository.bytes("deploy/phones.md"), as: UTF8.self)
    let bodies = page.matches(of: /\{"data":\{.*\}\]\}\]\}\}/).map { Array(String($0.0).utf8) }
    try #require(bodies.count == 2)
    let site = try await TestSite()
    try await site.add(.ada)
    let phone = try await TestPhone.add(try await site.browser(of: .ada))
    for (body, (aggregation, header)) in zip(
      bodies, [("Minutes", ("authorization", "Bearer \(phone.token)")), ("Days", ("x-stepwell-token", phone.token))])
    {
      let answer = try await site.answer(
        .post, "/api/health-auto-export",
        [
          ("host", "steps.example"), ("content-type", "application/json"), ("automation-aggregation", aggregation),
          header,
        ], body: body)
      #expect(answer.status == 200)
      #expect(answer.text.contains("\"stored\":1"), "\(answer.text)")
    }
  }
}
