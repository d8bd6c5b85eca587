package monitor

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"drawhouse/core/money"
	"drawhouse/edge/api"
	"drawhouse/edge/certify"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// Metrics counts what a house does. Its methods may be called by any number of
// goroutines.
type Metrics struct {
	registry *prometheus.Registry

	records   *prometheus.CounterVec
	commands  prometheus.Counter
	groupSize prometheus.Observer
	decided   prometheus.Observer
	stored    prometheus.Observer
	settled   prometheus.Observer

	sales     *prometheus.CounterVec
	sold      *prometheus.CounterVec // in cents
	cancelled *prometheus.CounterVec // in cents
	fees      *prometheus.CounterVec // in cents

	requests *prometheus.CounterVec
	refusals *prometheus.CounterVec
	answered *prometheus.HistogramVec
	signOns  prometheus.Counter
	failed   prometheus.Counter // sign-ons
}

// Times from a tenth of a millisecond to some ten seconds, each twice the one before.
var times = prometheus.ExponentialBuckets(0.0001, 2, 17)

// newRegistry returns what every process serves: its build, the runtime and the process.
func newRegistry(version string) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		buildInfo(version))
	return registry
}

// NewMetrics returns the metrics of a house. Version names the build.
func NewMetrics(version string) *Metrics {
	m := &Metrics{
		registry: newRegistry(version),
		records:  counting("records_total"), commands: counterOf("lane_commands_total"),
		sales: counting("sales_total"), sold: counting("sales_cents_total"),
		cancelled: counting("cancelled_cents_total"), fees: counting("entry_fees_cents_total"),
		requests: counting("http_requests_total"), refusals: counting("refusals_total"),
		signOns: counterOf("sign_ons_total"), failed: counterOf("sign_on_failures_total"),
		answered: spreading("http_request_seconds", times),
	}
	alone := func(name string, buckets []float64) prometheus.Observer {
		h := spreading(name, buckets)
		m.registry.MustRegister(h)
		return h.WithLabelValues()
	}
	m.groupSize = alone("lane_group_commands", prometheus.ExponentialBuckets(1, 2, 11))
	m.decided, m.stored = alone("lane_decide_seconds", times), alone("lane_commit_seconds", times)
	m.settled = alone("settle_seconds", times)
	m.registry.MustRegister(m.records, m.commands, m.sales, m.sold, m.cancelled, m.fees, m.requests, m.refusals,
		m.answered, m.signOns, m.failed)
	return m
}

// A Cosigned log is one that a witness has cosigned.
type Cosigned struct {
	Origin  string
	Entries uint64
	At      int64 // in seconds; 0 if nobody knows
	Forked  bool
}

// NewHelperMetrics returns the metrics of a witness or a device: its checks, its requests, and what is free where its
// file is.
func NewHelperMetrics(version string, checks *Readiness, path string) *Metrics {
	m := &Metrics{registry: newRegistry(version), requests: counting("http_requests_total"),
		refusals: counting("refusals_total"), answered: spreading("http_request_seconds", times),
		signOns: counterOf("sign_ons_total"), failed: counterOf("sign_on_failures_total")}
	m.registry.MustRegister(m.requests, m.answered, checkGauges{checks}, freeAt(path))
	return m
}

// WatchCosigned adds how far a witness has cosigned logs, and how often it has refused what a house had signed.
func (m *Metrics) WatchCosigned(standings func() []Cosigned, refused func() uint64) {
	m.registry.MustRegister(cosigned(standings))
	f := family(kindCounter, "signed_refused_total")
	opts := prometheus.CounterOpts{Namespace: prefix, Name: f.Name, Help: f.Help}
	m.registry.MustRegister(prometheus.NewCounterFunc(opts, func() float64 { return float64(refused()) }))
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
	f := family(kindGauge, "build_info")
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: prefix, Name: f.Name, Help: f.Help}, f.Labels)
	g.With(labels).Set(1)
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
	counts, sold := map[record.Kind]int{}, map[uint8]sales{}
	for _, e := range g.Batch.Entries {
		kind, ok := record.KindOf(e.Data)
		if !ok {
			continue
		}
		counts[kind]++
		if series, cost, ok := record.SaleOf(e.Data); ok {
			s := sold[series]
			sold[series] = sales{s.tickets + 1, s.cents + cost}
			continue
		}
		m.turnover(kind, e.Data)
	}
	for series, s := range sold {
		m.sales.WithLabelValues(number(series)).Add(float64(s.tickets))
		m.sold.WithLabelValues(number(series)).Add(float64(s.cents))
	}
	for kind, n := range counts {
		m.records.WithLabelValues(strings.ReplaceAll(kind.String(), " ", "_")).Add(float64(n))
	}
	if counts[record.KindGameSettled] > 0 {
		m.settled.Observe((g.Decided + g.Stored).Seconds())
	}
}

