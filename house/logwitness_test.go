package house

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/core/refusal"
	"drawhouse/decide/game"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// logWitness is a witness on a server, which may be away, and counts what it is asked.
type logWitness struct {
	server   *wire.Server
	verifier *witness.Verifier
	url      string
	away     atomic.Bool
	stranger atomic.Bool // it answers as one of others that does not know the log
	asked    atomic.Int64

	mu   sync.Mutex // guards logs
	logs []string   // the origins that were asked for
}

// newLogWitness starts a witness that knows keys of houses or logs.
func newLogWitness(t testing.TB, b *bench, name string, known ...string) *logWitness {
	t.Helper()
	private, vkey, err := journal.GenerateKey(b.random, name)
	must(t, err)
	signer, err := journal.ParseSigner(private)
	must(t, err)
	cosigner, err := witness.NewCosigner(signer, vkey)
	must(t, err)
	var logs []journal.Verifier
	for _, key := range known {
		v, err := journal.ParseVerifier(key)
		must(t, err)
		logs = append(logs, v)
	}
	server, err := wire.NewServer(wire.ServerConfig{Cosigner: cosigner, Watch: witness.NewWatch(logs...),
		State: filepath.Join(t.TempDir(), "witness"), Now: b.stamps})
	must(t, err)
	t.Cleanup(func() { _ = server.Close() })
	w := &logWitness{server: server, verifier: cosigner.Verifier}
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case w.away.Load():
			http.Error(rw, "away", http.StatusServiceUnavailable)
			return
		case w.stranger.Load():
			http.NotFound(rw, r)
			return
		}
		if r.URL.Path == "/add-checkpoint" {
			w.asked.Add(1)
			data, err := io.ReadAll(r.Body)
			if request, wrong := witness.ParseRequest(data); err == nil && wrong == nil {
				origin, _, _ := strings.Cut(string(request.Checkpoint), "\n")
				w.mu.Lock()
				w.logs = append(w.logs, origin)
				w.mu.Unlock()
			}
			r.Body = io.NopCloser(strings.NewReader(string(data)))
		}
		server.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	w.url = front.URL
	return w
}

func (w *logWitness) member(policy wire.Policy) wire.Member {
	return wire.Member{Client: &wire.Client{URL: w.url, Witness: w.verifier}, Policy: policy}
}

// witnessedBy opens the house again with witnesses.
func (b *bench) witnessedBy(members ...wire.Member) {
	b.t.Helper()
	b.close()
	b.witnesses = Witnesses{Timeout: 500 * time.Millisecond, Members: members}
	b.open()
}

// loggedDraws reads the first volume of the journal and returns how many games have a first number, and those of which
// the first number is not behind a cosigned checkpoint of the log above the seal.
func (b *bench) loggedDraws() (drawn int, early []record.Game) {
	b.t.Helper()
	entries := map[uint64]uint64{} // how many entries there are with that of a record
	for i, e := range b.logEntries() {
		entries[e.Seq] = uint64(i) + 1
	}
	sealed, first, witnessed := map[record.Game]uint64{}, map[record.Game]bool{}, uint64(0)
	head, err := b.store.Head(b.t.Context())
	must(b.t, err)
	must(b.t, b.store.Records(b.t.Context(), 1, 0, head.Size, func(seq uint64, data []byte) error {
		r, err := record.Decode(data)
		switch body := r.Body.(type) {
		case *record.GameSealed:
			sealed[body.Game] = entries[seq]
		case *record.LogWitnessed:
			c, err := journal.UnverifiedCheckpoint(body.Checkpoint)
			must(b.t, err)
			witnessed = c.Size
		case *record.NumberDrawn:
			if at := sealed[body.Game]; !first[body.Game] && (at == 0 || witnessed < at) {
				early = append(early, body.Game)
			}
			first[body.Game] = true
		}
		return err
	}))
	return len(first), early
}

// logEntries reads the entries of the newest log.
func (b *bench) logEntries() (list []*public.Entry) {
	b.t.Helper()
	shown := b.house.public.shown.Load()
	for from := uint64(0); from < shown.Size; from += public.BundleWidth {
		width := int(min(public.BundleWidth, shown.Size-from)) % public.BundleWidth
		part := public.Part{Entries: true, Index: from / public.BundleWidth, Width: width}
		data, err := b.house.LogPart(b.t.Context(), part)
		must(b.t, err)
		entries, err := public.SplitBundle(data)
		must(b.t, err)
		for _, text := range entries {
			e, err := public.Parse(text)
			must(b.t, err)
			list = append(list, e)
		}
	}
	return list
}

