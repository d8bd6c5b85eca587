package rulebook

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// faultCase is the smallest edit of a sound book that has a fault.
type faultCase struct {
	name string
	// edits are pairs of old and new text. The mark « in a new text is removed
	// again; it shows where the fault must be reported.
	edits []string
	// want are the faults in the order of the file, as "path: message". None means
	// that the edited book is sound.
	want []string
}

// mark shows in an edit where a fault is expected.
const mark = "«"

// runFaultCases edits the book of a file and compares what Load says of it.
func runFaultCases(t *testing.T, file string, cases []faultCase) {
	t.Helper()
	sound := readFile(t, file)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := sound
			for pair := range slices.Chunk(c.edits, 2) {
				if n := strings.Count(text, pair[0]); n != 1 {
					t.Fatalf("the text to edit is %d times in %s:\n%s", n, file, pair[0])
				}
				text = strings.Replace(text, pair[0], pair[1], 1)
			}
			text, marks := takeMarks(text)
			_, err := Load(file, []byte(text))
			compareFaults(t, file, marks, c.want, err)
		})
	}
}

func readFile(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// takeMarks removes the marks from a text and returns where they stood.
func takeMarks(text string) (string, []position) {
	var marks []position
	for {
		before, after, found := strings.Cut(text, mark)
		if !found {
			return text, marks
		}
		text = before + after
		line := strings.Count(before, "\n") + 1
		marks = append(marks, position{line, len(before) - strings.LastIndex(before, "\n")})
	}
}

// compareFaults compares faults with what is wanted. One mark stands for the place
// of all faults.
func compareFaults(t *testing.T, file string, marks []position, want []string, err error) {
	t.Helper()
	if len(want) == 0 {
		if err != nil {
			t.Errorf("got faults in a sound book:\n%v", err)
		}
		return
	}
	var faults Faults
	if !errors.As(err, &faults) || len(faults) != len(want) || len(marks) != 1 && len(marks) != len(want) {
		t.Fatalf("with %d marks, got\n%v\nwant\n%s", len(marks), err, strings.Join(want, "\n"))
	}
	for i, f := range faults {
		at := marks[min(i, len(marks)-1)]
		if f.File != file || f.Line != at.line || f.Col != at.col {
			t.Errorf("fault %d is at %s:%d:%d, want %d:%d: %v", i, f.File, f.Line, f.Col, at.line, at.col, f)
		}
		if got := f.Path + ": " + f.Message; got != want[i] {
			t.Errorf("fault %d:\n got %s\nwant %s", i, got, want[i])
		}
	}
}

func TestSoundBooks(t *testing.T) {
	for _, file := range []string{"testdata/sound.yaml", "testdata/bingo.yaml"} {
		book, err := Load(file, []byte(readFile(t, file)))
		if err != nil {
			t.Errorf("%v", err)
		} else if len(book.Warnings()) != 0 {
			t.Errorf("%s has warnings: %v", file, book.Warnings())
		}
	}
}

// TestAllFaults shows that faults of decoding, of words, of clauses and of sense
// are found in one look, and that a value which cannot be read is complained of
// once.
func TestAllFaults(t *testing.T) {
	runFaultCases(t, "testdata/sound.yaml", []faultCase{{
		name: "many",
		edits: []string{
			"edition: 1\nkind", "«edition: one\nkind",
			"to_go_from: 50", "«to_go_from: 101",
			"    clause: \"2\"\n", "",
			"numbers:\n", "«numbers:\n",
			"minimum_age: 18", "«minimum_agee: 18",
			"eligibility", "«eligibility",
			"barred: [licensee_staff]", "barred: [«everybody]",
			"bets: [halves, race], min: 1.00, step: 1.00", "bets: [halves, race], min: 1.00, «step: 2.00",
			"1: {1: 20}", "1: {1: 20, «2: 30}",
			"paid_by: [cheque]", "«paid_by: cheque",
		},
		want: []string{
			`edition: "one" is not a whole number`,
			`keno.numbers: has no clause`,
			`keno.games.multi.to_go_from: is 101, and the longest ticket has 100 games`,
			`keno.eligibility.minimum_age: is missing`,
			`keno.eligibility.minimum_agee: is not a key here; the keys are barred, barred_clause, clause, example, minimum_age, reading, underage_prizes`,
			`keno.eligibility.barred[0]: "everybody" is not known here; the known words are licensee_staff, venue_staff_on_duty`,
			`keno.limits[4].step: $2.00 is above the minimum, $1.00 in keno.limits[4] (casino-keno-div2 4.2(c), 5.4(b))`,
			`keno.tables[0].catch.1.2: 2 matches are impossible with 1 spots`,
			`keno.claims.paid_by: must be a list`,
		},
	}})
}
