package wire

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"drawhouse/check/witness"
	"drawhouse/journal"
)

// A LogWitness is a witness of the public log that says at its monitoring address how far it has cosigned.
type LogWitness struct {
	Witness *witness.Verifier
	// Log returns where it serves the log of an origin, which is named by its hash as in C2SP tlog-witness.
	Log func(hash string) LogSource
}

// errAhead: a witness has cosigned more of a log than the one that follows it goes on from.
var errAhead = errors.New("a witness of the policy has cosigned more, or something else")

// askWitnesses asks the witnesses of the policy how far they have cosigned the log of the copy, before the next one is
// followed: the book may be an old one, and a house that knows it would have games of the log drawn a second time. One
// that has cosigned more keeps this custodian from the next log, and so do too many that do not answer. The caller
// holds the lock, and has brought the copy to the end that the next log names.
func (f *Follower) askWitnesses(ctx context.Context) error {
	ends, vkey := f.Gate.Copied()
	key, err := journal.ParseVerifier(vkey)
	if err != nil {
		return err
	}
	var unheard, why []string
	for _, of := range f.Witnesses {
		stands, err := of.stands(ctx, ends.Origin, key)
		switch {
		case err != nil:
			unheard = append(unheard, of.Witness.Name())
			why = append(why, fmt.Sprintf("%s: %v", of.Witness.Name(), err))
		case stands.Size > max(ends.Size, f.givenUp[ends.Origin]), stands.Size == ends.Size && stands.Root != ends.Root:
			return fmt.Errorf("wire: the log that follows goes on from %d entries of %s, and %s has %d of them with the root %v: %w: games sealed in the others could be drawn twice. Only if nobody has them any more, start this custodian with --give-up %s@%d",
				ends.Size, ends.Origin, of.Witness.Name(), stands.Size, stands.Root, errAhead, ends.Origin, stands.Size)
		}
	}
	if len(unheard) > 0 && (f.Suffice == nil || !f.Suffice(unheard)) {
		return fmt.Errorf("wire: before this custodian follows the log behind %s it asks the witnesses of its policy how far they have cosigned that, and too few answer: %s",
			ends.Origin, strings.Join(why, "; "))
	}
	return nil
}

// stands returns how far a witness has cosigned a log of a key.
func (w LogWitness) stands(ctx context.Context, origin string, key journal.Verifier) (journal.Checkpoint, error) {
	fail := func(err error) (journal.Checkpoint, error) { return journal.Checkpoint{}, err }
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	note, err := w.Log(originHash(origin)).Read(ctx, checkpointPath)
	if err != nil {
		// Also one that has nothing of the log there has not answered: a server that does not know the address says the same.
		return fail(err)
	}
	c, _, err := journal.OpenCheckpoint(note, key)
	if err != nil {
		return fail(err)
	}
	by, err := witness.Cosignatures(note, w.Witness)
	if err == nil && (len(by) == 0 || c.Origin != origin) {
		err = fmt.Errorf("it shows no checkpoint of %s that it has cosigned", origin)
	}
	return c, err
}

// giveUp takes in that people give up so many entries of a log that witnesses have cosigned.
func (f *Follower) giveUp(origin string, size uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.givenUp == nil {
		f.givenUp = map[string]uint64{}
	}
	f.givenUp[origin] = size
}
