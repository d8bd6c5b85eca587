package command

import (
	"fmt"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// This file has the money between the operator and its venues.

func init() {
	register[AgreeVenue](act("operator", "agree_venue", "agree-venue", "/v1/operator/agreements",
		"Ask for an agreement with a venue about its money", "agreement_wrong mandate_wrong venue_unknown"))
	register[CarryCash](act("operator", "carry_cash", "carry-cash", "/v1/operator/cash",
		"Ask for cash that came into the safe of a venue, or left it, to be taken in; a senior of the venue consents",
		"amount_wrong no_agreement persons_missing reason_missing reference_taken safe_short venue_unknown"))
	register[ReceiveRemittance](act("operator", "receive_remittance", "receive-remittance", "/v1/operator/venue-remittances",
		"Ask for money that a venue has paid into the bank to be taken in",
		"amount_wrong no_agreement reason_missing reference_taken venue_unknown"))
	register[PayVenue](act("operator", "pay_venue", "pay-venue", "/v1/operator/venue-payments",
		"Ask for a payment to a venue to be recorded, of what the operator owes it",
		"amount_wrong no_agreement paid_too_much reason_missing reference_taken venue_unknown"))
	register[ReverseVenuePayment](act("operator", "reverse_venue_payment", "reverse-venue-payment",
		"/v1/operator/venue-payment-reversals", "Ask for a payment of a venue, or to it, that was recorded wrongly to be taken back",
		"no_agreement payment_unknown reason_missing venue_unknown"))
	register[WithdrawDebits](act("operator", "withdraw_debits", "withdraw-debits", "/v1/operator/debit-withdrawals",
		"Ask for a file of direct debits to be taken back, as far as the bank has not answered",
		"debit_unknown file_answered reason_missing"))
	register[NameCreditor](act("operator", "name_creditor", "name-creditor", "/v1/operator/creditor",
		"Ask for the account to which direct debits are paid to be named", "mandate_wrong"))
	register[OrderDebits](act("operator", "order_debits", "order-debits", "/v1/operator/debits",
		"Ask for a file of direct debits for all statements that are due", "collect_day creditor_missing nothing_due"))
	register[TakeInAnswer](act("operator", record.ActionAnswer, "take-in-answer", "/v1/operator/debit-answers",
		"Ask for the answer of the bank about direct debits to be taken in",
		"amount_wrong answer_faulty debit_answered debit_unknown file_answered reason_missing").said(BankAnswer{}))
}

// AgreeVenue takes in an agreement with a venue.
type AgreeVenue struct {
	Venue      uint32 `json:"venue" of:"venue"`
	FromDay    string `json:"from_day" of:"day" doc:"A date that has not opened. A change holds from the first statement that begins on it or later."`
	SalesRate  uint16 `json:"sales_rate" doc:"Commission on tickets sold less tickets given back, in basis points: 700 is 7 percent."`
	PrizesRate uint16 `json:"prizes_rate" doc:"Commission on prizes paid, in basis points."`
	FeesRate   uint16 `json:"fees_rate,omitempty" doc:"Commission on fees of bingo less fees paid back, in basis points."`
	LeastCents int64  `json:"least_cents" doc:"The least commission of a statement."`
	TaxRate    uint16 `json:"tax_rate,omitempty" doc:"Tax on the commission, such as GST or VAT, in basis points. The venue charges the tax on top of the commission."`
	// The names are those of package money.
	TaxRounding string `json:"tax_rounding,omitempty" enum:"floor,ceil,half-up,half-even" doc:"How the tax of a statement is rounded to a whole cent. Left out where there is no tax."`
	FloorCents  int64  `json:"floor_cents,omitempty" doc:"What the venue pays at least for a statement: takings less commission and tax are made up to this amount. Left out for no such payment."`
	WeekEnds    uint8  `json:"week_ends" doc:"Weekday of the last day of a statement: 0 is Sunday, 6 Saturday."`
	DaysToPay   uint8  `json:"days_to_pay" doc:"From the last day of a statement to the last day on which it is paid in time."`
	Stops       bool   `json:"stops" doc:"Nothing is sold at the venue while a payment is missed."`
	Mandate     string `json:"mandate,omitempty" doc:"Reference of the mandate by which the operator collects. Left out where the venue pays by itself."`
	Account     string `json:"account,omitempty" doc:"Of the venue: an IBAN, or the digits of another account."`
	Signed      string `json:"signed,omitempty" of:"day" doc:"Date on which the mandate was signed."`
}

// weekdays are the names of the days of a week, from Sunday.
var weekdays = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

// Words implements Act.
func (c AgreeVenue) Words() string {
	week := fmt.Sprintf("weekday %d", c.WeekEnds)
	if int(c.WeekEnds) < len(weekdays) {
		week = weekdays[c.WeekEnds]
	}
	words := fmt.Sprintf("From %s venue %d has a commission of %s percent of tickets sold and %s percent of prizes paid, "+
		"and at least %v for each statement. Its statements end on %s and are paid within %d days.", c.FromDay, c.Venue,
		percent(c.SalesRate), percent(c.PrizesRate), money.Amount(c.LeastCents), week, c.DaysToPay)
	if c.FeesRate != 0 {
		words += fmt.Sprintf(" Commission on fees of bingo is %s percent.", percent(c.FeesRate))
	}
	if c.TaxRate != 0 || c.TaxRounding != "" {
		words += fmt.Sprintf(" The tax on the commission is %s percent, rounded by %s.", percent(c.TaxRate), c.TaxRounding)
	}
	if c.FloorCents != 0 {
		words += fmt.Sprintf(" The venue pays at least %v for each statement.", money.Amount(c.FloorCents))
	}
	if c.Stops {
		words += " Nothing is sold there while a payment is missed."
	}
	if c.Mandate != "" || c.Account != "" || c.Signed != "" {
		words += fmt.Sprintf(" The operator collects from account %s by mandate %s, signed on %s.", c.Account, c.Mandate,
			c.Signed)
	}
	return words
}

// percent writes basis points as a percentage.
func percent(rate uint16) string { return fmt.Sprintf("%d.%02d", rate/100, rate%100) }

// Decide implements Command.
func (c AgreeVenue) Decide(s *state.State, e *Env) (Decision, error) {
	from, err := day.Parse(c.FromDay)
	if err != nil {
		return Decision{}, wrong("from_day", "be a date such as 2026-12-25")
	}
	signed := day.None
	if c.Signed != "" {
		if signed, err = day.Parse(c.Signed); err != nil {
			return Decision{}, wrong("signed", "be a date such as 2026-12-25")
		}
	}
	return plain(counter.AgreeVenue(s, record.VenueAgreed{Venue: c.Venue, From: from, SalesRate: c.SalesRate,
		PrizesRate: c.PrizesRate, FeesRate: c.FeesRate, LeastCents: money.Amount(c.LeastCents), TaxRate: c.TaxRate,
		TaxRounding: c.TaxRounding, FloorCents: money.Amount(c.FloorCents), WeekEnds: c.WeekEnds, DaysToPay: c.DaysToPay,
		Stops: c.Stops, Mandate: c.Mandate, Account: c.Account, Signed: signed, By: e.By.Person}))
}

// CarryCash takes in cash that came into the safe of a venue or left it.
type CarryCash struct {
	Venue     uint32 `json:"venue" of:"venue"`
	Move      string `json:"move" enum:"brought,taken,banked" doc:"The venue brought its own cash, took its own cash, or banked cash for its account with the operator."`
	Cents     int64  `json:"cents"`
	Reference string `json:"reference" doc:"Of the slip."`
}

// Words implements Act.
func (c CarryCash) Words() string {
	does := map[string]string{
		"brought": "Venue %d brings %v of its own into its safe (slip %s).",
		"taken":   "Venue %d takes %v of its own out of its safe (slip %s).",
		"banked":  "Venue %d pays %v from its safe into the bank of the operator, for its account (slip %s).",
	}[c.Move]
	if does == "" {
		return fmt.Sprintf("Move %v at the safe of venue %d: %s (slip %s).", money.Amount(c.Cents), c.Venue, c.Move,
			c.Reference)
	}
	return fmt.Sprintf(does, c.Venue, money.Amount(c.Cents), c.Reference)
}

// Decide implements Command.
func (c CarryCash) Decide(s *state.State, e *Env) (Decision, error) {
	return one(counter.CarryCash(s, record.CashCarried{Venue: c.Venue, Move: record.CashMove(c.Move),
		Cents: money.Amount(c.Cents), Reference: c.Reference, By: e.By.Person, With: e.With}))
}

// ReceiveRemittance takes in money that a venue has paid into the bank of the operator.
type ReceiveRemittance struct {
	Venue     uint32 `json:"venue" of:"venue"`
	Cents     int64  `json:"cents"`
	Reference string `json:"reference" doc:"Of the bank."`
}

// Words implements Act.
func (c ReceiveRemittance) Words() string {
	return fmt.Sprintf("Take in that venue %d has paid %v into the bank of the operator (%s). It pays its oldest statement.",
		c.Venue, money.Amount(c.Cents), c.Reference)
}

// Decide implements Command.
func (c ReceiveRemittance) Decide(s *state.State, e *Env) (Decision, error) {
	return one(counter.ReceiveRemittance(s, record.RemittanceReceived{Venue: c.Venue, Cents: money.Amount(c.Cents),
		Reference: c.Reference, By: e.By.Person}))
}

// PayVenue records a payment of the operator to a venue.
type PayVenue struct {
	Venue     uint32 `json:"venue" of:"venue"`
	Cents     int64  `json:"cents"`
	Reference string `json:"reference" doc:"Of the bank."`
}

// Words implements Act.
func (c PayVenue) Words() string {
	return fmt.Sprintf("Record that the operator has paid venue %d %v of what it owes the venue (%s).", c.Venue,
		money.Amount(c.Cents), c.Reference)
}

// Decide implements Command.
func (c PayVenue) Decide(s *state.State, e *Env) (Decision, error) {
	return one(counter.PayVenue(s, record.VenuePaid{Venue: c.Venue, Cents: money.Amount(c.Cents), Reference: c.Reference,
		By: e.By.Person}))
}

// ReverseVenuePayment takes back what was recorded of a payment of a venue, or to it.
type ReverseVenuePayment struct {
	Venue     uint32 `json:"venue" of:"venue"`
	Reference string `json:"reference" doc:"Of the bank, as it was recorded."`
	Reason    string `json:"reason"`
}

// Words implements Act.
func (c ReverseVenuePayment) Words() string {
	return fmt.Sprintf("Take back the payment of the bank that was recorded for venue %d with the reference %q: %s. It counts as not made.",
		c.Venue, c.Reference, c.Reason)
}

// Decide implements Command.
func (c ReverseVenuePayment) Decide(s *state.State, e *Env) (Decision, error) {
	return one(counter.ReverseVenuePayment(s, record.VenuePaymentReversed{Venue: c.Venue, Reference: c.Reference,
		Reason: c.Reason, By: e.By.Person}))
}

// WithdrawDebits takes a file of direct debits back.
type WithdrawDebits struct {
	File   uint32 `json:"file" doc:"Number of the file of direct debits."`
	Reason string `json:"reason"`
}

// Words implements Act.
func (c WithdrawDebits) Words() string {
	return fmt.Sprintf("Take file %d of direct debits back: %s. What the bank has not answered is owed as if it had not been ordered. "+
		"See to it that the bank does not collect.", c.File, c.Reason)
}

// Decide implements Command.
func (c WithdrawDebits) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(counter.WithdrawDebits(s, record.DebitsWithdrawn{File: c.File, Reason: c.Reason, By: e.By.Person}))
}

