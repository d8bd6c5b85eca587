package outside

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"drawhouse/core/serial"
	"drawhouse/edge/terminal"
)

// Quick is a rhythm in which a game takes three seconds.
var Quick = []string{"--interval=3s", "--lead=200ms", "--ball=60ms"}

// House is a house that runs as a process.
type House struct {
	*Process
	t    testing.TB
	Dir  string // of its data
	URL  string
	args []string
	dear bool         // its passwords cost what they should
	web  *http.Client // of who asks; nil is everybody's
	// Admin is the first administrator, and Partner the second, or the first again in a
	// house that is set up with one.
	Admin, Partner *Person
}

// Demo starts a demonstration house, makes its administrator and waits until it sells.
func Demo(t testing.TB, flags ...string) *House {
	t.Helper()
	return DemoIn(t, filepath.Join(t.TempDir(), "data"), flags...)
}

// DemoIn is Demo with a directory of data that may be there already.
func DemoIn(t testing.TB, dir string, flags ...string) *House {
	t.Helper()
	return demo(&House{t: t, Dir: dir}, flags...)
}

// RealDemo is Demo by the program as people build it, in which a password costs what it
// should.
func RealDemo(t testing.TB, flags ...string) *House {
	t.Helper()
	return demo(&House{t: t, Dir: filepath.Join(t.TempDir(), "data"), dear: true}, flags...)
}

func demo(h *House, flags ...string) *House {
	h.t.Helper()
	h.args = append([]string{"serve", "--demo", "--addr=127.0.0.1:0", "--data=" + h.Dir}, flags...)
	h.begin()
	h.setUp()
	h.WaitForSale()
	return h
}

// Found founds a house, starts it, and brings in an administrator, a venue and who must be
// on duty there. It waits until the house sells.
func Found(t testing.TB, flags ...string) *House {
	t.Helper()
	h := &House{t: t, Dir: filepath.Join(t.TempDir(), "data")}
	Must(t, append([]string{"found", "keno.example", "--data=" + h.Dir}, Rulebook(t, "vic-keno-2015")...)...)
	h.args = append([]string{"serve", "--addr=127.0.0.1:0", "--data=" + h.Dir}, flags...)
	h.begin()
	h.setUp()
	h.AddVenue("Corner Hotel")
	for _, grant := range []M{{"role": "supervisor"}, {"role": "senior", "venue": 1}} {
		p := h.AddPerson(grant)
		h.expect(p.Ask(http.MethodPost, "/v1/duty", grant))
	}
	h.WaitForSale()
	return h
}

// Rulebook returns the flags that found a house by a rulebook of the program: by an edition that decides its examples.
func Rulebook(t testing.TB, id string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "edition.yaml")
	Must(t, "rulebook", "new", "--base="+id, file)
	return []string{"--rulebook=" + file, "--reference=decision 1"}
}

// With returns the house for a part of a test, which fails instead of the whole.
func (h *House) With(t testing.TB) *House {
	part, process := *h, *h.Process
	process.t = t
	part.t, part.Process = t, &process
	return &part
}

// From returns the house as somebody asks it whose address is another one, such as
// 127.0.0.7.
func (h *House) From(address string) *House {
	from := h.With(h.t)
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	from.web = &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
	return from
}

// begin starts the process.
func (h *House) begin() {
	h.t.Helper()
	name := Program(h.t)
	if h.dear {
		var err error
		if name, err = asBuilt(); err != nil {
			h.t.Fatal(err)
		}
	}
	var err error
	if h.Process, err = launch(h.t, commandOf(name, h.args...)); err != nil {
		h.t.Fatalf("%v: %v", h.args, err)
	}
	line, _, _ := strings.Cut(h.Said, "\n")
	_, h.URL, _ = strings.Cut(strings.TrimSpace(line), " at ")
}

// Restart starts the house again after it has ended. Everybody must sign on again.
func (h *House) Restart() {
	h.t.Helper()
	h.begin()
	h.WaitForSale()
}

// Password is everybody's. It is long and no word.
const Password = "lantern quartz meadow 41"

