#!/usr/bin/env bash
# run.sh [SECONDS] [NAME…]: builds every fuzzer (or those named) and runs each for SECONDS (20) with its seeds.
# Up to a minute it is the short form of `make test`: the same random numbers each time, from the committed seeds alone, so that
# a fault comes again. Longer, it is the search of `make fuzz`: other numbers each time, and on from what earlier runs found.
# Ends non-zero when one stops, hangs, uses too much memory or a property fails; the input is kept in .build/fuzz/crashes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
seconds=${1:-20}
shift || true
out=$root/.build/fuzz
mkdir -p "$out/modules" "$out/bin" "$out/crashes"

# The settings of Package.swift, with AddressSanitizer and libFuzzer's coverage.
flags=(-O -g -parse-as-library -swift-version 6 -package-name stepwell -sanitize=fuzzer,address -use-ld=lld
  -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
  -I "$out/modules")
for module in "$root"/Sources/System/*/; do flags+=(-I "$module"); done
for package in openssl libpq libarchive zlib libsodium; do
  for flag in $(pkg-config --cflags "$package" 2>/dev/null || true); do flags+=(-Xcc "$flag"); done
done

# room NAME: one object file and one module of all its sources, made again when a source or an earlier room is newer.
rebuilt=" "
room() {
  local name=$1 uses=$2 folder object stale=
  folder=$(echo "$root"/Sources/*/"$name")
  object=$out/modules/$name.o
  [[ $rebuilt == *" $name "* ]] && return
  for use in $uses; do [[ $rebuilt == *" $use "* ]] && stale=1; done
  if [ -z "$stale" ] && [ -e "$object" ] && [ -z "$(find "$folder" -newer "$object" -print -quit)" ]; then
    return
  fi
  echo "  room $name"
  find "$folder" -name '*.swift' -print0 | sort -z | xargs -0 swiftc "${flags[@]}" -wmo -module-name "$name" \
    -emit-module -emit-module-path "$out/modules/$name.swiftmodule" -emit-object -o "$object"
  rebuilt+="$name "
}

# build NAME: the rooms of its first line in the order given there (lower ones first), then the fuzzer itself.
build() {
  local name=$1 source=$here/${1}Fuzzer.swift rooms objects=() done=
  rooms=$(sed -n '1s|^// rooms: ||p' "$source")
  for one in $rooms; do
    room "$one" "$done"
    done+=" $one"
    objects+=("$out/modules/$one.o")
  done
  if [ "$out/bin/$name" -nt "$source" ] && [ "$out/bin/$name" -nt "$here/Check.swift" ]; then
    local fresh=1
    for object in "${objects[@]}"; do [ "$out/bin/$name" -nt "$object" ] || fresh=; done
    [ -n "$fresh" ] && return
  fi
  echo "  fuzzer $name"
  swiftc "${flags[@]}" -wmo -module-name "${name}Fuzzer" "$source" "$here/Check.swift" "${objects[@]}" -o "$out/bin/$name"
}

# fuzz NAME: from the seeds in corpus/NAME and what earlier runs found.
fuzz() {
  local name=$1 found=$out/found/$1 log=$out/$1.log seed=0
  if [ "$seconds" -le 60 ]; then
    seed=1
    found=$(mktemp -d "$out/short-$name-XXXXXX")
  fi
  mkdir -p "$found" "$here/corpus/$name"
  # The runtime's own crash report reads memory that AddressSanitizer guards.
  if SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 "$out/bin/$name" "$found" "$here/corpus/$name" \
    -seed="$seed" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 \
    -artifact_prefix="$out/crashes/$name-" >"$log" 2>&1; then
    echo "  $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs," \
      "$(grep -o 'cov: [0-9]*' "$log" | tail -1), no fault"
    [ "$seed" = 0 ] || rm -rf "$found"
  else
    echo "  $name: FAULT, see $log"
    grep -E 'ERROR|SUMMARY|Fatal error|line [0-9]|Test unit written' "$log" | head -5
    return 1
  fi
}

names=("$@")
if [ ${#names[@]} = 0 ]; then
  for source in "$here"/*Fuzzer.swift; do names+=("$(basename "$source" Fuzzer.swift)"); done
fi
echo "Building ${#names[@]} fuzzers"
for name in "${names[@]}"; do build "$name"; done
echo "Running each for $seconds s"
export -f fuzz
export here out seconds
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz {} || exit 1' || { echo "A fuzzer found a fault"; exit 1; }
