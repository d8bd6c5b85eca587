package drawhouse_test

import (
	"regexp"
	"testing"

	"drawhouse/decide/staff"
	"drawhouse/edge/client/openapi"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// supportName finds what a clause names as the support of a procedure.
var supportName = regexp.MustCompile("`([^`]+)`")

// TestSupportIsThere looks for every record, operation of the interface and action of two
// persons that a clause names as the support of a procedure: one that there is not supports
// nobody.
func TestSupportIsThere(t *testing.T) {
	there := map[string]bool{}
	for _, kind := range record.Kinds() {
		there[kind.String()] = true
	}
	for action := range staff.Actions() {
		there[action] = true
	}
	house, err := openapi.Read(described(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range house.Operations() {
		there[op.OperationID] = true
	}
	looked := 0
	for _, id := range []string{"vic-keno-2015", "casino-keno-div2", "tas-keno-2023"} {
		index, err := rules.Clauses(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range index.Clauses {
			for _, found := range supportName.FindAllStringSubmatch(c.Support, -1) {
				if looked++; !there[found[1]] {
					t.Errorf("%s %s is supported by %q, and there is no such record, operation or action", id, c.ID, found[1])
				}
			}
		}
	}
	if looked < 15 {
		t.Errorf("%d names were looked for", looked)
	}
}
