package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/rulebook/rules"
)

// TestSalesNow counts what was sold and paid, by venue, terminal and minute.
func TestSalesNow(t *testing.T) {
	o := newOffice(t)
	look := func(query string) (now SalesNow) {
		t.Helper()
		o.as(o.inspector, http.MethodGet, "/v1/operator/sales"+query, "").into(t, &now)
		return now
	}
	if now := look(""); now.Total != (SalesTally{}) || len(now.Minutes) != 60 || now.Day != "2026-11-15" || !now.DayOpen {
		t.Errorf("before the first sale: %+v", now)
	}
	sold, code := o.sell(oneSpot)
	o.sell(oneSpot)
	o.cancel(1, sold.Serial, code.String()).into(t, &Cancellation{})
	want := SalesTally{Sales: 2, SoldCents: 400, Cancelled: 1, GivenBackCents: 200}
	now := look("")
	if now.Total != want || len(now.Venues) != 1 || now.Venues[0] != (VenueSales{1, want}) ||
		now.Terminals[0] != (TerminalSales{1, 1, want}) {
		t.Errorf("%+v", now)
	}
	if last := now.Minutes[59]; last.SalesTally != want {
		t.Errorf("the last minute: %+v", last)
	}
	if other := look("?venue=2"); other.Total != want || other.Minutes[59].SalesTally != (SalesTally{}) {
		t.Errorf("the minutes of another venue: %+v", other)
	}
	for _, query := range []string{"?venue=0", "?venue=x", "?venue=99999999999"} {
		wantFault(t, o.as(o.first, http.MethodGet, "/v1/operator/sales"+query, ""), http.StatusBadRequest, "parameter_value",
			"venue")
	}
}

// TestJackpotHistory shows the jackpots after each game of the day, and over more days
// after the last game of each.
func TestJackpotHistory(t *testing.T) {
	o := newOffice(t)
	for range 3 {
		o.sell(`{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","spots":[1,2,3,4,5,6,7,8,9,10],"stake_cents":1000}]}`)
		o.play()
	}
	look := func(query string) (all JackpotHistory) {
		t.Helper()
		o.as(o.inspector, http.MethodGet, "/v1/operator/jackpots"+query, "").into(t, &all)
		return all
	}
	games := look("")
	if games.Step != "game" || len(games.Points) != 3 {
		t.Fatalf("%+v", games)
	}
	for i, point := range games.Points[1:] {
		before := games.Points[i].Pools
		if point.Ordinal != games.Points[i].Ordinal+1 || len(point.Pools) != len(before) ||
			!slices.ContainsFunc(point.Pools, func(p PoolPoint) bool {
				return slices.ContainsFunc(before, func(q PoolPoint) bool {
					return p.Spots == q.Spots &&
						p.PrimaryCents > q.PrimaryCents
				})
			}) {
			t.Errorf("no jackpot has grown: %+v, and before %+v", point, before)
		}
	}
	days := look("?days=31")
	if days.Step != "day" || len(days.Points) != 1 || !slices.Equal(days.Points[0].Pools, games.Points[2].Pools) {
		t.Errorf("by days: %+v, and the last game %+v", days, games.Points[2])
	}
	wantFault(t, o.as(o.first, http.MethodGet, "/v1/operator/jackpots?days=401", ""), http.StatusBadRequest,
		"parameter_value", "days")
}

