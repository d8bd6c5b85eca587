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
	ready *Readiness
	bytes func(context.Context) (int64, error)
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("drawhouse_"+name, help, labels, nil)
}

var (
	laneUp       = desc("lane_up", "1 while the lane decides.")
	laneWaiting  = desc("lane_queue_commands", "Commands that wait to be decided.")
	laneRoom     = desc("lane_queue_capacity", "Commands that may wait; one more is answered with busy.")
	journalSize  = desc("journal_records", "Records in the volume that is written.")
	journalAge   = desc("journal_written_timestamp_seconds", "When the last record was made.")
	openTickets  = desc("open_tickets", "Tickets in the games on sale.")
	openWays     = desc("open_ways", "Ways that the tickets in the games on sale play.")
	onSale       = desc("game_on_sale", "1 while a game is on sale.")
	unsettled    = desc("games_unsettled", "Games that are closed and have no result yet.")
	trialBalance = desc("ledger_trial_balance_cents", "What all balances add up to. Anything but 0 is a fault.")
	sseClients   = desc("live_streams", "Clients that follow the live events.")
	storeBytes   = desc("store_bytes", "What the journal's store takes.")
	witnessAt    = desc("witness_cosigned_timestamp_seconds",
		"When a witness last cosigned a seal; 0 for not since the start.", "witness")
	witnessOK = desc("witness_up",
		"1 if the witness cosigned the last seal that it was asked for.", "witness", "required")
	alarmCount = desc("alarm", "Alarms of a part of the house that stand. A house with alarms may be ready.", "part")
	readyCheck = desc("ready", "1 if every check of readiness holds.")
)

// canaryGauges tells what became of the canary's last try.
type canaryGauges struct{ canary *Canary }

var (
	canaryUp = desc("canary_up",
		"1 if the canary's last try found that the house could sell, or refuses by its rules.")
	canaryAt      = desc("canary_timestamp_seconds", "When the canary last tried; 0 for not yet.")
	canaryTook    = desc("canary_seconds", "How long the canary's last try took.")
	canaryRefused = desc("canary_refused",
		"1 if the rules refuse a sale now, such as while no game is on sale.", "code")
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
		trialBalance, sseClients, storeBytes, witnessAt, witnessOK, alarmCount, readyCheck,
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
	for part, n := range countAlarms(g.house.Alarms(), g.house.SeriesIDs()) {
		gauge(alarmCount, float64(n), string(part))
	}
	gauge(readyCheck, oneIf(g.ready.Check(ctx) == nil))
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
