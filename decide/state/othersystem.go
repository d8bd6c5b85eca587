package state

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/handover"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// MostOtherTickets is how many tickets of other systems a house takes in, over all files.
const MostOtherTickets = 100_000

// OtherFile is a file of open tickets of another system. It never changes, so that readers share it.
type OtherFile struct {
	Place  record.Place // of the record that has taken it in
	Series uint8        // by whose rulebook its tickets are claimed
	System string
	Then   string // where the money of tickets goes that nobody has claimed in time; empty for nowhere
	Clause string
	Hash   record.Hash // of the text
	// rows are its tickets in the order of the file, and codes are the hashes of their codes, ascending.
	rows  []otherRow  `unhashed:"they are made from the text, of which the hash is kept"`
	codes []otherCode `unhashed:"they are made from the text, of which the hash is kept"`
}

// otherRow is what the house keeps of one ticket: what is owed, and the last day on which it is
// claimed, which is day.None for a ticket without one.
type otherRow struct {
	cents money.Amount
	until day.Day
}

// otherCode finds a ticket by the hash of its code.
type otherCode struct {
	hash [16]byte
	row  uint32 // from 1 on
}

// hashCode returns the hash under which the code of a ticket is kept.
func hashCode(code string) [16]byte {
	sum := sha256.Sum256([]byte("drawhouse/other-ticket/v1\n" + handover.Bare(code)))
	return [16]byte(sum[:16])
}

// newOtherFile arranges what a file says.
func newOtherFile(b *record.TicketsTakenIn, at record.Place, file *handover.File) *OtherFile {
	f := &OtherFile{Place: at, Series: b.Series, System: b.System, Then: b.Then, Clause: b.Clause,
		Hash: sha256.Sum256(b.Text)}
	for i, t := range file.Tickets {
		until := t.Until
		if until == day.None && t.Kind == handover.Prize {
			until = b.Until
		}
		f.rows = append(f.rows, otherRow{t.Cents, until})
		f.codes = append(f.codes, otherCode{hashCode(t.Code), uint32(i) + 1})
	}
	slices.SortFunc(f.codes, func(a, b otherCode) int { return bytes.Compare(a.hash[:], b.hash[:]) })
	return f
}

// row returns the place of a ticket in the file by the hash of its code, or 0.
func (f *OtherFile) row(hash [16]byte) uint32 {
	i, ok := slices.BinarySearchFunc(f.codes, hash,
		func(c otherCode, h [16]byte) int { return bytes.Compare(c.hash[:], h[:]) })
	if !ok {
		return 0
	}
	return f.codes[i].row
}

// OtherTicket is a ticket of another system.
type OtherTicket struct {
	*OtherFile
	Row   uint32 // its place in the file, from 1 on
	Cents money.Amount
	Until day.Day // the last day on which it is claimed; day.None for one without
}

// Part returns the ticket as a claim form has it.
func (t *OtherTicket) Part() record.ClaimPart {
	return record.ClaimPart{Of: t.Place, Ordinal: t.Row, Cents: t.Cents, At: record.ClaimOther}
}

// find returns the ticket of another system that has a code.
func (o *others) find(code string) (OtherTicket, bool) {
	if len(o.files) == 0 {
		return OtherTicket{}, false
	}
	hash := hashCode(code)
	for _, f := range o.files {
		if row := f.row(hash); row != 0 {
			return f.ticket(row)
		}
	}
	return OtherTicket{}, false
}

// ticket returns a ticket of the file.
func (f *OtherFile) ticket(row uint32) (OtherTicket, bool) {
	if row == 0 || int(row) > len(f.rows) {
		return OtherTicket{}, false
	}
	r := f.rows[row-1]
	return OtherTicket{f, row, r.cents, r.until}, true
}

// Standing is how a ticket of another system stands.
type Standing uint8

// The standings.
const (
	OtherOpen    Standing = iota // it can be claimed
	OtherClaimed                 // on a form that may still be paid
	OtherPaid
	OtherGone // nobody claimed it in time
)

// others are the tickets of other systems.
type others struct {
	files []*OtherFile // in the order in which they came
	// stands is how each ticket stands, by file and place in the file less 1.
	stands [][]Standing
}

// otherFolds are about tickets of other systems.
var otherFolds = []folding{
	on((*State).takeInTickets),
	on((*State).lapseTickets),
	on((*State).stateTax),
	on((*State).remit),
	on((*State).reverseRemittance),
}

// OtherTicket returns the ticket of another system that has a code.
func (s *State) OtherTicket(code string) (OtherTicket, bool) { return s.others.find(code) }

// OtherTicket returns the ticket of another system that has a code.
func (v *View) OtherTicket(code string) (OtherTicket, bool) { return v.others.find(code) }

// OtherFiles returns the files of other systems, the oldest first. The caller must not change them.
func (s *State) OtherFiles() []*OtherFile { return s.others.files }

