import Foundation
import Templates

/// The loosely typed data of the Mustache specification. It exists only here: pages use typed models.
final class Tree: @unchecked Sendable {
  enum Content {
    case null
    case truth(Bool)
    case word(String)
    case list([Tree])
    case object([String: Tree])
  }
  let content: Content

  init(_ json: Any) {
    content =
      switch json {
      case let list as [Any]: .list(list.map(Tree.init))
      case let object as [String: Any]: .object(object.mapValues(Tree.init))
      case let text as String: .word(text)
      case let number as NSNumber:
        CFGetTypeIDIsBoolean(number) ? .truth(number.boolValue) : .word("\(number)")
      default: .null
      }
  }

  var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  static func at(_ address: UnsafeRawPointer) -> Tree {
    Unmanaged<Tree>.fromOpaque(address).takeUnretainedValue()
  }

  var isFalse: Bool {
    switch content {
    case .null, .truth(false): true
    case .list(let list): list.isEmpty
    default: false
    }
  }

  func member(_ name: String) -> Tree? {
    if case .object(let members) = content { members[name] } else { nil }
  }

  /// Looks the first name up from the innermost level outwards, the others only inside what was found.
  static func find(_ path: [String], _ stack: OpenShape.Stack) -> Tree? {
    guard let first = path.first else { return stack.last.map(at) }
    guard let start = stack.reversed().lazy.compactMap({ at($0).member(first) }).first else { return nil }
    return path.dropFirst().reduce(start) { tree, name in tree?.member(name) }
  }
}

private func CFGetTypeIDIsBoolean(_ number: NSNumber) -> Bool {
  String(cString: number.objCType) == "c"
}

let treeShape = OpenShape(
  write: { path, stack, isEscaped, out in
    guard let tree = Tree.find(path, stack), case .word(let text) = tree.content else { return }
    if isEscaped { out.append(escaped: text) } else { out.append(contentsOf: text.utf8) }
  },
  each: { path, stack, body in
    guard let tree = Tree.find(path, stack), !tree.isFalse else { return }
    if case .list(let items) = tree.content {
      for item in items { body(item.address) }
    } else {
      body(tree.address)
    }
  },
  isEmpty: { path, stack in Tree.find(path, stack)?.isFalse ?? true })
