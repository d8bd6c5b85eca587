package web

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/core/day"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/engine"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/edge/api"
	"drawhouse/edge/terminal"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/house/timetable"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// shop is a whole house with its interface and its screens at one address, where it can
// be shut and opened again. The test is its timetable.
type shop struct {
	t     *testing.T
	book  string
	draws record.Device
	dir   string
	addr  string

	house    *house.House
	register *person.Register
	store    store.Store
	gate     *gate
	api      *api.Server
	server   *http.Server
	papers   api.Papers
	random   io.Reader // of the draws: the same in every run of a test
	receipts uint64    // that the counter has sold

	behind atomic.Int64 // how far the clock of the house is behind, for a day that has passed already

	down atomic.Bool  // requests are cut off without an answer
	lose atomic.Bool  // numbered requests are done and their answers lost
	slow atomic.Int64 // how long an answer takes

	staged sync.Map // answers that are staged, by address: what a screen shows of them is tested
}

// openShop founds a house by a rulebook, with a writer's terminal 1, which nobody has
// the key of yet, a display, terminal 2, and a kiosk, terminal 3, where the rulebook has
// such.
func openShop(t *testing.T, book string) *shop {
	t.Helper()
	return openShopAgo(t, book, 0)
}

// openShopAgo founds a house whose clock begins some time ago.
func openShopAgo(t *testing.T, book string, ago time.Duration) *shop {
	t.Helper()
	return openShopDrawn(t, book, ago, "")
}

// openShopDrawn founds a house with a device that draws; none is the generator.
func openShopDrawn(t *testing.T, book string, ago time.Duration, by record.Device) *shop {
	t.Helper()
	s := &shop{t: t, book: book, draws: by, dir: t.TempDir(), addr: "127.0.0.1:0",
		random: rand.NewChaCha8(sha256.Sum256([]byte(t.Name())))}
	s.behind.Store(int64(ago))
	s.open()
	t.Cleanup(s.shut)
	s.openDay(s.house.First(), ago)
	if s.house.First().Book().Keno() {
		s.must(s.house.First().OpenGame(t.Context(), time.Now().Add(10*time.Minute)))
	}
	return s
}

func (s *shop) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// gate is the store of a house, whose commits can be held, and one of whose records can
// be read as something that was never signed.
type gate struct {
	store.Store
	mu sync.Mutex // held while nothing may become durable

	planted atomic.Pointer[plant]
}

// plant is what somebody wrote over a record.
type plant struct {
	volume uint16
	seq    uint64
	data   []byte
}

// Contents implements store.Source.
func (g *gate) Contents(ctx context.Context) (store.Contents, error) {
	return g.Store.(store.Source).Contents(ctx)
}

// Abouts implements store.Source.
func (g *gate) Abouts(ctx context.Context, volume uint16, from, to uint64) (map[uint64]record.Place, error) {
	return g.Store.(store.Source).Abouts(ctx, volume, from, to)
}

// Records implements store.Reader.
func (g *gate) Records(ctx context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	return g.Store.Records(ctx, volume, from, to, func(seq uint64, data []byte) error {
		if p := g.planted.Load(); p != nil && p.volume == volume && p.seq == seq {
			data = p.data
		}
		return fn(seq, data)
	})
}

// Append implements store.Store.
func (g *gate) Append(ctx context.Context, b store.Batch) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.Store.Append(ctx, b)
}

// open opens the house, for the first time or again.
func (s *shop) open() {
	s.t.Helper()
	ctx := context.Background()
	st, err := sqlite.Open(ctx, s.dir, 1)
	s.must(err)
	s.store, s.gate = st, &gate{Store: st}
	keys, err := house.OpenKeys(filepath.Join(s.dir, "keys"), "shop.example", s.random)
	s.must(err)
	s.house, err = house.Open(ctx, house.Config{Store: s.gate, Keys: keys,
		Clock: late{timetable.NewSystemClock(), &s.behind}, Entropy: s.random, NextSerials: s.nextSerials, Draws: s.draws,
		Founding: s.founding(keys)})
	s.must(err)
	s.register, err = person.Open(ctx, s.dir, filepath.Join(s.dir, "keys"))
	s.must(err)
	s.api, err = api.New(s.house, api.Options{Version: "test", Register: s.register, Cost: person.LeastCost,
		Papers: s.papers, Care: "Help is at 13 00 00."})
	s.must(err)
	screens, err := Handler()
	s.must(err)
	listener, err := net.Listen("tcp", s.addr)
	s.must(err)
	s.addr = listener.Addr().String()
	s.server = &http.Server{Handler: s.faulty(s.api.Beside(screens, Addresses()))} //nolint:gosec // A test asks it, and nobody else.
	go func() {
		if err := s.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.t.Error(err)
		}
	}()
}

// late is a clock that is behind.
type late struct {
	timetable.Clock
	behind *atomic.Int64
}

// Now implements timetable.Clock.
func (l late) Now() time.Time { return l.Clock.Now().Add(-time.Duration(l.behind.Load())) }

