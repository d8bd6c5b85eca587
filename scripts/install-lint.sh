#!/usr/bin/env bash
# Installs the linter of .golangci.yml, at the one version that the configuration
# is written for, into .bin. It takes some minutes once and nothing afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."

version=v2.14.0
tool=github.com/golangci/golangci-lint/v2
binary=$PWD/.bin/golangci-lint

if [ -x "$binary" ] && "$binary" version 2>/dev/null | grep -qF "${version#v}"; then
	exit 0
fi

echo "install-lint: building golangci-lint $version into .bin (once; some minutes)"
mkdir -p .bin
if GOBIN=$PWD/.bin go install "$tool/cmd/golangci-lint@$version"; then
	exit 0
fi

# Where go install refuses, a throw-away module that requires the tool will do.
echo "install-lint: go install failed; building from a throw-away module"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
go mod init scratch
go get "$tool/cmd/golangci-lint@$version"
go build -o "$binary" "$tool/cmd/golangci-lint"
