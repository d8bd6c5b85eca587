package facts_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"drawhouse/books/facts"
	"drawhouse/internal/cases"
)

// pack is what a reader takes from the schema.
type pack struct {
	Resources []struct {
		Name, Path, Description string
		Rows                    int
		Schema                  struct {
			Fields      []facts.Field
			PrimaryKey  []string
			ForeignKeys []struct {
				Fields    []string
				Reference struct {
					Resource string
					Fields   []string
				}
			}
		}
	}
}

func packOf(t testing.TB, made memory) (p pack) {
	t.Helper()
	must(t, json.Unmarshal(made["datapackage.json"].Bytes(), &p))
	return p
}

// played returns the houses of all scenarios of the case files, of every rulebook of keno and of bingo.
func played(t testing.TB) map[string]*cases.Core {
	t.Helper()
	houses, err := playOnce()
	must(t, err)
	return maps.Clone(houses)
}

var playOnce = sync.OnceValues(func() (map[string]*cases.Core, error) {
	files, err := cases.ReadAll("../../rulebook/rules")
	houses := map[string]*cases.Core{}
	for _, file := range files {
		for _, s := range file.Scenarios {
			var core *cases.Core
			failed := file.Run(s, func(f cases.Founding) (cases.House, error) {
				var err error
				core, err = cases.NewCore(f)
				return core, err
			})
			if failed == nil {
				failed = core.Take()
			}
			err = errors.Join(err, failed)
			houses[fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, s[0].Number)] = core
		}
		for _, s := range file.Halls {
			core, failed := file.PlayHall(s)
			err = errors.Join(err, failed)
			houses[fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, s[0].Number)] = core
		}
	}
	return houses, err
})

// TestReferences exports the houses of all cases, and looks every row up that another one names.
func TestReferences(t *testing.T) {
	all := played(t)
	counted, failed := map[string]int{}, map[string]string{}
	houses := 0
	var p pack
	for i, name := range slices.Sorted(maps.Keys(all)) {
		if os.Getenv("DRAWHOUSE_FACTS") == "" && i%someHouses != 0 {
			continue
		}
		core := all[name]
		houses++
		made := export(t, core, facts.CSV)
		if houses == 1 {
			p = packOf(t, made) // The tables of all houses are the same.
		}
		rows := map[string][]map[string]string{}
		for _, r := range p.Resources {
			lines, err := csv.NewReader(made[r.Path]).ReadAll()
			must(t, err)
			for _, line := range lines[1:] {
				row := map[string]string{}
				for i, cell := range line {
					row[lines[0][i]] = cell
				}
				rows[r.Name] = append(rows[r.Name], row)
			}
		}
		keys := map[string]map[string]bool{}
		for _, r := range p.Resources {
			for _, key := range r.Schema.ForeignKeys {
				to := key.Reference.Resource + " " + strings.Join(key.Reference.Fields, " ")
				if keys[to] == nil {
					keys[to] = map[string]bool{}
					for _, row := range rows[key.Reference.Resource] {
						keys[to][of(row, key.Reference.Fields)] = true
					}
				}
				from := r.Name + " " + strings.Join(key.Fields, " ")
				for _, row := range rows[r.Name] {
					if slices.ContainsFunc(key.Fields, func(f string) bool { return row[f] == "" }) {
						continue
					}
					counted[from]++
					if !keys[to][of(row, key.Fields)] {
						failed[from+" -> "+to] = fmt.Sprintf("%s: %v", name, of(row, key.Fields))
					}
				}
			}
		}
	}
	for from, example := range failed {
		t.Errorf("%s: %s is not there", from, example)
	}
	sum := 0
	for _, n := range counted {
		sum += n
	}
	t.Logf("%d houses: %d references of %d kinds resolve", houses, sum, len(counted))
	for _, needed := range []string{"ticket_paid ticket_volume ticket_seq", "ticket_paid_parts series ordinal",
		"ticket_paid_parts ticket_volume ticket_seq", "prizes series ordinal", "prizes ticket_volume ticket_seq",
		"refunds ticket_volume ticket_seq", "claim_checked game_hall game_session game_game claim",
		"bingo_settled_shares game_hall game_session game_game claim", "claim_paid claim"} {
		if counted[needed] == 0 {
			t.Errorf("no house has a row of %s", needed)
		}
	}
}

// someHouses says that in a run of all tests every third house is looked at.
const someHouses = 3

// of returns some cells of a row.
func of(row map[string]string, columns []string) string {
	var cells []string
	for _, c := range columns {
		cells = append(cells, row[c])
	}
	return strings.Join(cells, " ")
}
