package verify

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// The bounds of tickets of other systems: of one file, and of all together.
const (
	mostHanded      = 20_000
	mostHandedBytes = 900_000
	mostHandedAll   = 100_000
)

// otherPlace is where a claim says that money is which is owed on a ticket of another system.
const otherPlace = "other_system"

// outside are the tickets of other systems that were taken in.
type outside struct {
	files []*outFile
	codes map[string]bool
	due   map[*outFile]lapse // what must lapse before anything else of the day
}

// lapse is how many tickets lapse, and what was owed on them.
type lapse struct {
	tickets uint32
	cents   money.Amount
}

// outFile is a file of another system.
type outFile struct {
	at           uint64 // the record that has taken it in
	series       uint8
	then, clause string
	tickets      []outTicket
}

// outTicket is a ticket of another system.
type outTicket struct {
	cents money.Amount
	until day.Day // 0 for one without an end
	form  uint32  // that may still be paid; 0 for none
	done  bool    // paid, or lapsed
}

// outName is a name in the head of a file of another system.
const outName = `[0-9A-Za-z._-](?:[0-9A-Za-z ._-]{0,58}[0-9A-Za-z._-])?`

// outHead is the beginning of a file of another system, and outRow one of its tickets.
var (
	outHead = regexp.MustCompile(`\Adrawhouse open tickets 1\nsystem: (` + outName + `)\nrulebook: (` + outName + `)\n` +
		`currency: (` + outName + `)\nas of: (\d{4}-\d\d-\d\d)\ncode,cents,kind,until\n`)
	outRow = regexp.MustCompile(`\A([0-9A-Z]{8,40}),([1-9][0-9]{0,17}),(prize|refund),(\d{4}-\d\d-\d\d)?\z`)
)

// handed is what the text of a file says.
type handed struct {
	system, rulebook, currency string
	asOf                       day.Day
	codes                      []string
	tickets                    []outTicket
	sum                        money.Amount
	late                       int // the first prize that is claimed longer than the rules let it be, from 1; 0 for none
}

// readHanded reads a file of another system whose signature is that of a key. The tickets of which it
// names no last day have that of prizes, or none.
func readHanded(text []byte, key [32]byte, prizes day.Day) (*handed, error) {
	end := bytes.LastIndex(text, []byte("\nsignature: ")) + 1
	if len(text) > mostHandedBytes || end == 0 || !bytes.HasSuffix(text, []byte("\n")) {
		return nil, fault(CheckHouse, "a file of tickets has %d bytes, or no signature", len(text))
	}
	coded := strings.TrimSuffix(strings.TrimPrefix(string(text[end:]), "signature: "), "\n")
	mark, err := base64.StdEncoding.Strict().DecodeString(coded)
	if err != nil || strings.ContainsAny(coded, "\r\n") || !ed25519.Verify(key[:], text[:end], mark) {
		return nil, fault(CheckHouse, "a file of tickets is not signed by the key on which two persons agreed")
	}
	head := outHead.FindSubmatch(text[:end])
	if head == nil {
		return nil, fault(CheckHouse, "a file of tickets does not begin as such files do")
	}
	h := &handed{system: string(head[1]), rulebook: string(head[2]), currency: string(head[3])}
	if h.asOf, err = day.Parse(string(head[4])); err != nil {
		return nil, fault(CheckHouse, "a file of tickets is of no day")
	}
	rows := strings.Split(strings.TrimSuffix(string(text[len(head[0]):end]), "\n"), "\n")
	if len(rows) > mostHanded {
		return nil, fault(CheckHouse, "a file has %d tickets", len(rows))
	}
	for i, row := range rows {
		fields := outRow.FindStringSubmatch(row)
		if fields == nil {
			return nil, fault(CheckHouse, "ticket %d of a file cannot be read", i+1)
		}
		cents, err := strconv.ParseInt(fields[2], 10, 64)
		t := outTicket{cents: money.Amount(cents)}
		switch {
		case fields[4] != "":
			if t.until, err = day.Parse(fields[4]); err == nil && t.until < h.asOf {
				return nil, fault(CheckHouse, "ticket %d of a file had ended before the day of the file", i+1)
			}
		case fields[3] == "prize":
			t.until = prizes
		}
		if fields[3] == "prize" && prizes != 0 && t.until > prizes && h.late == 0 {
			h.late = i + 1
		}
		if h.sum += t.cents; err != nil || t.cents > money.MaxAmount || h.sum > money.MaxAmount {
			return nil, fault(CheckHouse, "ticket %d of a file has an amount or a day that cannot be", i+1)
		}
		h.codes, h.tickets = append(h.codes, fields[1]), append(h.tickets, t)
	}
	return h, nil
}

