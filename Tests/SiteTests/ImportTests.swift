import HTTP
import Support
import Testing

struct ImportTests {
  static let export = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <HealthData locale="en_DE">
     <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Ada’s iPhone" unit="count" creationDate="2026-11-25 09:00:00 +0100" startDate="2026-11-25 08:00:00 +0100" endDate="2026-11-25 09:00:00 +0100" value="1234"/>
     <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Ada’s iPhone" unit="km" creationDate="2026-11-25 09:00:00 +0100" startDate="2026-11-25 08:00:00 +0100" endDate="2026-11-25 09:00:00 +0100" value="5"/>
    </HealthData>
    """.utf8)

  private func adasBrowser() async throws -> (TestSite, Browser) {
    let site = try await TestSite()
    try await site.add(.ada)
    return (site, try await site.browser(of: .ada))
  }

  @Test("an upload shows its progress, then what it brought and what was refused, in words")
  func works() async throws {
    let (site, browser) = try await adasBrowser()
    let answer = try await browser.upload(Self.export, named: "C:\\Ada\\export.xml")
    #expect(answer.status == 303)
    let address = try #require(answer["location"])
    let waiting = try await browser.get(address)
    #expect(waiting["refresh"] == nil, "nothing is loaded again unasked")
    let asked = try await browser.get(address + "?every=5")
    #expect(asked["refresh"] == "5" && asked.text.contains("loaded again every 5 seconds"))
    #expect(asked.text.contains("href=\"\(address)\">Stop loading again"))
    for nonsense in ["1", "0", "-5", "3601", "x", ""] {
      #expect(try await browser.get(address + "?every=" + nonsense)["refresh"] == nil)
    }
    #expect(waiting.text.contains("Cancel import"))
    #expect(waiting.text.contains("export.xml"))
    #expect(!waiting.text.contains("C:"))
    try await site.work()
    let done = try await browser.get(address)
    #expect(done["refresh"] == nil)
    #expect(done.text.contains("Import done"))
    #expect(done.text.contains("The unit is not one for steps"))
    #expect(try await browser.get("/day/2026-11-25").text.contains("1,234"))
    #expect(try await browser.get("/imports").text.contains(address))
    #expect(try await browser.get("/devices").text.contains("Ada’s iPhone"))
    #expect(try Repository.entries("/../../../../../../../.." + site.folder).isEmpty, "the file is deleted afterwards")
  }

  @Test("one import at a time")
  func oneAtATime() async throws {
    let (site, browser) = try await adasBrowser()
    #expect(try await browser.upload(Self.export, named: "export.xml").status == 303)
    let second = try await browser.upload(Self.export, named: "export.xml")
    #expect(second.status == 409)
    #expect(second.text.contains("Another import is still running"))
    try await site.work()
    #expect(try await browser.upload(Self.export, named: "export.xml").status == 303)
  }

  @Test("an import that waits can be cancelled, and the way is free again")
  func cancellation() async throws {
    let (site, browser) = try await adasBrowser()
    let address = try #require(try await browser.upload(Self.export, named: "export.xml")["location"])
    let answer = try await browser.submit(address + "/cancellation", on: address, [])
    #expect(answer.status == 303)
    #expect(try Repository.entries("/../../../../../../../.." + site.folder).isEmpty, "the file is deleted at once")
    try await site.work()
    let page = try await browser.get(address)
    #expect(page.text.contains("Import cancelled"))
    #expect(page["refresh"] == nil)
    #expect(try await browser.get("/day/2026-11-25").status == 404)
    #expect(try await browser.upload(Self.export, named: "export.xml").status == 303)
  }

  @Test("what cannot be an export is refused at once, on the form", arguments: ["%PDF-1.7 x", "{\"a\":1}"])
  func somethingElse(content: String) async throws {
    let (_, browser) = try await adasBrowser()
    let answer = try await browser.upload(Array(content.utf8), named: "file.pdf")
    #expect(answer.status == 422)
    #expect(answer.text.contains("not an Apple Health export"))
    #expect(answer.text.contains("enctype=\"multipart/form-data\""))
  }

  @Test("an empty file and a missing one are told apart from an export")
  func empty() async throws {
    let (_, browser) = try await adasBrowser()
    #expect(try await browser.upload([], named: "export.zip").status == 422)
  }

  @Test("a damaged zip and one without health data end with a sentence that says so")
  func damaged() async throws {
    let (site, browser) = try await adasBrowser()
    let address = try #require(try await browser.upload([0x50, 0x4B, 3, 4, 9, 9, 9], named: "export.zip")["location"])
    try await site.work()
    let page = try await browser.get(address)
    #expect(page.status == 200)
    #expect(page.text.contains("The import failed"))
    #expect(page.text.contains("role=\"alert\""))
  }

  @Test("a file that is refused in its middle says what became of its first part")
  func refusedLate() async throws {
    let (site, browser) = try await adasBrowser()
    // A slice of a thousand samples is stored before the fault is met, the rest is not.
    let records = (0..<1010).map { minute in
      let time = "2026-11-24 \(minute / 60):\(minute % 60):00 +0100"
      return
        "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"Ring\" unit=\"count\" startDate=\"\(time)\""
        + " endDate=\"\(time)\" value=\"1\"/>"
    }
    let part = Array(("<HealthData>" + records.joined() + "<!ENTITY a \"b\"></HealthData>").utf8)
    let address = try #require(try await browser.upload(part, named: "export.xml")["location"])
    try await site.work()
    let page = try await browser.get(address)
    #expect(page.text.contains("The import failed"))
    #expect(page.text.contains("It declares entities, which Stepwell does not read. What was read before that is kept"))
    #expect(page.text.contains("Nothing that was there before was removed."))
    #expect(try await browser.get("/day/2026-11-24").text.contains("1,000"))
    let front = Array("<!DOCTYPE HealthData [<!ENTITY a \"b\">]><HealthData/>".utf8)
    let other = try #require(try await browser.upload(front, named: "export.xml")["location"])
    try await site.work()
    #expect(try await browser.get(other).text.contains("Nothing was stored."))
  }

  @Test("a file above four gigabytes is refused before it is sent")
  func tooLarge() async throws {
    let (_, browser) = try await adasBrowser()
    let answer = try await browser.announce(length: 5_200_000_000)
    #expect(answer.status == 413)
    #expect(answer.text.contains("5.2 GB"))
    #expect(answer.text.contains("4.3 GB"))
  }

  @Test("without the form token nothing is written")
  func withoutToken() async throws {
    let (site, browser) = try await adasBrowser()
    let answer = try await browser.upload(Self.export, named: "export.xml", token: "wrong")
    #expect(answer.status == 403)
    #expect(try Repository.entries("/../../../../../../../.." + site.folder).isEmpty)
    #expect(!(try await browser.get("/imports").text.contains("export.xml</a>")))
  }

  @Test("an upload that breaks off leaves nothing behind")
  func cutOff() async throws {
    let (site, browser) = try await adasBrowser()
    let answer = try await browser.upload(Self.export, named: "export.xml", cutAfter: 700)
    #expect(answer.status == 400)
    #expect(answer.text.contains("broke off"))
    #expect(try Repository.entries("/../../../../../../../.." + site.folder).isEmpty)
  }

  @Test("a form of another kind is answered 415 on the form")
  func wrongType() async throws {
    let (_, browser) = try await adasBrowser()
    let answer = try await browser.post("/imports", [("file", "x")])
    #expect(answer.status == 415)
    #expect(answer.text.contains("enctype=\"multipart/form-data\""))
  }

  @Test("another person's import is a 404, for looking and for cancelling")
  func stranger() async throws {
    let (site, browser) = try await adasBrowser()
    let address = try #require(try await browser.upload(Self.export, named: "export.xml")["location"])
    try await site.add(.dan)
    let dan = try await site.browser(of: .dan)
    let seen = try await dan.get(address)
    #expect(seen.status == 404)
    #expect(seen.canonical == (try await dan.get("/imports/0000000000001").canonical))
    let token = try await dan.get("/imports").formToken ?? ""
    #expect(try await dan.post(address + "/cancellation", [("form", token)]).status == 404)
    #expect(try await browser.get(address).text.contains("Cancel import"))
  }
}
