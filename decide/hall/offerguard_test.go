package hall_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// TestOffersAreRefused asks for every act on a promotion in states in which the act must not be: each
// line is the only thing that is wrong, and the refusal names it.
//
//rule:nsw-bingo-2019 3.1 10.3 10.4 10.5 10.7 10.9 10.9.1 10.10 10.10.1 10.12
func TestOffersAreRefused(t *testing.T) {
	const supervised, dealt = "supervisor", "dealer"
	ranks := map[string]record.By{supervised: cases.Supervisor, dealt: cases.Dealer}
	one, noHall := record.Offer{Hall: 1, Offer: 1}, record.Offer{Hall: 9, Offer: 1}
	noOffer := record.Offer{Hall: 1, Offer: 7}
	states := map[string]evening{}
	// in returns the state of a promotion behind some lines of a scenario.
	in := func(lines string) *state.State {
		e, ok := states[lines]
		if !ok {
			e = promoted(t, forgedSeed, strings.Split(lines, "; ")...)
			states[lines] = e
		}
		return e.Engine.State()
	}
	const (
		notified  = "terms cash 500.00; notify"
		late      = notified + "; clock 24h; notify again"
		started   = notified + "; clock 24h; start; entry M1 M2 M3"
		postponed = started + "; clock 25h; stop postponed"
		cancelled = started + "; clock 25h; stop cancelled"
		dropped   = notified + "; stop cancelled"
		drawn     = started + "; clock 25h; draw"
		granted   = drawn + "; grant to winner cash 500.00"
		large     = "terms cash 100.01; notify; clock 24h; start; entry M1"
		fridge    = "terms appliance 500.00; notify; clock 24h; start; entry M1 M2 M3; clock 25h; draw"
		dollars   = "terms casino_dollars 500.00; notify; clock 24h; start; entry M1 M2 M3; clock 25h; draw"
	)
	terms := func(s *state.State) record.OfferTerms {
		room, _ := s.Hall(1)
		offer, _ := room.Offer(1)
		t := offer.Terms
		t.Prizes = slices.Clone(t.Prizes)
		return t
	}
	type asked = func(*state.State) error
	notify := func(ref record.Offer, rank, approval string, change func(*record.OfferNotified)) asked {
		return func(s *state.State) error {
			n := record.OfferNotified{Offer: ref, Terms: terms(s), Approval: approval, By: ranks[rank]}
			if change != nil {
				change(&n)
			}
			_, err := hall.Notify(s, n)
			return err
		}
	}
	changed := func(change func(*record.OfferTerms)) asked {
		return notify(record.Offer{Hall: 1}, supervised, "", func(n *record.OfferNotified) { change(&n.Terms) })
	}
	// A time of a promotion by its terms, and so many milliseconds.
	starts := func(t record.OfferTerms) record.Time { return t.Starts }
	closes := func(t record.OfferTerms) record.Time { return t.Closes }
	start := func(ref record.Offer, at func(record.OfferTerms) record.Time, ms record.Time) asked {
		return func(s *state.State) error {
			_, err := hall.Start(s, ref, at(terms(s))+ms, cases.Supervisor)
			return err
		}
	}
	enter := func(ref record.Offer, member string, at func(record.OfferTerms) record.Time, ms record.Time) asked {
		return func(s *state.State) error {
			_, err := hall.EnterOffer(s, ref, member, at(terms(s))+ms)
			return err
		}
	}
	winner := func(s *state.State) string {
		room, _ := s.Hall(1)
		offer, _ := room.Offer(1)
		award, _ := offer.Award(1)
		return offer.Entries[award.Entry-1].Member
	}
	const winners = "the winner"
	claim := func(c record.OfferClaimed) asked {
		return func(s *state.State) error {
			c := c
			if c.Offer == (record.Offer{}) {
				c.Offer = one
			}
			if c.Member == winners {
				c.Member = winner(s)
			}
			_, _, err := hall.ClaimOffer(s, c)
			return err
		}
	}
	// grant claims prize 1 for a member, and is paid in one part or, for no medium, not at all.
	grant := func(member string, medium record.Medium, cents money.Amount, alternative bool) asked {
		c := record.OfferClaimed{Prize: 1, Member: member, Granted: true, Alternative: alternative}
		if medium != "" {
			c.Parts = []record.MediumPart{{Medium: medium, Cents: cents}}
		}
		return claim(c)
	}
	// deny denies prize 1 to member M2.
	deny := func(reason string, details []byte) asked {
		return claim(record.OfferClaimed{Prize: 1, Member: "M2", Reason: reason, Details: details})
	}
	const open, phone = "a box was open", "by telephone"
	stop := func(ref record.Offer, act record.OfferAct, reason, told, rank string) asked {
		return func(s *state.State) error {
			b := record.OfferStopped{Offer: ref, Act: act, Reason: reason, Told: told, By: ranks[rank]}
			_, err := hall.Stop(s, b)
			return err
		}
	}
	var kept record.Hash
	const fine = "" // It is done, as the house does it with nothing wrong.
	for _, c := range []struct {
		what, after string
		ask         func(*state.State) error
		want        string // code, clause and path
	}{
		{"terms in a room that is not there", notified, notify(record.Offer{Hall: 9}, supervised, "", nil),
			"hall_unknown hall"},
		{"terms from a dealer", notified, notify(one, dealt, "", nil), "rank_too_low 10.9 by"},
		{"terms of a promotion that is not there", notified,
			notify(noOffer, supervised, "", nil), "offer_unknown offer"},
		{"other terms", notified, notify(one, supervised, "", nil), fine},
		{"other terms after the start", started,
			notify(one, supervised, "", nil), "approval_missing 10.9.1 approval"},
		{"other terms with approval", started, notify(one, supervised, "A 17", nil), fine},
		{"other terms after the draw", drawn, notify(one, supervised, "A 17", nil), "offer_phase 10.9.1 offer"},
		{"other terms of what was cancelled", dropped,
			notify(one, supervised, "A 17", nil), "offer_phase 10.9.1 offer"},
		{"new terms", notified, changed(func(*record.OfferTerms) {}), fine},
		{"terms without a name", notified,
			changed(func(t *record.OfferTerms) { t.Name = "" }), "terms_missing 10.7 terms.name"},
		{"terms without a start", notified,
			changed(func(t *record.OfferTerms) { t.Starts = 0 }), "terms_missing 10.7.7 terms.starts"},
		{"entries that close at the start", notified,
			changed(func(t *record.OfferTerms) { t.Closes = t.Starts }), "terms_missing 10.7.6 terms.closes"},
		{"entries that close after the draw", notified,
			changed(func(t *record.OfferTerms) { t.Closes = t.Draws + 1 }), "terms_missing 10.7.2 terms.draws"},
		{"terms without prizes", notified,
			changed(func(t *record.OfferTerms) { t.Prizes = nil }), "terms_missing 10.7.11 terms.prizes"},
		{"a prize without a name", notified,
			changed(func(t *record.OfferTerms) { t.Prizes[0].Name = "" }), "prize_kind 10.7.11 terms.prizes."},
		{"terms that lack a particular", notified,
			changed(func(t *record.OfferTerms) { t.Available = " " }), "terms_missing 10.6 terms.available"},
		{"a thing that nothing prohibits", notified, notify(record.Offer{Hall: 1}, supervised, "",
			func(n *record.OfferNotified) { n.Confirms = []string{"gold"} }), "prize_unconfirmed 10.5 confirms"},

		{"a start", notified, start(one, starts, 0), fine},
		{"a start in a room that is not there", notified, start(noHall, starts, 0), "hall_unknown hall"},
		{"a start of what is not there", notified, start(noOffer, starts, 0), "offer_unknown offer"},
		{"a second start", started, start(one, starts, 0), "offer_phase 10.7.7 offer"},
		{"a start of what was cancelled", dropped, start(one, starts, 0), "offer_phase 10.12 offer"},
		{"a start before its time", notified, start(one, starts, -1), "offer_phase 10.7.7 offer"},
		{"a start before the Authority had the terms for a day", late,
			start(one, starts, 0), "notice_too_late 10.9 offer"},

		{"an entry", started, enter(one, "M4", closes, -1), fine},
		{"an entry where nothing is", started, enter(noOffer, "M4", closes, -1), "offer_unknown offer"},
		{"an entry before the start", notified, enter(one, "M4", closes, -1), "offer_phase 10.7.7 offer"},
		{"an entry in what was cancelled", cancelled, enter(one, "M4", closes, -1), "offer_phase 10.12 offer"},
		{"an entry in what was postponed", postponed, enter(one, "M4", closes, -1), "offer_phase 10.12 offer"},
		{"an entry after the close", started, enter(one, "M4", closes, 0), "offer_phase 10.7.6 offer"},
		{"an entry of somebody else", started, enter(one, "M99", closes, -1), "not_a_member 3.1 member"},

		{"a claim where nothing is", drawn,
			claim(record.OfferClaimed{Offer: noOffer, Prize: 1, Member: "M1"}), "offer_unknown offer"},
		{"a claim to no prize", drawn,
			claim(record.OfferClaimed{Prize: 2, Member: "M1", Reason: "no"}), "offer_unknown prize"},
		{"a claim before the start", notified, deny("no", kept[:]), "offer_phase 10.7.7 offer"},
		{"a claim to what was cancelled", cancelled, deny("no", kept[:]), "offer_phase 10.12 offer"},
		{"a denial", large, deny("not eligible", kept[:]), fine},
		{"a denial without a reason", large, deny("", kept[:]), "reason_missing 10.10 reason"},
		{"a denial of much of which nothing is kept", large, deny("no", nil), "details_missing 10.10.1 details"},
		{"a prize that is not drawn", started,
			grant("M1", record.MediumCash, 500_00, false), "not_the_winner 10.10 member"},
		{"a prize of another member", drawn,
			grant("M9", record.MediumCash, 500_00, false), "not_the_winner 10.10 member"},
		{"a prize", drawn, grant(winners, record.MediumCash, 500_00, false), fine},
		{"a prize, a second time", granted,
			grant(winners, record.MediumCash, 500_00, false), "offer_phase 10.7.8 prize"},
		{"cash that the terms do not offer", fridge,
			grant(winners, record.MediumCash, 500_00, true), "no_alternative 10.3 alternative"},
		{"cash beside goods", fridge, grant(winners, record.MediumCash, 500_00, false), "amount_other 10.4 parts"},
		{"goods", fridge, grant(winners, "", 0, false), fine},
		{"cash for dollars", dollars, grant(winners, record.MediumCash, 500_00, false), "medium_other 10.4 parts"},
		{"a cheque for little", drawn,
			grant(winners, record.MediumCheque, 500_00, false), "medium_other 10.4 parts"},
		{"another amount", drawn, grant(winners, record.MediumCash, 499_99, false), "amount_other 10.4 parts"},

		{"a stop", started, stop(one, record.OfferPostponed, open, phone, supervised), fine},
		{"a stop of what is not there", started,
			stop(noOffer, record.OfferPostponed, open, phone, supervised), "offer_unknown offer"},
		{"a stop by a dealer", started,
			stop(one, record.OfferPostponed, open, phone, dealt), "rank_too_low 10.12 by"},
		{"a stop for no reason", started,
			stop(one, record.OfferPostponed, "", phone, supervised), "reason_missing 10.12 reason"},
		{"a stop that nobody is told", started,
			stop(one, record.OfferPostponed, open, "", supervised), "not_told 10.12 told"},
		{"a second stop", postponed,
			stop(one, record.OfferPostponed, open, phone, supervised), "offer_phase 10.12 act"},
		{"a clearance", postponed, stop(one, record.OfferCleared, "it is good", "", supervised), fine},
		{"a clearance of what runs", started,
			stop(one, record.OfferCleared, "it is good", "", supervised), "offer_phase 10.12 act"},
		{"an end of what has ended", cancelled,
			stop(one, record.OfferCancelled, open, phone, supervised), "offer_phase 10.12 act"},
	} {
		got := ""
		err := c.ask(in(c.after))
		var no *refusal.Refusal
		switch {
		case errors.As(err, &no):
			got = strings.Join(strings.Fields(string(no.Code)+" "+no.Clause+" "+no.Path), " ")
		case err != nil:
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, and %q is right", c.what, got, c.want)
		}
	}
}

// TestOfferPaysAsChosen: up to a limit a prize is paid in cash, above it as the winner chooses, and what is
// paid is at the operator's expense.
//
//rule:nsw-bingo-2019 10.4
func TestOfferPaysAsChosen(t *testing.T) {
	for value, want := range map[string]string{"10000.00": "medium_other", "10000.01": ""} {
		e := promoted(t, forgedSeed, "terms cash "+value, "notify", "clock 24h", "start", "entry M1", "clock 25h",
			"draw scrutineer S1")
		due, err := money.Parse(value)
		e.must(err)
		_, postings, err := hall.ClaimOffer(e.Engine.State(), record.OfferClaimed{
			Offer: record.Offer{Hall: 1, Offer: 1}, Prize: 1, Member: "M1", Granted: true,
			Parts: []record.MediumPart{{Medium: record.MediumCheque, Cents: due}},
		})
		got := ""
		if no := (*refusal.Refusal)(nil); errors.As(err, &no) {
			got = string(no.Code)
		}
		if got != want || err == nil && len(postings) != 2 {
			t.Errorf("%s by cheque: %v, with %d postings", value, err, len(postings))
		}
	}
}
