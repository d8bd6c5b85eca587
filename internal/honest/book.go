package honest

import (
	"fmt"
	"maps"
	"slices"

	"drawhouse/core/money"
)

// Goal is what must never happen to money.
type Goal string

// The goals.
const (
	VoucherToCash Goal = "a voucher became cash"
	PaidTwice     Goal = "something was paid twice"
	MoreBack      Goal = "more came back than was paid"
	OverLimit     Goal = "paid outside a limit, or without its paper, person or place"
	StrandedMoney Goal = "a cent that nobody can fetch"
	StuckSession  Goal = "a session that cannot end"
	WhileStopped  Goal = "money left while stopped or claimed"
	TooLate       Goal = "money left after its time"
	Credit        Goal = "an entry that nobody paid"
	WrongGame     Goal = "a voucher for another type of game than it pays for"
	NewLife       Goal = "a voucher lives longer than its first day allows"
	NeverWas      Goal = "money for a thing that was never sold or issued"
)

// Breach is one thing that went wrong.
type Breach struct {
	Goal   Goal
	Clause string // empty where the text is silent
	What   string
	Amount money.Amount
}

func (b Breach) String() string {
	clause := b.Clause
	if clause == "" {
		clause = "no clause"
	}
	return fmt.Sprintf("%s (%s): %s", b.Goal, clause, b.What)
}

// Book follows the money of one house under one rulebook. Use [New].
type Book struct {
	rules    Rules
	day      Date
	over     Date // the last day that has ended
	pots     []pot
	venues   map[string]Act
	tickets  map[string]*ticket
	alias    map[string]string // reprints
	order    []string          // tickets as sold, so that every run is the same
	papers   map[string]*paper
	cards    map[string]*card
	sessions map[string]*session
	games    map[int]*game
	claims   map[string]*claim
	rounds   map[string]*round
	// cashed counts the cash that left for one visit or one ticket.
	cashed map[string]money.Amount
	// payments counts the prizes that were paid outside of visits: each is one of its own.
	payments int
	paidNow  payment // the last of them
	// stayed are the tickets whose run was in a game that has become void. If nothing carries it
	// on at once, its prize is due.
	stayed []*ticket
	// jackpot is in hundredths of a cent, because the share of a fee need not be whole.
	jackpot int64
}

type slotState uint8

const (
	waiting slotState = iota
	played
	voided
	returned
	forfeit
)

// slot is one game of a ticket.
type slot struct {
	game        int
	stake       money.Amount
	state       slotState
	used        []Cents // what the draw took, in case the game becomes void
	prize, paid money.Amount
	way         money.Amount
	won         Date
	jackpot     bool
	ran         bool         // its stake is a prize that ran on
	carried     bool         // its stake is of an earlier game, which was void
	fell        money.Amount // of the prize, paid before fraud was found
}

type ticket struct {
	id, session, card    string
	at                   Place
	sold                 Date
	pot                  int
	slots                []slot
	stopped, undelivered bool
	invalid              bool // a change of the rules made it so
	feeVoid              bool
	claim                string
	round                string
	cost                 money.Amount
	back                 money.Amount // of a fee
	terminal             money.Amount // paid by self-service terminals
	set, chance          bool         // it is a set bet; a bonus has fallen on it, or not
	expired              bool
	plays                []Bet
}

func (t *ticket) due() money.Amount {
	var n money.Amount
	for _, s := range t.slots {
		n += s.prize - s.paid
	}
	return n
}

func (t *ticket) paid() money.Amount {
	var n money.Amount
	for _, s := range t.slots {
		n += s.paid
	}
	return n
}

// paper is a voucher or a receipt.
type paper struct {
	id         string
	form       Form
	face, left money.Amount
	at         Place
	issued     Date
	expires    Date
	pot        int // of a receipt: where its money is
	bought     []Cents
	stopped    bool
	expired    bool
	claim      string
	visit      string       // that has sold it
	plays      Bet          // the type of game that it is for
	way        money.Amount // of withheld money: the largest prize of one way that may be in it
	ticket     string       // of withheld money
	machine    money.Amount // of withheld money: prizes that a self-service terminal was to pay
}

