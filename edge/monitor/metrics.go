package monitor

import (
	"context"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"drawhouse/edge/api"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// Metrics counts what a house does. Its methods may be called by any number of
// goroutines.
type Metrics struct {
	registry *prometheus.Registry

	records   *prometheus.CounterVec
	commands  prometheus.Counter
	groupSize prometheus.Histogram
	decided   prometheus.Histogram
	stored    prometheus.Histogram
	settled   prometheus.Histogram

	requests *prometheus.CounterVec
	refusals *prometheus.CounterVec
	answered *prometheus.HistogramVec
	signOns  prometheus.Counter // that failed
}

// Times from a tenth of a millisecond to some ten seconds, each twice the one before.
var times = prometheus.ExponentialBuckets(0.0001, 2, 17)

// NewMetrics returns the metrics of a process. Version names the build.
func NewMetrics(version string) *Metrics {
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "drawhouse", Name: name, Help: help,
			Buckets: buckets})
	}
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "drawhouse", Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		records:  counters("records_total", "Records that are durable, by kind; ticket_sold are the sales.", "kind"),
		commands: prometheus.NewCounter(prometheus.CounterOpts{Namespace: "drawhouse", Name: "lane_commands_total",
			Help: "Commands that the lane decided, refusals and questions included."}),

		groupSize: histogram("lane_group_commands",
			"Commands decided and committed together.", prometheus.ExponentialBuckets(1, 2, 11)),
		decided: histogram("lane_decide_seconds", "Time of deciding a group.", times),
		stored:  histogram("lane_commit_seconds", "Time of making a group durable.", times),
		settled: histogram("settle_seconds",
			"Time of the group in which a game was settled, from deciding to durable.", times),

		requests: counters("http_requests_total", "Requests, by operation and status.", "operation", "status"),
		refusals: counters("refusals_total", "Requests that were refused, by the code of the answer.", "code"),
		signOns: prometheus.NewCounter(prometheus.CounterOpts{Namespace: "drawhouse", Name: "sign_on_failures_total",
			Help: "Sign-ons with a number and a password that are not one person's."}),
		answered: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "drawhouse",
			Name: "http_request_seconds", Help: "Time of a request, streams apart.",
			Buckets: times}, []string{"operation"}),
	}
	m.registry.MustRegister(m.records, m.commands, m.groupSize, m.decided, m.stored, m.settled, m.requests, m.refusals,
		m.answered, m.signOns,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), buildInfo(
			version))
	return m
}

// buildInfo is a gauge of 1 whose labels say which build this is.
func buildInfo(version string) prometheus.Collector {
	labels := prometheus.Labels{"version": version, "go": "", "revision": ""}
	if info, ok := debug.ReadBuildInfo(); ok {
		labels["go"] = info.GoVersion
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				labels["revision"] = s.Value
			}
		}
	}
	g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "drawhouse", Name: "build_info",
		Help: "Which build runs; always 1.", ConstLabels: labels})
	g.Set(1)
	return g
}

// Group takes in what the lane has committed.
func (m *Metrics) Group(g lane.Group) {
	m.commands.Add(float64(g.Commands))
	if len(g.Batch.Entries) == 0 {
		return // Questions alone are no commit.
	}
	m.groupSize.Observe(float64(g.Commands))
	m.decided.Observe(g.Decided.Seconds())
	m.stored.Observe(g.Stored.Seconds())
	counts := map[record.Kind]int{}
	for _, e := range g.Batch.Entries {
		if kind, ok := record.KindOf(e.Data); ok {
			counts[kind]++
		}
	}
	for kind, n := range counts {
		m.records.WithLabelValues(strings.ReplaceAll(kind.String(), " ", "_")).Add(float64(n))
	}
	if counts[record.KindGameSettled] > 0 {
		m.settled.Observe((g.Decided + g.Stored).Seconds())
	}
}

// Exchange takes in a request that was answered.
func (m *Metrics) Exchange(e api.Exchange) {
	m.requests.WithLabelValues(e.Operation, strconv.Itoa(e.Status)).Inc()
	if e.Code != "" {
		m.refusals.WithLabelValues(string(e.Code)).Inc()
	}
	if e.Code == api.SignOnWrong {
		m.signOns.Inc()
	}
	if !e.Streamed {
		m.answered.WithLabelValues(e.Operation).Observe(e.Took.Seconds())
	}
}

// Watch adds what is asked of a house whenever somebody looks. Bytes returns how much
// its store takes; nil where that cannot be told.
func (m *Metrics) Watch(h House, r *Readiness, bytes func(context.Context) (int64, error)) {
	m.registry.MustRegister(&gauges{house: h, ready: r, bytes: bytes})
}

// WatchCanary adds what a canary finds.
func (m *Metrics) WatchCanary(c *Canary) { m.registry.MustRegister(canaryGauges{c}) }

// WatchCertificate adds when the certificate of the house expires.
func (m *Metrics) WatchCertificate(expires func() time.Time) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace: "drawhouse", Name: "certificate_expires_timestamp_seconds",
		Help: "When the certificate in force expires.",
	}, func() float64 { return seconds(expires()) }))
}

// Handler answers with the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.InstrumentMetricHandler(m.registry,
		promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry, Timeout: 10 * time.Second}))
}
