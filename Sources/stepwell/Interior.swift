import Activity
import Glibc
import HTTPServer
import Secrets
import Site
import Templates

/// Views, texts and static files as they lie on disk: read at start and again on SIGHUP.
struct Interior: Sendable {
  let files: StaticFiles
  let views: SiteViews

  /// `folder`: the one that holds Views and Public; `zoneinfo`: the one with the time zones.
  init(_ folder: String, zoneinfo: String) throws(Failure) {
    do throws(StaticFiles.Problem) {
      files = try StaticFiles(folder: folder + "/Public", hash: SHA256.hash)
    } catch {
      throw Failure("The static files in \(folder)/Public cannot be read: \(error).")
    }
    let address = { [files] (name: String) in files.address(of: name) ?? "" }
    let assets = Assets(
      stylesheet: address("stepwell.css"), script: address("stepwell.js"), icon: address("favicon.svg"))
    do throws(TemplateError) {
      views = try SiteViews(
        folder: folder + "/Views", language: "en", assets: assets,
        build: Self.stamp(["/proc/self/exe", zoneinfo + "/tzdata.zi"]))
    } catch {
      throw Failure("A view cannot be used: \(error)")
    }
  }

  /// Says by size and time of change which files these are: another program or other zone data may write other pages.
  private static func stamp(_ files: [String]) -> String {
    files.map { file in
      var status = stat()
      guard stat(file, &status) == 0 else { return "none" }
      return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }.joined(separator: "\n")
  }
}
