package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/core/ball"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/house/person"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestTerminalSellsEveryBet sells every bet of every keno rulebook, marked, picked and
// with what hangs on it: the terminal knows no rulebook, and shows what the catalogue
// has.
func TestTerminalSellsEveryBet(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		t.Run(id, func(t *testing.T) {
			ctx := browser(t)
			s := openShop(t, id)
			size(t, ctx, 1280, 720)
			s.enrolled(ctx)
			book, err := rules.Book(id)
			s.must(err)
			for i, bet := range book.Bets() {
				if i > 0 {
					keys(t, ctx, kb.F2)
				}
				sellMarked(t, ctx, bet)
				if picks, ok := bet.Picks(); ok && picks.Quick != "" && bet.Form() == rulebook.FormNumbers {
					line(t, ctx, fmt.Sprintf("p%d s5", bet.Sizes().Min()))
					sellSlip(t, ctx)
				}
			}
		})
	}
}

// sellMarked marks a bet and sells it, first alone and then with every feature that
// goes with it.
func sellMarked(t *testing.T, ctx context.Context, bet *rulebook.Bet) {
	t.Helper()
	slip := "3"
	switch bet.Form() {
	case rulebook.FormCalls:
		slip = "h"
	case rulebook.FormRace:
		slip = "1 / 2 / 3"
		if race, _ := bet.Race(); race.Types()[0].Places < 3 {
			slip = "1"
		}
	case rulebook.FormNumbers:
		for n := 1; n < bet.Sizes().Min(); n++ {
			slip += fmt.Sprintf(" %d", 3+n)
		}
	}
	line(t, ctx, slip+" s5")
	sellSlip(t, ctx)
	line(t, ctx, slip+" s5")
	features := call[int](t, ctx,
		`() => { const all = [...document.querySelectorAll("#options .toggles button")].filter((b) => b.querySelector("kbd")); for (let i = 0; i < all.length; i++) [...document.querySelectorAll("#options .toggles button")].filter((b) => b.querySelector("kbd"))[i].click(); document.getElementById("entry").focus(); return all.length; }`)
	if features == 0 {
		keys(t, ctx, kb.Escape)
		return
	}
	sellSlip(t, ctx)
}

// sellSlip sells what is marked, which the house must have priced.
func sellSlip(t *testing.T, ctx context.Context) {
	t.Helper()
	awaitPage(t, ctx, "a price",
		`() => document.getElementById("quote").dataset.state === "priced" && !document.getElementById("sell").disabled`)
	sells(t, ctx)
	paperOnScreen(t, ctx, "Ticket")
}

// TestReadyTicketFixedOrRandom sells a ready ticket with its own numbers and with picked ones, as the player asks. The
// customer sees which it is; a ready ticket without the choice offers none (casino-keno-div2 3.5, 3.12(b)).
func TestReadyTicketFixedOrRandom(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "casino-keno-div2")
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	const choose = `(which, value) => { const list = which === "item" ? document.querySelector("#bets select") : [...document.querySelectorAll("#options label")].find((l) => l.textContent.startsWith("Numbers")).querySelector("select"); list.value = value; list.dispatchEvent(new Event("change")); return true; }`
	const offered = `() => [...document.querySelectorAll("#options label")].some((l) => l.textContent.startsWith("Numbers"))`
	call[bool](t, ctx, `() => { window.told = []; new BroadcastChannel("drawhouse-customer").addEventListener("message", ({ data }) => window.told.push(data.slip.bets.join())); return true; }`)
	told := func(want string) {
		t.Helper()
		awaitPage(t, ctx, "the customer is shown "+want, `(want) => window.told.at(-1)?.includes(want)`, want)
	}
	fixed := ball.MustOf(80, 8, 18, 28, 38, 48, 58)
	for i, c := range []struct{ item, how, shown string }{
		{"set-bet-1", "fixed", "Set Bet 1 (fixed) 8 18 28 38 48 58"},
		{"set-bet-1", "random", "Set Bet 1 (random) 6 picked"},
		{"set-bet-1", "", "Set Bet 1 (fixed)"}, // The choice for one customer is not that of the next.
	} {
		call[bool](t, ctx, choose, "item", c.item)
		if c.how != "" {
			call[bool](t, ctx, choose, "numbers", c.how)
		}
		shows(t, ctx, "price", "$5.00")
		told(c.shown)
		sells(t, ctx)
		paperOnScreen(t, ctx, "Ticket")
		spots := s.lastSpots()
		if own := spots == fixed; own != (c.how != "random") {
			t.Errorf("sale %d, %s: the ticket has %v", i+1, c.shown, spots)
		}
	}
	call[bool](t, ctx, choose, "item", "set-bet-2")
	if call[bool](t, ctx, offered) {
		t.Error("a ready ticket with fixed numbers alone offers a choice")
	}
}

