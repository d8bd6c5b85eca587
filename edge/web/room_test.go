package web

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/edge/api"
	"drawhouse/edge/terminal"
	"drawhouse/games/bingo"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// bingoRoom is a house with a bingo room in its venue, 30 books of series K7 from 101 on
// with cards for three games, and who works there.
type bingoRoom struct {
	*shop
	dealer, senior uint32
	by             record.By
	rules          *rulebook.Book
}

func openRoom(t *testing.T) *bingoRoom {
	t.Helper()
	return openRoomBy(t, "nsw-bingo-2019", command.Level{Name: "major", Within: 45, Share: 7000, SeedCents: 250_000},
		command.Level{Name: "minor", Share: 3000, SeedCents: 40_000})
}

// openRoomBy is openRoom with the rulebook and the jackpot of the room.
func openRoomBy(t *testing.T, id string, levels ...command.Level) *bingoRoom {
	t.Helper()
	return openRoomIn(openShop(t, "vic-keno-2015"), id, levels...)
}

// openRoomIn opens a room by a rulebook in a house.
func openRoomIn(s *shop, id string, levels ...command.Level) *bingoRoom {
	s.t.Helper()
	r := &bingoRoom{shop: s}
	r.dealer, r.senior = r.hire(record.RoleWriter), r.hire(record.RoleSenior)
	r.by = record.By{Person: r.senior, Rank: record.RankSupervisor}
	book, err := rules.Book(id)
	r.must(err)
	r.rules = book
	r.do(command.OpenHall{InRoom: room, Name: "bingo", Venue: 1, Rulebook: book.ID(), Levels: levels})
	r.addCards(book, "K7", 101, 30)
	for _, member := range strings.Fields("100 200 300 400 500 600 700") {
		r.do(command.SetMember{InRoom: room, Member: member})
	}
	return r
}

func (r *bingoRoom) addCards(book *rulebook.Book, series string, first, books int) {
	r.t.Helper()
	_, err := r.house.AddTable(r.t.Context(), 1, r.cardTable(book, series, first, books), r.by)
	r.must(err)
}

// cardTable makes the master table of a series with cards for three games.
func (s *shop) cardTable(book *rulebook.Book, series string, first, books int) []byte {
	s.t.Helper()
	form, err := bingo.NewForm(book)
	s.must(err)
	colours, err := bingo.Palette(3)
	s.must(err)
	table, err := form.MakeTable(bingo.Series{ID: series, Up: 6, FirstBook: first, Colours: colours}, books,
		rand.NewChaCha8([32]byte{7}))
	s.must(err)
	file, err := table.MarshalBinary()
	s.must(err)
	return file
}

// room and session are those of the tests.
var (
	room    = command.InRoom{Hall: 1}
	session = command.InSession{InRoom: room, Session: 1}
)

// do does something in the room past its screens.
func (r *bingoRoom) do(c command.Command) {
	r.t.Helper()
	_, err := r.house.Do(r.t.Context(), c, r.by)
	r.must(err)
}

// set announces a session of three games, the second of which plays for the jackpot.
func (r *bingoRoom) set(booksMax uint16) {
	r.t.Helper()
	prizes := func(bingo, line int64) []command.PatternPrize {
		return []command.PatternPrize{{Pattern: "bingo", Cents: bingo}, {Pattern: "top-line", Cents: line},
			{Pattern: "four-corners", Cents: line / 2}}
	}
	r.setGames(booksMax, command.BingoPlan{Prizes: prizes(10_000, 2000)},
		command.BingoPlan{Prizes: prizes(20_000, 4000), JackpotNumbers: 3},
		command.BingoPlan{Prizes: prizes(50_000, 5000)})
}

// setGames announces a session of some games.
func (r *bingoRoom) setGames(booksMax uint16, games ...command.BingoPlan) {
	r.t.Helper()
	zone, err := time.LoadLocation(r.rules.Zone())
	r.must(err)
	now := time.Now().In(zone)
	begins := time.Date(now.Year(), now.Month(), now.Day(), 19, 30, 0, 0, zone)
	r.do(command.SetSession{InRoom: room, SessionPlan: command.SessionPlan{
		Day: begins.Format(time.DateOnly), Begins: begins, FeeCents: 1000, BooksMax: booksMax, Series: []string{"K7"},
		Games: games,
	}})
}

// enter takes a player in.
func (r *bingoRoom) enter(member string, first, last, device uint32) {
	r.t.Helper()
	r.do(command.EnterSession{InSession: session, Member: member, Device: device, FeeCents: 1000,
		Books: []command.Books{{Series: "K7", First: first, Last: last}}})
}

func (r *bingoRoom) closeIssue(first, last uint32) {
	r.t.Helper()
	r.do(command.CloseIssue{InSession: session,
		Ranges: []command.IssuedBooks{{Books: command.Books{Series: "K7", First: first, Last: last}}}})
}

func (r *bingoRoom) announce(game uint8) {
	r.t.Helper()
	r.do(command.AnnounceBingo{InGame: command.At(gameOf(game))})
}

func gameOf(game uint8) record.BingoGame { return record.BingoGame{Hall: 1, Session: 1, Game: game} }

// calls draws numbers of a game until so many are called, and returns the last.
func (r *bingoRoom) calls(game uint8, from, to int) (last int) {
	r.t.Helper()
	for place := from; place <= to; place++ {
		called, err := r.house.CallBingo(r.t.Context(), gameOf(game), place)
		r.must(err)
		last = int(called.(*record.NumberCalled).Number)
	}
	return last
}

