package keno

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

// chance is a source of entropy that is the same in every run.
func chance() io.Reader { return rand.NewChaCha8([32]byte{7}) }

// TestBelowIsFair: over all bytes, every number of 0 to n-1 comes equally often.
func TestBelowIsFair(t *testing.T) {
	for n := 1; n <= 256; n++ {
		counts := make([]int, n)
		for b := range 256 {
			// What follows a byte that is thrown away decides; here it is zeros, which
			// are counted apart.
			p := picker{entropy: io.MultiReader(bytes.NewReader(append([]byte{byte(b)}, make([]byte, 63)...)))}
			i, err := p.below(n)
			if err != nil {
				t.Fatal(err)
			}
			if used := len(p.buffer) - len(p.unused); used == 1 {
				counts[i]++
			}
		}
		for i, c := range counts {
			if c != counts[0] || c != 256/n {
				t.Fatalf("%d of %d comes for %d bytes, 0 for %d", i, n, c, counts[0])
			}
		}
	}
}

// TestNumbersAreEquallyLikely: with every possible outcome of the choices, each
// list of numbers comes once.
func TestNumbersAreEquallyLikely(t *testing.T) {
	lists := map[[3]int]int{}
	for a := range 5 {
		for b := range 4 {
			for c := range 3 {
				p := picker{unused: []byte{byte(a), byte(b), byte(c)}}
				got, err := p.numbers(3, 5)
				if err != nil {
					t.Fatal(err)
				}
				lists[[3]int(got)]++
			}
		}
	}
	if len(lists) != 60 {
		t.Errorf("%d different lists of 3 of 5 numbers, want 60", len(lists))
	}
}

func TestPickerFails(t *testing.T) {
	d := deskOf(t, "vic-keno-2015")
	req, err := ParseRequest([]byte(request(`{"bet":"classic","spots":{"pick":8},"stake_cents":100}`)))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		source io.Reader
		want   error
	}{
		"no source":    {nil, errNoEntropy},
		"dry source":   {bytes.NewReader(make([]byte, 63)), io.ErrUnexpectedEOF},
		"stuck source": {stuck{}, errStuck},
	} {
		if _, err := d.Resolve(req, Setting{Open: openGame, Entropy: c.source}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// stuck is a source of bytes that every choice among 80 throws away.
type stuck struct{}

func (stuck) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 0xff
	}
	return len(p), nil
}

