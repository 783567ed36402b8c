/// What a new password must be (security.md "Accounts"): long enough and not one that everybody tries; nothing about its composition.
package enum PasswordRules {
  /// Why a password is not taken.
  package enum Refusal: Sendable, Equatable {
    case tooShort
    case tooLong
    case common
    case sameAsLogin
  }

  package static let shortest = 12
  package static let longest = 200

  /// Why `password` cannot be used for `login`; nil when it can.
  package static func refusal(of password: String, login: String) -> Refusal? {
    if password.count < shortest { return .tooShort }
    if password.utf8.count > longest * 4 || password.count > longest { return .tooLong }
    let lower = password.lowercased()
    if lower == login.lowercased() { return .sameAsLogin }
    return isCommon(lower) ? .common : nil
  }

  /// Twelve and more characters are still guessed first when they are one word repeated, a run of keys or a known phrase.
  private static func isCommon(_ password: String) -> Bool {
    let characters = Array(password)
    if Set(characters).count <= 3 { return true }
    for period in 1...6
    where characters.indices.dropFirst(period).allSatisfy({ characters[$0] == characters[$0 - period] }) {
      return true
    }
    if runs.contains(where: { $0.contains(password) }) { return true }
    return phrases.contains(password) || phrases.contains(String(password.filter { $0.isLetter }))
  }

  private static let runs = [
    "0123456789012345678901234567890", "9876543210987654321098765432", "abcdefghijklmnopqrstuvwxyz",
    "zyxwvutsrqponmlkjihgfedcba",
    "qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm", "azertyuiopqsdfghjklmwxcvbn",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0", "qazwsxedcrfvtgbyhnujm",
  ]

  private static let phrases: Set<String> = [
    "passwordpassword", "password", "passwort", "passwortpasswort", "administrator", "letmeinletmein", "letmein",
    "iloveyou", "iloveyouiloveyou",
    "welcomewelcome", "welcome", "changeme", "changemechangeme", "changemenow", "correcthorsebatterystaple",
    "correct horse battery staple",
    "trustno", "superman", "sunshine", "princess", "football", "baseball", "whatever", "qwerty", "qwertyqwerty",
    "secret", "secretsecret",
    "mypassword", "mypasswordis", "thisisapassword", "thisismypassword", "longpassword", "verylongpassword",
    "newpassword", "testpassword",
    "testtest", "testtesttest", "stepwell", "stepwellstepwell", "applehealth", "healthkit", "motdepasse", "contraseña",
    "contrasena", "hallohallo",
    "schatzschatz", "fussball", "unbekannt", "lokomotive", "christopher", "manchesterunited", "liverpoolfc",
    "michaeljackson", "harrypotter",
    "starwarsstarwars", "abcdabcdabcd", "monkeymonkey", "dragondragon", "masterpassword", "defaultpassword",
    "temporarypassword", "passwordabc",
  ]
}
