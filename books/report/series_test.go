package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// seriesDays is how many days of each series tradeTwo trades.
const seriesDays = 3

// tradeTwo trades for some days with two series of games, whose days begin and end apart. The first closes the house.
func tradeTwo(t testing.TB) *trader {
	t.Helper()
	w := newTrader(t, 11)
	for series, name := range []string{"vic-keno", "tas-keno"} {
		w.write(&record.SeriesBegun{Series: uint8(series + 1), Name: name})
	}
	w.write(&record.PoolOpened{Series: 2, Pool: record.Pool{Spots: 9, Primary: w.jackpot}},
		ledger.Debit(ledger.Operator, 0, 500_000), ledger.Credit(ledger.JackpotPrimary, ledger.Pool(2, 9), 500_000))
	first := day.MustParse("2026-11-29") // The last two days are of another month.
	for d := first; d < first+seriesDays; d++ {
		for series := uint8(1); series <= 2; series++ {
			w.write(&record.DayOpened{Series: series, Day: d})
			w.write(&record.ShiftBegun{Person: 10 + uint32(series), Role: record.RoleWriter, Venue: venueOf[uint32(series)],
				Terminal: uint32(series)})
		}
		for number := range uint16(8) {
			w.game(record.Game{Series: uint8(number%2 + 1), Day: d, Number: number})
		}
		w.unusual(1)
		w.unusual(2)
		w.write(&record.BankCounted{Terminal: 4, ExpectCents: 100, CountedCents: 250, By: 13, With: 2},
			ledger.Debit(ledger.Cash, 3, 150), ledger.Credit(ledger.OverShort, 3, 150))
		w.write(&record.BankCounted{Terminal: 4, ExpectCents: 1000, CountedCents: 600, By: 13, With: 2},
			ledger.Debit(ledger.OverShort, 3, 400), ledger.Credit(ledger.Cash, 3, 400))
		for series := uint8(1); series <= 2; series++ {
			closed := &record.DayClosed{Series: series, Day: d, Games: 4}
			w.days = append(w.days, w.fold.Close(series, closed))
			w.write(closed)
			w.game(record.Game{Series: 3 - series, Day: d, Number: uint16(8 + series)})
		}
	}
	return w
}

// twoSeries is what a report says of the series of tradeTwo.
var twoSeries = map[uint8]Series{1: {Name: "vic-keno", Digits: 3}, 2: {Name: "tas-keno", Digits: 2}}

// seriesCell returns the series of a row.
func seriesCell(t *testing.T, table *Table, row []Cell) string {
	t.Helper()
	return row[column(t, table, "Series")].Text
}

// TestNothingUnusualIsMissing finds every unusual record of a house with two series among the exceptions, once, with
// its series.
func TestNothingUnusualIsMissing(t *testing.T) {
	w := tradeTwo(t)
	table := mustMake(t, Exceptions, Pick(Exceptions, w.days, 0), Choice{Series: twoSeries})
	said := map[string]string{}
	for _, row := range table.Rows {
		place := row[column(t, table, "Record")].Text
		if place == "" {
			continue // late payments of a terminal
		}
		if _, twice := said[place]; twice {
			t.Errorf("%s is there twice", place)
		}
		series := seriesCell(t, table, row)
		said[place] = series
		if name := row[column(t, table, "Series name")].Text; series != "-" && name != twoSeries[series[0]-'0'].Name {
			t.Errorf("%s is of series %s, %q", place, series, name)
		}
	}
	ends := map[string]uint64{}
	for _, b := range w.days {
		ends[fmt.Sprint(b.Series)] = b.End.Seq
	}
	ends["-"] = ends["1"]
	missing, found := 0, map[string]int{}
	for seq, r := range w.records {
		if !r.Kind().Unusual() {
			continue
		}
		series := "-"
		if of, ok := r.Series(); ok && of != 0 {
			series = fmt.Sprint(of)
		}
		if settled, ok := r.Body.(*record.GameSettled); ok && len(settled.Awards) == 0 || uint64(seq) >= ends[series] {
			continue
		}
		place := fmt.Sprintf("1:%d", seq)
		if said[place] != series {
			t.Errorf("%s, %v of series %s, is said to be of series %q", place, r.Kind(), series, said[place])
			missing++
		}
		found[series]++
	}
	if found["1"] < 6 || found["2"] < 6 || found["-"] < 6 || len(said) != found["1"]+found["2"]+found["-"]+missing {
		t.Errorf("%v records are unusual, and %d rows say so", found, len(said))
	}
}

