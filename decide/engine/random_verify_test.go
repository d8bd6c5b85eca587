package engine_test

import (
	"drawhouse/journal/record"
)

// verify has the second opinion grade all that happened in the house.
func (d *randomDays) verify() {
	d.t.Helper()
	report, err := d.core.Verify()
	d.must(err)
	if f := report.Failure; !report.OK() {
		r, _ := record.Decode(d.core.Records[f.Place.Seq])
		d.t.Errorf("%v\n%+v\n%+v", f, r.Body, r.Postings)
	}
}
