package proof

import (
	"errors"
	"fmt"
	"time"

	"drawhouse/check/witness"
	"drawhouse/core/figure"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// logged looks for the seal in the public log, of which there is one for everybody. It does so if the player brought
// the log's key.
func (c *checker) logged() {
	if !c.evidence.knowsLog() {
		return
	}
	key, err := journal.ParseVerifier(c.evidence.logKey())
	if err == nil && c.evidence.Policy != nil && !c.evidence.Policy.Accepts(c.evidence.logKey()) {
		err = errors.New("the policy does not name it")
	}
	if err != nil {
		c.fail("The log's key cannot be read.", err)
		return
	}
	text := c.evidence.LogProof
	if text == nil {
		text = c.proof.Logged
	}
	if text == nil {
		c.fail("Nothing shows the seal in the public log.", errors.New(c.proof.Unlogged))
		return
	}
	p, err := public.ParseProof(text)
	if err != nil {
		c.fail("The proof of the public log cannot be read.", err)
		return
	}
	at, _, err := journal.OpenCheckpoint(p.Checkpoint, key)
	if err == nil && at.Origin != key.Name() {
		err = fmt.Errorf("it is of %s", at.Origin)
	}
	if err != nil {
		c.fail("The checkpoint of the public log is not signed by the log's key.", err)
		return
	}
	at, e, err := p.Check(key)
	if err != nil {
		c.fail("The entry is not shown to be in the public log.", err)
		return
	}
	if err := c.entryOfSeal(at, e); err != nil {
		c.fail("The entry of the public log is not of this seal.", err)
		return
	}
	c.prove("The seal is entry %d of %s, which had %s and root %v.", p.Index, at.Origin,
		figure.CountOf(at.Size, "entry", "entries"), at.Root)
	c.cosigned(p.Checkpoint)
}

// knowsLog reports whether the player brought the log's key.
func (e *Evidence) knowsLog() bool { return e.logKey() != "" }

// logKey returns the log's key: as it was given, or that of the policy.
func (e *Evidence) logKey() string {
	if e.LogKey == "" && e.Policy != nil && len(e.Policy.Logs) == 1 {
		return e.Policy.Logs[0].VKey
	}
	return e.LogKey
}

// asksWitnesses reports whether the player asks for cosignatures of the log.
func (e *Evidence) asksWitnesses() bool {
	return len(e.WitnessKeys) > 0 || e.Quorum > 0 || e.Policy != nil && len(e.Policy.Witnesses) > 0
}

// entryOfSeal reports what an entry has that the entry of the seal has not.
func (c *checker) entryOfSeal(at journal.Checkpoint, e *public.Entry) error {
	house, _, err := journal.ParseLogOrigin(at.Origin)
	if err != nil {
		return err
	}
	sealing, _, err := journal.ParseOrigin(c.body.Checkpoint.Origin)
	switch {
	case err != nil:
		return err
	case house != sealing:
		return fmt.Errorf("the log is of %s", house)
	case e.Kind != public.Sealed:
		return fmt.Errorf("it is %s", e.Kind)
	case e.Game() != c.body.Game || e.Trees("journal")[0] != c.body.Checkpoint:
		return fmt.Errorf("it is of %v and %d records", e.Game(), e.Trees("journal")[0].Size)
	}
	text, _, err := journal.OpenNote(e.Note("note"), c.house)
	if err == nil && text != c.body.Marshal() {
		err = errors.New("it has another seal")
	}
	return err
}

// cosigned counts the witnesses that cosigned the checkpoint of the public log: as many as the player asks for, or
// more than half of those whose keys the player gave.
func (c *checker) cosigned(note []byte) {
	if !c.evidence.asksWitnesses() {
		return
	}
	if c.evidence.Policy != nil {
		c.byPolicy(note)
		return
	}
	known, names := make([]*witness.Verifier, 0, len(c.evidence.WitnessKeys)), map[string]bool{}
	for _, key := range c.evidence.WitnessKeys {
		v, err := witness.ParseVerifier(key)
		if err != nil {
			c.fail("A witness's key cannot be read.", err)
			return
		}
		known, names[v.Name()] = append(known, v), true
	}
	quorum := c.evidence.Quorum
	if quorum == 0 {
		quorum = len(names)/2 + 1
	}
	found, err := witness.Cosignatures(note, known...)
	by := map[string]bool{}
	for _, w := range found {
		by[w.Name] = true
	}
	if err == nil && len(by) < quorum {
		err = fmt.Errorf("%d of %d witnesses have, and %d must", len(by), len(names), quorum)
	}
	if err != nil {
		c.fail(tooFew, err)
		return
	}
	c.seen(found)
}

const tooFew = "Too few of the witnesses whose keys you gave cosigned the public log."

// byPolicy holds the cosignatures against the policy.
func (c *checker) byPolicy(note []byte) {
	var known []*witness.Verifier
	for _, w := range c.evidence.Policy.Witnesses {
		known = append(known, w.Key)
	}
	if lacks := c.evidence.Policy.Of(note).Lacks; lacks != "" {
		c.fail(tooFew, errors.New(lacks))
		return
	}
	found, err := witness.Cosignatures(note, known...)
	if err != nil {
		c.fail(tooFew, err)
		return
	}
	c.seen(found)
}

// seen says which witnesses have seen the log.
func (c *checker) seen(found []witness.Cosignature) {
	for _, w := range found {
		c.prove("%s had seen this public log, and none that contradicts it, at %s by its own clock.", w.Name,
			utc(time.Unix(w.Time, 0)))
	}
}
