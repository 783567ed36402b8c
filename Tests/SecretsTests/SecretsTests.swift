import Secrets
import Testing

private func hex(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef")
  return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}

@Suite struct HashTests {
  @Test("SHA-256 gives the digest of FIPS 180-4's example")
  func sha256() {
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(hex(SHA256.hash(Array("abc".utf8))) == expected)
    #expect(hex(SHA256.hash([])).hasPrefix("e3b0c44298fc1c14"))
    var running = SHA256.Running()
    running.add(Array("a".utf8))
    running.add(Array("bc".utf8))
    #expect(hex(running.digest()) == expected)
    let prefix = Array("abc".utf8).withUnsafeBytes { SHA256.prefix($0) }
    #expect(prefix.high == 0xba78_16bf_8f01_cfea && prefix.low == 0x4141_40de_5dae_2223)
  }

  @Test("HMAC gives the second example of RFC 4231")
  func hmac() {
    let code = HMAC.sha256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(hex(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test("comparison sees length and every byte")
  func comparison() {
    #expect(equalInConstantTime([1, 2, 3], [1, 2, 3]))
    #expect(!equalInConstantTime([1, 2, 3], [1, 2, 4]))
    #expect(!equalInConstantTime([1, 2, 3], [1, 2]))
  }
}

@Suite struct PasswordTests {
  @Test("a password opens its own hash and no other, with 46 MiB and one pass")
  func password() throws {
    let stored = try #require(Password.hash("correct horse battery"))
    #expect(stored.hasPrefix("$argon2id$v=19$m=47104,t=1,p=1$"))
    #expect(Password.verify("correct horse battery", against: stored))
    #expect(!Password.verify("correct horse batterz", against: stored))
    #expect(!Password.isOutdated(stored))
  }

  @Test("the dummy hash is well-formed, of today's costs, and opens for nothing")
  func dummy() {
    #expect(!Password.isOutdated(Password.dummy))
    #expect(!Password.verify("", against: Password.dummy))
    #expect(!Password.verify("anything", against: "not a hash"))
  }
}

@Suite struct TokenTests {
  private let counting = RandomSource { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 5) } }

  @Test("a token is read back with its kind and person")
  func roundTrip() throws {
    for kind in Token.Kind.allCases {
      let token = Token(kind, person: 0x0123_4567_89ab_cdef, random: counting)
      #expect(token.text.utf8.count == 66)
      let read = try #require(Token(reading: token.text))
      #expect(read == token && read.hash == token.hash && read.hash.count == 32)
    }
  }

  @Test("one wrong character anywhere is refused without asking a database")
  func checkDigits() {
    let text = Array(Token(.session, person: 77, random: .system).text.utf8)
    for index in text.indices {
      var broken = text
      broken[index] = broken[index] == UInt8(ascii: "1") ? UInt8(ascii: "2") : UInt8(ascii: "1")
      #expect(Token(reading: String(decoding: broken, as: UTF8.self)) == nil)
    }
    #expect(Token(reading: "") == nil)
    #expect(Token(reading: String(repeating: "é", count: 33)) == nil)
  }

  @Test("the system's random bytes differ")
  func random() {
    #expect(RandomSource.system.bytes(32) != RandomSource.system.bytes(32))
    #expect(RandomSource.system.bytes(0).isEmpty)
  }
}
