// swift-tools-version: 6.2
import PackageDescription

/// The house in one table: every room, its floor and the rooms it may use.
/// Arrows lead down only; Tests/HouseTests/ArrowTests.swift fails on one that climbs.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-g"], .when(configuration: .release)),
]

func room(_ name: String, on floor: String, uses: [String] = []) -> Target {
  .target(
    name: name, dependencies: uses.map { .byName(name: $0) }, path: "Sources/\(floor)/\(name)",
    exclude: name == "Storage" ? ["Migrations", "schema.sql"] : [], swiftSettings: settings)
}

func tests(of room: String, uses: [String] = []) -> Target {
  .testTarget(
    name: "\(room)Tests", dependencies: ([room, "Support"] + uses).map { .byName(name: $0) },
    path: "Tests/\(room)Tests", swiftSettings: settings)
}

func system(_ name: String, pkgConfig: String? = nil, debian: String? = nil) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig,
    providers: debian.map { [.apt([$0])] })
}

let systemFloor: [Target] = [
  system("CLinux"),
  system("COpenSSL", pkgConfig: "openssl", debian: "libssl-dev"),
  system("CPostgres", pkgConfig: "libpq", debian: "libpq-dev"),
  system("CArchive", pkgConfig: "libarchive", debian: "libarchive-dev"),
  system("CZlib", pkgConfig: "zlib", debian: "zlib1g-dev"),
  system("CCurl", pkgConfig: "libcurl", debian: "libcurl4-openssl-dev"),
  system("CSodium", pkgConfig: "libsodium", debian: "libsodium-dev"),
]

let platformFloor: [Target] = [
  room("Bytes", on: "Platform"),
  room("Files", on: "Platform", uses: ["CLinux"]),
  room("EventLoop", on: "Platform", uses: ["Bytes", "CLinux"]),
  room("Secrets", on: "Platform", uses: ["Bytes", "COpenSSL", "CSodium"]),
  room("TLS", on: "Platform", uses: ["Bytes", "COpenSSL"]),
  room("HTTP", on: "Platform", uses: ["Bytes"]),
  room("HTTPWire", on: "Platform", uses: ["Bytes", "HTTP"]),
  room("Templates", on: "Platform", uses: ["Bytes"]),
  room("Archive", on: "Platform", uses: ["Bytes", "CArchive", "CZlib"]),
  room("Postgres", on: "Platform", uses: ["Bytes", "EventLoop", "CPostgres", "CLinux"]),
  room(
    "HTTPServer", on: "Platform",
    uses: ["Bytes", "EventLoop", "TLS", "HTTP", "HTTPWire", "Archive", "CLinux"]),
  room("HTTPClient", on: "Platform", uses: ["EventLoop", "HTTP", "Archive", "CCurl"]),
]

let productFloor: [Target] = [
  room("Activity", on: "Product"),
  room("People", on: "Product", uses: ["Activity", "Secrets", "Bytes"]),
  room("Intake", on: "Product", uses: ["Activity", "Archive", "Secrets", "Bytes"]),
  room("Consent", on: "Product", uses: ["Activity", "People", "Secrets", "Bytes"]),
  room("PhoneKit", on: "Product"),
  room("Phones", on: "Product", uses: ["Activity", "PhoneKit", "HTTPClient", "HTTP", "Archive", "Bytes"]),
  room(
    "Storage", on: "Product",
    uses: ["Activity", "People", "Consent", "Postgres", "EventLoop", "Secrets", "Bytes"]),
  room(
    "Jobs", on: "Product",
    uses: ["Activity", "Intake", "People", "Consent", "Storage", "EventLoop", "Files", "Bytes"]),
  room(
    "Site", on: "Product",
    uses: [
      "Activity", "People", "Consent", "Intake", "Storage", "HTTP", "Templates", "EventLoop",
      "Secrets", "Archive", "Files", "Bytes",
    ]),
]

let program = Target.executableTarget(
  name: "stepwell",
  dependencies: [
    "Activity", "People", "Consent", "Intake", "PhoneKit", "Phones", "HTTPClient", "Storage", "Jobs", "Site", "HTTP",
    "HTTPServer",
    "TLS", "Templates", "Postgres", "EventLoop", "Secrets", "Archive", "Files",
    "Bytes", "CLinux",
  ], path: "Sources/stepwell", swiftSettings: settings)

/// Reads an export without a database and says how fast: for Tests/Benchmarks.
let readerBench = Target.executableTarget(
  name: "ReaderBench", dependencies: ["Activity", "Archive", "Intake"], path: "Tests/Benchmarks/Reader",
  swiftSettings: settings)

let support = Target.target(
  name: "Support",
  dependencies: [
    "Activity", "People", "Consent", "Intake", "Phones", "Storage", "Jobs", "Site", "HTTP",
    "Templates", "Postgres", "EventLoop", "Secrets", "Archive", "Bytes", "CLinux",
  ], path: "Tests/Support", swiftSettings: settings)

let package = Package(
  name: "stepwell",
  products: [.executable(name: "stepwell", targets: ["stepwell"])],
  targets: systemFloor + platformFloor + productFloor + [program, readerBench, support] + [
    tests(of: "Bytes"),
    tests(of: "Files"),
    tests(of: "EventLoop", uses: ["CLinux"]),
    tests(of: "Secrets"),
    tests(of: "TLS", uses: ["COpenSSL"]),
    tests(of: "HTTP"),
    tests(of: "HTTPWire", uses: ["HTTP"]),
    tests(of: "HTTPServer", uses: ["HTTP", "HTTPWire", "TLS", "EventLoop", "CLinux"]),
    tests(of: "HTTPClient", uses: ["HTTP", "HTTPServer", "TLS", "EventLoop", "Archive"]),
    tests(of: "Templates", uses: ["Bytes"]),
    tests(of: "Archive"),
    tests(of: "Postgres", uses: ["EventLoop", "CLinux"]),
    tests(of: "Activity"),
    tests(of: "People"),
    tests(of: "Consent", uses: ["People", "Activity"]),
    tests(of: "Intake", uses: ["Activity"]),
    tests(of: "PhoneKit"),
    tests(of: "Phones", uses: ["Activity", "Intake", "PhoneKit", "HTTP", "HTTPServer", "TLS", "EventLoop", "Archive"]),
    tests(of: "Storage", uses: ["Postgres", "Activity", "People", "Consent"]),
    tests(of: "Jobs", uses: ["Storage", "Activity", "Intake", "Files"]),
    tests(of: "Site", uses: ["HTTP", "Storage", "Consent", "Activity", "People", "Templates", "Archive"]),
    .testTarget(
      name: "HouseTests", dependencies: ["Support", "HTTP", "HTTPClient", "Phones", "Activity", "Postgres"],
      path: "Tests/HouseTests",
      swiftSettings: settings),
  ])
