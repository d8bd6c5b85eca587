package game_test

import (
	"os"
	"strings"
	"testing"

	"drawhouse/decide/game"
	"drawhouse/rulebook"
)

// TestUnplayable: a book whose file is sound and by which the house cannot play is told the value, with its line.
func TestUnplayable(t *testing.T) {
	data, err := os.ReadFile("../../rulebook/rules/casino-keno-div2/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for change, says := range map[[2]string]string{
		{"draw: 20", "draw: 19"}:       "keno.numbers.draw: is 19, and this house draws 20 numbers",
		{"max: 1000\n", "max: 0.05\n"}: "is below the least stake at channel ",
		{"", ""}:                       "",
	} {
		text := strings.Replace(string(data), change[0], change[1], 1)
		if change[1] == "max: 0.05\n" {
			text = strings.Replace(string(data), "min: 1.00\n      max: 1000\n", "max: 0.05\n", 1)
		}
		book, err := rulebook.Load("book.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		faults := game.Unplayable(book)
		if (says == "") != (len(faults) == 0) || says != "" && (!strings.Contains(faults.Error(), says) || faults[0].Line == 0) {
			t.Errorf("%q: %v, want %q", change, faults, says)
		}
	}
}

// TestKeyings: a rulebook that asks for another number of people who record a ball draw than the house has cannot
// be played by.
func TestKeyings(t *testing.T) {
	data, err := os.ReadFile("../../rulebook/rules/casino-keno-div2/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for keyings, says := range map[string]string{"1": "keno.draw.keyings: is 1", "2": "", "3": "keno.draw.keyings: is 3"} {
		book, err := rulebook.Load("book.yaml", []byte(strings.Replace(string(data), "keyings: 2", "keyings: "+keyings, 1)))
		if err != nil {
			t.Fatal(err)
		}
		err = game.Playable(book)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s keyings: %v", keyings, err)
		}
	}
}
