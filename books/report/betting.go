package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"drawhouse/books/bets"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Reports of what people bet on. The books know no bets: these are added up from the records.
const (
	Bets       Name = "bets"
	Spots      Name = "spots"
	Features   Name = "features"
	Channels   Name = "channels"
	Ahead      Name = "ahead"
	AheadGames Name = "ahead-games"
)

var (
	colBet = key("Bet", "The bet, as the rulebook names it, and of a race its type; - for what a further settlement changed "+
		"and is of no one bet.")
	colSpots   = key("Spots", "How many numbers each way has; - for bets without numbers.")
	colFeature = key("Feature",
		"What hangs on the bet: the multiplier, the last number, or a prize that runs on; - for nothing.")
	colChannel = key("Channel", "The kind of terminal that sold the ticket, as the rulebook names it.")
	colMethod  = key("Method",
		"How the particulars of the ticket were given: form, verbal, screen, item or replay.")
	colWaysSold = count("Ways sold",
		"Ways of tickets that were sold, each counted once however many games it plays.")
	colOnTimes = cents("On multiplier", "The part of Sold that is for the multiplier.")
	colOnLast  = cents("On last number", "The part of Sold that is for the last number.")
	colRanIn   = cents("Ran in", "Prizes, and stakes of void games, that became stakes of a game ahead.")
	colToGames = cents("To games",
		"Stakes of games that closed, with prizes that ran on into them: they are no longer ahead.")
	colInSeries = key("In series",
		"The number of the game in its series: a game that has not opened has no other.")
	colAheadOf = closing("Ahead",
		"Owed for the game, which has not closed: stakes of tickets, with prizes that run on into it.")
)

// betReport is a report of what people bet on: rows by what names a line, with sums.
type betReport struct {
	name   Name
	title  string
	about  string
	keys   []Column
	named  func(bets.Line) []string
	values []betValue
	notes  []string
}

// betValue is a column of sums.
type betValue struct {
	column Column
	of     func(*bets.Sums) int64
}

func centsOf(of func(*bets.Sums) money.Amount) func(*bets.Sums) int64 {
	return func(s *bets.Sums) int64 { return of(s).Cents() }
}

// sold are the columns of what was sold and won.
var sold = []betValue{
	{colWaysSold, func(s *bets.Sums) int64 { return s.Ways }},
	{colSold, centsOf(func(s *bets.Sums) money.Amount { return s.Sold })},
	{colOnTimes, centsOf(func(s *bets.Sums) money.Amount { return s.Multiplier })},
	{colOnLast, centsOf(func(s *bets.Sums) money.Amount { return s.LuckyLast })},
	{colGivenBack, centsOf(func(s *bets.Sums) money.Amount { return s.GivenBack })},
	{colStaked, centsOf((*bets.Sums).Staked)},
	{colPrizes, centsOf(func(s *bets.Sums) money.Amount { return s.Prizes })},
	{colRunsOn, centsOf(func(s *bets.Sums) money.Amount { return s.RunsOn })},
	{colReturn, nil},
}

// owing are the columns of what is owed for games ahead. The first is what there was before.
var owing = []betValue{
	{colOpening, nil},
	{colSold, centsOf(func(s *bets.Sums) money.Amount { return s.Sold })},
	{colRanIn, centsOf(func(s *bets.Sums) money.Amount { return s.Ran })},
	{colGivenBack, centsOf(func(s *bets.Sums) money.Amount { return s.GivenBack })},
	{colToGames, centsOf(func(s *bets.Sums) money.Amount { return s.Closed })},
	{colClosing, centsOf((*bets.Sums).Ahead)},
}

// betNotes are what must be known to read these reports.
var betNotes = []string{
	"Rows are of the trading days of their series: from the close of one of its Keno Days to the close of the next. What was sold since the last close is of the day that opens next.",
	"A sale counts on its day, a stake on the day on which its game closes, and a prize on the day on which its game is settled. What a further settlement changes counts on the day of that.",
}

var betReports = []betReport{
	{Bets, "Sales and prizes by bet", "what was sold and won, by bet", []Column{colBet},
		func(l bets.Line) []string { return []string{l.Bet} }, sold, betNotes},
	{Spots, "Sales and prizes by number of spots", "what was sold and won, by bet and number of spots",
		[]Column{colBet, colSpots},
		func(l bets.Line) []string { return []string{l.Bet, spotsText(l.Spots)} }, sold, betNotes},
	{Features, "Sales and prizes by feature", "what was sold and won, by what hangs on a bet", []Column{colFeature},
		func(l bets.Line) []string { return []string{l.With} }, sold,
		slices.Concat(betNotes, []string{"A row has everything of the bets with its features: their plain stakes and prizes, too."})},
	{Channels, "Sales and prizes by channel", "what was sold and won, by kind of terminal and method of entry",
		[]Column{colChannel, colMethod},
		func(l bets.Line) []string { return []string{l.Channel, l.Method} }, sold,
		slices.Concat(betNotes, []string{"A prize stands under the channel that sold the ticket."})},
	{Ahead, "Owed for games ahead", "what is owed for games that have not closed, by bet, and how it came about",
		[]Column{colVenue, colBet},
		func(l bets.Line) []string { return []string{fmt.Sprint(l.Venue), l.Bet} }, owing,
		slices.Concat(betNotes[:1], []string{
			"Opening, Sold and Ran in, less Given back and To games, is Closing. The closing amounts of the newest rows of all series are the balance of the account unplayed.",
			"Fees of bingo are on an account of their own: see the report bingo."})},
}

