package house

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// turn ends the volume of a house that does not run, with new keys of some kinds.
func (b *bench) turn(reason record.VolumeReason, t Turn, kinds ...string) (Turned, error) {
	b.t.Helper()
	keyDir, err := ReadKeyDir(filepath.Join(b.dir, "keys"))
	must(b.t, err)
	return b.turnWith(keyDir, reason, t, kinds...)
}

// turnWith is turn with a directory of keys that was read.
func (b *bench) turnWith(keyDir *KeyDir, reason record.VolumeReason, t Turn, kinds ...string) (Turned, error) {
	b.t.Helper()
	volumes, err := Volumes(b.t.Context(), b.store)
	must(b.t, err)
	last := volumes[len(volumes)-1]
	keys, err := keyDir.For(last)
	must(b.t, err)
	t.Reason, t.Build = reason, "test"
	t.Next = func(volume uint16) (Keys, error) { return keyDir.Next(last, volume, b.random, kinds...) }
	return Begin(b.t.Context(), Config{Store: b.store, Keys: keys, Clock: b.clock}, t)
}

// close ends the house in good order.
func (b *bench) close() {
	b.t.Helper()
	must(b.t, b.house.Close(b.t.Context()))
}

// minutes runs the games for some minutes, selling some tickets of several games.
func (b *bench) minutes(n, tickets int) {
	b.t.Helper()
	end := b.clock.now.Add(time.Duration(n) * time.Minute)
	b.run(func(until time.Time) error {
		if until.After(end) {
			return errEnough
		}
		if ordinal := b.house.First().seen().sale.ordinal; ordinal != 0 {
			for range tickets {
				b.sell(4, 1)
			}
		}
		return nil
	})
}

// TestKeyRotation changes both keys in the middle of a day, with tickets of several
// games under way and a game sealed and half drawn. Everything goes on, old seals and
// draws are verified with the keys of their volume, and every ticket is proved into
// its games across the volumes.
func TestKeyRotation(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.minutes(8, 1)
	for _, kinds := range [][]string{{HouseKey, DeviceKey}, {}, {HouseKey}} {
		b.run(func(time.Time) error {
			if view, err := b.house.First().View(t.Context()); err != nil || len(view.Unsettled) > 0 &&
				view.Unsettled[0].Drawn == 7 {
				return errors.Join(err, errEnough)
			}
			return nil
		})
		before, ok := b.house.history.newestVolume()
		b.close()
		turned, err := b.turn(record.ReasonKeys, Turn{}, kinds...)
		must(t, err)
		if !ok || turned.Begun.Volume != before.Volume+1 || !turned.Handed {
			t.Errorf("after volume %d: %+v", before.Volume, turned)
		}
		if changed := turned.Begun.HouseKey != before.HouseKey; changed != slices.Contains(kinds, HouseKey) {
			t.Errorf("the house key has changed: %v", changed)
		}
		if changed := turned.Begun.DeviceKey != before.DeviceKey; changed != slices.Contains(kinds, DeviceKey) {
			t.Errorf("the device key has changed: %v", changed)
		}
		b.open()
		b.minutes(8, 1)
	}
	b.minutes(15, 0)
	b.checkAcrossVolumes(4)
}

// checkAcrossVolumes proves every ticket into each of its games, reads every seal and
// draw, finds every ticket by its serial and claims it.
func (b *bench) checkAcrossVolumes(volumes int) {
	b.t.Helper()
	t, ctx := b.t, b.t.Context()
	across, sold := 0, map[uint16]bool{}
	for _, ticket := range b.sold {
		found, err := b.house.Ticket(ctx, ticket.Place)
		must(t, err)
		number, err := b.house.Serial(ticket.Place)
		must(t, err)
		if place, err := b.house.Find(number.String()); err != nil || place != ticket.Place {
			t.Fatalf("the serial of %v finds %v: %v", ticket.Place, place, err)
		}
		sold[ticket.Place.Volume] = true
		b.checkStory(ticket.Place)
		for _, g := range found.Games {
			if !g.Sealed() {
				continue
			}
			proof, err := b.house.Proof(ctx, ticket.Place, g.Ref)
			must(t, err)
			if len(proof.Volumes) != int(g.SealPlace.Volume-ticket.Place.Volume) {
				t.Errorf("ticket %v in a game of volume %d is proved by %d volumes", ticket.Place, g.SealPlace.Volume,
					len(proof.Volumes))
			}
			across += len(proof.Volumes)
			b.checkSigners(g.Game)
		}
	}
	if across == 0 || len(sold) != volumes {
		t.Errorf("%d steps across volumes were proved, of tickets in volumes %v", across, slices.Sorted(maps.Keys(sold)))
	}
	if paid := b.payAll(); paid == 0 {
		t.Error("nobody has won")
	}
}

