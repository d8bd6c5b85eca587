#!/usr/bin/env bash
# Holds the program against programs that are not ours: the tables of an export are read as Parquet, with the reader of
# Apache Arrow; the public log of a house is read by the client of transparency-dev/tessera, and cosigned by omniwitness
# of transparency-dev; the house gets its certificate from pebble of Let's Encrypt. These programs are modules of their
# own below internal/interop.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

for module in parquet tiles; do
  (cd internal/interop/$module && $go vet ./... && $go test ./... && $go build -o "$dir/$module" .)
done
(cd internal/interop/omniwitness && $go vet ./... && $go build -o "$dir/omniwitness" \
  github.com/transparency-dev/witness/cmd/omniwitness)
for program in pebble pebble-challtestsrv; do
  (cd internal/interop/pebble && $go vet ./... && $go build -o "$dir/$program" \
    github.com/letsencrypt/pebble/v2/cmd/$program)
done

mkdir "$dir/exports"
DRAWHOUSE_INTEROP="$dir/exports" $go test ./books/facts -run '^TestExportsForInterop$' -count=1
for house in "$dir"/exports/*/; do
  echo "$(basename "$house"): $("$dir/parquet" "$house/csv" "$house/parquet")"
done
DRAWHOUSE_TILES="$dir/tiles" $go test ./cmd/drawhouse -run '^TestTilesOfOthers$' -count=1 -v
DRAWHOUSE_OMNIWITNESS="$dir/omniwitness" $go test ./cmd/drawhouse -run '^TestOmniwitness$' -count=1 -v
DRAWHOUSE_PEBBLE="$dir/pebble" $go test ./cmd/drawhouse -run '^TestPebble$' -count=1 -v
