package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"drawhouse/books/bets"
	"drawhouse/books/report"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/internal/kept"
	"drawhouse/journal/record"
)

// bettings are the reports of bets.
var bettings = []report.Name{report.Bets, report.Spots, report.Features, report.Channels, report.Ahead,
	report.AheadGames}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// heard reads a kept journal.
func heard(t testing.TB, j *kept.Journal, by bets.Listener) *bets.Fold {
	t.Helper()
	fold := bets.New(j, by)
	for _, stored := range j.Records {
		r, err := record.Decode(stored.Data)
		must(t, err)
		must(t, fold.Add(stored.Place, r))
	}
	return fold
}

func cellAt(table *report.Table, row []report.Cell, column string) int64 {
	for i, c := range table.Columns {
		if c.Name == column {
			return row[i].Number
		}
	}
	return 0
}

// TestBettingTies makes every report of bets of the kept journals, by day, month and year: each has the same sums, what
// is owed is the balance of the account, and a report that is made twice is equal to the byte in every form.
func TestBettingTies(t *testing.T) {
	all, err := kept.All()
	must(t, err)
	first := day.MustParse("2000-01-01")
	made := 0
	for _, j := range all {
		fold := heard(t, j, bets.Listener{})
		var sold, staked, prizes int64
		for _, d := range fold.Days() {
			for _, sums := range d.Lines {
				sold, staked, prizes = sold+sums.Sold.Cents(), staked+sums.Staked().Cents(), prizes+sums.Prizes.Cents()
			}
		}
		owed := -fold.State().Balances().Of(ledger.Unplayed).Cents()
		for _, name := range bettings {
			for _, by := range []report.By{"", report.ByMonth, report.ByYear} {
				if name == report.AheadGames && by != "" {
					continue
				}
				var files [2]bytes.Buffer
				for i := range files {
					b, err := report.NewBetting(name, report.Choice{By: by}, first, day.None, 0)
					must(t, err)
					table, err := b.Table(fold)
					if errors.Is(err, report.ErrNoDay) {
						break
					}
					must(t, err)
					formats := report.Formats()
					if by != "" {
						formats = formats[:1] // The same tables with other rows.
					}
					for _, format := range formats {
						must(t, table.Write(&files[i], format))
					}
					if table.Total == nil {
						continue
					}
					made++
					of := func(column string) int64 { return cellAt(table, table.Total, column) }
					switch name {
					case report.Ahead:
						if of("Closing") != owed || of("Sold") != sold {
							t.Errorf("%s: %s by %q has %d ahead, and the account %d", j.Name, name, by, of("Closing"), owed)
						}
					case report.AheadGames:
						if of("Ahead") != owed {
							t.Errorf("%s: games ahead have %d, and the account %d", j.Name, of("Ahead"), owed)
						}
					default:
						if of("Sold") != sold || of("Staked") != staked || of("Prizes") != prizes {
							t.Errorf("%s: %s by %q: %d sold, %d staked, %d won, and %d, %d, %d are right", j.Name, name, by, of("Sold"),
								of("Staked"), of("Prizes"), sold, staked, prizes)
						}
					}
				}
				if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
					t.Errorf("%s: %s by %q is another file when it is made again", j.Name, name, by)
				}
			}
		}
	}
	if made < 200 {
		t.Errorf("%d reports were made", made)
	}
}

// TestBehindBets asks for the records behind figures of the reports of bets, drawn at random: they come to the figure,
// and none is listed twice.
func TestBehindBets(t *testing.T) {
	all, err := kept.All()
	must(t, err)
	random := rand.New(rand.NewPCG(5, 6))
	figures, listed := 0, 0
	for _, j := range all {
		fold := heard(t, j, bets.Listener{})
		for range 12 {
			name := bettings[random.IntN(len(bettings))]
			by := []report.By{"", "", report.ByMonth, report.ByYear}[random.IntN(4)]
			if name == report.AheadGames {
				by = ""
			}
			b, err := report.NewBetting(name, report.Choice{By: by}, day.None, day.None, 0)
			must(t, err)
			table, err := b.Table(fold)
			if errors.Is(err, report.ErrNoDay) || err == nil && table.Total == nil {
				continue
			}
			must(t, err)
			row, column := random.IntN(1+len(table.Rows)), table.Columns[random.IntN(len(table.Columns))]
			err = b.Behind(table, row, column.Name)
			if column.Kind == report.Text || column.Over == report.Ratio || column.Name == "Days" {
				if !errors.Is(err, report.ErrNoSum) {
					t.Errorf("%s of %s: %v", column.Name, name, err)
				}
				continue
			}
			must(t, err)
			found, err := b.Found(heard(t, j, b.Listener()))
			if err != nil {
				t.Errorf("%s: %s by %q, row %d of %d, %s: %v", j.Name, name, by, row, len(table.Rows), column.Name, err)
				continue
			}
			seen := map[string]bool{}
			for _, r := range found.Rows {
				if seen[r[0].Text] {
					t.Errorf("%s: %s stands there twice", found.Title, r[0].Text)
				}
				seen[r[0].Text] = true
			}
			figures, listed = figures+1, listed+len(found.Rows)
		}
	}
	if figures < 100 || listed < 200 {
		t.Errorf("%d figures with %d records", figures, listed)
	}
}

// TestBettingOfVenue takes the reports apart by venue: the venues come to the whole.
func TestBettingOfVenue(t *testing.T) {
	all, err := kept.All()
	must(t, err)
	parts := 0
	for _, j := range all {
		fold := heard(t, j, bets.Listener{})
		sum := func(venue uint32) (sold int64, period string) {
			b, err := report.NewBetting(report.Channels, report.Choice{Venue: venue}, day.MustParse("2000-01-01"), day.None, 0)
			must(t, err)
			table, err := b.Table(fold)
			if err != nil || table.Total == nil {
				return 0, ""
			}
			return cellAt(table, table.Total, "Sold"), table.Period
		}
		whole, _ := sum(0)
		var together int64
		for venue := uint32(1); venue <= 20; venue++ {
			part, period := sum(venue)
			together += part
			if part == 0 {
				continue
			}
			if parts++; !strings.HasSuffix(period, fmt.Sprintf(", venue %d", venue)) {
				t.Errorf("%s: the report of venue %d is of %q", j.Name, venue, period)
			}
		}
		if together != whole {
			t.Errorf("%s: the venues sold for %d, and together for %d", j.Name, together, whole)
		}
	}
	if parts < 20 {
		t.Errorf("%d venues", parts)
	}
}