// checkSigners holds the keys that the house names for a game against what they signed.
func (b *bench) checkSigners(g Game) {
	b.t.Helper()
	ctx := b.t.Context()
	houseKey, deviceKey, err := b.house.SignedBy(g)
	must(b.t, err)
	seal, err := b.house.Seal(ctx, g)
	must(b.t, err)
	verifier, err := journal.ParseVerifier(houseKey)
	must(b.t, err)
	_, err = journal.OpenSeal(seal.Signed(), verifier)
	must(b.t, err)
	if !g.IsSettled() {
		return
	}
	note, err := b.house.DrawNote(ctx, g)
	must(b.t, err)
	verifier, err = journal.ParseVerifier(deviceKey)
	must(b.t, err)
	_, _, err = draw.OpenResult(note, verifier)
	must(b.t, err)
}

// TestYear turns the year on a running house: the first Keno Day of the new year
// begins a volume.
func TestYear(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.minutes(4, 1)
	b.clock.now = time.Date(2027, 1, 1, 5, 50, 0, 0, time.UTC)
	b.run(func(until time.Time) error {
		switch v, _ := b.house.history.newestVolume(); {
		case v.Volume == 2 && v.Reason == record.ReasonYear && !until.Before(time.Date(2027, 1, 1, 6, 0, 0, 0, time.UTC)):
			return errEnough
		case v.Volume != 1 || until.Hour() > 6:
			t.Fatalf("volume %d, %s, at %v", v.Volume, v.Reason, until)
		}
		if ordinal := b.house.First().seen().sale.ordinal; ordinal != 0 {
			b.sell(4, 1)
		}
		return nil
	})
	b.minutes(20, 2)
	if v, _ := b.house.history.newestVolume(); v.Volume != 2 {
		t.Errorf("volume %d", v.Volume)
	}
	b.checkAcrossVolumes(2)
}

// TestKilledAtNewYear kills a house between the beginning of the year's volume and
// the opening of its first Keno Day. The next start begins no second one.
func TestKilledAtNewYear(t *testing.T) {
	b := newBench(t)
	b.clock.now = time.Date(2027, 1, 1, 6, 0, 0, 0, time.UTC)
	must(t, b.house.turnYear(t.Context(), day.MustParse("2027-01-01"), 0))
	b.open() // Without closing the old one, as after a kill.
	b.minutes(4, 1)
	if v, _ := b.house.history.newestVolume(); v.Volume != 2 || v.Reason != record.ReasonYear {
		t.Errorf("volume %d, %s", v.Volume, v.Reason)
	}
}