func spotsText(n uint8) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func findBets(name Name) (betReport, bool) {
	for _, r := range betReports {
		if r.name == name {
			return r, true
		}
	}
	return betReport{}, false
}

// columns returns the columns of the report, by day.
func (r betReport) columns() []Column {
	all := slices.Concat([]Column{colDay, colSeries}, r.keys)
	for _, v := range r.values {
		all = append(all, v.column)
	}
	return all
}

// aheadColumns are those of AheadGames.
var aheadColumns = []Column{colSeries, colKenoDay, colGame, colInSeries, colVenue, colBet, colAheadOf}

// Betting makes a report of what people bet on, and finds the records behind a figure of it.
type Betting struct {
	of       betReport
	games    bool // it is AheadGames
	choice   Choice
	from, to day.Day
	series   uint8
	figure   *betFigure
}

// betFigure is a figure whose records are looked for.
type betFigure struct {
	table  *Table
	row    []Cell
	total  bool
	column Column
	adds   []betAdds
}

// betAdds is what a record adds to the figure, on a day that may not have opened when the record is heard of.
type betAdds struct {
	row   []Cell
	on    *bets.Day
	place record.Place
}

// NewBetting begins a report of what people bet on: of some days, and of one series or of all, which is 0. Without a
// first day it begins as the reports of the books do, and without a last one it goes on to the end of the journal.
func NewBetting(name Name, c Choice, from, to day.Day, series uint8) (*Betting, error) {
	b := &Betting{choice: c, from: from, to: to, series: series, games: name == AheadGames}
	of, ok := findBets(name)
	if b.of = of; !ok && !b.games {
		return nil, fmt.Errorf("report: there is no report of bets %q", name)
	}
	if b.games && c.By != "" {
		return nil, fmt.Errorf("report: %s lists single things and adds up no days", name)
	}
	return b, c.check()
}

// nextDay names the trading day that has begun and has not opened.
const nextDay = "next"

// timeOf returns the name of the time to which a day belongs.
func (b *Betting) timeOf(d day.Day) string {
	if d == day.None {
		return nextDay
	}
	return b.choice.timeOf(d)
}

// wants reports whether the report is of a day.
func (b *Betting) wants(d *bets.Day) bool {
	if d.Day == day.None {
		return b.to == day.None && b.wantsSeries(d.Series)
	}
	return (b.from == day.None || d.Day >= b.from) && (b.to == day.None || d.Day <= b.to) && b.wantsSeries(d.Series)
}

func (b *Betting) wantsSeries(series uint8) bool { return b.series == 0 || b.series == series }

// keysOf returns what names the row of a line, behind its day.
func (b *Betting) keysOf(line bets.Line) []Cell {
	cells := []Cell{text(fmt.Sprint(line.Series))}
	for _, name := range b.of.named(line) {
		cells = append(cells, text(cmp.Or(name, "-")))
	}
	return cells
}

// Table makes the report.
func (b *Betting) Table(fold *bets.Fold) (*Table, error) {
	if b.games {
		return b.gamesTable(fold), nil
	}
	if err := b.begin(fold); err != nil {
		return nil, err
	}
	t := &Table{Title: b.of.title, Columns: b.of.columns(), Notes: slices.Clone(b.of.notes)}
	var days []day.Day
	for _, d := range b.inOrder(fold) {
		rows := b.rowsOf(t, d)
		t.Rows = append(t.Rows, rows...)
		if d.Day != day.None {
			days = append(days, d.Day)
		}
	}
	if len(days) == 0 {
		return nil, ErrNoDay
	}
	t.Period = periodOf(slices.Min(days), slices.Max(days), b.choice)
	if b.of.name == Ahead {
		t.Figures = []Figure{{"Balance of the account unplayed when the journal ends",
			dollars(-fold.State().Balances().Of(ledger.Unplayed))}}
	}
	if b.choice.By != "" && b.choice.By != ByDay {
		t.groupTimes(b)
	}
	t.addTotal()
	return t, nil
}

