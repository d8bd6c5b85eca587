package books

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestRoomIsInTheExceptions: what a controller must know of a bingo room is an exception,
// with who did it: corrections, players who are shut out, disputes, and what was taken back.
func TestRoomIsInTheExceptions(t *testing.T) {
	by := record.By{Person: 7, Rank: record.RankSupervisor}
	session, game := record.HallSession{Hall: 1, Session: 2}, record.BingoGame{Hall: 1, Session: 2, Game: 3}
	for _, c := range []struct {
		body  record.Body
		class Class
		about string
		cents int64
	}{
		{&record.CallCorrected{Game: game, Number: 12, Wrong: 21, By: by}, ClassCorrection,
			"bingo room 1, session 2, game 3: 21 was announced for 12", 0},
		{&record.OutcomeInvalidated{Game: game, Claims: []uint16{4}, Reason: "a forged card", Clause: "9.4.2", By: by},
			ClassVoid, "claims that lose what they won: 4 (a forged card", 0},
		{&record.PlayerBarred{Session: session, Player: 5, Reason: "two cards of one book", By: by}, ClassBarred,
			"session 2, player 5: two cards of one book", 0},
		{&record.EntryUndone{Session: session, Player: 5, Reason: "mis-sold", By: by}, ClassCancellation,
			"entry of player 5 undone: mis-sold", 0},
		{&record.SessionCancelled{Session: session, Reason: "a storm", By: by}, ClassCancellation,
			"session 2 cancelled: a storm", 0},
		{&record.IncidentNoted{Session: session, Text: "a fall", By: by}, ClassOverride, "incident: a fall", 0},
		{&record.DisputeRaised{Hall: 1, Dispute: 9, Subject: "a line", By: by}, ClassDispute, "dispute 9: a line", 0},
		{&record.DisputeMoved{Hall: 1, Dispute: 9, Step: record.StepDecided, Text: "so be it", By: by}, ClassDispute,
			"step 1: so be it", 0},
		{&record.DisputeAwarded{Hall: 1, Dispute: 9, Cents: 2000, By: by}, ClassDispute, "dispute 9 awards", 2000},
		{&record.DisputePaid{Hall: 1, Dispute: 9, Parts: []record.MediumPart{{Medium: record.MediumCash, Cents: 2000}},
			By: by}, ClassDispute, "dispute 9 paid", 2000},
	} {
		var f Fold
		e, ok := f.eventOf(record.Place{Volume: 1, Seq: 1}, record.Record{Body: c.body})
		if !ok || e.Class != c.class || !strings.Contains(e.About, c.about) || e.Cents.Cents() != c.cents ||
			e.Person != by.Person {
			t.Errorf("%T: %+v, %v; want %v, %q, %d by person %d", c.body, e, ok, c.class, c.about, c.cents, by.Person)
		}
	}
	var f Fold
	if e, ok := f.eventOf(record.Place{}, record.Record{Body: &record.NumberCalled{}}); ok {
		t.Errorf("a call is an exception: %+v", e)
	}
}
