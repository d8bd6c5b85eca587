#!/usr/bin/env bash
# Makes sure of the programs that tests use besides Go, from Debian's packages.
#
#   scripts/setup-test.sh          what `make test` uses
#   scripts/setup-test.sh lab      the suites of `make lab` as well
#
# A program that is there is left alone. A missing one is installed if this is a
# Debian system and we are root or may become root without a password. What
# cannot be installed is reported together with the tests that will skip, and is
# no failure: every test that needs a program skips by name without it. Set
# DRAWHOUSE_NO_INSTALL=1 to install nothing.
set -euo pipefail

say()  { printf 'setup-test: %s\n' "$*"; }
loud() { printf '\n*** setup-test: %s\n\n' "$*" >&2; }

# wanted lists package | program | what skips without it | package and program that does in its place, if slower.
wanted() {
	cat <<-'END'
		postgresql|postgres|the PostgreSQL storage tests
		chromium-headless-shell|chromium-headless-shell|the browser tests of the screens|chromium
		zbar-tools|zbarimg|the tests that read bar codes back
		poppler-utils|pdftotext|the tests that read PDF files back
		strace|strace|the tests that make a disk fail
		patroni|patroni|the tests of a cluster that fails over
		etcd-server|etcd|the tests of a cluster that fails over
		python3-openpyxl|/usr/lib/python3/dist-packages/openpyxl|the tests that read spreadsheets back
		python3-cryptography|/usr/lib/python3/dist-packages/cryptography|the test of the terminal in Python
		hledger|hledger|the tests that read journal entries back
		prometheus|promtool|the tests of the alarm rules
		softhsm2|softhsm2-util|the tests of keys in a token
		p11-kit|p11-kit|the tests of keys in a token
	END
	if [ "${1:-}" = lab ]; then
		cat <<-'END'
			dieharder|dieharder|the laboratory tests of the draw devices
			ent|ent|the laboratory tests of the draw devices
		END
	fi
}

# Debian keeps the PostgreSQL server, and root's programs, off the path.
have() {
	[ -e "$1" ] || command -v "$1" >/dev/null || compgen -G "/usr/lib/postgresql/*/bin/$1" >/dev/null
}

missing=()
while IFS='|' read -r package program skips instead; do
	if have "$program"; then
		say "$program is there"
	else
		missing+=("$package|$program|$skips|$instead")
	fi
done < <(wanted "$@")

if [ ${#missing[@]} -eq 0 ]; then
	exit 0
fi

why_not=""
as_root=()
if [ -n "${DRAWHOUSE_NO_INSTALL:-}" ]; then
	why_not="DRAWHOUSE_NO_INSTALL is set"
elif ! command -v apt-get >/dev/null; then
	why_not="there is no apt-get on this system"
elif [ "$(id -u)" -ne 0 ]; then
	if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		as_root=(sudo -n)
	else
		why_not="we are not root and cannot become root without a password"
	fi
fi

root() { "${as_root[@]}" "$@"; }

apt() {
	root env DEBIAN_FRONTEND=noninteractive timeout 900 \
		apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 "$@"
}

# Tests start servers of their own, so Debian's packages must not leave one running on
# this machine: PostgreSQL is told to make no cluster, and no service may start while we
# install. A machine that has such a policy already keeps it.
no_cluster=/etc/postgresql-common/createcluster.d/drawhouse-tests.conf
no_start=/usr/sbin/policy-rc.d
install_one() {
	local package=$1 status=0 ours=""
	if [ "$package" = postgresql ]; then
		root mkdir -p "$(dirname "$no_cluster")"
		echo 'create_main_cluster = false' | root tee "$no_cluster" >/dev/null
	fi
	if [ ! -e "$no_start" ]; then
		ours=1
		printf '#!/bin/sh\nexit 101\n' | root tee "$no_start" >/dev/null
		root chmod 755 "$no_start"
	fi
	apt install -y --no-install-recommends "$package" || status=$?
	[ -z "$ours" ] || root rm -f "$no_start"
	if [ "$package" = postgresql ]; then
		root rm -f "$no_cluster"
	fi
	if command -v systemctl >/dev/null; then # nor at the next start of the machine
		case "$package" in
		etcd-server) root systemctl disable etcd >/dev/null 2>&1 || true ;;
		prometheus) root systemctl disable prometheus >/dev/null 2>&1 || true ;;
		esac
	fi
	return "$status"
}

if [ -z "$why_not" ]; then
	say "apt-get update"
	apt update || say "apt-get update failed; trying with the lists that are here"
fi

for entry in "${missing[@]}"; do
	IFS='|' read -r package program skips instead <<<"$entry"
	reason=$why_not
	if [ -z "$reason" ]; then
		say "$program is missing: installing $package"
		if install_one "$package" && have "$program"; then
			continue
		fi
		reason="apt-get could not install $package"
	fi
	if [ -n "$instead" ] && { have "$instead" || { [ -z "$why_not" ] && install_one "$instead"; }; }; then
		say "$reason: $instead does in its place"
		continue
	fi
	loud "$program is missing and $reason: SKIPPING $skips"
done
