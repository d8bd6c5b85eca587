#!/bin/bash
# Makes sale, session, payout, voucher and claim of a clean checkout into package counter.
# usage: run.sh <checkout>      (nothing is committed; see README)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$1" && pwd)
[ -z "$(git -C "$tree" status --porcelain)" ] || { echo "the checkout is not clean"; exit 1; }
(cd "$here" && go build -o countermove .)
"$here/countermove" -C "$tree" -tables "$here"
cd "$tree"
python3 "$here/texts.py"
gofmt -l . | sed 's/^/gofmt: /'
go build ./...
go test . -run 'Doc|Client' -rewrite 2>&1 | tail -20
echo "--- what still names the old packages (look at each):"
git grep -nE '"drawhouse/(sale|session|payout|voucher|claim)"|[Pp]ackages? (sale|session|payout|voucher|claim)\b|\b(sale|session|payout|voucher|claim)/[a-z*_]+\.go|\./(sale|session|payout|voucher|claim)\b' -- ':!*.js' | cut -c1-200 || true
git grep -nE '\b(sale|session|payout|voucher|claim)\.[A-Z]\w+' -- '*.md' | cut -c1-200 || true
git add -A
git status --short | grep -v '^[AMR]  ' | head || true
