package receipt

import (
	"fmt"

	"drawhouse/core/serial"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// Ticket makes the receipt ticket of a sale. It prints all it is told, and fails if
// the rulebook wants more (see [Missing]) or if the amounts of the bets do not add up
// to the cost that was recorded.
//
//rule:casino-keno-div2 3.13 3.13(a) 3.13(b) 3.13(c) 3.13(d) 3.13(e) 3.13(f) 3.13(g) 3.13(h) 3.13(i) 3.13(j) 3.13(k)
//rule:tas-keno-2023 1.54 21.4(f)
//rule:vic-keno-2015 2(a).receipt-ticket 2(a).combination-bet.receipt
func Ticket(s Sale) (*Slip, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	desk, err := keno.NewDesk(s.Book)
	if err != nil {
		return nil, err
	}
	t := ticketSlip{Slip: &Slip{money: s.Book.Money(), name: "Receipt ticket " + s.serial()}, sale: &s, desk: desk}
	t.head()
	if err := t.bets(); err != nil {
		return nil, err
	}
	t.games()
	t.sold()
	t.symbols()
	t.foot()
	return t.Slip, nil
}

// ticketSlip is the receipt that is being made.
type ticketSlip struct {
	*Slip
	sale *Sale
	desk *keno.Desk
}

func (t *ticketSlip) head() {
	heading := t.sale.Heading
	if heading == "" {
		heading = t.sale.Book.Title()
	}
	t.centre(large, heading)
	t.centre(plain, t.sale.Venue)
	t.duplicate()
	t.gap()
	for _, kind := range t.kinds() {
		t.centre(bold, kind)
	}
	if t.sale.Promotional {
		t.centre(bold, "Promotional")
	}
}

// duplicate marks a paper that was printed again.
func (t *ticketSlip) duplicate() {
	if t.sale.Duplicate {
		t.gap()
		t.centre(large, "DUPLICATE")
	}
}

// games prints which games the ticket enters and what it cost.
func (t *ticketSlip) games() {
	s := t.sale
	last, note := s.lastGame(s.Ticket.Games)
	t.rule()
	t.pair(plain, "Games", fmt.Sprint(s.Ticket.Games))
	t.pair(bold, "First game", fmt.Sprintf("%s of %v", s.game(s.Ticket.First.Game), s.Ticket.First.Day))
	if s.Last.IsValid() && s.Ticket.Games > 1 {
		last += fmt.Sprintf(" of %v", s.Last.Day)
	}
	if s.Ordinal != 0 && s.Ticket.Games > 1 && !s.Last.IsValid() &&
		s.Book.Games().Numbering.Restarts == rulebook.RestartsDaily {
		// Nobody knows how many games the Keno Day will have, and so the number of the last.
		last = fmt.Sprintf("no. %d of the series", s.Ordinal+uint32(s.Ticket.Games)-1)
		note = fmt.Sprintf("The first game is no. %d of the series, whose numbers run on from one Keno Day to the next.",
			s.Ordinal)
	}
	t.pair(bold, "Last game", last)
	t.say(plain, note)
	t.gap()
	t.pair(large, "TOTAL", s.Cost.String())
	t.rule()
}

// sold prints who sold the ticket, where and when.
func (t *ticketSlip) sold() {
	s := t.sale
	t.fact("Sold", printedTime(s.Time))
	if s.Day.IsValid() {
		t.fact("Keno Day", s.Day.String())
	}
	t.counter(s.Counter)
}

// counter prints the terminal and who stood there.
func (s *Slip) counter(c Counter) {
	if c.Terminal != 0 {
		s.fact("Terminal", fmt.Sprint(c.Terminal))
	}
	s.fact("Writer", c.Writer)
}

// symbols prints serial, claim code and proof, for people and for machines.
//
//rule:tas-keno-2023 1.4
func (t *ticketSlip) symbols() {
	s := t.sale
	number := s.serial()
	t.gap()
	t.centre(plain, "Serial")
	t.centre(bold, grouped(number))
	if fits(number) {
		t.bars(number)
	} else {
		t.qr(number)
	}
	switch {
	case s.Claim != nil:
		t.claim(*s.Claim)
	case s.Preview:
		t.say(plain, "The claim code is on the printed paper and nowhere else.")
	default:
		t.say(bold, "This paper has no claim code. It is paid by claim form only.")
	}
	t.fact("Place in the journal", s.Proof.Place)
	switch {
	case s.Proof.Site != "":
		t.rule()
		t.centre(plain, "Result and proof")
		t.qr(s.Proof.Address(number))
	case s.Proof.Checkpoint.Size > 0: // What the QR code would have said.
		t.fact("Record", short(s.Proof.Leaf))
		t.fact(fmt.Sprintf("Journal of %d", s.Proof.Checkpoint.Size), short(s.Proof.Checkpoint.Root))
	}
}

// claim prints the code without which nothing is paid.
func (s *Slip) claim(code serial.ClaimCode) {
	s.centre(plain, "Claim code")
	s.centre(bold, code.String())
	s.bars(claimBars(code))
	s.say(plain, "Anybody who has the serial and the claim code can be paid. Show them to nobody but the counter.")
}

func (t *ticketSlip) foot() {
	t.rule()
	t.say(plain, fmt.Sprintf("Sold under %s. The record of the house decides, and not this paper.",
		t.sale.Book.Title()))
	if t.sale.Help != "" {
		t.gap()
		t.centre(bold, t.sale.Help)
	}
	t.duplicate()
}
