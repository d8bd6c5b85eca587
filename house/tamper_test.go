package house

import (
	"bytes"
	"database/sql"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/engine"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store/sqlite"
)

// edit lets somebody with access to the database change it behind the house.
func (b *bench) edit(query string, args ...any) {
	b.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(b.dir, sqlite.FileName))
	must(b.t, err)
	defer db.Close()
	result, err := db.Exec(query, args...)
	must(b.t, err)
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		b.t.Fatalf("%d rows changed, %v", n, err)
	}
}

// edit0 runs a statement that changes no row.
func (b *bench) edit0(query string) {
	b.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(b.dir, sqlite.FileName))
	must(b.t, err)
	defer db.Close()
	_, err = db.Exec(query)
	must(b.t, err)
}

// winner sells until a ticket has won and returns it.
func (b *bench) winner() Sold {
	b.t.Helper()
	b.run(func(until time.Time) error {
		if until.Sub(start) > 10*time.Minute {
			return errEnough
		}
		for range 5 {
			b.sell(1, 1)
		}
		return nil
	})
	for _, sold := range b.sold {
		ticket, err := b.house.Ticket(b.t.Context(), sold.Place)
		must(b.t, err)
		if ticket.Games[0].Prize > 0 {
			return sold
		}
	}
	b.t.Fatal("nobody has won")
	return Sold{}
}

// reclaimed returns the record of a sale with the hash of another claim code.
func (b *bench) reclaimed(sold Sold, code serial.ClaimCode) []byte {
	b.t.Helper()
	data, err := b.store.Record(b.t.Context(), sold.Place)
	must(b.t, err)
	r, err := record.Decode(data)
	must(b.t, err)
	body := r.Body.(*record.TicketSold)
	body.Claim = record.Hash(code.Hash(body.Request.Terminal, body.Request.Number))
	data, err = record.Encode(r)
	must(b.t, err)
	return data
}

// TestPaysNoChangedRecord puts the hash of a thief's claim code into a winning
// ticket, in the database of a running house.
func TestPaysNoChangedRecord(t *testing.T) {
	b := newBench(t)
	sold := b.winner()
	thief := serial.ClaimCode{1, 2, 3}
	data := b.reclaimed(sold, thief)
	b.edit("UPDATE record SET data = ? WHERE seq = ?", data, int64(sold.Place.Seq))
	b.number++
	paid, err := b.house.Pay(t.Context(), record.Request{Terminal: 1, Number: b.number}, sold.Place, Holder{Code: thief})
	if !errors.Is(err, journal.ErrProof) {
		t.Fatalf("a changed ticket was paid %v: %v", paid.Payment, err)
	}
}

// TestProvesNoChangedRecord changes a ticket in the database of a running house.
// The house must not hand out a proof of it that fails elsewhere.
func TestProvesNoChangedRecord(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	sold := b.winner()
	ticket, err := b.house.Ticket(t.Context(), sold.Place)
	must(t, err)
	game := ticket.Games[0].Ref
	_, err = b.house.Proof(t.Context(), sold.Place, game)
	must(t, err)
	b.edit("UPDATE record SET data = ? WHERE seq = ?", b.reclaimed(sold, serial.ClaimCode{1, 2, 3}), int64(sold.Place.Seq))
	if _, err := b.house.Proof(t.Context(), sold.Place, game); !errors.Is(err, journal.ErrProof) {
		t.Fatalf("the proof of a changed ticket: %v", err)
	}
}

// TestOpensNoChangedJournal changes a record and makes the root fit, so that the
// store agrees with itself. A house that went on would sign for it.
func TestOpensNoChangedJournal(t *testing.T) {
	b := newBench(t)
	sold := b.winner()
	must(t, b.house.Close(t.Context()))
	data := b.reclaimed(sold, serial.ClaimCode{1, 2, 3})
	tree := journal.NewTree()
	head, err := b.store.Head(t.Context())
	must(t, err)
	must(t, b.store.Records(t.Context(), head.Volume, 0, head.Size, func(seq uint64, was []byte) error {
		if seq == sold.Place.Seq {
			was = data
		}
		tree.Append(was)
		return nil
	}))
	root := tree.Root()
	b.edit("UPDATE record SET data = ? WHERE seq = ?", data, int64(sold.Place.Seq))
	b.edit("UPDATE lane SET root = ?", root[:])
	if _, err := b.tryOpen(); err == nil || !strings.Contains(err.Error(), "were signed") {
		t.Errorf("a changed journal was opened: %v", err)
	}
	b.edit("UPDATE lane SET checkpoint = x''")
	if _, err := b.tryOpen(); err == nil || !errors.Is(err, ErrUnfinished) {
		t.Errorf("a journal without a checkpoint was opened: %v", err)
	}
}

// tryOpen opens the house on its store again with the keys of its directory.
func (b *bench) tryOpen() (*House, error) {
	b.t.Helper()
	keys, err := OpenKeys(filepath.Join(b.dir, "keys"), "bench.example", b.random)
	if err != nil {
		return nil, err
	}
	return Open(b.t.Context(), Config{Store: b.store, Keys: keys, Clock: b.clock, Entropy: b.random,
		Founding: engine.Founding{}})
}

