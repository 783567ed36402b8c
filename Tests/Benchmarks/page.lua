-- One page again and again over kept connections. From the environment: BENCH_PATH, BENCH_COOKIE, BENCH_ENCODING.
local fields = { ["Host"] = os.getenv("BENCH_HOST"), ["Accept"] = "text/html", ["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  ["Accept-Language"] = "en", ["Sec-Fetch-Dest"] = "document", ["Sec-Fetch-Mode"] = "navigate", ["Sec-Fetch-Site"] = "same-origin" }
if os.getenv("BENCH_COOKIE") ~= "" then fields["Cookie"] = os.getenv("BENCH_COOKIE") end
if os.getenv("BENCH_ENCODING") ~= "" then fields["Accept-Encoding"] = os.getenv("BENCH_ENCODING") end
local text = wrk.format("GET", os.getenv("BENCH_PATH"), fields)
function request() return text end
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('JSON {"requests":%d,"microseconds":%d,"bytes":%d,"bad":%d,"p50":%d,"p99":%d}\n', summary.requests,
    summary.duration, summary.bytes, e.status + e.connect + e.read + e.write + e.timeout, latency:percentile(50), latency:percentile(99)))
end
