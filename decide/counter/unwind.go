package counter

import (
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// UnwindSession ends the session that is open at a terminal which was shut out, where nobody can
// end it any more. What tickets have brought stays in the house and is fetched at another
// terminal. Nothing is paid out. For what was sold the customer has paid the cash that is
// said; the rest is not paid for.
func UnwindSession(s *state.State, series uint8, now record.Time, terminal uint32,
	cash money.Amount) (EndedSession, error) {
	t, err := terminalOf(s, terminal)
	if err != nil {
		return EndedSession{}, err
	}
	if !s.ShutOut(terminal) {
		return EndedSession{}, refuse(NotShutOut, "", "terminal",
			"Terminal %d has its key. End the session there, or shut the terminal out first.", terminal)
	}
	c := SessionEnd{
		// Nobody at the terminal has sent it: its number is the next, so that no request of
		// the terminal is ever taken for it.
		Request: record.Request{Terminal: terminal, Number: t.Last.Number + 1}, Now: now, Series: series, Cash: cash,
	}
	e, err := beginEnding(s, c)
	switch {
	case err != nil:
		return EndedSession{}, err
	case e.owed < 0:
		return EndedSession{}, refuse(AmountWrong, "", "terminal",
			"%v are due to the customer, and nothing is paid at a terminal that was shut out.", -e.owed)
	case cash < 0 || cash > e.owed:
		return EndedSession{}, refuse(AmountWrong, "", "cents",
			"The customer owes %v, and cannot have paid %v.", e.owed, cash)
	case e.owed > 0:
		e.Unpaid = cash < e.owed
		err = e.takeCash()
	}
	if err != nil {
		return EndedSession{}, err
	}
	return e.finish(), nil
}
