import Templates

/// Steps from one period to the next; an end without a page is inert.
struct Pager: PageModel {
  struct Link: PageModel {
    let address: String
    let name: String

    static let fields = Fields<Link>(.text("address", \.address), .text("name", \.name))
  }
  /// What is stepped through: "Day", "Week".
  let label: String
  let current: String
  let previous: Link?
  let next: Link?

  static let fields = Fields<Pager>(
    .text("label", \.label), .text("current", \.current), .optional("previous", \.previous), .optional("next", \.next))
}

/// One figure with its name, what it counts and what it rests on.
struct Figure: PageModel {
  let name: String
  let value: String
  var unit: String?
  var note: String?

  static let fields = Fields<Figure>(
    .text("name", \.name), .text("value", \.value), .text("unit", \.unit), .text("note", \.note))
}

/// A name with its value: an hour and its steps, a goal and since when it holds.
struct NamedValue: PageModel {
  let name: String
  let value: String
  var note: String?

  static let fields = Fields<NamedValue>(.text("name", \.name), .text("value", \.value), .text("note", \.note))
}
