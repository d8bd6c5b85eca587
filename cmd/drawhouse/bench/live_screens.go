package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// screensProcess is a process that follows the feed as many screens do.
type screensProcess struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	screens,
	balls int
	said bytes.Buffer
}

// screensReady is what the process says when all screens follow.
const screensReady = "ready\n"

// startScreens starts this program as the screens of an address and waits until all of
// them follow.
func startScreens(ctx context.Context, address string, screens, balls int) (*screensProcess, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &screensProcess{screens: screens, balls: balls}
	p.cmd = exec.CommandContext(ctx, name, "bench", "live", "--connect="+address, fmt.Sprintf("--screens=%d", screens),
		fmt.Sprintf("--balls=%d", balls))
	p.cmd.Args[0] = "drawhouse"
	p.cmd.Stderr = &p.said
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.stdout = bufio.NewReader(stdout)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if line, err := p.stdout.ReadString('\n'); err != nil || line != screensReady {
		return nil, p.failed(cmp.Or(err, io.ErrUnexpectedEOF))
	}
	return p, nil
}

// failed ends screens that are of no use and says what they had to say.
func (p *screensProcess) failed(err error) error {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // It was killed, and says so.
	return fmt.Errorf("the screens: %w; they say:\n%s", err, &p.said)
}

// finish tells the screens that everything has fallen and returns when each ball was
// seen, by ball.
func (p *screensProcess) finish() ([][]int64, error) {
	if err := p.stdin.Close(); err != nil {
		return nil, p.failed(err)
	}
	seen := make([][]int64, p.balls)
	for k := range seen {
		var count uint32
		if err := binary.Read(p.stdout, binary.LittleEndian, &count); err != nil || int(count) > p.screens {
			return nil, p.failed(cmp.Or(err, io.ErrUnexpectedEOF))
		}
		seen[k] = make([]int64, count)
		if err := binary.Read(p.stdout, binary.LittleEndian, seen[k]); err != nil {
			return nil, p.failed(err)
		}
	}
	return seen, p.cmd.Wait()
}

// wall is what the screens of a process have seen.
type wall struct {
	screens int
	seen    [][]int64      // by ball, by screen: when, or 0
	joined  atomic.Int64   // screens that follow
	done    sync.WaitGroup // screens that have seen all
}

// lateness is how long screens may take behind the last ball.
const lateness = 30 * time.Second

// showScreens follows an address with many screens, until each has seen so many balls or
// the end is told and time is up.
func showScreens(address string, screens, balls int, ended io.Reader, out io.Writer) error {
	w := &wall{screens: screens, seen: make([][]int64, balls)}
	for k := range w.seen {
		w.seen[k] = make([]int64, screens)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	failed := make(chan error, screens)
	const dialling = 64 // at once: a backlog that is full turns connections away
	gate := make(chan struct{}, dialling)
	for i := range screens {
		w.done.Go(func() {
			if err := w.follow(ctx, address, i, gate); err != nil && ctx.Err() == nil {
				failed <- fmt.Errorf("screen %d: %w", i, err)
			}
		})
	}
	for w.joined.Load() < int64(screens) {
		select {
		case err := <-failed:
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
	if _, err := io.WriteString(out, screensReady); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, ended); err != nil {
		return err
	}
	all := make(chan struct{})
	go func() { w.done.Wait(); close(all) }()
	select {
	case <-all:
	case <-time.After(lateness):
	}
	return w.report(out)
}

// follow is one screen: it reads events as they come and parses those of numbers, as a
// page does.
func (w *wall) follow(ctx context.Context, address string, screen int, gate chan struct{}) error {
	gate <- struct{}{}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err == nil {
		_, err = io.WriteString(
			conn, "GET /v1/events HTTP/1.1\r\nHost: "+address+"\r\nAccept: text/event-stream\r\n\r\n")
	}
	<-gate
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	lines := bufio.NewReaderSize(conn, 2048)
	for ball, number := 0, false; ball < len(w.seen); {
		line, err := lines.ReadSlice('\n')
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
		switch {
		case bytes.HasPrefix(line, []byte("event: tick")):
			if ball == 0 {
				w.join(screen)
			}
		case bytes.HasPrefix(line, []byte("event: ")):
			number = bytes.HasPrefix(line, []byte("event: number_drawn"))
		case number && bytes.HasPrefix(line, []byte("data: ")):
			var event struct{ K, Number int }
			if err := json.Unmarshal(line[len("data: "):], &event); err != nil {
				return err
			}
			w.seen[ball][screen] = time.Now().UnixNano()
			ball, number = ball+1, false
		}
	}
	return nil
}

// join counts a screen once: the feed begins with a tick, and ticks again.
func (w *wall) join(screen int) {
	if w.seen[0][screen] == 0 {
		w.seen[0][screen] = -1
		w.joined.Add(1)
	}
}

// report writes for each ball how many screens saw it and when.
func (w *wall) report(out io.Writer) error {
	b := bufio.NewWriter(out)
	for _, times := range w.seen {
		seen := make([]int64, 0, len(times))
		for _, at := range times {
			if at > 0 {
				seen = append(seen, at)
			}
		}
		if err := errors.Join(binary.Write(b, binary.LittleEndian, uint32(len(seen))),
			binary.Write(b, binary.LittleEndian, seen)); err != nil {
			return err
		}
	}
	return b.Flush()
}
