package beacon_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"testing"

	"github.com/cloudflare/circl/ecc/bls12381"
	"github.com/cloudflare/circl/sign/bls"

	"drawhouse/games/beacon"
)

// known are rounds of quicknet as its relays give them.
var known = []struct {
	round     uint64
	signature string
}{
	{1, "b55e7cb2d5c613ee0b2e28d6750aabbb78c39dcc96bd9d38c2c2e12198df95571de8e8e402a0cc48871c7089a2b3af4b"},
	{1000, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"},
	{657413, "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"},
}

// TestQuicknet holds real rounds of quicknet: each is that round and no other, and no round has another form.
func TestQuicknet(t *testing.T) {
	chain := beacon.Quicknet()
	if err := chain.Check(); err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		signature, err := beacon.ParseSignature(k.signature)
		if err != nil {
			t.Fatal(err)
		}
		if err := chain.CheckRound(k.round, signature); err != nil {
			t.Error(err)
		}
		if err := chain.CheckRound(k.round+1, signature); !errors.Is(err, beacon.ErrSignature) {
			t.Errorf("round %d is taken for round %d: %v", k.round, k.round+1, err)
		}
	}
	signature, _ := hex.DecodeString(known[1].signature)
	var point bls12381.G1
	if err := point.SetBytes(signature); err != nil {
		t.Fatal(err)
	}
	long := point.Bytes()
	if key := new(bls.PublicKey[bls.KeyG2SigG1]); key.UnmarshalBinary(chain.Key[:]) != nil ||
		!bls.Verify(key, beacon.Message(known[1].round), long) {
		t.Fatal("the form of 96 bytes is no signature to anybody, so that this test shows nothing")
	}
	if err := chain.CheckRound(known[1].round, long); len(long) != 96 || !errors.Is(err, beacon.ErrLength) {
		t.Errorf("the form of %d bytes is taken: %v", len(long), err)
	}
	for _, wrong := range [][]byte{nil, make([]byte, 48), bytes.Repeat([]byte{0xff}, 48),
		append([]byte{0xc0}, make([]byte, 47)...)} {
		if err := chain.CheckRound(1, wrong); err == nil {
			t.Errorf("%x is taken for round 1", wrong)
		}
	}
	if err := chain.CheckRound(0, signature); err == nil {
		t.Error("there is a round 0")
	}
}

// TestQuicknetHash works the hash of the chain out of what it commits to.
func TestQuicknetHash(t *testing.T) {
	chain := beacon.Quicknet()
	seed, _ := hex.DecodeString("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")
	text := binary.BigEndian.AppendUint32(nil, chain.Period)
	text = binary.BigEndian.AppendUint64(text, uint64(chain.Genesis))
	text = append(append(append(text, chain.Key[:]...), seed...), "quicknet"...)
	if got := sha256.Sum256(text); got != chain.Hash {
		t.Errorf("the hash is %x, want %s", got, chain.Name())
	}
}

// TestRoundFor holds the round of a game: the first at or after six seconds behind its close.
func TestRoundFor(t *testing.T) {
	chain := beacon.Quicknet()
	genesis := chain.Genesis * 1000
	for _, c := range []struct {
		closes int64
		want   uint64
	}{
		{genesis - 6000, 1}, {genesis - 5999, 2}, {genesis - 3000, 2}, {genesis - 2999, 3}, {genesis, 3},
		{genesis + 1, 4}, {genesis + 3000, 4}, {genesis - 6001, 0}, {0, 0}, {-1, 0}, {math.MaxInt64, 0},
	} {
		got, err := chain.RoundFor(c.closes)
		if got != c.want || (err == nil) != (c.want > 0) {
			t.Errorf("a game that closes at %d has round %d (%v), want %d", c.closes, got, err, c.want)
		}
		if err != nil {
			continue
		}
		if at := chain.At(got); at < c.closes+beacon.Delay || got > 1 && chain.At(got-1) >= c.closes+beacon.Delay {
			t.Errorf("round %d is at %d, and the game closes at %d", got, at, c.closes)
		}
	}
	if at := chain.At(1000); at != genesis+999*3000 {
		t.Errorf("round 1000 is at %d", at)
	}
	if chain.At(0) != math.MaxInt64 || chain.At(math.MaxUint64) != math.MaxInt64 {
		t.Error("a round that cannot be has a time")
	}
}

// TestChainCheck refuses chains that no draw could follow.
func TestChainCheck(t *testing.T) {
	for name, change := range map[string]func(*beacon.Chain){
		"hash":    func(c *beacon.Chain) { c.Hash = [32]byte{} },
		"key":     func(c *beacon.Chain) { c.Key[5]++ },
		"no key":  func(c *beacon.Chain) { c.Key = [96]byte{0xc0} },
		"genesis": func(c *beacon.Chain) { c.Genesis = 0 },
		"period":  func(c *beacon.Chain) { c.Period = 0 },
		"seldom":  func(c *beacon.Chain) { c.Period = 301 },
	} {
		chain := beacon.Quicknet()
		if change(&chain); chain.Check() == nil {
			t.Errorf("%s: a chain is taken that cannot be", name)
		}
	}
	if (beacon.Chain{}).Exists() || !beacon.Quicknet().Exists() {
		t.Error("the zero chain is the one that is none")
	}
}

// FuzzParse reads what pins a chain, and what is written reads as the same.
func FuzzParse(f *testing.F) {
	f.Add(beacon.Quicknet().String())
	f.Add("00,11,1,3")
	f.Add(",,,")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := beacon.Parse(text)
		if err != nil {
			return
		}
		if again, err := beacon.Parse(c.String()); err != nil || again != c || c.Check() != nil {
			t.Errorf("%v reads as %v: %v", c, again, err)
		}
	})
}

// FuzzParseAnswer reads answers that no relay gave, and signatures that nobody made.
func FuzzParseAnswer(f *testing.F) {
	f.Add([]byte(`{"round":1000,"randomness":"00","signature":"` + known[1].signature + `"}`))
	f.Add([]byte(`{"round":1,"signature":"B5"}`))
	f.Add([]byte(`{}`))
	chain := beacon.Quicknet()
	f.Fuzz(func(t *testing.T, data []byte) {
		if signature, err := beacon.ParseSignature(string(data)); err == nil &&
			hex.EncodeToString(signature) != string(data) {
			t.Errorf("%q is read as %x", data, signature)
		}
		round, signature, err := beacon.ParseAnswer(data)
		if err != nil {
			return
		}
		if len(signature) != beacon.SignatureBytes {
			t.Errorf("a signature of %d bytes", len(signature))
		}
		for _, k := range known {
			genuine := k.round == round && k.signature == hex.EncodeToString(signature)
			if err := chain.CheckRound(k.round, signature); k.round == round && (err == nil) != genuine {
				t.Errorf("round %d, %x: %v", round, signature, err)
			}
		}
		if err := chain.CheckRound(round, data); err == nil && len(data) != beacon.SignatureBytes {
			t.Errorf("%x is taken for round %d", data, round)
		}
	})
}
