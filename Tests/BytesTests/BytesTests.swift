import Bytes
import Testing

private func printed(_ write: (inout [UInt8]) -> Void) -> String {
  var bytes: [UInt8] = []
  write(&bytes)
  return bytes.text
}

@Suite("Printing into bytes")
struct PrintingTests {
  @Test("integers of every width print as Swift prints them")
  func decimals() {
    for number in [0, 1, 9, 10, 99, 100, 12_345, .max, .min, -1, -10] as [Int] {
      #expect(printed { $0.append(decimal: number) } == "\(number)")
    }
    #expect(printed { $0.append(decimal: Int8.min) } == "-128")
    #expect(printed { $0.append(decimal: UInt64.max) } == "\(UInt64.max)")
  }

  @Test("padding fills with zeros and never cuts")
  func padding() {
    #expect(printed { $0.append(padded: 7, width: 2) } == "07")
    #expect(printed { $0.append(padded: 0, width: 4) } == "0000")
    #expect(printed { $0.append(padded: 12_345, width: 2) } == "12345")
    #expect(printed { $0.append(padded: -3, width: 2) } == "-03")
    #expect(printed { $0.append(padded: 1, width: 99) }.count == 20)
  }

  @Test("thousands are parted by commas")
  func grouping() {
    let expected = [
      0: "0", 999: "999", 1_000: "1,000", 12_345: "12,345", 123_456: "123,456", -1_234_567: "-1,234,567",
      Int.max: "9,223,372,036,854,775,807",
    ]
    for (number, text) in expected { #expect(printed { $0.append(grouped: number) } == text) }
  }

  @Test("drawings get at most two decimals and no trailing zeros")
  func hundredths() {
    let expected: [(Double, String)] = [
      (0, "0"), (1, "1"), (12.5, "12.5"), (12.345, "12.35"), (0.004, "0"), (-0.004, "0"), (0.05, "0.05"),
      (-1.25, "-1.25"), (99.999, "100"), (.nan, "0"), (.infinity, "0"), (1e300, "0"),
    ]
    for (number, text) in expected { #expect(printed { $0.append(hundredths: number) } == text) }
  }

  @Test("JSON strings escape quotes, backslashes and every control character")
  func jsonStrings() {
    #expect(printed { $0.append(jsonString: "Ada \"the\" \\ Ä 🏃") } == #""Ada \"the\" \\ Ä 🏃""#)
    #expect(
      printed { $0.append(jsonString: "a\nb\tc\r\u{1}\u{7f}\u{9b}31m\u{a0}") }
        == "\"a\\nb\\tc\\r\\u0001\\u007f\\u009b31m\u{a0}\"")
    #expect(printed { $0.append(jsonString: "") } == "\"\"")
  }

  @Test("chunk sizes print as hexadecimal without leading zeros")
  func hexNumbers() {
    for number in [0, 1, 15, 16, 255, 65_536, .max] as [UInt64] {
      #expect(printed { $0.append(hex: number) } == String(number, radix: 16))
    }
  }

  @Test("literals of one character and of many")
  func literals() {
    #expect(
      printed {
        $0.append("x"); $0.append(" yz ü")
      } == "x yz ü")
  }
}

@Suite("Reading bytes")
struct ReadingTests {
  @Test("decimal numbers: digits only, no overflow")
  func decimals() {
    #expect("9223372036854775807".utf8.decimalNumber == .max)
    #expect("007".utf8.decimalNumber == 7)
    for text in ["", "-1", "+1", " 1", "1 ", "9223372036854775808", "1e3", "٣"] {
      #expect(text.utf8.decimalNumber == nil)
    }
  }

  @Test("hexadecimal numbers up to 63 bits")
  func hexNumbers() {
    #expect("7FffFFffFFffFFff".utf8.hexNumber == .max)
    for text in ["", "0x1", "8000000000000000", "fffffffffffffffff", "g"] { #expect(text.utf8.hexNumber == nil) }
  }

  @Test("names compare without regard to case, in ASCII only")
  func names() {
    #expect("Content-Length".utf8.equalsIgnoringCase("content-length".utf8))
    #expect(!"a@".utf8.equalsIgnoringCase("a`".utf8))
    #expect(!"a".utf8.equalsIgnoringCase("ab".utf8))
  }
}

@Suite("Alphabets")
struct AlphabetTests {
  @Test("base 64 of RFC 4648, both alphabets, there and back")
  func base64() {
    let vectors = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "foobar": "Zm9vYmFy"]
    for (plain, coded) in vectors {
      #expect(Base64.standard.encode(Array(plain.utf8)) == coded)
      #expect(Base64.standard.decode(coded) == Array(plain.utf8))
    }
    #expect(Base64.url.encode([0xFB, 0xFF]) == "-_8")
    #expect(Base64.url.decode("-_8") == [0xFB, 0xFF])
  }

