package room

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"drawhouse/internal/outside"
)

// Patience bounds every wait.
const patience = 60 * time.Second

// House is a running demonstration house with its people.
type House struct {
	Bin, Dir, URL string

	cmd  *exec.Cmd
	done chan error
	log  *lockedBuffer

	Admin, Admin2   string // tokens of the administrators
	Dealer, Dealer2 string // writers of venue 1
	Senior, Senior2 string // seniors of venue 1: supervisors of the room
	Casino, Casino2 string // supervisors of the central site: casino supervisors
	rooms           atomic.Int64
	demo            []string // what the log says of the people of the demonstration
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Obj is a JSON object of an answer.
type Obj map[string]any

// Int is a whole number of an answer; 0 if it is absent.
func (o Obj) Int(path ...string) int {
	f, _ := o.get(path...).(float64)
	return int(f)
}

// Str is a text of an answer; empty if it is absent.
func (o Obj) Str(path ...string) string {
	s, _ := o.get(path...).(string)
	return s
}

// Bool is a truth of an answer; false if it is absent.
func (o Obj) Bool(path ...string) bool {
	b, _ := o.get(path...).(bool)
	return b
}

// List is a list of objects of an answer.
func (o Obj) List(path ...string) []Obj {
	var l []Obj
	a, _ := o.get(path...).([]any)
	for _, e := range a {
		if m, ok := e.(map[string]any); ok {
			l = append(l, m)
		}
	}
	return l
}

// Ints is a list of whole numbers of an answer.
func (o Obj) Ints(path ...string) []int {
	var l []int
	a, _ := o.get(path...).([]any)
	for _, e := range a {
		if f, ok := e.(float64); ok {
			l = append(l, int(f))
		}
	}
	return l
}

func (o Obj) get(path ...string) any {
	var v any = map[string]any(o)
	for _, p := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[p]
	}
	return v
}

// Answer is what the house said.
type Answer struct {
	Status int
	Body   Obj
}

// OK says that the house did it.
func (a Answer) OK() bool { return a.Status/100 == 2 }

// Code is the code of a refusal.
func (a Answer) Code() string { return a.Body.Str("error", "code") }

func (a Answer) String() string {
	b, _ := json.Marshal(a.Body)
	if len(b) > 700 {
		b = append(b[:700], "..."...)
	}
	return fmt.Sprintf("%d %s", a.Status, b)
}

var (
	serial sync.Mutex
	shared struct {
		once sync.Once
		h    *House
	}
)

// bingoHouse is the house that the tests of rooms share, each with rooms of its own.
func bingoHouse(t testing.TB) *House {
	t.Helper()
	shared.once.Do(func() { shared.h = found(t, "casino-keno-div2") })
	if shared.h == nil {
		t.Skip("there is no house")
	}
	return shared.h
}

// endShared ends the house that the tests share.
func endShared() error {
	if shared.h == nil {
		return nil
	}
	return shared.h.end()
}

// found starts a demonstration house with a bingo room, by the keno rulebook that is named.
func found(t testing.TB, rulebook string, flags ...string) *House {
	t.Helper()
	bin := outside.Program(t)
	dir, err := os.MkdirTemp("", "cleanroom")
	if err != nil {
		t.Fatal(err)
	}
	h := &House{Bin: bin, Dir: dir}
	ready := false
	defer func() {
		if !ready {
			_ = errors.Join(h.stop(), os.RemoveAll(h.Dir)) // The test has failed already.
		}
	}()
	h.start(t, 2, append([]string{"--demo", "--bingo", "--rulebook", rulebook}, flags...)...)
	h.people(t)
	h.rooms.Store(1)
	ready = true
	return h
}

// start runs the house and waits until it is open and has printed so many links for administrators.
func (h *House) start(t testing.TB, links int, flags ...string) {
	t.Helper()
	serial.Lock()
	defer serial.Unlock()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	h.URL = "http://" + addr
	h.log = &lockedBuffer{}
	h.cmd = exec.Command(h.Bin, append([]string{"serve", "--addr", addr, "--admin-addr", "off", "--data",
		filepath.Join(h.Dir, "data")}, flags...)...)
	h.cmd.Stdout, h.cmd.Stderr = h.log, h.log
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h.done = make(chan error, 1)
	go func() { h.done <- h.cmd.Wait() }()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, h.URL+"/healthz", nil)
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK && strings.Count(h.log.String(), "setup.html#") >= links {
				return
			}
		}
		select {
		case err := <-h.done:
			t.Fatalf("the house ended: %v\n%s", err, h.log)
		case <-ctx.Done():
			t.Fatalf("the house did not open: %v\n%s", ctx.Err(), h.log)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// stop ends the house in good order.
func (h *House) stop() error {
	if h.cmd == nil {
		return nil
	}
	defer func() { h.cmd = nil }()
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-h.done:
		return nil
	case <-time.After(patience):
		err := h.cmd.Process.Kill()
		<-h.done
		return errors.Join(errors.New("the house did not end by itself"), err)
	}
}

