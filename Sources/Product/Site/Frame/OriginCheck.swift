import HTTP

/// Where a form was sent from. Browsers say it in `Sec-Fetch-Site` and `Origin`; clients that say neither are held by
/// the form token alone.
struct OriginCheck {
  /// The addresses under which people reach this server, `https://host[:port]`; the first is base_url.
  let origins: [String]

  init(base: String) {
    var origins = [base]
    // One machine has three names for itself.
    if base.hasPrefix("https://localhost:") || base == "https://localhost" {
      let port = base.dropFirst("https://localhost".count)
      origins += ["https://127.0.0.1\(port)", "https://[::1]\(port)"]
    }
    self.origins = origins
  }

  /// Whether the server answers under this `Host`.
  func knows(host: String) -> Bool {
    origins.contains { origin in
      let name = origin.dropFirst("https://".count)
      return name.utf8.count == host.utf8.count && name == host.lowercased()
    }
  }

  /// Nil when the form came from this site; else what was seen, for the refusal page.
  func refusal(of fields: HeaderFields) -> String? {
    if let site = fields["sec-fetch-site"], site != "same-origin", site != "none" {
      return fields["origin"] ?? "a page of another site"
    }
    guard let origin = fields["origin"] else { return nil }
    return origins.contains(origin.lowercased()) ? nil : origin
  }
}
