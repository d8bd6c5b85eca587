package ledger

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/money"
)

func TestChartIsDense(t *testing.T) {
	for i, line := range chart {
		if int(line.account) != i+1 {
			t.Errorf("%s is account %d at place %d of the chart", line.name, line.account, i+1)
		}
	}
	if Account(0).IsValid() || Account(len(chart)+1).IsValid() {
		t.Error("an account outside the chart is valid")
	}
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		postings []Posting
		want     string
	}{
		"balanced":   {[]Posting{Debit(Cash, 1, 100), Credit(Unplayed, 0, 100)}, ""},
		"three legs": {[]Posting{Debit(Unplayed, 0, 100), Credit(PrizeFund, 0, 75), Credit(Retained, 0, 25)}, ""},
		"none":       {nil, ""},
		"a cent short": {[]Posting{Debit(Cash, 1, 100), Credit(Unplayed, 0, 99)},
			"ledger: debits and credits differ by $0.01"},
		"unknown account": {[]Posting{Debit(99, 0, 1), Credit(Unplayed, 0, 1)},
			"ledger: posting 0: account 99 is not in the chart"},
		"cash of no venue": {[]Posting{Debit(Cash, 0, 1), Credit(Unplayed, 0, 1)}, "ledger: posting 0: cash with unit 0"},
		"fund of a venue": {[]Posting{Debit(PrizeFund, 7, 1), Credit(Unplayed, 0, 1)},
			"ledger: posting 0: prize_fund with unit 7"},
		"nothing moved": {[]Posting{Debit(Unplayed, 0, 0)}, "ledger: posting 0: unplayed moves nothing"},
	} {
		err := Check(c.postings)
		if got := errorText(err); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestAddIsAllOrNothing(t *testing.T) {
	var b Balances
	full := []Posting{Debit(Cash, 1, math.MaxInt64), Credit(Unplayed, 0, math.MaxInt64)}
	if err := b.Add(full); err != nil {
		t.Fatal(err)
	}
	before := b.Lines()
	err := b.Add([]Posting{Debit(Retained, 0, 5), Credit(Prizes, 0, 5), Debit(Cash, 1, 1), Credit(Unplayed, 0, 1)})
	if !errors.Is(err, money.ErrOverflow) {
		t.Fatalf("overflow: %v", err)
	}
	after := b.Lines()
	if len(before) != len(after) || before[0] != after[0] || before[1] != after[1] {
		t.Fatalf("a refused record changed the balances: %v, then %v", before, after)
	}
}

func TestTrialBalanceIsAlwaysZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Balances
		sums := map[Account]money.Amount{}
		for range rapid.IntRange(1, 30).Draw(t, "records") {
			from := rapid.SampledFrom(Accounts()).Draw(t, "from")
			to := rapid.SampledFrom(Accounts()).Draw(t, "to")
			cents := money.Amount(rapid.Int64Range(1, 1_000_000).Draw(t, "cents"))
			postings := []Posting{Debit(to, unit(to), cents), Credit(from, unit(from), cents)}
			if err := b.Add(postings); err != nil {
				t.Fatal(err)
			}
			sums[to] += cents
			sums[from] -= cents
			if b.Trial() != 0 {
				t.Fatalf("trial balance is %v", b.Trial())
			}
		}
		for a, want := range sums {
			if got := b.Of(a); got != want {
				t.Fatalf("%v is %v, want %v", a, got, want)
			}
			if got := b.OfUnit(a, unit(a)); got != want {
				t.Fatalf("unit of %v is %v, want %v", a, got, want)
			}
		}
	})
}

func TestMerge(t *testing.T) {
	got := Merge(Credit(Prizes, 0, 3), Debit(Unplayed, 0, 0), Debit(Cash, 2, 5), Credit(Breakage, 0, 4),
		Debit(Breakage, 0, 4), Credit(Prizes, 0, 2))
	want := []Posting{Debit(Cash, 2, 5), Credit(Prizes, 0, 5)}
	if !slices.Equal(got, want) || Check(got) != nil {
		t.Fatalf("%v: %v", got, Check(got))
	}
}

func unit(a Account) uint32 {
	if a.HasUnits() {
		return 3
	}
	return 0
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestRoom shows that no record carries a balance beyond the bound, and that a balance
// which is beyond it may come back.
func TestRoom(t *testing.T) {
	const most = money.MaxBalance
	var b Balances
	if err := b.Add([]Posting{Debit(Safe, 1, most), Credit(Retained, 0, most)}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		postings []Posting
		ok       bool
	}{
		"a cent more":         {[]Posting{Debit(Safe, 1, 1), Credit(Operator, 0, 1)}, false},
		"a cent more below":   {[]Posting{Debit(Safe, 2, 1), Credit(Retained, 0, 1)}, false},
		"a cent back":         {[]Posting{Credit(Safe, 1, 1), Debit(Retained, 0, 1)}, true},
		"there and back":      {[]Posting{Debit(Safe, 1, 5), Credit(Safe, 1, 5)}, true},
		"beyond on one of 2":  {[]Posting{Debit(Safe, 2, 1), Credit(Safe, 1, 2*most), Debit(Operator, 0, 2*most-1)}, false},
		"another account":     {[]Posting{Debit(Safe, 2, most), Credit(Operator, 0, most)}, true},
		"the range of amount": {[]Posting{Debit(Safe, 1, math.MaxInt64), Credit(Operator, 0, math.MaxInt64)}, false},
	} {
		if err := b.CheckRoom(c.postings, most); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := b.Add([]Posting{Debit(Safe, 1, most), Credit(Operator, 0, most)}); err != nil {
		t.Fatal(err)
	}
	if err := b.CheckRoom([]Posting{Credit(Safe, 1, 1), Debit(Operator, 0, 1)}, most); err != nil {
		t.Errorf("a balance beyond the bound cannot come back: %v", err)
	}
}

// TestMergeNeverWraps shows that postings which do not add up to an amount are refused.
func TestMergeNeverWraps(t *testing.T) {
	merged := Merge(Debit(Safe, 1, math.MaxInt64), Debit(Safe, 1, math.MaxInt64), Debit(Safe, 1, 2),
		Credit(Operator, 0, 0))
	if err := Check(merged); err == nil {
		t.Errorf("%v is balanced", merged)
	}
}

// TestUnitsAreNamed: what an account is kept by is said in words that fit it.
func TestUnitsAreNamed(t *testing.T) {
	for _, c := range []struct {
		account Account
		unit    uint32
		want    string
	}{
		{JackpotPrimary, Pool(1, 9), "series 1, 9 spots"}, {HallJackpot, Pool(1, 2), "bingo room 1, level 2"},
		{Cash, 3, "venue 3"}, {Operator, 0, ""},
	} {
		if got := c.account.UnitName(c.unit); got != c.want {
			t.Errorf("%v %d is called %q, want %q", c.account, c.unit, got, c.want)
		}
	}
}