// setUp makes the administrators with the links that the house printed.
func (h *House) setUp() {
	h.t.Helper()
	links := regexp.MustCompile(`web/setup.html#(\S+)`).FindAllStringSubmatch(h.Said, -1)
	if len(links) == 0 {
		h.t.Fatalf("the house printed no link to set it up: %s", h.Said)
	}
	for i, link := range links {
		answer := h.expect(h.Ask(http.MethodPost, "/v1/setup",
			M{"token": link[1], "name": fmt.Sprintf("Ada Example %d", i+1), "password": Password}))
		h.Partner = &Person{house: h, Number: answer.Int("number"), Password: Password}
		h.expect(h.Partner.SignOn())
		if i == 0 {
			h.Admin = h.Partner
		}
	}
}

func (h *House) expect(a Answer) Answer {
	h.t.Helper()
	if !a.OK() {
		h.t.Fatalf("%v\n%s", a, h.Log.Tail(5))
	}
	return a
}

// AddVenue adds a venue and returns its number.
func (h *House) AddVenue(name string) int {
	h.t.Helper()
	return h.expect(h.Admin.Ask(http.MethodPost, "/v1/venues", M{"kind": "hotel", "name": name})).Int("number")
}

// AddPerson brings in somebody with roles, who takes the invitation and signs on.
func (h *House) AddPerson(grants ...M) *Person {
	h.t.Helper()
	return h.AddPersonBy(h.Admin, grants...)
}

// AddPersonBy is AddPerson by one of the administrators. Two persons whom the same
// administrator has brought in of late do not count as two.
func (h *House) AddPersonBy(admin *Person, grants ...M) *Person {
	h.t.Helper()
	number := h.expect(admin.Ask(http.MethodPost, "/v1/people",
		M{"name": "Somebody Else", "grants": grants})).Int("number")
	p := &Person{house: h, Number: number, Password: Password}
	h.Invite(admin, p)
	h.expect(p.SignOn())
	return p
}

// Invite has an administrator invite a person, who sets the password.
func (h *House) Invite(admin, p *Person) {
	h.t.Helper()
	token := h.expect(admin.Ask(http.MethodPost, fmt.Sprintf("/v1/people/%d/invitation", p.Number), nil)).Text("token")
	h.expect(h.Ask(http.MethodPost, "/v1/invitations", M{"token": token, "password": p.Password}))
}

// As returns a person again under a number and password, not signed on.
func (h *House) As(number int, password string) *Person {
	return &Person{house: h, Number: number, Password: password}
}

// DemoTerminal returns a terminal of a demonstration, whose key everybody knows.
func (h *House) DemoTerminal(id int) *Terminal {
	return h.newTerminal(id, terminal.DemoKey(uint32(id))) //nolint:gosec // Numbers of terminals are small.
}

// AddTerminal adds a terminal to a venue, with a key of its own.
func (h *House) AddTerminal(venue int, channel string) *Terminal {
	h.t.Helper()
	return h.addTerminal(M{"venue": venue, "channel": channel})
}

// AddDisplay adds the display of an area, with a key of its own.
func (h *House) AddDisplay(venue, area int) *Terminal {
	h.t.Helper()
	return h.addTerminal(M{"venue": venue, "area": area, "channel": "display"})
}

func (h *House) addTerminal(body M) *Terminal {
	h.t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		h.t.Fatal(err)
	}
	body["key"] = base64.StdEncoding.EncodeToString(public)
	return h.newTerminal(h.expect(h.Admin.Ask(http.MethodPost, "/v1/terminals", body)).Int("number"), key)
}

// Game is a game as the public sees it.
type Game struct {
	Ordinal int
	Numbers []int
}

// OnSale returns the ordinal of the game on sale, or 0.
func (h *House) OnSale() int {
	for _, series := range List(h.Ask(http.MethodGet, "/v1/board", nil).Get("series")) {
		if open, ok := series["open"].(map[string]any); ok {
			ordinal, _ := open["ordinal"].(float64)
			return int(ordinal)
		}
	}
	return 0
}

// Results returns the settled games of the board, the newest first.
func (h *House) Results() []Game {
	var games []Game
	for _, series := range List(h.Ask(http.MethodGet, "/v1/board", nil).Get("series")) {
		for _, result := range List(series["results"]) {
			game := Game{}
			ordinal, _ := result["ordinal"].(float64)
			game.Ordinal = int(ordinal)
			numbers, _ := result["numbers"].([]any)
			for _, n := range numbers {
				number, _ := n.(float64)
				game.Numbers = append(game.Numbers, int(number))
			}
			games = append(games, game)
		}
	}
	return games
}

