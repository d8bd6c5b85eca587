package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"drawhouse/cmd/drawhouse/console"
)

// The yardstick on PostgreSQL is pgbench, which comes with the server: its simple
// update, prepared, by 32 clients on two threads, on the tables of scale 10.
const (
	pgbenchScale   = 10 // for the figures of a document
	pgbenchClients = 32
	pgbenchThreads = 2
)

// pgbench measures what the same server does with one update and one insert a
// transaction.
type pgbench struct {
	program  string
	database string
	scale    int // of its tables
	laps     []pgbenchLap
	cpu      time.Duration // of the client
}

// pgbenchLap is what pgbench says of one round.
type pgbenchLap struct {
	perSecond float64
	mean      time.Duration // to a transaction's answer
}

// findPGBench returns where pgbench is. Debian keeps it off the path of some.
func findPGBench() (string, error) {
	if path, err := exec.LookPath("pgbench"); err == nil {
		return path, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/pgbench")
	if err == nil && len(found) == 0 {
		err = errors.New("pgbench is not installed (Debian: postgresql-contrib or postgresql)")
	}
	if err != nil {
		return "", console.Misused("--database", err)
	}
	return found[len(found)-1], nil
}

// openPGBench makes pgbench's tables.
func openPGBench(ctx context.Context, database string, scale int) (*pgbench, error) {
	program, err := findPGBench()
	if err != nil {
		return nil, err
	}
	p := &pgbench{program: program, database: database, scale: scale}
	_, err = p.run(ctx, "-i", "--quiet", fmt.Sprintf("--scale=%d", scale))
	return p, err
}

// run runs pgbench and adds its processor time.
func (p *pgbench) run(ctx context.Context, args ...string) ([]byte, error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, p.program, append(args, p.database)...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("pgbench: %w; it says:\n%s", err, &said)
	}
	p.cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return out, nil
}

// longestRound bounds a round on a machine that is too busy for a shorter one, in seconds.
const longestRound = 60

// measure runs one round. A round in which a busy machine did nothing is too short: it is run again,
// twice as long.
func (p *pgbench) measure(ctx context.Context, length time.Duration) error {
	for seconds := int(math.Ceil(length.Seconds())); ; { // It counts whole seconds.
		out, err := p.run(ctx, "--no-vacuum", "--skip-some-updates", "--protocol=prepared",
			fmt.Sprintf("--client=%d", pgbenchClients),
			fmt.Sprintf("--jobs=%d", pgbenchThreads), fmt.Sprintf("--time=%d", seconds))
		if err != nil {
			return err
		}
		if seconds *= 2; pgbenchIdle.Match(out) && seconds <= longestRound {
			continue
		}
		l, err := parsePGBench(out)
		p.laps = append(p.laps, l)
		return err
	}
}

var (
	pgbenchRate = regexp.MustCompile(`(?m)^tps = ([0-9.]+) `)
	pgbenchIdle = regexp.MustCompile(`(?m)^number of transactions actually processed: 0(?:/|$)`)
	pgbenchMean = regexp.MustCompile(`(?m)^latency average = ([0-9.]+) ms`)
)

// parsePGBench reads the report of pgbench.
func parsePGBench(out []byte) (pgbenchLap, error) {
	rate, mean := pgbenchRate.FindSubmatch(out), pgbenchMean.FindSubmatch(out)
	if rate == nil || mean == nil {
		return pgbenchLap{}, fmt.Errorf("pgbench: its report has no rate:\n%s", out)
	}
	perSecond, rateErr := strconv.ParseFloat(string(rate[1]), 64)
	millis, meanErr := strconv.ParseFloat(string(mean[1]), 64)
	return pgbenchLap{perSecond: perSecond,
		mean: time.Duration(millis * float64(time.Millisecond))}, errors.Join(rateErr, meanErr)
}

// pgbenchReport is the part of the report that is about pgbench.
type pgbenchReport struct {
	Server           string    `json:"server"`
	Scale            int       `json:"scale"`
	TimesPGBench     float64   `json:"times_pgbench"` // tickets a second through the API over its transactions a second
	PerSecond        float64   `json:"per_second"`
	Rounds           []float64 `json:"per_second_by_round"`
	MeanMicros       int64     `json:"mean_us"`
	ClientCPUSeconds float64   `json:"client_cpu_seconds"` // of pgbench itself
}

// report adds the rounds up.
func (p *pgbench) report(server string, api pace) *pgbenchReport {
	r := &pgbenchReport{Server: server, Scale: p.scale, ClientCPUSeconds: p.cpu.Seconds()}
	var means []int64
	for _, l := range p.laps {
		r.Rounds = append(r.Rounds, l.perSecond)
		means = append(means, l.mean.Microseconds())
	}
	r.PerSecond, r.MeanMicros = median(r.Rounds), median(means)
	r.TimesPGBench = api.PerSecond / r.PerSecond
	return r
}