// OtherFiles returns the files of other systems, the oldest first. The caller must not change them.
func (v *View) OtherFiles() []*OtherFile { return v.others.files }

// OtherTickets returns how many tickets of other systems the house has taken in.
func (s *State) OtherTickets() (n int) {
	for _, f := range s.others.files {
		n += len(f.rows)
	}
	return n
}

// Stands returns how a ticket of another system stands.
func (s *State) Stands(t OtherTicket) Standing { return s.others.of(t) }

// Stands returns how a ticket of another system stands.
func (v *View) Stands(t OtherTicket) Standing { return v.others.of(t) }

// of returns how a ticket stands.
func (o *others) of(t OtherTicket) Standing {
	if at := o.standing(t.Place, t.Row); at != nil {
		return *at
	}
	return OtherGone
}

// clone copies everything that changes.
func (o *others) clone() others {
	c := others{files: slices.Clone(o.files), stands: make([][]Standing, len(o.stands))}
	for i := range o.stands {
		c.stands[i] = slices.Clone(o.stands[i])
	}
	return c
}

// OtherPart returns the ticket of another system that a part of a claim is of.
func (s *State) OtherPart(p record.ClaimPart) (OtherTicket, bool) {
	for _, f := range s.others.files {
		if f.Place == p.Of {
			return f.ticket(p.Ordinal)
		}
	}
	return OtherTicket{}, false
}

// standing returns where the standing of a ticket is kept, or nil.
func (o *others) standing(file record.Place, row uint32) *Standing {
	for i, f := range o.files {
		if f.Place == file && row >= 1 && int(row) <= len(f.rows) {
			return &o.stands[i][row-1]
		}
	}
	return nil
}

// LapsedOthers returns how many tickets of a file nobody has claimed in time, as a day begins, and
// what is owed on them. A ticket on an open form stays.
func (s *State) LapsedOthers(f *OtherFile, today day.Day) (tickets uint32, cents money.Amount) {
	s.eachLapsed(f, today, func(row otherRow, _ *Standing) { tickets, cents = tickets+1, cents+row.cents })
	return tickets, cents
}

func (s *State) eachLapsed(f *OtherFile, today day.Day, do func(otherRow, *Standing)) {
	i := slices.Index(s.others.files, f)
	if i < 0 || f.Then == "" {
		return
	}
	for k, row := range f.rows {
		if row.until != day.None && today > row.until && s.others.stands[i][k] == OtherOpen {
			do(row, &s.others.stands[i][k])
		}
	}
}

func (s *State) takeInTickets(b *record.TicketsTakenIn) error {
	file, err := handover.Read(b.Text, b.Key[:])
	if err != nil {
		return cannot("the file of tickets of %s: %v", b.System, err)
	}
	sum, err := file.Total()
	if _, ok := s.series[b.Series]; err != nil || !ok || file.System != b.System ||
		len(file.Tickets) != int(b.Tickets) || sum != b.Cents {
		return cannot("%d tickets of %s for %v, and the file has %d tickets of %s for %v", b.Tickets, b.System, b.Cents,
			len(file.Tickets), file.System, sum)
	}
	for i := range file.Tickets {
		if _, twice := s.OtherTicket(file.Tickets[i].Code); twice {
			return cannot("the ticket in line %d is taken in twice", handover.Line(i))
		}
	}
	s.others.files = append(s.others.files, newOtherFile(b, s.next, file))
	s.others.stands = append(s.others.stands, make([]Standing, len(file.Tickets)))
	s.noted.whole(allOthers)
	return nil
}

func (s *State) lapseTickets(b *record.TicketsLapsed) error {
	i := slices.IndexFunc(s.others.files, func(f *OtherFile) bool { return f.Place == b.File })
	if i < 0 {
		return cannot("tickets lapse that were taken in at %v, where none were", b.File)
	}
	f := s.others.files[i]
	tickets, cents := s.LapsedOthers(f, b.Day)
	if tickets != b.Tickets || cents != b.Cents || f.Then != b.To || f.Series != b.Series {
		return cannot("%d tickets of %s for %v lapse to %s, and %d for %v lapse to %s", b.Tickets, f.System, b.Cents, b.To,
			tickets, cents, f.Then)
	}
	s.noted.whole(allOthers)
	s.eachLapsed(f, b.Day, func(_ otherRow, at *Standing) { *at = OtherGone })
	return nil
}

// moveOther changes the standing of a ticket that a part of a claim is of.
func (s *State) moveOther(p record.ClaimPart, from, to Standing) error {
	t, ok := s.OtherPart(p)
	at := s.others.standing(p.Of, p.Ordinal)
	if !ok || *at != from || t.Cents != p.Cents {
		return cannot("%v of ticket %d of the file at %v are claimed, and that is not how it stands", p.Cents,
			p.Ordinal, p.Of)
	}
	s.noted.whole(allOthers)
	*at = to
	return nil
}
