package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"drawhouse/core/serial"
	"drawhouse/journal/record"
	"drawhouse/journal/store/sqlite"
)

// witnessedHouse is a house in one process and its witness, who replays, in another.
type witnessedHouse struct {
	*served
	witness *process
	keep    string
}

// replaysVariable says over how many games the two agree. Without it there are twenty-five;
// the soak makes it two hundred.
const replaysVariable = "DRAWHOUSE_REPLAYS"

// serveWitnessed starts both. The house draws and pays nothing without its witness.
func serveWitnessed(t *testing.T) *witnessedHouse {
	t.Helper()
	s := serve(t)
	_, board, err := s.ask(http.MethodGet, "/v1/board", nil)
	if err != nil {
		t.Fatal(err)
	}
	about, _ := board["house"].(map[string]any)
	key, _ := about["house_key"].(string)
	s.stop()
	address := freeAddress(t)
	dir := t.TempDir()
	w := &witnessedHouse{served: s, keep: filepath.Join(dir, "kept")}
	w.witness = launch(t, 2, "witness", "--listen="+freeAddress(t), "--key="+filepath.Join(dir, "w.key"),
		"--name=inspector.example",
		"--state="+filepath.Join(dir, "w.state"), "--log="+key, "--replay=http://"+address, "--keep="+w.keep, "--every=100ms")
	s.extra = []string{"--addr=" + address, "--interval=1s", "--lead=50ms", "--ball=10ms",
		"--witness=" + w.url() + "," + strings.TrimPrefix(w.witness.lines[1], "key ") + ",required"}
	s.start()
	return w
}

// url is where the witness is.
func (w *witnessedHouse) url() string {
	_, url, _ := strings.Cut(w.witness.lines[0], " at ")
	return url
}

// freeAddress returns an address at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// settled returns how many games have a result, of the last 200.
func (w *witnessedHouse) settled() int {
	w.t.Helper()
	_, answer, err := w.ask(http.MethodGet, "/v1/games?limit=200", nil)
	if err != nil {
		w.t.Fatalf("%v: %s", err, &w.log)
	}
	n := 0
	games, _ := answer["games"].([]any)
	for _, g := range games {
		if g.(map[string]any)["phase"] == "settled" {
			n++
		}
	}
	return n
}

