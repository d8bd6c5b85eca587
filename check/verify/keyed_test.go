package verify

import (
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestRequestKeyed: the key of a request stands behind what was done, is of somebody who was added, and is not used
// again below a day.
func TestRequestKeyed(t *testing.T) {
	const seq = 20
	keyed := func(person uint32, key byte, volume uint16, answer uint64) *record.RequestKeyed {
		return &record.RequestKeyed{Person: person, Key: record.Hash{key}, Asked: record.Hash{2},
			Answer: record.Place{Volume: volume, Seq: answer}}
	}
	first := keyed(1, 1, 1, seq-1)
	for name, x := range map[string]struct {
		after  record.Time // behind the first use
		body   *record.RequestKeyed
		reason string // empty: it holds
	}{
		"another key":                 {0, keyed(1, 9, 1, seq-1), ""},
		"the key of another person":   {0, keyed(2, 1, 1, seq-1), ""},
		"at once":                     {0, first, "twice within a day"},
		"below a day":                 {keptKey - 1, first, "twice within a day"},
		"after a day":                 {keptKey, first, ""},
		"above a day":                 {keptKey + 1, first, ""},
		"a stranger":                  {0, keyed(99, 9, 1, seq-1), "was not added"},
		"of itself":                   {0, keyed(1, 9, 1, seq), "not before it"},
		"of a record to come":         {0, keyed(1, 9, 1, seq+1), "not before it"},
		"of another volume":           {0, keyed(1, 9, 2, seq-1), "not before it"},
		"of a record that cannot be":  {0, keyed(1, 9, 1, nowhere), "not before it"},
		"of the record of the volume": {0, keyed(1, 9, 1, 0), ""},
	} {
		c := crew(t, record.LevelGuarded)
		c.seq = seq
		c.tell(t, first)
		c.now += x.after
		_, err := c.checkBody(x.body)
		if (err == nil) != (x.reason == "") || err != nil && !strings.Contains(err.Error(), x.reason) {
			t.Errorf("%s: %v; want %q", name, err, x.reason)
		}
	}
}
