package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestStopUnderLoad tells a house to stop while terminals sell as fast as they are
// answered and a screen follows. It ends in good order; every request got a whole
// answer or none; every ticket that was answered is there after the restart; and the
// screen is told when to come again.
func TestStopUnderLoad(t *testing.T) {
	t.Parallel()
	for name, locate := range stores {
		t.Run(name, func(t *testing.T) { testStopUnderLoad(t, serveOn(t, locate(t))) })
	}
}

func testStopUnderLoad(t *testing.T, s *served) {
	terminals := []*terminal{{id: 1}, {id: 2}, {id: 3}}
	screen := make(chan string, 1)
	go func() { screen <- s.follow() }()
	var group sync.WaitGroup
	var answered [3]atomic.Int64
	for i, term := range terminals {
		group.Go(func() {
			for s.sellWhole(term) {
				answered[i].Add(1)
			}
		})
	}
	for i := range answered {
		waitFor(t, "every terminal sells", func() bool { return answered[i].Load() >= 10 })
	}
	s.stop()
	group.Wait()
	if rest := <-screen; !regexp.MustCompile(`\nretry: [1-9][0-9]{3}\n\n$`).MatchString(rest) {
		t.Errorf("the screen was told %q", rest[max(0, len(rest)-200):])
	}
	s.start()
	for _, term := range terminals {
		if !term.ask(s) {
			t.Errorf("terminal %d got no answer after the restart", term.id)
		}
	}
	total := checkSold(t, s, terminals)
	s.stop()
	s.verify()
	t.Logf("%d tickets", total)
}

// sellWhole sells a ticket and reports whether it was answered. Half an answer is an
// error.
func (s *served) sellWhole(term *terminal) bool {
	term.order()
	status, answer, err := s.askAs(term.id, http.MethodPut, term.path(), term.body)
	syntax := new(json.SyntaxError)
	switch serial, ok := answer["serial"].(string); {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &syntax):
		s.t.Errorf("terminal %d, request %d: half an answer: %v", term.id, term.number, err)
		return false
	case err != nil, status == http.StatusServiceUnavailable:
		return false
	case !ok:
		s.t.Errorf("terminal %d, request %d: %d %v", term.id, term.number, status, answer)
		return false
	default:
		term.sold = append(term.sold, serial)
		return true
	}
}

// follow returns all that a screen is sent until the house ends its stream.
func (s *served) follow() string {
	response, err := http.Get(s.url + "/v1/events")
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// TestStopInTime: a client that keeps its connection open does not keep the house from
// stopping.
func TestStopInTime(t *testing.T) {
	t.Parallel()
	s := serveWith(t, "--stop-within=300ms")
	reader, writer := io.Pipe()
	defer writer.Close()
	request, err := http.NewRequest(http.MethodPost, s.url+"/v1/session", reader)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
		}
	}()
	if _, err := writer.Write([]byte("{")); err != nil { // The request is under way, and never ends.
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil || !strings.Contains(s.log.String(), "were cut off") {
			t.Errorf("it ended with %v: %s", err, &s.log)
		}
	case <-time.After(2 * time.Minute):
		t.Error("it goes on")
	}
}
