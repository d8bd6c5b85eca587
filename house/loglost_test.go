package house

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/check/watch"
	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// lostDisk is a house whose disk was lost after custodians and a witness had cosigned a seal, restored from a backup of
// two games before. One custodian had given its link of that game, and the other had not.
type lostDisk struct {
	*bench
	custodians [2]*custodian
	persons    two
	lost       Game               // the game
	ended      journal.Checkpoint // how far the followers' copies go
	held       []byte             // the journal's last checkpoint, which somebody else has
}

func loseDisk(t *testing.T) *lostDisk {
	t.Helper()
	b, custodians := custodyBenchOf(t, func(*bench) {}, func(b *bench, _ string, custodians [2]*custodian) {
		for _, c := range custodians {
			c.commit(t, b, "2026-11-16")
		}
	})
	l := &lostDisk{bench: b, custodians: custodians, persons: b.appoint()}
	w := newLogWitness(t, b, "outside.example", b.house.config.Keys.HouseVerifier)
	b.witnessedBy(append(b.witnesses.Members, w.member(wire.LogOnly))...)
	b.settledGames(2)
	snapshot := b.snapshot()
	b.settledGames(4)
	custodians[1].away.Store(true)
	b.run(func(time.Time) error {
		if l.lost = b.house.First().Games(2)[1]; l.lost.Sealed() && !l.lost.IsSettled() && custodians[1].asked.Load() > 4 {
			return errEnough
		}
		return nil
	})
	l.ended, _ = custodians[0].gate.Copied()
	var err error
	l.held, err = b.house.Checkpoint(t.Context())
	must(t, err)
	b.close()
	b.restore(snapshot)
	custodians[1].away.Store(false)
	return l
}

// opens opens the house on what there is.
func (l *lostDisk) opens() error {
	l.t.Helper()
	must(l.t, l.store.Close())
	st, err := sqlite.Open(l.t.Context(), l.dir, store.FirstLane)
	must(l.t, err)
	l.t.Cleanup(func() { _ = st.Close() })
	keys, err := KeysOf(l.t.Context(), st, filepath.Join(l.dir, "keys"), "bench.example", l.random)
	must(l.t, err)
	return l.openHouse(st, keys)
}

// published returns what a custodian publishes.
func (c *custodian) published(t *testing.T) string {
	t.Helper()
	answer, err := http.Get(c.member.URL + "/published")
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	data, err := io.ReadAll(answer.Body)
	must(t, err)
	return string(data)
}

// name returns the game that was lost as custodians have it.
func (l *lostDisk) name() journal.Game {
	return journal.Game{Series: "vic-keno", Day: l.lost.Ref.Day.String(), Number: uint32(l.lost.Ref.Number)}
}

// letsGo has the people of both custodians let go of the game that was lost. Before that nobody follows the new log.
func (l *lostDisk) letsGo() {
	l.t.Helper()
	for _, c := range l.custodians {
		if copied, _ := c.gate.Copied(); copied != l.ended {
			l.t.Errorf("%s follows %v before its people let the lost game go", c.name, copied)
		}
		// The house asks its custodians beside its games.
		eventually(l.t, "an alarm says why "+c.name+" refuses", func() bool {
			return slices.ContainsFunc(l.house.Alarms(), func(a Alarm) bool {
				return a.Part == PartWitness && strings.Contains(a.Sentence, c.name) &&
					strings.Contains(a.Sentence, "have not let that go")
			})
		})
		must(l.t, c.server.LetGo(l.name()))
	}
}

