#!/bin/bash
# The five commits after the scripted one. usage: hand.sh <checkout>
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); cd "$1"
c() { python3 "$here/hand.py" "$1"; gofmt -w counter; go build ./counter; git add -A; git commit -qm "$2"; }
c clause "counter: find the last clause and the end of a time in one place

Three functions looked for the last clause of a citation, and three counted the
days of a time. They said the same."
c parties "counter: say once which roles speak for a party

Stops and claim forms had a table each. Package verify has one for both, of its
own; the parties that rulebooks name are the same."
c refuse "counter: keep the shared codes and first questions in one file

Terminal and series were looked up with the same refusal in six places."
c literals "counter: refuse in sales as elsewhere

Sale and cancellation wrote out what refuse says in a line."
c vouchers "counter: ask once whether vouchers paid, and whether a card is shut"
