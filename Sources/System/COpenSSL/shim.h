// OpenSSL, with its function-like macros as inline functions.
#pragma once
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <openssl/pem.h>

// Macros that Swift does not import.
static inline void stepwell_set_server_options(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA | SSL_OP_NO_RENEGOTIATION |
                                   SSL_OP_NO_COMPRESSION);
}
static inline void stepwell_set_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }
