package counter_test

import (
	"errors"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
)

// sheetsStory has tickets whose first game is sealed, one of which was paid and goes on; and
// New, whose first game is on sale.
const sheetsStory = `
house
sell Sealed at T1 standard 80 @ 1.00 for 3 games
sell Cancelled at T1 standard 80 @ 1.00 for 3 games
cancel Cancelled at T1
sell Paid at T1 standard 1 @ 1.00
sell Continued at T1 standard 1 @ 1.00 for 3 games
play 1-20
pay Paid at T1
pay Continued at T1
sell New at T1 standard 1 @ 1.00 for 2 games
sell Back at T1 standard 1 @ 1.00 for 2 games
cancel Back at T1
`

// soldAt returns the record of a sale.
func soldAt(t *testing.T, core *cases.Core, place record.Place) *record.TicketSold {
	t.Helper()
	r, err := record.Decode(core.Records[place.Seq])
	if err != nil {
		t.Fatal(err)
	}
	return r.Body.(*record.TicketSold)
}

// wantRefusal compares the code of a refusal, nothing for none.
func wantRefusal(t *testing.T, name string, err error, want refusal.Code) {
	t.Helper()
	var refused *refusal.Refusal
	if err != nil && !errors.As(err, &refused) {
		t.Errorf("%s: %v", name, err)
		return
	}
	got := refusal.Code("")
	if refused != nil {
		got = refused.Code
	}
	if got != want {
		t.Errorf("%s: %q, %v; want %q", name, got, err, want)
	}
}

// TestSheetsOneByOne says of tickets that they were not handed over, and prints them again, by
// one person and by two.
func TestSheetsOneByOne(t *testing.T) {
	core, places := told(t, "casino-keno-div2", sheetsStory)
	writer(t, core)
	s := core.Engine.State()
	for _, d := range []struct {
		ticket     string
		terminal   uint32
		alone, two refusal.Code
	}{
		{"New", 1, "", ""},
		{"New", 2, counter.OtherTerminal, ""},
		{"Sealed", 1, counter.SheetSealed, ""},
		{"Cancelled", 1, counter.TicketCancelled, counter.TicketCancelled},
		{"Back", 1, counter.TicketCancelled, counter.TicketCancelled},
		{"Paid", 1, counter.SheetUsed, counter.SheetUsed},
		{"Continued", 1, counter.SheetUsed, ""},
	} {
		c := counter.Sheet{Terminal: d.terminal, Place: places[d.ticket], Sold: soldAt(t, core, places[d.ticket])}
		_, err := counter.ReportUndelivered(s, c, "no paper")
		wantRefusal(t, d.ticket+" not handed over", err, d.alone)
		_, err = counter.ReportUndelivered(s, c, "")
		wantRefusal(t, d.ticket+" not handed over for no reason", err, counter.ReasonMissing)
		_, err = counter.Reprint(s, c, record.Request{Terminal: d.terminal}, record.Hash{1})
		wantRefusal(t, d.ticket+" printed again though handed over", err, counter.NotUndelivered)
		c.Agreed = 1
		again, err := counter.Reprint(s, c, record.Request{Terminal: d.terminal}, record.Hash{1})
		wantRefusal(t, d.ticket+" printed again by two", err, d.two)
		if err == nil && (again.Reason != record.ReissueDuplicate || again.By != 1) {
			t.Errorf("%s: two persons print %+v", d.ticket, again)
		}
	}
	lonely := *soldAt(t, core, places["New"])
	lonely.Request.Terminal = 999
	c := counter.Sheet{Terminal: 999, Place: places["New"], Sold: &lonely}
	_, err := counter.ReportUndelivered(s, c, "no paper")
	wantRefusal(t, "where nobody is on shift", err, staff.NoWriter)
	c.Agreed = 1
	_, err = counter.ReportUndelivered(s, c, "no paper")
	wantRefusal(t, "by two where nobody is on shift", err, "")
	unknown := *soldAt(t, core, places["New"])
	unknown.Series = 9
	_, err = counter.ReportUndelivered(s, counter.Sheet{Terminal: 1, Place: places["New"], Sold: &unknown}, "no paper")
	wantRefusal(t, "of no series", err, counter.SheetSealed)
	_, err = counter.Opening(s, places["New"], unknown.Claim, unknown.Request, serial.ClaimCode{1})
	wantRefusal(t, "another code", err, counter.ClaimCodeOther)
}

// writer returns who is on shift at terminal 1. Where nobody is, a writer is brought in.
func writer(t *testing.T, core *cases.Core) uint32 {
	t.Helper()
	if post, _ := core.Engine.State().People().Post(1); post.Person != 0 {
		return post.Person
	}
	grant := state.Grant{Role: record.RoleWriter, Venue: 1}
	if err := core.Staff(staff.AddPerson{Details: record.Hash{1}, Grants: []state.Grant{grant}}); err != nil {
		t.Fatal(err)
	}
	id := personOf(t, core, record.RoleWriter)
	if err := core.Staff(staff.Begin{Person: id, Grant: grant, Terminal: 1}); err != nil {
		t.Fatal(err)
	}
	return id
}

// personOf returns a person of a role.
func personOf(t *testing.T, core *cases.Core, role record.Role) uint32 {
	t.Helper()
	for _, p := range core.Engine.State().People().Persons() {
		if p.HasAny(role) {
			return p.ID
		}
	}
	t.Fatalf("nobody is a %s", role)
	return 0
}

