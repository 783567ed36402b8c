import Files
import Glibc

/// What the operator has decided: `stepwell.conf` and the environment, where the environment wins.
///
/// Every key `name` of the file is `STEPWELL_NAME` in the environment. A key that is not in the table is an error
/// that names the nearest one, so that a slip of the pen never passes in silence.
struct Configuration: Sendable {
  enum Key: String, CaseIterable {
    case listen, port, baseURL = "base_url", certificate, certificateKey = "certificate_key", data, resources
    case databaseURL = "database_url", databaseAdminURL = "database_admin_url", databaseOwnerURL = "database_owner_url"
    case trustedProxies = "trusted_proxies", metricsListen = "metrics_listen", log, zoneinfo, development, clock
    case connectionsPerAddress = "connections_per_address", pageMemory = "page_memory"
  }

  /// Address to listen on; `::` takes IPv4 as well.
  var listen = "::"
  /// 0 asks the system for a free port; the program prints it.
  var port = 8443
  /// `https://host[:port]`, without a slash at the end; nil: https://localhost:port.
  var baseURL: String?
  /// PEM files; both or neither. Without them the program makes a self-signed pair in the data folder.
  var certificate: (chain: String, key: String)?
  /// Folder for the embedded database, uploads in progress, keys and the made certificate.
  var data: String
  var resources: String?
  /// Nil: the program starts a PostgreSQL of its own in the data folder.
  var databaseURL: String?
  var databaseAdminURL: String?
  /// Role that may change the schema; nil: `databaseURL` itself.
  var databaseOwnerURL: String?
  var trustedProxies: [String] = []
  var log = Log.info
  var zoneinfo = "/usr/share/zoneinfo"
  var development = false
  /// Development only: an instant at which the program's clock starts, in milliseconds since 1970.
  var clock: Int64?
  /// 0: no limit.
  var connectionsPerAddress = 64
  /// MiB of written pages that the server keeps; 0: none.
  var pageMemory = 16

  enum Log: String { case info, debug, error }

  /// Reads the file named by `STEPWELL_CONFIG` (else ./stepwell.conf, else /etc/stepwell/stepwell.conf, where one
  /// exists) and then the environment.
  static func read(environment: [String: String]) throws(ConfigurationError) -> Configuration {
    var values: [Key: Setting] = [:]
    if let path = try configurationFile(environment) {
      for (key, setting) in try entries(ofFile: path) { values[key] = setting }
    }
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) {
      guard name.hasPrefix("STEPWELL_"), name != "STEPWELL_CONFIG" else { continue }
      let key = try self.key(
        String(name.dropFirst("STEPWELL_".count)).lowercased(), shownAs: name, place: "environment")
      values[key] = Setting(value: value, place: "environment (\(name))")
    }
    return try Configuration(values: values.filter { !$0.value.value.isEmpty })
  }
}

/// One value and where it was written, for the error message.
struct Setting {
  let value: String
  let place: String
}

/// A configuration that cannot be used: `message` says where and what to write instead.
struct ConfigurationError: Error, CustomStringConvertible {
  let message: String
  var description: String { message }
}

extension Configuration {
  fileprivate static func configurationFile(_ environment: [String: String]) throws(ConfigurationError) -> String? {
    if let named = environment["STEPWELL_CONFIG"], !named.isEmpty {
      guard access(named, R_OK) == 0 else {
        throw ConfigurationError(message: "STEPWELL_CONFIG names \(named), which cannot be read. Name another file.")
      }
      return named
    }
    return ["stepwell.conf", "/etc/stepwell/stepwell.conf"].first { access($0, R_OK) == 0 }
  }

  fileprivate static func entries(ofFile path: String) throws(ConfigurationError) -> [(Key, Setting)] {
    guard let bytes = try? Disk.read(path), let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(message: "\(path) cannot be read as text. It must be a UTF-8 file.")
    }
    var entries: [(Key, Setting)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = trim(line)
      if trimmed.isEmpty || trimmed.hasPrefix("#") { continue }
      let place = "\(path), line \(index + 1)"
      guard let equals = trimmed.firstIndex(of: "=") else {
        throw ConfigurationError(message: "\(place): expected \"key = value\", found \"\(trimmed)\".")
      }
      let name = String(trim(trimmed[..<equals]))
      let key = try key(name, shownAs: name, place: place)
      let value = String(trim(trimmed[trimmed.index(after: equals)...]))
      entries.append((key, Setting(value: value, place: place)))
    }
    return entries
  }

  fileprivate static func key(
    _ name: String, shownAs shown: String, place: String
  ) throws(ConfigurationError) -> Key {
    if let key = Key(rawValue: name) { return key }
    let nearest = Key.allCases.min { distance(name, $0.rawValue) < distance(name, $1.rawValue) }
    let asked = shown == name ? nearest?.rawValue : nearest.map { "STEPWELL_" + $0.rawValue.uppercased() }
    throw ConfigurationError(
      message: "\(place): \"\(shown)\" is not a setting of Stepwell. Did you mean \"\(asked ?? "")\"?")
  }

  fileprivate static func trim(_ text: Substring) -> Substring {
    var text = text
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return text
  }

  /// Levenshtein's distance: how many letters lie between two names.
  static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var corner = row[0]
      row[0] = i + 1
      for j in right.indices {
        let above = row[j + 1]
        row[j + 1] = letter == right[j] ? corner : min(corner, above, row[j]) + 1
        corner = above
      }
    }
    return row[right.count]
  }
}
