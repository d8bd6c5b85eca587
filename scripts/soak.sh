#!/usr/bin/env bash
# Runs the tests that are too long for every day: those under the build tag soak,
# every property test with many more random cases (a thousand on PostgreSQL, where each
# waits for the disk), two hundred kills of a house, half of them on each kind of storage,
# two hundred games under a witness that replays them, 60,000 tickets of each rulebook by house and verify,
# a lie about every record of a journal,
# the books of a quarter of every rulebook computed again from exported tables,
# a million random bingo cards, two rounds of blows on a cluster, a siege of ten minutes, ten million acts of the searcher,
# three hundred thousand random requests whose answers are held against the description of the interface,
# and every guard and every row of the money tables switched off once:
#
#   scripts/soak.sh [cases for each property, 5000 by default] [package pattern]
#
# All packages run even if one fails; the exit status tells. What the tests log is
# printed, since it is the figures that a soak is run for; all that they say is in
# .bin/soak.log.
set -euo pipefail
cd "$(dirname "$0")/.."

export RAPID_CHECKS=${1:-5000}
export DRAWHOUSE_KILLS=${DRAWHOUSE_KILLS:-100}
export DRAWHOUSE_REPLAYS=${DRAWHOUSE_REPLAYS:-200} # games under a witness that replays them
export DRAWHOUSE_CLUSTER_ROUNDS=${DRAWHOUSE_CLUSTER_ROUNDS:-2}
export DRAWHOUSE_SIEGE=${DRAWHOUSE_SIEGE:-10m}
export DRAWHOUSE_SEARCH=${DRAWHOUSE_SEARCH:-2500000} # acts under each of the four rulebooks
export GENERAL_TICKETS=${GENERAL_TICKETS:-1000000}       # under each rulebook of a game that was not in the specification
export DRAWHOUSE_ROWS=${DRAWHOUSE_ROWS:-1}             # rows and guards switched off, for the searcher
export DRAWHOUSE_CARDS=${DRAWHOUSE_CARDS:-1000000}     # random bingo cards, each way
export AGREE_TICKETS=${AGREE_TICKETS:-60000}           # under each rulebook, by house and verify; and a lie about every record
export DRAWHOUSE_EVERY_SCREEN=${DRAWHOUSE_EVERY_SCREEN:-1} # pages on both desks and a phone, each in the light and in the dark
export DRAWHOUSE_FACTS=${DRAWHOUSE_FACTS:-all}         # houses, and days of a quarter, whose books are computed again from tables
export DRAWHOUSE_LONG_SCENARIOS=${DRAWHOUSE_LONG_SCENARIOS:-1} # scenarios of a thousand games over the interface, too
export DRAWHOUSE_DESCRIBED=${DRAWHOUSE_DESCRIBED:-300000}    # random requests whose answers are compared with the description of the interface
export DRAWHOUSE_UNGUARD=${DRAWHOUSE_UNGUARD:-all}

began=$(date +%s)
echo "soak: $RAPID_CHECKS cases for each property, $DRAWHOUSE_KILLS kills on each storage, $DRAWHOUSE_CLUSTER_ROUNDS rounds on a cluster, a siege of $DRAWHOUSE_SIEGE"
status=0
mkdir -p .bin
go test -tags soak -timeout 120m -count 1 -v "${2:-./...}" | tee .bin/soak.log |
	{ grep --line-buffered -aE '^(ok|FAIL|panic:)|--- FAIL: |^ +[a-z_]+_test\.go:[0-9]+: ' || true; } || status=$?
minutes=$((($(date +%s) - began + 59) / 60))
if [ "$status" -ne 0 ]; then
	echo "soak: FAILED after $minutes minutes"
	exit 1
fi
echo "soak: all passed in $minutes minutes"
