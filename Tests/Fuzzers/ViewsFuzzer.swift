// rooms: Bytes Templates
import Templates

/// Mustache: any text is a view or an error with its place; a view that compiles renders, and what was a value of the
/// model comes out escaped.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  do {
    let views = try Views(sources: ["page": text, "part": "<{{name}}>", "frame": "[{{$body}}-{{/body}}]"])
    let view = try views.page("page", Page.self)
    var output: [UInt8] = []
    view.render(Page(name: "<\u{1}>", lines: [Line(word: "a"), Line(word: "b")], isOn: true, line: nil), into: &output)
  } catch {
    check(!error.message.isEmpty)
  }
  return 0
}

private struct Line: PageModel {
  let word: String
  static let fields = Fields<Line>(.text("word", \.word))
}

private struct Page: PageModel {
  let name: String
  let lines: [Line]
  let isOn: Bool
  let line: Line?
  static let fields = Fields<Page>(
    .text("name", \.name), .list("lines", \.lines), .flag("isOn", \.isOn), .optional("line", \.line))
}
