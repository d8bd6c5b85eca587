package facts_test

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the database that the page is run in

	"drawhouse/books"
	"drawhouse/books/bets"
	"drawhouse/books/facts"
	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/decide/counter"
	"drawhouse/decide/engine"
	"drawhouse/decide/game"
	"drawhouse/house"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// tutorial is the page whose statements are run.
const tutorial = "../../docs/FACTS.md"

// block is the statements of the page in one frame: what prepares, or what computes a report.
type block struct{ does, name, text string }

var framed = regexp.MustCompile("(?s)```sql\n-- (\\w+) ?([\\w-]*)\n(.*?)```")

func blocks(t testing.TB) (list []block) {
	t.Helper()
	page, err := os.ReadFile(tutorial)
	must(t, err)
	for _, m := range framed.FindAllStringSubmatch(string(page), -1) {
		list = append(list, block{m[1], m[2], m[3]})
	}
	if len(list) < 15 || len(list) != strings.Count(string(page), "```sql") {
		t.Fatalf("the page has %d frames of statements", len(list))
	}
	return list
}

// database loads those of the tables that the page names.
type database struct {
	*sql.DB
	load []string // tables
	p    pack
}

// fill makes the tables anew and loads a house into them.
func (d *database) fill(t testing.TB, made memory) {
	t.Helper()
	tx, err := d.Begin()
	must(t, err)
	for _, r := range d.p.Resources {
		if !slices.Contains(d.load, r.Name) {
			continue
		}
		var columns, marks []string
		for _, f := range r.Schema.Fields {
			kind := "TEXT"
			if f.Type == "integer" {
				kind = "INTEGER"
			}
			columns, marks = append(columns, fmt.Sprintf("%q %s", f.Name, kind)), append(marks, "?")
		}
		_, err := tx.Exec(fmt.Sprintf("CREATE TABLE %q (%s)", r.Name, strings.Join(columns, ", ")))
		must(t, err)
		lines, err := csv.NewReader(bytes.NewReader(made[r.Path].Bytes())).ReadAll()
		must(t, err)
		if len(lines) == 1 {
			continue
		}
		insert, err := tx.Prepare(fmt.Sprintf("INSERT INTO %q VALUES (%s)", r.Name, strings.Join(marks, ", ")))
		must(t, err)
		defer func() { must(t, insert.Close()) }()
		for _, line := range lines[1:] {
			cells := make([]any, len(line))
			for i, cell := range line {
				if cells[i] = cell; cell == "" && r.Schema.Fields[i].Type != "string" {
					cells[i] = nil
				}
			}
			_, err := insert.Exec(cells...)
			must(t, err)
		}
	}
	must(t, tx.Commit())
}

