package cases

import (
	"context"
	"fmt"
	"strings"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/journal/store"
	"drawhouse/rulebook/rules"
)

// Verify holds the books of every day that is under way to their ties, exports the journal of the house and has package
// verify check it, by its own grading.
func (c *Core) Verify() (*verify.Report, error) {
	if err := c.Take(); err != nil {
		return nil, err
	}
	for series := range c.Engine.State().AllSeries() {
		if faults := c.Engine.BookSoFar(series.ID, series.Day).Ties(); len(faults) > 0 {
			return nil, fmt.Errorf("cases: the book of series %d does not tie: %s", series.ID, strings.Join(faults, "; "))
		}
	}
	files, err := c.Export()
	if err != nil {
		return nil, err
	}
	return verify.Run(files, verify.Options{HasClause: rules.Has, HouseKey: c.Keys.House,
		DeviceKey: c.Keys.Device}), nil
}

// Export returns the journal of the house as an inspector takes it away.
func (c *Core) Export() (export.Memory, error) {
	if err := c.Take(); err != nil {
		return nil, err
	}
	files := export.Memory{}
	about := verify.House{House: "case.example", Volume: 1, HouseKey: c.Keys.House, DeviceKey: c.Keys.Device}
	return files, export.Write(context.Background(), files, about, c.Checkpoint, journalOf{c})
}

// journalOf is a house in memory as an export reads it.
type journalOf struct{ *Core }

// Records implements export.Reader.
func (j journalOf) Records(_ context.Context, _ uint16, from, to uint64, fn func(uint64, []byte) error) error {
	for seq := from; seq < to; seq++ {
		if err := fn(seq, j.Core.Records[seq]); err != nil {
			return err
		}
	}
	return nil
}

// Object implements export.Reader.
func (j journalOf) Object(_ context.Context, name string) ([]byte, error) {
	data, ok := j.Objects[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, store.ErrNotFound)
	}
	return data, nil
}
