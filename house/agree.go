package house

import (
	"context"
	"errors"
	"fmt"
	"time"

	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// Witnesses are asked twice for each game: for the seal before it is drawn (witnessed),
// and for the journal behind its settlement, which this file is about. A witness that
// replays the journal grades what it signs, so that the second signature says that it
// agrees to the winners, the prizes and the pools. A prize waits for it where the
// policy is required (counter.NotAgreed).

// askAgain is how long the house waits before it asks again for a signature that it
// did not get.
const askAgain = time.Second

// agreement is what has the results of games cosigned while the house runs.
type agreement struct {
	wake chan struct{} // has room for one: there is a result to ask for
	stop context.CancelFunc
	done <-chan struct{}
}

// startAgreeing begins to ask, once, if there is anybody to ask.
func (h *House) startAgreeing() {
	if len(wire.OfJournal(h.config.Witnesses.Members)) == 0 || h.agreement.stop != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	h.agreement.stop, h.agreement.done = stop, h.Go(ctx, PartWitness, "asking witnesses", h.agreeing)
}

// stopAgreeing ends it and waits for the question under way.
func (h *House) stopAgreeing() {
	if h.agreement.stop != nil {
		h.agreement.stop()
		<-h.agreement.done
	}
}

// ended tells that a game has a result, which is durable.
func (a *agreement) ended() {
	select {
	case a.wake <- struct{}{}:
	default: // It will ask for the newest.
	}
}

// agreeing asks whenever there is a result, and again while one who must agree has not.
func (h *House) agreeing(ctx context.Context) {
	timer := time.NewTimer(0) // What was left open before the start is asked for now.
	defer timer.Stop()
	panics, until := 0, time.Time{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.agreement.wake:
		case <-timer.C:
		}
		if wait := time.Until(until); wait > 0 {
			timer.Reset(wait)
			continue
		}
		err := h.Contain(PartWitness, "asking for the journal to be cosigned", func() error { return h.agree(ctx) })
		if ctx.Err() != nil {
			return
		}
		switch {
		case panickedItself(err): // The house sells nothing while its journal is opened again.
			panics++
			until = time.Now().Add(HeldFor(panics))
			timer.Reset(HeldFor(panics))
		case err != nil:
			timer.Reset(askAgain) // A house at rest is one that cannot ask now.
		default:
			panics = 0
		}
	}
}

// agree has the journal cosigned behind the newest result, unless all who must have
// agreed to it.
func (h *House) agree(ctx context.Context) error {
	result, err := lane.DoFirst(ctx, h.lane, func(m machine) (record.Place, error) {
		s := m.State()
		for _, w := range s.Witnesses() {
			if !h.watchesLogAlone(w.Name) && s.Result().Volume != 0 && !s.Result().Before(s.AgreedBy(w.Name)) {
				return s.Result(), nil
			}
		}
		return record.Place{}, nil
	})
	if err != nil || result.Volume == 0 {
		return err
	}
	checkpoint, err := h.checkpointAt(ctx, result.Volume, result.Seq+1)
	if err != nil {
		return err
	}
	cosigned, err := h.group.Cosign(ctx, checkpoint)
	if errors.Is(err, wire.ErrAhead) && h.past.size(result.Volume) > checkpoint.Size {
		// It has cosigned a later seal of ours meanwhile, and by that this result.
		return err
	}
	h.noteWitnesses(cosigned)
	if len(cosigned.By) == 0 {
		return err
	}
	return errors.Join(err, h.do(ctx, func(m machine) error {
		return m.WitnessJournal(h.now(), cosigned.Checkpoint,
			cosigned.Names())
	}))
}

// checkpointAt returns the checkpoint of a volume as it was with a number of records.
func (h *House) checkpointAt(ctx context.Context, volume uint16, size uint64) (journal.Checkpoint, error) {
	tree, err := h.past.tree(volume)
	if err != nil {
		return journal.Checkpoint{}, err
	}
	v, err := h.history.volume(volume)
	if err != nil {
		return journal.Checkpoint{}, err
	}
	root, err := journal.RootAt(size, journal.NewReader(tree, store.Tiles(ctx, h.config.Store, volume)))
	return journal.Checkpoint{Origin: v.Origin(), Size: size, Root: root}, err
}

