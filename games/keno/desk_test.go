package keno

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// deskOf returns the desk of a built-in rulebook.
func deskOf(t testing.TB, id string) *Desk {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewDesk(book)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var (
	openGame    = GameRef{day.MustParse("2023-06-01"), 417}
	delayedGame = GameRef{day.MustParse("2023-06-02"), 1}
	atCounter   = Envelope{Channel: rulebook.ChannelWriter, Method: rulebook.MethodForm, Venue: "harbour-club"}
	byItem      = Envelope{Channel: rulebook.ChannelWriter, Method: rulebook.MethodItem, Venue: "harbour-club"}
)

// sell resolves and quotes bets given as JSON.
func sell(t testing.TB, d *Desk, bets string, env Envelope) (Ticket, Price, error) {
	t.Helper()
	return sellForm(t, d, `"bets":[`+bets+`]`, env)
}

// sellForm resolves and quotes a request given as the rest of its JSON.
func sellForm(t testing.TB, d *Desk, rest string, env Envelope) (Ticket, Price, error) {
	t.Helper()
	req, err := ParseRequest([]byte(fmt.Sprintf(`{"v":1,"rulebook":%q,%s}`, d.Book().ID(), rest)))
	if err != nil {
		t.Fatalf("%s: %v", rest, err)
	}
	ticket, err := d.Resolve(req, Setting{Open: openGame, Designated: delayedGame, Entropy: zeros{}})
	if err != nil {
		return Ticket{}, Price{}, err
	}
	price, err := d.Quote(ticket, env)
	return ticket, price, err
}

// expectRefusal fails unless err is a refusal with the code.
func expectRefusal(t testing.TB, what string, err error, code Code) {
	t.Helper()
	var r *Refusal
	if !errors.As(err, &r) || r.Code != code {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

func TestNewDeskRefusesBingo(t *testing.T) {
	book, err := rules.Book("nsw-bingo-2019")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewDesk(book); !errors.Is(err, ErrNotKeno) {
		t.Errorf("a desk for bingo: %v", err)
	}
}

func TestCodesAreDistinct(t *testing.T) {
	codes := Codes()
	slices.Sort(codes)
	if len(slices.Compact(codes)) != len(Codes()) {
		t.Error("a code is listed twice")
	}
}

// faults spoil a ticket of the Tasmanian desk, one rule each, in the order of
// the codes.
var faults = []struct {
	code  Code
	spoil func(*Ticket, *Envelope)
}{
	{FieldValue, func(t *Ticket, _ *Envelope) { t.Bets[1].Stake = -1 }},
	{RulebookOther, func(t *Ticket, _ *Envelope) { t.Rulebook = "vic-keno-2015" }},
	{RulebookExpired, func(t *Ticket, _ *Envelope) { t.First.Day = day.MustParse("2001-01-01") }},
	{BetNotSold, func(t *Ticket, _ *Envelope) { t.Bets[1].Bet = "lotto" }},
	{ItemUnknown, func(t *Ticket, _ *Envelope) { t.Bets[3].Item.Edition = 99 }},
	{ItemFixed, func(t *Ticket, _ *Envelope) { t.Bets[3].Spots = ball.MustOf(ball.Keno, 1, 2, 3) }},
	{PickNotSold, func(t *Ticket, _ *Envelope) { t.Bets[2].Picked = PickedQuick }},
	{ChannelNotAllowed, func(_ *Ticket, e *Envelope) { e.Channel = "telephone" }},
	{MethodNotAllowed, func(_ *Ticket, e *Envelope) { e.Method = rulebook.MethodScreen }},
	{GamesTooMany, func(t *Ticket, _ *Envelope) {
		t.Games = 5000
		t.Bets = slices.DeleteFunc(t.Bets, func(b Bet) bool { return b.Item.IsValid() })
	}},
	{SeriesNotSold, func(t *Ticket, _ *Envelope) { t.Bets[2].Calls = []Call{Heads, Tails} }},
	{GroupsOverlap, func(t *Ticket, _ *Envelope) {
		t.Bets[1].Groups = []ball.Set{ball.MustOf(ball.Keno, 1), ball.MustOf(ball.Keno, 1, 2)}
	}},
	{SizeNotSold, func(t *Ticket, _ *Envelope) { t.Bets[0].Spots = ball.MustParse(ball.Keno, "1-16") }},
	{FeatureSize, func(t *Ticket, _ *Envelope) { t.Bets[0].Spots = ball.MustParse(ball.Keno, "1-7") }},
	{StakeStep, func(t *Ticket, _ *Envelope) { t.Bets[0].Stake = 150 }},
}

// spoiled returns a sound ticket with the given faults.
func spoiled(t testing.TB, d *Desk, which ...int) (Ticket, Envelope) {
	t.Helper()
	ticket, _, err := sellForm(t, d, `"games":5,"bets":[
		{"bet":"standard","spots":[1,2,3],"stake_cents":100,"with":{"multiplier":{"games":2}}},
		{"bet":"special","groups":[[1,2],[3],[4]],"play":{"groups":[2]},"stake_cents":200},
		{"bet":"heads_or_tails","calls":["heads"],"stake_cents":100},
		{"item":"set-bet-1"}]`, atCounter)
	if err != nil {
		t.Fatal(err)
	}
	env := atCounter
	for _, i := range which {
		if i >= 0 {
			faults[i].spoil(&ticket, &env)
		}
	}
	return ticket, env
}

// TestFirstRefusalWins spoils a ticket in two ways: the fault whose code comes
// first is the answer, whichever bet it is in.
func TestFirstRefusalWins(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	for i, a := range faults {
		if i > 0 && !before(faults[i-1].code, a.code) {
			t.Fatalf("%s stands before %s here but not in Codes", faults[i-1].code, a.code)
		}
		ticket, env := spoiled(t, d, i)
		_, err := d.Quote(ticket, env)
		expectRefusal(t, string(a.code), err, a.code)
		for j := i + 1; j < len(faults); j++ {
			b := faults[j]
			if b.code == GamesTooMany && (a.code == ItemUnknown || a.code == ItemFixed) ||
				a.code == SizeNotSold && b.code == FeatureSize {
				continue // The second undoes the first.
			}
			ticket, env := spoiled(t, d, i, j)
			_, err := d.Quote(ticket, env)
			expectRefusal(t, fmt.Sprintf("%s with %s", a.code, b.code), err, a.code)
		}
	}
}

func TestRefusalNamesFieldAndClause(t *testing.T) {
	for _, c := range []struct{ book, bets, code, path, clause, sentence string }{
		{"vic-keno-2015", `{"bet":"classic","spots":[1],"stake_cents":50}`, "stake_below_minimum", "bets[0].stake_cents",
			"11(c)",
			"Keno Classic costs at least $1.00 a game, not $0.50."},
		{"vic-keno-2015", `{"bet":"classic","spots":[1],"stake_cents":999901}`, "stake_step", "bets[0].stake_cents", "11(c)",
			"Keno Classic goes in steps of $1.00 a game, which $9,999.01 is not."},
		{"vic-keno-2015", `{"bet":"classic","spots":[1],"stake_cents":1000000}`, "ticket_total_above_maximum", "", "11(c)",
			"The ticket costs at most $9,999.00 in all, not $10,000.00."},
		{"vic-keno-2015", `{"bet":"classic","spots":[1,2,3,4,5,6,7,8,9,10,11],"stake_cents":100}`, "size_not_sold",
			"bets[0].spots", "2(a).keno-classic",
			"Keno Classic is not sold with 11 spots; it has 1 to 10, 15, 20, 40."},
		{"tas-keno-2023", `{"bet":"standard","spots":[1],"stake_cents":100,"with":{"lucky_last":{"stake_cents":50}}}`,
			"stake_below_minimum", "bets[0].with.lucky_last", "21.1(b)",
			"Lucky Last costs at least $1.00 a game, not $0.50."},
		{"tas-keno-2023", `{"bet":"racing","type":"win","places":[[1,2,3]],"stake_cents":50}`, "game_total_step", "",
			"21.3(h)",
			"Keno Racing goes in steps of $1.00 a game, which $1.50 is not."},
	} {
		_, _, err := sell(t, deskOf(t, c.book), c.bets, atCounter)
		if err == nil {
			t.Errorf("%s: accepted", c.bets)
			continue
		}
		r := refusalOf(t, err)
		if string(r.Code) != c.code || r.Path != c.path || r.Clause != c.clause || r.Sentence != c.sentence {
			t.Errorf("%s:\n%s at %q by %q: %s\nwant %s at %q by %q: %s", c.bets, r.Code, r.Path, r.Clause, r.Sentence, c.code,
				c.path, c.clause, c.sentence)
		}
	}
}
