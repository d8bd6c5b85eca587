package house

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/games/beacon"
	"drawhouse/games/keno"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// bench is a house on a bench: real storage, a clock that jumps, and customers
// that buy whenever the timetable waits.
type bench struct {
	unlogged bool // the house begins no public log
	// followLog is the log that the house is told to begin.
	followLog uint16
	// beacons are those that the people of custodians accept.
	beacons []beacon.Chain
	serving *atomic.Pointer[House]
	t       testing.TB
	dir     string
	store   store.Store
	house   *House
	clock   *jumpClock
	random  *rand.ChaCha8
	number  uint64
	sold    []Sold
	codes   map[record.Place]serial.ClaimCode

	witnesses Witnesses
	relays    []string // of a beacon
	byClock   bool     // witnesses cosign by the clock of the bench
	rules     string   // the rulebook
	without   string   // text that its file has and the rulebook of this house lacks
	// instead stands there in the place of without.
	instead   string
	venue     string // kind of the venue
	draws     record.Device
	held      [][]byte // checkpoints that were kept elsewhere
	snapshots Snapshots
	build     string
	binary    record.Hash // of the program; zero for a house that does not say
	said      *heard      // what the log was told; nil for a log that nobody reads
	onGroup   func(lane.Group)
	onStore   func(store.Store) // is told the store before the house opens on it: a witness may be asked at once
}

// heard is a log that is read while others write to it.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

var start = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func newBench(t testing.TB) *bench {
	t.Helper()
	b := closedBench(t)
	b.open()
	return b
}

// closedBench returns a bench whose house is not open yet.
func closedBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{
		t: t, dir: t.TempDir(), random: rand.NewChaCha8(sha256.Sum256([]byte(t.Name()))),
		codes: map[record.Place]serial.ClaimCode{}, rules: "vic-keno-2015", venue: "hotel",
		serving: new(atomic.Pointer[House]),
	}
	b.clock = &jumpClock{now: start}
	return b
}

// open opens the house on its directory, as a start of the program does.
func (b *bench) open() {
	b.t.Helper()
	st, err := sqlite.Open(b.t.Context(), b.dir, 1)
	must(b.t, err)
	keys, err := KeysOf(b.t.Context(), st, filepath.Join(b.dir, "keys"), "bench.example", b.random)
	must(b.t, err)
	b.openWith(st, keys)
}

// openWith opens the house on a store with keys.
func (b *bench) openWith(st store.Store, keys Keys) {
	b.t.Helper()
	must(b.t, b.openHouse(st, keys))
	b.t.Cleanup(func() { _ = st.Close() })
}

// openHouse opens the house on a store with keys, if it opens.
func (b *bench) openHouse(st store.Store, keys Keys) error {
	book, err := rules.Book(b.rules)
	must(b.t, err)
	if b.without != "" {
		text, err := os.ReadFile(filepath.Join("..", "rulebook", "rules", b.rules, "book.yaml"))
		must(b.t, err)
		if !strings.Contains(string(text), b.without) {
			b.t.Fatalf("%s does not say %q", b.rules, b.without)
		}
		book, err = rulebook.Load(b.rules, []byte(strings.Replace(string(text), b.without, b.instead, 1)))
		must(b.t, err)
	}
	b.store = st
	if b.onStore != nil {
		b.onStore(st)
	}
	venues := []record.VenueAdded{{Venue: 1, Kind: b.venue, Name: "Corner Hotel"}}
	terminals := []record.TerminalAdded{{Terminal: 1, Venue: 1, Channel: "writer"}}
	var log *slog.Logger
	if b.said != nil {
		log = slog.New(slog.NewTextHandler(b.said, nil))
	}
	nextLog := b.nextLog
	if b.unlogged {
		nextLog = nil
	}
	b.house, err = Open(b.t.Context(), Config{
		Store: st, Log: log, OnGroup: b.onGroup, Keys: keys, Clock: b.clock, Entropy: b.random, Witnesses: b.witnesses,
		Relays: b.relays,
		Draws:  b.draws, NextSerials: b.nextSerials, Held: b.held, Snapshots: b.snapshots, FreshGames: 1,
		Build: b.build, Binary: b.binary, NextLog: nextLog, FollowLog: b.followLog,
		Founding: engine.Founding{
			House: "bench.example", Build: "test", HouseKey: keys.HouseVerifier, DeviceKey: keys.DeviceVerifier,
			SerialKey: keys.SerialKey,
			Book:      book, Series: "vic-keno", Schedule: book.Schedules()[0].ID(),
			Venues: venues, Terminals: terminals, People: staff.Crew(book, venues, terminals, staff.Unnamed),
		},
	})
	if b.serving != nil {
		b.serving.Store(b.house)
	}
	return err
}

// nextSerials makes the serial key of a volume, from a source of its own: the customers
// use the other one meanwhile.
func (b *bench) nextSerials(volume uint16) (*serial.Keyring, record.Hash, error) {
	d, err := ReadKeyDir(filepath.Join(b.dir, "keys"))
	if err != nil {
		return nil, record.Hash{}, err
	}
	return d.NextSerials(volume, rand.NewChaCha8([32]byte{byte(volume)}))
}

