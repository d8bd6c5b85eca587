package counter

import (
	"fmt"

	"drawhouse/money"
	"drawhouse/refusal"
	"drawhouse/state"
)

// The codes that several decisions share.
const (
	TerminalUnknown refusal.Code = "terminal_unknown" // there is no such terminal
	SeriesUnknown   refusal.Code = "series_unknown"   // there is no such series of games
	SessionOpen     refusal.Code = "session_open"     // a customer session is open at the terminal
	ClaimCodeOther  refusal.Code = "claim_code_other" // the claim code is not the ticket's
	NotUndelivered  refusal.Code = "not_undelivered"  // the ticket was handed over
	InSession       refusal.Code = "in_session"       // vouchers have paid for it, and go back at the end of a session
	TenderOther     refusal.Code = "tender_other"     // it does not pay for tickets here
	OverCashLimit   refusal.Code = "over_cash_limit"  // more than may be paid in cash
	MeansOther      refusal.Code = "means_other"      // the rulebook says how so much, or a claim, is paid
	AlreadyPaid     refusal.Code = "already_paid"     // all that is owed was paid
	ExpectOther     refusal.Code = "expect_other"     // it comes to something else than the terminal expects
	PaperUnknown    refusal.Code = "paper_unknown"    // there is no such paper, or it was used
	NobodyOnShift   refusal.Code = "no_writer"        // nobody has signed on at the terminal
	ReasonMissing   refusal.Code = "reason_missing"   // it needs a reason
)

func refuse(code refusal.Code, clause, path, format string, args ...any) error {
	return &refusal.Refusal{Code: code, Clause: clause, Path: path, Sentence: fmt.Sprintf(format, args...)}
}

// checkExpected refuses what comes to another amount than the terminal expects: somebody has
// told the customer that one. Nothing is said to be expected where it is nil.
func checkExpected(expect *money.Amount, comes money.Amount) error {
	if expect == nil || *expect == comes {
		return nil
	}
	return &refusal.Refusal{Code: ExpectOther, Path: "expect_cents", Sentence: fmt.Sprintf("It comes to %v, not %v.", comes, *expect), Cents: comes.Cents()}
}

// terminalOf returns a terminal, or refuses one that is not known.
func terminalOf(s *state.State, terminal uint32) (state.Terminal, error) {
	t, ok := s.Terminal(terminal)
	if !ok {
		return t, refuse(TerminalUnknown, "", "terminal", "There is no terminal %d.", terminal)
	}
	return t, nil
}

// seriesOf returns a series of games, or refuses one that is not known.
func seriesOf(s *state.State, number uint8) (*state.Series, error) {
	series, ok := s.Series(number)
	if !ok {
		return nil, refuse(SeriesUnknown, "", "series", "There is no series %d.", number)
	}
	return series, nil
}
