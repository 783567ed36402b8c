import Secrets

/// A text that a person agreed to: never changed, only followed by a next version. The program carries every version, so
/// that a recorded hash can be compared with its text.
package struct ConsentNotice: Sendable, Equatable {
  package let id: Int32
  package let version: Int32
  /// BCP 47.
  package let language: String
  package let text: String

  /// SHA-256 of the text's UTF-8: what events record.
  package var sha256: [UInt8] { SHA256.hash(Array(text.utf8)) }

  /// What is said when a device is allowed to bring data in.
  package static let share = ConsentNotice(
    id: 1, version: 1, language: "en",
    text: """
      This device may send the kinds of data that you tick to this Stepwell server, for you alone. Stepwell stores them to \
      show you your steps and rings. Nobody else sees them unless you share them. You can take each permission back at any \
      time on Devices, and choose whether what was sent is kept or deleted.
      """)
}
