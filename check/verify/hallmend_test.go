package verify

import (
	"testing"

	"drawhouse/journal/record"
)

// TestVoidFeeThatWon: a fee that has won is not void, but for what fraud took and what a game
// without a result did not give.
func TestVoidFeeThatWon(t *testing.T) {
	good := &record.ClaimChecked{Player: 2, Accepted: true}
	share := &record.ClaimShare{Cents: 100}
	for name, test := range map[string]struct {
		claim *hallClaim
		stage int
		stays bool
	}{
		"found good":                  {&hallClaim{checked: good}, bingoCalling, true},
		"shared":                      {&hallClaim{checked: good, share: share}, bingoOver, true},
		"shared and paid":             {&hallClaim{checked: good, share: share, had: 100}, bingoOver, true},
		"shared before the game fell": {&hallClaim{checked: good, share: share}, bingoVoid, true},
		"taken for fraud":             {&hallClaim{checked: good, share: share, fell: true}, bingoOver, false},
		"of a game without a result":  {&hallClaim{checked: good}, bingoVoid, false},
		"not looked at":               {&hallClaim{}, bingoCalling, false},
		"found bad":                   {&hallClaim{checked: &record.ClaimChecked{Player: 2}}, bingoCalling, false},
		"found good, of somebody else": {&hallClaim{checked: &record.ClaimChecked{Player: 1, Accepted: true}, share: share},
			bingoOver, false},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			c := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: level}
			s := &hallSession{set: &record.SessionSet{FeeCents: 1000},
				games: []*hallGame{{number: 1, stage: test.stage, claims: []*hallClaim{test.claim}}}}
			for n := range uint32(2) {
				s.players = append(s.players, &hallPlayer{PlayerEntered: &record.PlayerEntered{Player: n + 1, FeeCents: 1000}})
			}
			_, err := c.playerBarred(&hallRoom{}, s,
				&record.PlayerBarred{Player: 2, FeeVoid: true, By: record.By{Rank: record.RankSupervisor}})
			if guarded := level == record.LevelGuarded; (err != nil) != (test.stays && guarded) ||
				(c.report.FindingCount > 0) != (test.stays && !guarded) {
				t.Errorf("%s at level %d: %v, %d findings", name, level, err, c.report.FindingCount)
			}
		}
	}
}

// TestCancelledWithCards: a session is not cancelled while an electronic card is out, because
// nobody could take it back then.
func TestCancelledWithCards(t *testing.T) {
	for _, out := range []bool{true, false} {
		s := &hallSession{set: &record.SessionSet{Session: 1}, devices: map[uint32]bool{}}
		if out {
			s.devices[9] = true
		}
		c := &checker{report: &Report{}, level: record.LevelGuarded}
		c.halls.rooms = map[uint8]*hallRoom{1: {sessions: []*hallSession{s}}}
		_, err := c.checkBody(&record.SessionCancelled{Session: record.HallSession{Hall: 1, Session: 1}, Reason: "x"})
		if (err != nil) != out || s.over == out {
			t.Errorf("with a card out %v: %v, over %v", out, err, s.over)
		}
	}
}

// TestOneReview takes disputes through their steps: there is one review, which may be asked for also behind the note
// that the person was told of the inspector.
func TestOneReview(t *testing.T) {
	const decided, review, reviewed, advised = record.StepDecided, record.StepReview, record.StepReviewed,
		record.StepAdvised
	for name, of := range map[string]struct {
		steps []record.DisputeStep
		good  bool
	}{
		"advised with the decision":     {[]record.DisputeStep{decided, advised}, true},
		"a review behind that":          {[]record.DisputeStep{decided, advised, review, reviewed, advised}, true},
		"a review before the decision":  {[]record.DisputeStep{review}, false},
		"advised while it is reviewed":  {[]record.DisputeStep{decided, review, advised}, false},
		"a second review":               {[]record.DisputeStep{decided, review, reviewed, review}, false},
		"a second review behind advice": {[]record.DisputeStep{decided, review, reviewed, advised, review}, false},
		"advised twice":                 {[]record.DisputeStep{decided, advised, advised}, false},
	} {
		r := &hallRoom{disputes: []*hallDispute{{about: &record.DisputeRaised{Dispute: 1}}}}
		var err error
		for i, step := range of.steps {
			if err != nil {
				t.Errorf("%s: step %d: %v", name, i, err)
			}
			err = r.disputeMoved(&record.DisputeMoved{Dispute: 1, Step: step, By: record.By{Person: uint32(i + 1),
				Rank: record.RankCasino}})
		}
		if (err == nil) != of.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}
