#!/usr/bin/env bash
# Writes the journals of this version of the program, which package kept keeps for good: the scenarios in
# internal/kept/testdata/scenarios, and what only a running house writes. Then it writes what is told of them.
#
# Journals of another version stay as they are. Those of a version that was given to anybody are never written again:
# raise the version (version.go) first.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}

DRAWHOUSE_KEEP=$(mktemp -d)
export DRAWHOUSE_KEEP
trap 'rm -rf "$DRAWHOUSE_KEEP"' EXIT
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' version.go)
if git rev-parse -q --verify "refs/tags/v$version" >/dev/null; then
	echo "candidate: v$version was released, and its journals stay as they are; raise the version in version.go" >&2
	exit 1
fi
$go test ./house -run '^TestBeaconBesideLinks$|^TestRepeatByGenerator$/^confirmed$' -count 1
$go test ./internal/kept -run '^TestCandidate$' -count 1 -candidate -v
$go test ./internal/kept -run '^TestKeptAnswers$' -count 1 -rewrite
$go test ./internal/kept -count 1
git status --short -- internal/kept
