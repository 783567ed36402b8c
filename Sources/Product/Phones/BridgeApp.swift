package import Activity
package import PhoneKit
import Synchronization

/// The app on a simulated phone: PhoneKit over its health store, with a queue in a folder.
package struct BridgeApp: Sendable {
  package let phone: SimulatedPhone
  package let queue: BatchQueue
  private let uploader: Uploader

  /// `seed` decides batch ids and the random part of waiting: an app that goes on with an old queue needs another one.
  package init(
    _ phone: SimulatedPhone, queue folder: String, token: String, seed: UInt64,
    send: @escaping @Sendable (UploadRequest) async throws -> UploadReply
  ) throws {
    self.phone = phone
    queue = try BatchQueue(path: folder)
    let dice = SharedDice(seed: seed)
    uploader = Uploader(
      store: phone, queue: queue, token: token, newID: { dice.uuid() }, random: { dice.share() }, send: send)
  }

  /// For a phone whose person has brought everything up to a moment in another way: it begins there.
  package func begin(after moment: Instant) async throws {
    try await queue.append([], anchor: SimulatedPhone.anchor(after: moment))
  }

  /// Wakes the app at a moment of the phone's life: it sends what is new until then.
  package func wake(at moment: Instant) async throws -> UploadOutcome {
    phone.move(to: moment)
    return try await uploader.pass()
  }

  /// Up to which moment everything was read from the phone; nil at the beginning.
  package var readThrough: Instant? {
    get async { SimulatedPhone.through(await queue.anchor) }
  }
}

/// Dice that several threads may throw.
private final class SharedDice: Sendable {
  private let dice: Mutex<Dice>

  init(seed: UInt64) { dice = Mutex(Dice(seed: seed, stream: 7)) }

  /// A random UUID (RFC 9562, section 5.4), lower case.
  func uuid() -> String {
    let (high, low) = dice.withLock { ($0.next(), $0.next()) }
    return SampleKey(high: high & ~0xf000 | 0x4000, low: low & ~(3 << 62) | 2 << 62).uuid.lowercased()
  }

  /// 0..<1.
  func share() -> Double { dice.withLock { Double($0.below(1 << 30)) / Double(1 << 30) } }
}
