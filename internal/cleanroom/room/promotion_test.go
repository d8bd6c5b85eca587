package room

import (
	"maps"
	"strings"
	"testing"
)

// 10.5 to 10.9: terms that lack something or have what is prohibited are refused, and nothing starts, is
// entered or drawn within a day of the notice.
func TestPromotion10_7(t *testing.T) {
	t.Parallel()
	h := bingoHouse(t)
	r := h.open(t, 4, 1, 6)
	r.must(t, h.Dealer, "/members", Obj{"member": "1"})
	terms := Obj{"name": "Spring", "available": "at the desk", "marketing": "the poster",
		"starts": "2030-01-01T10:00:00+11:00",
		"closes": "2030-01-10T10:00:00+11:00", "draws": "2030-01-11T10:00:00+11:00",
		"prizes": []Obj{{"name": "cash", "kind": "cash", "value_cents": 1000100}}, "particulars": []Obj{}}
	check := func(terms Obj) []Obj { return r.must(t, h.Senior, "/promotions/checklist", terms).Body.List("faults") }
	faults := check(terms)
	clauses := map[string]bool{}
	var all []Obj
	for _, f := range faults {
		clauses[f.Str("clause")] = true
		if name, ok := strings.CutPrefix(f.Str("field"), "particulars."); ok {
			all = append(all, Obj{"name": name, "text": "as the poster says"})
		}
	}
	for _, c := range []string{"10.7.1", "10.7.2", "10.7.3", "10.7.5", "10.7.6", "10.7.7", "10.7.8", "10.7.9", "10.7.10"} {
		if !clauses[c] {
			t.Errorf("terms that say nothing are not at fault by %s: %v", c, faults)
		}
	}
	r.refused(t, "terms that say nothing", h.Senior, "/promotions", terms)
	terms["particulars"] = all
	if f := check(terms); len(f) != 0 {
		t.Fatalf("terms that say all that was asked for lack %v", f)
	}
	confirms := []string{}
	with := func(prize Obj) Obj {
		x := maps.Clone(terms)
		x["prizes"] = []Obj{prize}
		x["confirms"] = confirms
		return x
	}
	// What must be confirmed of a thing is what the checklist names.
	for _, f := range check(with(Obj{"name": "a hamper", "kind": "goods", "value_cents": 5000})) {
		if name, ok := strings.CutPrefix(f.Str("field"), "confirms."); ok {
			confirms = append(confirms, name)
		}
	}
	for why, prize := range map[string]Obj{
		"tobacco":              {"name": "a hamper", "kind": "goods", "value_cents": 5000, "contains": []string{"tobacco"}},
		"too much liquor":      {"name": "a cellar", "kind": "goods", "value_cents": 5000, "liquor_millilitres": 20001},
		"a car without a make": {"name": "a car", "kind": "vehicle", "value_cents": 5000000},
		"a trip without terms": {"name": "a trip", "kind": "travel", "value_cents": 500000},
		"a house":              {"name": "a house", "kind": "real_estate", "value_cents": 50000000},
		"an oven":              {"name": "an oven", "kind": "appliance", "value_cents": 50000},
		"a negative prize":     {"name": "cash", "kind": "cash", "value_cents": -1},
	} {
		r.refused(t, why, h.Senior, "/promotions", with(prize))
	}
	r.must(t, h.Senior, "/promotions", terms)
	r.refused(t, "a start before a day has gone", h.Senior, "/promotions/1/start", nil)
	r.refused(t, "an entry before the start", h.Dealer, "/promotions/1/entries", Obj{"member": "1"})
	r.refused(t, "a draw before the start", h.Casino, "/promotions/1/prizes/1/draw", Obj{"scrutineer": "Ms Example"})
	r.refused(t, "a grant before the draw", h.Senior, "/promotions/1/prizes/1/claims",
		Obj{"member": "1", "granted": true, "parts": cash(1000100)})
	r.must(t, h.Casino, "/promotions/1/stop", Obj{"act": "cancelled", "reason": "in doubt", "told": "the inspectorate"})
	r.refused(t, "a start after it was cancelled", h.Senior, "/promotions/1/start", nil)
}