// NameCreditor says to whom direct debits are paid.
type NameCreditor struct {
	Name     string `json:"name" doc:"Of the firm, as its bank knows it."`
	Account  string `json:"account" doc:"An IBAN, or the digits of another account."`
	Creditor string `json:"creditor" doc:"Identifier of the creditor, given by its bank."`
	Scheme   string `json:"scheme,omitempty" doc:"Of SEPA, such as CORE or B2B. Left out elsewhere."`
}

// Words implements Act.
func (c NameCreditor) Words() string {
	return fmt.Sprintf("Have direct debits paid to %s, account %s, creditor %s, scheme %q.", c.Name, c.Account, c.Creditor,
		c.Scheme)
}

// Decide implements Command.
func (c NameCreditor) Decide(_ *state.State, e *Env) (Decision, error) {
	return plain(counter.NameCreditor(record.CreditorNamed{Name: c.Name, Account: c.Account, Creditor: c.Creditor,
		Scheme: c.Scheme, By: e.By.Person}))
}

// OrderDebits makes a file of direct debits.
type OrderDebits struct {
	Collect string `json:"collect" of:"day" doc:"The date on which the bank collects: the next day at the earliest, 14 days ahead at most."`
}

// Words implements Act.
func (c OrderDebits) Words() string {
	return fmt.Sprintf("Make a file of direct debits for all statements that are not paid, to be collected on %s.", c.Collect)
}

