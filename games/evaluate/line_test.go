package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

const twenty = `[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]`

func TestParseLine(t *testing.T) {
	l, r := parseLine([]byte(` { "channel" : "sst" , "id":"a b/1", "ticket":{"x":["}\"]",{"first":{}}],"first" : "open"},"method":"replay" } `))
	if r != nil {
		t.Fatal(r)
	}
	if string(l.id) != "a b/1" || l.channel != rulebook.ChannelSST || l.method != rulebook.MethodReplay {
		t.Errorf("id %q, channel %q, method %q", l.id, l.channel, l.method)
	}
	if want := `{"x":["}\"]",{"first":{}}],"first" : "open"}`; string(l.ticket) != want || !l.open {
		t.Errorf("ticket %s, open %v", l.ticket, l.open)
	}
	l, r = parseLine([]byte(`{"ticket":{"first" : {"day":"2026-11-15","game":1}},"id":"a","channel":"writer"}`))
	if r != nil || l.open {
		t.Errorf("a ticket that names its game: open %v, %v", l.open, r)
	}
	l, r = parseLine([]byte(`{"draw":{"numbers":[80,1,7],"game":0}}`))
	if r != nil || l.draw.game != 0 || l.draw.numbers.String() != "80 1 7" {
		t.Errorf("draw %v, %v", l.draw, r)
	}
}

func TestParseLineRefuses(t *testing.T) {
	long := strings.Repeat("x", 65)
	for _, c := range []struct{ line, code, path string }{
		{`x`, "form_syntax", ""},
		{`[]`, "field_value", ""},
		{`{}`, "line_kind", ""},
		{`{"id":"a"}`, "line_kind", ""},
		{`{"ticket":{},"draw":{"game":1,"numbers":[1]}}`, "line_kind", ""},
		{`{"ticket":{},"channel":"writer"}`, "field_missing", "id"},
		{`{"ticket":{},"id":"a"}`, "field_missing", "channel"},
		{`{"ticket":{},"ticket":{}}`, "field_repeated", "ticket"},
		{`{"Ticket":{}}`, "field_unknown", "Ticket"},
		{`{"ticket":7}`, "field_value", "ticket"},
		{`{"ticket":{"a":"b}`, "form_syntax", "ticket"},
		{`{"ticket":{"a":[{}]`, "form_syntax", "ticket"},
		{`{"ticket":{}`, "form_syntax", ""},
		{`{"ticket":{},}`, "form_syntax", ""},
		{`{"ticket":{}}]`, "form_syntax", ""},
		{`{"id":""}`, "field_value", "id"},
		{`{"id":7}`, "field_value", "id"},
		{`{"id":"a\"b"}`, "form_syntax", "id"},
		{`{"id":"ä"}`, "form_syntax", "id"},
		{`{"id":"` + long + `"}`, "field_value", "id"},
		{`{"id" "a"}`, "form_syntax", "id"},
		{`{"pool":{"spots":8,"cents":1}}`, "field_unknown", "pool.cents"},
		{`{"pool":{"primary_cents":1}}`, "field_missing", "pool.spots"},
		{`{"pool":{"spots":0}}`, "field_value", "pool.spots"},
		{`{"pool":{"spots":21}}`, "field_value", "pool.spots"},
		{`{"pool":{"spots":8,"primary_cents":1.5}}`, "field_value", "pool.primary_cents"},
		{`{"pool":{"spots":8,"primary_cents":100000000000001}}`, "field_value", "pool.primary_cents"},
		{`{"pool":{"spots":8,"primary_cents":99999999999999999999999999}}`, "field_value", "pool.primary_cents"},
		{`{"pool":{"spots":8,"secondary_parts":10000}}`, "field_value", "pool.secondary_parts"},
		{`{"pool":{"spots":8},"id":"a"}`, "field_conflict", "id"},
		{`{"promotion":{"id":"a","cents":1,"bet":"classic","spots":5,"matched":5},"channel":"writer"}`, "field_conflict",
			"channel"},
		{`{"promotion":{"cents":1,"bet":"classic","spots":5,"matched":5}}`, "field_missing", "promotion.id"},
		{`{"promotion":{"id":"a","bet":"classic","spots":5,"matched":5}}`, "field_missing", "promotion.cents"},
		{`{"promotion":{"id":"a","cents":1,"spots":5,"matched":5}}`, "field_missing", "promotion.bet"},
		{`{"promotion":{"id":"a","cents":1,"bet":"classic","matched":5}}`, "field_missing", "promotion.spots"},
		{`{"promotion":{"id":"a","cents":1,"bet":"classic","spots":5}}`, "field_missing", "promotion.matched"},
		{`{"promotion":{"id":"a","cents":0,"bet":"classic","spots":5,"matched":5}}`, "field_value", "promotion.cents"},
		{`{"promotion":{"id":"a","cents":1,"bet":"classic","spots":81,"matched":5}}`, "field_value", "promotion.spots"},
		{`{"pool":{"spots":8},"draw":{"game":1,"numbers":[1]}}`, "line_kind", ""},
		{`{"draw":{"game":1}}`, "field_missing", "draw.numbers"},
		{`{"draw":{"numbers":[1]}}`, "field_missing", "draw.game"},
		{`{"draw":{"game":1,"numbers":[1]},"id":"a"}`, "field_conflict", "id"},
		{`{"draw":{"game":1,"numbers":[1]},"channel":"writer"}`, "field_conflict", "channel"},
		{`{"draw":{"game":1,"numbers":[1]},"method":"form"}`, "field_conflict", "method"},
		{`{"draw":{"game":-1,"numbers":[1]}}`, "field_value", "draw.game"},
		{`{"draw":{"game":1e2,"numbers":[1]}}`, "field_value", "draw.game"},
		{`{"draw":{"game":01,"numbers":[1]}}`, "form_syntax", "draw.game"},
		{`{"draw":{"game":10000,"numbers":[1]}}`, "field_value", "draw.game"},
		{`{"draw":{"game":99999999999999999999999,"numbers":[1]}}`, "field_value", "draw.game"},
		{`{"draw":{"game":1,"numbers":[1,81]}}`, "field_value", "draw.numbers[1]"},
		{`{"draw":{"game":1,"numbers":[1,2,1]}}`, "field_value", "draw.numbers[2]"},
		{`{"draw":{"game":1,"numbers":[1 2]}}`, "form_syntax", "draw.numbers"},
		{`{"draw":{"game":1,"numbers":"1 2"}}`, "field_value", "draw.numbers"},
		{`{"draw":{"game":1,"numbers":[1],"day":"2026-11-15"}}`, "field_unknown", "draw.day"},
		{strings.Repeat(" ", MaxLine+1), "line_too_long", ""},
	} {
		_, r := parseLine([]byte(c.line))
		if r == nil {
			t.Errorf("%.80s: accepted", c.line)
			continue
		}
		if string(r.Code) != c.code || r.Path != c.path {
			t.Errorf("%.80s: %s at %q, want %s at %q: %v", c.line, r.Code, r.Path, c.code, c.path, r)
		}
	}
}

