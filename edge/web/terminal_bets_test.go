package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
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