// A WitnessAlarm says that a witness does not sign, and why.
type WitnessAlarm struct {
	Witness  string
	Required bool
	Since    time.Time
	Reason   string
	// Difference is where the witness and the house differ first; nil for a witness
	// that is away or refuses for another reason.
	Difference *witness.Difference
}

// WitnessAlarms returns why witnesses do not sign, in the order in which they are configured.
func (h *House) WitnessAlarms() []WitnessAlarm {
	var list []WitnessAlarm
	for _, w := range h.Witnesses() {
		if w.Err != nil {
			list = append(list, alarmOf(w))
		}
	}
	return list
}

func alarmOf(w WitnessSigns) WitnessAlarm {
	alarm := WitnessAlarm{Witness: w.Name, Required: w.Required, Since: w.Since, Reason: w.Err.Error()}
	if d := new(witness.Difference); errors.As(w.Err, &d) {
		alarm.Difference = d
	}
	return alarm
}

// noteWitnesses takes in who has signed and who has not, and tells the log of what is
// new.
func (h *House) noteWitnesses(c wire.Cosigned) {
	now := h.config.Clock.Now()
	for _, by := range c.By {
		h.signs.note(by.Name, now, nil)
		h.Clear(PartWitness, by.Name)
	}
	for _, m := range c.Missing {
		h.raiseWitness(m)
		if h.signs.note(m.Name, now, m.Err) {
			h.logDifference(alarmOf(WitnessSigns{Name: m.Name, Required: m.Policy == wire.Required, Err: m.Err}))
		}
	}
}

// raiseWitness raises the alarm that a witness has not signed.
func (h *House) raiseWitness(m wire.Missing) {
	remedy := "Start the witness, or restore the connection to it."
	switch {
	case knowsOther(m):
		remedy = "The witness answers: it has cosigned more than this house has, or something else. Follow the runbook, a witness is ahead."
	case errors.Is(m.Err, wire.ErrRefused):
		remedy = "The witness answers. Do what its answer says, or ask its people."
	}
	switch m.Policy {
	case wire.LogOnly:
		remedy += " Sales go on; until it cosigns the public log, no game is drawn."
	case wire.Required:
		remedy += " Sales go on; until it signs, no game is drawn and no new prize is paid."
	default:
		remedy += " Games are drawn and prizes are paid meanwhile."
	}
	sentence := fmt.Sprintf("Witness %s does not sign: %s", m.Name, reason(m.Err))
	if errors.As(m.Err, new(*witness.Difference)) {
		sentence = fmt.Sprintf("Witness %s disagrees with the journal: %s", m.Name, reason(m.Err))
		remedy = "Compare the record that the alarm names with the witness's log before anything else is done. An inspector decides."
	}
	h.Raise(PartWitness, m.Name, sentence, remedy)
}

// logDifference writes to the log where a witness and the house differ, if they do. That a
// witness does not sign is in the log by its alarm.
func (h *House) logDifference(a WitnessAlarm) {
	if d := a.Difference; d != nil {
		h.config.Log.Error("a witness disagrees", "witness", a.Witness, "required", a.Required, "error", a.Reason,
			"record", d.Record, "kind", d.Kind, "check", d.Check, "field", d.Field, "house", d.House, "theirs", d.Witness)
	}
}

// disputed returns who must agree to results and says that the journal does not hold,
// and at which record; nothing is paid meanwhile.
func (h *House) disputed() string {
	for _, a := range h.WitnessAlarms() {
		if a.Required && a.Difference != nil {
			return fmt.Sprintf("%s disagrees with the journal at record %s", a.Witness, a.Difference.Record)
		}
	}
	return ""
}