// TestDrawsWaitForTheLog plays with a witness of others, which knows the public log and no volume: while it is away no
// number is drawn, it is asked twice a game, and a policy of the inspector finds that it was there.
func TestDrawsWaitForTheLog(t *testing.T) {
	b := newBench(t)
	w := newLogWitness(t, b, "others.example", b.logKey())
	b.witnessedBy(w.member(wire.LogOnly))
	waits := 0
	b.run(func(until time.Time) error {
		games := b.house.First().Games(10)
		third := slices.IndexFunc(games, func(g Game) bool { return g.Ordinal == 3 })
		switch {
		case until.Sub(start) > 30*time.Minute:
			return errEnough
		case third == 0 && waits == 0 && games[1].IsSettled(): // The witness goes away before the seal of game 3.
			w.away.Store(true)
		case third > 0 && w.away.Load() && games[third].Sealed():
			if waits++; games[third].Numbers.Len() > 0 {
				t.Error("game 3 is drawn without its witness")
			}
			w.away.Store(waits < 3)
		}
		b.sell(1, 3)
		return nil
	})
	drawn, early := b.loggedDraws()
	if drawn < 5 || len(early) > 0 || waits != 3 {
		t.Errorf("%d games were drawn, the house waited %d times, and %v came before the cosignature", drawn, waits, early)
	}
	if asked := w.asked.Load(); asked > int64(2*drawn+6) {
		t.Errorf("%d requests for %d games", asked, drawn)
	}
	w.mu.Lock()
	if slices.ContainsFunc(w.logs, func(origin string) bool { return origin != "bench.example/log" }) {
		t.Errorf("it was asked for %v", w.logs)
	}
	w.mu.Unlock()
	dir, err := export.OpenDir(b.export())
	must(t, err)
	defer func() { must(t, dir.Close()) }()
	asks := func(key *witness.Verifier) *verify.Report {
		return verify.Run(dir, verify.Options{Policy: func(checkpoint []byte) string {
			if by, err := witness.Cosignatures(checkpoint, key); err != nil || len(by) == 0 {
				return key.Name() + " has not cosigned"
			}
			return ""
		}})
	}
	stranger := newLogWitness(t, b, "stranger.example")
	if report := asks(stranger.verifier); report.OK() ||
		!strings.Contains(report.Failure.Reason, "no checkpoint of the public log above its seal meets the policy") {
		t.Errorf("a policy that was not met: %+v", report.Failure)
	}
	if report := asks(w.verifier); !report.OK() {
		t.Error(report.Failure)
	}
}

// TestLogIsIntroduced has a witness that knows the house alone: the house tells it of the log, and nobody else must.
func TestLogIsIntroduced(t *testing.T) {
	b := newBench(t)
	w := newLogWitness(t, b, "inspector.example", b.house.config.Keys.HouseVerifier)
	b.witnessedBy(w.member(wire.Required))
	b.minutes(9, 1)
	eventually(t, "the log is cosigned", func() bool {
		shown := b.house.public.shown.Load()
		return shown.witnessed > 0 && shown.witnessed >= shown.due
	})
	if has(b.house, PartWitness, "does not watch") {
		t.Errorf("alarms: %+v", b.house.Alarms())
	}
}

// TestUnknownLogIsAnAlarm has a witness of others that does not watch the log: no game is drawn, and the alarm says
// which key to give to the witness.
func TestUnknownLogIsAnAlarm(t *testing.T) {
	b := newBench(t)
	w := newLogWitness(t, b, "others.example", b.logKey())
	w.stranger.Store(true)
	key := b.logKey()
	b.witnessedBy(w.member(wire.LogOnly))
	alarm := func() bool {
		return slices.ContainsFunc(b.house.Alarms(), func(a Alarm) bool {
			return strings.Contains(a.Sentence, "others.example does not watch the public log bench.example/log") &&
				strings.Contains(a.Remedy, key)
		})
	}
	eventually(t, "the alarm", alarm)
	w.stranger.Store(false)
	b.minutes(9, 1)
	if alarm() {
		t.Error("the alarm stands")
	}
}

