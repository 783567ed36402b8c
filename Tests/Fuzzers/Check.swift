/// Compiled into every fuzzer: a property that fails says so and stops the run, in optimised builds too.
func check(_ holds: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "", line: Int = #line) {
  if !holds() { fatalError("property failed in line \(line) \(message())") }
}

/// `split` is the reading of the same bytes in other pieces.
func checkSame<Reading: Equatable>(_ split: Reading, _ whole: Reading, _ pieces: String, line: Int = #line) {
  if split != whole { fatalError("line \(line), \(pieces):\n--- whole\n\(whole)\n--- in pieces\n\(split)") }
}
