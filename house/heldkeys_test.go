package house

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drawhouse/internal/tokentest"
	"drawhouse/journal"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// TestKeysInToken plays with the keys of house, device and log in a token. The module's process is killed, and nobody
// notices; the token is unplugged, and the house rests, says so and goes on when it is back; the house key is exchanged
// for another one in the token. No secret of these keys is in a file.
func TestKeysInToken(t *testing.T) {
	token := tokentest.New(t)
	b := closedBench(t)
	dir := filepath.Join(b.dir, "keys")
	given := InToken{HouseKey: token.Make("house-1"), DeviceKey: token.Make("device-1"), LogKey: token.Make("log-1")}
	_, err := OpenKeys(dir, "bench.example", b.random, given)
	must(t, err)
	if _, err := OpenKeys(dir, "bench.example", b.random, InToken{HouseKey: token.Name("another")}); err == nil {
		t.Error("keys of an earlier founding were taken for others")
	}
	b.open()
	b.minutes(4, 1)
	if token.KillModules() == 0 {
		t.Fatal("no process of the module signs")
	}
	b.minutes(4, 1)
	b.checkProofs("")

	token.TakeAway()
	b.goesOnWithoutToken(token)
	b.minutes(8, 1)

	b.close()
	keys, err := ReadKeyDir(dir)
	must(t, err)
	keys.Give(InToken{HouseKey: token.Make("house-2")})
	turned, err := b.turnWith(keys, record.ReasonKeys, Turn{}, HouseKey)
	must(t, err)
	if !turned.Handed {
		t.Error("the old key has not signed for the new one")
	}
	b.open()
	b.minutes(15, 1)
	b.checkAcrossVolumes(2)
	if _, err := b.house.LogCheckpoint(); err != nil {
		t.Errorf("the public log: %v", err)
	}
	keys.Give(InToken{HouseKey: token.Name("house-1")})
	if _, err := b.turnWith(keys, record.ReasonKeys, Turn{}, HouseKey); err == nil ||
		!strings.Contains(err.Error(), "each key signs one kind of thing") {
		t.Errorf("a key was taken twice: %v", err)
	}
	must(t, keys.Copy(filepath.Join(b.dir, "copy")))
	for _, f := range keys.Files() {
		data, err := os.ReadFile(filepath.Join(dir, f.File))
		must(t, err)
		if f.Kind != "serial" && f.Kind != PersonalKey && (f.Token == "" || bytes.Contains(data, []byte("PRIVATE"))) {
			t.Errorf("%s has a secret", f.File)
		}
	}
}

// TestStartWithoutToken: a house that has something to write at its start does not open without its token, says why,
// and opens when the token is back.
func TestStartWithoutToken(t *testing.T) {
	token := tokentest.New(t)
	b := closedBench(t)
	_, err := OpenKeys(filepath.Join(b.dir, "keys"), "bench.example", b.random, InToken{HouseKey: token.Make("house-1")})
	must(t, err)
	b.open()
	b.close()
	keys := *b.house.keys()
	b.build, b.binary = "another", record.Hash{1}
	token.TakeAway()
	if err := b.openHouse(b.store, keys); !errors.Is(err, journal.ErrUnsigned) {
		t.Fatalf("without the token: %v", err)
	}
	token.GiveBack()
	err = b.openHouse(b.store, keys)
	for end := time.Now().Add(time.Minute); errors.Is(err, journal.ErrUnsigned) && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond) // As in goesOnWithoutToken.
		err = b.openHouse(b.store, keys)
	}
	must(t, err)
	b.minutes(4, 1)
	b.close()
}

// checkProofs has every key that is in a token sign, and compares what is known of that with what is wanted.
func (b *bench) checkProofs(want string) {
	b.t.Helper()
	if held := b.house.heldKeys(); len(held) != 3 {
		b.t.Fatalf("%d keys are in the token", len(held))
	}
	for _, k := range b.house.heldKeys() {
		_ = b.house.proveKey(k)
	}
	for _, k := range b.house.KeysSign() {
		if said := ""; k.Err != nil {
			if said = k.Err.Error(); want == "" || !strings.Contains(said, want) {
				b.t.Errorf("the %s key: %s", k.Key, said)
			}
		} else if want != "" {
			b.t.Errorf("the %s key signs", k.Key)
		}
	}
}

// goesOnWithoutToken has the house meet that its token is gone, and brings the token back.
func (b *bench) goesOnWithoutToken(token *tokentest.Token) {
	t, h := b.t, b.house
	t.Helper()
	b.clock.wait = nil
	if err := runUntilStopped(b); !errors.Is(err, lane.ErrStopped) {
		t.Fatalf("the games go on without the key: %v", err)
	}
	<-h.Done()
	if err := h.Rest(); err == nil || !strings.Contains(err.Error(), "the key does not sign now") {
		t.Fatalf("the house rests because of %v", err)
	}
	epoch := h.lane.Epoch()
	if err := h.Rejoin(t.Context()); err == nil || h.lane.Epoch() != epoch {
		t.Fatalf("the house took the journal over, and cannot sign: %v", err)
	}
	b.checkProofs("is not there")
	alarm, ok := b.alarmOn(PartKeys)
	if !ok || !strings.Contains(alarm.Sentence, "is not there") || !strings.Contains(alarm.Remedy, "Look at the token") {
		t.Errorf("the alarm is %+v", alarm)
	}
	if _, err := h.Ticket(t.Context(), b.sold[0].Place); err != nil {
		t.Errorf("what is durable is not shown: %v", err)
	}
	token.GiveBack()
	for end := time.Now().Add(time.Minute); ; {
		err := h.Rejoin(t.Context())
		if err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // A token that has failed is left alone for a while.
	}
	b.checkProofs("")
	if alarm, ok := b.alarmOn(PartKeys); ok {
		t.Errorf("there is still the alarm %+v", alarm)
	}
}
