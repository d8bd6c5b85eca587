package house

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/games/bingo"
	"drawhouse/games/draw"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// evening opens a bingo room, with a session of three games that one player has entered, and
// announces the first game.
func (b *bench) evening(room uint8, by record.By) (session record.HallSession) {
	b.t.Helper()
	ctx := b.t.Context()
	session = record.HallSession{Hall: room, Session: 1}
	book, err := rules.Book("nsw-bingo-2019")
	must(b.t, err)
	do := func(c command.Command) {
		b.t.Helper()
		_, err := b.house.Do(ctx, c, by)
		must(b.t, err)
	}
	in, levels := command.InRoom{Hall: room}, []command.Level{{Name: "jackpot", Share: 10000, SeedCents: 1000_00}}
	do(command.OpenHall{InRoom: in, Name: fmt.Sprint("bingo-", room), Venue: 1, Rulebook: book.ID(), Levels: levels})
	_, err = b.house.AddTable(ctx, room, b.masterTable(book), by)
	must(b.t, err)
	plan := command.SessionPlan{Day: "2026-11-15", Begins: b.house.now().Time(), FeeCents: 10_00, BooksMax: 4,
		Series: []string{"A1"}}
	for range 3 {
		plan.Games = append(plan.Games, command.BingoPlan{Prizes: []command.PatternPrize{{Pattern: record.PatternBingo,
			Cents: 100_00}}})
	}
	books := command.Books{Series: "A1", First: 1, Last: 1}
	do(command.SetSession{InRoom: in, SessionPlan: plan})
	do(command.SetMember{InRoom: in, Member: "100"})
	do(command.EnterSession{InSession: command.During(session), Member: "100", FeeCents: 10_00,
		Books: []command.Books{books}})
	do(command.CloseIssue{InSession: command.During(session), Ranges: []command.IssuedBooks{{Books: books}}})
	b.announce(session, 1, by)
	return session
}

// masterTable makes a master table of series A1 for three games.
func (b *bench) masterTable(book *rulebook.Book) []byte {
	b.t.Helper()
	form, err := bingo.NewForm(book)
	must(b.t, err)
	colours, err := bingo.Palette(3)
	must(b.t, err)
	table, err := form.MakeTable(bingo.Series{ID: "A1", Up: form.StripBoxes(), FirstBook: 1, Colours: colours}, 10,
		b.random)
	must(b.t, err)
	file, err := table.MarshalBinary()
	must(b.t, err)
	return file
}

// TestRefusedTable: a master table that the room refuses is forgotten, and the room keeps
// those that it has.
func TestRefusedTable(t *testing.T) {
	b := newBench(t)
	by := b.caller()
	b.evening(7, by)
	book, err := rules.Book("nsw-bingo-2019")
	must(t, err)
	other := b.masterTable(book)
	if _, err := b.house.AddTable(t.Context(), 7, other, by); err == nil {
		t.Fatal("two tables of one series were taken")
	}
	kit, err := b.house.kit(t.Context(), 7)
	must(t, err)
	room, _ := b.house.viewed().Hall(7)
	if kit.Has(sha256.Sum256(other)) || !kit.Has(room.Tables[0].Added.Hash) {
		t.Error("the refused table stays in memory, or the room's own is gone")
	}
}

// caller is a person who runs a bingo room.
func (b *bench) caller() record.By {
	b.t.Helper()
	return record.By{Person: b.appoint().ann, Rank: record.RankSupervisor}
}

// announce announces a game of a session.
func (b *bench) announce(s record.HallSession, game uint8, by record.By) record.BingoGame {
	b.t.Helper()
	ref := record.BingoGame{Hall: s.Hall, Session: s.Session, Game: game}
	_, err := b.house.Do(b.t.Context(), command.AnnounceBingo{InGame: command.At(ref)}, by)
	must(b.t, err)
	return ref
}

