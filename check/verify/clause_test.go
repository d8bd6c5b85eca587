package verify_test

import (
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal/record"
)

// voidStory has a draw that is void, and a game that is.
const voidStory = `
house
sell A at T1 standard 1-3 @ 1.00
close
begin game 1 with 4 5 6
void draw of game 1 -> void
open
draw 1-20
close
open
begin game 2 with 1 2 3
void game 2 -> void
`

// retold returns the records from a place on, changed.
func (s *teller) retold(from int, change func(record.Body)) [][]byte {
	s.t.Helper()
	var told [][]byte
	for _, data := range s.Records[from:] {
		r, err := record.Decode(data)
		require(s.t, err)
		change(r.Body)
		data, err = record.Encode(r)
		require(s.t, err)
		told = append(told, data)
	}
	return told
}

// TestClauseOfNoRulebook has two persons agree that a draw or a game is void, or a result
// another one, under a clause that the rulebook does not have: what they asked for,
// consented to and did is of one piece, and verify objects all the same.
func TestClauseOfNoRulebook(t *testing.T) {
	s := tellMoney(t, "casino-keno-div2", voidStory)
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	for kind, act := range map[record.Kind]func(clause string) command.Act{
		record.KindDrawVoided: func(clause string) command.Act {
			return command.VoidDraw{Ordinal: 1, Draw: 1, Reason: "a ball broke", Clause: clause}
		},
		record.KindGameVoided: func(clause string) command.Act {
			return command.VoidGame{Ordinal: 2, Reason: "a ball broke", Clause: clause}
		},
	} {
		at := s.find(kind, 1)
		for clause, good := range map[string]bool{"11.6": true, "11.7": true, "11.66": false, "": false, "17(a)": false} {
			content := staff.ContentIn(1, command.ActionOf(act("")), command.Say(act(clause)))
			number := uint32(0)
			told := s.retold(0, func(body record.Body) {
				switch b := body.(type) {
				case *record.ApprovalRequested:
					if b.Action == command.ActionOf(act("")) {
						number, b.Says, b.Content = b.Approval, string(command.Say(act(clause))), content
					}
				case *record.ApprovalDecided:
					if b.Approval == number {
						b.Content = content
					}
				case *record.DrawVoided:
					if kind == record.KindDrawVoided {
						b.Clause = clause
					}
				case *record.GameVoided:
					if kind == record.KindGameVoided {
						b.Clause = clause
					}
				}
			})
			f := s.verified(0, told[:at+1]...)
			if good && f != nil || !good && (f == nil || f.Kind != kind || f.Place.Seq != uint64(at) ||
				!strings.Contains(f.Reason, "which casino-keno-div2 does not have")) {
				t.Errorf("%v under clause %q: %v", kind, clause, f)
			}
		}
	}
}

// TestCorrectedUnderNoClause: a correction is held against the clauses too.
func TestCorrectedUnderNoClause(t *testing.T) {
	s := tellMoney(t, "casino-keno-div2", voidStory)
	used, err := record.Decode(s.Records[s.find(record.KindApprovalUsed, 1)])
	require(t, err)
	asked, err := record.Decode(s.Records[s.find(record.KindApprovalRequested, 1)])
	require(t, err)
	decided, err := record.Decode(s.Records[s.find(record.KindApprovalDecided, 1)])
	require(t, err)
	settled, err := record.Decode(s.Records[s.find(record.KindGameSettled, 1)])
	require(t, err)
	last, err := record.Decode(s.Records[len(s.Records)-1])
	require(t, err)
	numbers, drawn := []int{}, []uint8{}
	for n := range uint8(20) {
		numbers, drawn = append(numbers, int(n)+2), append(drawn, n+2)
	}
	for clause, good := range map[string]bool{"11.6": true, "11.66": false} {
		act := command.CorrectResult{Ordinal: 1, Revision: 2, Numbers: numbers, Reason: "misread", Clause: clause}
		content := command.Content(1, act)
		request := *asked.Body.(*record.ApprovalRequested)
		request.Approval, request.Action, request.Says, request.Content, request.Expires = 99, command.ActionOf(act),
			string(command.Say(act)), content, last.Time+1000
		var told [][]byte
		for _, body := range []record.Body{
			&request,
			&record.ApprovalDecided{Approval: 99, Content: content, Granted: true,
				By: decided.Body.(*record.ApprovalDecided).By},
			&record.ApprovalUsed{Approval: 99, By: used.Body.(*record.ApprovalUsed).By},
			&record.ResultCorrected{Game: settled.Body.(*record.GameSettled).Game, Revision: 2, Numbers: drawn,
				Reason: "misread", Clause: clause, Approval: 99},
		} {
			data, err := record.Encode(record.Record{Time: last.Time, Body: body})
			require(t, err)
			told = append(told, data)
		}
		// Nobody corrects what people did not key: that is found in both.
		reason := "which casino-keno-div2 does not have"
		if good {
			reason = "were not keyed by people"
		}
		if f := s.verified(len(s.Records), told...); f == nil || f.Kind != record.KindResultCorrected ||
			!strings.Contains(f.Reason, reason) {
			t.Errorf("a correction under clause %q: %v", clause, f)
		}
	}
}

