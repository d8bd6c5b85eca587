package api

import (
	"slices"
	"testing"

	"drawhouse/record"
	"drawhouse/staff"
)

// writes are the records that operations write in the name of who asked, where no second
// person has to consent. What another person consents to is in staff.Actions.
var writes = map[string]record.Kind{
	"add-person": record.KindPersonAdded, "grant-role": record.KindRoleGranted, "withdraw-role": record.KindRoleWithdrawn, "invite-person": record.KindPersonInvited,
	"erase-person": record.KindPersonErased, "lock-person": record.KindLockSet, "send-home": record.KindShiftEnded,
	"add-operator": record.KindOperatorAdded, "set-hours": record.KindHoursSet, "add-area": record.KindAreaAdded, "report-display": record.KindDisplayReported,
	"key-terminal": record.KindTerminalKeyed, "revoke-terminal": record.KindTerminalRevoked, "allow-enrolment": record.KindTerminalKeyed,
	"pause": record.KindPlayPaused, "resume": record.KindPlayResumed, "announce-closure": record.KindClosureAnnounced, "show-notice": record.KindNoticeShown,
	"start-cage": record.KindCageStarted, "key-ball": record.KindBallKeyed, "attend-cage": record.KindCageAttended, "bring-link": record.KindLinkReleased,
	"freeze-payment": record.KindPaymentFrozen, "set-anonymity": record.KindAnonymitySet, "set-limit": record.KindVenueLimitSet,
	"register-card": record.KindCardRegistered, "set-card": record.KindCardStatusSet, "notify-card": record.KindCardNotified,
	"erase-holder": record.KindHolderErased, "erase-payee": record.KindPayeeErased, "hand-cheque": record.KindChequeHanded, "name-holidays": record.KindHolidaysNamed,
	"lodge-claim": record.KindClaimLodged, "note-claim": record.KindClaimNoted, "sign-claim": record.KindClaimSigned, "decide-claim": record.KindClaimDecided,
	"pay-claim": record.KindClaimPaid, "copy-claim": record.KindClaimNoted, "erase-claimant": record.KindClaimNoted,
	"open_hall": record.KindHallOpened, "add_table": record.KindTableAdded,
}

// TestAccessOfActors: no row of the table of access lets in a role that the core refuses as
// the actor of what the operation writes.
func TestAccessOfActors(t *testing.T) {
	for id, kind := range writes {
		row, ok := table[id]
		if !ok || len(row.roles) == 0 {
			t.Errorf("%s has no row with roles", id)
		}
		for _, role := range row.roles {
			if !slices.Contains(staff.MayAct(kind, true), role) {
				t.Errorf("%s lets in a %s, who may not be the actor of %v", id, role, kind)
			}
		}
	}
	for _, kind := range staff.ActingKinds() {
		if _, _, ok := (record.Record{Body: record.Empty(kind)}).InRoom(); !ok {
			continue
		}
		for _, role := range floor.roles {
			if !slices.Contains(staff.MayAct(kind, false), role) {
				t.Errorf("a room lets in a %s, who may not be the actor of %v", role, kind)
			}
		}
	}
}
