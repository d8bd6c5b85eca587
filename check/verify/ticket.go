package verify

import (
	"fmt"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Bounds that keep a hostile ticket from costing more than its bytes. What may
// be sold is bounded by the rulebook.
const (
	maxBets   = 1 << 10
	maxGroups = 80 // groups do not share numbers, and there are 80
	maxMarks  = 1 << 17
	maxGames  = 1 << 20
	maxStake  = 1 << 40 // cents
)

// A ticket is one that was sold and whose last game is not settled.
type ticket struct {
	seq         uint64      // its place, see flat
	claim       record.Hash // what the opening of a claim must hash to
	first, last uint32      // ordinals of its games; last falls when it is cancelled
	games       uint32      // as sold
	venue       uint32      // that sold it
	terminal    uint32      // at which it was sold
	day         day.Day     // on which it was sold
	// Its bets: as they were read, or, if line has rules, as lines.
	bets []bet
	line line
	more []line
}

// covers reports whether the ticket was sold for the game of that ordinal and not
// cancelled in it.
func (t *ticket) covers(ordinal uint32) bool { return t.first <= ordinal && ordinal <= t.last }

// plays reports whether the ticket has a way in the game of that ordinal. It has
// none where all it bought were runs that are over.
func (t *ticket) plays(ordinal uint32) bool {
	if !t.covers(ordinal) {
		return false
	}
	if t.isLines() {
		return true
	}
	for i := range t.bets {
		if t.bets[i].plays(ordinal - t.first) {
			return true
		}
	}
	return false
}

// runs reports whether a prize of the ticket may become a stake of it.
func (t *ticket) runs() bool {
	for i := range t.bets {
		if t.bets[i].has(fieldRun) {
			return true
		}
	}
	return false
}

// A ticketForm is the tree that a record holds, before it is known to be good.
type ticketForm struct {
	rulebook string
	day      day.Day
	game     uint16
	games    uint32
	bets     []bet
}

// A bet is one bet of a ticket.
type bet struct {
	id     string
	rules  *betRules // of the rulebook under which it was sold
	fields uint32    // bit k: field k was given

	stake  money.Amount // on each way, in each game
	spots  []byte
	groups [][]byte
	totals []byte   // play by spots, or by groups: the types
	marks  [][]byte // play by ways: groups counted from 1
	calls  []byte   // 1 heads, 2 tails, 3 evens
	kind   string   // of a bet on a race
	places [][]byte // rows that may take each place
	side   [2]uint64
	last   [2]uint64
	picked uint64
	item   item   // the ready ticket that it is said to be
	ways   uint64 // in one game
	// jackpot tells that a way plays for a jackpot.
	jackpot bool
	// bonus is the number of games, from the first, with the multiplier.
	bonus uint32
	// lucky is the stake on the last number, in each game.
	lucky money.Amount
	// combos are the forecasts of a bet on a race.
	combos []forecast
	// run is how far a prize that runs on has come.
	run run
}

// The fields of a bet, as the layout of tickets in the journal numbers them.
const (
	fieldBet = iota + 1
	fieldStake
	fieldSpots
	fieldGroups
	fieldPlayAll
	fieldPlaySpots
	fieldPlayGroups
	fieldPlayWays
	fieldCalls
	fieldRun
	fieldType
	fieldPlaces
	fieldMultiplier
	fieldLuckyLast
	fieldPicked
	fieldItem
)

// What was picked for the player.
const (
	pickedQuick   = 1
	pickedMystery = 2
)

func (b *bet) has(field int) bool { return b.fields>>field&1 == 1 }

// readTicket reads a ticket, whose bets point into the data.
func readTicket(data []byte) (ticketForm, error) {
	var t ticketForm
	r := cborReader{data: data}
	if err := t.read(&r); err != nil {
		return ticketForm{}, err
	}
	return t, r.close()
}

// read reads [1, rulebook, [day, game], games, bets]. The form may have been used
// before.
func (t *ticketForm) read(r *cborReader) error {
	r.array("the ticket", 5, 5)
	r.uint("the version of the ticket", 1, 1)
	t.rulebook = r.text("the rulebook")
	r.array("the first game", 2, 2)
	t.day = day.Day(r.uint("the day", 1, 1<<31-1))
	t.game = uint16(r.uint("the game's number", 0, 1<<16-1))
	t.games = uint32(r.uint("the number of games", 1, maxGames))
	n := r.array("the list of bets", 1, maxBets)
	clear(t.bets)
	t.bets = slices.Grow(t.bets[:0], n)[:n]
	for i := range t.bets {
		t.bets[i].read(r)
		if r.err != nil {
			return fmt.Errorf("bet %d: %w", i+1, r.err)
		}
	}
	return r.err
}

// read reads the map of a bet, whose keys rise.
func (b *bet) read(r *cborReader) {
	last := uint64(0)
	for range r.head(cborMap) {
		key := r.uint("a field", last+1, fieldItem)
		if r.err != nil {
			return
		}
		last = key
		b.fields |= 1 << key
		b.readField(r, int(key))
	}
	if r.err == nil && !(b.has(fieldBet) && b.has(fieldStake)) {
		r.fail("it has no name or no stake")
	}
}

func (b *bet) readField(r *cborReader, key int) {
	switch key {
	case fieldBet:
		b.id = r.text("the bet's name")
	case fieldStake:
		b.stake = money.Amount(r.uint("the stake", 1, maxStake))
	case fieldSpots:
		b.spots = r.bytes("the spots")
	case fieldGroups:
		b.groups = readLists(r, "the groups", maxGroups)
	case fieldPlayAll, fieldRun:
		r.yes("a mark")
	case fieldPlaySpots, fieldPlayGroups:
		b.totals = r.bytes("the types")
	case fieldPlayWays:
		b.marks = readLists(r, "the marked ways", maxMarks)
	case fieldCalls:
		b.calls = r.bytes("the calls")
	case fieldType:
		b.kind = r.text("the type")
	case fieldPlaces:
		b.places = readLists(r, "the places", maxGroups)
	case fieldMultiplier:
		b.side = readSide(r)
	case fieldLuckyLast:
		b.last = readSide(r)
	case fieldPicked:
		b.picked = r.uint("what was picked", pickedQuick, pickedMystery)
	case fieldItem:
		r.array("the item", 2, 2)
		b.item.id = r.text("the item's name")
		b.item.edition = r.uint("the item's edition", 1, 1<<31-1)
	}
}

// readSide reads [stake or 0, games or 0] of a feature.
func readSide(r *cborReader) [2]uint64 {
	r.array("a feature", 2, 2)
	stake := r.uint("a feature's stake", 0, maxStake)
	return [2]uint64{stake, r.uint("a feature's games", 0, maxGames)}
}

// readLists reads an array of byte strings.
func readLists(r *cborReader, what string, most uint64) [][]byte {
	n := r.array(what, 1, most)
	// The list grows as it is read, so that a long count without content costs
	// nothing.
	lists := make([][]byte, 0, min(n, 8))
	for range n {
		list := r.bytes(what)
		if r.err != nil {
			return nil
		}
		lists = append(lists, list)
	}
	return lists
}

// checkNumbers reports whether a list is ascending numbers from 1 to most.
func checkNumbers(what string, list []byte, most int) error {
	last := 0
	for _, n := range list {
		if int(n) <= last || int(n) > most {
			return fmt.Errorf("%s %d: each must be over the one before it and at most %d", what, list, most)
		}
		last = int(n)
	}
	return nil
}
