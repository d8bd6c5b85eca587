package web

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"drawhouse/check/proof"
	"drawhouse/internal/prooftest"
)

const ticketSerial = "4194091604387280"

// ticketHouse is a house as far as the page of a ticket asks it.
type ticketHouse struct {
	server *httptest.Server
	down   atomic.Bool
	ticket atomic.Pointer[map[string]any]
	proof  atomic.Pointer[string]
	full   prooftest.Case
	// witnesses are the keys of those whom the house names, of whom the first two have cosigned the public log.
	witnesses atomic.Pointer[[]string]
}

func newTicketHouse(t *testing.T) *ticketHouse {
	t.Helper()
	archive := prooftest.New(t)
	c := &ticketHouse{full: archive.Full()}
	cases := archive.Cases()
	c.witnesses.Store(&cases[slices.IndexFunc(cases,
		func(c prooftest.Case) bool { return c.Name == "in the log, two of three witnesses" })].Evidence.WitnessKeys)
	c.set(settledTicket(), string(c.full.Proof))
	mux := http.NewServeMux()
	mux.Handle("/", handler(t))
	mux.HandleFunc("GET /v1/board", c.answer(func(*http.Request) any {
		return map[string]any{"house": map[string]any{"name": "drawhouse.example", "house_key": "exchanged",
			"device_key": "since"},
			"series": []any{map[string]any{"series": 1, "currency": "AUD", "rulebook": map[string]any{"id": "vic-keno-2015"}}}}
	}))
	mux.HandleFunc("GET /v1/catalogue",
		c.answer(func(*http.Request) any { return map[string]string{"care": "Help is at 13 00 00."} }))
	mux.HandleFunc("GET /v1/tickets/{serial}", c.answer(func(r *http.Request) any {
		if r.PathValue("serial") != ticketSerial {
			return nil
		}
		return *c.ticket.Load()
	}))
	mux.HandleFunc("GET /v1/tickets/{serial}/proof",
		c.answer(func(*http.Request) any { return json.RawMessage(*c.proof.Load()) }))
	mux.HandleFunc("GET /v1/witnesses", c.answer(func(*http.Request) any {
		list := []map[string]any{}
		for _, key := range *c.witnesses.Load() {
			list = append(list, map[string]any{"key": key})
		}
		return map[string]any{"witnesses": list, "log_key": c.full.Evidence.LogKey}
	}))
	mux.HandleFunc("GET /v1/games/{day}/{number}", c.answer(func(*http.Request) any {
		return map[string]any{"day": "2026-11-15", "game": 417, "draw_note": string(c.full.Evidence.Draw),
			"house_key": c.full.Evidence.HouseKey, "device_key": c.full.Evidence.DeviceKey,
			"seal": map[string]any{"fingerprint": c.full.Evidence.Fingerprint, "note": string(c.full.Evidence.Seal)}}
	}))
	c.server = httptest.NewServer(mux)
	t.Cleanup(c.server.Close)
	return c
}

func (c *ticketHouse) set(ticket map[string]any, proof string) {
	c.ticket.Store(&ticket)
	c.proof.Store(&proof)
}

// answer answers with what f returns, or that there is no such ticket.
func (c *ticketHouse) answer(f func(*http.Request) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c.down.Load() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		answer := f(r)
		w.Header().Set("Content-Type", "application/json")
		if answer == nil {
			w.WriteHeader(http.StatusNotFound)
			answer = map[string]any{"error": map[string]any{"code": "ticket_unknown", "sentence": "There is no such ticket."}}
		}
		_ = json.NewEncoder(w).Encode(answer)
	}
}

// settledTicket is the ticket of the proof, with its first two games drawn.
func settledTicket() map[string]any {
	numbers := func(from int) (list []int) {
		for n := range 20 {
			list = append(list, from+20-n)
		}
		return list
	}
	line := func(way int, text, clause string, cents int) map[string]any {
		return map[string]any{"way": way, "text": text, "clause": clause, "amount_cents": cents}
	}
	long := line(3, "the numbers add up to 775: multiplied by 2 = $6.00",
		"S.bonus 2(a).keno-bonus 2(a).keno-bonus(a) 21(i)", 600)
	game := func(number, ordinal int, phase string, numbers []int, prize int, lines ...any) map[string]any {
		return map[string]any{"day": "2026-11-15", "game": number, "ordinal": ordinal, "phase": phase,
			"closes":  "2026-11-15T14:03:00+11:00",
			"numbers": numbers, "prize_cents": prize, "paid_cents": 0, "lines": lines}
	}
	return map[string]any{
		"serial": ticketSerial, "place": "1:5003", "time": "2026-11-15T14:04:05+11:00", "cost_cents": 1_235_000,
		"ticket": json.RawMessage(`{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":416},"games":10,"bets":[
			{"bet":"classic","spots":[3,17,42,56,80],"stake_cents":100,"with":{"multiplier":{"games":3}}},{"bet":"classic","groups":[[1,2],[79,80]],"play":"all","stake_cents":123400}]}`),
		"games": []any{
			game(416, 416, "settled", numbers(20), 2400, long, long, long, long),
			game(417, 417, "settled", numbers(0), 1_480_800,
				line(2, "2 of 2 on $1,234.00: 1234 x $12.00 = $14,808.00", "S.classic-1", 1_480_800), long),
			game(418, 418, "open", []int{}, 0),
		},
		"games_to_come": 7, "won_cents": 1_480_800, "paid_cents": 0, "unpaid_cents": 1_480_800,
	}
}

