package api

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/books"
	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/journal/record"
)

const (
	// ReportUnknown: there is no such report.
	ReportUnknown refusal.Code = "report_unknown"
	// ReportWhole: the report is of the house as a whole, and not of one venue.
	ReportWhole refusal.Code = "report_whole"
	// ReportVenue: somebody of a venue sees what is of that venue, and has to name it.
	ReportVenue refusal.Code = "report_venue"
	// ReportEmpty: there was no trading day in the time.
	ReportEmpty refusal.Code = "report_empty"
)

// Reports are those that can be had.
type Reports struct {
	Reports []ReportKind `json:"reports"`
	Formats []string     `json:"formats" doc:"As which a report can be had besides JSON."`
}

// ReportKind is a report that can be had.
type ReportKind struct {
	Name    string `json:"name"`
	About   string `json:"about" doc:"What it answers."`
	ByVenue bool   `json:"by_venue" doc:"Whether it can be had for one venue."`
}

// ReportTable is a report.
type ReportTable struct {
	Title   string         `json:"title"`
	Period  string         `json:"period" doc:"The trading days that it is of."`
	Notes   []string       `json:"notes" doc:"What must be known to read it."`
	Figures []ReportFigure `json:"figures" doc:"What a person looks for first, as a person reads it."`
	Columns []ReportColumn `json:"columns"`
	Rows    [][]string     `json:"rows" doc:"Counts as digits; amounts and shares with two decimals and nothing else."`
	Total   []string       `json:"total,omitempty"`
}

// ReportFigure is a number of a report that stands out.
type ReportFigure struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ReportColumn is a column of a report.
type ReportColumn struct {
	Name string `json:"name"`
	Kind string `json:"kind" enum:"text,count,amount,share" doc:"An amount is in dollars, a share in percent."`
}

// reportRoutes registers the reports.
func (s *server) reportRoutes() {
	which := []*huma.Param{
		optional("from", huma.TypeString, "First trading day, a date; 30 days before the last if absent."),
		optional("to", huma.TypeString, "Last trading day, a date; that of today if absent."),
		optional("venue", huma.TypeInteger, "The one venue."),
	}
	s.serve(route{
		name: "list-reports", path: "/v1/reports", says: "The reports that can be had", tag: "reports",
		who: reporting, out: Reports{},
	}, s.listReports)
	s.serve(route{
		line: true, name: "get-report", path: "/v1/reports/{report}", says: "A report of a series of games, or of the house where the query names none", tag: "reports", who: reporting,
		refuses: "report_empty report_unknown report_venue report_whole", query: which, out: ReportTable{},
	}, s.getReport)
	s.serve(route{
		line: true, name: "get-report-file", path: "/v1/reports/{report}/{format}", says: "A report as a file",
		tag: "reports",
		who: reporting, refuses: "report_empty report_unknown report_venue report_whole", query: which,
		gives: reportFiles(), tells: "The report.",
	}, s.getReportFile)
}

