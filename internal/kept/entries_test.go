package kept

import (
	"context"
	"testing"

	"drawhouse/books/entries"
	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// stored reads a kept journal as a store.
type stored struct {
	store.Reader // what journal entries do not ask for
	journal      *Journal
}

func (s stored) Volumes(context.Context) (heads []store.Head, _ error) {
	for _, r := range s.journal.Records {
		if n := len(heads); n == 0 || heads[n-1].Volume != r.Place.Volume {
			heads = append(heads, store.Head{Volume: r.Place.Volume})
		}
		heads[len(heads)-1].Size = r.Place.Seq + 1
	}
	return heads, nil
}

func (s stored) Record(_ context.Context, at record.Place) ([]byte, error) {
	for _, r := range s.journal.Records {
		if r.Place == at {
			return r.Data, nil
		}
	}
	return nil, store.ErrNotFound
}

func (s stored) Records(_ context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	for _, r := range s.journal.Records {
		if r.Place.Volume == volume && r.Place.Seq >= from && r.Place.Seq < to {
			if err := fn(r.Place.Seq, r.Data); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s stored) Object(_ context.Context, name string) ([]byte, error) {
	if data, ok := s.journal.Export[verify.ObjectsFolder+name]; ok {
		return data, nil
	}
	return nil, store.ErrNotFound
}

// TestKeptEntries makes the journal entries of every kept journal. They have every posting up to the last close of a
// day of the house, and none behind it.
func TestKeptEntries(t *testing.T) {
	journals, err := All()
	if err != nil {
		t.Fatal(err)
	}
	type balance struct {
		account ledger.Account
		unit    uint32
	}
	days, lines := 0, 0
	for _, j := range journals {
		open, err := entries.Open(t.Context(), stored{journal: j})
		if err != nil {
			t.Errorf("%s: %v", j.Name, err)
			continue
		}
		if len(open.Days) == 0 {
			continue
		}
		days += len(open.Days)
		left := map[balance]money.Amount{}
		for _, r := range j.Records {
			if !r.Place.Before(open.Days[len(open.Days)-1].Closed) {
				break
			}
			is, err := record.Decode(r.Data)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range is.Postings {
				left[balance{p.Account, p.Unit}] += p.Cents
			}
		}
		if _, err := open.Each(t.Context(), entries.Choice{}, func(e *entries.Entry) error {
			for _, l := range e.Lines {
				left[balance{l.Account, l.Unit}] -= l.Debit - l.Credit
				lines++
			}
			return nil
		}); err != nil {
			t.Errorf("%s: %v", j.Name, err)
		}
		for b, cents := range left {
			if cents != 0 {
				t.Errorf("%s: the entries lack %v of %v %s", j.Name, cents, b.account, b.account.UnitName(b.unit))
			}
		}
	}
	if days < 10 || lines < 100 {
		t.Errorf("only %d days with %d lines were found", days, lines)
	}
	t.Logf("%d days, %d lines", days, lines)
}
