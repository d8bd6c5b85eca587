package sim

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // Simulations are the same on machines without time zones.

	"drawhouse/core/serial"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/house"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// zone is where the houses stand; twice a year its clocks are set.
var zone = mustLoad("Australia/Melbourne")

func mustLoad(name string) *time.Location {
	l, err := time.LoadLocation(name)
	if err != nil {
		panic(err)
	}
	return l
}

// rhythm is slow, so that weeks have few enough games to be played in seconds.
var rhythm = timetable.Config{
	Interval: 3 * time.Hour, Lead: 5 * time.Minute, Ball: time.Minute,
	DayStart: 6 * time.Hour, Zone: zone, Numbers: 20,
}

const (
	houseName  = "sim.example"
	seriesName = "sim-keno"
)

// world is a house and everybody around it.
type world struct {
	plan  Plan
	idle  func() // returns when every goroutine waits
	book  *rulebook.Book
	keys  house.Keys
	clock *clock
	disk  *disk
	audit *auditor

	house     *house.House
	stored    *handle   // what the house writes to
	processes []process // all that were started, the house's own last
	rig       *rig
	starts    int

	terminals []*terminal
	papers    []*paper
	serials   map[serial.Code]record.Place
	reported  uint32    // the last game of which other jurisdictions have told
	pauseEnds time.Time // when a pause is to end; zero for none
	clockEnds time.Time // when somebody puts the clock right

	figures map[string]int
}

// process is a process of the house, running or ended.
type process struct {
	house  *house.House
	stored *handle
}

// Result is what a simulation came to.
type Result struct {
	Figures map[string]int
	Root    journal.Hash
	Size    uint64
}

// Run plays a plan to its end and returns the first breach of a promise, if any.
// Idle must return when every goroutine that Run has started waits; in a bubble of
// testing/synctest it is synctest.Wait.
func Run(plan Plan, idle func()) (result Result, err error) {
	w := &world{plan: plan, idle: idle, figures: map[string]int{}, serials: map[serial.Code]record.Place{},
		clock: &clock{now: plan.Start}}
	w.audit = newAuditor(seriesName, drawLog{})
	w.disk = newDisk(w.clock, w.audit.committed)
	if w.book, err = rules.Book(plan.Book); err != nil {
		return Result{}, err
	}
	if w.keys, err = makeKeys(plan.Seed); err != nil {
		return Result{}, err
	}
	w.hire()
	defer w.closeAll()
	if err := w.start(); err != nil {
		return Result{}, err
	}
	err = w.live()
	for what, n := range w.disk.figures() {
		w.figures[what] += n
	}
	return Result{Figures: w.figures, Root: w.audit.tree.root(), Size: w.audit.size}, err
}

// closeAll ends every process that may still run.
func (w *world) closeAll() {
	w.disk.open()
	for _, p := range w.processes {
		w.stop(p.house, p.stored)
	}
}

func makeKeys(seed uint64) (house.Keys, error) {
	var key [32]byte
	binary.BigEndian.PutUint64(key[:], seed)
	random := rand.NewChaCha8(key)
	var k house.Keys
	signer := func(name string) (journal.Signer, string, error) {
		private, public, err := journal.GenerateKey(random, name)
		if err != nil {
			return nil, "", err
		}
		s, err := journal.ParseSigner(private)
		return s, public, err
	}
	var err error
	if k.House, k.HouseVerifier, err = signer(houseName); err != nil {
		return k, err
	}
	if k.Device, k.DeviceVerifier, err = signer(houseName + "/device"); err != nil {
		return k, err
	}
	of, volume := serial.Key(sha256.Sum256([]byte("house"))), serial.Key(sha256.Sum256([]byte("volume")))
	k.SerialKey = record.Hash(sha256.Sum256(append(of[:], volume[:]...)))
	k.Serials, err = serial.NewKeyring(of, map[uint16]serial.Key{1: volume})
	return k, err
}

