package engine

import (
	"errors"
	"fmt"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// Ask asks another person to consent to an act and returns the number of the request. What could
// not be done now is not asked for.
func (e *Engine) Ask(now record.Time, env command.Env, act command.Act) (uint32, error) {
	if err := command.CheckSaid(act); err != nil {
		return 0, err
	}
	_, err := e.try(now, act, env)
	refused, isRefused := errors.AsType[*refusal.Refusal](err)
	switch {
	case isRefused && !command.Passes(refused, e.state, &env, act):
		return 0, refused
	case err != nil && !isRefused:
		// What the record's own check refuses is a value that no record may have.
		return 0, &refusal.Refusal{Code: command.ActMalformed,
			Sentence: fmt.Sprintf("No record can say this: %v.", err)}
	}
	if err := command.CheckChoices(act); err != nil {
		return 0, err
	}
	action, says := command.ActionOf(act), command.Say(act)
	made, err := e.Do(now, command.Change{Command: staff.Request{
		By: env.By.Person, Action: action, Content: staff.ContentIn(env.Series, action, says), Says: string(says),
		Series: env.Series,
	}}, command.Env{Key: env.Key})
	return staff.RequestNumber(made), err
}

// try decides an act, does nothing, and returns the records that it would make.
func (e *Engine) try(now record.Time, act command.Act, env command.Env) (tried []record.Record, err error) {
	e.equip(now, &env)
	env.With, env.Approval = 0, e.state.People().NextApproval()
	decision, err := act.Decide(e.state, &env)
	for err == nil {
		for _, fact := range decision.Facts {
			r := record.Record{Time: env.Now, Postings: fact.Postings, Body: fact.Body}
			if err := e.ask(r); err != nil {
				return tried, err
			}
			tried = append(tried, r)
		}
		if decision.Then == nil {
			return tried, nil
		}
		decision, err = decision.Then(e.state, &env)
	}
	return tried, err
}

// Operate does what a request says, once another person has consented.
func (e *Engine) Operate(now record.Time, env command.Env, approval uint32) (command.Act, error) {
	asked, ok := e.state.People().Approval(approval)
	if !ok || asked.Says == "" {
		return nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval",
			Sentence: fmt.Sprintf("There is no request %d of the operator.", approval)}
	}
	if !command.IsAct(asked.Action) {
		return nil, &refusal.Refusal{Code: staff.ApprovalUnknown, Path: "approval",
			Sentence: fmt.Sprintf("Request %d is used where it was asked for.", approval)}
	}
	act, err := command.ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return nil, err
	}
	used, err := staff.UseApproval(e.state, max(now, e.state.Now()), staff.Use{
		By: env.By.Person, Approval: approval, Action: asked.Action,
		Content: staff.ContentIn(env.Series, asked.Action, []byte(asked.Says)),
	})
	if err != nil {
		return nil, err
	}
	if there, ok := act.(command.There); ok {
		return nil, &refusal.Refusal{Code: command.IssuedThere, Path: "approval",
			Sentence: there.Where() + ", with this approval."}
	}
	env.With, env.Approval = asked.Decider, approval
	_, err = e.doAfter(now, used, act, env)
	return act, err
}

// Prospect is what an act would do if it were done now. The second person sees it before
// consenting: money that moves, prizes and papers that are swept, what becomes of plays.
type Prospect struct {
	Does    string   // the act in words
	Effects []string // what would come of it; none of a correction for which the journal was not read
	Refused *refusal.Refusal
}

// Foresee says what a request would do if it were done now. It changes nothing.
func (e *Engine) Foresee(now record.Time, env command.Env, asked record.ApprovalRequested) (Prospect, error) {
	if asked.Action == staff.ActionCage {
		return e.foreseeCage(env.Series, asked)
	}
	if !command.IsAct(asked.Action) {
		return Prospect{Does: asked.Says}, nil
	}
	act, err := command.ReadAct(asked.Action, []byte(asked.Says))
	if err != nil {
		return Prospect{}, err
	}
	if _, looksBack := act.(command.CorrectResult); looksBack && env.Before == nil {
		return Prospect{Does: act.Words()}, nil
	}
	env.By.Person = asked.By
	tried, err := e.try(now, act, env)
	p := Prospect{Does: act.Words(), Effects: effects(tried)}
	if err != nil && !errors.As(err, &p.Refused) {
		return p, err
	}
	return p, nil
}

// effects says in words what records would do.
func effects(tried []record.Record) []string {
	var all []string
	for _, r := range tried {
		if what := effect(r.Body); what != "" {
			all = append(all, what)
		}
		if b, ok := r.Body.(*record.DebitsOrdered); ok {
			all = append(all, debits(b)...)
		}
		for _, p := range r.Postings {
			all = append(all, movement(p))
		}
	}
	return all
}

// mostDebitLines is how many direct debits of a file a request lists. The file itself has all of them.
const mostDebitLines = 40

// debits says what a file of direct debits would collect: in all, and of each venue.
func debits(b *record.DebitsOrdered) []string {
	var sum money.Amount
	var lines []string
	for i := range b.Debits {
		d := &b.Debits[i]
		sum += d.Cents
		if i < mostDebitLines {
			lines = append(lines, fmt.Sprintf("%v of venue %d, %s, for statement %d, from account %s.", d.Cents, d.Venue, d.Name,
				d.Statement, d.Account))
		}
	}
	if more := len(b.Debits) - mostDebitLines; more > 0 {
		lines = append(lines, fmt.Sprintf("And %d more direct debits.", more))
	}
	return append([]string{fmt.Sprintf("File %d collects %v in all, by %d direct debits, on %v, to account %s.", b.File, sum,
		len(b.Debits), b.Collect, b.Account)}, lines...)
}

// effect says what a record would do beside its postings.
func effect(body record.Body) string {
	switch b := body.(type) {
	case *record.PrizesSwept:
		var sum money.Amount
		for _, line := range b.List {
			sum += line.Cents
		}
		return fmt.Sprintf("Unclaimed prizes of %v, of %d games, are swept to: %s (%s).", sum, len(b.List), b.To,
			b.Clause)
	case *record.TicketsLapsed:
		return fmt.Sprintf("%d tickets of another system, on which %v is owed, lapse to: %s (%s).", b.Tickets, b.Cents, b.To,
			b.Clause)
	case *record.TaxStated:
		return fmt.Sprintf("The tax of the month from %v is stated: %v, due on %v. A loss of %v is carried on.", b.Month, b.TaxCents,
			b.Due, b.CarriedCents)
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
		return fmt.Sprintf("Stakes of %v go back to the holders of tickets in game %v, and %v that ran on is due.",
			b.RefundCents, b.Game, b.PrizesCents)
	case *record.ResultCorrected:
		says := fmt.Sprintf("Of what was paid in game %v, %v was not won: players keep it.", b.Game, b.OverpaidCents)
		for _, e := range b.Earned {
			says += fmt.Sprintf(" Of what was overpaid in game %v, %v is won now.", e.Game, e.Cents)
		}
		return says
	case *record.GameSettled:
		return fmt.Sprintf("Game %v, revision %d: %d winners, prizes of %v, of which jackpots %v.", b.Game, b.Revision,
			b.Winners, b.PrizesCents, b.JackpotCents)
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
