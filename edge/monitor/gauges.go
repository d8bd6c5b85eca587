package monitor

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"drawhouse/house"
)

// gauges asks a house how it stands whenever the metrics are read.
type gauges struct {
	house House
	bytes func(context.Context) (int64, error)
}

var (
	laneUp       = desc("lane_up")
	laneWaiting  = desc("lane_queue_commands")
	laneRoom     = desc("lane_queue_capacity")
	journalSize  = desc("journal_records")
	journalAge   = desc("journal_written_timestamp_seconds")
	openTickets  = desc("open_tickets")
	openWays     = desc("open_ways")
	onSale       = desc("game_on_sale")
	unsettled    = desc("games_unsettled")
	trialBalance = desc("ledger_trial_balance_cents")
	sseClients   = desc("live_streams")
	storeBytes   = desc("store_bytes")
	witnessAt    = desc("witness_cosigned_timestamp_seconds")
	witnessOK    = desc("witness_up")
	keyUp        = desc("key_up")
	keyTook      = desc("key_signature_seconds")
	alarmCount   = desc("alarm")
	roleIs       = desc("role")
	lagRecords   = desc("follower_lag_records")
	lagSeconds   = desc("follower_lag_seconds")
)

// checkGauges tells which checks hold.
type checkGauges struct{ checks *Readiness }

var (
	readyFor  = desc("ready")
	checkedBy = desc("check")
)

// Describe implements prometheus.Collector.
func (checkGauges) Describe(ch chan<- *prometheus.Desc) {
	ch <- readyFor
	ch <- checkedBy
}

// Collect implements prometheus.Collector.
func (g checkGauges) Collect(ch chan<- prometheus.Metric) {
	for _, of := range g.checks.Purposes() {
		results := g.checks.Ask(context.Background(), of)
		for _, one := range results {
			ch <- prometheus.MustNewConstMetric(checkedBy, prometheus.GaugeValue, oneIf(one.Err == nil), string(of), one.Check)
		}
		ch <- prometheus.MustNewConstMetric(readyFor, prometheus.GaugeValue, oneIf(firstFailure(results) == nil), string(of))
	}
}

// asked is a gauge that is asked for whenever the metrics are read, and left out where nobody knows.
type asked struct {
	name  string
	value func() (float64, error)
}

// Describe implements prometheus.Collector.
func (a asked) Describe(ch chan<- *prometheus.Desc) { ch <- desc(a.name) }

// Collect implements prometheus.Collector.
func (a asked) Collect(ch chan<- prometheus.Metric) {
	if v, err := a.value(); err == nil {
		ch <- prometheus.MustNewConstMetric(desc(a.name), prometheus.GaugeValue, v)
	}
}

// cosigned tells how far a witness has cosigned logs.
type cosigned func() []Cosigned

var (
	cosignedTo = desc("cosigned_entries")
	cosignedAt = desc("cosigned_timestamp_seconds")
	forkedLog  = desc("forked")
)

// Describe implements prometheus.Collector.
func (cosigned) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{cosignedTo, cosignedAt, forkedLog} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (c cosigned) Collect(ch chan<- prometheus.Metric) {
	for _, log := range c() {
		ch <- prometheus.MustNewConstMetric(cosignedTo, prometheus.GaugeValue, float64(log.Entries), log.Origin)
		ch <- prometheus.MustNewConstMetric(cosignedAt, prometheus.GaugeValue, float64(log.At), log.Origin)
		ch <- prometheus.MustNewConstMetric(forkedLog, prometheus.GaugeValue, oneIf(log.Forked), log.Origin)
	}
}

// canaryGauges tells what became of the canary's last try.
type canaryGauges struct{ canary *Canary }

var (
	canaryUp      = desc("canary_up")
	canaryAt      = desc("canary_timestamp_seconds")
	canaryTook    = desc("canary_seconds")
	canaryRefused = desc("canary_refused")
)

