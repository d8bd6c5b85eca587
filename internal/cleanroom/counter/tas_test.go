package counter

import (
	"fmt"
	"strings"
	"testing"
)

func TestTasmania(t *testing.T) {
	t.Parallel()
	h := begin(t, "tas-keno-2023", quick...)
	h.area = true
	h.staff(t, "operative")
	premises := h.venue(t, "Premises", "licensed_premises")
	casino := h.venue(t, "Casino", "casino")
	central := h.venue(t, "Operator", "central_site")
	must(t, h.as(h.sup, "PUT", fmt.Sprintf("/v1/venues/%d/limit", premises), answer{"cents": 100000}))

	// prizes brings winners of at least so much together into the open session, and says what they come to.
	prizes := func(t *testing.T, c *counter, least int64) int64 {
		var sum int64
		var ws []paper
		for sum < least {
			w, won := c.winner(t, 50000)
			ws, sum = append(ws, w), sum+won
		}
		for _, w := range ws {
			must(t, c.present(t, "payment", true, w))
		}
		return sum
	}
	// voucher is a central site voucher of a player named Pat Payee.
	voucher := func(t *testing.T) paper {
		c := h.counter(t, premises)
		prizes(t, c, 299900)
		a, out := c.end(t, answer{"pay": []answer{{"means": "central_voucher"}}, "payee_hash": cheque(c, t)})
		must(t, a)
		if len(out) != 1 {
			t.Fatalf("no central site voucher: %s", brief(a))
		}
		return out[0]
	}

	t.Run("all", func(t *testing.T) {
		test := func(name string, f func(t *testing.T)) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f(t)
			})
		}

		// 12.1: chips pay for entries at a casino's writer alone; at licensed premises and at a self-service
		// terminal they do not.
		test("12.1 chips", func(t *testing.T) {
			lp, ca, k := h.counter(t, premises), h.counter(t, casino), h.device(t, casino, "sst")
			for _, c := range []*counter{lp, k} {
				c.sold(t, true, 1, "heads", 500)
				a, _ := c.end(t, answer{"chips_cents": 500})
				refused(t, "chips", a, "tender_other")
				a, _ = c.end(t, nil)
				must(t, a)
			}
			ca.sold(t, true, 1, "heads", 500)
			a, _ := ca.end(t, answer{"chips_cents": 600})
			refused(t, "more chips than are owed", a)
			a, _ = ca.end(t, answer{"chips_cents": 500})
			if must(t, a).tender("chips") != 500 {
				t.Errorf("chips at a casino: %s", brief(a))
			}
		})

		// 13.5: three hundred dollars in cash must be there, so no venue's limit is below that.
		test("13.5 limit of a venue", func(t *testing.T) {
			n := h.venue(t, "Small premises", "licensed_premises")
			refused(t, "a limit of $299.99", h.as(h.sup, "PUT", fmt.Sprintf("/v1/venues/%d/limit", n), answer{"cents": 29999}))
			must(t, h.as(h.sup, "PUT", fmt.Sprintf("/v1/venues/%d/limit", n), answer{"cents": 30000}))
		})

		// 13.6, 13.8(b), 13.8(c), 13.10: a site cheque is for more than $300, after a look at the exclusions, to a
		// payee, with its words.
		test("13.6 site cheque", func(t *testing.T) {
			c := h.counter(t, premises)
			w, more := c.halves(t, 30000), c.halves(t, 200)
			must(t, c.present(t, "payment", true, w))
			payee := cheque(c, t)
			site := answer{"pay": []answer{{"means": "site_cheque"}}, "payee_hash": payee, "checked": true}
			a, _ := c.end(t, site)
			refused(t, "a site cheque of $300", a)
			must(t, c.present(t, "payment", true, more))
			a, _ = c.end(t, answer{"pay": []answer{{"means": "site_cheque"}}, "checked": true})
			refused(t, "a site cheque without a payee", a, "payee_missing")
			a, _ = c.end(t, answer{"pay": []answer{{"means": "site_cheque"}}, "payee_hash": payee})
			refused(t, "a site cheque without a look at the exclusions", a, "not_looked_up")
			a, _ = c.end(t, site)
			must(t, a)
			words := fmt.Sprint(a["cheque_words"])
			if a.tender("site_cheque") != -30200 || len(a.list("promised")) != 1 ||
				!strings.Contains(words, "Not Negotiable") || !strings.Contains(words, "Account Payee Only") ||
				!strings.Contains(words, "Keno Payout") {
				t.Errorf("the site cheque: %s", brief(a))
			}
		})

		// 13.7(a), 13.7(b), 13.2: from $2,999 on what is not taken in cash, within the venue's limit, is a central
		// site voucher with a payee.
		test("13.7 from $2,999 on", func(t *testing.T) {
			c := h.counter(t, premises)
			due := prizes(t, c, 299900)
			payee := cheque(c, t)
			a, _ := c.end(t, answer{"pay": []answer{{"means": "central_voucher"}}})
			refused(t, "a central voucher without a payee", a, "payee_missing")
			a, _ = c.end(t, answer{"pay": []answer{{"means": "site_cheque"}}, "payee_hash": payee, "checked": true})
			refused(t, "a site cheque", a, "means_other")
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cash", "cents": 100001}, {"means": "central_voucher"}},
				"payee_hash": payee})
			refused(t, "$1,000.01 in cash", a, "over_cash_limit")
			a, out := c.end(t, answer{"pay": []answer{{"means": "cash", "cents": 100000}, {"means": "central_voucher"}},
				"payee_hash": payee})
			must(t, a)
			if a.tender("cash") != -100000 || len(out) != 1 || out[0].cents != due-100000 {
				t.Errorf("of %d went %s", due, brief(a))
			}
		})

		// 13.7(b), 12.1: a central site voucher is paid by the operator's cheque or at a casino, once; it pays for
		// no entry and not at premises.
		test("13.7b central site voucher", func(t *testing.T) {
			v := voucher(t)
			lp, ca, op := h.counter(t, premises), h.counter(t, casino), h.counter(t, central)
			a, _ := lp.end(t, answer{"papers": tendered(false, v)})
			refused(t, "cash at licensed premises", a)
			ca.sold(t, true, 6, "heads", 50000)
			a, _ = ca.end(t, answer{"papers": tendered(false, v)})
			refused(t, "an entry for a central voucher", a)
			a, _ = ca.end(t, nil)
			must(t, a)
			a, _ = op.end(t, answer{"papers": tendered(false, v), "pay": []answer{{"means": "cash"}}})
			refused(t, "cash at the operator", a)
			a, _ = op.end(t, answer{"papers": tendered(false, v)})
			refused(t, "a cheque without a payee", a, "payee_missing")
			a, _ = ca.end(t, answer{"papers": tendered(false, v),
				"pay": []answer{{"means": "cash", "cents": 10001}, {"means": "site_cheque"}}, "payee_hash": cheque(ca, t),
				"checked": true})
			if must(t, a).tender("cash") != -10001 || a.tender("site_cheque") != 10001-v.cents {
				t.Errorf("a casino paid %s", brief(a))
			}
			a, _ = op.end(t, answer{"papers": tendered(false, v), "payee_hash": cheque(op, t)})
			refused(t, "once more", a)
		})

		// 13.2, 13.10: the cheque for a central site voucher is drawn in favour of the player whose details were
		// given for it.
		test("13.10 cheque for another payee", func(t *testing.T) {
			v := voucher(t)
			op := h.counter(t, central)
			other := op.payee(t, answer{"name": "Somebody Else", "address": "9 Street"})
			a, _ := op.end(t, answer{"papers": tendered(false, v), "pay": []answer{{"means": "cheque"}}, "payee_hash": other})
			refused(t, "a cheque for somebody else than the payee of the voucher", a)
		})

		// 1.11, 15.1: a central site voucher is a receipt ticket in lieu of cash, so one that is lost can be
		// claimed on the form, by the player whose details were given for it (13.2).
		test("15.1 lost central site voucher", func(t *testing.T) {
			v := voucher(t)
			c := h.counter(t, premises)
			refused(t, "a form of somebody else", c.lodge("lost", false, claimant, v), "payee_other")
			a := c.lodge("lost", false, answer{"name": "Pat Payee", "address": "2 Street", "born": "1970-01-01", "phone": "123"},
				v)
			if a.code() != "" {
				t.Errorf("$%.2f of prizes, with a payee on record, can be had by nobody: %s", float64(v.cents)/100, brief(a))
			}
		})

		// 13.7(c), 13.7(a), 13.7(b): a self-service terminal pays at most $1,000 for a ticket, by receipt; what the
		// receipt comes to is paid by the same limits.
		test("13.7c self-service terminal", func(t *testing.T) {
			c, k := h.counter(t, premises), h.device(t, casino, "sst")
			over := c.sold(t, false, 6, "heads", 50000)
			for range 20 {
				if h.settled(t, over).cents("won_cents") > 100000 {
					break
				}
				over = c.sold(t, false, 6, "heads", 50000)
			}
			refused(t, "a ticket above $1,000", k.present(t, "payment", true, over), "ticket_over_sst")
			for range 3 {
				must(t, k.present(t, "payment", true, c.halves(t, 100000)))
			}
			a, out := k.end(t, nil)
			must(t, a)
			if len(out) != 1 || out[0].cents != 300000 || a.tender("cash") != 0 {
				t.Fatalf("paid %s", brief(a))
			}
			a, _ = c.end(t, answer{"papers": tendered(false, out[0]), "pay": []answer{{"means": "cash"}}})
			refused(t, "$3,000 in cash for a receipt", a, "over_cash_limit")
			a, _ = c.end(t, answer{"papers": tendered(false, out[0])})
			refused(t, "a central voucher without a payee", a, "payee_missing")
		})

		// 12.1(a): at licensed premises an SST receipt is turned into cash and pays for no entry.
		test("12.1a SST receipt", func(t *testing.T) {
			c, k := h.counter(t, premises), h.device(t, casino, "sst")
			must(t, k.present(t, "payment", true, c.halves(t, 1000)))
			a, out := k.end(t, nil)
			must(t, a)
			c.sold(t, true, 10, "heads", 100)
			a, _ = c.end(t, answer{"papers": tendered(false, out[0])})
			refused(t, "an entry for an SST receipt", a, "paper_not_taken")
			a, _ = c.end(t, nil)
			must(t, a)
			a, _ = c.end(t, answer{"papers": tendered(false, out[0])})
			if must(t, a).tender("cash") != -1000 {
				t.Errorf("redeemed as %s", brief(a))
			}
			a, _ = c.end(t, answer{"papers": tendered(false, out[0])})
			refused(t, "once more", a)
		})

		// 1.59, 12.1(b): a self-service terminal takes cash for an entry and gives the change as an SST receipt.
		test("1.59 change at a self-service terminal", func(t *testing.T) {
			k := h.device(t, casino, "sst")
			k.sold(t, true, 1, "heads", 500)
			_, a := k.issue(t, "sst_receipt", 1500, answer{"in_session": true})
			if a.code() != "" {
				t.Errorf("$20 in cash for an entry of $5: no receipt for $15: %s", brief(a))
			}
			a, _ = k.end(t, nil)
			must(t, a)
		})

		// 12.2(d), 21.2(b): $250 is the most at a self-service terminal: a ticket of the main game, or a game of
		// heads or tails.
		test("12.2d self-service terminal", func(t *testing.T) {
			k := h.device(t, casino, "sst")
			_, a := k.sell(t, false, 251, answer{"bet": "standard", "spots": []int{1, 2, 3}, "stake_cents": 100})
			refused(t, "$251 in all", a, "ticket_total_above_maximum")
			_, a = k.sell(t, false, 1, calls("heads", 25100))
			refused(t, "$251 a game", a)
		})

		// 1.76: an approved voucher stands for a wager; it gives no change and no cash, and comes back as a voucher.
		test("1.76 approved voucher", func(t *testing.T) {
			c := h.counter(t, premises)
			v := c.given(t, "approved_voucher", 5000)
			a, _ := c.end(t, answer{"papers": tendered(false, v)})
			refused(t, "cash", a)
			p := c.sold(t, true, 40, "heads", 100)
			a, _ = c.end(t, answer{"papers": tendered(false, v)})
			refused(t, "change", a, "voucher_no_change")
			c.sold(t, true, 10, "tails", 100)
			a, _ = c.end(t, answer{"papers": tendered(false, v)})
			must(t, a)
			refused(t, "cash for a cancelled entry", c.present(t, "cancellation", false, p))
			refund := must(t, c.present(t, "cancellation", true, p)).cents("refund_cents")
			a, back := c.end(t, answer{"pay": []answer{{"means": "cash"}}})
			if must(t, a).tender("cash") != 0 || len(back) != 1 || back[0].cents != refund || back[0].lastDay != v.lastDay {
				t.Errorf("came back as %s", brief(a))
			}
			refused(t, "a form for it", c.lodge("unreadable", true, claimant, back[0]))
		})

		// 13.11: a prize of somebody under eighteen is forfeited: nobody is paid it, at a counter or on a form.
		test("13.11 forfeit", func(t *testing.T) {
			c := h.counter(t, premises)
			w, won := c.winner(t, 100)
			a := must(t, c.present(t, "forfeit", false, w))
			if a.cents("cents") != won {
				t.Errorf("forfeited %d of %d", a.cents("cents"), won)
			}
			refused(t, "payment", c.present(t, "payment", false, w))
			refused(t, "a form", c.lodge("lost", false, claimant, w))
			refused(t, "a second forfeit", c.present(t, "forfeit", false, w))
		})

		// 13.11, 19.2: what was forfeited cannot be claimed any more, and the ticket does not say that it can.
		test("13.11 ticket after a forfeit", func(t *testing.T) {
			c := h.counter(t, premises)
			w, won := c.winner(t, 100)
			must(t, c.present(t, "forfeit", false, w))
			if a := h.ticket(t, w); a.cents("unpaid_cents") != 0 {
				t.Errorf("of %d forfeited the ticket says that %d can still be claimed", won, a.cents("unpaid_cents"))
			}
		})

		// 15.2, 15.3: below $100 the operative decides alone; above, an inspector signs too. 13.9, 14.7: by cheque, and once.
		test("15.3 claims", func(t *testing.T) {
			c := h.counter(t, premises)
			small := must(t, c.lodge("lost", false, claimant, c.halves(t, 9800)))
			if fmt.Sprint(small["missing"]) != "[state_wide_gaming_operative]" {
				t.Errorf("for $98 these sign: %v", small["missing"])
			}
			w := c.halves(t, 10200)
			n := must(t, c.lodge("lost", false, claimant, w)).cents("number")
			path := fmt.Sprintf("/v1/claims/%d", n)
			must(t, h.as(h.signer, "POST", path+"/signatures", answer{"satisfied": true}))
			refused(t, "$102 without an inspector",
				h.as(h.sup, "POST", path+"/decision", answer{"outcome": "allowed", "reason": "so"}), "not_signed")
			must(t, h.allow(t, n))
			refused(t, "cash", h.payClaim(n, "cash"))
			refused(t, "a transfer", h.payClaim(n, "transfer"))
			a := must(t, h.payClaim(n, "cheque"))
			if a["copies_due"] != true {
				t.Errorf("no copies are due to the inspector: %s", brief(a))
			}
			refused(t, "once more", h.payClaim(n, "cheque"))
			refused(t, "the counter", c.present(t, "payment", false, w))
		})

		// 15.1: a lost SST receipt is claimed on the form, and then nobody redeems it.
		test("15.1 lost SST receipt", func(t *testing.T) {
			c, k := h.counter(t, premises), h.device(t, casino, "sst")
			must(t, k.present(t, "payment", true, c.halves(t, 1000)))
			a, out := k.end(t, nil)
			must(t, a)
			n := must(t, c.lodge("lost", false, claimant, out[0])).cents("number")
			a, _ = c.end(t, answer{"papers": tendered(false, out[0])})
			refused(t, "redemption under a claim", a, "under_claim")
			must(t, h.allow(t, n))
			must(t, h.payClaim(n, "cheque"))
			a, _ = c.end(t, answer{"papers": tendered(false, out[0])})
			refused(t, "redemption after it", a)
		})

		// 15.1: a prize that was withheld and released, and that nobody has had, can be claimed on the form when
		// the ticket is lost.
		test("15.1 withheld prize of a lost ticket", func(t *testing.T) {
			c := h.counter(t, premises)
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

		// 16.1, 16.2: a winner of a session that is not paid for yet is not paid on a form.
		test("16.1 claim on an open session", func(t *testing.T) {
			c := h.counter(t, premises)
			won := false
			for n := 0; n < 20 && !won; n++ {
				p := c.sold(t, true, 1, "heads", 100)
				if won = h.settled(t, p).cents("won_cents") > 0; !won {
					continue
				}
				a := c.lodge("lost", false, claimant, p)
				if a.code() != "" {
					break
				}
				if n := a.cents("number"); h.allow(t, n).code() == "" && h.payClaim(n, "cheque").code() == "" {
					t.Errorf("a winner of an open session, for which nothing was paid, was paid by a cheque of $%.2f",
						float64(a.cents("cents"))/100)
				}
			}
			if !won {
				t.Error("heads did not come in twenty games")
			}
			a, _ := c.end(t, answer{"unpaid": true, "cash_cents": 0})
			must(t, a)
		})

		// 16.1, 16.2: entries that were not paid for are frozen, and nothing is paid or given back on them.
		test("16.2 not paid for", func(t *testing.T) {
			c := h.counter(t, premises)
			p := c.sold(t, true, 50, "heads", 100)
			a, _ := c.end(t, answer{"unpaid": true, "cash_cents": 4999})
			if must(t, a).tender("unpaid") != 1 {
				t.Errorf("one cent is missing: %s", brief(a))
			}
			refused(t, "cancellation", c.present(t, "cancellation", false, p), "frozen")
		})

		// 20.1: an entry is disqualified only if the Commission is of that opinion too; no clause takes it back.
		test("20.1 disqualification", func(t *testing.T) {
			c := h.counter(t, premises)
			w, _ := c.winner(t, 100)
			body := answer{"serial": w.serial, "reason": "20.2(c)"}
			a := h.consent(t, 1, 2, "/v1/stops/disqualifications", body)
			refused(t, "by the operator alone", h.as(1, "POST", fmt.Sprintf("/v1/approvals/%d/use", a.cents("number")), nil),
				"parties_missing")
			must(t, c.present(t, "payment", false, w))
		})

		// 13.13: the list of the session is printed on request, for a runner, and when the customer's display does not work.
		test("13.13 list of the session", func(t *testing.T) {
			c := h.counter(t, premises)
			for _, why := range []answer{{"print": true}, {"display_down": true}} {
				c.sold(t, true, 1, "heads", 100)
				a, _ := c.end(t, why)
				if must(t, a).text("printed") == "" {
					t.Errorf("%v: no list", why)
				}
			}
			c.sold(t, true, 1, "heads", 100)
			a, _ := c.end(t, nil)
			if must(t, a).text("printed") != "" {
				t.Errorf("a list that nobody wants: %s", a.text("printed"))
			}
		})
	})
}

// TestTasmaniaVoid is a house that waits long between seal and draw, so that a game can be ended without a result.
func TestTasmaniaVoid(t *testing.T) {
	t.Parallel()
	h := begin(t, "tas-keno-2023", "--interval", "10s", "--lead", "8s", "--ball", "1ms")
	h.area = true
	h.staff(t, "operative")
	premises := h.venue(t, "Premises", "licensed_premises")
	c := h.counter(t, premises)
	v := c.given(t, "approved_voucher", 200)
	h.fresh(t, c)
	p := c.sold(t, true, 1, "heads", 200)
	a, _ := c.end(t, answer{"papers": tendered(false, v)})
	must(t, a)
	h.void(t, p, "19.3")

	// 1.76, 15.3: a voucher that stands for a wager does not become a cheque by a game without a result and a form.
	t.Run("1.76 voucher of a void game on a form", func(t *testing.T) {
		a := c.lodge("lost", false, claimant, p)
		if a.code() != "" {
			return
		}
		n := a.cents("number")
		if h.allow(t, n).code() == "" && h.payClaim(n, "cheque").code() == "" {
			t.Errorf("an approved voucher of $2.00 that was never bought was paid by cheque")
		}
	})
}
