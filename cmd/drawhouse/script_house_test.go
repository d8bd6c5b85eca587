package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/api"
	"drawhouse/games/keno"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// scriptHouse is a house that answers while a script runs. The script turns its clock, so that weeks pass at once.
type scriptHouse struct {
	ts     *testscript.TestScript
	house  *house.House
	random *rand.ChaCha8
	number uint64 // of the last sale
	mu     sync.Mutex
	now    time.Time
}

// houseKey names the house of a script among its values.
type houseKey struct{}

// Now implements timetable.Clock.
func (h *scriptHouse) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

// WaitUntil implements timetable.Clock. Nobody waits: the script says what comes next.
func (h *scriptHouse) WaitUntil(context.Context, time.Time) error { return nil }

// tellHouse does what a script says about its house:
//
//	house begin DATE   founds it, opens the day, and tells commands where it is; $ASKS and $CONSENTS are persons
//	house begin DATE F the same, by an edition with the values of file F
//	house sell CENTS   sells a ticket on one number at terminal 1
//	! house sell CENTS is told that the venue has not paid
//	house day          draws the game, closes the day, and opens the next
//	house day N        does so N times
//	house consent      has $CONSENTS consent to what the command before has asked for, and sets $REQUEST
func tellHouse(ts *testscript.TestScript, neg bool, args []string) {
	h, _ := ts.Value(houseKey{}).(*scriptHouse)
	switch {
	case len(args) == 0 || h == nil || neg && args[0] != "sell":
		ts.Fatalf("usage: house begin DATE [FILE], [!] house sell CENTS, house day [N] or house consent")
	case args[0] == "begin" && (len(args) == 2 || len(args) == 3):
		h.ts = ts
		h.begin(day.MustParse(args[1]), args[2:]...)
	case args[0] == "sell" && len(args) == 2:
		cents, err := strconv.ParseInt(args[1], 10, 64)
		ts.Check(err)
		h.sell(cents, neg)
	case args[0] == "day" && len(args) <= 2:
		n, err := strconv.Atoi(cmp.Or(strings.Join(args[1:], ""), "1"))
		ts.Check(err)
		for range n {
			h.nextDay()
		}
	case args[0] == "consent" && len(args) == 1:
		h.consent()
	default:
		ts.Fatalf("the house knows no %q", args)
	}
}

// begin founds the house at noon of a date, by the rulebook of the demonstration or by an edition of it.
func (h *scriptHouse) begin(date day.Day, edition ...string) {
	ts, ctx := h.ts, context.Background()
	year, month, dom := date.Date()
	h.now = time.Date(year, time.Month(month), dom, 12, 0, 0, 0, time.UTC)
	h.random = rand.NewChaCha8([32]byte{7})
	dir := ts.MkAbs("data")
	storage := storageFlags{Data: dir}
	keys, err := house.OpenKeys(filepath.Join(dir, "keys"), demo.House, h.random)
	ts.Check(err)
	book, _, err := houseBook(demo.Rulebook)
	ts.Check(err)
	founding, err := demo.Founding(keys, build(), book, 2)
	ts.Check(err)
	for _, file := range edition {
		text := fmt.Sprintf("rulebook: %s\nbase: %v\nedition: 2\n%s", book.ID(), book.Hash(), ts.ReadFile(file))
		founding.Text, founding.Reference, founding.Bases = []byte(text), "decision 1", engine.BasisOf(book)
		founding.Book, err = rulebook.Read(founding.Text,
			func(hash rulebook.Hash) (*rulebook.Book, bool) { return book, hash == book.Hash() })
		ts.Check(err)
	}
	st, err := storage.create(ctx)
	ts.Check(err)
	ts.Defer(func() { ts.Check(st.Close()) })
	h.house, err = house.Open(ctx, house.Config{Store: st, Keys: keys, Clock: h, Entropy: h.random, Founding: founding})
	ts.Check(err)
	ts.Defer(func() { ts.Check(h.house.Close(ctx)) })
	register, err := person.Open(ctx, dir, filepath.Join(dir, "keys"))
	ts.Check(err)
	ts.Defer(func() { ts.Check(register.Close()) })
	ts.Setenv("ASKS", fmt.Sprint(h.member(register, record.RoleSupervisor)))
	ts.Setenv("CONSENTS", fmt.Sprint(h.member(register, record.RoleAdministrator)))
	ts.Check(os.WriteFile(ts.MkAbs("password"), []byte(founderPassword), 0o600))
	handler, err := api.New(h.house, api.Options{Version: "test", Register: register, Cost: person.LeastCost, Now: h.Now})
	ts.Check(err)
	server := httptest.NewServer(handler)
	ts.Defer(server.Close)
	ts.Setenv("DRAWHOUSE_HOUSE", server.URL)
	ts.Setenv("DRAWHOUSE_PASSWORD_FILE", ts.MkAbs("password"))
	h.open(date)
}

