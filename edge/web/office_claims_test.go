package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/house/person"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// askFor asks for things that another person must want.
func (s *shop) askFor(by uint32) {
	s.t.Helper()
	tas, err := rules.Book("tas-keno-2023")
	s.must(err)
	for _, act := range []command.Act{
		command.AdoptRulebook{ID: tas.ID(), Hash: tas.Hash().String()},
		command.DesignateGame{Ordinal: 200},
		command.VoidGame{Ordinal: 21, Reason: "no power at the central site", Clause: "18(c)"},
	} {
		_, err := s.house.First().Ask(s.t.Context(), by, act)
		s.must(err)
	}
}

// lodges takes claim forms in for tickets that have won.
func (s *shop) lodges(won []string) {
	s.t.Helper()
	reasons := []record.ClaimReason{"lost", "unreadable", "lost", "estate"}
	for i, number := range won[:min(len(won), len(reasons))] {
		place, err := s.house.Find(number)
		s.must(err)
		who, err := person.NewCustomer(command.Customer{Name: first[i] + " " + last[i],
			Address: fmt.Sprintf("%d High Street, Fitzroy", 10+i), Phone: "03 5550 0417", Born: "1961-02-03"}, s.random)
		s.must(err)
		s.must(s.register.PutCustomer(s.t.Context(), who))
		won, err := s.house.Won(s.t.Context(), place)
		s.must(err)
		form := command.LodgeClaim{Reason: string(reasons[i]), Original: reasons[i] != "lost", Who: who.Hash(),
			Tickets: []counter.Payment{won}}
		s.must(command.Outcome(s.house.Do(s.t.Context(), form, record.By{Person: 1})))
	}
}

// TestOfficeClaim takes a claim form in, puts a paper to it and signs it, has another
// supervisor decide it, and pays it.
func TestOfficeClaim(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	v := s.settle(1, 3, 1)
	v.trades(2)
	first, second := s.hire(record.RoleSupervisor), s.hire(record.RoleSupervisor)
	size(t, ctx, 1280, 720)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the page", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, ctx, first)
	turnTo(t, ctx, "claims")
	shows(t, ctx, "view", "No claim form has come in.")
	fill(t, ctx, "lodge", map[string]string{"reason": "lost", "serials": "1234567890123450", "name": "Jo Citizen"})
	awaitPage(t, ctx, "a refusal beside the serials",
		`() => document.getElementById("lodge-serials-fault").textContent !== ""`)
	fill(t, ctx, "lodge", map[string]string{"reason": "mail", "serials": v.won[0], "name": "Jo Citizen",
		"address": "1 High Street", "born": "1990-01-31", "phone": "03 5550 0417"})
	awaitPage(t, ctx, "a question for the letter",
		`() => document.getElementById("lodge-letter-fault").textContent !== ""`)
	fill(t, ctx, "lodge", map[string]string{"reason": "lost", "serials": v.won[0], "name": "Jo Citizen",
		"address": "1 High Street"})
	awaitPage(t, ctx, "the claim", `() => document.documentElement.dataset.view === "claim/1"`)
	shows(t, ctx, "claim", "Jo Citizen")
	fill(t, ctx, "note-claim", map[string]string{"note": "evidence", "text": "A photograph of the ticket"})
	shows(t, ctx, "papers", "A photograph of the ticket")
	shows(t, ctx, "signatures", "Licensee must still sign")
	fill(t, ctx, "decide-claim", map[string]string{"outcome": "allowed", "reason": "The record agrees"})
	awaitPage(t, ctx, "a refusal",
		`() => [...document.querySelectorAll("#decide-claim .fault")].some((f) => f.textContent !== "")`)
	fill(t, ctx, "sign-claim", map[string]string{"satisfied": "yes"})
	awaitPage(t, ctx, "the signature",
		`() => !document.getElementById("signatures").textContent.includes("must still sign")`)
	fill(t, ctx, "decide-claim", map[string]string{"outcome": "allowed", "reason": "The record agrees"})
	awaitPage(t, ctx, "a refusal",
		`() => [...document.querySelectorAll("#decide-claim .fault")].some((f) => f.textContent.includes("another person decides it"))`)
	signsOn(t, ctx, second)
	turnTo(t, ctx, "claim/1")
	fill(t, ctx, "decide-claim", map[string]string{"outcome": "allowed", "reason": "The record agrees"})
	shows(t, ctx, "decision", "The record agrees")
	fill(t, ctx, "pay-claim", map[string]string{"means": "cheque", "reference": "000417"})
	awaitPage(t, ctx, "a refusal",
		`() => [...document.querySelectorAll("#pay-claim .fault")].some((f) => f.textContent !== "")`)
	signsOn(t, ctx, first)
	turnTo(t, ctx, "claim/1")
	fill(t, ctx, "pay-claim", map[string]string{"means": "cheque", "reference": "000417"})
	shows(t, ctx, "payment", "by cheque, 000417")
	turnTo(t, ctx, "claims")
	shows(t, ctx, "view", "Paid")
	turnTo(t, ctx, "reports")
	shows(t, ctx, "view", "First trading day")
	quiet(t, s, said(), asked())
	s.verified()
}

// TestOfficeOlderClaims lists more claims than a page has, the newest first, and the rest
// when it is asked for.
func TestOfficeOlderClaims(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "vic-keno-2015")
	v := s.settle(1, 3, 1)
	v.trades(2)
	operative := s.hire(record.RoleSupervisor)
	for range 101 { // A ticket whose claim was refused can be claimed anew.
		s.lodges(v.won[:1])
		all, err := s.house.Claims(t.Context(), 0, 1)
		s.must(err)
		decide := command.DecideClaim{OfForm: command.OfForm{Claim: all[0].Claim}, Outcome: "refused",
			Reason: "Another ticket"}
		s.must(command.Outcome(s.house.Do(t.Context(), decide, record.By{Person: operative})))
	}
	size(t, ctx, 1280, 720)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the page", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, ctx, operative)
	turnTo(t, ctx, "claims")
	shows(t, ctx, "view", "50 of 100 lines")
	awaitPage(t, ctx, "the newest first",
		`() => document.querySelector("#view tbody a").getAttribute("href") === "#claim/101"`)
	click(t, ctx, `button[data-do="older-claims"]`)
	shows(t, ctx, "view", "50 of 101 lines")
	awaitPage(t, ctx, "no older ones",
		`() => document.querySelector('button[data-do="older-claims"]').closest("p").hidden`)
	quiet(t, s, said(), asked())
}
