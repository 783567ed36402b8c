import COpenSSL

/// Where sessions of one loop put their encrypted bytes before they go to the socket. One session fills and empties it
/// at a time; what the socket does not take at once moves into the session.
package final class TLSOutput {
  private(set) var bytes: UnsafeMutableRawBufferPointer
  var count = 0

  package init() {
    bytes = .allocate(byteCount: 96 * 1024, alignment: 16)
  }

  deinit {
    bytes.deallocate()
  }

  func append(_ source: UnsafeRawBufferPointer) {
    if count &+ source.count > bytes.count { grow(to: count &+ source.count) }
    UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: source)
    count &+= source.count
  }

  private func grow(to needed: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(needed, bytes.count * 2), alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    bytes.deallocate()
    bytes = larger
  }

  /// The BIO that OpenSSL writes records to. Its data is the `TLSOutput` of the session's loop.
  static func makeBIO(_ output: TLSOutput) -> OpaquePointer? {
    guard let method = OutputMethod.shared.pointer, let bio = BIO_new(method) else { return nil }
    BIO_set_data(bio, Unmanaged.passUnretained(output).toOpaque())
    BIO_set_init(bio, 1)
    return bio
  }
}

/// The table of functions of that BIO; made once.
private struct OutputMethod: @unchecked Sendable {
  static let shared = OutputMethod()
  let pointer: OpaquePointer?

  private init() {
    pointer = BIO_meth_new(BIO_get_new_index() | Int32(BIO_TYPE_SOURCE_SINK), "stepwell output")
    BIO_meth_set_write_ex(pointer) { bio, data, length, written in
      guard let place = BIO_get_data(bio), let data else { return 0 }
      let output = Unmanaged<TLSOutput>.fromOpaque(place).takeUnretainedValue()
      output.append(UnsafeRawBufferPointer(start: data, count: length))
      written?.pointee = length
      return 1
    }
    // "Flush" is answered with yes: the session sends after each call into OpenSSL.
    BIO_meth_set_ctrl(pointer) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
  }
}
