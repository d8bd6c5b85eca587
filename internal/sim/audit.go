package sim

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
)

// A Breach is a promise that was not kept.
type Breach struct {
	Promise string // P1 to P9, or what else was expected
	Reason  string
}

// Error returns the breach as one sentence.
func (b *Breach) Error() string { return b.Promise + ": " + b.Reason }

func breach(promise, format string, args ...any) error {
	return &Breach{promise, fmt.Sprintf(format, args...)}
}

// auditor follows the journal as it becomes durable and holds every record against
// the promises. It knows of the house only what the records say, and adds them up
// in the plainest way: maps of tickets, games and balances.
type auditor struct {
	name string // of the series, as in seals
	log  drawLog

	tree     merkle
	size     uint64
	now      record.Time
	books    map[record.Hash]*rulebook.Book
	desks    map[*rulebook.Book]*keno.Desk
	venues   map[uint32]uint32 // of terminals
	games    []*auditGame      // by ordinal - 1
	tickets  map[record.Place]*auditTicket
	requests map[requestKey]record.Place
	last     map[uint32]lastRequest
	balances map[account]money.Amount
	bonuses  map[record.Place]money.Amount // that fell on payments, by the place of the payment

	day        day.Day
	dayOpen    bool
	offset     int32
	paused     bool
	designated map[uint32]record.Game
	promotions uint32
	named      []record.ParticipantsNamed
	carried    []record.Carried      // of the game that is about to settle
	correcting uint32                // the game whose result was corrected and that is about to settle; 0 for none
	ahead      map[record.Place]bool // tickets that run on into a game that has not opened

	failure error // the first breach
}

// requestKey names a request of a terminal, and lastRequest is the newest that was
// decided.
type requestKey struct {
	terminal uint32
	number   uint64
}

type lastRequest struct {
	record.Request
	place  record.Place
	burned bool
}

type account struct {
	ledger.Account
	unit uint32
}

// auditGame is a game as the records have it.
type auditGame struct {
	ref        record.Game
	delayed    bool // announced as one of delayed start
	book       *rulebook.Book
	closed     *record.GameClosed
	sealed     bool
	draw       uint8
	numbers    []int
	drawn      bool
	settled    *record.GameSettled
	void       *record.GameVoided
	winners    []*settle.WinnersFile   // that count
	corrected  *record.ResultCorrected // the last correction of its result, or nil
	playedWith uint32                  // the game with which its plays were played along
	// runs are the tickets with prizes that run on into this game.
	runs map[record.Place]bool
}

func (g *auditGame) isOver() bool { return g.settled != nil || g.void != nil }

// auditTicket is a ticket as the records have it.
type auditTicket struct {
	sold        *record.TicketSold
	ticket      keno.Ticket
	play        settle.Play
	first, last uint32
	cancelled   bool
	kept        uint32 // its last game then
	paid        map[uint32]money.Amount
	// claim is the hash of the code of its newest sheet, in the request that made it.
	claim record.Hash
	made  record.Request
}

// opens reports whether a code is that of the newest sheet.
func (t *auditTicket) opens(code serial.ClaimCode) bool {
	return code.Hash(t.made.Terminal, t.made.Number) == serial.ClaimHash(t.claim)
}

func newAuditor(name string, log drawLog) *auditor {
	return &auditor{
		name: name, log: log, books: map[record.Hash]*rulebook.Book{}, desks: map[*rulebook.Book]*keno.Desk{},
		venues:  map[uint32]uint32{},
		tickets: map[record.Place]*auditTicket{}, requests: map[requestKey]record.Place{},
		last:     map[uint32]lastRequest{},
		balances: map[account]money.Amount{}, bonuses: map[record.Place]money.Amount{},
		designated: map[uint32]record.Game{},
	}
}

// committed takes in a batch that has become durable.
func (a *auditor) committed(b store.Batch) {
	objects := make(map[string][]byte, len(b.Objects))
	for _, o := range b.Objects {
		objects[o.Name] = o.Data
	}
	for i, e := range b.Entries {
		if a.failure != nil {
			return
		}
		place := record.Place{Volume: b.Volume, Seq: b.From + uint64(i)}
		if err := a.add(place, e.Data, objects); err != nil {
			a.failure = fmt.Errorf("record %v: %w", place, err)
		}
	}
	if a.failure == nil && a.tree.root() != b.Root {
		a.failure = breach("P8", "the batch at %d:%d names another root than its records have", b.Volume, b.From)
	}
}

// add takes in one record.
func (a *auditor) add(place record.Place, data []byte, objects map[string][]byte) error {
	r, err := record.Decode(data)
	if err != nil {
		return breach("P8", "%v", err)
	}
	if r.Time < a.now {
		return breach("P8", "time falls from %d to %d", a.now, r.Time)
	}
	a.now = r.Time
	if err := a.fold(place, r, objects); err != nil {
		return err
	}
	a.tree.add(data)
	a.size++
	var sum money.Amount
	for _, p := range r.Postings {
		sum += p.Cents
		a.balances[account{p.Account, p.Unit}] += p.Cents
	}
	if sum != 0 {
		return breach("P6", "debits and credits of a %v differ by %v", r.Kind(), sum)
	}
	return nil
}

