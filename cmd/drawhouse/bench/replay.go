package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/house"
)

// replayCmd measures how long a house takes to open on a journal, by replaying all
// of it and from a snapshot.
type replayCmd struct {
	Tickets  int    `default:"1000000" placeholder:"N" help:"Tickets in the journal (${default})."`
	Rounds   int    `default:"3" placeholder:"N" help:"Rounds of each; the median counts (${default})."`
	Dir      string `placeholder:"DIR" help:"Directory on the disk to measure; the system's for temporary files if not given."`
	Database string `placeholder:"URL" help:"PostgreSQL database to measure. A schema is made in it and removed again."`
	JSON     bool   `name:"json" help:"Write the report as JSON."`
}

// replayReport is what a measurement of openings came to.
type replayReport struct {
	Machine       machine   `json:"machine"`
	Records       uint64    `json:"records"`
	Rounds        int       `json:"rounds"`
	Times         float64   `json:"times_reading"` // opening over reading
	OpenSeconds   float64   `json:"open_seconds"`
	Opens         []float64 `json:"open_seconds_by_round"`
	OpenCPU       float64   `json:"open_cpu_seconds"`
	ReadSeconds   float64   `json:"reading_seconds"`
	RecordsSecond float64   `json:"records_per_second"`
	// Of opening from a snapshot.
	SnapshotSeconds float64   `json:"snapshot_seconds"`
	Snapshots       []float64 `json:"snapshot_seconds_by_round"`
	SnapshotCPU     float64   `json:"snapshot_cpu_seconds"`
	SnapshotBytes   int64     `json:"snapshot_bytes"`
	SnapshotTimes   float64   `json:"times_snapshot"` // opening without one over opening with one
}

// Run implements the command.
func (c *replayCmd) Run(out *bytes.Buffer) error {
	if err := errors.Join(checkCount("--tickets", c.Tickets, 100_000_000),
		checkCount("--rounds", c.Rounds, 100)); err != nil {
		return err
	}
	_, err := measured(out, c.Dir, c.Database, c.JSON, c.measure)
	return err
}

// measure fills a journal, and opens a house on it in turns with its yardstick: reading
// the same records from the same store.
func (c *replayCmd) measure(ctx context.Context, place *site) (*replayReport, error) {
	line := newStatusLine(os.Stderr)
	defer line.clear()
	full, err := openFullHouse(ctx, place, max(c.Tickets, certain), line)
	if err != nil {
		return nil, err
	}
	if err := full.close(ctx); err != nil {
		return nil, err
	}
	line.show("writing a snapshot")
	if _, err := reopen(ctx, full.storage, true); err != nil {
		return nil, err
	}
	written, err := os.Stat(full.storage.snapshots(0).File)
	if err != nil {
		return nil, err
	}
	report := &replayReport{Machine: thisMachine(), Rounds: c.Rounds, SnapshotBytes: written.Size()}
	var reads, openCPU, snapshotCPU []float64
	for round := range c.Rounds {
		line.show("round %d of %d: reading", round+1, c.Rounds)
		records, read, err := readJournal(ctx, full.storage)
		if err != nil {
			return nil, err
		}
		line.show("round %d of %d: opening", round+1, c.Rounds)
		whole, err := reopen(ctx, full.storage, false)
		if err != nil {
			return nil, err
		}
		line.show("round %d of %d: opening from a snapshot", round+1, c.Rounds)
		short, err := reopen(ctx, full.storage, true)
		if err != nil {
			return nil, err
		}
		report.Records, reads = records, append(reads, read.Seconds())
		report.Opens, openCPU = append(report.Opens, whole.took.Seconds()), append(openCPU, whole.cpu.Seconds())
		report.Snapshots, snapshotCPU = append(report.Snapshots, short.took.Seconds()), append(snapshotCPU,
			short.cpu.Seconds())
	}
	report.OpenSeconds, report.ReadSeconds, report.OpenCPU = median(report.Opens), median(reads), median(openCPU)
	report.SnapshotSeconds, report.SnapshotCPU = median(report.Snapshots), median(snapshotCPU)
	report.Times, report.RecordsSecond = report.OpenSeconds/report.ReadSeconds, float64(
		report.Records)/report.OpenSeconds
	report.SnapshotTimes = report.OpenSeconds / report.SnapshotSeconds
	return report, nil
}

// readJournal reads every record of a journal and does nothing with it.
func readJournal(ctx context.Context, storage location) (records uint64, took time.Duration, err error) {
	st, err := storage.open(ctx)
	if err != nil {
		return 0, 0, err
	}
	begin := time.Now()
	head, err := st.Head(ctx)
	if err == nil {
		err = st.Records(ctx, head.Volume, 0, head.Size, func(uint64, []byte) error {
			records++
			return nil
		})
	}
	return records, time.Since(begin), errors.Join(err, st.Close())
}

// reopening is what it took until a house could sell.
type reopening struct{ took, cpu time.Duration }

// reopen opens a house and closes it again, with snapshots or without.
func reopen(ctx context.Context, storage location, snapshot bool) (reopening, error) {
	var snapshots house.Snapshots // none
	if snapshot {
		snapshots = storage.snapshots(50) // so that a short journal has one, too
	}
	runtime.GC() // What the round before has left is not this one's.
	begin, before := time.Now(), ownCPU()
	st, err := storage.open(ctx)
	if err != nil {
		return reopening{}, err
	}
	h, err := storage.house(ctx, st, claimant, snapshots)
	o := reopening{time.Since(begin), ownCPU() - before}
	if err == nil {
		err = h.Close(ctx)
	}
	return o, errors.Join(err, st.Close())
}

// writeText writes the report for people.
func (r *replayReport) writeText(w *bytes.Buffer) {
	fmt.Fprintf(w, "%s records, %d rounds in turns, %v\n\n", console.Counted(r.Records), r.Rounds, r.Machine)
	fmt.Fprintf(w, "%-9s %6.2f s, %s records a second, %.2f s of CPU\n", "opening", r.OpenSeconds,
		console.Counted(int64(r.RecordsSecond)), r.OpenCPU)
	fmt.Fprintf(w, "%-9s %6.2f s: every record from the store, with nothing done to it\n", "reading", r.ReadSeconds)
	fmt.Fprintf(w, "%-9s %6.2f s, %.2f s of CPU, from %.1f MiB\n", "snapshot", r.SnapshotSeconds, r.SnapshotCPU,
		float64(r.SnapshotBytes)/(1<<20))
	fmt.Fprintf(w, "%-9s %6.2f opening to reading, %.1f opening to opening from a snapshot\n", "ratios", r.Times,
		r.SnapshotTimes)
}
