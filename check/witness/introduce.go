package witness

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// Introduced is a public log of a house, and its key.
type Introduced struct {
	Origin string
	Key    journal.Verifier
	// before is where the log ends that this one follows, and begins this one with its first entry; nil for a log that
	// follows none, or was introduced without that entry.
	before, begins  *journal.Checkpoint
	keyKnown, known bool
}

// Known reports whether the log was watched before, and there is nothing to make durable.
func (i Introduced) Known() bool { return i.known }

// Introduce reads how the public log of a house begins, which the key of the log and the key of the house have both
// signed, and changes nothing. So a witness that knows the house's key need not be told the log's. The first key of
// a log is the only one: a house that shows a second one has two logs of one name.
//
// It is given the first entry of the log or, of a log that follows none, the note in it. A log that follows another
// must name the very end of that which was cosigned here: who names an earlier one could seal a game a second time, and
// who names a later one could show a past that nobody has cosigned. The error is a [Refusal].
//
// The result is to be made durable, and then given to Meet.
func (w *Watch) Introduce(msg []byte) (Introduced, error) {
	log, err := w.introduced(msg)
	if err != nil {
		return log, err
	}
	return log, w.succeeds(log)
}

// RestoreLog takes up a log that was introduced before, from a durable record.
func (w *Watch) RestoreLog(msg []byte) error {
	log, err := w.introduced(msg)
	if err == nil {
		w.Meet(log)
	}
	return err
}

// introduced reads how a log begins, whatever was cosigned of the log before it.
func (w *Watch) introduced(msg []byte) (Introduced, error) {
	var begins *journal.Checkpoint
	if first, err := public.Parse(msg); err == nil && first.Kind == public.Begun {
		begins = &journal.Checkpoint{Size: 1, Root: journal.LeafHash(msg)}
		msg = first.Note("note")
	}
	text, _, _ := strings.Cut(string(msg), "\n\n")
	body, err := journal.ParseLog(text + "\n")
	if err != nil {
		return Introduced{}, &Refusal{Code: Malformed, Err: err}
	}
	house, _, err := journal.ParseLogOrigin(body.Origin)
	if err != nil {
		return Introduced{}, &Refusal{Code: Malformed, Err: err}
	}
	if _, err := journal.OpenLog(msg, body.HouseKey); err != nil {
		return Introduced{}, &Refusal{Code: NotSigned, Err: err}
	}
	key, err := journal.ParseVerifier(body.Key)
	if err != nil {
		return Introduced{}, &Refusal{Code: Malformed, Err: err}
	}
	log := Introduced{Origin: body.Origin, Key: key, before: body.Before}
	for _, other := range w.keys(body.Origin) {
		if other.Name() != key.Name() || other.KeyHash() != key.KeyHash() {
			return Introduced{}, refuse(Forked, "%s has another key already, and one log has one key", body.Origin)
		}
		log.keyKnown = true // It has signed the beginning, as has a key of the house, whichever that is.
	}
	if err := w.ofHouse(msg, house, body); err != nil && !log.keyKnown {
		return Introduced{}, err
	}
	if log.known = log.keyKnown; begins == nil || body.Before == nil || w.latest[log.Origin].Checkpoint.Size > 0 {
		return log, nil
	}
	begins.Origin = log.Origin
	log.begins = begins
	known, ok := w.begun[log.Origin]
	if log.known = log.keyKnown && ok; ok && known != *begins {
		return Introduced{}, refuse(Forked, "%s has another first entry already, and one log begins once", log.Origin)
	}
	return log, nil
}

// ofHouse refuses the beginning of a log that no key has signed by which its house is known here.
func (w *Watch) ofHouse(msg []byte, house string, body journal.LogBody) error {
	if !slices.ContainsFunc(w.houses, func(key journal.Verifier) bool { return key.Name() == house }) {
		return refuse(UnknownLog, "no key of %s is known here", house)
	}
	if !slices.ContainsFunc(w.houses, func(key journal.Verifier) bool {
		_, _, err := journal.OpenNote(msg, key)
		return key.Name() == house && err == nil
	}) {
		return refuse(NotSigned, "the beginning of %s is signed by %s, which is no key of the house that is known here",
			body.Origin, body.HouseKey)
	}
	return nil
}

// stands returns how far a log is known here: as it was cosigned last, or as it was introduced.
func (w *Watch) stands(origin string) journal.Checkpoint {
	last := w.latest[origin].Checkpoint
	if last.Size > 0 {
		return last
	}
	if begun, ok := w.begun[origin]; ok {
		return begun
	}
	last.Root = journal.EmptyRoot() // Never seen, or seen empty.
	return last
}

