package jackpot

import (
	"errors"
	"testing"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/rulebook/rules"
)

// The rulebooks of the three models, each with a schedule.
const (
	victoria = "vic-keno-2015 schedule-1"
	tasmania = "tas-keno-2023 settlement"
	casino   = "casino-keno-div2 approved"
)

// fataler is a test, or one random case of it.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func newTerms(t fataler, name string) *Terms {
	t.Helper()
	var id, schedule string
	for i, c := range name {
		if c == ' ' {
			id, schedule = name[:i], name[i+1:]
		}
	}
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	terms, err := NewTerms(book, schedule)
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

// dollars returns whole dollars exactly.
func dollars(n int64) Exact { return Exact(n) * 100 * perCent }

// cents returns whole cents exactly.
func cents(n int64) Exact { return Exact(n) * perCent }

// sum returns what a movement adds up to, which is zero.
func (m Movement) sum() money.Amount {
	return m.Fund + m.Operator + m.Primary + m.Secondary + m.Waiting + m.Aside + m.Winners + m.Elsewhere
}

func wantRefusal(t *testing.T, name string, err error, code refusal.Code, clause string) {
	t.Helper()
	var r *refusal.Refusal
	if !errors.As(err, &r) || r.Code != code || r.Clause != clause || r.Sentence == "" {
		t.Errorf("%s: %v, want %s by %s", name, err, code, clause)
	}
}
