package drawhouse_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	bookreport "drawhouse/books/report"
	"drawhouse/core/ledger"
	"drawhouse/decide/command"
	"drawhouse/edge/client/openapi"
	"drawhouse/edge/web"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// identifiers are the names that there are, by the word that stands before them in a text: record, command,
// question, screen, value, verb, refusal, report, role, account.
type identifiers map[string]map[string]bool

// TestSupportIsThere looks up everything that the support of a clause names: an identifier that there is not
// supports nobody. A procedure names one, or says what is not built.
func TestSupportIsThere(t *testing.T) {
	there := productNames(t)
	for _, id := range rules.IDs() {
		index, err := rules.Clauses(id)
		if err != nil {
			t.Fatal(err)
		}
		there["value"] = newValues(t, id).paths()
		looked := 0
		for _, c := range index.Clauses {
			problems, named := checkSupport(c.Support, there)
			for _, problem := range problems {
				t.Errorf("%s %s: %s", id, c.ID, problem)
			}
			if looked += named; c.Is == rules.Procedure && named == 0 &&
				!strings.Contains(strings.ToLower(c.Support), "not built: ") {
				t.Errorf("%s %s is a procedure that names nothing of the product and does not say what is not built", id, c.ID)
			}
		}
		if procedures := slices.ContainsFunc(index.Clauses,
			func(c rules.Clause) bool { return c.Is == rules.Procedure }); procedures && looked == 0 {
			t.Errorf("%s: nothing was looked up", id)
		}
	}
}

// productNames returns the identifiers of the product. Values are those of a rulebook.
func productNames(t *testing.T) identifiers {
	t.Helper()
	there := identifiers{}
	for _, kind := range []string{"record", "command", "question", "screen", "refusal", "report", "role", "account"} {
		there[kind] = map[string]bool{}
	}
	for _, kind := range record.Kinds() {
		there["record"][kind.String()] = true
	}
	house, err := openapi.Read(described(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range house.Operations() {
		if op.Method == http.MethodGet {
			there["question"][op.OperationID] = true
		} else {
			there["command"][op.OperationID] = true
		}
	}
	for _, address := range web.Addresses() {
		there["screen"][strings.TrimSuffix(address, "{$}")] = true
	}
	for _, row := range command.Rows() {
		for _, code := range row.Refused() {
			there["refusal"][code] = true
		}
	}
	for _, code := range keno.Codes() {
		there["refusal"][string(code)] = true
	}
	for _, name := range bookreport.Names() {
		there["report"][string(name)] = true
	}
	for _, role := range record.Roles() {
		there["role"][string(role)] = true
	}
	for _, account := range ledger.Accounts() {
		there["account"][account.String()] = true
	}
	there["verb"] = verbs(t)
	return there
}

// checkSupport returns what is wrong with the identifiers of a text, which stand between backquotes, and how many
// there are. The word before an identifier says what it is; it serves for those that follow behind commas,
// "and" and "or", too.
func checkSupport(text string, there identifiers) (problems []string, named int) {
	kind := ""
	for {
		before, rest, found := strings.Cut(text, "`")
		if !found {
			return problems, named
		}
		name, after, closed := strings.Cut(rest, "`")
		if !closed {
			return append(problems, "a backquote has no other"), named
		}
		text = after
		if words := strings.Fields(before); !goesOn(words) {
			kind = ""
			if len(words) > 0 {
				kind = strings.ToLower(strings.Trim(strings.TrimSuffix(words[len(words)-1], "s"), "("))
			}
		}
		named++
		switch known, ok := there[kind]; {
		case !ok:
			problems = append(problems, fmt.Sprintf("no word before %q says what it is", name))
		case !known[name]:
			problems = append(problems, fmt.Sprintf("there is no %s %q", kind, name))
		}
	}
}

// goesOn reports whether the words between two identifiers join them.
func goesOn(words []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words,
		func(w string) bool { return w != "," && w != "and" && w != "or" })
}

// TestCheckSupport feeds the check with texts.
func TestCheckSupport(t *testing.T) {
	there := identifiers{"record": {"ticket sold": true, "ticket paid": true}, "screen": {"/office": true},
		"value": {"keno.limits": true}}
	for text, want := range map[string]string{
		"": "",
		"record `ticket sold` (runner), and screen `/office`":         "",
		"Records `ticket sold`, `ticket paid` and screen `/office`":   "",
		"records `ticket sold` or `ticket paid`; value `keno.limits`": "",
		"record `ticket gone`":                    `there is no record "ticket gone"`,
		"said so (record `ticket sold`)":          "",
		"records `ticket sold` and `ticket gone`": `there is no record "ticket gone"`,
		"record `/office`":                        `there is no record "/office"`,
		"screen `/offices`":                       `there is no screen "/offices"`,
		"value `keno.limit`":                      `there is no value "keno.limit"`,
		"the record has `ticket sold`":            `no word before "ticket sold" says what it is`,
		"`ticket sold`":                           `no word before "ticket sold" says what it is`,
		"record `ticket sold` with `ticket paid`": `no word before "ticket paid" says what it is`,
		"record `ticket sold":                     "a backquote has no other",
	} {
		problems, _ := checkSupport(text, there)
		if got := strings.Join(problems, "; "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// verbs returns the command lines of the program, read from its source: drawhouse print forms.
func verbs(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("cmd/drawhouse/*.go")
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]*ast.StructType{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if fields, ok := spec.Type.(*ast.StructType); ok {
					types[spec.Name.Name] = fields
				}
			}
			return true
		})
	}
	found := map[string]bool{}
	addVerbs(found, types, "drawhouse", "cli")
	if len(found) < 40 {
		t.Errorf("only %d verbs of the program were found", len(found))
	}
	return found
}

