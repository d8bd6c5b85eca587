package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"drawhouse/core/contain"
	"drawhouse/edge/api"
	"drawhouse/edge/monitor"
	"drawhouse/edge/web"
	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/house/timetable"
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
	redirect        *http.Server // nil if nobody asked for it
	publicAt, admAt net.Listener
	redirectAt      net.Listener
	served          chan error      // why a server has stopped
	games           <-chan struct{} // closed when the games that were begun last have ended
	at              string          // where the house is reached
	watching        *api.Server
	canary          *monitor.Canary // nil without one
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
	return interfaces.Beside(screens, web.Addresses()), interfaces, nil
}

// open makes the servers, and says where the house is.
func (r *running) open(ctx context.Context, listener net.Listener, register *person.Register, out io.Writer) error {
	var err error
	r.at = r.url(listener.Addr())
	var cert certificate
	if r.publicAt, cert, err = r.secured(listener, r.log); err != nil {
		return err
	}
	if cert != nil {
		r.house.Go(ctx, house.PartInterface, "looking at the certificate", cert.watch)
		r.metrics.WatchCertificate(cert.status)
		r.ready.Add(monitor.Certificate(cert.status))
	}
	if err := r.openRedirect(cert); err != nil {
		return err
	}
	if r.AdminAddr != adminOff {
		if r.admAt, err = listen("--admin-addr", r.AdminAddr); err != nil {
			return err
		}
		r.admin = newServer(monitor.Handler(r.metrics.Handler(), r.ready), r.log)
		r.admin.WriteTimeout = 0 // A profile takes as long as it is asked to.
		r.log.Info("metrics and checks", "at", "http://"+r.admAt.Addr().String())
	}
	if r.canary, err = r.newCanary(r.url(listener.Addr()), r.secure(), r.log); err != nil {
		return err
	}
	if r.canary != nil {
		r.metrics.WatchCanary(r.canary)
		r.ready.Add(monitor.CanaryCheck(r.canary))
	}
	if person.Cheap() {
		r.log.Warn("this program was linked for tests: its passwords are cheap to guess")
	}
	options := api.Options{Version: build(), Log: r.log, Register: register, Ready: r.ready.Check,
		Follower:   r.house.Standing,
		PerAddress: api.Rate{PerSecond: r.RateAddress}, PerTerminal: api.Rate{PerSecond: r.RateTerminal},
		LimitLocal: r.LimitLocal, Keeping: r.keeping()}
	answering := r.interfaceOf
	if r.Follow {
		answering = r.interfaceOfFollower
	}
	handler, watching, err := answering(r.house, options, listener.Addr(), out)
	if err != nil {
		return err
	}
	r.watching = watching
	if r.admin != nil {
		r.admin.Handler = watching.Contained(r.admin.Handler)
	}
	r.public = newServer(api.Observed(api.Hosted(handler, r.hostNames()), r.log, r.metrics.Exchange), r.log)
	return nil
}

// hostNames returns the names by which the house is reached.
func (r *running) hostNames() []string {
	names := append([]string{r.Addr}, r.Hosts...)
	if name, err := os.Hostname(); err == nil {
		names = append(names, name)
	}
	return append(names, r.certificateNames()...)
}

// run keeps the servers answering, and the games going, until the first of them ends, and
// then brings the rest to an end in good order. A house that follows does so first.
func (r *running) run(ctx context.Context) error {
	r.served = make(chan error, 3)
	ended := func(err error) { r.served <- err }
	contain.Go("the server", func() error { return r.public.Serve(r.publicAt) }, ended)
	if r.admin != nil {
		contain.Go("the server of metrics", func() error { return r.admin.Serve(r.admAt) }, ended)
	}
	if r.redirect != nil {
		contain.Go("the server of redirects", func() error { return r.redirect.Serve(r.redirectAt) }, ended)
	}
	return r.live(ctx)
}

// play runs the games of the house, which writes, until the context ends or the house
// cannot write any more. It returns why the games have stopped, if they did for another
// reason.
func (r *running) play(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done, games, former := r.house.Done(), make(chan error, 1), r.games
	r.house.Go(ctx, house.PartInterface, "watching the displays", r.watching.Watch)
	r.house.Go(ctx, house.PartInterface, "forgetting who is past the time of keeping", r.watching.Keep)
	r.house.Go(ctx, house.PartFollower, "announcing this house", func(ctx context.Context) { r.house.Announce(ctx, r.at) })
	r.games = r.house.Go(ctx, house.SeriesPart(house.FirstSeries), "running the games", func(ctx context.Context) {
		if former != nil {
			<-former // Nothing of those games goes on, and a step that waits for a device takes its time.
		}
		games <- r.house.PlayAll(ctx, r.rhythm)
	})
	if r.canary != nil {
		r.house.Go(ctx, house.PartInterface, "the canary", func(ctx context.Context) { r.canary.Run(ctx, r.Canary) })
	}
	select {
	case <-ctx.Done():
	case <-done:
	case err := <-games:
		select {
		case <-done: // The games stop for the same reason, and may be first to say so.
		case <-ctx.Done():
		default:
			if r.house.Err() == nil {
				return fmt.Errorf("the games have stopped: %w", err)
			}
			<-done
		}
	}
	return nil
}

// end brings a house to an end within the time that it has. Requests under way are
// answered whole and what they decided is committed; new ones find nobody. A person who
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
	for _, beside := range []*http.Server{r.admin, r.redirect} {
		if beside != nil {
			err = errors.Join(err, beside.Close())
		}
	}
	if cause != nil {
		return errors.Join(cause, err) // Why the lane has stopped is the cause already.
	}
	return errors.Join(err, closing)
}
