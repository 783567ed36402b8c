import CLinux
import Support
import Testing

/// Reads Package.swift and the imports: the walls of the house as tests.
struct ArrowTests {
  /// Rooms by storey, as the map in Sources/README.md draws them. A room may use rooms of lower storeys only.
  static let storeys: [String: Int] = [
    "Bytes": 1, "Files": 1, "EventLoop": 2, "TLS": 2, "HTTP": 2, "Secrets": 2, "Templates": 2, "Archive": 2,
    "HTTPWire": 3, "HTTPClient": 3, "Postgres": 3, "HTTPServer": 4,
    "Activity": 1, "PhoneKit": 1, "People": 3, "Intake": 3, "Consent": 4, "Phones": 4, "Storage": 5, "Jobs": 6,
    "Site": 7,
    "stepwell": 8,
  ]
  static let systemRooms: Set<String> = ["CLinux", "COpenSSL", "CPostgres", "CArchive", "CZlib", "CSodium", "CCurl"]
  static let ownersOfSystem: [String: Set<String>] = [
    "COpenSSL": ["Secrets", "TLS"], "CPostgres": ["Postgres"], "CArchive": ["Archive"], "CZlib": ["Archive"],
    "CSodium": ["Secrets"], "CCurl": ["HTTPClient"],
  ]
  static let platform: Set<String> = [
    "Bytes", "Files", "EventLoop", "TLS", "HTTP", "Secrets", "Templates", "Archive", "HTTPWire", "HTTPClient",
    "Postgres", "HTTPServer",
  ]

  @Test("every room stands on its storey and its arrows lead down")
  func arrows() throws {
    for (room, imports) in try Self.importsByRoom() {
      let storey = try #require(Self.storeys[room], "\(room) is not on the map")
      for used in imports {
        guard let lower = Self.storeys[used] else { continue }
        #expect(lower < storey, "\(room) imports \(used), which does not lie below it")
        if Self.platform.contains(room) { #expect(Self.platform.contains(used), "\(room) is platform, \(used) is not") }
      }
    }
  }

  @Test("what a room imports stands in Package.swift")
  func declared() throws {
    let package = try Repository.text("Package.swift")
    for (room, imports) in try Self.importsByRoom() {
      let declaration = try #require(Self.declaration(of: room, in: package), "\(room) is not in Package.swift")
      for used in imports where Self.storeys[used] != nil || Self.systemRooms.contains(used) {
        #expect(declaration.contains("\"\(used)\""), "\(room) imports \(used) without an arrow in Package.swift")
      }
    }
  }

  @Test("a C library is named only in its own room, Foundation in PhoneKit alone")
  func librariesStayAtHome() throws {
    for (room, imports) in try Self.importsByRoom() {
      for (library, owners) in Self.ownersOfSystem where imports.contains(library) {
        #expect(owners.contains(room), "\(room) imports \(library)")
      }
      // A phone app has Foundation anyway; the server and its program do without.
      let usesFoundation = imports.contains { $0.hasPrefix("Foundation") }
      #expect(!usesFoundation || room == "PhoneKit", "\(room) imports Foundation")
    }
  }

  @Test("SQL is written in Storage only, HTML in Views only")
  func sqlAndHTML() throws {
    for (room, path) in try Self.sources() where room != "Storage" && room != "Postgres" {
      let text = try Repository.text(path)
      for sign in ["SELECT ", "INSERT INTO", "DELETE FROM"] {
        #expect(!text.contains(sign), "\(path) holds SQL")
      }
      if room == "Site" && !path.contains("/Drawing/") {
        for sign in ["<div", "<p>", "<a href", "<span", "<form", "<li>"] {
          #expect(!text.contains(sign), "\(path) holds HTML")
        }
      }
    }
  }

  @Test("an unsafe pointer is touched in Platform only")
  func unsafePointers() throws {
    for (room, path) in try Self.sources() where !Self.platform.contains(room) {
      for (number, line) in try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        #expect(!line.contains("Unsafe") && !line.contains("unsafe"), "\(path):\(number + 1)")
      }
    }
  }

  @Test("no file is called Manager, Helper, Util, Service, Handler, Info or Impl")
  func names() throws {
    for (_, path) in try Self.sources() {
      let name = path.split(separator: "/").last ?? ""
      for word in ["Manager", "Helper", "Util", "Service", "Handler", "Info", "Impl", "V2"] {
        #expect(!name.contains(word), "\(path)")
      }
    }
  }

  @Test("every type that other rooms see says what it is")
  func documented() throws {
    let pattern =
      /^ *(?:@[A-Za-z]+ )*(?:package|public) (?:final |indirect )*(?:struct|class|enum|actor|protocol) (\w+)/
    for (_, path) in try Self.sources() {
      let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() where line.firstMatch(of: pattern) != nil {
        let before = lines[..<number].last { !$0.drop { $0 == " " }.hasPrefix("@") } ?? ""
        #expect(before.drop { $0 == " " }.hasPrefix("///"), "\(path):\(number + 1)")
      }
    }
  }

  @Test("every room opens with what it is for and what it must never know")
  func openings() throws {
    var opened: Set<String> = []
    for (room, path) in try Self.sources() {
      let lines = try Repository.text(path).split(separator: "\n")
      guard let first = lines.firstIndex(where: { $0.hasPrefix("// \(room)") }) else { continue }
      if lines[first...].prefix(while: { $0.hasPrefix("//") }).count >= 2 { opened.insert(room) }
    }
    for room in Self.storeys.keys where room != "stepwell" { #expect(opened.contains(room), "\(room)") }
  }

  @Test("every part of a view is used by one")
  func parts() throws {
    let views = try Repository.files(under: "Views").filter { $0.hasSuffix(".html") }
    let text = try views.map { try Repository.text($0) }.joined()
    for view in views where view.hasPrefix("Views/parts/") {
      let name = view.dropFirst("Views/".count).dropLast(".html".count)
      #expect(text.contains("{{>\(name)}}") || text.contains("{{<\(name)}}"), "\(view)")
    }
  }

  /// Every Swift file of the house with the room it stands in.
  static func sources() throws -> [(room: String, path: String)] {
    try Repository.files(under: "Sources").filter { $0.hasSuffix(".swift") }.map { path in
      let parts = path.split(separator: "/").map(String.init)
      return (parts[1] == "stepwell" ? "stepwell" : parts[2], path)
    }
  }

  static func importsByRoom() throws -> [String: Set<String>] {
    var rooms: [String: Set<String>] = [:]
    for (room, path) in try sources() {
      for line in try Repository.text(path).split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
          words[..<place].allSatisfy({ $0.hasPrefix("@") || ["package", "public", "internal"].contains($0) })
        else { continue }
        rooms[room, default: []].insert(words[place + 1])
      }
    }
    return rooms
  }

  /// The text of a room's entry in Package.swift: from its name to the bracket that closes its list of uses.
  static func declaration(of room: String, in package: String) -> Substring? {
    let marks =
      room == "stepwell" ? ["name: \"stepwell\",\n  dependencies"] : ["room(\"\(room)\"", "room(\n    \"\(room)\""]
    for mark in marks {
      guard let start = package.firstRange(of: mark) else { continue }
      let rest = package[start.upperBound...]
      let end = rest.firstRange(of: room == "stepwell" ? "path:" : "),\n  ")?.lowerBound ?? rest.endIndex
      return rest[..<end]
    }
    return nil
  }
}
