package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"drawhouse/cmd/drawhouse/console"
)

// allCmd measures every target beside its yardstick, and how cost grows with the
// number of tickets.
type allCmd struct {
	Tickets   int     `default:"1000000" placeholder:"N" help:"Open tickets, ways and bingo boxes that targets are stated for (${default})."`
	Most      int     `default:"10000000" placeholder:"N" help:"Tickets of the largest house in which growth is measured, which begins with 10,000 (${default})."`
	Terminals int     `default:"512" placeholder:"N" help:"Terminals that sell at once (${default})."`
	Seconds   float64 `default:"10" placeholder:"N" help:"Length of a round of selling (${default})."`
	Rounds    int     `default:"3" placeholder:"N" help:"Rounds of selling, of which the middle one counts (${default})."`
	Screens   int     `default:"10000" placeholder:"N" help:"Screens that follow a draw (${default})."`
	Dir       string  `placeholder:"DIR" help:"Directory on the disk to measure; the system's for temporary files if not given."`
	Database  string  `placeholder:"URL" help:"PostgreSQL database to sell on, beside pgbench. Without it the yardstick of selling is single commits."`
	Page      string  `type:"existingfile" placeholder:"FILE" help:"Write the tables into this document, between its marks."`
	Plot      string  `placeholder:"FILE" help:"Draw how cost grows into this file, as SVG."`
	JSON      bool    `name:"json" help:"Write the report as JSON."`
}

// allReport is what all measurements came to.
type allReport struct {
	Machine machine        `json:"machine"`
	When    string         `json:"when"`
	Build   string         `json:"build"`
	Load    string         `json:"load"` // of the machine, before and after
	Server  string         `json:"server,omitempty"`
	Targets []target       `json:"targets"`
	Waits   []waited       `json:"waits_at_half_rate"` // of selling
	Growth  []*growthPoint `json:"growth"`
}

// target is something that was promised, and what it came to.
type target struct {
	Name      string `json:"name"`
	Wanted    string `json:"wanted"`
	Measured  string `json:"measured"`
	Yardstick string `json:"yardstick"`
	Reached   bool   `json:"reached"`
}

