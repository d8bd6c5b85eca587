package drawhouse_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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
	"drawhouse/internal/matrix"
	"drawhouse/journal/record"
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
		there["value"] = valuesIn(t, id).Paths()
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

// valuesIn returns the values of a rulebook that is built in.
func valuesIn(t *testing.T, id string) matrix.Values {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	return matrix.NewValues(book)
}
