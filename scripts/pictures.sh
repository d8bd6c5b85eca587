#!/bin/bash
# Takes the pictures of the documentation anew: the tests of the screens take many, in Chromium, and these of them are kept.
set -euo pipefail
cd "$(dirname "$0")/.."
taken=$PWD/.bin/pictures
mkdir -p "$taken"
[ "${1-}" = --kept ] || go test ./edge/web -count=1 -timeout 30m -args -screenshots "$taken"

# Under docs/pictures: the name there, and the picture as it was taken.
while read -r kept from; do
	[ -z "$kept" ] || cp "$taken/$from.png" "docs/pictures/$kept.png"
done <<'END'
board-1280x720      board-1280x720
board-390x844       board-390x844

display-1280x720    day-display-drawing-1280x720
display-1920x1080   day-display-drawing-1920x1080
display-390x844     day-display-drawing-390x844
display-result      day-display-result-1280x720
display-closed      day-display-closed-1280x720
display-empty       no-game-1920x1080
display-offline     offline-1920x1080

terminal-1280x720   terminal-light-1280x720
terminal-1920x1080  terminal-light-1920x1080
terminal-390x844    terminal-light-390x844
terminal-dark       terminal-dark-1280x720
terminal-empty      terminal-empty-light-1280x720
terminal-winner     day-terminal-light-1280x720
terminal-refused    terminal-refused
terminal-offline    day-terminal-offline
terminal-full       terminal-full-light-1280x720
terminal-settle     terminal-settle-light-1280x720
terminal-payee      terminal-payee-light-1280x720
terminal-card       terminal-card-light-1280x720
terminal-voucher    terminal-voucher-light-1280x720
terminal-printer    terminal-printer-light-1280x720
customer-light-1280x720  customer-light-1280x720
customer-idle       customer-idle-light-1280x720

kiosk-1280x720      day-kiosk-light-1280x720
kiosk-1920x1080     day-kiosk-light-1920x1080
kiosk-390x844       day-kiosk-light-390x844
kiosk-mark          kiosk-mark-light-1280x720
kiosk-race          kiosk-race-light-1280x720
kiosk-terms         kiosk-terms-light-1280x720
kiosk-pay           kiosk-pay-light-1280x720
kiosk-refused       kiosk-refused-light-1280x720
kiosk-printer       kiosk-printer-light-1280x720
kiosk-winner        day-kiosk-ticket-light-1280x720

ticket-1280x720     day-ticket-light-1280x720
ticket-1920x1080    day-ticket-light-1920x1080
ticket-390x844      ticket-light-390
ticket-unknown      ticket-unknown
ticket-waiting      ticket-waiting

office              office-day-today-light-1280x720
office-people       office-full-people-light-1280x720
office-refused      office-refused-light-1280x720
office-terminals    office-terminals-light-1280x720
office-sales        office-day-sales-light-1280x720
office-rules        office-day-rules-light-1280x720
office-jackpots     office-day-jackpots-light-1280x720
office-reports      office-day-reports-light-1280x720
office-claims       office-day-claims-light-1280x720
office-cheques      office-cheques-light-1280x720
office-rooms        office-rooms-light-1280x720
desk-winners        desk-winners-light-1280x720

inspector-game      inspector-game-light-1280x720
inspector-altered   inspector-altered-light-1280x720
inspector-ticket    inspector-ticket-light-1280x720
inspector-volumes   inspector-volumes-light-1280x720
inspector-takeaway  inspector-takeaway-light-1280x720

hall                hall-dark-1280x720
hall-phone          hall-dark-390x844
hall-between        hall-between-dark-1280x720
hall-empty          hall-empty-dark-1280x720
hall-entering       hall-entering-dark-1280x720
hall-checking       hall-checking-dark-1280x720
hall-corrected      hall-corrected-dark-1280x720
hall-won            hall-won-dark-1280x720
hall-overfull       hall-overfull-dark-1280x720
hall-rules          hall-rules-dark-1280x720
hall-offline        hall-offline-1920x1080
desk-plan           desk-plan-light-1280x720
desk                desk-light-1280x720
desk-overfull       desk-overfull-light-1280x720
caller-announce     caller-announce-light-1280x720
caller              caller-light-1280x720
caller-claim        caller-claim-light-1280x720
caller-check        caller-check-light-1280x720
caller-won          caller-won-light-1280x720
card                card-light-1280x720
card-empty          card-empty-light-1280x720
card-phone          card-light-390x844
END
