package api

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"drawhouse/books"
	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/house"
	"drawhouse/journal/record"
)

const (
	// ReportUnknown: there is no such report.
	ReportUnknown refusal.Code = "report_unknown"
	// ReportWhole: the report is of the house as a whole, and not of one venue.
	ReportWhole refusal.Code = "report_whole"
	// ReportVenue: somebody of a venue sees what is of that venue, and has to name it.
	ReportVenue refusal.Code = "report_venue"
	// ReportNoFigure: the report has no such figure.
	ReportNoFigure refusal.Code = "report_no_figure"
	// ReportNoSum: the figure is no sum of records, such as a share.
	ReportNoSum refusal.Code = "report_no_sum"
	// ReportEmpty: there was no trading day in the time.
	ReportEmpty refusal.Code = "report_empty"
)

// Reports are those that can be had.
type Reports struct {
	Reports []ReportKind `json:"reports"`
	Formats []string     `json:"formats" doc:"As which a report can be had besides JSON."`
	// Series are there for who chooses one of them.
	Series []ReportSeries `json:"series" doc:"The series of games of the house, by number."`
}

// ReportSeries is a series of games of which a report can be had alone.
type ReportSeries struct {
	Series uint8  `json:"series"`
	Name   string `json:"name" doc:"As in seals."`
}

// ReportKind is a report that can be had.
type ReportKind struct {
	Name     string         `json:"name"`
	About    string         `json:"about" doc:"What it answers."`
	ByVenue  bool           `json:"by_venue" doc:"Whether it can be had for one venue."`
	BySeries bool           `json:"by_series" doc:"Whether it can be had for one series of games."`
	ByTime   bool           `json:"by_time" doc:"Whether it can be had by day, month or year."`
	Behind   bool           `json:"behind" doc:"Whether the records behind its figures can be listed."`
	Days     string         `json:"days" enum:"some,one,none" doc:"Of which days it is: of some, of one that must be named, or of the end of the journal."`
	Columns  []ReportColumn `json:"columns" doc:"What its columns mean. N stands for a number that the report has."`
}

// ReportTable is a report.
type ReportTable struct {
	Title   string         `json:"title"`
	Period  string         `json:"period" doc:"The trading days that it is of."`
	UpTo    string         `json:"up_to,omitempty" doc:"The last record that the report has read, with its time: what the journal has behind it changes nothing."`
	Notes   []string       `json:"notes" doc:"What must be known to read it."`
	Figures []ReportFigure `json:"figures" doc:"What a person looks for first, as a person reads it."`
	Columns []ReportColumn `json:"columns"`
	Rows    [][]string     `json:"rows" doc:"Counts as digits; amounts and shares with two decimals and nothing else."`
	// Subtotals are there where the report shows several series.
	Subtotals [][]string `json:"subtotals,omitempty" doc:"The totals of each series, where the report has rows of several."`
	Total     []string   `json:"total,omitempty"`
}

// ReportFigure is a number of a report that stands out.
type ReportFigure struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ReportColumn is a column of a report.
type ReportColumn struct {
	Name  string `json:"name"`
	Kind  string `json:"kind" enum:"text,count,amount,share" doc:"An amount is in dollars, a share in percent."`
	Means string `json:"means" doc:"The definition of the column. A name means the same in every report."`
	Over  string `json:"over" enum:"key,label,item,remark,flow,opening,closing,ratio" doc:"How the values of several days come to one: a flow is their sum, an opening the first, a closing the last, and a ratio is worked out of sums. A text names the row (key), goes with what names it (label), names one thing alone (item) or says something about it (remark)."`
}

