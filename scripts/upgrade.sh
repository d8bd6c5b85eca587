#!/usr/bin/env bash
# Changes the program of a house under load, on SQLite and on PostgreSQL: an older program, this one, the older one
# again, this one, and one that is newer by the level of the journal. It prints how long nothing was sold at each
# change, how many tickets were acknowledged and lost, and what an older program says of a newer journal.
#
#   scripts/upgrade.sh [COMMIT]      COMMIT is that of the older program, the one before if it is not given
#
# The older program is built from a clone; the newer one from a copy of what is checked out, with another version and
# another level. Nothing is installed; what is not committed is part of this program.
set -Eeuo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
older=$(git rev-parse --short "${1:-HEAD~1}")

work=$(mktemp -d)
cleanup() {
	chmod -R u+w "$work"
	rm -rf "$work"
}
trap cleanup EXIT
trap 'echo "upgrade: FAILED at line $LINENO" >&2' ERR
say() { echo "upgrade: $*"; }

# program builds the program of the sources in $1 as $work/$2, as tests do: what others wrote is compiled already.
program() {
	(cd "$1" && $go build -buildvcs=false -ldflags='-s -w -X drawhouse/house/person.cheap=yes' \
		-o "$work/$2" ./cmd/drawhouse)
}

# instead puts the text $3 in the place of the text $2 of a file, which has it once.
instead() {
	[ "$(grep -cF -- "$2" "$1")" -eq 1 ] || { echo "upgrade: $1 does not say once: $2" >&2; exit 1; }
	local text
	text=$(<"$1")
	printf '%s\n' "${text/"$2"/"$3"}" >"$1"
}

say "building the program of $older"
git clone -q . "$work/older.src"
git -C "$work/older.src" checkout -q "$older"
program "$work/older.src" older

say "building this program, $(git describe --always --dirty)"
program . this

say "building a program that is newer by the level of its journals"
mkdir "$work/newer.src"
git ls-files -z | xargs -0 cp --parents -t "$work/newer.src"
version=$(sed -n 's/^const Version = "\(.*\)"$/\1/p' version.go)
instead "$work/newer.src/version.go" "const Version = \"$version\"" 'const Version = "99.0.0"'
instead "$work/newer.src/journal/record/level.go" "	Level = LevelSeries" "	Level = LevelSeries + 1"
program "$work/newer.src" newer

say "$(getconf _NPROCESSORS_ONLN) processors, load $(cut -d' ' -f1 /proc/loadavg)"
DRAWHOUSE_BINARY=$work/this DRAWHOUSE_UPGRADE_OLDER=$work/older DRAWHOUSE_UPGRADE_NEWER=$work/newer \
	$go test ./cmd/drawhouse -run '^TestUpgrade$' -count 1 -timeout 15m -v | tee "$work/log" |
	sed -n 's/^ *upgrade_test.go:[0-9]*: /upgrade:   /p; s/^=== RUN   TestUpgrade\//upgrade: /p; /^--- FAIL\|^FAIL\|^panic/p'
grep -q '^--- PASS: TestUpgrade ' "$work/log" || { cat "$work/log" >&2; exit 1; }
