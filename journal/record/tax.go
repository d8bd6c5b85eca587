package record

import (
	"errors"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
)

// TaxStated is the return of the tax of a calendar month for one series of games. The house writes it with the opening
// of the first Keno Day of a later month, one for each month that has ended, and with the close of the last Keno Day of
// a series. What was staked, given back and won counts in the month of the Keno Day in which its record stands: a
// correction of an earlier month is in the month in which it is booked.
type TaxStated struct {
	_             struct{}     `cbor:",toarray"`
	Series        uint8        `is:"series"`
	Month         day.Day      `is:"day"` // the first day of the calendar month
	Day           day.Day      `is:"day"` // the Keno Day with which it is stated
	Days          uint32       // Keno Days of the month that were closed
	StakedCents   money.Amount // the stakes of games that closed
	ReturnedCents money.Amount // what went back for void games
	WonCents      money.Amount // the prizes of settled games, payable or running on, as later settlements left them
	BaseCents     money.Amount // what the rulebook taxes of these
	BroughtCents  money.Amount // the loss of earlier months that is taken off the base
	CarriedCents  money.Amount // the loss that later months take off theirs
	Base          string       `is:"base" most:"200"` // as the rulebook names it
	Rate          uint16       // in hundredths of a percent
	TaxCents      money.Amount // what is owed for the month
	Due           day.Day      `is:"day"`                          // the day on which it is due
	Payee         string       `is:"payee" most:"200" line:"true"` // to whom it is paid
	Clause        string       // of the rulebook, by which it is owed
}

func (t *TaxStated) check() error {
	switch {
	case !isMonth(t.Month) || t.Due <= t.Month:
		return errors.New("the tax of a month needs the first day of the month, and a day after it on which it is due")
	case t.BroughtCents < 0 || t.CarriedCents < 0 || t.TaxCents < 0:
		return errors.New("the tax of a month and the losses that are carried are not below nothing")
	}
	return nil
}

// isMonth reports whether a day is the first of its month.
func isMonth(d day.Day) bool {
	_, _, dom := d.Date()
	return d.IsValid() && dom == 1
}

// Remitted returns the account of what is owed to the State that a remittance may be from, by its name, and whether
// there is one: tax, unclaimed money of the Treasurer, forfeited prizes of the Crown, and prizes for approved purposes.
func Remitted(name string) (ledger.Account, bool) {
	for _, a := range RemittedAccounts() {
		if a.String() == name {
			return a, true
		}
	}
	return 0, false
}

// RemittedAccounts returns the accounts of what is owed to the State, in the order of the chart.
func RemittedAccounts() []ledger.Account {
	return []ledger.Account{ledger.Treasurer, ledger.Crown, ledger.ApprovedPurposes, ledger.Tax}
}

// RemittanceMade says that the operator has paid money that was owed to the State. Two persons say so.
type RemittanceMade struct {
	_         struct{}     `cbor:",toarray"`
	Series    uint8        `is:"series"`
	From      string       `is:"account"` // of what was owed, as the ledger names it
	Month     day.Day      // of tax: the first day of the calendar month that it is for; none of other money
	Cents     money.Amount `most:"amount"`  // what was paid
	Paid      day.Day      `is:"day"`       // on which the bank was told
	Reference string       `is:"reference"` // of the payment
	By        uint32       `is:"person"`
}

func (r *RemittanceMade) check() error {
	_, known := Remitted(r.From)
	switch {
	case !known:
		return errors.New("money of another account is remitted than of those that are owed to the State")
	case r.Cents <= 0:
		return errors.New("a remittance needs an amount")
	case (r.From == ledger.Tax.String()) != (r.Month != day.None) || r.Month != day.None && !isMonth(r.Month):
		return errors.New("a remittance of tax, and no other, is for a month")
	}
	return nil
}

// RemittanceReversed takes back what an earlier record said of a payment to the State that was not made so. Two persons
// have agreed to it. What was in fact paid is recorded anew.
type RemittanceReversed struct {
	_         struct{}     `cbor:",toarray"`
	Of        Place        `is:"record"` // the record of the payment
	Series    uint8        `is:"series"`
	From      string       `is:"account"` // of what is owed again, as the ledger names it
	Month     day.Day      // of tax: the first day of the calendar month that it was for; none of other money
	Cents     money.Amount `most:"amount"`  // what is owed again
	Reference string       `is:"reference"` // of the payment
	Reason    string       `is:"reason"`    // why it is taken back
	By        uint32       `is:"person"`
}

func (r *RemittanceReversed) check() error {
	return (&RemittanceMade{From: r.From, Month: r.Month, Cents: r.Cents}).check()
}
