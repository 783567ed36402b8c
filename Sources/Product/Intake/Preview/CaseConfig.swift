package import Activity
import Archive

/// `config.json` of a folder that `stepwell preview` reads: a person's settings and files in the order of their arrival.
package struct CaseConfig: Sendable {
  /// One upload of the case, in the order in which they come.
  package struct File: Sendable, Equatable {
    package var path: String
    package var format: String
    package var receivedAt: Instant
    /// Header names are lower-case.
    package var headers: [String: String] = [:]
  }

  package private(set) var account: PreviewAccount
  package private(set) var files: [File]
  package private(set) var wants: Preview.Wants

  /// What is wrong with the file, in words for the person who wrote it.
  package struct Fault: Error, Equatable {
    package let message: String
  }

  package init(_ bytes: [UInt8], zoneTable: ZoneTable) throws(Fault) {
    let value: CaseValue
    do throws(JSONError) { value = try CaseValue(bytes) } catch { throw Fault(message: "not JSON: \(error)") }
    account = try CaseConfig.account(value["account"], zoneTable)
    files = []
    for item in value["files"]?.items ?? [] { files.append(try CaseConfig.file(item)) }
    wants = Preview.Wants()
    wants.weeks = value["want"]?["weeks"]?.flag ?? false
    if let day = value["want"]?["streakOn"]?.text {
      guard let read = CivilDay(iso: day) else { throw Fault(message: "streakOn: \(day) is no date") }
      wants.streakOn = read
    }
  }

  private static func account(_ value: CaseValue?, _ table: ZoneTable) throws(Fault) -> PreviewAccount {
    var account = PreviewAccount(zones: try zones(value?["zones"], table))
    if let start = value?["weekStart"]?.number { account.weekStart = Int(exactly: start) ?? 0 }
    account.options.priority = value?["priority"]?.items.compactMap(\.text) ?? []
    account.options.includeManual = value?["includeManual"]?.flag ?? true
    return account
  }

  /// One name, or a list of [instant or null, name].
  private static func zones(_ value: CaseValue?, _ table: ZoneTable) throws(Fault) -> ZoneHistory {
    var entries: [(since: Instant?, zone: ZoneRules)] = []
    let items = value?.text.map { [CaseValue.list([.null, .text($0)])] } ?? value?.items ?? []
    for item in items {
      let parts = item.items
      guard parts.count == 2, let name = parts[1].text else { throw Fault(message: "zones: not a pair") }
      guard let zone = table.zone(named: name) else { throw Fault(message: "zones: \(name) is no known zone") }
      entries.append((try parts[0].text.map(instant), zone))
    }
    return ZoneHistory(entries)
  }

  private static func file(_ value: CaseValue) throws(Fault) -> File {
    guard let path = value["path"]?.text, let format = value["format"]?.text else {
      throw Fault(message: "files: path or format is missing")
    }
    guard let receivedAt = value["receivedAt"]?.text else { throw Fault(message: "files: receivedAt is missing") }
    var file = File(path: path, format: format, receivedAt: try instant(receivedAt))
    for (name, value) in value["headers"]?.members ?? [:] { file.headers[name.lowercased()] = value.text }
    return file
  }

  private static func instant(_ text: String) throws(Fault) -> Instant {
    guard let instant = Timestamp.read(Array(text.utf8).span) else { throw Fault(message: "\(text) is no instant") }
    return instant
  }
}

/// A small JSON document as a tree; for files that a person writes, not for uploads.
indirect enum CaseValue: Equatable {
  case object([String: CaseValue])
  case list([CaseValue])
  case text(String)
  case number(Double)
  case flag(Bool)
  case null

  init(_ bytes: [UInt8]) throws(JSONError) {
    var reader = JSONReader(longestString: 1 << 16)
    reader.feed(bytes)
    reader.finish()
    self = try CaseValue.value(&reader, try reader.next())
    _ = try reader.next()
  }

  private static func value(_ reader: inout JSONReader, _ token: JSONReader.Token) throws(JSONError) -> CaseValue {
    switch token {
    case .beginObject: return try object(&reader)
    case .beginArray: return try list(&reader)
    case .string: return .text(reader.string())
    case .number: return .number(Double(reader.string()) ?? 0)
    case .yes: return .flag(true)
    case .no: return .flag(false)
    default: return .null
    }
  }

  private static func object(_ reader: inout JSONReader) throws(JSONError) -> CaseValue {
    var members: [String: CaseValue] = [:]
    while case .key = try reader.next() {
      let key = reader.string()
      members[key] = try value(&reader, try reader.next())
    }
    return .object(members)
  }

  private static func list(_ reader: inout JSONReader) throws(JSONError) -> CaseValue {
    var items: [CaseValue] = []
    while true {
      let token = try reader.next()
      if case .endArray = token { return .list(items) }
      items.append(try value(&reader, token))
    }
  }

  subscript(key: String) -> CaseValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  var members: [String: CaseValue] {
    guard case .object(let members) = self else { return [:] }
    return members
  }

  var items: [CaseValue] {
    guard case .list(let items) = self else { return [] }
    return items
  }

  var text: String? {
    guard case .text(let text) = self else { return nil }
    return text
  }

  var number: Double? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  var flag: Bool? {
    guard case .flag(let flag) = self else { return nil }
    return flag
  }
}