// paperOf returns what stands behind the number sign on the paper of the ticket.
func (c *ticketHouse) paperOf(t *testing.T) string {
	t.Helper()
	var p struct {
		Leaf string `json:"leaf_hash"`
	}
	if err := json.Unmarshal(c.full.Proof, &p); err != nil {
		t.Fatal(err)
	}
	leaf, err := base64.StdEncoding.DecodeString(p.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	return "#" + base64.RawURLEncoding.EncodeToString(leaf[:18]) + ".5004.AAAAAAAAAAAAAAAAAAAAAAAA"
}

// ticketPage opens the page and waits until it says something.
func ticketPage(t *testing.T, ctx context.Context, address, wait string) string {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		t.Fatal(err)
	}
	return awaitText(t, ctx, wait)
}

func awaitText(t *testing.T, ctx context.Context, wait string) (text string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		text = call[string](t, ctx, "() => document.body.innerText")
		if strings.Contains(text, wait) {
			return text
		}
	}
	t.Fatalf("the page does not say %q but\n%s", wait, text)
	return ""
}

// TestTicketPage shows a ticket with its proof, at the size of a phone and of a desk,
// in the light and in the dark.
func TestTicketPage(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	said, asked := complaints(t, ctx), requests(t, ctx)
	c := newTicketHouse(t)
	address := c.server.URL + "/t/" + ticketSerial + c.paperOf(t)
	size(t, ctx, 390, 844)
	text := ticketPage(t, ctx, address, "Sealed before the draw")
	for _, want := range []string{
		"$14,808.00 won", "Bring the paper to the counter", "8 games still to come", "4194 0916 0438 7280",
		"2 of 2 on $1,234.00", "Rule S.classic-1",
		"Game 417, 15 Nov", "The paper in your hand is of that very record", c.full.Evidence.Fingerprint,
		"Never type your claim code", "Help is at 13 00 00.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q but\n%s", want, text)
		}
	}
	hits := call[[]string](t, ctx,
		`() => [...document.querySelectorAll(".game:nth-of-type(2) .yours")].map((e) => e.textContent)`)
	if !slices.Equal(hits, []string{"1", "2", "3", "17"}) {
		t.Errorf("marked as yours: %v", hits)
	}
	sayWhatIsProved(t, ctx, c)
	compareFingerprints(t, ctx, c)
	looks(t, ctx)
	if said := said(); len(said) != 0 {
		t.Errorf("the console says %q", said)
	}
	for _, address := range asked() {
		if !strings.HasPrefix(address, c.server.URL+"/") || strings.Contains(address, c.paperOf(t)[1:10]) {
			t.Errorf("the page asked for %s", address)
		}
	}
}

// sayWhatIsProved compares the sentences with those of package proof.
func sayWhatIsProved(t *testing.T, ctx context.Context, c *ticketHouse) {
	t.Helper()
	e := c.full.Evidence
	brought := proof.Evidence{HouseKey: e.HouseKey, Draw: e.Draw, DeviceKey: e.DeviceKey, LogKey: e.LogKey,
		WitnessKeys: (*c.witnesses.Load())[:2], Quorum: 2}
	want := proof.Check(c.full.Proof, brought)
	const items = `(id) => [...document.querySelectorAll("#" + id + " li")].map((e) => e.textContent)`
	if got := call[[]string](t, ctx, items, "proved"); !slices.Equal(got,
		append(want.Proved, "The hash on your paper is that of this record.")) {
		t.Errorf("the page says that is proved: %q", got)
	}
	open := slices.DeleteFunc(want.NotProved,
		func(s string) bool { return strings.HasPrefix(s, "That this is the ticket in your hand") })
	if len(open) != len(proof.Check(c.full.Proof, brought).NotProved)-1 {
		t.Error("package proof has another sentence for the ticket in the hand")
	}
	if got := call[[]string](t, ctx, items, "open"); !slices.Equal(got, open) {
		t.Errorf("the page says that is not proved: %q, want %q", got, open)
	}
}