// ticketsTakenIn checks the open tickets of another system: that the file is signed, for this series and
// of a day that has come, that the record says what the file comes to, that no ticket comes twice, and until
// when they are claimed (tas-keno-2023 3.2, 14.1, 14.3).
func (c *checker) ticketsTakenIn(b *record.TicketsTakenIn) (postings, error) {
	s := c.series[b.Series]
	if s == nil || len(s.rulesNow().unclaimed) == 0 {
		return nil, fault(CheckHouse,
			"tickets of %s are taken in for series %d, which has not begun or pays no prizes", b.System, b.Series)
	}
	h, err := readHanded(b.Text, b.Key, b.Until)
	if err != nil {
		return nil, err
	}
	book := s.rulesNow().book
	switch {
	case h.system != b.System || len(h.tickets) != int(b.Tickets) || h.sum != b.Cents:
		return nil, fault(CheckHouse,
			"%d tickets of %s for %v are taken in, and the file has %d of %s for %v", b.Tickets,
			b.System, b.Cents, len(h.tickets), h.system, h.sum)
	case h.rulebook != book.ID() || h.currency != book.Currency() || h.asOf > s.today(c.now):
		return nil, fault(CheckHouse,
			"the file of %s is by rulebook %s in %s as of %v", b.System, h.rulebook, h.currency, h.asOf)
	case len(c.outside.codes)+len(h.codes) > mostHandedAll:
		return nil, fault(CheckHouse,
			"with the %d tickets of %s the house has too many of other systems", len(h.codes), b.System)
	}
	steps := s.rulesNow().unclaimed
	last := steps[len(steps)-1]
	var until day.Day
	then := ""
	if last.Then != "claim_form" {
		then = last.Then
		if until, err = h.asOf.AddMonths(12*last.After.Years + last.After.Months); err == nil {
			until, err = until.AddDays(last.After.Days)
		}
	}
	if err != nil || b.Until != until || b.Then != then || b.Clause != last.Quoted() {
		return nil, fault(CheckHouse,
			"prizes of %s are claimed until %v and go to %q then by %s, and the rules say %v, %q, %s", b.System,
			b.Until, b.Then, b.Clause, until, then, last.Quoted())
	}
	if h.late != 0 {
		err := fault(CheckHouse, "ticket %d of the file of %s is claimed longer than until %v (%s)", h.late, b.System, until,
			b.Clause)
		if err := c.guard(err); err != nil {
			return nil, err
		}
	}
	if c.outside.codes == nil {
		c.outside.codes = map[string]bool{}
	}
	for i, code := range h.codes {
		if c.outside.codes[code] {
			return nil, fault(CheckHouse, "ticket %d of the file of %s is taken in twice", i+1, b.System)
		}
		c.outside.codes[code] = true
	}
	c.outside.files = append(c.outside.files,
		&outFile{at: c.here(), series: b.Series, then: b.Then, clause: b.Clause, tickets: h.tickets})
	return postings{ledger.Debit(ledger.Bank, 0, b.Cents), ledger.Credit(ledger.OtherSystems, 0, b.Cents)}, nil
}

// outFile returns the file that the record at a place has taken in, or nil.
func (c *checker) outFile(place record.Place) *outFile {
	for _, f := range c.outside.files {
		if f.at == flat(place) {
			return f
		}
	}
	return nil
}

