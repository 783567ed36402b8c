import Templates
import Testing

/// A typed page with every kind of field.
struct Page: PageModel {
  var title: String
  var subtitle: String?
  var chart: TrustedHTML
  var isToday: Bool
  var frame: Frame
  var days: [Day]
  var names: [String]
  var notice: Notice?
  var dot: Dot
  var count: Count
  var rest: Count?

  static let fields = Fields<Page>(
    .words("count", \.count), .words("rest", \.rest),
    .text("title", \.title), .text("subtitle", \.subtitle), .html("chart", \.chart), .flag("isToday", \.isToday),
    .part("frame", \.frame), .list("days", \.days), .list("names", \.names), .optional("notice", \.notice),
    .drawing("dot", \.dot))

  struct Frame: PageModel {
    var padding = 7
    var person: String
    static let fields = Fields<Frame>(.text("person", \.person))
  }
  struct Day: PageModel {
    var name: String
    var dot: Dot
    static let fields = Fields<Day>(.text("name", \.name), .drawing("dot", \.dot))
  }
  struct Notice: PageModel {
    var text: String
    static let fields = Fields<Notice>(.text("text", \.text))
  }
  struct Dot: Drawing {
    var radius: Int
    func draw(into out: inout [UInt8]) { out += "<circle r=\"\(radius)\"/>".utf8 }
  }

  struct Count: Wording {
    var value: Int
    func spell(into out: inout [UInt8]) { out.append(escaped: "<\(value)>") }
  }

  static let example = Page(
    title: "Ada & <Ben>", subtitle: nil, chart: TrustedHTML(drawn: Array("<svg/>".utf8)), isToday: true,
    frame: Frame(person: "Ada"),
    days: [Day(name: "Mon", dot: Dot(radius: 1)), Day(name: "Tue", dot: Dot(radius: 2))], names: ["x", "y"],
    notice: Notice(text: "late"), dot: Dot(radius: 9), count: Count(value: 5), rest: nil)
}

struct Computed: PageModel {
  var name: String { "no place in memory" }
  static let fields = Fields<Computed>(.text("name", \.name))
}

struct ViewTests {
  private func render(_ source: String, _ page: Page = .example, partials: [String: String] = [:]) throws -> String {
    var sources = partials
    sources["main"] = source
    let texts = try Texts(file: "en.json", json: Array(#"{"day": {"steps": "Steps & more"}}"#.utf8))
    let view = try Views(sources: sources, texts: texts).page("main", Page.self)
    var out: [UInt8] = []
    view.render(page, into: &out)
    return String(decoding: out, as: UTF8.self)
  }

  private func fault(_ source: String, partials: [String: String] = [:]) -> String? {
    do {
      _ = try render(source, partials: partials)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test("words are escaped, markup and drawings are written as they are")
  func values() throws {
    #expect(try render("{{title}}|{{{chart}}}|{{&dot}}") == "Ada &amp; &lt;Ben&gt;|<svg/>|<circle r=\"9\"/>")
  }

  @Test("sections open lists, optional models, parts and words, and obey flags")
  func sections() throws {
    #expect(try render("{{#days}}{{name}}{{{dot}}},{{/days}}") == "Mon<circle r=\"1\"/>,Tue<circle r=\"2\"/>,")
    #expect(
      try render("{{#notice}}{{text}} {{title}}{{/notice}}{{^notice}}none{{/notice}}") == "late Ada &amp; &lt;Ben&gt;")
    #expect(try render("{{#isToday}}now{{/isToday}}{{^isToday}}then{{/isToday}}") == "now")
    #expect(try render("{{#names}}{{.}}{{/names}}{{^names}}none{{/names}}") == "xy")
    #expect(try render("{{#frame}}{{person}}{{/frame}} {{frame.person}}") == "Ada Ada")
    #expect(try render("{{#subtitle}}{{.}}{{/subtitle}}{{^subtitle}}no subtitle{{/subtitle}}") == "no subtitle")
    #expect(try render("{{#title}}{{.}}{{/title}}{{^title}}none{{/title}}") == "Ada &amp; &lt;Ben&gt;")
    #expect(try render("{{#chart}}{{{chart}}}{{/chart}}{{^chart}}none{{/chart}}") == "<svg/>")
  }

  @Test("words that spell themselves print like words and open like optional ones")
  func wordings() throws {
    #expect(try render("{{count}}") == "&lt;5&gt;")
    #expect(try render("{{rest}}{{#rest}}no{{/rest}}{{^rest}}none{{/rest}}") == "none")
    var page = Page.example
    page.rest = Page.Count(value: 7)
    #expect(
      try render("{{rest}}{{#rest}}[{{.}} {{title}}]{{/rest}}{{^rest}}none{{/rest}}", page)
        == "&lt;7&gt;[&lt;7&gt; Ada &amp; &lt;Ben&gt;]")
    #expect(fault("{{{count}}}")?.contains("must be escaped") == true)
    #expect(fault("{{#count}}{{/count}}")?.contains("cannot be a section") == true)
  }

  @Test("an empty page takes the other branch everywhere")
  func empty() throws {
    var page = Page.example
    page.title = ""
    page.subtitle = "sub"
    page.isToday = false
    page.days = []
    page.names = []
    page.notice = nil
    let source =
      "{{^title}}1{{/title}}{{#subtitle}}{{.}}{{/subtitle}}{{^isToday}}2{{/isToday}}{{^days}}3{{/days}}"
      + "{{#names}}no{{/names}}{{^names}}4{{/names}}{{^notice}}5{{/notice}}{{subtitle}}"
    #expect(try render(source, page) == "1sub2345sub")
  }

  @Test("rows see the names of the page around them, the nearest first")
  func scopes() throws {
    #expect(
      try render("{{#days}}{{name}} {{frame.person}} {{{dot}}};{{/days}}").hasPrefix("Mon Ada <circle r=\"1\"/>;"))
  }

  @Test("a page fills the blocks of its frame")
  func inheritance() throws {
    let frame = "<title>{{$title}}Stepwell{{/title}}</title>\n{{$main}}{{/main}}\n<p>{{frame.person}}</p>\n"
    let page =
      "{{<frame}}\n{{$title}}{{title}}{{/title}}\n{{$main}}\n  {{#days}}\n  <b>{{name}}</b>\n  {{/days}}\n{{/main}}\n{{/frame}}\n"
    #expect(
      try render(page, partials: ["frame": frame])
        == "<title>Ada &amp; &lt;Ben&gt;</title>\n<b>Mon</b>\n<b>Tue</b>\n\n<p>Ada</p>\n")
  }