// begin says with which day the report begins, if nobody has.
func (b *Betting) begin(fold *bets.Fold) (err error) {
	if b.from != day.None {
		return nil
	}
	to := b.to
	for _, d := range fold.Days() {
		if b.to == day.None && b.wantsSeries(d.Series) {
			to = max(to, d.Day)
		}
	}
	if to == day.None {
		return ErrNoDay
	}
	b.from, err = b.choice.From(to)
	return err
}

// inOrder returns the days that are wanted, by day and series.
func (b *Betting) inOrder(fold *bets.Fold) []*bets.Day {
	days := slices.DeleteFunc(fold.Days(), func(d *bets.Day) bool { return !b.wants(d) })
	slices.SortStableFunc(days, func(c, d *bets.Day) int {
		if (c.Day == day.None) != (d.Day == day.None) {
			return cmp.Compare(d.Day, c.Day) // The next day is the last.
		}
		return cmp.Or(cmp.Compare(c.Day, d.Day), cmp.Compare(c.Series, d.Series))
	})
	return days
}

// rowsOf returns the rows of a day.
func (b *Betting) rowsOf(t *Table, d *bets.Day) (rows [][]Cell) {
	type sums struct {
		row  []Cell
		sums bets.Sums
	}
	all := map[string]*sums{}
	var order []string
	at := func(line bets.Line) *sums {
		row := append([]Cell{text(cmp.Or(dayText(d.Day), nextDay))}, b.keysOf(line)...)
		name := sortKey(row)
		if all[name] == nil {
			order = append(order, name)
			all[name] = &sums{row: append(row, make([]Cell, len(b.of.values))...)}
		}
		return all[name]
	}
	first := 2 + len(b.of.keys)
	opens := b.of.values[0].column.Over == Opening
	if opens {
		for line, cents := range d.Ahead {
			if b.choice.has(line.Venue) {
				at(line).row[first].Number += cents.Cents()
			}
		}
	}
	for line, sums := range d.Lines {
		if b.choice.has(line.Venue) {
			at(line).sums.Add(sums)
		}
	}
	slices.Sort(order)
	for _, name := range order {
		one := all[name]
		for i, v := range b.of.values {
			if v.of != nil {
				one.row[first+i].Number += v.of(&one.sums)
			}
		}
		if opens {
			one.row[len(one.row)-1].Number += one.row[first].Number
		}
		t.divide(one.row)
		rows = append(rows, one.row)
	}
	return rows
}

// sortKey returns what orders rows: numbers by their value.
func sortKey(row []Cell) string {
	var b strings.Builder
	for _, cell := range row {
		fmt.Fprintf(&b, "%12s\x00", cell.Text)
	}
	return b.String()
}

// groupTimes makes the rows of days those of months or years.
func (t *Table) groupTimes(b *Betting) {
	part := &Table{Columns: t.Columns}
	var times []string
	rows, days := map[string][][]Cell{}, map[string]map[string]bool{}
	for _, row := range t.Rows {
		time := nextDay
		if d, err := day.Parse(row[0].Text); err == nil {
			time = b.timeOf(d)
		}
		if days[time] == nil {
			times, days[time] = append(times, time), map[string]bool{}
		}
		rows[time], days[time][row[0].Text] = append(rows[time], row), true
	}
	t.Columns, t.Rows = append([]Column{b.choice.By.column(), colDays}, t.Columns[1:]...), nil
	for _, time := range times {
		part.Rows = rows[time]
		t.Rows = append(t.Rows, t.joined(part, text(time), func(string) Cell { return number(len(days[time])) })...)
	}
}

// gamesTable lists what is owed for each game that has not closed.
func (b *Betting) gamesTable(fold *bets.Fold) *Table {
	t := &Table{Title: "Owed for each game ahead", Columns: aheadColumns, Period: "When the journal ends",
		Notes: []string{
			"A game that has not opened has no Keno Day and no number yet. A ticket plays in games one after the other.",
			"The amounts come to the balance of the account unplayed. Fees of bingo are on an account of their own.",
		},
		Figures: []Figure{{"Balance of the account unplayed", dollars(-fold.State().Balances().Of(ledger.Unplayed))}}}
	at := map[string][]Cell{}
	for _, a := range fold.Ahead() {
		if !b.choice.has(a.Line.Venue) || !b.wantsSeries(a.Line.Series) {
			continue
		}
		row := []Cell{text(fmt.Sprint(a.Line.Series)), text("-"), text("-"), text(fmt.Sprint(a.Ordinal)),
			text(fmt.Sprint(a.Line.Venue)), text(a.Line.Bet), {}}
		if a.Game.Series != 0 {
			row[1], row[2] = text(a.Game.Day.String()), text(fmt.Sprint(a.Game.Number))
		}
		name := sortKey([]Cell{row[0], row[3], row[4], row[5]})
		if at[name] == nil {
			at[name] = row
			t.Rows = append(t.Rows, row)
		}
		at[name][6].Number += a.Cents.Cents()
	}
	t.addTotal()
	return t
}

