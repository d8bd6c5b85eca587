package draw

import (
	"fmt"
	"slices"

	"drawhouse/core/ball"
	"drawhouse/journal"
)

// nextFunc draws a number behind those drawn. It is called with the desk's lock.
type nextFunc func(drawn ball.Sequence) (Pick, error)

// A Draw is the draw of one game.
type Draw struct {
	desk     *desk
	plan     Plan
	next     nextFunc
	recent   []ball.Set
	progress *progress
}

// firstSets returns the first numbers, as sets, of those recent results that can
// be compared.
func firstSets(u ball.Universe, recent []ball.Sequence) []ball.Set {
	var sets []ball.Set
	for _, r := range recent {
		if r.Universe() == u && r.Len() >= comparedNumbers {
			sets = append(sets, r.Prefix(comparedNumbers).Set())
		}
	}
	return sets
}

// Next draws the number at a place, counted from 1. It must be the one after the
// last; asked for an earlier one it gives that again, even when it has stopped,
// so that a question whose answer was lost can be put again. A number taken up
// from the record has no bytes here.
//
// If the result turns out to equal a recent one, Next returns the number and
// ErrRepeated: it was drawn and is to be recorded. The device goes on; whether the result
// stands is for persons to decide.
//
//rule:vic-keno-2015 18(a)(i)(A)
//rule:tas-keno-2023 9.3
func (r *Draw) Next(place int) (Pick, error) {
	d, drawn := r.desk, &r.progress.picks
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case place >= 1 && place <= len(*drawn):
		return (*drawn)[place-1].clone(), nil
	case d.err != nil:
		return Pick{}, fmt.Errorf("draw: the device has stopped: %w", d.err)
	case place != len(*drawn)+1 || place > r.plan.Most:
		return Pick{}, fmt.Errorf("draw: %v: number %d is asked for, %d of %d are drawn: %w", r.plan.Game, place,
			len(*drawn), r.plan.Most, ErrTurn)
	case r.progress.signed:
		return Pick{}, fmt.Errorf("draw: %v: number %d is asked for, the result is signed: %w", r.plan.Game, place,
			ErrTurn)
	}
	return r.draw()
}

// draw draws the next number. The caller holds the lock.
func (r *Draw) draw() (Pick, error) {
	pick, err := r.next(r.progress.drawn())
	if err != nil {
		return Pick{}, r.desk.stop(fmt.Errorf("draw: %v: %w", r.plan.Game, err))
	}
	r.progress.picks = append(r.progress.picks, pick)
	if err := r.compare(); err != nil {
		return pick.clone(), err
	}
	return pick.clone(), nil
}

// compare looks for the first numbers drawn among the recent results.
func (r *Draw) compare() error {
	if len(r.progress.picks) < comparedNumbers {
		return nil
	}
	first := r.progress.drawn().Prefix(comparedNumbers)
	if slices.Contains(r.recent, first.Set()) {
		return fmt.Errorf("draw: %v: %v: %w", r.plan.Game, first, ErrRepeated)
	}
	return nil
}

// Drawn returns the numbers drawn so far, in order.
func (r *Draw) Drawn() ball.Sequence {
	r.desk.mu.Lock()
	defer r.desk.mu.Unlock()
	return r.progress.drawn()
}

// Sign signs the result, once enough numbers are drawn. It ends the draw: no
// further number follows, and signing again signs the same.
//
//rule:casino-keno-div2 7.8
func (r *Draw) Sign() ([]byte, error) {
	d := r.desk
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return nil, fmt.Errorf("draw: the device has stopped: %w", d.err)
	}
	if len(r.progress.picks) < r.plan.Least {
		return nil, fmt.Errorf("draw: %v: %d of %d numbers are drawn", r.plan.Game, len(r.progress.picks), r.plan.Least)
	}
	result := Result{Device: d.kind, Game: r.plan.Game, Revision: r.plan.Revision, Seal: r.progress.seal,
		Numbers: r.progress.drawn()}
	if err := result.Check(); err != nil {
		return nil, err
	}
	msg, err := journal.SignNote(result.Marshal(), d.keys.Signer)
	if err != nil {
		return nil, err
	}
	r.progress.signed = true
	return msg, nil
}
