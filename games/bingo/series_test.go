package bingo

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSerialReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Serial{
			Series: rapid.StringMatching("[A-Z0-9]{1,8}").Draw(t, "series"),
			Book:   rapid.IntRange(1, maxBook).Draw(t, "book"), Game: rapid.IntRange(1, maxGames).Draw(t, "game"),
		}
		if got, err := ParseSerial(" " + strings.ToLower(s.String())); err != nil || got != s {
			t.Fatalf("%v reads back as %v: %v", s, got, err)
		}
		// Every wrong digit and every two neighbours exchanged are found.
		text := s.String()
		at := rapid.IntRange(len(s.Series)+1, len(text)-1).Draw(t, "at")
		wrong := []byte(text)
		if wrong[at] == '-' {
			return
		}
		wrong[at] = '0' + byte((int(text[at]-'0')+rapid.IntRange(1, 9).Draw(t, "by"))%10)
		if got, err := ParseSerial(string(wrong)); err == nil {
			t.Fatalf("%s passes as %v for %s", wrong, got, text)
		}
		swapped := []byte(text)
		swapped[at], swapped[at-1] = swapped[at-1], swapped[at]
		if got, err := ParseSerial(string(swapped)); err == nil && string(swapped) != text {
			t.Fatalf("%s passes as %v for %s", swapped, got, text)
		}
	})
}

func TestParseSerialRefuses(t *testing.T) {
	good := Serial{"K7", 123, 4}.String()
	if good != "K7-000123-04-"+good[len(good)-2:] {
		t.Fatalf("%s", good)
	}
	for _, text := range []string{"", "K7", "K7-123-04-34", good + "0", good + "-1", "-" + good, "Ä7" + good[2:],
		"K7-+00123-04-34", "K7-000000-04-00", "K7-000123-00-00", "TOOLONG99-000123-04-34"} {
		if s, err := ParseSerial(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

func TestColours(t *testing.T) {
	all, err := Palette(len(palette))
	if err != nil {
		t.Fatal(err)
	}
	series := Series{ID: "K7", Up: 6, FirstBook: 1, Colours: all}
	if faults := nswForm(t).check(&series, 1); len(faults) > 0 {
		t.Errorf("the colours that have names do not differ: %v", faults)
	}
	for _, text := range []string{"pink", "salmon #fa8072", "pink #000000"} {
		if c, err := ParseColour(text); err != nil || c.String() != text {
			t.Errorf("%q is read as %v: %v", text, c, err)
		}
	}
	for _, text := range []string{"", "salmon", "Pink", "pink #12345", "pink #FA8072", "pink #12345x", "a,b #123456",
		strings.Repeat("a", 21) + " #123456", " #123456"} {
		if c, err := ParseColour(text); err == nil {
			t.Errorf("%q is read as %v", text, c)
		}
	}
	if _, err := Palette(len(palette) + 1); err == nil {
		t.Error("there are more colours than there are")
	}
}

func TestSeriesFaults(t *testing.T) {
	pink, blue := palette[0], palette[1]
	good := Series{ID: "K7", Up: 6, FirstBook: 1, Colours: []Colour{pink, blue}}
	for _, c := range []struct {
		want   string
		change func(s *Series) int
	}{
		{`series: "k7" is not the name of a series: one to 8 capitals and digits (rule 2.2.2)`,
			func(s *Series) int { s.ID = "k7"; return 1 }},
		{`up: no page of 9 boxes is sold; there are [6 12] (rule 1.1.scorecard)`, func(s *Series) int { s.Up = 9; return 1 }},
		{`books: 0 books from 1 on are not numbered from 1 to 999999 (rule 2.3.1)`, func(*Series) int { return 0 }},
		{`books: 2 books from 999999 on`, func(s *Series) int { s.FirstBook = 999_999; return 2 }},
		{`books: 1 books from 0 on`, func(s *Series) int { s.FirstBook = 0; return 1 }},
		{`game 2: is pink #f9b8d0 like game 1; no two games of a series have one colour (rule 2.3.2)`,
			func(s *Series) int { s.Colours = []Colour{pink, pink}; return 1 }},
		{`game 2: is rosy #f9b8d0 like game 1`,
			func(s *Series) int { s.Colours = []Colour{pink, {"rosy", pink.Red, pink.Green, pink.Blue}}; return 1 }},
		{`game 1: "Pink" is not the name of a colour`,
			func(s *Series) int { s.Colours = []Colour{{Name: "Pink"}}; return 1 }},
		{`colours: 0 games; a series has 1 to 99 (rule 2.3.2)`, func(s *Series) int { s.Colours = nil; return 1 }},
	} {
		series := good
		books := c.change(&series)
		if _, err := nswForm(t).MakeTable(series, books, seeded("faults")); err == nil ||
			!strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := nswForm(t).MakeTable(Series{ID: "K7", Up: 12, FirstBook: 1, Colours: palette}, maxBook,
		nil); err == nil || !strings.Contains(err.Error(), "more than a table holds") {
		t.Errorf("a table of 288 million boxes: %v", err)
	}
}
