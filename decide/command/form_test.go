package command

import (
	"slices"
	"strings"
	"testing"
)

// chosen are what forms let a person choose from: each is something that a house can list.
var chosen = strings.Fields(`adopted-rulebook carried-rulebook clause counter day device game inspector next-game paper person
	play-type pool promotion revoked-terminal role-less rulebook-file series terminal ticket tickets-file today venue bank-file`)

// TestForms goes through the fields of every act of two persons: each has a kind, what it is one of
// is known, and what is usual for it is among what it may be.
func TestForms(t *testing.T) {
	forms := 0
	for _, row := range Rows() {
		if row.Two == "" {
			continue
		}
		forms++
		for _, f := range row.Form() {
			if f.Of != "" && !slices.Contains(chosen, f.Of) {
				t.Errorf("%s: %s is one of %q, which nobody lists", row.Name, f.Name, f.Of)
			}
			if f.Of == "" && f.Usual != "" && len(f.Among) > 0 && !slices.Contains(f.Among, f.Usual) {
				t.Errorf("%s: %s is usually %s, which it may not be", row.Name, f.Name, f.Usual)
			}
			if (f.Kind == "list") != (len(f.Fields) > 0) {
				t.Errorf("%s: %s is a %s of %d fields", row.Name, f.Name, f.Kind, len(f.Fields))
			}
		}
	}
	if forms < 30 {
		t.Errorf("%d acts have a form", forms)
	}
}

// TestFormOf reads a form off a request: kinds, choices, and what may be left out.
func TestFormOf(t *testing.T) {
	form := RowOf[VoidGame]().Form()
	if len(form) != 4 {
		t.Fatalf("%+v", form)
	}
	if game := form[0]; game.Name != "ordinal" || game.Kind != "number" || game.Of != "game" || !game.Needed ||
		!slices.Contains(game.Among, "sealed") {
		t.Errorf("%+v", game)
	}
	if fate := form[3]; fate.Needed || !slices.Equal(fate.Among, []string{"refund"}) {
		t.Errorf("%+v", fate)
	}
	prizes := RowOf[BeginPromotion]().Form()
	i := slices.IndexFunc(prizes, func(f Field) bool { return f.Name == "prizes" })
	if i < 0 || prizes[i].Kind != "list" || len(prizes[i].Fields) != 3 || prizes[i].Fields[0].Kind != "cents" {
		t.Errorf("%+v", prizes)
	}
	if !RowOf[GivePaper]().Elsewhere() || RowOf[VoidGame]().Elsewhere() {
		t.Error("a terminal gives papers, and voids no game")
	}
}
