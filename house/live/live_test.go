package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"drawhouse/internal/livetest"
	"drawhouse/journal/record"
)

// small makes histories overflow within a few games.
var small = limits{chunkEvents: 7, encoded: 2, chunks: 1000}

// follow returns a hub that is told everything that the house writes.
func follow(t *testing.T, h *livetest.House, options Options, l limits) *Hub {
	t.Helper()
	hub := newHub(options, l)
	if err := hub.Committed(record.Place{Volume: 1}, h.Records()); err != nil {
		t.Fatal(err)
	}
	h.Commit = hub.Committed
	return hub
}

// someGames plays two days with tickets between all steps.
func someGames(h *livetest.House) {
	h.OpenPool(10, 1_234_567)
	for _, d := range []string{"2026-11-15", "2026-11-16"} {
		h.OpenDay(d)
		for range 4 {
			h.Play(3)
			h.Pay()
		}
		h.Resettle(1, 900)
		h.Correct(3, 5, 17, 80)
		h.CloseDay()
	}
	h.OpenDay("2026-11-17")
	h.Pause()
	h.Open(time.Minute)
	h.Close()
	h.Witness("inspector.example")
	h.Draw(7, 8)
	h.VoidDraw()
	h.VoidGame()
	h.Open(time.Minute)
	h.Sell(2)
	h.Close()
	h.Open(time.Minute)
	h.Draw(5, 80, 1)
}

// eventsAfter reads all events after an id.
func eventsAfter(t *testing.T, hub *Hub, id ID) []Event {
	t.Helper()
	var all []Event
	for {
		events, _, err := hub.After(t.Context(), id)
		if err != nil {
			t.Fatalf("after %v: %v", id, err)
		}
		if len(events) == 0 {
			return all
		}
		all = append(all, events...)
		id = events[len(events)-1].ID
	}
}

func frames(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		b.Write(e.frame)
	}
	return b.String()
}

func TestEvents(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{}, small)
	h.OpenDay("2026-11-15")
	h.SkipTo(417)
	h.Open(3 * time.Minute)
	h.Sell(2)
	fingerprint := h.Close()
	h.Draw(13, 77)
	h.Settle(1, 450)
	h.CloseDay()

	head := func(seq uint64) Head {
		zone := time.FixedZone("", 39_600)
		return Head{ID: ID{Volume: 1, Seq: seq}, Time: h.Now().In(zone), Series: 1, Day: "2026-11-15"}
	}
	game := func(seq uint64) GameHead { return GameHead{Head: head(seq), Game: 417, Ordinal: 1} }
	note := hub.Board().Series[0].Results[0].Seal.Note
	want := []Body{
		DayOpened{head(5), 39_600},
		GameOpened{game(6), h.Now().Add(3 * time.Minute), hub.Board().Series[0].Rulebook.Hash, "schedule-1"},
		GameClosed{game(9), Sold{Plays: 2, StakesCents: 200}, nil},
		GameSealed{game(10), fingerprint, note},
		NumberDrawn{game(11), 1, 1, 13},
		NumberDrawn{game(12), 1, 2, 77},
		GameDrawn{game(13), []int{13, 77}},
		GameSettled{game(14), Result{Winners: 1, PrizesCents: 450}, nil},
		DayClosed{head(15), 418},
	}
	var got []Body
	for _, e := range eventsAfter(t, hub, ID{}) {
		if e.Name != e.Body.name() {
			t.Errorf("%v is called %s and says %T", e.ID, e.Name, e.Body)
		}
		got = append(got, e.Body)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events differ (-want +got):\n%s", diff)
	}
}

// TestResettlement learns of a jackpot that was shared after the settlement.
func TestResettlement(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{Results: 1}, defaultLimits)
	h.OpenDay("2026-11-15")
	h.Play(1)
	result := func() Result { return *hub.Board().Series[0].Results[0].Result }
	h.Resettle(1, 900)
	if got := result(); got.PrizesCents != 900 || len(got.Jackpots) != 1 ||
		got.Jackpots[0] != (JackpotWon{Spots: 7, Ways: 1, Cents: 900}) {
		t.Errorf("the board shows %+v", got)
	}
	h.Play(1)
	before := result()
	events := eventsAfter(t, hub, ID{})
	if last := slices.IndexFunc(events, func(e Event) bool { return e.Name == "game_resettled" }); last < 0 {
		t.Error("nobody was told")
	}
	if before.Jackpots != nil {
		t.Errorf("the next game shows %+v", before)
	}
}

