package house

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"drawhouse/core/serial"
	"drawhouse/journal/record"
	"drawhouse/journal/store/sqlite"
)

// playedIn is the variable that makes TestPlayedToBeCut play a house in a directory.
const playedIn = "DRAWHOUSE_TEST_PLAYED_IN"

// TestPlayedToBeCut plays a house whose writes TestPowerCut records: some games with
// sale and payment, and the turn of a volume. After every sale and every step it says
// on its output what is public by then, which is the newest checkpoint.
func TestPlayedToBeCut(t *testing.T) {
	dir := os.Getenv(playedIn)
	if dir == "" {
		t.Skip("this is a part of TestPowerCut")
	}
	b := &bench{t: t, dir: dir, rules: "vic-keno-2015", venue: "hotel", clock: &jumpClock{now: start},
		random: rand.NewChaCha8([32]byte{7}), codes: map[record.Place]serial.ClaimCode{}}
	b.open()
	for range 2 {
		from := b.clock.now
		b.run(func(until time.Time) error {
			b.tell()
			if until.Sub(from) > 5*time.Minute {
				return errEnough
			}
			if until.Sub(b.clock.now) > 10*time.Second {
				b.sell(2, 2)
			}
			b.tell()
			return nil
		})
		b.payAll()
		b.tell()
		must(t, b.house.BeginVolume(t.Context(), record.ReasonYear))
		b.tell()
	}
}

// tell says what is public now.
func (b *bench) tell() {
	signed, err := b.house.Checkpoint(b.t.Context())
	must(b.t, err)
	fmt.Printf("%s%s\n", told, base64.StdEncoding.EncodeToString(signed))
}

// TestPowerCut records what a house writes to its disk, and cuts the power at every
// fsync: with nothing of what was written since the last one, with all of it, and with
// some of it, torn. Every disk that is left must open as a house that begins with all
// that was public, goes on selling, and verifies (P1 to P9 in docs/RELIABILITY.md).
func TestPowerCut(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("strace is not installed")
	}
	dir := filepath.Join(t.TempDir(), "played")
	must(t, os.Mkdir(dir, 0o700))
	events := recordWrites(t, dir)
	random := rand.New(rand.NewPCG(1, 2))
	disk, early := newDisk(), image(nil)
	syncs, cuts, public := 0, 0, 0
	for _, e := range events {
		if e.call == callTell {
			disk.public = e.data
			public++
		}
		if e.call == callSync && disk.dirty() {
			if syncs++; syncs == 30 {
				early = disk.durable()
			}
			for name, left := range map[string]image{"nothing": disk.durable(), "some": disk.torn(random),
				"all": disk.current()} {
				if testing.Short() && syncs%10 != 0 {
					continue
				}
				if err := reopen(t, dir, left, disk.public); err != nil {
					t.Fatalf("fsync %d, of %s, with %s of what was written since: %v", syncs, e.file, name, err)
				}
				cuts++
			}
		}
		disk.apply(e)
	}
	if err := reopen(t, dir, early, disk.public); !errors.Is(err, ErrOlder) {
		t.Errorf("a disk that has lost what was public: %v, want ErrOlder", err)
	}
	if syncs < 50 || public < 50 {
		t.Errorf("%d fsyncs and %d checkpoints try little", syncs, public)
	}
	t.Logf("%d disks of %d fsyncs, with %d checkpoints made public in between", cuts, syncs, public)
}

// reopen opens a house on what is left of a disk, and lets it go on.
func reopen(t *testing.T, played string, left image, public []byte) error {
	t.Helper()
	dir := t.TempDir()
	must(t, os.CopyFS(filepath.Join(dir, "keys"), os.DirFS(filepath.Join(played, "keys"))))
	for name, data := range left {
		must(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	b := &bench{t: t, dir: dir, rules: "vic-keno-2015", venue: "hotel", clock: &jumpClock{now: start.Add(time.Hour)},
		random: rand.NewChaCha8([32]byte{8}), codes: map[record.Place]serial.ClaimCode{}, number: 1 << 20}
	st, err := sqlite.Open(t.Context(), dir, 1)
	if err != nil {
		return err
	}
	defer func() { must(t, st.Close()) }()
	if public != nil {
		b.held = [][]byte{public}
		if head, err := st.Head(t.Context()); err != nil || head.Size == 0 {
			return fmt.Errorf("there was something public, and the head is %+v, %w", head, err)
		}
	}
	keys, err := KeysOf(t.Context(), st, filepath.Join(dir, "keys"), "bench.example", b.random)
	if err != nil {
		return err
	}
	if err := b.openHouse(st, keys); err != nil {
		return err
	}
	defer func() { must(t, b.house.Close(t.Context())) }()
	b.run(func(time.Time) error {
		if ordinal := b.house.First().seen().sale.ordinal; ordinal == 0 {
			return nil
		}
		b.sell(1, 3)
		return errEnough
	})
	if report := b.verify(); !report.OK() {
		return fmt.Errorf("the second opinion differs: %w", report.Failure)
	}
	return nil
}
