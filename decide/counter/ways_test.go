package counter_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// waysStory has a ticket for each obstacle: Free, Frozen, Disqualified, Claimed and
// Undelivered; a claim form whose ticket was frozen since; and Unsettled, of the session that
// is open at T2.
const waysStory = `
house
sell Free at T1 standard 1 @ 1.00
sell Frozen at T1 standard 1 @ 1.00
sell Disqualified at T1 standard 1 @ 1.00
sell Claimed at T1 standard 1 @ 1.00
sell Late at T1 standard 1 @ 1.00
sell Undelivered at T1 standard 1 @ 1.00
undelivered Undelivered at T1
play 1-20
claim Claimed lost
claim Late lost
freeze Frozen
freeze Late
disqualify Disqualified by operative inspector
next T2
sell Unsettled at T2 standard 1 @ 1.00
`

// told tells the story and returns the house and where its tickets are.
func told(t *testing.T, rulebook, story string) (*cases.Core, map[string]record.Place) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	path := filepath.Join(folder, rulebook, "cases")
	must(os.MkdirAll(path, 0o755))
	must(os.WriteFile(filepath.Join(path, "story.txt"), []byte(story), 0o600))
	files, err := cases.ReadAll(folder)
	must(err)
	var core *cases.Core
	must(files[0].Run(files[0].Scenarios[0], func(f cases.Founding) (cases.House, error) {
		var err error
		core, err = cases.NewCore(f)
		return core, err
	}))
	must(core.Take())
	var names []string
	for line := range strings.Lines(story) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "sell" {
			names = append(names, words[1])
		}
	}
	places := map[string]record.Place{}
	for seq, data := range core.Records {
		if kind, _ := record.KindOf(data); kind == record.KindTicketSold {
			places[names[len(places)]] = record.Place{Volume: 1, Seq: uint64(seq)}
		}
	}
	return core, places
}

// ways are the records by which money of a ticket leaves at a terminal, with the tickets at
// which the guard refuses.
var ways = map[string]struct {
	body    func(ticket record.Place, terminal uint32) record.Body
	refused string
	keyed   bool // it takes a terminal that was not shut out
	undoes  bool // the session that sold something takes it back so
}{
	"paid": {func(p record.Place, at uint32) record.Body {
		return &record.TicketPaid{Request: record.Request{Terminal: at}, Ticket: p}
	}, "Frozen Disqualified Claimed Undelivered Unsettled Late", true, false},
	"a bonus": {func(p record.Place, at uint32) record.Body { return &record.BonusAllocated{Terminal: at, Ticket: p} },
		"Frozen Disqualified Claimed Undelivered Unsettled Late", true, false},
	"cancelled": {func(p record.Place, at uint32) record.Body {
		return &record.TicketCancelled{Request: record.Request{Terminal: at}, Ticket: p}
	}, "Frozen Disqualified Claimed Unsettled Late", true, true},
	"forfeited": {func(p record.Place, at uint32) record.Body {
		return &record.PrizeForfeited{Request: record.Request{Terminal: at}, Ticket: p}
	}, "Frozen Disqualified Claimed Undelivered Unsettled Late", true, false},
	"settled with": {func(p record.Place, at uint32) record.Body {
		return &record.SessionEnded{Request: record.Request{Terminal: at},
			Tenders: []record.Settlement{{Kind: record.TenderCash}, {Kind: record.TenderInstrument, Instrument: p, Cents: 1}}}
	}, "Frozen Disqualified Claimed Undelivered Unsettled Late", true, true},
	"from a card": {func(p record.Place, at uint32) record.Body {
		return &record.SessionEnded{Request: record.Request{Terminal: at},
			Tenders: []record.Settlement{{Kind: record.TenderCard, Instrument: p, Cents: 1}}}
	}, "Frozen Disqualified Claimed Undelivered Unsettled Late", true, true},
	"to a card": {func(p record.Place, at uint32) record.Body {
		return &record.SessionEnded{Request: record.Request{Terminal: at},
			Tenders: []record.Settlement{{Kind: record.TenderCard, Instrument: p, Cents: -1}}}
	}, "", true, false},
	"a paper": {func(p record.Place, at uint32) record.Body {
		return &record.InstrumentIssued{Request: record.Request{Terminal: at}, For: p}
	}, "Frozen Disqualified Unsettled Late", true, false},
	"a cheque promised": {func(p record.Place, at uint32) record.Body {
		return &record.ChequePromised{Terminal: at, Tickets: []record.Place{{Volume: 1, Seq: 1}, p}}
	}, "Frozen Disqualified Unsettled Late", true, false},
}

// codes are what the guard refuses a ticket with.
var codes = map[string]refusal.Code{
	"Frozen": counter.Frozen, "Disqualified": counter.Disqualified, "Claimed": counter.UnderClaim, "Late": counter.Frozen,
	"Undelivered": counter.NotDelivered, "Unsettled": counter.NotSettled,
}

