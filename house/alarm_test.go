package house

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/decide/engine"
)

// alarmed returns a house that has alarms and a log and nothing else, and its clock.
func alarmed(t *testing.T) (*House, *jumpClock, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	clock := &jumpClock{now: time.Unix(1_800_000_000, 0)}
	h, err := newHouse(Config{Clock: clock, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return h, clock, &log
}

// TestAlarms: an alarm keeps the time at which it began, the log is told of each sentence
// once and of the end, and the alarms of one part do not end those of another.
func TestAlarms(t *testing.T) {
	h, clock, log := alarmed(t)
	began := clock.Now()
	h.Raise(SeriesPart(1), "draw", "The device does not answer.", "Start it.")
	clock.set(began.Add(time.Minute))
	h.Raise(SeriesPart(1), "draw", "The device does not answer.", "Start it.")
	h.Raise(RoomPart(2), "call", "The room stands.", "Look.")
	if lines := strings.Count(log.String(), "\n"); lines != 2 {
		t.Errorf("%d lines are logged for two alarms:\n%s", lines, log)
	}
	h.Raise(SeriesPart(1), "draw", "The device says no.", "Ask it.")
	list := h.Alarms()
	if len(list) != 2 || list[0].Part != "room 2" ||
		list[1] != (Alarm{"series 1", "draw", began, "The device says no.", "Ask it.", 3}) {
		t.Fatalf("alarms %+v", list)
	}
	h.Clear(SeriesPart(1), "other")
	h.clearPart(PartDevice)
	if len(h.Alarms()) != 2 {
		t.Errorf("alarms ended that nobody ended: %+v", h.Alarms())
	}
	h.clearPart(SeriesPart(1))
	h.Clear(RoomPart(2), "call")
	h.Clear(RoomPart(2), "call")
	if len(h.Alarms()) != 0 {
		t.Errorf("alarms %+v stay", h.Alarms())
	}
	if ended := strings.Count(log.String(), "alarm ended"); ended != 2 {
		t.Errorf("the log is told of %d ends", ended)
	}
}

// TestBookThatDoesNotTie: the alarm names series, day and figures, and only a book of the same series ends it.
func TestBookThatDoesNotTie(t *testing.T) {
	h, _, _ := alarmed(t)
	today := day.MustParse("2026-11-15")
	h.tellTied(engine.Tied{Series: 1, Day: today, Faults: []string{"fees of bingo: $1.00, and $2.00 is due"}})
	h.tellTied(engine.Tied{Series: 2, Day: today})
	list := h.Alarms()
	if len(list) != 1 || list[0].Part != PartBooks ||
		list[0].Sentence != "The book of series 1 on 2026-11-15 does not tie: fees of bingo: $1.00, and $2.00 is due." {
		t.Fatalf("alarms %+v", list)
	}
	h.tellTied(engine.Tied{Series: 1, Day: today + 1})
	if list := h.Alarms(); len(list) != 0 {
		t.Errorf("alarms %+v stay", list)
	}
}

// TestReasonDoesNotChange: what differs between two tries that fail in one way is not in
// the reason, and neither are lines.
func TestReasonDoesNotChange(t *testing.T) {
	first := reason(errors.New("read tcp 127.0.0.1:50312->127.0.0.1:80: i/o timeout after 3.2s"))
	second := reason(errors.New("read tcp 127.0.0.1:50777->127.0.0.1:80: i/o timeout after 814ms"))
	if first != second || !strings.Contains(first, "127.0.0.1:80: i/o timeout") {
		t.Errorf("%q and %q", first, second)
	}
	if got := reason(errors.New("one\n\ttwo " + strings.Repeat("ä", 400))); strings.ContainsAny(got, "\n\t") ||
		len(got) > longestReason+4 {
		t.Errorf("%q", got)
	}
}