// TestVolumeUnderLoad begins volumes while a terminal sells as fast as it is answered.
// No sale is lost or refused, and no place is given twice.
func TestVolumeUnderLoad(t *testing.T) {
	b := newBench(t)
	b.minutes(1, 0)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		defer stop()
		for range 20 {
			if err := b.house.BeginVolume(ctx, record.ReasonYear); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	seen := map[record.Place]bool{}
	for ctx.Err() == nil {
		sold := b.sell(1, 1)
		if seen[sold.Place] {
			t.Fatalf("place %v was given twice", sold.Place)
		}
		seen[sold.Place] = true
		if _, err := b.house.Serial(sold.Place); err != nil {
			t.Fatal(err) // The key was there before the ticket.
		}
	}
	must(t, <-done)
	if v, _ := b.house.history.newestVolume(); v.Volume != 21 {
		t.Errorf("volume %d", v.Volume)
	}
	b.close()
	b.open()
}

// TestKilledBetweenVolumes breaks the change of keys off after each of its durable
// steps. The house opens as it was or as it is to be, and trying again comes to the
// same keys.
func TestKilledBetweenVolumes(t *testing.T) {
	t.Parallel()
	broken := errors.New("killed")
	for steps := range 5 {
		b := newBench(t)
		b.minutes(4, 1)
		b.close()
		keyDir, err := ReadKeyDir(filepath.Join(b.dir, "keys"))
		must(t, err)
		volumes, err := Volumes(t.Context(), b.store)
		must(t, err)
		keys, err := keyDir.For(volumes[0])
		must(t, err)
		left := steps
		_, err = Begin(t.Context(), Config{Store: b.store, Keys: keys, Clock: b.clock},
			Turn{Reason: record.ReasonKeys, Next: func(volume uint16) (Keys, error) {
				// The steps are the new house key, the new device key, the serial key.
				for n, kinds := range [][]string{{}, {HouseKey}, {HouseKey, DeviceKey}} {
					if left == n {
						return Keys{}, broken
					}
					if _, err := keyDir.Next(volumes[0], volume, b.random, kinds...); err != nil {
						return Keys{}, err
					}
				}
				if left == 3 {
					return Keys{}, broken
				}
				return keyDir.Next(volumes[0], volume, b.random, HouseKey, DeviceKey)
			}})
		if want := steps == 4; (err == nil) != want {
			t.Fatalf("%d steps: %v", steps, err)
		}
		b.open()
		if v, _ := b.house.history.newestVolume(); (v.Volume == 2) != (steps == 4) {
			t.Errorf("%d steps: volume %d", steps, v.Volume)
		}
		b.minutes(4, 1)
		b.close()
		if steps == 4 {
			continue
		}
		turned, err := b.turn(record.ReasonKeys, Turn{}, HouseKey, DeviceKey)
		must(t, err)
		if turned.Begun.Volume != 2 || !turned.Handed || turned.Begun.HouseKey == volumes[0].HouseKey {
			t.Errorf("%d steps: %+v", steps, turned)
		}
		b.open()
		b.minutes(20, 0)
		b.checkAcrossVolumes(1)
	}
}

// TestLostHouseKey takes the house's key away. The house does not open, and tells of
// what; a volume with a new key begins, which the old one has not signed for.
func TestLostHouseKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.minutes(4, 1)
	b.close()
	must(t, os.Remove(filepath.Join(b.dir, "keys", houseKeyFile)))
	keys, err := KeysOf(t.Context(), b.store, filepath.Join(b.dir, "keys"), "bench.example", nil)
	must(t, err)
	if _, err := Open(t.Context(), Config{Store: b.store, Keys: keys, Clock: b.clock, Entropy: b.random}); err == nil ||
		!strings.Contains(err.Error(), "not at hand") {
		t.Errorf("opened without its key: %v", err)
	}
	if _, err := b.turn(record.ReasonYear, Turn{}); err == nil {
		t.Error("a volume began without a key")
	}
	turned, err := b.turn(record.ReasonKeys, Turn{}, HouseKey)
	must(t, err)
	if turned.Handed {
		t.Error("the lost key has signed")
	}
	b.open()
	b.minutes(20, 1)
	b.checkAcrossVolumes(2)
}

// TestLostSerialKey takes away the serial key of a volume that has ended: its tickets
// are not found by their serials, and everything else goes on.
func TestLostSerialKey(t *testing.T) {
	b := newBench(t)
	b.minutes(4, 1)
	number, err := b.house.Serial(b.sold[0].Place)
	must(t, err)
	must(t, b.house.BeginVolume(t.Context(), record.ReasonYear))
	b.close()
	path := filepath.Join(b.dir, "keys", serialVolumeFile)
	own, err := os.ReadFile(path)
	must(t, err)
	must(t, os.Remove(path))
	b.open()
	var refused *refusal.Refusal
	if _, err := b.house.Find(number.String()); !errors.As(err, &refused) {
		t.Errorf("found without its key: %v", err)
	}
	if _, err := b.house.Ticket(t.Context(), b.sold[0].Place); err != nil {
		t.Error(err)
	}
	b.minutes(4, 1)
	b.close()
	// The key of another volume in its place is an error.
	other := strings.Repeat("7", len(strings.TrimSpace(string(own)))) + "\n"
	must(t, os.WriteFile(path, []byte(other), 0o600))
	if _, err := b.tryOpen(); err == nil {
		t.Error("opened with another serial key of volume 1")
	}
}

// snapshot copies the journal as a backup does that knows nothing of the house.
func (b *bench) snapshot() string {
	b.t.Helper()
	dir := b.t.TempDir()
	db := sqlite.FileName
	must(b.t, os.MkdirAll(dir, 0o700))
	b.edit0("VACUUM INTO '" + filepath.Join(dir, db) + "'")
	return dir
}

// restore puts the journal of a snapshot in the place of the house's.
func (b *bench) restore(snapshot string) {
	b.t.Helper()
	must(b.t, b.store.Close())
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(filepath.Join(b.dir, sqlite.FileName+suffix))
	}
	data, err := os.ReadFile(filepath.Join(snapshot, sqlite.FileName))
	must(b.t, err)
	must(b.t, os.WriteFile(filepath.Join(b.dir, sqlite.FileName), data, 0o600))
	b.store, err = sqlite.Open(b.t.Context(), b.dir, 1)
	must(b.t, err)
	b.t.Cleanup(func() { _ = b.store.Close() })
}

