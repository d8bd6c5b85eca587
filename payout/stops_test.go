package payout_test

import (
	"errors"
	"testing"

	"drawhouse/internal/cases"
	"drawhouse/payout"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/serial"
	"drawhouse/staff"
	"drawhouse/state"
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
		{"New", 2, payout.OtherTerminal, ""},
		{"Sealed", 1, payout.SheetSealed, ""},
		{"Cancelled", 1, payout.TicketCancelled, payout.TicketCancelled},
		{"Back", 1, payout.TicketCancelled, payout.TicketCancelled},
		{"Paid", 1, payout.SheetUsed, payout.SheetUsed},
		{"Continued", 1, payout.SheetUsed, ""},
	} {
		c := payout.Sheet{Terminal: d.terminal, Place: places[d.ticket], Sold: soldAt(t, core, places[d.ticket])}
		_, err := payout.Undelivered(s, c, "no paper")
		wantRefusal(t, d.ticket+" not handed over", err, d.alone)
		_, err = payout.Undelivered(s, c, "")
		wantRefusal(t, d.ticket+" not handed over for no reason", err, payout.ReasonMissing)
		_, err = payout.Reprint(s, c, record.Request{Terminal: d.terminal}, record.Hash{1})
		wantRefusal(t, d.ticket+" printed again though handed over", err, payout.NotUndelivered)
		c.Agreed = 1
		again, err := payout.Reprint(s, c, record.Request{Terminal: d.terminal}, record.Hash{1})
		wantRefusal(t, d.ticket+" printed again by two", err, d.two)
		if err == nil && (again.Reason != record.ReissueDuplicate || again.By != 1) {
			t.Errorf("%s: two persons print %+v", d.ticket, again)
		}
	}
	lonely := *soldAt(t, core, places["New"])
	lonely.Request.Terminal = 999
	c := payout.Sheet{Terminal: 999, Place: places["New"], Sold: &lonely}
	_, err := payout.Undelivered(s, c, "no paper")
	wantRefusal(t, "where nobody is on shift", err, payout.NobodyOnShift)
	c.Agreed = 1
	_, err = payout.Undelivered(s, c, "no paper")
	wantRefusal(t, "by two where nobody is on shift", err, "")
	unknown := *soldAt(t, core, places["New"])
	unknown.Series = 9
	_, err = payout.Undelivered(s, payout.Sheet{Terminal: 1, Place: places["New"], Sold: &unknown}, "no paper")
	wantRefusal(t, "of no series", err, payout.SheetSealed)
	_, err = payout.Opening(s, places["New"], unknown.Claim, unknown.Request, serial.ClaimCode{1})
	wantRefusal(t, "another code", err, payout.ClaimCodeOther)
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
	core, places := told(t, "vic-keno-2015", "house\nsell Free at T1 classic 1 @ 1.00 for 3 games\nsell Frozen at T1 classic 1 @ 1.00\nsell Disqualified at T1 classic 1 @ 1.00\nsell Over at T1 classic 1 @ 1.00\nplay 1-20\nfreeze Frozen\ndisqualify Disqualified by operative\n")
	s := core.Engine.State()
	series, _ := s.Series(1)
	operative, writer := personOf(t, core, record.RoleOperative), writer(t, core)
	of := func(name string) []record.Place { return []record.Place{places[name]} }
	freeze := func(name, reason string, by uint32) error {
		_, err := payout.Freeze(s, of(name), reason, "", by)
		return err
	}
	release := func(name, reason string, by uint32) error {
		_, err := payout.Release(s, of(name), reason, by)
		return err
	}
	disqualify := func(name, reason string, by ...uint32) error {
		_, err := payout.Disqualify(s, series.Book, places[name], reason, by)
		return err
	}
	reinstate := func(name, reason string, by uint32) error {
		_, err := payout.Reinstate(s, series.Book, places[name], reason, by)
		return err
	}
	invalidate := func(name, reason string, by uint32) error {
		_, err := payout.Invalidate(s, series, places[name], reason, by)
		return err
	}
	for _, d := range []struct {
		name string
		err  error
		want refusal.Code
	}{
		{"freeze", freeze("Free", "x", operative), ""},
		{"freeze by the house", freeze("Free", "x", 0), ""},
		{"freeze for no reason", freeze("Free", "", operative), payout.ReasonMissing},
		{"freeze by a writer", freeze("Free", "x", writer), payout.PartiesMissing},
		{"freeze by nobody", freeze("Free", "x", 9999), payout.PartiesMissing},
		{"freeze what is frozen", freeze("Frozen", "x", operative), payout.Frozen},
		{"release", release("Frozen", "x", operative), ""},
		{"release for no reason", release("Frozen", "", operative), payout.ReasonMissing},
		{"release by a writer", release("Frozen", "x", writer), payout.PartiesMissing},
		{"release what is not frozen", release("Free", "x", operative), payout.NotFrozen},
		{"disqualify", disqualify("Free", "x", operative), ""},
		{"disqualify for no reason", disqualify("Free", "", operative), payout.ReasonMissing},
		{"disqualify by a writer", disqualify("Free", "x", writer), payout.PartiesMissing},
		{"disqualify again", disqualify("Disqualified", "x", operative), payout.Disqualified},
		{"reinstate", reinstate("Disqualified", "x", operative), ""},
		{"reinstate for no reason", reinstate("Disqualified", "", operative), payout.ReasonMissing},
		{"reinstate by a writer", reinstate("Disqualified", "x", writer), payout.PartiesMissing},
		{"reinstate what is not disqualified", reinstate("Free", "x", operative), payout.NotReinstated},
		{"invalidate", invalidate("Free", "x", operative), ""},
		{"invalidate for no reason", invalidate("Free", "", operative), payout.ReasonMissing},
		{"invalidate by a writer", invalidate("Free", "x", writer), payout.PartiesMissing},
		{"invalidate what is over", invalidate("Over", "x", operative), payout.NotInvalid},
		{"claim", payout.CheckClaimable(s, places["Free"]), ""},
		{"claim what is frozen", payout.CheckClaimable(s, places["Frozen"]), payout.Frozen},
	} {
		wantRefusal(t, d.name, d.err, d.want)
	}
	c := payout.Command{Place: places["Free"], Sold: soldAt(t, core, places["Free"])}
	_, _, err := payout.Forfeit(s, c)
	wantRefusal(t, "forfeit under rules without one", err, payout.NoForfeit)
}

