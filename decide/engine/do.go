package engine

import (
	"errors"
	"fmt"

	"drawhouse/books"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/decide/hall"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// NotSound is the code of a command that lacks something which every record of its kind has.
const NotSound refusal.Code = "not_sound"

// Do decides a command and makes what the command decides part of the journal, all of it or
// nothing. The record that it returns says what was done.
func (e *Engine) Do(now record.Time, c command.Command, env command.Env) (record.Body, error) {
	if _, two := c.(command.Act); two && env.By.Person != 0 && env.Approval == 0 {
		return nil, &refusal.Refusal{
			Code: staff.ApprovalNotGiven, Path: "approval",
			Sentence: "Nobody does this alone: it is asked for, and another person consents.",
		}
	}
	return e.doAfter(now, nil, c, env)
}

// doAfter does a command. The record that uses the approval of an act stands before those of the
// act, and comes with them or not at all.
func (e *Engine) doAfter(now record.Time, used record.Body, c command.Command, env command.Env) (record.Body, error) {
	e.equip(now, &env)
	if err := e.checkKey(&env); err != nil {
		return nil, err
	}
	decision, err := c.Decide(e.state, &env)
	if err != nil {
		return nil, e.cite(c, err)
	}
	if used != nil {
		decision.Facts = append([]command.Fact{{Body: used}}, decision.Facts...)
	}
	done, err := e.carryOut(now, decision, &env)
	if err != nil {
		return nil, e.cite(c, err)
	}
	e.key(now, &env, done)
	return done.body, nil
}

// cite gives what a bingo room refuses the clause of its own rules.
func (e *Engine) cite(c command.Command, err error) error {
	if room, ok := command.Room(c); ok && err != nil {
		return hall.Cite(e.state, room, err)
	}
	return err
}

// equip gives a decision what the engine has for it.
func (e *Engine) equip(now record.Time, env *command.Env) {
	env.Now, env.Head, env.Signer, env.CloseBook = max(now, e.state.Now()), e.checkpoint, e.house, e.closeBook
}

// closeBook returns the book of the Keno Day that ends with a record, which names its hash.
func (e *Engine) closeBook(closed *record.DayClosed) (command.Object, error) {
	today := e.books.Peek(closed.Series, closed)
	if e.tied = (&Tied{Series: closed.Series, Day: closed.Day}); !e.books.Mixed() {
		e.tied.Faults = today.Ties()
	}
	book, err := today.Encode()
	closed.Books = books.Hash(book)
	return command.Object{Name: game.BookName(closed.Series, closed.Day), Data: book}, err
}

// told is the record that tells what was done.
type told struct {
	Entry
	body record.Body
}

// carryOut writes a decision, all of it or nothing.
func (e *Engine) carryOut(now record.Time, decision command.Decision, env *command.Env) (told, error) {
	if len(decision.Facts) == 1 && decision.Then == nil {
		return e.carryOutOne(now, decision)
	}
	if err := e.allowed(env.Now, decision.Facts); err != nil {
		return told{}, err
	}
	var last told
	for wanted := decision.Answer; ; {
		for _, fact := range decision.Facts {
			if entry := e.follow(now, fact); wanted == nil || last.body != wanted {
				last = told{entry, fact.Body}
			}
		}
		e.objects = append(e.objects, decision.Objects...)
		if decision.Then == nil {
			if wanted != nil {
				last.body = wanted
			}
			return last, nil
		}
		var err error
		if decision, err = decision.Then(e.state, env); err != nil {
			panic(fmt.Errorf("engine: what belongs behind %T: %w", last.body, err)) // As in follow.
		}
	}
}

// carryOutOne writes a decision of one fact, about which append asks by itself.
func (e *Engine) carryOutOne(now record.Time, decision command.Decision) (told, error) {
	fact := decision.Facts[0]
	entry, err := e.append(now, fact.Body, fact.Postings)
	if err != nil {
		return told{}, notSound(err)
	}
	e.objects = append(e.objects, decision.Objects...)
	if decision.Answer != nil {
		return told{entry, decision.Answer}, nil
	}
	return told{entry, fact.Body}, nil
}

// decided carries out what the house has decided, unless that was refused.
func (e *Engine) decided(now record.Time, decision command.Decision, refused error) error {
	if refused != nil {
		return refused
	}
	var env command.Env
	e.equip(now, &env)
	_, err := e.carryOut(now, decision, &env)
	return err
}

// allowed asks about every fact of a command before the first is written: whether a record can
// say it, whether the balances have room for it, and whether the guards let it pass.
func (e *Engine) allowed(now record.Time, facts []command.Fact) error {
	for _, fact := range facts {
		if err := e.ask(record.Record{Time: now, Postings: fact.Postings, Body: fact.Body}); err != nil {
			return notSound(err)
		}
	}
	return nil
}

// notSound refuses what no record can say.
func notSound(err error) error {
	if errors.Is(err, ErrUnsound) {
		return &refusal.Refusal{Code: NotSound, Sentence: err.Error()}
	}
	return err
}

// ask asks about a record that would be written.
func (e *Engine) ask(r record.Record) error {
	if err := e.sound(r.Time, r.Body); err != nil {
		return err
	}
	if err := e.room(r); err != nil {
		return err
	}
	return e.guard(r)
}

// follow appends a fact that must come with what stands before it: nothing of it may become
// durable alone.
func (e *Engine) follow(now record.Time, fact command.Fact) Entry {
	entry, err := e.append(now, fact.Body, fact.Postings)
	if err != nil {
		panic(fmt.Sprintf("engine: %T after the record before it: %v", fact.Body, err))
	}
	return entry
}