// FuzzLine feeds one line, then a draw. A line never panics; one that is accepted
// is JSON and says what encoding/json finds in it, the results are JSON, and a
// refusal is a fault of that line with a code and a sentence.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`{"ticket":{"v":1,"rulebook":"vic-keno-2015","first":"open","games":2,"bets":[{"bet":"classic","spots":[3,17,42],"stake_cents":200}]},"id":"a","channel":"writer"}`,
		`{"ticket":{"v":1,"rulebook":"vic-keno-2015","first":{"day":"2026-11-15","game":7},"bets":[{"bet":"classic","groups":[[1,2],[11,12,13],[40]],"play":{"spots":[3,5]},"stake_cents":100}]},"id":"b","channel":"sst"}`,
		`{"ticket":{"v":1,"rulebook":"vic-keno-2015","bets":[{"bet":"classic","groups":[[1],[2],[3]],"play":"all","stake_cents":50}]},"id":"c","channel":"writer","method":"form"}`,
		`{"ticket":{"v":1,"rulebook":"vic-keno-2015","bets":[{"item":"superplay-1","stake_cents":100}]},"id":"c","channel":"writer"}`,
		`{"ticket":{"v":1,"rulebook":"vic-keno-2015","bets":[{"bet":"heads_or_tails","calls":["heads"],"stake_cents":100}]},"id":"c","channel":"writer"}`,
		`{"draw":{"game":6,"numbers":` + twenty + `}}`,
		`{"promotion":{"id":"cash","cents":100000,"bet":"classic","spots":5,"matched":5,"least_cents":200}}`,
		`{"pool":1}`,
		`{"pool":{"spots":7,"primary_cents":100,"primary_parts":5000,"elsewhere_growth_cents":9,"elsewhere_stakes_cents":1}}`,
		"", " \t", `{"ticket":{"a":"\"`,
	} {
		f.Add([]byte(line))
	}
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		run, err := New(book, Options{File: "f"})
		if err != nil {
			t.Fatal(err)
		}
		games := 0
		for i, line := range [][]byte{data, []byte(`{"draw":{"game":7,"numbers":` + twenty + `}}`)} {
			game := run.Line(line)
			if game == nil {
				continue
			}
			games++
			checkResults(t, game)
			if i == 0 {
				checkDrawLine(t, data, game)
			}
		}
		err = run.End()
		if err == nil {
			if !json.Valid(data) && len(bytes.TrimSpace(data)) > 0 {
				t.Errorf("accepted what is not JSON: %q", data)
			}
			return
		}
		var faults Faults
		if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Code == "" || faults[0].Sentence == "" {
			t.Errorf("%q: %v", data, err)
		}
		if games > 1 || games == 1 && faults[0].Line == 1 {
			t.Errorf("%q: settled in spite of %v", data, err)
		}
	})
}

// checkResults holds the output to be lines of JSON that agree with the totals.
func checkResults(t *testing.T, game *Game) {
	t.Helper()
	var plays, prizes int64
	lines := strings.Split(strings.TrimSpace(string(game.AppendJSON(nil))), "\n")
	for i, line := range lines {
		var result struct {
			ID           *string
			Game         int
			Prize        int64 `json:"prize_cents"`
			Plays        int64
			Prizes       int64 `json:"prizes_cents"`
			WinningWays  int64 `json:"winning_ways"`
			PrizesPlayOn int64 `json:"plays_on"`
		}
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if last := i == len(lines)-1; last != (result.ID == nil) || result.Game != game.Number {
			t.Errorf("line %d of %d is %s", i+1, len(lines), line)
		}
		if result.ID != nil {
			plays++
			prizes += result.Prize
		} else if result.Plays != plays || result.Prizes != prizes {
			t.Errorf("%d plays won %d: %s", plays, prizes, line)
		}
	}
}

// checkDrawLine compares a draw with what encoding/json reads.
func checkDrawLine(t *testing.T, data []byte, game *Game) {
	t.Helper()
	var want struct {
		Draw struct {
			Game    int
			Numbers []int
		}
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	numbers := game.Numbers.Numbers()
	if want.Draw.Game != game.Number || len(want.Draw.Numbers) != len(numbers) {
		t.Fatalf("%q is read as game %d, %v", data, game.Number, numbers)
	}
	for i, n := range want.Draw.Numbers {
		if numbers[i] != n {
			t.Errorf("%q is read as %v", data, numbers)
		}
	}
}