// hire sets up venues and terminals: two venues with a writer and a terminal of the
// players' own each.
func (w *world) hire() {
	for i := range 4 {
		channel := rulebook.ChannelWriter
		if i%2 == 1 && slices.ContainsFunc(w.book.EntryWays(),
			func(e rulebook.EntryWay) bool { return e.Channel == rulebook.ChannelSST }) {
			channel = rulebook.ChannelSST
		}
		w.terminals = append(w.terminals, &terminal{id: uint32(i + 1), venue: uint32(i/2 + 1), channel: channel})
	}
}

// inspector is the number of the inspector of every house.
const inspector = 900

// founding is what the house begins with.
func (w *world) founding() engine.Founding {
	kind := "club"
	for _, tender := range w.book.Tenders() {
		if len(tender.Venues) > 0 {
			kind = string(tender.Venues[0])
		}
	}
	f := engine.Founding{
		House: houseName, Build: "sim", HouseKey: w.keys.HouseVerifier, DeviceKey: w.keys.DeviceVerifier,
		SerialKey: w.keys.SerialKey,
		Book:      w.book, Series: seriesName, Schedule: w.book.Schedules()[0].ID(),
		Venues: []record.VenueAdded{{Venue: 1, Kind: kind, Name: "Corner"}, {Venue: 2, Kind: kind, Name: "River"}},
	}
	for _, t := range w.terminals {
		f.Terminals = append(f.Terminals,
			record.TerminalAdded{Terminal: t.id, Venue: t.venue, Channel: string(t.channel)})
	}
	f.People = append(staff.Crew(w.book, f.Venues, f.Terminals, staff.Unnamed),
		&record.PersonAdded{Person: inspector, Details: staff.Unnamed(inspector, record.RoleInspector)},
		&record.RoleGranted{Person: inspector, Role: record.RoleInspector})
	return f
}

// start starts a process of the house on the disk. The one before it is gone, or is
// fenced from now on. A start may itself meet a fault, and is then made again.
func (w *world) start() error {
	for tries := 0; ; tries++ {
		w.starts++
		if w.rig == nil || !w.plan.Survives {
			rig, err := newRig(w.plan.Seed, w.starts, w.keys, w.audit.log)
			if err != nil {
				return err
			}
			w.rig = rig
		}
		w.stored = &handle{disk: w.disk}
		var err error
		draws := record.DeviceGenerator
		if w.plan.Balls {
			draws = record.DeviceCage
		}
		w.house, err = house.Open(context.Background(), house.Config{
			Draws: draws, Store: w.stored, Keys: w.keys, Clock: w.clock,
			Entropy: newRiggedSource(w.plan.Seed, -w.starts), Device: w.rig, Founding: w.founding(),
		})
		w.idle()
		if err == nil {
			w.processes = append(w.processes, process{w.house, w.stored})
			return w.check()
		}
		if !isDown(err) || tries == 10 {
			return breach("P1", "the house does not start again: %v", err)
		}
	}
}

// isDown reports whether an error only says that the house is down, which any fault
// of the disk brings about.
func isDown(err error) bool {
	return errors.Is(err, lane.ErrUnknown) || errors.Is(err, lane.ErrStopped) || errors.Is(err, errDisk)
}

// restart ends the process, if it has not ended, and starts another.
func (w *world) restart() error {
	w.figures["restarts"]++
	if err := w.house.Err(); err != nil && !errors.Is(err, errDisk) && !errors.Is(err, store.ErrFenced) {
		// The house has found a fault in itself.
		first, _, _ := strings.Cut(err.Error(), "\n")
		return breach("invariant", "%s", first)
	}
	w.stop(w.house, w.stored)
	if err := w.start(); err != nil {
		return err
	}
	refused, err := w.disk.deliver()
	w.figures["late appends fenced"] += refused
	if err != nil {
		return breach("P1", "%v", err)
	}
	return w.check()
}

// stop makes an end of a process: it can write no more, whatever it has decided.
func (w *world) stop(h *house.House, stored *handle) {
	_ = stored.Close()
	_ = h.Close(context.Background()) // Why it stopped was seen by the caller who asked it last.
	w.idle()
}