// difference asks the witness what it disagrees with.
func (w *witnessedHouse) difference() (kept string, difference map[string]any) {
	w.t.Helper()
	response, err := http.Get(w.url() + "/v1/difference")
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Kept       string         `json:"kept"`
		Difference map[string]any `json:"difference"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		w.t.Fatal(err)
	}
	return answer.Kept, answer.Difference
}

// A codeTerminal is a terminal that remembers the claim codes of what it sold.
type codeTerminal struct {
	terminal
	codes map[string]serial.ClaimCode // by serial
	paid  int
	waits int // payments that were refused because the witness had not agreed yet
}

// trade sells a ticket, and pays the one sold before it if that has won.
func (c *codeTerminal) trade(w *witnessedHouse) {
	w.t.Helper()
	if !c.sell(w.served) {
		w.t.Fatalf("terminal %d sells nothing: %s", c.id, &w.log)
	}
	number := c.sold[len(c.sold)-1]
	c.codes[number] = serial.ClaimCode{byte(c.id), byte(c.number >> 8), byte(c.number)}
	for number, code := range c.codes {
		status, answer := c.claim(w, number, code)
		switch fault, _ := answer["error"].(map[string]any); {
		case status == http.StatusOK:
			c.paid++
			delete(c.codes, number)
		case fault["code"] == "not_agreed":
			c.waits++
		case fault["code"] == "no_prize":
			delete(c.codes, number)
		}
		return
	}
}

// claim asks for what a ticket has won.
func (c *codeTerminal) claim(w *witnessedHouse, number string, code serial.ClaimCode) (int, map[string]any) {
	w.t.Helper()
	c.number++
	status, answer, err := w.askAs(c.id, http.MethodPut,
		fmt.Sprintf("/v1/terminals/%d/requests/%d/payment", c.id, c.number),
		map[string]any{"serial": number, "claim_code": code.String()})
	if err != nil {
		w.t.Fatalf("%v: %s", err, &w.log)
	}
	return status, answer
}

// playUntil sells and pays until so many games have a result. A witness that has begun anew works the journal out
// again before it signs, which takes long on a busy machine.
func (w *witnessedHouse) playUntil(games int, counters []*codeTerminal) {
	w.t.Helper()
	deadline := time.Now().Add(time.Duration(games+30)*2*time.Second + 4*time.Minute)
	for w.settled() < games {
		if time.Now().After(deadline) {
			_, difference := w.difference()
			w.t.Fatalf("%d of %d games have a result; difference %v\nhouse: %s\nwitness: %s", w.settled(), games, difference,
				&w.log, &w.witness.log)
		}
		for _, c := range counters {
			c.trade(w)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// tamper puts another claim into a ticket in a row of the house's store, as somebody
// would who has got at the disk and wants to be paid.
func tamper(t *testing.T, dir string) (seq uint64) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, sqlite.FileName)+"?_busy_timeout=10000")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var data []byte
	// A plain ticket begins with its kind and version.
	if err := db.QueryRow("SELECT seq, data FROM record WHERE substr(data, 1, 3) = x'850901' ORDER BY seq LIMIT 1").Scan(&seq, &data); err != nil {
		t.Fatal(err)
	}
	r, err := record.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.(*record.TicketSold).Claim[0] ^= 1
	if data, err = record.Encode(r); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE record SET data = ? WHERE seq = ?", data, seq); err != nil {
		t.Fatal(err)
	}
	return seq
}

// TestReplayingWitness plays many games under a witness in a process of its own, which
// grades every record of them before and after each draw. Then somebody changes one row of the house's
// database: the next game is not drawn, nothing is paid, and both sides name the record and the field. In the
// end the database is thrown away, and the house restored from what the witness has kept: every ticket is
// there, and the two go on together.
func TestReplayingWitness(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it plays many games in real time")
	}
	w := serveWitnessed(t)
	counters := []*codeTerminal{
		{terminal: terminal{id: 1}, codes: map[string]serial.ClaimCode{}},
		{terminal: terminal{id: 2}, codes: map[string]serial.ClaimCode{}},
	}
	w.playUntil(wanted(t, replaysVariable, 25), counters)
	kept, difference := w.difference()
	if difference != nil {
		t.Fatalf("they disagree: %v", difference)
	}
	paid := counters[0].paid + counters[1].paid
	if paid == 0 {
		t.Error("nothing was paid")
	}
	t.Logf("%d games, %d tickets, %d paid, %d times a prize waited for the witness, kept up to %s",
		w.settled(), len(counters[0].sold)+len(counters[1].sold), paid, counters[0].waits+counters[1].waits, kept)

	seq := tamper(t, w.dir)
	waitFor(t, "the witness finds the row", func() bool { _, difference = w.difference(); return difference != nil })
	if difference["record"] != fmt.Sprintf("1:%d", seq) || difference["field"] != "record.Body.Claim" ||
		difference["house"] == difference["witness"] {
		t.Errorf("the difference is %v", difference)
	}
	waitFor(t, "the house hears of it", func() bool { return strings.Contains(w.log.String(), "a witness disagrees") })
	had := w.settled()
	time.Sleep(4 * time.Second)
	if has := w.settled(); has > had+1 {
		t.Errorf("%d games were drawn after the row was changed", has-had)
	}
	for number, code := range counters[0].codes {
		if status, answer := counters[0].claim(w, number, code); status == http.StatusOK ||
			answer["error"].(map[string]any)["code"] != "disputed" {
			t.Errorf("a payment: %d %v", status, answer)
		}
		break
	}
	w.restore(counters)
}

// restore throws the house's journal away and takes that of the witness.
func (w *witnessedHouse) restore(counters []*codeTerminal) {
	w.t.Helper()
	w.stop()
	files, err := filepath.Glob(filepath.Join(w.dir, sqlite.FileName+"*"))
	if err != nil || len(files) == 0 {
		w.t.Fatalf("%v: %v", files, err)
	}
	for _, name := range files {
		if err := os.Remove(name); err != nil {
			w.t.Fatal(err)
		}
	}
	if out, err := w.command("restore", "--data="+w.dir, "--from-witness="+w.url()).CombinedOutput(); err != nil {
		w.t.Fatalf("%v: %s", err, out)
	}
	// Somebody has looked, and the witness begins anew with what it has kept.
	w.witness.kill()
	w.witness.start()
	w.start()
	for _, c := range counters {
		for _, number := range c.sold {
			if status, answer, err := w.ask(http.MethodGet, "/v1/tickets/"+number, nil); err != nil || status != http.StatusOK {
				w.t.Fatalf("ticket %s after the restore: %d %v %v", number, status, answer, err)
			}
		}
	}
	w.playUntil(w.settled()+3, counters)
	w.stop()
	w.verify()
}

// waitFor waits until something holds.
func waitFor(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("waited in vain until %s", what)
}
