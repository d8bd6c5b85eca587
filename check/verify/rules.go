package verify

import (
	"fmt"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// rules is what the checks need of an adopted rulebook, taken out of it once.
type rules struct {
	book     *rulebook.Book
	of, draw int
	bets     map[string]*betRules
	limits   []rulebook.Limit
	games    rulebook.Games
	entry    map[entryWay]rulebook.EntryWay
	items    map[item]rulebook.ItemFile
	cash     map[tenderWay]bool // whether cash may pay there
	fund     rulebook.Percent   // of stakes, to the prize fund
	prorate  []rulebook.Prorating
	rounding rounding
	payout   rulebook.Payout
	// unclaimed is what becomes of prizes that nobody fetches, in order of time.
	unclaimed []rulebook.Unclaimed
	cancel    rulebook.Cancellation
	staffing  rulebook.Staffing
	// namesWriter says that a ticket names who wrote it.
	namesWriter bool
	// unfinished says what becomes of the entries of a game without a result, the
	// first that can be.
	unfinished []string

	jackpots  *rulebook.Jackpots // nil where there are none
	migration *rulebook.Migration
	// majorPay is the prize of a way from which it may be paid otherwise; 0 where no
	// such difference is made (casino-keno-div2 8.11, 1.0.major-prize).
	majorPay money.Amount
	// promotions says which prizes beyond the schedules there are; nil for none.
	promotions *rulebook.Promotions
	// examples is how many blocks of the book wait for a decision.
	examples int
	// codes is the form of the codes on tickets, and parties the acts to which the authority is a party.
	codes   string
	parties []rulebook.Party
}

type entryWay struct {
	channel rulebook.Channel
	method  rulebook.Method
}

type tenderWay struct {
	channel rulebook.Channel
	venue   rulebook.VenueKind
}

// betRules is what the checks need of one bet.
type betRules struct {
	id    string
	index int // its place in the rulebook
	rules *rules
	form  rulebook.Form
	sizes ball.Set
	ways  *rulebook.Ways
	calls rulebook.Calls
	race  *rulebook.Race
	picks *rulebook.Picks
	// jackpot holds the sizes that play for a jackpot. It is empty, not
	// invalid, for a bet without.
	jackpot ball.Set
	bonus   *rulebook.Feature // the multiplier, if the bet may have it
	lucky   *rulebook.Feature // the last number, if the bet may have it
}

func newRules(book *rulebook.Book) (*rules, error) {
	if !book.Keno() {
		return nil, fmt.Errorf("rulebook %s is not one of keno, and no other is graded", book.ID())
	}
	r := &rules{
		book:        book,
		bets:        map[string]*betRules{},
		limits:      book.Limits(),
		games:       book.Games(),
		entry:       map[entryWay]rulebook.EntryWay{},
		items:       map[item]rulebook.ItemFile{},
		cash:        map[tenderWay]bool{},
		fund:        book.PrizeFund().Least,
		prorate:     book.Prorating(),
		payout:      book.Payout(),
		unclaimed:   book.Unclaimed(),
		cancel:      book.Cancellation(),
		staffing:    book.Staffing(),
		namesWriter: book.NamesWriter(),
		unfinished:  book.Draw().Unfinished,
		examples:    len(book.Examples()),
		codes:       codesOf(book),
		parties:     book.Parties(),
	}
	r.of, r.draw = book.Numbers()
	r.rounding.step, r.rounding.mode, _ = book.Rounding()
	// A rulebook is validated when it is read. These are what the arithmetic here
	// relies on, whatever that validation becomes.
	if r.of > int(ball.Keno) || r.draw > r.of || r.draw < 1 || r.rounding.step <= 0 {
		return nil, fmt.Errorf("rulebook %s draws %d of %d numbers and rounds to %v", book.ID(), r.draw, r.of,
			r.rounding.step)
	}
	if jackpots, ok := book.Jackpots(); ok {
		r.jackpots = &jackpots
	}
	if promotions, ok := book.Promotions(); ok {
		r.promotions = &promotions
	}
	if slices.ContainsFunc(r.payout.Methods, func(m rulebook.PayoutMethod) bool { return m.MajorOrClaim }) &&
		len(r.prorate) > 0 && r.prorate[0].MajorFrom != nil {
		r.majorPay = r.prorate[0].MajorFrom.Amount()
	}
	if migration, ok := book.Migration(); ok {
		r.migration = &migration
	}
	for _, bet := range book.Bets() {
		r.bets[bet.ID()] = r.newBet(bet)
	}
	for _, way := range book.EntryWays() {
		r.entry[entryWay{way.Channel, way.Method}] = way
	}
	for _, ready := range book.Items() {
		r.items[item{ready.ID, uint64(ready.Edition)}] = ready
	}
	for _, tender := range book.Tenders() {
		r.addTender(tender)
	}
	return r, nil
}

func (r *rules) newBet(bet *rulebook.Bet) *betRules {
	b := &betRules{id: bet.ID(), index: bet.Index(), rules: r, form: bet.Form(), sizes: bet.Sizes(),
		jackpot: ball.Empty(ball.Keno)}
	if ways, ok := bet.Ways(); ok {
		b.ways = &ways
	}
	if picks, ok := bet.Picks(); ok {
		b.picks = &picks
	}
	b.calls, _ = bet.Calls()
	b.race, _ = bet.Race()
	if r.jackpots != nil && bet.Jackpot() && slices.Contains(r.jackpots.Bets, bet.ID()) {
		for _, pool := range r.jackpots.Pools {
			if pool.Spots >= 1 && pool.Spots <= int(ball.Keno) {
				b.jackpot = b.jackpot.With(pool.Spots)
			}
		}
	}
	if feature, ok := r.book.Feature(rulebook.FeatureMultiplier); ok && feature.Allows(bet.ID()) {
		b.bonus = feature
	}
	if feature, ok := r.book.Feature(rulebook.FeatureLuckyLast); ok && feature.Allows(bet.ID()) {
		b.lucky = feature
	}
	return b
}

// codesOf returns the form of the codes on tickets: of the forms of the book that of the system which it is for, and 16
// digits where the book names none (tas-keno-2023 3.2).
func codesOf(book *rulebook.Book) string {
	successor := book.System().Plays == rulebook.PlaysSuccessor
	for _, form := range book.Serials() {
		if form.Successor == successor {
			return form.Form
		}
	}
	return rulebook.SerialDigits
}

// moves reports whether the rulebook lets jackpot money be moved so, if it is
// approved.
func (r *rules) moves(move string) bool {
	return r.jackpots != nil && slices.ContainsFunc(r.jackpots.Moves,
		func(m rulebook.JackpotMove) bool { return m.Move == move })
}

// pool returns what the rulebook says of the jackpot of a size, or nil.
func (r *rules) pool(spots uint8) *rulebook.PoolFile {
	if r.jackpots == nil {
		return nil
	}
	for i := range r.jackpots.Pools {
		if r.jackpots.Pools[i].Spots == int(spots) {
			return &r.jackpots.Pools[i]
		}
	}
	return nil
}

// allVenues stands for every kind of venue in a rulebook that names none.
const allVenues rulebook.VenueKind = ""

func (r *rules) addTender(t rulebook.Tender) {
	if !slices.Contains(t.Accept, "cash") {
		return
	}
	for _, venue := range t.Venues {
		r.cash[tenderWay{t.Channel, venue}] = true
	}
	if len(t.Venues) == 0 {
		r.cash[tenderWay{t.Channel, allVenues}] = true
	}
}

// takesCash reports whether cash pays for tickets on a channel of a venue.
func (r *rules) takesCash(channel rulebook.Channel, venue rulebook.VenueKind) bool {
	return r.cash[tenderWay{channel, allVenues}] || r.cash[tenderWay{channel, venue}]
}

// sellsAt reports whether there is something that pays for tickets on a channel of a venue.
func (r *rules) sellsAt(channel rulebook.Channel, venue rulebook.VenueKind) bool {
	return slices.ContainsFunc(r.book.Tenders(), func(t rulebook.Tender) bool {
		return t.Channel == channel && (len(t.Venues) == 0 || slices.Contains(t.Venues, venue))
	})
}
