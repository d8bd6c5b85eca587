// Package command has the commands of the house. A command is a struct that says what is
// wanted, a pure function that decides it, and a row: its name, its address, who may ask for it,
// and with which codes it is refused beyond the usual. The engine writes what a command decides;
// package api takes routes, access and description from the rows.
package command

import (
	"errors"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/decide/game"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// A Command is something that somebody wants done.
type Command interface {
	// Decide returns what comes of the command, or why the command is refused. It changes
	// nothing, so that a trial is Decide without writing.
	Decide(s *state.State, e *Env) (Decision, error)
}

// Env is what a decision takes beside the state.
type Env struct {
	Now record.Time // as the records will say
	By  record.By   // who does it, in which rank
	// Series is that of the games. With is who has consented to an act, and Approval the number
	// of the request; of an act that is only tried, With is 0 and Approval the next number.
	Series   uint8
	With     uint32
	Approval uint32
	// Key is under which key a person has sent the request; nil for none.
	Key *Key
	// Before are the states that a correction looks back to; nil where none is needed.
	Before game.Pasts
	// Zone is that of the clocks of the house, by which times are displayed; nil where nothing is.
	Zone *time.Location
	// Kit is what the cards of a bingo room are checked with; nil where no room is.
	Kit *hall.Kit
	// Disputed says which witness disagrees with the journal, and where; "" for none. Nothing
	// is paid meanwhile.
	Disputed string
	// Head returns the end of the journal, and Signer signs for the house; nil where the key
	// is lost. CloseBook returns the book of a Keno Day that ends, and puts its hash into the
	// record. The engine sets these, and Now.
	Head      func() journal.Checkpoint
	Signer    journal.Signer
	CloseBook func(*record.DayClosed) (Object, error)
}

// Key is the key of a request, by which the same request is known again.
type Key struct {
	Person     uint32
	Key, Asked record.Hash
}

// Record says that a record answers the request under the key.
func (k *Key) Record(answer record.Place) *record.RequestKeyed {
	return &record.RequestKeyed{Person: k.Person, Key: k.Key, Asked: k.Asked, Answer: answer}
}

// Decision is what comes of a command. Its facts are written together or not at all.
type Decision struct {
	Facts   []Fact
	Objects []Object
	// Then, if set, decides what belongs behind the facts and needs a state that has them. It
	// must not refuse. Of an act that is only tried it is asked without them.
	Then func(s *state.State, e *Env) (Decision, error)
	// Answer is the record that tells what was done, for the person who asked; nil is that of the
	// last fact, behind Then.
	Answer record.Body
}

// Fact is a record to be written, with the money that it moves.
type Fact struct {
	Body     record.Body
	Postings []ledger.Posting
}

// Object is a named blob that belongs to the records that it is written with.
type Object struct {
	Name string
	Data []byte
}

// ErrNoKey means that there is no key to sign with.
var ErrNoKey = errors.New("command: the house's key is not at hand")

// one is a decision of one fact.
func one(body record.Body, postings []ledger.Posting, err error) (Decision, error) {
	return Decision{Facts: []Fact{{body, postings}}}, err
}

// plain is a decision of one fact that moves no money.
func plain(body record.Body, err error) (Decision, error) { return one(body, nil, err) }

// Outcome drops the record that tells what was done, for a caller that asks only whether it was.
func Outcome(_ record.Body, err error) error { return err }

// As is what a decision takes for a person who acts in a series of games.
func As(series uint8, person uint32) Env { return Env{Series: series, By: record.By{Person: person}} }
