// libcurl, with its variadic functions as typed ones, which Swift can call.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef size_t (*stepwell_curl_sink)(char *, size_t, size_t, void *);

static inline CURLcode stepwell_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode stepwell_curl_set_size(CURL *handle, CURLoption option, long long value) {
  return curl_easy_setopt(handle, option, (curl_off_t)value);
}
static inline CURLcode stepwell_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode stepwell_curl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode stepwell_curl_set_sink(CURL *handle, CURLoption option, stepwell_curl_sink sink) {
  return curl_easy_setopt(handle, option, sink);
}
// The bytes are copied.
static inline CURLcode stepwell_curl_set_bytes(CURL *handle, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(handle, option, &blob);
}
static inline long stepwell_curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
static inline CURLcode stepwell_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
