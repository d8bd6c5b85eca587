package state

import (
	"cmp"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Takings are the figures of which the State takes its part: the stakes of games that closed, what went back for void
// games, and the prizes of games that were settled, payable or running on.
type Takings struct {
	Staked, Returned, Won money.Amount
}

// plus returns the sums of two.
func (t Takings) plus(u Takings) (sum Takings, err error) {
	if sum.Staked, err = t.Staked.Add(u.Staked); err != nil {
		return sum, err
	}
	if sum.Returned, err = t.Returned.Add(u.Returned); err != nil {
		return sum, err
	}
	sum.Won, err = t.Won.Add(u.Won)
	return sum, err
}

// TaxMonth is what the Keno Days of a calendar month that were closed came to.
type TaxMonth struct {
	Month day.Day // the first of the month
	Days  uint32
	Takings
}

// taxing is what a series keeps for the tax of its months.
type taxing struct {
	// running is what came since the last Keno Day was closed. It belongs to the month of the next that closes.
	running Takings
	month   TaxMonth
	carried money.Amount // the loss that the next statement takes off its base
	due     []TaxDue     // the months whose tax is not remitted in full, as they were stated
	// others is what the records of the series have brought to the other accounts of the State, less what they took.
	others []StateDue
	// paid are the newest payments to the State that were recorded, ascending by place.
	paid []StatePayment
}

// StatePayment is a payment to the State, as people have recorded it.
type StatePayment struct {
	At        record.Place
	Account   ledger.Account
	Month     day.Day // of tax
	Cents     money.Amount
	Reference string
	Reversed  bool
}

// StateDue is what the records of a series have brought to an account of the State.
type StateDue struct {
	Account ledger.Account
	Cents   money.Amount
}

// TaxDue is the tax of a month, as far as it is not remitted.
type TaxDue struct {
	Month day.Day
	Cents money.Amount
}

// MonthOf returns the first day of the month of a day.
func MonthOf(d day.Day) day.Day {
	_, _, dom := d.Date()
	return d - day.Day(dom) + 1
}

// TaxMonth returns what the closed Keno Days of a month came to: of the newest month that has any, and nothing for
// others.
func (s *Series) TaxMonth(month day.Day) TaxMonth {
	if s.taxing.month.Month == month {
		return s.taxing.month
	}
	return TaxMonth{Month: month}
}

// LossCarried returns the loss of earlier months that the next statement of tax takes off.
func (s *Series) LossCarried() money.Amount { return s.taxing.carried }

// TaxDue returns the tax of months that is not remitted in full. The caller does not change it.
func (s *Series) TaxDue() []TaxDue { return s.taxing.due }

// TaxOwed returns what is not remitted of the tax of a month.
func (s *Series) TaxOwed(month day.Day) money.Amount {
	for _, due := range s.taxing.due {
		if due.Month == month {
			return due.Cents
		}
	}
	return 0
}

// OwedToState returns what the records of a series have brought to an account of the State that is not tax, less what
// they have taken. It is below zero where an earlier build remitted money of another series.
func (s *Series) OwedToState(account ledger.Account) money.Amount {
	for _, due := range s.taxing.others {
		if due.Account == account {
			return due.Cents
		}
	}
	return 0
}

// StatePaid returns the newest payment of a series to the State from an account, and of tax for a month, by a reference
// that was not reversed.
func (s *Series) StatePaid(account ledger.Account, month day.Day, reference string) (StatePayment, bool) {
	for _, p := range slices.Backward(s.taxing.paid) {
		if !p.Reversed && p.Account == account && p.Month == month && record.SameReference(p.Reference, reference) {
			return p, true
		}
	}
	return StatePayment{}, false
}

// oweState counts what a record moves on the accounts of the State, for its series.
func (s *State) oweState(r record.Record) error {
	for _, p := range r.Postings {
		if p.Account == ledger.Tax || !slices.Contains(record.RemittedAccounts(), p.Account) {
			continue
		}
		id, _ := r.Series()
		if b, ok := r.Body.(*record.ClaimPaid); ok {
			id = s.claims.forms.get(b.Claim).Series
		}
		series, ok := s.series[id]
		if !ok {
			return cannot("%v of the State is moved for series %d, which does not exist", p.Cents, id)
		}
		t := &series.taxing
		t.others = slices.Clone(t.others)
		i := slices.IndexFunc(t.others, func(due StateDue) bool { return due.Account == p.Account })
		if i < 0 {
			i, t.others = len(t.others), append(t.others, StateDue{Account: p.Account})
		}
		sum, err := t.others[i].Cents.Sub(p.Cents)
		if err != nil {
			return err
		}
		t.others[i].Cents = sum
	}
	return nil
}

// take counts something of the day that is under way.
func (t *taxing) take(more Takings) error {
	sum, err := t.running.plus(more)
	if err == nil {
		t.running = sum
	}
	return err
}

// takeSettled counts the prizes of a settlement, and of a further one what it changes.
func (s *Series) takeSettled(game *Game, b *record.GameSettled) error {
	before := game.Settled.PrizesCents + game.Settled.CarriedCents
	return s.taxing.take(Takings{Won: b.PrizesCents + b.CarriedCents - before})
}

// closeDay adds the day to its month. A month that has not been stated by then is one that nobody taxes.
func (t *taxing) closeDay(d day.Day) error {
	month := MonthOf(d)
	if t.month.Month != month {
		t.month = TaxMonth{Month: month}
	}
	sum, err := t.month.plus(t.running)
	if err != nil {
		return err
	}
	t.month.Takings, t.running = sum, Takings{}
	t.month.Days++
	return nil
}

// stateTax takes the return of a month.
func (s *State) stateTax(b *record.TaxStated) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("tax of series %d, which does not exist", b.Series)
	}
	of, t := series.TaxMonth(b.Month), &series.taxing
	if b.Days != of.Days || (Takings{b.StakedCents, b.ReturnedCents, b.WonCents}) != of.Takings {
		return cannot("the month from %v came to %+v of %d days, and it is stated as %+v", b.Month, of.Takings, of.Days, b)
	}
	if b.BroughtCents != 0 && b.BroughtCents != t.carried {
		return cannot("a loss of %v is brought forward, and %v was carried", b.BroughtCents, t.carried)
	}
	t.carried = b.CarriedCents
	if b.TaxCents > 0 {
		t.due = append(slices.Clone(t.due), TaxDue{b.Month, b.TaxCents})
	}
	return nil
}

