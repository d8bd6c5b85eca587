package counter_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// said returns a refusal as its code and clause.
func said(err error) string {
	var refused *refusal.Refusal
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &refused):
		return fmt.Sprintf("%s %s", refused.Code, refused.Clause)
	}
	return err.Error()
}

// tas is a Tasmanian story with a claim.
func tas(t *testing.T) *story {
	t.Helper()
	s := beginStory(t, "tas-keno-2023", day.MustParse("2027-02-28"), 1)
	s.day(s.today + 1)
	if !s.lodge(s.tickets[0], record.ClaimLost) {
		t.Fatal("the claim is refused")
	}
	return s
}

// TestSignClaim: a signature without a party is for the one that the person speaks for, and
// nobody signs one claim for two.
func TestSignClaim(t *testing.T) {
	s := tas(t)
	operative, inspector := uint32(cases.Payer), s.person(record.RoleInspector) // Neither is on duty.
	becomes := func(to, from record.Role) func() {
		return func() {
			for _, c := range []staff.Command{
				staff.WithdrawRole{Person: operative, Grant: state.Grant{Role: from}},
				staff.GrantRole{Person: operative, Grant: state.Grant{Role: to}},
			} {
				_, err := s.core.Engine.Do(record.Of(s.noon()), command.Change{Command: c}, command.Env{})
				s.must(err)
			}
		}
	}
	for _, c := range []struct {
		sign   record.ClaimSigned
		want   string
		before func()
	}{
		{record.ClaimSigned{Claim: 9, Person: operative, Satisfied: true}, "claim_unknown ", nil},
		{record.ClaimSigned{Claim: 1, Person: 77, Satisfied: true}, "party_not_asked 15.2", nil},
		{record.ClaimSigned{Claim: 1, Person: operative}, "reason_missing 15.1", nil},
		{record.ClaimSigned{Claim: 1, Person: operative, Party: "licensee", Satisfied: true}, "party_not_asked 15.2", nil},
		{record.ClaimSigned{Claim: 1, Person: operative, Satisfied: true}, "ok", nil},
		{record.ClaimSigned{Claim: 1, Person: operative, Party: "inspector", Satisfied: true}, "signed_for_other 15.1",
			becomes(record.RoleInspector, record.RoleOperative)},
		{record.ClaimSigned{Claim: 1, Person: inspector, Satisfied: true}, "ok", nil},
		{record.ClaimSigned{Claim: 1, Person: operative, Reason: "on second thoughts"}, "ok",
			becomes(record.RoleOperative, record.RoleInspector)},
	} {
		if c.before != nil {
			c.before()
		}
		if got := said(s.signs(c.sign)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.sign, got, c.want)
		}
	}
	all, _ := s.state()
	form, err := counter.FindClaim(all, 1)
	s.must(err)
	if form.Signed["inspector"].Person != inspector || form.Signed["state_wide_gaming_operative"].Satisfied {
		t.Errorf("signed is %+v", form.Signed)
	}
	if missing := counter.MissingSignatures(form, s.book); fmt.Sprint(missing) != "[state_wide_gaming_operative]" {
		t.Errorf("%v must still sign", missing)
	}
}

// TestClaimTexts: what people write about a claim for the journal has an end, below, at and
// above it.
func TestClaimTexts(t *testing.T) {
	for bytes, want := range map[int]string{record.MostReason - 1: "ok", record.MostReason: "ok", record.MostReason +
		1: "text_too_long 15.1"} {
		s := tas(t)
		text, operative := strings.Repeat("x", bytes), s.person(record.RoleOperative)
		if got := said(s.signs(record.ClaimSigned{Claim: 1, Person: operative, Reason: text})); got != want {
			t.Errorf("a signature of %d bytes: %s", bytes, got)
		}
		s.must(s.signs(record.ClaimSigned{Claim: 1, Person: operative, Satisfied: true}))
		decided := command.DecideClaim{OfForm: command.OfForm{Claim: 1}, Outcome: "allowed", Reason: text}
		if got := said(s.does(operative, decided)); got != want {
			t.Errorf("a decision of %d bytes: %s", bytes, got)
		}
		if decided.Reason = "it agrees"; want != "ok" {
			s.must(s.does(operative, decided))
		}
		if got := said(s.does(cases.Payer, command.PayClaim{OfForm: command.OfForm{Claim: 1}, Means: "cheque",
			Reference: text})); got != want {
			t.Errorf("a payment with a reference of %d bytes: %s", bytes, got)
		}
	}
}

// notes puts a paper to claim 1.
func (s *story) notes(note record.ClaimNote, by uint32) error {
	of := command.OfForm{Claim: 1}
	switch note {
	case record.NoteCopied:
		return s.does(by, command.CopyClaim{OfForm: of})
	case record.NoteErased:
		return s.does(by, command.EraseClaimant{OfForm: of})
	default:
		return s.does(by, command.NoteClaim{OfForm: of, Note: string(note), Content: record.Hash{3}})
	}
}

