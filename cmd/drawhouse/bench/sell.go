package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"drawhouse/cmd/drawhouse/console"
)

// sellCmd measures what terminals can sell through the API.
type sellCmd struct {
	Terminals int     `default:"512" placeholder:"N" help:"Terminals that sell at once, each with one request in flight (${default})."`
	Each      int     `default:"64" placeholder:"N" help:"Terminals of a venue whose controller carries their sales on one connection; 1 is none (${default})."`
	Seconds   float64 `default:"10" placeholder:"N" help:"Length of a round (${default})."`
	Rounds    int     `default:"3" placeholder:"N" help:"Rounds of each; the median counts (${default})."`
	Dir       string  `placeholder:"DIR" help:"Directory on the disk to measure; the system's for temporary files if not given."`
	Database  string  `placeholder:"URL" help:"PostgreSQL database to measure, beside pgbench. Schemas are made in it and removed again."`
	Scale     int     `default:"10" placeholder:"N" help:"Size of pgbench's tables on PostgreSQL: 100,000 accounts for each (${default})."`
	JSON      bool    `name:"json" help:"Write the report as JSON."`
}

// errNotCounted is the status of a measurement whose journal does not hold.
var errNotCounted = errors.New("the figures do not count: the journal that they come from does not hold")

// Run implements the command.
func (c *sellCmd) Run(out *bytes.Buffer) error {
	if err := errors.Join(checkCount("--terminals", c.Terminals, 10_000), checkCount("--each", c.Each, 256),
		checkLength("--seconds", c.Seconds), checkCount("--scale", c.Scale, 1000),
		checkCount("--rounds", c.Rounds, 100)); err != nil {
		return err
	}
	report, err := measured(out, c.Dir, c.Database, c.JSON, c.measure)
	if err == nil && !report.Verify.Holds {
		err = errNotCounted
	}
	return err
}

// measure runs the rounds, stops the house and has its journal verified.
func (c *sellCmd) measure(ctx context.Context, place *site) (*sellReport, error) {
	line := newStatusLine(os.Stderr)
	defer line.clear()
	line.show("opening houses")
	stand, err := c.openStand(ctx, place)
	if err != nil {
		return nil, err
	}
	defer stand.close()
	for round := range c.Rounds {
		if err := c.round(ctx, stand, line, round+1); err != nil {
			return nil, err
		}
	}
	if err := c.withoutHTTP(ctx, stand, place, line); err != nil {
		return nil, err
	}
	line.show("stopping the house and verifying its journal")
	hangUp(stand.controllers)
	if stand.houseCPU, err = stand.process.stop(); err != nil {
		return nil, err
	}
	second, err := verifyJournal(ctx, stand.process.storage, filepath.Join(place.dir, "export"))
	if err != nil {
		return nil, err
	}
	report := stand.report()
	if report.Answered == 0 {
		return nil, fmt.Errorf("nothing was sold: %s", report.refusals())
	}
	report.Machine, report.Dir = thisMachine(), filepath.Dir(place.dir)
	report.Terminals, report.Each, report.Rounds, report.Seconds = c.Terminals, c.Each, c.Rounds, c.Seconds
	report.Verify = verifiedOf(second.Report, report.Answered, second.took)
	if stand.pgbench != nil {
		server, err := place.version(ctx)
		if err != nil {
			return nil, err
		}
		report.PGBench = stand.pgbench.report(server, report.API)
	}
	return report, nil
}

// sellStand is where all are measured, and what came of it.
type sellStand struct {
	process     *houseProcess
	controllers []*apiController
	lane        *laneHouse // nil until the customers are gone
	committer   *committer
	pgbench     *pgbench // nil where there is no PostgreSQL

	// api is how fast all customers are served who can be, half what those wait who come
	// half as fast.
	api, half, direct, single []lap
	houseCPU, terminalCPU     time.Duration
	waits                     []waited // of the house, in the rounds of half
}

// mixSize is how many different tickets are sold again and again.
const mixSize = 4096

