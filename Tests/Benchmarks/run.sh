#!/usr/bin/env bash
# run.sh [pages [ROUNDS [SECONDS [CONNECTIONS]]] | imports [MEGABYTES] | uploads [ROUNDS [BATCHES]]]: builds release and measures; without
# arguments all, and keeps the tables in .build/bench. See README.md.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
for program in wrk nginx python3 taskset; do
  command -v "$program" >/dev/null || { echo "$program is missing: deploy/packages.sh bench"; exit 1; }
done
swift build -c release --product stepwell
swift build -c release --product ReaderBench
ulimit -n 4096
kind=${1:-all}
shift || true
mkdir -p .build/bench
case $kind in
  pages) python3 "$here/pages.py" "$@" | tee .build/bench/pages.md ;;
  imports) python3 "$here/imports.py" "$@" | tee .build/bench/imports.md ;;
  uploads) python3 "$here/uploads.py" "$@" | tee .build/bench/uploads.md ;;
  all) python3 "$here/uploads.py" | tee .build/bench/uploads.md; python3 "$here/pages.py" | tee .build/bench/pages.md; python3 "$here/imports.py" | tee .build/bench/imports.md ;;
  *) sed -n '2,3p' "$0"; exit 2 ;;
esac
