package house

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNumbersRunOut: a Keno Day whose numbers do not last until its end raises an alarm before it stops, and the next
// day ends it.
func TestNumbersRunOut(t *testing.T) {
	b := closedBench(t)
	text := must1(os.ReadFile(filepath.Join("..", "rulebook", "rules", b.rules, "book.yaml")))
	from, to := bytes.Index(text, []byte("last: 999")), bytes.Index(text, []byte("    last_game: 200"))+len("    last_game: 200")
	b.without = string(text[from:to])
	b.instead = strings.NewReplacer("last: 999", "last: 33", "max: 1000", "max: 30", "to_go_from: 50",
		"to_go_from: 20", "last_game: 200", "last_game: 29").Replace(b.without)
	b.open()
	said := map[string]int{} // the first game that was open when it was said
	b.playOn(func(until time.Time) error {
		b.clock.set(until)
		now := must1(b.house.First().Course(t.Context()))
		alarm, raised := b.alarmOn(SeriesPart(FirstSeries))
		what := "nothing"
		switch {
		case raised && strings.Contains(alarm.Sentence, "nears game 33"):
			what = "near"
		case raised && strings.Contains(alarm.Sentence, "has given its last number"):
			what = "over"
		case raised:
			t.Errorf("another alarm: %+v", alarm)
		}
		if _, known := said[what]; !known {
			said[what] = int(now.Newest)
		}
		if now.Newest > 34 {
			if raised {
				t.Errorf("the next day has the alarm %+v", alarm)
			}
			return errEnough
		}
		return nil
	})
	if said["near"] != 4 || said["over"] != 34 || said["nothing"] > 1 {
		t.Errorf("it is said at the games %v", said)
	}
}
