#!/usr/bin/env bash
# Puts the generator device through the statistical suites of a laboratory and
# keeps the result in docs/RANDOMNESS.md, between the two marks there:
#
#   scripts/lab.sh            all of it: five to ten minutes
#   DRAWS=100000000 scripts/lab.sh
#
# The raw bytes are those that the device reads (drawhouse draw --raw), and the
# draws are made by its selection (drawhouse rng report). Whatever comes out is
# kept, and nothing is run again until it looks better. It fails if a test fails.
set -euo pipefail
cd "$(dirname "$0")/.."

# The tests of dieharder that it calls good, with their own settings, but for 17,
# 201, 203 and 204, which take an hour together.
battery=(0 1 2 3 4 8 9 10 11 12 13 15 16 100 101 102 "200 -n 3" "202 -n 5" 205 206 207 208 209)
draws=${DRAWS:-10000000}
plenty=1000000000000 # bytes offered to a test, which takes what it needs

page=docs/RANDOMNESS.md
begin='<!-- begin: written by scripts/lab.sh -->'
end='<!-- end: written by scripts/lab.sh -->'
grep -qxF "$begin" "$page" && grep -qxF "$end" "$page" || {
	echo "lab: $page lacks the marks between which the result is kept" >&2
	exit 1
}

scripts/setup-test.sh lab
for program in dieharder ent; do
	command -v "$program" >/dev/null || {
		echo "lab: $program is missing; nothing was examined" >&2
		exit 1
	}
done

commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/drawhouse" ./cmd/drawhouse

# examine TEST [OPTION...] prints the rows of one test of dieharder, for which a
# new stream is opened. The stream ends when the test closes the pipe; only a
# tripwire of the source says something before it ends.
examine() {
	{ "$work/drawhouse" draw --raw "$plenty" 2>"$work/complaint" || true; } | dieharder -g 200 -d "$@" |
		awk -F'|' 'NF == 6 && $1 !~ /test_name/ { gsub(/ /, ""); printf "%-22s %5s %9s %9s  %s  %s\n", $1, $2, $3, $4, $5, $6 }'
	if [ -s "$work/complaint" ]; then
		echo "lab: the source stopped: $(cat "$work/complaint")" >&2
		return 1
	fi
}

count=0
for entry in "${battery[@]}"; do
	count=$((count + 1))
	read -r -a options <<<"$entry"
	echo "lab: [$count/${#battery[@]}] dieharder -d $entry, started $(date +%H:%M:%S)"
	examine "${options[@]}" | tee -a "$work/dieharder"
done
echo "lab: ent"
"$work/drawhouse" draw --raw 1000000000 | ent | tee "$work/ent"
echo "lab: $draws draws"
unsound=0
"$work/drawhouse" rng report --draws "$draws" --plot docs/pictures/randomness.svg | tee "$work/report" || unsound=1

of() { grep -c "  $1\$" "$work/dieharder" || true; }
passed=$(of PASSED) weak=$(of WEAK) failed=$(of FAILED)
total=$((passed + weak + failed))
[ "$total" -ge "${#battery[@]}" ] || {
	echo "lab: dieharder gave $total results for ${#battery[@]} tests" >&2
	exit 1
}
{
	echo "Examined on $(date -u +%Y-%m-%d), $(uname -sm), by:"
	echo
	echo '```'
	echo "commit $commit"
	"$work/drawhouse" version | head -1
	dieharder -h 2>&1 | grep -o -m 1 'dieharder version [0-9.]*' || true
	echo '```'
	echo
	echo "**dieharder**: $total results: $passed passed, $weak weak, $failed failed. Of sound bytes 1 in 100 results is"
	echo "called weak (p below 0.005 or above 0.995) and 2 in 1,000,000 are called failed."
	echo
	echo '```'
	printf '%-22s %5s %9s %9s  %-10s  %s\n' test ntup tsamples psamples p assessment
	cat "$work/dieharder"
	echo '```'
	echo
	echo "**ent** over 1,000,000,000 bytes:"
	echo
	echo '```'
	cat "$work/ent"
	echo '```'
	echo
	echo "**drawhouse rng report**:"
	echo
	echo '```'
	cat "$work/report"
	echo '```'
	echo
	echo "![Counts of the numbers, sums and overlaps beside what chance gives](pictures/randomness.svg)"
} | sed 's/[[:space:]]*$//' >"$work/result"

awk -v begin="$begin" -v end="$end" -v result="$work/result" '
	$0 == end { skip = 0 }
	!skip { print }
	$0 == begin { while ((getline line < result) > 0) print line; skip = 1 }
' "$page" >"$work/page"
cp "$work/page" "$page"
echo "lab: $total results of dieharder: $passed passed, $weak weak, $failed failed; kept in $page"
[ "$failed" -eq 0 ] && [ "$unsound" -eq 0 ]
