// rooms: Bytes Secrets
import Bytes
import Secrets

/// Tokens, ids and the codes for bytes: what is read comes back when it is written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  if let token = Token(reading: text) {
    check(token.text == text && token.person >= 0)
  }
  if let number = Bytes.Crockford.decode(text) {
    check(Bytes.Crockford.decode(Bytes.Crockford.encode(number)) == number)
  }
  if let decoded = Hex.decode(text) { check(Hex.decode(Hex.encode(decoded)) == decoded) }
  for code in [Base64.standard, .url] {
    if let decoded = code.decode(text) { check(code.decode(code.encode(decoded)) == decoded) }
    check(code.decode(code.encode(bytes)) == bytes)
  }
  check(Hex.decode(Hex.encode(bytes)) == bytes)
  return 0
}
