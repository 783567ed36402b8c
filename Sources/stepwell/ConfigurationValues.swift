import Activity
import Bytes
import Glibc

/// From written settings to checked values: one message per way of being wrong.
extension Configuration {
  init(values: [Key: Setting]) throws(ConfigurationError) {
    data = values[.data]?.value ?? Self.defaultData()
    try readNetwork(values)
    try readCertificate(values)
    resources = values[.resources]?.value
    databaseURL = values[.databaseURL]?.value
    databaseAdminURL = values[.databaseAdminURL]?.value
    databaseOwnerURL = values[.databaseOwnerURL]?.value
    if let setting = values[.log] {
      guard let log = Log(rawValue: setting.value) else {
        throw wrong(.log, setting, "one of info, debug, error")
      }
      self.log = log
    }
    zoneinfo = values[.zoneinfo]?.value ?? zoneinfo
    try readDevelopment(values)
  }

  private mutating func readNetwork(_ values: [Key: Setting]) throws(ConfigurationError) {
    listen = values[.listen]?.value ?? listen
    if let setting = values[.port] {
      guard let port = Int(setting.value), (0...65535).contains(port) else {
        throw wrong(.port, setting, "a number from 0 to 65535")
      }
      self.port = port
    }
    if let setting = values[.baseURL] {
      guard let origin = Origin(setting.value) else {
        throw wrong(.baseURL, setting, "an address such as https://steps.example.org, without a path")
      }
      baseURL = origin.text
    }
    if let setting = values[.trustedProxies] {
      trustedProxies = setting.value.split { $0 == "," || $0 == " " }.map(String.init)
    }
    if let setting = values[.connectionsPerAddress] {
      guard let limit = Int(setting.value), limit >= 0 else {
        throw wrong(.connectionsPerAddress, setting, "a number, 0 for no limit")
      }
      connectionsPerAddress = limit
    }
    if let setting = values[.pageMemory] {
      guard let megabytes = Int(setting.value), (0...1024).contains(megabytes) else {
        throw wrong(.pageMemory, setting, "megabytes from 0 to 1024")
      }
      pageMemory = megabytes
    }
    if let setting = values[.metricsListen] {
      throw ConfigurationError(
        message: "\(setting.place): this version of Stepwell has no metrics to show. Take \"metrics_listen\" out.")
    }
  }

  private mutating func readCertificate(_ values: [Key: Setting]) throws(ConfigurationError) {
    switch (values[.certificate], values[.certificateKey]) {
    case (let chain?, let key?): certificate = (chain.value, key.value)
    case (nil, nil): certificate = nil
    case (let one?, nil), (nil, let one?):
      throw ConfigurationError(
        message: "\(one.place): \"certificate\" and \"certificate_key\" belong together. Set both.")
    }
  }

  private mutating func readDevelopment(_ values: [Key: Setting]) throws(ConfigurationError) {
    if let setting = values[.development] {
      guard setting.value == "1" || setting.value == "0" else { throw wrong(.development, setting, "0 or 1") }
      development = setting.value == "1"
    }
    guard let setting = values[.clock] else { return }
    guard development else {
      throw ConfigurationError(message: "\(setting.place): the clock can be set only with development = 1.")
    }
    guard let instant = Self.instant(setting.value) else {
      throw wrong(.clock, setting, "an instant such as 2026-11-26T16:42:00Z")
    }
    clock = instant.milliseconds
  }

  private func wrong(_ key: Key, _ setting: Setting, _ expected: String) -> ConfigurationError {
    ConfigurationError(
      message: "\(setting.place): \"\(key.rawValue)\" must be \(expected); it says \"\(setting.value)\".")
  }

  /// Reads `2026-11-26T16:42:00Z`.
  private static func instant(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[19] == UInt8(ascii: "Z"),
      let day = CivilDay(iso: text.prefix(10)), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let hour = bytes[11..<13].decimalNumber, let minute = bytes[14..<16].decimalNumber,
      let second = bytes[17..<19].decimalNumber, hour < 24, minute < 60, second < 60
    else { return nil }
    return Instant(seconds: Int64(day.number) * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  /// Root keeps its data in /var/lib/stepwell, everyone else in ~/.local/share/stepwell.
  private static func defaultData() -> String {
    if geteuid() == 0 { return "/var/lib/stepwell" }
    let home = getenv("HOME").map { String(cString: $0) } ?? "."
    return home + "/.local/share/stepwell"
  }
}

/// Scheme, host and port of an address, lower case, without a default port.
struct Origin {
  let text: String
  let host: String

  init?(_ written: String) {
    var rest = Substring(written.lowercased())
    guard rest.hasPrefix("https://") else { return nil }
    rest.removeFirst("https://".count)
    if rest.hasSuffix("/") { rest.removeLast() }
    guard !rest.isEmpty, rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/?#@\\".utf8.contains($0) }) else {
      return nil
    }
    if rest.hasSuffix(":443") { rest.removeLast(4) }
    text = "https://" + rest
    let bracket = rest.lastIndex(of: "]") ?? rest.startIndex
    guard let colon = rest[bracket...].lastIndex(of: ":") else {
      host = String(rest)
      return
    }
    guard let port = Int(rest[rest.index(after: colon)...]), (1...65535).contains(port) else { return nil }
    host = String(rest[..<colon])
  }
}
