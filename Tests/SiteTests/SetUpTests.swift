import Storage
import Support
import Testing

struct SetUpTests {
  private let entries = [
    ("name", "Ada Berg"), ("email", "ada@family.example"), ("password", "stair of sandstone 9"),
    ("zone", "Europe/Berlin"), ("week", "6"),
  ]

  @Test("whoever holds the code makes the first administrator and is signed in")
  func works() async throws {
    let site = try await TestSite(setUpCode: "k7pq-2m9x")
    let browser = Browser(site)
    #expect(try await browser.landing("/") == "/setup")
    let answer = try await browser.submit("/setup", on: "/setup", [("code", " K7PQ 2m9x ")] + entries)
    #expect(answer.status == 303)
    #expect(answer["location"] == "/today")
    let settings = try await browser.get("/settings")
    #expect(settings.status == 200)
    #expect(settings.text.contains("Ada Berg"))
    #expect(settings.text.contains("<option selected>Europe/Berlin</option>"))
    #expect(settings.text.contains("<option value=\"6\" selected>Sunday</option>"))
  }

  @Test("a wrong code makes nobody, and the page is shown again with what was typed")
  func wrongCode() async throws {
    let site = try await TestSite(setUpCode: "k7pq-2m9x")
    let answer = try await Browser(site).submit("/setup", on: "/setup", [("code", "k7pq-2m9y")] + entries)
    #expect(answer.status == 422)
    #expect(answer.text.contains("aria-invalid=\"true\""))
    #expect(answer.text.contains("value=\"Ada Berg\""))
    #expect(!answer.text.contains("stair of sandstone"))
    #expect(try await !site.onStore { try await $0.isSetUp() })
  }

  @Test(
    "a short or common password is refused beside its field",
    arguments: ["short", "passwordpassword", "ada@family.example"])
  func badPassword(password: String) async throws {
    let site = try await TestSite(setUpCode: "k7pq-2m9x")
    let fields = entries.map { $0.0 == "password" ? ("password", password) : $0 }
    let answer = try await Browser(site).submit("/setup", on: "/setup", [("code", "k7pq2m9x")] + fields)
    #expect(answer.status == 422)
    #expect(answer.text.contains("id=\"pw-e\""))
  }

  @Test("codes cannot be guessed in a row")
  func guessing() async throws {
    let site = try await TestSite(setUpCode: "k7pq-2m9x")
    let browser = Browser(site)
    var last = 0
    for _ in 0..<11 { last = try await browser.submit("/setup", on: "/setup", [("code", "wrong")]).status }
    #expect(last == 429)
  }

  @Test("once set up, the page leads to the sign-in")
  func over() async throws {
    let site = try await TestSite(setUpCode: nil)
    #expect(try await Browser(site).landing("/setup") == "/sign-in")
    #expect(try await Browser(site).post("/setup", entries)["location"] == "/sign-in")
  }

  @Test("without the form token of its page nothing is made")
  func withoutToken() async throws {
    let site = try await TestSite(setUpCode: "k7pq-2m9x")
    let answer = try await Browser(site).post("/setup", [("code", "k7pq2m9x")] + entries)
    #expect(answer.status == 403)
    #expect(try await !site.onStore { try await $0.isSetUp() })
  }
}
