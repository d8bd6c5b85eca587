package house

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"drawhouse/core/refusal"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// NotLogged is the code with which the proof that a seal is in the public log is refused.
const NotLogged refusal.Code = "not_logged"

// LogProof proves that the seal of a game is in the public log, under the newest checkpoint that everybody may rely on.
func (h *House) LogProof(ctx context.Context, g Game) (*public.Proof, error) {
	refuse := func(format string, args ...any) (*public.Proof, error) {
		return nil, &refusal.Refusal{Code: NotLogged, Path: "game", Sentence: fmt.Sprintf(format, args...)}
	}
	shown := h.public.shown.Load()
	note, size := h.relied(shown)
	switch {
	case !g.Sealed():
		return nil, &refusal.Refusal{Code: NotSealed, Path: "game", Sentence: fmt.Sprintf("Game %v has no seal.", g.Ref)}
	case !shown.exists():
		return refuse("This house has no public log yet.")
	case note == nil:
		return refuse("The witnesses have cosigned no checkpoint of the public log yet.")
	}
	index, entry, err := shown.find(ctx, h.config.Store, g.SealPlace)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return refuse("The seal of game %v is from before %s began.", g.Ref, shown.Origin)
	case err != nil:
		return nil, err
	case index >= size:
		return refuse("The seal of game %v is entry %d of %s, and the witnesses have cosigned %d entries so far.", g.Ref,
			index, shown.Origin, size)
	}
	p := &public.Proof{Entry: entry, Index: index, Checkpoint: note}
	p.Path, err = journal.ProveRecord(index, size, journal.NewReader(shown.Tree, shown.logTiles(ctx, h.config.Store)))
	if err != nil {
		return nil, err
	}
	log, err := journal.ParseVerifier(shown.Key)
	if err != nil {
		return nil, err
	}
	if _, _, err := p.Check(log); err != nil {
		// As with a ticket's proof: one that fails in the hands of a player would accuse the house.
		return nil, fmt.Errorf("house: the proof of the seal of game %v, made from the store: %w", g.Ref, err)
	}
	return p, nil
}

// relied returns the newest checkpoint of the log that everybody may rely on, and how many entries are below it: where
// the house has witnesses, the newest one that they have cosigned. It returns nil while there is none.
func (h *House) relied(shown *shownLog) (note []byte, size uint64) {
	switch {
	case !shown.exists():
		return nil, 0
	case len(h.config.Witnesses.Members) > 0:
		return shown.cosigned, shown.witnessed
	}
	return shown.signed, shown.Size
}

// find finds the entry of a record. Entries stand in the order of their records, so that a search among the bundles,
// and then in one of them, needs no list.
func (s *shownLog) find(ctx context.Context, stored store.Reader, place record.Place) (uint64, []byte, error) {
	if s.Size == 0 {
		return 0, nil, ErrNoLog
	}
	var failed error
	read := func(bundle uint64) [][]byte {
		entries, err := s.bundle(ctx, stored, bundle)
		if err != nil && failed == nil {
			failed = err
		}
		return entries
	}
	behind := func(entry []byte) bool { // place
		at, err := placeOfEntry(entry)
		if err != nil && failed == nil {
			failed = err
		}
		return place.Before(at)
	}
	bundles := int((s.Size + public.BundleWidth - 1) / public.BundleWidth) //nolint:gosec // Of a log that is in memory.
	bundle := sort.Search(bundles, func(i int) bool {
		entries := read(uint64(i)) //nolint:gosec // From 0 on.
		return failed != nil || behind(entries[0])
	}) - 1
	if failed != nil {
		return 0, nil, failed
	}
	if bundle < 0 {
		return 0, nil, ErrNoLog
	}
	entries := read(uint64(bundle)) //nolint:gosec // From 0 on.
	i := sort.Search(len(entries), func(i int) bool { return failed != nil || behind(entries[i]) }) - 1
	if failed != nil {
		return 0, nil, failed
	}
	if at, err := placeOfEntry(entries[i]); err != nil || at != place {
		return 0, nil, ErrNoLog
	}
	return uint64(bundle)*public.BundleWidth + uint64(i), entries[i], nil //nolint:gosec // From 0 on.
}

// bundle reads the entries of a bundle, which has at least one.
func (s *shownLog) bundle(ctx context.Context, stored store.Reader, index uint64) ([][]byte, error) {
	if index == s.Size/public.BundleWidth {
		return s.Entries, nil
	}
	data, err := stored.Object(ctx, public.ObjectName(s.Number, public.BundlePath(index, 0)))
	if err != nil {
		return nil, fmt.Errorf("house: bundle %d of %s: %w", index, s.Origin, err)
	}
	entries, err := public.SplitBundle(data)
	if err == nil && len(entries) != public.BundleWidth {
		err = fmt.Errorf("house: bundle %d of %s has %d entries", index, s.Origin, len(entries))
	}
	return entries, err
}

// placeOfEntry returns the place of the record of an entry.
func placeOfEntry(entry []byte) (record.Place, error) {
	e, err := public.Parse(entry)
	if err != nil {
		return record.Place{}, err
	}
	return record.Place{Volume: e.Volume, Seq: e.Seq}, nil
}
