import CSodium

/// Passwords as argon2id (RFC 9106) with 46 MiB and one pass. Every call burns ~30 ms of CPU and 46 MiB: run it on a
/// worker thread (`Poller.onWorker`), at most two at once.
package enum Password {
  private static let passes: UInt64 = 1
  private static let memory = 46 << 20

  /// The text to store (PHC string with its own salt); nil when memory is short.
  package static func hash(_ password: String) -> String? {
    guard sodiumReady else { return nil }
    var stored = [CChar](repeating: 0, count: Int(crypto_pwhash_argon2id_STRBYTES))
    guard crypto_pwhash_argon2id_str(&stored, password, UInt64(password.utf8.count), passes, memory) == 0 else {
      return nil
    }
    return String(decoding: stored.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether `password` belongs to `stored`; false for anything unreadable. Costs what `stored` was made with.
  package static func verify(_ password: String, against stored: String) -> Bool {
    sodiumReady && crypto_pwhash_argon2id_str_verify(stored, password, UInt64(password.utf8.count)) == 0
  }

  /// Whether `stored` was made with other costs than today's, so that the next sign-in should store it anew.
  package static func isOutdated(_ stored: String) -> Bool {
    sodiumReady && crypto_pwhash_argon2id_str_needs_rehash(stored, passes, memory) != 0
  }

  /// A hash that no password opens, with today's costs: verified when the login is unknown, so that both answers take the same time.
  package static let dummy =
    "$argon2id$v=19$m=47104,t=1,p=1$c3RlcHdlbGwtZHVtbXktcw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
}
