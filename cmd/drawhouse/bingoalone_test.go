package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBingoAlone goes from nothing to a house that plays bingo alone: a new rulebook, a house founded by it, a room, a
// session with a winner who is paid, the book of the day, and a journal that verifies. No keno is sold or drawn there.
func TestBingoAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	book, table := filepath.Join(dir, "room.yaml"), filepath.Join(dir, "a1.table")
	ran := func(args ...string) string {
		t.Helper()
		status, out, errs := runLine(t, args...)
		if status != 0 {
			t.Fatalf("%v: %s", args, errs)
		}
		return out
	}
	ran("rulebook", "new", "--kind=bingo", "--currency=EUR", "--zone=Europe/Lisbon", book)
	text, err := os.ReadFile(book)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), "administration: 20", "administration: 20, automatic_marking: true", 1))
	if err := os.WriteFile(book, text, 0o600); err != nil {
		t.Fatal(err)
	}
	hash := regexp.MustCompile(`hash ([0-9a-f]{64})`).FindStringSubmatch(ran("rulebook", "check", book))[1]
	ran("cards", "--rulebook="+book, "--strips=5", "--series=A1", "--table="+table)
	s, setup := foundedBy(t, "--rulebook="+book, "--reference=decision 1")
	second := regexp.MustCompile(`second administrator, once: \S+#(\S+)`).FindStringSubmatch(s.said)
	o := &owner{founder: s.settleIn(setup, second[1])}
	_, public, _ := runLine(t, "terminal", "key", filepath.Join(dir, "card.pem"))
	// It is the player's electronic card.
	o.staff("terminal", "add", strings.Fields(public)[1], "--venue=1", "--channel=display")
	waitFor(t, "the trading day", func() bool { return o.courseDay() != "" })
	var answer json.RawMessage
	o.done(&answer, 1, "open-hall", "hall=1", "name=bingo", "venue=1", "rulebook="+hash,
		`levels=[{"name":"jackpot","share":10000,"seed_cents":10000}]`)
	cards, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	o.fetch(http.MethodPost, "/v1/hall/1/tables", o.signOn(1), string(cards))
	o.playsSession()
	o.saysNoKeno()
	o.agree("close-day", "day="+o.courseDay())
	logged, err := follows(o.url+"/v1/log", verifierIn(t, filepath.Join(o.dir, "keys", "log-1.key")), "")
	for _, want := range []string{"session-set      room 1 1", "bingo-sealed     room 1 1/1", "bingo-drawn      room 1 1/1",
		"bingo-settled    room 1 1/1", "session-closed   room 1 1"} {
		if err != nil || !strings.Contains(logged, want) {
			t.Errorf("the public log does not say %q: %v\n%s", want, err, logged)
		}
	}
	o.stop()
	export := filepath.Join(dir, "export")
	ran("journal", "export", "--data="+o.dir, export)
	out := ran("verify", export)
	if strings.Contains(out, "$") {
		t.Errorf("verify writes euros as dollars:\n%s", out)
	}
	for _, want := range []string{"50.00\u00a0EUR", "my-bingo", hash + ", the OPERATOR'S OWN", `approved as "decision 1"`,
		"1 seal, ",
		"1 room: 1 game graded anew, 1 claim judged again and 1 of them good, prizes of 50.00\u00a0EUR and jackpots of ",
		"; 1 payment of 50.00\u00a0EUR, no claim twice"} {
		if !strings.Contains(out, want) {
			t.Errorf("verify does not say %q:\n%s", want, out)
		}
	}
	if out := ran("report", "accounts", "--data="+o.dir); !strings.Contains(out, "hall") {
		t.Errorf("the accounts are\n%s", out)
	}
}

// courseDay returns the trading day that is open.
func (o *owner) courseDay() string {
	o.t.Helper()
	var course struct {
		Day     string
		DayOpen bool `json:"day_open"`
	}
	o.done(&course, 1, "get-course")
	if !course.DayOpen {
		return ""
	}
	return course.Day
}

