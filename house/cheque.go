package house

import (
	"context"
	"errors"
	"slices"

	"drawhouse/core/day"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// promisedBehind reads the cheques that the end of a session promised: they stand just
// behind it. Only who is paid by name can be promised one.
func (h *House) promisedBehind(ctx context.Context, end record.Place,
	ended *record.SessionEnded) ([]*record.ChequePromised, error) {
	if !slices.ContainsFunc(ended.Tenders, func(t record.Settlement) bool { return len(t.Particulars) > 0 }) {
		return nil, nil
	}
	var promised []*record.ChequePromised
	for at := end; ; {
		at.Seq++
		data, err := h.config.Store.Record(ctx, at)
		if errors.Is(err, store.ErrNotFound) {
			return promised, nil
		}
		if err != nil {
			return nil, err
		}
		if kind, ok := record.KindOf(data); !ok || kind != record.KindChequePromised {
			return promised, nil
		}
		r, err := record.Decode(data)
		if err != nil {
			return nil, err
		}
		cheque, ok := r.Body.(*record.ChequePromised)
		if !ok || cheque.End != end {
			return promised, nil
		}
		promised = append(promised, cheque)
	}
}

// Cheque is one that was promised and not handed over.
type Cheque struct {
	state.Cheque
	Overdue bool // the time that was promised is over
}

// Cheques returns the cheques that were promised and not handed over, the one that is due
// first before the others, as far as a person hands them over. Person 0 sees all.
func (h *House) Cheques(_ context.Context, person uint32) ([]Cheque, error) {
	seen := h.viewed()
	now := max(h.now(), seen.Now())
	var all []Cheque
	for _, c := range seen.Cheques() {
		if person == 0 || counter.MayHand(seen, &c, person) {
			all = append(all, Cheque{Cheque: c, Overdue: now >= c.Due})
		}
	}
	return all, nil
}

// Holidays returns the public holidays that the operator has named, ascending.
func (h *House) Holidays(context.Context) ([]day.Day, error) {
	return slices.Clone(h.viewed().Holidays()), nil
}