// reportRoutes registers the reports.
func (s *server) reportRoutes() {
	which := []*huma.Param{
		optional("from", huma.TypeString, "First trading day, a date; 30 days before the last if absent."),
		optional("to", huma.TypeString, "Last trading day, a date; that of today if absent."),
		optional("venue", huma.TypeInteger, "The one venue."),
		optional("by", huma.TypeString, "A row for each day, month or year; the report then begins with the year of its last day if nothing else is said."),
	}
	which = append(which, optional("year_begins", huma.TypeInteger,
		"The month with which years begin, from 1 to 12; calendar years if absent."))
	s.serve(route{
		name: "list-reports", path: "/v1/reports", says: "The reports that can be had", tag: "reports",
		who: reporting, out: Reports{},
	}, s.listReports)
	s.serve(route{
		line: true, name: "get-report", path: "/v1/reports/{report}", says: "A report of a series of games, or of all where the query names none", tag: "reports", who: reporting,
		refuses: "report_empty report_unknown report_venue report_whole", query: which, out: ReportTable{},
	}, s.getReport)
	s.serve(route{
		line: true, name: "get-report-behind", path: "/v1/reports/{report}/behind",
		says: "The records that make a figure of a report", tag: "reports", who: reporting,
		refuses: "report_empty report_no_figure report_no_sum report_unknown report_venue report_whole",
		query: append(slices.Clone(which),
			optional("figure", huma.TypeString, "The row from 1 on, or total, and the column: 3/Sold.")),
		out: ReportTable{},
	}, s.getBehind)
	s.serve(route{
		line: true, name: "get-report-file", path: "/v1/reports/{report}/{format}", says: "A report as a file",
		tag: "reports",
		who: reporting, refuses: "report_empty report_unknown report_venue report_whole", query: which,
		gives: reportFiles(), tells: "The report.",
	}, s.getReportFile)
}

func (s *server) listReports(w http.ResponseWriter, r *http.Request) error {
	view := Reports{Reports: []ReportKind{}, Series: []ReportSeries{}}
	said, err := s.seriesSaid()
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(said)) {
		view.Series = append(view.Series, ReportSeries{id, said[id].Name})
	}
	central := callerOf(r).person.HasAny(wholeHouse...)
	for _, kind := range report.All() {
		if central || kind.ByVenue {
			view.Reports = append(view.Reports,
				ReportKind{Name: string(kind.Name), About: kind.About, ByVenue: kind.ByVenue, BySeries: true,
					ByTime: !kind.Lists(), Behind: true, Days: daysSome, Columns: viewColumns(kind.Columns)})
		}
	}
	for _, l := range offered() {
		if central || l.ByVenue {
			view.Reports = append(view.Reports, ReportKind{Name: string(l.Name), About: l.About, ByVenue: l.ByVenue,
				BySeries: l.ByVenue || l.Name == report.Certificate, ByTime: l.ByTime, Behind: l.Adds(),
				Days: daysOfList(l), Columns: viewColumns(l.Columns)})
		}
	}
	for _, f := range report.Formats() {
		view.Formats = append(view.Formats, string(f))
	}
	s.writeJSON(w, r, http.StatusOK, view)
	return nil
}

// Of which days a report is.
const (
	daysSome = "some"
	daysOne  = "one"
	daysNone = "none"
)

func daysOfList(l report.List) string {
	switch {
	case l.ByTime:
		return daysSome
	case l.Name == report.Certificate:
		return daysOne
	}
	return daysNone
}

// offered returns the reports that are not of the books and are had as the others. Unclaimed prizes have an address of
// their own, which names tickets by their serials.
func offered() []report.List {
	return slices.DeleteFunc(report.Lists(), func(l report.List) bool { return l.Name == report.Unclaimed })
}

// names returns the names of the reports that can be had.
func names() []report.Name {
	all := report.Names()
	for _, l := range offered() {
		all = append(all, l.Name)
	}
	return all
}

// list makes a report that is not of the books, or lists the records behind a figure of it.
func (s *server) list(r *http.Request, l report.List, figure string) (*report.Table, error) {
	asked := house.ListAsked{Name: l.Name, Behind: figure}
	var err error
	if asked.Choice.Venue, err = venueFor(r, l.Name, l.ByVenue); err != nil {
		return nil, err
	}
	if asked.Choice.By, err = byOf(r, l.Name, l.ByTime); err != nil {
		return nil, err
	}
	if asked.Choice.YearBegins, err = yearBegins(r); err != nil {
		return nil, err
	}
	if asked.From, err = dayParam(r, "from", day.None); err != nil {
		return nil, err
	}
	if asked.To, err = dayParam(r, "to", day.None); err != nil {
		return nil, err
	}
	asked.Series = seriesAsked(r)
	table, err := s.house.List(r.Context(), asked)
	switch {
	case errors.Is(err, house.ErrOneDay):
		return nil, &refusal.Refusal{Code: ParameterValue, Path: "from",
			Sentence: "A certificate is of one Keno Day: name it."}
	case errors.Is(err, house.ErrAllSeries):
		return nil, &refusal.Refusal{Code: ParameterValue, Path: seriesName,
			Sentence: "The accounts are those of all series: name none."}
	case errors.Is(err, report.ErrNoDay), errors.Is(err, report.ErrNoGame):
		return nil, &refusal.Refusal{Code: ReportEmpty, Path: "from", Sentence: "There was nothing in this time."}
	case errors.Is(err, house.ErrNoBehind):
		err = report.ErrNoSum
	}
	return table, refusedFigure(err)
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
	table.House = s.house.Name()
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
	if l, ok := listFor(r); ok {
		return s.list(r, l, "")
	}
	name, days, choice, err := s.askedReport(r)
	if err != nil {
		return nil, err
	}
	stored, err := s.house.Journal()
	if err != nil {
		return nil, err
	}
	if choice.Since, err = house.BookedSince(r.Context(), stored, name, seriesAsked(r), days); err != nil {
		return nil, err
	}
	return report.Make(name, days, choice)
}