// outTicket returns the ticket of another system that a part of a claim is, or nil.
func (c *checker) outTicket(p record.ClaimPart) *outTicket {
	f := c.outFile(p.Of)
	if f == nil || p.Ordinal == 0 || int(p.Ordinal) > len(f.tickets) {
		return nil
	}
	return &f.tickets[p.Ordinal-1]
}

// claimOther checks that a form claims what is owed on a ticket of another system, in time, and once
// (tas-keno-2023 3.2, 14.3, 15.1).
func (c *checker) claimOther(s *series, b *record.ClaimLodged, p record.ClaimPart) error {
	t := c.outTicket(p)
	switch {
	case t == nil || c.outFile(p.Of).series != s.id:
		return fault(CheckPayments,
			"no ticket %d of another system was taken in at %v for the series", p.Ordinal, p.Of)
	case t.done || t.form != 0:
		return fault(CheckPayments,
			"ticket %d of the file at %v is claimed, and was paid, has lapsed or is on claim %d", p.Ordinal,
			p.Of, t.form)
	case t.cents != p.Cents:
		return fault(CheckPayments,
			"%v are claimed for ticket %d of the file at %v, and %v is owed", p.Cents, p.Ordinal, p.Of, t.cents)
	case t.until != 0 && b.Received > t.until:
		return fault(CheckPayments,
			"ticket %d of the file at %v is claimed on %v, and could be until %v", p.Ordinal, p.Of, b.Received,
			t.until)
	case b.Reason == record.ClaimExpired:
		return fault(CheckPayments, "a ticket of another system is claimed as expired, and no venue has ever paid it")
	}
	t.form = b.Claim
	return nil
}

// lapseDue notes which tickets of other systems must lapse as a Keno Day begins.
func (c *checker) lapseDue(s *series) {
	c.outside.due = nil
	for _, f := range c.outside.files {
		if due := f.lapsed(s.day, false); f.series == s.id && f.then != "" && due.tickets > 0 {
			if c.outside.due == nil {
				c.outside.due = map[*outFile]lapse{}
			}
			c.outside.due[f] = due
		}
	}
}

// lapsed adds up the tickets whose time is over on a day, and ends them if it is told so. One on a form that may
// still be paid stays.
func (f *outFile) lapsed(on day.Day, end bool) (l lapse) {
	for i := range f.tickets {
		if t := &f.tickets[i]; t.until != 0 && t.until < on && t.form == 0 && !t.done {
			l.tickets, l.cents = l.tickets+1, l.cents+t.cents
			t.done = end
		}
	}
	return l
}

// ticketsLapsed checks that all tickets of a file lapse whose time is over, and where their money goes
// (tas-keno-2023 14.1, 14.3).
func (c *checker) ticketsLapsed(b *record.TicketsLapsed) (postings, error) {
	s, f := c.series[b.Series], c.outFile(b.File)
	if s == nil || f == nil || !s.dayOpen || b.Day != s.day {
		return nil, fault(CheckPayments,
			"tickets of the file at %v lapse on %v, which is not the Keno Day", b.File, b.Day)
	}
	due, ok := c.outside.due[f]
	to, known := held[b.To]
	switch {
	case !ok || b.Series != f.series || due != (lapse{b.Tickets, b.Cents}):
		return nil, fault(CheckPayments,
			"%d tickets of the file at %v lapse with %v, and %d with %v are due", b.Tickets, b.File, b.Cents,
			due.tickets, due.cents)
	case !known || b.To != f.then || b.Clause != f.clause:
		return nil, fault(CheckPayments,
			"tickets of the file at %v lapse to %q by %s, and belong to %q by %s", b.File, b.To, b.Clause,
			f.then, f.clause)
	}
	f.lapsed(b.Day, true)
	delete(c.outside.due, f)
	return postings{ledger.Debit(ledger.OtherSystems, 0, b.Cents), ledger.Credit(to, 0, b.Cents)}, nil
}

// owed adds up what is owed on tickets of other systems.
func (o *outside) owed() (sum money.Amount) {
	for _, f := range o.files {
		for i := range f.tickets {
			if !f.tickets[i].done {
				sum += f.tickets[i].cents
			}
		}
	}
	return sum
}
