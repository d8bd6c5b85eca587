package game

import (
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// Taxing is the return of the tax of a month, with its postings.
type Taxing struct {
	Record   *record.TaxStated
	Postings []ledger.Posting
}

// percents is how many hundredths of a percent the whole has.
const percents = int64(rulebook.Whole)

// Taxes returns the returns of the months of a series that are over once a Keno Day has opened: of every calendar month
// from that of the Keno Day before it on. The book under which the last game was played says what the State takes. A
// month of which it says nothing is not stated.
//
//rule:tas-keno-2023 16.3
func Taxes(s *state.State, series uint8, opens day.Day) ([]Taxing, error) {
	current, ok := s.Series(series)
	if !ok || current.Day == day.None {
		return nil, nil
	}
	return taxesUntil(current, state.MonthOf(opens), opens)
}

// LastTax returns the return of the month in which a series has its last Keno Day, once that is closed.
func LastTax(s *state.State, series uint8) ([]Taxing, error) {
	current, ok := s.Series(series)
	if !ok || !current.IsOver() {
		return nil, nil
	}
	next, err := state.MonthOf(current.Day).AddMonths(1)
	if err != nil {
		return nil, err
	}
	return taxesUntil(current, next, current.Day)
}

// taxesUntil returns the returns of the months from that of the last Keno Day up to another month, which is not over.
func taxesUntil(series *state.Series, until, today day.Day) ([]Taxing, error) {
	tax, ok := series.Book.Tax()
	if !ok {
		return nil, nil
	}
	var all []Taxing
	brought := series.LossCarried()
	for month := state.MonthOf(series.Day); month < until; {
		next, err := month.AddMonths(1)
		if err != nil {
			return nil, err
		}
		stated, err := statement(&tax, series.TaxMonth(month), brought, next)
		if err != nil {
			return nil, err
		}
		stated.Record.Series, stated.Record.Day = series.ID, today
		all = append(all, stated)
		brought, month = stated.Record.CarriedCents, next
	}
	return all, nil
}

// statement works out the tax of a month. A loss that was brought forward is taken off first where the book carries
// losses; what is left below nothing is carried on.
func statement(tax *rulebook.Tax, m state.TaxMonth, brought money.Amount, next day.Day) (Taxing, error) {
	base, err := m.Staked.Sub(m.Returned)
	if err == nil && tax.Base == rulebook.TaxOnRevenue {
		base, err = base.Sub(m.Won)
	}
	if tax.Losses != rulebook.LossesCarried {
		brought = 0
	}
	taxable := base
	if err == nil {
		taxable, err = base.Sub(brought)
	}
	if err != nil {
		return Taxing{}, fmt.Errorf("game: the base of the tax of the month from %v: %w", m.Month, err)
	}
	b := &record.TaxStated{
		Month: m.Month, Days: m.Days, StakedCents: m.Staked, ReturnedCents: m.Returned, WonCents: m.Won,
		Base: tax.Base, BaseCents: base, BroughtCents: brought, Rate: uint16(tax.Rate),
		Due: next + day.Day(tax.DueDay) - 1, Payee: tax.Payee, Clause: tax.Quoted(),
	}
	switch {
	case taxable >= 0:
		if b.TaxCents, err = money.MulDiv(taxable, int64(tax.Rate), percents, tax.Mode()); err != nil {
			return Taxing{}, fmt.Errorf("game: the tax of the month from %v: %w", m.Month, err)
		}
	case tax.Losses == rulebook.LossesCarried:
		b.CarriedCents = -taxable
	}
	return Taxing{b, ledger.Merge(ledger.Debit(ledger.Operator, 0, b.TaxCents),
		ledger.Credit(ledger.Tax, 0, b.TaxCents))}, nil
}
