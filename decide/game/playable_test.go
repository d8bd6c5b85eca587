package game_test

import (
	"os"
	"strings"
	"testing"

	"drawhouse/decide/game"
	"drawhouse/rulebook"
)

// TestKeyings: a rulebook that asks for another number of people who record a ball draw than the house has cannot
// be played by.
func TestKeyings(t *testing.T) {
	data, err := os.ReadFile("../../rulebook/rules/casino-keno-div2/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for keyings, says := range map[string]string{"1": "keno.draw.keyings is 1", "2": "", "3": "keno.draw.keyings is 3"} {
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
