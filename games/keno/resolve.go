package keno

import (
	"errors"
	"io"

	"drawhouse/core/ball"
	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// Setting is what a request is resolved against.
type Setting struct {
	Open       GameRef   // the game that is open
	Designated GameRef   // the next game of delayed start; the zero value if there is none
	Entropy    io.Reader // for picks; nil if there are none
	Old        *Ticket   // the ticket that the request replays, if it was found
}

// Resolve makes the ticket that a request asks for: numbers picked, items looked
// up, the old ticket copied and changed, the first game named. It checks no
// more than it needs for that; [Desk.Quote] checks the ticket.
//
// An error is a *[Refusal], unless the source of entropy fails.
func (d *Desk) Resolve(req Request, in Setting) (Ticket, error) {
	r := resolver{Desk: d, in: in, pick: picker{entropy: in.Entropy}}
	if req.Rulebook != d.book.ID() {
		return Ticket{}, d.otherRulebook(req.Rulebook)
	}
	req, refused := r.replay(req)
	if refused != nil {
		return Ticket{}, refused
	}
	first, refused := r.firstGame(req.First)
	if refused != nil {
		return Ticket{}, refused
	}
	t := Ticket{Rulebook: req.Rulebook, First: first, Games: req.Games, Bets: make([]Bet, len(req.Bets))}
	for i := range req.Bets {
		bet, games, err := r.bet(&req.Bets[i])
		if err != nil {
			return Ticket{}, belowBet(i, err)
		}
		t.Bets[i] = bet
		if games != 0 && t.Games != 0 && t.Games != games {
			return Ticket{}, refuse(ItemFixed, d.items[bet.Item].Clause, "games",
				"%s is for %s, not for %d.", d.items[bet.Item].Name, figure.Count(games, "game"), t.Games)
		}
		t.Games = max(t.Games, games)
	}
	t.Games = max(t.Games, 1)
	t.normalise()
	return t, nil
}

// belowBet moves the path of a refusal below bet i.
func belowBet(i int, err error) error {
	if r := new(Refusal); errors.As(err, &r) {
		return r.Below("bets" + index(i))
	}
	return err
}

func (d *Desk) otherRulebook(id string) *Refusal {
	return refuse(RulebookOther, "", "rulebook", "The rulebook here is %s, not %s.", d.book.ID(), id)
}

// resolver resolves one request.
type resolver struct {
	*Desk
	in   Setting
	pick picker
}

// firstGame returns the game that is open or, for a delayed start, the next
// designated one.
//
//rule:vic-keno-2015 9(h)
//rule:tas-keno-2023 1.42
func (r *resolver) firstGame(first First) (GameRef, *Refusal) {
	delayed := r.games.Delayed
	switch {
	case first.Kind == FirstOpen && r.in.Open.IsValid():
		return r.in.Open, nil
	case first.Kind == FirstOpen:
		return GameRef{}, refuse(GameNotOpen, r.games.Quoted(), "first", "No game is open.")
	case first.Kind == FirstDelayed && !delayed.Allowed:
		// What the rulebook says of games in a row says that they begin with the open one.
		return GameRef{}, refuse(DelayedNotSold, r.games.Multi.Clause, "first", "Entries are for the open game only.")
	case first.Kind == FirstDelayed && !r.in.Designated.IsValid():
		return GameRef{}, refuse(DelayedNotSold, delayed.Clause, "first", "No game of delayed start is designated.")
	case first.Kind == FirstDelayed:
		return r.in.Designated, nil
	case first.Game == r.in.Open, first.Game == r.in.Designated && delayed.Allowed:
		return first.Game, nil
	}
	return GameRef{}, refuse(GameNotOpen, r.games.Quoted(), "first",
		"The open game is %v, not %v.", r.in.Open, first.Game)
}

// bet resolves one bet. The games are those that a ready ticket fixes, or 0.
func (r *resolver) bet(b *BetRequest) (bet Bet, games int, err error) {
	switch {
	case b.Item.IsValid():
		return r.item(b)
	case b.Pick.Of != ShapeNone:
		bet, err = r.picked(b)
		return bet, 0, err
	}
	return b.Bet, 0, nil
}

// picked lets the terminal choose spots, calls or rows.
//
//rule:vic-keno-2015 2(a).kwikipik 2(a).kwikipik(a) 2(a).kwikipik(b)
//rule:casino-keno-div2 3.3 3.4 3.10(a)
//rule:tas-keno-2023 1.44 1.45 1.52
func (r *resolver) picked(b *BetRequest) (Bet, error) {
	offer, ok := r.bets[b.Bet.Bet]
	if !ok {
		return Bet{}, r.unknownBet(b.Bet.Bet)
	}
	if refused := offer.checkPick(b.Pick, b.With, r.book); refused != nil {
		return Bet{}, refused
	}
	bet := b.Bet
	bet.Picked = b.Pick.How
	var err error
	switch b.Pick.Of {
	case ShapeSpots:
		bet.Spots, err = r.pickSpots(b.Pick, offer)
	case ShapeCalls:
		bet.Calls, err = r.pickCalls(b.Pick.Count)
	case ShapeRace:
		bet.Places, err = r.pickPlaces(b, offer)
	}
	return bet, err
}

func (d *Desk) unknownBet(id string) *Refusal {
	return refuse(BetNotSold, "", "bet", "There is no bet %q.", id)
}

// fields are the names of the fields that hold the shapes.
var fields = [...]string{ShapeSpots: "spots", ShapeGroups: "groups", ShapeCalls: "calls", ShapeRace: "places"}

// checkPick refuses a pick that the bet does not have, or for which there is
// nothing to pick from.
func (o *offer) checkPick(pick Pick, with Features, book *rulebook.Book) *Refusal {
	path := fields[pick.Of]
	if pick.Of != o.shape() {
		return refuse(BetShape, o.Clause(), path, "%s has no %s.", o.Name(), path)
	}
	if o.pickName(pick.How) == "" {
		return refuse(PickNotSold, o.picksClause(), path, "%s is not sold with such a pick.", o.Name())
	}
	switch {
	case pick.Of == ShapeSpots && pick.How == PickedQuick && !o.sizes.Has(pick.Count):
		return o.sizeNotSold(pick.Count, path)
	case pick.Of == ShapeRace && pick.How == PickedQuick && pick.Count > o.race.Rows():
		return refuse(RowUnknown, o.race.Clause(), path, "There are %d rows, not %d.", o.race.Rows(), pick.Count)
	case pick.Of == ShapeSpots && pick.How == PickedMystery:
		return o.checkMysteryFeatures(with, book)
	}
	return nil
}

// checkMysteryFeatures refuses a feature that only some of the sizes that may be
// picked could have: chance must not decide whether a ticket is sold.
func (o *offer) checkMysteryFeatures(with Features, book *rulebook.Book) *Refusal {
	for _, s := range with.sides() {
		feature, ok := book.Feature(s.id)
		if !ok || !s.On {
			continue
		}
		if sizes, bound := feature.Sizes(); bound && !sizes.Contains(o.picks.MysterySizes.Set()) {
			return refuse(FeatureSize, feature.SizesClause(), "with."+string(s.id),
				"%s may pick more spots than %s is sold with.", o.picks.Mystery, feature.Name())
		}
	}
	return nil
}

// shape returns the shape of picks for the bet's form.
func (o *offer) shape() Shape {
	switch o.Form() {
	case rulebook.FormCalls:
		return ShapeCalls
	case rulebook.FormRace:
		return ShapeRace
	}
	return ShapeSpots
}

// pickName returns the name under which the bet is picked so, or "".
func (o *offer) pickName(how Picked) string {
	if how == PickedMystery {
		return o.picks.Mystery
	}
	return o.picks.Quick
}

// picksClause returns the clause on picks or, if there are none, on the bet.
func (o *offer) picksClause() string {
	if o.picks.Clause != "" {
		return o.picks.Clause
	}
	return o.Clause()
}

func (r *resolver) pickSpots(pick Pick, o *offer) (ball.Set, error) {
	count := pick.Count
	if pick.How == PickedMystery {
		var err error
		if count, err = r.pick.oneOf(o.picks.MysterySizes.Set()); err != nil {
			return ball.Set{}, err
		}
	}
	of, _ := r.book.Numbers()
	groups, err := r.pick.groups([]int{count}, of)
	if err != nil {
		return ball.Set{}, err
	}
	return groups[0], nil
}

func (r *resolver) pickCalls(count int) ([]Call, error) {
	calls := make([]Call, count)
	for i := range calls {
		n, err := r.pick.below(int(Evens))
		if err != nil {
			return nil, err
		}
		calls[i] = Heads + Call(n)
	}
	return calls, nil
}

// pickPlaces picks a row for each place or, of a quick pick, so many rows for
// all places: a box.
func (r *resolver) pickPlaces(b *BetRequest, o *offer) ([]ball.Set, error) {
	kind, ok := o.race.Type(b.Type)
	if !ok {
		return nil, o.unknownType(b.Type)
	}
	if b.Pick.How == PickedMystery {
		sizes := make([]int, kind.Places)
		for i := range sizes {
			sizes[i] = 1
		}
		return r.pick.groups(sizes, o.race.Rows())
	}
	box, err := r.pick.groups([]int{b.Pick.Count}, o.race.Rows())
	if err != nil {
		return nil, err
	}
	places := make([]ball.Set, kind.Places)
	for i := range places {
		places[i] = box[0]
	}
	return places, nil
}

// item looks up a ready ticket.
//
//rule:vic-keno-2015 2(a).superplay 2(a).standard-superplay 2(a).customised-superplay
//rule:casino-keno-div2 3.5 3.12(a) 3.12(b)
//rule:tas-keno-2023 1.17 1.62
func (r *resolver) item(b *BetRequest) (bet Bet, games int, err error) {
	item, ok := r.items[b.Item]
	if !ok {
		return Bet{}, 0, refuse(ItemUnknown, "", "item", "The catalogue has no ready ticket %v.", b.Item)
	}
	if b.Random && item.Groups != nil && !item.Random {
		return Bet{}, 0, refuse(ItemNotRandom, item.Clause, "random",
			"%s is sold with its own numbers only.", item.Name)
	}
	bet = Bet{Bet: item.Bet, Stake: b.Stake, With: b.With, Item: ItemRef{item.ID, item.Edition}}
	if bet.Stake == 0 {
		bet.Stake = money.Amount(item.StakeCents)
	}
	if bet.Stake == 0 {
		return Bet{}, 0, refuse(FieldMissing, "", "stake_cents",
			"%s has no stake of its own; the player names it.", item.Name)
	}
	groups, err := itemGroups(item, b.Random, &r.pick)
	if err != nil {
		return Bet{}, 0, err
	}
	if item.Groups == nil || b.Random {
		bet.Picked = PickedQuick
	}
	bet.lay(groups, item.Types)
	return bet, item.Games, nil
}

// itemGroups returns the numbers of a ready ticket, its own or picked.
func itemGroups(item *rulebook.ItemFile, random bool, p *picker) ([]ball.Set, error) {
	if item.Groups == nil || random {
		return p.groups(groupSizes(item), int(ball.Keno))
	}
	groups := make([]ball.Set, len(item.Groups))
	for i, numbers := range item.Groups {
		groups[i] = ball.MustOf(ball.Keno, numbers...) // A rulebook with other numbers does not load.
	}
	return groups, nil
}

// lay gives b the ways of the types or, without types, the one way of all groups.
func (b *Bet) lay(groups []ball.Set, types []int) {
	if len(types) > 0 {
		b.Groups, b.Play = groups, Play{Kind: PlaySpots, Types: ball.MustOf(ball.Keno, types...)}
		return
	}
	b.Spots = ball.Empty(ball.Keno)
	for _, group := range groups {
		b.Spots = b.Spots.Union(group)
	}
}

// groupSizes returns the sizes of the groups of a ready ticket.
func groupSizes(item *rulebook.ItemFile) []int {
	if item.Groups == nil {
		return item.GroupSizes
	}
	sizes := make([]int, len(item.Groups))
	for i, group := range item.Groups {
		sizes[i] = len(group)
	}
	return sizes
}
