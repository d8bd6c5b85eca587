package bench

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"drawhouse/check/verify"
	"drawhouse/cmd/drawhouse/console"
)

// sellReport is what a measurement of sales came to.
type sellReport struct {
	Machine   machine `json:"machine"`
	Dir       string  `json:"dir"`
	Terminals int     `json:"terminals"`
	Each      int     `json:"terminals_each_controller"`
	Rounds    int     `json:"rounds"`
	Seconds   float64 `json:"seconds"`

	// TimesSingle is the tickets a second through the API over single commits a
	// second; TimesLane over tickets a second without HTTP.
	TimesSingle float64 `json:"times_single_commits"`
	TimesLane   float64 `json:"times_lane"`

	API    pace `json:"api"`
	Half   pace `json:"api_at_half_rate"` // waits from when customers came
	Lane   pace `json:"lane"`
	Single pace `json:"single_commits"`
	// Waits are how often customers waited long at half the rate, and for what in the house.
	Waits []waited `json:"waits_at_half_rate"`
	// PGBench is the yardstick on PostgreSQL.
	PGBench *pgbenchReport `json:"pgbench,omitempty"`

	Refused            map[string]int `json:"refused"` // by code, through the API
	HouseCPUSeconds    float64        `json:"house_cpu_seconds"`
	TerminalCPUSeconds float64        `json:"terminal_cpu_seconds"`
	// by both while tickets were sold; others had the rest, or it was idle
	CoresUsed float64  `json:"cores_used"`
	Answered  uint64   `json:"tickets_answered"`
	Verify    verified `json:"verify"`
}

// pace is how fast one of the contenders was: the median of the rounds, but the
// longest wait of all.
type pace struct {
	PerSecond float64   `json:"per_second"`
	Rounds    []float64 `json:"per_second_by_round"`
	P50Micros int64     `json:"p50_us"`
	P99Micros int64     `json:"p99_us"`
	MaxMicros int64     `json:"max_us"`
}

// verified is the second opinion on the journal of the measurement.
type verified struct {
	Holds   bool    `json:"holds"`
	Why     string  `json:"why,omitempty"` // it does not hold
	Tickets uint64  `json:"tickets"`
	Games   uint64  `json:"games_settled"`
	Seconds float64 `json:"seconds"`
}

func paceOf(laps []lap) pace {
	var (
		p            pace
		halves, most []int64
	)
	for _, l := range laps {
		p.Rounds = append(p.Rounds, l.rate())
		halves = append(halves, l.wait(50).Microseconds())
		most = append(most, l.wait(99).Microseconds())
		p.MaxMicros = max(p.MaxMicros, l.wait(100).Microseconds())
	}
	p.PerSecond, p.P50Micros, p.P99Micros = median(p.Rounds), median(halves), median(most)
	return p
}

// report adds the rounds up.
func (s *sellStand) report() *sellReport {
	r := &sellReport{
		API: paceOf(s.api), Half: paceOf(s.half), Lane: paceOf(s.direct), Single: paceOf(s.single),
		Refused:         map[string]int{},
		HouseCPUSeconds: s.houseCPU.Seconds(), TerminalCPUSeconds: s.terminalCPU.Seconds(),
		Waits: append([]waited{customersOf(s.half)}, s.waits...),
	}
	r.TimesSingle, r.TimesLane = r.API.PerSecond/r.Single.PerSecond, r.API.PerSecond/r.Lane.PerSecond
	var elapsed time.Duration
	for _, l := range slices.Concat(s.api, s.half) {
		r.Answered += uint64(l.sold)
		elapsed += l.elapsed
		for code, n := range l.refused {
			r.Refused[code] += n
		}
	}
	r.CoresUsed = (s.houseCPU + s.terminalCPU).Seconds() / elapsed.Seconds()
	return r
}

