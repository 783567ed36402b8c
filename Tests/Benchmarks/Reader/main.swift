import Activity
import Archive
import Glibc
import Intake

/// `ReaderBench FILE`: reads an Apple export as an import would, without a database, and says how many MB a second of
/// CPU reads.
func measure(_ path: String) throws {
  let size = try ByteSource.file(path).fileBytes
  let start = cpuSeconds()
  let reader = try AppleExportReader(path: path, receivedAt: Instant(milliseconds: 1_796_000_000_000))
  var (samples, summaries, slices) = (0, 0, 0)
  while let slice = try reader.next() {
    samples += slice.samples.count
    summaries += slice.summaries.count
    slices += 1
  }
  let seconds = cpuSeconds() - start
  let rate = (Double(size) / 1e6 / seconds * 10).rounded() / 10
  print(
    "\(rate) MB/s: \(size) bytes, \(reader.counts.records) records, \(samples) samples, \(summaries) summaries,",
    "\(slices) slices")
}

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

guard CommandLine.arguments.count == 2 else {
  print("usage: ReaderBench FILE")
  exit(2)
}
try measure(CommandLine.arguments[1])
