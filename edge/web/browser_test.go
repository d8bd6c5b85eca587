package web

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"drawhouse/core/money"
	"drawhouse/house/live"
	"drawhouse/internal/livetest"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/receipt"
)

var screenshots = flag.String("screenshots", "", "folder to write pictures of the page into")

// patience is how long a test waits for something to come, on however slow a machine.
// No test judges how long the wait was.
const patience = time.Minute

// beside is how many tests go on at once for each core.
const beside = 2

// browser returns a tab of a browser that all tests share, with cookies and storage of its
// own, which has the keyboard whatever other tabs do. Without a browser the test is skipped,
// and says so. The tab is closed with the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	parent, err := startBrowser()
	if err != nil {
		t.Skipf("THE PAGE WAS NOT TESTED: no browser: %v", err)
	}
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	limited, stop := context.WithTimeout(ctx, 6*patience)
	t.Cleanup(stop)
	focused(t, ctx)
	return limited
}

// focused opens a tab, which has the keyboard whatever other tabs do.
func focused(t *testing.T, ctx context.Context) {
	t.Helper()
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
}

// unneeded are features of Chromium that cost half of the processor time of these tests and
// show nothing of a page: a process for the address bar of every window, and one in reserve
// for the next page. The first two are off by chromedp's own choice.
var unneeded = []string{
	"Translate", "BlinkGenPropertyTrees",
	"WebUIOmniboxPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess",
}

var startBrowser = sync.OnceValues(func() (context.Context, error) {
	// The shell is Chromium without windows and menus: the same pages for half of the processor time.
	found := ""
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			found = path
			break
		}
	}
	if found == "" {
		return nil, exec.ErrNotFound
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(found), chromedp.NoSandbox,
		chromedp.Flag("disable-features", strings.Join(unneeded, ",")),
		// One process for all tabs of the tests, one for the browser with its painting, and one thread that paints: an
		// eighth of the processor time went into keeping more of them.
		chromedp.Flag("process-per-site", true), chromedp.Flag("in-process-gpu", true), chromedp.Flag("num-raster-threads", "1"))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	stopBrowser = append(stopBrowser, stop)
	ctx, cancel := chromedp.NewContext(allocator)
	stopBrowser = append(stopBrowser, cancel)
	return ctx, chromedp.Do(ctx)
})

var stopBrowser []context.CancelFunc