// verifiedOf holds the second opinion against what was told: the journal must have the
// tickets that were sold, and no others.
func verifiedOf(report *verify.Report, told uint64, took time.Duration) verified {
	v := verified{Holds: report.OK(), Tickets: report.Tickets, Games: report.Settled, Seconds: took.Seconds()}
	switch {
	case !report.OK():
		v.Why = report.Failure.Error()
	case report.Tickets != told:
		v.Holds = false
		v.Why = fmt.Sprintf("the journal has %s tickets, %s were told to be sold", console.Counted(report.Tickets),
			console.Counted(told))
	}
	return v
}

// writeText writes the second opinion for people.
func (v *verified) writeText(w *bytes.Buffer) {
	if !v.Holds {
		fmt.Fprintf(w, "%-9s DOES NOT HOLD: %s\n", "verify", v.Why)
		return
	}
	fmt.Fprintf(w,
		"%-9s everything holds: %s tickets, as terminals were told, and %d games settled; %s tickets a second\n", "verify",
		console.Counted(v.Tickets), v.Games, console.Counted(int64(float64(v.Tickets)/v.Seconds)))
}

// writeText writes the report for people.
func (r *sellReport) writeText(b *bytes.Buffer) {
	fmt.Fprintf(b, "%d terminals, %s, %d rounds of %v s each in turns, %v, data below %s\n\n", r.Terminals, r.carried(),
		r.Rounds, r.Seconds, r.Machine, r.Dir)
	fmt.Fprintf(b, "%-30s %9s %9s %9s %9s\n", "", "a second", "p50", "p99", "longest")
	for _, row := range []struct {
		name string
		pace
	}{{"tickets through the API", r.API}, {"half as many customers", r.Half}, {"tickets without HTTP",
		r.Lane}, {"single commits", r.Single}} {
		fmt.Fprintf(b, "%-30s %9s %9s %9s %9s\n", row.name, console.Counted(int64(row.PerSecond)),
			millis(row.P50Micros), millis(row.P99Micros), millis(row.MaxMicros))
	}
	if p := r.PGBench; p != nil {
		fmt.Fprintf(b, "%-30s %9s %9s\n",
			"pgbench transactions", console.Counted(int64(p.PerSecond)), millis(p.MeanMicros)+" on average")
	}
	writeWaits(b, r.Waits)
	if p := r.PGBench; p != nil {
		fmt.Fprintf(b, "\n%-9s %s\n", "server", p.Server)
		fmt.Fprintf(b, "%-9s %.2f times pgbench -N -M prepared -c %d -j %d at scale %d, which itself used %.1f s of CPU",
			"ratio", p.TimesPGBench,
			pgbenchClients, pgbenchThreads, p.Scale, p.ClientCPUSeconds)
	}
	fmt.Fprintf(b, "\n%-9s %.1f times single commits; %.2f times tickets without HTTP\n", "ratio", r.TimesSingle,
		r.TimesLane)
	fmt.Fprintf(b, "%-9s %s\n", "refused", r.refusals())
	fmt.Fprintf(b, "%-9s house %.1f s, %.0f us a ticket; terminals %.1f s, %.0f us a ticket; %.1f of %d cores\n", "CPU",
		r.HouseCPUSeconds,
		1e6*r.HouseCPUSeconds/float64(r.Answered), r.TerminalCPUSeconds, 1e6*r.TerminalCPUSeconds/float64(
			r.Answered), r.CoresUsed, r.Machine.Cores)
	r.Verify.writeText(b)
}

// carried says how sales come to the house.
func (r *sellReport) carried() string {
	if r.Each == 1 {
		return "each on a connection of its own"
	}
	return fmt.Sprintf("%d to a controller", r.Each)
}

// refusals lists the codes and how often each came.
func (r *sellReport) refusals() string {
	if len(r.Refused) == 0 {
		return "none"
	}
	var list []string
	for _, code := range slices.Sorted(maps.Keys(r.Refused)) {
		list = append(list, fmt.Sprintf("%s %s", console.Counted(r.Refused[code]), code))
	}
	return strings.Join(list, ", ")
}

// millis writes microseconds as milliseconds.
func millis(micros int64) string { return fmt.Sprintf("%.2f ms", float64(micros)/1000) }