// asked finds the number and the content of a request in what a command has printed.
var asked = regexp.MustCompile(`(?s)(?:approval=|"number": )(\d+).*?([0-9a-f]{64})`)

// consent has another person consent to the request of the command before.
func (h *scriptHouse) consent() {
	found := asked.FindStringSubmatch(h.ts.ReadFile("stdout"))
	if found == nil {
		h.ts.Fatalf("the command before has asked for nothing")
	}
	h.ts.Setenv("REQUEST", found[1])
	h.ts.Check(h.ts.Exec("drawhouse", "do", "--as="+h.ts.Getenv("CONSENTS"), "decide-approval",
		"approval="+found[1], "content="+found[2], "granted=true"))
}

// member brings a person in, whose password is that of everybody.
func (h *scriptHouse) member(register *person.Register, role record.Role) uint32 {
	ctx := context.Background()
	details, err := person.NewDetails("A "+string(role), "", h.random)
	h.ts.Check(err)
	h.ts.Check(register.Put(ctx, details))
	secret, err := person.NewSecret(founderPassword, person.LeastCost, h.random)
	h.ts.Check(err)
	h.ts.Check(register.PutSecret(ctx, secret))
	made, err := h.house.Do(ctx, command.Change{Command: staff.AddPerson{Details: details.Hash(), Secret: secret.Hash(),
		Grants: []state.Grant{{Role: role}}}}, record.By{})
	h.ts.Check(err)
	return staff.NumberOf(made)
}

// open opens a day and its only game.
func (h *scriptHouse) open(date day.Day) {
	ctx, line := context.Background(), h.house.First()
	h.ts.Check(line.OpenDay(ctx, date, 0))
	h.ts.Check(line.OpenGame(ctx, h.Now().Add(3*time.Minute)))
}

// nextDay ends the day and opens the next.
func (h *scriptHouse) nextDay() {
	ctx, line := context.Background(), h.house.First()
	game := line.Games(1)[0]
	h.ts.Check(line.CloseGame(ctx))
	for range 20 {
		h.ts.Check(line.DrawNumber(ctx, game.Ordinal))
	}
	h.ts.Check(line.FinishDraw(ctx, game.Ordinal))
	h.ts.Check(line.SettleGame(ctx, game.Ordinal))
	h.ts.Check(line.CloseDay(ctx))
	h.mu.Lock()
	h.now = h.now.Add(24 * time.Hour)
	h.mu.Unlock()
	h.open(game.Ref.Day + 1)
}

// sell sells a ticket at terminal 1, or is told that the venue has not paid.
func (h *scriptHouse) sell(cents int64, stopped bool) {
	h.number++
	ticket, err := keno.ParseRequest(fmt.Appendf(nil,
		`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":1,"bets":[{"bet":"classic","spots":[1],"stake_cents":%d}]}`,
		cents))
	h.ts.Check(err)
	_, err = h.house.Sell(context.Background(), record.Request{Terminal: 1, Number: h.number},
		house.Order{Terminal: 1, Method: rulebook.MethodForm, Ticket: ticket},
		serial.ClaimCode{byte(h.number)}.Hash(1, h.number), 0)
	refused, ok := errors.AsType[*refusal.Refusal](err)
	if !stopped {
		h.ts.Check(err)
	} else if !ok || refused.Code != counter.VenueUnpaid {
		h.ts.Fatalf("a sale at a venue that has not paid: %v", err)
	}
}
