package verify

import (
	"testing"

	"drawhouse/core/day"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	library "drawhouse/rulebook/rules"
)

// ofSystem returns a series under the rules of a system, over after its last day.
func ofSystem(t *testing.T, id uint8, plays rulebook.Plays, over bool) *series {
	t.Helper()
	book, err := library.Book("tas-keno-2023")
	if err != nil {
		t.Fatal(err)
	}
	if plays == rulebook.PlaysSuccessor {
		text, _ := rulebook.SuccessorOf(book)
		base := book
		book, err = rulebook.LoadOn("successor.yaml", []byte(text),
			func(rulebook.Hash) (*rulebook.Book, bool) { return base, true })
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := newRules(book)
	if err != nil {
		t.Fatal(err)
	}
	s := newSeries(&record.SeriesBegun{Series: id, Name: string(plays)}, &terms{rules: r})
	s.day = day.MustParse("2026-11-15")
	s.dayOpen = !over
	s.end = &end{day: s.day, games: 480}
	s.pools[9], s.sizes = &pool{Pool: record.Pool{Spots: 9}}, []uint8{9}
	return s
}

// TestPoolsMoveOnClosure moves pools as the house does not: from a system that goes on, and into one that is not its
// successor. Before the level of guards that is a finding.
func TestPoolsMoveOnClosure(t *testing.T) {
	const own, next = rulebook.PlaysOwn, rulebook.PlaysSuccessor
	for name, c := range map[string]struct {
		old, into     rulebook.Plays
		over, allowed bool
	}{
		"on the closure":     {own, next, true, true},
		"while it goes on":   {own, next, false, false},
		"into the old one":   {next, own, true, false},
		"of two old ones":    {own, own, true, false},
		"of the successor's": {next, next, true, false},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			for kind, move := range map[string]func(c *checker, old, into *series) error{
				"jackpots": func(c *checker, old, into *series) error {
					old.pools[9].Primary = exactCent
					_, err := c.poolMoved(&record.PoolMoved{Series: into.id, Move: "migrate", AmountCents: 1, ClosedSeries: old.id,
						Closed: []record.Pool{{Spots: 9}}, Pools: []record.Pool{{Spots: 9, Primary: exactCent}}})
					return err
				},
				"bonus": func(c *checker, old, into *series) error {
					old.bonusPool = exactCent
					_, err := c.bonusMoved(&record.BonusMoved{Series: into.id, From: old.id, Amount: exactCent})
					return err
				},
				"taken in": func(c *checker, _, into *series) error {
					_, err := c.poolsTakenIn(&record.PoolsTakenIn{Series: into.id, System: "old", BonusCents: 1, Approval: "a"})
					return err
				},
			} {
				if kind == "taken in" && c.into == next && !c.allowed {
					continue // Of a system outside nothing is known.
				}
				old, into := ofSystem(t, 1, c.old, c.over), ofSystem(t, 2, c.into, false)
				k := &checker{level: level, report: &Report{}}
				k.log.volumes = []*volume{{number: 1}}
				k.series[1], k.series[2] = old, into
				err := move(k, old, into)
				guarded := level >= record.LevelGuarded
				if (err != nil) != (!c.allowed && guarded) || (k.report.FindingCount > 0) != (!c.allowed && !guarded) {
					t.Errorf("%s, %s, level %d: %v, %d findings", name, kind, level, err, k.report.FindingCount)
				}
			}
		}
	}
}

// TestLotsComeAfterWins brings money into a jackpot that nobody has won since the last lot.
func TestLotsComeAfterWins(t *testing.T) {
	s := ofSystem(t, 2, rulebook.PlaysSuccessor, false)
	const lot = 250_000_00 * exactCent
	for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
		k := &checker{level: level, report: &Report{}}
		k.log.volumes = []*volume{{number: 1}}
		p := &pool{}
		for range 2 {
			if err := k.bringIn(p, lot+exactCent, s.rulesNow().migration, 1); err != nil {
				t.Fatal(err)
			}
		}
		want := record.Pool{Primary: lot, Waiting: lot + 2*exactCent}
		if level < record.LevelGuarded {
			want = record.Pool{Primary: 2 * lot, Waiting: 2 * exactCent}
		}
		if p.Pool != want || (k.report.FindingCount == 1) != (level < record.LevelGuarded) {
			t.Errorf("level %d: %s, %d findings", level, describe(p.Pool), k.report.FindingCount)
		}
	}
}

// TestLicensedAfterTheEnd licenses a venue for a series that has had its last day.
func TestLicensedAfterTheEnd(t *testing.T) {
	for _, over := range []bool{false, true} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			k := &checker{level: level, report: &Report{}, venues: map[uint32]venue{3: {sells: map[uint8]bool{}}}}
			k.log.volumes = []*volume{{number: 1}}
			k.series[1] = ofSystem(t, 1, rulebook.PlaysOwn, over)
			err := k.venueLicensed(&record.VenueLicensed{Venue: 3, Series: 1, Sells: true})
			if guarded := level >= record.LevelGuarded; (err != nil) != (over && guarded) ||
				(k.report.FindingCount > 0) != (over && !guarded) {
				t.Errorf("over %v, level %d: %v, %d findings", over, level, err, k.report.FindingCount)
			}
		}
	}
}

// TestLicensedForTwoSystems licenses a venue for a system beside another: for the successor of what it sells only in
// the place of that, unless it is over.
func TestLicensedForTwoSystems(t *testing.T) {
	for _, c := range []struct {
		beside        rulebook.Plays
		over, instead bool
		level         uint8
		objects       bool
	}{
		{rulebook.PlaysOwn, false, false, record.LevelGuarded, true},
		{rulebook.PlaysOwn, false, true, record.LevelGuarded, false},
		{rulebook.PlaysOwn, true, false, record.LevelGuarded, false},
		{rulebook.PlaysSuccessor, false, false, record.LevelGuarded, false},
		{rulebook.PlaysOwn, false, false, record.LevelFirst, false},
	} {
		k := &checker{level: c.level, report: &Report{}, venues: map[uint32]venue{3: {sells: map[uint8]bool{1: true}}}}
		k.log.volumes = []*volume{{number: 1}}
		k.series[1], k.series[2] = ofSystem(t, 1, c.beside, c.over), ofSystem(t, 2, rulebook.PlaysSuccessor, false)
		b := &record.VenueLicensed{Venue: 3, Series: 2, Sells: true}
		if c.instead {
			b.Instead = 1
		}
		if err := k.venueLicensed(b); (err != nil) != c.objects {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