// List returns the objects of a list of an answer.
func List(v any) []map[string]any {
	var all []map[string]any
	values, _ := v.([]any)
	for _, value := range values {
		if fields, ok := value.(map[string]any); ok {
			all = append(all, fields)
		}
	}
	return all
}

// WaitForSale waits until a game is on sale.
func (h *House) WaitForSale() {
	h.t.Helper()
	Wait(h.t, "a game on sale", func() bool {
		if !h.Alive() {
			h.t.Fatalf("the house has ended: %s", h.Log.Tail(10))
		}
		return h.OnSale() > 0
	})
}

// Settled waits until a game has a result.
func (h *House) Settled(ordinal int) {
	h.t.Helper()
	Wait(h.t, fmt.Sprintf("the result of game %d", ordinal), func() bool {
		if !h.Alive() {
			h.t.Fatalf("the house has ended: %s", h.Log.Tail(10))
		}
		results := h.Results()
		return len(results) > 0 && results[0].Ordinal >= ordinal
	})
}

// Trouble says what keeps the house from going on, or "": the process has ended, or no
// further game is sold, drawn and settled within the patience of tests.
func (h *House) Trouble() string {
	h.t.Helper()
	if !h.Alive() {
		return "the house has ended: " + h.Log.Tail(3)
	}
	game := h.OnSale()
	deadline := newDeadline()
	for !deadline.over() {
		if !h.Alive() {
			return "the house has ended: " + h.Log.Tail(3)
		}
		if results := h.Results(); game > 0 && len(results) > 0 && results[0].Ordinal >= game {
			return ""
		}
		if game == 0 {
			game = h.OnSale()
		}
		deadline.pause()
	}
	return fmt.Sprintf("game %d has no result: %s", game, h.Log.Tail(12))
}

// Sold is a ticket with its claim code.
type Sold struct {
	Serial, Code string
	Ordinal      int
	Cents        int
	Day          string // of its first game
	Game         int    // in its day
}

// Ticket is a bet on spots in one game.
func Ticket(cents int, spots ...int) M {
	return M{"v": 1, "rulebook": "vic-keno-2015", "first": "open",
		"bets": []M{{"bet": "classic", "spots": spots, "stake_cents": cents}}}
}

// Sell sells a ticket for the game on sale. A writer's terminal takes "form".
func (t *Terminal) Sell(method string, ticket M) (Sold, Answer) {
	var code serial.ClaimCode
	number, answer := t.Request("sale", func(number int) any {
		code = CodeOf(t.ID, number)
		return M{"method": method, "claim_hash": HashOf(code, t.ID, number), "ticket": ticket}
	})
	_ = number
	return Sold{Serial: answer.Text("serial"), Code: code.String(), Ordinal: answer.Int("first_game", "ordinal"),
		Cents: answer.Int("cost_cents")}, answer
}

// CodeOf is the claim code that the terminals of these tests make for a request.
func CodeOf(terminal, number int) serial.ClaimCode {
	sum := sha256.Sum256(fmt.Appendf(nil, "claim %d %d", terminal, number))
	return serial.ClaimCode(sum[:len(serial.ClaimCode{})])
}

// HashOf is the hash of a claim code for a request.
func HashOf(code serial.ClaimCode, terminal, number int) string {
	hash := code.Hash(uint32(terminal), uint64(number)) //nolint:gosec // Both are small.
	return hex.EncodeToString(hash[:])
}

// Export has the program export the journal and verify it, and returns what verify printed.
func (h *House) Export() (string, error) {
	h.t.Helper()
	dir := filepath.Join(h.t.TempDir(), "export")
	if out, err := Run(h.t, "journal", "export", "--data="+h.Dir, dir); err != nil {
		return out, err
	}
	return Run(h.t, "verify", dir)
}

// KenoDays are today and tomorrow by the clocks of the demonstration: a test may run over
// the hour at which a day begins.
func KenoDays(t testing.TB) []string {
	t.Helper()
	zone, err := time.LoadLocation("Australia/Melbourne")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().In(zone).Add(-5 * time.Hour)
	return []string{now.Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)}
}
