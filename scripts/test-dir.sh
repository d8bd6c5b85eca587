#!/usr/bin/env bash
# Prints the folder in which `make test` keeps the files of its tests: one in memory, if this
# machine has eight gigabytes to spare there and lets programs run from it, or else the
# ordinary one. The tests write thousands of small files and wait until each is on the disk.
# They kill processes and make writes fail, and never cut the power of the machine, so that
# they show the same in memory. The folder keeps its name, so that Go knows results of before.
set -euo pipefail

memory=/dev/shm
ordinary=${TMPDIR:-/tmp}
folder=$memory/drawhouse-test-$(id -u)

if [ -n "${TMPDIR:-}" ] || [ ! -d "$memory" ] || [ ! -w "$memory" ]; then
	echo "$ordinary"
	exit
fi
room=$(df --output=avail -k "$memory" 2>/dev/null | tail -n 1 || true)
free=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
if [ "${room:-0}" -lt $((8 << 20)) ] || [ "${free:-0}" -lt $((8 << 20)) ]; then
	echo "$ordinary"
	exit
fi
# A server of the tests runs as another user, who must be able to go through.
mkdir -p "$folder" && chmod 711 "$folder" || true
probe=$folder/runs.$$
if [ -O "$folder" ] && printf '#!/bin/sh\n' >"$probe" && chmod +x "$probe" && "$probe" 2>/dev/null; then
	echo "$folder"
else
	echo "$ordinary"
fi
rm -f "$probe"
