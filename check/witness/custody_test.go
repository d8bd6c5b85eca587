package witness

import (
	"bytes"
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
	a, b := testCosigner(t, "a.example"), testCosigner(t, "b.example")
	custody, err := NewCustody(allOf(a.Verifier, b.Verifier))
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
func allOf(custodians ...*Verifier) GateConfig {
	return GateConfig{Custodians: custodians, Own: "a.example"}
}

// TestPolicyNamesEveryCustodian refuses a gate whose policy is weaker.
func TestPolicyNamesEveryCustodian(t *testing.T) {
	a, b := testCosigner(t, "a.example"), testCosigner(t, "b.example")
	same := &Verifier{name: "c.example", id: 1, key: a.key}
	for what, config := range map[string]GateConfig{
		"nobody":               allOf(),
		"itself alone":         allOf(a.Verifier),
		"others alone":         allOf(b.Verifier, testCosigner(t, "c.example").Verifier),
		"one key, two names":   allOf(a.Verifier, same),
		"one custodian, twice": allOf(a.Verifier, a.Verifier),
	} {
		if _, err := NewCustody(config); err == nil {
			t.Errorf("a policy of %s", what)
		}
	}
	both := allOf(a.Verifier, b.Verifier)
	_, stranger, _ := testKey(t, "keno.example")
	both.House = []string{stranger}
	if _, err := NewCustody(both); err != nil {
		t.Error(err)
	}
	_, ofCustodian, _ := testKey(t, "b.example")
	both.House = append(both.House, ofCustodian)
	if _, err := NewCustody(both); err == nil || !strings.Contains(err.Error(), "one key signs logs or cosignatures") {
		t.Errorf("the key of a custodian as that of the house: %v", err)
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