// live lets time go by until the plan's end: acts as they come, and in between what
// the timetable finds due.
func (w *world) live() error {
	for _, act := range w.plan.Acts {
		if err := w.until(w.plan.Start.Add(act.At)); err != nil {
			return err
		}
		if err := w.act(act); err != nil {
			return fmt.Errorf("%v after %v (%d): %w", act.Kind, act.At, act.Seed, err)
		}
		if err := w.check(); err != nil {
			return fmt.Errorf("%v after %v (%d): %w", act.Kind, act.At, act.Seed, err)
		}
	}
	if err := w.until(w.plan.Start.Add(time.Duration(w.plan.Days) * 24 * time.Hour)); err != nil {
		return err
	}
	return w.end()
}

// patience is how many times in a row the timetable may be asked to go on without a
// record. A clock that was an hour ahead takes sixty.
const patience = 500

// until plays the games up to a time.
func (w *world) until(t time.Time) error {
	size, stuck := w.audit.size, 0
	for {
		if stuck++; w.audit.size != size {
			size, stuck = w.audit.size, 0
		}
		if err := w.tidy(); err != nil {
			return err
		}
		err := w.house.First().Play(context.Background(), rhythm)
		w.idle()
		if broken := w.check(); broken != nil {
			return broken
		}
		switch {
		case stuck > patience:
			return breach("course", "nothing happens any more: %v", err)
		case errors.Is(err, errWaiting):
			due := w.clock.due()
			if w.audit.paused {
				due = t.Add(1) // The timetable looks twice a second; nothing changes before somebody resumes.
			}
			if stop := w.nextChore(); !stop.IsZero() && stop.Before(due) {
				due = stop
			}
			if due.After(t) {
				w.clock.reach(t)
				return nil
			}
			w.clock.reach(due)
			continue
		case errors.Is(err, timetable.ErrClock):
			// The house waits until the time is later than its newest record.
			w.clock.pass(time.Minute)
		case errors.Is(err, errDevice):
			w.figures["draws interrupted"]++
			w.rig.broken = false
		case w.rig.device.Err() != nil:
			w.figures["devices replaced"]++
			w.rig = nil
			fallthrough
		case isDown(err):
			if err := w.restart(); err != nil {
				return err
			}
		default:
			return breach("course", "the timetable stops: %v", err)
		}
		if !w.clock.real().Before(t) {
			return nil
		}
	}
}

// nextChore returns when somebody puts something right.
func (w *world) nextChore() time.Time {
	if w.pauseEnds.IsZero() || !w.clockEnds.IsZero() && w.clockEnds.Before(w.pauseEnds) {
		return w.clockEnds
	}
	return w.pauseEnds
}

// tidy puts right what is due to be.
func (w *world) tidy() error {
	now := w.clock.real()
	if !w.clockEnds.IsZero() && !now.Before(w.clockEnds) {
		w.clock.set(0)
		w.clockEnds = time.Time{}
	}
	if !w.pauseEnds.IsZero() && !now.Before(w.pauseEnds) {
		w.pauseEnds = time.Time{}
		return w.resume()
	}
	return w.tend()
}

// check returns the first breach that the auditor or the public has seen.
func (w *world) check() error {
	if w.audit.failure != nil {
		return w.audit.failure
	}
	return w.checkBoard()
}

// checkBoard holds what the public sees against the journal.
func (w *world) checkBoard() error {
	if err := w.house.Hub().Err(); err != nil {
		return breach("P7", "the board does not follow: %v", err)
	}
	for _, s := range w.house.Hub().Board().Series {
		for _, shown := range slices.Concat(s.Drawing, s.Results) {
			if int(shown.Ordinal) > len(w.audit.games) {
				return breach("P7", "the board shows game %d, which has not opened", shown.Ordinal)
			}
			g := w.audit.games[shown.Ordinal-1]
			if g.void != nil {
				continue
			}
			if g.settled != nil && !slices.Equal(shown.Numbers, g.numbers) || len(shown.Numbers) > len(g.numbers) ||
				!slices.Equal(shown.Numbers, g.numbers[:len(shown.Numbers)]) {
				return breach("P7", "the board shows %v for game %v; the journal has %v", shown.Numbers, g.ref,
					g.numbers)
			}
		}
	}
	return nil
}
