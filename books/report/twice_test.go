package report

import (
	"bytes"
	"testing"
)

// TestTwiceIsEqual makes every report twice from the same books: the files are equal to the byte, in every form.
func TestTwiceIsEqual(t *testing.T) {
	days := someDays(t, 5)
	for _, name := range Names() {
		for _, format := range Formats() {
			var files [2][]byte
			for i := range files {
				table, err := Make(name, days, Choice{})
				if err != nil {
					t.Fatal(err)
				}
				table.House, table.Made = "house.example", "2026-11-16 09:00 UTC"
				var b bytes.Buffer
				if err := table.Write(&b, format); err != nil {
					t.Fatal(err)
				}
				files[i] = b.Bytes()
			}
			// A clock could be the same for both.
			if format == PDF && !bytes.Contains(files[0], []byte("D:20261116090000")) {
				t.Errorf("%s as PDF is not of the time at which it was made", name)
			}
			if !bytes.Equal(files[0], files[1]) {
				t.Errorf("%s as %s is another file when it is made again", name, format)
			}
		}
	}
}
