package monitor

import (
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// A Program is a process that serves metrics.
type Program string

// The programs that serve metrics of this package.
const (
	OfHouse   Program = "house"
	OfWitness Program = "witness"
	OfDevice  Program = "device"
)

// A Family is one metric, as Prometheus reads it.
type Family struct {
	Name   string // without the prefix that all of them have
	Type   string // counter, gauge or histogram
	Help   string
	Labels []string
	By     []Program // who serves it
}

// FullName returns the name as it is served.
func (f Family) FullName() string { return prefix + "_" + f.Name }

const (
	prefix        = "drawhouse"
	kindCounter   = "counter"
	kindGauge     = "gauge"
	kindHistogram = "histogram"
)

var (
	byHouse   = []Program{OfHouse}
	byWitness = []Program{OfWitness}
	byAll     = []Program{OfHouse, OfWitness, OfDevice}
)

// families is the one list of the metrics: what is served, and what docs/METRICS.md says, comes from here.
var families = []Family{
	{"ready", kindGauge, "1 if every check of a purpose holds.", []string{"for"}, byAll},
	{"check", kindGauge, "1 if a check holds.", []string{"for", "check"}, byAll},
	{"build_info", kindGauge, "Which build runs; always 1.", []string{"version", "go", "revision"}, byAll},
	{"disk_free_bytes", kindGauge, "What is free for the data directory, a witness's state or a device's book.", nil, byAll},

	{"role", kindGauge, "1 for the role that the house has: writer, follower or resting.", []string{"role"}, byHouse},
	{"follower_lag_records", kindGauge, "Durable records that a follower does not show yet. A writer has none.", nil, byHouse},
	{"follower_lag_seconds", kindGauge, "Time since a follower was last known to show everything. A writer has none.", nil,
		byHouse},
	{"alarm", kindGauge, "Alarms of a part of the house that stand. A house with alarms may sell.", []string{"part"}, byHouse},
	{"certificate_expires_timestamp_seconds", kindGauge,
		"When the certificate in force expires; left out without one. Only with --tls-cert or --acme-domain.", nil, byHouse},
	{"certificate_issued_timestamp_seconds", kindGauge,
		"From when on the certificate in force is good; left out without one. Only with --tls-cert or --acme-domain.", nil, byHouse},
	{"certificate_renewal_failed", kindGauge,
		"1 if the last try to have another certificate failed: at the authority, or of files that cannot be taken. Only with --tls-cert or --acme-domain.",
		nil, byHouse},
	{"backup_timestamp_seconds", kindGauge, "When the newest backup was made; 0 for none. Only with --backups.", nil, byHouse},

	{"sales_total", kindCounter, "Tickets sold since the start.", []string{"series"}, byHouse},
	{"sales_cents_total", kindCounter, "What the tickets sold since the start cost.", []string{"series"}, byHouse},
	{"cancelled_cents_total", kindCounter, "Stakes that went back for cancelled tickets since the start.", []string{"series"},
		byHouse},
	{"entry_fees_cents_total", kindCounter, "What players paid for entries in a bingo room since the start.", []string{"room"},
		byHouse},
	{"sign_ons_total", kindCounter, "Sign-ons with the right password, at counters too.", nil, byHouse},
	{"sign_on_failures_total", kindCounter, "Sign-ons with a number and a password that are not one person's.", nil, byHouse},

	{"records_total", kindCounter, "Records that are durable, by kind; ticket_sold are the sales.", []string{"kind"}, byHouse},
	{"journal_records", kindGauge, "Records in the volume that is written.", nil, byHouse},
	{"journal_written_timestamp_seconds", kindGauge, "When the last record was made.", nil, byHouse},
	{"store_bytes", kindGauge, "What the journal's store takes.", nil, byHouse},
	{"game_on_sale", kindGauge, "1 while a game is on sale.", nil, byHouse},
	{"games_unsettled", kindGauge, "Games that are closed and have no result yet.", nil, byHouse},
	{"open_tickets", kindGauge, "Tickets in the games on sale.", nil, byHouse},
	{"open_ways", kindGauge, "Ways that the tickets in the games on sale play.", nil, byHouse},
	{"ledger_trial_balance_cents", kindGauge, "What all balances add up to. Anything but 0 is a fault.", nil, byHouse},
	{"settle_seconds", kindHistogram, "Time of the group in which a game was settled, from deciding to durable.", nil, byHouse},

	{"lane_up", kindGauge, "1 while the lane decides.", nil, byHouse},
	{"lane_commands_total", kindCounter, "Commands that the lane decided, refusals and questions included.", nil, byHouse},
	{"lane_queue_commands", kindGauge, "Commands that wait to be decided.", nil, byHouse},
	{"lane_queue_capacity", kindGauge, "Commands that may wait; one more is answered with busy.", nil, byHouse},
	{"lane_group_commands", kindHistogram, "Commands decided and committed together.", nil, byHouse},
	{"lane_decide_seconds", kindHistogram, "Time of deciding a group.", nil, byHouse},
	{"lane_commit_seconds", kindHistogram, "Time of making a group durable.", nil, byHouse},

	{"http_requests_total", kindCounter, "Requests, by operation and status.", []string{"operation", "status"}, byAll},
	{"http_request_seconds", kindHistogram, "Time of a request, streams apart.", []string{"operation"}, byAll},
	{"refusals_total", kindCounter, "Requests that were refused, by the code of the answer.", []string{"code"}, byHouse},
	{"live_streams", kindGauge, "Clients that follow the live events.", nil, byHouse},

	{"witness_up", kindGauge, "1 if the witness cosigned the last time that it was asked.", []string{"witness", "required"},
		byHouse},
	{"witness_cosigned_timestamp_seconds", kindGauge, "When a witness last cosigned; 0 for not since the start.",
		[]string{"witness"}, byHouse},
	{"key_up", kindGauge, "1 if the key signed when that was last tried: of the house, its device or its log, if a token holds it.",
		[]string{"key"}, byHouse},
	{"key_signature_seconds", kindGauge, "How long that signature took, with everything before it.", []string{"key"}, byHouse},
	{"canary_up", kindGauge, "1 if the canary's last try found that the house could sell, or refuses by its rules.", nil,
		byHouse},
	{"canary_timestamp_seconds", kindGauge, "When the canary last tried; 0 for not yet.", nil, byHouse},
	{"canary_seconds", kindGauge, "How long the canary's last try took.", nil, byHouse},
	{"canary_refused", kindGauge, "1 if the rules refuse a sale now, such as while no game is on sale.", []string{"code"},
		byHouse},

	{"cosigned_entries", kindGauge, "Entries of a log up to which this witness has cosigned it.", []string{"origin"},
		byWitness},
	{"cosigned_timestamp_seconds", kindGauge, "When this witness last cosigned a log.", []string{"origin"}, byWitness},
	{"signed_refused_total", kindCounter, "Times that this witness has refused what its house had signed, since its start.", nil,
		byWitness},
	{"forked", kindGauge, "1 if the log has shown this witness two histories.", []string{"origin"}, byWitness},
}

// Families returns the metrics that a program serves, in the order of the documents.
func Families(by Program) []Family {
	var list []Family
	for _, f := range families {
		if slices.Contains(f.By, by) {
			list = append(list, f)
		}
	}
	return list
}

// family returns a metric of the list. A name that is not there is a defect, which every start finds.
func family(kind, name string) Family {
	i := slices.IndexFunc(families, func(f Family) bool { return f.Name == name && f.Type == kind })
	if i < 0 {
		panic(fmt.Sprintf("monitor: no %s %s", kind, name))
	}
	return families[i]
}

// desc describes a gauge that is asked for whenever somebody looks.
func desc(name string) *prometheus.Desc {
	f := family(kindGauge, name)
	return prometheus.NewDesc(f.FullName(), f.Help, f.Labels, nil)
}

// counting returns a counter with labels.
func counting(name string) *prometheus.CounterVec {
	f := family(kindCounter, name)
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: prefix, Name: f.Name, Help: f.Help}, f.Labels)
}

// counterOf returns a counter without labels.
func counterOf(name string) prometheus.Counter {
	f := family(kindCounter, name)
	return prometheus.NewCounter(prometheus.CounterOpts{Namespace: prefix, Name: f.Name, Help: f.Help})
}

// spreading returns a histogram, of the labels of its family.
func spreading(name string, buckets []float64) *prometheus.HistogramVec {
	f := family(kindHistogram, name)
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: prefix, Name: f.Name, Help: f.Help,
		Buckets: buckets}, f.Labels)
}
