import Activity
import Consent
import HTTP
import People
import Secrets
import Storage
import Support
import Testing

/// Tokens and grants of a device: what a person decides, and what the device may do from then on.
struct DeviceTests {
  private func ada() async throws -> (site: TestSite, browser: Browser, id: PersonID) {
    let site = try await TestSite()
    let id = try await site.add(.ada)
    return (site, try await site.browser(of: .ada), id)
  }

  private func device(_ browser: Browser) async throws -> String {
    let page = try await browser.get("/devices").text
    return String(try #require(page.firstMatch(of: /href="(\/devices\/[0-9a-z]{13})"/)?.1))
  }

  private func token(_ page: Answer) throws -> String {
    String(try #require(page.text.firstMatch(of: /id="tok">(swu_[0-9A-Za-z]+)</)?.1, "\(page.status)"))
  }

  private func renew(_ browser: Browser, _ device: String) async throws -> Answer {
    let page = try await browser.get(device)
    return try await browser.post(
      device + "/token", [("form", page.formToken ?? ""), ("replacing", page.value(ofField: "replacing") ?? "")])
  }

  // MARK: Tokens

  @Test("a form that is sent again adds no second device and shows no token")
  func reload() async throws {
    let (_, browser, _) = try await ada()
    let form = try await browser.get("/devices/new")
    #expect(form["cache-control"] == "no-store")
    let fields = [("form", form.formToken ?? ""), ("name", "iPhone"), ("type", "stepCount")]
    let first = try await browser.post("/devices", fields)
    _ = try token(first)
    #expect(first["cache-control"] == "no-store")
    let second = try await browser.post("/devices", fields)
    #expect(second.status == 303)
    let there = try await browser.get(try #require(second["location"]))
    #expect(there.text.contains("This form was sent twice"))
    #expect(!there.text.contains("swu_"))
    #expect(try await browser.get("/devices").text.matches(of: /href="\/devices\/[0-9a-z]{13}"/).count == 1)
    // The same words on a fresh form are another device.
    _ = try token(try await browser.submit("/devices", on: "/devices/new", Array(fields.dropFirst())))
    #expect(try await browser.get("/devices").text.matches(of: /href="\/devices\/[0-9a-z]{13}"/).count == 2)
  }

  @Test("a new token works at once, the one before it for a day more; sent again, the form changes nothing")
  func rotation() async throws {
    let (site, browser, _) = try await ada()
    let phone = try await TestPhone.add(browser)
    let device = try await device(browser)
    site.clock.advance(milliseconds: 1)
    let page = try await browser.get(device)
    let fields = [("form", page.formToken ?? ""), ("replacing", page.value(ofField: "replacing") ?? "")]
    let answer = try await browser.post(device + "/token", fields)
    let next = try token(answer)
    #expect(next != phone.token)
    #expect(answer.text.contains("Earlier token works"))
    let again = try await browser.post(device + "/token", fields)
    #expect(again.status == 303)
    #expect(try await browser.get(device).text.matches(of: /Earlier token works/).count == 1)
    #expect(try await browser.get("/devices").text.matches(of: /href="\/devices\/[0-9a-z]{13}"/).count == 1)

    let first = try await phone.send(Array(PhoneUploadTests.batch(1).utf8))
    #expect(first.status == 200)
    // The batch is the device's, whichever of its tokens brings it.
    #expect(try await phone.send(Array(PhoneUploadTests.batch(1).utf8), token: next).bytes == first.bytes)
    site.clock.advance(milliseconds: 24 * 3_600_000 + 1)
    #expect(try await phone.send("{\"added\":[]}").status == 401)
    #expect(try await phone.send(Array("{\"added\":[]}".utf8), token: next).status == 200)
    #expect(!(try await browser.get(device).text.contains("Earlier token works")))
  }

  @Test("before a token is given the password is asked once more when the sign-in is older than ten minutes")
  func fresh() async throws {
    let (site, browser, _) = try await ada()
    _ = try await TestPhone.add(browser)
    let device = try await device(browser)
    let old = try await browser.get("/devices/new").formToken ?? ""
    site.clock.advance(milliseconds: 10 * 60_000 + 1)
    #expect(try await browser.landing("/devices/new") == "/confirm?to=/devices/new")
    let late = try await browser.post("/devices", [("form", old), ("name", "x"), ("type", "stepCount")])
    #expect(late.status == 403)
    #expect(late.text.contains("Type your password once more"))
    #expect(try await renew(browser, device).status == 403)
    #expect(try await browser.submit(device + "/grants", on: device, [("type", "stepCount")]).status == 403)
    #expect(try await browser.get("/devices").text.matches(of: /href="\/devices\/[0-9a-z]{13}"/).count == 1)

    let wrong = try await browser.submit("/confirm", on: "/confirm", [("to", "/devices/new"), ("password", "no")])
    #expect(wrong.status == 422)
    #expect(try await browser.landing("/devices/new") == "/confirm?to=/devices/new")
    let right = try await browser.submit(
      "/confirm", on: "/confirm?to=/devices/new", [("to", "//evil.example"), ("password", Cast.ada.password)])
    #expect(right["location"] == "/settings")
    #expect(try await browser.get("/devices/new").status == 200)
    _ = try token(try await renew(browser, device))
  }

  @Test("the token may come in either header, and never in the address")
  func headers() async throws {
    let (site, browser, _) = try await ada()
    let phone = try await TestPhone.add(browser)
    let type = [("host", "steps.example"), ("content-type", "application/json")]
    let body = Array("{\"added\":[]}".utf8)
    for field in [
      ("x-stepwell-token", phone.token), ("authorization", "bearer  " + phone.token),
    ] {
      #expect(try await site.answer(.post, "/api/batches", type + [field], body: body).status == 200)
      #expect(
        try await site.answer(
          .post, "/api/health-auto-export", type + [field], body: Array("{\"data\":{}}".utf8)
        ).status == 200)
    }
    #expect(try await site.answer(.post, "/api/batches?token=" + phone.token, type, body: body).status == 401)
  }

  @Test("another person's token, one made up for her, and one that opens other things get the same 401")
  func foreign() async throws {
    let (site, browser, id) = try await ada()
    let phone = try await TestPhone.add(browser)
    let ben = try await site.add(.ben)
    let missing = try await phone.send(Array("{}".utf8), token: "")
    for kind in Token.Kind.allCases {
      let made = Token(kind, person: id.number, random: .system).text
      #expect(try await phone.send(Array("{}".utf8), token: made).canonical == missing.canonical, "\(kind)")
    }
    // Ben's token brings in Ben's data, whatever it says of devices and people.
    let his = try await TestPhone.add(try await site.browser(of: .ben), name: "Ben’s iPhone")
    #expect(try await his.send(PhoneUploadTests.batch(1)).status == 200)
    #expect(try await browser.get("/day/2026-11-25").status == 404)
    #expect(ben != id)
    // An upload token opens no page.
    let page = try await site.answer(
      .get, "/today", [("host", "steps.example"), ("cookie", "__Host-sw=" + phone.token)])
    #expect(page.status == 303)
  }

  // MARK: Grants

  @Test("a type that was stopped is taken again after a new grant, recorded as one more decision")
  func regrant() async throws {
    let (site, browser, id) = try await ada()
    let phone = try await TestPhone.add(browser, types: ["stepCount"])
    let device = try await device(browser)
    let page = try await browser.get(device).text
    #expect(page.contains("What it may not send"))
    let revocation = String(try #require(page.firstMatch(of: /action="(\/sharing\/[0-9a-z]{13}\/revocation)"/)?.1))
    #expect(try await browser.submit(revocation, on: device, []).status == 303)
    #expect(try await phone.send(PhoneUploadTests.batch(1)).text.contains("consent_missing"))
    #expect(try await browser.submit(device + "/grants", on: device, [("type", "heartRate")]).status == 400)
    for _ in 0..<2 {
      let granted = try await browser.submit(device + "/grants", on: device, [("type", "stepCount")])
      #expect(granted["location"] == device + "?saved=granted")
    }
    #expect(try await phone.send(PhoneUploadTests.batch(2)).text.contains("\"stored\":1"))
    #expect(try await browser.submit(revocation, on: device, []).status == 404, "the old grant is over")
    let now = site.clock.now
    let claim = try #require(browser[cookie: "__Host-sw"].flatMap { OwnClaim(cookie: $0) })
    let record = try await site.onStore { store in
      let opened = try await store.session(claim).opened(by: claim, at: now)
      return try await store.consentRecord(opened.permit)
    }
    #expect(record.count == 3, "granted, revoked, granted")
    #expect(id == claim.person)
    try record.verify()
    let grants = Set(record.entries.map { $0.fields[3] })
    #expect(grants.count == 2, "a grant that was taken back does not come to life again")
  }

  @Test("two devices may use the same batch id, each gets its own answer")
  func batchOfDevice() async throws {
    let (_, browser, _) = try await ada()
    let phone = try await TestPhone.add(browser)
    let pad = try await TestPhone.add(browser, types: ["activitySummary"], name: "iPad")
    let body = Array(PhoneUploadTests.batch(1).utf8)
    let one = try await phone.send(body)
    let other = try await pad.send(body)
    #expect(one.text.contains("\"stored\":1"))
    #expect(other.text.contains("\"consent_missing\":1"))
    #expect(try await phone.send(body).bytes == one.bytes)
    #expect(try await pad.send(body).bytes == other.bytes)
  }
}
