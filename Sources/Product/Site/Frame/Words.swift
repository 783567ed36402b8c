package import Activity
package import Templates

/// The keys of the texts that one area of pages puts numbers and dates into. Declare them as an enum of strings, `area.key`
/// as in the file of texts, and hand the type to `Words`: a key without a text then stops the start.
package protocol TextKeys: RawRepresentable, CaseIterable, Sendable where RawValue == String {}

/// Finished words in one language: texts with numbers, dates and plurals in them. Plain texts stand in the views as
/// `{{t.area.key}}` and do not come here. Immutable; made once per language, shared by all pages of it.
package final class Words: Sendable {
  /// BCP 47, as it stands in `<html lang>`.
  package let language: String
  let rule: PluralRule
  let phrases: [String: Phrase]
  /// Texts with a number in them, by their key and then by the form, so that no key is put together while a page is written.
  private let forms: [String: [PluralForm: Phrase]]
  /// `{date}: {steps}` of a chart's column, which a month says thirty times.
  let column: Phrase
  let numbers: NumberWords
  let dates: DateWords
  /// Move, Exercise, Stand, Move in minutes: looked up once, since a year says them a thousand times.
  let ringNames: [String]
  /// Units in the same order.
  let ringUnits: [String]
  /// The names with a space behind, and what follows a percent number: escaped bytes.
  let ringStarts: [[UInt8]]
  let percentEnd: [UInt8]

  /// `areas`: every set of keys that page models use. Throws when one of them, a month or a sign has no text.
  package init(language: String, texts: Texts, areas: [any TextKeys.Type]) throws(TemplateError) {
    self.language = language
    rule = PluralRule(language: language)
    phrases = texts.entries.mapValues(Phrase.init)
    forms = Words.forms(in: phrases)
    column = Phrase(try texts.needed(HistoryText.column.rawValue))
    numbers = try NumberWords(texts)
    dates = try DateWords(texts)
    ringNames = [
      try texts.needed("rings.move"), try texts.needed("rings.exercise"), try texts.needed("rings.stand"),
      try texts.needed("rings.moveMinutes"),
    ]
    let (energy, minutes) = (try texts.needed("rings.kilocalories"), try texts.needed("rings.minutes"))
    ringUnits = [energy, minutes, try texts.needed("rings.hours"), minutes]
    ringStarts = ringNames.map { name in
      var start: [UInt8] = []
      start.append(escaped: name + " ")
      return start
    }
    var end: [UInt8] = []
    if case .text(let text)? = numbers.percent.pieces.last { end.append(escaped: text) }
    percentEnd = end
    for area in areas { try Words.check(area, in: texts) }
  }

  private static func check<Keys: TextKeys>(_ keys: Keys.Type, in texts: Texts) throws(TemplateError) {
    for key in keys.allCases where texts[key.rawValue] == nil && texts[key.rawValue + ".other"] == nil {
      throw TemplateError(file: texts.file, line: 0, message: "there is no text \"\(key.rawValue)\"")
    }
  }

  /// A text, with words for its places: `words.text(Key.left, ("n", "12"))`.
  package func text(_ key: some TextKeys, _ words: (String, String)...) -> String {
    phrase(key.rawValue).filled { name in words.first { $0.0 == name }?.1 }
  }

  /// What a problem says to the person; nil where the page's own words are enough.
  package func sentence(of problem: Problem) -> String? {
    problem.message.isEmpty ? nil : phrases["problem." + problem.message]?.filled { _ in nil } ?? problem.message
  }

  /// The form of a text that `count` asks for (`key.one`, `key.other` …); its place `{n}` is the grouped number.
  package func count(_ key: some TextKeys, _ count: Int, _ words: (String, String)...) -> String {
    form(of: key, for: count).filled { name in name == "n" ? number(count) : words.first { $0.0 == name }?.1 }
  }

  /// The same before its number is put in.
  func form(of key: some TextKeys, for count: Int) -> Phrase {
    guard let forms = forms[key.rawValue] else { return phrase(key.rawValue) }
    return forms[rule.form(for: count)] ?? forms[.other] ?? phrase(key.rawValue)
  }

  private static func forms(in phrases: [String: Phrase]) -> [String: [PluralForm: Phrase]] {
    var forms: [String: [PluralForm: Phrase]] = [:]
    for (key, phrase) in phrases {
      guard let dot = key.lastIndex(of: "."), let form = PluralForm(rawValue: String(key[key.index(after: dot)...]))
      else { continue }
      forms[String(key[..<dot]), default: [:]][form] = phrase
    }
    return forms
  }

  private func phrase(_ key: String) -> Phrase { phrases[key] ?? Phrase(key) }
}

extension Texts {
  /// A text that the words themselves rest on.
  func needed(_ key: String) throws(TemplateError) -> String {
    guard let text = self[key] else { throw TemplateError(file: file, line: 0, message: "there is no text \"\(key)\"") }
    return text
  }
}
