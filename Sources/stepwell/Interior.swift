import Activity
import HTTPServer
import Secrets
import Site
import Templates

/// Views, texts and static files as they lie on disk: read at start and again on SIGHUP.
struct Interior: Sendable {
  let files: StaticFiles
  let views: SiteViews

  /// `folder`: the one that holds Views and Public.
  init(_ folder: String) throws(Failure) {
    do throws(StaticFiles.Problem) {
      files = try StaticFiles(folder: folder + "/Public", hash: SHA256.hash)
    } catch {
      throw Failure("The static files in \(folder)/Public cannot be read: \(error).")
    }
    let address = { [files] (name: String) in files.address(of: name) ?? "" }
    let assets = Assets(
      stylesheet: address("stepwell.css"), script: address("stepwell.js"), icon: address("favicon.svg"))
    do throws(TemplateError) {
      views = try SiteViews(folder: folder + "/Views", language: "en", assets: assets)
    } catch {
      throw Failure("A view cannot be used: \(error)")
    }
  }
}
