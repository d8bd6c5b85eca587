#!/usr/bin/env bash
# Holds the description of the interface, as a demonstration house serves it, against two programs of others that read
# such descriptions: Redocly and Spectral. They come from the npm registry at one version, with what they need as it was
# on one day, into .bin. An error or a warning of either fails.
set -euo pipefail
cd "$(dirname "$0")/.."

redocly=@redocly/cli@2.77.0
spectral=@stoplight/spectral-cli@6.16.3
before=2026-11-19
tools=$PWD/.bin/openapi

if ! command -v npm >/dev/null; then
	printf '\n*** lint-openapi: npm is missing (Debian: npm): SKIPPING Redocly and Spectral\n\n' >&2
	exit 0
fi
if [ "$(cat "$tools/versions" 2>/dev/null)" != "$redocly $spectral $before" ]; then
	mkdir -p "$tools"
	echo '{"private": true}' >"$tools/package.json"
	npm install --prefix "$tools" --before "$before" --ignore-scripts --no-audit --no-fund "$redocly" "$spectral"
	echo "$redocly $spectral $before" >"$tools/versions"
fi

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
go build -o "$work/drawhouse" ./cmd/drawhouse
"$work/drawhouse" serve --demo --addr 127.0.0.1:0 --data "$work/house" >"$work/log" 2>&1 &
server=$!
until house=$(sed -n 's/^drawhouse is open at //p' "$work/log") && [ -n "$house" ]; do
	kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
	sleep 0.2
done
curl -fsS "${house%/}/openapi.json" >"$work/openapi.json"

# Nobody in particular answers for a house everywhere: who does is for its operator to say, so that there is no contact.
printf 'extends: ["spectral:oas"]\nrules:\n  info-contact: off\n' >"$work/spectral.yaml"
export REDOCLY_TELEMETRY=off
"$tools/node_modules/.bin/spectral" lint "$work/openapi.json" --ruleset "$work/spectral.yaml" --fail-severity warn
"$tools/node_modules/.bin/redocly" lint "$work/openapi.json" --max-problems 1000 2>&1 | tee "$work/redocly"
if grep -q '^You have .* warning' "$work/redocly"; then
	echo "lint-openapi: Redocly warns" >&2
	exit 1
fi
