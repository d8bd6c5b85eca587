package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// testHistories does the same random things to the driver's store and to
// Memory, and compares everything that can be read.
func testHistories(t *testing.T, d Driver) {
	rapid.Check(t, func(rt *rapid.T) {
		location := d.Locate(t)
		st, err := d.Open(location)
		if err != nil {
			rt.Fatal(err)
		}
		h := &history{tb: t, st: st, model: OpenMemory(NewDisk())}
		defer func() { _ = h.st.Close() }()
		h.takeOver(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"append":   h.append,
			"takeover": h.takeOver,
			"volume":   func(rt *rapid.T) { h.journal.BeginVolume(h.journal.volume + rapid.Uint16Range(1, 3).Draw(rt, "step")) },
			"stale":    h.stale,
			"reopen": func(rt *rapid.T) {
				if err := h.st.Close(); err != nil {
					rt.Fatal(err)
				}
				if h.st, err = d.Open(location); err != nil {
					rt.Fatal(err)
				}
			},
			"read": h.compare,
			"":     h.compareHeads,
		})
		h.compare(rt)
	})
}

// history is a store beside its model.
type history struct {
	tb      testing.TB
	st      store.Store
	model   *Memory
	journal *Journal
	objects int
	stales  []store.Batch
}

func (h *history) takeOver(rt *rapid.T) {
	head, err := h.st.TakeOver(h.tb.Context())
	want, _ := h.model.TakeOver(h.tb.Context())
	if err != nil || !sameHead(head, want) {
		rt.Fatalf("took over at %+v, %v; want %+v", head, err, want)
	}
	if h.journal, err = Resume(h.tb.Context(), head, h.st); err != nil {
		rt.Fatal(err)
	}
}

// append stores a batch in both.
func (h *history) append(rt *rapid.T) {
	entries := h.journal.Some(rapid.IntRange(1, 150).Draw(rt, "entries"))
	next := h.journal.Next()
	for range rapid.IntRange(0, 3).Draw(rt, "abouts") {
		i := rapid.IntRange(0, len(entries)-1).Draw(rt, "entry")
		seq := next.Seq + uint64(i)
		if seq > 0 {
			entries[i].About = record.Place{Volume: next.Volume,
				Seq: rapid.Uint64Range(0, min(seq-1, 5)).Draw(rt, "about")}
		}
	}
	var objects []store.Object
	for range rapid.IntRange(0, 2).Draw(rt, "objects") {
		objects = append(objects, store.Object{Name: fmt.Sprint(h.objects), Data: Data(next)})
		h.objects++
	}
	b := h.journal.Batch(entries, objects...)
	if err := h.model.Append(h.tb.Context(), b); err != nil {
		rt.Fatalf("the model refuses: %v", err)
	}
	if err := h.st.Append(h.tb.Context(), b); err != nil {
		rt.Fatal(err)
	}
	h.stales = append(h.stales, b)
}

// stale appends a batch a second time.
func (h *history) stale(rt *rapid.T) {
	if len(h.stales) == 0 {
		return
	}
	b := rapid.SampledFrom(h.stales).Draw(rt, "batch")
	if rapid.Bool().Draw(rt, "of this epoch") {
		b.Epoch = h.journal.epoch
	}
	if err := h.st.Append(h.tb.Context(), b); !errors.Is(err, store.ErrFenced) {
		rt.Fatalf("a batch stored twice: %v", err)
	}
}

// compareHeads reads from both how far they go.
func (h *history) compareHeads(rt *rapid.T) {
	got, err := h.st.Volumes(h.tb.Context())
	want, _ := h.model.Volumes(h.tb.Context())
	if err != nil || !slices.EqualFunc(got, want, sameHead) {
		rt.Fatalf("volumes %+v, %v; want %+v", got, err, want)
	}
}

// compare reads from both what they hold.
func (h *history) compare(rt *rapid.T) {
	ctx := h.tb.Context()
	heads, _ := h.model.Volumes(ctx)
	for _, head := range heads {
		if err := verifyVolume(ctx, h.st, head); err != nil {
			rt.Fatal(err)
		}
		for seq := range min(head.Size, 6) {
			place := record.Place{Volume: head.Volume, Seq: seq}
			places, err := h.st.About(ctx, place)
			wantPlaces, _ := h.model.About(ctx, place)
			if err != nil || !slices.Equal(places, wantPlaces) {
				rt.Fatalf("about %v: %v, %v; want %v", place, places, err, wantPlaces)
			}
		}
	}
	for n := range h.objects {
		data, err := h.st.Object(ctx, fmt.Sprint(n))
		wantData, _ := h.model.Object(ctx, fmt.Sprint(n))
		if err != nil || !bytes.Equal(data, wantData) {
			rt.Fatalf("object %d: %q, %v; want %q", n, data, err, wantData)
		}
	}
}
