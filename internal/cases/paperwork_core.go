package cases

import (
	"errors"
	"fmt"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/receipt"
)

// caseRing makes the serials of houses in memory.
var caseRing = func() *serial.Keyring {
	ring, err := serial.NewKeyring(serial.Key{1}, map[uint16]serial.Key{1: {2}})
	if err != nil {
		panic(fmt.Sprintf("cases: fixed keys: %v", err))
	}
	return ring
}()

// serialOf returns the serial of a place.
func (c *Core) serialOf(place record.Place) (serial.Code, error) {
	return caseRing.Code(serial.Place{Volume: place.Volume, Seq: place.Seq}, c.series().Book.SerialForm().Successor)
}

// local returns the scenario's clock where the rulebook is in force.
func (c *Core) local(t time.Time) (time.Time, error) {
	at, err := time.LoadLocation(c.series().Book.Zone())
	return t.In(at), err
}

// counterOf says where a paper is printed.
func (c *Core) counterOf(terminal uint32) receipt.Counter {
	people := c.Engine.State().People()
	post, _ := people.Post(terminal)
	venue, _ := people.Premises(post.Venue)
	counter := receipt.Counter{Heading: "case.example", Venue: venue.Name, Terminal: terminal}
	if post.Person != 0 {
		counter.Writer = fmt.Sprint(post.Person)
	}
	return counter
}

// picture returns what a slip looks like.
func picture(slip *receipt.Slip, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return slip.SVG(receipt.Roll80)
}

// Receipt implements Desk.
func (c *Core) Receipt(t Ticket) (string, error) {
	sold, err := c.sold(t.Place)
	if err != nil {
		return "", err
	}
	r, err := record.Decode(c.Records[t.Place.Seq])
	if err != nil {
		return "", err
	}
	ticket, err := keno.DecodeTicket(sold.Ticket)
	if err != nil {
		return "", err
	}
	at, err := c.local(r.Time.Time())
	if err != nil {
		return "", err
	}
	number, err := c.serialOf(t.Place)
	if err != nil {
		return "", err
	}
	sale := receipt.Sale{
		Counter: c.counterOf(sold.Request.Terminal), Book: c.series().Book, Ticket: ticket, Cost: sold.CostCents,
		Time: at, Day: ticket.First.Day,
		Ordinal: sold.Ordinal, Serial: number, Claim: &t.Code,
	}
	return picture(receipt.Ticket(sale))
}

// List implements Desk.
func (c *Core) List(terminal uint32) (string, error) {
	sum, ok := counter.SummariseSession(c.Engine.State(), momentOf(c.Engine.State()), terminal)
	if !ok {
		return "", errors.New("cases: no session is open")
	}
	at, err := c.local(c.now)
	if err != nil {
		return "", err
	}
	list := receipt.CustomerSession{Counter: c.counterOf(terminal), Number: sum.Session, Time: at}
	for _, line := range sum.Lines {
		number, err := c.serialOf(line.Place)
		if err != nil {
			return "", err
		}
		list.Transactions = append(list.Transactions,
			receipt.Transaction{What: acts[line.Act], Serial: number.String(), Amount: line.Cents})
	}
	return picture(receipt.Session(list))
}

// acts are what happens in a session, as its list says it.
var acts = map[string]string{
	"sold": "Ticket", "paid": "Prize", "cancelled": "Cancelled", "issued": "Paper issued",
	"returned": "Goes back as it was paid",
}

// ChequeFor implements Desk.
func (c *Core) ChequeFor(terminal uint32, t Ticket, payee string, cents money.Amount) (string, error) {
	at, err := c.local(c.now)
	if err != nil {
		return "", err
	}
	date, err := day.Of(at.Year(), int(at.Month()), at.Day())
	if err != nil {
		return "", err
	}
	return picture(receipt.Cheque(receipt.ChequeOrder{
		Counter: c.counterOf(terminal), Book: c.series().Book, Payee: payee, Serial: t.Serial, Amount: cents,
		Date: date, Time: at,
	}))
}

// Results implements Desk.
func (c *Core) Results(terminal uint32, date day.Day, games []int) (string, error) {
	at, err := c.local(c.now)
	if err != nil {
		return "", err
	}
	asked := receipt.Inquired{Counter: c.counterOf(terminal), Book: c.series().Book, Time: at}
	for _, n := range games {
		result := receipt.Result{Day: date, Game: n}
		for ordinal := uint32(1); ; ordinal++ {
			g, ok := c.series().Game(ordinal)
			if !ok {
				return "", fmt.Errorf("cases: there is no game %d of %v", n, date)
			}
			if g.Ref.Day != date || int(g.Ref.Number) != n {
				continue
			}
			if g.Phase == state.PhaseSettled {
				result.Numbers, result.Multiplier = g.Numbers.Numbers(), int(g.Settled.Multiplier)
			}
			break
		}
		asked.Results = append(asked.Results, result)
	}
	return picture(receipt.Results(asked))
}
