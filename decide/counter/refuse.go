package counter

import (
	"fmt"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
)

// The codes that several decisions share.
const (
	TerminalUnknown refusal.Code = "terminal_unknown" // there is no such terminal
	SeriesUnknown   refusal.Code = "series_unknown"   // there is no such series of games
	// a customer session is open at the terminal, or at one that has the ticket in it
	SessionOpen    refusal.Code = "session_open"
	ClaimCodeOther refusal.Code = "claim_code_other" // the claim code is not the ticket's
	NotUndelivered refusal.Code = "not_undelivered"  // the ticket was handed over
	InSession      refusal.Code = "in_session"       // vouchers have paid for it, and go back at the end of a session
	TenderOther    refusal.Code = "tender_other"     // it does not pay for tickets here
	OverCashLimit  refusal.Code = "over_cash_limit"  // more than may be paid in cash
	MeansOther     refusal.Code = "means_other"      // the rulebook says how so much, or a claim, is paid
	AlreadyPaid    refusal.Code = "already_paid"     // all that is owed was paid
	ExpectOther    refusal.Code = "expect_other"     // it comes to something else than the terminal expects
	PaperUnknown   refusal.Code = "paper_unknown"    // there is no such paper, or it was used
	PaperOther     refusal.Code = "paper_other"      // the paper is for games of another series
	ReasonMissing  refusal.Code = "reason_missing"   // it needs a reason
)

// ways says how money is fetched that is owed and does not leave here or now. Each stands at the
// end of the refusal's sentence, so that nobody is sent away without being told where to go.
var ways = map[refusal.Code]string{
	Frozen:        "The operator can release it.",
	Disqualified:  "A person who disagrees turns to the operator.",
	UnderClaim:    "The operator decides the form, and pays on it.",
	VenueClosed:   "Other venues of the house go on.",
	OverCashLimit: "What is over that goes by another means of the rulebook, at the end of a session.",
	HeldBack:      "Come again then.",
	NotAgreed:     "Come again when that has happened.",
	Disputed:      "The prize stays as it is, and is paid when that is settled.",
	NotExchanged:  "Go to a venue that sells tickets.",
}

// WayTo returns how money is fetched that a payment refuses with a code, or nothing for a code
// whose own sentence says so.
func WayTo(code refusal.Code) string { return ways[code] }

func refuse(code refusal.Code, clause, path, format string, args ...any) error {
	sentence := fmt.Sprintf(format, args...)
	if way := ways[code]; way != "" {
		sentence += " " + way
	}
	return &refusal.Refusal{Code: code, Clause: clause, Path: path, Sentence: sentence}
}

// checkOpen refuses an act with a tender of its own while a customer session is open at the terminal, and an act in a
// session that is about the games of another series: every series has rules of its own for what a session
// pays and takes.
func checkOpen(terminal *state.Terminal, series *state.Series, inSession bool, do string) error {
	switch {
	case terminal.Open == nil:
		return nil
	case !inSession && do == "":
		return refuse(SessionOpen, "", "terminal", "A customer session is open at terminal %d. End it first.", terminal.ID)
	case !inSession:
		return refuse(SessionOpen, "", "terminal",
			"A customer session is open at terminal %d. End it first, or %s in it.", terminal.ID, do)
	case terminal.Open.Series != series.ID:
		return refuse(SessionOpen, "", "terminal",
			"A customer session of other games is open at terminal %d. End it first.", terminal.ID)
	}
	return nil
}

// checkExpected refuses what comes to another amount than the terminal expects: somebody has
// told the customer that one. Nothing is said to be expected where it is nil.
func checkExpected(expect *money.Amount, comes money.Amount) error {
	if expect == nil || *expect == comes {
		return nil
	}
	return &refusal.Refusal{Code: ExpectOther, Path: "expect_cents",
		Sentence: fmt.Sprintf("It comes to %v, not %v.", comes, *expect), Cents: comes.Cents()}
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
