package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"sync"
	"time"
)

// bare is the yardstick of the feed: it writes the bytes of an event to every socket,
// and does nothing else. Nothing that sends to as many screens could be faster by much.
type bare struct {
	mu    sync.Mutex // guards conns
	conns []net.Conn
}

// overSockets has the same screens follow bare sockets.
func (c *liveCmd) overSockets(ctx context.Context) (_ spread, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return spread{}, err
	}
	b := new(bare)
	go b.accept(listener)
	defer func() { err = errors.Join(err, listener.Close(), b.close()) }()
	return c.watch(ctx, listener.Addr().String(), func() ([]time.Time, error) {
		var begun []time.Time
		for k := range c.Balls {
			time.Sleep(c.Pace)
			begun = append(begun, time.Now())
			b.send(fmt.Appendf(nil,
				"id: 1:%d\nevent: number_drawn\ndata: {\"id\":\"1:%d\",\"time\":\"2026-11-15T14:02:59.123+11:00\",\"series\":1,\"day\":\"2026-11-15\",\"game\":417,\"ordinal\":417,\"k\":%d,\"number\":%d}\n\n", k+1, k+1, k%20+1, k%80+1))
		}
		return begun, nil
	})
}

// accept takes screens in and tells them that they follow.
func (b *bare) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return // The listener is closed.
		}
		go func() {
			in := bufio.NewReader(conn)
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if line == "\r\n" {
					break
				}
			}
			if _, err := conn.Write(
				[]byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: tick\ndata: {}\n\n")); err != nil {
				return
			}
			b.mu.Lock()
			defer b.mu.Unlock()
			b.conns = append(b.conns, conn)
		}()
	}
}

// send writes to all sockets, a part of them on each core.
func (b *bare) send(data []byte) {
	b.mu.Lock()
	conns := b.conns
	b.mu.Unlock()
	var done sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		done.Go(func() {
			for i := core; i < len(conns); i += cores {
				_, _ = conns[i].Write(data) // A screen that is gone is missed in the report.
			}
		})
	}
	done.Wait()
}

func (b *bare) close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, conn := range b.conns {
		_ = conn.Close() // The screens have left already.
	}
	return nil
}
