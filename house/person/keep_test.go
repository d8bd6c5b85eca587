package person

import (
	"crypto/rand"
	"testing"

	"drawhouse/core/day"
)

// TestTerms: details are kept on the last day of their term, and not on the day after.
func TestTerms(t *testing.T) {
	for _, c := range []struct{ term, over, kept, past string }{
		{"7y", "2019-11-19", "2026-11-19", "2026-11-20"},
		{"1y", "2024-02-29", "2025-02-28", "2025-03-01"},
		{"18m", "2025-08-31", "2027-02-28", "2027-03-01"},
		{"1d", "2026-12-31", "2027-01-01", "2027-01-02"},
	} {
		var term Term
		must(t, term.UnmarshalText([]byte(c.term)))
		over := day.MustParse(c.over)
		if term.Past(over, over) || term.Past(over, day.MustParse(c.kept)) || !term.Past(over, day.MustParse(c.past)) {
			t.Errorf("%s from %s: not from %s on", c.term, c.over, c.past)
		}
		if term.String() != c.term {
			t.Errorf("%s is written %v", c.term, term)
		}
	}
	var ever Term
	must(t, ever.UnmarshalText([]byte("ever")))
	if ever != (Term{}) || ever.Past(day.MustParse("1990-01-01"), day.MustParse("2090-01-01")) {
		t.Error("for ever ends")
	}
	for _, bad := range []string{"", "y", "7", "0d", "-1y", "07y", "101y", "1201d", "7w", "Ever", "7y "} {
		if err := new(Term).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q is a term", bad)
		}
	}
}

func FuzzTerm(f *testing.F) {
	f.Add("7y")
	f.Fuzz(func(t *testing.T, text string) {
		var term, again Term
		if term.UnmarshalText([]byte(text)) != nil {
			return
		}
		if err := again.UnmarshalText([]byte(term.String())); err != nil || again != term {
			t.Fatalf("%q is %+v and then %+v, %v", text, term, again, err)
		}
	})
}

// TestOver: the day is kept with the entry, also by an export, and taken back.
func TestOver(t *testing.T) {
	for name, found := range places {
		t.Run(name, func(t *testing.T) {
			r := found(t).open(t)
			ctx := t.Context()
			c, _ := somebody(t)
			d := mustDetails(t, "Ada")
			must(t, r.PutCustomer(ctx, c))
			must(t, r.Put(ctx, d))
			today := day.MustParse("2026-11-19")
			must(t, r.SetOver(ctx, today, c.Hash()))
			for _, want := range []day.Day{today, day.None} {
				all, err := r.Kept(ctx)
				must(t, err)
				for _, k := range all {
					if k.Customer != (k.Hash == c.Hash()) || k.Customer && k.Over != want || !k.Customer && k.Over != day.None {
						t.Errorf("%+v", k)
					}
				}
				if len(all) != 2 {
					t.Errorf("%d entries", len(all))
				}
				copied := places["SQLite"](t).open(t)
				if _, err := Mirror(ctx, copied, r); err != nil {
					t.Fatal(err)
				}
				if again, err := copied.Kept(ctx); err != nil || len(again) != 2 || again[0] != all[0] || again[1] != all[1] {
					t.Errorf("the copy has %+v, %v", again, err)
				}
				must(t, r.SetOver(ctx, day.None, c.Hash()))
			}
		})
	}
}

// TestPapersAreNoCustomers: what NewPaper keeps is no customer's.
func TestPapersAreNoCustomers(t *testing.T) {
	r := places["SQLite"](t).open(t)
	p, err := NewPaper("A letter.", rand.Reader)
	must(t, err)
	must(t, r.PutPaper(t.Context(), p))
	if all, err := r.Kept(t.Context()); err != nil || len(all) != 1 || all[0].Customer {
		t.Errorf("%+v, %v", all, err)
	}
}
