package keno

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// slowVictorianStake is rule 11(c) to 11(f) of vic-keno-2015 as a person reads
// it, for a classic bet on a ticket of its own at a writer terminal.
func slowVictorianStake(ways int, jackpot bool, stake money.Amount, games int) (Code, string) {
	switch {
	case jackpot && stake < 1_00:
		return StakeBelowMinimum, "11(f)"
	case ways < 4 && stake < 1_00:
		return StakeBelowMinimum, "11(c)"
	case ways < 4 && stake%1_00 != 0:
		return StakeStep, "11(c)"
	case !jackpot && ways >= 4 && ways <= 19 && stake < 50:
		return StakeBelowMinimum, "11(d)(i)"
	case !jackpot && ways >= 20 && ways <= 49 && stake < 20:
		return StakeBelowMinimum, "11(d)(ii)"
	case !jackpot && ways >= 50 && stake < 10:
		return StakeBelowMinimum, "11(d)(iii)"
	case ways >= 4 && stake%10 != 0:
		return StakeStep, "11(e)"
	case stake*money.Amount(ways)*money.Amount(games) > 9_999_00:
		return TicketAboveMaximum, "11(c)"
	}
	return "", ""
}

// TestVictorianStakesAgreeWithTheRule compares the limits of the rulebook, as
// the desk applies them, with a twin that has them in plain code.
func TestVictorianStakesAgreeWithTheRule(t *testing.T) {
	d := deskOf(t, "vic-keno-2015")
	rapid.Check(t, func(t *rapid.T) {
		// Groups of one spot: n of them make C(n,k) ways of k spots.
		n := rapid.IntRange(2, 12).Draw(t, "groups")
		types := rapid.SliceOfNDistinct(rapid.IntRange(1, min(n, 10)), 1, 2, rapid.ID).Draw(t, "types")
		b := Bet{Bet: "classic", Play: Play{Kind: PlaySpots, Types: ball.MustOf(ball.Keno, types...)}}
		for i := range n {
			b.Groups = append(b.Groups, ball.MustOf(ball.Keno, i+1))
		}
		ways, jackpot := 0, false
		for spots := range slowJoins(b.Groups, b.Play, ball.MustParse(ball.Keno, "1-10")) {
			ways++
			jackpot = jackpot || spots.Len() >= 7
		}
		if ways < 2 {
			t.Skip("one way is no way bet")
		}
		b.Stake = rapid.OneOf(anyStake(), rapid.SampledFrom([]money.Amount{9, 10, 19, 20, 49, 50, 99, 100, 200,
			9_999_00})).Draw(t, "stake")
		games := rapid.SampledFrom([]int{1, 1, 7, 1000}).Draw(t, "games")
		ticket := Ticket{Rulebook: d.Book().ID(), First: openGame, Games: games, Bets: []Bet{b}}

		code, clause := slowVictorianStake(ways, jackpot, b.Stake, games)
		price, err := d.Quote(ticket, atCounter)
		var r *Refusal
		switch {
		case code == "" && (err != nil || price.Cost != b.Stake*money.Amount(ways*games) || price.Jackpot != jackpot):
			t.Fatalf("%s: %+v, %v", ticket.AppendJSON(nil), price, err)
		case code != "" && (!errors.As(err, &r) || r.Code != code || r.Clause != clause):
			t.Fatalf("%s: %v, want %s by %s", ticket.AppendJSON(nil), err, code, clause)
		}
	})
}

// TestMysteryIsSoldWhateverIsPicked: the limits of a bet whose size is picked do not
// depend on the size that came.
func TestMysteryIsSoldWhateverIsPicked(t *testing.T) {
	d := deskOf(t, "casino-keno-div2")
	env := Envelope{Channel: rulebook.ChannelWriter, Method: rulebook.MethodItem}
	for size := 1; size <= 10; size++ {
		spots := ball.Empty(ball.Keno)
		for n := range size {
			spots = spots.With(n + 1)
		}
		for stake, want := range map[money.Amount]Code{5_00: "", 6_00: StakeAboveMaximum, 1_50: StakeStep} {
			b := Bet{Bet: "standard", Spots: spots, Stake: stake, Picked: PickedMystery}
			_, err := d.Quote(Ticket{Rulebook: d.Book().ID(), First: openGame, Games: 1, Bets: []Bet{b}}, env)
			if r := (*Refusal)(nil); want == "" && err != nil || want != "" && (!errors.As(err, &r) || r.Code != want) {
				t.Errorf("%d spots at %v: %v, want %q", size, stake, err, want)
			}
		}
	}
}

