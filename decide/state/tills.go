package state

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/journal/record"
)

// tills is what stands for money outside the ledger: papers that are out, cards, what
// has paid for which ticket, what may not be paid, and cheques that are due.
type tills struct {
	papers      summed[record.Place, Paper]
	cards       summed[uint32, Card]
	cardAt      map[record.Place]uint32 `unhashed:"it follows from the cards"`
	lots        byPlace[[]Lot]          // what has paid for tickets
	links       byPlace[[]record.Place]
	losses      map[lossKey]money.Amount
	sheets      byPlace[Sheet]
	unsettled   map[record.Place]uint32  // what was sold or issued in a session that is open, by its terminal
	copied      map[record.Place][]Sheet // earlier sheets that still open; the zero sheet is the first
	undelivered map[record.Place]bool
	stops       map[record.Place]Stop
	withheld    map[record.Place]Withheld // by ticket
	debts       map[record.Place]Debt     // by ticket or paper
	// counted is what counted against limits in the sessions in which a prize was there that
	// was staked, by the ticket that won it, or by the first of several of one session.
	counted   byPlace[money.Amount]
	leads     byPlace[record.Place]   // by ticket, the first of those with which it was paid and staked
	led       byPlace[[]record.Place] // by such a first ticket, the others
	machines  byPlace[money.Amount]   // by ticket, see PaidByMachines
	anonymous map[record.Place]bool
	payees    map[record.Hash]Erasure  // those whom the register was to forget
	cheques   map[record.Place]*Cheque // by the place of the promise
	holidays  []day.Day                // ascending
	noted     *Changes                 `snapshot:"-" unhashed:"it is for readers"` // of the state
}

func newTills() *tills {
	return &tills{
		cardAt: map[record.Place]uint32{}, losses: map[lossKey]money.Amount{},
		copied: map[record.Place][]Sheet{}, unsettled: map[record.Place]uint32{}, undelivered: map[record.Place]bool{},
		stops: map[record.Place]Stop{}, anonymous: map[record.Place]bool{},
		payees:   map[record.Hash]Erasure{},
		cheques:  map[record.Place]*Cheque{},
		withheld: map[record.Place]Withheld{},
		debts:    map[record.Place]Debt{},
	}
}

// Paper is a paper that stands for money and is out.
type Paper struct {
	Place         record.Place
	ID            string // of the rulebook's list
	Series        uint8
	Cents         money.Amount
	Day           day.Day // of the issue
	LastDay, Kept day.Day
	Venue         uint32 // that issued it
	Reason        record.IssueReason
	Request       record.Request // that its claim is bound to
	Claim         record.Hash
	Payee         record.Hash // whom it names; the zero hash for nobody
	GameType      string      // that it pays for; empty for any
	// Bought says that somebody has paid money for it, or for the papers whose money it gives back.
	Bought bool
}

// Lot returns the money that the paper stands for.
func (p *Paper) Lot() Lot {
	return Lot{ID: p.ID, Of: p.Place, Cents: p.Cents, LastDay: p.LastDay, Kept: p.Kept, GameType: p.GameType,
		Bought: p.Bought}
}

// Card is a player card.
type Card struct {
	Number  uint32
	Place   record.Place
	Details record.Hash
	Cents   money.Amount // its funds
	Status  record.CardStatus
	Until   record.Time // of the exclusion, while the status is that
	Barred  record.Time // end of the longest exclusion that was ever set: no status ends it sooner
	Erased  Erasure     // of its holder
}

// Excluded reports whether the holder may not play at a time. An exclusion lasts to its end,
// whatever became of the card meanwhile.
func (c *Card) Excluded(now record.Time) bool { return now < c.Barred }

// Account is the card as far as it says whether money goes to it.
func (c *Card) Account() CardAccount {
	return CardAccount{c.Place, c.Barred, c.Status == record.CardClosed}
}

// CardAccount is a player card as far as it says whether money goes to it.
type CardAccount struct {
	Place  record.Place
	Barred record.Time
	Closed bool
}

// Takes reports whether money goes to the card at a time: nobody closed it, and its holder is not excluded.
func (a CardAccount) Takes(now record.Time) bool { return !a.Closed && now >= a.Barred }

