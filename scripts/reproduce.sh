#!/usr/bin/env bash
# Builds the program twice, from two clones in different folders, with caches of their
# own, and compares the two byte for byte:
#
#   scripts/reproduce.sh
#
# So anybody who has the source and the same Go can tell whether a program that runs was
# made of it: build it, have it print its list (drawhouse version --parts), and hold the
# program that runs against the list (drawhouse version --verify LIST).
set -euo pipefail
cd "$(dirname "$0")/.."

[ -z "$(git status --porcelain --untracked-files=no)" ] || {
	echo "reproduce: there are changes that are not committed, which a clone would not have" >&2
	exit 1
}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

for clone in one another/folder; do
	echo "reproduce: building in $clone, started $(date +%H:%M:%S)"
	git clone -q . "$work/$clone"
	make -s -C "$work/$clone" build GOCACHE="$work/cache-${clone%%/*}"
done

one=$work/one/drawhouse another=$work/another/folder/drawhouse
sha256sum "$one" "$another" | sed "s|$work/||"
cmp "$one" "$another"
"$one" version --parts >"$work/list"
"$another" version --verify "$work/list" | tail -1
