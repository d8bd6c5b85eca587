package api

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/house"
)

// mostDays bounds the days that are listed.
const mostDays = 400

// ResultDays are Keno Days with games.
type ResultDays struct {
	Days []string `json:"days" doc:"Newest first."`
	Page
}

// DayResults are the results of a Keno Day.
type DayResults struct {
	Day     string       `json:"day"`
	Results []GameResult `json:"results" doc:"Of the games that are over, in their order."`
}

// GameResult is the result of a game, for anybody who publishes it.
type GameResult struct {
	GameName
	Void      bool       `json:"void,omitempty" doc:"The game has no result, and its numbers do not count."`
	Revision  uint8      `json:"revision,omitempty" doc:"Above 1 if it was settled again."`
	Numbers   []int      `json:"numbers" doc:"In the order drawn."`
	SettledAt time.Time  `json:"settled_at,omitzero"`
	Corrected *Corrected `json:"corrected,omitempty" doc:"Of a game whose result was corrected."`
	Seal      string     `json:"seal,omitempty" doc:"Where the seal's record stands in the journal."`
}

// resultRoutes registers the results for the public. They may be kept by anybody who carries
// them: each has a tag of its content, and who has it already is told so.
func (s *server) resultRoutes() {
	s.serve(route{
		line: true, name: "list-result-days", path: "/v1/results", says: "The Keno Days with results, newest first",
		query: []*huma.Param{
			optional(afterName, huma.TypeString, "The last of the days that were seen, a date; the newest follow if absent."),
			counted(limitName, mostDays, mostDays, "How many days."),
		},
		tag: "games", who: everybody, out: ResultDays{},
	}, s.listResultDays)
	s.serve(route{
		line: true, name: "get-results", path: "/v1/results/{day}", says: "The results of a Keno Day", tag: "games",
		who: everybody, out: DayResults{},
	}, s.getResults)
	s.serve(route{
		line: true, name: "get-results-csv", path: "/v1/results/{day}/csv", says: "The results of a Keno Day as a table",
		tag: "games", who: everybody, gives: texts("text/csv"),
		tells: "Day, game, ordinal, void, revision, when it was settled, and the numbers in the order drawn.",
	}, s.getResultsCSV)
}

func (s *server) listResultDays(w http.ResponseWriter, r *http.Request) error {
	after, err := dayParam(r, afterName, day.None)
	if err != nil {
		return err
	}
	limit, err := countParam(r, limitName, mostDays, mostDays)
	if err != nil {
		return err
	}
	view := ResultDays{Days: []string{}}
	var page []day.Day
	page, view.Page = cut(lineOf(r).DaysBefore(after, int(limit)+1), int(limit))
	for _, d := range page {
		view.Days = append(view.Days, d.String())
	}
	return writeKept(w, view)
}

// resultsOf reads the results of the day that a path names.
func (s *server) resultsOf(r *http.Request) (DayResults, error) {
	d, err := day.Parse(r.PathValue("day"))
	if err != nil {
		return DayResults{}, &refusal.Refusal{Code: ParameterValue, Path: "day",
			Sentence: "A Keno Day is a date such as 2026-11-15."}
	}
	line := lineOf(r)
	view := DayResults{Day: d.String(), Results: []GameResult{}}
	for _, g := range line.GamesOf(d) {
		if g.IsSettled() || g.IsVoid() {
			view.Results = append(view.Results, s.viewResult(g))
		}
	}
	return view, nil
}

func (s *server) viewResult(g house.Game) GameResult {
	view := GameResult{GameName: nameOf(g), Void: g.IsVoid(), Revision: g.Settled.Revision, Numbers: []int{}}
	if g.Sealed() {
		view.Seal = g.SealPlace.String()
	}
	if g.IsSettled() {
		view.Numbers, view.SettledAt, view.Corrected = numbersOf(g), s.time(g.SettledAt), correctedOf(g)
	}
	return view
}

func (s *server) getResults(w http.ResponseWriter, r *http.Request) error {
	view, err := s.resultsOf(r)
	if err != nil {
		return err
	}
	return writeKept(w, view)
}

func (s *server) getResultsCSV(w http.ResponseWriter, r *http.Request) error {
	view, err := s.resultsOf(r)
	if err != nil {
		return err
	}
	rows := [][]string{{"day", "game", "ordinal", "void", "revision", "settled_at", "numbers"}}
	for _, g := range view.Results {
		settled := ""
		if !g.SettledAt.IsZero() {
			settled = g.SettledAt.Format(time.RFC3339)
		}
		rows = append(rows, []string{
			g.Day, strconv.Itoa(int(g.Game)), strconv.FormatUint(uint64(g.Ordinal), 10), strconv.FormatBool(g.Void),
			strconv.Itoa(int(g.Revision)),
			settled, strings.Trim(fmt.Sprint(g.Numbers), "[]"),
		})
	}
	return keepTable(w, rows)
}

// keepTable answers with a table that may be kept.
func keepTable(w http.ResponseWriter, rows [][]string) error {
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows); err != nil {
		return err
	}
	keep(w, "text/csv; charset=utf-8", out.Bytes())
	return nil
}

// writeKept answers with a value that may be kept.
func writeKept(w http.ResponseWriter, v any) error {
	data, err := encode(v)
	if err != nil {
		return err
	}
	keep(w, jsonMedia, data)
	return nil
}

// keptFor is how long a result may be shown without asking again. A day that is over may
// still be settled again, so that none is kept for ever.
const keptFor = 5 * time.Second

// keep answers with what may be kept.
func keep(w http.ResponseWriter, kind string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(keptFor.Seconds())))
	_, _ = w.Write(data) // An error means that the client is gone.
}
