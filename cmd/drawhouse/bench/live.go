package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/day"
	"drawhouse/edge/api"
	"drawhouse/house"
	"drawhouse/journal/store"
)

// liveCmd measures how soon screens have a number.
type liveCmd struct {
	Screens int           `default:"10000" placeholder:"N" help:"Screens, all in a second process (${default})."`
	Balls   int           `default:"100" placeholder:"N" help:"Numbers drawn (${default})."`
	Pace    time.Duration `default:"300ms" help:"From one number to the next (${default})."`
	Dir     string        `placeholder:"DIR" help:"Where to put the journal; a temporary directory if it is not given."`
	JSON    bool          `name:"json" help:"Write the report as JSON."`
	Connect string        `hidden:"" help:"Be the screens of the house at this address."`
}

// spread is how long it took from a commit until screens had parsed the event, over all
// screens and numbers.
type spread struct {
	P50Millis float64 `json:"p50_ms"`
	P99Millis float64 `json:"p99_ms"`
	MaxMillis float64 `json:"max_ms"`
	Seen      int     `json:"seen"` // numbers times screens
}

func (s spread) String() string {
	return fmt.Sprintf("p50 %6.1f ms, p99 %6.1f ms, longest %6.1f ms, %s numbers seen", s.P50Millis, s.P99Millis,
		s.MaxMillis, console.Counted(s.Seen))
}

// liveReport is what a measurement of the feed came to.
type liveReport struct {
	Machine machine `json:"machine"`
	Screens int     `json:"screens"`
	Balls   int     `json:"balls"`
	Live    spread  `json:"live"`
	Bare    spread  `json:"bare"` // the yardstick: the same bytes, written to as many sockets and nothing else
	Times   float64 `json:"times_bare"`
}

// Run implements the command.
func (c *liveCmd) Run(out *bytes.Buffer, con console.Streams) error {
	if err := errors.Join(checkCount("--screens", c.Screens, 50_000),
		checkCount("--balls", c.Balls, 100_000)); err != nil {
		return err
	}
	if c.Connect != "" {
		return showScreens(c.Connect, c.Screens, c.Balls, os.Stdin, con.Stdout)
	}
	report, err := c.measure(context.Background())
	if err != nil {
		return err
	}
	if c.JSON {
		return console.WriteJSON(out, report)
	}
	fmt.Fprintf(out, "%s screens of a second process, %s numbers, %v\n\n", console.Counted(c.Screens),
		console.Counted(c.Balls), report.Machine)
	fmt.Fprintf(out, "live   %v\n", report.Live)
	fmt.Fprintf(out, "bare   %v\n", report.Bare)
	fmt.Fprintf(out, "ratio  %.2f of the p99\n", report.Times)
	return nil
}

// measure lets screens follow a house, and then as many follow sockets that are written
// to without a house.
func (c *liveCmd) measure(ctx context.Context) (*liveReport, error) {
	dir := c.Dir
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "drawhouse-live-"); err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(dir) }()
	}
	report := &liveReport{Machine: thisMachine(), Screens: c.Screens, Balls: c.Balls}
	var err error
	if report.Live, err = c.overHouse(ctx, dir); err != nil {
		return nil, err
	}
	if report.Bare, err = c.overSockets(ctx); err != nil {
		return nil, err
	}
	if report.Bare.P99Millis > 0 {
		report.Times = report.Live.P99Millis / report.Bare.P99Millis
	}
	return report, nil
}

// stamped is a store that notes when a batch became durable.
type stamped struct {
	store.Store
	at time.Time // of the newest commit; the lane alone writes, and the callers that it has answered read
}

// Append implements store.Store.
func (s *stamped) Append(ctx context.Context, b store.Batch) error {
	err := s.Store.Append(ctx, b)
	s.at = time.Now()
	return err
}

// overHouse has a house draw for screens.
func (c *liveCmd) overHouse(ctx context.Context, dir string) (_ spread, err error) {
	storage := location{data: dir}
	st, err := storage.open(ctx)
	if err != nil {
		return spread{}, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	stamps := &stamped{Store: st}
	h, err := storage.house(ctx, stamps, 1, house.Snapshots{})
	if err != nil {
		return spread{}, err
	}
	defer func() { err = errors.Join(err, h.Close(ctx)) }()
	handler, err := api.New(h, api.Options{})
	if err != nil {
		return spread{}, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return spread{}, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	defer func() {
		h.Hub().Close()
		err = errors.Join(err, server.Close())
		<-served
	}()
	return c.watch(ctx, listener.Addr().String(), func() ([]time.Time, error) { return c.play(ctx, h, stamps) })
}

// play draws games until there are enough numbers and returns when each was committed.
func (c *liveCmd) play(ctx context.Context, h *house.House, stamps *stamped) ([]time.Time, error) {
	const ahead = time.Hour // Nothing closes by itself here.
	if err := errors.Join(h.First().OpenDay(ctx, day.MustParse(time.Now().UTC().Format(time.DateOnly)), 0),
		h.First().OpenGame(ctx, time.Now().Add(ahead))); err != nil {
		return nil, err
	}
	_, numbers := h.First().Book().Numbers()
	var committed []time.Time
	for len(committed) < c.Balls {
		if err := h.First().TurnGame(ctx, time.Now().Add(ahead)); err != nil {
			return nil, err
		}
		ordinal := h.First().Games(2)[1].Ordinal
		for range numbers {
			time.Sleep(c.Pace)
			if err := h.First().DrawNumber(ctx, ordinal); err != nil {
				return nil, err
			}
			committed = append(committed, stamps.at)
		}
		if err := errors.Join(h.First().FinishDraw(ctx, ordinal), h.First().SettleGame(ctx, ordinal)); err != nil {
			return nil, err
		}
	}
	return committed[:c.Balls], nil
}

// watch has a second process follow an address while balls fall, and compares when the
// balls were committed with when each screen had them.
func (c *liveCmd) watch(ctx context.Context, address string, fall func() ([]time.Time, error)) (spread, error) {
	process, err := startScreens(ctx, address, c.Screens, c.Balls)
	if err != nil {
		return spread{}, err
	}
	committed, err := fall()
	if err != nil {
		return spread{}, process.failed(err)
	}
	seen, err := process.finish()
	if err != nil {
		return spread{}, err
	}
	return spreadOf(committed, seen)
}

// spreadOf sorts the delays.
func spreadOf(committed []time.Time, seen [][]int64) (spread, error) {
	var delays []int64
	for k, times := range seen {
		for _, at := range times {
			delays = append(delays, at-committed[k].UnixNano())
		}
	}
	if len(delays) == 0 {
		return spread{}, fmt.Errorf("the screens saw nothing: %w", io.ErrUnexpectedEOF)
	}
	slices.Sort(delays)
	at := func(percent int) float64 {
		return float64(delays[(len(delays)-1)*percent/100]) / float64(time.Millisecond)
	}
	return spread{P50Millis: at(50), P99Millis: at(99), MaxMillis: at(100), Seen: len(delays)}, nil
}