// TestDiskLost loses the disk after a seal was cosigned. Neither the backup nor the volume behind it sells. The way out
// is walked to its end: the open games of the day are void, the house reads the entries that it lacks from a custodian,
// and a log begins that names where the first one ended, which custodians and witness take from the house. The
// custodians follow it once their people let the lost game go, and draw the next day. That game has no second draw:
// both custodians publish their links of it.
func TestDiskLost(t *testing.T) {
	t.Parallel()
	l := loseDisk(t)
	for _, restored := range []bool{false, true} {
		if restored {
			_, err := l.turn(record.ReasonRestore, Turn{Held: [][]byte{l.held}})
			must(t, err)
		}
		if err := l.opens(); !errors.Is(err, ErrBehindWitness) || !strings.Contains(err.Error(), "--next-log=2") {
			t.Fatalf("restored: %v, opens: %v", restored, err)
		}
	}
	l.followLog = 2
	l.clock.set(time.Date(2026, 11, 16, 5, 59, 0, 0, time.UTC)) // It took its time.
	must(t, l.opens())
	void, games, letGo := map[uint32]bool{}, 0, false
	l.run(func(time.Time) error {
		games = 0
		for _, g := range l.house.First().Games(20) {
			switch {
			case g.Ref.Day.String() == "2026-11-16" && g.IsSettled():
				games++
			case g.Ref.Day.String() == "2026-11-15" && g.Sealed() && !g.IsSettled() && !void[g.Ordinal]:
				void[g.Ordinal] = true
				must(t, l.decide(l.persons, command.VoidGame{Ordinal: g.Ordinal, Reason: "the disk was lost", Clause: "18(d)"}))
			case !letGo && g.Ref.Day.String() == "2026-11-16" && g.Sealed():
				letGo = true
				l.letsGo()
			}
		}
		if games >= 2 {
			return errEnough
		}
		return nil
	})
	if len(void) == 0 {
		t.Error("no game of the day was void")
	}
	_, chain := readLog(t, l.house, l.logKey())
	if body := chain.Body(); body.Origin != "bench.example/log2" || *body.Before != l.ended {
		t.Errorf("%s follows %v, and the followers have %v", body.Origin, body.Before, l.ended)
	}
	for _, c := range l.custodians {
		if copied, _ := c.gate.Copied(); copied.Origin != "bench.example/log2" || c.gate.Stopped() != nil {
			t.Errorf("%s follows %v, stopped: %v", c.name, copied, c.gate.Stopped())
		}
		name := l.name()
		link := c.rebuild(t, name)
		if said := c.published(t); !strings.Contains(said, strings.ReplaceAll(link.Marshal(), "\n", `\n`)) {
			t.Errorf("%s does not publish its link of %v: %s", c.name, name, said)
		}
	}
	w, err := watch.New(servedLog{l.bench}, l.logKey(), nil, "", nil)
	must(t, err)
	if look, err := w.Look(t.Context()); err != nil || len(look.Findings) > 0 {
		t.Errorf("watch finds %v: %v", look.Findings, err)
	}
	report := l.verify()
	if !report.OK() || report.FindingCount != 1 || !strings.Contains(report.Findings[0].Reason, "which was restored") {
		t.Errorf("verify: %+v, %+v", report.Failure, report.Findings)
	}
}

// TestLogBeginsBehindLostDays holds the beginning of a log that follows against the Keno Days of entries that the
// journal lacks: while one of these can still open here, the log waits.
func TestLogBeginsBehindLostDays(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.minutes(4, 1)
	h := b.house
	for _, c := range []struct {
		kind, series, lost, opens string
		waits                     bool
	}{
		{"game-opened", "vic-keno", "2026-11-15", "", false}, // The journal has that day.
		{"game-opened", "vic-keno", "2026-11-16", "", true},
		{"game-opened", "vic-keno", "2026-11-16", "2026-11-16", true},
		{"game-opened", "vic-keno", "2026-11-16", "2026-11-17", false},
		{"links-committed", "vic-keno", "2026-11-16", "", false},
		{"game-opened", "another", "2026-11-16", "", false},
	} {
		entry := fmt.Sprintf("drawhouse/log/v1\nkind %s\ntime 1\nrecord 1:1\nseries %s\nday %s\n", c.kind, c.series, c.lost)
		if c.kind == "game-opened" {
			entry += "game 0\nid 1\ncloses 1\nrulebook " + journal.Hash{}.String() + "\nschedule s\n"
		} else {
			entry += "custodian a.example\nnote YQ==\n"
		}
		if _, err := public.Parse([]byte(entry)); err != nil {
			t.Fatal(err)
		}
		next := opening{}
		if c.opens != "" {
			next = opening{FirstSeries, day.MustParse(c.opens)}
		}
		if again := h.dayAgain([][]byte{[]byte(entry)}, next); (again != "") != c.waits {
			t.Errorf("%+v: %q", c, again)
		}
	}
}

