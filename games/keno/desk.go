package keno

import (
	"errors"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/rulebook"
)

// Desk sells by one rulebook. It holds what the rulebook says in the form in
// which a sale asks for it, so that a sale copies nothing. It is immutable and
// safe for concurrent use; a house makes one for each rulebook and keeps it.
type Desk struct {
	book   *rulebook.Book
	bets   map[string]*offer
	kinds  rulebook.EntryKinds
	entry  []rulebook.EntryWay
	items  map[ItemRef]*rulebook.ItemFile
	games  rulebook.Games
	limits []rulebook.Limit
}

// offer is one bet as a desk sells it. Of the policies that a bet may lack the
// zero value allows nothing.
type offer struct {
	*rulebook.Bet
	sizes    ball.Set // spots that may be chosen, the empty set for other forms
	jackpots ball.Set // of those, the sizes that play for a jackpot
	ways     rulebook.Ways
	hasWays  bool
	picks    rulebook.Picks
	calls    rulebook.Calls
	race     *rulebook.Race
}

// ErrNotKeno reports a rulebook of another game.
var ErrNotKeno = errors.New("keno: the rulebook governs another game")

// NewDesk returns the desk that sells by book.
func NewDesk(book *rulebook.Book) (*Desk, error) {
	if !book.Keno() {
		return nil, ErrNotKeno
	}
	d := &Desk{book: book, bets: map[string]*offer{}, kinds: book.EntryKinds(), entry: book.EntryWays(),
		items: map[ItemRef]*rulebook.ItemFile{}, games: book.Games(), limits: book.Limits()}
	for _, bet := range book.Bets() {
		d.bets[bet.ID()] = offerOf(book, bet)
	}
	for _, item := range book.Items() {
		d.items[ItemRef{item.ID, item.Edition}] = &item
		if latest, ok := d.items[ItemRef{ID: item.ID}]; !ok || latest.Edition < item.Edition {
			d.items[ItemRef{ID: item.ID}] = &item
		}
	}
	return d, nil
}

func offerOf(book *rulebook.Book, bet *rulebook.Bet) *offer {
	none := ball.Empty(ball.Keno)
	o := &offer{Bet: bet, sizes: none, jackpots: none}
	if bet.Sizes().IsValid() {
		o.sizes = bet.Sizes()
	}
	o.ways, o.hasWays = bet.Ways()
	o.picks, _ = bet.Picks()
	o.calls, _ = bet.Calls()
	o.race, _ = bet.Race()
	if jackpots, ok := book.Jackpots(); ok && bet.Jackpot() && slices.Contains(jackpots.Bets, bet.ID()) {
		for _, pool := range jackpots.Pools {
			o.jackpots = o.jackpots.With(pool.Spots)
		}
	}
	o.jackpots = o.jackpots.Intersect(o.sizes)
	return o
}

// Book returns the rulebook of d.
func (d *Desk) Book() *rulebook.Book { return d.book }

// Envelope is what a sale needs to know of how a ticket came about.
type Envelope struct {
	Channel  rulebook.Channel
	Method   rulebook.Method
	Runner   bool   // a runner brought the entry
	Venue    string // id of the venue that sells
	PoolGame bool   // the games are bonus prize pool games
}
