package house

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// TestWitnessedDraws plays with a witness that must sign: while it is away no number
// is drawn, and every game that is drawn has its signature in the journal before
// its first number.
func TestWitnessedDraws(t *testing.T) {
	b := newBench(t)
	var away atomic.Bool
	private, public, err := journal.GenerateKey(b.random, "inspector.example")
	must(t, err)
	signer, err := journal.ParseSigner(private)
	must(t, err)
	cosigner, err := witness.NewCosigner(signer, public)
	must(t, err)
	log, err := journal.ParseVerifier(b.house.config.Keys.HouseVerifier)
	must(t, err)
	server, err := wire.NewServer(wire.ServerConfig{
		Cosigner: cosigner, Watch: witness.NewWatch(log), State: filepath.Join(t.TempDir(), "witness"), Now: time.Now,
	})
	must(t, err)
	t.Cleanup(func() { _ = server.Close() })
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if away.Load() {
			http.Error(w, "away", http.StatusServiceUnavailable)
			return
		}
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	verifier := cosigner.Verifier

	must(t, b.house.Close(t.Context()))
	must(t, b.store.Close())
	b.witnesses = Witnesses{Timeout: 10 * time.Second,
		Members: []wire.Member{{Client: &wire.Client{URL: front.URL, Witness: verifier}, Policy: wire.Required}}}
	b.open()
	waits := 0
	b.run(func(until time.Time) error {
		switch games := b.house.First().Games(10); {
		case until.Sub(start) > 30*time.Minute:
			return errEnough
		case len(games) == 4 && games[0].Ordinal == 4 && waits < 3:
			away.Store(true)
			waits++
			if g := games[1]; g.Sealed() && !g.IsSettled() && g.Numbers.Len() > 0 && waits > 1 {
				t.Errorf("game %d is drawn without its witness", g.Ordinal)
			}
		default:
			away.Store(false)
			b.sell(1, 3)
		}
		return nil
	})
	witnessed, first := map[record.Game]bool{}, map[record.Game]bool{}
	head, err := b.store.Head(t.Context())
	must(t, err)
	must(t, b.store.Records(t.Context(), 1, 0, head.Size, func(_ uint64, data []byte) error {
		r, err := record.Decode(data)
		switch body := r.Body.(type) {
		case *record.GameWitnessed:
			witnessed[body.Game] = true
			if _, err := journal.OpenSeal(body.Seal, log, verifier.OfSeals()); err != nil {
				t.Errorf("game %v: %v", body.Game, err)
			}
		case *record.NumberDrawn:
			if first[body.Game] = true; !witnessed[body.Game] {
				t.Errorf("a number of game %v is drawn before it is witnessed", body.Game)
			}
		}
		return err
	}))
	if len(first) < 5 || waits != 3 {
		t.Errorf("%d games were drawn, and the house waited %d times", len(first), waits)
	}
}

// TestOldVolumesAreSignedWithTheirKey asks for checkpoints of a volume that has ended,
// as a witness does for a game that was sealed in it. They are signed with the key of
// that volume, which is all that a witness knows of it.
func TestOldVolumesAreSignedWithTheirKey(t *testing.T) {
	b := newBench(t)
	b.minutes(4, 1)
	old, err := journal.ParseVerifier(b.house.config.Keys.HouseVerifier)
	must(t, err)
	b.close()
	_, err = b.turn(record.ReasonKeys, Turn{}, HouseKey)
	must(t, err)
	b.open()
	now, err := journal.ParseVerifier(b.house.config.Keys.HouseVerifier)
	must(t, err)
	for volume, key := range map[uint16]journal.Verifier{1: old, 2: now} {
		checkpoint, err := b.house.checkpointAt(t.Context(), volume, 1)
		must(t, err)
		signed, err := b.house.newGroup().Sign(checkpoint)
		must(t, err)
		if _, _, err := journal.OpenCheckpoint(signed, key); err != nil {
			t.Errorf("volume %d: %v", volume, err)
		}
	}
	keys := *b.house.keys()
	keys.Earlier = nil
	b.house.useKeys(keys)
	checkpoint, err := b.house.checkpointAt(t.Context(), 1, 1)
	must(t, err)
	if _, err := b.house.newGroup().Sign(checkpoint); err == nil || !strings.Contains(err.Error(), "not at hand") {
		t.Errorf("without its key: %v", err)
	}
}
