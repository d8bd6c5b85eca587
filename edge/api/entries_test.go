package api

import (
	"encoding/csv"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"drawhouse/journal/record"
)

// TestLedgerEntries closes a day and has its journal entries in both forms. The day that is open has none.
func TestLedgerEntries(t *testing.T) {
	o := newOffice(t)
	o.sell(oneSpot)
	entries := func(question string) string {
		t.Helper()
		a := o.as(o.inspector, http.MethodGet, "/v1/ledger/"+question, "")
		if a.status != http.StatusOK {
			t.Fatalf("%s: %d %s", question, a.status, a.body)
		}
		return string(a.body)
	}
	header := entries("csv")
	if !strings.HasPrefix(header, "entry,date,line,code,") || strings.Count(header, "\n") != 1 {
		t.Errorf("before a day is closed the entries are\n%s", header)
	}
	must(t, o.house.First().CloseGame(t.Context()))
	for range 20 {
		must(t, o.house.First().DrawNumber(t.Context(), 1))
	}
	must(t, o.house.First().FinishDraw(t.Context(), 1))
	must(t, o.house.First().SettleGame(t.Context(), 1))
	must(t, o.house.First().CloseDay(t.Context()))
	rows, err := csv.NewReader(strings.NewReader(entries("csv"))).ReadAll()
	if err != nil || len(rows) < 3 {
		t.Fatalf("%q, %v", rows, err)
	}
	for _, row := range rows[1:] {
		if row[0] != "1/2026-11-15" || row[9] != "AUD" {
			t.Errorf("%q", row)
		}
	}
	plain := entries("ledger?from=2026-11-15&to=2026-11-15&opening=true")
	if !strings.Contains(plain, "\n2026-11-15 * (1/2026-11-15) Keno Day 2026-11-15\n") || strings.Contains(plain, "/opening") ||
		!strings.Contains(plain, "    assets:1000 cash:venue 1    AUD 2.00  ; ticket sold") {
		t.Errorf("%s", plain)
	}
	for _, none := range []string{"?by=month", "?by=year", "?to=2026-11-14", "?from=2026-11-16&to=2026-11-17",
		"?after=" + url.QueryEscape("1/2026-11-15")} {
		if rest := entries("csv" + none); rest != header {
			t.Errorf("%s: there are the entries\n%s", none, rest)
		}
	}
	for question, field := range map[string]string{
		"ods": "form", "csv?by=week": "by", "csv?opening=1": "opening", "csv?from=soon": "from", "csv?to=soon": "to",
		"csv?after=" + url.QueryEscape("1/2026-11-16"): "after", "csv?after=2026-11": "after", "csv?after=x&to=soon": "to",
		"csv?after=2026&opening=true": "after", "csv?after=2026&from=2026-11-01": "after",
	} {
		wantFault(t, o.as(o.first, http.MethodGet, "/v1/ledger/"+question, ""), http.StatusBadRequest, "parameter_value",
			field)
	}
	senior := o.signOn(o.member(record.RoleSenior))
	wantFault(t, o.as(senior, http.MethodGet, "/v1/ledger/csv", ""), http.StatusForbidden, "role_missing", "")
}

// TestEntryBuffer takes what is below and at its bound, and nothing above it.
func TestEntryBuffer(t *testing.T) {
	var b entryBuffer
	if n, err := b.Write(make([]byte, mostEntryBytes-1)); n != mostEntryBytes-1 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := b.Write([]byte{1}); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := b.Write([]byte{1}); n != 0 || !errors.Is(err, errManyEntries) || b.Len() != mostEntryBytes {
		t.Errorf("%d, %v, %d", n, err, b.Len())
	}
}