// sales are the tickets of a series in a group.
type sales struct {
	tickets uint64
	cents   money.Amount
}

// turnover counts what a record takes in or gives back for tickets and entries. Most sales are counted before.
func (m *Metrics) turnover(kind record.Kind, data []byte) {
	switch kind {
	case record.KindTicketSold, record.KindTicketCancelled, record.KindPlayerEntered:
	default:
		return
	}
	r, err := record.Decode(data)
	if err != nil {
		return // The lane has encoded it; a reader that cannot read it says so.
	}
	switch b := r.Body.(type) {
	case *record.TicketSold:
		m.sales.WithLabelValues(number(b.Series)).Inc()
		m.sold.WithLabelValues(number(b.Series)).Add(float64(b.CostCents))
	case *record.TicketCancelled:
		m.cancelled.WithLabelValues(number(b.Series)).Add(float64(b.RefundCents + b.CarriedCents))
	case *record.PlayerEntered:
		m.fees.WithLabelValues(number(b.Hall)).Add(float64(b.FeeCents))
	}
}

// number returns the label of a series or a room.
func number(id uint8) string { return strconv.FormatUint(uint64(id), 10) }

// Exchange takes in a request that was answered.
func (m *Metrics) Exchange(e api.Exchange) {
	m.requests.WithLabelValues(e.Operation, strconv.Itoa(e.Status)).Inc()
	if e.Code != "" {
		m.refusals.WithLabelValues(string(e.Code)).Inc()
	}
	if e.SignedOn != 0 {
		m.signOns.Inc()
	}
	if e.Code == api.SignOnWrong {
		m.failed.Inc()
	}
	if !e.Streamed {
		m.answered.WithLabelValues(e.Operation).Observe(e.Took.Seconds())
	}
}

// Watch adds what is asked of a house whenever somebody looks. Bytes returns how much
// its store takes; nil where that cannot be told.
func (m *Metrics) Watch(h House, r *Readiness, bytes func(context.Context) (int64, error)) {
	for _, id := range h.SeriesIDs() {
		for _, c := range []*prometheus.CounterVec{m.sales, m.sold, m.cancelled} {
			c.WithLabelValues(number(id)) // So that the first sale of a series is a growth.
		}
	}
	m.registry.MustRegister(&gauges{house: h, bytes: bytes}, checkGauges{r})
}

// WatchCanary adds what a canary finds.
func (m *Metrics) WatchCanary(c *Canary) { m.registry.MustRegister(canaryGauges{c}) }

// WatchCertificate adds how the certificate of the house stands.
func (m *Metrics) WatchCertificate(status func() certify.Status) {
	at := func(of func(certify.Status) time.Time) func() (float64, error) {
		return func() (float64, error) {
			s := status()
			if s.Expires.IsZero() {
				return 0, errNoCertificate
			}
			return seconds(of(s)), nil
		}
	}
	m.registry.MustRegister(
		asked{"certificate_expires_timestamp_seconds", at(func(s certify.Status) time.Time { return s.Expires })},
		asked{"certificate_issued_timestamp_seconds", at(func(s certify.Status) time.Time { return s.Issued })},
		asked{"certificate_renewal_failed", func() (float64, error) { return oneIf(status().Last.Error != ""), nil }})
}

// errNoCertificate leaves out what a certificate would say.
var errNoCertificate = errors.New("there is no certificate")

// WatchBackups adds when the newest backup was made.
func (m *Metrics) WatchBackups(newest func() (time.Time, error)) {
	m.registry.MustRegister(asked{"backup_timestamp_seconds", func() (float64, error) {
		at, err := newest()
		return seconds(at), err
	}})
}

// WatchDisk adds how much is free where a path is.
func (m *Metrics) WatchDisk(path string) { m.registry.MustRegister(freeAt(path)) }

// freeAt is how much is free where a path is.
func freeAt(path string) asked {
	return asked{"disk_free_bytes", func() (float64, error) {
		n, err := freeBytes(path)
		return float64(n), err
	}}
}

// Handler answers with the metrics.
func (m *Metrics) Handler() http.Handler { return serving(m.registry) }

func serving(registry *prometheus.Registry) http.Handler {
	return promhttp.InstrumentMetricHandler(registry,
		promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry, Timeout: 10 * time.Second}))
}
