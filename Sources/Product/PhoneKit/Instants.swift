#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Instants as the server reads them. The milliseconds are rounded, never cut: a date that is a double may lie a hair below them.
enum InstantText {
  /// `2026-11-26T15:42:00.250Z`.
  static func write(_ date: Date) -> String {
    let all = date.milliseconds
    let day = floorDivide(all, by: 86_400_000)
    let inDay = all - day * 86_400_000
    let (year, month, number) = civil(day)
    let seconds = inDay / 1000
    return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(number, 2) + "T" + digits(seconds / 3600, 2) + ":"
      + digits(seconds / 60 % 60, 2) + ":" + digits(seconds % 60, 2) + "." + digits(inDay % 1000, 3) + "Z"
  }

  /// Reads instants with and without a fraction.
  static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      for fraction in [true, false] {
        if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)) {
          return date
        }
      }
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not an instant: \(text)"))
    }
    return decoder
  }

  private static func digits(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }

  private static func floorDivide(_ number: Int64, by divisor: Int64) -> Int64 {
    number >= 0 ? number / divisor : (number - divisor + 1) / divisor
  }

  /// The date of a day counted from 1970-01-01, after Howard Hinnant's days algorithms.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = floorDivide(shifted, by: 146_097)
    let inEra = shifted - era * 146_097
    let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let place = (5 * inYear + 2) / 153
    let month = place < 10 ? place + 3 : place - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, inYear - (153 * place + 2) / 5 + 1)
  }
}

// For rooms that do without Foundation: PhoneKit's values in terms of the language alone.

/// The dates of PhoneKit, for rooms without Foundation.
package typealias HealthDate = Date
/// How far a phone has read its store, for rooms without Foundation.
package typealias HealthAnchor = Data

extension Date {
  /// Milliseconds since 1970, rounded; what no calendar reaches is cut off.
  package var milliseconds: Int64 {
    let exact = (timeIntervalSince1970 * 1000).rounded()
    return Int64(min(max(exact.isNaN ? 0 : exact, -62_135_596_800_000), 253_402_300_799_999))
  }

  package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension Data {
  package init(plain bytes: [UInt8]) { self.init(bytes) }
  package var plain: [UInt8] { Array(self) }
}

extension BatchQueue {
  /// The queue in the folder at a path.
  package init(path: String) throws { try self.init(folder: URL(fileURLWithPath: path, isDirectory: true)) }
}
