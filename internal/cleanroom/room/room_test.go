package room

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Room is a bingo room of a house with a series of cards of its own.
type Room struct {
	H      *House
	N      int
	Series string
	S      int // session in hand
	path   string
}

// Level is a level of the jackpot of a room.
type Level struct {
	Name          string
	Seed          int
	Share, Within int
}

// open opens a room whose cards are a series of its own: so many strips, games and boxes to a page.
func (h *House) open(t testing.TB, strips, games, up int, levels ...Level) *Room {
	t.Helper()
	n := int(h.rooms.Add(1))
	r := &Room{H: h, N: n, Series: fmt.Sprintf("R%d", n), path: fmt.Sprintf("/v1/hall/%d", n)}
	if len(levels) == 0 {
		levels = []Level{{Name: "jackpot", Share: 10000}}
	}
	var l []Obj
	for _, v := range levels {
		l = append(l, Obj{"name": v.Name, "seed_cents": v.Seed, "share": v.Share, "within": v.Within})
	}
	r.must(t, h.Admin, "", Obj{"name": fmt.Sprintf("room-%d", n), "rulebook": "nsw-bingo-2019", "venue": 1, "levels": l})
	table := filepath.Join(h.Dir, r.Series+".table")
	if b, err := exec.Command(h.Bin, "cards", "--strips", fmt.Sprint(strips), "--games", fmt.Sprint(games), "--up",
		fmt.Sprint(up),
		"--series", r.Series, "--table", table, "--out", table+".json").CombinedOutput(); err != nil {
		t.Fatalf("cards: %v\n%s", err, b)
	}
	raw, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	r.must(t, h.Admin, "/tables", raw)
	return r
}

// do posts to the room as somebody.
func (r *Room) do(t testing.TB, who, path string, body any) Answer {
	t.Helper()
	return r.H.ask(t, who, "POST", r.path+path, body)
}

// must posts to the room as somebody and wants it done.
func (r *Room) must(t testing.TB, who, path string, body any) Answer {
	t.Helper()
	a := r.do(t, who, path, body)
	if !a.OK() {
		t.Fatalf("POST %s%s %v: %v", r.path, path, body, a)
	}
	return a
}

// refused posts to the room as somebody and wants it refused.
func (r *Room) refused(t testing.TB, why, who, path string, body any) Answer {
	t.Helper()
	a := r.do(t, who, path, body)
	if a.OK() {
		t.Errorf("%s: POST %s%s %v was done: %v", why, r.path, path, body, a)
	}
	if a.Status >= 500 {
		t.Errorf("%s: POST %s%s %v: %v", why, r.path, path, body, a)
	}
	return a
}

// get reads of the room.
func (r *Room) get(t testing.TB, who, path string) Obj {
	t.Helper()
	a := r.H.ask(t, who, "GET", r.path+path, nil)
	if !a.OK() {
		t.Fatalf("GET %s%s: %v", r.path, path, a)
	}
	return a.Body
}

// Prize is a prize of a game in the plan of a session.
type Prize struct {
	Pattern string
	Cents   int
}

// Plan is a session to be set.
type Plan struct {
	Fee, Max int
	Games    []GamePlan
}

// GamePlan is a game of a plan.
type GamePlan struct {
	Numbers, Share int
	Prizes         []Prize
}

func game(prizes ...Prize) GamePlan { return GamePlan{Prizes: prizes} }

func (r *Room) plan(p Plan) Obj {
	var games []Obj
	for _, g := range p.Games {
		var prizes []Obj
		for _, z := range g.Prizes {
			prizes = append(prizes, Obj{"pattern": z.Pattern, "cents": z.Cents})
		}
		o := Obj{"prizes": prizes}
		if g.Numbers > 0 {
			o["jackpot_numbers"] = g.Numbers
		}
		if g.Share > 0 {
			o["jackpot_share"] = g.Share
		}
		games = append(games, o)
	}
	return Obj{"begins": "2030-05-20T10:00:00+10:00", "day": "2030-05-20", "books_max": p.Max, "fee_cents": p.Fee,
		"series": []string{r.Series}, "games": games}
}

// set sets the next session of the room.
func (r *Room) set(t testing.TB, p Plan) {
	t.Helper()
	r.S = r.must(t, r.H.Dealer, "/sessions", r.plan(p)).Body.Int("record", "session")
}

// at is a path below the session in hand.
func (r *Room) at(format string, a ...any) string {
	return fmt.Sprintf("/sessions/%d", r.S) + fmt.Sprintf(format, a...)
}

// enter takes members in, each with the next so many books, and gives the number of the first player.
func (r *Room) enter(t testing.TB, fee, books int, members ...string) int {
	t.Helper()
	first := 0
	for _, m := range members {
		r.must(t, r.H.Dealer, "/members", Obj{"member": m})
		next := r.get(t, r.H.Dealer, "/desk").List("stock")[0].Int("next")
		p := r.must(t, r.H.Dealer, r.at("/players"), r.entry(m, fee, next, next+books-1)).Body.Int("record", "player")
		if first == 0 {
			first = p
		}
	}
	return first
}

func (r *Room) entry(member string, fee, first, last int) Obj {
	return Obj{"member": member, "fee_cents": fee, "books": []Obj{{"series": r.Series, "first": first, "last": last}}}
}

