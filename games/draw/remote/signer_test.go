package remote

import (
	"crypto"
	"crypto/ed25519"
	"errors"
	"io"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// awayKey is a key that something else holds, which is away at times, as a token may be.
type awayKey struct {
	ed25519.PrivateKey
	away func() bool
}

func (k awayKey) Sign(random io.Reader, message []byte, options crypto.SignerOpts) ([]byte, error) {
	if k.away() {
		return nil, errors.New("the token is gone")
	}
	return k.PrivateKey.Sign(random, message, options)
}

// TestKeyThatIsAway takes the key of the device away before every number and before the result. The device shows
// nothing meanwhile and goes on; the number that it had drawn stays, also when the house starts the draw again.
func TestKeyThatIsAway(t *testing.T) {
	m := newMachine(t)
	config, away := m.config(), false
	config.Book += "-away"
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	config.Keys.Signer, config.Key, err = journal.NewSigner("device", awayKey{private, func() bool { return away }})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	plan, seal := draw.KenoPlan(testGame, 1), testSeal(t, testGame, 1, "house")
	if err := d.Start(plan, seal, ball.Sequence{}, nil); err != nil {
		t.Fatal(err)
	}
	name := drawName{testGame, 1}
	for place := 1; place <= 20; place++ {
		away = true
		if pick, err := d.Next(testGame, 1, place); !errors.Is(err, journal.ErrUnsigned) || pick.Number != 0 {
			t.Fatalf("number %d without a key: %+v, %v", place, pick, err)
		}
		kept := d.drawings[name].unsigned.pick
		if err := d.Start(plan, seal, ball.Sequence{}, nil); err != nil {
			t.Fatal(err)
		}
		away = false
		if pick, err := d.Next(testGame, 1, place); err != nil || pick.Number != kept.Number ||
			string(pick.Bytes) != string(kept.Bytes) {
			t.Fatalf("number %d was %+v and is %+v, %v", place, kept, pick, err)
		}
	}
	away = true
	if _, err := d.Sign(testGame, 1); err == nil {
		t.Error("a result without a key")
	}
	away = false
	if _, err := d.Sign(testGame, 1); err != nil {
		t.Error(err)
	}
	if err := d.Err(); err != nil {
		t.Errorf("the device has stopped: %v", err)
	}
	next := testGame
	next.Number++
	plan = draw.KenoPlan(next, 1)
	if err := d.Start(plan, testSeal(t, next, 1, "house"), ball.Sequence{}, nil); err != nil {
		t.Fatal(err)
	}
	away = true
	if _, err := d.Next(next, 1, 1); !errors.Is(err, journal.ErrUnsigned) {
		t.Error(err)
	}
	if err := d.Start(plan, testSeal(t, next, 2, "house"), ball.Sequence{}, nil); !errors.Is(err, draw.ErrContradiction) {
		t.Errorf("another seal after a number was drawn: %v", err)
	}
}
