package house

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"drawhouse/check/policy"
	"drawhouse/check/watch"
	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/house/timetable"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/journal/store/storetest"
)

// killPoint is where a house is stopped hard: at a transaction, or at a question to somebody outside.
type killPoint struct {
	step string // of the order of the public log
	// kind is a record in the transaction at which the house dies, and nth how many there were in its game before.
	kind record.Kind
	nth  int
	// whom is who is asked, and path what for. Above is the kind of entry above which the log is to be cosigned.
	whom, path string
	above      public.Kind
	// after says that the transaction is stored, or that the question was answered, and the house does not hear of it.
	after bool
}

const (
	askLog  = "/add-checkpoint"
	askLink = "/ask-link"
)

// killPoints are both sides of each of the ten steps from the close of a game to the cosigned settlement.
var killPoints = []killPoint{
	{step: "1 closed, sealed, entry", kind: record.KindGameSealed},
	{step: "2 sign what is committed", kind: record.KindGameSealed, after: true},
	{step: "3 a follower stores", whom: "inspector.example", path: askLog, above: public.Sealed},
	{step: "3 a follower stores", whom: "inspector.example", path: askLog, above: public.Sealed, after: true},
	{step: "4 the other witnesses", whom: "others.example", path: askLog, above: public.Sealed},
	{step: "4 the other witnesses", whom: "others.example", path: askLog, above: public.Sealed, after: true},
	{step: "5 record the cosigned checkpoint", kind: record.KindLogWitnessed},
	{step: "5 record the cosigned checkpoint", kind: record.KindLogWitnessed, after: true},
	{step: "6 links", whom: "operator.example", path: askLink},
	{step: "6 links", whom: "operator.example", path: askLink, after: true},
	{step: "7 link and entry", kind: record.KindLinkGiven},
	{step: "7 link and entry", kind: record.KindLinkGiven, after: true},
	{step: "7 link and entry", kind: record.KindLinkGiven, nth: 1},
	{step: "7 link and entry", kind: record.KindLinkGiven, nth: 1, after: true},
	{step: "8 numbers", kind: record.KindNumberDrawn},
	{step: "8 numbers", kind: record.KindNumberDrawn, nth: 7, after: true},
	{step: "9 result, entry", kind: record.KindGameDrawn},
	{step: "9 result, entry", kind: record.KindGameDrawn, after: true},
	{step: "10 settlement, entry", kind: record.KindGameSettled},
	{step: "10 settlement, entry", kind: record.KindGameSettled, after: true},
	{step: "10 cosigned again", whom: "operator.example", path: askLog, above: public.Settled},
	{step: "10 cosigned again", whom: "others.example", path: askLog, above: public.Settled, after: true},
	{step: "10 cosigned again", kind: record.KindLogWitnessed, nth: 1},
	{step: "10 cosigned again", kind: record.KindLogWitnessed, nth: 1, after: true},
}

// killed is a house that dies at one point in each of its games, and what it has shown to anybody outside.
type killed struct {
	*bench
	policy string

	mu    sync.Mutex // guards what follows
	armed *killPoint
	life  *life
	// done counts the records of each kind in the game under way.
	done map[record.Kind]int
	// lost is what the house was doing when it died, and again what it did of the same kind since.
	lost, again []byte
	notes       map[uint64]string // the checkpoint of the log that left the house, by size
	links       map[string]string // what custodians have answered, by custodian and game
	forked      []string          // what left the house in two forms
}

// life is a house from its start to its death.
type life struct {
	context.Context
	end  context.CancelFunc
	dead bool
}

// die stops the house: nothing of it is stored or asked from here on. The caller holds the lock.
func (k *killed) die(doing []byte) {
	k.lost, k.life.dead = bytes.Clone(doing), true
	k.life.end()
}

// plan says what becomes of a transaction.
func (k *killed) plan(b store.Batch) storetest.Fault {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.life.dead {
		return storetest.BeforeCommit
	}
	for _, e := range b.Entries {
		r, err := record.Decode(e.Data)
		if err != nil {
			k.t.Error(err)
		}
		kind := r.Kind()
		body, err := record.Encode(record.Record{Time: 1, Body: r.Body})
		if err != nil {
			k.t.Error(err)
		}
		at := k.done[kind]
		if kind == record.KindGameSealed {
			clear(k.done)
			at = 0
		}
		p := k.armed
		if p != nil && p.kind == kind && p.nth == at && (kind == record.KindGameSealed || k.done[record.KindGameSealed] > 0) {
			if k.lost == nil {
				k.die(body)
				if !p.after {
					return storetest.BeforeCommit
				}
				k.done[kind]++
				return storetest.AfterCommit
			}
			k.again = body
		}
		k.done[kind]++
	}
	return storetest.NoFault
}

// asks is how the house asks somebody outside.
type asks struct {
	k    *killed
	whom string
}

var errDied = errors.New("the house is dead")

