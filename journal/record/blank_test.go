package record

import (
	"errors"
	"testing"
)

// TestCheckBlank finds a text of blanks in a field, in a list and below one, and takes what is empty or can be read.
func TestCheckBlank(t *testing.T) {
	for field, c := range map[string]struct{ bad, good Body }{
		"Text":              {&IncidentNoted{Text: " \t\n"}, &IncidentNoted{Text: " a "}},
		"Reason":            {&PlayPaused{Reason: "\u00a0"}, &PlayPaused{}},
		"Confirms[1]":       {&OfferNotified{Confirms: []string{"", " "}}, &OfferNotified{Confirms: []string{"tobacco", ""}}},
		"Prize[0].Medium":   {&BingoPaid{Prize: []MediumPart{{Medium: " "}}}, &BingoPaid{Prize: []MediumPart{{}}}},
		"Jackpot[1].Medium": {&BingoPaid{Jackpot: []MediumPart{{}, {Medium: "\t"}}}, &BingoPaid{}},
	} {
		var out *Out
		if err := (Record{Body: c.bad}).CheckBlank(); !errors.As(err, &out) || out.Field != field {
			t.Errorf("%s: %v", field, err)
		}
		if err := (Record{Body: c.good}).CheckBlank(); err != nil {
			t.Errorf("%s: %v", field, err)
		}
		if err := (Record{Body: c.bad}).CheckBounds(); err != nil {
			t.Errorf("%s: a journal from before has it, and is read: %v", field, err)
		}
	}
}