// TestJackpots follows a jackpot from its opening through a game.
func TestJackpots(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{}, small)
	h.OpenPool(10, 1_234_567)
	shows := func() []Pool { return hub.Board().Series[0].Jackpots }
	want := []Pool{{Spots: 10, Cents: 1_234_567}}
	if diff := cmp.Diff(want, shows()); diff != "" {
		t.Errorf("the board shows (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]Pool{{Spots: 10, Cents: 750_000_00}}, hub.Board().Series[0].Fills); diff != "" {
		t.Errorf("the schedule adds (-want +got)\n%s", diff)
	}
	h.OpenDay("2026-11-15")
	h.Play(1)
	if diff := cmp.Diff(want, shows()); diff != "" {
		t.Errorf("after a game that adds nothing (-want +got)\n%s", diff)
	}
}

func TestFrame(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{}, small)
	h.OpenDay("2026-11-15")
	want := "id: 1:5\nevent: day_opened\ndata: " +
		`{"id":"1:5","time":"2026-11-15T11:00:00+11:00","series":1,"day":"2026-11-15","utc_offset_seconds":39600}` + "\n\n"
	if got := frames(eventsAfter(t, hub, ID{})); got != want {
		t.Errorf("frame\n%s\nwant\n%s", got, want)
	}
}

func TestBoardThroughAGame(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{Results: 2}, small)
	series := func() Series { return hub.Board().Series[0] }

	if s := series(); s.Name != "vic-keno" || s.Of != 80 || s.Draw != 20 || s.Currency != "AUD" ||
		s.Rulebook.ID != "vic-keno-2015" || s.DayOpen || s.Open != nil {
		t.Errorf("before the first day: %+v", s)
	}
	if house := hub.Board().House; house.Name != "test.example/keno" || house.Volume != 1 || house.HouseKey == "" {
		t.Errorf("house: %+v", house)
	}
	h.OpenDay("2026-11-15")
	h.Open(time.Minute)
	if s := series(); !s.DayOpen || s.Open == nil || s.Open.Game != 1 || !s.Open.Closes.Equal(h.Now().Add(time.Minute)) {
		t.Errorf("game 1 on sale: %+v", s)
	}
	h.Sell(2)
	fingerprint := h.Close()
	h.Open(time.Minute)
	s := series()
	if s.Open.Game != 2 || len(s.Drawing) != 1 || s.Drawing[0].Seal.Fingerprint != fingerprint ||
		s.Drawing[0].Sold.Plays != 2 || len(s.Drawing[0].Numbers) != 0 {
		t.Errorf("game 1 sealed: %+v", s)
	}
	h.Draw(9, 4)
	if got := series().Drawing[0].Numbers; !slices.Equal(got, []int{9, 4}) {
		t.Errorf("numbers %v", got)
	}
	if len(s.Drawing[0].Numbers) != 0 {
		t.Error("an older copy of the board has changed")
	}
	h.Redraw()
	h.Draw(33)
	if got := series().Drawing[0].Numbers; !slices.Equal(got, []int{33}) {
		t.Errorf("numbers of a further draw: %v", got)
	}
	h.Settle(1, 300)
	s = series()
	if len(s.Drawing) != 0 || len(s.Results) != 1 || s.Results[0].Result.PrizesCents != 300 ||
		s.Results[0].DrawnAt.IsZero() {
		t.Errorf("game 1 settled: %+v", s)
	}
	h.Close()
	h.Settle(0, 0)
	h.Play(1)
	if s = series(); len(s.Results) != 2 || s.Results[0].Game != 3 || s.Results[1].Game != 2 {
		t.Errorf("the two newest results: %+v", s.Results)
	}
	h.CloseDay()
	if s = series(); s.DayOpen || s.Day != "2026-11-15" {
		t.Errorf("after the day: %+v", s)
	}
}

// TestAppendBoard compares the board that is encoded once for all with the one
// that is encoded for one.
func TestAppendBoard(t *testing.T) {
	now := time.Date(2026, 11, 15, 1, 2, 3, 4_000_000, time.UTC)
	h := livetest.New(t)
	hub := follow(t, h, Options{Now: func() time.Time { return now }}, small)
	for _, play := range []func(*livetest.House){func(*livetest.House) {}, someGames} {
		play(h)
		want, err := json.Marshal(hub.Board())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := hub.AppendBoard(nil)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("board %s, %v\nwant %s", got, err, want)
			}
		}
	}
}