// TestTicketChain shows what leads from a ticket to the public log, and why it ends before: without a proof of the log,
// without witnesses, and with too few of them.
func TestTicketChain(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	c := newTicketHouse(t)
	address, three := c.server.URL+"/t/"+ticketSerial, *c.witnesses.Load()
	size(t, ctx, 390, 844)
	steps := []string{"Your ticket is record 5003 of the journal.", "under the seal of game 417",
		"The seal is entry 257 of the public log drawhouse.example/log, which had 300 entries then.",
		"inspector.example, university.example have cosigned the log"}
	var unlogged map[string]any
	if err := json.Unmarshal(c.full.Proof, &unlogged); err != nil {
		t.Fatal(err)
	}
	delete(unlogged, "log_proof")
	unlogged["unlogged"] = "The witnesses have cosigned no checkpoint of the public log yet."
	without, err := json.Marshal(unlogged)
	if err != nil {
		t.Fatal(err)
	}
	for _, state := range []struct {
		proof     string
		witnesses []string
		steps     int
		ends      string
	}{
		{string(c.full.Proof), three, 4, ""},
		{string(c.full.Proof), three[1:], 4, "Only 1 of the 2 witnesses whom the house names have cosigned these entries."},
		{string(c.full.Proof), three[2:], 3, "No witness has cosigned these entries yet."},
		{string(c.full.Proof), nil, 3, "This house has no witnesses"},
		{string(without), three, 2, "The witnesses have cosigned no checkpoint of the public log yet."},
	} {
		c.proof.Store(&state.proof)
		c.witnesses.Store(&state.witnesses)
		if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
			t.Fatal(err)
		}
		ticketPage(t, ctx, address, "Sealed before the draw")
		shown := call[[]string](t, ctx, `() => [...document.querySelectorAll("#chain li")].map((e) => e.textContent)`)
		if len(shown) != state.steps {
			t.Errorf("%q: steps %q, want %d", state.ends, shown, state.steps)
		}
		for i, step := range shown {
			if one := len(state.witnesses) == 2 && i == 3; !one && i < len(steps) && !strings.Contains(step, steps[i]) {
				t.Errorf("%q: step %q, want %q", state.ends, step, steps[i])
			}
		}
		ends := call[string](t, ctx, `() => document.getElementById("chain-ends").textContent`)
		if (ends == "") != (state.ends == "") || !strings.Contains(ends, state.ends) {
			t.Errorf("the chain ends %q, want %q", ends, state.ends)
		}
	}
	lie := strings.Replace(string(c.full.Proof), "index 257", "index 256", 1)
	c.proof.Store(&lie)
	c.witnesses.Store(&three)
	ticketPage(t, ctx, address, "The entry is not shown to be in the public log.")
	if hidden := call[bool](t, ctx, `() => !document.getElementById("chain").checkVisibility()`); !hidden {
		t.Error("a chain that does not hold is shown")
	}
}

// compareFingerprints types what the reader may have noted off the wall.
func compareFingerprints(t *testing.T, ctx context.Context, c *ticketHouse) {
	t.Helper()
	const enter = `(text) => { document.getElementById("noted-fingerprint").value = text; document.getElementById("noted-button").click(); }`
	call[chromedp.Void](t, ctx, enter, "0000-0000")
	awaitText(t, ctx, "The fingerprint that you noted is too short")
	call[chromedp.Void](t, ctx, enter, strings.Repeat("0000-", 8))
	awaitText(t, ctx, "The fingerprint that you noted is another one.")
	call[chromedp.Void](t, ctx, enter, strings.ToUpper(c.full.Evidence.Fingerprint))
	awaitText(t, ctx, "Sealed before the draw")
	if got := call[[]string](t, ctx,
		`() => [...document.querySelectorAll("#proved li")].map((e) => e.textContent)`); !slices.Contains(got,
		"It is the seal whose fingerprint you noted.") {
		t.Errorf("proved: %q", got)
	}
}

