package draw

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"drawhouse/journal"
)

// testChainName is a chain for game 417, which testGame is, and 418.
func testChainName(custodian string) ChainName {
	return ChainName{Custodian: custodian, Series: testGame.Series, Day: testGame.Day, First: testGame.Number, Games: 2}
}

func testCommit(t testing.TB, custodian string) (Commitment, [escrowHolders]Share, *Chain) {
	t.Helper()
	seed, err := NewSeed(stream("seed of " + custodian))
	if err != nil {
		t.Fatal(err)
	}
	c, shares, err := Commit(stream("slopes of "+custodian), testChainName(custodian), seed)
	if err != nil {
		t.Fatal(err)
	}
	chain, err := NewChain(c.Chain, seed)
	if err != nil {
		t.Fatal(err)
	}
	return c, shares, chain
}

func gameAfter(game journal.Game, n uint32) journal.Game {
	game.Number += n
	return game
}

func TestLinksFitTheTip(t *testing.T) {
	c, _, chain := testCommit(t, "operator")
	if chain.Tip() != c.Tip || chain.Name() != c.Chain {
		t.Fatal("the commitment is to another chain")
	}
	seen := map[journal.Hash]bool{c.Tip: true}
	for game := range c.Chain.Games {
		for revision := uint32(1); revision <= drawsOfGame; revision++ {
			link, err := chain.Link(gameAfter(testGame, game), revision)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.CheckLink(link); err != nil {
				t.Error(err)
			}
			if seen[link.Value] {
				t.Errorf("link %+v is used twice", link)
			}
			seen[link.Value] = true
		}
	}
}

