// SHA-256 by OpenSSL's direct functions. They are marked deprecated in OpenSSL 3 in favour of EVP, whose look-up of the
// algorithm costs more than the hash of a short record; an export brings millions of short records.
#pragma once
#include <openssl/sha.h>
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static inline void stepwell_sha256_start(SHA256_CTX *context) { SHA256_Init(context); }
static inline void stepwell_sha256_add(SHA256_CTX *context, const void *bytes, size_t count) {
  SHA256_Update(context, bytes, count);
}
static inline void stepwell_sha256_end(SHA256_CTX *context, unsigned char *digest) { SHA256_Final(digest, context); }
static inline void stepwell_sha256(const void *bytes, size_t count, unsigned char *digest) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, bytes, count);
  SHA256_Final(digest, &context);
}
#pragma GCC diagnostic pop