// TestStopsOneByOne stops payment and lets it go on, with one thing at a time that is not as
// it must be.
func TestStopsOneByOne(t *testing.T) {
	core, places := told(t, "vic-keno-2015",
		"house\nsell Free at T1 classic 1 @ 1.00 for 3 games\nsell Frozen at T1 classic 1 @ 1.00\nsell Disqualified at T1 classic 1 @ 1.00\nsell Over at T1 classic 1 @ 1.00\nplay 1-20\nfreeze Frozen\ndisqualify Disqualified by operative\n")
	s := core.Engine.State()
	series, _ := s.Series(1)
	operative, writer := personOf(t, core, record.RoleOperative), writer(t, core)
	of := func(name string) []record.Place { return []record.Place{places[name]} }
	freeze := func(name, reason string, by uint32) error {
		_, err := counter.Freeze(s, of(name), reason, "", by)
		return err
	}
	release := func(name, reason string, by uint32) error {
		_, _, err := counter.Release(s, of(name), reason, 0, by)
		return err
	}
	disqualify := func(name, reason string, by ...uint32) error {
		_, err := counter.Disqualify(s, series.Book, places[name], reason, by)
		return err
	}
	reinstate := func(name, reason string, by uint32) error {
		_, err := counter.Reinstate(s, series.Book, places[name], reason, by)
		return err
	}
	invalidate := func(name, reason string, by uint32) error {
		_, err := counter.Invalidate(s, series, places[name], reason, by)
		return err
	}
	releaseTwice := func(name string) error {
		_, _, err := counter.Release(s, append(of(name), of(name)...), "x", 0, operative)
		return err
	}
	for _, d := range []struct {
		name string
		err  error
		want refusal.Code
	}{
		{"freeze", freeze("Free", "x", operative), ""},
		{"freeze by the house", freeze("Free", "x", 0), ""},
		{"freeze for no reason", freeze("Free", "", operative), counter.ReasonMissing},
		{"freeze by a writer", freeze("Free", "x", writer), counter.PartiesMissing},
		{"freeze by nobody", freeze("Free", "x", 9999), counter.PartiesMissing},
		{"freeze what is frozen", freeze("Frozen", "x", operative), counter.Frozen},
		{"release", release("Frozen", "x", operative), ""},
		{"release for no reason", release("Frozen", "", operative), counter.ReasonMissing},
		{"release by a writer", release("Frozen", "x", writer), counter.PartiesMissing},
		{"release what is not frozen", release("Free", "x", operative), counter.NotFrozen},
		{"release what is named twice", releaseTwice("Frozen"), counter.NamedTwice},
		{"disqualify", disqualify("Free", "x", operative), ""},
		{"disqualify for no reason", disqualify("Free", "", operative), counter.ReasonMissing},
		{"disqualify by a writer", disqualify("Free", "x", writer), counter.PartiesMissing},
		{"disqualify again", disqualify("Disqualified", "x", operative), counter.Disqualified},
		{"reinstate", reinstate("Disqualified", "x", operative), ""},
		{"reinstate for no reason", reinstate("Disqualified", "", operative), counter.ReasonMissing},
		{"reinstate by a writer", reinstate("Disqualified", "x", writer), counter.PartiesMissing},
		{"reinstate what is not disqualified", reinstate("Free", "x", operative), counter.NotReinstated},
		{"invalidate", invalidate("Free", "x", operative), ""},
		{"invalidate for no reason", invalidate("Free", "", operative), counter.ReasonMissing},
		{"invalidate by a writer", invalidate("Free", "x", writer), counter.PartiesMissing},
		{"invalidate what is over", invalidate("Over", "x", operative), counter.NotInvalid},
		{"claim", counter.CheckClaimable(s, places["Free"]), ""},
		{"claim what is frozen", counter.CheckClaimable(s, places["Frozen"]), counter.Frozen},
	} {
		wantRefusal(t, d.name, d.err, d.want)
	}
	c := counter.Payment{Request: record.Request{Terminal: 1}, Place: places["Free"],
		Sold: soldAt(t, core, places["Free"])}
	_, _, err := counter.Forfeit(s, c)
	wantRefusal(t, "forfeit under rules without one", err, counter.NoForfeit)
}

// TestStopsOfOtherRules: these rules know no way back and no change that makes tickets invalid,
// and prizes that are forfeited.
func TestStopsOfOtherRules(t *testing.T) {
	core, places := told(t, "tas-keno-2023", waysStory)
	s := core.Engine.State()
	series, _ := s.Series(1)
	operative := personOf(t, core, record.RoleOperative)
	_, err := counter.Reinstate(s, series.Book, places["Disqualified"], "x", operative)
	wantRefusal(t, "reinstate", err, counter.NotReinstated)
	_, err = counter.Invalidate(s, series, places["Unsettled"], "x", operative)
	wantRefusal(t, "invalidate", err, counter.NotInvalid)
	wantRefusal(t, "claim twice", counter.CheckClaimable(s, places["Claimed"]), counter.UnderClaim)
	c := counter.Payment{Request: record.Request{Terminal: 1}, Place: places["Free"],
		Sold: soldAt(t, core, places["Free"]), Code: serial.ClaimCode{1}}
	_, _, err = counter.Forfeit(s, c)
	wantRefusal(t, "forfeit with another code", err, counter.ClaimCodeOther)
	_, err = counter.OwedOnForm(s, counter.Payment{Place: places["Frozen"], Sold: soldAt(t, core, places["Frozen"])})
	wantRefusal(t, "owed on what is frozen", err, counter.Frozen)
	unknown := *c.Sold
	unknown.Series = 9
	c.Sold = &unknown
	_, _, err = counter.Forfeit(s, c)
	wantRefusal(t, "forfeit of no series", err, counter.TicketUnknown)
	_, err = counter.OwedOnForm(s, c)
	wantRefusal(t, "owed of no series", err, counter.TicketUnknown)
}
