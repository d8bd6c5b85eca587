package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/house/timetable"
	"drawhouse/internal/pgtest"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
	"drawhouse/rulebook"
)

// TestSameJournal runs one house twice, with the same clock, entropy, keys and
// customers: on SQLite and on PostgreSQL. The journals are the same to the byte, with
// their objects, tiles and signed checkpoints.
func TestSameJournal(t *testing.T) {
	t.Parallel()
	keys, err := house.OpenKeys(filepath.Join(t.TempDir(), "keys"), demo.House, rand.NewChaCha8([32]byte{1}))
	if err != nil {
		t.Fatal(err)
	}
	var journals []*replica
	for _, storage := range []storageFlags{{Data: t.TempDir()}, {Data: t.TempDir(), Database: pgtest.Schema(t)}} {
		r := &replica{t: t, storage: storage, keys: keys, now: time.Date(2026, 11, 15, 1, 0, 0, 0, time.UTC),
			random: rand.NewChaCha8([32]byte{2})}
		r.play(40 * time.Minute) // and once more, as after a restart
		r.play(40 * time.Minute)
		journals = append(journals, r)
	}
	a, b := journals[0], journals[1]
	if a.paid == 0 || len(a.places) < 100 {
		t.Errorf("%d tickets sold and %d paid try little", len(a.places), a.paid)
	}
	if !bytes.Equal(a.file, b.file) {
		t.Errorf("the journals have %d and %d bytes, or differ", len(a.file), len(b.file))
	}
	if a.tiles == 0 || a.tilesText != b.tilesText {
		t.Errorf("%d and %d tiles, or they differ", a.tiles, b.tiles)
	}
	if a.head.Epoch != b.head.Epoch || !bytes.Equal(a.head.Checkpoint, b.head.Checkpoint) || len(a.head.Checkpoint) == 0 {
		t.Errorf("heads %+v and %+v", a.head, b.head)
	}
	t.Logf("%d records, %d tickets, %d paid, %d tiles, %d bytes", a.head.Size, len(a.places), a.paid, a.tiles, len(a.file))
}

// replica is a house whose every input is given. It is its own clock, which jumps to
// whatever is waited for.
type replica struct {
	keep    bool // the holders of every second ticket do not claim it
	t       *testing.T
	storage storageFlags
	keys    house.Keys
	now     time.Time
	until   time.Time
	random  *rand.ChaCha8
	house   *house.House

	number uint64
	places []record.Place
	paid   int

	// What the journal came to.
	file      []byte
	tiles     int
	tilesText string
	head      store.Head
}

var errEnough = errors.New("enough")

// Now implements timetable.Clock.
func (r *replica) Now() time.Time { return r.now }

// WaitUntil implements timetable.Clock: while the timetable waits, customers come.
func (r *replica) WaitUntil(_ context.Context, until time.Time) error {
	if until.After(r.until) {
		return errEnough
	}
	for range rand.New(r.random).IntN(3) {
		r.sell()
	}
	r.now = until
	return nil
}

// play opens the house, lets it run for a time, claims every ticket, and takes the
// journal down.
func (r *replica) play(length time.Duration) {
	t, ctx := r.t, r.t.Context()
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	st, err := r.storage.create(ctx)
	check(err)
	defer st.Close()
	book, _, err := houseBook(demo.Rulebook)
	check(err)
	founding, err := demo.Founding(r.keys, build(), book, 2)
	check(err)
	r.house, err = house.Open(ctx, house.Config{Store: st, Keys: r.keys, Clock: r, Entropy: r.random, Founding: founding})
	check(err)
	rhythm := timetable.Config{
		Interval: 3 * time.Minute, Lead: 5 * time.Second, Ball: 3 * time.Second, DayStart: 5 * time.Hour, Zone: time.UTC,
		Numbers: 20,
	}
	r.until = r.now.Add(length)
	if err := timetable.Run(ctx, rhythm, r.house.First(), r); !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	for i, place := range r.places {
		if !r.keep || i%2 == 0 {
			r.claim(place)
		}
	}
	check(r.house.Close(ctx))
	source, ok := st.(store.Source)
	if !ok {
		t.Fatalf("a %T cannot be copied", st)
	}
	var file bytes.Buffer
	_, err = backup.Write(ctx, &file, source, nil)
	check(err)
	r.file = file.Bytes()
	r.head, err = st.Head(ctx)
	check(err)
	r.tiles, r.tilesText = 0, ""
	for index := range r.head.Size / 256 {
		tile, err := st.Tile(ctx, r.head.Volume, 0, index)
		check(err)
		r.tiles++
		r.tilesText += string(tile)
	}
}

// code is the claim code of a request.
func (r *replica) code(number uint64) serial.ClaimCode {
	return serial.ClaimCode{byte(number >> 8), byte(number)}
}

func (r *replica) sell() {
	r.t.Helper()
	r.number++
	ticket, err := keno.ParseRequest(fmt.Appendf(nil,
		`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":%d,"bets":[{"bet":"classic","spots":{"pick":%d},"stake_cents":100}]}`,
		1+r.number%3, 1+r.number%6))
	if err != nil {
		r.t.Fatal(err)
	}
	sold, err := r.house.Sell(r.t.Context(), record.Request{Terminal: 1, Number: r.number},
		house.Order{Terminal: 1, Method: rulebook.MethodForm, Ticket: ticket}, r.code(r.number).Hash(1, r.number), 0)
	if closed := new(refusal.Refusal); errors.As(err, &closed) && closed.Code == counter.NotOnSale {
		return // Between two Keno Days there is nothing to buy.
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.places = append(r.places, sold.Place)
}

// claim claims a ticket. Most are refused, for one reason or another.
func (r *replica) claim(place record.Place) {
	r.t.Helper()
	ticket, err := r.house.Ticket(r.t.Context(), place)
	if err != nil {
		r.t.Fatal(err)
	}
	r.number++
	_, err = r.house.Pay(r.t.Context(), record.Request{Terminal: 1, Number: r.number}, place,
		house.Holder{Code: r.code(ticket.Sale.Request.Number)})
	var refused *refusal.Refusal
	switch {
	case err == nil:
		r.paid++
	case !errors.As(err, &refused):
		r.t.Fatal(err)
	}
}
