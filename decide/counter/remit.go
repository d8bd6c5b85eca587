package counter

import (
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The codes of remittances to the State.
const (
	RemittanceAccount refusal.Code = "remittance_account"  // nothing of this account is remitted
	RemittanceMonth   refusal.Code = "remittance_month"    // of this month no tax is owed, or the money is no tax
	RemittanceDay     refusal.Code = "remittance_day"      // it was paid on a day that has not come, or is no day
	RemittanceTooMuch refusal.Code = "remittance_too_much" // less is owed
)

// Remit records that money which was owed to the State was paid: of tax, for one month; of money that nobody has
// fetched or that was forfeited, from its account. It is never more than what games of the series have brought there.
//
//rule:vic-keno-2015 22(b)
//rule:tas-keno-2023 13.11 14.1
//rule:casino-keno-div2 9.2 9.3
func Remit(s *state.State, b record.RemittanceMade, now record.Time) (*record.RemittanceMade, []ledger.Posting, error) {
	series, err := seriesOf(s, b.Series)
	if err != nil {
		return nil, nil, err
	}
	account, known := record.Remitted(b.From)
	if !known {
		return nil, nil, refuse(RemittanceAccount, "", "account", "Nothing is remitted from the account %q. Name one of %v.",
			b.From, record.RemittedAccounts())
	}
	if today := series.Today(now); b.Paid > today {
		return nil, nil, refuse(RemittanceDay, "", "paid", "Today is %v. Record a payment once it is made.", today)
	}
	if record.SameReference(b.Reference, "") {
		return nil, nil, refuse(ReasonMissing, "", "reference", "Give the reference of the payment.")
	}
	if was, taken := series.StatePaid(account, b.Month, b.Reference); taken {
		return nil, nil, refuse(ReferenceTaken, "", "reference",
			"A payment with the reference %q out of %s is recorded already: %v, record %v. Record a payment once.", was.Reference,
			b.From, was.Cents, was.At)
	}
	if err := checkOwed(s, &b); err != nil {
		return nil, nil, err
	}
	return &b, []ledger.Posting{ledger.Debit(account, 0, b.Cents), ledger.Credit(ledger.Bank, 0, b.Cents)}, nil
}

// checkOwed refuses a remittance of more than what is owed. The engine asks it of every record (waysOut).
func checkOwed(s *state.State, b *record.RemittanceMade) error {
	account, known := record.Remitted(b.From)
	if !known {
		return fmt.Errorf("counter: a remittance from %q", b.From)
	}
	series, ok := s.Series(b.Series)
	if !ok {
		return fmt.Errorf("counter: a remittance of series %d", b.Series)
	}
	var owed money.Amount
	of := fmt.Sprintf("on the account %s by series %d", b.From, b.Series)
	switch {
	case account != ledger.Tax && b.Month != day.None:
		return refuse(RemittanceMonth, "", "month", "Only tax is remitted for a month.")
	case account != ledger.Tax:
		owed = min(series.OwedToState(account), -s.Balances().Of(account))
	default:
		if owed = series.TaxOwed(b.Month); owed == 0 {
			return refuse(RemittanceMonth, "", "month",
				"No tax of this month is owed: it is not stated yet, or nothing is left of it. Name a month such as 2026-11.")
		}
		of = "of the tax of the month from " + b.Month.String()
	}
	if b.Cents > owed {
		return refuse(RemittanceTooMuch, "", "cents", "%v is remitted, and %v is owed %s.", b.Cents, max(owed, 0), of)
	}
	return nil
}

// ReverseRemittance takes back a payment to the State that was recorded with a wrong amount, account or reference. What
// it paid is owed again.
func ReverseRemittance(s *state.State, b record.RemittanceReversed) (
	*record.RemittanceReversed, []ledger.Posting, error) {
	series, err := seriesOf(s, b.Series)
	if err != nil {
		return nil, nil, err
	}
	account, known := record.Remitted(b.From)
	switch {
	case !known:
		return nil, nil, refuse(RemittanceAccount, "", "account", "Nothing is remitted from the account %q. Name one of %v.",
			b.From, record.RemittedAccounts())
	case (account == ledger.Tax) != (b.Month != day.None):
		return nil, nil, refuse(RemittanceMonth, "", "month", "A payment of tax, and no other, is for a month.")
	case b.Reason == "":
		return nil, nil, refuse(ReasonMissing, "", "reason", "Say why the payment is taken back.")
	}
	was, ok := series.StatePaid(account, b.Month, b.Reference)
	if !ok {
		return nil, nil, refuse(PaymentUnknown, "", "reference",
			"Of the newest %d payments of series %d to the State none out of %s has the reference %q and is not reversed.",
			state.KeptPayments, b.Series, b.From, b.Reference)
	}
	b.Of, b.Cents, b.Reference = was.At, was.Cents, was.Reference
	return &b, []ledger.Posting{ledger.Debit(ledger.Bank, 0, b.Cents), ledger.Credit(account, 0, b.Cents)}, nil
}
