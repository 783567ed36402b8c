// A certificate signed by its own key, for a first start without one; and the facts of a certificate on disk.
#pragma once
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

static inline int stepwell_add_extension(X509 *certificate, int nid, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
  if (extension == NULL) return 0;
  int added = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return added;
}

// Writes key and certificate as PEM into two memory BIOs; 1 if both were made. `names` is an OpenSSL subjectAltName
// value such as "DNS:localhost,IP:127.0.0.1".
static inline int stepwell_self_signed(const char *common_name, const char *names, long seconds, BIO *key_out, BIO *certificate_out) {
  int made = 0;
  EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
  X509 *certificate = X509_new();
  BIGNUM *serial = BN_new();
  if (key && certificate && serial && BN_rand(serial, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY)) {
    X509_set_version(certificate, 2);
    BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate));
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), seconds);
    X509_set_pubkey(certificate, key);
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)common_name, -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    made = stepwell_add_extension(certificate, NID_basic_constraints, "critical,CA:FALSE")
        && stepwell_add_extension(certificate, NID_key_usage, "critical,digitalSignature")
        && stepwell_add_extension(certificate, NID_ext_key_usage, "serverAuth")
        && stepwell_add_extension(certificate, NID_subject_alt_name, names)
        && X509_sign(certificate, key, EVP_sha256()) > 0
        && PEM_write_bio_PKCS8PrivateKey(key_out, key, NULL, NULL, 0, NULL, NULL)
        && PEM_write_bio_X509(certificate_out, certificate);
  }
  BN_free(serial);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return made;
}

// Days until the first certificate of a PEM file ends (negative: it has ended) and whether it has begun; 0 if unreadable.
static inline int stepwell_certificate_dates(const void *pem, int length, int *days_left, int *begun) {
  BIO *in = BIO_new_mem_buf(pem, length);
  X509 *certificate = in ? PEM_read_bio_X509(in, NULL, NULL, NULL) : NULL;
  int read = 0;
  if (certificate) {
    int days = 0, seconds = 0;
    read = ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(certificate));
    *days_left = seconds < 0 ? days - 1 : days;
    *begun = X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0;
  }
  X509_free(certificate);
  BIO_free(in);
  return read;
}

static inline const char *stepwell_bio_bytes(BIO *bio, long *length) {
  char *bytes = NULL;
  *length = BIO_get_mem_data(bio, &bytes);
  return bytes;
}
