package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/house"
)

// drawCmd measures what a game takes from its close until prizes are paid.
type drawCmd struct {
	Tickets  int    `default:"1000000" placeholder:"N" help:"Tickets that play in every game (${default})."`
	Rounds   int    `default:"3" placeholder:"N" help:"Games; the median counts (${default})."`
	Dir      string `placeholder:"DIR" help:"Directory on the disk to measure; the system's for temporary files if not given."`
	Database string `placeholder:"URL" help:"PostgreSQL database to measure. A schema is made in it and removed again."`
	JSON     bool   `name:"json" help:"Write the report as JSON."`
}

// drawStages are what a game goes through, each until it is durable.
var drawStages = []string{"close and seal", "20 numbers", "signed by the device", "settlement", "first claim"}

// drawReport is what a measurement of games came to.
type drawReport struct {
	Machine     machine  `json:"machine"`
	Tickets     int      `json:"tickets"`
	Rounds      int      `json:"rounds"`
	Stages      []stage  `json:"stages"`
	TotalMicros int64    `json:"total_us"` // from the close to the first claim
	Totals      []int64  `json:"total_us_by_round"`
	Commits     int      `json:"commits"` // one after the other in that time
	Commit      pace     `json:"single_commits"`
	Verify      verified `json:"verify"`
}

// stage is one of what a game goes through, the median of the rounds.
type stage struct {
	Name   string `json:"name"`
	Micros int64  `json:"us"`
}

// drawCommits is how many batches a game of 20 numbers is made durable in.
const drawCommits = 1 + 20 + 1 + 1 + 1

// Run implements the command.
func (c *drawCmd) Run(out *bytes.Buffer) error {
	if err := errors.Join(checkCount("--tickets", c.Tickets, 100_000_000),
		checkCount("--rounds", c.Rounds, longGames-1)); err != nil {
		return err
	}
	report, err := measured(out, c.Dir, c.Database, c.JSON, c.measure)
	if err == nil && !report.Verify.Holds {
		err = errNotCounted
	}
	return err
}

func (c *drawCmd) measure(ctx context.Context, place *site) (*drawReport, error) {
	line := newStatusLine(os.Stderr)
	defer line.clear()
	full, err := openFullHouse(ctx, place, max(c.Tickets, certain), line)
	if err != nil {
		return nil, err
	}
	report := &drawReport{Machine: thisMachine(), Tickets: full.tickets, Rounds: c.Rounds, Commits: drawCommits}
	rounds := make([][]time.Duration, len(drawStages))
	for round := range c.Rounds {
		line.show("drawing game %d of %d", round+1, c.Rounds)
		took, err := full.play(ctx)
		if err != nil {
			return nil, errors.Join(err, full.close(ctx))
		}
		var total time.Duration
		for i, t := range took {
			rounds[i] = append(rounds[i], t)
			total += t
		}
		report.Totals = append(report.Totals, total.Microseconds())
	}
	report.TotalMicros = median(report.Totals)
	for i, name := range drawStages {
		report.Stages = append(report.Stages, stage{name, median(rounds[i]).Microseconds()})
	}
	if report.Commit, err = commitPace(ctx, place, full); err != nil {
		return nil, errors.Join(err, full.close(ctx))
	}
	line.show("verifying the journal")
	report.Verify, err = full.verifyFull(ctx, place)
	return report, err
}

// play closes the game that is on sale, draws it without a show, settles it and has the
// first prize paid. It returns how long each stage took.
func (f *fullHouse) play(ctx context.Context) ([]time.Duration, error) {
	var (
		took    []time.Duration
		ordinal uint32
		drawn   house.Game
	)
	for _, step := range []func() error{
		func() error {
			err := f.house.First().TurnGame(ctx, time.Now().Add(time.Hour))
			ordinal = f.house.First().Games(2)[1].Ordinal
			return err
		},
		func() error {
			for range 20 {
				if err := f.house.First().DrawNumber(ctx, ordinal); err != nil {
					return err
				}
			}
			return nil
		},
		func() error { return f.house.First().FinishDraw(ctx, ordinal) },
		func() error {
			err := f.house.First().SettleGame(ctx, ordinal)
			drawn = f.house.First().Games(2)[1]
			return err
		},
		func() error { return f.claim(ctx, drawn) },
	} {
		begin := time.Now()
		if err := step(); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begin))
	}
	return took, nil
}

// commitPace measures single commits on the same storage, for a second.
func commitPace(ctx context.Context, place *site, full *fullHouse) (pace, error) {
	data, err := full.store.Record(ctx, full.winners[1])
	if err != nil {
		return pace{}, err
	}
	storage, err := place.storage(ctx, "single")
	if err != nil {
		return pace{}, err
	}
	single, err := openCommitter(ctx, storage, data)
	if err != nil {
		return pace{}, err
	}
	var sold atomic.Int64
	l, err := drive(ctx, []*committer{single}, crowd{length: time.Second}, &sold)
	return paceOf([]lap{l}), errors.Join(err, single.store.Close())
}

// writeText writes the report for people.
func (r *drawReport) writeText(w *bytes.Buffer) {
	fmt.Fprintf(w, "%s tickets in every game, %d games, %v\n\n", console.Counted(r.Tickets), r.Rounds, r.Machine)
	for _, s := range r.Stages {
		fmt.Fprintf(w, "%-24s %12s\n", s.Name, millis(s.Micros))
	}
	fmt.Fprintf(w, "%-24s %12s\n\n", "close to first claim", millis(r.TotalMicros))
	fmt.Fprintf(w, "%-9s %d one after the other; by itself one takes %s (p50), %s (p99)\n", "commits", r.Commits,
		millis(r.Commit.P50Micros), millis(r.Commit.P99Micros))
	r.Verify.writeText(w)
}