// RoundTrip implements http.RoundTripper.
func (a asks) RoundTrip(r *http.Request) (*http.Response, error) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	meant, shown := a.k.meant(a.whom, r.URL.Path, data)
	if !a.k.begins(meant, shown) {
		return nil, errDied
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(answer.Body)
	answer.Body = io.NopCloser(bytes.NewReader(data))
	if err == nil && r.URL.Path == askLink && answer.StatusCode == http.StatusOK {
		a.k.answered(a.whom, shown, data)
	}
	if err == nil && answer.StatusCode == http.StatusOK && !a.k.ends(meant, shown) {
		return nil, errDied
	}
	return answer, err
}

// meant reports whether a question is the one at which the house is to die, and what is asked, without what the house
// believes of the other side.
func (k *killed) meant(whom, path string, request []byte) (meant bool, shown []byte) {
	switch path {
	case askLink:
		shown, _, _ = bytes.Cut(request, []byte("\n\n"))
	case askLog:
		asked, err := witness.ParseRequest(request)
		if err != nil {
			k.t.Error(err)
			return false, nil
		}
		shown = signedByLog(asked.Checkpoint)
	default:
		return false, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.armed
	if path == askLog {
		c, err := journal.UnverifiedCheckpoint(shown)
		if _, _, other := journal.ParseLogOrigin(c.Origin); err != nil || other != nil {
			return false, nil
		}
		if known, ok := k.notes[c.Size]; ok && known != string(shown) {
			k.forked = append(k.forked, string(shown))
		}
		k.notes[c.Size] = string(shown)
		if p == nil || p.path != askLog || k.above(c.Size) != p.above {
			return false, shown
		}
	}
	return p != nil && p.path == path && p.whom == whom && k.done[record.KindGameSealed] > 0, shown
}

// signedByLog returns a checkpoint as the log has signed it, without what others have signed.
func signedByLog(note []byte) []byte {
	text, signatures, _ := bytes.Cut(note, []byte("\n\n"))
	first, _, _ := bytes.Cut(signatures, []byte("\n"))
	return slices.Concat(text, []byte("\n\n"), first, []byte("\n"))
}

// above returns the last kind of entry in a log of a size that is cosigned without delay. The caller holds the lock.
func (k *killed) above(size uint64) public.Kind {
	h := k.serving.Load()
	if h == nil {
		return "" // The house opens.
	}
	log := h.public.shown.Load()
	for i := len(log.Entries) - 1; i >= 0; i-- {
		if at := log.Size - uint64(len(log.Entries)-i); at >= size {
			continue
		}
		if e, err := public.Parse(log.Entries[i]); err == nil && !slices.Contains(uncalled, e.Kind) {
			return e.Kind
		}
	}
	return ""
}

// begins reports whether a question leaves the house.
func (k *killed) begins(meant bool, shown []byte) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.life.dead {
		return false
	}
	if bytes.Equal(shown, k.lost) && shown != nil {
		k.again = bytes.Clone(shown)
	}
	if meant && !k.armed.after && k.lost == nil {
		k.die(shown)
		return false
	}
	return true
}

// ends reports whether the house hears the answer.
func (k *killed) ends(meant bool, shown []byte) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if meant && !k.life.dead && k.lost == nil {
		k.die(shown)
	}
	return !k.life.dead
}

// answered takes in what a custodian has given.
func (k *killed) answered(whom string, game, link []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	name := whom + " " + string(game)
	if known, ok := k.links[name]; ok && known != string(link) {
		k.forked = append(k.forked, name)
	}
	k.links[name] = string(link)
}

// begin opens a house on what is stored.
func (k *killed) begin() {
	k.t.Helper()
	k.mu.Lock()
	k.life = &life{}
	k.life.Context, k.life.end = context.WithCancel(k.t.Context())
	k.mu.Unlock()
	st, err := sqlite.Open(k.t.Context(), k.dir, store.FirstLane)
	must(k.t, err)
	k.t.Cleanup(func() { _ = st.Close() })
	keys, err := KeysOf(k.t.Context(), st, filepath.Join(k.dir, "keys"), "bench.example", k.random)
	must(k.t, err)
	must(k.t, k.openHouse(storetest.NewFaulty(st, k.plan), keys))
}

// newKilled is a house with two custodians, who follow the log, and a witness of others.
func newKilled(t *testing.T) *killed {
	t.Helper()
	b, custodians := custodyBench(t)
	w := newLogWitness(t, b, "others.example", b.logKey())
	b.close()
	must(t, b.store.Close())
	k := &killed{bench: b, done: map[record.Kind]int{}, notes: map[uint64]string{}, links: map[string]string{}}
	b.witnesses.Members = []wire.Member{custodians[0].member, custodians[1].member, w.member(wire.LogOnly)}
	k.policy = fmt.Sprintf("log %s\n", b.logKey())
	for i, m := range b.witnesses.Members {
		client := *m.Client
		client.HTTP = &http.Client{Transport: asks{k, m.Witness.Name()}}
		b.witnesses.Members[i].Client = &client
		k.policy += fmt.Sprintf("witness w%d %v\n", i, m.Witness)
	}
	k.policy += "group all all w0 w1 w2\nquorum all\n"
	k.begin()
	return k
}

