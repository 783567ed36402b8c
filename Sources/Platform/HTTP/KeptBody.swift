/// A body that several answers share: its bytes, and their gzip form once a client has asked for it. Not Sendable: it
/// lives on one loop, and the server that sends it fills in `gzip`.
package final class KeptBody {
  package let bytes: [UInt8]
  package var gzip: [UInt8]?

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Bytes that it holds in memory.
  package var size: Int { bytes.count + (gzip?.count ?? 0) }
}
