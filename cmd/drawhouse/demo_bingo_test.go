package main

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/decide/hall"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestDemoRoom opens the bingo room of a demonstration, with a session that can be played
// and people who can sign on, and opens it once however often the house is started.
func TestDemoRoom(t *testing.T) {
	t.Parallel()
	for _, rulebook := range []string{demo.Rulebook, "sc-bingo-1996"} {
		t.Run(rulebook, func(t *testing.T) { testDemoRoom(t, rulebook) })
	}
}

func testDemoRoom(t *testing.T, rulebook string) {
	t.Parallel()
	ctx := t.Context()
	c := serveCmd{serveFlags{storageFlags: storageFlags{Data: t.TempDir()}, Demo: true, Rulebook: rulebook, Terminals: 2,
		Interval: time.Minute, Lead: time.Second, Ball: time.Second, NoSnapshot: true}}
	for start := range 2 {
		st, err := c.openStore(ctx)
		if err != nil {
			t.Fatal(err)
		}
		h, _, err := c.openHouse(ctx, st, slog.New(slog.DiscardHandler), nil)
		if err != nil {
			t.Fatal(err)
		}
		register, err := c.openRegister(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := openDemoRoom(ctx, h, register); err != nil {
			t.Fatal(err)
		}
		err = h.ReadHall(ctx, demoHall, func(s *state.View, _ *hall.Kit) error {
			room, _ := s.Hall(demoHall)
			if len(room.Sessions) != 1 || len(room.Sessions[0].Games) != demoBingoGames ||
				room.Tables[0].Added.Books != demoBooks {
				t.Errorf("start %d: the room is %+v", start, room)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		dealer, senior := demoRoomPeople(h)
		for id, role := range map[uint32]record.Role{dealer: record.RoleWriter, senior: record.RoleSenior} {
			person, _ := h.People().Person(id)
			if !person.Has(role, 1) {
				t.Errorf("start %d: person %d is not %s", start, id, role)
			}
		}
		if text := demoRoom(h, "http://x"); !strings.Contains(text, "http://x/hall/1") ||
			!strings.Contains(text, demoPassword) {
			t.Errorf("start %d: it says %q", start, text)
		}
		if err := h.Close(ctx); err != nil {
			t.Fatal(err)
		}
		if err := register.Close(); err != nil {
			t.Fatal(err)
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
