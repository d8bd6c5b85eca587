package bingo

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/ball"
)

// sampleTable is a series of so many books of two games.
func sampleTable(t testing.TB, up, books int) *Table {
	t.Helper()
	series := Series{ID: "K7", Up: up, FirstBook: 101, Colours: []Colour{palette[0], {"salmon", 0xfa, 0x80, 0x72}}}
	table, err := nswForm(t).MakeTable(series, books, seeded("table"))
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestTableFinds asks for every box of a series by its serial and by its numbers.
func TestTableFinds(t *testing.T) {
	for _, up := range []int{6, 12} {
		table := sampleTable(t, up, 50)
		if table.Boxes() != 50*2*up || table.Books() != 50 || table.LastBook() != 150 {
			t.Fatalf("%d boxes up to book %d", table.Boxes(), table.LastBook())
		}
		seen := map[Box]bool{}
		for book := 101; book <= 150; book++ {
			for game := 1; game <= 2; game++ {
				serial := Serial{"K7", book, game}
				boxes, err := table.Card(serial)
				if err != nil || len(boxes) != up {
					t.Fatalf("%v: %d boxes, %v", serial, len(boxes), err)
				}
				for i, box := range boxes {
					spot, found, ok := table.Find(box.Set())
					if !ok || spot != (Spot{serial, i + 1}) || found != box || seen[box] {
						t.Fatalf("%v box %d is found as %v", serial, i+1, spot)
					}
					seen[box] = true
				}
			}
		}
	}
}

func TestTableDoesNotFind(t *testing.T) {
	table := sampleTable(t, 6, 10)
	for _, s := range []Serial{{"K8", 101, 1}, {"K7", 100, 1}, {"K7", 111, 1}, {"K7", 101, 0}, {"K7", 101, 3}, {}} {
		if boxes, err := table.Card(s); err == nil {
			t.Errorf("%v has boxes %v", s, boxes)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.Permutation(numbers()).Draw(t, "numbers")[:rapid.IntRange(0, 20).Draw(t, "count")]
		set := ball.MustOf(ball.Bingo, numbers...)
		want := slices.IndexFunc(table.boxes, func(b Box) bool { return b.Set() == set })
		if _, _, ok := table.Find(set); ok != (want >= 0) {
			t.Errorf("%v: found %v", set, ok)
		}
	})
	if _, _, ok := table.Find(ball.Empty(ball.Keno)); ok {
		t.Error("numbers of keno are found")
	}
}

// TestNoEqualBoxes gives the maker a source that repeats itself, and a table a strip
// twice.
func TestNoEqualBoxes(t *testing.T) {
	form := nswForm(t)
	series := Series{ID: "K7", Up: 6, FirstBook: 1, Colours: palette[:1]}
	if _, err := form.MakeTable(series, 2, repeating{}); err == nil || !strings.Contains(err.Error(), "repeats itself") {
		t.Errorf("a source of zeros: %v", err)
	}
	made := strips(t, "equal", 3)
	made[2] = slices.Clone(made[0])
	made[2][0], made[2][5] = made[2][5], made[2][0] // The boxes of the first strip in another order.
	_, err := form.NewTable(series, made)
	want := "book 3, game 1, box 1: has the numbers of book 1, game 1, box 6; no two boxes of a series are equal (rule 2.3.3)"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	form.uniqueBoxes = false
	if table, err := form.NewTable(series, made); err != nil || table.Boxes() != 18 {
		t.Errorf("under rules that allow equal boxes: %v", err)
	}
	made[2][0] = made[1][0]
	if _, err := form.NewTable(series, made); err == nil ||
		err.Error() != "strip 3: does not hold 1 to 90 once (rule 2.2.1)" {
		t.Errorf("a strip of boxes of two: %v", err)
	}
	series.Up = 12
	if _, err := form.NewTable(series, made); err == nil ||
		!strings.Contains(err.Error(), "3 strips are not whole books of 2") {
		t.Errorf("half a card: %v", err)
	}
}

// repeating is a source of zeros.
type repeating struct{}

func (repeating) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestTwelveUp: a twelve-up card is two whole strips.
func TestTwelveUp(t *testing.T) {
	boxes, err := sampleTable(t, 12, 1).Card(Serial{"K7", 101, 1})
	if err != nil {
		t.Fatal(err)
	}
	for strip := range slices.Chunk(boxes, StripBoxes) {
		all := ball.Empty(ball.Bingo)
		for _, box := range strip {
			all = all.Union(box.Set())
		}
		if all != ball.Full(ball.Bingo) {
			t.Errorf("six of twelve boxes hold %v", all)
		}
	}
}

func TestIssue(t *testing.T) {
	table := sampleTable(t, 12, 10)
	issue, err := table.Issue(2, Range{103, 106}, []int{104})
	if err != nil {
		t.Fatal(err)
	}
	play, err := issue.Play(nswPatterns(t))
	if err != nil || play.Boxes() != 3*12 {
		t.Fatalf("%d boxes, %v", play.Boxes(), err)
	}
	for box := range play.Boxes() {
		spot := issue.Spot(box)
		if want := fmt.Sprintf("%v box %d", spot.Serial, box%12+1); spot.String() != want {
			t.Errorf("%v, want %s", spot, want)
		}
		card, err := table.Card(spot.Serial)
		if err != nil {
			t.Fatal(err)
		}
		strips := issue.Strips()
		if card[spot.Box-1] != strips[box/StripBoxes][box%StripBoxes] {
			t.Errorf("box %d is not %v", box, spot)
		}
		if again, ok := issue.Box(spot); !ok || again != box {
			t.Errorf("%v is box %d, want %d", spot, again, box)
		}
	}
	for _, s := range []Spot{
		{Serial{"K7", 104, 2}, 1}, {Serial{"K7", 102, 2}, 1}, {Serial{"K7", 107, 2}, 1},
		{Serial{"K7", 103, 1}, 1}, {Serial{"K8", 103, 2}, 1}, {Serial{"K7", 103, 2}, 0}, {Serial{"K7", 103, 2}, 13},
	} {
		if _, ok := issue.Box(s); ok {
			t.Errorf("%v is in play", s)
		}
	}
	for _, bad := range []struct {
		game   int
		issued Range
		struck []int
	}{{0, Range{101, 102}, nil}, {3, Range{101, 102}, nil}, {1, Range{100, 102}, nil}, {1, Range{101, 111}, nil},
		{1, Range{105, 104}, nil}, {1, Range{101, 102}, []int{103}}} {
		if _, err := table.Issue(bad.game, bad.issued, bad.struck); err == nil {
			t.Errorf("%+v is issued", bad)
		}
	}
}

func marshal(t testing.TB, table *Table) []byte {
	t.Helper()
	data, err := table.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTableFile(t *testing.T) {
	form := nswForm(t)
	for _, up := range []int{6, 12} {
		table := sampleTable(t, up, 20)
		data := marshal(t, table)
		again, err := form.ReadTable(data)
		if err != nil || !bytes.Equal(marshal(t, again), data) || !slices.Equal(again.boxes, table.boxes) {
			t.Fatalf("the file does not read back: %v", err)
		}
		if perBox := (len(data) - 100) / table.Boxes(); perBox > 9 {
			t.Errorf("%d bytes a box", perBox)
		}
	}
}

// resum puts the right sum below a file that was changed.
func resum(data []byte) []byte {
	body := data[:len(data)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(slices.Clone(body), sum[:]...)
}

// TestTableFileRefuses changes each byte of a file, with and without the sum put
// right: what is still read is a table whose file it is.
func TestTableFileRefuses(t *testing.T) {
	form := nswForm(t)
	data := marshal(t, sampleTable(t, 6, 2))
	for at := range data {
		wrong := slices.Clone(data)
		wrong[at] ^= 1 << (at % 8)
		if _, err := form.ReadTable(wrong); !errors.Is(err, ErrTable) {
			t.Errorf("byte %d changed: %v", at, err)
		}
		wrong = resum(wrong)
		if table, err := form.ReadTable(wrong); err == nil && !bytes.Equal(marshal(t, table), wrong) {
			t.Errorf("byte %d changed: a table has two files", at)
		} else if err != nil && at < len(data)-sha256.Size && !errors.Is(err, ErrTable) {
			t.Errorf("byte %d changed: %v", at, err)
		}
		if _, err := form.ReadTable(data[:at]); !errors.Is(err, ErrTable) {
			t.Errorf("cut at byte %d: %v", at, err)
		}
	}
	if _, err := form.ReadTable(resum(append(slices.Clone(data), 0))); !errors.Is(err, ErrTable) {
		t.Error("a byte too many is passed over")
	}
	// The same strip twice: the second book as the first.
	strips := len(data) - sha256.Size - 4*stripSize
	copy(data[strips+2*stripSize:], data[strips:strips+stripSize])
	if _, err := form.ReadTable(resum(data)); err == nil ||
		!strings.Contains(err.Error(), "book 102, game 1, box 1 has the numbers of book 101, game 1, box 1") {
		t.Errorf("a strip twice: %v", err)
	}
}

// FuzzTableFile: whatever is read is written again, byte for byte.
func FuzzTableFile(f *testing.F) {
	form := nswForm(f)
	f.Add(marshal(f, sampleTable(f, 6, 1)))
	f.Add(marshal(f, sampleTable(f, 12, 2)))
	f.Add([]byte(packedMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > sha256.Size {
			data = resum(data) // Otherwise nothing behind the sum is ever reached.
		}
		if table, err := form.ReadTable(data); err == nil && !bytes.Equal(marshal(t, table), data) {
			t.Error("a table has two files")
		}
	})
}

func TestSeriesReadBack(t *testing.T) {
	form := nswForm(t)
	for _, up := range []int{6, 12} {
		table := sampleTable(t, up, 5)
		want := marshal(t, table)
		fromCSV, err := form.ReadCSV("K7", up, bytes.NewReader(table.AppendCSV(nil)))
		if err != nil || !bytes.Equal(marshal(t, fromCSV), want) {
			t.Errorf("%d-up: CSV does not read back: %v", up, err)
		}
		fromJSON, err := form.ReadJSON(Series{}, table.AppendJSON(nil))
		if err != nil || !bytes.Equal(marshal(t, fromJSON), want) {
			t.Errorf("%d-up: JSON does not read back: %v", up, err)
		}
		fromStrips, err := form.ReadJSON(table.Series(), AppendStripsJSON(nil, table.Strips()))
		if err != nil || !bytes.Equal(marshal(t, fromStrips), want) {
			t.Errorf("%d-up: strips do not read back: %v", up, err)
		}
	}
}

// TestStripsJSON reads strips as any program would.
func TestStripsJSON(t *testing.T) {
	made := strips(t, "json", 3)
	var got [][StripBoxes]Grid
	if err := json.Unmarshal(AppendStripsJSON(nil, made), &got); err != nil || len(got) != 3 {
		t.Fatalf("%d strips, %v", len(got), err)
	}
	for i := range made {
		for b := range made[i] {
			if got[i][b] != made[i][b].Grid() {
				t.Errorf("strip %d, box %d is %v", i, b, got[i][b])
			}
		}
	}
	if empty := AppendStripsJSON(nil, nil); !json.Valid(empty) {
		t.Errorf("no strips: %s", empty)
	}
}

// importFault is a change of a sound file and what is said of it.
type importFault struct{ name, old, with, want string }

func runImportFaults(t *testing.T, sound string, read func(text string) (*Table, error), cases []importFault) {
	t.Helper()
	if _, err := read(sound); err != nil {
		t.Fatalf("the sound file has faults: %v", err)
	}
	for _, c := range cases {
		if !strings.Contains(sound, c.old) {
			t.Errorf("%s: the file has no %q", c.name, c.old)
			continue
		}
		_, err := read(strings.Replace(sound, c.old, c.with, 1))
		if err == nil || !strings.Contains("\n"+err.Error()+"\n", "\n"+c.want+"\n") {
			t.Errorf("%s:\n%v\nwant\n%s", c.name, err, c.want)
		}
	}
}

// pinkStrip is the pink strip that the rules show, as a printer would send it.
func pinkStrip(t *testing.T) Strip {
	t.Helper()
	var grids [StripBoxes]Grid
	for i, b := range illustratedBoxes(t)[:StripBoxes] {
		grids[i] = b.box.Grid()
	}
	strip, err := nswForm(t).Strip(grids[:])
	if err != nil {
		t.Fatal(err)
	}
	return strip
}

func TestCSVFaults(t *testing.T) {
	form := nswForm(t)
	made := append([]Strip{pinkStrip(t)}, strips(t, "csv", 3)...)
	table, err := form.NewTable(Series{ID: "K7", Up: 6, FirstBook: 1, Colours: palette[:2]}, made)
	if err != nil {
		t.Fatal(err)
	}
	sound := string(table.AppendCSV(nil))
	read := func(text string) (*Table, error) { return form.ReadCSV("K7", 6, strings.NewReader(text)) }
	lines := strings.SplitAfter(sound, "\n")
	second := strings.Join(lines[19:37], "") // book 1, game 2
	first := strings.Join(lines[1:19], "")
	runImportFaults(t, sound, read, []importFault{
		{"no number", "1,1,pink,1,1,4,", "1,1,pink,1,1,x,",
			`line 2: book 1, game 1, box 1: c1: "x" is not a number from 1 to 90 or a blank (rule 2.4)`},
		{"above 90", "1,1,pink,1,1,4,", "1,1,pink,1,1,91,",
			`line 2: book 1, game 1, box 1: c1: "91" is not a number from 1 to 90 or a blank (rule 2.4)`},
		{"four in a line", "1,1,pink,1,1,4,", "1,1,pink,1,1,,",
			`line 2: book 1, game 1, box 1: line 1: has 4 numbers; a line has 5 (rule 2.4)`},
		{"six in a line", "1,1,pink,1,2,,", "1,1,pink,1,2,6,",
			`line 3: book 1, game 1, box 1: line 2: has 6 numbers; a line has 5 (rule 2.4)`},
		{"wrong column", "1,1,pink,1,1,4,", "1,1,pink,1,1,11,",
			`line 2: book 1, game 1, box 1: line 1, column 1: 11 is not of this column, which has 1 to 9 (rule 2.4)`},
		{"not ascending", "1,1,pink,5,1,6,", "1,1,pink,5,1,8,",
			`line 15: book 1, game 1, box 5: line 2, column 1: 7 stands below 8; a column ascends (rule 2.4)`},
		{"twice in a box", "1,1,pink,5,1,6,", "1,1,pink,5,1,7,",
			`line 15: book 1, game 1, box 5: line 2, column 1: 7 is in the box already (rule 2.4)`},
		{"another's number", "1,1,pink,5,1,6,", "1,1,pink,5,1,5,",
			`line 14: book 1, game 1, box 5: number 5: is in box 2 of the strip as well; a strip holds 1 to 90 once (rule 2.2.1)`},
		{"equal boxes", second, strings.ReplaceAll(first, "1,1,pink", "1,2,blue"),
			`line 20: book 1, game 2, box 1: has the numbers of book 1, game 1, box 1; no two boxes of a series are equal (rule 2.3.3)`},
		{"colour of another game", second, strings.ReplaceAll(second, "1,2,blue", "1,2,pink"),
			`line 56: book 2, game 2, box 1: colour: is blue, and game 2 is pink (rule 2.3.2)`},
		{"colour changes", "1,1,pink,2,1", "1,1,green,2,1",
			`line 5: book 1, game 1, box 2: colour: is green, and game 1 is pink (rule 2.3.2)`},
		{"no colour", "1,1,pink,2,1", "1,1,,2,1",
			`line 5: book 1, game 1, box 2: colour: "" is not the name of a colour: small letters and hyphens, at most 20 (rule 2.3.2)`},
		{"book left out", "2,1,pink,1,1", "3,1,pink,1,1",
			`line 38: book 1, game 2, box 6: book: the line that follows is 3 where 2 is next; the rest is not read (rule 2.3.1)`},
		{"game left out", "2,2,blue,1,1", "2,3,blue,1,1",
			`line 56: book 2, game 1, box 6: game: the line that follows is 3 where 2 is next; the rest is not read (rule 2.3.2)`},
		{"box left out", "1,1,pink,2,1", "1,1,pink,3,1",
			`line 5: book 1, game 1, box 1: box: the line that follows is 3 where 2 is next; the rest is not read (rule 1.1.scorecard)`},
		{"line twice", "1,1,pink,1,2", "1,1,pink,1,1",
			`line 3: book 1, game 1, box 1: line: the line that follows is 1 where 2 is next; the rest is not read (rule 2.4)`},
		{"box of no number", "1,1,pink,1,2", "1,1,pink,one,2", `line 3: box: "one" is not a number from 1 on`},
		{"book 0", "1,1,pink,1,1", "0,1,pink,1,1", `line 2: book: "0" is not a number from 1 on`},
		{"field too few", "1,1,pink,1,2,", "1,1,pink,1,", `line 3: is not a line of 14 fields: wrong number of fields`},
		{"end within a card", lines[len(lines)-2], "",
			`line 72: book 2, game 2, box 6: the file ends within a book, after line 2 of the box (rule 2.3.1)`},
		{"end within a book", strings.Join(lines[55:], ""), "",
			`line 55: book 2, game 1, box 6: the file ends within a book, after line 3 of the box (rule 2.3.1)`},
		{"no box", strings.Join(lines[1:], ""), "", `the file has no box`},
		{"no file", sound, "", `the file has no box`},
		{"another head", "book,game", "Book,Game",
			`line 1: the first line is "Book,Game,colour,box,line,c1,c2,c3,c4,c5,c6,c7,c8,c9", want "book,game,colour,box,line,c1,c2,c3,c4,c5,c6,c7,c8,c9"`},
	})
	if _, err := form.ReadCSV("K7", 9, strings.NewReader(sound)); err == nil {
		t.Error("a page of nine is read")
	}
	// The faults of all cards are told: the first line of the first box, in both books.
	_, err = read(strings.ReplaceAll(sound, ",1,pink,1,1,", ",1,pink,1,1,9"))
	faults, _ := errors.AsType[Faults](err)
	if len(faults) < 2 || faults[0].FileLine != 2 || faults[len(faults)-1].FileLine != 38 {
		t.Errorf("two cards are wrong: %v", err)
	}
}

func TestFaultsAreBounded(t *testing.T) {
	var faults Faults
	for i := range 3 * mostFaults {
		if more := faults.add(Fault{Message: fmt.Sprint(i)}); more != (i < mostFaults-1) {
			t.Fatalf("after %d faults: more %v", i+1, more)
		}
	}
	if len(faults) != mostFaults || !strings.HasSuffix(faults.Error(), "99; what follows is not listed") {
		t.Errorf("%d faults", len(faults))
	}
}

func TestJSONFaults(t *testing.T) {
	form := nswForm(t)
	made := append([]Strip{pinkStrip(t)}, strips(t, "json faults", 1)...)
	table, err := form.NewTable(Series{ID: "K7", Up: 6, FirstBook: 1, Colours: palette[:2]}, made)
	if err != nil {
		t.Fatal(err)
	}
	sound := string(table.AppendJSON(nil))
	lines := strings.Split(sound, "\n")
	runImportFaults(t, sound, func(text string) (*Table, error) { return form.ReadJSON(Series{}, []byte(text)) },
		[]importFault{
			{"above 90", "[[[4,", "[[[94,",
				`line 2: strip 1, box 1: line 1, column 1: "94" is not a number from 1 to 90, or 0 for a blank (rule 2.4)`},
			{"null", "[[[4,", "[[[null,",
				`line 2: strip 1, box 1: line 1, column 1: "" is not a number from 1 to 90, or 0 for a blank (rule 2.4)`},
			{"a half", "[[[4,", "[[[4.5,",
				`line 2: strip 1, box 1: line 1, column 1: "4.5" is not a number from 1 to 90, or 0 for a blank (rule 2.4)`},
			{"wrong column", "[[[4,", "[[[14,",
				`line 2: strip 1, box 1: line 1, column 1: 14 is not of this column, which has 1 to 9 (rule 2.4)`},
			{"blank", "[[[4,", "[[[0,", `line 2: strip 1, box 1: line 1: has 4 numbers; a line has 5 (rule 2.4)`},
			{"ten cells", "[[[4,", "[[[0,4,",
				`line 2: strip 1, box 1: line 1: has 10 cells; a line has 9, 0 for a blank (rule 2.4)`},
			{"two lines", "[[[4,19,20,0,40,0,60,0,0],", "[[", `line 2: strip 1, box 1: has 2 lines; a box has 3 (rule 2.4)`},
			{"seven boxes", "[[[4,", "[[],[[4,", `line 2: strip 1: has 7 boxes; a strip has 6 (rule 2.2.1)`},
			{"equal", lines[2], strings.TrimSuffix(lines[1], ","),
				`line 3: book 1, game 2, box 1: has the numbers of book 1, game 1, box 1; no two boxes of a series are equal (rule 2.3.3)`},
			{"half a book", ",\n" + lines[2], "", `strips: 1 strips are not whole books of 2 (rule 2.3.1)`},
			{"page of nine", `"up":6`, `"up":9`, `up: no page of 9 boxes is sold; there are [6 12] (rule 1.1.scorecard)`},
			{"unknown colour", `"blue"`, `"bleu"`,
				`line 1: colours: game 2: the shade of bleu is not known; give it as "bleu #rrggbb" (rule 2.3.2)`},
			{"colour twice", `"blue"`, `"pink"`,
				`game 2: is pink #f9b8d0 like game 1; no two games of a series have one colour (rule 2.3.2)`},
			{"unknown field", `"up"`, `"down"`,
				`line 1: down: is not a field here; the fields are series, up, first_book, colours, strips`},
			{"field twice", `"up":6`, `"up":6,"up":6`, `line 1: up: is given twice`},
			{"no strips", `"strips":[`, `"series":[`, `line 1: series: is given twice`},
			{"more", "]}\n", "]}{}", `line 4: something follows the series`},
			{"a word", sound, `"series"`, `line 1: a series is an object, or an array of strips`},
			{"nothing of it", sound, `{"series":"K7"}`, `line 1: strips: is missing`},
			{"strips of another kind", sound, `{"strips":5}`, `line 1: strips: is not an array`},
		})
	for _, text := range []string{"", "[", "{", `{"strips":[[`, `[[1]]`, `{"up":"six"}`, `[] []`} {
		if _, err := form.ReadJSON(table.Series(), []byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// FuzzReadCSV and FuzzReadJSON: what is read is a sound series that can be written and
// read again; what is not read has faults, and nothing panics.
func FuzzReadCSV(f *testing.F) {
	form := nswForm(f)
	sound := sampleTable(f, 6, 1).AppendCSV(nil)
	f.Add(sound)
	f.Add(sound[:len(sound)/2])
	f.Add([]byte(strings.Join(nswForm(f).csvHead(), ",") + "\n1,1,pink,1,1,,,,,,,,,\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := form.ReadCSV("K7", 6, bytes.NewReader(data))
		checkImport(t, form, table, err)
	})
}

func FuzzReadJSON(f *testing.F) {
	form := nswForm(f)
	f.Add(sampleTable(f, 6, 1).AppendJSON(nil))
	f.Add(AppendStripsJSON(nil, strips(f, "fuzz", 1)))
	f.Add([]byte(`{"series":"A","strips":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := form.ReadJSON(Series{ID: "K7", Up: 6, FirstBook: 1, Colours: palette[:1]}, data)
		checkImport(t, form, table, err)
	})
}

func checkImport(t *testing.T, form *Form, table *Table, err error) {
	t.Helper()
	if err != nil {
		if faults, ok := errors.AsType[Faults](err); !ok || len(faults) == 0 || len(faults) > mostFaults {
			t.Fatalf("not faults: %v", err)
		}
		return
	}
	again, err := form.ReadJSON(Series{}, table.AppendJSON(nil))
	if err != nil || !bytes.Equal(marshal(t, again), marshal(t, table)) {
		t.Fatalf("a series that was read does not read back: %v", err)
	}
}

// BenchmarkTable measures the master table of a million boxes: making the index, the
// file, and finding a box by its numbers.
func BenchmarkTable(b *testing.B) {
	form, made := nswForm(b), strips(b, "million", millionStrips)
	series := Series{ID: "K7", Up: 6, FirstBook: 1, Colours: palette[:1]}
	table, err := form.NewTable(series, made)
	if err != nil {
		b.Fatal(err)
	}
	data := marshal(b, table)
	b.Run("index", func(b *testing.B) {
		for b.Loop() {
			if _, err := form.NewTable(series, made); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := form.ReadTable(data); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(data))/float64(table.Boxes()), "bytes/box")
	})
	b.Run("find", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, _, ok := table.Find(table.boxes[i*7919%len(table.boxes)].Set()); !ok {
				b.Fatal("a box is not found")
			}
		}
	})
}
