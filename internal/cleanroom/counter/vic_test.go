package counter

import (
	"fmt"
	"testing"
)

var quick = []string{"--interval", "3s", "--lead", "0s", "--ball", "1ms"}

func cheque(c *counter, t testing.TB) string {
	return c.payee(t, answer{"name": "Pat Payee", "address": "2 Street"})
}

func TestVictoria(t *testing.T) {
	t.Parallel()
	h := begin(t, "vic-keno-2015", quick...)
	h.staff(t, "supervisor")
	hotel := h.venue(t, "Corner Hotel", "hotel")
	club := h.venue(t, "Harbour Club", "club")
	outlet := h.venue(t, "Outlet without a limit", "wagering_outlet")
	must(t, h.as(h.sup, "PUT", fmt.Sprintf("/v1/venues/%d/limit", hotel), answer{"cents": 500000}))

	// All of these share the house; each has terminals of its own.
	t.Run("all", func(t *testing.T) {
		test := func(name string, f func(t *testing.T)) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f(t)
			})
		}

		// 12(c), 11(a)(ii): a voucher enters games; it gives no change and is not turned into cash.
		test("12c gift voucher gives no change", func(t *testing.T) {
			c := h.counter(t, hotel)
			g := c.issued(t, "gift_voucher", 1000, answer{"game_type": "heads_or_tails"})
			c.sold(t, true, 5, "heads", 100)
			a, _ := c.end(t, answer{"papers": tendered(false, g)})
			refused(t, "a voucher of $10 for tickets of $5", a, "voucher_no_change")
			a, _ = c.end(t, answer{"papers": tendered(false, g), "pay": []answer{{"means": "cash"}}})
			refused(t, "a voucher of $10 for tickets of $5, rest in cash", a, "voucher_no_change")
			a, _ = c.end(t, nil)
			if must(t, a).tender("cash") != 500 {
				t.Errorf("the session did not end with $5 in cash: %s", brief(a))
			}
			a, _ = c.end(t, answer{"papers": tendered(false, g)})
			refused(t, "a voucher for nothing", a)
		})

		// 2(a), 12, 14(b): a gift voucher is an entitlement to play; it does not buy receipts or vouchers that go
		// back for cash.
		test("12 gift voucher buys no other paper", func(t *testing.T) {
			c := h.counter(t, hotel)
			g := c.issued(t, "gift_voucher", 1000, nil)
			for _, kind := range []string{"change_receipt", "gift_voucher"} {
				c.issued(t, kind, 1000, answer{"in_session": true})
				a, _ := c.end(t, answer{"papers": tendered(false, g)})
				refused(t, kind+" paid with a voucher", a)
				a, _ = c.end(t, nil)
				must(t, a)
			}
			card := must(t, h.as(h.seniors[hotel], "POST", "/v1/cards",
				answer{"holder": answer{"name": "Cardy", "born": "1980-01-01"}}))
			a, _ := c.end(t, answer{"papers": tendered(false, g), "card": card.cents("number"), "card_cents": -1000})
			refused(t, "a voucher brought to a card", a)
		})

		// 17(e): the voucher that paid for a cancelled entry comes back as a voucher, never as cash, and no longer
		// good than it was.
		test("17e cancellation gives the voucher back", func(t *testing.T) {
			c := h.counter(t, hotel)
			g := c.issued(t, "gift_voucher", 5000, answer{"days": 2, "game_type": "heads_or_tails"})
			p := c.sold(t, true, 50, "heads", 100)
			a, _ := c.end(t, answer{"papers": tendered(false, g)})
			must(t, a)
			refused(t, "cancellation for cash without a session", c.present(t, "cancellation", false, p))
			refund := must(t, c.present(t, "cancellation", true, p)).cents("refund_cents")
			a, back := c.end(t, answer{"pay": []answer{{"means": "cash"}}})
			must(t, a)
			if a.tender("cash") != 0 || len(back) != 1 || back[0].cents != refund || back[0].lastDay != g.lastDay {
				t.Errorf("of a voucher good to %s came %s", g.lastDay, brief(a))
			}
		})

		// 17(d), 17(e): of an entry paid in part with a voucher the voucher's part is a voucher again, and the rest is money.
		test("17e mixed payment", func(t *testing.T) {
			c := h.counter(t, hotel)
			g := c.given(t, "prepaid_voucher", 3000, "heads_or_tails")
			p := c.sold(t, true, 50, "heads", 100)
			a, _ := c.end(t, answer{"papers": tendered(false, g)})
			if must(t, a).tender("cash") != 2000 {
				t.Fatalf("paid otherwise: %s", brief(a))
			}
			refund := must(t, c.present(t, "cancellation", true, p)).cents("refund_cents")
			a, back := c.end(t, nil)
			must(t, a)
			if len(back) != 1 || back[0].cents-a.tender("cash") != refund || -a.tender("cash") > 2000 ||
				back[0].lastDay != g.lastDay {
				t.Errorf("of $30 by voucher and $20 in cash, refund %d, came %s", refund, brief(a))
			}
		})

		// 17(e): a voucher's money stays a voucher's when it goes from a cancelled entry into another in one session.
		test("17e voucher money through a second entry", func(t *testing.T) {
			c := h.counter(t, hotel)
			g := c.given(t, "prepaid_voucher", 5000, "heads_or_tails")
			p := c.sold(t, true, 50, "heads", 100)
			a, _ := c.end(t, answer{"papers": tendered(false, g)})
			must(t, a)
			refund := must(t, c.present(t, "cancellation", true, p)).cents("refund_cents")
			games := int(refund / 100)
			q := c.sold(t, true, games, "tails", 100)
			a, _ = c.end(t, nil)
			must(t, a)
			must(t, c.present(t, "cancellation", true, q))
			a, back := c.end(t, answer{"pay": []answer{{"means": "cash"}}})
			must(t, a)
			if a.tender("cash") != 0 || len(back) != 1 {
				t.Errorf("voucher money came out as %s", brief(a))
			}
		})

		// 23(d): a gift voucher goes back for its face value where and when it was bought, once; one that nobody
		// bought does not.
		test("23d refund of a gift voucher", func(t *testing.T) {
			c, other := h.counter(t, hotel), h.counter(t, club)
			g := c.issued(t, "gift_voucher", 500, nil)
			a, _ := other.end(t, answer{"papers": tendered(true, g)})
			refused(t, "refund at another venue", a, "paper_not_back")
			a, _ = c.end(t, answer{"papers": tendered(true, g)})
			if must(t, a).tender("cash") != -500 {
				t.Errorf("refund gave %s", brief(a))
			}
			a, _ = c.end(t, answer{"papers": tendered(true, g)})
			refused(t, "a second refund", a)
			for _, kind := range []string{"gift_voucher", "prepaid_voucher"} {
				p := c.given(t, kind, 500)
				a, _ = c.end(t, answer{"papers": tendered(true, p)})
				refused(t, "refund of a "+kind+" that was given", a)
				refused(t, "a claim for a "+kind+" that was given", c.lodge("unreadable", true, claimant, p))
			}
		})

		// 12(c), 13: a gift voucher is good for at most twelve months and a prepaid one for thirty days; less may
		// be said, more not.
		test("13 life of vouchers", func(t *testing.T) {
			c := h.counter(t, hotel)
			_, a := c.issue(t, "gift_voucher", 500, answer{"days": 400})
			refused(t, "a gift voucher for 400 days", a)
			refused(t, "a prepaid voucher for 31 days",
				h.as(1, "POST", "/v1/operator/papers",
					answer{"kind": "prepaid_voucher", "cents": 500, "terminal": c.n, "days": 31}))
			_, a = c.issue(t, "change_receipt", 500, answer{"days": 10})
			refused(t, "a change receipt for ten days, which 14(a) makes good for twelve months", a)
			refused(t, "a change receipt as a gift",
				h.as(1, "POST", "/v1/operator/papers", answer{"kind": "change_receipt", "cents": 500, "terminal": c.n}))
			_, a = c.issue(t, "prepaid_voucher", 500, nil)
			refused(t, "a prepaid voucher that is sold", a)
		})

		// 14(a): a change receipt is redeemed in full for cash, at any venue, and once; the same request again gets
		// the same answer.
		test("14a change receipt is paid once", func(t *testing.T) {
			c, other := h.counter(t, hotel), h.counter(t, club)
			r := c.issued(t, "change_receipt", 12345, nil)
			a, _ := other.end(t, answer{"papers": tendered(false, r)})
			if must(t, a).tender("cash") != -12345 {
				t.Errorf("redeemed as %s", brief(a))
			}
			a, _ = c.end(t, answer{"papers": tendered(false, r)})
			refused(t, "a second redemption", a)
		})

		// 21(d)(i): at a venue with a limit no more than that goes out in cash or by receipt; the rest by cheque,
		// crossed, to a payee.
		test("21d limit of the venue", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, won := c.winner(t, 999900)
			refused(t, "a prize above the limit in cash without a session", c.present(t, "payment", false, w), "over_cash_limit")
			must(t, c.present(t, "payment", true, w))
			a, _ := c.end(t, nil)
			refused(t, "a cheque without a payee", a, "payee_missing")
			payee := cheque(c, t)
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cash", "cents": 500001}, {"means": "cheque"}},
				"payee_hash": payee})
			refused(t, "$5,000.01 in cash", a, "over_cash_limit")
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cash", "cents": 300000},
				{"means": "change_receipt", "cents": 200001}, {"means": "cheque"}}, "payee_hash": payee})
			refused(t, "$5,000.01 in cash and by receipt", a, "over_cash_limit")
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cash", "cents": 500000}, {"means": "cheque"}},
				"payee_hash": payee})
			must(t, a)
			if a.tender("cash") != -500000 || a.tender("cheque") != 500000-won {
				t.Errorf("of %d went %s", won, brief(a))
			}
			if words := fmt.Sprint(a["cheque_words"]); words != "[Not Negotiable Account Payee Only]" {
				t.Errorf("the cheque is crossed %s", words)
			}
			refused(t, "the prize once more", c.present(t, "payment", false, w), "already_paid")
		})

		// 21(d)(i): without a venue's limit ten thousand dollars of a session may be cash, and not a cent more.
		test("21d ten thousand", func(t *testing.T) {
			c := h.counter(t, outlet)
			w, won := c.winner(t, 999900)
			must(t, c.present(t, "payment", true, w))
			payee := cheque(c, t)
			a, _ := c.end(t, answer{"pay": []answer{{"means": "cash", "cents": 1000001}, {"means": "cheque"}},
				"payee_hash": payee})
			refused(t, "$10,000.01 in cash", a, "over_cash_limit")
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cash", "cents": 1000000}, {"means": "cheque"}},
				"payee_hash": payee})
			if must(t, a).tender("cash") != -1000000 || a.tender("cheque") != 1000000-won {
				t.Errorf("of %d went %s", won, brief(a))
			}
		})

		// 21(d)(i): papers bought in the session with the prize, and entries bought with it and given back, do not
		// pass the limit.
		test("21d limit is not passed by buying", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, _ := c.winner(t, 999900)
			must(t, c.present(t, "payment", true, w))
			c.issued(t, "change_receipt", 100000, answer{"in_session": true})
			g := c.issued(t, "gift_voucher", 100000, answer{"in_session": true})
			p := c.sold(t, true, 1000, "heads", 700)
			payee := cheque(c, t)
			a, _ := c.end(t, answer{"pay": []answer{{"means": "cash", "cents": 300001}, {"means": "cheque"}},
				"payee_hash": payee})
			refused(t, "$3,000.01 in cash beside papers of $2,000", a, "over_cash_limit")
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cash", "cents": 300000}, {"means": "cheque"}},
				"payee_hash": payee})
			must(t, a)
			refused(t, "$7,000 of a prize that an entry was bought with, in cash", c.present(t, "cancellation", false, p),
				"over_cash_limit")
			must(t, c.present(t, "cancellation", true, p))
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cash"}}})
			refused(t, "the same at the end of a session", a, "over_cash_limit")
			a, _ = c.end(t, answer{"payee_hash": payee})
			must(t, a)
			a, _ = c.end(t, answer{"papers": tendered(true, g)})
			if must(t, a).tender("cash") != -100000 {
				t.Errorf("the gift voucher went back as %s", brief(a))
			}
		})

		// 21(d)(i): a transfer goes to an account that the claimant nominates, so without an account there is none.
		test("21d transfer needs an account", func(t *testing.T) {
			c := h.counter(t, outlet)
			w, _ := c.winner(t, 999900)
			must(t, c.present(t, "payment", true, w))
			nowhere := c.payee(t, answer{"name": "Pat Payee", "address": "2 Street"})
			a, _ := c.end(t, answer{"pay": []answer{{"means": "transfer"}}, "payee_hash": nowhere})
			refused(t, "a transfer to no account", a)
		})

		// 21(d)(iii): a written claim with the ticket is paid by transfer only to an account that the claimant nominated.
		test("21d-iii claim by transfer needs an account", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, _ := c.winner(t, 100)
			who := answer{"name": "Lou Loser", "address": "1 Street", "born": "1970-01-01", "phone": "123", "letter": "RR 1"}
			n := must(t, c.lodge("mail", true, who, w)).cents("number")
			must(t, h.allow(t, n))
			refused(t, "a transfer to no account", h.payClaim(n, "transfer"))
		})

		// 20(f): who sends a ticket in gives name, address, age, phone and the letter's number, and sends the ticket.
		test("20f registered mail", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, _ := c.winner(t, 100)
			for _, lacks := range []string{"address", "born", "phone", "letter"} {
				who := answer{"name": "Lou Loser", "address": "1 Street", "born": "1970-01-01", "phone": "123", "letter": "RR 1"}
				delete(who, lacks)
				refused(t, "mail without "+lacks, c.lodge("mail", true, who, w))
			}
			refused(t, "mail without the ticket",
				c.lodge("mail", false, answer{"name": "Lou Loser", "address": "1 Street", "born": "1970-01-01", "phone": "123",
					"letter": "RR 1"}, w))
		})

		// 23(a), 21(e): a lost ticket is claimed on a form and paid by cheque, once; meanwhile and afterwards no
		// counter pays it.
		test("23a lost ticket", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, _ := c.winner(t, 1000)
			n := must(t, c.lodge("lost", false, claimant, w)).cents("number")
			refused(t, "the counter under a claim", c.present(t, "payment", false, w), "under_claim")
			refused(t, "a second form", c.lodge("lost", false, claimant, w))
			refused(t, "payment before anybody decided", h.payClaim(n, "cheque"))
			must(t, h.allow(t, n))
			refused(t, "cash for a claim form", h.payClaim(n, "cash"))
			must(t, h.payClaim(n, "cheque"))
			refused(t, "a second cheque", h.payClaim(n, "cheque"))
			refused(t, "the counter after it", c.present(t, "payment", false, w))
		})

		// 25(c): what the central site shows is the record of payment, so a ticket paid on a form has nothing left to claim.
		test("25c ticket paid on a form", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, won := c.winner(t, 100)
			n := must(t, c.lodge("lost", false, claimant, w)).cents("number")
			must(t, h.allow(t, n))
			must(t, h.payClaim(n, "cheque"))
			if a := h.ticket(t, w); a.cents("unpaid_cents") != 0 || a.cents("paid_cents") != won {
				t.Errorf("of %d that a cheque paid the ticket says paid %d, can still be claimed %d", won, a.cents("paid_cents"),
					a.cents("unpaid_cents"))
			}
		})

		// 23(c): a change receipt or gift voucher that is lost is not refunded; 13 gives no claim for a prepaid one either.
		test("23c lost papers", func(t *testing.T) {
			c := h.counter(t, hotel)
			for _, kind := range []string{"change_receipt", "gift_voucher"} {
				refused(t, "a claim for a lost "+kind, c.lodge("lost", false, claimant, c.issued(t, kind, 500, nil)))
			}
			refused(t, "a claim for a lost prepaid voucher",
				c.lodge("lost", false, claimant, c.given(t, "prepaid_voucher", 500)))
		})

		// 23(a), 23(c): a receipt or voucher is paid as unreadable only if it was handed in; without it, it is
		// lost, and not refunded.
		test("23a unreadable paper is handed in", func(t *testing.T) {
			c := h.counter(t, hotel)
			for _, kind := range []string{"change_receipt", "gift_voucher"} {
				p := c.issued(t, kind, 500, nil)
				a := c.lodge("unreadable", false, claimant, p)
				if a.code() == "" && h.allow(t, a.cents("number")).code() == "" &&
					h.payClaim(a.cents("number"), "cheque").code() == "" {
					t.Errorf("an unreadable %s that nobody handed in was paid by cheque", kind)
				}
				q := c.issued(t, kind, 500, nil)
				n := must(t, c.lodge("unreadable", true, claimant, q)).cents("number")
				must(t, h.allow(t, n))
				must(t, h.payClaim(n, "cheque"))
				a, _ = c.end(t, answer{"papers": tendered(kind == "gift_voucher", q)})
				refused(t, "the "+kind+" after its claim", a)
			}
		})

		// 12(c), 23(a), 23(c): a gift voucher or change receipt that nobody hands in is paid on a form for no other
		// reason either.
		test("23c other reasons without the paper", func(t *testing.T) {
			c := h.counter(t, hotel)
			for _, kind := range []string{"change_receipt", "gift_voucher"} {
				for _, reason := range []string{"retired", "disputed", "estate"} {
					a := c.lodge(reason, false, claimant, c.issued(t, kind, 500, nil))
					if a.code() != "" {
						continue
					}
					n := a.cents("number")
					must(t, h.as(h.sup, "POST", fmt.Sprintf("/v1/claims/%d/papers", n),
						answer{"note": "representative", "text": "a letter"}))
					if h.allow(t, n).code() == "" && h.payClaim(n, "cheque").code() == "" {
						t.Errorf("a %s that nobody handed in was paid by cheque as %s", kind, reason)
					}
				}
			}
		})

		// 21(k), 26: payment that is stopped while a session is open is not handed out; once released it is paid, and once.
		test("26 stopped in a session", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, won := c.winner(t, 100)
			must(t, c.present(t, "payment", true, w))
			must(t, h.as(h.sup, "POST", "/v1/stops/freeze", answer{"serials": []string{w.serial}, "reason": "suspicion"}))
			a, _ := c.end(t, nil)
			if must(t, a).tender("cash") != 0 {
				t.Errorf("a stopped prize went out: %s", brief(a))
			}
			refused(t, "a stopped prize", c.present(t, "payment", false, w), "frozen")
			h.both(t, "/v1/stops/release", answer{"serials": []string{w.serial}, "reason": "cleared"})
			if got := must(t, c.present(t, "payment", false, w)).cents("paid_cents"); got != won {
				t.Errorf("paid %d of %d", got, won)
			}
			refused(t, "a second payment", c.present(t, "payment", false, w), "already_paid")
		})

		// 25(c): a prize that was withheld, released and then paid is paid, and nothing of it can still be claimed.
		test("25c ticket paid after it was withheld", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, _ := c.winner(t, 100)
			must(t, c.present(t, "payment", true, w))
			must(t, h.as(h.sup, "POST", "/v1/stops/freeze", answer{"serials": []string{w.serial}, "reason": "suspicion"}))
			a, _ := c.end(t, nil)
			must(t, a)
			h.both(t, "/v1/stops/release", answer{"serials": []string{w.serial}, "reason": "cleared"})
			must(t, c.present(t, "payment", false, w))
			if a := h.ticket(t, w); a.cents("unpaid_cents") != 0 || a.cents("withheld_cents") != 0 {
				t.Errorf("the ticket was paid, and says that %d can still be claimed, %d withheld", a.cents("unpaid_cents"),
					a.cents("withheld_cents"))
			}
		})

		// 23(a): a prize that was withheld and released, and that nobody has had, can be claimed on a form when the
		// ticket is lost.
		test("23a withheld prize of a lost ticket", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, won := c.winner(t, 100)
			must(t, c.present(t, "payment", true, w))
			must(t, h.as(h.sup, "POST", "/v1/stops/freeze", answer{"serials": []string{w.serial}, "reason": "suspicion"}))
			a, _ := c.end(t, nil)
			must(t, a)
			h.both(t, "/v1/stops/release", answer{"serials": []string{w.serial}, "reason": "cleared"})
			a = c.lodge("lost", false, claimant, w)
			if a.code() != "" || a.cents("cents") != won {
				t.Errorf("%d that nobody was paid cannot be claimed: %s", won, brief(a))
			}
		})

		// 11(b), 21(k), 25(a): what a customer has not paid for yet is not paid on a claim form, as it is not at a counter.
		test("21k claim on an open session", func(t *testing.T) {
			c, other := h.counter(t, hotel), h.counter(t, hotel)
			r := c.issued(t, "change_receipt", 10000, answer{"in_session": true})
			heads, tails, evens := c.sold(t, true, 1, "heads", 999900), c.sold(t, true, 1, "tails", 999900),
				c.sold(t, true, 1, "evens", 999900)
			a, _ := other.end(t, answer{"papers": tendered(false, r)})
			refused(t, "redemption of a receipt that was not paid for", a, "not_settled")
			paid := func(what, reason string, p paper) {
				a := c.lodge(reason, reason == "unreadable", claimant, p)
				if a.code() != "" {
					return
				}
				if n := a.cents("number"); h.allow(t, n).code() == "" && h.payClaim(n, "cheque").code() == "" {
					t.Errorf("%s of an open session, for which nothing was paid, was paid by a cheque of $%.2f", what,
						float64(a.cents("cents"))/100)
				}
			}
			paid("a change receipt", "unreadable", r)
			for _, p := range []paper{heads, tails, evens} {
				if h.settled(t, p).cents("won_cents") > 0 {
					refused(t, "payment of the winner at another counter", other.present(t, "payment", true, p), "not_settled")
					paid("a winner", "lost", p)
				}
			}
			a, _ = c.end(t, answer{"unpaid": true, "cash_cents": 0})
			must(t, a)
		})

		// 26(a), 26(c), 26(d): no claim on a disqualified entry; a reinstated one has its prize, no more and no less.
		test("26 disqualified and reinstated", func(t *testing.T) {
			c := h.counter(t, hotel)
			w, won := c.winner(t, 100)
			h.both(t, "/v1/stops/disqualifications", answer{"serial": w.serial, "reason": "26(b)(iii)"})
			refused(t, "payment", c.present(t, "payment", false, w), "disqualified")
			refused(t, "a form", c.lodge("lost", false, claimant, w), "disqualified")
			h.both(t, "/v1/stops/reinstatements", answer{"serial": w.serial, "reason": "26(c)"})
			if got := must(t, c.present(t, "payment", false, w)).cents("paid_cents"); got != won {
				t.Errorf("paid %d of %d", got, won)
			}
		})

		// 17(f): an entry that a change of the rules made invalid is refunded for the games that were not drawn,
		// wherever it is brought.
		test("17f invalid by a change of the rules", func(t *testing.T) {
			c, other := h.counter(t, hotel), h.counter(t, club)
			p := c.sold(t, false, 50, "heads", 100)
			h.both(t, "/v1/stops/invalidations", answer{"serial": p.serial, "reason": "the rules changed"})
			a := must(t, other.present(t, "cancellation", false, p))
			if got, owed := a.cents("refund_cents"), 5000-100*h.closed(t, p, a); got != owed {
				t.Errorf("refund %d of %d", got, owed)
			}
			refused(t, "a second refund", c.present(t, "cancellation", false, p))
		})

		// 17(a)(i), 17(b): an entry is cancelled where it was made, before its game closes, and once.
		test("17a cancellation", func(t *testing.T) {
			c, other := h.counter(t, hotel), h.counter(t, club)
			p := c.sold(t, false, 20, "heads", 100)
			refused(t, "cancellation at another venue", other.present(t, "cancellation", false, p), "other_venue")
			must(t, c.present(t, "cancellation", false, p))
			refused(t, "a second cancellation", c.present(t, "cancellation", false, p))
			q := c.sold(t, false, 1, "heads", 100)
			h.settled(t, q)
			refused(t, "cancellation of a game that was drawn", c.present(t, "cancellation", false, q))
		})

		// 17(a)(iii): there is no cancellation outside the displayed trading hours.
		test("17a-iii trading hours", func(t *testing.T) {
			closed := h.venue(t, "Closed Hotel", "hotel")
			c := h.counter(t, closed)
			p := c.sold(t, false, 50, "heads", 100)
			at := h.ticket(t, p).text("time") // as 2026-11-17T05:43:53.492+11:00
			var hour, minute int
			if _, err := fmt.Sscanf(at[11:16], "%d:%d", &hour, &minute); err != nil {
				t.Fatal(err)
			}
			from := (hour*60 + minute + 720) % 1430 // half a day away
			var hours []answer
			for day := range 7 {
				hours = append(hours, answer{"weekday": day, "from": from, "to": from + 1})
			}
			must(t, h.as(1, "PUT", fmt.Sprintf("/v1/venues/%d/hours", closed), answer{"hours": hours}))
			refused(t, "cancellation after hours", c.present(t, "cancellation", false, p), "not_trading")
			_, a := c.sell(t, false, 1, calls("heads", 100))
			refused(t, "sale after hours", a, "not_trading")
		})

		// 11(b), 21(k): who leaves without paying has no claim on the entries, and gets nothing back for them.
		test("11b no credit", func(t *testing.T) {
			c := h.counter(t, hotel)
			p := c.sold(t, true, 20, "heads", 100)
			a, _ := c.end(t, answer{"unpaid": true, "cash_cents": 0})
			must(t, a)
			refused(t, "cancellation of what was not paid for", c.present(t, "cancellation", false, p), "frozen")
			refused(t, "payment on it", c.present(t, "payment", false, p))
		})

		// 11(b), 17(d): what goes back for an entry is what was paid for it; a release without a payment does not
		// make it more.
		test("17d release of an entry that was never paid", func(t *testing.T) {
			c := h.counter(t, hotel)
			p := c.sold(t, true, 50, "heads", 100)
			a, _ := c.end(t, answer{"unpaid": true, "cash_cents": 0})
			must(t, a)
			release := answer{"serials": []string{p.serial}, "reason": "let it be"}
			if a := h.as(1, "POST", "/v1/stops/release", release); a.code() == "" {
				h.both(t, "/v1/stops/release", release)
			}
			if a := c.present(t, "cancellation", false, p); a.code() == "" && a.cents("refund_cents") > 0 {
				t.Errorf("$%.2f in cash for an entry for which the house has no payment on record",
					float64(a.cents("refund_cents"))/100)
			}
			// Once it is paid for it is an entry like any other.
			release["cents"] = 5000
			h.both(t, "/v1/stops/release", release)
			if a := must(t, c.present(t, "cancellation", false, p)); a.cents("refund_cents") != 5000-100*h.closed(t, p, a) {
				t.Errorf("$50 were paid late: %s", brief(a))
			}
		})

		// 11(c): an entry at a self-service terminal is for at most a thousand dollars.
		test("11c self-service terminal", func(t *testing.T) {
			k := h.device(t, hotel, "sst")
			for _, games := range []int{11, 20} {
				_, a := k.sell(t, false, games, calls("heads", 10000))
				refused(t, fmt.Sprintf("%d games of $100", games), a, "ticket_total_above_maximum")
			}
			if _, a := k.sell(t, false, 10, calls("heads", 10000)); a.code() != "" && a.code() != "not_on_sale" {
				t.Errorf("ten games of $100: %s", brief(a))
			}
		})

		// 2(a) change receipt, self-service terminal: the terminal gives change for cash, and acknowledges it, by a
		// change receipt.
		test("2a change receipt at a self-service terminal", func(t *testing.T) {
			k := h.device(t, hotel, "sst")
			k.sold(t, true, 1, "heads", 500)
			_, a := k.issue(t, "change_receipt", 1500, answer{"in_session": true})
			if a.code() != "" {
				t.Errorf("$20 in cash for an entry of $5: no change receipt of $15: %s", brief(a))
			}
			a, _ = k.end(t, nil)
			must(t, a)
		})

		// 2(a) self-service terminal, change receipt: it redeems tickets into change receipts; nobody is there who pays cash.
		test("2a self-service terminal pays no cash", func(t *testing.T) {
			c, k := h.counter(t, hotel), h.device(t, hotel, "sst")
			w, _ := c.winner(t, 100)
			if a := k.present(t, "payment", false, w); a.code() == "" {
				t.Errorf("a prize in cash at a self-service terminal: %s", brief(a))
			} else {
				must(t, k.present(t, "payment", true, w))
				a, out := k.end(t, nil)
				if must(t, a).tender("cash") != 0 || len(out) != 1 {
					t.Errorf("a prize at a self-service terminal: %s", brief(a))
				}
			}
			g := c.issued(t, "gift_voucher", 500, nil)
			if a, _ := k.end(t, answer{"papers": tendered(true, g)}); a.tender("cash") != 0 {
				t.Errorf("a gift voucher was turned into cash at a self-service terminal: %s", brief(a))
			}
		})

		// 21(j), 11(b): a card has no credit; a prize goes there only if the card paid; what a cancelled entry took
		// from it goes back to it.
		test("21j player card", func(t *testing.T) {
			c := h.counter(t, hotel)
			refused(t, "a card for somebody under age",
				h.as(h.seniors[hotel], "POST", "/v1/cards", answer{"holder": answer{"name": "Kid", "born": "2020-01-01"}}))
			n := must(t, h.as(h.seniors[hotel], "POST", "/v1/cards",
				answer{"holder": answer{"name": "Cardy", "born": "1980-01-01"}})).cents("number")
			a, _ := c.end(t, answer{"card": n, "card_cents": -5000})
			must(t, a)
			p := c.sold(t, true, 50, "heads", 100)
			a, _ = c.end(t, answer{"card": n, "card_cents": 5000})
			must(t, a)
			q := c.sold(t, true, 1, "heads", 100)
			a, _ = c.end(t, answer{"card": n, "card_cents": 100})
			refused(t, "credit on a card", a, "card_short")
			a, _ = c.end(t, nil)
			must(t, a)
			h.settled(t, q)
			refund := must(t, c.present(t, "cancellation", true, p)).cents("refund_cents")
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cash"}}})
			if must(t, a).tender("player_card") != -refund || a.tender("cash") != 0 {
				t.Errorf("of %d that a card paid came %s", refund, brief(a))
			}
			w, _ := c.winner(t, 100)
			must(t, c.present(t, "payment", true, w))
			a, _ = c.end(t, answer{"card": n, "pay": []answer{{"means": "player_card"}}})
			refused(t, "a prize of cash on a card", a, "not_by_card")
			a, _ = c.end(t, nil)
			must(t, a)
		})

		// 9(e), 25(a): another sheet of a ticket that was not handed over is the same entry: it is paid and cancelled once.
		test("9e another sheet", func(t *testing.T) {
			c := h.counter(t, hotel)
			sheet := func(p paper) (answer, []string) {
				return c.request(t, "reprint", 1, func(hashes []string) answer {
					return answer{"serial": p.serial, "claim_hash": hashes[0]}
				})
			}
			var a answer
			for range 10 { // the first game may be sealed meanwhile
				p := c.sold(t, false, 50, "heads", 100)
				a, _ = sheet(p)
				refused(t, "another sheet of a ticket that nobody missed", a)
				a = c.send("POST", fmt.Sprintf("/v1/terminals/%d/undelivered", c.n),
					answer{"serial": p.serial, "reason": "printer"})
				if a.code() != "" {
					continue
				}
				var claims []string
				if a, claims = sheet(p); a.code() != "" {
					continue
				}
				must(t, c.present(t, "cancellation", false, p))
				refused(t, "cancellation by the other sheet",
					c.present(t, "cancellation", false, paper{serial: p.serial, claim: claims[0]}))
				return
			}
			t.Errorf("no other sheet: %s", brief(a))
		})

		// 20(b), 25(c): a winner that is being paid at one counter is not paid at another, nor on a form.
		test("25c one payment at a time", func(t *testing.T) {
			c, other := h.counter(t, hotel), h.counter(t, club)
			w, won := c.winner(t, 100)
			must(t, c.present(t, "payment", true, w))
			refused(t, "payment at another counter", other.present(t, "payment", false, w))
			refused(t, "a form", c.lodge("lost", false, claimant, w))
			a, _ := c.end(t, nil)
			if must(t, a).tender("cash") != -won {
				t.Errorf("of %d went %s", won, brief(a))
			}
		})
	})
}

