package settle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/money"
)

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		name, book, schedule string
		way                  Way
		reductions           []Reduction
		want                 []string
	}{
		{"a plain prize", "vic-keno-2015", "schedule-1", Way{"classic", kenoSet(18, 21), 200}, nil,
			[]string{"3 of 4 on $2.00: 2 x $4.00 = $8.00 [S.classic-1] $8.00"}},
		{"a part of a dollar", "vic-keno-2015", "schedule-1", Way{"classic", kenoSet(18, 21), 50}, nil,
			[]string{"3 of 4 on $0.50: 0.50 x $4.00 = $2.00 [S.classic-1] $2.00"}},
		{"nothing", "vic-keno-2015", "schedule-1", Way{"classic", kenoSet(20, 23), 200}, nil, nil},
		{"a catch of zero", "casino-keno-div2", "approved", Way{"standard", kenoSet(21, 28), 100}, nil,
			[]string{"0 of 8 on $1.00: 1 x $1.00 = $1.00 [1.0.schedule-of-prizes] $1.00"}},
		{"rounded", "vic-keno-2015", "schedule-1", Way{"classic", kenoSet(20, 20), 13}, nil, []string{
			"1 of 1 on $0.13: 0.13 x $3.00 = $0.39 [S.classic-1] $0.39",
			"rounded down to a multiple of $0.10: $0.30 [21(i)] $0.30"}},
		{"pro-rated and rounded", "vic-keno-2015", "schedule-1", Way{"classic", kenoSet(1, 10), 400}, []Reduction{{0, 3, 7}}, []string{
			"10 of 10 on $4.00: 4 x $250,000.00 = $1,000,000.00 [S.classic-1] $1,000,000.00",
			"major prizes exceed $3,000,000.00: $1,000,000.00 x 3 / 7 = $428,571.42 and a part of a cent [24(a)] $428,571.42",
			"rounded down to a multiple of $0.10: $428,571.40 [21(i)] $428,571.40"}},
		{"less than a unit is left over", "tas-keno-2023", "settlement", Way{"standard", kenoSet(1, 9), 100}, []Reduction{{0, 4_000_000_001, 10_000_000_000}}, []string{
			"9 of 9 on $1.00: 1 x $250,000.00 = $250,000.00 [17.5] $250,000.00",
			"major prizes exceed $300,000.00: $250,000.00 x 4000000001 / 10000000000 = $100,000.00 and a part of a cent [18.1] $100,000.00"}},
		{"held at the floor", "vic-keno-2015", "schedule-1", Way{"classic", kenoSet(1, 6), 100}, []Reduction{{0, 1, 2}}, []string{
			"6 of 6 on $1.00: 1 x $1,800.00 = $1,800.00 [S.classic-1] $1,800.00",
			"major prizes exceed $3,000,000.00; none is reduced below $1,000.00 [24(c)] $1,000.00"}},
		{"not above the floor", "casino-keno-div2", "approved", Way{"standard", kenoSet(14, 21), 100}, []Reduction{{0, 1, 2}}, []string{
			"7 of 8 on $1.00: 1 x $700.00 = $700.00 [1.0.schedule-of-prizes] $700.00",
			"major prizes exceed $1,000,000.00; one of $1,000.00 or less is not reduced [8.9] $700.00"}},
		{"capped", "casino-keno-div2", "approved", Way{"special", kenoSet(1, 10), 300}, nil, []string{
			"10 of 10 on $3.00: 3 x $250,000.00 = $750,000.00 [1.0.special-entry] $750,000.00",
			"a way wins at most $250,000.00 [8.6] $250,000.00"}},
		{"not major, not reduced", "vic-keno-2015", "schedule-1", Way{"classic", kenoSet(1, 5), 100}, []Reduction{{0, 1, 2}},
			[]string{"5 of 5 on $1.00: 1 x $640.00 = $640.00 [S.classic-1] $640.00"}},
	} {
		h := newHouse(t, c.book, c.schedule)
		// A losing way before it has no line, and the lines say which way they are of.
		ways := []Way{{c.way.Bet, kenoSet(61, 64), 100}, c.way}
		lines, err := Explain(ways, kenoSet(1, drawn), h.terms, c.reductions)
		var got []string
		for _, l := range lines {
			if l.Way != 1 {
				t.Errorf("%s: a line of way %d", c.name, l.Way)
			}
			first, _, _ := strings.Cut(l.Clause, " ")
			got = append(got, fmt.Sprintf("%s [%s] %v", l.Text, first, l.Amount))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.name, err, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
		prize, err := PrizeOf(ways, kenoSet(1, drawn), h.terms, c.reductions)
		if err != nil || len(lines) > 0 && prize != lines[len(lines)-1].Amount || len(lines) == 0 && prize != 0 {
			t.Errorf("%s: the prize is %v (%v), not what the last line says", c.name, prize, err)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		stake, per money.Amount
		want       string
	}{{200, 100, "2"}, {150, 100, "1.50"}, {10, 100, "0.10"}, {100, 50, "2"}, {75, 50, "$0.75 / $0.50"}} {
		if got := times(c.stake, c.per); got != c.want {
			t.Errorf("%v for %v is %s times, want %s", c.stake, c.per, got, c.want)
		}
	}
}

func TestPrizeOfRefuses(t *testing.T) {
	h := newHouse(t, "vic-keno-2015", "schedule-1")
	good := Way{"classic", kenoSet(1, 4), 100}
	for name, c := range map[string]struct {
		way        Way
		reductions []Reduction
		want       string
	}{
		"no such bet":       {Way{"tombola", kenoSet(1, 4), 100}, nil, "no prizes for tombola"},
		"no such size":      {Way{"classic", kenoSet(1, 11), 100}, nil, "on 11 spots"},
		"no stake":          {Way{"classic", kenoSet(1, 4), 0}, nil, "stake of $0.00"},
		"too large a stake": {Way{"classic", kenoSet(1, 10), 1 << 60}, nil, "out of range"},
		"no such limit":     {good, []Reduction{{1, 1, 2}}, "none of these terms"},
		"a factor of one":   {good, []Reduction{{0, 1, 1}}, "none of these terms"},
		"no factor":         {good, []Reduction{{0, 0, 0}}, "none of these terms"},
	} {
		_, err := PrizeOf([]Way{good, c.way}, kenoSet(1, drawn), h.terms, c.reductions)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if _, err := Explain([]Way{good, c.way}, kenoSet(1, drawn), h.terms, c.reductions); err == nil {
			t.Errorf("%s: explained", name)
		}
	}
}