// TestPickShape: picks have what was asked for, and chance reaches every choice.
func TestPickShape(t *testing.T) {
	d, source := deskOf(t, "tas-keno-2023"), chance()
	resolve := func(bet string) Bet {
		t.Helper()
		req, err := ParseRequest([]byte(`{"v":1,"rulebook":"tas-keno-2023","bets":[` + bet + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		ticket, err := d.Resolve(req, Setting{Open: openGame, Entropy: source})
		if err != nil {
			t.Fatal(err)
		}
		return ticket.Bets[0]
	}
	numbers, sizes, rows := ball.Empty(ball.Keno), ball.Empty(ball.Keno), ball.Empty(ball.Keno)
	for range 400 {
		quick := resolve(`{"bet":"standard","spots":{"pick":5},"stake_cents":100}`)
		if quick.Spots.Len() != 5 || quick.Picked != PickedQuick {
			t.Fatalf("quick pick %+v", quick)
		}
		numbers = numbers.Union(quick.Spots)
		mystery := resolve(`{"bet":"special","spots":{"pick":"mystery"},"stake_cents":100}`)
		if mystery.Picked != PickedMystery {
			t.Fatalf("mystery %+v", mystery)
		}
		sizes = sizes.With(mystery.Spots.Len())
		race := resolve(`{"bet":"racing","type":"trifecta","places":{"pick":"mystery"},"stake_cents":100}`)
		union := race.Places[0].Union(race.Places[1]).Union(race.Places[2])
		if len(race.Places) != 3 || union.Len() != 3 {
			t.Fatalf("racing mystery %+v", race)
		}
		rows = rows.Union(union)
	}
	if numbers != ball.Full(ball.Keno) || sizes != ball.MustParse(ball.Keno, "1-15") ||
		rows != ball.MustParse(ball.Keno, "1-8") {
		t.Errorf("chance never reached all of numbers %v, sizes %v, rows %v", numbers, sizes, rows)
	}
}

func TestPickCalls(t *testing.T) {
	d := deskOf(t, "vic-keno-2015")
	req, err := ParseRequest([]byte(`{"v":1,"rulebook":"vic-keno-2015","games":5,"bets":[{"bet":"heads_or_tails","calls":{"pick":5},"stake_cents":100}]}`))
	if err != nil {
		t.Fatal(err)
	}
	source, seen := chance(), map[Call]int{}
	for range 300 {
		ticket, err := d.Resolve(req, Setting{Open: openGame, Entropy: source})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range ticket.Bets[0].Calls {
			seen[c]++
		}
	}
	// 1,500 calls: five hundred each, give or take five standard deviations.
	for c := Heads; c <= Evens; c++ {
		if seen[c] < 409 || seen[c] > 591 {
			t.Errorf("%v was picked %d times of 1,500", c, seen[c])
		}
	}
}

func TestPickPlacesAsBox(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	d.bets["racing"].picks.Quick = "Box" // No built-in rulebook sells it.
	ticket, price, err := sell(t, d, `{"bet":"racing","type":"trifecta","places":{"pick":4},"stake_cents":50}`, byItem)
	if err != nil || price.Ways != 24 || price.Cost != 12_00 {
		t.Fatalf("%+v, %+v, %v", ticket, price, err)
	}
	_, _, err = sell(t, d, `{"bet":"racing","type":"trifecta","places":{"pick":9},"stake_cents":50}`, byItem)
	expectRefusal(t, "nine of eight rows", err, RowUnknown)
}

// TestPriceDoesNotDependOnThePick: a request can be priced before it is picked.
func TestPriceDoesNotDependOnThePick(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	source := chance()
	rapid.Check(t, func(t *rapid.T) {
		bets := rapid.SampledFrom([]string{
			`{"bet":"standard","spots":{"pick":6},"stake_cents":100,"with":{"multiplier":{}}}`,
			`{"bet":"standard","spots":{"pick":"mystery"},"stake_cents":100,"with":{"lucky_last":{"stake_cents":300}}}`,
			`{"bet":"racing","type":"trio","places":{"pick":"mystery"},"stake_cents":100}`,
			`{"item":"way-bet-1"}`,
			`{"item":"easy-play-1"}`,
		}).Draw(t, "bets")
		req, err := ParseRequest([]byte(`{"v":1,"rulebook":"tas-keno-2023","bets":[` + bets + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		before, err := d.QuoteRequest(req, Setting{Open: openGame}, byItem)
		if err != nil {
			t.Fatal(err)
		}
		ticket, err := d.Resolve(req, Setting{Open: openGame, Entropy: source})
		if err != nil {
			t.Fatal(err)
		}
		after, err := d.Quote(ticket, byItem)
		before.Jackpot, before.Bets[0].Jackpot = after.Jackpot, after.Bets[0].Jackpot
		if err != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%s: %+v before, %+v after, %v", bets, before, after, err)
		}
	})
}

// TestResolvedTicketsRoundTrip: whatever is resolved is in its canonical form.
func TestResolvedTicketsRoundTrip(t *testing.T) {
	for _, c := range []struct{ book, rest string }{
		{"vic-keno-2015",
			`"games":3,"bets":[{"bet":"classic","spots":{"pick":8},"stake_cents":100,"with":{"multiplier":{"games":3}}},{"item":"superplay-1","stake_cents":50}]`},
		{"tas-keno-2023", `"bets":[{"item":"set-bet-1","with":{"lucky_last":{"stake_cents":100}}}]`},
		{"casino-keno-div2", `"bets":[{"item":"set-bet-1","random":true}]`},
	} {
		ticket, _, err := sellForm(t, deskOf(t, c.book), c.rest, byItem)
		if err != nil {
			t.Errorf("%s: %v", c.rest, err)
			continue
		}
		if again, err := ParseTicket(ticket.AppendJSON(nil)); err != nil || !reflect.DeepEqual(again, ticket) {
			t.Errorf("%s reads back as %+v, %v", ticket.AppendJSON(nil), again, err)
		}
	}
}

func TestResolveItems(t *testing.T) {
	for _, c := range []struct{ name, book, rest, ticket string }{
		{"fixed numbers", "casino-keno-div2", `"bets":[{"item":"set-bet-1"}]`,
			`"games":5,"bets":[{"bet":"standard","spots":[8,18,28,38,48,58],"stake_cents":100,"item":"set-bet-1@1"}]`},
		{"picked instead", "casino-keno-div2", `"bets":[{"item":"set-bet-1@1","random":true}]`,
			`"games":5,"bets":[{"bet":"standard","spots":[1,2,3,4,5,6],"stake_cents":100,"picked":"quick","item":"set-bet-1@1"}]`},
		{"picked groups", "vic-keno-2015", `"games":2,"bets":[{"item":"superplay-1","stake_cents":50}]`,
			`"games":2,"bets":[{"bet":"classic","groups":[[1,2],[3,4],[5,6]],"play":{"spots":[2,4,6]},"stake_cents":50,"picked":"quick","item":"superplay-1@1"}]`},
		{"own groups", "vic-keno-2015", `"bets":[{"item":"harbour-club-regulars","stake_cents":100}]`,
			`"bets":[{"bet":"classic","groups":[[1,11,21],[5,15,25],[9,19]],"play":{"spots":[3,5,6]},"stake_cents":100,"item":"harbour-club-regulars@1"}]`},
		{"its stake said", "tas-keno-2023", `"games":1,"bets":[{"item":"way-bet-1","stake_cents":100}]`,
			`"bets":[{"bet":"standard","groups":[[1,2],[3,4],[5,6],[7,8]],"play":{"spots":[4]},"stake_cents":100,"picked":"quick","item":"way-bet-1@1"}]`},
	} {
		ticket, _, err := sellForm(t, deskOf(t, c.book), c.rest, byItem)
		want := `{"v":1,"rulebook":"` + c.book + `","first":{"day":"2023-06-01","game":417},` + c.ticket + `}`
		if got := string(ticket.AppendJSON(nil)); err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, want)
		}
	}
}

// TestItemEditions: a request without an edition gets the latest, and one that
// names an edition gets that one while the catalogue has it.
func TestItemEditions(t *testing.T) {
	data, err := os.ReadFile("../../rulebook/rules/vic-keno-2015/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const second = `{clause: "2(a).standard-superplay", id: superplay-1, edition: 2, name: Superplay 1, bet: classic, group_sizes: [3, 3], types: [3]}`
	for _, place := range []string{"  catalogue:\n    - " + second + "\n", "  catalogue:\n"} {
		text := strings.Replace(string(data), "  catalogue:\n", place, 1)
		if place == "  catalogue:\n" {
			text = strings.Replace(text, "\n  limits:\n", "\n    - "+second+"\n\n  limits:\n", 1)
		}
		book, err := rulebook.Load("book.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewDesk(book)
		if err != nil {
			t.Fatal(err)
		}
		for item, want := range map[string]struct {
			edition, ways int
		}{"superplay-1": {2, 2}, "superplay-1@1": {1, 7}, "superplay-1@2": {2, 2}} {
			ticket, price, err := sell(t, d, `{"item":"`+item+`","stake_cents":100}`, byItem)
			if err != nil || ticket.Bets[0].Item != (ItemRef{"superplay-1", want.edition}) || price.Ways != want.ways {
				t.Errorf("%s: %+v, %+v, %v", item, ticket, price, err)
			}
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	elsewhere := byItem
	elsewhere.Venue = "another"
	self := Envelope{Channel: rulebook.ChannelSST, Method: rulebook.MethodItem}
	for _, c := range []struct {
		name, book, rest string
		env              Envelope
		code             Code
	}{
		{"unknown item", "vic-keno-2015", `"bets":[{"item":"superplay-99","stake_cents":100}]`, byItem, ItemUnknown},
		{"old edition", "vic-keno-2015", `"bets":[{"item":"superplay-1@9","stake_cents":100}]`, byItem, ItemUnknown},
		{"no stake", "vic-keno-2015", `"bets":[{"item":"superplay-1"}]`, byItem, FieldMissing},
		{"another venue's", "vic-keno-2015", `"bets":[{"item":"harbour-club-regulars","stake_cents":100}]`, elsewhere,
			ItemElsewhere},
		{"not at this terminal", "tas-keno-2023", `"bets":[{"item":"easy-play-1"}]`, self, ItemElsewhere},
		{"another stake", "tas-keno-2023", `"bets":[{"item":"set-bet-1","stake_cents":200}]`, byItem, ItemFixed},
		{"other games", "tas-keno-2023", `"games":2,"bets":[{"item":"set-bet-1"}]`, byItem, ItemFixed},
		{"two items of other games", "tas-keno-2023", `"bets":[{"item":"set-bet-1"},{"item":"easy-play-1"}]`, byItem,
			ItemFixed},
		{"item without picked form", "casino-keno-div2", `"bets":[{"item":"set-bet-2","random":true}]`, byItem,
			ItemNotRandom},
		{"no such pick", "tas-keno-2023", `"bets":[{"bet":"winner_takes_all","spots":{"pick":"mystery"},"stake_cents":100}]`,
			byItem, PickNotSold},
		{"no pick of calls", "tas-keno-2023", `"bets":[{"bet":"heads_or_tails","calls":{"pick":1},"stake_cents":100}]`,
			byItem, PickNotSold},
		{"mystery at a self-service terminal", "tas-keno-2023",
			`"bets":[{"bet":"standard","spots":{"pick":"mystery"},"stake_cents":100}]`, self, PickNotSold},
		{"pick of another shape", "vic-keno-2015", `"bets":[{"bet":"classic","calls":{"pick":1},"stake_cents":100}]`, byItem,
			BetShape},
		{"pick of a size not sold", "vic-keno-2015", `"bets":[{"bet":"classic","spots":{"pick":11},"stake_cents":100}]`,
			byItem, SizeNotSold},
		{"pick of an unknown bet", "vic-keno-2015", `"bets":[{"bet":"lotto","spots":{"pick":1},"stake_cents":100}]`, byItem,
			BetNotSold},
		{"pick for an unknown race", "tas-keno-2023",
			`"bets":[{"bet":"racing","type":"superfecta","places":{"pick":"mystery"},"stake_cents":100}]`, byItem,
			RaceTypeUnknown},
		{"chance would decide", "tas-keno-2023",
			`"bets":[{"bet":"standard","spots":{"pick":"mystery"},"stake_cents":100,"with":{"multiplier":{}}}]`, byItem,
			FeatureSize},
		{"no delayed start", "tas-keno-2023", `"first":"delayed","bets":[{"bet":"standard","spots":[1],"stake_cents":100}]`,
			atCounter, DelayedNotSold},
		{"another game", "vic-keno-2015",
			`"first":{"day":"2023-06-01","game":418},"bets":[{"bet":"classic","spots":[1],"stake_cents":100}]`, atCounter,
			GameNotOpen},
		{"a designated game where there is no delayed start", "tas-keno-2023",
			`"first":{"day":"2023-06-02","game":1},"bets":[{"bet":"standard","spots":[1],"stake_cents":100}]`, atCounter,
			GameNotOpen},
		{"nothing to replay", "vic-keno-2015", `"replay":"1"`, atCounter, ReplayUnknown},
	} {
		_, _, err := sellForm(t, deskOf(t, c.book), c.rest, c.env)
		expectRefusal(t, c.name, err, c.code)
	}
}

func TestFirstGame(t *testing.T) {
	d := deskOf(t, "vic-keno-2015")
	in := Setting{Open: openGame, Designated: delayedGame}
	for _, c := range []struct {
		first First
		in    Setting
		want  GameRef
		code  Code
	}{
		{First{}, in, openGame, ""},
		{First{Kind: FirstDelayed}, in, delayedGame, ""},
		{First{FirstNamed, openGame}, in, openGame, ""},
		{First{FirstNamed, delayedGame}, in, delayedGame, ""},
		{First{FirstNamed, GameRef{openGame.Day, 1}}, in, GameRef{}, GameNotOpen},
		{First{Kind: FirstDelayed}, Setting{Open: openGame}, GameRef{}, DelayedNotSold},
		{First{}, Setting{}, GameRef{}, GameNotOpen},
	} {
		req := Request{Rulebook: "vic-keno-2015", First: c.first,
			Bets: []BetRequest{{Bet: Bet{Bet: "classic", Spots: ball.MustOf(ball.Keno, 1), Stake: 100}}}}
		ticket, err := d.Resolve(req, c.in)
		if c.code != "" {
			expectRefusal(t, "first game", err, c.code)
		} else if err != nil || ticket.First != c.want {
			t.Errorf("%+v: %v, %v, want %v", c.first, ticket.First, err, c.want)
		}
	}
}

func TestReplay(t *testing.T) {
	d := deskOf(t, "vic-keno-2015")
	old, _, err := sellForm(t, d, `"games":3,"bets":[
		{"bet":"classic","spots":{"pick":2},"stake_cents":100,"with":{"multiplier":{}}},
		{"bet":"heads_or_tails","calls":["heads","tails","evens"],"run":true,"stake_cents":200},
		{"item":"superplay-1","stake_cents":50}]`, atCounter)
	if err != nil {
		t.Fatal(err)
	}
	before := string(old.AppendJSON(nil))
	for _, c := range []struct{ name, rest, ticket string }{
		{"as it was", ``,
			`"games":3,"bets":[{"bet":"classic","spots":[1,2],"stake_cents":100,"with":{"multiplier":{}}},` +
				`{"bet":"heads_or_tails","calls":["heads","tails","evens"],"run":true,"stake_cents":200},` +
				`{"bet":"classic","groups":[[1,2],[3,4],[5,6]],"play":{"spots":[2,4,6]},"stake_cents":50}]`},
		{"fewer games and bets, another stake", `,"games":2,"bets":[{"replay":1,"stake_cents":300}]`,
			`"games":2,"bets":[{"bet":"classic","spots":[1,2],"stake_cents":300,"with":{"multiplier":{}}}]`},
		{"features and run taken off", `,"bets":[{"replay":1,"with":{}},{"replay":2,"run":false}]`,
			`"games":3,"bets":[{"bet":"classic","spots":[1,2],"stake_cents":100},{"bet":"heads_or_tails","calls":["heads","tails","evens"],"stake_cents":200}]`},
		{"other numbers, picked anew", `,"bets":[{"replay":1,"spots":{"pick":3}},{"replay":3,"spots":[80]}]`,
			`"games":3,"bets":[{"bet":"classic","spots":[1,2,3],"stake_cents":100,"with":{"multiplier":{}},"picked":"quick"},{"bet":"classic","spots":[80],"stake_cents":50}]`},
		{"another play", `,"bets":[{"replay":3,"play":"all"}]`,
			`"games":3,"bets":[{"bet":"classic","groups":[[1,2],[3,4],[5,6]],"play":"all","stake_cents":50}]`},
		{"other groups, the old play", `,"bets":[{"replay":3,"groups":[[10,20],[30,40]]}]`,
			`"games":3,"bets":[{"bet":"classic","groups":[[10,20],[30,40]],"play":{"spots":[2,4,6]},"stake_cents":50}]`},
		{"a new bet beside", `,"bets":[{"bet":"classic","spots":[9],"stake_cents":100},{"replay":2,"calls":["tails"]}]`,
			`"games":3,"bets":[{"bet":"classic","spots":[9],"stake_cents":100},{"bet":"heads_or_tails","calls":["tails"],"run":true,"stake_cents":200}]`},
	} {
		req, err := ParseRequest([]byte(`{"v":1,"rulebook":"vic-keno-2015","replay":"123"` + c.rest + `}`))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		ticket, err := d.Resolve(req, Setting{Open: delayedGame, Entropy: zeros{}, Old: &old})
		want := `{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2023-06-02","game":1},` + c.ticket + `}`
		if got := string(ticket.AppendJSON(nil)); err != nil || got != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, got, want)
		}
	}
	if after := string(old.AppendJSON(nil)); after != before {
		t.Errorf("the old ticket has changed to %s", after)
	}
	for name, c := range map[string]struct {
		bets string
		code Code
	}{
		"a bet that is not there":   {`{"replay":4}`, ReplayUnknown},
		"a play without groups":     {`{"replay":1,"play":"all"}`, FieldConflict},
		"groups without a play":     {`{"replay":1,"groups":[[1],[2]]}`, FieldMissing},
		"a run of numbers":          {`{"replay":1,"run":true}`, FieldConflict},
		"a type of numbers":         {`{"replay":1,"type":"win"}`, FieldConflict},
		"a way of groups not there": {`{"replay":3,"play":{"ways":[[4]]}}`, FieldValue},
	} {
		req, err := ParseRequest([]byte(`{"v":1,"rulebook":"vic-keno-2015","replay":"123","bets":[` + c.bets + `]}`))
		if err == nil {
			_, err = d.Resolve(req, Setting{Open: delayedGame, Entropy: zeros{}, Old: &old})
		}
		expectRefusal(t, name, err, c.code)
	}
	other := old
	other.Rulebook = "tas-keno-2023"
	req := Request{Rulebook: "vic-keno-2015", Replay: "123"}
	_, err = d.Resolve(req, Setting{Open: delayedGame, Old: &other})
	expectRefusal(t, "a ticket of another rulebook", err, ReplayUnknown)
}

func TestExposures(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	ticket, _, err := sellForm(t, d, `"games":4,"bets":[
		{"bet":"heads_or_tails","calls":["heads"],"stake_cents":300},
		{"bet":"standard","spots":[1],"stake_cents":100},
		{"bet":"heads_or_tails","calls":["evens"],"stake_cents":500}]`, atCounter)
	if err != nil {
		t.Fatal(err)
	}
	want := []Exposure{
		{Outcome: "heads_or_tails/heads", Games: 4, Stake: 300, Max: 500_000_00, Clause: "21.2(c)(i)"},
		{Outcome: "heads_or_tails/evens", Games: 4, Stake: 500, Max: 170_000_00, Clause: "21.2(c)(ii)"},
	}
	if got := d.Exposures(ticket); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	// No built-in rulebook bounds a series, a run or a race; a rulebook may.
	most := rulebook.Dollars(100)
	d.limits = []rulebook.Limit{{Measure: rulebook.MeasureAggregate, Max: &most}}
	ticket.Games, ticket.Bets = 2, []Bet{
		{Bet: "heads_or_tails", Calls: []Call{Heads, Tails}, Stake: 100},
		{Bet: "heads_or_tails", Calls: []Call{Heads, Tails}, Run: true, Stake: 100},
		{Bet: "racing", Type: "quinella", Places: []ball.Set{ball.MustOf(ball.Keno, 2), ball.MustOf(ball.Keno, 1, 3)},
			Stake: 50},
		{Bet: "standard", Spots: ball.MustOf(ball.Keno, 9, 3), Stake: 100},
	}
	want = []Exposure{
		{Outcome: "heads_or_tails/heads", Games: 1, Stake: 100, Max: 100},
		{Outcome: "heads_or_tails/tails", First: 1, Games: 1, Stake: 100, Max: 100},
		{Outcome: "heads_or_tails/heads", Games: 1, Stake: 100, Max: 100},
		{Outcome: "racing/quinella 1-2", Games: 2, Stake: 50, Max: 100},
		{Outcome: "racing/quinella 2-3", Games: 2, Stake: 50, Max: 100},
		{Outcome: "standard/3 9", Games: 2, Stake: 100, Max: 100},
	}
	if got := d.Exposures(ticket); !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	d.limits[0].Outcomes = []string{"tails", "quinella"}
	if got := d.Exposures(ticket); len(got) != 3 {
		t.Errorf("of the named outcomes %+v", got)
	}
}
