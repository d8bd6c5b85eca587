package api

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// Keeping is how long each class of personal details is kept from the day on which nobody needs them.
// What has no term is kept for ever.
type Keeping map[house.Class]person.Term

// Keep has the register forget what is past its time, once a day of the house and at the start, until the
// context ends. A try that failed is made again after an hour.
func (s *Server) Keep(ctx context.Context) {
	if s.server.register == nil {
		return
	}
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	var done day.Day
	var next time.Time
	for {
		now := s.server.now()
		if today := s.server.today(now); today != done && !now.Before(next) {
			if err := s.server.forgetExpired(ctx, today); err == nil {
				done = today
			} else if ctx.Err() == nil {
				next = now.Add(time.Hour)
				s.server.log.Error("what is past its time of keeping could not be forgotten", "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// today is the day in the zone of the house.
func (s *server) today(now time.Time) day.Day {
	year, month, dom := now.In(s.zone).Date()
	today, err := day.Of(year, int(month), dom)
	if err != nil {
		return day.None // No clock of a machine comes to that.
	}
	return today
}

// keptOf is what the register has of one person of one class.
type keptOf struct {
	house.Named
	payee   record.Hash // of a payee
	entries []record.Hash
	over    day.Day // of the entry that was needed longest
}

// keptKey tells those of whom the register has something apart.
type keptKey struct {
	class  house.Class
	number uint32
	payee  record.Hash
}

// forgetExpired notes what nobody needs since today, and has the register forget what is past its time, by the
// commands by which persons do it and under their rules. Each has a record, which names nobody: the house itself
// did it. Staff are erased by two persons, so that they are told of those who are due.
func (s *server) forgetExpired(ctx context.Context, today day.Day) error {
	all, err := s.noteOver(ctx, today)
	if err != nil {
		return err
	}
	forgotten := map[house.Class]int{}
	var due []uint32
	for _, h := range all {
		if h.Needed || !s.terms[h.Class].Past(h.over, today) {
			continue
		}
		if h.Class == house.OfStaff {
			due = append(due, h.Number)
			continue
		}
		if err := s.forget(ctx, h); err != nil {
			var refused *refusal.Refusal
			if !errors.As(err, &refused) {
				return err
			}
			continue // Somebody is needed all the same, such as one to whom a prize was denied. The rules know best.
		}
		forgotten[h.Class]++
	}
	for _, class := range slices.Sorted(maps.Keys(forgotten)) {
		s.log.InfoContext(ctx, "personal details past their time of keeping were forgotten", "class", string(class), "persons",
			forgotten[class], "kept", s.terms[class].String())
	}
	s.tellDue(due)
	return nil
}

// alarmKeeping is the key of the alarm that persons who left are past their time.
const alarmKeeping = "keeping"

func (s *server) tellDue(due []uint32) {
	if len(due) == 0 {
		s.house.Clear(house.PartInterface, alarmKeeping)
		return
	}
	slices.Sort(due)
	s.house.Raise(house.PartInterface, alarmKeeping,
		fmt.Sprintf("%s left the house longer ago than the time of keeping, %v: number %s.",
			figure.CountOf(len(due), "person", "persons"), s.terms[house.OfStaff], numbers(due)),
		"Two persons erase them: an administrator asks for it on the page People of the office, and another one consents.")
}

// mostNumbers bounds the numbers of a sentence.
const mostNumbers = 20

func numbers(all []uint32) (text string) {
	for i, number := range all {
		switch {
		case i == mostNumbers:
			return text + " and others"
		case i > 0:
			text += ", "
		}
		text += fmt.Sprint(number)
	}
	return text
}

// noteOver brings the days up to date since which nobody needs an entry, and returns of whom the register has what.
func (s *server) noteOver(ctx context.Context, today day.Day) (map[keptKey]*keptOf, error) {
	// The register first: an entry is kept before the record that names it, and one that is named in between
	// is told as needed. An entry of today is past no term.
	kept, err := s.register.Kept(ctx)
	if err != nil {
		return nil, err
	}
	named := s.house.Named()
	all := map[keptKey]*keptOf{}
	var over, needed []record.Hash
	for _, k := range kept {
		n, ok := named[k.Hash]
		if !ok {
			n.Class = house.OfPayees
		}
		key := keptKey{class: n.Class, number: n.Number}
		if n.Class == house.OfPayees {
			key.payee = k.Hash
		}
		switch {
		case n.Needed && k.Over != day.None:
			needed = append(needed, k.Hash)
		case !n.Needed && k.Over == day.None:
			over = append(over, k.Hash)
			k.Over = today
		}
		h := all[key]
		if h == nil {
			h = &keptOf{Named: n, payee: key.payee}
			all[key] = h
		}
		h.Needed = h.Needed || n.Needed
		h.over = max(h.over, k.Over)
		if !k.Customer && n.Class == house.OfPayees {
			h.entries = append(h.entries, k.Hash) // Nothing of the journal names it.
		}
	}
	return all, errors.Join(s.register.SetOver(ctx, today, over...), s.register.SetOver(ctx, day.None, needed...))
}

// forget has the register forget one person, by the record of it.
func (s *server) forget(ctx context.Context, h *keptOf) error {
	var c command.Command
	switch {
	case len(h.entries) > 0:
		return s.register.Forget(ctx, h.entries...)
	case h.Class == house.OfClaims:
		c = command.EraseClaimant{OfForm: command.OfForm{Claim: h.Number}}
	case h.Class == house.OfCards:
		c = command.EraseHolder{Card: h.Number}
	default:
		c = command.ErasePayee{Payee: command.Payee(h.payee)}
	}
	_, err := s.do(ctx, s.house.First(), c, record.By{})
	return err
}
