package books

import (
	"cmp"
	"maps"
	"slices"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Room is what happened in a session of a bingo room on a day of the house. What belongs to no session, such as the
// award of a dispute, stands in session 0 of the room.
type Room struct {
	_       struct{} `cbor:",toarray"`
	Hall    uint8
	Session uint32
	Venue   uint32
	Players int64        // who entered, less entries that were undone
	Fees    money.Amount // that they paid
	Back    money.Amount // fees that were paid back
	Won     money.Amount // prizes, and shares of the jackpot
	Jackpot money.Amount // those shares
	Paid    money.Amount // of what was won
	Cash    money.Amount // that came in, less what went out
}

// enter counts what a record does in a bingo room. A room has no terminal: its cash is the venue's.
func (f *Fold) enter(r record.Record) {
	if len(r.Postings) == 0 || f.level < record.LevelSeries {
		return
	}
	session, ok := r.HallSession()
	if !ok {
		hall, _, in := r.InRoom()
		if !in || hall == 0 {
			return
		}
		session = record.HallSession{Hall: hall}
	}
	d := f.day(theHouse)
	room := d.rooms[session]
	if room == nil {
		room = &Room{Hall: session.Hall, Session: session.Session, Venue: f.halls[session.Hall]}
		d.rooms[session] = room
	}
	for _, p := range r.Postings {
		room.add(r.Kind(), p)
	}
}

// add adds what a record of a kind moves.
func (m *Room) add(kind record.Kind, p ledger.Posting) {
	switch p.Account {
	case ledger.Cash:
		m.Cash += p.Cents
	case ledger.EntryFees:
		switch kind {
		case record.KindPlayerEntered:
			m.Players++
			m.Fees -= p.Cents
		case record.KindEntryUndone:
			m.Players--
			m.Back += p.Cents
		}
	case ledger.HallRefunds:
		m.Back += max(0, p.Cents)
	case ledger.HallPrizes:
		if kind == record.KindBingoPaid || kind == record.KindDisputePaid {
			m.Paid += p.Cents
		} else {
			m.Won -= p.Cents
		}
	case ledger.HallJackpot:
		if kind == record.KindBingoSettled || kind == record.KindOutcomeInvalidated {
			m.Jackpot += p.Cents
		}
	case ledger.Operator:
		if kind == record.KindOfferClaimed {
			m.Won, m.Paid = m.Won+p.Cents, m.Paid+p.Cents
		}
	}
}

// sortedRooms returns the sessions of the day, by room and number.
func (d *open) sortedRooms() (list []Room) {
	for _, at := range slices.SortedFunc(maps.Keys(d.rooms), func(a, b record.HallSession) int {
		return cmp.Or(cmp.Compare(a.Hall, b.Hall), cmp.Compare(a.Session, b.Session))
	}) {
		list = append(list, *d.rooms[at])
	}
	return list
}
