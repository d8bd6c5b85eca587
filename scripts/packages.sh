#!/usr/bin/env bash
# Installs the package for Debian in a bare root, and lives with it: a house is founded, sells, draws and pays; it is
# upgraded from the package of the commit before; the package is removed and purged, and nothing of the house is lost.
#
#   scripts/packages.sh [COMMIT]      COMMIT is the older one, the one before if it is not given
#
# It takes root, mmdebstrap, curl and Debian's mirror. The root is made in a folder of its own; nothing is installed
# on this machine, and systemd runs in none of this.
set -Eeuo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
before=$(git rev-parse "${1:-HEAD~1}")
suite=bookworm

skip() {
	printf '\n*** packages: THE PACKAGES WERE NOT TRIED: %s\n\n' "$1" >&2
	exit 0
}
[ "$(id -u)" -eq 0 ] || skip "this takes root"
for program in mmdebstrap curl dpkg; do
	command -v $program >/dev/null || skip "there is no $program"
done
curl -sfo /dev/null -m 20 "http://deb.debian.org/debian/dists/$suite/InRelease" || skip "Debian's mirror does not answer"
git cat-file -e "$before:internal/release/main.go" || skip "$before makes no packages"
[ -z "$(git status --porcelain --untracked-files=no)" ] || {
	echo "packages: there are changes that are not committed, which a clone would not have" >&2
	exit 1
}

work=$(mktemp -d)
root=$work/root
server=
cleanup() {
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	! mountpoint -q "$root/proc" || umount "$root/proc"
	chmod -R u+w "$work"
	rm -rf "$work"
}
trap cleanup EXIT
trap 'echo "packages: FAILED at line $LINENO" >&2' ERR
say() { echo "packages: $*"; }

# package makes the package of the commit $2, $work/$1.deb.
package() {
	say "making the package of $2"
	git clone -q . "$work/$1"
	git -C "$work/$1" checkout -q "$2"
	(cd "$work/$1/internal/release" && $go build -buildvcs=false -o "$work/make-$1" .)
	"$work/make-$1" -source "$work/$1" -out "$work/$1.out" -platform "linux/$(dpkg --print-architecture)"
	mv "$work/$1.out"/*.deb "$work/$1.deb"
}

# inside runs a command in the root; as_house runs drawhouse there as the user of a house.
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
user=(chroot --userspec=drawhouse:drawhouse "$root" env -i PATH=/usr/bin DRAWHOUSE_DATA=/var/lib/drawhouse)
as_house() { "${user[@]}" DRAWHOUSE_HOUSE="${house:-}" drawhouse "$@"; }

install_package() {
	cp "$work/$1.deb" "$root/tmp/drawhouse.deb"
	inside dpkg -i /tmp/drawhouse.deb
	as_house version | tee "$work/version"
	grep -q "^commit $(git -C "$work/$1" rev-parse HEAD) " "$work/version"
}

# start runs the house until it is open; stop ends it.
start() {
	: >"$work/log" # the address of the last start is in it
	"${user[@]}" drawhouse serve --demo --interval 20s --ball 200ms --addr 127.0.0.1:0 >"$work/log" 2>&1 &
	server=$!
	until house=$(sed -n 's/^drawhouse is open at //p' "$work/log") && [ -n "$house" ]; do
		kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
		sleep 0.2
	done
	say "the house is open"
}
stop() {
	kill "$server"
	wait "$server"
	server=
}

# field prints the first value of a field of JSON; ticket prints what the house says of the ticket.
field() { sed -n 's/.*"'"$1"'": *"\{0,1\}\([^",}]*\).*/\1/p' | head -1; }
ticket() { curl -sf "$house/v1/tickets/$serial"; }

# await waits until the ticket of the house is settled.
await() {
	for _ in $(seq 120); do
		if ticket | grep -q '"phase":"settled"'; then return; fi
		sleep 1
	done
	echo "packages: ticket $serial is not settled" >&2
	exit 1
}

# sell sells a ticket by the request $1, under the claim code 0000-0000-0000-0000 or that of the hash $2.
sell() {
	as_house terminal send PUT "/v1/terminals/1/requests/$1/sale" '{"method": "form", "claim_hash": "'"$2"'",
		"ticket": {"v": 1, "rulebook": "vic-keno-2015", "first": "open", "games": 1, "bets": [{"bet": "classic",
		"groups": [[3], [7], [12], [17], [23], [38], [42], [56], [61], [79]], "play": {"spots": [1]},
		"stake_cents": 100}]}}' >"$work/sale"
	serial=$(field serial <"$work/sale")
	say "sold ticket $serial"
}

# verified exports the journal and checks every cent and every ball of it.
verified() {
	rm -rf "$root/var/lib/drawhouse/copy"
	as_house journal export /var/lib/drawhouse/copy >/dev/null
	as_house verify /var/lib/drawhouse/copy | tail -1
}

# kept lists the files of the house with their hashes.
kept() { (cd "$root/var/lib/drawhouse" && find . -type f -print0 | sort -z | xargs -0 sha256sum); }

package new HEAD
package old "$before"
say "making a bare $suite"
mmdebstrap -q --variant=minbase --include=systemd-standalone-sysusers "$suite" "$root"
mount -t proc proc "$root/proc"

install_package old
[ "$(inside stat -c '%U %a' /var/lib/drawhouse)" = "drawhouse 700" ]
[ -z "$(ls -A "$root/var/lib/drawhouse")" ]
inside sh -c 'test -z "$(find /etc/systemd/system -name "drawhouse*")"' # nothing is enabled
as_house rulebook new --base vic-keno-2015 /var/lib/drawhouse/rules.yaml >/dev/null
as_house found keno.example --rulebook /var/lib/drawhouse/rules.yaml --reference "decision 7" \
	--data /var/lib/drawhouse/founded | head -1
start # a demonstration beside it, because that one has no people yet
sell 1 d357a0516b93fe493d3c7119227ac8a9eba0d0c1e380cfc66995329a84e67c5b
first=$serial
await
won=$(ticket | field won_cents)
if [ "$won" -gt 0 ]; then
	as_house terminal send PUT /v1/terminals/1/requests/2/payment \
		'{"serial": "'"$serial"'", "claim_code": "0000-0000-0000-0000"}' >"$work/paid"
	[ "$(field paid_cents <"$work/paid")" = "$won" ]
	say "paid $won cents"
fi
ticket >"$work/before"
sell 3 "$(printf %064d 1)" # which is open while the package is upgraded
open=$serial
stop

install_package new
start
serial=$first
ticket | cmp - "$work/before"
serial=$open
await
say "the ticket that was open is settled"
stop
verified

kept >"$work/kept"
inside dpkg --remove drawhouse
[ ! -e "$root/usr/bin/drawhouse" ]
kept | cmp - "$work/kept"
inside dpkg --purge drawhouse
kept | cmp - "$work/kept"
say "removed and purged: the house has all its files"

install_package new
start
serial=$first
ticket | cmp - "$work/before"
stop
verified
as_house keys check --data /var/lib/drawhouse/founded
say "the house went on"
