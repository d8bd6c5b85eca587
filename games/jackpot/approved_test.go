package jackpot

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/money"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

func TestApprovedMoves(t *testing.T) {
	terms := newTerms(t, tasmania)
	ok := Approval{Reference: "2024/17", Clause: "7"}
	pool := Pool{Spots: 9, Primary: dollars(10), Secondary: cents(500_00) + 5000, Owed: dollars(1)}
	for name, c := range map[string]struct {
		move func() (Pool, Movement, error)
		want Pool
		m    Movement
	}{
		"a seed": {func() (Pool, Movement, error) { return terms.Lend(pool, 99_00, ok) },
			Pool{Spots: 9, Primary: dollars(109), Secondary: pool.Secondary, Owed: dollars(100), Seeded: dollars(99)},
			Movement{Operator: -99_00, Primary: 99_00}},
		"the secondary to the primary": {func() (Pool, Movement, error) { return terms.Reallocate(pool, 500_00, ok) },
			Pool{Spots: 9, Primary: dollars(510), Secondary: 5000, Owed: dollars(1)},
			Movement{Primary: 500_00, Secondary: -500_00}},
		"the secondary to bonus prizes": {func() (Pool, Movement, error) { return terms.SetAside(pool, 499_99, ok) },
			Pool{Spots: 9, Primary: dollars(10), Secondary: cents(1) + 5000, Owed: dollars(1), Aside: cents(499_99)},
			Movement{Aside: 499_99, Secondary: -499_99}},
	} {
		got, m, err := c.move()
		if err != nil || got != c.want || m != c.m {
			t.Errorf("%s: %+v %+v %v\nwant %+v %+v", name, got, m, err, c.want, c.m)
		}
	}
}

func TestApprovedMovesRefuse(t *testing.T) {
	tas, vic := newTerms(t, tasmania), newTerms(t, victoria)
	pool := Pool{Spots: 9, Secondary: cents(500_00) + 9999}
	type moveFunc func(*Terms, Pool, money.Amount, Approval) (Pool, Movement, error)
	all := map[string]moveFunc{"Lend": (*Terms).Lend, "Reallocate": (*Terms).Reallocate, "SetAside": (*Terms).SetAside}
	ok, not := Approval{"x", "c"}, Approval{"", "c"}
	for name, move := range all {
		_, _, err := move(tas, pool, 1, not)
		wantRefusal(t, name, err, ApprovalMissing, "c")
		for _, amount := range []money.Amount{0, -1, 1 << 62} {
			_, _, err = move(tas, pool, amount, ok)
			wantRefusal(t, name, err, AmountInvalid, "c")
		}
		if _, _, err = move(tas, Pool{Spots: 6}, 1, ok); err == nil {
			t.Errorf("%s: a pool that there is not", name)
		}
		code := NoSecondary
		if name == "Lend" {
			code = NoSeed
		}
		_, _, err = move(vic, Pool{Spots: 10, Secondary: dollars(1)}, 1, ok)
		wantRefusal(t, name, err, code, "c")
		if name == "Lend" {
			continue
		}
		_, _, err = move(tas, pool, 500_01, ok)
		wantRefusal(t, name, err, AmountAbove, "c")
		_, _, err = move(tas, Pool{Spots: 7, Secondary: dollars(1)}, 1, ok)
		wantRefusal(t, name, err, NoSecondary, "c")
	}
	_, _, err := tas.Lend(Pool{Spots: 9, Won: true}, 1, ok)
	wantRefusal(t, "a seed for a pool that was won", err, NotReady, "c")
}