// ask returns the rows of a query as texts, by column.
func (d *database) ask(t testing.TB, query string) (names []string, rows []map[string]string) {
	t.Helper()
	answer, err := d.Query(query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	defer func() { must(t, answer.Close()) }()
	names, err = answer.Columns()
	must(t, err)
	for answer.Next() {
		cells, to := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range cells {
			to[i] = &cells[i]
		}
		must(t, answer.Scan(to...))
		row := map[string]string{}
		for i, name := range names {
			row[name] = cells[i].String
			if !cells[i].Valid {
				row[name] = "-"
			}
		}
		rows = append(rows, row)
	}
	must(t, answer.Err())
	return names, rows
}

// tableRows returns the rows of a report as texts, by column.
func tableRows(made *report.Table) (rows []map[string]string) {
	for _, cells := range made.Rows {
		row := map[string]string{}
		for i, c := range made.Columns {
			if row[c.Name] = cells[i].Text; cells[i].Text == "" && c.Kind != report.Text {
				row[c.Name] = fmt.Sprint(cells[i].Number)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// compared counts the figures that were compared, by report.
type compared map[string]int

// same holds the rows that a query gave against those of a report: the same rows, and in each of its columns the same
// figure.
func (c compared) same(house, name string, names []string, got, want []map[string]string,
	keys int) (problems []string) {
	differ := func(form string, args ...any) {
		problems = append(problems, fmt.Sprintf("%s: %s: ", house, name)+fmt.Sprintf(form, args...))
	}
	key := func(row map[string]string) string { return of(row, names[:keys]) }
	at := map[string]map[string]string{}
	for _, row := range want {
		at[key(row)] = row
	}
	if len(got) != len(want) {
		differ("%d rows by the facts and %d in the report\n%v\n%v", len(got), len(want), got, want)
	}
	for _, row := range got {
		expected, ok := at[key(row)]
		if !ok {
			differ("the report has no row %s", key(row))
			continue
		}
		for _, column := range names {
			c[name]++
			if row[column] != expected[column] {
				differ("%s of %s is %s by the facts and %s in the report", column, key(row), row[column], expected[column])
			}
		}
	}
	return problems
}

// keysOf is how many columns name a row of a report.
var keysOf = map[string]int{"games": 3, "days": 2, "terminals": 2, "venues": 1, "shifts": 3, "accounts": 2, "owed": 1,
	"papers": 1, "fund": 2, "jackpots": 4, "bingo": 3, "unclaimed": 4, "bets": 3, "statements": 2, "venue-account": 2, "tax": 3,
	"remittances": 4}

// TestRecomputed computes every report of the page by the tables alone, with the statements of the page, in houses of
// every rulebook of keno and of bingo, and compares each figure with the report: the difference is 0.
func TestRecomputed(t *testing.T) {
	list, all, count := blocks(t), played(t), compared{}
	maps.Copy(all, quarters(t))
	db, err := sql.Open("sqlite", ":memory:")
	must(t, err)
	defer func() { must(t, db.Close()) }()
	db.SetMaxOpenConns(1)
	d := &database{DB: db}
	houses, closes, differences := map[string]int{}, map[string]int{}, 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		core := all[name]
		if strings.Contains(name, "bingo") {
			if err := closeHall(core); err != nil {
				continue // Its clock is on another day.
			}
		}
		days := closed(t, core)
		rulebook, _, _ := strings.Cut(name, "/")
		closes[rulebook] += len(days)
		if len(days) == 0 || os.Getenv("DRAWHOUSE_FACTS") == "" && houses[rulebook] >= housesOfBook &&
			!strings.HasSuffix(name, "/quarter") && !strings.HasSuffix(name, "/two") {
			continue
		}
		houses[rulebook]++
		if strings.HasSuffix(name, "/two") {
			houses["two series"]++
		}
		if strings.HasSuffix(name, "/two") || strings.HasSuffix(name, "/quarter") {
			verified, err := core.Verify()
			must(t, err)
			if verified.Failure != nil {
				t.Errorf("%s: %v", name, verified.Failure)
			}
		}
		made := export(t, core, facts.CSV)
		if d.load == nil {
			d.p = packOf(t, made)
			d.load = needed(d.p, list)
		}
		d.fill(t, made)
		before := maps.Clone(count)
		for _, p := range recompute(t, d, list, name, core, days, count) {
			t.Error(p)
			differences++
		}
		for _, report := range []string{"statements", "venue-account", "tax"} {
			if betOf[rulebook] != "" && strings.HasSuffix(name, "/quarter") && count[report] == before[report] {
				t.Errorf("%s: nothing of %s is compared", name, report)
			}
		}
		if strings.HasSuffix(name, "/two") {
			_, rows := d.ask(t, seriesStated)
			if !slices.ContainsFunc(rows, func(row map[string]string) bool { return row["series"] == "2" }) {
				t.Errorf("no statement of a venue is of several series: %v", rows)
			}
		}
		clear(t, db)
	}
	t.Logf("%v houses, %v days", houses, closes)
	sum := 0
	for _, name := range slices.Sorted(maps.Keys(keysOf)) {
		t.Logf("%s: %d figures", name, count[name])
		sum += count[name]
		if count[name] == 0 {
			t.Errorf("no figure of %s was compared", name)
		}
	}
	if houses["two series"] == 0 {
		t.Error("no house has two series")
	}
	t.Logf("%d figures of %d reports compared, differences %d", sum, len(count), differences)
}

// seriesStated counts the series of games that a statement is about, by the tables of the page.
const seriesStated = `SELECT s.venue, s.number, count(DISTINCT r.series) AS series FROM stated s
  JOIN worked w ON w.venue = s.venue AND w.at > max(s.after, s.begins) AND w.at < s.at
  JOIN records r ON r.record_volume * 1000000000000 + r.record_seq = w.at GROUP BY 1, 2`

// housesOfBook is of how many houses of a rulebook the books are computed again in a run of all tests.
const housesOfBook = 8

// needed returns the tables that statements name.
func needed(p pack, list []block) (tables []string) {
	named := map[string]bool{}
	for _, b := range list {
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(b.text, -1) {
			named[word] = true
		}
	}
	for _, r := range p.Resources {
		if named[r.Name] {
			tables = append(tables, r.Name)
		}
	}
	return tables
}

// clear drops all tables.
func clear(t testing.TB, db *sql.DB) {
	t.Helper()
	rows, err := db.Query("SELECT name FROM sqlite_master WHERE type = 'table'")
	must(t, err)
	defer func() { must(t, rows.Close()) }()
	var names []string
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		names = append(names, name)
	}
	must(t, rows.Err())
	must(t, rows.Close()) // The table is not dropped while it is read.
	for _, name := range names {
		_, err := db.Exec(fmt.Sprintf("DROP TABLE %q", name))
		must(t, err)
	}
}

// closeHall opens and closes a trading day in the house of a bingo room, so that there is a book of what was done.
func closeHall(core *cases.Core) error {
	last, err := record.Decode(core.Records[len(core.Records)-1])
	if err != nil {
		return err
	}
	if err := core.OpenDay(day.MustParse(last.Time.Time().Format(time.DateOnly))); err != nil {
		return err
	}
	if err := core.CloseDay(); err != nil {
		return err
	}
	return core.Take()
}

// closed returns the books of the days of all series that are closed.
func closed(t testing.TB, core *cases.Core) (days []*books.Book) {
	t.Helper()
	for _, data := range core.Records {
		r, err := record.Decode(data)
		must(t, err)
		if c, ok := r.Body.(*record.DayClosed); ok {
			book, err := books.Decode(core.Objects[game.BookName(c.Series, c.Day)])
			must(t, err)
			days = append(days, book)
		}
	}
	return days
}

// recompute runs the page in a house, and compares.
func recompute(t *testing.T, d *database, list []block, house string, core *cases.Core, days []*books.Book,
	count compared) (problems []string) {
	t.Helper()
	for _, b := range list {
		if b.does == "prepare" {
			if _, err := d.Exec(b.text); err != nil {
				t.Fatalf("%v\n%s", err, b.text)
			}
			continue
		}
		names, got := d.ask(t, b.text)
		name := cmp.Or(b.name, b.does)
		want := wanted(t, name, core, days, names)
		problems = append(problems, count.same(house, name, names, got, want, keysOf[name])...)
	}
	return problems
}

// wanted returns what a report says.
func wanted(t *testing.T, name string, core *cases.Core, days []*books.Book, columns []string) []map[string]string {
	t.Helper()
	switch name {
	case "unclaimed":
		return together(tableRows(unfetched(t, core)), columns, keysOf[name])
	case "bets":
		return together(tableRows(betting(t, core, days)), columns, keysOf[name])
	case "jackpots":
		return pools(days)
	case "statements":
		return statements(t, core)
	}
	made, err := report.Make(report.Name(name), report.Pick(report.Name(name), days, 0),
		report.Choice{Read: readerOf(core)})
	must(t, err)
	rows := tableRows(made)
	for _, row := range rows {
		row["Series"] = cmp.Or(row["Series"], "1") // A house with one series does not name it.
	}
	if name == "tax" { // Lines of days are those of the report days, and what is left is the rest of the return.
		rows = slices.DeleteFunc(rows, func(row map[string]string) bool { return row["Line"] != "return" })
	}
	if name == "shifts" || name == "accounts" {
		return together(rows, columns, keysOf[name])
	}
	return rows
}

// readerOf reads the records of a house in memory.
func readerOf(core *cases.Core) report.Reader {
	return func(place record.Place) (record.Record, error) { return record.Decode(core.Records[place.Seq]) }
}

// statements returns the statements of venues as they were recorded.
func statements(t *testing.T, core *cases.Core) (rows []map[string]string) {
	t.Helper()
	for _, data := range core.Records {
		r, err := record.Decode(data)
		must(t, err)
		b, ok := r.Body.(*record.VenueStated)
		if !ok {
			continue
		}
		row := map[string]string{"Venue": fmt.Sprint(b.Venue), "Statement": fmt.Sprint(b.Number), "From": b.From.String(),
			"To": b.To.String(), "Due": b.Due.String()}
		for name, cents := range map[string]money.Amount{"Sold": b.SoldCents, "Given back": b.BackCents,
			"Papers": b.PapersCents, "Prizes paid": b.PrizesCents, "Refunds": b.RefundsCents, "Fees": b.FeesCents,
			"Fees back": b.FeesBackCents, "Takings": b.TakingsCents, "Commission": b.CommissionCents, "Tax": b.TaxCents,
			"Made up": b.FloorCents, "Opening": b.OpeningCents, "Received": b.ReceivedCents, "Closing": b.ClosingCents} {
			row[name] = fmt.Sprint(cents.Cents())
		}
		rows = append(rows, row)
	}
	return rows
}

// together adds up rows with the same key, and leaves out those of which all is 0.
func together(rows []map[string]string, columns []string, keys int) (list []map[string]string) {
	sums, at := map[string]map[string]int64{}, map[string]map[string]string{}
	for _, row := range rows {
		key := of(row, columns[:keys])
		if sums[key] == nil {
			sums[key], at[key] = map[string]int64{}, row
		}
		for _, c := range columns[keys:] {
			var n int64
			_, _ = fmt.Sscan(row[c], &n)
			sums[key][c] += n
		}
	}
	for key, sum := range sums {
		any := false
		for c, n := range sum {
			at[key][c], any = fmt.Sprint(n), any || n != 0
		}
		if any {
			list = append(list, at[key])
		}
	}
	return list
}

// TestPageLoads runs the program of the page that loads an export, and asks the database that it makes.
func TestPageLoads(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import csv, json, sqlite3").Run(); err != nil {
		t.Skipf("THE PAGE IS NOT RUN: there is no %s: %v", python, err)
	}
	page, err := os.ReadFile(tutorial)
	must(t, err)
	_, program, found := strings.Cut(string(page), "```python\n")
	program, _, ends := strings.Cut(program, "```")
	if !found || !ends {
		t.Fatal("the page has no program")
	}
	core, book := trade(t)
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "data"), 0o700))
	for name, data := range export(t, core, facts.CSV) {
		must(t, os.WriteFile(filepath.Join(dir, name), data.Bytes(), 0o600))
	}
	file := filepath.Join(dir, "facts.db")
	if out, err := exec.Command(python, "-c", program, dir, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	db, err := sql.Open("sqlite", file)
	must(t, err)
	defer func() { must(t, db.Close()) }()
	d, count := &database{DB: db}, compared{}
	problems := recompute(t, d, blocks(t), "the page", core, []*books.Book{book}, count)
	for _, p := range problems {
		t.Error(p)
	}
	if count["terminals"] == 0 || count["unclaimed"] == 0 {
		t.Errorf("%v figures were compared", count)
	}
}

