package api

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/books/report"
	"drawhouse/journal/record"
)

// cellOf returns a value of the only row of a report.
func cellOf(t *testing.T, table ReportTable, column string) string {
	t.Helper()
	i := slices.IndexFunc(table.Columns, func(c ReportColumn) bool { return c.Name == column })
	if i < 0 || len(table.Rows) != 1 {
		t.Fatalf("%d rows, and column %s is at %d: %+v", len(table.Rows), column, i, table)
	}
	return table.Rows[0][i]
}

// listsThings are the reports whose rows are single things, so that nothing is added up by month.
var listsThings = []string{"exceptions", "tax", "remittances", "ahead-games", "ageing", "outstanding", "certificate",
	"cards"}

// TestReports has every report in every form, of the day that is open and of one that is
// closed, and finds what was sold in them.
func TestReports(t *testing.T) {
	o := newOffice(t)
	o.sell(oneSpot)
	o.play()
	var list Reports
	o.as(o.inspector, http.MethodGet, "/v1/reports", "").into(t, &list)
	if len(list.Reports) != len(report.All())+len(report.Lists())-1 || !slices.Equal(list.Formats, []string{"text", "csv", "xlsx", "pdf"}) {
		t.Fatalf("%+v", list)
	}
	for _, kind := range list.Reports {
		var table ReportTable
		of := map[string]string{"one": "?from=2026-11-15"}[kind.Days]
		o.as(o.inspector, http.MethodGet, "/v1/reports/"+kind.Name+of, "").into(t, &table)
		if len(kind.Columns) == 0 || kind.ByTime == slices.Contains(listsThings, kind.Name) {
			t.Errorf("%+v", kind)
		}
		if table.Title == "" || len(table.Columns) == 0 || table.Period == "" ||
			kind.Days == "some" && table.Period != "Trading day 2026-11-15" {
			t.Errorf("%s: %+v", kind.Name, table)
		}
		for format, begins := range map[string]string{"text": table.Title, "csv": table.Columns[0].Name, "xlsx": "PK",
			"pdf": "%PDF"} {
			file := o.as(o.first, http.MethodGet, "/v1/reports/"+kind.Name+"/"+format+of, "")
			if file.status != http.StatusOK || !bytes.HasPrefix(file.body, []byte(begins)) ||
				file.header.Get("Content-Type") != report.Format(format).MediaType() {
				t.Errorf("%s as %s: %d %s %.40q", kind.Name, format, file.status, file.header.Get("Content-Type"), file.body)
			}
		}
	}
	before := map[string][]byte{}
	for range 2 {
		for _, kind := range list.Reports {
			of := map[string]string{"one": "?from=2026-11-15"}[kind.Days]
			for _, format := range append([]string{""}, list.Formats...) {
				path := strings.TrimSuffix("/v1/reports/"+kind.Name+"/"+format, "/") + of
				made := o.as(o.first, http.MethodGet, path, "")
				if was, ok := before[path]; made.status != http.StatusOK || ok && !bytes.Equal(was, made.body) {
					t.Errorf("%s is another report minutes later: %d", path, made.status)
				}
				before[path] = made.body
			}
		}
		o.clock.advance(3 * time.Minute)
	}
	var days ReportTable
	o.as(o.first, http.MethodGet, "/v1/reports/days", "").into(t, &days)
	if cellOf(t, days, "Sold") != "2.00" || cellOf(t, days, "Day") != "2026-11-15" || days.Total == nil {
		t.Errorf("%+v", days)
	}
	var months ReportTable
	o.as(o.first, http.MethodGet, "/v1/reports/days?by=month", "").into(t, &months)
	if cellOf(t, months, "Sold") != "2.00" || cellOf(t, months, "Month") != "2026-11" || cellOf(t, months, "Days") != "1" {
		t.Errorf("%+v", months)
	}
	for _, c := range months.Columns {
		if c.Means == "" || c.Over == "" {
			t.Errorf("the column %+v is not defined", c)
		}
	}
	var behind ReportTable
	o.as(o.inspector, http.MethodGet, "/v1/reports/days/behind?figure=total/Sold", "").into(t, &behind)
	if cellOf(t, behind, "Adds") != "2.00" || cellOf(t, behind, "What") != "ticket sold" || cellOf(t, behind, "Where") != "1" {
		t.Errorf("%+v", behind)
	}
	for figure, code := range map[string]string{"": "report_no_figure", "7/Sold": "report_no_figure",
		"1/Weather": "report_no_figure", "1/Return": "report_no_sum"} {
		status := map[string]int{"report_no_figure": http.StatusNotFound, "report_no_sum": http.StatusUnprocessableEntity}[code]
		wantFault(t, o.as(o.first, http.MethodGet, "/v1/reports/days/behind?figure="+figure, ""), status, code, "figure")
	}
	file := o.as(o.first, http.MethodGet, "/v1/reports/days/csv?from=2026-11-15&to=2026-11-15", "")
	rows, err := csv.NewReader(bytes.NewReader(file.body)).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][3] != "2.00" {
		t.Errorf("%q, %v", rows, err)
	}
}