// TestRestoredCopyDoesNotSell goes back to an older copy of the data, beside which the witness has cosigned more. The
// house does not open; with a log that follows it does, between two days. The witness refuses that log, which goes on
// from fewer entries than it has cosigned, and an alarm says how its people give these up; then it cosigns.
func TestRestoredCopyDoesNotSell(t *testing.T) {
	b := newBench(t)
	w := newLogWitness(t, b, "others.example", b.logKey(), b.house.config.Keys.HouseVerifier)
	b.witnessedBy(w.member(wire.LogOnly))
	b.minutes(9, 1)
	b.close()
	old := filepath.Join(t.TempDir(), "old")
	must(t, os.CopyFS(old, os.DirFS(b.dir)))
	b.open()
	b.minutes(30, 1)
	b.close()
	whole := b.dir
	b.dir = old
	opens := func() error {
		t.Helper()
		st, err := sqlite.Open(t.Context(), b.dir, store.FirstLane)
		must(t, err)
		t.Cleanup(func() { _ = st.Close() })
		keys, err := KeysOf(t.Context(), st, filepath.Join(b.dir, "keys"), "bench.example", b.random)
		must(t, err)
		return b.openHouse(st, keys)
	}
	err := opens()
	if !errors.Is(err, ErrBehindWitness) || !errors.Is(err, wire.ErrAhead) || !strings.Contains(err.Error(), "--next-log=2") {
		t.Fatalf("an older copy: %v", err)
	}
	w.away.Store(true)
	must(t, opens()) // Who does not answer holds up nobody; the game waits for it.
	b.close()
	w.away.Store(false)
	b.dir = whole
	must(t, opens())
	b.close()

	// Nobody has the entries any more. The day ends without that witness, and then another log begins.
	b.dir, b.followLog = old, 2
	b.witnesses.Members = nil
	must(t, opens())
	if origin := b.house.public.shown.Load().Origin; origin != "bench.example/log" {
		t.Errorf("%s began on an open day", origin)
	}
	b.minutes(18*60, 0)
	next, chain := readLog(t, b.house, b.logKey())
	if next.Origin != "bench.example/log2" || chain.Body().Before == nil || chain.Body().Before.Origin != "bench.example/log" {
		t.Fatalf("%+v begins with %+v", next, chain.Body())
	}
	b.close()
	b.witnesses.Members = []wire.Member{w.member(wire.LogOnly)}
	must(t, opens())
	had, ok := w.server.Latest("bench.example/log")
	giveUp := fmt.Sprintf("--give-up bench.example/log@%d", had.Checkpoint.Size)
	eventually(t, "the alarm that the witness has cosigned more", func() bool {
		return ok && slices.ContainsFunc(b.house.Alarms(), func(a Alarm) bool {
			return strings.Contains(a.Sentence, "others.example does not take the public log bench.example/log2") &&
				strings.Contains(a.Sentence, giveUp)
		})
	})
	for _, a := range b.house.Alarms() {
		if strings.Contains(a.Remedy, "Start the witness") {
			t.Errorf("the witness answers, and the alarm says: %+v", a)
		}
	}
	must(t, w.server.GiveUp("bench.example/log", had.Checkpoint.Size))
	b.close()
	must(t, opens())
	b.minutes(6, 1)
	if shown := b.house.public.shown.Load(); shown.Number != 2 || shown.witnessed == 0 {
		t.Errorf("log %d has %d entries cosigned", shown.Number, shown.witnessed)
	}
	if report := b.verify(); !report.OK() {
		t.Error(report.Failure)
	}
}

// TestTakeOverIsCosigned has a follower take over: it has the log cosigned, and draws behind that.
func TestTakeOverIsCosigned(t *testing.T) {
	b := newBench(t)
	w := newLogWitness(t, b, "others.example", b.logKey())
	b.witnessedBy(w.member(wire.LogOnly))
	b.trade(4 * time.Minute)
	before, _ := b.loggedDraws()
	f := b.follow(t, true)
	f.House().config.Witnesses = b.witnesses
	b.close()
	f.look()
	must(t, f.TakeOver(t.Context()))
	b.house = f.House()
	b.trade(12 * time.Minute)
	if drawn, early := b.loggedDraws(); drawn < before+2 || len(early) > 0 {
		t.Errorf("%d games were drawn, and %d before the takeover; %v came before the cosignature", drawn, before, early)
	}
}

// TestBallDrawWaitsForTheLog has the people at a ball machine wait for the public log to be cosigned above the seal.
func TestBallDrawWaitsForTheLog(t *testing.T) {
	f := newFloor(t)
	w := newLogWitness(t, f.bench, "others.example", f.logKey())
	f.witnessedBy(w.member(wire.LogOnly))
	w.away.Store(true)
	f.untilSealed()
	f.does(record.CageAttended{Act: record.CageCounted, Balls: 80})
	starts := func() error {
		_, err := f.house.First().StartCage(t.Context(), [2]uint32{f.ann, f.bob}, f.ann)
		return err
	}
	refused := new(refusal.Refusal)
	if err := starts(); !errors.As(err, &refused) || refused.Code != game.NotWitnessed {
		t.Errorf("without its witness: %v", err)
	}
	w.away.Store(false)
	waits := 0
	f.run(func(time.Time) error {
		if waits++; starts() == nil || waits > 200 {
			return errEnough
		}
		return nil
	})
	if waits > 200 {
		t.Errorf("with its witness: %v", starts())
	}
}
