#!/usr/bin/env bash
# Runs the tests that are too long for every day: those under the build tag soak,
# every property test with many more random cases, two hundred kills of a house, half of
# them on each kind of storage, and two rounds of blows on a cluster:
#
#   scripts/soak.sh [cases for each property, 20000 by default] [package pattern]
#
# Packages run one after the other, so that progress can be seen. All of them
# run even if one fails; the exit status tells. What the tests log is printed, since
# it is the figures that a soak is run for; the names of tests that passed are not.
set -euo pipefail
cd "$(dirname "$0")/.."

export RAPID_CHECKS=${1:-20000}
export DRAWHOUSE_KILLS=${DRAWHOUSE_KILLS:-100}
export DRAWHOUSE_CLUSTER_ROUNDS=${DRAWHOUSE_CLUSTER_ROUNDS:-2}
pattern=${2:-./...}

listed=$(go list -tags soak "$pattern")
read -r -d '' -a packages <<<"$listed" || true

echo "soak: ${#packages[@]} packages, $RAPID_CHECKS cases for each property"
count=0
failed=()
for package in "${packages[@]}"; do
	count=$((count + 1))
	echo "soak: [$count/${#packages[@]}] $package, started $(date +%H:%M:%S)"
	go test -tags soak -timeout 60m -count 1 -v "$package" |
		{ grep -vE '^(=== |PASS$| *--- (PASS|SKIP): )' || true; } || failed+=("$package")
done

if [ ${#failed[@]} -gt 0 ]; then
	echo "soak: FAILED: ${failed[*]}"
	exit 1
fi
echo "soak: all passed"
