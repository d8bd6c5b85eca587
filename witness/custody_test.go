package witness

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"drawhouse/draw"
	"drawhouse/journal"
)

// testSeal is the house's seal of a game over the log as it is. The plays make two
// seals of one game differ.
func testSeal(t testing.TB, l *log, number uint32, plays uint64) []byte {
	t.Helper()
	house, _, _ := testKey(t, testHouse)
	body := journal.SealBody{Checkpoint: l.checkpoint(), Game: journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: number}}
	if plays > 0 {
		bits, err := journal.NewBitmapBuilder(0, 1)
		if err != nil {
			t.Fatal(err)
		}
		body.Plays, body.Open = plays, []journal.Span{bits.Build().Span(1)}
	}
	msg, err := journal.SignSeal(body, house)
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

func testChain(t testing.TB) *draw.Chain {
	t.Helper()
	chain, err := draw.NewChain(draw.ChainName{Custodian: "inspector.example", Series: "vic-keno", Day: "2026-11-15", First: 417, Games: 3}, journal.EmptyRoot())
	if err != nil {
		t.Fatal(err)
	}
	return chain
}

func testCustody(t testing.TB) (*Custody, *Cosigner) {
	t.Helper()
	_, _, house := testKey(t, testHouse)
	cosigner := testCosigner(t, "inspector.example")
	c, err := NewCustody(house, cosigner.Verifier)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Hold(testChain(t)); err != nil {
		t.Fatal(err)
	}
	return c, cosigner
}

func cosign(t testing.TB, c *Cosigner, l *log, seal []byte) []byte {
	t.Helper()
	line, err := c.Cosign(l.checkpoint(), 1_794_711_600)
	if err != nil {
		t.Fatal(err)
	}
	return append(seal, line...)
}

func TestCustody(t *testing.T) {
	c, cosigner := testCustody(t)
	l := newLog(t).grow(5, "record")
	seal := testSeal(t, l, 417, 0)
	sealed := MarshalRelease(1, cosign(t, cosigner, l, seal))

	// Early: the house has sealed the game, and the witness has not seen it yet.
	if _, err := c.Release(MarshalRelease(1, seal)); !errors.Is(err, draw.ErrSeal) || !strings.Contains(err.Error(), "too early") {
		t.Errorf("before the cosignature: %v", err)
	}
	link, err := c.Release(sealed)
	if err != nil {
		t.Fatal(err)
	}
	want, err := testChain(t).Link(journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 417}, 1)
	if err != nil || link != want {
		t.Errorf("link %+v, want %+v: %v", link, want, err)
	}
	if read, err := ParseLink(MarshalLink(link)); err != nil || read != link {
		t.Errorf("read again %+v: %v", read, err)
	}
	if again, err := c.Release(sealed); err != nil || again != link {
		t.Errorf("asked again: %+v: %v", again, err)
	}
	other := MarshalRelease(1, cosign(t, cosigner, l, testSeal(t, l, 417, 2)))
	if _, err := c.Release(other); !errors.Is(err, draw.ErrContradiction) {
		t.Errorf("another seal of the game: %v", err)
	}
}

func TestCustodyRefuses(t *testing.T) {
	c, cosigner := testCustody(t)
	l := newLog(t).grow(5, "record")
	stranger, _, _ := testKey(t, "stranger.example")
	body := journal.SealBody{Checkpoint: l.checkpoint(), Game: journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 417}}
	forged, err := journal.SignSeal(body, stranger)
	if err != nil {
		t.Fatal(err)
	}
	good := cosign(t, cosigner, l, testSeal(t, l, 417, 0))
	for _, x := range []struct {
		name    string
		request []byte
		want    error
	}{
		{"nothing", nil, nil},
		{"no seal", []byte("revision 1\n\n"), draw.ErrSeal},
		{"no revision", append([]byte("revision\n\n"), good...), nil},
		{"revision 0", MarshalRelease(0, good), nil},
		{"more draws than a chain has", MarshalRelease(4, good), draw.ErrLink},
		{"a stranger's seal", MarshalRelease(1, cosign(t, cosigner, l, forged)), draw.ErrSeal},
		{"a checkpoint for a seal", MarshalRelease(1, cosign(t, cosigner, l, l.sign(stranger))), draw.ErrSeal},
		{"a game before the chain", MarshalRelease(1, cosign(t, cosigner, l, testSeal(t, l, 416, 0))), draw.ErrLink},
		{"a game behind the chain", MarshalRelease(1, cosign(t, cosigner, l, testSeal(t, l, 420, 0))), draw.ErrLink},
	} {
		link, err := c.Release(x.request)
		if err == nil || x.want != nil && !errors.Is(err, x.want) {
			t.Errorf("%s: %+v, %v", x.name, link, err)
		}
	}
	if _, err := c.Release(MarshalRelease(1, good)); err != nil {
		t.Errorf("after the refusals: %v", err)
	}
}