// TestRestoredBackup restores backups taken at random moments, sometimes from before a
// change of volume. The house does not open on them where a checkpoint was kept, and
// in the volume that is begun no serial comes twice: every ticket that was lost is
// refused as lost, and none that is sold has the serial of another. The second opinion
// grades what was restored, volume after volume.
func TestRestoredBackup(t *testing.T) {
	t.Parallel()
	restores, sold, gone := 0, 0, 0
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 7))
		b := newBench(t)
		serials := map[serial.Code]record.Place{}
		sell := func(n int) []record.Place {
			var places []record.Place
			for range n {
				sold := b.sell(2, 1)
				number, err := b.house.Serial(sold.Place)
				must(t, err)
				if other, ok := serials[number]; ok {
					t.Fatalf("serial %v is of %v and of %v", number, other, sold.Place)
				}
				serials[number] = sold.Place
				places = append(places, sold.Place)
			}
			return places
		}
		b.minutes(4, 0)
		if seed%2 == 0 {
			must(t, b.house.BeginVolume(t.Context(), record.ReasonYear))
		}
		kept := sell(1 + random.IntN(5))
		snapshot := b.snapshot()
		b.sold = b.sold[:0]
		lost := sell(1 + random.IntN(5))
		if seed%4 < 2 {
			must(t, b.house.BeginVolume(t.Context(), record.ReasonYear))
			lost = append(lost, sell(2)...)
		}
		last, err := b.house.Checkpoint(t.Context())
		must(t, err)
		before, _ := b.house.history.newestVolume()
		b.close()
		b.restore(snapshot)
		keys, err := KeysOf(t.Context(), b.store, filepath.Join(b.dir, "keys"), "bench.example", nil)
		must(t, err)
		if _, err := Open(t.Context(), Config{Store: b.store, Keys: keys, Clock: b.clock, Entropy: b.random,
			Held: [][]byte{last}}); !errors.Is(err, ErrOlder) {
			t.Fatalf("a house opened on an older journal: %v", err)
		}
		turned, err := b.turn(record.ReasonRestore, Turn{Held: [][]byte{last}})
		must(t, err)
		if turned.Begun.Volume <= before.Volume || len(turned.Abandoned) != 1 {
			t.Fatalf("volume %d after %d, abandoned %v", turned.Begun.Volume, before.Volume, turned.Abandoned)
		}
		b.open()
		b.number += 100 // Terminals do not know what was lost.
		sell(5)
		for _, place := range kept {
			if _, err := b.house.Ticket(t.Context(), place); err != nil {
				t.Fatal(err)
			}
		}
		for _, place := range lost {
			_, err := b.house.Ticket(t.Context(), place)
			var refused *refusal.Refusal
			if !errors.As(err, &refused) || refused.Code != TicketLost {
				t.Fatalf("lost ticket %v: %v", place, err)
			}
		}
		if report := b.verify(); !report.OK() {
			t.Fatalf("the second opinion on the restored journal differs: %+v", report.Failure)
		}
		restores, sold, gone = restores+1, sold+len(serials), gone+len(lost)
		b.close()
		keys, err = KeysOf(t.Context(), b.store, filepath.Join(b.dir, "keys"), "bench.example", nil)
		must(t, err)
		again, err := Open(t.Context(), Config{Store: b.store, Keys: keys, Clock: b.clock, Entropy: b.random,
			Held: [][]byte{last}})
		must(t, err) // What was kept is named as lost.
		must(t, again.Close(t.Context()))
	}
	t.Logf("%d restores, %d tickets with as many serials, %d of them lost", restores, sold, gone)
}