  @Test("texts of the language are put in at start, escaped")
  func texts() throws {
    #expect(try render("{{t.day.steps}}") == "Steps &amp; more")
    #expect(fault("\n{{t.day.goals}}") == "views/main.html:2: en.json has no text \"day.goals\"")
    #expect(fault("{{{t.day.steps}}}")?.contains("always escaped") == true)
  }

  @Test(
    "a fault stops the start with file and line",
    arguments: [
      ("a\n\n{{missing}}", 3, "Page has no field \"missing\""),
      ("{{#days}}\n{{missing}}{{/days}}", 2, "Day, Page have no field \"missing\""),
      ("{{frame.missing}}", 1, "Frame has no field \"missing\""),
      ("{{title.length}}", 1, "\"length\" of title.length is not in a part of the model"),
      ("\n{{>nowhere}}", 2, "there is no view \"nowhere\""),
      ("{{<nowhere}}{{/nowhere}}", 1, "there is no view \"nowhere\""),
      ("{{{title}}}", 1, "title is a word and must be escaped: write {{title}}"),
      ("{{chart}}", 1, "chart is markup: write {{{chart}}}"),
      ("{{days}}", 1, "days cannot be printed; it is opened by {{#days}}"),
      ("{{.}}", 1, "{{.}} stands for a word, and none is open here"),
      ("{{#frame}}{{^frame}}{{/frame}}{{/frame}}", 1, "frame cannot be a section of this kind"),
      ("{{>*dynamic}}", 1, "dynamic names are not supported: {{…*dynamic}}"),
      ("{{#days}}\n", 1, "{{days}} has no end"),
      ("{{#days}}\n{{/names}}", 2, "{{/names}} ends {{days}} of line 1"),
      ("\n{{/names}}", 2, "nothing to end"),
      ("\n{{title", 2, "the tag that begins here has no end"),
      ("{{}}", 1, "a tag without a name"),
      ("{{=<%=}}", 1, "a change of delimiters is written {{=<% %>=}}"),
      ("{{>self}}", 1, "\"self\" holds itself without end"),
    ])
  func faults(source: String, line: Int, message: String) {
    let found = fault(source, partials: ["self": "{{#frame}}{{>self}}{{/frame}}"])
    #expect(found?.hasSuffix(":\(line): \(message)") == true, "\(found ?? "no fault")")
  }

  @Test("a fault in a partial or in a block names the file in which it stands")
  func faultPlace() {
    #expect(fault("{{>row}}", partials: ["row": "\n{{missing}}"])?.hasPrefix("views/row.html:2:") == true)
    let frame = "{{$main}}{{/main}}"
    #expect(
      fault("{{<frame}}\n{{$main}}{{missing}}{{/main}}{{/frame}}", partials: ["frame": frame])?
        .hasPrefix("views/main.html:2:") == true)
  }

  @Test("a computed property has no place in memory and is refused")
  func computed() {
    #expect(throws: TemplateError(file: "views/a.html", line: 1, message: "the field name is not a stored property")) {
      try Views(sources: ["a": "{{name}}"]).page("a", Computed.self)
    }
  }

  @Test("a file of texts with a fault names the line")
  func badTexts() {
    for (json, line) in [
      ("{\n\"a\": 3}", 2), ("{\"a\": \"b\"", 1), ("{\"a\": \"b\"}\n}", 2), ("{\"a\":\"b\",\n\"a\":\"c\"}", 2),
    ] {
      let error = #expect(throws: TemplateError.self) { try Texts(file: "en.json", json: Array(json.utf8)) }
      #expect(error?.line == line)
    }
  }
}