// TestRecomputedNotices changes one value of a table at a time, and expects that a figure differs then.
func TestRecomputedNotices(t *testing.T) {
	core := quarters(t)["vic-keno-2015/quarter"]
	made, list, days := export(t, core, facts.CSV), blocks(t), closed(t, core)
	db, err := sql.Open("sqlite", ":memory:")
	must(t, err)
	defer func() { must(t, db.Close()) }()
	db.SetMaxOpenConns(1)
	d := &database{DB: db, p: packOf(t, made)}
	d.load = needed(d.p, list)
	for _, c := range [][2]string{
		{"ticket_sold SET cost_cents = cost_cents + 1", ""}, {"ticket_sold SET request_terminal = 4 - request_terminal", ""},
		{"ticket_paid_parts SET cents = cents + 1", ""}, {"ticket_paid_parts SET ordinal = ordinal + 1", ""},
		{"ticket_cancelled SET refund_cents = refund_cents + 1", ""}, {"game_closed SET stakes_cents = stakes_cents + 1", ""},
		{"game_closed SET plays = plays + 1", ""}, {"game_settled SET prizes_cents = prizes_cents + 1", ""},
		{"game_settled SET carried_cents = carried_cents + 1", ""}, {"game_voided SET refund_cents = refund_cents + 1", ""},
		{"prizes SET cents = cents + 1", ""}, {"prizes SET ticket_seq = ticket_seq + 1", ""},
		{"refunds SET cents = cents + 1", ""}, {"postings SET cents = cents + 1", ""}, {"postings SET account = 'bank'", "WHERE account = 'cash'"},
		{"records SET kind = 'session ended'", "WHERE kind = 'instrument issued'"},
		{"instrument_issued SET cents = cents + 1", ""}, {"bank_counted SET counted_cents = counted_cents + 1", ""},
		{"shift_begun SET terminal = 2", "WHERE terminal = 1"}, {"venue_agreed SET sales_rate = sales_rate + 100", "WHERE venue = 1"},
		{"venue_agreed SET tax_rate = tax_rate + 500", "WHERE venue = 1"}, {"tax_stated SET rate = rate + 1000", ""},
		{"remittance_made SET cents = cents + 1", ""}, {"remittance_reversed SET reference = 'x'", ""},
		{"session_ended_tenders SET kind = 'unpaid', cents = cents + 1", ""},
	} {
		d.fill(t, made)
		change, where := c[0], c[1]
		table, _, _ := strings.Cut(change, " ")
		done, err := db.Exec(fmt.Sprintf("UPDATE %s WHERE rowid = (SELECT max(rowid) FROM %s %s)", change, table, where))
		must(t, err)
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			t.Errorf("UPDATE %s changes %d rows: %v", change, n, err)
		} else if len(recompute(t, d, list, "", core, days, compared{})) == 0 {
			t.Errorf("nothing differs after UPDATE %s", change)
		}
		clear(t, db)
	}
}

