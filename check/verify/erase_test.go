package verify_test

import (
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/journal/record"
)

// tellErasures has two cards, of which one is closed and its holder forgotten, and a payee
// who is forgotten.
func (h *house) tellErasures() {
	h.t.Helper()
	h.tellInspector()
	h.add("first card", &record.CardRegistered{Card: 1, Details: record.Hash{5}, By: asks})
	h.add("second card", &record.CardRegistered{Card: 2, Details: record.Hash{6}, By: asks})
	h.add("card closed", &record.CardStatusSet{Card: 1, Status: record.CardClosed, Reason: "own wish", By: asks})
	h.add("holder forgotten", &record.HolderErased{Card: 1, By: asks})
	h.add("payee forgotten", &record.PayeeErased{Payee: record.Hash{7}, By: asks})
	h.add("card closed again", &record.CardStatusSet{Card: 1, Status: record.CardClosed, Reason: "for good", By: asks})
}

// TestLyingAboutErasures: nobody is forgotten who is needed, nor twice, nor by somebody who
// does not keep the register, and a card whose holder nobody knows is not used again.
func TestLyingAboutErasures(t *testing.T) {
	holder := func(to func(*record.HolderErased)) lies { return change("holder forgotten", to) }
	payee := func(to func(*record.PayeeErased)) lies { return change("payee forgotten", to) }
	for _, d := range []damage{
		{"of an open card", holder(func(b *record.HolderErased) { b.Card = 2 }), verify.CheckPayments, "holder forgotten",
			"is not closed"},
		{"of no card", holder(func(b *record.HolderErased) { b.Card = 3 }), verify.CheckPayments, "holder forgotten",
			"is not closed"},
		{"before the card was closed", skip("card closed"), verify.CheckPayments, "holder forgotten", "is not closed"},
		{"by a supervisor", holder(func(b *record.HolderErased) { b.By = consents }), verify.CheckPayments,
			"holder forgotten", "no administrator"},
		{"by nobody", holder(func(b *record.HolderErased) { b.By = 99 }), verify.CheckPayments, "holder forgotten",
			"no administrator"},
		{"twice", before("payee forgotten", func(h *house) { h.add("again", &record.HolderErased{Card: 1, By: asks}) }),
			verify.CheckPayments, "again", "was forgotten before"},
		{"and used again", change("card closed again", func(b *record.CardStatusSet) { b.Status = record.CardActive }),
			verify.CheckPayments, "card closed again", "holder"},
		{"a payee by the inspector", payee(func(b *record.PayeeErased) { b.By = inspects }), verify.CheckPayments,
			"payee forgotten", "no administrator"},
		{"a holder as a payee", payee(func(b *record.PayeeErased) { b.Payee = record.Hash{6} }), verify.CheckPayments,
			"payee forgotten", "as a payee"},
		{"a payee twice", before("card closed again", func(h *house) {
			h.add("again", &record.PayeeErased{Payee: record.Hash{7}, By: asks})
		}), verify.CheckPayments, "again", "was forgotten before"},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t,
				lies{before: map[string]func(*house){"lent": func(h *house) { h.lies = d.lies; h.tellErasures() }}}).tellRace()
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
	honest := newHouse(t, before("lent", (*house).tellErasures)).tellRace()
	if report := runBothWays(t, honest.files(), verify.Options{}); report.Failure != nil {
		t.Error(report.Failure)
	}
}

// TestPayeeOfAPaperIsForgotten has somebody forgotten to whom a voucher is made out that is out, as a
// payee and as a claimant.
func TestPayeeOfAPaperIsForgotten(t *testing.T) {
	story := tellMoney(t, "tas-keno-2023", `
house
sell A at T1 standard 1-5 @ 9.00
sell B at T1 standard 1-5 @ 9.00
play 1-20
next T1
pay A at T1
settle T1 payee = V -> cash -$300.00, central_voucher -$4,398.00
next T1
pay B at T1
settle T1 payee = W -> cash -$300.00, central_voucher -$4,398.00
claim V lost -> claim 1 of $4,398.00
decide 1 refused
`)
	issued, err := record.Decode(story.Records[story.find(record.KindInstrumentIssued, 1)])
	require(t, err)
	last, err := record.Decode(story.Records[len(story.Records)-1])
	require(t, err)
	who := record.Hash(issued.Body.(*record.InstrumentIssued).Particulars)
	add := func(bodies ...record.Body) (told [][]byte) {
		for _, body := range bodies {
			data, err := record.Encode(record.Record{Time: last.Time, Body: body})
			require(t, err)
			told = append(told, data)
		}
		return told
	}
	for what, c := range map[string]struct {
		at  int
		lie record.Body
	}{
		"payee":    {story.find(record.KindClaimLodged, 1), &record.PayeeErased{Payee: who, By: 901}},
		"claimant": {len(story.Records), &record.ClaimNoted{Claim: 1, Note: record.NoteErased, Content: who, By: 901}},
	} {
		told := add(&record.RoleGranted{Person: 901, Role: record.RoleAdministrator}, c.lie)
		if f := story.verified(c.at, told[:1]...); f != nil {
			t.Fatal(f)
		}
		if f := story.verified(c.at, told...); f == nil || !strings.Contains(f.Reason, "is made out, which is out") {
			t.Errorf("%s: %v", what, f)
		}
	}
}