// TestNoGameWaitsForAVolume begins volumes beside two custodians and a witness without which no game is drawn: with
// the same keys, with other keys of house and device, and after a restore that loses nothing. Nobody tells them of
// it, and no game waits for longer than it does on any other day.
func TestNoGameWaitsForAVolume(t *testing.T) {
	t.Parallel()
	b, custodians := custodyBench(t)
	w := newLogWitness(t, b, "others.example", b.logKey())
	b.witnessedBy(append(b.witnesses.Members, w.member(wire.LogOnly))...)
	b.settledGames(1)
	for i, turn := range []struct {
		reason record.VolumeReason
		kinds  []string
	}{
		{record.ReasonKeys, nil},
		{record.ReasonKeys, []string{HouseKey, DeviceKey}},
		{record.ReasonRestore, nil},
	} {
		b.close()
		if turn.reason == record.ReasonRestore {
			b.restore(b.snapshot())
		}
		_, err := b.turn(turn.reason, Turn{}, turn.kinds...)
		must(t, err)
		must(t, b.store.Close())
		b.open()
		end := b.clock.now.Add(15 * time.Minute)
		b.run(func(until time.Time) error {
			if len(b.settled(100)) >= 2*i+3 {
				return errEnough
			}
			if until.After(end) {
				t.Fatalf("%d games are settled", len(b.settled(100)))
			}
			return nil
		})
		for _, g := range b.settled(100) {
			if took := g.SettledAt.Time().Sub(time.UnixMilli(int64(g.Closes))); took > 2*time.Minute {
				t.Errorf("game %d was settled %v after its close", g.Ordinal, took)
			}
		}
	}
	if number := b.house.First().Games(1)[0].Ordinal; number < 7 {
		t.Errorf("%d games were played", number)
	}
	for _, c := range custodians {
		if c.gate.Stopped() != nil {
			t.Errorf("%s has stopped: %+v", c.name, c.gate.Stopped())
		}
	}
	if report := b.verify(); !report.OK() || report.Links != 2*report.Settled {
		t.Errorf("verify: %+v, %d games by %d links", report.Failure, report.Settled, report.Links)
	}
}