// guardCode returns the code with which the guard refuses a record, or nothing.
func guardCode(t *testing.T, core *cases.Core, body record.Body) refusal.Code {
	t.Helper()
	err := counter.CheckExit(core.Engine.State(), record.Record{Body: body})
	var refused *refusal.Refusal
	if err != nil && !errors.As(err, &refused) {
		t.Fatalf("%T: %v", body, err)
	}
	if refused == nil {
		return ""
	}
	return refused.Code
}

// TestObstaclesOnEveryWay puts each obstacle before each way on which money leaves.
func TestObstaclesOnEveryWay(t *testing.T) {
	core, places := told(t, "tas-keno-2023", waysStory)
	if err := core.Staff(staff.RevokeTerminal{Terminal: 3, Reason: "stolen"}); err != nil {
		t.Fatal(err)
	}
	for name, way := range ways {
		for ticket, place := range places {
			want := refusal.Code("")
			if slices.Contains(strings.Fields(way.refused), ticket) {
				want = codes[ticket]
			}
			if got := guardCode(t, core, way.body(place, 1)); got != want {
				t.Errorf("%s, %s: %q", name, ticket, got)
			}
		}
		want := refusal.Code("")
		if !way.undoes && way.refused != "" {
			want = counter.NotSettled
		}
		if got := guardCode(t, core, way.body(places["Unsettled"], 2)); got != want {
			t.Errorf("%s at the terminal of the session: %q", name, got)
		}
		want = ""
		if way.keyed {
			want = counter.KeyRevoked
		}
		if got := guardCode(t, core, way.body(places["Free"], 3)); got != want {
			t.Errorf("%s at a terminal that was shut out: %q", name, got)
		}
	}
	for ticket, place := range places {
		want := codes[ticket]
		if ticket == "Undelivered" {
			want = "" // Its holder claims it.
		}
		if got := guardCode(t, core, &record.ClaimLodged{Parts: []record.ClaimPart{{Of: places["Free"]},
			{Of: place}}}); got != want {
			t.Errorf("a claim form for %s: %q", ticket, got)
		}
	}
	for name, c := range map[string]struct {
		body record.Body
		want refusal.Code
	}{
		"a claim allowed":               {&record.ClaimDecided{Claim: 1, Outcome: record.ClaimAllowed}, ""},
		"a claim on a frozen ticket":    {&record.ClaimDecided{Claim: 2, Outcome: record.ClaimAllowed}, counter.Frozen},
		"refused all the same":          {&record.ClaimDecided{Claim: 2, Outcome: record.ClaimRefused}, ""},
		"a claim paid":                  {&record.ClaimPaid{Claim: 1}, ""},
		"one on a frozen ticket paid":   {&record.ClaimPaid{Claim: 2}, counter.Frozen},
		"one that there is not":         {&record.ClaimPaid{Claim: 3}, ""},
		"a cheque that was not awaited": {&record.ChequeHanded{Cheque: record.Place{Volume: 1, Seq: 1}}, ""},
	} {
		if got := guardCode(t, core, c.body); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestClosedOnEveryWay closes the venue of all terminals. The session that is open at T2 ends.
func TestClosedOnEveryWay(t *testing.T) {
	core, places := told(t, "tas-keno-2023", waysStory)
	if err := core.Staff(staff.SetHours{Venue: 1}); err != nil {
		t.Fatal(err)
	}
	free := places["Free"]
	for name, way := range ways {
		want := counter.VenueClosed
		if name == "a cheque promised" {
			want = "" // The end of the session, which promises it, was asked.
		}
		if got := guardCode(t, core, way.body(free, 1)); got != want {
			t.Errorf("%s at a closed venue: %q", name, got)
		}
	}
	request := func(at uint32) record.Request { return record.Request{Terminal: at} }
	for name, c := range map[string]struct {
		body record.Body
		want refusal.Code
	}{
		"sold":                   {&record.TicketSold{Request: request(1)}, counter.VenueClosed},
		"printed":                {&record.PaperReissued{Request: request(1)}, counter.VenueClosed},
		"a claim paid there":     {&record.ClaimPaid{Claim: 1, Venue: 1}, counter.VenueClosed},
		"a claim paid by cheque": {&record.ClaimPaid{Claim: 1}, ""},
		"a bank":                 {&record.BankMoved{Terminal: 1}, ""},
		"a count":                {&record.BankCounted{Terminal: 1}, ""},
		"the open session ends":  {&record.SessionEnded{Request: request(2)}, ""},
		"a voucher bought in it": {&record.InstrumentIssued{Request: request(2), Reason: record.IssuedForMoney},
			counter.VenueClosed},
		"a voucher given in it": {&record.InstrumentIssued{Request: request(2), Reason: record.IssuedByOperator},
			counter.VenueClosed},
		"a change receipt of its end": {&record.InstrumentIssued{Request: request(2), Reason: record.IssuedAsChange}, ""},
		"a change receipt of no end": {&record.InstrumentIssued{Request: request(1), Reason: record.IssuedAsChange},
			counter.VenueClosed},
		"a terminal that there is not":  {&record.TicketPaid{Request: request(999), Ticket: free}, ""},
		"a paid ticket of the open one": {&record.TicketPaid{Request: request(2), Ticket: free}, counter.VenueClosed},
	} {
		if got := guardCode(t, core, c.body); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
