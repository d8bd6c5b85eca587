package live

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"drawhouse/internal/livetest"
	"drawhouse/journal/record"
)

// TestEveningOfBingo compares what is told of an evening with what happened.
func TestEveningOfBingo(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{}, defaultLimits)
	before := hub.Board()
	h.Evening()
	var names []string
	for _, e := range eventsAfter(t, hub, ID{}) {
		names = append(names, strings.TrimPrefix(e.Name, "bingo_"))
	}
	want := strings.Fields(`session_set session_begun sealed number_called number_called drawn announced sealed witnessed number_called number_called
		number_called call_corrected halted resumed claim_opened claim_opened claim_checked claim_checked drawn settled announced sealed number_called
		voided session_closing session_closed`)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("the evening (-want +got)\n%s", diff)
	}
	after := hub.Board()
	if after.ID != hub.Newest() {
		t.Errorf("the board stands at %v, the newest event is %v", after.ID, hub.Newest())
	}
	if diff := cmp.Diff(before.Series, after.Series); diff != "" {
		t.Errorf("bingo has changed the board of keno:\n%s", diff)
	}
}

// TestCalledNumbersFollowTheJournal adds the events up, one record at a time: the numbers
// that count are those of the records so far, a corrected one last, and no other.
func TestCalledNumbersFollowTheJournal(t *testing.T) {
	h := livetest.New(t)
	h.Evening()
	hub := NewHub(Options{})
	var want, told []int
	last := ID{}
	for seq, data := range h.Records() {
		r, err := record.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := hub.Committed(record.Place{Volume: 1, Seq: uint64(seq)}, [][]byte{data}); err != nil {
			t.Fatal(err)
		}
		switch b := r.Body.(type) {
		case *record.BingoSealed:
			want = nil
		case *record.NumberCalled:
			want = append(want, int(b.Number))
		case *record.CallCorrected:
			want = append(slices.DeleteFunc(want, func(n int) bool { return n == int(b.Number) }), int(b.Number))
		}
		for _, e := range eventsAfter(t, hub, last) {
			last = e.ID
			switch b := e.Body.(type) {
			case BingoSealed:
				told = nil
			case BingoNumberCalled:
				if told = append(told, b.Number); b.K != len(told) {
					t.Errorf("number %d of the draw is told as its number %d", len(told), b.K)
				}
			case BingoCallCorrected:
				told = b.Calls
			case BingoDrawn:
				if !slices.Equal(b.Numbers, told) {
					t.Errorf("signed are %v, told %v", b.Numbers, told)
				}
			}
		}
		if !slices.Equal(told, want) {
			t.Fatalf("after record %d %v are told, the journal has %v", seq, told, want)
		}
	}
}

// TestPlayersAreNotTold looks for anything of players and cards in what is told of a room.
func TestPlayersAreNotTold(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{}, defaultLimits)
	h.Evening()
	told := frames(eventsAfter(t, hub, ID{}))
	for _, secret := range []string{livetest.SecretMember, livetest.SecretBook, "book", `"box"`, `"player"`, `"by":{`,
		"device"} {
		if strings.Contains(told, secret) {
			t.Errorf("the public is told %q", secret)
		}
	}
}

// TestEveningToldAgain makes the events of a room again from stored records, from the
// middle of a game on.
func TestEveningToldAgain(t *testing.T) {
	h := livetest.New(t)
	fresh := follow(t, h, Options{}, defaultLimits)
	h.Evening()
	old := follow(t, h, Options{Source: h}, limits{chunkEvents: 4, encoded: 1, chunks: 1000})
	if got, want := frames(eventsAfter(t, old, ID{})), frames(eventsAfter(t, fresh, ID{})); got != want {
		t.Errorf("told again:\n%s\nfirst:\n%s", got, want)
	}
}

// TestCorrectionOfNothing gives the hub a correction of a number that was not called.
func TestCorrectionOfNothing(t *testing.T) {
	_, err := newTranslator().translate(ID{Volume: 1},
		record.Record{Body: &record.CallCorrected{Game: record.BingoGame{Hall: 1, Session: 1, Game: 1}, Number: 5, Wrong: 6}})
	if err == nil {
		t.Error("it was told")
	}
}
