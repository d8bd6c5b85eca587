package keno

import (
	"cmp"
	"slices"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// sale is one ticket at the desk while it is checked and priced.
type sale struct {
	*Desk
	ticket *Ticket
	env    Envelope
	parts  []part
	// The games, counted from 0, in which the ticket stakes other amounts than in
	// the game before, with the first.
	changes []int
}

// part is one bet of the ticket with what the checks have found out about it.
type part struct {
	*Bet
	offer *offer
	ways  int64
	sizes ball.Set // the sizes of its ways, of a bet on numbers
}

// check is one step of a sale: of the whole ticket, or of each bet by itself. It
// may rely on every step before it having passed.
type check struct {
	ticket func(*sale) *Refusal
	bet    func(*sale, *part) *Refusal
}

// The checks stand in the order of the codes that they refuse with.
var checks = []check{
	{ticket: (*sale).checkForm},
	{ticket: (*sale).checkRulebook},
	{bet: (*sale).checkOffer},
	{bet: (*sale).checkItem},
	{bet: (*sale).checkPicked},
	{ticket: (*sale).checkPicks},
	{ticket: (*sale).checkEntry},
	{bet: (*sale).checkMethod},
	{ticket: (*sale).checkGames},
	{ticket: (*sale).checkOneCall},
	{bet: (*sale).checkCalls},
	{bet: (*sale).checkNumbers},
	{bet: (*sale).checkRace},
	{bet: (*sale).checkFeatures},
}

// check returns the refusal of the ticket that comes first in the order of the
// codes, and of several bets refused by the same code that of the first.
func (s *sale) check() *Refusal {
	for _, c := range checks {
		if c.ticket != nil {
			if r := c.ticket(s); r != nil {
				return r
			}
			continue
		}
		var first *Refusal
		for i := range s.parts {
			if r := c.bet(s, &s.parts[i]); r != nil && (first == nil || before(r.Code, first.Code)) {
				first = r.Below("bets" + index(i))
			}
		}
		if first != nil {
			return first
		}
	}
	return nil
}

// before reports whether code a comes before b.
func before(a, b Code) bool {
	codes := Codes()
	return slices.Index(codes, a) < slices.Index(codes, b)
}

// checkForm refuses a ticket that was made in code and could not have been read.
func (s *sale) checkForm() *Refusal {
	t := s.ticket
	switch {
	case !t.First.IsValid():
		return refuse(FieldMissing, "", "first", "A ticket must name its first game.")
	case t.Games < 1 || t.Games > MaxGames:
		return refuse(FieldValue, "", "games", "The number must be 1 to %d.", MaxGames)
	case len(t.Bets) < 1 || len(t.Bets) > MaxBets:
		return refuse(FieldValue, "", "bets", "A ticket has 1 to %d bets.", MaxBets)
	}
	for i := range t.Bets {
		b := &t.Bets[i]
		if r := checkBet(&BetRequest{Bet: *b}, true); r != nil {
			return r.Below("bets" + index(i))
		}
		for _, stake := range []money.Amount{b.Stake, b.With.Multiplier.stake(b), b.With.LuckyLast.stake(b)} {
			if !isStake(stake.Cents()) {
				return refuse(FieldValue, "", "bets"+index(i), "A stake is %v to %v.", money.Cent, MaxStake)
			}
		}
	}
	return nil
}

// checkRulebook refuses a ticket of another rulebook, or of another time.
//
//rule:vic-keno-2015 1
func (s *sale) checkRulebook() *Refusal {
	switch {
	case s.ticket.Rulebook != s.book.ID():
		return s.otherRulebook(s.ticket.Rulebook)
	case !s.book.InForce(s.ticket.First.Day):
		return refuse(RulebookExpired, s.book.EffectiveClause(), "first",
			"%s is not in force on %v.", s.book.Title(), s.ticket.First.Day)
	}
	return nil
}

// checkOffer refuses a bet that the rulebook does not have, or that is laid like
// another kind of bet.
func (s *sale) checkOffer(b *part) *Refusal {
	o, ok := s.bets[b.Bet.Bet]
	if !ok {
		return s.unknownBet(b.Bet.Bet)
	}
	b.offer = o
	shape := b.Shape()
	if shape == o.shape() || shape == ShapeGroups && o.shape() == ShapeSpots {
		return nil
	}
	return refuse(BetShape, o.Clause(), fields[shape], "%s is not a bet with %s.", o.Name(), fields[shape])
}

// checkItem refuses a ready ticket that is not sold here, or that is not as the
// catalogue has it.
//
//rule:vic-keno-2015 2(a).superplay 2(a).standard-superplay 2(a).customised-superplay
//rule:casino-keno-div2 3.5 3.12(a) 3.12(b)
//rule:tas-keno-2023 1.17 1.62
func (s *sale) checkItem(b *part) *Refusal {
	if !b.Item.IsValid() {
		return nil
	}
	item, ok := s.items[b.Item]
	switch {
	case !ok || b.Item.Edition == 0:
		return refuse(ItemUnknown, "", "item", "The catalogue has no ready ticket %v.", b.Item)
	case item.Venue != "" && item.Venue != s.env.Venue:
		return refuse(ItemElsewhere, item.Clause, "item", "%s is sold at %s only.", item.Name, item.Venue)
	case item.Channels != nil && !slices.Contains(item.Channels, s.env.Channel):
		return refuse(ItemElsewhere, item.Clause, "item", "%s is not sold at such a terminal.", item.Name)
	case item.StakeCents != 0 && item.StakeCents != b.Stake.Cents():
		return refuse(ItemFixed, item.Clause, "stake_cents",
			"%s costs %v a way, not %v.", item.Name, money.Amount(item.StakeCents), b.Stake)
	case item.Games != 0 && item.Games != s.ticket.Games:
		return refuse(ItemFixed, item.Clause, "item",
			"%s is for %s, not for %d.", item.Name, figure.Count(item.Games, "game"), s.ticket.Games)
	case !b.isLaidAs(item):
		return refuse(ItemFixed, item.Clause, "item", "The bet is not %s as the catalogue has it.", item.Name)
	}
	return nil
}

// isLaidAs reports whether b has the bet, groups and types of a ready ticket and,
// unless they were picked, its numbers.
func (b *Bet) isLaidAs(item *rulebook.ItemFile) bool {
	picked := b.Picked != PickedNot
	if b.Bet != item.Bet || picked && item.Groups != nil && !item.Random || !picked && item.Groups == nil {
		return false
	}
	// Numbers that were picked are compared in number only, so any will do.
	groups, err := itemGroups(item, picked, &picker{entropy: zeros{}})
	if err != nil {
		return false
	}
	var want Bet
	want.lay(groups, item.Types)
	same := func(a, b ball.Set) bool { return a == b || picked && a.IsValid() == b.IsValid() && a.Len() == b.Len() }
	return same(b.Spots, want.Spots) && slices.EqualFunc(b.Groups, want.Groups, same) &&
		b.Play.Kind == want.Play.Kind && b.Play.Types == want.Play.Types
}

// checkPicked refuses a pick that the bet does not have, or not at such a
// terminal.
//
//rule:tas-keno-2023 1.44 1.45 1.52
func (s *sale) checkPicked(b *part) *Refusal {
	path := fields[b.Shape()]
	switch {
	case !b.isPick():
		return nil
	case b.offer.pickName(b.Picked) == "":
		return refuse(PickNotSold, b.offer.picksClause(), path, "%s is not sold with such a pick.", b.offer.Name())
	case b.Picked == PickedMystery && b.Shape() == ShapeSpots && !b.offer.picks.MysterySizes.Set().Has(b.Spots.Len()):
		return refuse(PickNotSold, b.offer.picks.MysteryClause, path,
			"%s never has %s.", b.offer.picks.Mystery, figure.Count(b.Spots.Len(), "spot"))
	}
	if on := b.offer.picks.MysteryChannels; b.Picked == PickedMystery && on != nil &&
		!slices.Contains(on, s.env.Channel) {
		return refuse(PickNotSold, b.offer.picks.MysteryClause, path,
			"%s is not sold at such a terminal.", b.offer.picks.Mystery)
	}
	return nil
}

// checkPicks refuses a second pick of a bet of which a ticket has one pick only.
//
//rule:vic-keno-2015 2(a).kwikipik
func (s *sale) checkPicks() *Refusal {
	for i := range s.parts {
		b := &s.parts[i]
		if b.offer.picks.Several || !b.isPick() {
			continue
		}
		for j := range i {
			if other := &s.parts[j]; other.offer == b.offer && other.isPick() {
				return refuse(PicksTooMany, b.offer.picksClause(), "bets"+index(i),
					"A ticket has one pick of %s.", b.offer.Name())
			}
		}
	}
	return nil
}

// isPick reports whether the terminal chose for the player, ready tickets apart.
func (b *Bet) isPick() bool { return b.Picked != PickedNot && !b.Item.IsValid() }

// checkEntry refuses a terminal or a way of entering that the rulebook does not
// have.
//
//rule:vic-keno-2015 9(a) 9(b) 9(b)(i) 9(b)(ii) 9(b)(iii) 9(b)(iv)
//rule:casino-keno-div2 3.1 3.2 3.2(a) 3.2(b) 3.2(c)
//rule:tas-keno-2023 5.2 5.3
func (s *sale) checkEntry() *Refusal {
	switch {
	case !slices.Contains(s.kinds.Channels, s.env.Channel):
		return refuse(ChannelNotAllowed, s.kinds.Clause, "", "No entry is taken at such a terminal.")
	case !slices.Contains(s.kinds.Methods, s.env.Method):
		return refuse(MethodNotAllowed, s.kinds.MethodsClause, "", "No entry is taken in such a way.")
	case s.entryWay(s.env.Method) == nil:
		return refuse(MethodNotAllowed, s.kinds.MethodsClause, "",
			"No entry is taken in such a way at such a terminal.")
	}
	return nil
}

// entryWay returns the policy of a method at the terminal of the sale, or nil.
func (s *sale) entryWay(method rulebook.Method) *rulebook.EntryWay {
	for i := range s.entry {
		if e := &s.entry[i]; e.Channel == s.env.Channel && e.Method == method {
			return e
		}
	}
	return nil
}

// checkMethod refuses a bet that may not be entered as the ticket was. A bet that
// was picked or is a ready ticket may also come as the rulebook lets those come.
//
//rule:vic-keno-2015 9(b)(iv) 9(b)(iv)(A) 9(b)(iv)(B) 9(b)(iv)(C) 9(b)(iv)(D) 9(b)(iv)(E)
//rule:casino-keno-div2 3.8A(a) 3.8A(b) 3.9
//rule:tas-keno-2023 5.3 17.6(e)(i) 17.6(e)(ii)
func (s *sale) checkMethod(b *part) *Refusal {
	way := s.entryWay(s.env.Method)
	ready := b.Picked != PickedNot || b.Item.IsValid()
	if !ready && s.env.Method == rulebook.MethodItem {
		return refuse(MethodNotAllowed, way.Clause, "",
			"A bet with the player's own numbers is neither picked nor a ready ticket.")
	}
	refused := s.judge(way, b)
	if refused == nil || !ready {
		return refused
	}
	if other := s.entryWay(rulebook.MethodItem); other != nil && s.judge(other, b) == nil {
		return nil
	}
	return refused
}

// judge refuses a bet that does not come by one way of entering.
func (s *sale) judge(e *rulebook.EntryWay, b *part) *Refusal {
	switch {
	case s.env.Runner && !e.TakesRunner():
		return refuse(RunnerNotAllowed, cmp.Or(e.RunnerClause, e.Clause), "", "A runner may not bring such an entry.")
	case e.Bets != nil && !slices.Contains(e.Bets, b.Bet.Bet):
		return refuse(BetNotByMethod, e.BetsClause, "", "%s may not be entered in such a way.", b.offer.Name())
	case !e.TakesWays() && b.Shape() == ShapeGroups:
		return refuse(WaysNotByMethod, e.WaysClause, "", "A way bet may not be entered in such a way.")
	}
	return nil
}

// checkGames refuses more consecutive games than are sold on one ticket.
//
//rule:vic-keno-2015 2(a).multi-game
//rule:casino-keno-div2 3.8(c) 3.8C(a)(iii) 3.9(c) 3.10(c) 3.11(b)
//rule:tas-keno-2023 1.42
func (s *sale) checkGames() *Refusal {
	if multi := s.games.Multi; s.ticket.Games > multi.Max {
		return refuse(GamesTooMany, s.gamesClause(), "games",
			"A ticket is for at most %s, not for %d.", figure.Count(multi.Max, "game"), s.ticket.Games)
	}
	return nil
}

// gamesClause returns the clause that bounds the games of a ticket, by the way in which its first bet is asked for.
func (s *sale) gamesClause() string {
	multi, first := s.games.Multi, &s.parts[0]
	for _, a := range multi.Asked {
		if (a.Method == "" || a.Method == s.env.Method) && (a.Pick == "" || a.Pick == first.Picked.String()) &&
			(!a.Ways || first.Shape() == ShapeGroups) {
			return a.Clause
		}
	}
	return multi.Clause
}

// checkOneCall refuses a second bet of calls where an entry makes one call a game.
//
//rule:vic-keno-2015 9(c)
func (s *sale) checkOneCall() *Refusal {
	seen := false
	for i := range s.parts {
		b := &s.parts[i]
		if b.Shape() != ShapeCalls || !b.offer.calls.OnePerGame {
			continue
		}
		if seen {
			return refuse(OneCallPerGame, b.offer.calls.OnePerGameClause, "bets"+index(i),
				"A ticket makes one call of %s a game.", b.offer.Name())
		}
		seen = true
	}
	return nil
}

// checkCalls refuses a series of calls that is not sold.
//
//rule:vic-keno-2015 2(a).prepick 2(a).let-it-run
func (s *sale) checkCalls(b *part) *Refusal {
	if b.Shape() != ShapeCalls {
		return nil
	}
	c, games := &b.offer.calls, s.ticket.Games
	series := len(b.Calls) > 1
	switch {
	case series && c.SeriesMax == 0:
		return refuse(SeriesNotSold, c.Clause, "calls", "%s takes one call for all games.", b.offer.Name())
	case b.Run && !c.Run:
		return refuse(RunNotSold, c.Clause, "run", "A prize of %s does not become the next stake.", b.offer.Name())
	case b.Run && games < 2:
		return refuse(SeriesTooShort, c.RunClause, "run",
			"A prize can run on only if the ticket has two games or more.")
	case (series || b.Run) && max(games, len(b.Calls)) > c.SeriesMax:
		return refuse(SeriesTooLong, c.Clause, "calls",
			"A series has at most %s, not %d.", figure.Count(c.SeriesMax, "game"), max(games, len(b.Calls)))
	case series && len(b.Calls) != games:
		return refuse(SeriesGames, c.Clause, "calls", "The bet makes %s for %s; a series makes one a game.",
			figure.Count(len(b.Calls), "call"), figure.Count(games, "game"))
	}
	b.ways = 1
	return nil
}

func (o *offer) sizeNotSold(size int, path string) *Refusal {
	return refuse(SizeNotSold, o.Clause(), path,
		"%s is not sold with %s; it has %s.", o.Name(), figure.Count(size, "spot"), listed(o.sizes))
}

// listed returns sizes as a refusal names them, "1 to 10, 15, 20, 40".
func listed(sizes ball.Set) string { return strings.Join(sizes.Ranges(), ", ") }