// Decide implements Command.
func (c OrderDebits) Decide(s *state.State, e *Env) (Decision, error) {
	collect, err := day.Parse(c.Collect)
	if err != nil {
		return Decision{}, wrong("collect", "be a date such as 2026-12-25")
	}
	series, err := seriesOf(s, e.Series)
	if err != nil {
		return Decision{}, err
	}
	return plain(counter.OrderDebits(s, series.Book.Currency(), series.Today(e.Now), collect, e.By.Person))
}

// BankAnswer is the body with which the answer of a bank is to be taken in.
type BankAnswer struct {
	Text FileText `json:"text" of:"bank-file" doc:"The whole file of the bank: pain.002.001 or camt.054.001."`
}

// TakeInAnswer takes in the answer of the bank about direct debits.
type TakeInAnswer struct {
	Answers []DebitAnswer `json:"answers"`
	// File and Reason are of a file that the bank rejects as a whole: then there are no answers.
	File   uint32   `json:"file,omitempty" doc:"Number of a file that the bank rejects as a whole."`
	Reason string   `json:"reason,omitempty" doc:"Why, such as AM05."`
	Others []string `json:"others,omitempty" doc:"Ids in the file that are not of this house. Nothing is done about them."`
}

// DebitAnswer is what a bank says of one direct debit.
type DebitAnswer struct {
	File      uint32 `json:"file" doc:"Number of the file of direct debits."`
	Venue     uint32 `json:"venue" of:"venue"`
	Statement uint32 `json:"statement" doc:"Number of the statement."`
	Paid      bool   `json:"paid" doc:"It was paid. Otherwise it was returned."`
	Cents     int64  `json:"cents,omitempty" doc:"What the bank says was collected. Left out for the whole debit."`
	Code      string `json:"code,omitempty" doc:"Why it was returned, such as AM04."`
	Bank      string `json:"bank,omitempty" doc:"The reference of the bank for what it booked or returned."`
}

