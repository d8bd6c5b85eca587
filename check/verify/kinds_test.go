package verify

import (
	"testing"

	"drawhouse/journal/record"
)

// TestEveryKindHasItsRow: every kind of record is judged, and by a row of its own.
func TestEveryKindHasItsRow(t *testing.T) {
	known := map[record.Kind]bool{}
	for _, kind := range record.Kinds() {
		known[kind] = true
		row := rowFor(record.Empty(kind))
		if row.kind == 0 {
			t.Errorf("%v has no row: add one to the rows of its subject", kind)
		} else if row.judge == nil || row.kind != kind || row.check == "" {
			t.Errorf("%v has the row of %v, judged %v, under %q", kind, row.kind, row.judge != nil, row.check)
		}
	}
	for i := range kinds {
		if kinds[i].judge != nil && !known[record.Kind(i)] {
			t.Errorf("there is a row for %d, which is no kind of record", i)
		}
	}
}

// TestActorsHaveRoles: who may act is said of every kind that names who did it, rooms apart, where ranks
// say it.
func TestActorsHaveRoles(t *testing.T) {
	for _, kind := range record.Kinds() {
		r := record.Record{Body: record.Empty(kind)}
		if _, _, inRoom := r.InRoom(); inRoom || !r.ByNobody() {
			continue
		}
		if row := rowFor(r.Body); row.roles == nil && row.rolesOf == nil {
			t.Errorf("%v names who did it, and no role is said for it", kind)
		}
	}
}

// TestNoRow: what no row judges is refused.
func TestNoRow(t *testing.T) {
	if _, err := new(row).judged(nil, nil); err == nil {
		t.Error("a record without a check holds")
	}
}