// TestClosureOfOnePerson has the end of trading announced without what two persons agreed on:
// without the record that uses their approval, without the approval, and by another than
// asked for it or for another instant.
func TestClosureOfOnePerson(t *testing.T) {
	s := tellMoney(t, "vic-keno-2015", "house\nannounce closure in 30m0s\n")
	if f := s.verified(len(s.Records)); f != nil {
		t.Fatal(f)
	}
	announced := s.find(record.KindClosureAnnounced, 1)
	asked, decided, used := s.find(record.KindApprovalRequested, 1), s.find(record.KindApprovalDecided, 1),
		s.find(record.KindApprovalUsed, 1)
	if asked+1 != decided || decided+1 != used || used+1 != announced {
		t.Fatalf("the records of the closure are at %d, %d, %d and %d", asked, decided, used, announced)
	}
	for name, c := range map[string]struct {
		from   int
		told   [][]byte
		kind   record.Kind
		reason string
	}{
		"not used":    {used, s.Records[announced:], record.KindClosureAnnounced, "nobody has approved it"},
		"not decided": {decided, s.Records[used:], record.KindApprovalUsed, "was not given to this person"},
		"not asked":   {asked, s.Records[announced:], record.KindClosureAnnounced, "nobody has approved it"},
		"declined": {decided, s.retold(decided, func(body record.Body) {
			if b, ok := body.(*record.ApprovalDecided); ok {
				b.Granted = false
			}
		}), record.KindApprovalUsed, "was not given to this person"},
		"consented by who asked": {decided, s.retold(decided, func(body record.Body) {
			if b, ok := body.(*record.ApprovalDecided); ok {
				b.By = s.actor(used)
			}
		}), record.KindApprovalDecided, "is not open to this person"},
		"by the other": {announced, s.retold(announced, func(body record.Body) {
			if b, ok := body.(*record.ClosureAnnounced); ok {
				b.By = s.actor(decided)
			}
		}), record.KindClosureAnnounced, "and on something else than this"},
		"a millisecond later": {announced, s.retold(announced, func(body record.Body) {
			if b, ok := body.(*record.ClosureAnnounced); ok {
				b.At++
			}
		}), record.KindClosureAnnounced, "and on something else than this"},
		"a millisecond earlier": {announced, s.retold(announced, func(body record.Body) {
			if b, ok := body.(*record.ClosureAnnounced); ok {
				b.At--
			}
		}), record.KindClosureAnnounced, "and on something else than this"},
	} {
		if f := s.verified(c.from, c.told...); f == nil || f.Kind != c.kind || !strings.Contains(f.Reason, c.reason) {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// actor returns who did what the record at a place says.
func (s *teller) actor(seq int) uint32 {
	s.t.Helper()
	r, err := record.Decode(s.Records[seq])
	require(s.t, err)
	return r.Actors()[0]
}