func (c *sellCmd) openStand(ctx context.Context, place *site) (_ *sellStand, err error) {
	s, forms := new(sellStand), mixedTickets(mixSize)
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	var storages [3]location
	for i, name := range []string{"sample", "single", "house"} {
		if storages[i], err = place.storage(ctx, name); err != nil {
			return nil, err
		}
	}
	sample, err := sampleSale(ctx, storages[0], forms)
	if err != nil {
		return nil, err
	}
	if s.committer, err = openCommitter(ctx, storages[1], sample); err != nil {
		return nil, err
	}
	if place.database != "" {
		if s.pgbench, err = placePGBench(ctx, place, c.Scale); err != nil {
			return nil, err
		}
	}
	if s.process, err = startHouse(ctx, storages[2], c.Terminals); err != nil {
		return nil, err
	}
	s.controllers, err = dialControllers(s.process.address, c.Terminals, c.Each, forms)
	return s, err
}

// placePGBench opens the yardstick in a schema of its own.
func placePGBench(ctx context.Context, place *site, scale int) (*pgbench, error) {
	storage, err := place.storage(ctx, "pgbench")
	if err != nil {
		return nil, err
	}
	return openPGBench(ctx, storage.database, scale)
}

// close gives up what is still open. Errors of houses that are thrown away are
// no matter.
func (s *sellStand) close() {
	hangUp(s.controllers)
	if s.process != nil && s.process.cmd.ProcessState == nil {
		_, _ = s.process.stop()
	}
	if s.committer != nil {
		_ = s.committer.store.Close()
	}
	if s.lane != nil {
		_ = s.lane.close(context.Background())
	}
}

// round measures each in turn.
func (c *sellCmd) round(ctx context.Context, s *sellStand, line statusLine, round int) error {
	runtime.GC() // What the last round has left is not gone through while customers wait.
	before := ownCPU()
	all := crowd{length: inSeconds(c.Seconds)}
	if err := measureLap(ctx, c, line, &s.api, s.controllers, all, round, "through the API"); err != nil {
		return err
	}
	half := all
	half.rate = max(s.api[len(s.api)-1].rate()/2, 1)
	if err := c.halfLap(ctx, s, line, half, round); err != nil {
		return err
	}
	s.terminalCPU += ownCPU() - before
	if s.pgbench != nil {
		line.show("round %d of %d, pgbench: %v s", round, c.Rounds, c.Seconds)
		if err := s.pgbench.measure(ctx, inSeconds(c.Seconds)); err != nil {
			return err
		}
	}
	return measureLap(ctx, c, line, &s.single, []*committer{s.committer}, all, round, "by single commits")
}

// withoutHTTP measures sales by a call within this process, after everything else: a house
// in the memory of the terminals is gone through by their collector, and customers would
// wait for that.
func (c *sellCmd) withoutHTTP(ctx context.Context, s *sellStand, place *site, line statusLine) error {
	storage, err := place.storage(ctx, "lane")
	if err != nil {
		return err
	}
	if s.lane, err = openLaneHouse(ctx, storage, c.Terminals, c.Each, mixedTickets(mixSize)); err != nil {
		return err
	}
	for round := range c.Rounds {
		all := crowd{length: inSeconds(c.Seconds)}
		if err := measureLap(ctx, c, line, &s.direct, s.lane.controllers, all, round+1,
			"through the lane"); err != nil {
			return err
		}
	}
	return nil
}

// halfLap lets half as many customers come, and reads meanwhile what the house itself says
// of how long it takes.
func (c *sellCmd) halfLap(ctx context.Context, s *sellStand, line statusLine, half crowd, round int) error {
	before, err := s.process.waits(ctx)
	if err != nil {
		return err
	}
	if err := measureLap(ctx, c, line, &s.half, s.controllers, half, round,
		"half as many through the API"); err != nil {
		return err
	}
	after, err := s.process.waits(ctx)
	if err != nil {
		return err
	}
	s.waits = addWaits(s.waits, before, after)
	return nil
}

func measureLap[S seller](ctx context.Context, c *sellCmd, line statusLine, laps *[]lap, sellers []S, crowd crowd,
	round int, how string) error {
	var sold atomic.Int64
	done := line.follow(func(elapsed time.Duration) string {
		return fmt.Sprintf("round %d of %d, %s: %2.0f of %v s, %s", round, c.Rounds, how, elapsed.Seconds(), c.Seconds,
			console.Counted(sold.Load()))
	})
	l, err := drive(ctx, sellers, crowd, &sold)
	done()
	*laps = append(*laps, l)
	return err
}
