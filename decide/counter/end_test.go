package counter_test

import (
	"errors"
	"slices"
	"testing"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// owing has a voucher of $10, a card with $50, one of a person who is excluded, and a session in which a ticket of $20
// was sold.
var owing = []string{
	"issue Gift at T1 gift_voucher 10.00", "card born 1990-05-05", "card born 1990-05-05", "exclude 2",
	"next T1", "settle T1 card 1 -50.00", "next T1", "sell A at T1 classic 1 @ 20.00",
}

// winning has a session in which a ticket was paid that card 1 had bought. It won $60.
var winning = []string{
	"card born 1990-05-05", "next T1", "settle T1 card 1 -20.00", "next T1", "sell A at T1 classic 1 @ 20.00",
	"settle T1 card 1 20.00", "play 1-20",
}

// TestEndsAreRefused ends sessions with one thing at a time that is wrong.
//
//rule:vic-keno-2015 2(a).customer-session 11(a)(iii) 11(a)(v) 11(b) 21(d)(i)
//rule:casino-keno-div2 4.1
func TestEndsAreRefused(t *testing.T) {
	type end = counter.SessionEnd
	cents := func(c money.Amount) *money.Amount { return &c }
	gift := func(p *cases.Play) counter.PresentedPaper {
		paper, _ := p.Paper("Gift")
		return counter.PresentedPaper{Place: paper.Place, Code: paper.Code}
	}
	pays := func(means string, claims ...record.Hash) func(*cases.Play, *end) {
		return func(_ *cases.Play, e *end) { e.Pay, e.Claims = []counter.Share{{Means: means, Cents: 60_00}}, claims }
	}
	for _, x := range []struct {
		what, rulebook string
		lines          []string
		change         func(*cases.Play, *end)
		want           refusal.Code
	}{
		{"nothing", "vic-keno-2015", owing, func(*cases.Play, *end) {}, ""},
		{"the terminal", "vic-keno-2015", owing, func(_ *cases.Play, e *end) { e.Request.Terminal = 9 }, "terminal_unknown"},
		{"what the terminal expects", "vic-keno-2015", owing, func(_ *cases.Play, e *end) { e.Expect = cents(19_99) },
			counter.ExpectOther},
		{"as the terminal expects", "vic-keno-2015", owing, func(_ *cases.Play, e *end) { e.Expect = cents(20_00) }, ""},
		{"a voucher", "vic-keno-2015", owing, func(p *cases.Play, e *end) { e.Papers = []counter.PresentedPaper{gift(p)} },
			""},
		{"a voucher twice", "vic-keno-2015", owing,
			func(p *cases.Play, e *end) { e.Papers = []counter.PresentedPaper{gift(p), gift(p)} }, counter.PaperUnknown},
		{"a voucher of another code", "vic-keno-2015", owing, func(p *cases.Play, e *end) {
			other := gift(p)
			other.Code = serial.ClaimCode{1}
			e.Papers = []counter.PresentedPaper{other}
		}, counter.ClaimCodeOther},
		{"a voucher that is frozen", "vic-keno-2015", slices.Concat(owing, []string{"freeze Gift"}),
			func(p *cases.Play, e *end) {
				e.Papers = []counter.PresentedPaper{gift(p)}
			}, counter.Frozen},
		{"a card", "vic-keno-2015", owing, func(_ *cases.Play, e *end) { e.Card = counter.CardUse{Card: 1, Cents: 20_00} },
			""},
		{"more from a card than is owed", "vic-keno-2015", owing, func(_ *cases.Play, e *end) {
			e.Card = counter.CardUse{Card: 1, Cents: 20_01}
		}, counter.Overpaid},
		{"a card of nobody", "vic-keno-2015", owing,
			func(_ *cases.Play, e *end) { e.Card = counter.CardUse{Card: 9, Cents: 20_00} }, counter.TenderOther},
		{"the most to a card", "vic-keno-2015", owing, func(_ *cases.Play, e *end) {
			e.Card = counter.CardUse{Card: 1, Cents: -counter.MaxMoved}
		}, ""},
		{"too much to a card", "vic-keno-2015", owing, func(_ *cases.Play, e *end) {
			e.Card = counter.CardUse{Card: 1, Cents: -counter.MaxMoved - 1}
		}, counter.AmountWrong},
		{"too much from a card", "vic-keno-2015", owing, func(_ *cases.Play, e *end) {
			e.Card = counter.CardUse{Card: 1, Cents: counter.MaxMoved + 1}
		}, counter.AmountWrong},
		{"to a card of an excluded person", "vic-keno-2015", owing, func(_ *cases.Play, e *end) {
			e.Card = counter.CardUse{Card: 2, Cents: -5_00}
		}, counter.CardExcluded},
		{"chips", "casino-keno-div2", []string{"next T1", "sell A at T1 standard 1 @ 20.00"},
			func(_ *cases.Play, e *end) { e.Chips = 20_00 }, ""},
		{"chips out", "casino-keno-div2", []string{"next T1", "sell A at T1 standard 1 @ 20.00"},
			func(_ *cases.Play, e *end) { e.Chips = -1 }, counter.Overpaid},
		{"a part of the cash", "vic-keno-2015", owing, func(_ *cases.Play, e *end) { e.Unpaid, e.Cash = true, 19_99 }, ""},
		{"less than no cash", "vic-keno-2015", owing, func(_ *cases.Play, e *end) { e.Unpaid, e.Cash = true, -1 },
			counter.AmountWrong},

		{"a prize to its card", "vic-keno-2015", slices.Concat(winning, []string{"next T1", "pay A at T1"}),
			pays(counter.PlayerCard), ""},
		{"a prize to a card of an excluded person", "vic-keno-2015",
			slices.Concat(winning, []string{"exclude 1", "next T1", "pay A at T1"}), pays(counter.PlayerCard),
			counter.CardExcluded},
		{"a prize to a card that is closed", "vic-keno-2015", slices.Concat(winning, []string{
			`do set-card by senior_writer {"card":1,"status":"closed","reason":"own wish"}`, "next T1", "pay A at T1"}),
			pays(counter.PlayerCard), counter.CardExcluded},
		{"a prize, and the customer has not paid", "vic-keno-2015",
			slices.Concat(winning, []string{"next T1", "pay A at T1"}), func(_ *cases.Play, e *end) {
				e.Unpaid = true
			}, counter.NotOwing},
		{"a prize in a receipt", "vic-keno-2015", slices.Concat(winning, []string{"next T1", "pay A at T1"}),
			pays("change_receipt", record.Hash{1}), ""},
		{"a receipt without a claim code", "vic-keno-2015", slices.Concat(winning, []string{"next T1", "pay A at T1"}),
			pays("change_receipt"), counter.ClaimCodesMissing},
		{"a receipt whose claim code is none", "vic-keno-2015", slices.Concat(winning, []string{"next T1", "pay A at T1"}),
			pays("change_receipt", record.Hash{}), counter.ClaimCodeMissing},
	} {
		play, err := cases.NewPlay(x.rulebook, nil, "ends", "house")
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range x.lines {
			if _, err := play.Do(line); err != nil {
				t.Fatalf("%s: %s: %v", x.what, line, err)
			}
		}
		e := end{Request: record.Request{Terminal: 1, Number: 1000}, Series: 1, Now: play.Engine.State().Now()}
		x.change(play, &e)
		_, err = counter.EndSession(play.Engine.State(), e)
		no, refused := errors.AsType[*refusal.Refusal](err)
		switch {
		case err != nil && !refused:
			t.Errorf("%s: %v", x.what, err)
		case refused && no.Code != x.want, !refused && x.want != "":
			t.Errorf("%s: %v, and %q is right", x.what, err, x.want)
		}
	}
}
