// rooms: Bytes HTTP
import HTTP

/// The small parsers: targets, forms, cookies, dates, tags, media types, encodings. The first byte chooses one. What was
/// read is written and must be read as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = input.first else { return 0 }
  let bytes = Array(input.dropFirst())
  let text = String(decoding: bytes, as: UTF8.self)
  switch choice % 8 {
  case 0: target(text)
  case 1: form(bytes)
  case 2: cookie(text)
  case 3: date(text)
  case 4: tags(bytes, text)
  case 5: mediaType(bytes)
  case 6: fields(text)
  default: escapes(bytes, text)
  }
  return 0
}

private func target(_ text: String) {
  guard let target = try? Target(text) else { return }
  check(target.isAsterisk || target.path.hasPrefix("/"))
  for segment in target.segments {
    check(!segment.isEmpty && segment != "." && segment != ".." && !segment.utf8.contains(0x2F))
  }
  let again = "/" + target.segments.map(Percent.encode).joined(separator: "/")
  check((try? Target(again))?.segments == target.segments)
}

private func form(_ bytes: [UInt8]) {
  guard let form = try? Form.parse(bytes) else { return }
  let named = form.pairs.filter { !$0.name.isEmpty || !$0.value.isEmpty }
  let again = try? Form.parse(Array(form.encoded.utf8))
  check(again?.pairs.filter { !$0.name.isEmpty || !$0.value.isEmpty } == named)
}

private func cookie(_ text: String) {
  let fields = HeaderFields([("cookie", text)])
  for pair in Cookie.parse(fields["cookie"] ?? "").pairs.prefix(20) {
    check(Cookie.value(of: pair.name, in: fields) != nil)
  }
  let sent = SetCookie("sw", text).text.split(separator: ";")[0]
  check(!SetCookie(text, text).text.utf8.contains { $0 < 32 || $0 > 126 })
  check(Cookie.value(of: "__Host-sw", in: HeaderFields([("cookie", String(sent))])) != nil)
}

private func date(_ text: String) {
  guard let seconds = HTTPDate.parse(text) else { return }
  check(HTTPDate.parse(HTTPDate.text(seconds)) == seconds)
}

private func tags(_ bytes: [UInt8], _ text: String) {
  guard let tags = EntityTag.parse(list: bytes[...]) else { return }
  let again = tags.map(\.text).joined(separator: ", ")
  check(EntityTag.parse(list: Array(again.utf8)[...]) == tags)
  if let first = tags.first { _ = first.isNamed(by: HeaderFields([("if-none-match", text)])) }
}

private func mediaType(_ bytes: [UInt8]) {
  guard let type = ContentType.parse(bytes[...]) else { return }
  check(ContentType.parse(type.text) == type)
}

private func fields(_ text: String) {
  let halves = text.split(separator: "\n", maxSplits: 1).map(String.init)
  let fields = HeaderFields([(halves.first ?? "", halves.last ?? "")])
  var wire: [UInt8] = []
  fields.write(into: &wire)
  check(wire.filter { $0 == 10 }.count == 1 && wire.suffix(2) == [13, 10])
  _ = AcceptEncoding.allows("gzip", HeaderFields([("accept-encoding", text)]))
  _ = fields.has(token: "close", in: halves.first ?? "")
}

private func escapes(_ bytes: [UInt8], _ text: String) {
  check(
    Percent.text(Array(Percent.encode(text).utf8)[...], plusIsBlank: true) == (text.contains("\0") ? nil : text))
  _ = Percent.decode(bytes[...], plusIsBlank: false)
}
