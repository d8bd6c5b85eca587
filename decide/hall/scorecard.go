package hall

import (
	"slices"

	"drawhouse/core/ball"
	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/journal/record"
)

// Scorecard is what an electronic card shows of one game: the cards on it, and what
// is marked. It marks what its holder presses, or by itself. It never calls: it has
// nothing to call with.
type Scorecard struct {
	patterns *bingo.Patterns
	game     *state.BingoGame
	Cards    []ShownCard
	Marked   ball.Set
	Auto     bool
	calls    ball.Sequence
	fresh    ball.Set // of the calls those on which can still be called
}

// ShownCard is one card on a scorecard.
type ShownCard struct {
	Serial string
	Boxes  []bingo.Box
}

// NewScorecard returns the card of a player in a game, with these numbers marked, or
// all that were called if it marks by itself.
//
//rule:nsw-bingo-2019 3.4 8.5
func NewScorecard(s Reading, kit *Kit, ref record.BingoGame, player uint32, marked ball.Set,
	auto bool) (*Scorecard, error) {
	r, session, err := sessionOf(s, ref.In())
	if err != nil {
		return nil, err
	}
	game, ok := session.Game(ref.Game)
	p, known := session.Player(player)
	if !ok || !known {
		return nil, refuse(PlayerUnknown, "", "player",
			"Session %d has no player %d, or no game %d.", ref.Session, player, ref.Game)
	}
	if auto && !r.rules.Session().AutomaticMarking {
		return nil, refuse(NumberNotCalled, "3.4", "auto", "Cards do not mark by themselves here.")
	}
	of := r.rules.Universe()
	card := &Scorecard{patterns: kit.patterns, game: game, Marked: marked, Auto: auto, calls: Drawn(of, game.Calls)}
	card.fresh = ball.Empty(of)
	for _, n := range game.Calls {
		if game.Heard(int(n)) == len(game.Drawn) {
			card.fresh = card.fresh.With(int(n))
		}
	}
	if marked.Universe() != of {
		card.Marked = ball.Empty(of)
	}
	for _, books := range p.Entered.Books {
		for book := books.First; book <= books.Last; book++ {
			boxes, err := kit.card(r.Hall, books.Series, book, ref.Game)
			if err != nil {
				return nil, err
			}
			card.Cards = append(card.Cards, ShownCard{printed(books.Series, book, ref.Game), boxes})
		}
	}
	card.follow()
	return card, nil
}

// follow marks what was called if the card marks by itself, and takes off marks of
// numbers that do not count.
func (c *Scorecard) follow() {
	called := c.calls.Set()
	if c.Auto {
		c.Marked = called
	}
	c.Marked = c.Marked.Intersect(called)
}

// Mark marks a number that its holder pressed. Only numbers that were called can be.
//
//rule:nsw-bingo-2019 3.4
func (c *Scorecard) Mark(number int) error {
	if !c.patterns.Form().Universe().Has(number) || !c.calls.Set().Has(number) {
		return refuse(NumberNotCalled, "3.4", "number", "%d was not called.", number)
	}
	c.Marked = c.Marked.With(number)
	return nil
}

// ShownPattern is how near a scorecard is to a pattern by what is marked on it.
type ShownPattern struct {
	Pattern string
	ToGo    int      // numbers lacking on the nearest box
	Boxes   int      // boxes that lack so many
	Waits   ball.Set // numbers any one of which completes a box; empty unless one is lacking
}

// ToGo returns how near the card is to each of some patterns. What was called and is
// not marked is not counted: the holder is told, by the difference between the
// numbers waited for and those called.
//
//rule:nsw-bingo-2019 3.4
func (c *Scorecard) ToGo(patterns []string) []ShownPattern {
	var list []ShownPattern
	for _, id := range patterns {
		if i, ok := c.patterns.Index(c.game.Announced.Of(id)); ok {
			list = append(list, c.near(i, id))
		}
	}
	return list
}

// Missed reports whether a box of the card was complete before the last number, by what
// was called and whatever is marked: nobody can call on it any more, nor on another box of
// the card for the same prize.
//
//rule:nsw-bingo-2019 8.1
func (c *Scorecard) Missed(pattern string) bool {
	i, ok := c.patterns.Index(c.game.Announced.Of(pattern))
	if !ok || c.calls.Len() == 0 {
		return false
	}
	before := c.calls.Set().Minus(c.fresh)
	return slices.ContainsFunc(c.Cards, func(card ShownCard) bool {
		return slices.ContainsFunc(card.Boxes,
			func(box bingo.Box) bool { return c.patterns.Completed(box.Mask(before)).Has(i) })
	})
}

// Lacks returns how many numbers a box lacks for a pattern, by what is marked.
func (c *Scorecard) Lacks(box bingo.Box, pattern string) int {
	i, ok := c.patterns.Index(c.game.Announced.Of(pattern))
	if !ok {
		return bingo.MaxPlaces + 1
	}
	return c.patterns.ToGo(i, box.Mask(c.Marked))
}

func (c *Scorecard) near(pattern int, id string) ShownPattern {
	shown := ShownPattern{Pattern: id, ToGo: bingo.MaxPlaces + 1, Waits: ball.Empty(c.patterns.Form().Universe())}
	for _, card := range c.Cards {
		for _, box := range card.Boxes {
			mask := box.Mask(c.Marked)
			lacks := c.patterns.ToGo(pattern, mask)
			if lacks < shown.ToGo {
				shown.ToGo, shown.Boxes = lacks, 0
			}
			if lacks == shown.ToGo {
				shown.Boxes++
			}
			waits := c.patterns.Waits(pattern, mask)
			for place := range box.Places() {
				if waits>>place&1 == 1 {
					shown.Waits = shown.Waits.With(box.Number(place))
				}
			}
		}
	}
	return shown
}