  @Test("base 64 refuses a second spelling of the same bytes")
  func strictBase64() {
    for text in ["Zg", "Zg=", "Zh==", "Zm 9v", "====", "Z", "Zg==Zg=="] { #expect(Base64.standard.decode(text) == nil) }
    for text in ["Zg==", "Zh", "+/8", "Z"] { #expect(Base64.url.decode(text) == nil) }
  }

  @Test("hexadecimal there and back; odd lengths and other characters refused")
  func hex() {
    #expect(Hex.encode([0, 0x9f, 0xff]) == "009fff")
    #expect(Hex.decode("009FfF") == [0, 0x9f, 0xff])
    #expect(Hex.decode("abc") == nil && Hex.decode("zz") == nil && Hex.decode("") == [])
  }

  @Test("an id has 13 characters and one spelling")
  func crockford() {
    for number in [0, 1, 31, 32, 1 << 62, .max, 4_611_686_018_427_387_903, 123_456_789_012] as [Int64] {
      let text = Crockford.encode(number)
      #expect(text.utf8.count == 13)
      #expect(Crockford.decode(text) == number)
    }
    #expect(Crockford.encode(.max) == "7zzzzzzzzzzzz")
    for text in ["", "0", "00000000000000", "000000000000I", "000000000000u", "8000000000000", "000000000000A"] {
      #expect(Crockford.decode(text) == nil)
    }
  }

  @Test("32 bytes are 43 characters of base 62, 4 bytes are 6, there and back")
  func base62() {
    for bytes in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32), Array(1...32)] {
      let text = Base62.encode(bytes)
      #expect(text.utf8.count == 43)
      #expect(Base62.decode(Array(text.utf8)[...], count: 32) == bytes)
    }
    #expect(Base62.encode([255, 255, 255, 255]) == "4gfFC3")
    #expect(Base62.decode(Array("zzzzzz".utf8)[...], count: 4) == nil)
    #expect(Base62.decode(Array("00-000".utf8)[...], count: 4) == nil)
    #expect(Base62.length(of: 0) == 0)
  }

  @Test("base 62 refuses numbers that do not fit, and characters of other alphabets")
  func base62Limits() {
    #expect(Base62.decode(Array(repeating: UInt8(ascii: "z"), count: 43)[...], count: 32) == nil)
    #expect(Base62.decode(Array("4gfFC4".utf8)[...], count: 4) == nil)
    #expect(Base62.decode(Array("4gfFC3".utf8)[...], count: 4) == [255, 255, 255, 255])
    #expect(Base62.decode(Array("00000é".utf8)[...], count: 4) == nil)
    for count in [1, 3, 5, 31, 33] as [Int] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 251 &* $0 &+ 7) }
      #expect(Base62.decode(Array(Base62.encode(bytes).utf8)[...], count: count) == bytes)
    }
  }

  @Test("capitals of ASCII become small from a place on; other scripts are reported and left")
  func lower() {
    var bytes = Array("HK\0AbZ@[`{19-F0".utf8)
    let isASCII = bytes.lowerASCII(from: 3)
    #expect(isASCII)
    #expect(bytes == Array("HK\0abz@[`{19-f0".utf8))
    var other = Array("ÄB".utf8)
    let isOtherASCII = other.lowerASCII(from: 0)
    #expect(!isOtherASCII)
    #expect(other == Array("Äb".utf8))
    let beyond = bytes.lowerASCII(from: 99)
    #expect(beyond)
  }

  @Test("a text is cut to bytes, between two scalars, however long its characters are")
  func cut() {
    #expect("abc".cut(toBytes: 3) == "abc" && "abcd".cut(toBytes: 3) == "abc" && "".cut(toBytes: 0).isEmpty)
    #expect("aé".cut(toBytes: 2) == "a" && "aé".cut(toBytes: 3) == "aé")
    #expect("😀😀".cut(toBytes: 7) == "😀" && "😀".cut(toBytes: 3).isEmpty)
    let one = "a" + String(repeating: "\u{301}", count: 1000)
    #expect(one.count == 1 && one.cut(toBytes: 120).utf8.count == 119)
  }

  @Test("CRC-32 of the check string, in one go and in two")
  func crc() {
    #expect(CRC32.sum("123456789".utf8) == 0xCBF4_3926)
    #expect(CRC32.sum("6789".utf8, after: CRC32.sum("12345".utf8)) == 0xCBF4_3926)
    #expect(CRC32.sum([]) == 0)
  }
}

@Suite("Searching bytes")
struct SearchingTests {
  @Test("a pattern is found where it stands first, from any place on")
  func found() {
    let text = Array("aab aabaab".utf8)
    let pattern = Array("aab".utf8)
    #expect(text.firstRange(of: pattern) == 0..<3)
    #expect(text.firstRange(of: pattern, from: 1) == 4..<7)
    #expect(text.firstRange(of: pattern, from: 7) == 7..<10)
    #expect(text.firstRange(of: pattern, from: 8) == nil)
  }

  @Test("nothing is found in nothing, of nothing, or beyond the end")
  func nothing() {
    #expect([UInt8]().firstRange(of: [1]) == nil)
    #expect([UInt8]([1]).firstRange(of: []) == nil)
    #expect([UInt8]([1]).firstRange(of: [1], from: 9) == nil)
    #expect([UInt8]([1]).firstRange(of: [1], from: -1) == nil)
    #expect([UInt8]([1]).firstRange(of: [1, 2]) == nil)
  }
}
