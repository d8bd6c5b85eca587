package witness

import (
	"strings"
	"testing"

	"drawhouse/games/draw"
	"drawhouse/journal"
)

// testSeal is the house's seal of a game over the log as it is. The plays make two
// seals of one game differ.
func testSeal(t testing.TB, l *log, number uint32, plays uint64) []byte {
	t.Helper()
	house, _, _ := testKey(t, testHouse)
	body := journal.SealBody{Checkpoint: l.checkpoint(),
		Game: journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: number}}
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
	custody, err := NewCustody("a.example", nil, []*Verifier{a.Verifier, b.Verifier})
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
	e := Evidence{Game: journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 2}}
	if _, err := custody.Release(e, 0, func(GateEntry) error { return nil }); err == nil {
		t.Error("a link without evidence")
	}
}

// TestPolicyNamesEveryCustodian refuses a gate whose policy is weaker.
func TestPolicyNamesEveryCustodian(t *testing.T) {
	a, b := testCosigner(t, "a.example"), testCosigner(t, "b.example")
	same := &Verifier{name: "c.example", id: 1, key: a.key}
	for what, policy := range map[string][]*Verifier{
		"nobody":               {},
		"itself alone":         {a.Verifier},
		"others alone":         {b.Verifier, testCosigner(t, "c.example").Verifier},
		"one key, two names":   {a.Verifier, same},
		"one custodian, twice": {a.Verifier, a.Verifier},
	} {
		if _, err := NewCustody("a.example", nil, policy); err == nil {
			t.Errorf("a policy of %s", what)
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

func FuzzParseEvidence(f *testing.F) {
	f.Add([]byte(`{"game":{"Series":"vic-keno","Day":"2026-11-15","Number":2},"checkpoint":"x","records":[{"volume":1,"seq":2,"data":"AA==","proof":[]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, err := ParseEvidence(data); err == nil {
			if _, err := e.Marshal(); err != nil || e.Game.Check() != nil {
				t.Errorf("%q is %+v: %v", data, e, err)
			}
		}
	})
}