// TestOtherKeys starts a house with one key of another one.
func TestOtherKeys(t *testing.T) {
	b := newBench(t)
	must(t, b.house.Close(t.Context()))
	other := t.TempDir()
	_, err := OpenKeys(other, "bench.example", rand.NewChaCha8([32]byte{9}))
	must(t, err)
	for _, file := range []string{houseKeyFile, deviceKeyFile, serialHouseKeyFile, serialVolumeFile} {
		path := filepath.Join(b.dir, "keys", file)
		own, err := os.ReadFile(path)
		must(t, err)
		foreign, err := os.ReadFile(filepath.Join(other, file))
		must(t, err)
		must(t, os.WriteFile(path, foreign, 0o600))
		if h, err := b.tryOpen(); err == nil {
			t.Errorf("a house was opened with another %s", file)
			must(t, h.Close(t.Context()))
		}
		must(t, os.WriteFile(path, own, 0o600))
	}
	h, err := b.tryOpen()
	must(t, err)
	must(t, h.Close(t.Context()))
}

// forgedClaims is how often TestForgedClaims tries.
const forgedClaims = 20_000

// TestForgedClaims brings the serial of a winner with codes that differ from its own in a
// few bits, and its code with serials that differ in a few digits, check digit put right.
// Nothing is paid; and then the holder is.
func TestForgedClaims(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	sold := b.winner()
	code := b.codes[sold.Place]
	number, err := b.house.Serial(sold.Place)
	must(t, err)
	random := rand.New(rand.NewPCG(5, 6))
	pay := func(place record.Place, code serial.ClaimCode) error {
		b.number++
		_, err := b.house.Pay(t.Context(), record.Request{Terminal: 1, Number: b.number}, place, Holder{Code: code})
		return err
	}
	for i := range forgedClaims {
		place, forged := sold.Place, code
		if i%2 == 0 {
			for forged == code {
				for range 1 + i%4 {
					forged[random.IntN(len(forged))] ^= 1 << random.IntN(8)
				}
			}
		} else if place, err = b.house.Find(changedSerial(random, number.String(), 1+i%4)); err != nil {
			continue // It is of no volume of the house.
		}
		err := pay(place, forged)
		var refused *refusal.Refusal
		if !errors.As(err, &refused) {
			t.Fatalf("claim %d, of %v with %v: %v", i, place, forged, err)
		}
	}
	if err := pay(sold.Place, code); err != nil {
		t.Errorf("the holder is not paid: %v", err)
	}
}

// changedSerial changes some digits of a serial and puts the check digit right.
func changedSerial(random *rand.Rand, number string, digits int) string {
	changed := []byte(number)
	for string(changed) == number {
		for range digits {
			changed[random.IntN(len(changed)-1)] = byte('0' + random.IntN(10))
		}
		for check := byte('0'); check <= '9'; check++ {
			changed[len(changed)-1] = check
			if _, err := serial.Parse(string(changed)); err == nil {
				break
			}
		}
	}
	return string(changed)
}

// TestGuessedSerial asks for serials that are well written and were not made here.
// The answers are all the same.
func TestGuessedSerial(t *testing.T) {
	b := newBench(t)
	other, err := OpenKeys(filepath.Join(t.TempDir(), "keys"), "other.example", rand.NewChaCha8([32]byte{9}))
	must(t, err)
	_, want := b.house.Ticket(t.Context(), record.Place{Volume: 1, Seq: 1 << 40})
	for seq := range uint64(200) {
		guess, err := other.Serials.Serial(serial.Place{Volume: 1, Seq: seq})
		must(t, err)
		place, err := b.house.Find(guess.String())
		if err == nil {
			_, err = b.house.Ticket(t.Context(), place)
		}
		if err == nil || err.Error() != want.Error() {
			t.Fatalf("the answer to a guess is %v, want %v", err, want)
		}
	}
}

// deviceOf returns a device whose source makes it draw these numbers.
func (b *bench) deviceOf(numbers []int) Device {
	b.t.Helper()
	var script []byte
	left := make([]int, 80)
	for i := range left {
		left[i] = i + 1
	}
	for _, n := range numbers {
		i := slices.Index(left, n)
		script = append(script, byte(i))
		left = slices.Delete(left, i, i+1)
	}
	// The start-up test of a source reads its first kilobyte.
	startup := io.LimitReader(rand.NewChaCha8([32]byte{7}), 1024)
	keys := b.house.config.Keys
	device, err := newDevice(Config{Keys: keys, Entropy: io.MultiReader(startup, bytes.NewReader(script))},
		keys.HouseVerifier)
	must(b.t, err)
	return device
}

// runUntilStopped runs the timetable until it fails.
func runUntilStopped(b *bench) error {
	return timetable.Run(b.t.Context(), config, b.house.First(), b.clock)
}
