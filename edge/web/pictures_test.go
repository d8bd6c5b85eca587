package web

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/journal/record"
)

// busyDay plays games for which the counter sells many tickets of every kind, and returns
// a ticket of the last game that has won most.
func (s *shop) busyDay(games, tickets int) (best [2]string) {
	s.t.Helper()
	chance := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // Nothing is secret in a picture.
	var sold []house.Sold
	codes := map[record.Place]string{}
	for range games {
		sold = nil
		for range tickets {
			one, code := s.sellAny(chance)
			sold, codes[one.Place] = append(sold, one), code
		}
		game := s.turn()
		s.draw(game, 20)
		s.finish(game)
	}
	most := int64(-1)
	for _, one := range sold {
		ticket, err := s.house.Ticket(s.t.Context(), one.Place)
		s.must(err)
		var won int64
		for _, g := range ticket.Games {
			won += g.Prize.Cents()
		}
		if won > most {
			number, err := s.house.Serial(one.Place)
			s.must(err)
			most, best = won, [2]string{number.String(), codes[one.Place]}
		}
	}
	return best
}

// sellAny sells a ticket of chance at the counter.
func (s *shop) sellAny(chance *rand.Rand) (house.Sold, string) {
	s.t.Helper()
	spots := []string{}
	for _, n := range chance.Perm(80)[:1+chance.IntN(10)] {
		spots = append(spots, fmt.Sprint(n+1))
	}
	bet := fmt.Sprintf(`{"bet":"classic","spots":[%s],"stake_cents":%d}`, strings.Join(spots, ","),
		100*(1+chance.IntN(20)))
	if chance.IntN(4) == 0 {
		bet = fmt.Sprintf(`{"bet":"heads_or_tails","calls":[%q],"stake_cents":%d}`,
			[]string{"heads", "tails", "evens"}[chance.IntN(3)], 500*(1+chance.IntN(10)))
	}
	form := fmt.Sprintf(`{"v":1,"rulebook":%q,"first":"open","games":%d,"bets":[%s]}`, s.book, 1+chance.IntN(5), bet)
	request, err := keno.ParseRequest([]byte(form))
	s.must(err)
	code, err := serial.NewClaimCode(s.random)
	s.must(err)
	s.receipts++
	sold, err := s.house.Sell(s.t.Context(), record.Request{Terminal: 1, Number: s.receipts},
		house.Order{Terminal: 1, Method: "form", Ticket: request}, code.Hash(1, s.receipts), 0)
	s.must(err)
	return sold, code.String()
}

// TestPictures takes pictures of a busy day for the documentation: the wall before, during
// and after a draw, the kiosk, the counter with a winner, and the winner's own page.
func TestPictures(t *testing.T) {
	if *screenshots == "" {
		t.Skip("no pictures are asked for")
	}
	s := openShop(t, "vic-keno-2015")
	best := s.busyDay(6, 60)
	s.wallPictures(browser(t))
	s.playerPictures(browser(t), best)
	s.counterPictures(browser(t), best)
}

// playerPictures takes what a winner sees, at home and at the kiosk.
func (s *shop) playerPictures(ctx context.Context, best [2]string) {
	s.t.Helper()
	size(s.t, ctx, 1280, 720)
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/t/"+best[0]))))
	awaitText(s.t, ctx, "Sealed before the draw")
	judge(s.t, ctx, "day-ticket")
	s.atKiosk(ctx)
	judge(s.t, ctx, "day-kiosk")
	scan(s.t, ctx, best[0])
	screen(s.t, ctx, "presented")
	judge(s.t, ctx, "day-kiosk-ticket")
}

// counterPictures takes the counter with the winner's ticket, and without a house.
func (s *shop) counterPictures(ctx context.Context, best [2]string) {
	s.t.Helper()
	size(s.t, ctx, 1280, 720)
	s.enrolled(ctx)
	present(s.t, ctx, best[0])
	line(s.t, ctx, best[1])
	awaitPage(s.t, ctx, "something to pay", `() => !document.getElementById("pay").disabled`)
	awaitPage(s.t, ctx, "the colour of the button", `() => document.getElementById("pay").getAnimations().length === 0`)
	judge(s.t, ctx, "day-terminal")
	s.shut()
	shows(s.t, ctx, "connection", "No connection")
	picture(s.t, ctx, "day-terminal-offline")
	s.open()
}

// wallPictures takes the display of a venue at every size.
func (s *shop) wallPictures(ctx context.Context) {
	s.t.Helper()
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/display/1"))))
	shot := func(state string, ok func(seen) bool) {
		s.t.Helper()
		await(s.t, ctx, state, ok)
		for _, at := range screens {
			size(s.t, ctx, at.width, at.height)
			if out := call[[]string](s.t, ctx, "() => "+overflowing); len(out) > 0 {
				s.t.Errorf("%s, %dx%d: %q", state, at.width, at.height, out)
			}
			picture(s.t, ctx, fmt.Sprintf("day-display-%s-%dx%d", state, at.width, at.height))
		}
		size(s.t, ctx, 1920, 1080)
	}
	size(s.t, ctx, 1920, 1080)
	shot("result", func(p seen) bool { return isLive(p) && p.Phase == "settled" })
	game := s.turn()
	shot("closed", func(p seen) bool { return p.Phase == "sealed" })
	s.draw(game, 13)
	await(s.t, ctx, "13 numbers", func(p seen) bool { return len(p.Drawn) == 13 })
	awaitPage(s.t, ctx, "that the last number has landed", `() => !document.querySelector(".flyer")`)
	shot("drawing", func(p seen) bool { return len(p.Drawn) == 13 })
	s.draw(game, 7)
	s.finish(game)
}
