package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"
)

// killsVariable says how often TestKill kills a house on each kind of storage. Without
// it there are seven kills on each; the soak makes it a hundred.
const killsVariable = "DRAWHOUSE_KILLS"

// wanted returns how much of something a variable of the environment wants, or how much is
// usual.
func wanted(t *testing.T, variable string, usual int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s is no number of them", variable, text)
	}
	return n
}

// TestKill kills the house with -9 under load, at random moments: while it sells, closes,
// draws, settles, and while it starts. No ticket that was answered is lost, no request
// makes two tickets, and numbers that were shown stay. At the end the second opinion
// grades the journal.
func TestKill(t *testing.T) {
	t.Parallel()
	for name, locate := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testKill(t, serveOn(t, locate(t)), wanted(t, killsVariable, 5))
		})
	}
}

func testKill(t *testing.T, s *served, kills int) {
	terminals := []*terminal{{id: 1}, {id: 2}, {id: 3}}
	var seen watched
	starting := 0
	began := time.Now()
	for i := range kills {
		stop := make(chan struct{})
		var group sync.WaitGroup
		for _, term := range terminals {
			group.Go(func() { term.sellUntil(s, stop) })
		}
		group.Go(func() { seen.follow(s, stop) })
		time.Sleep(rand.N(1500 * time.Millisecond))
		s.kill()
		close(stop)
		group.Wait()
		if i%5 == 4 {
			s.killStarting(rand.N(200 * time.Millisecond))
			starting++
		}
		s.start()
		seen.compare(s)
		for _, term := range terminals {
			if term.number > 0 && !term.ask(s) {
				t.Fatalf("terminal %d got no answer after the restart: %s", term.id, &s.log)
			}
		}
	}
	if seen.compared == 0 {
		t.Error("no number that was shown before a kill could be compared")
	}
	total := checkSold(t, s, terminals)
	s.stop()
	s.verify()
	t.Logf("%d kills and %d while starting, %d tickets sold and found, %d numbers shown and kept, %v", kills, starting,
		total, seen.compared, time.Since(began).Round(time.Second))
}

// sellUntil sells, a ticket every few milliseconds, until it is told to stop or gets no answer.
func (term *terminal) sellUntil(s *served, stop <-chan struct{}) {
	for term.sell(s) {
		select {
		case <-stop:
			return
		case <-time.After(4 * time.Millisecond):
		}
	}
}

// killStarting starts the process and kills it before it can have come far.
func (s *served) killStarting(after time.Duration) {
	s.t.Helper()
	cmd := s.command(s.arguments()...)
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	time.Sleep(after)
	if err := cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	_ = cmd.Wait() // It was killed, and says so.
}

// watched are the numbers that a screen has shown, by game.
type watched struct {
	mu       sync.Mutex // guards what follows
	numbers  map[string][]any
	compared int
}

// follow looks at the board until it is told to stop.
func (w *watched) follow(s *served, stop <-chan struct{}) {
	for {
		if _, board, err := s.ask(http.MethodGet, "/v1/board", nil); err == nil {
			w.note(board)
		}
		select {
		case <-stop:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (w *watched) note(board map[string]any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.numbers == nil {
		w.numbers = map[string][]any{}
	}
	for _, game := range gamesOf(board) {
		w.numbers[fmt.Sprint(game["ordinal"])], _ = game["numbers"].([]any)
	}
}

// compare holds the numbers of games as they are now against what was shown before, and forgets it.
func (w *watched) compare(s *served) {
	s.t.Helper()
	drawn := s.drawnGames()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, game := range drawn {
		drawn, _ := game["numbers"].([]any)
		before := w.numbers[fmt.Sprint(game["ordinal"])]
		if len(before) > len(drawn) || fmt.Sprint(drawn[:len(before)]) != fmt.Sprint(before) {
			s.t.Errorf("game %v showed %v and now has %v", game["ordinal"], before, drawn)
		}
		w.compared += len(before)
	}
	clear(w.numbers)
}