// TestCustomerSeesWhatIsBought: before the sale the customer is told all that the ticket will say: the type of a race,
// the ways of groups, a run, and a ready ticket by its name with its numbers (vic-keno-2015 9(f), tas-keno-2023 5.4).
func TestCustomerSeesWhatIsBought(t *testing.T) {
	t.Parallel()
	for id, bets := range map[string]map[string]string{
		"vic-keno-2015": {
			`{"bet":"classic","groups":[[1,2],[3],[4]],"play":{"spots":[2]},"stake_cents":100}`:   "Keno Classic A 1 2 / B 3 / C 4, ways of 2 numbers, $1.00",
			`{"bet":"classic","groups":[[1,2],[3],[4]],"play":{"spots":[2,3]},"stake_cents":100}`: "Keno Classic A 1 2 / B 3 / C 4, ways of 2 and 3 numbers, $1.00",
			`{"bet":"classic","groups":[[1,2],[3],[4]],"play":"all","stake_cents":100}`:           "Keno Classic A 1 2 / B 3 / C 4, all ways, $1.00",
			`{"bet":"heads_or_tails","calls":["heads"],"run":true,"stake_cents":100}`:             "Heads or Tails? Heads, let it run, $1.00",
			`{"bet":"heads_or_tails","calls":["heads","evens"],"stake_cents":100}`:                "Heads or Tails? Heads Evens, $1.00",
			`{"item":"superplay-1","stake_cents":100}`:                                            "Superplay 1 2 + 2 + 2 picked, ways of 2, 4 and 6 numbers, $1.00",
			`{"item":"harbour-club-regulars","stake_cents":100}`:                                  "Harbour Club Regulars 1 11 21 / 5 15 25 / 9 19, ways of 3, 5 and 6 numbers, $1.00",
		},
		"tas-keno-2023": {
			`{"bet":"racing","type":"win","places":[[3]],"stake_cents":100}`:              "Keno Racing, Win 3, $1.00",
			`{"bet":"racing","type":"quinella","places":[[1],[2]],"stake_cents":100}`:     "Keno Racing, Quinella 1 / 2, $1.00",
			`{"bet":"racing","type":"win","places":{"pick":"mystery"},"stake_cents":100}`: "Keno Racing, Win picked, $1.00",
			`{"item":"set-bet-1"}`: "Set Bet 1 7 17 27 37 47, $1.00",
		},
		"casino-keno-div2": {
			`{"bet":"standard","groups":[[1,2],[3]],"play":{"ways":[[1],[1,2]]},"stake_cents":100}`: "Standard Entry A 1 2 / B 3, ways A, AB, $1.00",
			`{"bet":"standard","groups":[[1,2],[3]],"play":{"groups":[1,2]},"stake_cents":100}`:     "Standard Entry A 1 2 / B 3, ways of 1 and 2 groups, $1.00",
			`{"item":"set-bet-1","random":false}`:                                                   "Set Bet 1 (fixed) 8 18 28 38 48 58, $1.00",
			`{"item":"set-bet-1","random":true}`:                                                    "Set Bet 1 (random) 6 picked, $1.00",
			`{"bet":"standard","spots":{"pick":6},"stake_cents":200}`:                               "Standard Entry 6 picked, $2.00",
		},
	} {
		t.Run(id, func(t *testing.T) {
			ctx := browser(t)
			s := openShop(t, id)
			s.enrolled(ctx)
			for bet, want := range bets {
				const told = `async (bet) => { const { terminalStrings } = await import("/web/kit/strings.js"); const offer = await (await fetch("/v1/catalogue")).json(); return terminalStrings.toBuy(JSON.parse(bet), offer, (cents) => "$" + (cents / 100).toFixed(2)); }`
				if got := call[string](t, ctx, told, bet); got != want {
					t.Errorf("%s: the customer is told %q, want %q", bet, got, want)
				}
			}
		})
	}
}

// lastSpots returns the numbers of the last ticket that was sold, which has one bet with one way.
func (s *shop) lastSpots() (spots ball.Set) {
	s.t.Helper()
	head, err := s.store.Head(s.t.Context())
	s.must(err)
	s.must(s.store.Records(s.t.Context(), head.Volume, 0, head.Size, func(_ uint64, data []byte) error {
		one, err := record.Decode(data)
		if err != nil {
			return err
		}
		if sold, ok := one.Body.(*record.TicketSold); ok {
			ticket, err := keno.DecodeTicket(sold.Ticket)
			if err != nil {
				return err
			}
			spots = ticket.Bets[0].Spots
		}
		return nil
	}))
	return spots
}

// newWriter has the register and the house know a writer.
func (s *shop) newWriter(password string) uint32 {
	s.t.Helper()
	secret, err := person.NewSecret(password, person.LeastCost, rand.Reader)
	s.must(err)
	s.must(s.register.PutSecret(s.t.Context(), secret))
	made, err := s.house.Do(s.t.Context(), command.Change{Command: staff.AddPerson{Details: record.Hash{1},
		Secret: secret.Hash(), Grants: []state.Grant{{Role: record.RoleWriter, Venue: 1}}}}, record.By{})
	s.must(err)
	return staff.NumberOf(made)
}

// TestShift signs a writer on and off at the terminal, and does not let in who has
// another's number.
func TestShift(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := openShop(t, "vic-keno-2015")
	const password = "correct horse battery"
	writer := s.newWriter(password)
	size(t, ctx, 1280, 720)
	s.enrolled(ctx)
	signOn := func(password string) {
		t.Helper()
		keys(t, ctx, fmt.Sprint(writer)+kb.Tab+password+kb.Enter)
	}
	keys(t, ctx, kb.F12)
	signOn("somebody else entirely")
	shows(t, ctx, "sign-fault", "Wrong number or password.")
	call[chromedp.Void](t, ctx,
		`() => { document.getElementById("person").value = ""; document.getElementById("person").focus(); }`)
	signOn(password)
	shows(t, ctx, "shift", fmt.Sprintf("Writer %d", writer))
	if kept := call[string](t, ctx, `() => document.getElementById("password").value`); kept != "" {
		t.Error("the password stays on the page")
	}
	s.must(chromedp.Do(ctx, chromedp.Reload()))
	shows(t, ctx, "shift", fmt.Sprintf("Writer %d", writer))
	keys(t, ctx, kb.F12)
	shows(t, ctx, "said", "Signed off.")
	shows(t, ctx, "shift", "Sign on")
}
