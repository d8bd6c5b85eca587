package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"drawhouse/cmd/drawhouse/console"
)

// waited is something that customers wait for within the house, and how often it took
// long by the house's own metrics.
type waited struct {
	Name   string  `json:"name"`
	Times  int64   `json:"times"`
	Longer []int64 `json:"longer"` // than each of longTimes
}

// longTimes are bounds of the house's histograms.
var longTimes = []time.Duration{12800 * time.Microsecond, 25600 * time.Microsecond, 51200 * time.Microsecond,
	102400 * time.Microsecond}

// waitMetrics are the histograms of the house that a wait is made of: each request holds
// up to a handful of sales of one controller, and each group the requests of several.
var waitMetrics = []struct{ metric, name string }{
	{"drawhouse_http_request_seconds", "requests answered"},
	{"drawhouse_lane_decide_seconds", "groups decided"},
	{"drawhouse_lane_commit_seconds", "groups made durable"},
	{"drawhouse_settle_seconds", "groups with a settlement"},
}

// waitsOf reads the waits from the metrics of a house, in the text form of Prometheus.
func waitsOf(r io.Reader) ([]waited, error) {
	waits := make([]waited, len(waitMetrics))
	within := make([][]int64, len(waitMetrics))
	for i, m := range waitMetrics {
		waits[i].Name, within[i] = m.name, make([]int64, len(longTimes))
	}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		b, ok, err := bucketOf(lines.Text())
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(waitMetrics, func(s struct{ metric, name string }) bool { return s.metric == b.metric })
		if !ok || i < 0 {
			continue
		}
		if math.IsInf(b.bound, 1) {
			waits[i].Times += b.count
		}
		for at, long := range longTimes {
			if math.Abs(b.bound-long.Seconds()) < 1e-9 {
				within[i][at] += b.count
			}
		}
	}
	for i := range waits {
		for _, n := range within[i] {
			waits[i].Longer = append(waits[i].Longer, waits[i].Times-n)
		}
	}
	return waits, lines.Err()
}

// bucket is a line of a histogram: how many were at most so long.
type bucket struct {
	metric string
	bound  float64 // in seconds
	count  int64
}

// bucketOf reads a line of metrics; of other lines than buckets it says so.
func bucketOf(line string) (_ bucket, ok bool, _ error) {
	metric, rest, _ := strings.Cut(line, "_bucket{")
	begin, end := strings.LastIndex(rest, `le="`), strings.LastIndex(rest, `"} `)
	if strings.HasPrefix(line, "#") || begin < 0 || end < begin {
		return bucket{}, false, nil
	}
	bound, err := strconv.ParseFloat(rest[begin+len(`le="`):end], 64)
	count, countErr := strconv.ParseInt(rest[end+len(`"} `):], 10, 64)
	if err := errors.Join(err, countErr); err != nil {
		return bucket{}, false, fmt.Errorf("the metrics of the house, %q: %w", line, err)
	}
	return bucket{metric, bound, count}, true, nil
}

// customersOf are the customers of some rounds, who wait for a controller as well.
func customersOf(laps []lap) waited {
	w := waited{Name: "customers served", Longer: make([]int64, len(longTimes))}
	for _, l := range laps {
		w.Times += int64(len(l.waits))
		for at, long := range longTimes {
			within, _ := slices.BinarySearch(l.waits, long+1)
			w.Longer[at] += int64(len(l.waits) - within)
		}
	}
	return w
}

// addWaits adds what came between two readings.
func addWaits(sum, before, after []waited) []waited {
	if sum == nil {
		for _, s := range after {
			sum = append(sum, waited{Name: s.Name, Longer: make([]int64, len(s.Longer))})
		}
	}
	for i := range sum {
		sum[i].Times += after[i].Times - before[i].Times
		for at := range sum[i].Longer {
			sum[i].Longer[at] += after[i].Longer[at] - before[i].Longer[at]
		}
	}
	return sum
}

// longName names a bound for people.
func longName(d time.Duration) string {
	return fmt.Sprintf("> %.0f ms", float64(d.Microseconds())/1000)
}

// writeWaits writes how often each took long, for a terminal.
func writeWaits(b *bytes.Buffer, waits []waited) {
	fmt.Fprintf(b, "\n%-30s %9s", "half as many customers", "times")
	for _, long := range longTimes {
		fmt.Fprintf(b, " %9s", longName(long))
	}
	b.WriteByte('\n')
	for _, w := range waits {
		fmt.Fprintf(b, "%-30s %9s", w.Name, console.Counted(w.Times))
		for _, n := range w.Longer {
			fmt.Fprintf(b, " %9s", console.Counted(n))
		}
		b.WriteByte('\n')
	}
}

// writeWaitsTable writes the same for a document.
func writeWaitsTable(b *bytes.Buffer, waits []waited) {
	b.WriteString("\n| half as many customers | times |")
	for _, long := range longTimes {
		fmt.Fprintf(b, " %s |", longName(long))
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---:|", 1+len(longTimes)))
	for _, w := range waits {
		fmt.Fprintf(b, "| %s | %s |", w.Name, console.Counted(w.Times))
		for _, n := range w.Longer {
			fmt.Fprintf(b, " %s |", console.Counted(n))
		}
		b.WriteByte('\n')
	}
}

// waits asks the house for its metrics.
func (h *houseProcess) waits(ctx context.Context) ([]waited, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+h.admin+"/metrics", http.NoBody)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("the metrics of the house: %w", err)
	}
	defer func() { _ = answer.Body.Close() }() // What was read is read.
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the metrics of the house: %s", answer.Status)
	}
	return waitsOf(answer.Body)
}

// freeAddress returns an address on which nobody listens. Should somebody take it in the
// meantime, the house does not start and says so.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