// Sheet is the newest paper of a ticket, where it is not the first.
type Sheet struct {
	Place   record.Place         `cbor:"1,keyasint"` // of the record that issued it
	Request record.Request       `cbor:"2,keyasint"`
	Claim   record.Hash          `cbor:"3,keyasint"`
	Reason  record.ReissueReason `cbor:"4,keyasint"`
}

// Stop is why a ticket or paper is not paid.
type Stop struct {
	Frozen       bool
	Disqualified bool
	Invalid      bool // by a change of the rules, in games that had not closed
	Reason       string
	Clause       string
}

func (t *tills) setStop(place record.Place, stop Stop) {
	if stop == (Stop{}) {
		delete(t.stops, place)
		return
	}
	t.stops[place] = stop
}

// use takes a paper that is used whole.
func (t *tills) use(place record.Place, cents money.Amount) error {
	p := t.papers.get(place)
	if p == nil || p.Cents != cents {
		return cannot("%v of paper %v, which is not out with that amount", cents, place)
	}
	t.papers.drop(place)
	t.noted.paper(place)
	return nil
}

// charge takes money from a card, or brings it there when it is negative.
func (t *tills) charge(place record.Place, cents money.Amount) error {
	c := t.cards.get(t.cardAt[place])
	if c == nil || cents > c.Cents {
		return cannot("%v from the card at %v", cents, place)
	}
	t.noted.card(c.Number)
	return t.cards.change(c.Number, func(c *Card) error {
		c.Cents -= cents
		return nil
	})
}

func (t *tills) lose(venue uint32, on day.Day, cents money.Amount) {
	t.losses[lossKey{venue, on}] += cents
}

// fund notes what an earlier program said has paid for a ticket.
func (t *tills) fund(lots []Lot, f record.Funding) []Lot {
	m := record.Spent{Ticket: f.Ticket, ID: f.ID, Cents: f.Cents}
	if card := t.cards.get(f.Card); card != nil {
		m.Of = card.Place
	}
	left, err := t.spend(lots, m)
	if err != nil {
		// The program did not hold it against what there was: the rest has no life of its own.
		t.setLots(m.Ticket, append(slices.Clone(t.lots.of(m.Ticket)), Lot{ID: m.ID, Of: m.Of, Cents: m.Cents}))
		left = lots
	}
	return left
}

// replace returns the money of a session that a voucher replaces: what a ticket gives back of
// what such vouchers had paid for it. It says as well whether all these vouchers were bought.
func (t *tills) replace(open *Open, b *record.InstrumentIssued) (taken []Lot, bought bool, err error) {
	var brought []Lot
	for _, in := range slices.Concat(open.Paid, open.Cancelled) {
		if in.Place == b.For {
			brought = append(brought, in.Lots...)
		}
	}
	for _, in := range open.Issued {
		if in.For != b.For {
			continue
		}
		for _, l := range in.Lots {
			brought = take(brought, l)
		}
	}
	// A record from before it said which paper it replaces is for the first of its kind.
	brought = slices.DeleteFunc(brought, func(l Lot) bool {
		return l.ID != b.ID || b.Replaced() != (record.Place{}) && l.Of != b.Replaced()
	})
	if SumLots(brought) < b.Cents {
		return nil, false, cannot("%v go back as %s for ticket %v, which %s did not pay", b.Cents, b.ID, b.For, b.ID)
	}
	taken, _ = divide(brought, b.Cents)
	return taken, !slices.ContainsFunc(brought, func(l Lot) bool { return !l.Bought }), nil
}

// link notes that something was bought with what a ticket or paper had brought, or
// is a replay of it.
func (t *tills) link(from, to record.Place) {
	t.links.put(from, append(slices.Clip(t.links.of(from)), to))
}

// pack makes small what is kept of tickets and seldom asked for.
func (t *tills) pack() {
	t.lots.pack()
	t.links.pack()
	t.sheets.pack()
	t.counted.pack()
	t.leads.pack()
	t.led.pack()
	t.machines.pack()
}

// carry notes that what tickets brought went to a card. A stop of such a ticket reaches the
// card.
func (t *tills) carry(from []record.Place, to *record.Settlement) {
	if to.Cents > 0 {
		return
	}
	for _, source := range from {
		t.link(source, to.Instrument)
	}
}

