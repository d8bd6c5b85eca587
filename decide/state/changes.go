package state

import (
	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// Changes name what records have changed in a state, so that a copy for readers is
// brought up to date without copying everything. The state notes them once it is watched.
type Changes struct {
	Terminals map[uint32]struct{} // with the session that is open and what its customer owes
	Papers    map[record.Place]struct{}
	Cards     map[uint32]struct{}
	Payees    map[record.Hash]struct{}
	Held      map[record.Place]struct{} // see Held
	Claims    map[uint32]struct{}       // claim forms
	Halls     map[uint8]struct{}
	Sessions  map[record.HallSession]struct{} // of bingo; their halls are named too
	Offers    map[record.Offer]struct{}       // promotions of halls; their halls are named too

	Books, Venues, Cheques, Witnesses, People, Devices, Others, Disputes bool // Devices with the builds
	// Series says that a record came which is about games and not about one ticket.
	Series bool
}

// Watch has the state note from now on what changes, and returns where. The caller reads
// and clears the notes between two records. A state that nobody watches notes nothing, so
// that a replay is not slower for it.
func (s *State) Watch() *Changes {
	s.noted = &Changes{
		Terminals: map[uint32]struct{}{}, Papers: map[record.Place]struct{}{}, Cards: map[uint32]struct{}{},
		Payees: map[record.Hash]struct{}{},
		Held:   map[record.Place]struct{}{}, Claims: map[uint32]struct{}{}, Halls: map[uint8]struct{}{},
		Sessions: map[record.HallSession]struct{}{}, Offers: map[record.Offer]struct{}{},
	}
	s.tills.noted = s.noted
	return s.noted
}

// Clear forgets what has changed.
func (c *Changes) Clear() {
	clear(c.Terminals)
	clear(c.Papers)
	clear(c.Cards)
	clear(c.Payees)
	clear(c.Held)
	clear(c.Claims)
	clear(c.Halls)
	clear(c.Sessions)
	clear(c.Offers)
	c.Books, c.Venues, c.Cheques, c.Witnesses, c.People, c.Series = false, false, false, false, false, false
	c.Devices, c.Others, c.Disputes = false, false, false
}

// note notes what follows from a record as a whole. What is inside the record is noted
// where the state changes.
func (c *Changes) note(r record.Record) {
	if c == nil {
		return
	}
	for _, p := range r.Postings {
		if p.Account == ledger.Customer {
			c.terminal(p.Unit)
		}
	}
	switch b := r.Body.(type) { // What an open session comes to depends on the key.
	case *record.TerminalRevoked:
		c.terminal(b.Terminal)
	case *record.TerminalKeyed:
		c.terminal(b.Terminal)
	}
	switch r.Kind() {
	case record.KindTicketSold, record.KindTicketPaid, record.KindTicketCancelled, record.KindRequestBurned,
		record.KindSessionEnded:
	default:
		c.Series = true
	}
}

func (c *Changes) terminal(id uint32) {
	if c != nil {
		c.Terminals[id] = struct{}{}
	}
}

func (c *Changes) paper(place record.Place) {
	if c != nil {
		c.Papers[place] = struct{}{}
	}
}

func (c *Changes) card(number uint32) {
	if c != nil {
		c.Cards[number] = struct{}{}
	}
}

func (c *Changes) payee(payee record.Hash) {
	if c != nil {
		c.Payees[payee] = struct{}{}
	}
}

func (c *Changes) held(place record.Place) {
	if c != nil {
		c.Held[place] = struct{}{}
	}
}

func (c *Changes) claim(number uint32) {
	if c != nil {
		c.Claims[number] = struct{}{}
	}
}

func (c *Changes) hall(id uint8) {
	if c != nil {
		c.Halls[id] = struct{}{}
	}
}

func (c *Changes) session(ref record.HallSession) {
	if c != nil {
		c.Sessions[ref] = struct{}{}
	}
}

func (c *Changes) offer(ref record.Offer) {
	if c != nil {
		c.Offers[ref] = struct{}{}
	}
}

// all is what the state notes of ledgers that are copied as a whole.
type all uint8

const (
	allBooks all = iota
	allVenues
	allCheques
	allWitnesses
	allPeople
	allDevices
	allOthers
	allDisputes
)

func (c *Changes) whole(which all) {
	if c != nil {
		*[...]*bool{allBooks: &c.Books, allVenues: &c.Venues, allCheques: &c.Cheques, allWitnesses: &c.Witnesses,
			allPeople: &c.People, allDevices: &c.Devices, allOthers: &c.Others, allDisputes: &c.Disputes}[which] = true
	}
}

// Everything names all that there is, as if it had just changed.
func (s *State) Everything() *Changes {
	c := &Changes{
		Terminals: map[uint32]struct{}{}, Papers: map[record.Place]struct{}{}, Cards: map[uint32]struct{}{},
		Payees: map[record.Hash]struct{}{},
		Held:   map[record.Place]struct{}{}, Series: true,
	}
	for id := range s.terminals {
		c.terminal(id)
	}
	for place := range s.tills.papers.items {
		c.paper(place)
	}
	for number := range s.tills.cards.items {
		c.card(number)
	}
	for payee := range s.tills.payees {
		c.payee(payee)
	}
	for place := range s.tills.stops {
		c.held(place)
	}
	for place := range s.tills.withheld {
		c.held(place)
	}
	for place := range s.tills.anonymous {
		c.held(place)
	}
	for _, form := range s.ClaimForms() {
		for _, p := range form.Parts {
			c.held(p.Of)
		}
	}
	return c
}