func TestGive(t *testing.T) {
	terms := newTerms(t, tasmania)
	ok := Approval{"x", "c"}
	pool := Pool{Series: 2, Spots: 9, Won: true, Primary: dollars(3), Aside: dollars(100)}
	winners := []Winner{{Stake: 1_00}, {Stake: 2_00}}
	got, err := terms.Give(pool, 2, 9, 50_00, winners, ok)
	want := Pool{Series: 2, Spots: 9, Won: true, Primary: dollars(3), Aside: cents(50_01)}
	if err != nil || got.After != want || got.Move != (Movement{Aside: -49_99, Winners: 49_99}) {
		t.Errorf("%+v %v", got, err)
	}
	if share, err := got.Share(winners[1]); err != nil || share != 33_33 {
		t.Errorf("%v %v", share, err)
	}
	// The next game may have closed in the meantime.
	later := pool
	later.Won, later.Primary = false, dollars(9)
	if later, err = got.Apply(later); err != nil || later.Aside != want.Aside || later.Primary != dollars(9) {
		t.Errorf("later %+v %v", later, err)
	}
	if all, err := terms.Give(pool, 2, 9, 100_00, winners[:1], ok); err != nil || all.After.Aside != 0 {
		t.Errorf("all of it: %+v %v", all, err)
	}
	_, err = terms.Give(pool, 2, 8, 1, winners, ok)
	wantRefusal(t, "another size", err, OtherJackpot, "c")
	_, err = terms.Give(pool, 1, 9, 1, winners, ok)
	wantRefusal(t, "another series", err, OtherJackpot, "c")
	_, err = terms.Give(pool, 2, 9, 1, winners, Approval{})
	wantRefusal(t, "no approval", err, ApprovalMissing, "")
	_, err = terms.Give(pool, 2, 9, 100_01, winners, ok)
	wantRefusal(t, "more than is there", err, AmountAbove, "c")
	_, err = terms.Give(pool, 2, 9, 1, nil, ok)
	wantRefusal(t, "nobody", err, NoWinner, "c")
	if _, err = terms.Give(pool, 2, 9, 1, []Winner{{}}, ok); err == nil {
		t.Error("a winner without a stake")
	}
	if _, err = terms.Give(Pool{Spots: 6}, 0, 6, 1, winners, ok); err == nil {
		t.Error("a pool that there is not")
	}
}

// TestMigrate has the lots below, at and above their size.
func TestMigrate(t *testing.T) {
	terms := newTerms(t, tasmania)
	from := func(primary9 Exact) []Pool {
		return []Pool{
			{Series: 1, Spots: 7, Primary: dollars(10_000)},
			{Series: 1, Spots: 8, Primary: dollars(20_000), Owed: dollars(5_000)}, // The seed was won.
			{Series: 1, Spots: 9, Primary: primary9, Secondary: dollars(30_000), Owed: dollars(50_000), Seeded: dollars(40_000),
				Aside: dollars(2)},
		}
	}
	closed := []Pool{
		{Series: 1, Spots: 7}, {Series: 1, Spots: 8, Owed: dollars(5_000)},
		{Series: 1, Spots: 9, Owed: dollars(10_000), Aside: dollars(2)},
	}
	for _, c := range []struct {
		name             string
		primary9         Exact
		primary, waiting Exact
	}{
		{"below", cents(229_999_99), cents(249_999_99), 0},
		{"at", dollars(230_000), dollars(250_000), 0},
		{"a fraction goes along", dollars(230_000) + 1, dollars(250_000) + 1, 0},
		{"above", cents(230_000_01), dollars(250_000), cents(1)},
		{"two lots and a part", dollars(480_000) + 7, dollars(250_000), dollars(250_000) + 7},
	} {
		into := Pool{Series: 2, Spots: 9, Primary: dollars(1)}
		gotClosed, got, move, err := terms.Migrate(from(c.primary9), into, 0)
		want := Pool{Series: 2, Spots: 9, Primary: dollars(1) + c.primary, Waiting: c.waiting}
		if err != nil || got != want || !slices.Equal(gotClosed, closed) {
			t.Errorf("%s: %+v %+v %v\nwant %+v", c.name, got, gotClosed, err, want)
		}
		if move.sum() != 0 || move.Operator != 40_000_00 || move.Fund != 0 || move.Waiting != c.waiting.Cents() ||
			move.Secondary != -30_000_00 {
			t.Errorf("%s: %+v", c.name, move)
		}
		for got.Waiting > 0 {
			waited := got.Waiting
			got.Won = true
			if got, _, err = terms.Next(got); err != nil || got.Waiting >= waited {
				t.Fatalf("%s: %+v %v", c.name, got, err)
			}
		}
		if total := got.Primary; total != dollars(1)+c.primary+c.waiting {
			t.Errorf("%s: in the end %v", c.name, total)
		}
	}
}

