import Files
import TLS

/// The certificate to serve: the configured pair, or one that the program makes for itself.
struct CertificateFiles: Sendable {
  let chain: String
  let key: String

  /// Makes a self-signed pair in the data folder when none is configured and none is there, or when the one there ends
  /// within a week.
  init(_ configuration: Configuration, folder: DataFolder, host: String) throws(Failure) {
    if let configured = configuration.certificate {
      chain = configured.chain
      key = configured.key
      for file in [chain, key] { try File.checkReadable(file) }
      return
    }
    chain = folder.certificate
    key = folder.certificateKey
    if let dates = (try? File.read(chain)).flatMap(CertificateDates.init(pem:)), dates.daysLeft > 7, Disk.exists(key) {
      return
    }
    guard let made = SelfSignedCertificate(host: host) else { throw Failure("No certificate could be made.") }
    try File.write(made.key, to: key, mode: 0o600)
    try File.write(made.chain, to: chain, mode: 0o644)
  }

  /// Both files as they are now.
  func read() throws(Failure) -> (chain: [UInt8], key: [UInt8]) {
    (try File.read(chain), try File.read(key))
  }
}
