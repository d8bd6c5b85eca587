package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"drawhouse/journal/record"
)

// byMachine has two persons key the balls of the game on sale, and settles the game.
func (s *shop) byMachine(first, second uint32, numbers ...int) uint32 {
	s.t.Helper()
	ctx, ordinal := s.t.Context(), s.turn()
	_, err := s.house.First().AttendCage(ctx, record.CageAttended{Act: record.CageCounted, Balls: 80, By: first})
	s.must(err)
	_, err = s.house.First().StartCage(ctx, [2]uint32{first, second}, first)
	s.must(err)
	for i, n := range numbers {
		for _, who := range []uint32{first, second} {
			_, err := s.house.First().KeyBall(ctx, i+1, n, who)
			s.must(err)
		}
	}
	_, err = s.house.First().AttendCage(ctx, record.CageAttended{Act: record.CageAccepted, By: first})
	s.must(err)
	s.draw(ordinal, len(numbers))
	s.finish(ordinal)
	return ordinal
}

// TestOfficeCorrectsJackpot has a result corrected by which a jackpot was won: it is asked for with the balls that were
// drawn, the person who consents sees what becomes of the winner and of the jackpot, and it is done by who asked.
func TestOfficeCorrectsJackpot(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said := complaints(t, ctx)
	s := openShopDrawn(t, "casino-keno-div2", 0, record.DeviceCage)
	size(t, ctx, 1280, 720)
	s.begins()
	first, second, third := s.hire(record.RoleSupervisor), s.hire(record.RoleSupervisor), s.hire(record.RoleAdministrator)
	s.sellTicket(`{"v":1,"rulebook":"casino-keno-div2","first":"open","bets":[{"bet":"standard","spots":[1,2,3,4,5,6],"stake_cents":500}]}`)
	entered := make([]int, 20)
	right := ""
	for i := range entered {
		entered[i] = i + 1
		right += fmt.Sprintf("%d ", i+21)
	}
	ordinal := s.byMachine(first, second, entered...)
	g, _ := s.house.First().GameAt(ordinal)
	if len(g.Settled.JackpotWins) != 1 {
		t.Fatalf("%d ways have won the jackpot", len(g.Settled.JackpotWins))
	}

	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	signsOn(t, ctx, first)
	turnTo(t, ctx, "ask/correct_result")
	fill(t, ctx, "ask", map[string]string{"ordinal": fmt.Sprint(ordinal), "revision": "2", "numbers": "1 2 3",
		"reason": "tray 2 was keyed", "clause": "11.1"})
	shows(t, ctx, "ask-numbers-fault", "A draw is 20 different numbers")
	fill(t, ctx, "ask", map[string]string{"ordinal": fmt.Sprint(ordinal), "revision": "2", "numbers": right,
		"reason": "tray 2 was keyed", "clause": "11.1"})
	shows(t, ctx, "asked", "waits for")
	judge(t, ctx, "office-correct")

	signsOn(t, ctx, third)
	offered(t, ctx, "refuse consent")
	for _, text := range []string{
		fmt.Sprintf("Settle game %d of the series anew, as revision 2, by the numbers 21, 22,", ordinal),
		"under 11.1: tray 2 was keyed.",
		"was not won: players keep it.", fmt.Sprintf("Game %v, revision 2: 0 winners", g.Ref), "jackpot",
	} {
		shows(t, ctx, "approvals", text)
	}
	judge(t, ctx, "office-correct-agree")
	touch(t, ctx, "[data-do=consent]")
	shows(t, ctx, "approvals", fmt.Sprintf("consented to by A administrator (person %d)", third))

	signsOn(t, ctx, first)
	offered(t, ctx, "withdraw use")
	touch(t, ctx, "[data-do=use]")
	shows(t, ctx, "approvals", "done.")
	offered(t, ctx, "")
	if g, _ := s.house.First().GameAt(ordinal); g.Settled.Revision != 2 || len(g.Settled.JackpotWins) != 0 {
		t.Errorf("the game is at revision %d, and %d ways have won the jackpot", g.Settled.Revision,
			len(g.Settled.JackpotWins))
	}
	s.verified()
	quiet(t, s, said(), nil)
}
