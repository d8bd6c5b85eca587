package engine

import (
	"errors"
	"fmt"

	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
)

// Prospect is what an act would do if it were done now. The second person sees it before
// consenting: money that moves, prizes and papers that are swept, what becomes of plays.
type Prospect struct {
	Does    string   // the act in words
	Effects []string // what would come of it; of a correction none before its journal is read
	Refused *refusal.Refusal
}

// Foresee says what a request would do if it were done now. It changes nothing.
func (e *Engine) Foresee(now record.Time, series uint8, asked record.ApprovalRequested) (Prospect, error) {
	if _, isAct := readers[asked.Action]; !isAct {
		return Prospect{Does: asked.Says}, nil
	}
	act, err := ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return Prospect{}, err
	}
	if _, looksBack := act.(CorrectResult); looksBack && e.before == nil {
		return Prospect{Does: Words(act)}, nil
	}
	tried, err := e.attempt(now, series, act)
	p := Prospect{Does: Words(act), Effects: effects(tried)}
	if errors.Is(err, errTrial) {
		return p, nil
	}
	if !errors.As(err, &p.Refused) {
		return p, err
	}
	return p, nil
}

// attempt decides an act, does nothing, and returns the records that it would make. One that
// can be done ends with errTrial.
func (e *Engine) attempt(now record.Time, series uint8, act Act) ([]record.Record, error) {
	e.trial, e.tried = true, nil
	defer func() { e.trial, e.tried = false, nil }()
	err := act.do(e, now, series, e.state.People().NextApproval())
	return e.tried, err
}

// effects says in words what records would do.
func effects(tried []record.Record) []string {
	var all []string
	for _, r := range tried {
		if what := effect(r.Body); what != "" {
			all = append(all, what)
		}
		for _, p := range r.Postings {
			all = append(all, movement(p))
		}
	}
	return all
}

// effect says what a record would do beside its postings.
func effect(body record.Body) string {
	switch b := body.(type) {
	case *record.PrizesSwept:
		var sum money.Amount
		for _, line := range b.List {
			sum += line.Cents
		}
		return fmt.Sprintf("Unclaimed prizes of %v, of %d games, are swept to: %s (%s).", sum, len(b.List), b.To, b.Clause)
	case *record.InstrumentsExpired:
		var sum money.Amount
		for _, line := range b.List {
			sum += line.Cents
		}
		return fmt.Sprintf("Papers (%s) expire: %d of %v in all, which goes to: %s.", b.ID, len(b.List), sum, b.To)
	case *record.PrizesCarried:
		return fmt.Sprintf("The prizes of %d plays run on to the next game.", len(b.List))
	case *record.GameVoided:
		if b.Deferred {
			return fmt.Sprintf("The plays of game %v are played along with the next game of the Keno Day.", b.Game)
		}
		return fmt.Sprintf("Stakes of %v go back to the holders of tickets in game %v, and %v that ran on is due.", b.RefundCents, b.Game, b.PrizesCents)
	case *record.GameSettled:
		return fmt.Sprintf("Game %v, revision %d: %d winners, prizes of %v.", b.Game, b.Revision, b.Winners, b.PrizesCents)
	}
	return ""
}

// movement says how an account changes. What is owed to somebody is a credit, and rises by it.
func movement(p ledger.Posting) string {
	name := p.Account.String()
	if unit := p.Account.UnitName(p.Unit); unit != "" {
		name += " (" + unit + ")"
	}
	if p.Cents < 0 {
		return fmt.Sprintf("Account %s: %v credited.", name, -p.Cents)
	}
	return fmt.Sprintf("Account %s: %v debited.", name, p.Cents)
}