// Behind has the records found that make a figure of the report: its row, from 1 on or 0 for the total, and the name
// of its column. The journal is then read again, and heard.
func (b *Betting) Behind(table *Table, row int, column string) error {
	at, err := table.figureAt(row, column)
	if err != nil {
		return err
	}
	f := &betFigure{table: table, row: table.Total, total: row == 0, column: table.Columns[at]}
	if row > 0 {
		f.row = table.Rows[row-1]
	}
	b.figure = f
	return nil
}

// Listener returns what hears of the records behind the figure.
func (b *Betting) Listener() bets.Listener {
	if b.games {
		return bets.Listener{Enters: b.enters}
	}
	return bets.Listener{Adds: b.hear}
}

func (b *Betting) hear(place record.Place, r record.Record, on *bets.Day, line bets.Line, adds bets.Sums) {
	if !b.choice.has(line.Venue) || !b.wantsSeries(line.Series) {
		return
	}
	for i, cell := range b.keysOf(line) {
		if at := b.figure.table.at(b.of.columns()[1+i].Name); !b.figure.total && b.figure.row[at].Text != cell.Text {
			return
		}
	}
	n := adds.Ahead().Cents()
	if b.figure.column.Over == Flow {
		for _, v := range b.of.values {
			if v.column.Name == b.figure.column.Name {
				n = v.of(&adds)
			}
		}
	}
	b.figure.add(place, r, on, n)
}

func (b *Betting) enters(place record.Place, r record.Record, line bets.Line, ordinal uint32, cents money.Amount) {
	f := b.figure
	if !b.choice.has(line.Venue) || !b.wantsSeries(line.Series) {
		return
	}
	if !f.total && (f.row[0].Text != fmt.Sprint(line.Series) || f.row[3].Text != fmt.Sprint(ordinal) ||
		f.row[4].Text != fmt.Sprint(line.Venue) || f.row[5].Text != line.Bet) {
		return
	}
	if f.total && !slices.ContainsFunc(f.table.Rows, func(row []Cell) bool {
		return row[0].Text == fmt.Sprint(line.Series) && row[3].Text == fmt.Sprint(ordinal)
	}) {
		return // The game has closed since.
	}
	f.add(place, r, nil, cents.Cents())
}

// add notes what a record adds. What one record adds stands in one row.
func (f *betFigure) add(place record.Place, r record.Record, on *bets.Day, n int64) {
	if n == 0 {
		return
	}
	if last := len(f.adds) - 1; last >= 0 && f.adds[last].place == place && f.adds[last].on == on {
		f.adds[last].row[5].Number += n
		return
	}
	terminal, subject := whereabouts(place, r.Body)
	f.adds = append(f.adds, betAdds{place: place, on: on, row: []Cell{text(place.String()),
		text(r.Time.Time().Format("2006-01-02 15:04:05")), text(r.Kind().String()), text(terminal), text(subject),
		{Number: n}}})
}

// Found returns the records that were heard. It is an error if they do not come to the figure.
func (b *Betting) Found(fold *bets.Fold) (*Table, error) {
	f := b.figure
	at := f.table.at(f.column.Name)
	t := newFound(f.table, f.row, f.total, f.column, b.name())
	var sum int64
	for _, a := range f.adds {
		if a.row[5].Number != 0 && (a.on == nil || b.counts(fold, a.on)) {
			t.Rows = append(t.Rows, a.row)
			sum += a.row[5].Number
		}
	}
	if sum != f.row[at].Number {
		return nil, fmt.Errorf("%w: the records of %s come to %s, and the figure is %s", ErrNoSum, f.column.Name,
			f.column.String(Cell{Number: sum}), f.column.String(f.row[at]))
	}
	t.addTotal()
	return t, nil
}

// name returns the name of the report.
func (b *Betting) name() Name {
	if b.games {
		return AheadGames
	}
	return b.of.name
}

// counts reports whether what was added on a day counts for the figure. A balance has all days up to its own, or
// before the first of its own.
func (b *Betting) counts(fold *bets.Fold, on *bets.Day) bool {
	f := b.figure
	within := func(d *bets.Day) bool { return b.wants(d) && (f.total || b.timeOf(d.Day) == f.row[0].Text) }
	if f.column.Over == Flow {
		return within(on)
	}
	days := fold.Days()
	at := slices.Index(days, on)
	for i, d := range days {
		if d.Series != on.Series || !within(d) {
			continue
		}
		if f.column.Over == Opening {
			return at < i // The first of its days.
		}
		if at <= i {
			return true
		}
	}
	return false
}