func TestMain(m *testing.M) {
	flag.Parse()
	// The tests wait for a browser more than they count: more of them than cores go on at once.
	if err := flag.Set("test.parallel", strconv.Itoa(beside*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	code := m.Run()
	for _, stop := range slices.Backward(stopBrowser) {
		stop()
	}
	os.Exit(code)
}

// stage is a house with its page on a server.
type stage struct {
	*livetest.House
	hub    *live.Hub
	server *httptest.Server
	down   atomic.Bool // the server answers nothing that is asked of the house
	ahead  atomic.Int64
	asked  chan string // addresses of requests for events
	// witnesses is what the house says of its witnesses, as JSON.
	witnesses string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{House: livetest.New(t), asked: make(chan string, 100), witnesses: "[]"}
	s.SetNow(time.Now())
	s.hub = live.NewHub(live.Options{Source: s.House, Now: s.clock, Tick: time.Second})
	if err := s.hub.Committed(record.Place{Volume: 1}, s.Records()); err != nil {
		t.Fatal(err)
	}
	s.Commit = s.hub.Committed
	mux := http.NewServeMux()
	mux.Handle("/", handler(t))
	mux.HandleFunc("GET /v1/board", s.board)
	mux.HandleFunc("GET /v1/events", s.events)
	mux.HandleFunc("GET /v1/witnesses", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"witnesses":%s}`, s.witnesses)
	})
	mux.HandleFunc("GET /v1/games/{day}/{number}/code.svg", func(w http.ResponseWriter, r *http.Request) {
		picture, err := receipt.Square(receipt.SealAddress("https://keno.example", r.PathValue("day")+"/"+r.PathValue("number"),
			journal.LeafHash(nil)))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "image/svg+xml")
		_, _ = w.Write([]byte(picture))
	})
	s.server = httptest.NewServer(mux)
	t.Cleanup(s.server.Close)
	t.Cleanup(s.hub.Close)
	return s
}

// clock is the house's clock, which may be ahead of the browser's.
func (s *stage) clock() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }

func (s *stage) board(w http.ResponseWriter, _ *http.Request) {
	if s.down.Load() {
		http.Error(w, "down", http.StatusServiceUnavailable)
		return
	}
	data, err := s.hub.AppendBoard(nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data)
}

func (s *stage) events(w http.ResponseWriter, r *http.Request) {
	s.asked <- r.URL.String()
	after, err := live.ParseID(r.URL.Query().Get("after"))
	if err != nil || s.down.Load() {
		http.Error(w, "down", http.StatusServiceUnavailable)
		return
	}
	_ = s.hub.Stream(w, r, after) // An error ends the stream, which is what is tested.
}

// seen is what the page shows.
type seen struct {
	Connection, Phase   string
	Sale, Closes, Label string
	Game, Count, Last   string
	Order               []int // as listed
	Drawn               []int // as marked on the board, by their order
	Rows                []int
	Heads, Tails        int
	Sum                 string
	Fingerprint         string
	Results             []string // game and fingerprint
	Status              string
}

const look = `(() => {
	const text = (id) => document.getElementById(id).textContent;
	const list = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent).filter(Boolean);
	const marked = [...document.querySelectorAll("[data-drawn]")].sort((a, b) => a.dataset.drawn - b.dataset.drawn);
	const [heads, tails] = list("#halves .figure").map(Number);
	return {
		Connection: document.documentElement.dataset.connection, Phase: document.documentElement.dataset.phase ?? "",
		Sale: text("sale-game"), Closes: text("countdown"), Label: text("closes-label"),
		Game: text("shown-game"), Count: text("count"), Last: text("last"),
		Order: list("#order li").map(Number), Drawn: marked.map((e) => Number(e.dataset.number)),
		Rows: list(".lane .figure").map(Number), Heads: heads, Tails: tails,
		Sum: list("#totals dd")[0], Fingerprint: text("fingerprint"),
		Results: [...document.querySelectorAll(".result")].map((e) => e.querySelector(".result-game").textContent + " " + e.querySelector(".fingerprint").textContent),
		Status: text("connection"),
	};
})()`

func see(t *testing.T, ctx context.Context) seen {
	t.Helper()
	s, err := chromedp.Run(ctx, chromedp.Evaluate[seen](look))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// await looks until the page shows what is wanted, for some seconds.
func await(t *testing.T, ctx context.Context, what string, ok func(seen) bool) seen {
	t.Helper()
	var s seen
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if s = see(t, ctx); ok(s) {
			return s
		}
	}
	t.Fatalf("the page does not show %s: %+v", what, s)
	return s
}

func isLive(s seen) bool { return s.Connection == "live" }

func visit(t *testing.T, ctx context.Context, s *stage) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.Navigate(s.server.URL)); err != nil {
		t.Fatal(err)
	}
}

// complaints collects what the page writes to the console.
func complaints(t *testing.T, ctx context.Context) func() []string {
	t.Helper()
	var mu sync.Mutex
	var all []string
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			mu.Lock()
			all = append(all, m.String())
			mu.Unlock()
		}
	}()
	said := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
	t.Cleanup(func() {
		if lines := said(); t.Failed() && len(lines) > 0 {
			t.Logf("the page said on its console: %q", lines)
		}
	})
	return said
}

// requests collects the addresses that the page asks for.
func requests(t *testing.T, ctx context.Context) func() []string {
	t.Helper()
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var all []string
	events := chromedp.Events(ctx, network.RequestWillBeSent)
	go func() {
		for e, err := range events {
			if err != nil {
				return
			}
			mu.Lock()
			all = append(all, e.Request.URL)
			mu.Unlock()
		}
	}()
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// TestNumbersAppearInOrder plays a game and looks at the page after every number.
func TestNumbersAppearInOrder(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	s := newStage(t)
	s.OpenDay("2026-11-15")
	s.SkipTo(417)
	s.Open(time.Minute)
	visit(t, ctx, s)
	before := await(t, ctx, "game 417 on sale",
		func(p seen) bool { return isLive(p) && p.Sale == "Game 417" && p.Closes != "" })
	if len(before.Drawn) != 0 || before.Phase != "none" {
		t.Errorf("before the first draw: %+v", before)
	}
	numbers := s.Numbers()
	fingerprint := s.Close()
	s.Open(3 * time.Minute)
	sealed := await(t, ctx, "the seal", func(p seen) bool { return p.Fingerprint == fingerprint && p.Sale == "Game 418" })
	if len(sealed.Drawn) != 0 || len(sealed.Order) != 0 || sealed.Phase != "sealed" || sealed.Game != "Game 417" {
		t.Errorf("sealed: %+v", sealed)
	}
	for k := 1; k <= len(numbers); k++ {
		s.Draw(numbers[k-1])
		p := await(t, ctx, fmt.Sprintf("number %d", k), func(p seen) bool { return len(p.Drawn) >= k })
		if !slices.Equal(p.Drawn, numbers[:k]) || !slices.Equal(p.Order, numbers[:k]) || p.Last != fmt.Sprint(numbers[k-1]) {
			t.Fatalf("after %d numbers, which are %v: %+v", k, numbers[:k], p)
		}
		checkTallies(t, p, numbers[:k])
	}
	s.Settle(12, 345_670)
	settled := await(t, ctx, "the result", func(p seen) bool { return p.Phase == "settled" })
	if !slices.Equal(settled.Drawn, numbers) || settled.Fingerprint != fingerprint || settled.Count != "20 of 20" {
		t.Errorf("settled: %+v", settled)
	}
	if said := said(); len(said) != 0 {
		t.Errorf("the console says %q", said)
	}
	if asked := asked(); len(asked) < 8 || slices.ContainsFunc(asked,
		func(u string) bool { return !strings.HasPrefix(u, s.server.URL+"/") }) {
		t.Errorf("the page asked for %q", asked)
	}
}

// checkTallies counts again what the page counts.
func checkTallies(t *testing.T, p seen, numbers []int) {
	t.Helper()
	rows, heads, sum := make([]int, 8), 0, 0
	for _, n := range numbers {
		rows[(n-1)/10]++
		sum += n
		if n <= 40 {
			heads++
		}
	}
	if !slices.Equal(p.Rows, rows) || p.Heads != heads || p.Tails != len(numbers)-heads || p.Sum != fmt.Sprint(sum) {
		t.Errorf("tallies of %v: rows %v, heads %d, tails %d, sum %s", numbers, p.Rows, p.Heads, p.Tails, p.Sum)
	}
}

// TestReconnect drops the connection in the middle of a draw. Numbers go on
// falling meanwhile; the page says that it is cut off, comes back by itself, asks
// for what it missed and shows it.
func TestReconnect(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newStage(t)
	s.OpenDay("2026-11-15")
	s.Open(time.Minute)
	numbers := s.Numbers()
	s.Close()
	s.Open(time.Minute)
	s.Draw(numbers[:5]...)
	visit(t, ctx, s)
	await(t, ctx, "five numbers", func(p seen) bool { return isLive(p) && len(p.Drawn) == 5 })
	s.Draw(numbers[5])
	await(t, ctx, "six numbers", func(p seen) bool { return len(p.Drawn) == 6 })
	last := s.hub.Newest()

	s.down.Store(true)
	s.server.CloseClientConnections()
	cut := await(t, ctx, "that it is cut off", func(p seen) bool { return p.Connection == "offline" })
	if !strings.Contains(cut.Status, "No connection. What you see is of") || len(cut.Drawn) != 6 {
		t.Errorf("cut off: %+v", cut)
	}
	s.Draw(numbers[6:12]...)
	time.Sleep(300 * time.Millisecond)
	if p := see(t, ctx); len(p.Drawn) != 6 {
		t.Errorf("shown without a connection: %v", p.Drawn)
	}
	for len(s.asked) > 0 {
		<-s.asked
	}
	s.down.Store(false)
	back := await(t, ctx, "the numbers it missed", func(p seen) bool { return isLive(p) && len(p.Drawn) == 12 })
	if !slices.Equal(back.Drawn, numbers[:12]) {
		t.Errorf("after reconnecting %v, want %v", back.Drawn, numbers[:12])
	}
	if got, want := <-s.asked, "/v1/events?after="+strings.ReplaceAll(last.String(), ":", "%3A"); got != want {
		t.Errorf("the page went on with %s, want %s", got, want)
	}
	s.Draw(numbers[12])
	await(t, ctx, "a further number", func(p seen) bool { return len(p.Drawn) == 13 })
}

// TestFoldsAgree holds the board that the page keeps, event by event, against
// the one that the server keeps.
func TestFoldsAgree(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newStage(t)
	visit(t, ctx, s)
	await(t, ctx, "the empty house", isLive)
	start, err := s.hub.AppendBoard(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.OpenPool(10, 1_234_567)
	for _, d := range []string{"2026-11-15", "2026-11-16"} {
		s.OpenDay(d)
		for range 7 {
			s.Play(2)
		}
		s.Resettle(1, 900)
		s.Pause()
		s.CloseDay()
	}
	s.OpenDay("2026-11-17")
	s.Pause()
	s.Open(time.Minute)
	s.Close()
	s.Witness("inspector.example")
	s.Draw(9, 8)
	s.VoidDraw()
	s.VoidGame()
	s.Open(time.Minute)
	s.Close()
	s.Open(time.Minute)
	s.Draw(3, 2)
	s.Redraw()
	s.Draw(80, 79, 78)

	var events []map[string]any
	var id live.ID
	for {
		batch, _, err := s.hub.After(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if len(batch) == 0 {
			break
		}
		for _, e := range batch {
			events = append(events, map[string]any{"name": e.Name, "body": e.Body})
			id = e.ID
		}
	}
	data, err := json.Marshal(events)
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`import("/web/kit/fold.js").then(({ apply }) => {
		const board = %s;
		for (const e of %s) apply(board, e.name, e.body);
		return JSON.stringify(board);
	})`, start, data)
	folded, err := chromedp.Run(ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.hub.AppendBoard(nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain(t, want), plain(t, []byte(folded))); diff != "" {
		t.Errorf("the page's board differs from the server's (-server +page):\n%s", diff)
	}
	p := await(t, ctx, "the further draw", func(p seen) bool { return len(p.Drawn) == 3 })
	if !slices.Equal(p.Drawn, []int{80, 79, 78}) || len(p.Results) != 10 {
		t.Errorf("%+v", p)
	}
}

// plain decodes a board but for the server's time.
func plain(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "now")
	return m
}

// TestCountdown has a house whose clock is an hour ahead of the browser's.
func TestCountdown(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newStage(t)
	s.ahead.Store(int64(time.Hour))
	s.SetNow(s.clock())
	s.OpenDay("2026-11-15")
	s.Open(100 * time.Second)
	visit(t, ctx, s)
	p := await(t, ctx, "a countdown", func(p seen) bool { return p.Closes != "" })
	if p.Closes < "1:30" || p.Closes > "1:40" || p.Label != "closes in" {
		t.Errorf("a game that closes in 100 seconds shows %s %s", p.Label, p.Closes)
	}
	s.Close()
	s.SetNow(s.clock())
	s.Open(time.Second)
	await(t, ctx, "the end of the sale", func(p seen) bool { return p.Label == "closing" && p.Closes == "0:00" })
	s.Close()
	await(t, ctx, "that no game is open", func(p seen) bool { return p.Sale == "No game open" && p.Closes == "" })
}

// TestWitnessLine shows a witness that keeps the house from drawing, and none that does
// not.
func TestWitnessLine(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	const away, disagrees = `{"name":"a.example","required":true,"state":"away"}`,
		`{"name":"b.example","required":true,"state":"disagrees","record":"1:417"}`
	for witnesses, want := range map[string]string{
		`[]`: "",
		`[{"name":"a.example","required":true,"state":"agrees"},{"name":"b.example","required":false,"state":"away"}]`: "",
		`[` + away + `]`: "Waiting for the witness a.example",
		`[` + away + `,` + disagrees +
			`]`: "The witness b.example disagrees at record 1:417: nothing is drawn or paid until that is settled",
	} {
		s := newStage(t)
		s.witnesses = witnesses
		visit(t, ctx, s)
		await(t, ctx, "the line "+want, func(p seen) bool {
			line, err := chromedp.Run(ctx,
				chromedp.Evaluate[string](`(() => { const p = document.getElementById("witnesses"); return p.hidden ? "" : p.textContent; })()`))
			return err == nil && p.Connection == "live" && line == want
		})
	}
}

// TestLoadingThenHouse loads the page while the house does not answer.
func TestLoadingThenHouse(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newStage(t)
	s.down.Store(true)
	visit(t, ctx, s)
	await(t, ctx, "that there is no house",
		func(p seen) bool { return p.Connection == "offline" && strings.Contains(p.Status, "No connection") })
	s.down.Store(false)
	p := await(t, ctx, "the house", isLive)
	if p.Sale != "No game open" || len(p.Results) != 0 {
		t.Errorf("%+v", p)
	}
}

// TestReset has a page that was away for longer than the hub remembers.
func TestReset(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newStage(t)
	s.OpenDay("2026-11-15")
	s.Open(time.Minute)
	visit(t, ctx, s)
	await(t, ctx, "game 1", func(p seen) bool { return isLive(p) && p.Sale == "Game 1" })
	// Another house takes the place of this one, with other events.
	other := livetest.New(t)
	hub := live.NewHub(live.Options{Tick: time.Second})
	s.down.Store(true)
	s.hub.Close()
	t.Cleanup(hub.Close)
	if err := hub.Committed(record.Place{Volume: 1}, other.Records()[:1]); err != nil {
		t.Fatal(err)
	}
	s.hub = hub
	s.down.Store(false)
	await(t, ctx, "the other house", func(p seen) bool { return isLive(p) && p.Sale == "No game open" })
}

// TestMotion looks for a number on its way: with motion there is one, which is to take less
// than 600 ms and lands, and with reduced motion there never is.
func TestMotion(t *testing.T) {
	t.Parallel()
	for _, reduced := range []bool{false, true} {
		ctx := browser(t)
		value := map[bool]string{false: "no-preference", true: "reduce"}[reduced]
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: value}},
		})
		if err != nil {
			t.Fatal(err)
		}
		s := newStage(t)
		s.OpenDay("2026-11-15")
		s.Open(time.Minute)
		s.Close()
		visit(t, ctx, s)
		await(t, ctx, "the seal", func(p seen) bool { return isLive(p) && p.Phase == "sealed" })
		watch := `window.flights = [];
			new MutationObserver((changes) => {
				for (const c of changes) {
					for (const n of c.addedNodes) {
						if (n.className === "flyer") window.flights.push({ Number: n.textContent, Takes: n.getAnimations()[0]?.effect.getTiming().duration ?? 0 });
					}
					for (const n of c.removedNodes) {
						if (n.className === "flyer") window.flights.find((f) => f.Number === n.textContent).Landed = true;
					}
				}
			}).observe(document.body, { childList: true });`
		if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](watch)); err != nil {
			t.Fatal(err)
		}
		// What would be on its way for a number is there before the next one is shown.
		for n, number := range []int{44, 7} {
			s.SetNow(time.Now())
			s.Draw(number)
			await(t, ctx, "the number", func(p seen) bool { return len(p.Drawn) == n+1 && p.Drawn[n] == number })
		}
		type flight struct {
			Number string
			Takes  float64
			Landed bool
		}
		var flights []flight
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			if flights, err = chromedp.Run(ctx, chromedp.Evaluate[[]flight](`window.flights`)); err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(flights, func(f flight) bool { return !f.Landed }) {
				break
			}
		}
		quick := func(f flight) bool { return f.Landed && f.Takes > 0 && f.Takes < 600 }
		switch {
		case reduced && len(flights) != 0:
			t.Errorf("with reduced motion: %v", flights)
		case !reduced && (len(flights) != 2 || flights[0].Number != "44" || flights[1].Number != "7" || !quick(flights[0]) ||
			!quick(flights[1])):
			t.Errorf("with motion: %v", flights)
		}
	}
}

// TestFits measures the page on walls and phones: nothing is cut off, and only a
// phone scrolls, and only downwards.
func TestFits(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	s := newStage(t)
	s.OpenDay("2026-11-15")
	s.SkipTo(412)
	for range 5 {
		s.Play(3)
	}
	for spots, cents := range map[uint8]money.Amount{7: 1_234_50, 8: 15_020_10, 9: 98_765_40, 10: 9_354_318_50} {
		s.OpenPool(spots, cents)
	}
	s.SetNow(time.Now())
	s.Open(2 * time.Minute)
	numbers := s.Numbers()
	s.Close()
	s.Open(102 * time.Second)
	s.Draw(numbers[:17]...)
	for _, size := range []struct{ width, height int64 }{{1280, 720}, {1920, 1080}, {3840, 2160}, {1024, 768}, {390, 844},
		{320, 568}, {768, 1024}} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(size.width, size.height),
			chromedp.Navigate(s.server.URL)); err != nil {
			t.Fatal(err)
		}
		await(t, ctx, "17 numbers", func(p seen) bool {
			return isLive(p) && len(p.Drawn) == 17 && p.Closes != "" && len(p.Fingerprint) == len("0000-")*8-1
		})
		// A wall has a code for phones, of at least one and a half dots a module.
		if wall := size.width >= 800 && 4*size.width >= 5*size.height; wall {
			awaitCode(t, ctx)
		}
		overflow, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](overflowing))
		if err != nil {
			t.Fatal(err)
		}
		if len(overflow) > 0 {
			t.Errorf("%dx%d: out of their boxes: %q", size.width, size.height, overflow)
		}
		picture(t, ctx, fmt.Sprintf("board-%dx%d", size.width, size.height))
	}
}

// awaitCode waits for the code of the seal, whose modules must be wide enough to be read.
func awaitCode(t *testing.T, ctx context.Context) {
	t.Helper()
	const side = `() => document.getElementById("seal-code").getBoundingClientRect().width`
	const modules = 41 // of an address such as that of the test
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if call[float64](t, ctx, side) >= 1.5*modules {
			return
		}
	}
	t.Errorf("the code of the seal is %v dots wide", call[float64](t, ctx, side))
}

// TestStates shows the page in each of its states, for people to look at.
func TestStates(t *testing.T) {
	t.Parallel()
	if *screenshots == "" {
		t.Skip("no pictures are asked for")
	}
	for _, size := range []struct{ width, height int64 }{{1920, 1080}, {390, 844}} {
		ctx := browser(t)
		s := newStage(t)
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(size.width, size.height)); err != nil {
			t.Fatal(err)
		}
		shot := func(state string, ok func(seen) bool) {
			t.Helper()
			await(t, ctx, state, ok)
			picture(t, ctx, fmt.Sprintf("%s-%dx%d", state, size.width, size.height))
		}
		s.down.Store(true)
		visit(t, ctx, s)
		shot("no-house", func(p seen) bool { return p.Connection == "offline" })
		s.down.Store(false)
		shot("no-game", func(p seen) bool { return isLive(p) && p.Sale == "No game open" })
		for spots, cents := range map[uint8]money.Amount{7: 1_234_50, 8: 15_020_10, 9: 98_765_40, 10: 1_354_318_50} {
			s.OpenPool(spots, cents)
		}
		s.OpenDay("2026-11-15")
		s.SkipTo(997)
		s.SetNow(time.Now())
		s.Open(59 * time.Second)
		s.Sell(30)
		shot("first-game", func(p seen) bool { return p.Sale == "Game 997" })
		numbers := s.Numbers()
		s.Close()
		s.Open(3 * time.Minute)
		shot("sealed", func(p seen) bool { return p.Phase == "sealed" })
		s.SetNow(time.Now())
		s.Draw(numbers...)
		s.Settle(12_345, 123_456_780)
		shot("settled", func(p seen) bool { return p.Phase == "settled" })
		s.Pause()
		shot("closing-early", func(p seen) bool { return p.Phase == "settled" })
		s.down.Store(true)
		s.server.CloseClientConnections()
		shot("offline", func(p seen) bool { return p.Connection == "offline" })
	}
}

// overflowing lists the elements that reach out of the page or of their box.
const overflowing = `(() => {
	const wall = matchMedia("(min-width: 800px) and (min-aspect-ratio: 5/4)").matches;
	const found = [];
	if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
	if (wall && document.documentElement.scrollHeight > innerHeight) found.push("the wall scrolls");
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest(".unseen, noscript") || getComputedStyle(e).display === "none" || getComputedStyle(e).clipPath !== "none") continue;
		const box = e.getBoundingClientRect();
		if (box.width === 0 || box.height === 0) continue;
		if (box.right > innerWidth + 1 || box.left < -1 || (wall && (box.bottom > innerHeight + 1 || box.top < -1))) {
			found.push((e.id || e.className || e.tagName) + " " + Math.round(box.right) + "," + Math.round(box.bottom));
		}
		if (e.scrollWidth > e.clientWidth + 2 && e.clientWidth > 0) found.push((e.id || e.className || e.tagName) + " is too narrow for " + e.textContent.slice(0, 30));
	}
	return found;
})()`

// picture writes a picture of the page if pictures are asked for.
func picture(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	if err := chromedp.Do(ctx, chromedp.Sleep(time.Second)); err != nil { // Let what moves come to rest.
		t.Fatal(err)
	}
	data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), data, 0o644); err != nil {
		t.Fatal(err)
	}
}