// playsSession has the senior of the room hold a session of one game, whose winner is paid.
func (o *owner) playsSession() {
	o.t.Helper()
	const senior, prize = 4, 5_000
	var answer json.RawMessage
	do := func(args ...string) {
		o.t.Helper()
		o.done(&answer, senior, append(args, "hall=1")...)
	}
	zone, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		o.t.Fatal(err)
	}
	now := time.Now().In(zone)
	do("set-member", "member=100")
	do("set-session", "day="+now.Format(time.DateOnly), "begins="+now.Format(time.RFC3339), "fee_cents=1000",
		"books_max=5", "series=A1",
		fmt.Sprintf(`games=[{"prizes":[{"pattern":"bingo","cents":%d}]}]`, prize))
	do("enter-session", "session=1", "member=100", `books=[{"series":"A1","first":1,"last":5}]`, "device=1",
		"fee_cents=1000")
	do("close-issue", "session=1", `ranges=[{"books":{"series":"A1","first":1,"last":5}}]`)
	do("announce-bingo", "session=1", "game=1")
	for place := 1; ; place++ {
		do("call-bingo", "session=1", "game=1", fmt.Sprintf("place=%d", place))
		serial, box, ok := o.fullBox()
		if !ok {
			continue
		}
		do("open-claim", "session=1", "game=1", "pattern=bingo", "serial="+serial, fmt.Sprintf("box=%d", box))
		break
	}
	do("check-claim", "session=1", "game=1", "claim=1", "card_in_hand=true", "marked=true")
	do("finish-bingo", "session=1", "game=1")
	do("pay-bingo", "session=1", "game=1", "claim=1", fmt.Sprintf(`prize=[{"medium":"cash","cents":%d}]`, prize))
	do("return-device", "session=1", "device=1")
	do("close-session", "session=1")
}

// fullBox returns the first box of the player's cards of which every number was called.
func (o *owner) fullBox() (serial string, box int, ok bool) {
	o.t.Helper()
	const senior = 4
	var shown struct {
		Cards []struct {
			Serial string
			ToGo   [][]int `json:"to_go"`
		}
		Patterns []struct{ Pattern string }
	}
	o.done(&shown, senior, "get-bingo-scorecard", "hall=1", "session=1", "game=1", "player=1", "auto=true")
	at := slices.IndexFunc(shown.Patterns, func(p struct{ Pattern string }) bool { return p.Pattern == "bingo" })
	for _, card := range shown.Cards {
		for i, lacks := range card.ToGo {
			if lacks[at] == 0 {
				return card.Serial, i + 1, true
			}
		}
	}
	return "", 0, false
}

// saysNoKeno shows that nothing of keno is on sale: board and catalogue say so, and no terms make a game.
func (o *owner) saysNoKeno() {
	o.t.Helper()
	var board struct {
		Series []struct {
			Of   int
			Open any
		}
	}
	if err := json.Unmarshal(o.fetch(http.MethodGet, "/v1/board", "", ""), &board); err != nil || len(board.Series) != 1 ||
		board.Series[0].Of != 0 || board.Series[0].Open != nil {
		o.t.Errorf("the board is %+v, %v", board, err)
	}
	var catalogue struct {
		Of       int
		Bets     []any
		Currency string
	}
	if err := json.Unmarshal(o.fetch(http.MethodGet, "/v1/catalogue", "", ""), &catalogue); err != nil ||
		catalogue.Of != 0 || len(catalogue.Bets) != 0 || catalogue.Currency != "EUR" {
		o.t.Errorf("the catalogue is %+v, %v", catalogue, err)
	}
	if status, _, errs := o.do(1, "change-terms", "from=1", "rulebook=vic-keno-2015", "schedule=schedule-1",
		"reference=x"); status != statusRefused {
		o.t.Errorf("%d %s", status, errs)
	}
}
