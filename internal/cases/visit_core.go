package cases

import (
	"errors"
	"fmt"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// MaxPapers is for how many papers a terminal has claim codes ready.
const MaxPapers = 4

// NextCustomer implements Counter.
func (c *Core) NextCustomer(terminal uint32) { c.visits.open[terminal] = true }

// EndCustomer implements Counter.
func (c *Core) EndCustomer(terminal uint32, v Visit) (Settled, error) {
	end := counter.SessionEnd{
		Request: c.request(terminal, []byte("end")), Series: c.of,
		Card: counter.CardUse{Card: v.Card, Cents: v.CardCents}, Chips: v.Chips,
		Pay: v.Pay, Account: v.Account, Checked: v.Checked, Unpaid: v.Unpaid, Cash: v.Cash, Print: v.Print,
		DisplayDown: v.DisplayDown, Anonymous: v.Anonymous, Runner: v.Runner,
	}
	if v.Payee {
		end.Payee = v.payee()
	}
	for _, p := range v.Papers {
		end.Papers = append(end.Papers, counter.PresentedPaper{Place: p.Place, Code: p.Code, Refund: v.Refund})
	}
	for i := range MaxPapers {
		end.Claims = append(end.Claims, claimOf(paperCode(end.Request, i), end.Request))
	}
	answer, err := c.asks(command.EndSession{SessionEnd: end})
	if err != nil {
		c.numbers[terminal]--
		if refused := (*refusal.Refusal)(nil); errors.As(err, &refused) && refused.Code == counter.NothingOpen {
			c.visits.open[terminal] = false // The customer has done nothing and is gone.
		}
		return Settled{}, err
	}
	c.visits.open[terminal] = false
	if err := c.Take(); err != nil {
		return Settled{}, err
	}
	return c.settled(answer.Place, end.Request)
}

func claimOf(code serial.ClaimCode, r record.Request) record.Hash {
	return record.Hash(code.Hash(r.Terminal, r.Number))
}

// settled reads the end of a session, and the papers before it.
func (c *Core) settled(end record.Place, request record.Request) (Settled, error) {
	r, err := record.Decode(c.Records[end.Seq])
	if err != nil {
		return Settled{}, err
	}
	ended, ok := r.Body.(*record.SessionEnded)
	if !ok {
		return Settled{}, fmt.Errorf("cases: a session is ended by %v", r.Kind())
	}
	out := Settled{Tenders: ended.Tenders, Printed: ended.Printed}
	first := end.Seq
	for ; first > 0; first-- {
		before, err := record.Decode(c.Records[first-1])
		if err != nil {
			return Settled{}, err
		}
		if issued, ok := before.Body.(*record.InstrumentIssued); !ok || issued.Request != request {
			break
		}
	}
	for seq := first; seq < end.Seq; seq++ {
		p, err := c.paperAt(record.Place{Volume: end.Volume, Seq: seq})
		if err != nil {
			return Settled{}, err
		}
		p.Code = paperCode(request, int(seq-first))
		out.Papers = append(out.Papers, p)
	}
	return out, nil
}

func (c *Core) paperAt(place record.Place) (Paper, error) {
	r, err := record.Decode(c.Records[place.Seq])
	if err != nil {
		return Paper{}, err
	}
	issued, ok := r.Body.(*record.InstrumentIssued)
	if !ok {
		return Paper{}, fmt.Errorf("cases: %v is no paper", r.Kind())
	}
	number, err := c.serialOf(place)
	return Paper{Place: place, Serial: number.String(), ID: issued.ID, Cents: issued.Cents}, err
}

// IssuePaper implements Counter.
func (c *Core) IssuePaper(terminal uint32, id string, cents money.Amount, days int, gameType string,
	byOperator bool) (Paper, error) {
	request := c.request(terminal, []byte("issue"))
	code := paperCode(request, 0)
	order := counter.PaperOrder{
		Request: request, Series: c.of, ID: id, Cents: cents, Claim: claimOf(code, request),
		Reason: record.IssuedForMoney, Days: days, GameType: gameType,
		InSession: c.visits.open[terminal] && !byOperator,
	}
	if err := signOn(c, terminal); err != nil {
		return Paper{}, err
	}
	if byOperator {
		order.Reason = record.IssuedByOperator
		var err error
		if order.Approval, err = given(c,
			command.GivePaper{Terminal: terminal, Kind: id, Cents: cents.Cents(), Days: days,
				GameType: gameType}); err != nil {
			c.numbers[terminal]--
			return Paper{}, err
		}
	}
	answer, err := c.asks(command.IssuePaper{PaperOrder: order})
	if err != nil {
		c.numbers[terminal]--
		return Paper{}, err
	}
	if err := c.Take(); err != nil {
		return Paper{}, err
	}
	p, err := c.paperAt(answer.Place)
	p.Code = code
	return p, err
}

// DoesAs implements Counter.
func (c *Core) DoesAs(person uint32, what command.Command) (record.Body, error) {
	tell(what)
	return c.Engine.Do(c.tick(), what, command.As(c.of, person))
}

// Does implements Counter: the house itself does a command.
func (c *Core) Does(what command.Command) error {
	return command.Outcome(c.DoesAs(0, what))
}

// Forfeit implements Counter.
func (c *Core) Forfeit(terminal uint32, t Ticket) (money.Amount, error) {
	sold, err := c.sold(t.Place)
	if err != nil {
		return 0, err
	}
	taken := counter.Payment{Request: c.request(terminal, []byte("forfeit "+t.Serial)), Place: t.Place, Sold: sold,
		Code: c.visits.code(t)}
	if taken.Wins, err = c.wins(t.Place, sold); err != nil {
		return 0, err
	}
	answer, err := c.asks(command.Forfeit{Payment: taken})
	if err != nil {
		return 0, err
	}
	r, err := record.Decode(answer.Data)
	if err != nil {
		return 0, err
	}
	forfeited, ok := r.Body.(*record.PrizeForfeited)
	if !ok {
		return 0, fmt.Errorf("a prize is forfeited by a %T", r.Body)
	}
	return forfeited.Amount(), nil
}

// Undelivered implements Counter.
func (c *Core) Undelivered(terminal uint32, t Ticket) error {
	sold, err := c.sold(t.Place)
	if err != nil {
		return err
	}
	if err := signOn(c, terminal); err != nil {
		return err
	}
	return c.Does(command.ReportUndelivered{Sheet: counter.Sheet{Terminal: terminal, Place: t.Place, Sold: sold},
		Reason: "the printer failed"})
}

// signOn has a writer sign on at a terminal where nobody has: what one person does there is
// done by somebody.
func signOn(h interface {
	staffed
	State() (*state.State, error)
}, terminal uint32) error {
	s, err := h.State()
	if err != nil {
		return err
	}
	post, ok := s.People().Post(terminal)
	if !ok || post.Person != 0 || post.Channel != rulebook.ChannelWriter {
		return nil
	}
	grant := state.Grant{Role: record.RoleWriter, Venue: post.Venue}
	if err := h.Staff(staff.AddPerson{Details: staff.Unnamed(terminal, grant.Role),
		Grants: []state.Grant{grant}}); err != nil {
		return err
	}
	if s, err = h.State(); err != nil {
		return err
	}
	var newest uint32
	for _, p := range s.People().Persons() {
		newest = max(newest, p.ID)
	}
	return h.Staff(staff.Begin{Person: newest, Terminal: terminal, Grant: grant})
}

// Reprint implements Counter.
func (c *Core) Reprint(terminal uint32, t Ticket) error { return c.reprint(terminal, t, 0) }

func (c *Core) reprint(terminal uint32, t Ticket, approval uint32) error {
	request := c.request(terminal, []byte("reprint "+t.Serial))
	code := nextCode(request)
	sold, err := c.sold(t.Place)
	if err == nil {
		sheet := counter.Sheet{Terminal: terminal, Place: t.Place, Sold: sold}
		_, err = c.asks(command.Reprint{Sheet: sheet, Request: request, Claim: claimOf(code, request),
			Approval: approval})
	}
	if err == nil {
		c.visits.codes[t.Place] = code
	}
	return err
}

// MoveBank implements Counter.
func (c *Core) MoveBank(b record.BankMoved) error {
	return agreed(c, command.MoveBank{Terminal: b.Terminal, Move: string(b.Move), Cents: b.Cents.Cents()}, b.By, b.With)
}

// CountBank implements Counter.
func (c *Core) CountBank(b record.BankCounted) error {
	return agreed(c, command.CountBank{Terminal: b.Terminal, Cents: b.CountedCents.Cents()}, b.By, b.With)
}

// Sold returns the sale of a ticket.
func (c *Core) Sold(t Ticket) (*record.TicketSold, error) { return c.sold(t.Place) }