// slowBound tells whether a limit refuses a ticket by adding up every way of
// every game.
func slowBound(d *Desk, t Ticket, l *rulebook.Limit) bool {
	refuses := func(a money.Amount) bool {
		return a != 0 && (l.Min != nil && a < l.Min.Amount() || l.Max != nil && a > l.Max.Amount() || l.Step != nil &&
			a%l.Step.Amount() != 0)
	}
	entry := money.Amount(0)
	for game := range t.Games {
		inGame := money.Amount(0)
		for i := range t.Bets {
			b := &t.Bets[i]
			if b.Run && game > 0 {
				continue
			}
			inBet := money.Amount(0)
			for range d.Ways(b, game) {
				onWay := money.Amount(0)
				if l.Part == "" || l.Part == rulebook.PartMain || l.Part == rulebook.PartAll {
					onWay += b.Stake
				}
				if m := b.With.Multiplier; m.On && (m.Games == 0 || game < m.Games) &&
					(l.Part == rulebook.PartMultiplier || l.Part == rulebook.PartAll) {
					onWay += b.Stake
				}
				if s := b.With.LuckyLast; s.On && (l.Part == rulebook.PartLuckyLast || l.Part == rulebook.PartAll) {
					if s.Stake == 0 {
						s.Stake = b.Stake
					}
					onWay += s.Stake
				}
				if l.Measure == rulebook.MeasureStake && refuses(onWay) {
					return true
				}
				inBet += onWay
			}
			if l.Measure == rulebook.MeasureBetGame && refuses(inBet) {
				return true
			}
			inGame += inBet
		}
		if l.Measure == rulebook.MeasureGame && refuses(inGame) {
			return true
		}
		entry += inGame
	}
	return l.Measure == rulebook.MeasureEntry && refuses(entry)
}

// TestLimitsAgreeWithEveryGame compares limits of every measure and part with a
// twin that looks at every way of every game.
func TestLimitsAgreeWithEveryGame(t *testing.T) {
	d := deskOf(t, "tas-keno-2023")
	d.bets["heads_or_tails"].calls = rulebook.Calls{SeriesMax: 12, Run: true}
	amount := rapid.Map(rapid.Int64Range(1, 2000), func(n int64) *rulebook.Dollars { d := rulebook.Dollars(n); return &d })
	step := rapid.Map(rapid.Int64Range(1, 4), func(n int64) *rulebook.Dollars { d := rulebook.Dollars(n); return &d })
	rapid.Check(t, func(t *rapid.T) {
		l := rulebook.Limit{
			Measure: rapid.SampledFrom([]rulebook.Measure{rulebook.MeasureStake, rulebook.MeasureBetGame, rulebook.MeasureGame,
				rulebook.MeasureEntry}).Draw(t, "measure"),
			Part: rapid.SampledFrom([]rulebook.Part{"", rulebook.PartMain, rulebook.PartMultiplier, rulebook.PartLuckyLast,
				rulebook.PartAll}).Draw(t, "part"),
		}
		switch rapid.IntRange(0, 2).Draw(t, "bound") {
		case 0:
			l.Min = amount.Draw(t, "min")
		case 1:
			l.Max = amount.Draw(t, "max")
		case 2:
			l.Step = step.Draw(t, "step")
		}
		d.limits = []rulebook.Limit{l}
		ticket := soldTicket(d).Draw(t, "ticket")
		_, err := d.Quote(ticket, atCounter)
		if want := slowBound(d, ticket, &l); want != (err != nil) {
			t.Fatalf("%s\nunder %+v: %v, want a refusal: %v", ticket.AppendJSON(nil), l, err, want)
		}
	})
}