// Describe implements prometheus.Collector.
func (canaryGauges) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{canaryUp, canaryAt, canaryTook, canaryRefused} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (g canaryGauges) Collect(ch chan<- prometheus.Metric) {
	o := g.canary.Last()
	ch <- prometheus.MustNewConstMetric(canaryAt, prometheus.GaugeValue, seconds(o.At))
	if o.At.IsZero() {
		return
	}
	ch <- prometheus.MustNewConstMetric(canaryUp, prometheus.GaugeValue, oneIf(o.Err == nil))
	ch <- prometheus.MustNewConstMetric(canaryTook, prometheus.GaugeValue, o.Took.Seconds())
	if o.Refused != "" {
		ch <- prometheus.MustNewConstMetric(canaryRefused, prometheus.GaugeValue, 1, o.Refused)
	}
}

// Describe implements prometheus.Collector.
func (*gauges) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		laneUp, laneWaiting, laneRoom, journalSize, journalAge, openTickets, openWays, onSale, unsettled,
		trialBalance, sseClients, storeBytes, witnessAt, witnessOK, keyUp, keyTook, alarmCount, roleIs,
		lagRecords, lagSeconds,
	} {
		ch <- d
	}
}

// Collect implements prometheus.Collector. What cannot be asked is left out, and that
// the lane is down is said.
func (g *gauges) Collect(ch chan<- prometheus.Metric) {
	// The registry asks on goroutines of its own, on which a panic would end the process.
	_ = g.house.Contain(house.PartInterface, "reading the metrics", func() error { g.collect(ch); return nil })
}

func (g *gauges) collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	s, err := g.house.Condition(ctx)
	gauge(laneUp, oneIf(err == nil))
	if err == nil {
		gauge(journalSize, float64(s.Next.Seq))
		gauge(journalAge, seconds(s.Written))
		gauge(openTickets, float64(s.Tickets))
		gauge(openWays, float64(s.Ways))
		gauge(onSale, oneIf(s.OnSale))
		gauge(unsettled, float64(s.Unsettled))
		gauge(trialBalance, float64(s.Trial))
	}
	waiting, room := g.house.Waiting()
	gauge(laneWaiting, float64(waiting))
	gauge(laneRoom, float64(room))
	gauge(sseClients, float64(g.house.Streams()))
	if g.bytes != nil {
		if n, err := g.bytes(ctx); err == nil {
			gauge(storeBytes, float64(n))
		}
	}
	for _, w := range g.house.Witnesses() {
		gauge(witnessAt, seconds(w.At), w.Name)
		gauge(witnessOK, oneIf(w.Err == nil && !w.At.IsZero()), w.Name, yesNo(w.Required))
	}
	for _, k := range g.house.KeysSign() {
		gauge(keyUp, oneIf(k.Err == nil), k.Key)
		gauge(keyTook, k.Took.Seconds(), k.Key)
	}
	for part, n := range countAlarms(g.house.Alarms(), g.house.SeriesIDs()) {
		gauge(alarmCount, float64(n), string(part))
	}
	at := g.house.Standing()
	now := roleOf(at)
	for _, role := range roles {
		gauge(roleIs, oneIf(role == now), role)
	}
	if now == roleFollower {
		gauge(lagRecords, float64(at.Lag.Records))
		gauge(lagSeconds, at.Lag.Behind.Seconds())
	}
}

// The roles of a house.
const (
	roleWriter   = "writer"
	roleFollower = "follower"
	roleResting  = "resting"
)

var roles = []string{roleWriter, roleFollower, roleResting}

func roleOf(s house.Standing) string {
	switch {
	case s.Resting != nil:
		return roleResting
	case s.Follows:
		return roleFollower
	}
	return roleWriter
}

// countAlarms counts alarms by part. Parts that every house has are counted when they
// have none, too, so that who watches knows their names.
func countAlarms(alarms []house.Alarm, series []uint8) map[house.Part]int {
	counts := map[house.Part]int{}
	for _, part := range house.Parts(series) {
		counts[part] = 0
	}
	for _, a := range alarms {
		counts[a.Part]++
	}
	return counts
}

func oneIf(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

func yesNo(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}

// seconds returns a time as Prometheus counts it.
func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}