// TestVictoriaVoid is a house that waits long between seal and draw, so that a game can be ended without a result.
func TestVictoriaVoid(t *testing.T) {
	t.Parallel()
	h := begin(t, "vic-keno-2015", "--interval", "10s", "--lead", "8s", "--ball", "1ms")
	h.staff(t, "supervisor")
	hotel := h.venue(t, "Corner Hotel", "hotel")
	c := h.counter(t, hotel)
	one, two := c.given(t, "prepaid_voucher", 200, "heads_or_tails"), c.given(t, "prepaid_voucher", 200, "heads_or_tails")
	sold := func(v paper) paper {
		p := c.sold(t, true, 1, "heads", 200)
		a, _ := c.end(t, answer{"papers": tendered(false, v)})
		must(t, a)
		return p
	}
	h.fresh(t, c)
	p, q := sold(one), sold(two)
	cash := c.sold(t, false, 1, "heads", 300)
	if g := h.ticket(t, cash).list("games")[0].cents("ordinal"); g != h.ticket(t, p).list("games")[0].cents("ordinal") {
		t.Fatal("the tickets fell into two games")
	}
	h.void(t, cash, "18(d)")

	// 17(d), 18(d): the stake of a game without a result goes back, once.
	t.Run("17d stake of a void game", func(t *testing.T) {
		if got := must(t, c.present(t, "payment", false, cash)).cents("paid_cents"); got != 300 {
			t.Errorf("%d came back of 300", got)
		}
		refused(t, "once more", c.present(t, "payment", false, cash))
	})
	// 13, 17(e): what a voucher paid for a game without a result comes back as a voucher.
	t.Run("17e voucher of a void game at the counter", func(t *testing.T) {
		refused(t, "cash for a voucher's stake", c.present(t, "payment", false, p))
		must(t, c.present(t, "payment", true, p))
		a, back := c.end(t, answer{"pay": []answer{{"means": "cash"}}})
		if must(t, a).tender("cash") != 0 || len(back) != 1 || back[0].cents != 200 || back[0].lastDay != one.lastDay {
			t.Errorf("came back as %s", brief(a))
		}
	})
	// 13, 17(e), 23(b): a claim form does not turn that voucher into a cheque either.
	t.Run("17e voucher of a void game on a form", func(t *testing.T) {
		a := c.lodge("lost", false, claimant, q)
		if a.code() != "" {
			return
		}
		n := a.cents("number")
		if h.allow(t, n).code() == "" && h.payClaim(n, "cheque").code() == "" {
			t.Errorf("a prepaid voucher of $2.00 that was never bought was paid by cheque")
		}
	})
}