// Run implements the command.
func (c *allCmd) Run(out *bytes.Buffer) error {
	if err := errors.Join(checkCount("--tickets", c.Tickets, 10_000_000), checkCount("--most", c.Most, 100_000_000),
		checkCount("--terminals", c.Terminals, 10_000),
		checkLength("--seconds", c.Seconds), checkCount("--rounds", c.Rounds, 100),
		checkCount("--screens", c.Screens, 50_000)); err != nil {
		return err
	}
	if c.Page != "" {
		if _, _, err := splitPage(c.Page); err != nil {
			return err // before everything is measured
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := c.measure(ctx)
	if err != nil {
		return err
	}
	if c.Plot != "" {
		if err := r.writePlot(c.Plot); err != nil {
			return err
		}
	}
	if c.Page != "" {
		if err := r.writeInto(c.Page); err != nil {
			return err
		}
	}
	if c.JSON {
		return console.WriteJSON(out, r)
	}
	r.writeMarkdown(out)
	return nil
}

// measure runs one measurement after the other; each has the machine for itself.
func (c *allCmd) measure(ctx context.Context) (*allReport, error) {
	line := newStatusLine(os.Stderr)
	defer line.clear()
	r := &allReport{Machine: thisMachine(), When: time.Now().UTC().Format(time.DateOnly), Build: buildVersion(),
		Load: loadAverage()}
	for _, step := range []func(context.Context, *allReport, statusLine) error{c.pass, c.bingo, c.sell, c.live,
		c.grow} {
		if err := step(ctx, r, line); err != nil {
			return nil, err
		}
	}
	r.Load += " to " + loadAverage()
	return r, nil
}

// loadAverage is how many processes wanted a processor in the last minute, where the
// system says so.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

func (c *allCmd) pass(_ context.Context, r *allReport, _ statusLine) error {
	p, err := (&passCmd{Ways: c.Tickets, Rounds: 51}).measure()
	if err != nil {
		return err
	}
	r.Targets = append(r.Targets, target{
		Name:      fmt.Sprintf("settle: one pass over %s open ways", console.Counted(c.Tickets)),
		Wanted:    "at most 2 times reading them from memory",
		Measured:  fmt.Sprintf("%.2f times: %.2f ns a way", p.Times, p.PassNanos),
		Yardstick: fmt.Sprintf("reading: %.2f ns a way", p.ReadNanos), Reached: p.Times <= 2,
	})
	return nil
}

func (c *allCmd) bingo(_ context.Context, r *allReport, _ statusLine) error {
	b, err := (&bingoCmd{Boxes: c.Tickets, Rounds: 3}).measure()
	if err != nil {
		return err
	}
	r.Targets = append(r.Targets, target{
		Name:      fmt.Sprintf("bingo: the winners of a call among %s boxes", console.Counted(b.Boxes)),
		Wanted:    "known in under 5 ms",
		Measured:  fmt.Sprintf("%s, the slowest of 90 calls %s", millis(b.MedianMicros), millis(b.SlowestMicros)),
		Yardstick: fmt.Sprintf("a look at every box: %s; ratio %.1f", millis(b.ScanMicros), b.Times),
		Reached:   b.SlowestMicros < 5000,
	})
	return nil
}

func (c *allCmd) sell(ctx context.Context, r *allReport, _ statusLine) error {
	place, err := newSite(c.Dir, c.Database)
	if err != nil {
		return err
	}
	s, err := (&sellCmd{Terminals: c.Terminals, Each: min(64, c.Terminals), Seconds: c.Seconds,
		Rounds: c.Rounds, Scale: pgbenchScale}).measure(ctx, place)
	if err = errors.Join(err, place.clear()); err != nil {
		return err
	}
	if !s.Verify.Holds {
		return fmt.Errorf("%w: %s", errNotCounted, s.Verify.Why)
	}
	times, yardstick := s.TimesSingle, fmt.Sprintf("single commits: %s a second",
		console.Counted(int64(s.Single.PerSecond)))
	if s.PGBench != nil {
		times, yardstick, r.Server = s.PGBench.TimesPGBench, fmt.Sprintf("pgbench -N -c %d -j %d: %s a second",
			pgbenchClients, pgbenchThreads, console.Counted(int64(s.PGBench.PerSecond))), s.PGBench.Server
	}
	r.Waits = s.Waits
	half := time.Duration(s.Half.P99Micros) * time.Microsecond
	r.Targets = append(r.Targets, target{
		Name: "sell: durable tickets through the public interface", Wanted: "at least 5 times the yardstick",
		Measured:  fmt.Sprintf("%.1f times: %s a second", times, console.Counted(int64(s.API.PerSecond))),
		Yardstick: yardstick, Reached: times >= 5,
	}, target{
		Name: "sell: waiting at half that rate", Wanted: "p99 under 50 ms",
		Measured:  fmt.Sprintf("p99 %s, p50 %s", millis(s.Half.P99Micros), millis(s.Half.P50Micros)),
		Yardstick: fmt.Sprintf("a single commit: p99 %s", millis(s.Single.P99Micros)),
		Reached:   half < 50*time.Millisecond,
	})
	return nil
}

func (c *allCmd) live(ctx context.Context, r *allReport, _ statusLine) error {
	l, err := (&liveCmd{Screens: c.Screens, Balls: 40, Pace: 300 * time.Millisecond, Dir: ""}).measure(ctx)
	if err != nil {
		return err
	}
	r.Targets = append(r.Targets, target{
		Name: fmt.Sprintf("live: %s screens see each ball", console.Counted(c.Screens)), Wanted: "within 250 ms",
		Measured:  fmt.Sprintf("p99 %.0f ms, p50 %.0f ms", l.Live.P99Millis, l.Live.P50Millis),
		Yardstick: fmt.Sprintf("bare sockets: p99 %.0f ms; ratio %.2f", l.Bare.P99Millis, l.Times),
		Reached:   l.Live.P99Millis < 250,
	})
	return nil
}

// grow measures houses of ever more tickets, and the targets of the one that they are
// stated for.
func (c *allCmd) grow(ctx context.Context, r *allReport, line statusLine) error {
	most := max(c.Most, c.Tickets)
	sizes := []int{c.Tickets, most}
	for tickets := min(10_000, c.Tickets); tickets < most; tickets *= 10 {
		sizes = append(sizes, tickets)
	}
	slices.Sort(sizes)
	for _, tickets := range slices.Compact(sizes) {
		p, err := growth(ctx, c.Dir, "", tickets, line)
		if err != nil {
			return err
		}
		r.Growth = append(r.Growth, p)
		if tickets == c.Tickets {
			r.Targets = append(r.Targets, p.targets()...)
		}
	}
	return nil
}

// targets returns those that are stated for a house of this size.
func (p *growthPoint) targets() []target {
	perCore := float64(p.Tickets) / p.VerifyCPU
	return []target{{
		Name:      fmt.Sprintf("draw: from close to payable with %s open tickets", console.Counted(p.Tickets)),
		Wanted:    "under 1 s",
		Measured:  fmt.Sprintf("%.0f ms", 1000*p.PayableSeconds),
		Yardstick: fmt.Sprintf("%d commits of %.2f ms", drawCommits, 1000*p.CommitSeconds),
		Reached:   p.PayableSeconds < 1,
	}, {
		Name: "draw: the seal of it", Wanted: "under 50 ms", Measured: fmt.Sprintf("%.1f ms", 1000*p.SealSeconds),
		Yardstick: fmt.Sprintf("a commit: %.2f ms", 1000*p.CommitSeconds), Reached: p.SealSeconds < 0.05,
	}, {
		Name: "verify: tickets a second and core", Wanted: "at least 500,000",
		Measured: console.Counted(int64(perCore)),
		Yardstick: fmt.Sprintf("reading the records: %s a second",
			console.Counted(int64(float64(p.Tickets)/p.ReadSeconds))), Reached: perCore >= 500_000,
	}}
}
