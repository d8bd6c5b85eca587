package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"drawhouse/api"
	"drawhouse/house"
	"drawhouse/monitor"
	"drawhouse/person"
	"drawhouse/timetable"
	"drawhouse/web"
)

// running is a house with everything that answers for it.
type running struct {
	serveFlags
	log     *slog.Logger
	house   *house.House
	rhythm  timetable.Config
	metrics *monitor.Metrics
	ready   *monitor.Readiness

	public, admin   *http.Server // admin is nil if nobody asked for it
	publicAt, admAt net.Listener
	watching        *api.Server
}

// adminOff is the address of a house that shows its operator nothing.
const adminOff = "off"

// stopping is how long the last commit may take when a house is told to stop, and
// requests under way when a process that is no house is.
const stopping = 10 * time.Second

// newServer returns the server of a house. A client that sends its request by the
// drop, or does not take its answer, would otherwise hold a connection for ever;
// live streams have deadlines of their own (package live).
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// pages joins the screens and the API on one address.
func pages(h *house.House, options api.Options) (http.Handler, *api.Server, error) {
	interfaces, err := api.New(h, options)
	if err != nil {
		return nil, nil, err
	}
	screens, err := web.Handler()
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", interfaces)
	for _, address := range web.Addresses() {
		mux.Handle("GET "+address, screens)
	}
	return mux, interfaces, nil
}

// open makes the servers, and says where the house is.
func (r *running) open(ctx context.Context, listener net.Listener, register *person.Register, out io.Writer) error {
	var err error
	if r.publicAt, err = r.wrap(ctx, listener, r.log); err != nil {
		return err
	}
	if r.AdminAddr != adminOff {
		if r.admAt, err = listen("--admin-addr", r.AdminAddr); err != nil {
			return err
		}
		r.admin = newServer(monitor.Handler(r.metrics, r.ready), r.log)
		r.admin.WriteTimeout = 0 // A profile takes as long as it is asked to.
		r.log.Info("metrics and checks", "at", "http://"+r.admAt.Addr().String())
	}
	options := api.Options{Version: build(), Log: r.log, Register: register, Ready: r.ready.Check}
	handler, watching, err := r.interfaceOf(r.house, options, listener.Addr(), out)
	if err != nil {
		return err
	}
	r.watching = watching
	r.public = newServer(api.Observed(handler, r.log, r.metrics.Exchange), r.log)
	return nil
}

// run keeps the games going and the servers answering until the first of them ends, and
// then brings the rest to an end in good order.
func (r *running) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	games, served := make(chan error, 1), make(chan error, 2)
	stopKeeping := r.LastCheckpoint.keepOf(r.house, r.log)
	defer stopKeeping() // When everything is closed, and nothing comes any more.
	go r.watching.Watch(ctx)
	go func() { games <- r.house.Play(ctx, r.rhythm) }()
	go func() { served <- r.public.Serve(r.publicAt) }()
	if r.admin != nil {
		go func() { served <- r.admin.Serve(r.admAt) }()
	}

	var cause error
	select {
	case <-ctx.Done():
		r.log.Info("stopping", "within", r.StopWithin)
	case cause = <-games:
		cause = fmt.Errorf("the games have stopped: %w", cause)
	case cause = <-served:
		cause = fmt.Errorf("the server has stopped: %w", cause)
	case <-r.house.Done():
	}
	if err := r.house.Err(); err != nil {
		cause = stopped(err) // The games stop for the same reason, and may be first to say so.
	}
	cancel()
	return r.end(cause)
}

// end brings a house to an end within the time that it has. Requests under way are
// answered whole and what they decided is committed; new ones find nobody. Whoever
// takes longer is cut off, which no acknowledged ticket suffers from: a commit is not
// a request's to break off.
func (r *running) end(cause error) error {
	r.ready.Stopping()
	ending, done := context.WithTimeout(context.Background(), r.StopWithin)
	defer done()
	r.house.Hub().Close() // Ends the live streams, which would hold the server up.
	err := r.public.Shutdown(ending)
	if errors.Is(err, context.DeadlineExceeded) {
		r.log.Warn("requests took longer than the time to stop, and were cut off")
		err = r.public.Close()
	}
	committing, committed := context.WithTimeout(context.Background(), stopping)
	defer committed()
	closing := r.house.Close(committing) // What is decided is stored, however long others took.
	if r.admin != nil {
		err = errors.Join(err, r.admin.Close())
	}
	if cause != nil {
		return errors.Join(cause, err) // Why the lane has stopped is the cause already.
	}
	return errors.Join(err, closing)
}
