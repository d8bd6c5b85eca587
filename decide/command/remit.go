package command

import (
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

func init() {
	register[MakeRemittance](act("operator", "make_remittance", "make-remittance", "/v1/operator/remittances",
		"Ask for a payment to the State to be recorded, out of what is owed to it",
		"reason_missing remittance_account remittance_day remittance_month remittance_too_much"))
}

// MakeRemittance records that the operator has paid tax, or unclaimed or forfeited money, to the State.
type MakeRemittance struct {
	Account   string `json:"account" enum:"tax,treasurer,crown,approved_purposes" doc:"Account of what is owed."`
	Month     string `json:"month,omitempty" doc:"Of tax: the calendar month that it is for, such as 2026-11."`
	Cents     int64  `json:"cents"`
	Paid      string `json:"paid" doc:"The day of the payment, such as 2026-12-07."`
	Reference string `json:"reference" doc:"Of the payment, as the bank has it."`
}

// Words implements Act.
func (c MakeRemittance) Words() string {
	of := ""
	if c.Month != "" {
		of = fmt.Sprintf(" for the month %s", c.Month)
	}
	return fmt.Sprintf("Record that %v was paid to the State%s, out of what is owed on the account %s: on %s, reference %q.",
		money.Amount(c.Cents), of, c.Account, c.Paid, c.Reference)
}

// Decide implements Command.
func (c MakeRemittance) Decide(s *state.State, e *Env) (Decision, error) {
	b := record.RemittanceMade{Series: e.Series, From: c.Account, Cents: money.Amount(c.Cents), Reference: c.Reference,
		By: e.By.Person}
	var err error
	if b.Paid, err = day.Parse(c.Paid); err != nil {
		return Decision{}, &refusal.Refusal{Code: counter.RemittanceDay, Path: "paid",
			Sentence: "A payment is made on a date such as 2026-12-07."}
	}
	if c.Month != "" || c.Account == ledger.Tax.String() {
		if b.Month, err = day.Parse(c.Month + "-01"); err != nil {
			return Decision{}, &refusal.Refusal{Code: counter.RemittanceMonth, Path: "month",
				Sentence: "A payment of tax is for a month such as 2026-11."}
		}
	}
	return one(counter.Remit(s, b, e.Now))
}
