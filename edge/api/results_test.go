package api

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"drawhouse/house/live"
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

// TestPublished: jackpots are for everybody, as JSON and as a table; the stream of a series says each result as it is
// told in full, and what the jackpots have grown to.
func TestPublished(t *testing.T) {
	r := newRig(t)
	r.openDay()
	server := httptest.NewServer(r.handler)
	t.Cleanup(server.Close)
	var now Jackpots
	r.send(http.MethodGet, "/v1/jackpots", "").into(t, &now)
	if now.Series != 1 || now.Currency != "AUD" || len(now.Jackpots) == 0 {
		t.Fatalf("%+v", now)
	}
	rows, err := csv.NewReader(strings.NewReader(string(r.send(http.MethodGet, "/v1/jackpots/csv", "").body))).ReadAll()
	if err != nil || len(rows) != 1+len(now.Jackpots) || rows[1][2] != strconv.FormatInt(now.Jackpots[0].Cents, 10) {
		t.Errorf("%q: %v", rows, err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/v1/results/events", http.NoBody)
	must(t, err)
	answer, err := http.DefaultClient.Do(request)
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	if kind, open := answer.Header.Get("Content-Type"), answer.Header.Get("Access-Control-Allow-Origin"); !strings.HasPrefix(kind, eventStream) || open != "*" {
		t.Errorf("%s, for %q", kind, open)
	}
	lines := bufio.NewScanner(answer.Body)
	next := func(name string, to any) (id string) {
		t.Helper()
		event := ""
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ": ")
			switch {
			case field == "id":
				id = value
			case field == "event":
				event = value
			case field == "data" && event == name:
				must(t, json.Unmarshal([]byte(value), to))
				return id
			case field == "data" && event != live.TickName:
				t.Fatalf("%s comes before %s", event, name)
			case field == "":
				id = ""
			}
		}
		t.Fatalf("the stream ended before %s: %v", name, lines.Err())
		return ""
	}
	next(live.TickName, &live.Tick{})
	played := r.play()
	var grown Jackpots
	next("jackpots", &grown) // at the close
	var result PublishedResult
	if id := next("result", &result); id != "" {
		t.Errorf("who loses the jackpots behind the result is not told them again: %s", id)
	}
	var day DayResults
	r.send(http.MethodGet, "/v1/results/2026-11-15", "").into(t, &day)
	if len(day.Results) != 1 || result.Ordinal != played.Ordinal ||
		!reflect.DeepEqual(result, PublishedResult{1, day.Results[0]}) {
		t.Errorf("the stream says %+v, the day has %+v", result, day.Results)
	}
	if id := next("jackpots", &grown); id == "" || len(grown.Jackpots) != len(now.Jackpots) {
		t.Errorf("%s: %+v", id, grown)
	}
}
