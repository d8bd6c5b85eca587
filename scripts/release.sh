#!/usr/bin/env bash
# Makes what is given away of the version that is committed, in the folder release, which is made anew:
#
#   scripts/release.sh           make it
#   scripts/release.sh --twice   make it twice, from two clones in different folders, and compare byte for byte
#
# Both times share the caches of Go; scripts/reproduce.sh builds with caches of their own. With a key, the list of hashes is
# signed as ssh-keygen does, so that nobody needs a program of ours to check one:
#
#   ssh-keygen -t ed25519 -f release.key
#   DRAWHOUSE_RELEASE_KEY=release.key scripts/release.sh
#   echo "release $(cat release.key.pub)" >signers     # once, by a way that is trusted
#   ssh-keygen -Y verify -f signers -I release -n drawhouse-release -s SHA256SUMS.sig <SHA256SUMS && sha256sum -c SHA256SUMS
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
key=${DRAWHOUSE_RELEASE_KEY:-}
[ -z "$key" ] || key=$(realpath "$key")

[ $# -eq 0 ] || [ "$*" = --twice ] || {
	sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
	exit 2
}
[ -z "$(git status --porcelain --untracked-files=no)" ] || {
	echo "release: there are changes that are not committed, which a clone would not have" >&2
	exit 1
}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

# make_release makes a release from the clone $1 in the folder $1.out.
make_release() {
	echo "release: making it in $1, started $(date +%H:%M:%S)"
	git clone -q . "$work/$1"
	(cd "$work/$1/internal/release" && $go build -buildvcs=false -o "$work/make" .)
	"$work/make" -source "$work/$1" -out "$work/${1//\//-}.out"
}

(cd internal/release && $go vet . && $go test .)
make_release one
if [ "${1:-}" = --twice ]; then
	make_release another/folder
	diff -r "$work/one.out" "$work/another-folder.out"
	echo "release: both times the same bytes"
fi
rm -rf release
mv "$work/one.out" release
if [ -n "$key" ]; then
	ssh-keygen -q -Y sign -n drawhouse-release -f "$key" release/SHA256SUMS
else
	printf '\n*** release: NOT SIGNED: DRAWHOUSE_RELEASE_KEY names no key\n\n' >&2
fi
(cd release && sha256sum --quiet -c SHA256SUMS && ls -l)
