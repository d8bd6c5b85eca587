package witness

import "fmt"

// A Difference is the first thing in a journal on which a witness that grades it and
// the house do not agree. It is told to both.
type Difference struct {
	Record string `json:"record,omitempty"` // its place, VOLUME:SEQUENCE
	Kind   string `json:"kind,omitempty"`
	Check  string `json:"check"`
	Field  string `json:"field,omitempty"`
	// House is what the house has in the field, and Witness what the witness came to.
	House   string `json:"house,omitempty"`
	Witness string `json:"witness,omitempty"`
	Reason  string `json:"reason"`
}

// Error returns the difference as one sentence.
func (d *Difference) Error() string {
	where := d.Check
	if d.Record != "" {
		where += ": record " + d.Record
	}
	if d.Kind != "" {
		where += " (" + d.Kind + ")"
	}
	if d.Field != "" {
		return fmt.Sprintf("%s: %s: the house has %s, the witness %s: %s", where, d.Field, d.House, d.Witness, d.Reason)
	}
	return where + ": " + d.Reason
}