// seriesAsked returns the series that a question names, or 0.
func seriesAsked(r *http.Request) uint8 {
	if r.URL.Query().Get(seriesName) == "" {
		return 0
	}
	return lineOf(r).ID()
}

// listFor returns the report that is not of the books for which a request asks, if it asks for one.
func listFor(r *http.Request) (report.List, bool) {
	for _, l := range offered() {
		if string(l.Name) == r.PathValue("report") {
			return l, true
		}
	}
	return report.List{}, false
}

// askedReport reads which report a request asks for, as far as its sender may see it.
func (s *server) askedReport(r *http.Request) (name report.Name, days []*books.Book, choice report.Choice, err error) {
	kind, err := report.Find(report.Name(r.PathValue("report")))
	if err != nil {
		return "", nil, choice, &refusal.Refusal{Code: ReportUnknown, Path: "report",
			Sentence: fmt.Sprintf("There is no such report; there are %v.", names())}
	}
	if choice.Venue, err = venueFor(r, kind.Name, kind.ByVenue); err != nil {
		return "", nil, choice, err
	}
	if choice.By, err = byOf(r, kind.Name, !kind.Lists()); err != nil {
		return "", nil, choice, err
	}
	if choice.YearBegins, err = yearBegins(r); err != nil {
		return "", nil, choice, err
	}
	from, to, err := s.daysBy(r, choice)
	if err != nil {
		return "", nil, choice, err
	}
	if days, err = s.booksFor(r, kind.Name, from, to); err != nil {
		return "", nil, choice, err
	}
	if len(days) == 0 {
		return "", nil, choice, &refusal.Refusal{Code: ReportEmpty, Path: "from",
			Sentence: fmt.Sprintf("There was no trading day from %v to %v.", from, to)}
	}
	stored, err := s.house.Journal()
	if err != nil {
		return "", nil, choice, err
	}
	choice.Read = house.ReaderOf(r.Context(), stored)
	if choice.Series, err = s.seriesSaid(); err != nil {
		return "", nil, choice, err
	}
	return kind.Name, days, choice, nil
}

// getBehind answers the records that make a figure of a report.
func (s *server) getBehind(w http.ResponseWriter, r *http.Request) error {
	figure := r.URL.Query().Get("figure")
	if l, ok := listFor(r); ok {
		if _, _, err := report.ParseFigure(figure); err != nil {
			return refusedFigure(err)
		}
		table, err := s.list(r, l, figure)
		if err != nil {
			return err
		}
		s.writeJSON(w, r, http.StatusOK, viewReport(table))
		return nil
	}
	name, days, choice, err := s.askedReport(r)
	if err != nil {
		return err
	}
	row, column, err := report.ParseFigure(figure)
	if err != nil {
		return refusedFigure(err)
	}
	b, err := report.NewBehind(name, days, choice, row, column)
	if err != nil {
		return refusedFigure(err)
	}
	if err := s.house.EveryRecord(r.Context(), func(place record.Place, one record.Record) (bool, error) {
		if b.Over(place) {
			return false, nil
		}
		return true, b.Add(place, one)
	}); err != nil {
		return err
	}
	table, err := b.Table()
	if err != nil {
		return refusedFigure(err)
	}
	s.writeJSON(w, r, http.StatusOK, viewReport(table))
	return nil
}

// refusedFigure says why a figure has no list of records.
func refusedFigure(err error) error {
	switch {
	case errors.Is(err, report.ErrNoSum):
		return &refusal.Refusal{Code: ReportNoSum, Path: "figure",
			Sentence: "This figure is not added up of records: there is no list of them."}
	case errors.Is(err, report.ErrNoFigure):
		return &refusal.Refusal{Code: ReportNoFigure, Path: "figure",
			Sentence: "There is no such figure. Name its row and column, such as 3/Sold or total/Sold."}
	}
	return err
}

