package engine

import (
	"errors"
	"fmt"

	"drawhouse/command"
	"drawhouse/record"
	"drawhouse/refusal"
)

// NotSound is the code of a command that lacks something which every record of its kind has.
const NotSound refusal.Code = "not_sound"

// Do decides a command and makes what the command decides part of the journal, all of it or
// nothing. The record that it returns says what was done.
func (e *Engine) Do(now record.Time, c command.Command, env command.Env) (record.Body, error) {
	env.Now, env.Head, env.Signer = max(now, e.state.Now()), e.checkpoint, e.house
	decision, err := c.Decide(e.state, &env)
	if err != nil {
		return nil, err
	}
	if err := e.allowed(env.Now, decision.Facts); err != nil {
		return nil, err
	}
	answer := decision.Answer
	var last record.Body
	for {
		for _, fact := range decision.Facts {
			e.follow(now, fact)
			last = fact.Body
		}
		e.objects = append(e.objects, decision.Objects...)
		if decision.Then == nil {
			break
		}
		if decision, err = decision.Then(e.state, &env); err != nil {
			panic(fmt.Sprintf("engine: what belongs behind %T: %v", last, err)) // As in follow.
		}
	}
	if answer == nil {
		answer = last
	}
	return answer, nil
}

// allowed asks about every fact of a command before the first is written: whether a record can
// say it, whether the balances have room for it, and whether the guards let it pass.
func (e *Engine) allowed(now record.Time, facts []command.Fact) error {
	for _, fact := range facts {
		if err := e.sound(now, fact.Body); errors.Is(err, ErrUnsound) {
			return &refusal.Refusal{Code: NotSound, Sentence: err.Error()}
		}
		r := record.Record{Time: now, Postings: fact.Postings, Body: fact.Body}
		if err := e.room(r); err != nil {
			return err
		}
		if err := e.guard(r); err != nil {
			return err
		}
	}
	return nil
}

// follow appends a fact that must come with what stands before it: nothing of it may become
// durable alone.
func (e *Engine) follow(now record.Time, fact command.Fact) {
	if _, err := e.append(now, fact.Body, fact.Postings); err != nil {
		panic(fmt.Sprintf("engine: %T after the record before it: %v", fact.Body, err))
	}
}
