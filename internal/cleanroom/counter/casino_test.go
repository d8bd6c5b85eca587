package counter

import "testing"

func TestCasino(t *testing.T) {
	t.Parallel()
	h := begin(t, "casino-keno-div2", quick...)
	h.staff(t, "supervisor")
	casino := h.venue(t, "Casino", "casino")

	spot := func(n int, stake int64) answer {
		return answer{"bet": "standard", "spots": []int{n}, "stake_cents": stake}
	}
	// winners sells tickets of one spot until so many have won: a quarter of the numbers is drawn.
	winners := func(t *testing.T, c *counter, count, games int, stake int64) []paper {
		var won []paper
		for range 20 {
			var ps []paper
			for n := 1; n <= 8; n++ {
				p, a := c.sell(t, false, games, spot(n, stake))
				if a.code() == "" {
					ps = append(ps, p)
				}
			}
			for _, p := range ps {
				a := h.wait(t, p, func(a answer) bool { return a.list("games")[0].text("phase") == "settled" })
				if a.cents("won_cents") > 0 {
					won = append(won, p)
				}
			}
			if len(won) >= count {
				return won[:count]
			}
		}
		t.Fatal("no winners in twenty games")
		return nil
	}

	t.Run("all", func(t *testing.T) {
		test := func(name string, f func(t *testing.T)) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				f(t)
			})
		}

		// 1.0, 8.11: prizes go out in cash; by cheque may go a prize of $200 or more on a way, and not several
		// small ones together.
		test("8.11 cheque for a major prize", func(t *testing.T) {
			c := h.counter(t, casino)
			small := winners(t, c, 3, 1, 5000)
			major := winners(t, c, 1, 1, 10000)[0]
			payee := cheque(c, t)
			must(t, c.present(t, "payment", true, small[0]))
			must(t, c.present(t, "payment", true, small[1]))
			a, _ := c.end(t, answer{"pay": []answer{{"means": "cheque"}}, "payee_hash": payee})
			refused(t, "a cheque for two small prizes", a, "not_major")
			a, _ = c.end(t, nil)
			if must(t, a).tender("cash") != -30000 {
				t.Errorf("two prizes of $150 went out as %s", brief(a))
			}
			must(t, c.present(t, "payment", true, small[2]))
			must(t, c.present(t, "payment", true, major))
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cheque", "cents": 30001}, {"means": "cash"}}, "payee_hash": payee})
			refused(t, "a cent more by cheque than the major prize", a, "not_major")
			a, _ = c.end(t, answer{"pay": []answer{{"means": "cheque", "cents": 30000}, {"means": "cash"}}, "payee_hash": payee})
			if must(t, a).tender("cheque") != -30000 || a.tender("cash") != -15000 {
				t.Errorf("went out as %s", brief(a))
			}
		})

		// 8.5: the writer keeps a ticket that was paid; its games to come go on with another, and the old one opens nothing.
		test("8.5 ticket kept by the writer", func(t *testing.T) {
			c := h.counter(t, casino)
			w := winners(t, c, 1, 40, 100)[0]
			refused(t, "payment without another ticket for the games to come", c.present(t, "payment", false, w))
			a, claims := c.request(t, "payment", 1, func(hashes []string) answer {
				return answer{"serial": w.serial, "claim_code": w.claim, "continuation_hash": hashes[0]}
			})
			must(t, a)
			next := paper{serial: a.text("continuation"), claim: claims[0]}
			refused(t, "cancellation by the old ticket", c.present(t, "cancellation", false, w))
			back := must(t, c.present(t, "cancellation", false, next))
			if got, played := back.cents("refund_cents"), h.closed(t, w, back); played < 1 || got != 4000-100*played {
				t.Errorf("%d came back of 4000 after %d games", got, played)
			}
			refused(t, "a second cancellation", c.present(t, "cancellation", false, next))
		})

		// 3.1: entries are made at writer terminals alone.
		test("3.1 no self-service terminal", func(t *testing.T) {
			k := h.device(t, casino, "sst")
			_, a := k.sell(t, false, 1, spot(1, 100))
			refused(t, "an entry at a self-service terminal", a)
		})

		// 4.1: cash, chips and winning tickets pay; what chips pay is at most what is owed.
		test("4.1 chips", func(t *testing.T) {
			c := h.counter(t, casino)
			_, a := c.sell(t, true, 1, spot(1, 500))
			must(t, a)
			a, _ = c.end(t, answer{"chips_cents": 600})
			refused(t, "chips that would be changed into cash", a, "overpaid")
			a, _ = c.end(t, answer{"chips_cents": 300})
			if must(t, a).tender("chips") != 300 || a.tender("cash") != 200 {
				t.Errorf("paid with %s", brief(a))
			}
		})

		// 8.12, 8.4: a claim on the form is paid once, and the ticket then says that it was paid.
		test("8.12 claim", func(t *testing.T) {
			c := h.counter(t, casino)
			w := winners(t, c, 1, 1, 100)[0]
			n := must(t, c.lodge("lost", false, claimant, w)).cents("number")
			must(t, h.allow(t, n))
			refused(t, "a transfer", h.payClaim(n, "transfer"))
			must(t, h.payClaim(n, "cheque"))
			refused(t, "a second cheque", h.payClaim(n, "cheque"))
			refused(t, "the counter", c.present(t, "payment", false, w))
			if a := h.ticket(t, w); a.cents("unpaid_cents") != 0 {
				t.Errorf("the form was paid, and the ticket says that %d can still be claimed", a.cents("unpaid_cents"))
			}
		})
	})
}
