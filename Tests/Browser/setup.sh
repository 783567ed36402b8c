#!/usr/bin/env bash
# Makes the Python environment of the browser tests in .venv; the browser itself is Debian's chromium.
set -euo pipefail
cd "$(dirname "$0")/../.."
wanted="playwright==1.65.2 axe-playwright-python==0.1.8"
stamp=.venv/stepwell-browser
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
  /usr/bin/python3 -m venv .venv
  # shellcheck disable=SC2086
  .venv/bin/pip install --quiet --disable-pip-version-check $wanted
  echo "$wanted" > "$stamp"
fi
