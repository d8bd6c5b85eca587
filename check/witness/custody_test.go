package witness

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"drawhouse/games/draw"
	"drawhouse/journal"
)

func testLinks(t testing.TB, custodian string) *draw.Links {
	t.Helper()
	links, err := draw.NewLinks(strings.NewReader(strings.Repeat(custodian+" link ", 100)),
		draw.ChainName{Custodian: custodian, Series: "vic-keno", Day: "2026-11-15", First: 1, Games: 3})
	if err != nil {
		t.Fatal(err)
	}
	return links
}

// TestCustodyHoldsOwnLinks holds the links of its custodian alone, once for each day, and
// gives none without the gate.
func TestCustodyHoldsOwnLinks(t *testing.T) {
	a, b := testCustodian(t, "a.example"), testCustodian(t, "b.example")
	custody, err := NewCustody(allOf(a, b))
	if err != nil {
		t.Fatal(err)
	}
	if err := custody.Hold(testLinks(t, "a.example")); err != nil {
		t.Fatal(err)
	}
	if err := custody.Hold(testLinks(t, "a.example")); err == nil {
		t.Error("two sets of links for one day")
	}
	if err := custody.Hold(testLinks(t, "b.example")); err == nil {
		t.Error("the links of somebody else")
	}
	r := LinkRequest{Game: journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 2}}
	if _, err := custody.Release(r, 0, func(GateEntry) error { return nil }); !errors.Is(err, ErrUnproved) {
		t.Errorf("a link without a log: %v", err)
	}
}

// allOf is the configuration of the gate of a.example.
func allOf(custodians ...Custodian) GateConfig {
	return GateConfig{Custodians: custodians, Own: "a.example"}
}

func testCustodian(t testing.TB, name string) Custodian {
	t.Helper()
	_, key, _ := linksKey(t, name)
	return Custodian{testCosigner(t, name).Verifier, key}
}

// TestPolicyNamesEveryCustodian refuses a gate whose policy is weaker.
func TestPolicyNamesEveryCustodian(t *testing.T) {
	a, b := testCustodian(t, "a.example"), testCustodian(t, "b.example")
	same := Custodian{&Verifier{name: "c.example", id: 1, key: a.key}, testCustodian(t, "c.example").LinksKey}
	for what, config := range map[string]GateConfig{
		"nobody":               allOf(),
		"itself alone":         allOf(a),
		"others alone":         allOf(b, testCustodian(t, "c.example")),
		"one key, two names":   allOf(a, same),
		"one custodian, twice": allOf(a, a),
	} {
		if _, err := NewCustody(config); err == nil {
			t.Errorf("a policy of %s", what)
		}
	}
	both := allOf(a, b)
	_, stranger, _ := testKey(t, "keno.example")
	both.House = []string{stranger}
	if _, err := NewCustody(both); err != nil {
		t.Error(err)
	}
}

// TestCustodianKeys refuses custodians of whose keys one signs two kinds of things, or two of them have.
func TestCustodianKeys(t *testing.T) {
	a, b := testCustodian(t, "a.example"), testCustodian(t, "b.example")
	_, aNote, _ := testKey(t, "a.example")
	_, bNote, _ := testKey(t, "b.example")
	_, house, _ := testKey(t, "keno.example")
	under := func(name, vkey string) string {
		v, err := journal.ParseVerifier(vkey)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(strings.TrimPrefix(vkey, v.Name()+"+"), "+")
		data, err := base64.StdEncoding.DecodeString(rest)
		if err != nil {
			t.Fatal(err)
		}
		renamed, err := journal.VerifierKey(name, data[1:])
		if err != nil {
			t.Fatal(err)
		}
		return renamed
	}
	for what, c := range map[string]struct {
		custodian Custodian
		house     []string
	}{
		"one key for both":                       {Custodian{b.Verifier, bNote}, nil},
		"the other's key of cosignatures":        {Custodian{b.Verifier, under("b.example", aNote)}, nil},
		"the other's key of commitments":         {Custodian{b.Verifier, under("b.example", a.LinksKey)}, nil},
		"the house's key for commitments":        {Custodian{b.Verifier, under("b.example", house)}, []string{house}},
		"a key of cosignatures that the house's": {b, []string{bNote}},
		"a key of commitments that the house's":  {b, []string{b.LinksKey}},
	} {
		config := allOf(a, c.custodian)
		config.House = c.house
		if _, err := NewCustody(config); !errors.Is(err, ErrTwoKinds) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if c, err := ParseCustodian(b.String() + "," + b.LinksKey); err != nil || c.LinksKey != b.LinksKey ||
		c.String() != b.String() {
		t.Errorf("%v: %v", c, err)
	}
	for text, says := range map[string]string{
		b.String():                    "write KEY,LINKSKEY",
		b.String() + "," + bNote:      "one key",
		b.String() + "," + a.LinksKey: "is another",
		b.String() + "," + b.String(): "the key of the commitments of b.example",
		bNote + "," + b.LinksKey:      "of kind 1, want 4",
	} {
		if _, err := ParseCustodian(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParseLink(f *testing.F) {
	link, err := testLinks(f, "a.example").Link(journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(link.Marshal())
	link.Path = ""
	f.Add(MarshalLink(link))
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := ParseLink(text); err == nil && l.Marshal() != text && MarshalLink(l) != text {
			t.Errorf("%q is %+v", text, l)
		}
	})
}

func FuzzParseLinkRequest(f *testing.F) {
	r := LinkRequest{Game: journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 2}, Checkpoint: []byte("a\n\nb\n")}
	f.Add(r.Marshal())
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := ParseLinkRequest(data); err == nil && (!bytes.Equal(r.Marshal(), data) || r.Game.Check() != nil) {
			t.Errorf("%q is %+v", data, r)
		}
	})
}