// seriesSaid returns what reports say of the series of the house.
func (s *server) seriesSaid() (map[uint8]report.Series, error) {
	said := map[uint8]report.Series{}
	for _, id := range s.house.SeriesIDs() {
		line, err := s.house.Line(id)
		if err != nil {
			return nil, err
		}
		said[id] = report.Series{Name: line.Name(), Digits: line.Book().Games().Numbering.Digits}
	}
	return said, nil
}

// booksFor returns the books of which a report is made, of the series that a request names or of all.
func (s *server) booksFor(r *http.Request, name report.Name, from, to day.Day) (days []*books.Book, err error) {
	if seriesAsked(r) == 0 {
		days, err = s.house.BooksBetween(r.Context(), from, to)
	} else {
		days, err = lineOf(r).BooksBetween(r.Context(), from, to)
	}
	return report.Pick(name, days, seriesAsked(r)), err
}

// venueFor reads the venue that a request asks for, and holds it against who sent it.
func venueFor(r *http.Request, name report.Name, byVenue bool) (uint32, error) {
	const mostVenues = 1<<31 - 1
	venue, err := within(r, "venue", 0, 1, mostVenues)
	if err != nil {
		return 0, err
	}
	if venue != 0 && !byVenue {
		return 0, &refusal.Refusal{Code: ReportWhole, Path: "venue",
			Sentence: fmt.Sprintf("The report %s is of the house as a whole.", name)}
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

// byOf reads by which time a request asks for a report.
func byOf(r *http.Request, name report.Name, byTime bool) (report.By, error) {
	by := report.By(r.URL.Query().Get("by"))
	switch {
	case by == "":
		return by, nil
	case !slices.Contains(report.Bys(), by):
		return "", &refusal.Refusal{Code: ParameterValue, Path: "by",
			Sentence: fmt.Sprintf("A report can be had by %v.", report.Bys())}
	case !byTime:
		return "", &refusal.Refusal{Code: ParameterValue, Path: "by",
			Sentence: fmt.Sprintf("The report %s lists single things and adds up no days.", name)}
	}
	return by, nil
}

// yearBegins reads the month with which years begin.
func yearBegins(r *http.Request) (int, error) {
	month, err := within(r, "year_begins", 1, 1, report.Months)
	return month, err
}

// daysOf reads the days that a request asks for.
func (s *server) daysOf(r *http.Request) (from, to day.Day, err error) {
	return s.daysBy(r, report.Choice{})
}

// mostYears bounds the days of a report by month or year.
const mostYears = 10

// daysBy reads the days that a request asks for, for a report by some time.
func (s *server) daysBy(r *http.Request, c report.Choice) (from, to day.Day, err error) {
	// Nowhere is it later than fourteen hours ahead of UTC.
	year, month, date := s.now().UTC().Add(14 * time.Hour).Date()
	if to, err = day.Of(year, int(month), date); err != nil {
		return 0, 0, err
	}
	if to, err = dayParam(r, "to", to); err != nil {
		return 0, 0, err
	}
	begins, err := c.From(to)
	if err != nil {
		return 0, 0, err
	}
	if from, err = dayParam(r, "from", begins); err != nil {
		return 0, 0, err
	}
	most := day.Day(mostDays)
	if c.By == report.ByMonth || c.By == report.ByYear {
		most *= mostYears
	}
	if from > to || to-from >= most {
		return 0, 0, &refusal.Refusal{Code: ParameterValue, Path: "from",
			Sentence: fmt.Sprintf("A report is of up to %d days, the first before the last.", most)}
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

func viewColumns(columns []report.Column) []ReportColumn {
	views := make([]ReportColumn, len(columns))
	for i, c := range columns {
		views[i] = ReportColumn{Name: c.Name, Kind: c.Kind.String(), Means: c.Means, Over: c.Over.String()}
	}
	return views
}

func viewReport(t *report.Table) ReportTable {
	view := ReportTable{Title: t.Title, Period: t.Period, UpTo: t.UpTo.String(), Notes: t.Notes, Figures: []ReportFigure{},
		Rows: [][]string{}}
	for _, f := range t.Figures {
		view.Figures = append(view.Figures, ReportFigure(f))
	}
	view.Columns = viewColumns(t.Columns)
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
	for _, row := range t.Subtotals {
		view.Subtotals = append(view.Subtotals, plain(row))
	}
	if t.Total != nil {
		view.Total = plain(t.Total)
	}
	return view
}
