package main

import (
	"strings"
	"testing"
)

// TestRulebookQuestions: at a terminal the command asks for what the line does not say, and takes an empty answer
// for what it offers; elsewhere it asks nobody.
func TestRulebookQuestions(t *testing.T) {
	t.Parallel()
	var asked strings.Builder
	c := rulebookNewCmd{Kind: "keno", Currency: "EUR"}
	if err := c.ask(strings.NewReader("lake-keno\n\n Europe/Lisbon \n"), &asked, true); err != nil {
		t.Fatal(err)
	}
	if c.ID != "lake-keno" || c.Name != "My Keno" || c.Currency != "EUR" || c.Zone != "Europe/Lisbon" ||
		strings.Count(asked.String(), ": ") != 3 {
		t.Errorf("%+v after %q", c, &asked)
	}
	asked.Reset()
	if c = (rulebookNewCmd{Kind: "bingo"}); c.ask(strings.NewReader("x\n"), &asked, false) != nil || c.ID != "my-bingo" ||
		asked.Len() > 0 {
		t.Errorf("%+v after %q", c, &asked)
	}
}