// TestSeriesTogether holds the reports of all series against those of each: they have the same rows with the series
// before them, the same totals of each series, and a total of all amounts and no share.
func TestSeriesTogether(t *testing.T) {
	w := tradeTwo(t)
	for _, name := range []Name{Days, Games, Jackpots, Fund} {
		for _, by := range []By{"", ByDay, ByMonth} {
			all := mustMake(t, name, Pick(name, w.days, 0), Choice{Series: twoSeries, By: by})
			sums := map[string]int64{}
			for series := uint8(1); series <= 2; series++ {
				one := mustMake(t, name, Pick(name, w.days, series), Choice{Series: twoSeries, By: by})
				var rows [][]Cell
				for _, row := range all.Rows {
					if seriesCell(t, all, row) == fmt.Sprint(series) {
						rows = append(rows, row)
					}
				}
				if len(rows) != len(one.Rows) || len(rows) == 0 {
					t.Fatalf("%s by %q has %d rows of series %d, and %d alone", name, by, len(rows), series, len(one.Rows))
				}
				for i, row := range one.Rows {
					for k, c := range one.Columns {
						if got := rows[i][column(t, all, c.Name)]; got != row[k] {
							t.Errorf("%s by %q, series %d, %s: %v together and %v alone", name, by, series, c.Name, got, row[k])
						}
					}
				}
				if one.Total == nil {
					continue
				}
				for k, c := range one.Columns {
					if got := all.Subtotals[series-1][column(t, all, c.Name)]; k > 0 && got != one.Total[k] {
						t.Errorf("%s by %q, total of series %d, %s: %v, and %v alone", name, by, series, c.Name, got, one.Total[k])
					}
					sums[c.Name] += one.Total[k].Number
				}
			}
			for i, c := range all.Columns {
				switch {
				case all.Total == nil || c.Kind == Text:
				case c.Over == Ratio:
					if all.Total[i].Text != "-" {
						t.Errorf("%s has a total of %s over series with rules of their own", name, c.Name)
					}
				case all.Total[i].Number != sums[c.Name]:
					t.Errorf("%s by %q: %s is %d, and the series come to %d", name, by, c.Name, all.Total[i].Number, sums[c.Name])
				}
			}
			if all.Total != nil && len(all.Subtotals) != 2 {
				t.Errorf("%s has totals of %d series", name, len(all.Subtotals))
			}
		}
	}
	var plain bytes.Buffer
	games := mustMake(t, Games, Pick(Games, w.days, 0), Choice{Series: twoSeries})
	err := games.Write(&plain, Plain)
	words := strings.Join(strings.Fields(plain.String()), " ")
	for _, want := range []string{"2026-11-29 1 vic-keno 000 ", "2026-11-29 2 tas-keno 01 ", "Total of series 2 2 tas-keno "} {
		if err != nil || !strings.Contains(words, want) {
			t.Errorf("%v, and no %q in\n%s", err, want, plain.String())
		}
	}
}

// TestRecordsBehindSeries asks for the records behind figures of the reports of all series: they come to it, and are of
// the series of the row.
func TestRecordsBehindSeries(t *testing.T) {
	w := tradeTwo(t)
	figures := 0
	for _, name := range []Name{Days, Games, Fund, Exceptions} {
		days := Pick(name, w.days, 0)
		for _, by := range []By{"", ByMonth} {
			if by != "" && name == Exceptions {
				continue
			}
			c := Choice{Series: twoSeries, By: by}
			all := mustMake(t, name, days, c)
			for i, column := range all.Columns {
				if column.Kind == Text || column.Over == Ratio || column.Name == colDays.Name {
					continue
				}
				for row := range len(all.Rows) + 1 {
					if row == 0 && all.Total == nil || row > 0 && (row*7+i)%11 != 0 {
						continue // It takes its time.
					}
					found, err := recordsBehind(w, name, days, c, row, column.Name)
					if err != nil {
						t.Errorf("%s by %q, row %d, %s: %v", name, by, row, column.Name, err)
						continue
					}
					sum := int64(0)
					for _, line := range found.Rows {
						sum += line[len(line)-1].Number
						var seq uint64
						_, _ = fmt.Sscanf(line[0].Text, "1:%d", &seq)
						series, _ := w.records[seq].Series()
						if row > 0 && seriesCell(t, all, all.Rows[row-1]) != strings.ReplaceAll(fmt.Sprint(series), "0", "-") {
							t.Errorf("%s, row %d, %s: record %d is of series %d", name, row, column.Name, seq, series)
						}
					}
					if sum != rowOf(all, row)[i].Number {
						t.Errorf("%s, row %d, %s: %d, want %d", name, row, column.Name, sum, rowOf(all, row)[i].Number)
					}
					figures++
				}
			}
		}
	}
	if figures < 60 {
		t.Errorf("%d figures", figures)
	}
}

// TestLossBehind has the records behind the losses of venues, on days whose counts found both too much and too little.
func TestLossBehind(t *testing.T) {
	w := tradeTwo(t)
	days := Pick(Credit, w.days, 0)
	table := mustMake(t, Credit, days, Choice{})
	at, both := column(t, table, "Loss"), 0
	for row := range len(table.Rows) + 1 {
		found, err := recordsBehind(w, Credit, days, Choice{}, row, "Loss")
		if err != nil {
			t.Errorf("row %d: %v", row, err)
			continue
		}
		sum, counts := int64(0), 0
		for _, line := range found.Rows {
			if sum += line[len(line)-1].Number; line[2].Text == "bank counted" {
				counts++
			}
		}
		if sum != rowOf(table, row)[at].Number {
			t.Errorf("row %d: %d, want %d", row, sum, rowOf(table, row)[at].Number)
		}
		if row > 0 && counts > 1 {
			both++
		}
	}
	if both == 0 {
		t.Error("no venue has several counts on a day")
	}
}

// TestPick: the reports of series are of all books, the other ones of those that close the house, and one series alone
// has nothing of the house.
func TestPick(t *testing.T) {
	w := tradeTwo(t)
	for _, name := range Names() {
		want := seriesDays
		if name.OfSeries() {
			want = 2 * seriesDays
		}
		if got := Pick(name, w.days, 0); len(got) != want {
			t.Errorf("%s is of %d books", name, len(got))
		}
	}
	for _, b := range Pick(Exceptions, w.days, 1) {
		if b.Series != 1 || slices.ContainsFunc(b.Events, func(e books.Event) bool { return b.SeriesOf(&e) != 1 }) {
			t.Errorf("%+v", b)
		}
	}
}
