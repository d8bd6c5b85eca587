package cases

import (
	"bytes"
	"fmt"
	"sync"

	"drawhouse/decide/engine"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/snapshot"
)

// engineForm is how an engine is written as a snapshot.
var engineForm = sync.OnceValues(snapshot.For[engine.Engine])

// CheckSnapshot has an engine go on from a snapshot behind the first so many records, and
// compares everything in it, to the byte, with one that has replayed them all.
func (c *Core) CheckSnapshot(behind int) error {
	form, err := engineForm()
	if err != nil {
		return err
	}
	if err := c.Take(); err != nil {
		return err
	}
	whole, recalled := engine.New(nil), engine.New(nil)
	whole.State().KeepFresh(1)
	recalled.State().KeepFresh(1)
	if err := c.replay(whole, 0, behind); err != nil {
		return err
	}
	written, err := form.Append(nil, whole)
	if err != nil {
		return err
	}
	if err := form.Read(written, recalled); err != nil {
		return err
	}
	for _, e := range []*engine.Engine{whole, recalled} {
		if err := c.replay(e, behind, len(c.Records)); err != nil {
			return err
		}
	}
	if got, want := whole.State().Hash(), whole.State().HashAnew(); got != want {
		return fmt.Errorf("cases: the state has hash %x, and gone through anew %x", got, want)
	}
	if got, want := recalled.State().Hash(), whole.State().Hash(); got != want {
		return fmt.Errorf("cases: behind a snapshot of %d records the state has hash %x and not %x", behind, got, want)
	}
	want, err := form.Append(nil, whole)
	if err != nil {
		return err
	}
	got, err := form.Append(nil, recalled)
	if err == nil && !bytes.Equal(got, want) {
		err = fmt.Errorf("cases: behind a snapshot of %d of %d records the engine knows something else", behind,
			len(c.Records))
	}
	return err
}

// replay has an engine add up records. Each record is read once.
func (c *Core) replay(e *engine.Engine, from, to int) error {
	for _, data := range c.Records[len(c.again):] {
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		c.again = append(c.again, decoded{r, journal.LeafHash(data)})
	}
	for _, r := range c.again[from:to] {
		if err := e.ReplayDecoded(r.record, r.leaf); err != nil {
			return err
		}
	}
	return nil
}
