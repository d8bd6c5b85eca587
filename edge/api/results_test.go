package api

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestResults: the results of a day are for everybody, as JSON and as a table, and who
// has them already is told so until they change.
func TestResults(t *testing.T) {
	r := newRig(t)
	get := func(path string, header ...string) reply {
		return r.send(http.MethodGet, "/v1/results"+path, "", header...)
	}
	var days ResultDays
	get("").into(t, &days)
	if len(days.Days) != 0 {
		t.Errorf("%v before the first day", days.Days)
	}
	r.openDay()
	var results DayResults
	get("/2026-11-15").into(t, &results)
	if len(results.Results) != 0 {
		t.Errorf("%+v of a game on sale", results)
	}
	first := r.play()
	before := get("/2026-11-15")
	before.into(t, &results)
	if len(results.Results) != 1 || results.Results[0].Revision != 1 ||
		!slices.Equal(results.Results[0].Numbers, first.Numbers.Numbers()) || results.Results[0].Seal == "" {
		t.Errorf("%+v", results)
	}
	tag := before.header.Get("ETag")
	if answer := get("/2026-11-15", "If-None-Match", `"x", W/`+tag); answer.status != http.StatusNotModified ||
		len(answer.body) != 0 {
		t.Errorf("%d %s", answer.status, answer.body)
	}
	must(t, r.house.First().TurnGame(t.Context(), r.clock.Now().Add(3*time.Minute)))
	must(t, r.house.First().DrawNumber(t.Context(), 2))
	if answer := get("/2026-11-15", "If-None-Match", tag); answer.status != http.StatusNotModified {
		t.Errorf("a number of a game that is not over is told: %s", answer.body)
	}
	for range 19 {
		must(t, r.house.First().DrawNumber(t.Context(), 2))
	}
	must(t, r.house.First().FinishDraw(t.Context(), 2))
	must(t, r.house.First().SettleGame(t.Context(), 2))
	if answer := get("/2026-11-15", "If-None-Match", tag); answer.status != http.StatusOK ||
		answer.header.Get("ETag") == tag {
		t.Errorf("%d after another result", answer.status)
	}
	table := get("/2026-11-15/csv")
	rows, err := csv.NewReader(strings.NewReader(string(table.body))).ReadAll()
	if err != nil || len(rows) != 3 || len(strings.Fields(rows[1][6])) != 20 ||
		table.header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Errorf("%q: %v", rows, err)
	}
	get("").into(t, &days)
	if !slices.Equal(days.Days, []string{"2026-11-15"}) {
		t.Errorf("%v", days.Days)
	}
	get("/2026-11-14").into(t, &results)
	if len(results.Results) != 0 {
		t.Errorf("%+v", results)
	}
	wantFault(t, get("/today"), 400, "parameter_value", "day")
}
