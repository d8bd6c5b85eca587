package house

import (
	"bytes"
	"context"
	"errors"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/check/witness/replay"
	"drawhouse/check/witness/wire"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
	"drawhouse/rulebook/rules"
)

// replayed is a house on a bench with a witness that replays, in the same process.
type replayed struct {
	*bench
	seen     *tampered
	follower *replay.Follower
	kept     store.Store
}

// tampered is a journal as the witness reads it. change, if not nil, may change the
// data of a record, and away makes it fail.
type tampered struct {
	store.Reader

	mu     sync.Mutex // guards what follows
	change func(place record.Place, data []byte) []byte
	away   bool
}

func (s *tampered) Records(ctx context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	s.mu.Lock()
	change := s.change
	s.mu.Unlock()
	return s.Reader.Records(ctx, volume, from, to, func(seq uint64, data []byte) error {
		if change != nil {
			data = change(record.Place{Volume: volume, Seq: seq}, bytes.Clone(data))
		}
		return fn(seq, data)
	})
}

func (s *tampered) Volumes(ctx context.Context) ([]store.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.away {
		return nil, errors.New("away")
	}
	return s.Reader.Volumes(ctx)
}

func (s *tampered) set(change func(record.Place, []byte) []byte, away bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change, s.away = change, away
}

// newReplayed opens a house whose witness is required.
func newReplayed(t *testing.T) *replayed {
	t.Helper()
	r := &replayed{bench: newBench(t)}
	private, public, err := journal.GenerateKey(r.random, "inspector.example")
	must(t, err)
	signer, err := journal.ParseSigner(private)
	must(t, err)
	cosigner, err := witness.NewCosigner(signer, public)
	must(t, err)
	key := r.house.config.Keys.HouseVerifier
	log, err := journal.ParseVerifier(key)
	must(t, err)
	must(t, r.house.Close(t.Context()))
	must(t, r.store.Close())

	r.kept, err = sqlite.Open(t.Context(), t.TempDir(), store.FirstLane)
	must(t, err)
	t.Cleanup(func() { _ = r.kept.Close() })
	r.seen = &tampered{}
	r.follower, err = replay.Open(t.Context(),
		replay.Config{Source: r.seen, Store: r.kept, HouseKeys: []string{key}, HasClause: rules.Has})
	must(t, err)
	server, err := wire.NewServer(wire.ServerConfig{
		Cosigner: cosigner, Watch: witness.NewWatch(log), State: filepath.Join(t.TempDir(), "witness"), Now: time.Now,
		Agree: r.follower.Agree,
	})
	must(t, err)
	t.Cleanup(func() { _ = server.Close() })
	front := httptest.NewServer(server)
	t.Cleanup(front.Close)
	r.witnesses = Witnesses{Timeout: 10 * time.Second,
		Members: []wire.Member{{Client: &wire.Client{URL: front.URL, Witness: cosigner.Verifier}, Policy: wire.Required}}}
	r.onStore = func(st store.Store) { r.seen.Reader = st }
	r.open()
	t.Cleanup(func() { _ = r.house.Close(context.Background()) })
	return r
}

// play plays for some time and sells before every wait.
func (r *replayed) play(for_ time.Duration) {
	r.t.Helper()
	until := r.clock.Now().Add(for_)
	r.run(func(next time.Time) error {
		if next.After(until) {
			return errEnough
		}
		r.sell(1+int(r.number%3), 1+int(r.number%4))
		return nil
	})
}

// agreed waits until the witness has agreed to the newest result.
func (r *replayed) agreed() {
	r.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var left bool
		must(r.t, r.house.do(r.t.Context(), func(m machine) error {
			_, left = m.State().Unagreed(m.State().Result())
			return nil
		}))
		if !left {
			return
		}
	}
	r.t.Fatalf("the witness does not agree: %+v", r.house.WitnessAlarms())
}

// TestReplayed plays under a witness that keeps and grades everything: prizes are paid
// once it has agreed, what it keeps is the journal to the byte, and it takes that up
// again.
func TestReplayed(t *testing.T) {
	r := newReplayed(t)
	r.play(20 * time.Minute)
	r.agreed()
	if r.payAll() == 0 {
		t.Error("nothing was paid")
	}
	must(t, r.follower.Follow(t.Context()))
	head, err := r.store.Head(t.Context())
	must(t, err)
	copied, err := r.kept.Head(t.Context())
	must(t, err)
	if head.Size != copied.Size || head.Root != copied.Root || !bytes.Equal(head.Checkpoint, copied.Checkpoint) {
		t.Errorf("the house has %d records, and %d are kept", head.Size, copied.Size)
	}
	again, err := replay.Open(t.Context(), replay.Config{Source: r.seen, Store: r.kept,
		HouseKeys: []string{r.house.config.Keys.HouseVerifier}})
	must(t, err)
	if kept := again.Kept(); kept.Seq != head.Size {
		t.Errorf("it goes on at %v", kept)
	}
	if report := r.verify(); !report.OK() {
		t.Error(report.Failure)
	}
}

