package counter_test

import (
	"errors"
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// TestPapersAreRefused asks for papers with one thing at a time that is wrong.
//
//rule:vic-keno-2015 2(a).gift-voucher 2(a).prepaid-voucher 2(a).change-receipt
func TestPapersAreRefused(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(*counter.PaperOrder)
		want   string
	}{
		{"nothing", func(*counter.PaperOrder) {}, ""},
		{"the terminal", func(o *counter.PaperOrder) { o.Request.Terminal = 9 }, "terminal_unknown"},
		{"the series", func(o *counter.PaperOrder) { o.Series = 9 }, "series_unknown"},
		{"a paper of no rulebook", func(o *counter.PaperOrder) { o.ID = "banknote" }, "paper_kind"},
		{"a paper of another rulebook", func(o *counter.PaperOrder) { o.ID = "sst_receipt" }, "paper_kind"},
		{"a card", func(o *counter.PaperOrder) { o.ID = "player_card" }, "paper_kind"},
		{"a paper that is not sold", func(o *counter.PaperOrder) { o.ID = "prepaid_voucher" }, "paper_not_sold"},
		{"a receipt that is given away", func(o *counter.PaperOrder) {
			o.ID, o.Reason = "change_receipt", record.IssuedByOperator
		}, "paper_not_given"},
		{"no amount", func(o *counter.PaperOrder) { o.Cents = 0 }, "paper_amount"},
		{"the largest amount", func(o *counter.PaperOrder) { o.Cents = counter.MaxMoved }, ""},
		{"a larger amount", func(o *counter.PaperOrder) { o.Cents = counter.MaxMoved + 1 }, "paper_amount"},
		{"no claim code", func(o *counter.PaperOrder) { o.Claim = record.Hash{} }, "claim_missing"},
		{"a session", func(o *counter.PaperOrder) { o.Request.Terminal = 3 }, "session_open"},
		{"a session that it is bought in", func(o *counter.PaperOrder) { o.Request.Terminal, o.InSession = 3, true }, ""},
		{"another type of game", func(o *counter.PaperOrder) { o.GameType = "bonus" }, "paper_type 2(a)"},
		{"a type of game for a paper that has none", func(o *counter.PaperOrder) {
			o.ID, o.InSession, o.Request.Terminal, o.GameType, o.Reason = "change_receipt", true, 2, "classic",
				record.IssuedForMoney
		}, "paper_type 14(a) A Change Receipt is for no type of game in particular."},
		{"the days", func(o *counter.PaperOrder) { o.Days = 1000 }, "paper_life 12(c)"},
	} {
		play, err := cases.NewPlay("vic-keno-2015", nil, "papers", "house")
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"next T3", "sell A at T3 classic 1 @ 1.00"} {
			if _, err := play.Do(line); err != nil {
				t.Fatal(err)
			}
		}
		o := counter.PaperOrder{
			Request: record.Request{Terminal: 1, Number: 1}, Series: 1, ID: "gift_voucher", Cents: 20 * money.Dollar,
			Claim: record.Hash{1}, Reason: record.IssuedForMoney, Now: play.Engine.State().Now(),
		}
		c.change(&o)
		_, _, err = counter.IssuePaper(play.Engine.State(), o)
		got := ""
		switch no, refused := errors.AsType[*refusal.Refusal](err); {
		case refused:
			got = string(no.Code) + " " + no.Clause + " " + no.Sentence
		case err != nil:
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || got != "" && c.want == "" {
			t.Errorf("%s: %q, and %q is right", c.what, got, c.want)
		}
	}
}
