import Activity
import EventLoop
import HTTP
import People
import Storage

extension Site {
  /// The switch from address to action: exhaustive, so that an address without an action does not compile.
  func act(on visit: Visit) async throws(Problem) -> Response {
    let isPost = visit.request.method == .post
    return switch visit.route {
    case .start: seeOther(visit.claim == nil ? entrance : .today)
    case .signIn(let returnTo):
      isPost ? try await signIn(visit) : try await showSignIn(visit, returnTo: returnTo)
    case .signOut: try await signOut(visit)
    case .confirm(let returnTo):
      isPost ? try await confirm(visit) : try await showConfirm(visit, returnTo: returnTo)
    case .setUp: isPost ? try await setUp(visit) : try await showSetUp(visit)

    case .settings: try await showSettings(visit)
    case .nameSettings: try await changeName(visit)
    case .displaySettings: try await changeDisplay(visit)
    case .goalSettings: try await changeGoal(visit)
    case .sourceOrder: try await changeSourceOrder(visit)
    case .manualEntries: try await changeManualEntries(visit)
    case .pauses: try await addPause(visit)
    case .pauseRemoval(let first): try await removePause(visit, first: first)
    case .password: isPost ? try await changePassword(visit) : try await showPassword(visit)
    case .sessions: try await showSessions(visit)
    case .sessionsEnd: try await endOtherSessions(visit)
    case .sessionEnd(let id): try await endSession(visit, id: id)

    case .devices: isPost ? try await addDevice(visit) : try await showDevices(visit)
    case .newDevice: try await showNewDevice(visit)
    case .device(let id): try await showDevice(visit, id: id)
    case .deviceRemoval(let id): try await removeDevice(visit, id: id)
    case .deviceToken(let id): try await renewToken(visit, id: id)
    case .deviceGrants(let id): try await grantAgain(visit, id: id)
    case .grantRevocation(let id): try await revokeGrant(visit, id: id)
    case .batches: await toPhone(visit) { visit throws(ProblemDocument) in try await self.receiveBatch(visit) }
    case .healthAutoExport:
      await toPhone(visit) { visit throws(ProblemDocument) in try await self.receiveHealthAutoExport(visit) }
    case .imports: isPost ? try await receiveImport(visit) : try await showImports(visit)
    case .importing(let id): try await showImport(visit, id: id)
    case .importCancellation(let id): try await cancelImport(visit, id: id)

    case .today: try await showToday(visit)
    case .live: try await showLive(visit)
    case .day(let day): try await showDay(visit, day)
    case .history(let from, let to): try await showHistory(visit, from: from, to: to)
    case .week(let day): try await showWeek(visit, of: day)
    case .month(let year, let month): try await showMonth(visit, year: year, month: month)
    case .year(let year): try await showYear(visit, year)

    case .health: plain("ok")
    case .ready: try await ready()
    }
  }

  /// What a phone is answered: its errors are documents, never pages.
  private func toPhone(
    _ visit: Visit, _ action: (Visit) async throws(ProblemDocument) -> Response
  ) async -> Response {
    do throws(ProblemDocument) { return try await action(visit) } catch {
      return error.response(number: visit.request.number)
    }
  }

  private var entrance: Route { commons.setUpCode == nil ? .signIn(returnTo: nil) : .setUp }

  private func ready() async throws(Problem) -> Response {
    _ = try await store.isSetUp()
    return plain("ready")
  }

  private func plain(_ text: String) -> Response {
    var response = Response(type: "text/plain; charset=utf-8", Array((text + "\n").utf8))
    response.fields.append("cache-control", "no-store")
    return response
  }

  func frame(_ visit: Visit, _ settings: PersonSettings, place: NavigationPlace.Kind?, isFresh: Bool = false) -> Frame {
    Frame(
      words: visit.interior.views.words, assets: visit.interior.views.assets, base: commons.base, settings: settings,
      current: place, isFresh: isFresh)
  }

  /// Notes now and then that the session is in use, after the answer: a page view must not wait for a write. A note that
  /// fails is made with the next page.
  func touch(_ session: Session, _ visit: Visit) {
    guard session.wantsTouch(at: visit.now) else { return }
    poller.spawn { try? await self.store.touch(session) }
  }
}