// TestReportsOfRecords has the reports that are not of the books: what is sold and owed, and the records behind it.
func TestReportsOfRecords(t *testing.T) {
	o := newOffice(t)
	o.sell(oneSpot)
	for path, want := range map[string][2]string{
		"bets": {"Sold", "2.00"}, "spots?by=month": {"Spots", "1"}, "channels?venue=1": {"Method", "form"},
		"features?series=1": {"Feature", "-"}, "ahead": {"Closing", "2.00"}, "ahead-games": {"Ahead", "2.00"},
		"bets/behind?figure=1/Sold":         {"What", "ticket sold"},
		"ahead/behind?figure=total/Closing": {"Adds", "2.00"}, "ahead-games/behind?figure=1/Ahead": {"Adds", "2.00"},
	} {
		var table ReportTable
		o.as(o.inspector, http.MethodGet, "/v1/reports/"+path, "").into(t, &table)
		if got := cellOf(t, table, want[0]); got != want[1] {
			t.Errorf("%s of %s is %q, and %q is right", want[0], path, got, want[1])
		}
	}
	o.play()
	var certificate ReportTable
	o.as(o.inspector, http.MethodGet, "/v1/reports/certificate?from=2026-11-15", "").into(t, &certificate)
	if len(certificate.Rows) == 0 || certificate.Total == nil {
		t.Errorf("%+v", certificate)
	}
	for _, bad := range []struct {
		path   string
		status int
		code   string
		field  string
	}{
		{"certificate", http.StatusBadRequest, "parameter_value", "from"},
		{"certificate?from=2020-01-01", http.StatusNotFound, "report_empty", "from"},
		{"ageing?series=1", http.StatusBadRequest, "parameter_value", "series"},
		{"ageing?by=month", http.StatusBadRequest, "parameter_value", "by"},
		{"ageing?venue=1", http.StatusUnprocessableEntity, "report_whole", "venue"},
		{"bets?from=soon", http.StatusBadRequest, "parameter_value", "from"},
		{"bets?to=2020-01-01", http.StatusNotFound, "report_empty", "from"},
		{"bets/behind?figure=9/Sold", http.StatusNotFound, "report_no_figure", "figure"},
		{"bets/behind?figure=1/Return", http.StatusUnprocessableEntity, "report_no_sum", "figure"},
		{"ageing/behind?figure=1/Balance", http.StatusUnprocessableEntity, "report_no_sum", "figure"},
	} {
		wantFault(t, o.as(o.first, http.MethodGet, "/v1/reports/"+bad.path, ""), bad.status, bad.code, bad.field)
	}
	senior := o.signOn(o.member(record.RoleSenior))
	wantFault(t, o.as(senior, http.MethodGet, "/v1/reports/bets", ""), http.StatusForbidden, "report_venue", "venue")
	wantFault(t, o.as(senior, http.MethodGet, "/v1/reports/ageing", ""), http.StatusForbidden, "report_venue", "venue")
	if seen := o.as(senior, http.MethodGet, "/v1/reports/bets?venue=1", ""); seen.status != http.StatusOK {
		t.Errorf("a senior asks for bets of the own venue: %d %s", seen.status, seen.body)
	}
}

// TestReportsAreForWhoMaySeeThem lets a senior see the own venue and nothing else.
func TestReportsAreForWhoMaySeeThem(t *testing.T) {
	o := newOffice(t)
	o.sell(oneSpot)
	senior := o.signOn(o.member(record.RoleSenior))
	var list Reports
	o.as(senior, http.MethodGet, "/v1/reports", "").into(t, &list)
	if len(list.Reports) == 0 || slices.ContainsFunc(list.Reports, func(r ReportKind) bool { return !r.ByVenue }) {
		t.Errorf("a senior is offered %+v", list)
	}
	var venue ReportTable
	o.as(senior, http.MethodGet, "/v1/reports/venues?venue=1", "").into(t, &venue)
	if cellOf(t, venue, "Sold") != "2.00" {
		t.Errorf("%+v", venue)
	}
	wantFault(t, o.as(o.first, http.MethodGet, "/v1/reports/exceptions?by=month", ""), http.StatusBadRequest,
		"parameter_value", "by")
	wantFault(t, o.as(senior, http.MethodGet, "/v1/reports/venues", ""), http.StatusForbidden, "report_venue", "venue")
	wantFault(t, o.as(senior, http.MethodGet, "/v1/reports/venues?venue=2", ""), http.StatusForbidden, "report_venue",
		"venue")
	wantFault(t, o.as(senior, http.MethodGet, "/v1/reports/accounts", ""), http.StatusForbidden, "report_venue", "venue")
	wantFault(t, o.as(senior, http.MethodGet, "/v1/reports/accounts/pdf?venue=1", ""), http.StatusUnprocessableEntity,
		"report_whole", "venue")
	writer := o.signOn(o.member(record.RoleWriter))
	wantFault(t, o.as(writer, http.MethodGet, "/v1/reports/venues?venue=1", ""), http.StatusForbidden, "role_missing", "")
	for _, bad := range []struct {
		path   string
		status int
		code   string
		field  string
	}{
		{"weather", http.StatusNotFound, "report_unknown", "report"},
		{"days?from=yesterday", http.StatusBadRequest, "parameter_value", "from"},
		{"days?from=2026-11-16&to=2026-11-15", http.StatusBadRequest, "parameter_value", "from"},
		{"days?from=2024-11-16&to=2026-11-15", http.StatusBadRequest, "parameter_value", "from"},
		{"days?from=2026-01-01&to=2026-01-31", http.StatusNotFound, "report_empty", "from"},
		{"days?by=week", http.StatusBadRequest, "parameter_value", "by"},
		{"days?by=day&from=2024-11-16", http.StatusBadRequest, "parameter_value", "from"},
		{"days?by=year&from=2015-11-01", http.StatusBadRequest, "parameter_value", "from"},
		{"days/gif", http.StatusBadRequest, "parameter_value", "format"},
		{fmt.Sprintf("venues?venue=%d", -1), http.StatusBadRequest, "parameter_value", "venue"},
	} {
		wantFault(t, o.as(o.first, http.MethodGet, "/v1/reports/"+bad.path, ""), bad.status, bad.code, bad.field)
	}
}
