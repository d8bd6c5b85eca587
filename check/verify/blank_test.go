package verify

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestBlankTexts holds that a text of blanks is a finding at every level, and never a fault: the house refuses such a
// text, and journals from before it did hold.
func TestBlankTexts(t *testing.T) {
	for name, x := range map[string]struct {
		body record.Body
		want string
	}{
		"blanks":         {&record.IncidentNoted{Text: " \n\t"}, "Text is a text of blanks"},
		"a text":         {&record.IncidentNoted{Text: " a"}, ""},
		"no text":        {&record.IncidentNoted{}, ""},
		"a list":         {&record.OfferNotified{Confirms: []string{"tobacco", "\u00a0"}}, "Confirms is a text of blanks"},
		"below a list":   {&record.BingoPaid{Prize: []record.MediumPart{{Medium: " "}}}, "Medium is a text of blanks"},
		"bytes are none": {&record.TicketPaid{}, ""},
	} {
		for _, level := range []uint8{record.LevelFirst, record.Level} {
			c := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: level}
			if err := c.checkBounds(record.Record{Body: x.body}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			said := ""
			for _, f := range c.report.Findings {
				said += f.Reason
			}
			if (said == "") != (x.want == "") || !strings.Contains(said, x.want) {
				t.Errorf("%s at level %d: %q, want %q", name, level, said, x.want)
			}
		}
	}
}
