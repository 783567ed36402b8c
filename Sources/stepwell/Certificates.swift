import Glibc
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
      for file in [chain, key] where access(file, R_OK) != 0 {
        throw Failure("The certificate file \(file) cannot be read: \(reason(errno)).")
      }
      return
    }
    chain = folder.certificate
    key = folder.certificateKey
    if let dates = File.read(chain).flatMap(CertificateDates.init(pem:)), dates.daysLeft > 7, File.exists(key) {
      return
    }
    guard let made = SelfSignedCertificate(host: host) else { throw Failure("No certificate could be made.") }
    guard File.write(made.key, to: key, mode: 0o600), File.write(made.chain, to: chain, mode: 0o644) else {
      throw Failure("The certificate cannot be written to \(chain): \(reason(errno)).")
    }
  }

  /// Both files as they are now.
  func read() throws(Failure) -> (chain: [UInt8], key: [UInt8]) {
    guard let chainBytes = File.read(chain) else { throw Failure("\(chain) cannot be read: \(reason(errno)).") }
    guard let keyBytes = File.read(key) else { throw Failure("\(key) cannot be read: \(reason(errno)).") }
    return (chainBytes, keyBytes)
  }
}
