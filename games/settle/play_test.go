package settle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/games/keno"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestPlayOf turns tickets into plays: every way with its stake, its features for
// the games that they cover, and its calls.
func TestPlayOf(t *testing.T) {
	for _, c := range []struct {
		book, bet string
		want      []string
	}{
		{"vic-keno-2015", `{"bet":"classic","spots":[3,17],"stake_cents":100}`, []string{"3 17 for $1.00"}},
		{"vic-keno-2015",
			`{"bet":"classic","groups":[[1,2],[11,12,13],[40]],"play":{"spots":[3,5]},"stake_cents":100,"with":{"multiplier":{"games":2}}}`,
			[]string{"1 2 11 12 13 for $1.00 x{$1.00 2}", "1 2 40 for $1.00 x{$1.00 2}", "11 12 13 for $1.00 x{$1.00 2}"}},
		{"vic-keno-2015", `{"bet":"heads_or_tails","calls":["heads"],"stake_cents":200}`,
			[]string{"heads heads heads for $2.00"}},
		{"vic-keno-2015", `{"bet":"heads_or_tails","calls":["heads","evens","tails"],"stake_cents":200}`,
			[]string{"heads evens tails for $2.00"}},
		{"vic-keno-2015",
			`{"bet":"heads_or_tails","calls":["heads","evens","tails"],"run":true,"stake_cents":200,"with":{"multiplier":{}}}`,
			[]string{"heads evens tails for $2.00 x{$2.00 3} run"}},
		{"tas-keno-2023", `{"bet":"standard","spots":[7,11],"stake_cents":100,"with":{"lucky_last":{"stake_cents":300}}}`,
			[]string{"7 11 for $1.00 last{$3.00 3}"}},
		{"tas-keno-2023", `{"bet":"racing","type":"trio","places":[[3],[5,7],[5,7,8]],"stake_cents":100}`,
			[]string{"trio 3-5-7 for $1.00", "trio 3-5-8 for $1.00", "trio 3-7-8 for $1.00"}},
	} {
		book, err := rules.Book(c.book)
		if err != nil {
			t.Fatal(err)
		}
		desk, err := keno.NewDesk(book)
		if err != nil {
			t.Fatal(err)
		}
		ticket, err := keno.ParseTicket(fmt.Appendf(nil,
			`{"v":1,"rulebook":%q,"first":{"day":"2026-11-15","game":1},"games":3,"bets":[%s]}`, c.book, c.bet))
		if err != nil {
			t.Fatal(err)
		}
		play := PlayOf(desk, at(7), 20, &ticket)
		if play.Ticket != at(7) || play.First != 20 || play.Last != 22 {
			t.Errorf("%s: %+v", c.bet, play)
		}
		var got []string
		for i := range play.Ways {
			got = append(got, wayWords(&play.Ways[i]))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.bet, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		open := NewOpen(19)
		if err := open.Add(play); err != nil {
			t.Errorf("%s: %v", c.bet, err)
		}
		checkCost(t, desk, ticket, open)
	}
}

// checkCost: what a ticket costs is what it stakes over its games, part by part.
// Of a way that runs that is the first stake; what it stakes later is its prize.
func checkCost(t *testing.T, desk *keno.Desk, ticket keno.Ticket, open *Open) {
	t.Helper()
	price, err := desk.Quote(ticket, keno.Envelope{Channel: rulebook.ChannelWriter, Method: rulebook.MethodForm})
	if err != nil {
		t.Fatal(err)
	}
	var sum Totals
	for ordinal := open.Closed() + 1; ordinal <= open.Closed()+uint32(ticket.Games)+1; ordinal++ {
		in := open.Totals(ordinal)
		sum.Stakes += in.Stakes
		sum.Multiplier += in.Multiplier
		sum.LuckyLast += in.LuckyLast
	}
	if sum.Stakes != price.Cost || sum.Multiplier != price.Multiplier || sum.LuckyLast != price.LuckyLast {
		t.Errorf("%+v is staked for %+v", sum, price)
	}
}

func wayWords(w *Way) string {
	text := w.In(0)
	if w.Calls != nil {
		text += " " + w.In(1) + " " + w.In(2)
	}
	text += " for " + w.Stake.String()
	if w.Multiplier != (Side{}) {
		text += fmt.Sprintf(" x%v", w.Multiplier)
	}
	if w.LuckyLast != (Side{}) {
		text += fmt.Sprintf(" last%v", w.LuckyLast)
	}
	if w.Run {
		text += " run"
	}
	return text
}
