package house

import (
	"context"
	"fmt"

	"drawhouse/core/contain"
	"drawhouse/decide/engine"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// replay replays the volumes of the journal behind what an engine has read of it. Each
// but the last is held against the end that the next one states; the last is for the
// caller.
func (h *House) replay(ctx context.Context, e *engine.Engine, head store.Head, stored store.Reader) (machine, error) {
	volumes, err := stored.Volumes(ctx)
	if err != nil {
		return machine{}, err
	}
	if last := volumes[len(volumes)-1]; last.Volume != head.Volume || last.Size != head.Size {
		return machine{}, fmt.Errorf("house: the volumes end at %d:%d, the journal at %d:%d", last.Volume, last.Size,
			head.Volume, head.Size)
	}
	for _, v := range volumes {
		next := e.State().Next()
		if v.Volume < next.Volume {
			continue
		}
		from := uint64(0)
		if v.Volume == next.Volume {
			from = next.Seq
		}
		if err := readAhead(ctx, stored, v, from, func(p *page) error { return h.replayPage(e, p) }); err != nil {
			return machine{}, record.WrittenBy(err, e.State().Build())
		}
		if v.Size > 0 {
			h.past.adopt(v.Volume, e.Tree())
		}
	}
	return machine{e}, nil
}

// replayPage adds up some records and shows them.
func (h *House) replayPage(e *engine.Engine, p *page) error {
	for i := range p.records {
		place := record.Place{Volume: p.from.Volume, Seq: p.from.Seq + uint64(i)}
		if err := e.ReplayDecoded(p.records[i], p.leaves[i]); err != nil {
			return err
		}
		if next := e.State().Next(); next.Volume != place.Volume || next.Seq != place.Seq+1 {
			return fmt.Errorf("house: the record at %v is the one before %v", place, next)
		}
		if err := h.held.check(e); err != nil {
			return err
		}
	}
	h.kept.since.Add(uint64(len(p.data)))
	return h.show(e.State(), p.from, p.data)
}

// page are some records of a volume, one after the other.
type page struct {
	from    record.Place
	data    [][]byte
	records []record.Record
	leaves  []journal.Hash
}

const (
	// pageRecords is how many records are handed over at once, and pagesAhead how many
	// pages may be read ahead.
	pageRecords = 256
	pagesAhead  = 4
)

// readAhead reads the records of a volume from one on, decodes and hashes them while those before
// them are added up: each is about half of a replay, and there are two cores at least.
// It returns when both have ended.
func readAhead(ctx context.Context, stored store.Reader, v store.Head, from uint64, add func(*page) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pages, fault := make(chan *page, pagesAhead), make(chan error, 1)
	contain.Go("reading the journal", func() error { return readPages(ctx, stored, v, from, pages) }, func(err error) {
		fault <- err
		close(pages)
	})
	var failed error
	for p := range pages {
		if failed == nil {
			if failed = add(p); failed != nil {
				stop() // What is read already is taken and left.
			}
		}
	}
	if failed != nil {
		return failed
	}
	return <-fault
}

// readPages reads a volume from a record on, page by page. A record that cannot be decoded comes as the
// error behind those before it.
func readPages(ctx context.Context, stored store.Reader, v store.Head, from uint64, pages chan<- *page) error {
	p := newPage(v.Volume, from)
	send := func() error {
		select {
		case pages <- p:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	err := stored.Records(ctx, v.Volume, from, v.Size, func(seq uint64, data []byte) error {
		if len(p.data) == pageRecords {
			if err := send(); err != nil {
				return err
			}
			p = newPage(v.Volume, seq)
		}
		data = append([]byte(nil), data...) // The store's own is used again.
		r, err := record.Decode(data)
		if err != nil {
			return fmt.Errorf("house: record %v: %w", record.Place{Volume: v.Volume, Seq: seq}, err)
		}
		p.data, p.records, p.leaves = append(p.data, data), append(p.records, r), append(p.leaves,
			journal.LeafHash(data))
		return nil
	})
	if len(p.data) > 0 {
		if sendErr := send(); err == nil {
			err = sendErr
		}
	}
	return err
}

func newPage(volume uint16, from uint64) *page {
	return &page{
		from: record.Place{Volume: volume, Seq: from},
		data: make([][]byte, 0, pageRecords), records: make([]record.Record, 0, pageRecords),
		leaves: make([]journal.Hash, 0, pageRecords),
	}
}
