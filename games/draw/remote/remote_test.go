package remote

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/logbook"
)

var testGame = journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 417}

func testKey(t testing.TB, name string) (journal.Signer, string, journal.Verifier) {
	t.Helper()
	skey, vkey, err := journal.GenerateKey(strings.NewReader(strings.Repeat(name, 32)), name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err1 := journal.ParseSigner(skey)
	verifier, err2 := journal.ParseVerifier(vkey)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return signer, vkey, verifier
}

// testSeal is the house's seal of a game. Stakes make two seals of one game differ.
func testSeal(t testing.TB, game journal.Game, size uint64, signer string) journal.Seal {
	t.Helper()
	tree := journal.NewTree()
	for range size {
		tree.Append([]byte("record"))
	}
	key, _, verifier := testKey(t, signer)
	body := journal.SealBody{Checkpoint: journal.Checkpoint{Origin: "house/v1", Size: size, Root: tree.Root()}, Game: game}
	msg, err1 := journal.SignSeal(body, key)
	seal, err2 := journal.OpenSeal(msg, verifier)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return seal
}

// A machine is a device in a process of its own, as far as a test can have one: it
// can be killed and started on what it left.
type machine struct {
	t       *testing.T
	book    string
	socket  string
	entropy io.Reader
	redraws []journal.Game

	device   *Device
	server   *http.Server
	listener net.Listener
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	dir := t.TempDir()
	m := &machine{t: t, book: filepath.Join(dir, "book"), socket: filepath.Join(dir, "s"), entropy: rand.Reader}
	m.start()
	t.Cleanup(m.kill)
	return m
}

func (m *machine) config() Config {
	c := Config{Entropy: m.entropy, Book: m.book, Redraws: m.redraws}
	c.Keys.Signer, c.Key, _ = testKey(m.t, "device")
	_, _, c.Keys.House = testKey(m.t, "house")
	return c
}

func (m *machine) start() {
	m.t.Helper()
	device, err := Open(m.config())
	if err != nil {
		m.t.Fatal(err)
	}
	listener, err := net.Listen("unix", m.socket)
	if err != nil {
		m.t.Fatal(err)
	}
	server := &http.Server{Handler: device.Handler(), ReadHeaderTimeout: time.Second}
	m.device, m.server, m.listener = device, server, listener
	go func() { _ = server.Serve(listener) }() // It ends with kill.
}

func (m *machine) kill() {
	_ = m.listener.Close() // The server may not have begun to serve it, and would close it later.
	_ = m.server.Close()
	_ = m.device.Close()
}

func (m *machine) restart() {
	m.t.Helper()
	m.kill()
	m.start()
}

func (m *machine) client() *Client {
	m.t.Helper()
	house, _, _ := testKey(m.t, "house")
	c, err := Dial(m.t.Context(), "unix:"+m.socket, house)
	if err != nil {
		m.t.Fatal(err)
	}
	c.patience = 3 * time.Second
	return c
}

func (m *machine) begin(plan draw.Plan, drawn ball.Sequence) *Draw {
	m.t.Helper()
	r, err := m.client().Start(plan, testSeal(m.t, plan.Game, 1, "house"), drawn, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

func next(t testing.TB, r *Draw) draw.Pick {
	t.Helper()
	p, err := r.Next(r.Drawn().Len() + 1)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDrawOverASocket(t *testing.T) {
	m := newMachine(t)
	r := m.begin(draw.KenoPlan(testGame, 1), ball.Sequence{})
	if _, err := r.Sign(); err == nil {
		t.Error("an unfinished draw was signed")
	}
	for range 20 {
		next(t, r)
	}
	if _, err := r.Next(21); !errors.Is(err, draw.ErrTurn) {
		t.Errorf("a number after the 20th: %v", err)
	}
	note, err := r.Sign()
	if err != nil {
		t.Fatal(err)
	}
	_, _, device := testKey(t, "device")
	result, _, err := draw.OpenResult(note, device)
	if err != nil || result.Numbers != r.Drawn() || result.Device != "rng" {
		t.Errorf("%+v: %v", result, err)
	}
	if again, err := r.Sign(); err != nil || !bytes.Equal(again, note) {
		t.Errorf("signed again: %s, %v", again, err)
	}
}

// TestKilledDevice kills the device after every number, and the house too: it asks
// with what it recorded, which may lack the last number, and gets the same numbers
// with the same bytes.
func TestKilledDevice(t *testing.T) {
	m := newMachine(t)
	plan := draw.KenoPlan(testGame, 1)
	recorded, err := ball.NewSequence(ball.Keno)
	if err != nil {
		t.Fatal(err)
	}
	for place := 1; place <= 20; place++ {
		r := m.begin(plan, recorded)
		lost := next(t, r) // The house is killed before it records the number.
		m.restart()
		r = m.begin(plan, recorded)
		again := next(t, r)
		if again.Number != lost.Number || !bytes.Equal(again.Bytes, lost.Bytes) {
			t.Fatalf("number %d was %+v and is %+v", place, lost, again)
		}
		if recorded, err = ball.NewSequence(ball.Keno, append(recorded.Numbers(), again.Number)...); err != nil {
			t.Fatal(err)
		}
	}
	note, err := m.begin(plan, recorded).Sign()
	if err != nil {
		t.Fatal(err)
	}
	m.restart()
	if again, err := m.begin(plan, recorded).Sign(); err != nil || !bytes.Equal(again, note) {
		t.Errorf("after the result the device signs %s, %v; it signed %s", again, err, note)
	}
}

// TestDeviceIsStartedAnewUnderTheHouse kills the device in the middle of a draw; the
// house's draw goes on with the one that takes its place.
func TestDeviceIsStartedAnewUnderTheHouse(t *testing.T) {
	m := newMachine(t)
	r := m.begin(draw.KenoPlan(testGame, 1), ball.Sequence{})
	for place := range 20 {
		if place%7 == 3 {
			m.kill()
			restarted := make(chan struct{})
			go func() {
				defer close(restarted)
				time.Sleep(200 * time.Millisecond)
				m.start()
			}()
			next(t, r)
			<-restarted
			continue
		}
		next(t, r)
	}
	if _, err := r.Sign(); err != nil {
		t.Error(err)
	}
}

// TestNoDrawWithoutTheSeal asks for numbers with no seal that the device accepts.
func TestNoDrawWithoutTheSeal(t *testing.T) {
	m := newMachine(t)
	other := testGame
	other.Number++
	plan := draw.KenoPlan(testGame, 1)
	for name, seal := range map[string]journal.Seal{
		"none":              {},
		"of another game":   testSeal(t, other, 1, "house"),
		"by somebody else":  testSeal(t, testGame, 1, "stranger"),
		"by the device too": testSeal(t, testGame, 1, "device"),
	} {
		if _, err := m.client().Start(plan, seal, ball.Sequence{}, nil); !errors.Is(err, draw.ErrSeal) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := m.device.Next(testGame, 1, 1); !errors.Is(err, ErrNotStarted) {
		t.Errorf("a number without a start: %v", err)
	}
	if _, err := m.device.Sign(testGame, 1); !errors.Is(err, ErrNotStarted) {
		t.Errorf("a result without a start: %v", err)
	}
	next(t, m.begin(plan, ball.Sequence{})) // The device has not stopped over it.
}

// TestRequiredWitness has a device that asks for a cosignature.
func TestRequiredWitness(t *testing.T) {
	m := newMachine(t)
	m.kill()
	c := m.config()
	_, _, witness := testKey(t, "witness")
	c.Keys.Cosigners, c.Keys.Required = []journal.Verifier{witness}, []string{"witness"}
	device, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = device.Close() }()
	none, err := ball.NewSequence(ball.Keno)
	if err != nil {
		t.Fatal(err)
	}
	if err := device.Start(draw.KenoPlan(testGame, 1), testSeal(t, testGame, 1, "house"), none, nil); !errors.Is(err,
		draw.ErrSeal) || !strings.Contains(err.Error(), "witness has not signed") {
		t.Errorf("a seal without the witness: %v", err)
	}
}

// TestSecondResult tries to have one game drawn twice, before and after the device was
// started anew.
func TestSecondResult(t *testing.T) {
	m := newMachine(t)
	plan := draw.KenoPlan(testGame, 1)
	r := m.begin(plan, ball.Sequence{})
	for range 20 {
		next(t, r)
	}
	if _, err := r.Sign(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := m.client().Start(draw.KenoPlan(testGame, 2), testSeal(t, testGame, 1, "house"), ball.Sequence{},
			nil); !errors.Is(err, ErrRedraw) {
			t.Errorf("a further draw that nobody allowed: %v", err)
		}
		if _, err := m.client().Start(plan, testSeal(t, testGame, 2, "house"), ball.Sequence{}, nil); !errors.Is(err,
			draw.ErrContradiction) {
			t.Errorf("the game under another seal: %v", err)
		}
		m.restart()
	}
	if again := m.begin(plan, ball.Sequence{}); next(t, again).Number != r.Drawn().At(0) {
		t.Error("the first number is another one")
	}
	// A person at the device names the game.
	m.redraws = []journal.Game{testGame}
	m.restart()
	if _, err := m.client().Start(draw.KenoPlan(testGame, 3), testSeal(t, testGame, 1, "house"), ball.Sequence{},
		nil); !errors.Is(err, ErrRedraw) {
		t.Errorf("the third draw before the second: %v", err)
	}
	next(t, m.begin(draw.KenoPlan(testGame, 2), ball.Sequence{}))
	// Once begun, it is taken up without a person.
	m.redraws = nil
	m.restart()
	next(t, m.begin(draw.KenoPlan(testGame, 2), ball.Sequence{}))
}

// TestForgedNumbers has a house that brings numbers of its own.
func TestForgedNumbers(t *testing.T) {
	for name, forge := range map[string]func(drawn []int) []int{
		"before the first": func([]int) []int { return []int{7} },
		"behind the last":  func(drawn []int) []int { return append(drawn, missing(drawn)) },
		"in place of one":  func(drawn []int) []int { return append([]int{missing(drawn)}, drawn[1:]...) },
		"in another order": func(drawn []int) []int { return []int{drawn[1], drawn[0], drawn[2]} },
		"a whole result": func([]int) []int {
			return []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
				19, 20}
		},
		"with a hole in it": func(drawn []int) []int { return []int{drawn[0], drawn[2]} },
	} {
		m := newMachine(t)
		plan := draw.KenoPlan(testGame, 1)
		var drawn []int
		if name != "before the first" {
			r := m.begin(plan, ball.Sequence{})
			for range 3 {
				next(t, r)
			}
			drawn = r.Drawn().Numbers()
		}
		forged, err := ball.NewSequence(ball.Keno, forge(drawn)...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.client().Start(plan, testSeal(t, testGame, 1, "house"), forged, nil); !errors.Is(err,
			draw.ErrContradiction) {
			t.Errorf("%s: %v", name, err)
		}
		if m.device.Err() == nil {
			t.Errorf("%s: the device has not stopped", name)
		}
		if _, err := m.device.Next(testGame, 1, 4); err == nil {
			t.Errorf("%s: a stopped device draws", name)
		}
	}
}

// missing returns a number that was not drawn.
func missing(drawn []int) int {
	set := ball.MustOf(ball.Keno, drawn...)
	return ball.Full(ball.Keno).Minus(set).Numbers()[0]
}

// TestAlteredLogbook changes the device's logbook behind its back: it does not start.
func TestAlteredLogbook(t *testing.T) {
	m := newMachine(t)
	r := m.begin(draw.KenoPlan(testGame, 1), ball.Sequence{})
	for range 4 {
		next(t, r)
	}
	m.kill()
	var lines [][]byte
	b, err := logbook.Open(m.book, func(text []byte) error {
		lines = append(lines, bytes.Clone(text))
		return nil
	})
	if err != nil || len(lines) != 5 {
		t.Fatalf("%d lines: %v", len(lines), err)
	}
	_ = b.Close()
	number := func(place int) []byte { return lines[place] } // The first line is the start.
	changed := bytes.Replace(number(2), []byte(`place 2\nnumber `), []byte(`place 2\nnumber 1`), 1)
	if bytes.Equal(changed, number(2)) {
		t.Fatal("the logbook has another form")
	}
	for name, altered := range map[string][][]byte{
		"a number changed": {lines[0], number(1), changed},
		"one left out":     {lines[0], number(1), number(3)},
		"the first gone":   {lines[0], number(2)},
		"two swapped":      {lines[0], number(2), number(1)},
		"one twice":        {lines[0], number(1), number(1)},
		"not an entry":     {[]byte(`{"note":"x"}`)},
		"not a start":      {[]byte(`{"started":"x"}`)},
		"not JSON":         {[]byte(`x`)},
	} {
		path := filepath.Join(t.TempDir(), "book")
		book, err := logbook.Open(path, func([]byte) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range altered {
			if err := book.Append(l); err != nil {
				t.Fatal(err)
			}
		}
		_ = book.Close()
		c := m.config()
		c.Book = path
		if d, err := Open(c); err == nil {
			_ = d.Close()
			t.Errorf("%s: the device started", name)
		}
	}
	m.start()
}

// TestLostTail cuts the last number off the logbook: the house knows more than the
// device, and the device stops instead of drawing another in its place.
func TestLostTail(t *testing.T) {
	m := newMachine(t)
	plan := draw.KenoPlan(testGame, 1)
	r := m.begin(plan, ball.Sequence{})
	for range 4 {
		next(t, r)
	}
	m.kill()
	data, err := os.ReadFile(m.book)
	if err != nil {
		t.Fatal(err)
	}
	cut := bytes.LastIndexByte(bytes.TrimSuffix(data, []byte("\n")), '\n')
	if err := os.WriteFile(m.book, data[:cut+1], 0o600); err != nil {
		t.Fatal(err)
	}
	m.start()
	if _, err := m.client().Start(plan, testSeal(t, testGame, 1, "house"), r.Drawn(), nil); !errors.Is(err,
		draw.ErrContradiction) {
		t.Errorf("a number that is not in the logbook: %v", err)
	}
}

// TestSameStart has a source that begins as it did before.
func TestSameStart(t *testing.T) {
	seed := make([]byte, 4096)
	if _, err := rand.Read(seed); err != nil {
		t.Fatal(err)
	}
	m := newMachine(t)
	m.kill()
	m.entropy = bytes.NewReader(seed)
	m.start()
	m.kill()
	c := m.config()
	c.Entropy = bytes.NewReader(seed)
	if _, err := Open(c); !errors.Is(err, draw.ErrStuck) {
		t.Errorf("the same seed at two starts: %v", err)
	}
	m.entropy = rand.Reader
	m.start()
}

// TestNothingLeavesBeforeItIsDurable takes the logbook from the device.
func TestNothingLeavesBeforeItIsDurable(t *testing.T) {
	m := newMachine(t)
	r := m.begin(draw.KenoPlan(testGame, 1), ball.Sequence{})
	next(t, r)
	_ = m.device.book.Close()
	if p, err := r.Next(2); err == nil || p.Number != 0 {
		t.Errorf("%+v left, %v", p, err)
	}
	if m.device.Err() == nil {
		t.Error("the device goes on without a logbook")
	}
}

// TestRecentResult: a device that drew what equals a recent result goes on, and signs it.
func TestRecentResult(t *testing.T) {
	m := newMachine(t)
	r := m.begin(draw.KenoPlan(testGame, 1), ball.Sequence{})
	for range 20 {
		next(t, r)
	}
	other := testGame
	other.Number++
	client := m.client()
	again, err := client.Start(draw.KenoPlan(testGame, 1), testSeal(t, testGame, 1, "house"), r.Drawn(),
		[]ball.Sequence{r.Drawn()})
	if err != nil {
		t.Fatalf("a result that is recent: %v", err)
	}
	if _, err := again.Sign(); err != nil {
		t.Errorf("a result that is recent is not signed: %v", err)
	}
	if _, err := client.Start(draw.KenoPlan(other, 1), testSeal(t, other, 1, "house"), ball.Sequence{}, nil); err != nil {
		t.Errorf("the device does not begin another draw: %v", err)
	}
	house, _, _ := testKey(t, "house")
	if _, err := Dial(t.Context(), "unix:"+m.socket, house); err != nil {
		t.Errorf("the device has stopped: %v", err)
	}
}

// TestDeviceThatLies has a device whose numbers do not follow from its bytes, or
// whose result is another one.
func TestDeviceThatLies(t *testing.T) {
	m := newMachine(t)
	honest := m.device.mux()
	var lie func(a *answerJSON)
	server := httptest.NewServer(m.device.forHouse(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		honest.ServeHTTP(recorded, r)
		if lie == nil {
			_, _ = w.Write(recorded.Body.Bytes())
			return
		}
		var a answerJSON
		lie(&a)
		reply(w, a)
	})))
	defer server.Close()
	house, _, _ := testKey(t, "house")
	client, err := Dial(t.Context(), strings.TrimPrefix(server.URL, "http://"), house)
	if err != nil {
		t.Fatal(err)
	}
	r, err := client.Start(draw.KenoPlan(testGame, 1), testSeal(t, testGame, 1, "house"), ball.Sequence{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, l := range map[string]func(*answerJSON){
		"nothing":           func(*answerJSON) {},
		"no bytes":          func(a *answerJSON) { a.Number = 5 },
		"other bytes":       func(a *answerJSON) { a.Number, a.Bytes = 5, []byte{5} }, // 5 mod 80 is the number 6
		"beyond the last":   func(a *answerJSON) { a.Number, a.Bytes = 81, []byte{80} },
		"bytes that reject": func(a *answerJSON) { a.Number, a.Bytes = 1, []byte{255} },
	} {
		lie = l
		if p, err := r.Next(1); !errors.Is(err, ErrDevice) || p.Number != 0 {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	lie = nil
	for range 20 {
		next(t, r)
	}
	stranger, _, _ := testKey(t, "stranger")
	device, _, _ := testKey(t, "device")
	numbers, err := ball.NewSequence(ball.Keno, append([]int{missing(r.Drawn().Numbers())}, r.Drawn().Numbers()[1:]...)...)
	if err != nil {
		t.Fatal(err)
	}
	sound := draw.Result{Device: "rng", Game: testGame, Revision: 1, Seal: testSeal(t, testGame, 1, "house").Body().Hash(),
		Numbers: r.Drawn()}
	other := sound
	other.Numbers = numbers
	unsealed := sound
	unsealed.Seal = journal.EmptyRoot()
	for name, forged := range map[string]struct {
		result draw.Result
		signer journal.Signer
	}{"other numbers": {other, device}, "another seal": {unsealed, device}, "another key": {sound, stranger}} {
		lie = func(a *answerJSON) {
			note, err := journal.SignNote(forged.result.Marshal(), forged.signer)
			if err != nil {
				t.Error(err)
			}
			a.Note = string(note)
		}
		if _, err := r.Sign(); !errors.Is(err, ErrDevice) {
			t.Errorf("%s: %v", name, err)
		}
	}
	lie = nil
	if _, err := r.Sign(); err != nil {
		t.Error(err)
	}
}

func TestRequestsThatCannotBeRead(t *testing.T) {
	m := newMachine(t)
	for _, body := range []string{"", "{", `{"serie":1}`, `{} {}`, strings.Repeat(" ", maxRequest+1)} {
		w := httptest.NewRecorder()
		m.device.mux().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/start", strings.NewReader(body)))
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "cannot be read") {
			t.Errorf("%.20q: %d %s", body, w.Code, w.Body)
		}
	}
}

func TestAddresses(t *testing.T) {
	for address, ok := range map[string]bool{
		"unix:/tmp/device": true, "127.0.0.1:80": true, "[::1]:80": true, "localhost:80": true,
		"": false, "unix:": false, "192.0.2.1:80": false, "device.example:80": false, ":80": false, "127.0.0.1": false,
	} {
		if _, _, err := SplitAddress(address); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
	house, _, _ := testKey(t, "house")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := Dial(ctx, "unix:"+filepath.Join(t.TempDir(), "nobody"), house); !errors.Is(err, ErrUnreachable) {
		t.Errorf("nobody is there: %v", err)
	}
}

func FuzzParseEntry(f *testing.F) {
	e := entry{name: drawName{testGame, 1}, universe: ball.Keno, event: eventNumber, place: 1,
		pick: draw.Pick{Number: 1, Bytes: []byte{0xa0}}}
	f.Add(e.marshal())
	e.event, e.pick = eventResult, draw.Pick{}
	f.Add(e.marshal())
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := parseEntry(text); err == nil && e.marshal() != text {
			t.Errorf("%q was read and is written %q", text, e.marshal())
		}
	})
}
