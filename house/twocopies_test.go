package house

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"drawhouse/check/witness/wire"
	"drawhouse/core/serial"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
	"drawhouse/journal/store/sqlite"
)

// TestTwoCopies starts two copies of one database, which stand alike, so that the witness finds nothing at the start.
// The first one whose log grows has the witness. The other stops with its next seal, says why, sells nothing from then
// on, and does not open again; none of its games is drawn.
func TestTwoCopies(t *testing.T) {
	b := newBench(t)
	w := newLogWitness(t, b, "others.example", b.logKey())
	b.witnessedBy(w.member(wire.LogOnly))
	b.settledGames(2)
	b.close()
	must(t, b.store.Close())
	twin := *b
	twin.dir, twin.serving = filepath.Join(t.TempDir(), "twin"), new(atomic.Pointer[House])
	twin.clock = &jumpClock{now: b.clock.now}
	must(t, os.CopyFS(twin.dir, os.DirFS(b.dir)))
	b.open()
	twin.open()
	drawn, _ := b.loggedDraws()
	b.minutes(7, 1)
	twin.clock.wait = func(time.Time) error { return nil }
	err := runUntilStopped(&twin)
	if !errors.Is(err, ErrBehindWitness) {
		t.Fatalf("the other copy: %v", err)
	}
	if again, early := twin.loggedDraws(); again != drawn || len(early) > 0 {
		t.Errorf("the other copy has drawn %d games, and %d were drawn before", again, drawn)
	}
	sells := func() error {
		_, err := twin.house.Sell(t.Context(), record.Request{Terminal: 1, Number: twin.number + 1}, Order{Terminal: 1},
			serial.ClaimHash{}, 0)
		return err
	}
	if err := sells(); !errors.Is(err, ErrBehindWitness) || !strings.Contains(err.Error(), "Nothing is sold") {
		t.Errorf("a sale there: %v", err)
	}
	if reason := twin.house.Rest(); !errors.Is(reason, ErrBehindWitness) {
		t.Errorf("it rests for %v", reason)
	}
	if err := twin.house.Rejoin(t.Context()); !errors.Is(err, ErrBehindWitness) {
		t.Errorf("it goes on: %v", err)
	}
	if err := sells(); !errors.Is(err, ErrBehindWitness) {
		t.Errorf("a sale after that: %v", err)
	}
	if !has(twin.house, PartStorage, "another public log") {
		t.Errorf("alarms: %+v", twin.house.Alarms())
	}
	twin.close()
	b.minutes(7, 1)
	if after, early := b.loggedDraws(); after < drawn+3 || len(early) > 0 {
		t.Errorf("the first copy has drawn %d games after %d", after, drawn)
	}
	if report := b.verify(); !report.OK() {
		t.Error(report.Failure)
	}
}

// TestKeyOfTwoKinds opens no house whose witness has a key of the house, or that of another witness, or whose custodian
// commits to links with a key of something else.
func TestKeyOfTwoKinds(t *testing.T) {
	b := newBench(t)
	keys := b.house.keys()
	log := b.logKey()
	b.close()
	own, other := newCustodian(t, b, "inspector.example"), newCustodian(t, b, "operator.example")
	witnesses := func(signer journal.Signer, vkeys ...string) (members []wire.Member) {
		for _, vkey := range vkeys {
			members = append(members, wire.Member{Policy: wire.Expected,
				Client: &wire.Client{URL: "http://127.0.0.1:1", Witness: witnessWith(t, signer, vkey)}})
		}
		return members
	}
	custodian := func(c *custodian, linksKey string) wire.Member {
		return wire.Member{Policy: wire.Required, Custodian: true, LinksKey: linksKey,
			Client: &wire.Client{URL: "http://127.0.0.1:1", Witness: c.cosigner.Verifier}}
	}
	for name, c := range map[string]struct {
		members []wire.Member
		says    string
	}{
		"the house's":    {witnesses(keys.House, keys.HouseVerifier), "has the key of the house"},
		"the device's":   {witnesses(keys.Device, keys.DeviceVerifier), "has the key of the draw device"},
		"the log's":      {witnesses(keys.Logs[log], log), "has the key of the public log"},
		"another's":      {witnesses(own.signer, own.vkey(t), own.vkey(t)), "have one key"},
		"one of its own": {witnesses(own.signer, own.vkey(t)), ""},
		"one for both":   {[]wire.Member{custodian(own, own.vkey(t))}, "one key"},
		"no second one":  {[]wire.Member{custodian(own, "")}, "with its second key"},
		"the other's of commitments": {[]wire.Member{custodian(own, own.linksKey), custodian(other, own.linksKey)},
			"operator.example"},
		"the other's of cosignatures": {append(witnesses(own.signer, own.vkey(t)),
			wire.Member{Custodian: true, LinksKey: own.vkey(t), Client: custodian(other, "").Client}), "have one key"},
		"the house's, for commitments": {[]wire.Member{custodian(own, keys.HouseVerifier)}, "has the key of the house"},
		"the log's, for commitments":   {[]wire.Member{custodian(own, log)}, "has the key of the public log"},
		"two of its own":               {[]wire.Member{custodian(own, own.linksKey)}, ""},
	} {
		b.witnesses = Witnesses{Timeout: time.Second, Members: c.members}
		st, err := sqlite.Open(t.Context(), b.dir, store.FirstLane)
		must(t, err)
		keys, err := KeysOf(t.Context(), st, filepath.Join(b.dir, "keys"), "bench.example", b.random)
		must(t, err)
		switch err := b.openHouse(st, keys); {
		case c.says == "" && err == nil:
			b.close()
		case c.says == "" || err == nil || !strings.Contains(err.Error(), c.says):
			t.Errorf("a key that is %s: %v", name, err)
		}
		must(t, st.Close())
	}
}

// vkey returns the key of a custodian's cosignatures in the form of notes.
func (c *custodian) vkey(t *testing.T) string {
	t.Helper()
	key, err := c.cosigner.OfNotes()
	must(t, err)
	return key
}
