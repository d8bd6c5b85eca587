package engine

import (
	"drawhouse/counter"
	"drawhouse/record"
	"drawhouse/staff"
)

// Staff makes a change about people or places and returns its records: none where
// nothing had to change.
func (e *Engine) Staff(now record.Time, c staff.Command) ([]record.Body, error) {
	bodies, err := staff.Decide(e.state, max(now, e.state.Now()), c)
	if err != nil {
		return nil, err
	}
	if err := e.sound(now, bodies...); err != nil {
		return nil, err
	}
	for _, body := range bodies {
		// All are asked about before the first is appended, so that none comes alone.
		if err := e.guard(record.Record{Time: max(now, e.state.Now()), Body: body}); err != nil {
			return nil, err
		}
	}
	for _, body := range bodies {
		if _, err := e.append(now, body, nil); err != nil {
			return nil, err
		}
	}
	return bodies, nil
}

// attended refuses a sale for which somebody or something is missing.
func (e *Engine) attended(now record.Time, c *counter.Sale) error {
	return staff.CheckSale(e.state, max(now, e.state.Now()), staff.SaleOf(c.Request.Terminal, c.Series, c.Player, &c.Quote.Ticket))
}
