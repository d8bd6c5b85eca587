package command

import (
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	register[RefuseSale](Row{
		Name: "refuse-sale", Refuses: "cause_unknown no_writer not_allowed terminal_unknown venue_other",
		Path: "/v1/terminals/{terminal}/refused-sales",
		Says: "Note that a sale was refused at a terminal, and why, without a word about the customer", Tag: "places",
		Who: Floor,
	}.counted())
}

// RefuseSale says that a sale was refused.
type RefuseSale struct {
	Terminal uint32 `json:"-" path:"terminal"`
	Cause    string `json:"cause" enum:"under_age,intoxicated,excluded,not_present,other" doc:"Why the sale is refused."`
}

// Decide implements Command.
func (c RefuseSale) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(counter.RefuseSale(s,
		record.SaleRefused{Terminal: c.Terminal, Cause: record.SaleCause(c.Cause), By: e.By.Person}))
}
