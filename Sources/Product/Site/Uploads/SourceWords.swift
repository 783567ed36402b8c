import Activity

extension Source {
  /// The device's name, or the class's where the source has none.
  func shownName(_ words: Words) -> String {
    device.isEmpty ? words.text(UploadText.of(sourceClass)) : device
  }

  /// What kind of device it is and by which way its steps came: one watch may be in the list with both.
  func shownKind(_ words: Words) -> String {
    if sourceClass == .manual { return words.text(UploadText.manualKind) }
    let way = key.hasPrefix(Feed.apple.name + ":") ? UploadText.fromExports : .sentByItself
    return words.text(UploadText.kindAndWay, ("kind", words.text(UploadText.of(sourceClass))), ("way", words.text(way)))
  }
}
