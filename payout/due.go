package payout

import (
	"time"

	"drawhouse/day"
	"drawhouse/record"
	"drawhouse/rulebook"
)

// ChequeDue returns until when a cheque must be there that somebody has asked for: so
// many hours later, and if that is on a weekend or public holiday by the end of the
// next business day. Public holidays are a calendar that the operator keeps, and
// offsetSeconds is what local clocks add to UTC. It reports false where the rulebook
// sets no time.
//
//rule:tas-keno-2023 13.8(a)
func ChequeDue(book *rulebook.Book, means string, asked record.Time, offsetSeconds int32, isHoliday func(day.Day) bool) (record.Time, bool) {
	for _, m := range book.Payout().Methods {
		if m.ID != means || m.WithinHours == 0 {
			continue
		}
		zone := time.FixedZone("", int(offsetSeconds))
		due := asked.Time().Add(time.Duration(m.WithinHours) * time.Hour).In(zone)
		if isBusinessDay(due, isHoliday) {
			return record.Of(due), true
		}
		for !isBusinessDay(due, isHoliday) {
			due = due.AddDate(0, 0, 1)
		}
		return record.Of(time.Date(due.Year(), due.Month(), due.Day()+1, 0, 0, 0, 0, zone)), true
	}
	return 0, false
}

// isBusinessDay reports whether a time is on neither a weekend nor a public holiday.
func isBusinessDay(t time.Time, isHoliday func(day.Day) bool) bool {
	if t.Weekday() == time.Saturday || t.Weekday() == time.Sunday {
		return false
	}
	date, err := day.Of(t.Year(), int(t.Month()), t.Day())
	return err == nil && !isHoliday(date)
}
