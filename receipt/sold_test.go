package receipt

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// drawBet draws a bet of any shape that the rulebook's bet may have. The desk may
// still refuse it.
func drawBet(t *rapid.T, bet *rulebook.Bet) keno.Bet {
	b := keno.Bet{Bet: bet.ID(), Stake: rapid.SampledFrom([]money.Amount{50, 100, 200, 500}).Draw(t, "stake")}
	numbers := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)).Perm(80)
	take := func(n int) ball.Set {
		set := ball.Empty(ball.Keno)
		for _, number := range numbers[:n] {
			set = set.With(number + 1)
		}
		numbers = numbers[n:]
		return set
	}
	switch bet.Form() {
	case rulebook.FormCalls:
		b.Calls = rapid.SliceOfN(rapid.SampledFrom([]keno.Call{keno.Heads, keno.Tails, keno.Evens}), 1, 4).Draw(t, "calls")
		b.Run = len(b.Calls) > 1 && rapid.Bool().Draw(t, "run")
	case rulebook.FormRace:
		race, _ := bet.Race()
		kind := rapid.SampledFrom(race.Types()).Draw(t, "type")
		b.Type = kind.ID
		for range kind.Places {
			rows := rapid.SliceOfNDistinct(rapid.IntRange(1, race.Rows()), 1, 4, rapid.ID[int]).Draw(t, "rows")
			b.Places = append(b.Places, ball.MustOf(ball.Keno, rows...))
		}
	default:
		if !rapid.Bool().Draw(t, "ways") {
			b.Spots = take(rapid.SampledFrom(bet.Sizes().Numbers()).Draw(t, "spots"))
			break
		}
		for range rapid.IntRange(2, 6).Draw(t, "groups") {
			b.Groups = append(b.Groups, take(rapid.IntRange(1, 4).Draw(t, "size")))
		}
		b.Play = drawPlay(t, bet, len(b.Groups))
	}
	return b
}

func drawPlay(t *rapid.T, bet *rulebook.Bet, groups int) keno.Play {
	policy, _ := bet.Ways()
	kinds := []keno.PlayKind{keno.PlayAll}
	for kind, sold := range map[keno.PlayKind]bool{keno.PlaySpots: policy.ByTypes, keno.PlayGroups: policy.ByGroups,
		keno.PlayMarks: policy.ByMarks} {
		if sold {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	types := ball.MustOf(ball.Keno, rapid.SliceOfNDistinct(rapid.IntRange(1, 8), 1, 3, rapid.ID[int]).Draw(t, "types")...)
	switch kind := rapid.SampledFrom(kinds).Draw(t, "play"); kind {
	case keno.PlaySpots, keno.PlayGroups:
		return keno.Play{Kind: kind, Types: types}
	case keno.PlayMarks:
		marks := rapid.SliceOfNDistinct(rapid.Map(rapid.IntRange(1, 1<<groups-1),
			func(m int) keno.Mark { return keno.Mark(m) }), 2, 6, rapid.ID[keno.Mark]).Draw(t, "marks")
		slices.SortFunc(marks, keno.Mark.Compare)
		return keno.Play{Kind: kind, Marks: marks}
	default:
		return keno.Play{Kind: keno.PlayAll}
	}
}

// drawTicket draws a ticket of up to three bets, of those that are sold alone; it may
// have none.
func drawTicket(t *rapid.T, desk *keno.Desk) keno.Ticket {
	book := desk.Book()
	ticket := keno.Ticket{Rulebook: book.ID(),
		First: keno.GameRef{Day: day.MustParse("2026-11-15"), Game: rapid.IntRange(0, 999).Draw(t, "first")},
		Games: rapid.IntRange(1, 12).Draw(t, "games")}
	for range rapid.IntRange(3, 6).Draw(t, "bets") {
		b := drawBet(t, rapid.SampledFrom(book.Bets()).Draw(t, "bet"))
		if len(b.Calls) > 1 && len(ticket.Bets) == 0 {
			ticket.Games = len(b.Calls)
		}
		plain := b
		b.With.Multiplier.On = rapid.Bool().Draw(t, "multiplier")
		if b.With.Multiplier.On && ticket.Games > 1 {
			b.With.Multiplier.Games = rapid.IntRange(0, ticket.Games-1).Draw(t, "covered")
		}
		b.With.LuckyLast.On = rapid.Bool().Draw(t, "last")
		if b.With.LuckyLast.On && rapid.Bool().Draw(t, "own stake") {
			b.With.LuckyLast.Stake = 200
		}
		for _, candidate := range []keno.Bet{b, plain} {
			alone := ticket
			alone.Bets = []keno.Bet{candidate}
			if _, err := desk.Quote(alone, byForm); err == nil && len(ticket.Bets) < 3 {
				ticket.Bets = append(ticket.Bets, candidate)
				break
			}
		}
	}
	return ticket
}

// byForm is how the tickets are entered.
var byForm = keno.Envelope{Channel: rulebook.ChannelWriter, Method: rulebook.MethodForm}

// TestWhateverIsSoldPrints draws tickets, has the desk price them, and prints those
// that it sells: the bets on the paper add up to the desk's price, on both rolls and in
// all four forms.
func TestWhateverIsSoldPrints(t *testing.T) {
	printed := map[string]int{}
	base := saleOf(t, casinoForm, 100)
	base.Proof.Site = "" // A QR code takes longer than the rest, and is the same on all.
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		book, err := rules.Book(id)
		if err != nil {
			t.Fatal(err)
		}
		desk, err := keno.NewDesk(book)
		if err != nil {
			t.Fatal(err)
		}
		rapid.Check(t, func(t *rapid.T) {
			ticket := drawTicket(t, desk)
			price, err := desk.Quote(ticket, byForm)
			if err != nil {
				return // Another ticket.
			}
			s := base
			s.Book, s.Ticket, s.Cost = book, ticket, price.Cost
			slip, err := Ticket(s)
			if err != nil {
				t.Fatalf("%s: %v", ticket.AppendJSON(nil), err)
			}
			for _, paper := range []Paper{Roll58, Roll80} {
				text, err := slip.Text(paper)
				if err != nil || !strings.Contains(strings.ReplaceAll(text, " ", ""), "TOTAL"+price.Cost.String()) {
					t.Fatalf("%v\n%s", err, text)
				}
				if _, err := slip.ESCPOS(paper); err != nil {
					t.Fatal(err)
				}
				if _, err := slip.SVG(paper); err != nil {
					t.Fatal(err)
				}
			}
			for i := range ticket.Bets {
				printed[id]++
				if ticket.Bets[i].Shape() == keno.ShapeGroups {
					printed["groups"]++
				}
				if ticket.Bets[i].With.Any() {
					printed["features"]++
				}
			}
		})
	}
	for _, kind := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2", "groups", "features"} {
		if printed[kind] == 0 {
			t.Errorf("printed only %v", printed)
		}
	}
	t.Logf("bets printed: %v", printed)
}
