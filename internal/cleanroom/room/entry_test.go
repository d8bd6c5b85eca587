package room

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func oneGame(fee int) Plan {
	return Plan{Fee: fee, Max: 4, Games: []GamePlan{game(Prize{"bingo", 10000}, Prize{"top-line", 1000})}}
}

func threeGames(fee int) Plan {
	return Plan{Fee: fee, Max: 4, Games: []GamePlan{
		game(Prize{"bingo", 10000}, Prize{"top-line", 1000}), game(Prize{"bingo", 20000}),
		game(Prize{"bingo", 30000}, Prize{"letter-t", 500})}}
}

// 3.1: anybody who is not in the loyalty programme, or not any more, does not play.
func TestEntry3_1(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 16, 1, 6)
	r.set(t, oneGame(1000))
	r.refused(t, "a stranger", h.Dealer, r.at("/players"), r.entry("77", 1000, 1, 1))
	r.must(t, h.Dealer, "/members", Obj{"member": "77"})
	r.must(t, h.Dealer, "/members", Obj{"member": "77", "ended": true})
	r.refused(t, "who has left", h.Dealer, r.at("/players"), r.entry("77", 1000, 1, 1))
	r.must(t, h.Dealer, "/members", Obj{"member": "77"})
	r.must(t, h.Dealer, r.at("/players"), r.entry("77", 1000, 1, 1))
}

// 3.3: the fee is the same for all players of a session, and there is one.
func TestEntry3_3(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 16, 1, 6)
	for _, fee := range []int{0, -1, -1000} {
		r.refused(t, fmt.Sprint("a fee of ", fee), h.Dealer, "/sessions", r.plan(oneGame(fee)))
	}
	r.set(t, oneGame(1000))
	if f := r.get(t, "", r.at("")).Int("fee_cents"); f != 1000 {
		t.Errorf("the display says a fee of %d", f)
	}
	r.must(t, h.Dealer, "/members", Obj{"member": "1"})
	for _, fee := range []int{999, 1001, 0, -1000, 2000} {
		r.refused(t, "another fee", h.Dealer, r.at("/players"), r.entry("1", fee, 1, 1))
	}
}

// 3.3.1: a fifth of every fee is the administration fee, and the rest is in the jackpot once the issue is closed.
func TestJackpotOfFees3_3_1(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 16, 1, 6, Level{"one", 5000, 2500, 40}, Level{"two", 700, 7500, 0})
	r.set(t, Plan{Fee: 1237, Max: 4, Games: []GamePlan{{Numbers: 1, Prizes: []Prize{{"bingo", 100}}}}})
	r.enter(t, 1237, 2, "1", "2", "3")
	r.issue(t)
	j := r.get(t, "", r.at("")).List("jackpot")
	fees := 3 * 1237 * 80 // hundredths of a cent
	if a, b := j[0].Int("cents"), j[1].Int("cents"); a != 5000+fees/4/100 || b != 700+fees*3/4/100 {
		t.Errorf("levels stand at %d and %d after %d of fees for the jackpot", a, b, fees/100)
	}
}