// nextSerials makes the serial key of a further volume.
func (s *shop) nextSerials(volume uint16) (*serial.Keyring, record.Hash, error) {
	d, err := house.ReadKeyDir(filepath.Join(s.dir, "keys"))
	if err != nil {
		return nil, record.Hash{}, err
	}
	return d.NextSerials(volume, rand.NewChaCha8([32]byte{byte(volume)}))
}

func (s *shop) founding(keys house.Keys) engine.Founding {
	book, err := rules.Book(s.book)
	s.must(err)
	kind := "hotel"
	for _, tender := range book.Tenders() {
		if len(tender.Venues) > 0 {
			kind = string(tender.Venues[0])
			break
		}
	}
	venues := []record.VenueAdded{{Venue: 1, Kind: kind, Name: "Corner Hotel"}}
	terminals := []record.TerminalAdded{{Terminal: 1, Venue: 1, Channel: "writer"},
		{Terminal: 2, Venue: 1, Channel: "display"}}
	people := staff.Crew(book, venues, terminals[:1], staff.Unnamed)
	if !book.Staffing().Display {
		people = append(people, &record.AreaAdded{Venue: 1, Area: 1, Name: "Floor"})
	}
	if slices.Contains(book.EntryKinds().Channels, rulebook.ChannelSST) {
		terminals = append(terminals, record.TerminalAdded{Terminal: 3, Venue: 1, Channel: string(rulebook.ChannelSST)})
		people = append(people, &record.TerminalPlaced{Terminal: 3, Area: 1},
			&record.TerminalKeyed{Terminal: 3, Key: terminal.DemoPublic(3)})
	}
	people = append(people, &record.TerminalPlaced{Terminal: 2, Area: 1},
		&record.TerminalKeyed{Terminal: 1, Key: terminal.DemoPublic(1)},
		&record.TerminalKeyed{Terminal: 2, Key: terminal.DemoPublic(2)})
	return engine.Founding{
		House: "shop.example", Build: "test", HouseKey: keys.HouseVerifier, DeviceKey: keys.DeviceVerifier,
		SerialKey: keys.SerialKey,
		Book:      book, Series: "keno", Schedule: house.FirstSchedule(book), Venues: venues, Terminals: terminals,
		People: people,
	}
}

// shut ends the house as a crash would: nobody is told.
func (s *shop) shut() {
	s.t.Helper()
	s.house.Hub().Close()
	s.must(s.server.Close())
	s.must(s.house.Close(context.Background()))
	s.must(s.register.Close())
	s.must(s.store.Close())
}

// verified exports the journal and has the second opinion on all that was done.
func (s *shop) verified() {
	s.t.Helper()
	if report := s.graded(); !report.OK() || report.Tickets == 0 {
		s.t.Errorf("the journal does not hold: %+v", report)
	}
}

// graded exports the journal and has it graded a second time.
func (s *shop) graded() *verify.Report {
	s.t.Helper()
	ctx := s.t.Context()
	head, err := s.store.Head(ctx)
	s.must(err)
	board := s.house.Hub().Board()
	dir, err := export.CreateDir(filepath.Join(s.t.TempDir(), "copy"))
	s.must(err)
	about := verify.House{House: board.House.Name, Volume: board.House.Volume, HouseKey: board.House.HouseKey,
		DeviceKey: board.House.DeviceKey}
	s.must(export.Write(ctx, dir, about, head.Checkpoint, s.store))
	report := verify.Run(dir, verify.Options{})
	s.must(dir.Close())
	return report
}

// faulty has the network between the house and the browser behave as a test wants.
func (s *shop) faulty(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/v1/") {
			next.ServeHTTP(w, r)
			return
		}
		if body, ok := s.staged.Load(r.URL.Path); ok && r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(body.([]byte))
			return
		}
		time.Sleep(time.Duration(s.slow.Load()))
		if s.down.Load() {
			panic(http.ErrAbortHandler)
		}
		if strings.Contains(r.URL.Path, "/requests/") && s.lose.Load() {
			next.ServeHTTP(deaf{http.Header{}}, r)
			panic(http.ErrAbortHandler)
		}
		next.ServeHTTP(w, r)
	})
}

// deaf is an answer that nobody hears.
type deaf struct{ header http.Header }

func (d deaf) Header() http.Header         { return d.header }
func (d deaf) Write(b []byte) (int, error) { return len(b), nil }
func (d deaf) WriteHeader(int)             {}

func (s *shop) url(path string) string { return "http://" + s.addr + path }

// turn closes the game on sale and opens the next; the closed one can be drawn then.
func (s *shop) turn() uint32 {
	s.t.Helper()
	s.must(s.house.First().TurnGame(s.t.Context(), time.Now().Add(10*time.Minute)))
	return s.house.First().Games(2)[1].Ordinal
}

