package api

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/core/day"
)

// TestSeveralSeries runs a second series of games beside the first over the interface: two persons begin it
// and license a venue for it, a terminal sells its games by its number, and every question names the series
// that it is about.
func TestSeveralSeries(t *testing.T) {
	o := newOffice(t)
	book := o.house.First().Book().Hash().String()
	wantFault(t, o.send(http.MethodGet, "/v1/games?series=2", ""), 404, "series_unknown", "series")
	wantFault(t, o.send(http.MethodGet, "/v1/games?series=0", ""), 400, "parameter_value", "series")
	o.both("series",
		fmt.Sprintf(`{"name":"evening-keno","rulebook":%q,"schedule":"schedule-1","interval_seconds":300,"reference":"letter 9"}`, book))
	second, err := o.house.Line(2)
	must(t, err)
	must(t, second.OpenDay(t.Context(), day.MustParse("2026-11-15"), 39_600))
	must(t, second.OpenGame(t.Context(), o.clock.Now().Add(5*time.Minute)))

	inSecond := func(body string) string { return strings.Replace(body, "{", `{"series":2,`, 1) }
	sell := func() (reply, string) {
		o.number++
		body, code := o.saleBody(1, o.number, oneSpot)
		return o.send(http.MethodPut, salePath(1, o.number), inSecond(body)), code.String()
	}
	refused, _ := sell()
	wantFault(t, refused, 403, "unlicensed", "series")
	var at Counter
	o.atTerminal(1, http.MethodGet, "/v1/terminals/1", "").into(t, &at)
	if len(at.Series) != 1 || at.Series[0] != (CounterSeries{1, "vic-keno"}) {
		t.Errorf("the terminal sells %v", at.Series)
	}
	o.both("licences", `{"venue":1,"of_series":2,"sells":true,"reference":"letter 10"}`)
	o.atTerminal(1, http.MethodGet, "/v1/terminals/1?series=2", "").into(t, &at)
	if len(at.Series) != 2 || at.Series[1] != (CounterSeries{2, "evening-keno"}) {
		t.Errorf("the terminal sells %v", at.Series)
	}
	var quoted Price
	o.atTerminal(1, http.MethodPost, "/v1/quote",
		inSecond(fmt.Sprintf(`{"terminal":1,"method":"verbal","ticket":%s}`, oneSpot))).into(t, &quoted)
	answer, code := sell()
	var sold Sale
	answer.into(t, &sold)
	if sold.CostCents != quoted.CostCents || sold.FirstGame.Game != 0 {
		t.Errorf("quoted %+v, sold %+v", quoted, sold)
	}

	must(t, second.TurnGame(t.Context(), o.clock.Now().Add(5*time.Minute)))
	for range 20 {
		must(t, second.DrawNumber(t.Context(), 1))
	}
	must(t, second.FinishDraw(t.Context(), 1))
	must(t, second.SettleGame(t.Context(), 1))
	for path, games := range map[string]int{"/v1/games": 1, "/v1/games?series=2": 2, "/v1/games?series=1": 1} {
		var list Games
		o.send(http.MethodGet, path, "").into(t, &list)
		if len(list.Games) != games {
			t.Errorf("%s has %d games", path, len(list.Games))
		}
	}
	o.send(http.MethodGet, "/v1/results/2026-11-15?series=2", "").into(t, &DayResults{})
	var ticket Ticket
	o.send(http.MethodGet, "/v1/tickets/"+sold.Serial, "").into(t, &ticket)
	o.send(http.MethodGet, "/v1/tickets/"+sold.Serial+"/proof?game=2026-11-15/0", "").into(t, &Proof{})
	if ticket.UnpaidCents > 0 {
		o.number++
		o.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/payment", o.number),
			fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, sold.Serial, code)).into(t, &Payment{})
	}
	reportsOfSeries(t, o)
	o.verifies()
}

// reportsOfSeries asks for reports of a house with two series: they have both, or the one that the question names.
func reportsOfSeries(t *testing.T, o *office) {
	t.Helper()
	var list Reports
	o.as(o.inspector, http.MethodGet, "/v1/reports", "").into(t, &list)
	if !slices.Equal(list.Series, []ReportSeries{{1, "vic-keno"}, {2, "evening-keno"}}) {
		t.Errorf("reports are of the series %v", list.Series)
	}
	for path, want := range map[string][]string{
		"days": {"2026-11-15 1 vic-keno 1", "2026-11-15 2 evening-keno 2"}, "days?series=2": {"2026-11-15 2 1"},
		"games": {"2026-11-15 1 vic-keno 0 ", "2026-11-15 2 evening-keno 0 ", "2026-11-15 2 evening-keno 1 "},
		"fund":  {"2026-11-15 1 vic-keno 0.00", "2026-11-15 2 evening-keno 0.00"},
	} {
		var table ReportTable
		o.as(o.inspector, http.MethodGet, "/v1/reports/"+path, "").into(t, &table)
		var rows []string
		for i, row := range table.Rows {
			if rows = append(rows, strings.Join(row, " ")); i < len(want) && strings.HasPrefix(rows[i], want[i]) {
				continue
			}
			t.Errorf("%s, row %d is %q", path, i+1, rows[i])
		}
		if len(rows) != len(want) || len(table.Subtotals) != map[bool]int{true: 0, false: 2}[strings.Contains(path, "=")] {
			t.Errorf("%s has the rows %q and the totals %q", path, rows, table.Subtotals)
		}
	}
	var unusual, behind ReportTable
	o.as(o.inspector, http.MethodGet, "/v1/reports/exceptions", "").into(t, &unusual)
	seen := map[string]int{}
	for _, row := range unusual.Rows {
		seen[row[1]+" "+row[6]]++
	}
	if seen["2 venue licensed"] != 1 || seen["- approval used"] < 2 {
		t.Errorf("unusual were %v", seen)
	}
	o.as(o.inspector, http.MethodGet, "/v1/reports/days/behind?figure=2/Sold", "").into(t, &behind)
	if cellOf(t, behind, "What") != "ticket sold" || cellOf(t, behind, "Adds") == "0.00" {
		t.Errorf("%+v", behind)
	}
}

// TestSeriesOfEveryRoute: a route that takes the number of a series refuses one that there is not.
func TestSeriesOfEveryRoute(t *testing.T) {
	o := newOffice(t)
	asked, _ := o.handler.(*Server)
	seen := 0
	for _, rt := range asked.server.routes {
		if !rt.line || rt.method != http.MethodGet {
			continue
		}
		seen++
		path := fill(strings.NewReplacer("{report}", "day", "{format}", "csv").Replace(rt.path)) + "?series=9"
		answer := o.as(o.first, rt.method, path, "")
		if strings.HasPrefix(path, "/v1/terminals/") {
			answer = o.atTerminal(1, rt.method, path, "")
		}
		wantFault(t, answer, 404, "series_unknown", "series")
	}
	if seen < 12 {
		t.Errorf("%d routes are about a series", seen)
	}
}