// TestRulesKnown lists the rulebooks and compares the one in force with another that the
// program has.
func TestRulesKnown(t *testing.T) {
	o := newOffice(t)
	var known RulesKnown
	o.as(o.inspector, http.MethodGet, "/v1/operator/rulebooks", "").into(t, &known)
	if known.InForce != o.house.First().Book().Hash().String() || len(known.Adopted) != 1 ||
		len(known.Carried) != len(rules.IDs()) || len(known.Ahead) != 0 {
		t.Fatalf("%+v", known)
	}
	o.both("rulebooks", `{"id":"tas-keno-2023"}`)
	tas, err := rules.Book("tas-keno-2023")
	must(t, err)
	o.both("terms", `{"from":9,"rulebook":"`+known.InForce+`","schedule":"schedule-2","reference":"Gazette 12"}`)
	o.as(o.first, http.MethodGet, "/v1/operator/rulebooks", "").into(t, &known)
	if len(known.Adopted) != 2 || len(known.Ahead) != 1 ||
		known.Ahead[0] != (ChangeAhead{9, known.InForce, "schedule-2"}) {
		t.Errorf("with a change ahead: %+v", known)
	}
	var found RuleDifferences
	o.as(o.first, http.MethodGet, "/v1/operator/rulebooks/differences?from="+known.InForce+"&to="+tas.Hash().String(),
		"").into(t, &found)
	if found.To.ID != "tas-keno-2023" || len(found.Changes) == 0 {
		t.Errorf("%+v", found)
	}
	o.as(o.first, http.MethodGet, "/v1/operator/rulebooks/differences?from="+known.InForce+"&to="+known.InForce,
		"").into(t, &found)
	if len(found.Changes) != 0 {
		t.Errorf("a rulebook differs from itself: %+v", found.Changes)
	}
	wantFault(t, o.as(o.first, http.MethodGet, "/v1/operator/rulebooks/differences?from=x&to=x", ""), http.StatusNotFound,
		"rulebook_unknown", "from")
}

// TestClauses shows the clauses of a rulebook that the program has, and of no other.
func TestClauses(t *testing.T) {
	r := newRig(t)
	for range 2 {
		var all Clauses
		r.send(http.MethodGet, "/v1/rulebooks/vic-keno-2015/clauses", "").into(t, &all)
		if !slices.ContainsFunc(all.Clauses, func(c Clause) bool { return c.ID == "18(a)(i)(A)" && c.Says != "" }) {
			t.Errorf("no clause 18(a)(i)(A) among %d", len(all.Clauses))
		}
	}
	for _, id := range []string{"none", "..%2Fvic-keno-2015", "%2E", "vic-keno-2015%00"} {
		wantFault(t, r.send(http.MethodGet, "/v1/rulebooks/"+id+"/clauses", ""), http.StatusNotFound, "rulebook_unknown",
			"id")
	}
}

// TestNotice tells players something, something else and nothing: the board says it, the
// second opinion follows it, and what no screen can show is refused.
func TestNotice(t *testing.T) {
	o := newOffice(t)
	show := func(text string) reply {
		t.Helper()
		body, err := json.Marshal(command.ShowNotice{Text: text})
		must(t, err)
		return o.as(o.first, http.MethodPut, "/v1/operator/notice", string(body))
	}
	for _, text := range []string{"The bar closes at ten.", "The bar closes at eleven.", ""} {
		show(text).into(t, &Done{})
		if got := o.house.Hub().Board().Series[0].Notice; got != text {
			t.Errorf("the board says %q, want %q", got, text)
		}
		wantFault(t, show(text), http.StatusUnprocessableEntity, "notice_wrong", "text")
	}
	wantFault(t, show("two\nlines"), http.StatusUnprocessableEntity, "notice_wrong", "text")
	wantFault(t, o.as(o.inspector, http.MethodPut, "/v1/operator/notice", `{"text":"x"}`), http.StatusForbidden,
		"role_missing", "")
	o.verifies()
}

// TestMay holds what a session says of its person's roles against the table.
func TestMay(t *testing.T) {
	o := newOffice(t)
	var on SignedOn
	o.as(o.inspector, http.MethodGet, "/v1/session", "").into(t, &on)
	for id, want := range map[string]bool{"get-sales": true, "decide-approval": true, "read-journal": true, "pause": false,
		"add-venue": false, "sell": false, "get-board": false} {
		if slices.Contains(on.May, id) != want {
			t.Errorf("an inspector may %s: %v", id, !want)
		}
	}
	if !slices.IsSorted(on.May) {
		t.Errorf("%q is not sorted", on.May)
	}
}