func (a *auditor) fold(place record.Place, r record.Record, objects map[string][]byte) error {
	switch b := r.Body.(type) {
	case *record.RulebookAdopted:
		book, err := rulebook.FromCanonical(b.Book)
		a.books[b.Hash] = book
		return err
	case *record.TerminalAdded:
		a.venues[b.Terminal] = b.Venue
	case *record.DayOpened:
		a.day, a.dayOpen, a.offset = b.Day, true, b.OffsetSeconds
	case *record.DayClosed:
		a.dayOpen = false
	case *record.PlayPaused:
		a.paused = true
	case *record.PlayResumed:
		a.paused = false
	case *record.GameDesignated:
		a.designated[b.Ordinal] = b.Game
	case *record.ParticipantsNamed:
		a.named = append(a.named, *b)
	case *record.PromotionBegun:
		a.promotions = b.Number
	case *record.TicketSold:
		return a.sold(place, r, b)
	case *record.TicketPaid:
		return a.paid(place, r, b)
	case *record.TicketCancelled:
		return a.cancelled(place, r, b)
	case *record.PaperReissued:
		if t, ok := a.tickets[b.Of]; ok {
			t.claim, t.made = b.Claim, b.Request
		}
	case *record.RequestBurned:
		return a.decided(place, record.Request{Terminal: b.Terminal, Number: b.Number}, true)
	case *record.BonusAllocated:
		a.bonuses[record.Place{Volume: place.Volume, Seq: place.Seq - 1}] = b.Cents
		return a.cash(r, b.Terminal, -b.Cents)
	}
	return a.foldGame(r, objects)
}

// decided notes the answer to a request.
func (a *auditor) decided(place record.Place, r record.Request, burned bool) error {
	key := requestKey{r.Terminal, r.Number}
	if before, ok := a.requests[key]; ok {
		return breach("P2", "request %d of terminal %d was decided at %v already", r.Number, r.Terminal, before)
	}
	if last := a.last[r.Terminal]; r.Number <= last.Number {
		return breach("P2", "request %d of terminal %d comes after request %d", r.Number, r.Terminal, last.Number)
	}
	a.requests[key] = place
	a.last[r.Terminal] = lastRequest{r, place, burned}
	return nil
}

// cash holds what a record says was handed over against its postings.
func (a *auditor) cash(r record.Record, terminal uint32, taken money.Amount) error {
	for _, p := range r.Postings {
		if p.Account == ledger.Cash {
			if p.Unit != a.venues[terminal] {
				return breach("P6", "%v of cash at terminal %d is booked for venue %d", p.Cents, terminal, p.Unit)
			}
			taken -= p.Cents
		}
	}
	if taken != 0 {
		return breach("P6", "cash at terminal %d and its postings differ by %v", terminal, taken)
	}
	return nil
}

// newest returns the newest game, or nil, and its ordinal.
func (a *auditor) newest() (*auditGame, uint32) {
	if len(a.games) == 0 {
		return nil, 0
	}
	return a.games[len(a.games)-1], uint32(len(a.games))
}

// onSale returns the ordinal of the game on sale, or 0.
func (a *auditor) onSale() uint32 {
	if g, ordinal := a.newest(); g != nil && g.closed == nil && !a.paused {
		return ordinal
	}
	return 0
}

func (a *auditor) sold(place record.Place, r record.Record, b *record.TicketSold) error {
	if err := a.decided(place, b.Request, false); err != nil {
		return err
	}
	open := a.onSale()
	_, ahead := a.designated[b.Ordinal]
	if open == 0 || b.Ordinal != open && (!ahead || b.Ordinal <= open) {
		return breach("P4", "a ticket is sold for game %d while game %d is on sale", b.Ordinal, open)
	}
	ticket, err := keno.DecodeTicket(b.Ticket)
	if err != nil {
		return err
	}
	ref := a.designated[b.Ordinal]
	if b.Ordinal == open {
		ref = a.games[open-1].ref
	}
	if ticket.First.Day != ref.Day || ticket.First.Game != int(ref.Number) {
		return breach("P4", "a ticket names game %v and is sold for %v", ticket.First, ref)
	}
	newest, _ := a.newest()
	desk, err := a.deskOf(newest.book)
	if err != nil {
		return err
	}
	a.tickets[place] = &auditTicket{
		sold: b, ticket: ticket, first: b.Ordinal, last: b.Ordinal + uint32(ticket.Games) - 1,
		paid:  map[uint32]money.Amount{},
		claim: b.Claim, made: b.Request,
		play: settle.PlayOf(desk, place, b.Ordinal, &ticket),
	}
	return a.cash(r, b.Request.Terminal, b.CostCents)
}

