package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"drawhouse/internal/outside"
)

// followerOf starts a process that follows a house. On PostgreSQL it has a data
// directory of its own, as on another machine, with a copy of the keys if it is to
// take over.
func followerOf(t *testing.T, s *served, flags ...string) *served {
	t.Helper()
	f := &served{t: t, name: s.name, dir: s.dir, database: s.database, extra: append([]string{"--follow"}, flags...)}
	if s.database != "" {
		f.dir = filepath.Join(t.TempDir(), "data")
		if len(flags) > 0 {
			copyFolder(t, filepath.Join(f.dir, "keys"), filepath.Join(s.dir, "keys"))
		}
	}
	f.endWithTest()
	f.start()
	return f
}

// sellingRow is a row of terminals that sell at whichever house answers, without a break.
type sellingRow struct {
	terminals []*terminal
	stop      chan struct{}
	group     sync.WaitGroup

	mu     sync.Mutex // guards what follows
	houses []*served
	last   time.Time               // of the last answer
	sold   map[*terminal]time.Time // when each terminal last sold
	gap    time.Duration
}

func newRow(houses ...*served) *sellingRow {
	return newRowOf([]*terminal{{id: 1}, {id: 2}, {id: 3}}, houses...)
}

// newRowOf is newRow with some of the terminals.
func newRowOf(terminals []*terminal, houses ...*served) *sellingRow {
	c := &sellingRow{terminals: terminals, houses: houses, stop: make(chan struct{}),
		last: time.Now(), sold: map[*terminal]time.Time{}}
	for _, term := range c.terminals {
		c.group.Go(func() { c.sell(term) })
	}
	return c
}

// use has the terminals sell at other houses from now on.
func (c *sellingRow) use(houses ...*served) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.houses = houses
}

// house returns the house whose turn it is.
func (c *sellingRow) house(turn int) *served {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.houses[turn%len(c.houses)]
}

// sell sells at one house and then at another. A request without an answer is sent again
// under its number, until somebody answers it.
func (c *sellingRow) sell(term *terminal) {
	at := 0
	for {
		ok := term.sell(c.house(at))
		for !ok {
			select {
			case <-c.stop:
				return
			case <-time.After(20 * time.Millisecond):
			}
			at++
			ok = term.ask(c.house(at))
		}
		c.answered(term)
		select {
		case <-c.stop:
			return
		case <-time.After(40 * time.Millisecond): // Looking all of them up takes longer than selling them.
		}
	}
}

// answered notes that a terminal sold, and the longest time in which no terminal did.
func (c *sellingRow) answered(term *terminal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.gap, c.last, c.sold[term] = max(c.gap, now.Sub(c.last)), now, now
}

// lapse returns the longest time without any sale since it was last asked.
func (c *sellingRow) lapse() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	gap := c.gap
	c.gap = 0
	return gap
}

// waitForSale waits until every terminal has sold something after a moment.
func (c *sellingRow) waitForSale(t *testing.T, after time.Time) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		waits := slices.ContainsFunc(c.terminals, func(t *terminal) bool { return !c.sold[t].After(after) })
		c.mu.Unlock()
		if !waits {
			return
		}
	}
	t.Fatal("not every terminal sold again")
}

// end ends the sale and returns the longest time without any.
func (c *sellingRow) end() time.Duration {
	close(c.stop)
	c.group.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.gap
}

// TestTakeover kills the writer under load in the middle of a draw, or freezes it, and
// has a follower take over. No ticket that was answered is lost, the draw goes on, a
// writer that comes back is fenced and follows, and the journal verifies.
func TestTakeover(t *testing.T) {
	t.Parallel()
	for name, locate := range stores {
		t.Run(name, func(t *testing.T) {
			t.Run("killed", func(t *testing.T) {
				testTakeover(t, locate(t), func(s *served) { s.kill() }, nil)
			})
			if name == "SQLite" {
				return // A process that is frozen may hold the file's lock, and nobody else can write then.
			}
			t.Run("frozen", func(t *testing.T) {
				testTakeover(t, locate(t), func(s *served) { s.signal(syscall.SIGSTOP) }, comesBack)
			})
		})
	}
}

func (s *served) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// comesBack wakes a writer that was taken over from, and expects it to follow.
func comesBack(s *served) {
	s.t.Helper()
	s.signal(syscall.SIGCONT)
	s.waitForRole("follower")
	s.stop()
}

