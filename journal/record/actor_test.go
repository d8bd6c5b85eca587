package record

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// others are the numbers in bodies that are no persons, or persons whom a record is about.
// A field that is in no list fails TestActors: it is decided there who acts.
var others = strings.Fields(`
	Approval Book Books Card Claim Deferred Den Device Dispute Entry File FirstBook Forfeited From Games Kept Last Number Offer
	Operator Ordinal Player Players Registered Session Statement Terminal Tickets Venue Ways
	BeaconChosen.Period LockSet.Person PasswordSet.Person PersonAdded.Person PersonErased.Person PersonInvited.Person PersonRecovered.Person RequestKeyed.Person
	SessionEnded.Runner RunnerDisputed.Runner RoleGranted.Person RoleWithdrawn.Person SeriesBegun.Interval ShiftEnded.Person TaxStated.Days TicketPaid.PaidBy
`)

// TestActors goes through every number of every kind: it is of somebody who acts, or it is
// known to be something else.
func TestActors(t *testing.T) {
	for _, row := range rows {
		body := row.body
		for _, field := range reflect.VisibleFields(body) {
			if !namesPersons(field.Type) || slices.ContainsFunc(actorsOf[row.kind],
				func(index []int) bool { return slices.Equal(index, field.Index) }) {
				continue
			}
			if name := body.Name() + "." + field.Name; !slices.Contains(others, field.Name) && !slices.Contains(others, name) {
				t.Errorf("%s may name a person: say whether that person acts", name)
			}
		}
	}
	for _, c := range []struct {
		body Body
		want []uint32
	}{
		{&TicketSold{}, nil},
		{&RoleGranted{Person: 4, By: 1}, []uint32{1}},
		{&RoleGranted{Person: 4}, nil},
		{&ShiftBegun{Person: 4, Venue: 9, Terminal: 8}, []uint32{4}},
		{&BankMoved{Terminal: 7, By: 2, With: 3}, []uint32{2, 3}},
		{&CageStarted{Recorders: [2]uint32{5, 6}, By: 2}, []uint32{2, 5, 6}},
		{&TicketDisqualified{Deciders: []Decider{{Person: 3}, {Reference: "letter 5"}}}, []uint32{3}},
		{&PlayerBarred{Player: 9, By: By{Person: 3, Rank: RankDealer}}, []uint32{3}},
		{&GameWitnessed{By: []string{"inspector.example"}}, nil},
	} {
		if got := (Record{Body: c.body}).Actors(); !slices.Equal(got, c.want) {
			t.Errorf("%T: %v act, and it should be %v", c.body, got, c.want)
		}
	}
}