// TestResumeFromEveryID cuts a client off behind every record, public or not,
// and compares what it is told afterwards with what it would have been told.
func TestResumeFromEveryID(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{Source: h}, small)
	someGames(h)
	all := eventsAfter(t, hub, ID{})
	if len(all) < 200 {
		t.Fatalf("%d events are too few to try", len(all))
	}
	for seq := range h.Len() {
		id := ID{Volume: 1, Seq: uint64(seq)}
		from := slices.IndexFunc(all, func(e Event) bool { return e.ID.Compare(id) > 0 })
		if from < 0 {
			from = len(all)
		}
		if got, want := frames(eventsAfter(t, hub, id)), frames(all[from:]); got != want {
			t.Fatalf("after %v:\n%s\nwant\n%s", id, got, want)
		}
	}
	if hub.history.chunks[0].events != nil {
		t.Error("the oldest events are still encoded, so the source was not tried")
	}
}

// TestRereadEqualsFirstTelling holds what is made from stored records against
// what was told when they were new.
func TestRereadEqualsFirstTelling(t *testing.T) {
	h := livetest.New(t)
	fresh := follow(t, h, Options{}, limits{chunkEvents: 1000, encoded: 10, chunks: 10})
	someGames(h)
	old := follow(t, h, Options{Source: h}, limits{chunkEvents: 5, encoded: 1, chunks: 1000})
	if got, want := frames(eventsAfter(t, old, ID{})), frames(eventsAfter(t, fresh, ID{})); got != want {
		t.Errorf("told again:\n%s\nfirst:\n%s", got, want)
	}
}

func TestForgottenAndAhead(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{Source: h}, limits{chunkEvents: 7, encoded: 2, chunks: 4})
	someGames(h)
	newest := hub.Newest()
	for _, c := range []struct {
		id   ID
		want error
	}{
		{ID{}, ErrForgotten},
		{ID{Volume: 1, Seq: 5}, ErrForgotten},
		{hub.history.forgotten, nil},
		{newest, nil},
		{ID{Volume: 1, Seq: uint64(h.Len())}, ErrAhead},
		{ID{Volume: 2, Seq: 0}, ErrAhead},
	} {
		if _, _, err := hub.After(t.Context(), c.id); !errors.Is(err, c.want) {
			t.Errorf("after %v: %v, want %v", c.id, err, c.want)
		}
	}
	without := follow(t, h, Options{}, small)
	if _, _, err := without.After(t.Context(), ID{}); !errors.Is(err, ErrForgotten) {
		t.Errorf("without a source: %v", err)
	}
	if _, _, err := NewHub(Options{}).After(t.Context(), newest); !errors.Is(err, ErrAhead) {
		t.Errorf("an empty hub: %v", err)
	}
}

// TestNothingBeforeItsRecord looks at the board and the newest event behind every
// record of some games: they show the numbers that were committed and no other.
func TestNothingBeforeItsRecord(t *testing.T) {
	h := livetest.New(t)
	someGames(h)
	hub := NewHub(Options{Results: 1000})
	var want []int
	drawn := 0 // in the game that is being drawn
	for seq, data := range h.Records() {
		r, err := record.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := hub.Committed(record.Place{Volume: 1, Seq: uint64(seq)}, [][]byte{data}); err != nil {
			t.Fatal(err)
		}
		switch b := r.Body.(type) {
		case *record.NumberDrawn:
			want, drawn = append(want, int(b.Number)), drawn+1
		case *record.GameSealed:
			drawn = 0
		case *record.ResultCorrected: // of the last game
			want = want[:len(want)-drawn]
			for _, n := range b.Numbers {
				want = append(want, int(n))
			}
			drawn = len(b.Numbers)
		case *record.DrawVoided, *record.GameVoided:
			want, drawn = want[:len(want)-drawn], 0
		}
		if got := shown(hub.Board()); !slices.Equal(got, want) {
			t.Fatalf("after record %d the board shows %v, committed are %v", seq, got, want)
		}
	}
	if len(want) != 6*20+2*3+3 {
		t.Errorf("%d numbers were drawn", len(want))
	}
}