// TestReplayedAway: a prize of a game whose result the witness has not seen waits, and
// the next game is not drawn; when the witness is back both go on.
func TestReplayedAway(t *testing.T) {
	r := newReplayed(t)
	r.play(4 * time.Minute)
	r.agreed()
	first, _ := r.house.history.newest(FirstSeries, 0, 1)[0], r.sell(1, 1)
	// While the next game is drawn the witness goes away.
	r.run(func(time.Time) error {
		for _, g := range r.house.First().Games(3) {
			if g.Numbers.Len() > 5 && g.Ordinal >= first.Ordinal {
				r.seen.set(nil, true)
			}
			if g.Ordinal >= first.Ordinal && g.IsSettled() {
				return errEnough
			}
		}
		return nil
	})
	waits := 0
	for _, sold := range r.sold {
		r.number++
		_, err := r.house.Pay(t.Context(), record.Request{Terminal: 1, Number: r.number}, sold.Place,
			Holder{Code: r.codes[sold.Place]})
		if refused := new(refusal.Refusal); errors.As(err, &refused) && refused.Code == counter.NotAgreed {
			waits++
		}
	}
	if waits == 0 {
		t.Error("no prize waits for the witness")
	}
	drawn := r.house.First().Games(1)[0].Ordinal
	tries := 0
	r.run(func(time.Time) error {
		if tries++; tries > 100 {
			return errEnough
		}
		return nil
	})
	for _, g := range r.house.First().Games(3) {
		if g.Ordinal >= drawn && g.Numbers.Len() > 0 {
			t.Errorf("game %d is drawn without the witness", g.Ordinal)
		}
	}
	r.seen.set(nil, false)
	r.play(5 * time.Minute)
	r.agreed()
	if r.payAll() == 0 {
		t.Error("nothing is paid when the witness is back")
	}
	if report := r.verify(); !report.OK() {
		t.Error(report.Failure)
	}
}

// TestReplayedLies shows the witness another record than the one written: in a record
// that it has not read and in one that it has. Nothing is drawn any more, and both
// sides name the record.
func TestReplayedLies(t *testing.T) {
	for name, old := range map[string]bool{"a new record": false, "an old record": true} {
		t.Run(name, func(t *testing.T) {
			r := newReplayed(t)
			r.play(4 * time.Minute)
			r.agreed()
			// The house may rest and rejoin its journal before the lie and after it.
			r.breaks()
			must(t, r.house.Rejoin(t.Context()))
			place := r.sold[0].Place
			if !old {
				place = record.Place{Volume: 1, Seq: r.follower.Kept().Seq + 20}
			}
			r.seen.set(func(at record.Place, data []byte) []byte {
				if at != place {
					return data
				}
				decoded, err := record.Decode(data)
				must(t, err)
				decoded.Time++
				data, err = record.Encode(decoded)
				must(t, err)
				return data
			}, false)
			before := r.house.First().Games(1)[0].Ordinal
			tries := 0
			r.run(func(time.Time) error {
				if tries++; tries > 200 {
					return errEnough
				}
				if r.house.First().Games(1)[0].Ordinal == before {
					r.sell(1, 1)
				}
				return nil
			})
			d := r.follower.Difference()
			if d == nil || old && (d.Record != place.String() || d.Field != "record.Time" || d.House == d.Witness) || !old &&
				d.Field != "root" {
				t.Fatalf("the difference is %+v", d)
			}
			alarms := r.house.WitnessAlarms()
			if len(alarms) != 1 || alarms[0].Difference == nil || *alarms[0].Difference != *d {
				t.Errorf("the house has the alarms %+v", alarms)
			}
			for _, g := range r.house.First().Games(5) {
				if g.Ordinal > before && g.Numbers.Len() > 0 {
					t.Errorf("game %d is drawn", g.Ordinal)
				}
			}
			for _, rested := range []bool{false, true} {
				if rested {
					r.breaks()
					must(t, r.house.Rejoin(t.Context()))
				}
				r.number++
				_, err := r.house.Pay(t.Context(), record.Request{Terminal: 1, Number: r.number}, r.sold[0].Place,
					Holder{Code: r.codes[r.sold[0].Place]})
				if refused := new(refusal.Refusal); !errors.As(err, &refused) || refused.Code != counter.Disputed {
					t.Errorf("a payment, of a house that has rested %v: %v", rested, err)
				}
				r.number++
				_, err = r.house.Forfeit(t.Context(), record.Request{Terminal: 1, Number: r.number}, r.sold[0].Place,
					Holder{Code: r.codes[r.sold[0].Place]})
				if refused := new(refusal.Refusal); !errors.As(err, &refused) || refused.Code != counter.Disputed {
					t.Errorf("a forfeit, of a house that has rested %v: %v", rested, err)
				}
			}
			if !has(r.house, PartWitness, "") {
				t.Errorf("alarms %+v", r.house.Alarms())
			}
		})
	}
}