func (s *server) listReports(w http.ResponseWriter, r *http.Request) error {
	view := Reports{Reports: []ReportKind{}}
	central := callerOf(r).person.HasAny(wholeHouse...)
	for _, kind := range report.All() {
		if central || kind.ByVenue {
			view.Reports = append(view.Reports,
				ReportKind{Name: string(kind.Name), About: kind.About, ByVenue: kind.ByVenue})
		}
	}
	for _, f := range report.Formats() {
		view.Formats = append(view.Formats, string(f))
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// wholeHouse is who sees reports of all venues.
var wholeHouse = []record.Role{record.RoleAdministrator, record.RoleSupervisor, record.RoleOperative,
	record.RoleInspector}

func (s *server) getReport(w http.ResponseWriter, r *http.Request) error {
	table, err := s.reportFor(r)
	if err != nil {
		return err
	}
	s.writeJSON(w, r, http.StatusOK, viewReport(table))
	return nil
}

func (s *server) getReportFile(w http.ResponseWriter, r *http.Request) error {
	format := report.Format(r.PathValue("format"))
	if err := knownFormat(format); err != nil {
		return err
	}
	table, err := s.reportFor(r)
	if err != nil {
		return err
	}
	return s.writeReport(w, table, r.PathValue("report"), format)
}

// reportFiles describes the files as which a report can be had.
func reportFiles() map[string]*huma.MediaType {
	content := map[string]*huma.MediaType{}
	for _, f := range report.Formats() {
		content[f.MediaType()] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	return content
}

// knownFormat refuses a form in which reports cannot be had.
func knownFormat(format report.Format) error {
	if !slices.Contains(report.Formats(), format) {
		return &refusal.Refusal{Code: ParameterValue, Path: "format",
			Sentence: fmt.Sprintf("A report can be had as %v.", report.Formats())}
	}
	return nil
}

// writeReport answers a report as a file.
func (s *server) writeReport(w http.ResponseWriter, table *report.Table, name string, format report.Format) error {
	table.Money = s.house.First().Book().Money()
	table.House, table.Made = s.house.Name(), s.now().UTC().Format("2006-01-02 15:04 UTC")
	var out bytes.Buffer
	if err := table.Write(&out, format); err != nil {
		return err
	}
	w.Header().Set("Content-Type", format.MediaType())
	w.Header().Set("Cache-Control", "no-store")
	if format == report.XLSX || format == report.PDF {
		w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.%s"`, name, format))
	}
	_, _ = w.Write(out.Bytes()) // An error means that the client is gone.
	return nil
}

// reportFor makes the report that a request asks for, as far as its sender may see it.
func (s *server) reportFor(r *http.Request) (*report.Table, error) {
	kind, err := report.Find(report.Name(r.PathValue("report")))
	if err != nil {
		return nil, &refusal.Refusal{Code: ReportUnknown, Path: "report",
			Sentence: fmt.Sprintf("There is no such report; there are %v.", report.Names())}
	}
	venue, err := venueFor(r, kind)
	if err != nil {
		return nil, err
	}
	from, to, err := s.daysOf(r)
	if err != nil {
		return nil, err
	}
	days, err := s.booksFor(r, from, to)
	if err != nil {
		return nil, err
	}
	if len(days) == 0 {
		return nil, &refusal.Refusal{Code: ReportEmpty, Path: "from",
			Sentence: fmt.Sprintf("There was no trading day from %v to %v.", from, to)}
	}
	table, err := report.Make(kind.Name, days, report.Choice{Venue: venue,
		Digits: lineOf(r).Book().Games().Numbering.Digits,
		Read:   func(place record.Place) (record.Body, error) { return s.house.BodyAt(r.Context(), place) }})
	if err != nil {
		return nil, err
	}
	return table, nil
}

// booksFor returns the books of the series that a request names, with the lines of that series alone, or those of the
// house.
func (s *server) booksFor(r *http.Request, from, to day.Day) ([]*books.Book, error) {
	if r.URL.Query().Get(seriesName) == "" {
		return s.house.BooksBetween(r.Context(), from, to)
	}
	days, err := lineOf(r).BooksBetween(r.Context(), from, to)
	for i, b := range days {
		days[i] = b.Alone()
	}
	return days, err
}

// venueFor reads the venue that a request asks for, and holds it against who sent it.
func venueFor(r *http.Request, kind report.Report) (uint32, error) {
	const mostVenues = 1<<31 - 1
	venue, err := within(r, "venue", 0, 1, mostVenues)
	if err != nil {
		return 0, err
	}
	if venue != 0 && !kind.ByVenue {
		return 0, &refusal.Refusal{Code: ReportWhole, Path: "venue",
			Sentence: fmt.Sprintf("The report %s is of the house as a whole.", kind.Name)}
	}
	person := callerOf(r).person
	if person.HasAny(wholeHouse...) {
		return uint32(venue), nil
	}
	if venue == 0 || !person.Has(record.RoleSenior, uint32(venue)) {
		return 0, &refusal.Refusal{Code: ReportVenue, Path: "venue",
			Sentence: "Name a venue at which you are senior: this takes a role of the central site otherwise."}
	}
	return uint32(venue), nil
}

// reportDays is of how many days a report is if nobody says.
const reportDays = 31

// daysOf reads the days that a request asks for.
func (s *server) daysOf(r *http.Request) (from, to day.Day, err error) {
	// Nowhere is it later than fourteen hours ahead of UTC.
	year, month, date := s.now().UTC().Add(14 * time.Hour).Date()
	if to, err = day.Of(year, int(month), date); err != nil {
		return 0, 0, err
	}
	if to, err = dayParam(r, "to", to); err != nil {
		return 0, 0, err
	}
	if from, err = dayParam(r, "from", to-reportDays+1); err != nil {
		return 0, 0, err
	}
	if from > to || to-from >= mostDays {
		return 0, 0, &refusal.Refusal{Code: ParameterValue, Path: "from",
			Sentence: "A report is of up to " + strconv.Itoa(mostDays) + " days, the first before the last."}
	}
	return from, to, nil
}

// dayParam reads an optional day of a query.
func dayParam(r *http.Request, name string, unless day.Day) (day.Day, error) {
	given := r.URL.Query().Get(name)
	if given == "" {
		return unless, nil
	}
	d, err := day.Parse(given)
	if err != nil {
		return 0, &refusal.Refusal{Code: ParameterValue, Path: name,
			Sentence: "A trading day is a date such as 2026-11-15."}
	}
	return d, nil
}

func viewReport(t *report.Table) ReportTable {
	view := ReportTable{Title: t.Title, Period: t.Period, Notes: t.Notes, Figures: []ReportFigure{},
		Columns: []ReportColumn{}, Rows: [][]string{}}
	for _, f := range t.Figures {
		view.Figures = append(view.Figures, ReportFigure(f))
	}
	for _, c := range t.Columns {
		view.Columns = append(view.Columns, ReportColumn{Name: c.Name, Kind: c.Kind.String()})
	}
	plain := func(row []report.Cell) []string {
		cells := make([]string, len(row))
		for i, c := range t.Columns {
			cells[i] = c.Plain(row[i])
		}
		return cells
	}
	for _, row := range t.Rows {
		view.Rows = append(view.Rows, plain(row))
	}
	if t.Total != nil {
		view.Total = plain(t.Total)
	}
	return view
}
