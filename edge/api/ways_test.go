package api

import (
	"strings"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
)

// sayThemselves are the refusals of a payment whose own sentence says what to do, or for which
// nothing is owed.
var sayThemselves = map[string]string{
	"already_paid": "nothing is owed", "no_prize": "nothing is owed", "ticket_cancelled": "nothing is owed",
	"ticket_unknown": "nothing is owed",
	"not_drawn":      "nothing is owed yet", "claim_code_other": "the code on the ticket opens it",
	"serial_unreadable": "the serial is read again",
	"sheet_replaced":    "the later sheet is paid", "facts_missing": "it is tried again",
	"expect_other":  "it has the true amount",
	"means_unknown": "it is paid otherwise, which the sentence of the session says",
	"no_senior":     "when somebody has signed on", "no_writer": "when somebody has signed on",
	"not_through": "at a writer's terminal", "not_handed_out": "at a writer's terminal", "by_hand_only": "by hand",
	"too_late":     "on the form that the rulebook has, if it has one",
	"keeps_ticket": "with a claim code for the next sheet", "not_settled": "when that session has ended",
	"session_open":     "when the session has ended, or in it",
	"hand_cents_other": "with the amount that the ticket has won", "hand_payer_other": "with a person who may pay",
	"not_by_hand": "at a terminal",
	"in_session":  "in a session", "key_revoked": "an administrator gives the terminal a key",
	"not_delivered":  "printed again, void or claimed on a form",
	"means_not_from": "by another means", "means_other": "by the means that the sentence names",
	"means_too_much": "for less", "not_by_card": "by another means",
	"not_major": "by another means", "not_so": "up to the amount that the sentence names",
	"prize_disagrees": "the central site", "ticket_over_sst": "at a writer's terminal",
	"other_system":       "on the claim form that the sentence names",
	"terminal_unknown":   "at a terminal that the house has",
	"request_body_other": "with the next number", "request_burned": "with the next number",
	"request_leaps": "with a smaller number", "request_superseded": "with the next number",
}

// TestEveryRefusalOfAPaymentNamesTheWay holds that anybody who is owed money and does not get it is told
// how to: for every code with which a payment is described to be refused, and for those that
// stop money on every way.
func TestEveryRefusalOfAPaymentNamesTheWay(t *testing.T) {
	codes := append(command.RowOf[command.Pay]().Refused(), string(counter.UnderClaim), string(counter.VenueClosed),
		string(counter.Frozen))
	for _, code := range codes {
		way, itself := counter.WayTo(refusal.Code(code)), sayThemselves[code] != ""
		if (way == "") != itself {
			t.Errorf("%s: the way %q, and it is listed as one that says so itself: %v", code, way, itself)
		}
	}
	for code := range sayThemselves {
		if !strings.Contains(" "+strings.Join(codes, " ")+" ", " "+code+" ") {
			t.Errorf("%s refuses no payment", code)
		}
	}
}
