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
		"reason_missing reference_taken remittance_account remittance_day remittance_month remittance_too_much"))
	register[ReverseRemittance](act("operator", "reverse_remittance", "reverse-remittance", "/v1/operator/remittance-reversals",
		"Ask for a payment to the State that was recorded wrongly to be taken back",
		"payment_unknown reason_missing remittance_account remittance_month"))
}

// MakeRemittance records that the operator has paid tax, or unclaimed or forfeited money, to the State.
type MakeRemittance struct {
	Account   string `json:"account" enum:"tax,treasurer,crown,approved_purposes" doc:"Account of what is owed."`
	Month     string `json:"month,omitempty" doc:"Of tax: the calendar month that it is for, such as 2026-11."`
	Cents     int64  `json:"cents"`
	Paid      string `json:"paid" of:"day" doc:"The day of the payment, such as 2026-12-07."`
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
	if b.Month, err = monthOf(c.Account, c.Month); err != nil {
		return Decision{}, err
	}
	return one(counter.Remit(s, b, e.Now))
}

// monthOf reads the month that a payment out of an account is for: tax has one.
func monthOf(account, month string) (first day.Day, err error) {
	if month == "" && account != ledger.Tax.String() {
		return day.None, nil
	}
	if first, err = day.Parse(month + "-01"); err != nil {
		return day.None, &refusal.Refusal{Code: counter.RemittanceMonth, Path: "month",
			Sentence: "A payment of tax is for a month such as 2026-11."}
	}
	return first, nil
}

// ReverseRemittance takes back what was recorded of a payment to the State.
type ReverseRemittance struct {
	Account   string `json:"account" enum:"tax,treasurer,crown,approved_purposes" doc:"Account from which the payment was recorded."`
	Month     string `json:"month,omitempty" doc:"Of tax: the calendar month that it was for, such as 2026-11."`
	Reference string `json:"reference" doc:"Of the payment, as it was recorded."`
	Reason    string `json:"reason"`
}

// Words implements Act.
func (c ReverseRemittance) Words() string {
	of := ""
	if c.Month != "" {
		of = fmt.Sprintf(" for the month %s", c.Month)
	}
	return fmt.Sprintf("Take back the payment to the State%s that was recorded out of the account %s with the reference %q: %s. It is owed again.",
		of, c.Account, c.Reference, c.Reason)
}

// Decide implements Command.
func (c ReverseRemittance) Decide(s *state.State, e *Env) (Decision, error) {
	b := record.RemittanceReversed{Series: e.Series, From: c.Account, Reference: c.Reference, Reason: c.Reason,
		By: e.By.Person}
	var err error
	if b.Month, err = monthOf(c.Account, c.Month); err != nil {
		return Decision{}, err
	}
	return one(counter.ReverseRemittance(s, b))
}