// issue closes the issue with the range that the desk has counted.
func (r *Room) issue(t testing.TB) {
	t.Helper()
	var ranges []Obj
	for _, i := range r.get(t, r.H.Dealer, "/desk").List("issued") {
		ranges = append(ranges, Obj{"books": i["books"], "struck": i["struck"]})
	}
	r.must(t, r.H.Dealer, r.at("/issue"), Obj{"ranges": ranges})
}

// Box is a box in play.
type Box struct {
	Serial  string
	Box     int
	Player  int
	Numbers [15]int // line after line
}

// Play is a game under way.
type Play struct {
	R     *Room
	G     int
	Calls []int
	Boxes []Box
}

// play announces a game, after its jackpot numbers if it has any, and reads the boxes of the players.
func (r *Room) play(t testing.TB, g int, players ...int) *Play {
	t.Helper()
	p := &Play{R: r, G: g}
	d := r.get(t, "", r.at(""))
	if n := d.Int("jackpot_to_draw"); n > 0 {
		r.must(t, r.H.Dealer, p.at("/jackpot"), nil)
		for i := 1; i <= n; i++ {
			r.must(t, r.H.Dealer, p.at("/calls"), Obj{"place": i})
		}
		r.must(t, r.H.Dealer, p.at("/finish"), nil)
	}
	r.must(t, r.H.Dealer, p.at("/announcement"), nil)
	for _, pl := range players {
		p.Boxes = append(p.Boxes, r.boxes(t, g, pl)...)
	}
	return p
}

// boxes reads the boxes that a player has in a game.
func (r *Room) boxes(t testing.TB, g, player int) []Box {
	t.Helper()
	var l []Box
	s := r.get(t, r.H.Senior, r.at("/games/%d/scorecard?player=%d&auto=true", g, player))
	for _, c := range s.List("cards") {
		boxes, _ := c["boxes"].([]any)
		for i, b := range boxes {
			x := Box{Serial: c.Str("serial"), Box: i + 1, Player: player}
			n := 0
			lines, _ := b.([]any)
			for _, line := range lines {
				cells, _ := line.([]any)
				for _, cell := range cells {
					if f, _ := cell.(float64); f > 0 {
						x.Numbers[n] = int(f)
						n++
					}
				}
			}
			l = append(l, x)
		}
	}
	return l
}

func (p *Play) at(format string, a ...any) string {
	return p.R.at("/games/%d", p.G) + fmt.Sprintf(format, a...)
}

// call has the next number drawn.
func (p *Play) call(t testing.TB) int {
	t.Helper()
	a := p.R.must(t, p.R.H.Dealer, p.at("/calls"), Obj{"place": len(p.Calls) + 1})
	n := a.Body.Int("record", "number")
	if n == 0 {
		t.Fatalf("no number in %v", a)
	}
	p.Calls = append(p.Calls, n)
	return n
}

// When says by which call, from 1, a box has the places of an exact pattern; 0 for none yet.
func (p *Play) when(b Box, places []int) int {
	at := make(map[int]int, len(p.Calls))
	for i, n := range p.Calls {
		at[n] = i + 1
	}
	last := 0
	for _, k := range places {
		w := at[b.Numbers[k]]
		if w == 0 {
			return 0
		}
		last = max(last, w)
	}
	return last
}

var (
	house15 = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}
	topLine = []int{0, 1, 2, 3, 4}
)

// fresh lists the boxes that the last call completed, of players without a box that was complete before.
func (p *Play) fresh(places []int) []Box {
	past := map[int]bool{}
	for _, b := range p.Boxes {
		if w := p.when(b, places); w > 0 && w < len(p.Calls) {
			past[b.Player] = true
		}
	}
	var l []Box
	for _, b := range p.Boxes {
		if p.when(b, places) == len(p.Calls) && !past[b.Player] {
			l = append(l, b)
		}
	}
	return l
}

// until calls numbers until enough says so; it gives up at the last number.
func (p *Play) until(t testing.TB, enough func() bool) bool {
	t.Helper()
	for len(p.Calls) < 90 {
		p.call(t)
		if enough() {
			return true
		}
	}
	return false
}

// claim takes a call down and gives its number.
func (p *Play) claim(t testing.TB, b Box, pattern string) int {
	t.Helper()
	a := p.R.must(t, p.R.H.Dealer, p.at("/claims"), Obj{"pattern": pattern, "serial": b.Serial, "box": b.Box})
	return a.Body.Int("record", "claim")
}

// check has a supervisor check a claim, with the card in hand and marked.
func (p *Play) check(t testing.TB, claim int) Answer {
	t.Helper()
	return p.R.must(t, p.R.H.Senior, p.at("/claims/%d/check", claim), Obj{"card_in_hand": true, "marked": true})
}

// win claims and checks, and wants it to hold.
func (p *Play) win(t testing.TB, b Box, pattern string) int {
	t.Helper()
	c := p.claim(t, b, pattern)
	a := p.check(t, c)
	if !a.Body.Bool("record", "accepted") {
		t.Fatalf("%s of %+v after %v does not hold: %v", pattern, b, p.Calls, a)
	}
	return c
}

// finish ends the game.
func (p *Play) finish(t testing.TB) {
	t.Helper()
	p.R.must(t, p.R.H.Dealer, p.at("/finish"), nil)
}

// state is the game with its claims as the people of the venue see them.
func (p *Play) state(t testing.TB, claim int) Obj {
	t.Helper()
	for _, c := range p.R.get(t, p.R.H.Senior, p.at("/claims")).List("claims") {
		if c.Int("claim") == claim {
			return c
		}
	}
	t.Fatalf("there is no claim %d", claim)
	return nil
}