// verify exports the journal of a house and has it checked.
func (h *House) verify() error {
	out := filepath.Join(h.Dir, "copy")
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if b, err := exec.Command(h.Bin, "journal", "export", out, "--data",
		filepath.Join(h.Dir, "data")).CombinedOutput(); err != nil {
		return fmt.Errorf("export: %w\n%s", err, b)
	}
	if b, err := exec.Command(h.Bin, "verify", "export", out).CombinedOutput(); err != nil {
		return fmt.Errorf("verify: %w\n%s", err, b)
	}
	return nil
}

// end stops and verifies a house, and removes its folder.
func (h *House) end() error {
	return errors.Join(h.stop(), h.verify(), os.RemoveAll(h.Dir))
}

// ask sends a request with the token of a person, or none, and takes the answer as JSON.
func (h *House) ask(t testing.TB, token, method, path string, body any) Answer {
	t.Helper()
	a, err := h.try(token, method, path, body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

func (h *House) try(token, method, path string, body any) (Answer, error) {
	var r io.Reader
	kind := ""
	switch b := body.(type) {
	case nil:
	case []byte:
		r, kind = bytes.NewReader(b), "application/octet-stream"
	default:
		j, err := json.Marshal(b)
		if err != nil {
			return Answer{}, err
		}
		r, kind = bytes.NewReader(j), "application/json"
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, h.URL+path, r)
	if err != nil {
		return Answer{}, err
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Status: resp.StatusCode}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &a.Body); err != nil {
			return a, errors.New(string(raw))
		}
	}
	return a, nil
}

// terminal sends a request of a demonstration terminal, signed by the program's own command.
func (h *House) terminal(t testing.TB, method, path string, body any) Answer {
	t.Helper()
	args := []string{"terminal", "send", "--house", h.URL, method, path}
	if body != nil {
		j, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, string(j))
	}
	b, err := exec.Command(h.Bin, args...).CombinedOutput()
	a := Answer{Status: 200}
	if err != nil {
		a.Status = 400
	}
	if i := bytes.IndexByte(b, '{'); i >= 0 {
		if err := json.NewDecoder(bytes.NewReader(b[i:])).Decode(&a.Body); err != nil {
			a.Body = nil
		}
	}
	if a.Body == nil {
		a.Body = Obj{"error": map[string]any{"code": strings.TrimSpace(string(b))}}
	}
	return a
}

func (h *House) signOn(t testing.TB, person int, password string) string {
	t.Helper()
	a := h.ask(t, "", "POST", "/v1/session", Obj{"person": person, "password": password, "bearer": true})
	if !a.OK() {
		t.Fatalf("person %d cannot sign on: %v", person, a)
	}
	return a.Body.Str("token")
}

// bring has an administrator take a person in with roles, and signs the person on.
func (h *House) bring(t testing.TB, by, name string, grants ...Obj) string {
	t.Helper()
	a := h.ask(t, by, "POST", "/v1/people", Obj{"name": name, "grants": grants})
	if !a.OK() {
		t.Fatalf("%s is not taken in: %v", name, a)
	}
	n := a.Body.Int("number")
	i := h.ask(t, by, "POST", fmt.Sprintf("/v1/people/%d/invitation", n), nil)
	if !i.OK() {
		t.Fatalf("%s is not invited: %v", name, i)
	}
	pw := "seven purple lanterns"
	if p := h.ask(t, "", "POST", "/v1/invitations", Obj{"token": i.Body.Str("token"), "password": pw}); !p.OK() {
		t.Fatalf("%s gets no password: %v", name, p)
	}
	return h.signOn(t, n, pw)
}

func (h *House) people(t testing.TB) {
	t.Helper()
	for i, m := range regexp.MustCompile(`setup\.html#(\w+)`).FindAllStringSubmatch(h.log.String(), -1) {
		pw := "eleven quiet harbours"
		a := h.ask(t, "", "POST", "/v1/setup", Obj{"name": fmt.Sprintf("Administrator %d", i), "password": pw, "token": m[1]})
		if !a.OK() {
			t.Fatalf("no administrator: %v", a)
		}
		tok := h.signOn(t, a.Body.Int("number"), pw)
		if i == 0 {
			h.Admin = tok
		} else {
			h.Admin2 = tok
		}
	}
	h.signOnAgain(t)
	h.Dealer2 = h.bring(t, h.Admin, "Second Dealer", Obj{"role": "writer", "venue": 1})
	h.Senior2 = h.bring(t, h.Admin, "Second Senior", Obj{"role": "senior", "venue": 1})
	h.Casino = h.bring(t, h.Admin, "Casino One", Obj{"role": "supervisor"})
	h.Casino2 = h.bring(t, h.Admin2, "Casino Two", Obj{"role": "supervisor"})
}

// signOnAgain signs the dealer and the supervisor of the demonstration on.
func (h *House) signOnAgain(t testing.TB) {
	t.Helper()
	if h.demo == nil { // A house that is started again has the same people.
		h.demo = regexp.MustCompile(`dealer (\d+) and supervisor (\d+) sign on with "([^"]+)"`).FindStringSubmatch(h.log.String())
	}
	m := h.demo
	if m == nil {
		t.Fatalf("the log names no dealer:\n%s", h.log)
	}
	dealer, _ := strconv.Atoi(m[1])
	senior, _ := strconv.Atoi(m[2])
	h.Dealer = h.signOn(t, dealer, m[3])
	h.Senior = h.signOn(t, senior, m[3])
}