// giveBack notes what was bought with the refund of a ticket, or is a voucher for it. A
// stop of the ticket reaches it.
func (t *tills) giveBack(ticket record.Place, bought []record.Place) {
	for _, place := range bought {
		if place != ticket {
			t.link(ticket, place)
		}
	}
}

// Paper returns a paper that is out.
func (s *State) Paper(place record.Place) (Paper, bool) { return valueOf(s.tills.papers.get(place)) }

// Papers returns all papers that are out, by place.
func (s *State) Papers() []Paper {
	all := make([]Paper, 0, s.tills.papers.len())
	for _, p := range s.tills.papers.items {
		all = append(all, *p)
	}
	slices.SortFunc(all, func(a, b Paper) int { return comparePlaces(a.Place, b.Place) })
	return all
}

func comparePlaces(a, b record.Place) int {
	if a.Volume != b.Volume {
		return cmp.Compare(a.Volume, b.Volume)
	}
	return cmp.Compare(a.Seq, b.Seq)
}

// Card returns a player card.
func (s *State) Card(number uint32) (Card, bool) { return valueOf(s.tills.cards.get(number)) }

// CardAt returns the player card that was registered at a place.
func (s *State) CardAt(place record.Place) (Card, bool) { return s.Card(s.tills.cardAt[place]) }

// Cards returns the numbers of all cards, ascending.
func (s *State) Cards() []uint32 { return slices.Sorted(maps.Keys(s.tills.cards.items)) }

// CameOf returns what was bought with what a ticket or paper brought, replays of it
// included, and what came of that: everything that a bet on credit has touched.
//
//rule:tas-keno-2023 1.12
func (s *State) CameOf(place record.Place) []record.Place {
	seen := map[record.Place]bool{place: true}
	queue := []record.Place{place}
	for i := 0; i < len(queue); i++ {
		for _, next := range s.tills.links.of(queue[i]) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return queue[1:]
}

// Stopped returns why a ticket or paper is not paid, if it is not.
func (s *State) Stopped(place record.Place) (Stop, bool) {
	stop, ok := s.tills.stops[place]
	return stop, ok
}

// Sheet returns the newest paper of a ticket, if it is not the first.
func (s *State) Sheet(place record.Place) (Sheet, bool) {
	sheet, ok := s.tills.sheets.get(place)
	return sheet, ok
}

// Opening returns the opening of a claim code that opens a ticket or paper, whose own
// record has a claim and a request: the code is on its newest sheet, or on an earlier one
// that still opens. It reports false for another code.
func (s *State) Opening(place record.Place, claim record.Hash, request record.Request,
	code serial.ClaimCode) (record.Hash, bool) {
	sheet, another := s.tills.sheets.get(place)
	if another && sheet.opens(code) {
		return sheet.opening(code), true
	}
	first := Sheet{Request: request, Claim: claim}
	if !another {
		return first.opening(code), first.opens(code)
	}
	for _, earlier := range s.tills.copied[place] {
		if earlier == (Sheet{}) {
			earlier = first
		}
		if earlier.opens(code) {
			return earlier.opening(code), true
		}
	}
	return record.Hash{}, false
}

func (s *Sheet) opens(code serial.ClaimCode) bool {
	return serial.ClaimHash(s.Claim).Matches(code, s.Request.Terminal, s.Request.Number)
}

func (s *Sheet) opening(code serial.ClaimCode) record.Hash {
	return record.Hash(code.Opening(s.Request.Terminal, s.Request.Number))
}

// Unsettled returns the terminal of the open session in which a ticket or paper was sold or
// issued, so that it is not paid for yet, or 0.
func (s *State) Unsettled(place record.Place) uint32 { return s.tills.unsettled[place] }

// Undelivered reports whether a ticket or paper was not handed over.
func (s *State) Undelivered(place record.Place) bool { return s.tills.undelivered[place] }

// AllUndelivered returns the tickets and papers that were not handed over, in no order.
func (s *State) AllUndelivered() iter.Seq[record.Place] { return maps.Keys(s.tills.undelivered) }

// Anonymous reports whether the winner of a ticket is not to be named in public.
func (s *State) Anonymous(ticket record.Place) bool { return s.tills.anonymous[ticket] }
