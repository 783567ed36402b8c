import CPostgres
import EventLoop
import Glibc

/// One connection on a loop, for one caller at a time.
///
///     open ──► idle ◄──► pipeline under way ──► broken ──► closed
///               ▲  └───► script or COPY (outside pipeline mode) ─┘
///               └────────────────┘
/// Pipeline mode is on except while a script or a COPY runs. After any error that leaves the protocol in doubt the
/// connection `isBroken`: the pool closes it, nobody repairs it.
final class Connection {
  let poller: Poller
  let handle: OpaquePointer
  let watch: Watch
  /// What is known of each statement here, by its number.
  @exclusivity(unchecked) private(set) var known: [Known] = []
  /// Not to be used again.
  private(set) var isBroken = false
  /// A warning of class 01000 since `forgetWarnings`: with COMMIT it means that the standby may not have it.
  private(set) var wasWarned = false
  var idleSince: LoopTime
  /// Pointers and lengths of one statement's parameters, reused.
  private var pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private var lengths: UnsafeMutablePointer<Int32>
  private var formats: UnsafeMutablePointer<Int32>
  private var capacity = 32
  private var isClosed = false

  enum Known {
    case nothing
    case prepared
    /// Prepared and answered once: the columns' types.
    case described([UInt32])
  }

  /// Connects without blocking. `unavailable` says why not.
  static func open(
    _ settings: ConnectSettings, on poller: Poller, until end: LoopTime
  ) async throws(PostgresError) -> Connection {
    guard let handle = settings.start() else { throw .unavailable("out of memory") }
    do throws(PostgresError) {
      try await finishConnecting(handle, on: poller, until: end)
      return try Connection(handle, on: poller)
    } catch {
      PQfinish(handle)
      throw error
    }
  }

  private static func finishConnecting(
    _ handle: OpaquePointer, on poller: Poller, until end: LoopTime
  ) async throws(PostgresError) {
    guard PQstatus(handle) != CONNECTION_BAD else { throw .unavailable(complaint(of: handle)) }
    // Before the first poll libpq wants to write (its documentation of PQconnectPoll).
    var wish = PGRES_POLLING_WRITING
    while wish != PGRES_POLLING_OK {
      guard wish == PGRES_POLLING_READING || wish == PGRES_POLLING_WRITING else {
        throw .unavailable(complaint(of: handle))
      }
      do throws(LoopError) {
        // libpq may close its socket and open another of the same number between two polls: a new watch each time.
        let watch = try poller.watch(PQsocket(handle))
        defer { watch.cancel() }
        if wish == PGRES_POLLING_READING {
          try await watch.readable(until: end)
        } else {
          try await watch.writable(until: end)
        }
      } catch {
        throw .unavailable(error == .timedOut ? "no connection to the database in time" : "\(error)")
      }
      wish = PQconnectPoll(handle)
    }
  }

  private init(_ handle: OpaquePointer, on poller: Poller) throws(PostgresError) {
    guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
      throw .unavailable(complaint(of: handle))
    }
    do throws(LoopError) {
      watch = try poller.watch(PQsocket(handle))
    } catch {
      throw .unavailable("\(error)")
    }
    self.poller = poller
    self.handle = handle
    idleSince = poller.now
    pointers = .allocate(capacity: capacity)
    lengths = .allocate(capacity: capacity)
    formats = .allocate(capacity: capacity)
    formats.initialize(repeating: 1, count: capacity)
    PQsetNoticeReceiver(
      handle,
      { context, result in
        guard let context, let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return }
        guard strcmp(state, "01000") == 0 else { return }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().wasWarned = true
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    close()
    pointers.deallocate()
    lengths.deallocate()
    formats.deallocate()
  }

  /// Ends it. Where the protocol is in doubt the socket goes without a farewell, and never with a cancel: a COMMIT
  /// that is under way must not be disturbed (storage.md 6.3).
  func close() {
    guard !isClosed else { return }
    isClosed = true
    watch.cancel()
    if isBroken { _ = shutdown(PQsocket(handle), Int32(SHUT_RDWR)) }
    isBroken = true
    PQfinish(handle)
  }

  // MARK: Sending

