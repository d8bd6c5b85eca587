package report

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

// TestTwiceIsEqual makes every report twice from the same journal, days apart: the files are equal to the byte, in
// every form, and say up to which record they go.
func TestTwiceIsEqual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _, read := taxedDays(t)
		for _, name := range Names() {
			for _, format := range Formats() {
				var files [2][]byte
				for i := range files {
					table, err := Make(name, w.days, Choice{Read: read})
					if err != nil {
						t.Fatal(err)
					}
					table.House = "house.example"
					last := w.days[len(w.days)-1].End
					if table.UpTo.Place.Seq != last.Seq-1 || table.UpTo.Time != w.records[last.Seq-1].Time {
						t.Errorf("%s is of records up to %v, and the last day ends before %v", name, table.UpTo, last)
					}
					var b bytes.Buffer
					if err := table.Write(&b, format); err != nil {
						t.Fatal(err)
					}
					files[i] = b.Bytes()
					time.Sleep(40 * time.Hour)
				}
				if !bytes.Equal(files[0], files[1]) {
					t.Errorf("%s as %s is another file when it is made again", name, format)
				}
			}
		}
	})
}