// TestStopsOfOtherRules: these rules know no way back and no change that makes tickets invalid,
// and prizes that are forfeited.
func TestStopsOfOtherRules(t *testing.T) {
	core, places := told(t, "tas-keno-2023", waysStory)
	s := core.Engine.State()
	series, _ := s.Series(1)
	operative := personOf(t, core, record.RoleOperative)
	_, err := payout.Reinstate(s, series.Book, places["Disqualified"], "x", operative)
	wantRefusal(t, "reinstate", err, payout.NotReinstated)
	_, err = payout.Invalidate(s, series, places["Unsettled"], "x", operative)
	wantRefusal(t, "invalidate", err, payout.NotInvalid)
	wantRefusal(t, "claim twice", payout.CheckClaimable(s, places["Claimed"]), payout.UnderClaim)
	c := payout.Command{Place: places["Free"], Sold: soldAt(t, core, places["Free"]), Code: serial.ClaimCode{1}}
	_, _, err = payout.Forfeit(s, c)
	wantRefusal(t, "forfeit with another code", err, payout.ClaimCodeOther)
	_, err = payout.Owed(s, payout.Command{Place: places["Frozen"], Sold: soldAt(t, core, places["Frozen"])})
	wantRefusal(t, "owed on what is frozen", err, payout.Frozen)
	unknown := *c.Sold
	unknown.Series = 9
	c.Sold = &unknown
	_, _, err = payout.Forfeit(s, c)
	wantRefusal(t, "forfeit of no series", err, payout.TicketUnknown)
	_, err = payout.Owed(s, c)
	wantRefusal(t, "owed of no series", err, payout.TicketUnknown)
}
