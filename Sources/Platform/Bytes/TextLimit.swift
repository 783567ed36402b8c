extension String {
  /// The front of the text that fits into so many bytes of UTF-8 and ends between two scalars; all of it if it fits.
  ///
  /// Limits of memory and of database fields are kept with this and never in characters: one character may have any
  /// number of combining marks.
  package func cut(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: max(0, limit))
    while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return String(unicodeScalars[..<end])
  }
}
