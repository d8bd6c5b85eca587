package report

import (
	"fmt"

	"drawhouse/books"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// A Reader reads the record at a place.
type Reader func(record.Place) (record.Record, error)

// monthName names the calendar month of a day.
func monthName(d day.Day) string {
	year, month, _ := d.Date()
	return fmt.Sprintf("%04d-%02d", year, month)
}

// readEvents reads the records of some kinds among the events of days.
func readEvents(days []*books.Book, read Reader, kinds ...record.Kind) (map[record.Place]record.Body, error) {
	found := map[record.Place]record.Body{}
	for _, b := range days {
		for _, e := range b.Events {
			for _, kind := range kinds {
				if e.Kind != kind {
					continue
				}
				if read == nil {
					return nil, fmt.Errorf("report: nobody reads the record at %v", e.Place)
				}
				r, err := read(e.Place)
				if err != nil {
					return nil, fmt.Errorf("report: the record at %v: %w", e.Place, err)
				}
				found[e.Place] = r.Body
			}
		}
	}
	return found, nil
}

// takings are what a day, or what corrections, bring to a return of tax.
type takings struct{ staked, returned, won money.Amount }

// base returns what of the takings is taxed.
func (t takings) base(stated *record.TaxStated) money.Amount {
	if stated.Base == "turnover" {
		return t.staked - t.returned
	}
	return t.staked - t.returned - t.won
}

// takingsOf adds up the games of a day.
func takingsOf(b *books.Book) (t takings) {
	for i := range b.Games {
		g := &b.Games[i]
		payable, on := g.Won()
		t.staked, t.returned, t.won = t.staked+g.Stakes, t.returned+g.Back, t.won+payable+on
	}
	return t
}

// tax is the return of each month that was stated in the time, with the days behind it.
func tax(t *Table, days []*books.Book, c Choice) {
	t.Title = "Tax of months"
	t.Notes = append(t.Notes,
		"A month is stated with the opening of the first Keno Day after it, so a report of a month goes on to that day. Each series of games has returns of its own.",
		"A correction of a result changes what was won in the month in which it is booked. It is in no game of that month, and so in a line of its own.")
	none := text("-")
	for _, b := range days {
		for _, e := range b.Events {
			stated, ok := c.bodies[e.Place].(*record.TaxStated)
			if !ok {
				continue
			}
			month := monthName(stated.Month)
			line := func(name, records string, of takings) {
				t.Rows = append(t.Rows, []Cell{text(month), text(name), text(records), amount(of.staked), amount(of.returned),
					amount(of.won), amount(of.base(stated)), none, none, none, none, none})
			}
			left, seen := takings{stated.StakedCents, stated.ReturnedCents, stated.WonCents}, uint32(0)
			for _, d := range days {
				if d.Series != stated.Series || monthName(d.Day) != month {
					continue
				}
				of := takingsOf(d)
				line(d.Day.String(), fmt.Sprintf("%v to %v", d.First, record.Place{Volume: d.End.Volume, Seq: d.End.Seq - 1}), of)
				left, seen = takings{left.staked - of.staked, left.returned - of.returned, left.won - of.won}, seen+1
			}
			if left != (takings{}) && seen == stated.Days {
				line("corrections of earlier days", "", left)
			} else if seen != stated.Days {
				line(fmt.Sprintf("%d other days", stated.Days-seen), "", left)
			}
			t.Rows = append(t.Rows, []Cell{text(month), text("return"), text(e.Place.String()), amount(stated.StakedCents),
				amount(stated.ReturnedCents), amount(stated.WonCents), amount(stated.BaseCents), amount(stated.BroughtCents),
				{Number: int64(stated.Rate)}, amount(stated.TaxCents), amount(stated.CarriedCents), text(stated.Due.String())})
			t.Figures = append(t.Figures, Figure{fmt.Sprintf("Tax of %s, due on %v to %s", month, stated.Due, stated.Payee),
				dollars(stated.TaxCents)})
		}
	}
}

// remittances is what was owed to the State and what of it was paid, by account and calendar month.
func remittances(t *Table, days []*books.Book, c Choice) {
	t.Title = "Remittances to the State"
	t.Notes = append(t.Notes, "A payment follows the line of its account.")
	none := text("-")
	for from := 0; from < len(days); {
		month, to := monthName(days[from].Day), from
		for to < len(days) && monthName(days[to].Day) == month {
			to++
		}
		for _, account := range record.RemittedAccounts() {
			opening, added, remitted := -days[from].Account(account).Opening, money.Amount(0), money.Amount(0)
			var payments [][]Cell
			for _, b := range days[from:to] {
				balance := b.Account(account)
				var paid money.Amount
				for _, f := range balance.Flows {
					if f.Kind == record.KindRemittanceMade || f.Kind == record.KindRemittanceReversed {
						paid += f.Net()
					}
				}
				added += -(balance.Closing() - balance.Opening - paid)
				remitted += paid
				for _, e := range b.Events {
					made, paidOn := remittedBy(c.bodies[e.Place], b.Day)
					if made.From != account.String() {
						continue
					}
					of := "-"
					if made.Month != day.None {
						of = monthName(made.Month)
					}
					payments = append(payments, []Cell{text(month), text(account.String()), none, none, amount(made.Cents), none,
						text(e.Place.String()), text(paidOn.String()), text(of), text(made.Reference)})
				}
			}
			closing := opening + added - remitted
			if opening == 0 && added == 0 && remitted == 0 {
				continue
			}
			t.Rows = append(t.Rows, []Cell{text(month), text(account.String()), amount(opening), amount(added),
				amount(remitted), amount(closing), none, none, none, none})
			t.Rows = append(t.Rows, payments...)
			if to == len(days) {
				t.Figures = append(t.Figures, Figure{"Owed on the account " + account.String(), dollars(closing)})
			}
		}
		from = to
	}
}

// remittedBy returns a payment to the State and its day. One that two persons have taken back counts below zero, on the
// Keno Day on which they did.
func remittedBy(body record.Body, today day.Day) (record.RemittanceMade, day.Day) {
	switch b := body.(type) {
	case *record.RemittanceMade:
		return *b, b.Paid
	case *record.RemittanceReversed:
		return record.RemittanceMade{From: b.From, Month: b.Month, Cents: -b.Cents, Reference: b.Reference}, today
	}
	return record.RemittanceMade{}, today
}