// pools returns what games left in jackpots, a row for each jackpot.
func pools(days []*books.Book) (rows []map[string]string) {
	for _, b := range days {
		for _, g := range b.Games {
			for _, p := range g.Pools {
				rows = append(rows, map[string]string{"Day": b.Day.String(), "Series": fmt.Sprint(b.Series), "Game": fmt.Sprint(g.Number),
					"Spots": fmt.Sprint(p.Spots), "Left": fmt.Sprint(int64(p.Primary) / 10_000), "Won": fmt.Sprint(p.Won.Cents())})
			}
		}
	}
	return rows
}

// reader reads the objects of a house in memory.
type reader struct {
	store.Reader
	objects map[string][]byte
}

// Object implements store.Reader.
func (r reader) Object(_ context.Context, name string) ([]byte, error) {
	data, ok := r.objects[name]
	if !ok {
		return nil, fmt.Errorf("there is no object %s", name)
	}
	return data, nil
}

// unfetched makes the report of prizes and stakes that nobody has fetched, as the program does.
func unfetched(t *testing.T, core *cases.Core) *report.Table {
	t.Helper()
	e := engine.New(nil)
	for _, data := range core.Records {
		must(t, e.Replay(data))
	}
	s := e.State()
	var list []counter.Unfetched
	var q counter.UnfetchedSearch
	for id := uint8(1); ; id++ {
		series, ok := s.Series(id)
		if !ok {
			break
		}
		games, err := q.Games(s, series)
		must(t, err)
		for _, ordinal := range games {
			g, _ := series.Game(ordinal)
			won, err := house.Won(t.Context(), reader{objects: core.Objects}, id, ordinal, g.Base(), g.Revision())
			must(t, err)
			found, err := house.UnfetchedOf(s, q, id, ordinal, won)
			must(t, err)
			list = append(append(list, found...), house.StakesOf(s, q, id, ordinal)...)
		}
	}
	return report.ByTicket("", list, record.Place.String)
}

// betSource is what is beside the records of a house in memory.
type betSource struct{ core *cases.Core }

func (b betSource) BodyAt(place record.Place) (record.Body, error) {
	r, err := record.Decode(b.core.Records[place.Seq])
	return r.Body, err
}

func (b betSource) Winners(series uint8, ordinal uint32, revision uint8) ([]byte, error) {
	return reader{objects: b.core.Objects}.Object(context.Background(), game.WinnersName(series, ordinal, revision))
}

// betting makes the report of bets, of the days that are closed.
func betting(t *testing.T, core *cases.Core, days []*books.Book) *report.Table {
	t.Helper()
	fold := bets.New(betSource{core}, bets.Listener{})
	for seq, data := range core.Records {
		r, err := record.Decode(data)
		must(t, err)
		must(t, fold.Add(record.Place{Volume: 1, Seq: uint64(seq)}, r))
	}
	made, err := report.NewBetting(report.Bets, report.Choice{}, days[0].Day, days[len(days)-1].Day, 0)
	must(t, err)
	table, err := made.Table(fold)
	must(t, err)
	return table
}