// looks takes pictures, and holds the page to its width, its contrast and the size
// of what is touched.
func looks(t *testing.T, ctx context.Context) {
	t.Helper()
	for _, scheme := range []string{"light", "dark"} {
		feature := emulation.MediaFeature{Name: "prefers-color-scheme", Value: scheme} //nolint:misspell // CSS spells it so.
		if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia,
			emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{&feature}}); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int64{320, 390, 1280} {
			size(t, ctx, width, 844)
			if wide := call[int64](t, ctx, "() => document.documentElement.scrollWidth"); wide > width {
				t.Errorf("a page of %d scrolls sideways to %d: %q", width, wide, call[[]string](t, ctx, tooWide))
			}
			if low := call[[]string](t, ctx, lowContrast); len(low) > 0 {
				t.Errorf("%s, %d: hard to read: %q", scheme, width, low)
			}
			if small := call[[]string](t, ctx, smallTargets); len(small) > 0 {
				t.Errorf("%s, %d: hard to touch: %q", scheme, width, small)
			}
			picture(t, ctx, fmt.Sprintf("ticket-%s-%d", scheme, width))
		}
	}
}

// tooWide lists what reaches beyond the right edge.
const tooWide = `() => [...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML.slice(0, 120))`

// lowContrast lists texts whose contrast is below 4.5 to 1 (WCAG 2.2, 1.4.3).
//
//nolint:misspell // CSS spells it so.
const lowContrast = `() => {
	const parse = (c) => c.match(/[\d.]+/g).map(Number);
	const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
	const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c[3] !== 0) return c; } return [255, 255, 255]; };
	return [...document.querySelectorAll("main *")].filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())).filter((e) => {
		const a = light(parse(getComputedStyle(e).color)), b = light(ground(e));
		return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5;
	}).map((e) => e.textContent);
}`

// smallTargets lists what is touched and is lower than 44 pixels.
const smallTargets = `() => [...document.querySelectorAll("button, input, summary, .keep a")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 44).map((e) => e.textContent || e.id)`

func size(t *testing.T, ctx context.Context, width, height int64) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatal(err)
	}
}

// TestTicketStates shows the page when something is missing or wrong.
func TestTicketStates(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	c := newTicketHouse(t)
	size(t, ctx, 390, 844)
	address := c.server.URL + "/t/" + ticketSerial

	text := ticketPage(t, ctx, c.server.URL+"/t/1234567890123450", "There is no such ticket.")
	if !strings.Contains(text, "Compare the serial") {
		t.Errorf("an unknown ticket: %s", text)
	}
	picture(t, ctx, "ticket-unknown")

	ticketPage(t, ctx, address+"#AAAAAAAAAAAAAAAAAAAAAAAA.5004.AAAAAAAAAAAAAAAAAAAAAAAA",
		"The hash on your paper is not that of the record")
	picture(t, ctx, "ticket-other-paper")

	c.set(settledTicket(), strings.Replace(string(c.full.Proof), "stakes-cents 1234567", "stakes-cents 9234567", 1))
	ticketPage(t, ctx, address, "The seal is not signed by the house's key.")

	fresh := settledTicket()
	fresh["games"], fresh["won_cents"], fresh["unpaid_cents"] = fresh["games"].([]any)[2:], 0, 0
	c.set(fresh, "{}")
	ticketPage(t, ctx, address, "Waiting for the draw")
	awaitText(t, ctx, "Not sealed yet")
	picture(t, ctx, "ticket-waiting")

	c.down.Store(true)
	ticketPage(t, ctx, address, "The house cannot be reached.")
	c.down.Store(false)
	c.set(settledTicket(), string(c.full.Proof))
	click(t, ctx, `#notice button`)
	awaitText(t, ctx, "Sealed before the draw")
	c.down.Store(true)
	click(t, ctx, "#noted-button")
	if text := awaitText(t, ctx, "What is shown may be old."); !strings.Contains(text, "$14,808.00 won") {
		t.Errorf("cut off: %s", text)
	}
}

// TestManyGames has a ticket of a hundred games: four are shown until the reader asks
// for the rest.
func TestManyGames(t *testing.T) {
	t.Parallel()
	ctx := browser(t)
	c := newTicketHouse(t)
	ticket := settledTicket()
	game := ticket["games"].([]any)[1]
	ticket["games"] = slices.Repeat([]any{game}, 100)
	c.set(ticket, string(c.full.Proof))
	size(t, ctx, 390, 844)
	ticketPage(t, ctx, c.server.URL+"/t/"+ticketSerial, "Show 96 earlier games")
	click(t, ctx, `#games button`)
	if shown := call[int](t, ctx, `() => document.querySelectorAll(".game").length`); shown != 100 {
		t.Errorf("%d games are shown", shown)
	}
}

// TestProofCode: a page without the mark has no module.
func TestProofCode(t *testing.T) {
	t.Parallel()
	if _, err := proofCode([]byte("<script>check()</script>")); err == nil {
		t.Error("a page that does not say where its checks end is cut somewhere")
	}
}
