@_spi(_Unicode) import Swift

/// The canonical composition (NFC) of `text`, so that two spellings of one name are one key in the database.
func composed(_ text: String) -> String {
  var scalars = String.UnicodeScalarView()
  scalars.append(contentsOf: text._nfc)
  return String(scalars)
}
