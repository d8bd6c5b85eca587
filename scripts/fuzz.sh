#!/usr/bin/env bash
# Runs every fuzz target of the module for a short time, one after the other:
#
#   scripts/fuzz.sh [time for each, 5s by default] [package pattern, ./... by default]
#
# go test -fuzz takes one target of one package; this finds them all, so that a
# new target needs no list to be kept.
set -euo pipefail
cd "$(dirname "$0")/.."

time=${1:-5s}
pattern=${2:-./...}

targets=()
listed=$(go list "$pattern")
for package in $listed; do
	found=$(go test -list '^Fuzz' "$package" | { grep '^Fuzz' || true; })
	for target in $found; do
		targets+=("$package $target")
	done
done

echo "fuzz: ${#targets[@]} targets, $time each"
count=0
for entry in "${targets[@]}"; do
	read -r package target <<<"$entry"
	count=$((count + 1))
	echo "fuzz: [$count/${#targets[@]}] $package $target"
	go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$package"
done
