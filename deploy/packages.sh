#!/usr/bin/env bash
# Installs the Debian packages that are missing. Usage: deploy/packages.sh build|run|test|bench
set -euo pipefail
build="make gcc libc6-dev pkg-config libssl-dev libpq-dev libnghttp2-dev libarchive-dev zlib1g-dev libsodium-dev libqrencode-dev libcurl4-openssl-dev"
run="postgresql tzdata ca-certificates openssl"
test="curl chromium python3 python3-venv zip"
bench="nginx-light wrk"
case "${1:-build}" in
  build) wanted="$build" ;;
  run) wanted="$build $run" ;;
  test) wanted="$build $run $test" ;;
  bench) wanted="$build $run $test $bench" ;;
  *) echo "usage: $0 build|run|test|bench" >&2; exit 2 ;;
esac
missing=""
for package in $wanted; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
# Stepwell starts a PostgreSQL of its own: the package need not make one.
if ! [ -e /etc/postgresql-common/createcluster.conf ]; then
  $sudo mkdir -p /etc/postgresql-common
  echo "create_main_cluster = false" | $sudo tee /etc/postgresql-common/createcluster.conf >/dev/null
fi
echo "Installing:$missing"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
