package command_test

import (
	"reflect"
	"strings"
	"testing"

	"drawhouse/decide/command"
)

// steps are the commands that have no address: the house gives them while a device draws, observes
// something, or lets somebody in. What package staff decides has the row of its struct there.
var steps = map[string]bool{"WitnessBingo": true, "DrawPromotion": true, "Change": true, "byStaff": true}

// TestEveryCommandHasARow finds the types with a Decide in the sources of the package: each has
// one row, or is a step of the house.
func TestEveryCommandHasARow(t *testing.T) {
	rows := map[string]int{}
	for _, row := range command.Rows() {
		if said := row.New().Elem(); reflect.TypeOf(row.Command(said)) == said.Type() {
			rows[said.Type().Name()]++
		}
	}
	found := map[string]bool{}
	for name := range read(t, "command", ".") {
		if of, ok := strings.CutSuffix(name, ".Decide"); ok {
			found[strings.TrimPrefix(of, "command.")] = true
		}
	}
	for name := range found {
		if want := 1; rows[name] != want && !steps[name] {
			t.Errorf("%s has %d rows", name, rows[name])
		}
		if steps[name] && rows[name] > 0 {
			t.Errorf("%s is a step of the house and has a row", name)
		}
	}
	if len(found) != len(rows)+len(steps) {
		t.Errorf("%d commands are found, %d have rows, and %d are steps", len(found), len(rows), len(steps))
	}
}

// TestRows: a row says what it does, who may, and has a field for each element of its address;
// every field of a body has a name.
func TestRows(t *testing.T) {
	paths := map[string]string{}
	for _, row := range command.Rows() {
		address := row.Method + " " + row.Path
		if other, twice := paths[address]; twice {
			t.Errorf("%s and %s have one address", other, row.Name)
		}
		paths[address] = row.Name
		if row.Says == "" || strings.HasSuffix(row.Says, ".") || row.Tag == "" {
			t.Errorf("%s says %q under %q", row.Name, row.Says, row.Tag)
		}
		if who := row.Who; !who.Everybody && !who.Terminals && !who.SignedOn && len(who.Roles) == 0 {
			t.Errorf("nobody may %s", row.Name)
		}
		if row.Till {
			continue // Package api has the form of it.
		}
		fields := 0
		for _, f := range reflect.VisibleFields(row.New().Elem().Type()) {
			name, inPath := f.Tag.Get("json"), f.Tag.Get("path")
			switch {
			case inPath != "" && (name != "-" || !strings.Contains(row.Path, "{"+inPath+"}")):
				t.Errorf("%s: field %s is of the address, and has the name %q there", row.Name, f.Name, name)
			case inPath != "":
				fields++
			case !f.Anonymous && name == "":
				t.Errorf("%s: field %s has no name", row.Name, f.Name)
			}
		}
		if n := strings.Count(row.Path, "{"); n != fields {
			t.Errorf("%s has %d elements in its address and %d fields for them", row.Name, n, fields)
		}
	}
}
