#!/usr/bin/env bash
# Puts the draw devices through the statistical suites of a laboratory: every
# test called TestLab... under the build tag soak.
#
# It fails if there is none, because a laboratory that examined nothing has no
# result to report.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=()
listed=$(go list -tags soak ./...)
for package in $listed; do
	if go test -tags soak -list '^TestLab' "$package" | grep -q '^TestLab'; then
		packages+=("$package")
	fi
done
if [ ${#packages[@]} -eq 0 ]; then
	echo "lab: there is no laboratory test yet, because no draw device is built; nothing was examined" >&2
	exit 1
fi

scripts/setup-test.sh lab
for package in "${packages[@]}"; do
	echo "lab: $package, started $(date +%H:%M:%S)"
	go test -tags soak -run '^TestLab' -timeout 6h -count 1 -v "$package"
done
