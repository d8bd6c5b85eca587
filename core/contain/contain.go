// Package contain has a panic end nothing but what panicked. Every goroutine of a house is
// started by Go, because a panic on a goroutine that nobody watches ends the process;
// TestGoroutinesAreContained finds the others.
package contain

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrPanicked means that the program has a defect: something panicked. Nobody knows what it
// has done before.
var ErrPanicked = errors.New("the program panicked")

// A Panic is a panic that was caught: ErrPanicked with its particulars.
type Panic struct {
	Where string // what panicked
	Value string
	Stack []byte // for the log
}

// Error says what panicked, and with what.
func (p *Panic) Error() string { return fmt.Sprintf("%v in %s: %s", ErrPanicked, p.Where, p.Value) }

// Unwrap returns ErrPanicked.
func (p *Panic) Unwrap() error { return ErrPanicked }

// Recovered returns what was recovered from a panic as an error.
func Recovered(where string, r any) *Panic {
	return &Panic{Where: where, Value: fmt.Sprint(r), Stack: debug.Stack()}
}

// Do does work and returns its error. If work panics, the error is a *Panic.
func Do(where string, work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Recovered(where, r)
		}
	}()
	return work()
}

// Go does work on a goroutine of its own and then calls ended, on the same one, with the
// error of Do. What ended panics with ends nothing either, and nobody is told.
func Go(where string, work func() error, ended func(error)) {
	go func() {
		err := Do(where, work)
		_ = Do(where, func() error { ended(err); return nil })
	}()
}
