package drawhouse_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/edge/client/openapi"
	"drawhouse/journal/record"
)

// TestAccessDocIsCurrent holds the page that says who may do what against the description of a
// house and the table of what two persons do.
func TestAccessDocIsCurrent(t *testing.T) {
	checkGenerated(t, "docs/ACCESS.md", accessDoc(t))
}

func accessDoc(t *testing.T) string {
	t.Helper()
	house, err := openapi.Read(described(t))
	if err != nil {
		t.Fatal(err)
	}
	all := house.Operations()
	var b strings.Builder
	b.WriteString("# Who may do what\n\n" +
		"Made from the rows of commands and the routes of the interface by `go test . -run Doc -rewrite`. Whatever is asked of a house passes\n" +
		"these rows; a role at a venue holds for that venue alone. `asks` and `consents` mark what two persons must want: one asks, and another\n" +
		"consents before it is done. A dot marks what one person does alone. In a bingo room the rank of the person decides further, as the\n" +
		"rules of the room say. An internal operation is for our own screens ([Compatibility](COMPATIBILITY.md)).\n")
	doing := slices.DeleteFunc(slices.Clone(all), func(op openapi.Operation) bool { return op.Method == http.MethodGet })
	reading := slices.DeleteFunc(slices.Clone(all), func(op openapi.Operation) bool { return op.Method != http.MethodGet })
	b.WriteString("\n## Acts\n")
	writeAccess(&b, doing)
	b.WriteString("\n## Questions\n")
	writeAccess(&b, reading)
	return b.String()
}

// writeAccess writes the operations of each group as a table.
func writeAccess(b *strings.Builder, list []openapi.Operation) {
	groups := map[string][]openapi.Operation{}
	for _, op := range list {
		groups[op.Tags[0]] = append(groups[op.Tags[0]], op)
	}
	columns := []string{"everybody", "signed_on", "terminal", "witness"}
	for _, role := range record.Roles() {
		columns = append(columns, string(role))
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		shown := slices.DeleteFunc(slices.Clone(columns), func(column string) bool {
			return !slices.ContainsFunc(groups[name], func(op openapi.Operation) bool { return cell(op, column) != "" })
		})
		fmt.Fprintf(b, "\n### %s\n\n| operation | | %s |\n|---|---|%s\n", name,
			strings.ReplaceAll(strings.Join(shown, " | "), "signed_on", "signed on"), strings.Repeat("---|", len(shown)))
		for _, op := range groups[name] {
			cells := make([]string, len(shown))
			for i, column := range shown {
				cells[i] = cell(op, column)
			}
			summary := op.Summary
			if op.Internal {
				summary += " (internal)"
			}
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", op.OperationID, summary, strings.Join(cells, " | "))
		}
	}
}

// cell says what somebody has to do with an operation.
func cell(op openapi.Operation, who string) string {
	may := slices.Contains(op.Access, who)
	row, known := command.Named(op.OperationID)
	if !known || row.Two == "" {
		if may {
			return "●"
		}
		return ""
	}
	var parts []string
	if may {
		parts = append(parts, "asks")
	}
	if slices.Contains(staff.Actions()[row.Two].Consents, record.Role(who)) {
		parts = append(parts, "consents")
	}
	return strings.Join(parts, ", ")
}
