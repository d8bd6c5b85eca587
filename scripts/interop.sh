#!/usr/bin/env bash
# Reads what the program writes with programs that are not ours: the tables of an export as Parquet, with the reader of
# Apache Arrow. These programs are modules of their own below internal/interop.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

DRAWHOUSE_INTEROP="$dir" ${GO:-go} test ./books/facts -run '^TestExportsForInterop$' -count=1
(cd internal/interop/parquet && ${GO:-go} vet ./... && ${GO:-go} test ./... && ${GO:-go} build -o "$dir/parquet" .)
for house in "$dir"/*/; do
  echo "$(basename "$house"): $("$dir/parquet" "$house/csv" "$house/parquet")"
done
