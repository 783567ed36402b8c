import Activity
import Archive

/// The sources of one upload (merge.md 2.2 and 3.3): `hk:<bundle id>`, told apart by the bundle alone; the class by what the
/// device is.
struct HealthKitSources {
  private(set) var sources: [Source] = []
  private var indexes: [Source: Int32] = [:]
  /// Objects as they were written, with what they name: a phone writes the same few in every sample.
  private var written: [(text: [UInt8], index: Int32)] = []
  private static let mostWritten = 8

  /// The source whose object comes next; nil if it has no bundle.
  mutating func read(_ json: inout JSONReader) throws(JSONError) -> Int32? {
    let token = try json.next()
    guard token == .beginObject else {
      try json.finishValue(after: token)
      return nil
    }
    for known in written where json.skipObject(writtenAs: known.text) { return known.index }
    let start = json.offset - 1
    guard let index = try readObject(&json) else { return nil }
    if written.count < Self.mostWritten { written.append((json.written(start..<json.offset), index)) }
    return index
  }

  private mutating func readObject(_ json: inout JSONReader) throws(JSONError) -> Int32? {
    var (bundle, name, product) = ("", "", "")
    while try json.next() == .key {
      if json.isText("bundle") {
        bundle = try json.nameValue()
      } else if json.isText("name") {
        name = try json.nameValue()
      } else if json.isText("productType") {
        product = try json.textValue() ?? ""
      } else {
        try json.finishValue(after: try json.next())
      }
    }
    guard !bundle.isEmpty else { return nil }
    return index(
      of: Source(
        key: "hk:" + bundle, sourceClass: HealthKitSources.sourceClass(bundle: bundle, product: product),
        device: name.isEmpty ? bundle : name))
  }

  /// What a person typed; one source for the account.
  mutating func manual() -> Int32 { index(of: Source(key: "manual", sourceClass: .manual, device: "")) }

  /// Apple's own devices have bundles of their own; any other bundle is an app, whatever it runs on.
  static func sourceClass(bundle: String, product: String) -> SourceClass {
    guard bundle.hasPrefix("com.apple.health."), bundle.utf8.count > 17 else { return .other }
    return product.hasPrefix("Watch") ? .watch : .phone
  }

  private mutating func index(of source: Source) -> Int32 {
    if let known = indexes[source] { return known }
    let index = Int32(truncatingIfNeeded: sources.count)
    sources.append(source)
    indexes[source] = index
    return index
  }
}

extension JSONReader {
  /// A name in normal form (merge.md 2.2); "" for anything that is no string.
  fileprivate mutating func nameValue() throws(JSONError) -> String {
    let token = try next()
    if token == .string { return withText { SourceName.normal($0) } }
    try finishValue(after: token)
    return ""
  }
}
