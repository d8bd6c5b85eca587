package report

import (
	"fmt"
	"strings"
	"testing"

	"drawhouse/books"
	"drawhouse/core/day"
)

// TestByTime compares every report by day, month and year, by a count of its own: a flow of a month is the sum of the
// flows of its days, an opening that of its first day and a closing that of its last, row by row.
func TestByTime(t *testing.T) {
	days := someDays(t, 62) // From 2 November on: parts of three months and two years.
	compared := 0
	for _, r := range All() {
		if r.Lists() {
			for _, by := range []By{ByMonth, ByYear} {
				if _, err := Make(r.Name, days, Choice{By: by}); err == nil {
					t.Errorf("%s by %s", r.Name, by)
				}
			}
			continue
		}
		byDay := dayRows(t, r, days)
		for by, length := range map[By]int{ByMonth: 7, ByYear: 4} {
			table := mustMake(t, r.Name, days, Choice{By: by})
			want := map[string]int64{} // by time, key and column
			last := map[string]string{}
			for _, one := range byDay {
				for _, row := range one.Rows {
					for i, c := range one.Columns {
						at := fmt.Sprintf("%s|%s|%s", one.Period[:length], slowKey(one, row), c.Name)
						switch _, seen := want[at]; {
						case c.Over == Flow:
							want[at] += row[i].Number
						case c.Over == Opening && !seen:
							want[at] = row[i].Number
						case c.Over == Closing:
							want[at] = row[i].Number
						}
						last[at] = one.Period
					}
				}
			}
			for _, row := range table.Rows {
				for i, c := range table.Columns {
					if c.Over != Flow && c.Over != Opening && c.Over != Closing || c.Name == colDays.Name {
						continue
					}
					at := fmt.Sprintf("%s|%s|%s", row[0].Text, slowKey(table, row), c.Name)
					if row[i].Number != want[at] {
						t.Errorf("%s by %s: %s is %d, and its days come to %d", r.Name, by, at, row[i].Number, want[at])
					}
					delete(want, at)
					compared++
				}
			}
			for at, left := range want {
				if left != 0 {
					t.Errorf("%s by %s lacks %s: %d", r.Name, by, at, left)
				}
			}
		}
	}
	if compared < 1000 {
		t.Errorf("%d figures were compared", compared)
	}
}

// dayRows makes a report of each day by itself. The period of each is its day.
func dayRows(t *testing.T, r Report, days []*books.Book) (list []*Table) {
	for _, b := range days {
		table := mustMake(t, r.Name, []*books.Book{b}, Choice{})
		table.Period = b.Day.String()
		list = append(list, table)
	}
	return list
}

// slowKey names a row by its texts that are no time and of no single thing.
func slowKey(table *Table, row []Cell) string {
	var parts []string
	for i, c := range table.Columns {
		if c.Over == Key && c.Name != "Day" && c.Name != "Month" && c.Name != "Year" {
			parts = append(parts, row[i].Text)
		}
	}
	return strings.Join(parts, "/")
}

// TestRatiosOfMonths divides the sums of a month, and not the shares of its days.
func TestRatiosOfMonths(t *testing.T) {
	days := someDays(t, 40)
	for name, shares := range map[Name][][3]string{
		Days: {{"Share", "Fund", "Staked"}}, Fund: {{"Share", "Fund", "Staked"}}, Cancellations: {{"Rate", "Cancelled", "Tickets"}},
	} {
		table := mustMake(t, name, days, Choice{By: ByMonth})
		for _, row := range table.rows() {
			for _, s := range shares {
				part, whole := row[column(t, table, s[1])].Number, row[column(t, table, s[2])].Number
				share := row[column(t, table, s[0])]
				if whole == 0 && share.Text == "-" {
					continue
				}
				if twice := share.Number*2*whole - part*20_000; twice > whole || twice < -whole {
					t.Errorf("%s: %s is %d, of %d and %d", name, s[0], share.Number, part, whole)
				}
			}
		}
	}
}

// TestYearsThatBeginInAnotherMonth names each year by its first and last month, and the years come to the whole.
func TestYearsThatBeginInAnotherMonth(t *testing.T) {
	days := someDays(t, 40)
	for begins := 1; begins <= Months; begins++ {
		c := Choice{By: ByYear, YearBegins: begins}
		table := mustMake(t, Days, days, c)
		whole := mustMake(t, Days, days, Choice{})
		at := column(t, table, "Sold")
		if got, want := table.Total[at].Number, whole.Total[column(t, whole, "Sold")].Number; got != want || got == 0 {
			t.Errorf("years from month %d on come to %d, and the days to %d", begins, got, want)
		}
		first, err := c.From(days[0].Day)
		if err != nil || c.timeOf(first) != c.timeOf(days[0].Day) || c.timeOf(first-1) == c.timeOf(first) {
			t.Errorf("the year of %v begins with %v (%v)", days[0].Day, first, err)
		}
	}
	for d, want := range map[string]string{"2026-06-30": "2025-07 to 2026-06", "2026-07-01": "2026-07 to 2027-06"} {
		if got := (Choice{By: ByYear, YearBegins: 7}).timeOf(day.MustParse(d)); got != want {
			t.Errorf("%s is of the year %s", d, got)
		}
	}
	if _, err := Make(Days, days, Choice{By: ByYear, YearBegins: 13}); err == nil {
		t.Error("a year begins with month 13")
	}
}
