package verify

import (
	"fmt"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// taxed is what a series has come to for the State. A month is counted from the year 0 on: twelve a year.
type taxed struct {
	since  takings // what came since the last close of a day
	month  int     // of the days that were closed last; 0 before the first
	days   uint32
	closed takings
	lost   money.Amount         // what the next return takes off
	unpaid map[int]money.Amount // tax of months that was stated and not remitted
	due    []int                // months that must be returned before anything else
	paid   []statePayment       // the newest payments to the State, as people have recorded them
}

// statePayment is a payment to the State.
type statePayment struct {
	at        uint64
	account   ledger.Account
	month     day.Day
	cents     money.Amount
	reference string
	reversed  bool
}

// takings are the stakes of closed games, what went back for void games, and prizes won.
type takings struct{ staked, back, won money.Amount }

// add adds to each figure and reports whether the sums can be written.
func (t *takings) add(u takings) bool {
	staked, err := t.staked.Add(u.staked)
	back, also := t.back.Add(u.back)
	won, too := t.won.Add(u.won)
	t.staked, t.back, t.won = staked, back, won
	return err == nil && also == nil && too == nil
}

// monthOf counts the month of a day.
func monthOf(d day.Day) int {
	year, month, _ := d.Date()
	return year*12 + month - 1
}

// monthDay returns a day of a month; none for a month that has no such day.
func monthDay(month, dom int) day.Day {
	d, err := day.Of(month/12, month%12+1, dom)
	if err != nil {
		return day.None
	}
	return d
}

// takeIn counts what a record brings or takes from the takings of its series. It was checked before.
func (c *checker) takeIn(body record.Body) error {
	var of record.Game
	var more takings
	switch b := body.(type) {
	case *record.GameClosed:
		of, more.staked = b.Game, b.StakesCents
	case *record.GameVoided:
		of, more.back = b.Game, b.RefundCents+b.PrizesCents+b.CarriedCents
	case *record.GameSettled:
		g := c.series[b.Game.Series].byName[b.Game]
		won := b.PrizesCents + b.CarriedCents
		of, more.won = b.Game, won-g.wonSoFar
		g.wonSoFar = won
	default:
		return nil
	}
	if !c.series[of.Series].tax.since.add(more) {
		return fault(CheckLedger, "the takings of series %d since the last close of a day cannot be added up", of.Series)
	}
	return nil
}

// taxDay adds a day that closes to its month. With the last day of a series its month is to be returned.
func (s *series) taxDay() error {
	t := &s.tax
	if month := monthOf(s.day); t.month != month {
		t.month, t.days, t.closed = month, 0, takings{}
	}
	t.days++
	if !t.closed.add(t.since) {
		return fmt.Errorf("the takings of the month of %v cannot be added up", s.day)
	}
	t.since = takings{}
	if s.end != nil && s.day >= s.end.day {
		s.returnUpTo(t.month + 1)
	}
	return nil
}

// returnUpTo notes the months that are over and must be returned, where the rules of the newest game tax them.
func (s *series) returnUpTo(next int) {
	if _, has := s.rulesNow().book.Tax(); !has || s.day == day.None {
		return
	}
	for month := monthOf(s.day); month < next; month++ {
		s.tax.due = append(s.tax.due, month)
	}
}

// checkReturned checks that the tax of months which are over is stated before anything else happens.
func (c *checker) checkReturned(body record.Body) error {
	for _, s := range c.opened {
		if len(s.tax.due) == 0 {
			continue
		}
		if b, ok := body.(*record.TaxStated); !ok || b.Series != s.id {
			return fault(CheckLedger, "the tax of series %d for the month from %v is due to be stated, and this is no return of it",
				s.id, monthDay(s.tax.due[0], 1))
		}
	}
	return nil
}

// taxStated works out the return of a month from its records, in its own way.
func (c *checker) taxStated(b *record.TaxStated) (postings, error) {
	s := c.series[b.Series]
	if s == nil || len(s.tax.due) == 0 || b.Month != monthDay(s.tax.due[0], 1) {
		return nil, fault(CheckLedger, "the tax of the month from %v is stated, and it is not due", b.Month)
	}
	law, _ := s.rulesNow().book.Tax()
	month := s.tax.due[0]
	want := record.TaxStated{
		Series: b.Series, Month: b.Month, Day: s.day, Base: law.Base, Rate: uint16(law.Rate), Payee: law.Payee,
		Due: monthDay(month+1, law.DueDay), Clause: law.Quoted(),
	}
	if month == s.tax.month {
		want.Days = s.tax.days
		want.StakedCents, want.ReturnedCents, want.WonCents = s.tax.closed.staked, s.tax.closed.back, s.tax.closed.won
	}
	figures := []money.Amount{want.StakedCents, -want.ReturnedCents}
	if law.Base == "net_revenue" {
		figures = append(figures, -want.WonCents)
	}
	if law.Losses == "carried" {
		want.BroughtCents = s.tax.lost
	}
	base, err := money.Sum(figures...)
	left, over := base.Sub(want.BroughtCents)
	if err != nil || over != nil {
		return nil, fault(CheckLedger, "the base of the tax of the month from %v cannot be added up", b.Month)
	}
	if want.BaseCents = base; left >= 0 {
		want.TaxCents = partOf(left, law)
	} else if law.Losses == "carried" {
		want.CarriedCents = -left
	}
	if *b != want {
		return nil, fault(CheckLedger, "%v", differs("tax", *b, want,
			"it states the tax as %v, and %v is right", *b, want))
	}
	s.tax.lost, s.tax.due = want.CarriedCents, slices.Delete(s.tax.due, 0, 1)
	if s.tax.unpaid == nil {
		s.tax.unpaid = map[int]money.Amount{}
	}
	s.tax.unpaid[month] += want.TaxCents
	return postings{ledger.Debit(ledger.Operator, 0, want.TaxCents), ledger.Credit(ledger.Tax, 0, want.TaxCents)}, nil
}

// partOf returns the tax of a base that is not below nothing: whole cents, and of what is left of a cent as the law
// rounds it.
func partOf(base money.Amount, law rulebook.Tax) money.Amount {
	const whole = 100_00
	rate := money.Amount(law.Rate)
	rest := base % whole * rate
	cents, rest := base/whole*rate+rest/whole, rest%whole
	switch law.Rounding {
	case "ceil":
		if rest > 0 {
			cents++
		}
	case "half-up":
		if 2*rest >= whole {
			cents++
		}
	case "half-even":
		if 2*rest > whole || 2*rest == whole && cents%2 == 1 {
			cents++
		}
	}
	return cents
}

// remittable are the accounts of money of the State, as remittances name them.
var remittable = map[string]ledger.Account{
	"treasurer": ledger.Treasurer, "crown": ledger.Crown, "approved_purposes": ledger.ApprovedPurposes, "tax": ledger.Tax,
}

// remittanceMade checks that no more is paid to the State than is owed.
func (c *checker) remittanceMade(b *record.RemittanceMade) (postings, error) {
	s := c.series[b.Series]
	account, known := remittable[b.From]
	switch {
	case s == nil || !known:
		return nil, fault(CheckPayments, "a remittance of series %d is from the account %q", b.Series, b.From)
	case b.Paid > s.today(c.now):
		return nil, fault(CheckPayments, "a remittance was made on %v, which has not come", b.Paid)
	case (b.Month == day.None) == (account == ledger.Tax):
		return nil, fault(CheckPayments, "a remittance from %s is for the month from %v", b.From, b.Month)
	}
	owed := -c.books.of(account)
	if account == ledger.Tax {
		owed = s.tax.unpaid[monthOf(b.Month)]
	}
	if b.Cents <= 0 || b.Cents > owed {
		return nil, fault(CheckPayments, "%v is remitted from %s, and %v is owed", b.Cents, b.From, owed)
	}
	if err := c.newer(c.checkRemittedOf(b, account)); err != nil {
		return nil, err
	}
	for _, p := range s.tax.paid {
		if !p.reversed && p.account == account && p.month == b.Month && sameReference(p.reference, b.Reference) {
			if err := c.newer(fault(CheckPayments, "a remittance from %s has the reference %q, by which record %v has one", b.From,
				b.Reference, placeOf(p.at))); err != nil {
				return nil, err
			}
			break
		}
	}
	s.tax.paid = append(s.tax.paid, statePayment{at: c.here(), account: account, month: b.Month, cents: b.Cents,
		reference: b.Reference})
	s.tax.paid = s.tax.paid[max(0, len(s.tax.paid)-mostPayments):]
	if account == ledger.Tax {
		s.tax.unpaid[monthOf(b.Month)] = owed - b.Cents
	}
	return postings{ledger.Debit(account, 0, b.Cents), ledger.Credit(ledger.Bank, 0, b.Cents)}, nil
}

// remittanceReversed checks that a payment to the State which is taken back was recorded so, and is taken back once.
func (c *checker) remittanceReversed(b *record.RemittanceReversed) (postings, error) {
	s := c.series[b.Series]
	account, known := remittable[b.From]
	if s == nil || !known {
		return nil, fault(CheckPayments, "a remittance of series %d from the account %q is reversed", b.Series, b.From)
	}
	at := flat(b.Of)
	i := slices.IndexFunc(s.tax.paid, func(p statePayment) bool { return p.at == at })
	if i < 0 || s.tax.paid[i] != (statePayment{at: at, account: account, month: b.Month, cents: b.Cents,
		reference: b.Reference}) {
		return nil, fault(CheckPayments, "a remittance of %v from %s with the reference %q is reversed, which record %v is not",
			b.Cents, b.From, b.Reference, b.Of)
	}
	s.tax.paid[i].reversed = true
	if account == ledger.Tax {
		s.tax.unpaid[monthOf(b.Month)] += b.Cents
	}
	return postings{ledger.Credit(account, 0, b.Cents), ledger.Debit(ledger.Bank, 0, b.Cents)}, nil
}

// checkRemittedOf checks that money which is no tax came to its account by records of the series that remits it.
func (c *checker) checkRemittedOf(b *record.RemittanceMade, account ledger.Account) error {
	var own money.Amount
	for key, both := range c.apart.now.moved {
		if key.account() == account && key.series() == b.Series {
			own += both.credits - both.debits
		}
	}
	if account == ledger.Tax || b.Cents <= own {
		return nil
	}
	return fault(CheckPayments, "%v is remitted from %s for series %d, which has %v there", b.Cents, b.From, b.Series, own)
}

// agreedReversal reports whether two persons agreed to take a remittance back.
func agreedReversal(_ *checker, b *record.RemittanceReversed, a *approval) bool {
	of := ""
	if b.Month != day.None {
		of = b.Month.String()[:len("2006-01")]
	}
	return a.says.Account == b.From && a.says.Month == of && sameReference(a.says.Reference, b.Reference) &&
		a.says.Reason == b.Reason && a.by == b.By
}

// agreedRemittance reports whether two persons agreed on a remittance.
func agreedRemittance(_ *checker, b *record.RemittanceMade, a *approval) bool {
	month := ""
	if b.Month != day.None {
		month = b.Month.String()[:len("2006-01")]
	}
	return a.says.Account == b.From && a.says.Month == month && money.Amount(a.says.Cents) == b.Cents &&
		a.says.Paid == b.Paid.String() && a.says.Reference == b.Reference && a.by == b.By
}