// before returns how far the newest log is known here that a house had before one of an origin.
func (w *Watch) before(origin string) (last journal.Checkpoint, ok bool) {
	house, number, err := journal.ParseLogOrigin(origin)
	for ; err == nil && number > 1; number-- {
		if last = w.stands(journal.LogOrigin(house, number-1)); last.Size > 0 {
			return last, true
		}
	}
	return last, false
}

// succeeds refuses a log that does not begin where the one before it was cosigned last here.
func (w *Watch) succeeds(log Introduced) error {
	last, ok := w.before(log.Origin)
	switch {
	case !ok || log.known || last.Size <= w.givenUp[last.Origin]:
		return nil
	case log.begins == nil:
		return refuse(Malformed, "%s follows %s, of which %d entries were cosigned here: it is introduced by its first entry",
			log.Origin, last.Origin, last.Size)
	case *log.before == last:
		return nil
	case log.before.Origin == last.Origin && log.before.Size > last.Size:
		return refuse(Inconsistent,
			"%s follows %s with %d entries, and %d of %s were cosigned here: have the rest cosigned first or, if nobody has the entries that were cosigned, start this witness with %s",
			log.Origin, last.Origin, log.before.Size, last.Size, last.Origin, giveUpBy(last))
	}
	return &Refusal{Code: Forked, Size: last.Size, Err: fmt.Errorf(
		"witness: %s follows %s with %d entries, and %d of %s were cosigned here: games sealed in the others could be drawn twice. Begin it behind all of them or, if nobody has them any more, start this witness with %s",
		log.Origin, log.before.Origin, log.before.Size, last.Size, last.Origin, giveUpBy(last))}
}

// goesOn refuses a checkpoint of a log that follows another one which was cosigned here, unless its beginning was held
// against that; to be told the key of a log is not enough. Of a log that another one follows nothing is cosigned behind
// the end that this one names.
func (w *Watch) goesOn(c journal.Checkpoint) error {
	if end, ok := w.ended[c.Origin]; ok && c.Size > end.Size {
		return refuse(Inconsistent, "%s ended with %d entries, where another log follows it, and here it has %d", c.Origin,
			end.Size, c.Size)
	}
	last, ok := w.before(c.Origin)
	if _, begun := w.begun[c.Origin]; !ok || begun || w.copied[c.Origin] || w.latest[c.Origin].Checkpoint.Size > 0 ||
		last.Size <= w.givenUp[last.Origin] {
		return nil
	}
	return refuse(UnknownLog,
		"%s follows %s, of which %d entries were cosigned here, and its key does not say where it begins: the house introduces it by its first entry. If nobody has all of these any more, start this witness with %s",
		c.Origin, last.Origin, last.Size, giveUpBy(last))
}

// giveUpBy says how people give up what was cosigned of a log.
func giveUpBy(last journal.Checkpoint) string {
	return fmt.Sprintf("--give-up %s@%d", last.Origin, last.Size)
}

// Copies says that the caller reads each entry of a log, and so where it begins, before it asks for a judgement.
func (w *Watch) Copies(origin string) { w.copied[origin] = true }

// GiveUp has a log go on here for another one whose last entries are lost, because the people of this witness say so:
// what was cosigned of it, which is exactly so many entries, it need not go on from. It reports whether there is still
// something to give up, which is not so once a later log was cosigned.
func (w *Watch) GiveUp(origin string, size uint64) (open bool, err error) {
	house, number, err := journal.ParseLogOrigin(origin)
	if err != nil {
		return false, fmt.Errorf("witness: %w", err)
	}
	for of := range w.latest {
		if name, later, err := journal.ParseLogOrigin(of); err == nil && name == house && later > number {
			return false, nil
		}
	}
	if last := w.stands(origin); last.Size != size {
		return false, fmt.Errorf("witness: %d entries of %s were cosigned here, and %d are to be given up: say exactly what is given up", last.Size,
			origin, size)
	}
	w.givenUp[origin] = size
	return true, nil
}

// Meet begins to watch a log that was introduced.
func (w *Watch) Meet(log Introduced) {
	if !log.keyKnown {
		w.logs[log.Origin] = append(w.logs[log.Origin], log.Key)
	}
	if log.begins != nil {
		w.begun[log.Origin] = *log.begins
		w.ended[log.before.Origin] = *log.before
	}
}