// nextLog makes the key of a public log.
func (b *bench) nextLog(name string, number uint16) (engine.LogKey, error) {
	d, err := ReadKeyDir(filepath.Join(b.dir, "keys"))
	if err != nil {
		return engine.LogKey{}, err
	}
	signer, verifier, err := d.Signer(LogKey, name, number, rand.NewChaCha8([32]byte{'l', byte(number)}))
	return engine.LogKey{Signer: signer, Verifier: verifier}, err
}

// stamps is the clock of witnesses.
func (b *bench) stamps() time.Time {
	if b.byClock {
		return b.clock.Now()
	}
	return time.Now()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var config = timetable.Config{
	Interval: 3 * time.Minute, Lead: 5 * time.Second, Ball: 3 * time.Second,
	DayStart: 6 * time.Hour, Zone: time.UTC, Numbers: 20,
}

// jumpClock jumps to whatever time is waited for, after the customers had their turn.
type jumpClock struct {
	mu   sync.Mutex // guards now
	now  time.Time
	wait func(until time.Time) error
}

func (c *jumpClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *jumpClock) WaitUntil(_ context.Context, t time.Time) error {
	if c.wait != nil {
		if err := c.wait(t); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.After(c.now) { // A person who set the clock meanwhile may have gone past it.
		c.now = t
	}
	return nil
}

// set sets the clock, as somebody does who has the machine.
func (c *jumpClock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

var errEnough = errors.New("enough")

// run lets the timetable run until wait says that it is enough.
func (b *bench) run(wait func(until time.Time) error) {
	b.t.Helper()
	b.clock.wait = wait
	if err := timetable.Run(b.t.Context(), config, b.house.First(), b.clock); !errors.Is(err, errEnough) {
		b.t.Fatal(err)
	}
}

// sell sells a ticket on a few numbers.
func (b *bench) sell(games, spots int) Sold {
	b.t.Helper()
	return b.sellBet(games, fmt.Sprintf(`{"bet":"classic","spots":{"pick":%d},"stake_cents":100}`, spots))
}

// sellBet sells a ticket of one bet.
func (b *bench) sellBet(games int, bet string) Sold {
	b.t.Helper()
	b.number++
	request, err := keno.ParseRequest(fmt.Appendf(nil,
		`{"v":1,"rulebook":%q,"first":"open","games":%d,"bets":[%s]}`, b.rules, games, bet))
	must(b.t, err)
	code, err := serial.NewClaimCode(b.random)
	must(b.t, err)
	r := record.Request{Terminal: 1, Number: b.number}
	sold, err := b.house.Sell(b.t.Context(), r, Order{Terminal: 1, Method: rulebook.MethodVerbal, Ticket: request},
		code.Hash(1, b.number), 0)
	must(b.t, err)
	b.sold = append(b.sold, sold)
	b.codes[sold.Place] = code
	return sold
}

// payAll claims every ticket and returns how many were paid.
func (b *bench) payAll() (paid int) {
	b.t.Helper()
	for _, sold := range b.sold {
		b.number++
		_, err := b.house.Pay(b.t.Context(), record.Request{Terminal: 1, Number: b.number}, sold.Place,
			Holder{Code: b.codes[sold.Place]})
		var refused *refusal.Refusal
		switch {
		case err == nil:
			paid++
		case errors.As(err, &refused) && refused.Code != counter.PrizeDisagrees && refused.Code != counter.FactsMissing:
		default:
			b.t.Fatal(err)
		}
	}
	return paid
}

// verify exports the journal into a clean directory and verifies it there.
func (b *bench) verify() *verify.Report {
	b.t.Helper()
	return verifyDir(b.t, b.export())
}

// TestAnHour runs an hour of games on real storage and has the second opinion
// grade all of it.
func TestAnHour(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	random := rand.New(b.random)
	sizes := []int{1, 2, 3, 4, 5, 6, 15, 20, 40}
	calls := []string{"heads", "tails", "evens"}
	b.run(func(until time.Time) error {
		if until.Sub(start) > time.Hour {
			return errEnough
		}
		for range random.IntN(12) {
			games := 1 + random.IntN(4)
			switch random.IntN(4) {
			case 0: // one call for every game
				b.sellBet(games, fmt.Sprintf(`{"bet":"heads_or_tails","calls":[%q],"stake_cents":300}`, calls[random.IntN(3)]))
			case 1: // a call for each game
				b.sellBet(2, fmt.Sprintf(`{"bet":"heads_or_tails","calls":[%q,%q],"stake_cents":100}`, calls[random.IntN(3)],
					calls[random.IntN(3)]))
			case 2: // a multiplier on the first games
				b.sellBet(games,
					fmt.Sprintf(`{"bet":"classic","spots":{"pick":%d},"stake_cents":200,"with":{"multiplier":{"games":%d}}}`,
						sizes[random.IntN(len(sizes))], 1+random.IntN(games)))
			default:
				b.sell(games, sizes[random.IntN(len(sizes))])
			}
		}
		return nil
	})
	if paid := b.payAll(); paid == 0 {
		t.Error("nobody won anything in an hour")
	}
	report := b.verify()
	if !report.OK() {
		t.Fatalf("the second opinion differs: %+v", report.Failure)
	}
	t.Logf("%d tickets sold", len(b.sold))
}

// TestKilledInTheMiddle drops a house between two numbers, without any warning,
// and opens another on the same store: the numbers drawn stand, the draw goes on,
// and nothing that was sold is lost.
func TestKilledInTheMiddle(t *testing.T) {
	b := newBench(t)
	for len(b.sold) == 0 {
		b.run(func(time.Time) error {
			b.sell(2, 4)
			return errEnough
		})
	}
	waits := 0
	b.run(func(time.Time) error {
		if view, err := b.house.First().View(b.t.Context()); err != nil || len(view.Unsettled) > 0 &&
			view.Unsettled[0].Drawn == 7 {
			return errors.Join(err, errEnough)
		}
		waits++
		return nil
	})
	before := b.house.First().Games(2)[1]
	old := b.house

	b.open()
	after := b.house.First().Games(2)[1]
	if before.Numbers.Len() != 7 || before.Numbers != after.Numbers {
		t.Fatalf("drawn before: %v; after: %v", before.Numbers, after.Numbers)
	}
	if _, err := old.First().View(t.Context()); err != nil {
		t.Fatal(err) // Reading what it knows is harmless; writing is not.
	}
	if err := old.First().DrawNumber(t.Context(), before.Ordinal); err == nil {
		t.Fatal("the old house drew a number after another took over")
	}
	b.run(func(time.Time) error {
		if g := b.house.First().Games(2)[1]; g.IsSettled() {
			return errEnough
		}
		return nil
	})
	done := b.house.First().Games(2)[1]
	if done.Numbers.Prefix(7) != before.Numbers || done.Settled.Plays != 1 {
		t.Errorf("the draw went on with %v and settled %d plays", done.Numbers, done.Settled.Plays)
	}
	if report := b.verify(); !report.OK() {
		t.Errorf("the second opinion differs: %+v", report.Failure)
	}
}

// TestProof proves every ticket into the seal of its game with nothing but the
// house's public key, and no ticket into another game.
func TestProof(t *testing.T) {
	b := newBench(t)
	b.run(func(until time.Time) error {
		if until.Sub(start) > 7*time.Minute {
			return errEnough
		}
		for range 5 {
			b.sell(1, 3)
		}
		return nil
	})
	verifier, err := journal.ParseVerifier(b.house.Hub().Board().House.HouseKey)
	must(t, err)
	proven := 0
	for _, sold := range b.sold {
		ticket, err := b.house.Ticket(t.Context(), sold.Place)
		must(t, err)
		own, ok := b.house.Game(ticket.Games[0].Ref)
		if !ok || !own.Sealed() {
			continue
		}
		proof, err := b.house.Proof(t.Context(), sold.Place, own.Ref)
		must(t, err)
		seal, err := journal.OpenSeal(proof.Seal, verifier)
		must(t, err)
		must(t, seal.Body().CheckPlay(proof.Proof))
		if journal.LeafHash(proof.Record) != sold.Leaf {
			t.Errorf("ticket %v has another leaf than its receipt", sold.Place)
		}
		proven++
		other := own.Ref
		other.Number ^= 1
		_, err = b.house.Proof(t.Context(), sold.Place, other)
		var refused *refusal.Refusal
		if !errors.As(err, &refused) || refused.Code != NotInGame && refused.Code != NotSealed {
			t.Errorf("a proof of ticket %v for game %v: %v", sold.Place, other, err)
		}
	}
	if proven < 10 {
		t.Errorf("only %d tickets were proven", proven)
	}
}

// TestSoldIsTheRecord: a ticket that was sold just now is what its record says,
// also when another game was on sale while it was offered.
func TestSoldIsTheRecord(t *testing.T) {
	b := newBench(t)
	turns := 0
	b.run(func(time.Time) error {
		for spots := 1; spots <= 6; spots++ {
			sold := b.sell(1+turns%3, spots)
			ticket, err := keno.DecodeTicket(sold.Sale.Ticket)
			must(t, err)
			if !reflect.DeepEqual(sold.Ticket, ticket) {
				t.Errorf("told %+v, recorded %+v", sold.Ticket, ticket)
			}
			late := sold.Ticket
			late.First.Game++
			if again, err := b.house.ticketOf(sold.Sale, &late); err != nil || !reflect.DeepEqual(again, ticket) {
				t.Errorf("offered %+v, told %+v, recorded %+v: %v", late, again, ticket, err)
			}
		}
		if turns++; turns > 30 {
			return errEnough
		}
		return nil
	})
}
