package engine

import (
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// attended refuses a sale for which somebody or something is missing.
func (e *Engine) attended(now record.Time, c *counter.Sale) error {
	return staff.CheckSale(e.state, max(now, e.state.Now()),
		staff.SaleOf(c.Request.Terminal, c.Series, c.Player, &c.Quote.Ticket))
}
