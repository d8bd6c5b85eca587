package state

import (
	"cmp"
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// View is a copy of the parts of a state that change seldom, for readers. A view never
// changes, and any number of goroutines may read it. Views share what did not change
// between them. hall.TestViewStays holds views against what they said when they were made.
type View struct {
	next      record.Place
	now       record.Time
	books     map[record.Hash]*rulebook.Book
	filed     map[record.Hash]string
	desks     map[record.Hash]*keno.Desk
	terms     map[termsKey]*settle.Terms
	venues    map[uint32]Venue
	halls     map[uint8]*Hall
	witnesses witnesses
	cheques   []Cheque
	holidays  []day.Day
	claims    []*ClaimForm // by number - 1
	others    others       // tickets of other systems
	money     map[uint32]VenueStanding
	files     []record.Place // orders of direct debits
	people    *People
	register  []Registered
	builds    []Build
	disputes  []OpenDispute
}

// View returns a copy of the state as it is. Of the view before it everything is kept
// that is not named in the changes since then; before is nil for the first one.
func (s *State) View(before *View, c *Changes) *View {
	if before == nil {
		return s.firstView()
	}
	v := *before
	v.next, v.now = s.next, s.now
	if c.Books {
		v.books, v.desks, v.terms = maps.Clone(s.books), maps.Clone(s.desks), maps.Clone(s.terms)
		v.filed = maps.Clone(s.filed)
	}
	if c.Venues {
		v.venues, v.money, v.files = maps.Clone(s.venues), s.standings(), slices.Clip(s.money.files)
	}
	if c.People {
		v.people = s.people.share()
	}
	if c.Cheques {
		v.cheques, v.holidays = s.Cheques(), s.tills.holidays
	}
	if c.Devices {
		v.register, v.builds = slices.Clone(s.register), slices.Clone(s.builds)
	}
	if c.Disputes {
		v.disputes = s.openDisputes()
	}
	if c.Others {
		v.others = s.others.clone()
	}
	if c.Witnesses {
		v.witnesses = s.witnessing()
	}
	if len(c.Halls) > 0 {
		v.halls = maps.Clone(before.halls)
		for id := range c.Halls {
			v.halls[id] = s.halls[id].copyAfter(before.halls[id], c)
		}
	}
	if len(c.Claims) > 0 {
		v.claims = append(slices.Clone(before.claims), make([]*ClaimForm, int(s.ClaimCount())-len(before.claims))...)
		for number := range c.Claims {
			form := s.claims.forms.get(number).Clone()
			v.claims[number-1] = &form
		}
	}
	return &v
}

// firstView copies everything.
func (s *State) firstView() *View {
	v := &View{
		next: s.next, now: s.now, books: maps.Clone(s.books), filed: maps.Clone(s.filed), desks: maps.Clone(s.desks),
		terms:  maps.Clone(s.terms),
		venues: maps.Clone(s.venues), money: s.standings(), files: slices.Clip(s.money.files), halls: map[uint8]*Hall{},
		witnesses: s.witnessing(), cheques: s.Cheques(), holidays: s.tills.holidays, people: s.people.share(),
		register: slices.Clone(s.register), builds: slices.Clone(s.builds),
		others: s.others.clone(), disputes: s.openDisputes(),
	}
	for id, h := range s.halls {
		v.halls[id] = h.copyAfter(nil, nil)
	}
	for _, c := range s.ClaimForms() {
		form := c.Clone()
		v.claims = append(v.claims, &form)
	}
	return v
}

// Next returns the place behind the last record that the view holds.
func (v *View) Next() record.Place { return v.next }

// Now returns the time of the last record that the view holds.
func (v *View) Now() record.Time { return v.now }

// Book returns an adopted rulebook.
func (v *View) Book(hash record.Hash) (*rulebook.Book, bool) {
	book, ok := v.books[hash]
	return book, ok
}

// Filed reports whether an adopted rulebook is a file of the operator's, and returns the reference
// of its approval.
func (v *View) Filed(hash record.Hash) (reference string, ok bool) {
	reference, ok = v.filed[hash]
	return reference, ok
}

// Books returns the adopted rulebooks, by id and edition.
func (v *View) Books() []*rulebook.Book {
	return slices.SortedFunc(maps.Values(v.books), func(a, b *rulebook.Book) int {
		return cmp.Or(cmp.Compare(a.ID(), b.ID()), cmp.Compare(a.Edition(), b.Edition()),
			cmp.Compare(a.Hash().String(), b.Hash().String()))
	})
}

// Desk returns what sells by a rulebook under which games were opened, or nil.
func (v *View) Desk(hash record.Hash) *keno.Desk { return v.desks[hash] }

// Terms returns what games under a rulebook and a schedule settle under, or nil if none was
// opened under them.
func (v *View) Terms(hash record.Hash, schedule string) *settle.Terms {
	return v.terms[termsKey{hash, schedule}]
}

// Venue returns a venue.
func (v *View) Venue(id uint32) (Venue, bool) {
	venue, ok := v.venues[id]
	return venue, ok
}

// People returns who works in the house and where. The caller must not change it.
func (v *View) People() *People { return v.people }

// Hall returns a bingo room. It has no members: these are many, and nothing that is
// shown of a room is about them. The caller must not change the room.
func (v *View) Hall(id uint8) (*Hall, bool) {
	hall, ok := v.halls[id]
	return hall, ok
}

// Unagreed returns a witness without whose agreement nothing is paid that was settled
// at a place, and who has not agreed to it yet.
func (v *View) Unagreed(settled record.Place) (record.Witness, bool) {
	return v.witnesses.unagreed(settled)
}

// Cheques returns all cheques that were promised and not handed over, the one that is due
// first before the others. The caller must not change them.
func (v *View) Cheques() []Cheque { return v.cheques }

// Registered returns the drawing devices of the register, by number - 1. The caller must not change them.
func (v *View) Registered() []Registered { return v.register }

// BuildAt returns the program that wrote the record at a place, if one had said so by then.
func (v *View) BuildAt(place record.Place) (Build, bool) { return BuildAt(v.builds, place) }

// Holidays returns the public holidays, ascending. The caller must not change them.
func (v *View) Holidays() []day.Day { return v.holidays }

// ClaimForm returns a claim form. The caller must not change it.
func (v *View) ClaimForm(number uint32) (*ClaimForm, bool) {
	if number == 0 || int(number) > len(v.claims) {
		return nil, false
	}
	return v.claims[number-1], true
}

// ClaimCount returns how many claim forms there are: their numbers go from 1 to that.
func (v *View) ClaimCount() uint32 { return uint32(len(v.claims)) }

// Till is a terminal as readers see it: with what the customer of the open session owes,
// or is owed when negative.
type Till struct {
	Terminal
	Customer money.Amount
	Withheld []Withheld // what the end of the session has to withhold
	// Cards are the player cards whose money tickets have brought into the session.
	Cards []CardAccount
}

// Till returns a copy of a terminal that later records do not change. The lists of an open
// session only grow, so that the copy shares them.
func (s *State) Till(id uint32) (Till, bool) {
	t, ok := s.terminals[id]
	if !ok {
		return Till{}, false
	}
	till := Till{Terminal: *t, Customer: s.balances.OfUnit(ledger.Customer, id), Withheld: s.Withholding(id)}
	if t.Open != nil {
		open := *t.Open
		till.Open = &open
	}
	for _, place := range t.Open.cards() {
		if card, ok := s.CardAt(place); ok {
			till.Cards = append(till.Cards, card.Account())
		}
	}
	return till, true
}

// cards returns the places of the player cards whose money tickets have brought.
func (o *Open) cards() (all []record.Place) {
	for _, l := range o.Brings() {
		if l.ID == OriginCard && !slices.Contains(all, l.Of) {
			all = append(all, l.Of)
		}
	}
	return all
}

// Held is what keeps money of a ticket or paper, or has let it go elsewhere than to a counter, or keeps its winner
// unnamed. Of most there is nothing.
type Held struct {
	Stop     Stop         // why it is not paid
	Withheld money.Amount // what sessions have withheld of it and nobody was given since
	// Under is the claim form that is open for it, Lost the last one on which it was paid as
	// lost, and Claimed are the parts that were paid on forms.
	Under, Lost uint32
	Claimed     []record.ClaimPart
	// Anonymous says that the winner is not to be named in public.
	Anonymous bool
}

// Held returns what is held of a ticket or paper.
func (s *State) Held(place record.Place) (Held, bool) {
	held := Held{Stop: s.tills.stops[place], Withheld: s.tills.withheld[place].Cents, Under: s.claims.under[place],
		Lost: s.claims.lost[place], Anonymous: s.tills.anonymous[place]}
	for _, number := range s.claims.paid[place] {
		for _, p := range s.claims.forms.get(number).Parts {
			if p.Of == place {
				held.Claimed = append(held.Claimed, p)
			}
		}
	}
	return held, held.Stop != (Stop{}) || held.Withheld != 0 || held.Under+held.Lost != 0 || held.Claimed != nil ||
		held.Anonymous
}

// copyAfter copies a hall. It shares sessions that are finished with. Of a copy that was made before it keeps the
// other sessions and the promotions that have not changed since.
func (h *Hall) copyAfter(before *Hall, c *Changes) *Hall {
	again := *h
	again.Members = nil
	again.Pools, again.Tables, again.Rolled, again.Disputes = slices.Clone(h.Pools), slices.Clone(
		h.Tables), slices.Clone(h.Rolled), slices.Clone(h.Disputes)
	again.Sessions, again.Offers = make(Sessions, len(h.Sessions)), make([]*Offer, len(h.Offers))
	var kept Hall
	if before != nil {
		kept = *before
	}
	for i, session := range h.Sessions {
		if session.done { // Nothing changes it, see changeSession.
			again.Sessions[i] = session
			continue
		}
		if i < len(kept.Sessions) {
			if _, changed := c.Sessions[session.Ref()]; !changed {
				again.Sessions[i] = kept.Sessions[i]
				continue
			}
		}
		again.Sessions[i] = session.copy()
	}
	for i, offer := range h.Offers {
		if i < len(kept.Offers) {
			if _, changed := c.Offers[record.Offer{Hall: h.Opened.Hall, Offer: offer.Number}]; !changed {
				again.Offers[i] = kept.Offers[i]
				continue
			}
		}
		again.Offers[i] = offer.copy()
	}
	return &again
}

// copy copies what changes of a session.
func (s *Session) copy() *Session {
	again := *s
	again.Players, again.Devices, again.Games = slices.Clone(s.Players), slices.Clone(s.Devices), slices.Clone(s.Games)
	again.Contributed = slices.Clone(s.Contributed)
	for i := range again.Games {
		g := &again.Games[i]
		g.JackpotNumbers, g.Drawn = slices.Clone(g.JackpotNumbers), slices.Clone(g.Drawn)
		g.Calls, g.Wrong = slices.Clone(g.Calls), slices.Clone(g.Wrong)
		g.Claims, g.Won = slices.Clone(g.Claims), slices.Clone(g.Won)
	}
	return &again
}

// copy copies what changes of a promotion.
func (o *Offer) copy() *Offer {
	again := *o
	again.Entries, again.Prizes, again.Kept = slices.Clone(o.Entries), slices.Clone(o.Prizes), slices.Clone(o.Kept)
	return &again
}