// TestCustodyAfterAChangeOfKeys: a game that was sealed under the house's old key is drawn
// under the new one, if the custodian is told both.
func TestCustodyAfterAChangeOfKeys(t *testing.T) {
	_, _, old := testKey(t, testHouse)
	_, public, err := journal.GenerateKey(rand.Reader, testHouse)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := journal.ParseVerifier(public)
	if err != nil {
		t.Fatal(err)
	}
	cosigner := testCosigner(t, "inspector.example")
	l := newLog(t).grow(5, "record")
	seal := cosign(t, cosigner, l, testSeal(t, l, 417, 0))
	for _, known := range []bool{false, true} {
		c, err := NewCustody(changed, cosigner.Verifier)
		if err != nil {
			t.Fatal(err)
		}
		if known {
			c.Also(old)
		}
		if err := c.Hold(testChain(t)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Release(MarshalRelease(1, seal)); known != (err == nil) || !known && !errors.Is(err, draw.ErrSeal) {
			t.Errorf("the old key is known: %v: %v", known, err)
		}
	}
}

func TestCustodyHoldsOneChainADay(t *testing.T) {
	c, _ := testCustody(t)
	if err := c.Hold(testChain(t)); err == nil {
		t.Error("a second chain of the day was taken")
	}
	_, _, house := testKey(t, testHouse)
	if _, err := NewCustody(house); err == nil {
		t.Error("a custody without a witness")
	}
	blind, err := NewCustody(nil, testCosigner(t, "inspector.example").Verifier)
	if err != nil {
		t.Fatal(err)
	}
	if err := blind.Hold(testChain(t)); err == nil {
		t.Error("a custody that cannot know a seal took a chain")
	}
}

func TestSeedsAreReadAgain(t *testing.T) {
	name := testChain(t).Name()
	text := MarshalSeed(name, journal.EmptyRoot())
	chain, err := ParseSeed(text)
	if err != nil || chain.Name() != name || chain.Tip() != testChain(t).Tip() {
		t.Errorf("%+v: %v", chain, err)
	}
	for _, damaged := range []string{"", text[:len(text)-1], strings.Replace(text, "games 3", "games 0", 1), strings.Replace(text, "first", "last", 1)} {
		if _, err := ParseSeed(damaged); err == nil {
			t.Errorf("%q was read", damaged)
		}
	}
	if _, err := ParseLink(strings.Replace(text, "seed", "link", 1)); err == nil {
		t.Error("a seed was read as a link")
	}
}

// Links and seeds come from people and over the network: whatever the bytes are, they are
// read in one form or refused.
func FuzzParseLink(f *testing.F) {
	link, err := testChain(f).Link(journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 417}, 1)
	if err != nil {
		link = draw.Link{Custodian: "inspector.example", Game: journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 417}, Revision: 1, Value: journal.EmptyRoot()}
	}
	f.Add(MarshalLink(link))
	f.Add("drawhouse/link/v1\n")
	f.Fuzz(func(t *testing.T, text string) {
		read, err := ParseLink(text)
		if err == nil && MarshalLink(read) != text {
			t.Errorf("%q is read and written as %q", text, MarshalLink(read))
		}
	})
}

func FuzzParseRelease(f *testing.F) {
	f.Add(MarshalRelease(2, []byte("a seal\n")))
	f.Add([]byte("revision 01\n\nseal"))
	f.Fuzz(func(t *testing.T, request []byte) {
		revision, seal, err := parseRelease(request)
		if err == nil && string(MarshalRelease(revision, seal)) != string(request) {
			t.Errorf("%q is read as revision %d of %q", request, revision, seal)
		}
	})
}
