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
// followed: the book may be an old one, and a house that knows it would have games of the log drawn a second time. A
// witness that has cosigned more keeps this custodian from the next log, and so does one that does not answer: it may
// be the only honest one of those who saw the rest. The way out is that people give up exactly what is known to have
// been cosigned. The caller holds the lock, and has brought the copy to the end that the next log names.
func (f *Follower) askWitnesses(ctx context.Context) error {
	ends, vkey := f.Gate.Copied()
	key, err := journal.ParseVerifier(vkey)
	if err != nil {
		return err
	}
	most, by := ends, ""
	var unheard []string
	for _, of := range f.Witnesses {
		stands, err := of.stands(ctx, ends.Origin, key)
		switch {
		case err != nil:
			unheard = append(unheard, fmt.Sprintf("%s: %v", of.Witness.Name(), err))
		case stands.Size == ends.Size && stands.Root != ends.Root:
			return fmt.Errorf("wire: %s has cosigned %d entries of %s with the root %v, and the copy here has %v: %w: the house has signed two histories, and nothing follows that",
				of.Witness.Name(), stands.Size, ends.Origin, stands.Root, ends.Root, errAhead)
		case stands.Size > most.Size:
			most, by = stands, of.Witness.Name()
		}
	}
	given, gives := f.givenUp[ends.Origin]
	flag := fmt.Sprintf("--give-up %s@%d", ends.Origin, most.Size)
	switch {
	case most == ends && len(unheard) == 0, gives && given == most.Size:
		return nil
	case gives:
		return fmt.Errorf("wire: %d entries of %s are given up, and what is known here to be cosigned is %d: %w: if its people agree to that, they start this custodian with %s",
			given, ends.Origin, most.Size, errAhead, flag)
	case most != ends:
		return fmt.Errorf("wire: the log that follows goes on from %d entries of %s, and %s has %d of them with the root %v: %w: games sealed in the others could be drawn twice. Only if nobody has them any more, start this custodian with %s",
			ends.Size, ends.Origin, by, most.Size, most.Root, errAhead, flag)
	}
	return fmt.Errorf("wire: before this custodian follows the log behind %s it asks all witnesses of its policy how far they have cosigned that, and these do not answer: %s. It waits for them. Only if they are gone for good, and its people agree that games sealed behind %d entries may be drawn twice, they start this custodian with %s",
		ends.Origin, strings.Join(unheard, "; "), ends.Size, flag)
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

// giveUp takes in that people give up what was cosigned of a log, which is exactly so many entries.
func (f *Follower) giveUp(origin string, size uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.givenUp == nil {
		f.givenUp = map[string]uint64{}
	}
	f.givenUp[origin] = size
}
