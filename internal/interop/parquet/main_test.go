package main

import (
	"strings"
	"testing"
)

// TestSameNotices changes a cell, drops a row and adds a column: each is noticed.
func TestSameNotices(t *testing.T) {
	rows := func() [][]string { return [][]string{{"line", "cents"}, {"1", "250"}, {"2", ""}} }
	r := resource{Name: "prizes", Rows: 2}
	if cells, err := same(r, rows(), rows()); err != nil || cells != 6 {
		t.Errorf("%d cells, %v", cells, err)
	}
	for want, spoil := range map[string]func([][]string) [][]string{
		"row 1, column cents": func(all [][]string) [][]string { all[1][1] = "251"; return all },
		"row 2, column cents": func(all [][]string) [][]string { all[2][1] = "0"; return all },
		"1 rows as Parquet":   func(all [][]string) [][]string { return all[:2] },
		"3 cells as Parquet":  func(all [][]string) [][]string { all[1] = append(all[1], "x"); return all },
	} {
		if _, err := same(r, spoil(rows()), rows()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is to be said, and it is %v", want, err)
		}
	}
}
