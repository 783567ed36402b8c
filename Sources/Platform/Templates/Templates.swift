// Templates turns Mustache files into programs that write finished models as bytes of HTML.
//
// A view is parsed once, at start; every name in it is bound there to the place of a field in a typed model, so that
// rendering copies runs of bytes and reads memory, and a misspelt name stops the start and never a request. The room
// knows Mustache (mustache.5 and its specification, inheritance included) and HTML escaping. It must never learn what a
// page is about, and it has no lambdas, no dynamic names and no look-up of names while a page is written.

/// Why a view cannot be used. Every case names the file and the line (from 1) where the fault stands.
package struct TemplateError: Error, CustomStringConvertible, Equatable {
  package let file: String
  package let line: Int
  package let message: String

  package init(file: String, line: Int, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  package var description: String { "\(file):\(line): \(message)" }
}
