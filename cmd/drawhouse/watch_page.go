package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"drawhouse/check/policy"
	"drawhouse/check/watch/page"
	"drawhouse/core/contain"
	"drawhouse/journal/public"
)

// watchPage is how the command shows to everybody what it has read.
type watchPage struct {
	Listen string `placeholder:"HOST:PORT" help:"Serve a page there with what was read, who cosigned it and what was found, the same at /state.json, and /metrics. The log is then looked at every minute, unless --every says otherwise."`
}

// pageEvery is how often a log is looked at that has a page.
const pageEvery = time.Minute

// open begins to serve the page of a log, or returns nil if none was asked for. It ends with the context.
func (c *watchPage) open(ctx context.Context, log, key string, asks *policy.Policy) (*page.Page, error) {
	if c.Listen == "" {
		return nil, nil
	}
	listener, err := listen("--listen", c.Listen)
	if err != nil {
		return nil, err
	}
	p := page.New(log, key, asks, time.Now)
	server := newServer(p, slog.Default())
	fmt.Fprintf(os.Stdout, "The page is at http://%s/\n", listener.Addr())
	contain.Go("the page", func() error { return server.Serve(listener) }, func(err error) {
		if !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintf(os.Stdout, "the page has ended: %v\n", err)
		}
	})
	contain.Go("the end of the page", func() error {
		<-ctx.Done()
		return server.Close()
	}, func(error) {})
	return p, nil
}

// both tells two that an entry was read. Either may be nil.
func both(one func(uint64, *public.Entry), p *page.Page) func(uint64, *public.Entry) {
	if p == nil {
		return one
	}
	return func(at uint64, e *public.Entry) {
		if one != nil {
			one(at, e)
		}
		p.Told(at, e)
	}
}