// TestForkAfterRestore goes on in the old volume of a restored journal, as no house
// does, and has the result refused by a witness who had seen more. The new volume
// is cosigned.
func TestForkAfterRestore(t *testing.T) {
	b := newBench(t)
	b.minutes(4, 1)
	snapshot := b.snapshot()
	b.minutes(4, 1)
	verifier, err := journal.ParseVerifier(b.house.Hub().Board().House.HouseKey)
	must(t, err)
	watch := witness.NewWatch(verifier)
	judge := func(old uint64, proof journal.TreeProof) error {
		t.Helper()
		signed, err := b.house.Checkpoint(t.Context())
		must(t, err)
		kept, err := watch.Judge(witness.Request{Old: old, Proof: proof, Checkpoint: signed}.Marshal())
		if err == nil {
			watch.Keep(kept)
		}
		return err
	}
	must(t, judge(0, nil))
	seen, ok := watch.Latest("bench.example/v1")
	if !ok {
		t.Fatal("the witness has seen nothing")
	}
	b.close()
	b.restore(snapshot)
	b.open() // Nobody kept a checkpoint here, so the house cannot know.
	for {
		b.minutes(3, 3)
		if tree, err := b.house.past.tree(1); err != nil || tree.Size() > seen.Checkpoint.Size {
			must(t, err)
			break
		}
	}
	tree, err := b.house.past.tree(1)
	must(t, err)
	proof, err := journal.ProveTree(seen.Checkpoint.Size, tree.Size(),
		journal.NewReader(tree, store.Tiles(t.Context(), b.store, 1)))
	must(t, err)
	var refused *witness.Refusal
	if err := judge(seen.Checkpoint.Size, proof); !errors.As(err, &refused) || refused.Code != witness.Inconsistent {
		t.Errorf("a forked journal was judged %v", err)
	}
	b.close()
	b.restore(snapshot)
	_, err = b.turn(record.ReasonRestore, Turn{Held: [][]byte{seen.Note}})
	must(t, err)
	b.open()
	must(t, judge(0, nil))
	if _, ok := watch.Latest("bench.example/v2"); !ok {
		t.Error("the new volume was not cosigned")
	}
}

// TestHeldContradicts opens a house with a checkpoint of another past, or another house.
func TestHeldContradicts(t *testing.T) {
	b := newBench(t)
	b.minutes(4, 1)
	signed, err := b.house.Checkpoint(t.Context())
	must(t, err)
	b.close()
	at, err := journal.UnverifiedCheckpoint(signed)
	must(t, err)
	keys := b.house.config.Keys
	sign := func(change func(*journal.Checkpoint)) []byte {
		c := at
		change(&c)
		msg, err := journal.SignCheckpoint(c, keys.House)
		must(t, err)
		return msg
	}
	device, err := journal.SignCheckpoint(at, keys.Device)
	must(t, err)
	for name, c := range map[string]struct {
		held []byte
		want error
	}{
		"its own":           {signed, nil},
		"another root":      {sign(func(c *journal.Checkpoint) { c.Root[0] ^= 1 }), ErrOtherPast},
		"a longer one":      {sign(func(c *journal.Checkpoint) { c.Size++ }), ErrOlder},
		"a later volume":    {sign(func(c *journal.Checkpoint) { c.Origin = "bench.example/v2" }), ErrOlder},
		"another house":     {sign(func(c *journal.Checkpoint) { c.Origin = "other.example/v1" }), ErrOtherPast},
		"another signature": {device, ErrOtherPast},
	} {
		h, err := Open(t.Context(), Config{Store: b.store, Keys: keys, Clock: b.clock, Entropy: b.random,
			Held: [][]byte{c.held}})
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if err == nil {
			must(t, h.Close(t.Context()))
		}
	}
}

// TestVolumeNumbersAreNamed begins volumes beyond the next number. Only a restore may, it
// names every number that it leaves out, and the journal verifies.
func TestVolumeNumbersAreNamed(t *testing.T) {
	b := newBench(t)
	b.minutes(4, 1)
	b.close()
	for _, reason := range []record.VolumeReason{record.ReasonYear, record.ReasonKeys} {
		if _, err := b.turn(reason, Turn{Volume: 3}); err == nil ||
			!strings.Contains(err.Error(), "only a restore leaves numbers out") {
			t.Errorf("%s leaves volume 2 out: %v", reason, err)
		}
	}
	if _, err := b.turn(record.ReasonRestore, Turn{Volume: 3 + journal.MaxAbandoned}); err == nil ||
		!strings.Contains(err.Error(), "leaves out more than") {
		t.Errorf("more numbers than can be named: %v", err)
	}
	turned, err := b.turn(record.ReasonRestore, Turn{Volume: 4})
	must(t, err)
	var named []string
	for _, c := range turned.Abandoned {
		named = append(named, c.Origin+strings.Repeat("+", int(c.Size)))
	}
	if want := []string{"bench.example/v2", "bench.example/v3"}; turned.Begun.Volume != 4 || !slices.Equal(named, want) {
		t.Errorf("volume %d names %q", turned.Begun.Volume, named)
	}
	b.open()
	b.number += 100
	b.minutes(2, 1)
	if report := b.verify(); !report.OK() || report.FindingCount != 0 {
		t.Errorf("%+v, findings %v", report.Failure, report.Findings)
	}
}
