import TLS
import Testing

struct CertificateTests {
  @Test(
    "a made certificate holds from now on for two years", arguments: ["steps.example", "192.0.2.7", "[2001:db8::1]"])
  func made(host: String) throws {
    let made = try #require(SelfSignedCertificate(host: host))
    let dates = try #require(CertificateDates(pem: made.chain))
    #expect(dates.hasBegun)
    #expect((729...730).contains(dates.daysLeft))
    #expect(String(decoding: made.key, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----"))
  }

  @Test("what is no certificate has no dates")
  func unreadable() {
    #expect(CertificateDates(pem: Array("hello".utf8)) == nil)
    #expect(CertificateDates(pem: []) == nil)
  }
}