// Words implements Act.
func (c TakeInAnswer) Words() string {
	var words strings.Builder
	words.WriteString("Take in what the bank says of direct debits.")
	for _, a := range c.Answers {
		fmt.Fprintf(&words, " The debit of statement %d of venue %d (file %d", a.Statement, a.Venue, a.File)
		if a.Bank != "" {
			fmt.Fprintf(&words, ", bank %q", a.Bank)
		}
		words.WriteString(")")
		if a.Cents != 0 {
			fmt.Fprintf(&words, " of %v", money.Amount(a.Cents))
		}
		if a.Paid {
			words.WriteString(" was paid.")
		} else {
			fmt.Fprintf(&words, " was returned (%s).", a.Code)
		}
	}
	if c.File != 0 || c.Reason != "" {
		fmt.Fprintf(&words, " The bank rejects the whole file %d (%s): its debits are withdrawn, and can be ordered again.", c.File,
			c.Reason)
	}
	if len(c.Others) > 0 {
		fmt.Fprintf(&words, " Nothing is done about what is not of this house: %s.", strings.Join(c.Others, ", "))
	}
	return words.String()
}

// Decide implements Command.
func (c TakeInAnswer) Decide(s *state.State, e *Env) (Decision, error) {
	if c.File != 0 {
		if len(c.Answers) > 0 {
			return Decision{}, wrong("answers", "be left out where the bank rejects the whole file")
		}
		return plain(counter.WithdrawDebits(s, record.DebitsWithdrawn{File: c.File, Reason: c.Reason, By: e.By.Person}))
	}
	if c.Reason != "" {
		return Decision{}, wrong("reason", "be left out where no whole file is rejected")
	}
	answers := make([]record.DebitAnswered, len(c.Answers))
	for i, a := range c.Answers {
		if a.Paid && a.Code != "" || a.Cents < 0 {
			return Decision{}, wrong(fmt.Sprintf("answers[%d]", i), "have no reason of a return where it was paid, and no negative amount")
		}
		answers[i] = record.DebitAnswered{File: a.File, Venue: a.Venue, Statement: a.Statement, Paid: a.Paid,
			Cents: money.Amount(a.Cents), Code: a.Code, Bank: a.Bank}
	}
	taken, err := counter.AnswerDebits(s, answers, c.Others, e.By.Person)
	var all Decision
	for _, x := range taken {
		all.Facts = append(all.Facts, Fact{x.Record, x.Postings})
	}
	return all, err
}
