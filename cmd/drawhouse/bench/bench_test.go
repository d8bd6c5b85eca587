package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"drawhouse/check/verify"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/edge/api"
	"drawhouse/internal/pgtest"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []int
		want   int
	}{{[]int{7}, 7}, {[]int{9, 1}, 1}, {[]int{9, 1, 5}, 5}, {[]int{4, 3, 2, 1}, 2}} {
		if got := median(c.values); got != c.want {
			t.Errorf("the median of %v is %d, want %d", c.values, got, c.want)
		}
	}
}

// scripted answers with codes and an error in turn.
type scripted struct {
	codes []string
	fault error
	at    int
}

func (s *scripted) most() int { return 2 }

func (s *scripted) sell(_ context.Context, n int) ([]string, error) {
	time.Sleep(time.Millisecond)
	var refused []string
	for range n {
		if s.at == len(s.codes) {
			return nil, s.fault
		}
		if s.at++; s.codes[s.at-1] != "" {
			refused = append(refused, s.codes[s.at-1])
		}
	}
	return refused, nil
}

// TestDriveCounts: what is sold and what is refused are told apart, every answer
// has its time, and a fault ends the round.
func TestDriveCounts(t *testing.T) {
	broken := errors.New("broken")
	var sold atomic.Int64
	sellers := []*scripted{{codes: []string{"", "closed", "", "busy"}, fault: broken},
		{codes: []string{"", "closed"}, fault: broken}}
	l, err := drive(t.Context(), sellers, crowd{length: time.Minute}, &sold)
	if !errors.Is(err, broken) {
		t.Errorf("the fault is lost: %v", err)
	}
	if l.sold != 3 || sold.Load() != 3 || l.refused["closed"] != 2 || l.refused["busy"] != 1 || len(l.waits) != 6 {
		t.Errorf("%d sold, %d counted, %v refused, %d waits", l.sold, sold.Load(), l.refused, len(l.waits))
	}
	if l.wait(0) < time.Millisecond || l.wait(50) > l.wait(100) {
		t.Errorf("waits %v", l.waits)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := drive(ended, sellers, crowd{length: time.Minute}, &sold); !errors.Is(err, context.Canceled) {
		t.Errorf("a round that was called off ended with %v", err)
	}
}

// TestMixIsSold sells every ticket of the mix in a house, and finds each kind of
// bet in it.
func TestMixIsSold(t *testing.T) {
	forms := mixedTickets(500)
	all := strings.Join(forms, "\n")
	for _, part := range []string{`"pick"`, `"groups"`, `"spots":[`, `"games":20`} {
		if !strings.Contains(all, part) {
			t.Errorf("no ticket of the mix has %s", part)
		}
	}
	l, err := openLaneHouse(t.Context(), location{data: t.TempDir()}, 2, 2, forms)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	for range forms {
		if _, err := l.controllers[0].sell(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := l.sample(t.Context()); err != nil {
		t.Error(err)
	} else if kind, _ := record.KindOf(data); kind != record.KindTicketSold {
		t.Errorf("the sample is a record of %v", kind)
	}
}

// TestCommitterCommits: each sale of the yardstick is a commit of one record.
func TestCommitterCommits(t *testing.T) {
	c, err := openCommitter(t.Context(), location{data: t.TempDir()}, []byte("a record"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.store.Close()
	for range 300 { // More than a tile.
		if _, err := c.sell(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	head, err := c.store.Head(t.Context())
	if err != nil || head.Size != 300 || head.Root == journal.EmptyRoot() {
		t.Errorf("the head is %+v, %v", head, err)
	}
}

// TestFiguresMustHold: a journal that fails, or has other tickets than terminals
// were told of, takes the figures with it.
func TestFiguresMustHold(t *testing.T) {
	for name, c := range map[string]struct {
		report verify.Report
		holds  bool
	}{
		"good":    {verify.Report{Tickets: 10, Settled: 2}, true},
		"missing": {verify.Report{Tickets: 9}, false},
		"extra":   {verify.Report{Tickets: 11}, false},
		"failed":  {verify.Report{Tickets: 10, Failure: &verify.Failure{}}, false},
	} {
		r := sellReport{Answered: 10}
		r.Verify = verifiedOf(&c.report, r.Answered, time.Second)
		var text bytes.Buffer
		r.writeText(&text)
		if r.Verify.Holds != c.holds || strings.Contains(text.String(), "DOES NOT HOLD") == c.holds {
			t.Errorf("%s: %+v, told as:\n%s", name, r.Verify, &text)
		}
	}
}

// TestReportIsJSON: rounds are added up and every figure can be written.
func TestReportIsJSON(t *testing.T) {
	laps := []lap{{sold: 10, elapsed: time.Second, waits: []time.Duration{time.Millisecond},
		refused: map[string]int{"busy": 1}}}
	s := sellStand{api: laps, half: laps, direct: laps, single: laps}
	report := s.report()
	if report.TimesSingle != 1 || report.Answered != 20 || report.Refused["busy"] != 2 || report.API.P99Micros != 1000 {
		t.Errorf("%+v", report)
	}
	var out bytes.Buffer
	if err := console.WriteJSON(&out, report); err != nil || !json.Valid(out.Bytes()) {
		t.Errorf("%v: %s", err, &out)
	}
}

// TestPGBenchIsRead reads a report of pgbench, and refuses one without a rate.
func TestPGBenchIsRead(t *testing.T) {
	l, err := parsePGBench([]byte("number of clients: 32\nlatency average = 5.294 ms\ninitial connection time = 40.1 ms\ntps = 6044.591 (without initial connection time)\n"))
	if err != nil || l.perSecond != 6044.591 || l.mean != 5294*time.Microsecond {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := parsePGBench([]byte("pgbench: error\n")); err == nil {
		t.Error("a report without a rate was read")
	}
}

// TestWithSchema puts a schema into both forms of a database's address.
func TestWithSchema(t *testing.T) {
	for database, want := range map[string]string{
		"postgres://u@h/d":                        "postgres://u@h/d?options=-csearch_path%3Ds",
		"postgresql:///d?host=/run&options=-cx=1": "postgresql:///d?host=%2Frun&options=-cx%3D1%20-csearch_path%3Ds",
		"host=h dbname=d":                         "host=h dbname=d options='-csearch_path=s'",
	} {
		if got, err := withSchema(database, "s"); err != nil || got != want {
			t.Errorf("%s becomes %s, %v; want %s", database, got, err, want)
		}
	}
	if _, err := withSchema("postgres://u:secret@%zz", "s"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("no URL: %v", err)
	}
}

// TestCustomersComeByThemselves: at a rate the times of customers do not depend on how
// fast they are served, nobody is left out, and waiting counts from when they came.
func TestCustomersComeByThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &slowSeller{takes: time.Second}
		var sold atomic.Int64
		l, err := drive(t.Context(), []*slowSeller{slow}, crowd{length: time.Minute, rate: 3}, &sold)
		if err != nil || l.sold != int(sold.Load()) || l.sold < 120 || l.sold > 240 {
			t.Fatalf("%d sold of about 180, %v", l.sold, err)
		}
		if slow.most() >= 4 && l.wait(100) > 4*time.Second {
			t.Errorf("somebody waited %v", l.wait(100))
		}
		if l.wait(0) < time.Second || l.wait(50) <= time.Second {
			t.Errorf("%v and %v: the time before a customer is served does not count", l.wait(0), l.wait(50))
		}
	})
}

// slowSeller takes its time for any number of customers.
type slowSeller struct{ takes time.Duration }

func (s *slowSeller) most() int { return 16 }

func (s *slowSeller) sell(context.Context, int) ([]string, error) {
	time.Sleep(s.takes)
	return nil, nil
}

// stores are where a house may keep its journal, by name.
var stores = map[string]func(testing.TB) (database string){
	"SQLite":     func(testing.TB) string { return "" },
	"PostgreSQL": pgtest.Schema,
}

// BenchmarkAPI sells through the API over the network with house and terminals in
// one process, so that one profile has it all:
//
//	go test -run '^$' -bench API/SQLite/64 -cpuprofile cpu.out ./cmd/drawhouse/bench
func BenchmarkAPI(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(stores)) {
		for _, each := range []int{1, 64} {
			b.Run(fmt.Sprintf("%s/%d", name, each), func(b *testing.B) {
				benchmarkAPI(b, location{data: b.TempDir(), database: stores[name](b)}, each)
			})
		}
	}
}

func benchmarkAPI(b *testing.B, storage location, each int) {
	terminals := max(64, 4*each)
	forms := mixedTickets(mixSize)
	l, err := openLaneHouse(b.Context(), storage, terminals, each, forms)
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := l.close(context.Background()); err != nil {
			b.Error(err)
		}
	}()
	handler, err := api.New(l.house, api.Options{})
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	sellers, err := dialControllers(server.Listener.Addr().String(), terminals, each, forms)
	if err != nil {
		b.Fatal(err)
	}
	defer hangUp(sellers)
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	cpu := ownCPU()
	var group sync.WaitGroup
	for _, s := range sellers {
		group.Go(func() {
			for left.Add(-int64(s.most())) > -int64(s.most()) {
				if refused, err := s.sell(b.Context(), s.most()); len(refused) > 0 || err != nil {
					b.Errorf("%v %v", refused, err)
					return
				}
			}
		})
	}
	group.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tickets/s")
	b.ReportMetric(float64(ownCPU()-cpu)/float64(b.N), "cpu-ns/op")
}

// BenchmarkReplay opens a house on a journal of 200,000 tickets, for a profile:
//
//	go test -run '^$' -bench Replay -cpuprofile cpu.out ./cmd/drawhouse/bench
func BenchmarkReplay(b *testing.B) {
	place := &site{dir: b.TempDir()}
	full, err := openFullHouse(b.Context(), place, 200_000, statusLine{})
	if err != nil {
		b.Fatal(err)
	}
	if err := full.close(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := reopen(b.Context(), full.storage, false); err != nil {
			b.Fatal(err)
		}
	}
}
