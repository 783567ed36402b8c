#!/usr/bin/env bash
# Runs the built tests room by room: within a room in parallel, one room after the other, so that two cores are shared by tests of one
# kind and time limits mean what they say. Prints failures and one line a room; ends with `N passed, N failed`.
# A room without a test that ran has failed.
# Usage: Tests/run.sh [ROOM…]
set -uo pipefail
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
rooms=("$@")
[ ${#rooms[@]} -gt 0 ] || for folder in Tests/*Tests; do rooms+=("$(basename "${folder%Tests}")"); done
passed=0
failed=0
for room in "${rooms[@]}"; do
  began=$SECONDS
  ${SWIFT:-swift} test --skip-build --disable-xctest --filter "^${room}Tests\\." >"$log" 2>&1
  status=$?
  good=$(grep -cE '^✔ Test .* passed after' "$log")
  bad=$(grep -cE '^✘ Test .* failed after' "$log")
  # "Test run with …" is a line of the same shape as a test's.
  grep -qE '^✔ Test run with' "$log" && good=$((good - 1))
  grep -qE '^✘ Test run with' "$log" && bad=$((bad - 1))
  # A name that fits no test, or a filter that has lost its tests, must not look like success.
  if [ "$status" -eq 0 ] && [ "$good" -eq 0 ] && [ "$bad" -eq 0 ]; then
    echo "$room: no test ran"
    bad=1
  fi
  if [ "$status" -ne 0 ]; then
    [ "$bad" -gt 0 ] || bad=1
    grep -vE '^(◇|✔|\[)' "$log" | cut -c1-2000 | head -200
  fi
  passed=$((passed + good))
  failed=$((failed + bad))
  printf '%-12s %4d passed, %d failed, %d s\n' "$room" "$good" "$bad" $((SECONDS - began))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