// call calls the number at a place.
func (b *bench) call(ref record.BingoGame, place int) uint8 {
	b.t.Helper()
	body, err := b.house.CallBingo(b.t.Context(), ref, place)
	must(b.t, err)
	called, ok := body.(*record.NumberCalled)
	if !ok {
		b.t.Fatalf("a call is recorded as %T", body)
	}
	return called.Number
}

// roomDevice fails as a test wants in one bingo room.
type roomDevice struct {
	Device
	series string
	mood   func() error // may panic
}

type moodyRoom struct {
	Drawing
	device *roomDevice
}

func (d *roomDevice) Start(plan draw.Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) (Drawing,
	error) {
	drawing, err := d.Device.Start(plan, seal, drawn, recent)
	if err != nil || plan.Game.Series != d.series {
		return drawing, err
	}
	return moodyRoom{drawing, d}, d.mood()
}

func (d moodyRoom) Next(place int) (draw.Pick, error) {
	if err := d.device.mood(); err != nil {
		return draw.Pick{}, err
	}
	return d.Drawing.Next(place)
}

// TestRoomContained: a device that fails, is away or panics in one bingo room raises an alarm
// of that room, once however often somebody asks; the other room, the games of keno and sales
// go on. When the device is back the draw goes on behind what was called, and the alarm ends.
func TestRoomContained(t *testing.T) {
	for name, mood := range map[string]func() error{
		"an error": func() error { return errors.New("the device is cross") },
		"a panic":  func() error { panic("the device is cross") },
		"not yet":  func() error { return fmt.Errorf("the device is cross: %w", timetable.ErrNotYet) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			by := b.caller()
			session := b.evening(1, by)
			b.evening(2, by)
			device := &roomDevice{Device: *b.house.device.Load(), series: "bingo-1", mood: func() error { return nil }}
			b.exchange(device)
			broken, other := record.BingoGame{Hall: session.Hall, Session: 1, Game: 1},
				record.BingoGame{Hall: 2, Session: 1, Game: 1}
			first := b.call(broken, 1)
			device.mood = mood
			for range 5 {
				if _, err := b.house.CallBingo(t.Context(), broken, 2); err == nil {
					t.Fatal("a broken device has drawn")
				}
			}
			alarm, raised := b.alarmOn(RoomPart(1))
			if !raised || alarm.Count != 5 || !strings.Contains(alarm.Sentence, "the device is cross") ||
				!strings.Contains(alarm.Sentence, "call number 2 of game 1") ||
				!strings.Contains(alarm.Remedy, "RUNBOOK, A bingo room stands still") {
				t.Errorf("the alarm is %+v", alarm)
			}
			b.call(other, 1)
			b.playGames(1)
			b.sell(1, 3)
			if len(b.house.Alarms()) != 1 {
				t.Errorf("alarms %+v", b.house.Alarms())
			}
			device.mood = func() error { return nil }
			if b.call(broken, 1) != first {
				t.Error("what was called before is another number now")
			}
			b.call(broken, 2)
			if alarm, raised := b.alarmOn(RoomPart(1)); raised {
				t.Errorf("the device is back, and the alarm stays: %+v", alarm)
			}
			if report := b.verify(); !report.OK() {
				t.Errorf("the second opinion differs: %+v", report.Failure)
			}
		})
	}
}