// 2.3, 4.3: a book is issued once, within the series of the session, and no more than the fee is for.
func TestBooks4_3(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 16, 1, 6) // 16 books
	r.set(t, oneGame(1000))
	for _, m := range []string{"1", "2", "3"} {
		r.must(t, h.Dealer, "/members", Obj{"member": m})
	}
	r.must(t, h.Dealer, r.at("/players"), r.entry("1", 1000, 3, 4))
	for why, e := range map[string]Obj{
		"the same books":   r.entry("2", 1000, 3, 4),
		"an overlap":       r.entry("2", 1000, 4, 5),
		"an overlap below": r.entry("2", 1000, 1, 3),
		"around":           r.entry("2", 1000, 2, 5),
		"too many":         r.entry("2", 1000, 5, 9),
		"backwards":        r.entry("2", 1000, 6, 5),
		"book 0":           r.entry("2", 1000, 0, 1),
		"beyond the last":  r.entry("2", 1000, 16, 17),
		"another series":   {"member": "2", "fee_cents": 1000, "books": []Obj{{"series": "ZZ", "first": 1, "last": 1}}},
		"no books":         {"member": "2", "fee_cents": 1000, "books": []Obj{}},
		"a book twice": {"member": "2", "fee_cents": 1000,
			"books": []Obj{{"series": r.Series, "first": 7, "last": 7}, {"series": r.Series, "first": 7, "last": 7}}},
		"too many in two ranges": {"member": "2", "fee_cents": 1000, "books": []Obj{
			{"series": r.Series, "first": 5, "last": 7}, {"series": r.Series, "first": 9, "last": 10}}},
	} {
		r.refused(t, why, h.Dealer, r.at("/players"), e)
	}
	r.must(t, h.Dealer, r.at("/players"), r.entry("2", 1000, 7, 8))
	rng := func(first, last int, struck ...int) Obj {
		return Obj{"ranges": []Obj{{"books": Obj{"series": r.Series, "first": first, "last": last}, "struck": struck}}}
	}
	r.refused(t, "a range that leaves a book out", h.Dealer, r.at("/issue"), rng(3, 7, 5, 6))
	r.refused(t, "a sold book struck out", h.Dealer, r.at("/issue"), rng(3, 8, 4, 5, 6))
	r.refused(t, "a book that nobody holds", h.Dealer, r.at("/issue"), rng(3, 9, 5, 6))
	r.refused(t, "none struck out", h.Dealer, r.at("/issue"), rng(3, 8))
	r.refused(t, "no range", h.Dealer, r.at("/issue"), Obj{"ranges": []Obj{}})
	r.must(t, h.Dealer, r.at("/issue"), rng(3, 8, 5, 6))
	r.refused(t, "closed twice", h.Dealer, r.at("/issue"), rng(3, 8, 5, 6))
	r.refused(t, "an entry after the issue", h.Dealer, r.at("/players"), r.entry("3", 1000, 9, 9))
	r.refused(t, "an entry undone after the issue", h.Senior, r.at("/players/1/undo"), Obj{"reason": "wants out"})
}

// 7.7: a book that was in a session is in none after it.
func TestBookOnce7_7(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 3*8, 3, 6)
	r.set(t, threeGames(1000))
	r.enter(t, 1000, 2, "1")
	r.issue(t)
	p := r.play(t, 1, 1)
	r.must(t, h.Senior, p.at("/void"), Obj{"cause": "terminal", "reason": "no power", "none_follows": true})
	r.must(t, h.Senior, r.at("/close"), nil)
	r.set(t, threeGames(1000))
	r.refused(t, "a book of the last session", h.Dealer, r.at("/players"), r.entry("1", 1000, 1, 1))
	r.must(t, h.Dealer, r.at("/players"), r.entry("1", 1000, 3, 3))
}

// 3.3: an entry that is taken back gives the fee back once, and its books and its player are out of the session.
func TestUndo3_3(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 16, 1, 6)
	r.set(t, oneGame(1000))
	r.enter(t, 1000, 2, "1", "2")
	r.must(t, h.Senior, r.at("/players/1/undo"), Obj{"reason": "wants out"})
	r.refused(t, "undone twice", h.Senior, r.at("/players/1/undo"), Obj{"reason": "wants out"})
	r.refused(t, "a refund too", h.Dealer, r.at("/players/1/refund"), nil)
	b := r.do(t, h.Senior, r.at("/players/1/bar"), Obj{"reason": "device", "fee_void": true})
	f := r.do(t, h.Dealer, r.at("/players/1/refund"), nil)
	if b.OK() || f.OK() {
		t.Errorf("who has the fee back gets it again: %v, %v", b, f)
	}
	r.issue(t)
	if j := r.get(t, "", r.at("")).List("jackpot")[0].Int("cents"); j != 800 {
		t.Errorf("one fee of 1000 brings the jackpot %d", j)
	}
	p := r.play(t, 1, 2)
	p.call(t)
	r.must(t, h.Senior, p.at("/void"), Obj{"cause": "terminal", "reason": "no power", "none_follows": true})
	r.refused(t, "a refund after all", h.Dealer, r.at("/players/1/refund"), nil)
	if a := r.must(t, h.Dealer, r.at("/players/2/refund"), nil); a.Body.Int("record", "cents") != 1000 {
		t.Errorf("the fee that goes back is %v", a)
	}
	r.refused(t, "a refund twice", h.Dealer, r.at("/players/2/refund"), nil)
	r.must(t, h.Dealer, r.at("/close"), nil)
}