type card struct {
	id      string
	balance money.Amount
	pot     int
	stopped bool
}

type session struct {
	id        string
	pot       int
	balance   money.Amount // negative is what the player still owes
	owed      money.Amount // stake that was drawn before anybody paid for it: the end of the visit pays
	ended     bool
	sold      []string
	bought    money.Amount // vouchers that the player still has to pay for
	debt      money.Amount // what the player did not pay, until it is paid late
	exchanged money.Amount // central site vouchers that were turned into money in it
	// receipts are those that were issued in it, and for which its end pays.
	receipts []string
	way      money.Amount // the largest prize of one way that was paid in it
	// machine is what a self-service terminal pays in it, by ticket.
	machine map[string]money.Amount
}

type game struct {
	closed, drawn, void bool
	prize, won          money.Amount // bingo
}

type claim struct {
	id, ticket, paper        string
	on                       Date // when it was lodged
	original                 bool // the ticket came with it
	decided, granted, closed bool
	shown                    Shown
}

type round struct {
	fee    money.Amount
	closed bool
}

// New returns an empty book under the given rules.
func New(rules Rules) *Book {
	return &Book{
		rules: rules, venues: map[string]Act{}, tickets: map[string]*ticket{}, alias: map[string]string{},
		papers: map[string]*paper{}, cards: map[string]*card{}, sessions: map[string]*session{},
		games: map[int]*game{}, claims: map[string]*claim{}, rounds: map[string]*round{},
		cashed: map[string]money.Amount{},
	}
}

// clone returns a book of its own, for trying an act.
func (b *Book) clone() *Book {
	b.stay()
	c := *b
	c.pots = slices.Clone(b.pots)
	for i := range c.pots {
		c.pots[i].lots = slices.Clone(c.pots[i].lots)
		c.pots[i].late = slices.Clone(c.pots[i].late)
		c.pots[i].might = slices.Clone(c.pots[i].might)
		c.pots[i].vouchers = slices.Clone(c.pots[i].vouchers)
	}
	c.venues, c.alias, c.cashed = maps.Clone(b.venues), maps.Clone(b.alias), maps.Clone(b.cashed)
	c.order = slices.Clone(b.order)
	c.stayed = nil
	c.tickets, c.papers, c.cards = each(b.tickets), each(b.papers), each(b.cards)
	c.sessions, c.games, c.claims, c.rounds = each(b.sessions), each(b.games), each(b.claims), each(b.rounds)
	for _, t := range c.tickets {
		t.slots = slices.Clone(t.slots)
	}
	for _, s := range c.sessions {
		s.machine = maps.Clone(s.machine)
	}
	return &c
}

func each[K comparable, V any](m map[K]*V) map[K]*V {
	out := make(map[K]*V, len(m))
	for k, v := range m {
		w := *v
		out[k] = &w
	}
	return out
}

// Do records an act that the house accepted, and returns what is wrong with it. The book
// goes on as if the act were right, because the house did.
func (b *Book) Do(a Act) []Breach {
	if a.Kind != Carry {
		b.stay() // on the day of the void game
	}
	if !a.Day.isZero() {
		b.day = a.Day
	}
	r := &run{Book: b, act: a}
	for _, p := range slices.Concat(a.In, a.Out, []Part{{Amount: a.Amount}, {Amount: a.Stake}}) {
		if p.Amount < 0 {
			// Money that flows backwards would turn every check round.
			r.report(MoreBack, "", p.Amount, "%v is no amount", p.Amount)
			return r.found
		}
	}
	r.do()
	return r.found
}