// TestDiskLostBehindQuorum loses the disk and restores a backup that was taken when all custodians had cosigned the
// public log with a seal, and the journal under it not yet. Its links may be known, so two persons cannot void the
// game. The way out is walked: they bring its links, which the custodians publish, and the game has the result that it
// had before the disk was lost. The series is paused until the next Keno Day and what is open void; on that day the
// house sells and draws in the log that follows, which custodians and witness take without anybody's help.
func TestDiskLostBehindQuorum(t *testing.T) {
	t.Parallel()
	var holds atomic.Bool
	b, custodians := custodyBenchOf(t, func(*bench) {}, func(b *bench, _ string, custodians [2]*custodian) {
		for _, c := range custodians {
			c.commit(t, b, "2026-11-16")
			c.agree = func(_ context.Context, c journal.Checkpoint) error {
				if _, _, err := journal.ParseOrigin(c.Origin); err == nil && holds.Load() {
					return &witness.Refusal{Code: witness.Unread, Err: errors.New("it reads the journal later")}
				}
				return nil
			}
		}
	})
	l := &lostDisk{bench: b, custodians: custodians, persons: b.appoint()}
	for i := range b.witnesses.Members {
		b.witnesses.Members[i].Policy = wire.Required
	}
	w := newLogWitness(t, b, "outside.example", b.house.config.Keys.HouseVerifier)
	b.witnessedBy(append(b.witnesses.Members, w.member(wire.LogOnly))...)
	b.settledGames(1)
	holds.Store(true)
	b.run(func(time.Time) error {
		l.lost = b.house.First().Games(2)[1]
		if !l.lost.Sealed() || l.lost.IsSettled() {
			return nil
		}
		if note, err := b.house.First().quorate(t.Context(), l.lost.Ordinal); err != nil || note != nil {
			must(t, err)
			return errEnough
		}
		return nil
	})
	snapshot := b.snapshot()
	holds.Store(false)
	b.settledGames(3)
	before, _ := b.house.Game(l.lost.Ref)
	// A custodian that is behind the other one would need to be told where that answers.
	eventually(t, "the log is cosigned", func() bool {
		shown := b.house.public.shown.Load()
		return shown.witnessed > 0 && shown.witnessed >= shown.due
	})
	var err error
	l.held, err = b.house.Checkpoint(t.Context())
	must(t, err)
	b.close()
	b.restore(snapshot)
	_, err = l.turn(record.ReasonRestore, Turn{Held: [][]byte{l.held}})
	must(t, err)
	l.followLog = 2
	must(t, l.opens())
	wantCode(t, "a void of what custodians have cosigned", l.decide(l.persons,
		command.VoidGame{Ordinal: l.lost.Ordinal, Reason: "the disk was lost", Clause: "18(d)"}), game.ResultStands)
	for _, c := range custodians {
		link := c.rebuild(t, l.name())
		if said := c.published(t); !strings.Contains(said, strings.ReplaceAll(link.Marshal(), "\n", `\n`)) {
			t.Errorf("%s does not publish its link of %v: %s", c.name, l.lost.Ref, said)
		}
		must(t, l.house.BringLink(t.Context(), link, l.persons.ann))
	}
	steps := 0
	l.run(func(time.Time) error {
		if g, _ := l.house.Game(l.lost.Ref); g.IsSettled() {
			return errEnough
		}
		if steps++; steps == 2000 {
			t.Fatalf("the game is not settled; alarms %+v", l.house.Alarms())
		}
		return nil
	})
	if after, _ := l.house.Game(l.lost.Ref); after.Numbers != before.Numbers || before.Numbers.Len() == 0 {
		t.Errorf("the game has %v, and had %v", after.Numbers, before.Numbers)
	}
	// The rest of the day is paused, so that two games at most must be void: one that is sealed, and that on sale.
	by := record.By{Person: l.persons.ann}
	must(t, command.Outcome(l.house.Do(t.Context(), command.Pause{Reason: "the disk was lost"}, by)))
	l.clock.set(time.Date(2026, 11, 16, 6, 0, 30, 0, time.UTC))
	must(t, command.Outcome(l.house.Do(t.Context(), command.Resume{}, by)))
	void, games := map[uint32]bool{}, 0
	l.run(func(time.Time) error {
		games = 0
		for _, g := range l.house.First().Games(20) {
			switch {
			case g.Ref.Day.String() == "2026-11-16" && g.IsSettled():
				games++
			case g.Ref.Day.String() == "2026-11-16" && !g.Sealed():
				l.sell(1, 3)
			case g.Ref.Day.String() == "2026-11-15" && g.Sealed() && !g.IsSettled() && !void[g.Ordinal]:
				void[g.Ordinal] = true
				must(t, l.decide(l.persons, command.VoidGame{Ordinal: g.Ordinal, Reason: "the disk was lost", Clause: "18(d)"}))
			}
		}
		if games >= 2 {
			return errEnough
		}
		if steps++; steps == 1000 {
			t.Fatalf("%d games of the next day, void %v; alarms %+v", games, void, l.house.Alarms())
		}
		return nil
	})
	if len(void) > 2 {
		t.Errorf("%d games of the day were void", len(void))
	}
	if _, chain := readLog(t, l.house, l.logKey()); chain.Body().Origin != "bench.example/log2" {
		t.Errorf("the next day is in %s", chain.Body().Origin)
	}
	for _, c := range custodians {
		if copied, _ := c.gate.Copied(); copied.Origin != "bench.example/log2" || c.gate.Stopped() != nil {
			t.Errorf("%s follows %v, stopped: %v", c.name, copied, c.gate.Stopped())
		}
	}
	look, err := watch.New(servedLog{l.bench}, l.logKey(), nil, "", nil)
	must(t, err)
	if found, err := look.Look(t.Context()); err != nil || len(found.Findings) > 0 {
		t.Errorf("watch finds %v: %v", found.Findings, err)
	}
	// The one finding is that the first log has entries which the journal lacks.
	if report := l.verify(); !report.OK() || report.FindingCount != 1 ||
		!strings.Contains(report.Findings[0].Reason, "which was restored") {
		t.Errorf("verify: %+v, %+v", report.Failure, report.Findings)
	}
}