// 4.1, 5.3, 6.5.1: a plan has games, each with bingo first and minor games of the appendix, and at most five
// jackpot numbers.
func TestPlan4_1(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 2*8, 2, 6)
	with := func(g ...GamePlan) Plan { return Plan{Fee: 1000, Max: 2, Games: g} }
	b := Prize{"bingo", 100}
	for why, p := range map[string]Plan{
		"no game":                     with(),
		"more games than the series":  with(game(b), game(b), game(b)),
		"no prize":                    with(game()),
		"no bingo":                    with(game(Prize{"top-line", 100})),
		"bingo last":                  with(game(Prize{"top-line", 100}, b)),
		"bingo twice":                 with(game(b, b)),
		"a pattern twice":             with(game(b, Prize{"top-line", 100}, Prize{"top-line", 100})),
		"a pattern that nobody knows": with(game(b, Prize{"top-hats", 100})),
		"a negative prize":            with(game(Prize{"bingo", -100})),
		"a negative minor prize":      with(game(b, Prize{"top-line", -100})),
		"six jackpot numbers":         with(GamePlan{Numbers: 6, Prizes: []Prize{b}}),
		"more than the jackpot":       with(GamePlan{Numbers: 1, Share: 10001, Prizes: []Prize{b}}),
		"no books":                    {Fee: 1000, Games: []GamePlan{game(b)}},
	} {
		r.refused(t, why, h.Dealer, "/sessions", r.plan(p))
	}
	r.set(t, with(game(b), GamePlan{Numbers: 5, Prizes: []Prize{b}}))
	if d := r.get(t, "", r.at("")); d.Int("games") != 2 || fmt.Sprint(d.Ints("jackpot_games")) != "[2]" {
		t.Errorf("the display says %d games, jackpot in %v", d.Int("games"), d.Ints("jackpot_games"))
	}
}

// A session that nobody plays any more can be ended: all entries undone, or none made.
func TestSessionWithoutPlayersEnds(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 16, 1, 6)
	r.set(t, oneGame(1000))
	r.enter(t, 1000, 2, "1", "2")
	r.must(t, h.Senior, r.at("/players/1/undo"), Obj{"reason": "wants out"})
	r.must(t, h.Senior, r.at("/players/2/undo"), Obj{"reason": "wants out"})
	c := r.do(t, h.Senior, r.at("/cancellation"), Obj{"reason": "nobody came"})
	if !c.OK() {
		t.Errorf("a session whose entries are all undone cannot be cancelled: %v", c)
	}
	r.set(t, oneGame(1000))
	r.must(t, h.Senior, r.at("/cancellation"), Obj{"reason": "nobody came"})
	r.set(t, oneGame(1000))
}

// 5.5, 8.4.2: money that rolled into a game of one session is not shown as a prize of another session as well.
func TestRolledShownOnce5_5(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 3*8, 3, 6)
	r.set(t, threeGames(1000))
	first := r.S
	r.enter(t, 1000, 1, "1")
	r.issue(t)
	p := r.play(t, 1, 1)
	r.set(t, oneGame(1000))
	second := r.S
	r.S = first
	r.must(t, h.Senior, p.at("/void"), Obj{"cause": "terminal", "reason": "no power"})
	shown := func(s int) int {
		n := 0
		for _, z := range r.get(t, "", fmt.Sprintf("/sessions/%d", s)).List("prizes") {
			n += z.Int("cents")
		}
		return n
	}
	if a := shown(first); a != 31000 {
		t.Errorf("game 2 plays for %d, and with what rolled on it is 31000", a)
	}
	if b := shown(second); b != 11000 {
		t.Errorf("the next session is set with prizes of 11000 and shows %d", b)
	}
}

// 7.7, 2.3: a book is one in the whole house: what was played in one room is not sold in another, nor at the same time.
func TestBookInTwoRooms7_7(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r, s := h.open(t, 8, 1, 6), h.open(t, 8, 1, 6)
	raw, err := os.ReadFile(filepath.Join(h.Dir, r.Series+".table"))
	if err != nil {
		t.Fatal(err)
	}
	r.set(t, oneGame(1000))
	r.enter(t, 1000, 1, "1")
	if !s.do(t, h.Admin, "/tables", raw).OK() {
		return
	}
	plan := s.plan(oneGame(1000))
	plan["series"] = []string{r.Series}
	s.S = s.must(t, h.Dealer, "/sessions", plan).Body.Int("record", "session")
	s.must(t, h.Dealer, "/members", Obj{"member": "2"})
	if a := s.do(t, h.Dealer, s.at("/players"), r.entry("2", 1000, 1, 1)); a.OK() {
		t.Errorf("book 1 of series %s was issued in room %d, and is issued in room %d: %v", r.Series, r.N, s.N, a)
	}
}

// 6.3.6, 6.3.7: the date and the time of a session that are displayed are one moment's.
func TestSessionDate6_3_6(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 8, 1, 6)
	plan := r.plan(oneGame(1000))
	plan["day"] = "2030-05-22"
	r.refused(t, "a session of the 22nd that begins on the 20th", h.Dealer, "/sessions", plan)
}