// untilBingo draws numbers until a box of a player is full, and returns how many were
// called, the card and the box.
func (r *bingoRoom) untilBingo(game uint8, from int, player uint32) (calls int, serial string, box int) {
	r.t.Helper()
	for calls = from; calls <= 90; calls++ {
		r.calls(game, calls, calls)
		card, _, err := r.house.Scorecard(r.t.Context(), gameOf(game), player, nil, true)
		r.must(err)
		for _, c := range card.Cards {
			for i, b := range c.Boxes {
				if card.Lacks(b, "bingo") == 0 {
					return calls, c.Serial, i + 1
				}
			}
		}
	}
	r.t.Fatal("nobody has a bingo")
	return 0, "", 0
}

// addDevice brings an electronic card into the venue, and returns its number.
func (r *bingoRoom) addDevice() uint32 {
	r.t.Helper()
	made, err := r.house.Do(r.t.Context(), command.Change{Command: staff.AddTerminal{Venue: 1,
		Channel: staff.ChannelDisplay, Key: terminal.DemoPublic(99)}}, record.By{})
	r.must(err)
	return made.(*record.TerminalAdded).Terminal
}

// stage has the house answer at an address what a test says.
func (r *bingoRoom) stage(address string, answer any) {
	r.t.Helper()
	data, err := json.Marshal(answer)
	r.must(err)
	r.staged.Store(address, data)
}

// view returns the room as its screens get it.
func (r *bingoRoom) view() (room api.HallRoom) {
	r.t.Helper()
	answer, err := http.Get(r.url("/v1/hall/1")) //nolint:noctx // The house is in this process.
	r.must(err)
	defer answer.Body.Close()
	r.must(json.NewDecoder(answer.Body).Decode(&room))
	return room
}

// machine returns a tab that keeps keys of its own, as another machine does.
func machine(t *testing.T) context.Context {
	t.Helper()
	parent, err := startBrowser()
	if err != nil {
		t.Skipf("THE PAGE WAS NOT TESTED: no browser: %v", err)
	}
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	limited, stop := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return limited
}

// open opens a page of the room.
func (r *bingoRoom) open(ctx context.Context, path string, width, height int64) {
	r.t.Helper()
	size(r.t, ctx, width, height)
	r.must(chromedp.Do(ctx, chromedp.Navigate(r.url(path))))
}

// station opens the caller's page or the issue desk at the terminal, where the dealer
// signs on.
func (r *bingoRoom) station(ctx context.Context, path string) {
	r.t.Helper()
	r.open(ctx, path+"#"+r.api.AllowEnrolment(1, time.Minute), 1280, 720)
	awaitPage(r.t, ctx, "the sign-on", `() => document.getElementById("sign").open`)
	call[chromedp.Void](r.t, ctx, `(person, password) => {
		document.getElementById("person").value = person;
		document.getElementById("password").value = password;
		document.querySelector("#sign form").requestSubmit();
	}`, r.dealer, officePassword)
	awaitPage(r.t, ctx, "the dealer", `() => document.documentElement.dataset.shift === "on" && document.documentElement.dataset.connection === "live"
		&& !document.getElementById("sign").open`)
}

// ready waits until the next step of the dealer terminal is this one, and can be done.
func ready(t *testing.T, ctx context.Context, step string) {
	t.Helper()
	awaitPage(t, ctx, step,
		`(step) => { const next = document.getElementById("next"); return !next.disabled && next.textContent.startsWith(step); }`, step)
}

// scanCard takes a call down: the key, and what the scanner reads. A browser that is driven
// by a program puts the key into the field that it opens, other than one in which somebody
// types, so that it is taken out again.
func scanCard(t *testing.T, ctx context.Context, serial string) {
	t.Helper()
	keys(t, ctx, "b")
	awaitPage(t, ctx, "the field of the serial", `() => document.activeElement.id === "serial"`)
	call[chromedp.Void](t, ctx, `() => { document.getElementById("serial").value = ""; }`)
	line(t, ctx, serial)
}

// card opens an electronic card.
func (r *bingoRoom) card(ctx context.Context, device uint32) {
	r.t.Helper()
	r.open(ctx, "/card#"+r.api.AllowEnrolment(device, time.Minute), 800, 1280)
	awaitPage(r.t, ctx, "the card", `() => !document.getElementById("work").hidden`)
}

// submit fills in fields by their ids and sends their form.
func submit(t *testing.T, ctx context.Context, form string, values map[string]any) {
	t.Helper()
	call[chromedp.Void](t, ctx, `(form, values) => {
		for (const [id, value] of Object.entries(values)) {
			const part = document.getElementById(id);
			if (typeof value === "boolean") part.checked = value;
			else { part.value = value; part.dispatchEvent(new Event("change")); }
		}
		document.getElementById(form).requestSubmit();
	}`, form, values)
}

// correct says that another number was announced than the last one of the first game.
func (r *bingoRoom) correct(number, wrong int) command.Command {
	return command.CorrectCall{InGame: command.At(gameOf(1)), Number: uint8(number), Wrong: uint8(wrong)}
}

// claim calls for a box of the first game.
func (r *bingoRoom) claim(serial string, box int) command.Command {
	return command.OpenClaim{InGame: command.At(gameOf(1)), Pattern: record.PatternBingo, Serial: serial, Box: uint8(box)}
}

// check has a claim of the first game checked.
func (r *bingoRoom) check(claim uint16) {
	r.t.Helper()
	r.do(command.CheckClaim{OfClaim: command.OfClaim{InGame: command.At(gameOf(1)), Claim: claim}, CardInHand: true,
		Marked: true})
}

// jackpotNumbers draws those of a game.
func (r *bingoRoom) jackpotNumbers(game uint8) {
	r.t.Helper()
	r.do(command.SealJackpot{InGame: command.At(gameOf(game))})
	r.calls(game, 1, 3)
	_, err := r.house.FinishBingo(r.t.Context(), gameOf(game))
	r.must(err)
}
