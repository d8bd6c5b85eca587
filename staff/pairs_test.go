package staff

import (
	"testing"

	"drawhouse/record"
	"drawhouse/rules"
	"drawhouse/state"
)

// fold takes in records that no command of this package writes.
func (r *rig) fold(bodies ...record.Body) {
	r.t.Helper()
	for _, body := range bodies {
		if err := r.s.Apply(record.Record{Time: r.now, Body: body}); err != nil {
			r.t.Fatalf("%T: %v", body, err)
		}
	}
}

// TestPairsOfEveryRecord has each record that takes two persons done by two, and by one hand:
// the first and the second were invited by one administrator.
func TestPairsOfEveryRecord(t *testing.T) {
	r := newRig(t, "vic-keno-2015")
	boss := r.person(record.RoleAdministrator, 0)
	first, second, third := r.person(record.RoleOperative, 0), r.person(record.RoleOperative, 0), r.person(record.RoleOperative, 0)
	book, err := rules.Book("nsw-bingo-2019")
	if err != nil {
		t.Fatal(err)
	}
	by := func(id uint32) record.By { return record.By{Person: id, Rank: record.RankCasino} }
	r.must(Request{By: first, Action: "void_game", Content: ContentIn(1, "void_game", []byte("{}")), Series: 1, Says: "{}"})
	r.fold(
		&record.ClaimLodged{Claim: 1, Series: 1, Reason: record.ClaimLost, Received: 1, Claimant: record.Hash{1}, By: first},
		&record.ClaimSigned{Claim: 1, Party: "operator", Person: first, Satisfied: true},
		&record.ClaimLodged{Claim: 2, Series: 1, Reason: record.ClaimLost, Received: 1, Claimant: record.Hash{1}, By: third},
		&record.ClaimDecided{Claim: 2, Outcome: record.ClaimAllowed, Reason: "x", By: first},
		&record.RulebookAdopted{ID: book.ID(), Hash: record.Hash(book.Hash()), Book: book.Canonical()},
		&record.HallOpened{Hall: 1, Name: "Room", Venue: 1, Rulebook: record.Hash(book.Hash()), By: by(boss)},
		&record.DisputeRaised{Hall: 1, Dispute: 1, By: by(boss)},
		&record.DisputeMoved{Hall: 1, Dispute: 1, Step: record.StepDecided, By: by(first)},
	)
	acts := map[string]func(other uint32) record.Body{
		"a consent":    func(id uint32) record.Body { return &record.ApprovalDecided{Approval: 1, Granted: true, By: id} },
		"a bank":       func(id uint32) record.Body { return &record.BankMoved{By: first, With: id} },
		"a count":      func(id uint32) record.Body { return &record.BankCounted{By: first, With: id} },
		"recorders":    func(id uint32) record.Body { return &record.CageStarted{Recorders: [2]uint32{first, id}, By: boss} },
		"a signature":  func(id uint32) record.Body { return &record.ClaimSigned{Claim: 1, Party: "inspector", Person: id} },
		"a decision":   func(id uint32) record.Body { return &record.ClaimDecided{Claim: 1, By: id} },
		"a claim paid": func(id uint32) record.Body { return &record.ClaimPaid{Claim: 2, By: id} },
		"a reviewed ruling": func(id uint32) record.Body {
			return &record.DisputeMoved{Hall: 1, Dispute: 1, Step: record.StepReviewed, By: by(id)}
		},
		"a disqualification": func(id uint32) record.Body {
			return &record.TicketDisqualified{Deciders: []record.Decider{{Party: "operator", Person: first}, {Party: "commission", Person: id}}}
		},
	}
	alone := map[string]record.Body{
		"a refusal":               &record.ApprovalDecided{Approval: 1, By: second},
		"a signature for one":     &record.ClaimSigned{Claim: 1, Party: "operator", Person: second},
		"a claim not decided":     &record.ClaimPaid{Claim: 1, By: second},
		"no claim":                &record.ClaimDecided{Claim: 9, By: second},
		"one who speaks for both": &record.TicketDisqualified{Deciders: []record.Decider{{Party: "a", Person: first}, {Party: "b", Person: first}}},
		"no dispute":              &record.DisputeMoved{Hall: 1, Dispute: 2, Step: record.StepReviewed, By: by(second)},
	}
	ask := func(body record.Body) error { return CheckTwo(r.s, record.Record{Time: r.now, Body: body}) }
	for name, act := range acts {
		wantCode(t, name+" by two", ask(act(second)), "", "")
	}
	r.must(Invite{boss, first})
	r.must(Invite{boss, second})
	for name, act := range acts {
		wantCode(t, name+" by one hand", ask(act(second)), OneHand, "")
		wantCode(t, name+" with another", ask(act(third)), "", "")
	}
	for name, body := range alone {
		wantCode(t, name, ask(body), "", "")
	}
	r.now += state.OneHand // The hands end.
	for name, act := range acts {
		wantCode(t, name+" a day later", ask(act(second)), "", "")
	}
}

// TestGuardsOfTheLocked: who is locked goes home and uses no approval; and others sign for the
// bank of a terminal where somebody is on shift who is locked.
func TestGuardsOfTheLocked(t *testing.T) {
	r := newRig(t, "vic-keno-2015")
	boss, locked := r.person(record.RoleAdministrator, 0), r.onDuty(record.RoleWriter, 1, 1)
	other, senior := r.person(record.RoleWriter, 1), r.person(record.RoleSenior, 1)
	r.must(Lock{boss, locked, record.Forever, "short"})
	for name, c := range map[string]struct {
		body record.Body
		want bool
	}{
		"leaves":             {&record.ShiftEnding{Person: locked}, true},
		"goes home":          {&record.ShiftEnded{Person: locked, By: locked}, true},
		"sends another home": {&record.ShiftEnded{Person: other, By: locked}, false},
		"uses an approval":   {&record.ApprovalUsed{Approval: 1, By: locked}, false},
		"a bank by others":   {&record.BankMoved{Terminal: 1, By: other, With: senior}, true},
		"a count by others":  {&record.BankCounted{Terminal: 1, By: other, With: senior}, true},
		"a bank of the own":  {&record.BankMoved{Terminal: 1, By: locked, With: senior}, false},
		"another sheet":      {&record.PaperReissued{Request: record.Request{Terminal: 1}, By: other}, false},
	} {
		if err := r.guard(c.body); (err == nil) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