// TestMigrateInRoom brings further money into a jackpot that nobody has won since the last came: together they are no
// more than a lot, and what is beyond that waits.
func TestMigrateInRoom(t *testing.T) {
	terms := newTerms(t, tasmania)
	for name, c := range map[string]struct {
		waits, came, more, primary, waiting Exact
	}{
		"the rest of a lot": {0, dollars(100_000), dollars(150_000), dollars(150_000), 0},
		"a cent more":       {0, dollars(100_000), cents(150_000_01), dollars(150_000), cents(1)},
		"a whole lot came":  {0, dollars(250_000), cents(1), 0, cents(1)},
		"some waits":        {dollars(350_000), dollars(250_000), cents(1), 0, cents(350_000_01)},
		"after a win":       {0, 0, dollars(300_000), dollars(250_000), dollars(50_000)},
		"two lots came":     {0, dollars(500_000), dollars(7), 0, dollars(7)},
	} {
		into := Pool{Series: 2, Spots: 9, Waiting: c.waits}
		want := Pool{Series: 2, Spots: 9, Primary: c.primary, Waiting: c.waiting}
		_, got, _, err := terms.Migrate([]Pool{{Series: 1, Spots: 9, Primary: c.more}}, into, c.came)
		taken, _, also := terms.TakeIn(c.more.Cents(), into, c.came)
		if err != nil || also != nil || got != want || taken != want {
			t.Errorf("%s: %+v, %+v, want %+v: %v, %v", name, got, taken, want, err, also)
		}
	}
}