func TestLinkThatDoesNotFit(t *testing.T) {
	c, _, chain := testCommit(t, "operator")
	_, _, stranger := testCommit(t, "stranger")
	link, err := chain.Link(testGame, 2)
	if err != nil {
		t.Fatal(err)
	}
	other, err := stranger.Link(testGame, 2)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*Link){
		"a bit":                     func(l *Link) { l.Value[31] ^= 1 },
		"nothing":                   func(l *Link) { l.Value = journal.Hash{} },
		"the tip":                   func(l *Link) { l.Value = c.Tip },
		"as of the first draw":      func(l *Link) { l.Revision = 1 },
		"as of the third draw":      func(l *Link) { l.Revision = 3 },
		"as of no draw":             func(l *Link) { l.Revision = 0 },
		"as of a fourth draw":       func(l *Link) { l.Revision = 4 },
		"as of the next game":       func(l *Link) { l.Game.Number++ },
		"as of a game before":       func(l *Link) { l.Game.Number-- },
		"as of a game behind":       func(l *Link) { l.Game.Number += 2 },
		"as of another day":         func(l *Link) { l.Game.Day = "2026-11-16" },
		"as of another series":      func(l *Link) { l.Game.Series = "tas-keno" },
		"another custodian's":       func(l *Link) { *l = other },
		"another's under this name": func(l *Link) { l.Value = other.Value },
	} {
		bent := link
		change(&bent)
		if err := c.CheckLink(bent); !errors.Is(err, ErrLink) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestChainNames(t *testing.T) {
	for what, change := range map[string]func(*ChainName){
		"no custodian":    func(n *ChainName) { n.Custodian = "" },
		"two words":       func(n *ChainName) { n.Custodian = "the operator" },
		"two lines":       func(n *ChainName) { n.Custodian = "operator\ntip" },
		"no series":       func(n *ChainName) { n.Series = "" },
		"day":             func(n *ChainName) { n.Day = "today" },
		"no games":        func(n *ChainName) { n.Games = 0 },
		"too many games":  func(n *ChainName) { n.Games = maxChainGames + 1 },
		"past the counts": func(n *ChainName) { n.First = math.MaxUint32 },
	} {
		name := testChainName("operator")
		change(&name)
		if _, err := NewChain(name, journal.Hash{}); err == nil {
			t.Errorf("%s: a chain", what)
		}
		if _, _, err := Commit(stream("x"), name, journal.Hash{}); err == nil {
			t.Errorf("%s: a commitment", what)
		}
		if _, err := ParseCommitment(Commitment{Chain: name}.Marshal()); err == nil {
			t.Errorf("%s: a commitment was read", what)
		}
		if _, err := ParseShare(Share{Chain: name, Holder: 1}.Marshal()); err == nil {
			t.Errorf("%s: a share was read", what)
		}
	}
	if _, err := NewSeed(io.LimitReader(stream("x"), 31)); err == nil {
		t.Error("a seed of 31 bytes")
	}
	if _, _, err := Commit(io.LimitReader(stream("x"), 31), testChainName("operator"), journal.Hash{}); err == nil {
		t.Error("dealt with too little entropy")
	}
}

// Any two shares rebuild the chain, in any order.
func TestRebuild(t *testing.T) {
	c, shares, chain := testCommit(t, "operator")
	for i, a := range shares {
		for j, b := range shares {
			rebuilt, err := c.Rebuild(a, b)
			if i == j {
				if err == nil {
					t.Errorf("share %d alone rebuilds the chain", a.Holder)
				}
				continue
			}
			if err != nil || rebuilt.Tip() != chain.Tip() {
				t.Errorf("shares %d and %d: %v", a.Holder, b.Holder, err)
			}
		}
	}
}

// A holder who brings another share is told from a custodian who dealt badly.
func TestWhoseFaultAShareIs(t *testing.T) {
	c, shares, _ := testCommit(t, "operator")
	for what, change := range map[string]func(*Share){
		"another value":  func(s *Share) { s.Value[0] ^= 1 },
		"another holder": func(s *Share) { s.Holder = 2 },
		"no holder":      func(s *Share) { s.Holder = 0 },
		"fourth holder":  func(s *Share) { s.Holder = 4 },
		"another chain":  func(s *Share) { s.Chain.Day = "2026-11-16" },
	} {
		bent := shares[0]
		change(&bent)
		if _, err := c.Rebuild(bent, shares[2]); !errors.Is(err, ErrShare) {
			t.Errorf("%s: %v", what, err)
		}
	}
	// Both shares are those that were committed to, but the tip is of another seed.
	wrong, err := NewChain(c.Chain, journal.Hash{1})
	if err != nil {
		t.Fatal(err)
	}
	c.Tip = wrong.Tip()
	if _, err := c.Rebuild(shares[0], shares[1]); !errors.Is(err, ErrDealer) {
		t.Errorf("a badly dealt chain: %v", err)
	}
}

func TestCommitmentForms(t *testing.T) {
	c, shares, _ := testCommit(t, "operator")
	if back, err := ParseCommitment(c.Marshal()); err != nil || back != c {
		t.Errorf("%+v: %v", back, err)
	}
	if back, err := ParseShare(shares[1].Marshal()); err != nil || back != shares[1] {
		t.Errorf("%+v: %v", back, err)
	}
	for _, r := range [][2]string{{"first 417", "first 0417"}, {"games 2", "games 2 "}, {"\ntip ", "\nTip "},
		{"share3", "share4"}, {"chain/v1", "chain/v2"}} {
		if _, err := ParseCommitment(strings.Replace(c.Marshal(), r[0], r[1], 1)); err == nil {
			t.Errorf("read with %q for %q", r[1], r[0])
		}
	}
	for _, r := range [][2]string{{"holder 2", "holder 0"}, {"holder 2", "holder 4"}, {"holder 2", "holder 02"},
		{"\nshare ", "\nshare  "}} {
		if _, err := ParseShare(strings.Replace(shares[1].Marshal(), r[0], r[1], 1)); err == nil {
			t.Errorf("read with %q for %q", r[1], r[0])
		}
	}
	signer, verifier := testKey(t, "operator")
	msg, err := journal.SignNote(c.Marshal(), signer)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := OpenCommitment(msg, verifier); err != nil || back != c {
		t.Errorf("%+v: %v", back, err)
	}
	if _, err := OpenCommitment(bytes.Replace(msg, []byte("games 2"), []byte("games 3"), 1), verifier); err == nil {
		t.Error("a changed commitment was opened")
	}
	other, otherVerifier := testKey(t, "inspector")
	if msg, err = journal.SignNote(c.Marshal(), other); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCommitment(msg, otherVerifier); err == nil {
		t.Error("the inspector committed to the operator's chain")
	}
	if msg, err = journal.SignNote("something else\n", signer); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCommitment(msg, verifier); err == nil {
		t.Error("another note was opened as a commitment")
	}
}

func FuzzParseCommitment(f *testing.F) {
	c, shares, _ := testCommit(f, "operator")
	f.Add(c.Marshal())
	f.Add(shares[0].Marshal())
	f.Fuzz(func(t *testing.T, text string) {
		if c, err := ParseCommitment(text); err == nil && (c.Marshal() != text || c.Chain.Check() != nil) {
			t.Errorf("%q marshals back as %q", text, c.Marshal())
		}
		if s, err := ParseShare(text); err == nil && (s.Marshal() != text || s.Chain.Check() != nil) {
			t.Errorf("%q marshals back as %q", text, s.Marshal())
		}
	})
}

func BenchmarkCheckLastLink(b *testing.B) {
	name := testChainName("operator")
	name.Games = 1000
	chain, err := NewChain(name, journal.Hash{1})
	if err != nil {
		b.Fatal(err)
	}
	link, err := chain.Link(gameAfter(testGame, 999), drawsOfGame)
	if err != nil {
		b.Fatal(err)
	}
	c := Commitment{Chain: name, Tip: chain.Tip()}
	for b.Loop() {
		if err := c.CheckLink(link); err != nil {
			b.Fatal(err)
		}
	}
}
