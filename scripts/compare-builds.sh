#!/usr/bin/env bash
# Compares what two builds of the program tell of the same house, to be read before an upgrade:
#
#   scripts/compare-builds.sh OLD NEW DATA OUT [PATHS]
#
# OLD and NEW are programs, DATA is the data directory of a house that the old build wrote and
# that has stopped, OUT a directory to write, which must not exist. PATHS is a file of paths of the
# interface, such as /v1/tickets/SERIAL, one a line; both builds then follow the journal and
# answer them (this needs curl).
#
# Each build works on a copy of its own. It makes every report that both know, exports the journal and
# verifies the export, and exports the facts. Tables are held against each other column by column,
# by name and by row, so that a column that is new is listed and hides no other. One line a difference:
#
#   differs NAME          both told it, and told something else: OUT/old/NAME and OUT/new/NAME
#   only old NAME         the new build does not tell it
#   only new NAME         the old build did not tell it
set -euo pipefail

[ $# -ge 4 ] || {
	sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
old=$(realpath "$1") new=$(realpath "$2") data=$3 out=$4 paths=${5:-}
mkdir "$out"
out=$(realpath "$out")
server=
trap '[ -z "$server" ] || kill "$server"' EXIT

# tell runs a command and keeps its output, or how it was refused.
tell() {
	local file=$1
	shift
	mkdir -p "$(dirname "$file")"
	"$@" >"$file" 2>&1 || echo "refused: $?" >>"$file"
}

# columns writes every column of the CSV file $1 into a file of its own in the directory $2.
columns() {
	mkdir -p "$2"
	awk -v dir="$2" '
		function keep(    name, n) {
			n = 0
			if (row++ == 0) for (i = 1; i <= count; i++) {
				name = field[i]
				gsub(/[^A-Za-z0-9_%()-]/, "_", name)
				if (seen[name]++) name = name "." seen[name]
				file[i] = dir "/" name
			}
			for (i = 1; i <= count; i++) print field[i] > file[i]
			count = 0
		}
		{
			line = $0
			if (!quoted) { count = 0; text = "" } else text = text "\\n"
			for (at = 1; at <= length(line); at++) {
				c = substr(line, at, 1)
				if (c == "\"") {
					if (quoted && substr(line, at + 1, 1) == "\"") { text = text c; at++ } else quoted = !quoted
				} else if (c == "," && !quoted) { field[++count] = text; text = "" }
				else text = text c
			}
			if (!quoted) { field[++count] = text; keep() }
		}' "$1"
	rm "$1"
}

# reports lists the reports that a build knows.
reports() { "$1" report | awk '{print $1}' | sort; }

# told makes everything that the build $2 tells, in the folder $1.
told() {
	local dir=$out/$1 build=$2 copy=$out/copy-$1 since=--from=2000-01-01 until=--to=2100-01-01
	cp -R "$data" "$copy"
	for name in $both; do
		tell "$dir/report/$name.txt" "$build" report "$name" --data="$copy" $since $until --rebuild
		tell "$dir/report/$name.csv" "$build" report "$name" --data="$copy" $since $until --rebuild --format=csv
		columns "$dir/report/$name.csv" "$dir/report/$name"
	done
	tell "$dir/journal.txt" "$build" journal export --data="$copy" "$dir/journal"
	sed -i "s|$dir|OUT|" "$dir/journal.txt"
	tell "$dir/verify.txt" "$build" verify export "$dir/journal"
	tell "$dir/export.txt" "$build" export --data="$copy" "$dir/facts"
	sed -i "s|$dir|OUT|" "$dir/export.txt"
	find "$dir/facts" -name '*.csv' 2>/dev/null | while read -r table; do columns "$table" "${table%.csv}"; done
	[ -z "$paths" ] || answers "$dir/answers" "$build" "$copy"
}

# answers asks a build that follows the journal for every path.
answers() {
	local dir=$1 build=$2 copy=$3 house=
	mkdir -p "$dir"
	"$build" serve --follow --addr=127.0.0.1:0 --data="$copy" --rate-address=0 >"$copy.log" 2>&1 &
	server=$!
	until house=$(grep -o 'follows at http://.*' "$copy.log"); do
		kill -0 "$server" 2>/dev/null || { cat "$copy.log" >&2; exit 1; }
		sleep 0.2
	done
	house=${house#follows at }
	while read -r path; do
		curl -s "$house$path" -o "$dir/$(tr / - <<<"${path#/}")"
	done <"$paths"
	kill "$server"
	wait "$server" || true
	server=
}

both=$(comm -12 <(reports "$old") <(reports "$new"))
told old "$old"
told new "$new"
cd "$out"
(cd old && find . -type f | sort) >old.files
(cd new && find . -type f | sort) >new.files
{
	comm -12 old.files new.files | while read -r file; do cmp -s "old/$file" "new/$file" || echo "differs ${file#./}"; done
	comm -23 old.files new.files | sed 's|^./|only old |'
	comm -13 old.files new.files | sed 's|^./|only new |'
} | tee differences
echo "compare-builds: $(wc -l <differences) differences, $(comm -12 old.files new.files | wc -l) files that both have" >&2