// TestNoteClaim: who may put which paper to a claim, and when the inspector lacks copies.
func TestNoteClaim(t *testing.T) {
	s := tas(t)
	operative, inspector := s.person(record.RoleOperative), s.person(record.RoleInspector)
	due := func() bool {
		all, _ := s.state()
		form, err := counter.FindClaim(all, 1)
		s.must(err)
		return counter.CopiesDue(form, s.book)
	}
	for i, c := range []struct {
		note record.ClaimNote
		by   uint32
		want string
		due  bool
	}{
		{"photograph", operative, "field_value ", false},
		{record.NoteEvidence, inspector, "ok", false},
		{record.NoteSent, inspector, "party_not_asked 15.2", false},
		{record.NoteSent, operative, "ok", true},
		{record.NoteCopied, operative, "party_not_asked 15.4", true},
		{record.NoteCopied, inspector, "ok", false},
		{record.NoteErased, operative, "claim_open 15.1", false},
		{record.NoteReceived, operative, "ok", true},
	} {
		got := said(s.notes(c.note, c.by))
		if got != c.want || due() != c.due {
			t.Errorf("%d: %s by %d: %s, copies due %v", i, c.note, c.by, got, due())
		}
	}
	if !s.decide(1, record.ClaimRefused) {
		t.Fatal("it cannot be refused")
	}
	if got := said(s.notes(record.NoteErased, operative)); got != "ok" {
		t.Errorf("after the end: %s", got)
	}
}

// TestClaimant: which details a ticket that is sent in comes with, and that nothing else
// asks for them.
func TestClaimant(t *testing.T) {
	for _, c := range []struct {
		book    string
		reason  record.ClaimReason
		missing string
		want    string
	}{
		{"vic-keno-2015", record.ClaimByMail, "", "ok"},
		{"vic-keno-2015", record.ClaimByMail, "name", "claimant_details 20(f)"},
		{"vic-keno-2015", record.ClaimByMail, "address", "claimant_details 20(f)"},
		{"vic-keno-2015", record.ClaimByMail, "born", "claimant_details 20(f)"},
		{"vic-keno-2015", record.ClaimByMail, "phone", "claimant_details 20(f)"},
		{"vic-keno-2015", record.ClaimByMail, "letter", "claimant_details 20(f)"},
		{"vic-keno-2015", record.ClaimByMail, "email", "ok"},
		{"vic-keno-2015", record.ClaimLost, "address", "ok"},
		{"tas-keno-2023", record.ClaimByMail, "address", "ok"},
	} {
		book, err := rules.Book(c.book)
		if err != nil {
			t.Fatal(err)
		}
		if got := said(counter.CheckClaimant(book, c.reason,
			func(part string) bool { return part != c.missing })); got != c.want {
			t.Errorf("%s by %s without %s: %s, want %s", c.book, c.reason, c.missing, got, c.want)
		}
	}
}

// TestUnfetchedSearch: a search finds the games of its days, and by a day what moves until then and
// no form keeps.
func TestUnfetchedSearch(t *testing.T) {
	s := tas(t)
	all, own := s.state()
	for _, c := range []struct {
		q    counter.UnfetchedSearch
		want string
	}{
		{counter.UnfetchedSearch{}, "[1 2 3]"},
		{counter.UnfetchedSearch{From: day.MustParse("2027-03-01")}, "[2 3]"},
		{counter.UnfetchedSearch{To: day.MustParse("2027-02-28")}, "[1]"},
		{counter.UnfetchedSearch{Due: day.MustParse("2028-02-28")}, "[]"},
		{counter.UnfetchedSearch{Due: day.MustParse("2028-02-29")}, "[1]"},
		{counter.UnfetchedSearch{Due: day.MustParse("2040-01-01")}, "[1 2 3]"},
	} {
		if games, err := c.q.Games(all, own); err != nil || fmt.Sprint(games) != c.want {
			t.Errorf("%+v finds %v, %v, want %s", c.q, games, err, c.want)
		}
	}
	g, _ := own.Game(1)
	q := counter.UnfetchedSearch{Due: day.MustParse("2028-02-29")}
	for i, want := range []bool{false, true} { // The first ticket is claimed.
		won, err := s.core.Won(s.tickets[i])
		s.must(err)
		u, left, err := counter.FindUnfetched(all, own, g, s.tickets[i].Place, won[0].Payable)
		if err != nil || !left || q.Wants(&u) != want {
			t.Errorf("ticket %d: %+v, %v, %v", i, u, left, err)
		}
	}
}