// Origins returns the money behind the stakes of a ticket that are not drawn yet, together
// with all money that cannot be told apart from it.
func (b *Book) Origins(id string) []Cents {
	t := b.ticket(id)
	if t == nil {
		return nil
	}
	return slices.Clone(b.pots[b.find(t.pot)].lots)
}

// Balance returns what a visit has to come; below zero is what the player still owes.
func (b *Book) Balance(session string) money.Amount {
	if s := b.sessions[session]; s != nil {
		return s.balance
	}
	return 0
}

// Begun reports whether something has happened in a visit.
func (b *Book) Begun(session string) bool { return b.sessions[session] != nil }

func (b *Book) ticket(id string) *ticket {
	if to, ok := b.alias[id]; ok {
		id = to
	}
	return b.tickets[id]
}

// run is one act on its way through the book.
type run struct {
	*Book
	act   Act
	found []Breach
}

// report adds a breach. The same fault is told once in an act, even if two ways of
// counting find it.
func (r *run) report(g Goal, clause string, n money.Amount, format string, args ...any) {
	if slices.ContainsFunc(r.found, func(b Breach) bool { return b.Goal == g && b.Clause == clause }) {
		return
	}
	r.found = append(r.found, Breach{g, clause, fmt.Sprintf(format, args...), n})
}

func (r *run) on(t Topic) string { return r.rules.Topics[t] }

// doing says what each kind of act does to the book.
var doing = map[Kind]func(*run){
	Venue: (*run).limitVenue,
	Open:  func(r *run) { r.open(r.act.Session) },
	End:   (*run).end, Sell: (*run).sell, Cancel: (*run).cancel, Refund: (*run).refund,
	Close: func(r *run) { r.game(r.act.Game).closed = true },
	Draw:  (*run).draw, Void: (*run).void, Carry: (*run).carry, RunOn: (*run).runOn, Win: (*run).win,
	Correct: (*run).correct, Record: (*run).record, Bonus: (*run).bonus,
	Pay: (*run).pay, Issue: (*run).issue, Redeem: (*run).redeem, Deposit: (*run).deposit, Withdraw: (*run).withdraw,
	Lodge: (*run).lodge, Decide: (*run).decide, PayClaim: (*run).payClaim,
	Stop: (*run).stop, Release: (*run).stop, PayLate: (*run).payLate, Forfeit: (*run).forfeit,
	Undelivered: (*run).sheet, Reprint: (*run).sheet, Expire: (*run).expire,
	DayEnd: func(r *run) { r.over = r.day }, // The next day begins with the first act that names it.
	// Bingo.
	Fee:      (*run).sell,
	Announce: func(r *run) { r.game(r.act.Game).prize += r.act.Amount },
	Seed:     func(r *run) { r.jackpot += int64(r.act.Amount) * 100 },
	Abandon:  (*run).abandon, Invalidate: (*run).abandon, CloseEarly: (*run).closeEarly, VoidFee: (*run).voidFee,
	Promotion: (*run).promotion,
}

func (r *run) do() {
	if do := doing[r.act.Kind]; do != nil {
		do(r)
	}
}

func (b *Book) game(n int) *game {
	if b.games[n] == nil {
		b.games[n] = &game{}
	}
	return b.games[n]
}

// known returns the ticket that an act names, or reports that there is none.
func (r *run) known(id string) *ticket {
	t := r.ticket(id)
	if t == nil {
		r.report(NeverWas, r.on(onTicket), 0, "ticket %s was never sold", id)
	}
	return t
}

// visit returns the open visit of the act, which begins with its first act.
func (r *run) visit() *session {
	s := r.open(r.act.Session)
	if s.ended {
		r.report(NeverWas, "", 0, "visit %s has ended", s.id)
	}
	return s
}

func (r *run) open(id string) *session {
	s := r.sessions[id]
	if s == nil {
		s = &session{id: id, pot: r.newPot()}
		r.sessions[id] = s
	}
	return s
}