// shown returns all numbers on a board in the order drawn.
func shown(b Board) []int {
	var numbers []int
	for _, s := range b.Series {
		for _, g := range slices.Backward(s.Results) {
			numbers = append(numbers, g.Numbers...)
		}
		for _, g := range s.Drawing {
			numbers = append(numbers, g.Numbers...)
		}
	}
	return numbers
}

// TestOnlyPublicKinds looks for anything of a ticket in all that is told.
func TestOnlyPublicKinds(t *testing.T) {
	h := livetest.New(t)
	hub := follow(t, h, Options{}, defaultLimits)
	someGames(h)
	board, err := hub.AppendBoard(nil)
	if err != nil {
		t.Fatal(err)
	}
	told := string(board) + frames(eventsAfter(t, hub, ID{}))
	for _, secret := range []string{livetest.SecretMethod, "987654321", "987,654", "Corner Hotel", "terminal", "venue",
		"claim", "session"} {
		if strings.Contains(told, secret) {
			t.Errorf("the public is told %q", secret)
		}
	}
	h.Evening()
	names := map[string]bool{}
	for _, e := range eventsAfter(t, hub, ID{}) {
		names[e.Name] = true
	}
	for name := range Bodies() {
		if !names[name] {
			t.Errorf("no %s was told", name)
		}
		delete(names, name)
	}
	if len(names) > 0 {
		t.Errorf("told but not listed: %v", names)
	}
}

func TestOutOfOrder(t *testing.T) {
	h := livetest.New(t)
	someGames(h)
	records := h.Records()
	for name, add := range map[string]func(*Hub) error{
		"gap":      func(hub *Hub) error { return hub.Committed(record.Place{Volume: 1, Seq: 8}, records[8:9]) },
		"repeated": func(hub *Hub) error { return hub.Committed(record.Place{Volume: 1, Seq: 6}, records[6:7]) },
		"volume":   func(hub *Hub) error { return hub.Committed(record.Place{Volume: 1, Seq: 0}, records[:1]) },
		"later in a volume": func(hub *Hub) error {
			return hub.Committed(record.Place{Volume: 2, Seq: 1}, records[7:8])
		},
	} {
		hub := NewHub(Options{})
		if err := hub.Committed(record.Place{Volume: 1}, records[:7]); err != nil {
			t.Fatal(err)
		}
		if err := add(hub); !errors.Is(err, ErrOutOfOrder) {
			t.Errorf("%s: %v", name, err)
		}
		if err := hub.Committed(record.Place{Volume: 1, Seq: 7}, records[7:8]); !errors.Is(err, ErrOutOfOrder) {
			t.Errorf("%s: the hub went on: %v", name, err)
		}
	}
}

// TestBrokenJournalTellsNothing gives the hub records that contradict each other.
func TestBrokenJournalTellsNothing(t *testing.T) {
	h := livetest.New(t)
	h.OpenDay("2026-11-15")
	h.Play(1)
	records := h.Records()
	for name, bad := range map[string][][]byte{
		"number of an unknown game": {records[10]},
		"not a record":              {{0x85, 12, 1}},
		"two closes":                {records[6], records[8], records[8]},
	} {
		hub := NewHub(Options{})
		if err := hub.Committed(record.Place{Volume: 1}, records[:6]); err != nil {
			t.Fatal(err)
		}
		if err := hub.Committed(record.Place{Volume: 1, Seq: 6}, bad); err == nil {
			t.Errorf("%s: told", name)
		}
		next := record.Place{Volume: 1, Seq: 6 + uint64(len(bad))}
		if err := hub.Committed(next, records[7:8]); err == nil {
			t.Errorf("%s: the hub went on", name)
		}
		if board, err := hub.AppendBoard(nil); err == nil {
			t.Errorf("%s: the board says %s", name, board)
		}
		if _, _, err := hub.After(t.Context(), ID{}); err == nil || hub.Err() == nil {
			t.Errorf("%s: there are events", name)
		}
		select {
		case <-hub.closed:
		default:
			t.Errorf("%s: streams go on", name)
		}
	}
}

func FuzzParseID(f *testing.F) {
	for _, s := range []string{"1:0", "1:20417", "", ":", "01:2", "1:-2", "65535:18446744073709551615", "65536:1",
		"1:2:3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := ParseID(text)
		if err == nil && id.String() != text {
			t.Errorf("%q reads as %v", text, id)
		}
	})
}