// addVerbs adds the verbs below one, which a type holds.
func addVerbs(found map[string]bool, types map[string]*ast.StructType, above, of string) {
	fields, ok := types[of]
	if !ok {
		return
	}
	for _, field := range fields.Fields.List {
		if field.Tag == nil || len(field.Names) == 0 {
			continue
		}
		tag, err := strconv.Unquote(field.Tag.Value)
		if err != nil {
			continue
		}
		if _, isVerb := reflect.StructTag(tag).Lookup("cmd"); !isVerb {
			continue
		}
		name := reflect.StructTag(tag).Get("name")
		if name == "" {
			name = strings.ToLower(field.Names[0].Name)
		}
		verb := above + " " + name
		found[verb] = true
		if held, ok := field.Type.(*ast.Ident); ok {
			addVerbs(found, types, verb, held.Name)
		}
	}
}

// values are the values of a rulebook: every path, and those that come from a clause.
type values struct {
	all   []string // paths of single values
	cited map[string]map[string]bool
}

func newValues(t *testing.T, id string) values {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	v := values{cited: map[string]map[string]bool{}}
	for _, path := range slices.Sorted(maps.Keys(book.Statuses())) {
		if !(rulebook.Change{Path: path}).IsCitation() && !isUnder(path, "status") {
			v.all = append(v.all, path)
		}
	}
	for _, c := range book.Clauses() {
		v.cited[c.Clause] = map[string]bool{}
		for _, path := range c.Values {
			v.cited[c.Clause][path] = true
		}
	}
	return v
}

// paths returns the paths of values, and those of the blocks and lists above them.
func (v values) paths() map[string]bool {
	all := map[string]bool{}
	for _, path := range v.all {
		for ; path != ""; path = above(path) {
			all[path] = true
		}
	}
	return all
}

// of returns the values that come from a clause. A block stands for its values if all those that are directly in
// it do, or all below it.
func (v values) of(clause string) (paths []string) {
	cited := v.cited[clause]
	for _, path := range v.all {
		if !cited[path] {
			continue
		}
		for up := above(path); up != "" && v.comesFrom(up, cited); up = above(up) {
			path = up
		}
		if !slices.ContainsFunc(paths, func(block string) bool { return isUnder(path, block) }) {
			paths = append(slices.DeleteFunc(paths, func(p string) bool { return isUnder(p, path) }), path)
		}
	}
	return paths
}

// comesFrom reports whether a block stands for values that are cited.
func (v values) comesFrom(block string, cited map[string]bool) bool {
	direct, own, whole := 0, true, true
	for _, path := range v.all {
		if !isUnder(path, block) {
			continue
		}
		whole = whole && cited[path]
		if above(path) == block {
			direct++
			own = own && cited[path]
		}
	}
	return whole || direct > 0 && own
}

// isUnder reports whether a path is a block or below it.
func isUnder(path, block string) bool {
	rest, ok := strings.CutPrefix(path, block)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// above returns the path of the block or list that a value stands in. The name of an item of a list, between
// brackets, may have points.
func above(path string) string {
	depth := 0
	for i := len(path) - 1; i >= 0; i-- {
		switch path[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return path[:i]
			}
		case '.':
			if depth == 0 {
				return path[:i]
			}
		}
	}
	return ""
}

// TestValuesOfClauses shows how the paths of a clause are put together.
func TestValuesOfClauses(t *testing.T) {
	v := values{
		all: []string{"from", "keno.limits[stake 1.00].max", "keno.limits[stake 1.00].min", "keno.numbers.draw",
			"keno.numbers.in.of",
			"keno.numbers.out.of"},
		cited: map[string]map[string]bool{"1": {"keno.limits[stake 1.00].max": true, "keno.numbers.draw": true,
			"keno.numbers.in.of": true}, "2": {"from": true}},
	}
	for clause, want := range map[string]string{"1": "keno.limits[stake 1.00].max, keno.numbers", "2": "from", "3": ""} {
		if got := strings.Join(v.of(clause), ", "); got != want {
			t.Errorf("clause %s: %s, want %s", clause, got, want)
		}
	}
	if all := v.paths(); !all["keno.limits"] || !all["keno.limits[stake 1.00]"] || !all["keno"] ||
		all["keno.limits[stake 1"] {
		t.Errorf("the paths are %v", all)
	}
}
