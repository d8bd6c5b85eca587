package searcher

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/goccy/go-yaml"

	"drawhouse/rulebook"
)

// loosened returns a rulebook after its keno part was changed.
func loosened(t *testing.T, id string, change func(keno map[string]any)) *rulebook.Book {
	t.Helper()
	book, err := loosen(id, change)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

func loosen(id string, change func(keno map[string]any)) (*rulebook.Book, error) {
	data, err := os.ReadFile("../../rulebook/rules/" + id + "/book.yaml")
	if err != nil {
		return nil, err
	}
	var file map[string]any
	if err := yaml.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	change(file["keno"].(map[string]any))
	amounts(file)
	if data, err = yaml.Marshal(file); err != nil {
		return nil, err
	}
	return rulebook.Load(id, data)
}

// amounts writes amounts as books have them, with two digits behind the point.
func amounts(of any) any {
	switch x := of.(type) {
	case map[string]any:
		for key, value := range x {
			x[key] = amounts(value)
		}
	case []any:
		for i, value := range x {
			x[i] = amounts(value)
		}
	case float64:
		return fmt.Sprintf("%.2f", x)
	}
	return of
}

// list returns a list of the book, with the items that are maps.
func list(from map[string]any, name string) (all []map[string]any) {
	items, _ := from[name].([]any)
	for _, x := range items {
		if m, ok := x.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
}

func origin(keno map[string]any, id string) map[string]any {
	for _, o := range list(keno, "origins") {
		if o["id"] == id {
			return o
		}
	}
	return nil
}

func addLeave(keno map[string]any, id, as string) {
	o := origin(keno, id)
	o["leaves"] = append(o["leaves"].([]any), map[string]any{"clause": o["clause"], "as": as})
}

func dropLeave(keno map[string]any, id, as string) {
	o := origin(keno, id)
	o["leaves"] = slices.DeleteFunc(o["leaves"].([]any), func(x any) bool { return x.(map[string]any)["as"] == as })
}

// A row is something that the money table says, switched off.
type row struct {
	name   string
	change func(keno map[string]any)
}

// rowsOf returns every bound that the money table of a rulebook has: of the rows what they
// count, keep and ask for, of the methods their limits and what they need, of the bounds of a
// cancellation each, the lives of papers, and what bound money must not become.
func rowsOf(t *testing.T, id string) (all []row) {
	t.Helper()
	var keno map[string]any
	if _, err := loosen(id, func(k map[string]any) { keno = k }); err != nil {
		t.Fatal(err)
	}
	drop := func(name string, in func(map[string]any) map[string]any, keys ...string) {
		all = append(all, row{name, func(k map[string]any) {
			for _, key := range keys {
				delete(in(k), key)
			}
		}})
	}
	for i, o := range list(keno, "origins") {
		for j, l := range list(o, "leaves") {
			at := func(k map[string]any) map[string]any { return list(list(k, "origins")[i], "leaves")[j] }
			if kept, _ := l["keeps"].([]any); len(kept) > 1 {
				for n, what := range kept { // each by itself; all together are below
					all = append(all, row{fmt.Sprintf("%v as %v: keeps %v", o["id"], l["as"], what), func(k map[string]any) {
						at(k)["keeps"] = slices.Delete(slices.Clone(at(k)["keeps"].([]any)), n, n+1)
					}})
				}
			}
			for _, key := range []string{"counts", "together", "keeps", "bought_here_today", "stake_by_card", "venues"} {
				// Whether money counts is read from its way into cash; at another way the table
				// only shows it.
				if _, ok := l[key]; ok && (key != "counts" && key != "together" || l["as"] == "cash") {
					drop(fmt.Sprintf("%v as %v: %s", o["id"], l["as"], key), at, key)
				}
			}
			if l["as"] == rulebook.Same && o["id"] != "player_card" {
				all = append(all, row{fmt.Sprintf("%v: may become cash", o["id"]), func(k map[string]any) {
					dropLeave(k, o["id"].(string), "cash")
					addLeave(k, o["id"].(string), "cash")
					dropLeave(k, o["id"].(string), rulebook.Same)
				}})
			}
		}
	}
	payout := func(k map[string]any) map[string]any { return k["payout"].(map[string]any) }
	for i, m := range list(payout(keno), "methods") {
		at := func(k map[string]any) map[string]any { return list(payout(k), "methods")[i] }
		for _, key := range []string{"from", "payee", "account", "exclusion", "major_or_claim", "exchange", "venues",
			"over"} {
			if _, ok := m[key]; ok {
				drop(fmt.Sprintf("method %v: %s", m["id"], key), at, key, key+"_clause")
			}
		}
	}
	// A limit of a session or a venue stands at each method that it holds for, and one of them
	// is enough for all: they are off together.
	for _, key := range []string{"up_to", "venue_limit"} {
		if slices.ContainsFunc(list(payout(keno), "methods"), func(m map[string]any) bool { return m[key] != nil }) {
			all = append(all, row{"methods: " + key, func(k map[string]any) {
				for _, m := range list(payout(k), "methods") {
					delete(m, key)
				}
			}})
		}
	}
	for _, key := range []string{"same_day", "same_venue"} {
		if _, ok := keno["cancellation"].(map[string]any)[key]; ok {
			drop("cancellation: "+key, func(k map[string]any) map[string]any { return k["cancellation"].(map[string]any) }, key,
				key+"_clause")
		}
	}
	for i, m := range list(keno, "instruments") {
		at := func(k map[string]any) map[string]any { return list(k, "instruments")[i] }
		if _, ok := m["made_out_for"]; ok {
			drop(fmt.Sprintf("paper %v: made_out_for", m["id"]), at, "made_out_for")
		}
		if _, ok := m["life"]; ok {
			all = append(all, row{fmt.Sprintf("paper %v: life", m["id"]),
				func(k map[string]any) { at(k)["life"] = map[string]any{"months": 60} }})
		}
	}
	return all
}

// unfound are rows that the searcher does not miss, with why.
var unfound = map[string]string{
	"vic-keno-2015/prepaid_voucher: may become cash":        "no paper that turns into money is given away, and these are only given away: nobody has one then",
	"tas-keno-2023/approved_voucher: may become cash":       "as the prepaid voucher of Victoria",
	"vic-keno-2015/gift_voucher as cash: bought_here_today": "the paper's own rule of refund says it a second time",
	"vic-keno-2015/prize as player_card: stake_by_card":     "the program asks it of every payment to a card, whatever the row says; and the second book lets any prize go to a card, where it counts as cash",
	"tas-keno-2023/central_voucher as cheque: venues":       "the method cheque says it a second time: it is of the central site alone",
	"tas-keno-2023/method central_voucher: from":            "a pay of $2,999 and more without a voucher is a known difference, and the text does not forbid a voucher for less",
	"casino-keno-div2/method cheque: payee":                 "the casino rules name no payee",
}

// quick are rows that the searcher misses soon.
var quick = []string{
	"vic-keno-2015/cancellation: same_venue", "vic-keno-2015/cancellation: same_day",
	"vic-keno-2015/prize as cash: counts",
	"vic-keno-2015/method cheque: payee", "vic-keno-2015/method transfer: account",
	"vic-keno-2015/paper gift_voucher: made_out_for", "vic-keno-2015/paper gift_voucher: life",
	"tas-keno-2023/cancellation: same_venue",
	"casino-keno-div2/cancellation: same_day",
}

// TestRowsOff switches every bound of the money tables off, one by one, and the searcher must
// find each. Without DRAWHOUSE_ROWS it takes those that are found soon.
func TestRowsOff(t *testing.T) {
	long := os.Getenv("DRAWHOUSE_ROWS") != ""
	found, tries := 0, 0
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		for _, r := range rowsOf(t, id) {
			if !long && !slices.Contains(quick, id+"/"+r.name) {
				continue
			}
			t.Run(id+"/"+r.name, func(t *testing.T) {
				book, err := loosen(id, r.change)
				if err != nil {
					t.Skipf("such a book does not load: %v", err)
				}
				tries++
				most := 10_000
				switch {
				case long && unfound[id+"/"+r.name] != "":
					most = 20_000
				case long:
					most = 100_000
				}
				h := Hunt{Rulebook: id, Book: book, Seed: 7, Acts: most, Length: 40,
					Ignore: func(f Finding) bool { return isKnown(id, f) }}
				hit, tried, err := h.Run()
				why := unfound[id+"/"+r.name]
				switch {
				case err != nil:
					t.Fatal(err)
				case hit == nil && why == "" && long:
					t.Errorf("it is off, and %d acts do not find it", tried)
				case hit == nil:
					t.Logf("it is off, and %d acts do not find it: %s", tried, why)
				case alsoWithout(id, hit) && !long:
					t.Logf("after %d acts there is a hit that the row has no part in", hit.Acts)
				case alsoWithout(id, hit):
					t.Errorf("it was found with the row on, too:\n%v", hit)
				default:
					found++
					t.Logf("found after %d acts: %v", hit.Acts, hit.Finding)
				}
			})
		}
	}
	if !long && (found < tries || tries < len(quick)) {
		t.Errorf("of %d rows that were off %d were found", tries, found)
	}
}

// alsoWithout reports whether the lines of a hit lead to it under the book that is built in.
func alsoWithout(id string, hit *Hit) bool {
	h := Hunt{Rulebook: id, Ignore: func(f Finding) bool { return isKnown(id, f) }}
	f, _ := h.again("without", hit.Lines, hit.Finding)
	return f != nil
}
