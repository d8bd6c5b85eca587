package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"

	"drawhouse/core/contain"
	"drawhouse/edge/api"
	"drawhouse/edge/monitor"
)

// helperFlags are where a witness or a device tells those who run it how it does.
type helperFlags struct {
	MetricsAddr string `name:"metrics-addr" placeholder:"HOST:PORT" help:"Where to listen for those who run this process: /metrics, /readyz, /healthz and /debug/pprof. It has no password: keep it from everybody else. Without it nothing of that is served."`
}

// helper is a witness or a device that is watched.
type helper struct {
	checks  *monitor.Readiness
	metrics *monitor.Metrics
	log     *slog.Logger
	server  *http.Server // nil if nobody asked for it
	at      net.Listener
}

// helper opens what watches over a process that keeps what it signs in a file.
func (f helperFlags) helper(of monitor.Purpose, file string, log *slog.Logger,
	checks ...monitor.Check) (*helper, error) {
	ready := monitor.NewChecks(of, append(checks, monitor.Room(of, file))...)
	h := &helper{checks: ready, metrics: monitor.NewHelperMetrics(build(), ready, file), log: log}
	if f.MetricsAddr == "" {
		return h, nil
	}
	var err error
	if h.at, err = listen("--metrics-addr", f.MetricsAddr); err != nil {
		return nil, err
	}
	h.server = newServer(monitor.Handler(h.metrics.Handler(), ready), log)
	h.server.WriteTimeout = 0 // A profile takes as long as it is asked to.
	log.Info("metrics and checks", "at", "http://"+h.at.Addr().String())
	return h, nil
}

// serve answers requests, each under an id and counted, until the context ends.
func (h *helper) serve(ctx context.Context, handler http.Handler, listener net.Listener) error {
	if h.server != nil {
		contain.Go("the server of metrics", func() error { return h.server.Serve(h.at) }, func(err error) {
			if !errors.Is(err, http.ErrServerClosed) {
				h.log.Error("metrics and checks are served no more", "error", err)
			}
		})
		defer func() { _ = h.server.Close() }()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	contain.Go("stopping", func() error {
		<-ctx.Done()
		h.checks.Stopping()
		return nil
	}, func(error) {})
	return serveUntil(ctx, newServer(api.Observed(handler, h.log, h.metrics.Exchange), h.log), listener)
}
