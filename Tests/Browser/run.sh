#!/usr/bin/env bash
# Runs the browser floor on a built program: Tests/Browser/run.sh [BINARY] [FOLDER_FOR_SCREENSHOTS]
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
"$here/setup.sh"
exec "$here/../../.venv/bin/python" "$here/floor.py" "${1:-$here/../../.build/debug/stepwell}" ${2:+"$2"}
