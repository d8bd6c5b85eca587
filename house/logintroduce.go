package house

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"drawhouse/check/witness/wire"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// introducedTo names a log and a witness to whom the house has told how the log begins.
func introducedTo(shown *shownLog, name string) string { return shown.Origin + " " + name }

// introduceLog tells witnesses that do not know the log how it begins, each once, and again where that came to nothing.
// A witness of ours believes the key of the house under that. It reports whether one has taken it.
func (h *House) introduceLog(ctx context.Context, shown *shownLog, missing []wire.Missing) (taken bool) {
	if h.public.introduced == nil {
		h.public.introduced = map[string]error{}
	}
	for _, m := range missing {
		key := introducedTo(shown, m.Name)
		if answered, told := h.public.introduced[key]; !errors.Is(m.Err, wire.ErrUnknownLog) || told &&
			!errors.Is(answered, wire.ErrUnreachable) {
			continue
		}
		err := h.introduceTo(ctx, shown, m.Name)
		h.public.introduced[key] = err
		taken = err == nil || taken
	}
	return taken
}

// introduceTo tells a witness how the log begins.
func (h *House) introduceTo(ctx context.Context, shown *shownLog, name string) error {
	i := slices.IndexFunc(h.config.Witnesses.Members, func(m wire.Member) bool { return m.Witness.Name() == name })
	if i < 0 {
		return fmt.Errorf("house: no witness %s is asked", name)
	}
	data, err := shown.part(ctx, h.config.Store, public.Part{Entries: true, Width: 1})
	if err != nil {
		return err
	}
	entries, err := public.SplitBundle(data)
	if err != nil {
		return err
	}
	first, err := public.Parse(entries[0])
	if err != nil {
		return err
	}
	body, err := journal.OpenLog(first.Note("note"), shown.Key)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, h.config.Witnesses.Timeout)
	defer cancel()
	member := h.config.Witnesses.Members[i]
	if body.Before == nil {
		return member.Introduce(ctx, first.Note("note"))
	}
	behind := h.bringToEnd(ctx, member, *body.Before)
	if err := member.Introduce(ctx, entries[0]); err != nil {
		return errors.Join(err, behind)
	}
	return nil
}

// bringToEnd has a witness cosign the end of the log that another one follows, from the copy of a custodian: it follows
// no log that goes on from entries which it has not cosigned. The house may have lost these entries itself.
func (h *House) bringToEnd(ctx context.Context, behind wire.Member, end journal.Checkpoint) (err error) {
	for _, m := range h.config.Witnesses.Members {
		if !m.Custodian || m.Witness.Name() == behind.Witness.Name() {
			continue
		}
		signed, prove, failed := m.Ended(ctx, end)
		if failed == nil {
			if _, failed = behind.Cosign(ctx, signed, 0, prove); failed == nil {
				return nil
			}
		}
		err = errors.Join(err, failed)
	}
	return err
}