// draw draws so many numbers of a game.
func (s *shop) draw(ordinal uint32, numbers int) {
	s.t.Helper()
	for range numbers {
		s.must(s.house.First().DrawNumber(s.t.Context(), ordinal))
	}
}

// finish settles a game whose numbers are drawn.
func (s *shop) finish(ordinal uint32) {
	s.t.Helper()
	s.must(s.house.First().FinishDraw(s.t.Context(), ordinal))
	s.must(s.house.First().SettleGame(s.t.Context(), ordinal))
}

// enrolled opens the terminal in a browser, as the office lets it in.
func (s *shop) enrolled(ctx context.Context) {
	s.t.Helper()
	s.must(chromedp.Do(ctx, chromedp.Navigate(s.url("/terminal")+"#"+s.api.AllowEnrolment(1, time.Minute))))
	awaitPage(s.t, ctx, "the desk",
		`() => !document.getElementById("desk").hidden && document.documentElement.dataset.state === "live" && document.activeElement.id === "entry"`)
}

// begins has a writer sign on at terminal 1, unless somebody has.
func (s *shop) begins() {
	s.t.Helper()
	if post, _ := s.house.People().Post(1); post.Person != 0 {
		return
	}
	_, err := s.house.Do(s.t.Context(), command.Change{Command: staff.Begin{Person: s.newWriter(passphrase), Terminal: 1,
		Grant: state.Grant{Role: record.RoleWriter, Venue: 1}}}, record.By{})
	s.must(err)
}

// awaitPage waits until a page is as a function says. A page that goes on to another one meanwhile, or is half there,
// has no answer yet.
func awaitPage(t *testing.T, ctx context.Context, what, function string, arguments ...any) {
	t.Helper()
	var failed error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(30 * time.Millisecond) {
		var come bool
		if come, failed = tryCall[bool](t, ctx, function, arguments...); come && failed == nil {
			return
		}
	}
	t.Fatalf("the page does not come to %s (%v):\n%s", what, failed,
		call[string](t, ctx, `() => document.body.innerText.replaceAll(/(\n\d+)+\n/g, " ... ")`))
}

// click waits until an element is there that a person can click, and clicks the element.
func click(t *testing.T, ctx context.Context, selector string) {
	t.Helper()
	clickNamed(t, ctx, selector, "")
}

// clickNamed is click for the one of several elements that has a text; every text will do
// where the text is empty.
func clickNamed(t *testing.T, ctx context.Context, selector, text string) {
	t.Helper()
	awaitPage(t, ctx, fmt.Sprintf("%s %q that can be clicked", selector, text), `(selector, text) => {
		const found = [...document.querySelectorAll(selector)].find((e) => !text || e.textContent === text);
		if (!found || found.disabled || found.getClientRects().length === 0) return false;
		found.click();
		return true;
	}`, selector, text)
}

// keys presses keys, as a person or a scanner does. A browser takes the focus away from a
// dialog that was closed only when it draws the page again, which a person always sees
// before the next key and a program may not: a key would answer a dialog that is gone.
func keys(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	call[chromedp.Void](t, ctx,
		`() => { if (document.activeElement?.closest("dialog:not([open])")) document.activeElement.blur(); }`)
	if err := chromedp.Do(ctx, chromedp.KeyEvent(text)); err != nil {
		t.Fatal(err)
	}
}

// scanAway types a text as a scanner does, with Enter behind it. A browser that is driven by a program
// gives the character of a key to what has the focus by then, which may be the button that the key
// has brought up; the Enter of a scanner never is, so that it comes without its character.
func scanAway(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	keys(t, ctx, text)
	enter := chromedp.Func(func(ctx context.Context, page *chromedp.Target) error {
		for _, event := range kb.Encode('\r') {
			if event.Type == kb.KeyChar {
				continue
			}
			if _, err := cdp.Call(ctx, page, input.DispatchKeyEvent, *event); err != nil {
				return err
			}
		}
		return nil
	})
	if err := chromedp.Do(ctx, enter); err != nil {
		t.Fatal(err)
	}
}

// line types a line and sends it.
func line(t *testing.T, ctx context.Context, text string) {
	t.Helper()
	keys(t, ctx, text+kb.Enter)
}

// shows waits until a part of the page has a text.
func shows(t *testing.T, ctx context.Context, id, text string) {
	t.Helper()
	awaitPage(t, ctx, fmt.Sprintf("%q in %s", text, id),
		`(id, text) => document.getElementById(id)?.innerText.replaceAll(/\s+/g, " ").includes(text) === true`, id, text)
}

// openDay opens the Keno Day of a series that it is, or was some time ago, in the time zone of its rulebook.
func (s *shop) openDay(line *house.Line, ago time.Duration) {
	s.t.Helper()
	zone, err := time.LoadLocation(line.Book().Zone())
	s.must(err)
	now := time.Now().Add(-ago).In(zone)
	_, offset := now.Zone()
	s.must(line.OpenDay(s.t.Context(), day.MustParse(now.Format(time.DateOnly)), int32(offset)))
}