func testTakeover(t *testing.T, database string, end, after func(*served)) {
	writer := serveOn(t, database)
	follower := followerOf(t, writer, "--takeover=2s")
	row := newRow(writer, follower)
	shown := map[string][]any{}
	writer.watchUntilDrawing(shown, 4)
	end(writer)
	ended := time.Now()
	follower.waitForRole("writer")
	took := time.Since(ended)
	follower.checkShown(shown) // Before the games leave the board.
	writer.hangUp()            // A terminal is patient with a house that is frozen.
	row.waitForSale(t, ended.Add(took))
	gap := row.end()
	if after != nil {
		after(writer)
	}
	total := checkSold(t, follower, row.terminals)
	follower.stop()
	follower.verify()
	t.Logf("%d tickets; the writer was replaced after %.1f s, and nothing was sold for %.1f s", total, took.Seconds(),
		gap.Seconds())
}

// waitForRole waits until a house says that it is the writer, or a follower.
func (s *served) waitForRole(role string) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, health, err := s.ask(http.MethodGet, "/healthz", nil); err == nil && health["role"] == role {
			return
		}
	}
	s.t.Fatalf("the house did not become the %s:\n%s", role, &s.log)
}

// TestFollower asks a follower without any keys while the house sells: it shows what
// the writer does, says how far it is behind, and sends commands elsewhere.
func TestFollower(t *testing.T) {
	t.Parallel()
	for name, locate := range stores {
		t.Run(name, func(t *testing.T) { testFollower(t, serveOn(t, locate(t))) })
	}
}

func testFollower(t *testing.T, writer *served) {
	follower := followerOf(t, writer)
	row := newRow(writer)
	shown := map[string][]any{}
	follower.watchUntilDrawing(shown, 10)
	row.end()
	follower.waitForRole("follower")
	follower.waitForWriter(writer.url)
	if _, at, err := writer.ask(http.MethodGet, "/v1/board", nil); err != nil {
		t.Error(err)
	} else {
		follower.waitForBoard(at["id"])
	}
	writer.checkShown(shown)
	status, answer, err := follower.askAs(1, http.MethodPut, "/v1/terminals/1/requests/1000000/sale", map[string]any{})
	if err == nil && status == http.StatusOK {
		t.Errorf("a follower sold: %v", answer)
	}
	if status, answer, err := follower.ask(http.MethodPost, "/v1/sessions", map[string]any{}); err != nil ||
		status != http.StatusMisdirectedRequest && status != http.StatusNotFound {
		t.Errorf("somebody signed on at a follower: %d %v %v", status, answer, err)
	}
	writer.stop()
	if status, _, err := follower.ask(http.MethodGet, "/v1/board", nil); err != nil || status != http.StatusOK {
		t.Errorf("without its writer the follower answers %d, %v", status, err)
	}
	follower.stop()
}

// waitForWriter waits until a follower has heard of its writer, and says how far it is behind.
func (s *served) waitForWriter(url string) {
	s.t.Helper()
	var following map[string]any
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		_, health, err := s.ask(http.MethodGet, "/healthz", nil)
		if following, _ = health["following"].(map[string]any); err != nil || following["writer"] != url {
			continue
		}
		if _, ok := following["lag_ms"].(float64); !ok {
			s.t.Errorf("the follower says that it is %v ms behind", following["lag_ms"])
		}
		return
	}
	s.t.Fatalf("the follower believes the writer at %v, it is at %s", following["writer"], url)
}

// waitForBoard waits until a board has come to an id.
func (s *served) waitForBoard(id any) {
	s.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if _, board, err := s.ask(http.MethodGet, "/v1/board", nil); err == nil && fmt.Sprint(board["id"]) >= fmt.Sprint(id) {
			return
		}
	}
	s.t.Fatalf("the follower did not come to %v", id)
}

// TestFollowRefuses starts followers with arguments that cannot be meant.
func TestFollowRefuses(t *testing.T) {
	t.Parallel()
	name := outside.Program(t)
	for words, args := range map[string][]string{
		"only a house that follows": {"--takeover=5s", "--demo"},
		"is less than 2s":           {"--takeover=1s", "--follow"},
		"holds no house":            {"--follow", "--demo", "--data=" + t.TempDir()},
	} {
		out, err := exec.Command(name, append([]string{"serve", "--addr=127.0.0.1:0"}, args...)...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), words) {
			t.Errorf("%v: %v, %s", args, err, out)
		}
	}
}
