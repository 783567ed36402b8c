import Activity
import Secrets
import Testing

@testable import People

@Suite struct IdentifierTests {
  private let counting = RandomSource { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 5) } }

  @Test("an id is thirteen characters, is read back, and later ids are greater")
  func ids() throws {
    let early = PersonID.fresh(at: 1_780_000_000_000, random: counting)
    let late = PersonID.fresh(at: 1_780_000_000_001, random: counting)
    #expect(early < late && early.number > 0)
    #expect(early.description.utf8.count == 13)
    #expect(PersonID(reading: early.description) == early)
    for text in ["", "1", "zzzzzzzzzzzzz", "000000000000u", "0000000000000 "] {
      #expect(PersonID(reading: text) == nil)
    }
  }

  @Test("no time makes an id that is no id", arguments: [Int64.min, -1, 0, 1_704_067_199_999, Int64.max])
  func anyTime(milliseconds: Int64) {
    #expect(ImportID.fresh(at: milliseconds, random: .system).number >= 0)
  }
}

@Suite struct AccountRulesTests {
  @Test("logins are compared without case, outer blanks and ways of writing one letter")
  func folding() {
    #expect(AccountRules.folded(login: " Ada ") == "ada")
    #expect(AccountRules.folded(login: "ÉMILE") == AccountRules.folded(login: "e\u{301}mile"))
    #expect(AccountRules.folded(login: "ada@example.org") == "ada@example.org")
  }

  @Test(
    "what cannot be a login is refused",
    arguments: ["", "  ", "a b", "a\u{0}b", "a\u{2028}b", String(repeating: "a", count: 65)])
  func refused(login: String) { #expect(AccountRules.folded(login: login) == nil) }

  @Test("a display name may have blanks inside and any script, no control characters")
  func names() {
    #expect(AccountRules.displayName("  Ada  Lovelace ") == "Ada  Lovelace")
    #expect(AccountRules.displayName("阿达 👩‍💻") == "阿达 👩‍💻")
    #expect(AccountRules.displayName("a\nb") == nil)
    #expect(AccountRules.displayName("") == nil)
  }
}

@Suite struct PasswordRulesTests {
  @Test(
    "length counts, composition does not",
    arguments: [
      ("short", PasswordRules.Refusal.tooShort), ("twelve chars", nil), ("ein langer satz", nil),
      ("PasswordPassword", .common), ("aaaaaaaaaaaa", .common), ("abcabcabcabc", .common), ("qwertyuiopasdf", .common),
      ("123456789012", .common), ("Password1234", .common), ("ada.lovelace1", .sameAsLogin),
    ])
  func rules(password: String, refusal: PasswordRules.Refusal?) {
    #expect(PasswordRules.refusal(of: password, login: "Ada.Lovelace1") == refusal)
  }

  @Test("a password of a megabyte is refused, not hashed")
  func long() {
    #expect(PasswordRules.refusal(of: String(repeating: "xy7 ", count: 300_000), login: "a") == .tooLong)
  }
}

@Suite struct SessionTests {
  private func at(_ minutes: Int64) -> Instant { Instant(milliseconds: minutes * 60_000) }

  @Test("people stay for 14 idle days and 90 in all, administrators for 30 minutes and 12 hours")
  func expiry() {
    let day: Int64 = 24 * 60
    #expect(Session.expiry(role: .person, created: at(0), now: at(0)) == at(14 * day))
    #expect(Session.expiry(role: .person, created: at(0), now: at(80 * day)) == at(90 * day))
    #expect(Session.expiry(role: .administrator, created: at(0), now: at(60)) == at(90))
    #expect(Session.expiry(role: .administrator, created: at(0), now: at(700)) == at(720))
  }

  @Test("a session wants its use noted every five minutes, and is fresh for ten after proof")
  func freshness() {
    let session = Session(
      person: PersonID(1), tokenHash: Array(repeating: 7, count: 32), role: .person, created: at(0), seen: at(0),
      expires: at(99), confirmed: at(0), formKey: [], agent: "")
    #expect(!session.wantsTouch(at: at(4)) && session.wantsTouch(at: at(5)))
    #expect(session.isFresh(at: at(10)) && !session.isFresh(at: at(11)))
    #expect(session.id.utf8.count == 13)
  }
}

@Suite struct SignInLimitsTests {
  private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

  @Test("ten tries at once, then five a minute with a growing delay that tries do not push further")
  func limits() {
    var limits = SignInLimits()
    for _ in 0..<10 {
      let wait = limits.wait(for: "ada", at: at(0))
      #expect(wait == nil)
    }
    let first = limits.wait(for: "ada", at: at(0))
    #expect(first == 12_000)
    let second = limits.wait(for: "ada", at: at(5))
    #expect(second == 7_000)
    let third = limits.wait(for: "ada", at: at(12))
    #expect(third == nil)
    let other = limits.wait(for: "ben", at: at(0))
    #expect(other == nil)
  }

  @Test("nobody is locked out for good: under constant attack a try is free at least once a minute")
  func noLock() {
    var limits = SignInLimits()
    var free = 0
    for second in 0..<3_600 as Range<Int64> where limits.wait(for: "ada", at: at(second)) == nil { free += 1 }
    #expect(free >= 60 && free <= 310)
  }

  @Test("success clears the key; memory stays bounded under many keys")
  func bounded() {
    var limits = SignInLimits(keysKept: 100)
    for number in 0..<10_000 { _ = limits.wait(for: "key \(number)", at: at(0)) }
    #expect(limits.count <= 100)
    for _ in 0..<12 { _ = limits.wait(for: "ada", at: at(0)) }
    limits.succeeded("ada")
    let wait = limits.wait(for: "ada", at: at(0))
    #expect(wait == nil)
  }
}
