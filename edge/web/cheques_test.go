package web

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/journal/record"
)

// winningCall sells a call on every side of heads or tails, plays, and returns the ticket
// that won with its prize.
func (s *shop) winningCall(dollars int) (ticket [2]string, prize string) {
	s.t.Helper()
	var calls [3][2]string
	for i, side := range []string{"heads", "tails", "evens"} {
		calls[i] = s.sellTicket(fmt.Sprintf(`{"v":1,"rulebook":%q,"first":"open","bets":[{"bet":"heads_or_tails","calls":[%q],"stake_cents":%d}]}`, s.book, side, 100*dollars))
	}
	game := s.turn()
	s.draw(game, 20)
	s.finish(game)
	heads := 0
	for _, n := range s.house.First().Games(2)[1].Numbers.Numbers() {
		if n <= 40 {
			heads++
		}
	}
	switch {
	case heads > 10:
		return calls[0], fmt.Sprintf("$%d.00", 2*dollars)
	case heads < 10:
		return calls[1], fmt.Sprintf("$%d.00", 2*dollars)
	}
	return calls[2], fmt.Sprintf("$%d.00", 4*dollars)
}

// TestChequeIsAwaited pays a prize by a cheque of the venue: the counter says until when it
// will be there, the office has it on its list, marks it when it is overdue, and takes it
// off when it is handed over; and public holidays are named and taken back.
func TestChequeIsAwaited(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := openShop(t, "tas-keno-2023")
	operative := s.hire(record.RoleOperative)
	size(t, ctx, 1280, 720)
	ticket, prize := s.winningCall(200)
	s.enrolled(ctx)
	present(t, ctx, ticket[0])
	line(t, ctx, ticket[1])
	shows(t, ctx, "pay", "Pay "+prize)
	keys(t, ctx, kb.Enter)
	shows(t, ctx, "said", prize+" is on the customer's account.")
	keys(t, ctx, kb.F9)
	shows(t, ctx, "settle-sums", "To the customer "+prize)
	click(t, ctx, "#means [value=site_cheque]")
	click(t, ctx, "#looked")
	call[chromedp.Void](t, ctx, `() => document.getElementById("payee-name").focus()`)
	keys(t, ctx, "Ada Lovelace"+kb.Enter)
	awaitPage(t, ctx, "the cheque",
		`() => document.getElementById("paper").open && document.querySelector("#roll svg") !== null`)
	keys(t, ctx, kb.Escape)
	shows(t, ctx, "said", "The cheque of "+prize+" will be here by ")

	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/office"))))
	awaitPage(t, ctx, "the page", `() => document.documentElement.dataset.state === "ready"`)
	signsOn(t, ctx, operative)
	s.staged.Store("/v1/cheques", []byte(`{"cheques":[
		{"cheque":"1:70","venue":1,"venue_name":"Corner Hotel","asked":"2026-11-13T12:00:00+11:00","means":"site_cheque","cents":44000,"due":"2026-11-17T00:00:00+11:00","overdue":true,"serials":["1234567890123450"]},
		{"cheque":"1:90","venue":1,"venue_name":"Corner Hotel","asked":"2026-11-17T12:00:00+11:00","means":"site_cheque","cents":30100,"due":"2026-11-18T12:00:00+11:00","serials":["1234567890123451"]}]}`))
	turnTo(t, ctx, "cheques")
	shows(t, ctx, "cheques", "the end of Monday 16 November")
	shows(t, ctx, "cheques", "12:00, Wednesday 18 November")
	if marked := call[int](t, ctx, `() => document.querySelectorAll("#cheques tbody .fault").length`); marked != 1 {
		t.Errorf("%d cheques are marked as overdue", marked)
	}
	judge(t, ctx, "office-cheques")
	s.staged.Delete("/v1/cheques")

	turnTo(t, ctx, "claims")
	turnTo(t, ctx, "cheques")
	shows(t, ctx, "cheques", prize)
	shows(t, ctx, "cheques", "Corner Hotel")
	shows(t, ctx, "cheques", ticket[0])
	shows(t, ctx, "cheques", "Ada Lovelace")
	shows(t, ctx, "holidays", "No day is named.")
	fill(t, ctx, "holiday", map[string]string{"day": "2026-12-25"})
	shows(t, ctx, "holidays", "Friday 25 December 2026")
	fill(t, ctx, "holiday", map[string]string{"day": "2026-12-25"})
	shows(t, ctx, "holiday-day-fault", "2026-12-25 is named twice.")
	click(t, ctx, `[data-do='remove-2026-12-25']`)
	shows(t, ctx, "holidays", "No day is named.")
	click(t, ctx, `[data-do='hand-cheque']`)
	shows(t, ctx, "said", "It is recorded as handed over.")
	shows(t, ctx, "cheques", "Nobody waits for a cheque.")
	quiet(t, s, said(), asked())
	s.verified()
}
