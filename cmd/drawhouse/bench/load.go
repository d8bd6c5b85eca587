package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"drawhouse/cmd/drawhouse/console"
)

// loadCmd measures what customers meet as ever more of them come. They come by
// themselves and do not wait for those before (an open model), and who has stood in the
// queue for longer than their patience goes away. The rate at which all can just be
// served is the yardstick.
type loadCmd struct {
	Terminals int           `default:"5120" placeholder:"N" help:"Terminals that sell at once, each with one request in flight (${default})."`
	Each      int           `default:"256" placeholder:"N" help:"Terminals of a venue whose controller carries their sales on one connection (${default})."`
	Seconds   float64       `default:"5" placeholder:"N" help:"Length of each step (${default})."`
	Steps     []int         `default:"25,50,75,100,150,200,500,1000" placeholder:"N,..." help:"How many customers come, in hundredths of those who can be served (${default})."`
	Patience  time.Duration `default:"1s" placeholder:"DURATION" help:"How long a customer waits for a terminal (${default})."`
	Dir       string        `placeholder:"DIR" help:"Directory on the disk to measure; the system's for temporary files if not given."`
	Database  string        `placeholder:"URL" help:"PostgreSQL database to measure."`
	JSON      bool          `name:"json" help:"Write the report as JSON."`
}

// loadReport is what a measurement of load came to.
type loadReport struct {
	Machine   machine    `json:"machine"`
	Terminals int        `json:"terminals"`
	Seconds   float64    `json:"seconds"`
	Served    float64    `json:"served_per_second"` // with a customer always waiting
	Steps     []loadStep `json:"steps"`
	Answered  uint64     `json:"tickets_answered"`
	Verify    verified   `json:"verify"`
}

// loadStep is one rate of customers.
type loadStep struct {
	Percent   int     `json:"percent_of_served"`
	PerSecond float64 `json:"customers_per_second"`
	Sold      float64 `json:"sold_per_second"`
	P50Micros int64   `json:"p50_us"`
	P99Micros int64   `json:"p99_us"`
	Refused   int     `json:"refused"` // before anything was accepted
	Left      int     `json:"left"`
}

// Run implements the command.
func (c *loadCmd) Run(out *bytes.Buffer) error {
	if err := errors.Join(checkCount("--terminals", c.Terminals, 10_000), checkCount("--each", c.Each, 256),
		checkLength("--seconds", c.Seconds)); err != nil {
		return err
	}
	for _, percent := range c.Steps {
		if err := checkCount("--steps", percent, 10_000); err != nil {
			return err
		}
	}
	report, err := measured(out, c.Dir, c.Database, c.JSON, c.measure)
	if err == nil && !report.Verify.Holds {
		err = errNotCounted
	}
	return err
}

func (c *loadCmd) measure(ctx context.Context, place *site) (*loadReport, error) {
	line := newStatusLine(os.Stderr)
	defer line.clear()
	storage, err := place.storage(ctx, "house")
	if err != nil {
		return nil, err
	}
	process, err := startHouse(ctx, storage, c.Terminals)
	if err != nil {
		return nil, err
	}
	report := &loadReport{Machine: thisMachine(), Terminals: c.Terminals, Seconds: c.Seconds}
	if err := c.drive(ctx, process, report, line); err != nil {
		return nil, process.failed(err)
	}
	line.show("stopping the house and verifying its journal")
	if _, err := process.stop(); err != nil {
		return nil, err
	}
	second, err := verifyJournal(ctx, storage, filepath.Join(place.dir, "export"))
	if err != nil {
		return nil, err
	}
	report.Verify = verifiedOf(second.Report, report.Answered, second.took)
	return report, nil
}

// drive measures what can be served, and then each step.
func (c *loadCmd) drive(ctx context.Context, process *houseProcess, report *loadReport, line statusLine) error {
	controllers, err := dialControllers(process.address, c.Terminals, c.Each, mixedTickets(mixSize))
	if err != nil {
		return err
	}
	defer hangUp(controllers)
	var sold atomic.Int64
	length := inSeconds(c.Seconds)
	line.show("as many as can be served")
	all, err := drive(ctx, controllers, crowd{length: length}, &sold)
	if err != nil {
		return err
	}
	report.Served, report.Answered = all.rate(), uint64(all.sold)
	for _, percent := range c.Steps {
		line.show("%d%% of those who can be served", percent)
		rate := max(report.Served*float64(percent)/100, 1)
		l, err := drive(ctx, controllers, crowd{length: length, rate: rate, patience: c.Patience}, &sold)
		if err != nil {
			return err
		}
		refused := 0
		for _, n := range l.refused {
			refused += n
		}
		report.Answered += uint64(l.sold)
		report.Steps = append(report.Steps,
			loadStep{percent, rate, l.rate(), l.wait(50).Microseconds(), l.wait(99).Microseconds(), refused, l.left})
	}
	return nil
}

// knee is the step from which on not all customers are served.
func (r *loadReport) knee() int {
	for _, s := range slices.Backward(r.Steps) {
		if s.Refused == 0 && s.Left == 0 {
			return s.Percent
		}
	}
	return 0
}

// writeText writes the report for people.
func (r *loadReport) writeText(b *bytes.Buffer) {
	fmt.Fprintf(b, "%s terminals, steps of %v s, %v; %s tickets a second with a customer always waiting\n\n",
		console.Counted(r.Terminals), r.Seconds, r.Machine, console.Counted(int64(r.Served)))
	fmt.Fprintf(b, "%8s %12s %12s %9s %9s %9s %9s\n", "of that", "customers/s", "sold/s", "p50", "p99", "refused",
		"went away")
	for _, s := range r.Steps {
		fmt.Fprintf(b, "%7d%% %12s %12s %9s %9s %9s %9s\n", s.Percent, console.Counted(int64(s.PerSecond)),
			console.Counted(int64(s.Sold)), millis(s.P50Micros), millis(s.P99Micros), console.Counted(s.Refused),
			console.Counted(s.Left))
	}
	fmt.Fprintf(b, "\n%-9s up to %d%% everybody is served\n", "knee", r.knee())
	r.Verify.writeText(b)
}