func (a *auditor) deskOf(book *rulebook.Book) (*keno.Desk, error) {
	if desk, ok := a.desks[book]; ok {
		return desk, nil
	}
	desk, err := keno.NewDesk(book)
	a.desks[book] = desk
	return desk, err
}

func (a *auditor) cancelled(place record.Place, r record.Record, b *record.TicketCancelled) error {
	if err := a.decided(place, b.Request, false); err != nil {
		return err
	}
	t, ok := a.tickets[b.Ticket]
	if !ok || t.cancelled {
		return breach("P5", "ticket %v is cancelled, and there is none or it was before", b.Ticket)
	}
	for ordinal := b.Kept + 1; ordinal <= t.last; ordinal++ {
		if int(ordinal) <= len(a.games) && a.games[ordinal-1].closed != nil && ordinal >= t.first {
			return breach("P4", "ticket %v is cancelled from game %d on, which is closed", b.Ticket, ordinal)
		}
	}
	if b.RefundCents > t.sold.CostCents {
		return breach("P6", "ticket %v cost %v, and %v go back", b.Ticket, t.sold.CostCents, b.RefundCents)
	}
	t.cancelled, t.kept = true, b.Kept
	return a.cash(r, b.Request.Terminal, -(b.RefundCents + b.CarriedCents))
}

func (a *auditor) paid(place record.Place, r record.Record, b *record.TicketPaid) error {
	if err := a.decided(place, b.Request, false); err != nil {
		return err
	}
	t, ok := a.tickets[b.Ticket]
	if !ok {
		return breach("P5", "ticket %v is paid, and there is none", b.Ticket)
	}
	var sum money.Amount
	for _, part := range b.Parts {
		prize, ok := a.prize(b.Ticket, t, part.Ordinal)
		if !ok {
			return breach("P5", "ticket %v is paid for game %d, which is not over or not its own", b.Ticket,
				part.Ordinal)
		}
		if t.paid[part.Ordinal]+part.Cents != prize {
			return breach("P5", "ticket %v is paid %v for game %d after %v; it has won %v", b.Ticket, part.Cents,
				part.Ordinal, t.paid[part.Ordinal], prize)
		}
		t.paid[part.Ordinal] = prize
		sum += part.Cents
	}
	return a.cash(r, b.Request.Terminal, -sum)
}

// prize returns what a ticket is due for a game in all, prizes and stakes of a void
// game, as the winners files have it.
func (a *auditor) prize(place record.Place, t *auditTicket, ordinal uint32) (money.Amount, bool) {
	if !slices.Contains(a.gamesOf(t), ordinal) {
		return 0, false
	}
	g := a.games[ordinal-1]
	if !g.isOver() {
		return 0, false
	}
	var sum money.Amount
	for _, file := range g.winners {
		cents, _ := file.Lookup(place)
		sum += cents
	}
	if g.void != nil && !g.void.Deferred {
		for _, o := range append([]uint32{ordinal}, g.closed.Deferred...) {
			sum += t.play.StakesIn(o)
		}
	}
	return sum, true
}

// gamesOf returns the games of a ticket that have opened. Behind the last may stand
// one with which that was played along.
func (a *auditor) gamesOf(t *auditTicket) []uint32 {
	last := t.last
	if t.cancelled {
		last = min(last, t.kept)
	}
	var list []uint32
	for ordinal := t.first; ordinal <= last && int(ordinal) <= len(a.games); ordinal++ {
		list = append(list, ordinal)
		last = max(last, a.games[ordinal-1].playedWith)
	}
	return list
}

// participants returns who shares the jackpots of a game.
func (a *auditor) participants(ordinal uint32) []string {
	var names []string
	for _, n := range a.named {
		if n.From <= ordinal {
			names = n.Names
		}
	}
	return names
}

// merkle is the RFC 6962 tree of the records in the plainest form: the roots of its
// full subtrees, the largest first.
type merkle struct {
	roots []journal.Hash
	sizes []int
}

func (m *merkle) add(data []byte) {
	m.roots = append(m.roots, sha256.Sum256(append([]byte{0}, data...)))
	m.sizes = append(m.sizes, 1)
	for n := len(m.sizes); n > 1 && m.sizes[n-1] == m.sizes[n-2]; n = len(m.sizes) {
		m.roots[n-2] = joined(m.roots[n-2], m.roots[n-1])
		m.sizes[n-2] *= 2
		m.roots, m.sizes = m.roots[:n-1], m.sizes[:n-1]
	}
}

func (m *merkle) root() journal.Hash {
	if len(m.roots) == 0 {
		return sha256.Sum256(nil)
	}
	root := m.roots[len(m.roots)-1]
	for i := len(m.roots) - 2; i >= 0; i-- {
		root = joined(m.roots[i], root)
	}
	return root
}

func joined(left, right journal.Hash) journal.Hash {
	return sha256.Sum256(slices.Concat([]byte{1}, left[:], right[:]))
}