// play runs the games, over a death, until one more is settled and its settlement is cosigned.
func (k *killed) play() {
	k.t.Helper()
	had := len(k.settled(1000))
	for {
		k.clock.wait = func(time.Time) error {
			if len(k.settled(1000)) == had {
				return nil
			}
			return k.untilCosigned()
		}
		err := timetable.Run(k.life, config, k.house.First(), k.clock)
		k.mu.Lock()
		died := k.life.dead
		k.mu.Unlock()
		switch {
		case died:
			_ = k.house.Close(k.t.Context()) // It cannot store anything any more.
			k.begin()
		case errors.Is(err, errEnough):
			return
		default:
			k.t.Fatal(err)
		}
	}
}

// untilCosigned waits until the log is cosigned as it stands, or the house is dead.
func (k *killed) untilCosigned() error {
	for {
		changes, log := k.house.public.waiters.changes(), k.house.public.shown.Load()
		if log.witnessed >= log.due {
			return errEnough
		}
		select {
		case <-changes:
		case <-k.life.Done():
			return errDied
		}
	}
}

// TestKilledAtEveryStepOfTheLog stops a house hard on both sides of each of the ten steps by which a game goes into the
// public log, one in each game, and opens it again. Each step is repeated with the same bytes, nothing leaves the house
// in two forms, each game ends with one result, and watch and verify agree.
func TestKilledAtEveryStepOfTheLog(t *testing.T) {
	t.Parallel()
	k := newKilled(t)
	k.play()
	for i := range killPoints {
		p := &killPoints[i]
		t.Run(fmt.Sprintf("%s, after %v", p.step, p.after), func(t *testing.T) {
			k.mu.Lock()
			k.armed, k.lost, k.again = p, nil, nil
			clear(k.done)
			k.mu.Unlock()
			k.play()
			k.mu.Lock()
			defer k.mu.Unlock()
			k.armed = nil
			stored := p.kind != record.Kind(0) && p.after
			// Who cosigns says when, so that what is recorded of it is signed anew.
			switch same := bytes.Equal(k.lost, k.again) || p.kind == record.KindLogWitnessed && k.again != nil; {
			case k.lost == nil:
				t.Fatal("the house did not die")
			case stored && k.again != nil:
				t.Errorf("what was stored is done again: %q", k.again)
			case !stored && !same:
				t.Errorf("done before the death: %q; after it: %q", k.lost, k.again)
			}
		})
	}
	k.judge()
}

// judge has the game looked at from outside and from inside.
func (k *killed) judge() {
	k.t.Helper()
	if len(k.forked) > 0 {
		k.t.Errorf("left the house in two forms: %q", k.forked)
	}
	must(k.t, k.house.Close(k.t.Context()))
	results := map[string]int{}
	for _, e := range k.logEntries() {
		if e.Kind == public.Result || e.Kind == public.Sealed {
			results[string(e.Kind)+" of "+e.Game().String()]++
		}
	}
	for what, n := range results {
		if n != 1 {
			k.t.Errorf("%d times %s", n, what)
		}
	}
	if len(results) < 2*len(killPoints) {
		k.t.Errorf("%d seals and results, and there were %d games", len(results), len(killPoints))
	}
	k.prefixes()
	asks, err := policy.Parse([]byte(k.policy))
	must(k.t, err)
	w, err := watch.New(servedLog{k.bench}, k.logKey(), asks, "", nil)
	must(k.t, err)
	look, err := w.Look(k.t.Context())
	if err != nil || len(look.Findings) > 0 || len(look.By) != 3 {
		k.t.Errorf("watch finds %v, cosigned by %v: %v", look.Findings, look.By, err)
	}
	report := k.verify()
	if !report.OK() || report.Links != 2*report.Settled || int(report.Settled) < len(killPoints) {
		k.t.Errorf("verify: %+v, %d games by %d links", report.Failure, report.Settled, report.Links)
	}
	k.t.Logf("%d games, %d deaths, %d checkpoints", report.Settled, len(killPoints), len(k.notes))
}

// prefixes holds every checkpoint that left the house against the log as it is now.
func (k *killed) prefixes() {
	k.t.Helper()
	shown, tree := k.house.public.shown.Load(), journal.NewTree()
	for from := uint64(0); from < shown.Size; from += public.BundleWidth {
		width := int(min(public.BundleWidth, shown.Size-from)) % public.BundleWidth
		part := public.Part{Entries: true, Index: from / public.BundleWidth, Width: width}
		data, err := k.house.LogPart(k.t.Context(), part)
		must(k.t, err)
		entries, err := public.SplitBundle(data)
		must(k.t, err)
		for _, entry := range entries {
			tree.Append(entry)
			if note, left := k.notes[tree.Size()]; left && !strings.Contains(note, "\n"+tree.Root().String()+"\n") {
				k.t.Errorf("%d entries come to %v, and this left the house: %s", tree.Size(), tree.Root(), note)
			}
		}
	}
}