// remit takes what was paid off the tax of a month. Of other money the postings say it (oweState).
func (s *State) remit(b *record.RemittanceMade) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("a remittance of series %d, which does not exist", b.Series)
	}
	t := &series.taxing
	account, _ := record.Remitted(b.From)
	if b.Month != day.None {
		i := slices.IndexFunc(t.due, func(due TaxDue) bool { return due.Month == b.Month })
		if i < 0 || t.due[i].Cents < b.Cents {
			return cannot("%v of the tax of the month from %v is remitted, and %v is owed", b.Cents, b.Month,
				series.TaxOwed(b.Month))
		}
		t.due = slices.Clone(t.due)
		if t.due[i].Cents -= b.Cents; t.due[i].Cents == 0 {
			t.due = slices.Delete(t.due, i, i+1)
		}
	}
	t.paid = append(t.paid[max(0, len(t.paid)+1-KeptPayments):], StatePayment{At: s.next, Account: account,
		Month: b.Month, Cents: b.Cents, Reference: b.Reference})
	return nil
}

// reverseRemittance marks a payment to the State as one that was not made. Its tax is owed again; of other money the
// postings say it (oweState).
func (s *State) reverseRemittance(b *record.RemittanceReversed) error {
	series, ok := s.series[b.Series]
	if !ok {
		return cannot("a remittance of series %d is reversed, which does not exist", b.Series)
	}
	t := &series.taxing
	account, _ := record.Remitted(b.From)
	i := slices.IndexFunc(t.paid, func(p StatePayment) bool { return p.At == b.Of })
	if i < 0 || t.paid[i].Reversed || t.paid[i].Account != account || t.paid[i].Month != b.Month ||
		t.paid[i].Cents != b.Cents {
		return cannot("a payment of %v from %s is reversed, which record %v is not", b.Cents, b.From, b.Of)
	}
	t.paid = slices.Clone(t.paid)
	t.paid[i].Reversed = true
	if b.Month == day.None {
		return nil
	}
	t.due = slices.Clone(t.due)
	at, found := slices.BinarySearchFunc(t.due, b.Month,
		func(due TaxDue, month day.Day) int { return cmp.Compare(due.Month, month) })
	if !found {
		t.due = slices.Insert(t.due, at, TaxDue{Month: b.Month})
	}
	t.due[at].Cents += b.Cents
	return nil
}