  /// Queues a prepared statement; nothing is sent before the sync unless libpq's buffer is full. False: broken.
  func send(
    _ record: StatementRecord, _ cells: ArraySlice<Pipeline.Cell>, _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    let count = cells.count
    reserve(count)
    var index = 0
    for cell in cells {
      pointers[index] = cell.length < 0 ? nil : pointer(bytes, cell.offset)
      lengths[index] = max(0, cell.length)
      index += 1
    }
    let length = Int32(truncatingIfNeeded: count)
    return PQsendQueryPrepared(handle, record.cName, length, pointers, lengths, formats, 1) == 1
  }

  /// Queues the preparation of a statement. False: broken.
  func prepare(_ record: StatementRecord) -> Bool {
    let types = record.parameters.map { Oid($0.rawValue) }
    return record.sql.withCString {
      PQsendPrepare(handle, record.cName, $0, Int32(truncatingIfNeeded: types.count), types) == 1
    }
  }

  /// An empty value still needs an address: nil would be NULL.
  private func pointer(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UnsafePointer<CChar>? {
    guard let base = bytes.baseAddress else { return UnsafePointer(PQresStatus(PGRES_EMPTY_QUERY)) }
    return (base + offset).assumingMemoryBound(to: CChar.self)
  }

  private func reserve(_ count: Int) {
    guard count > capacity else { return }
    pointers.deallocate()
    lengths.deallocate()
    formats.deallocate()
    capacity = count * 2
    pointers = .allocate(capacity: capacity)
    lengths = .allocate(capacity: capacity)
    formats = .allocate(capacity: capacity)
    formats.initialize(repeating: 1, count: capacity)
  }

  /// Sends what is queued. Interest in writing lasts only while PQflush answers 1 (trap 3); each PQflush also reads
  /// what has come, so two full buffers cannot wait for each other.
  func flush(until end: LoopTime, for name: String) async throws(PostgresError) {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1:
        guard poller.now < end else { throw lost(.timedOut, name) }
        do throws(LoopError) {
          try await watch.writable(until: min(end, poller.now + 100))
        } catch {
          if error != .timedOut { throw lost(error, name) }
        }
      default: throw broken()
      }
    }
  }

  // MARK: Receiving

  /// The next result, waiting for it where needed; nil at the end of a statement's results.
  func result(until end: LoopTime, for name: String) async throws(PostgresError) -> OpaquePointer? {
    while PQisBusy(handle) == 1 { try await readMore(until: end, for: name) }
    return PQgetResult(handle)
  }

  func readMore(until end: LoopTime, for name: String) async throws(PostgresError) {
    do throws(LoopError) {
      try await watch.readable(until: end)
    } catch {
      throw lost(error, name)
    }
    if PQconsumeInput(handle) == 0 { throw broken() }
  }

  /// Takes a failed result apart. FATAL, or a socket that is gone, ends the connection; so does a prepared statement
  /// that the server has forgotten or whose columns changed under it: both are cured by a new connection.
  func failure(_ result: OpaquePointer, of record: StatementRecord?) -> PostgresError {
    func field(_ code: Character) -> String? {
      PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    guard let state = field("C") else { return broken() }
    let message = field("M") ?? ""
    let severity = field("V") ?? ""
    if severity == "FATAL" || severity == "PANIC" || PQstatus(handle) == CONNECTION_BAD { isBroken = true }
    if state == "26000" || (state == "0A000" && message.contains("cached plan")) {
      isBroken = true
      return .disconnected("\(record?.name ?? ""): \(message)")
    }
    let error = ServerError(state: state, message: message, statement: record?.name ?? "", constraint: field("n"))
    if PostgresError.action(state: state) == .reconnect { isBroken = true }
    return .server(error)
  }

  /// The error for a connection that libpq gave up.
  func broken() -> PostgresError {
    isBroken = true
    return .disconnected(complaint(of: handle))
  }

  func markBroken() { isBroken = true }
  func forgetWarnings() { wasWarned = false }

  private func lost(_ error: LoopError, _ name: String) -> PostgresError {
    isBroken = true
    return error == .timedOut ? .timedOut(statement: name) : .disconnected("\(error)")
  }

  // MARK: What is known of statements

  func knowledge(of record: StatementRecord) -> Known {
    known.indices.contains(record.number) ? known[record.number] : .nothing
  }

  func learn(_ record: StatementRecord, _ what: Known) {
    while known.count <= record.number { known.append(.nothing) }
    known[record.number] = what
  }
}
