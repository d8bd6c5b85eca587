package state

import (
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Hall is a bingo room: its jackpot, its cards, its members and its sessions.
type Hall struct {
	Opened   record.HallOpened
	Pools    []record.Exact // the levels of the jackpot
	Tables   []HallTable
	Members  map[string]bool // numbers of the loyalty programme; false for one that ended
	Sessions Sessions        // by number - 1
	Rolled   []record.PatternPrize
	Disputes []Dispute
	Offers   []*Offer
}

// Sessions are the sessions of a bingo room, by number - 1.
type Sessions []*Session

// HallTable is a master table, with the books that were issued of it.
type HallTable struct {
	Added  record.TableAdded
	Issued []record.BookRange
}

// ExactPerCent is how many parts of a cent a level of a jackpot counts.
const ExactPerCent = 10_000

// PoolCents returns what is in a level of the jackpot, counted from 1, in whole
// cents.
func (h *Hall) PoolCents(level int) money.Amount {
	return money.Amount(h.Pools[level-1] / ExactPerCent)
}

// Unit returns the unit of the ledger of a level, counted from 1.
func (h *Hall) Unit(level int) uint32 { return ledger.Pool(h.Opened.Hall, uint8(level)) }

// Table returns the master table of a series of cards.
func (h *Hall) Table(series string) (*HallTable, bool) {
	i := slices.IndexFunc(h.Tables, func(t HallTable) bool { return t.Added.Series == series })
	if i < 0 {
		return nil, false
	}
	return &h.Tables[i], true
}

// Session returns a session by its number.
func (h *Hall) Session(number uint32) (*Session, bool) {
	if number == 0 || int(number) > len(h.Sessions) {
		return nil, false
	}
	return h.Sessions[number-1], true
}

// Offer returns a promotion by its number.
func (h *Hall) Offer(number uint32) (*Offer, bool) {
	if number == 0 || int(number) > len(h.Offers) {
		return nil, false
	}
	return h.Offers[number-1], true
}

// Hall returns a bingo room. The caller must not change it.
func (s *State) Hall(id uint8) (*Hall, bool) {
	hall, ok := s.halls[id]
	return hall, ok
}

// hallFolds are about bingo rooms, outside of their sessions.
var hallFolds = []folding{
	on((*State).openHall),
	on(func(s *State, b *record.TableAdded) error {
		return s.inHall(b.Hall, func(h *Hall) error { return h.addTable(b) })
	}),
	on(func(s *State, b *record.MemberSet) error {
		return s.inHall(b.Hall, func(h *Hall) error { h.Members[b.Member] = !b.Ended; return nil })
	}),
	on(func(s *State, b *record.SessionSet) error {
		return s.inHall(b.Hall, func(h *Hall) error { return h.setSession(b) })
	}),
	on(func(s *State, b *record.DisputeRaised) error {
		return s.inHall(b.Hall, func(h *Hall) error { return h.raise(b) })
	}),
	on(func(s *State, b *record.DisputeMoved) error {
		return s.inHall(b.Hall, func(h *Hall) error { return h.moveDispute(b) })
	}),
	on(func(s *State, b *record.DisputeAwarded) error {
		return s.inHall(b.Hall, func(h *Hall) error { return h.award(b) })
	}),
	on(func(s *State, b *record.DisputePaid) error {
		return s.inHall(b.Hall, func(h *Hall) error { return h.payAward(b) })
	}),
}

// inHall changes a hall.
func (s *State) inHall(id uint8, change func(*Hall) error) error {
	hall, ok := s.halls[id]
	if !ok {
		return cannot("hall %d does not exist", id)
	}
	s.noted.hall(id)
	return change(hall)
}

// inSession changes a session, which is finished with once it is closed and nothing
// of it is unpaid.
func (s *State) inSession(ref record.HallSession, change func(*Hall, *Session) error) error {
	return s.changeSession(ref, false, change)
}

// changeSession changes a session; again, if it was finished with.
func (s *State) changeSession(ref record.HallSession, again bool, change func(*Hall, *Session) error) error {
	s.noted.session(ref)
	return s.inHall(ref.Hall, func(h *Hall) error {
		session, ok := h.Session(ref.Session)
		if ok && again && session.done {
			session = session.copy() // Readers have it.
			session.done, h.Sessions[ref.Session-1] = false, session
		}
		if !ok || session.done {
			return cannot("session %d of hall %d does not exist, or nothing happens in it any more", ref.Session,
				ref.Hall)
		}
		if err := change(h, session); err != nil {
			return err
		}
		if session.Phase == SessionClosed && !session.owes() {
			session.done = true
			session.sum = session.hash()
		}
		return nil
	})
}

func (s *State) openHall(b *record.HallOpened) error {
	if _, ok := s.halls[b.Hall]; ok {
		return cannot("hall %d is opened twice", b.Hall)
	}
	if _, ok := s.venues[b.Venue]; !ok {
		return cannot("hall %d at venue %d, which does not exist", b.Hall, b.Venue)
	}
	if _, ok := s.books[b.Rulebook]; !ok {
		return cannot("hall %d under a rulebook that was not adopted", b.Hall)
	}
	hall := &Hall{Opened: *b, Members: map[string]bool{}}
	for _, level := range b.Levels {
		hall.Pools = append(hall.Pools, record.Exact(level.SeedCents)*ExactPerCent)
	}
	s.halls[b.Hall] = hall
	s.noted.hall(b.Hall)
	return nil
}

func (h *Hall) addTable(b *record.TableAdded) error {
	if _, ok := h.Table(b.Series); ok {
		return cannot("the table of series %s is added twice", b.Series)
	}
	h.Tables = append(h.Tables, HallTable{Added: *b})
	return nil
}

func (h *Hall) setSession(b *record.SessionSet) error {
	if int(b.Session) != len(h.Sessions)+1 {
		return cannot("session %d after %d", b.Session, len(h.Sessions))
	}
	session := &Session{Phase: SessionEntering, Contributed: make([]record.Exact, len(h.Pools))}
	session.plan(b)
	h.Sessions = append(h.Sessions, session)
	return nil
}

// plan gives a session its games.
func (s *Session) plan(b *record.SessionSet) {
	s.Set, s.Games = *b, nil
	for i := range b.Games {
		s.Games = append(s.Games, BingoGame{Number: uint8(i + 1)})
	}
}

// change sets a session anew that nobody is in.
func (s *Session) change(b *record.SessionSet) error {
	if s.Phase != SessionEntering || s.Paying() > 0 {
		return cannot("session %d is set anew, is %v and has %d players", s.Set.Session, s.Phase, s.Paying())
	}
	s.plan(b)
	return nil
}

// add puts a contribution into the levels, or takes it out if it is negative.
func (h *Hall) add(amounts []record.Exact, sign record.Exact) error {
	if len(amounts) > len(h.Pools) {
		return cannot("%d levels of %d", len(amounts), len(h.Pools))
	}
	for i, amount := range amounts {
		if h.Pools[i] += sign * amount; h.Pools[i] < 0 {
			return cannot("level %d falls to %d", i+1, h.Pools[i])
		}
	}
	return nil
}

// Dispute is a dispute and how far it has come.
type Dispute struct {
	Raised record.DisputeRaised
	Steps  []record.DisputeMoved

	awarded, paid money.Amount
	awardedBy     uint32
}

// Awarded returns what the decision awards altogether, and who awarded it.
func (d *Dispute) Awarded() (money.Amount, uint32) { return d.awarded, d.awardedBy }

// Paid returns what was paid of it.
func (d *Dispute) Paid() money.Amount { return d.paid }

// Unpaid returns what was awarded and not paid.
func (d *Dispute) Unpaid() money.Amount { return d.awarded - d.paid }

// Step returns the last step of the dispute; 0 for none.
func (d *Dispute) Step() record.DisputeStep {
	if len(d.Steps) == 0 {
		return 0
	}
	return d.Steps[len(d.Steps)-1].Step
}

// MayReview reports whether a review may be asked for: behind the decision, once, and also behind the note that the
// person was told of the inspector.
func (d *Dispute) MayReview() bool {
	last := d.Step()
	return (last == record.StepDecided || last == record.StepAdvised) &&
		!slices.ContainsFunc(d.Steps, func(m record.DisputeMoved) bool { return m.Step == record.StepReview })
}

func (h *Hall) raise(b *record.DisputeRaised) error {
	if int(b.Dispute) != len(h.Disputes)+1 {
		return cannot("dispute %d after %d", b.Dispute, len(h.Disputes))
	}
	h.Disputes = append(h.Disputes, Dispute{Raised: *b})
	return nil
}

func (h *Hall) moveDispute(b *record.DisputeMoved) error {
	if b.Dispute == 0 || int(b.Dispute) > len(h.Disputes) {
		return cannot("dispute %d was not raised", b.Dispute)
	}
	d := &h.Disputes[b.Dispute-1]
	if b.Step <= d.Step() && !(b.Step == record.StepReview && d.MayReview()) {
		return cannot("dispute %d goes from step %d to %d", b.Dispute, d.Step(), b.Step)
	}
	d.Steps = append(d.Steps, *b)
	return nil
}

// Dispute returns a dispute by its number.
func (h *Hall) Dispute(number uint32) (*Dispute, bool) {
	if number == 0 || int(number) > len(h.Disputes) {
		return nil, false
	}
	return &h.Disputes[number-1], true
}

func (h *Hall) award(b *record.DisputeAwarded) error {
	d, ok := h.Dispute(b.Dispute)
	if !ok || b.Cents < d.paid {
		return cannot("dispute %d awards %v, or was not raised", b.Dispute, b.Cents)
	}
	d.awarded, d.awardedBy = b.Cents, b.By.Person
	return nil
}

func (h *Hall) payAward(b *record.DisputePaid) error {
	d, ok := h.Dispute(b.Dispute)
	if !ok {
		return cannot("dispute %d was not raised", b.Dispute)
	}
	for _, p := range b.Parts {
		d.paid += p.Cents
	}
	if d.paid > d.awarded {
		return cannot("%v are paid of the %v that dispute %d awards", d.paid, d.awarded, b.Dispute)
	}
	return nil
}
