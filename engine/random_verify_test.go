package engine_test

import (
	"bytes"
	"context"
	"io"

	"drawhouse/record"
	"drawhouse/verify"
	"drawhouse/verify/export"
)

// verify has the second opinion grade all that happened in the house.
func (d *randomDays) verify() {
	d.t.Helper()
	d.must(d.core.Take())
	about := verify.House{Format: verify.FormatVersion, House: "case.example", Volume: 1, HouseKey: d.core.Keys.House, DeviceKey: d.core.Keys.Device}
	out := exported{}
	d.must(export.Write(context.Background(), out, about, d.core.Checkpoint, journalOf{d}))
	report := verify.Run(out, verify.Options{
		HouseKey: about.HouseKey, DeviceKey: about.DeviceKey, Rulebooks: []record.Hash{record.Hash(d.book.Hash())},
	})
	if f := report.Failure; !report.OK() {
		r, _ := record.Decode(d.core.Records[f.Place.Seq])
		d.t.Errorf("%v\n%+v\n%+v", f, r.Body, r.Postings)
	}
}

// journalOf reads the journal of a house for the export.
type journalOf struct{ *randomDays }

// Records implements export.Reader.
func (j journalOf) Records(_ context.Context, _ uint16, from, to uint64, fn func(uint64, []byte) error) error {
	for seq := from; seq < to; seq++ {
		if err := fn(seq, j.core.Records[seq]); err != nil {
			return err
		}
	}
	return nil
}

// Object implements export.Reader.
func (j journalOf) Object(_ context.Context, name string) ([]byte, error) {
	return j.core.Objects[name], nil
}

// exported is an export in memory, by the names of its files.
type exported map[string][]byte

// Open implements verify.Source.
func (e exported) Open(name string) (io.ReadCloser, error) {
	data, ok := e[name]
	if !ok {
		return nil, verify.ErrAbsent
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// Create implements export.Sink.
func (e exported) Create(name string) (io.WriteCloser, error) {
	return &exportedFile{done: func(data []byte) { e[name] = data }}, nil
}

// exportedFile is a file of it while it is written.
type exportedFile struct {
	bytes.Buffer
	done func([]byte)
}

// Close implements io.Closer.
func (f *exportedFile) Close() error {
	f.done(f.Bytes())
	return nil
}