// TestStuckRoomHasAWayOut walks what docs/RUNBOOK.md says of a bingo room that stands still:
// the game that cannot be drawn is ended without a result, which ends the alarm, and the next
// game is played. A second defect is an alarm again.
func TestStuckRoomHasAWayOut(t *testing.T) {
	b := newBench(t)
	by := b.caller()
	session := b.evening(1, by)
	stuck := func() error { panic("a ball that nobody thought of") }
	device := &roomDevice{Device: *b.house.device.Load(), series: "bingo-1", mood: stuck}
	b.exchange(device)
	ref := record.BingoGame{Hall: 1, Session: 1, Game: 1}
	for game := uint8(1); game <= 2; game++ {
		ref.Game, device.mood = game, stuck
		if _, err := b.house.CallBingo(t.Context(), ref, int(game)); err == nil {
			t.Fatal("a broken device has drawn")
		}
		if !has(b.house, RoomPart(1), "nobody thought of") {
			t.Fatalf("alarms %+v", b.house.Alarms())
		}
		_, err := b.house.Do(t.Context(), command.VoidBingo{InGame: command.At(ref), Cause: string(hall.CauseTerminal),
			Reason: "the device failed"}, by)
		must(t, err)
		if _, raised := b.alarmOn(RoomPart(1)); raised {
			t.Error("the game is ended, and the alarm stays")
		}
		device.mood = func() error { return nil }
		b.call(b.announce(session, game+1, by), 1)
	}
	if b.house.Err() != nil {
		t.Errorf("the lane has stopped: %v", b.house.Err())
	}
	b.roomInLog(map[public.Kind]int{public.RoomOpened: 1, public.SessionSet: 1, public.BingoSealed: 3,
		public.BingoVoid: 2})
	if report := b.verify(); !report.OK() {
		t.Errorf("the second opinion differs: %+v", report.Failure)
	}
}

// roomInLog follows the public log and counts what it says of bingo rooms.
func (b *bench) roomInLog(want map[public.Kind]int) {
	b.t.Helper()
	chain, got := public.NewChain(b.logKey()), map[public.Kind]int{}
	for _, e := range b.logEntries() {
		text, err := e.Marshal()
		must(b.t, err)
		if _, err := chain.Take(text); err != nil {
			b.t.Error(err)
		}
		if e.Text("hall") != "" {
			got[e.Kind]++
		}
	}
	if !maps.Equal(got, want) {
		b.t.Errorf("the public log says of rooms %v, want %v", got, want)
	}
}

// TestBingoThroughARest: the writer rests and rejoins its journal in the middle of a draw of
// bingo. What was called stands, and the draw goes on behind it. A call in between is refused
// and is no alarm of the room.
func TestBingoThroughARest(t *testing.T) {
	b := newBench(t)
	b.evening(1, b.caller())
	ref := record.BingoGame{Hall: 1, Session: 1, Game: 1}
	var called []uint8
	for place := 1; place <= 75; place++ {
		if place%20 == 0 {
			b.breaks()
			if _, err := b.house.CallBingo(t.Context(), ref, place); !errors.Is(err, ErrRests) ||
				!errors.Is(err, lane.ErrStopped) {
				t.Errorf("a call of a house at rest is answered %v", err)
			}
			must(t, b.house.Rejoin(t.Context()))
			if again := b.call(ref, place-1); again != called[place-2] {
				t.Errorf("number %d was %d, and is %d after the rest", place-1, called[place-2], again)
			}
		}
		called = append(called, b.call(ref, place))
	}
	if _, raised := b.alarmOn(RoomPart(1)); raised {
		t.Errorf("alarms %+v", b.house.Alarms())
	}
	if report := b.verify(); !report.OK() {
		t.Errorf("the second opinion differs: %+v", report.Failure)
	}
}

// TestCardsOfARoom: a master table that cannot be read is an alarm of its room, and no other
// room has to do with it.
func TestCardsOfARoom(t *testing.T) {
	b := newBench(t)
	b.evening(1, b.caller())
	h := b.house
	whole := h.config.Store
	h.rooms.kits = nil // As after a start.
	h.config.Store = lostTables{whole}
	if err := h.ReadHall(t.Context(), 1, func(*state.View, *hall.Kit) error { return nil }); err == nil {
		t.Fatal("the table is lost, and nobody finds out")
	}
	if !has(h, RoomPart(1), "cards of room 1 cannot be checked") {
		t.Errorf("alarms %+v", h.Alarms())
	}
	h.config.Store = whole
	must(t, h.ReadHall(t.Context(), 1, func(*state.View, *hall.Kit) error { return nil }))
	if len(h.Alarms()) != 0 {
		t.Errorf("alarms %+v", h.Alarms())
	}
}

// lostTables is a store without objects.
type lostTables struct{ store.Store }

func (lostTables) Object(context.Context, string) ([]byte, error) { return nil, store.ErrNotFound }
