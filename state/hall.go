package state

import (
	"slices"

	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
)

// Hall is a bingo room: its jackpot, its cards, its members and its sessions. Its
// exported fields are what the state's hash is made of.
type Hall struct {
	Opened   record.HallOpened
	Pools    []record.Exact // the levels of the jackpot
	Tables   []HallTable
	Members  map[string]bool // numbers of the loyalty programme; false for one that ended
	Sessions []*Session      // by number - 1
	Rolled   []record.PatternPrize
	Disputes []Dispute
	Offers   []*Offer
	// Done is the hash over the sessions that are closed and paid: they do not change
	// any more and are many.
	Done record.Hash
}

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

// applyHall applies what happens in bingo rooms; it is not known of other records.
func (s *State) applyHall(r record.Record) (known bool, err error) {
	switch b := r.Body.(type) {
	case *record.HallOpened:
		return true, s.openHall(b)
	case *record.TableAdded:
		return true, s.inHall(b.Hall, func(h *Hall) error { return h.addTable(b) })
	case *record.MemberSet:
		return true, s.inHall(b.Hall, func(h *Hall) error { h.Members[b.Member] = !b.Ended; return nil })
	case *record.SessionSet:
		return true, s.inHall(b.Hall, func(h *Hall) error { return h.setSession(b) })
	case *record.DisputeRaised:
		return true, s.inHall(b.Hall, func(h *Hall) error { return h.raise(b) })
	case *record.DisputeMoved:
		return true, s.inHall(b.Hall, func(h *Hall) error { return h.moveDispute(b) })
	}
	if known, err := s.applySession(r); known || err != nil {
		return known, err
	}
	if known, err := s.applyBingo(r); known || err != nil {
		return known, err
	}
	return s.applyOffer(r)
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
	s.noted.session(ref)
	return s.inHall(ref.Hall, func(h *Hall) error {
		session, ok := h.Session(ref.Session)
		if !ok || session.done {
			return cannot("session %d of hall %d does not exist, or nothing happens in it any more", ref.Session, ref.Hall)
		}
		if err := change(h, session); err != nil {
			return err
		}
		if session.Phase == SessionClosed && !session.owes() {
			session.done = true
			h.Done = hashSession(h.Done, session, s.Guarded())
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
	session := &Session{Set: *b, Phase: SessionEntering, Contributed: make([]record.Exact, len(h.Pools))}
	for i := range b.Games {
		session.Games = append(session.Games, BingoGame{Number: uint8(i + 1)})
	}
	h.Sessions = append(h.Sessions, session)
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
}

// Step returns the last step of the dispute; 0 for none.
func (d *Dispute) Step() record.DisputeStep {
	if len(d.Steps) == 0 {
		return 0
	}
	return d.Steps[len(d.Steps)-1].Step
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
	if b.Step <= d.Step() {
		return cannot("dispute %d goes from step %d to %d", b.Dispute, d.Step(), b.Step)
	}
	d.Steps = append(d.Steps, *b)
	return nil
}