// TestLimitOfAGameLooksAtLaterGames: what is staked less in a later game can fall
// below a minimum there. A prize that runs on is not staked by the player.
func TestLimitOfAGameLooksAtLaterGames(t *testing.T) {
	d := deskOf(t, "vic-keno-2015")
	least := rulebook.Dollars(2_00)
	d.limits = []rulebook.Limit{{Measure: rulebook.MeasureGame, Part: rulebook.PartAll, Min: &least}}
	for name, c := range map[string]struct {
		rest string
		want Code
	}{
		"one game": {`"bets":[{"bet":"classic","spots":[1],"stake_cents":100,"with":{"multiplier":{}}}]`,
			""},
		"multiplier in all games":     {`"games":3,"bets":[{"bet":"classic","spots":[1],"stake_cents":100,"with":{"multiplier":{}}}]`, ""},
		"multiplier in the first two": {`"games":3,"bets":[{"bet":"classic","spots":[1],"stake_cents":100,"with":{"multiplier":{"games":2}}}]`, GameBelowMinimum},
		"run beside enough":           {`"games":2,"bets":[{"bet":"classic","spots":[1],"stake_cents":200},{"bet":"heads_or_tails","calls":["heads"],"run":true,"stake_cents":100}]`, ""},
		"run beside too little":       {`"games":2,"bets":[{"bet":"classic","spots":[1],"stake_cents":100},{"bet":"heads_or_tails","calls":["heads"],"run":true,"stake_cents":100}]`, GameBelowMinimum},
		"run alone":                   {`"games":2,"bets":[{"bet":"heads_or_tails","calls":["heads"],"run":true,"stake_cents":200}]`, ""},
	} {
		_, _, err := sellForm(t, d, c.rest, atCounter)
		if c.want == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		} else if c.want != "" {
			expectRefusal(t, name, err, c.want)
		}
	}
}

// TestTotalsThatDoNotFit: a ticket that costs more than can be counted is refused
// and not sold for what the count wraps to.
func TestTotalsThatDoNotFit(t *testing.T) {
	d := deskOf(t, "vic-keno-2015")
	d.limits = nil
	d.games.Multi.Max = MaxGames
	ticket := Ticket{Rulebook: d.Book().ID(), First: openGame, Games: MaxGames}
	b := Bet{Bet: "classic", Play: Play{Kind: PlaySpots, Types: ball.MustOf(ball.Keno, 4)}, Stake: MaxStake,
		With: Features{Multiplier: Side{On: true}}}
	for i := range 40 {
		b.Groups = append(b.Groups, ball.MustOf(ball.Keno, i+1))
	}
	ticket.Bets = []Bet{b} // 91,390 ways of a billion dollars in 9,999 games.
	_, err := d.Quote(ticket, atCounter)
	expectRefusal(t, "more than can be counted", err, AmountTooLarge)
}

// FuzzQuote: no request makes a desk panic, and what is sold is what it plays.
func FuzzQuote(f *testing.F) {
	desks := []*Desk{deskOf(f, "vic-keno-2015"), deskOf(f, "tas-keno-2023"), deskOf(f, "casino-keno-div2")}
	for _, c := range requestForms {
		f.Add([]byte(c.form))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		req, err := ParseRequest(data)
		if err != nil {
			return
		}
		for _, d := range desks {
			req.Rulebook = d.Book().ID()
			ticket, err := d.Resolve(req, Setting{Open: openGame, Designated: delayedGame, Entropy: zeros{}})
			if err != nil {
				refusalOf(t, err)
				continue
			}
			price, err := d.Quote(ticket, atCounter)
			if err != nil {
				refusalOf(t, err)
				continue
			}
			ways := 0
			for i := range ticket.Bets {
				for range d.Ways(&ticket.Bets[i], 0) {
					ways++
				}
			}
			if ways != price.Ways {
				t.Fatalf("%s plays %d ways and is sold with %d", ticket.AppendJSON(nil), ways, price.Ways)
			}
			if _, err := ParseTicket(ticket.AppendJSON(nil)); err != nil {
				t.Fatalf("%s does not read back: %v", ticket.AppendJSON(nil), err)
			}
		}
	})
}