func TestMigrateRefuses(t *testing.T) {
	tas, vic := newTerms(t, tasmania), newTerms(t, victoria)
	old, into := Pool{Series: 1, Spots: 7}, Pool{Series: 2, Spots: 9}
	_, _, _, err := vic.Migrate([]Pool{old}, into, 0)
	wantRefusal(t, "no migration", err, NoMigration, "15(a)")
	_, _, _, err = tas.Migrate([]Pool{old}, Pool{Series: 2, Spots: 8}, 0)
	wantRefusal(t, "another size", err, OtherJackpot, "7.7(a)")
	_, _, _, err = tas.Migrate([]Pool{old}, Pool{Series: 1, Spots: 9}, 0)
	wantRefusal(t, "the same system", err, SameSystem, "7.7(a)")
	_, _, _, err = tas.Migrate([]Pool{old, old}, into, 0)
	wantRefusal(t, "twice", err, MovedTwice, "7.7(a)")
	for name, c := range map[string]struct{ from, into Pool }{
		"from one that was won": {Pool{Series: 1, Spots: 7, Won: true}, into},
		"into one that was won": {old, Pool{Series: 2, Spots: 9, Won: true}},
	} {
		if _, _, _, err := tas.Migrate([]Pool{c.from}, c.into, 0); !errors.Is(err, ErrWon) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, _, err := tas.Migrate([]Pool{{Series: 1, Primary: most}},
		Pool{Series: 2, Spots: 9, Waiting: most}, 0); err == nil {
		t.Error("more than a pool can hold")
	}
}

func TestGather(t *testing.T) {
	vic, tas := newTerms(t, victoria), newTerms(t, tasmania)
	three := []string{"act", "nsw", "qld"}
	reports := []Report{{"qld", 100, 0}, {"act", 20, 5}, {"nsw", 3, 7}}
	for n, missing := range [][]string{three, {"act", "nsw"}, {"nsw"}, {}} {
		sum, got, err := vic.Gather(three, reports[:n])
		if err != nil || !slices.Equal(got, missing) {
			t.Errorf("with %d reports %v are missing, %v", n, got, err)
		}
		if want := (Elsewhere{123, 12}); n == 3 && sum != want {
			t.Errorf("%+v, want %+v", sum, want)
		}
	}
	if sum, missing, err := tas.Gather(nil, nil); err != nil || len(missing) > 0 || sum != (Elsewhere{}) {
		t.Errorf("alone: %v %v %v", sum, missing, err)
	}
	_, _, err := tas.Gather(three, nil)
	wantRefusal(t, "not pooled", err, NotPooled, "7.3")
	_, _, err = vic.Gather(three, []Report{{"vic", 1, 1}})
	wantRefusal(t, "a stranger", err, NotParticipant, "15(a)")
	_, _, err = vic.Gather(three, []Report{reports[0], reports[0]})
	wantRefusal(t, "twice", err, ReportedTwice, "15(a)")
	_, _, err = vic.Gather(three, []Report{{"nsw", -1, 0}})
	wantRefusal(t, "less than nothing", err, AmountInvalid, "15(a)")
}

func TestOpenAndShowing(t *testing.T) {
	for _, c := range []struct {
		terms   string
		spots   []int
		primary []Exact
		showing []money.Amount
	}{
		{victoria, []int{7, 8, 9, 10}, []Exact{0, 0, 0, 0}, []money.Amount{12_34, 12_34, 12_34, 750_012_34}},
		{tasmania, []int{7, 8, 9}, []Exact{0, 0, 0}, []money.Amount{12_34, 12_34, 12_34}},
		{casino, []int{6, 8}, []Exact{dollars(1_500), dollars(10_000)}, []money.Amount{1_512_34, 10_012_34}},
	} {
		terms := newTerms(t, c.terms)
		if !slices.Equal(terms.Spots(), c.spots) {
			t.Errorf("%s: jackpots for %v", c.terms, terms.Spots())
		}
		for i, spots := range c.spots {
			p, move, err := terms.Open(3, spots)
			want := Pool{Series: 3, Spots: uint8(spots), Primary: c.primary[i]}
			if err != nil || p != want || move != (Movement{Operator: -want.Primary.Cents(), Primary: want.Primary.Cents()}) {
				t.Errorf("%s: %d spots: %+v %+v %v", c.terms, spots, p, move, err)
			}
			if got, err := terms.Showing(p, 12_34); err != nil || got != c.showing[i] {
				t.Errorf("%s: %d spots show %v, %v", c.terms, spots, got, err)
			}
		}
		for _, spots := range []int{-1, 0, 5, 256 + 7, 256 + 6} {
			if p, _, err := terms.Open(1, spots); err == nil {
				t.Errorf("%s: %d spots: %+v", c.terms, spots, p)
			}
		}
		if _, err := terms.Showing(Pool{Spots: 5}, 0); err == nil {
			t.Errorf("%s: 5 spots are shown", c.terms)
		}
		if _, _, err := terms.Next(Pool{Spots: 5}); err == nil {
			t.Errorf("%s: 5 spots go on", c.terms)
		}
	}
}

// TestNewTermsRefuses changes one policy at a time of a rulebook that is sound.
func TestNewTermsRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		id, schedule string
		change       func(*rulebook.Jackpots)
		want         string
	}{
		"no such schedule": {"vic-keno-2015", "schedule-9", nil, "no schedule"},
		"scaled":           {"vic-keno-2015", "schedule-1", func(j *rulebook.Jackpots) { j.FirstDollar = false }, "scales"},
		"a pooled seed": {"tas-keno-2023", "settlement", func(j *rulebook.Jackpots) { j.Pooled = true },
			"that others share"},
		"no bonus table": {"tas-keno-2023", "settlement", func(j *rulebook.Jackpots) { j.BonusFrom = 2 },
			"no bonus jackpot"},
		"a huge reset": {"casino-keno-div2", "approved",
			func(j *rulebook.Jackpots) { j.Pools[0].Reset = new(rulebook.Dollars(1 << 62)) },
			"out of range"},
	} {
		book, err := rules.Book(c.id)
		if err != nil {
			t.Fatal(err)
		}
		policy, _ := book.Jackpots()
		if c.change != nil {
			c.change(&policy)
		}
		schedule, ok := book.Schedule(c.schedule)
		if !ok {
			_, err = NewTerms(book, c.schedule)
		} else {
			_, err = termsOf(book, schedule, policy)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	bingo, err := rules.Book("nsw-bingo-2019")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTerms(bingo, "schedule-1"); err == nil {
		t.Error("bingo has jackpots")
	}
}
