package cards

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"drawhouse/games/bingo"
	"drawhouse/rulebook/rules"
)

var printed = time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)

// table makes a series of so many books and games, of ninety numbers.
func table(t testing.TB, id string, up, books, games int) *bingo.Table {
	t.Helper()
	return tableBy(t, "nsw-bingo-2019", id, up, books, games)
}

// tableBy is table with the rulebook of the cards.
func tableBy(t testing.TB, rulebook, id string, up, books, games int) *bingo.Table {
	t.Helper()
	book, err := rules.Book(rulebook)
	if err != nil {
		t.Fatal(err)
	}
	form, err := bingo.NewForm(book)
	if err != nil {
		t.Fatal(err)
	}
	colours, err := bingo.Palette(games)
	if err != nil {
		t.Fatal(err)
	}
	series := bingo.Series{ID: id, Up: up, FirstBook: 41, Colours: colours}
	made, err := form.MakeTable(series, books, rand.NewChaCha8(sha256.Sum256([]byte(id))))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// a4 is the usual paper.
var a4 = Papers()[0]

// TestLetter prints every form of cards on Letter: the sheets have its size, and all boxes find room.
func TestLetter(t *testing.T) {
	letter := Papers()[1]
	for _, made := range []*bingo.Table{table(t, "K7", 6, 2, 1), table(t, "K8", 12, 2, 1),
		tableBy(t, "sc-bingo-1996", "B75", 12, 2, 1)} {
		var out bytes.Buffer
		if err := Write(&out, letter, made, printed, nil); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "/MediaBox [0 0 612.00 792.00]") {
			t.Errorf("series %s is not on Letter", made.Series().ID)
		}
		l := layoutOf(made, letter)
		if bottom := trim + headHeight + l.pitch*float64(l.rows); l.cellHeight < leastCell || bottom > letter.height-trim {
			t.Errorf("series %s: %+v", made.Series().ID, l)
		}
	}
}

// serials are those of all cards, in the order of the sheets.
func serials(table *bingo.Table) (all []bingo.Serial) {
	series := table.Series()
	perSheet := 1
	if layoutOf(table, a4).columns == 1 {
		perSheet = 2
	}
	for book := series.FirstBook; book <= table.LastBook(); book += perSheet {
		for game := range series.Colours {
			for side := range min(perSheet, table.LastBook()-book+1) {
				all = append(all, bingo.Serial{Series: series.ID, Book: book + side, Game: game + 1})
			}
		}
	}
	return all
}

func render(t testing.TB, table *bingo.Table) []byte {
	t.Helper()
	var out bytes.Buffer
	sheets := 0
	if err := Write(&out, a4, table, printed, func() { sheets++ }); err != nil {
		t.Fatal(err)
	}
	if sheets != Sheets(a4, table) {
		t.Errorf("%d sheets, want %d", sheets, Sheets(a4, table))
	}
	return out.Bytes()
}

func TestSameCardsSameFile(t *testing.T) {
	made := table(t, "SAME", 6, 3, 2)
	if !bytes.Equal(render(t, made), render(t, made)) {
		t.Error("the same cards make two files")
	}
}

// tools finds the programs that read a document, or skips the test loudly.
func tools(t *testing.T, names ...string) (paths []string) {
	t.Helper()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("%s is not installed, so that no independent reader has read the cards: %v", name, err)
		}
		paths = append(paths, path)
	}
	return paths
}

// TestReadersReadCards prints series of both pages, with the shortest and the longest
// name, and reads them back: bar codes off the rendered sheets, texts off the
// document.
func TestReadersReadCards(t *testing.T) {
	found := tools(t, "pdftoppm", "zbarimg", "pdftotext")
	const ninety, seventyFive = "nsw-bingo-2019", "sc-bingo-1996"
	for _, c := range []struct {
		rulebook, id     string
		up, books, games int
	}{
		{ninety, "A", 6, 3, 1}, {ninety, "SERIES99", 6, 1, 1}, {ninety, "K7", 12, 1, 2},
		{seventyFive, "B1", 1, 2, 1}, {seventyFive, "B3", 3, 3, 2}, {seventyFive, "B6", 6, 1, 1},
		{seventyFive, "B9", 9, 1, 1},
		{seventyFive, "B12", 12, 1, 1},
	} {
		t.Run(fmt.Sprint(c.id, c.up), func(t *testing.T) {
			made := tableBy(t, c.rulebook, c.id, c.up, c.books, c.games)
			dir := t.TempDir()
			file := filepath.Join(dir, "cards.pdf")
			if err := os.WriteFile(file, render(t, made), 0o644); err != nil {
				t.Fatal(err)
			}
			readBars(t, found[0], found[1], dir, made)
			readText(t, found[2], file, made)
		})
	}
}

// readBars renders the sheets at 150 dots an inch and reads their bar codes.
func readBars(t *testing.T, pdftoppm, zbarimg, dir string, made *bingo.Table) {
	t.Helper()
	if out, err := exec.Command(pdftoppm, "-r", "150", "-gray", "-png", filepath.Join(dir, "cards.pdf"),
		filepath.Join(dir, "sheet")).CombinedOutput(); err != nil {
		t.Fatalf("pdftoppm: %v\n%s", err, out)
	}
	pictures, err := filepath.Glob(filepath.Join(dir, "sheet*.png"))
	if err != nil || len(pictures) != Sheets(a4, made) {
		t.Fatalf("%d pictures of %d sheets, %v", len(pictures), Sheets(a4, made), err)
	}
	out, err := exec.Command(zbarimg, append([]string{"--quiet", "--raw", "-Sdisable", "-Scode128.enable"},
		pictures...)...).Output()
	if err != nil {
		t.Fatalf("zbarimg: %v", err)
	}
	got := strings.Fields(string(out))
	var want []string
	for _, serial := range serials(made) {
		want = append(want, serial.String())
	}
	slices.Sort(got) // A reader finds the two of a sheet in any order.
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the bar codes are %v, want %v", got, want)
	}
	for _, text := range got {
		serial, err := bingo.ParseSerial(text)
		if err != nil {
			t.Error(err)
		} else if _, err := made.Card(serial); err != nil {
			t.Error(err)
		}
	}
}

// readText reads the document in the order in which it was drawn: for each card the
// game, the serial, and each box with its numbers and its label.
func readText(t *testing.T, pdftotext, file string, made *bingo.Table) {
	t.Helper()
	out, err := exec.Command(pdftotext, "-raw", file, "-").Output()
	if err != nil {
		t.Fatalf("pdftotext: %v", err)
	}
	got := strings.Fields(strings.ReplaceAll(string(out), "\f", " "))
	var want []string
	for _, serial := range serials(made) {
		boxes, err := made.Card(serial)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, "Game", strconv.Itoa(serial.Game), made.Series().Colours[serial.Game-1].Name, serial.String())
		for i, box := range boxes {
			want = append(want, made.Form().Letters()...)
			for place := range box.Places() {
				if n := box.Number(place); n != 0 {
					want = append(want, strconv.Itoa(n))
				} else {
					want = append(want, "FREE")
				}
			}
			want = append(want, strings.Fields(bingo.Spot{Serial: serial, Box: i + 1}.String())...)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the document reads\n%v\nwant\n%v", got, want)
	}
}

func BenchmarkWrite(b *testing.B) {
	made := table(b, "BENCH", 6, 200, 1)
	for b.Loop() {
		render(b, made)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(Sheets(a4, made)), "µs/sheet")
}
