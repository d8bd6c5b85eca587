package counter

import (
	"slices"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes about cheques.
const (
	ChequeUnknown refusal.Code = "cheque_unknown" // no such cheque is due
	NotOfVenue    refusal.Code = "not_of_venue"   // the person works elsewhere
	HolidaysWrong refusal.Code = "holidays_wrong" // it is no calendar of public holidays
	HolidaysSame  refusal.Code = "holidays_same"  // the calendar has just these days
)

// ChequeDue returns until when a cheque must be there that somebody has asked for: so
// many hours later, and if that is on a weekend or public holiday by the end of the
// next business day. Public holidays are a calendar that the operator keeps, and
// offsetSeconds is what local clocks add to UTC. It reports false where the rulebook
// sets no time.
//
//rule:tas-keno-2023 13.8(a)
func ChequeDue(book *rulebook.Book, means string, asked record.Time, offsetSeconds int32,
	isHoliday func(day.Day) bool) (record.Time, bool) {
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

// HandCheque says that a cheque which was promised is in the hands of its payee. Somebody
// of the venue that draws it says so, or somebody who speaks for the operator.
//
//rule:tas-keno-2023 13.8(a)
func HandCheque(s *state.State, place record.Place, by uint32) (*record.ChequeHanded, error) {
	cheque, ok := s.Cheque(place)
	if !ok {
		return nil, refuse(ChequeUnknown, "", "cheque", "No cheque %v is due, or it was handed over.", place)
	}
	if !MayHand(s, &cheque, by) {
		return nil, refuse(NotOfVenue, "", "person",
			"Person %d does not work at venue %d, which draws the cheque.", by, cheque.Venue)
	}
	return &record.ChequeHanded{Cheque: place, By: by}, nil
}

// Staffed is where the persons who work in the house are found, such as the state.
type Staffed interface {
	People() *state.People
}

// MayHand reports whether a person hands over a cheque: at the venue that draws it, or for
// the operator.
func MayHand(s Staffed, cheque *state.Cheque, by uint32) bool {
	if speaksFor(s, by, "operator") {
		return true
	}
	person, ok := s.People().Person(by)
	return ok && !person.Erased &&
		(person.Has(record.RoleWriter, cheque.Venue) || person.Has(record.RoleSenior, cheque.Venue))
}

// NameHolidays says which days are public holidays, in place of those that were named
// before. What was promised stays promised.
//
//rule:tas-keno-2023 13.8(a)
func NameHolidays(s *state.State, days []day.Day, by uint32) (*record.HolidaysNamed, error) {
	if err := CheckAuthority(s, by); err != nil {
		return nil, err
	}
	if len(days) > record.MostHolidays {
		return nil, refuse(HolidaysWrong, "", "days", "A calendar has at most %d public holidays.", record.MostHolidays)
	}
	sorted := slices.Sorted(slices.Values(days))
	for i, d := range sorted {
		if i > 0 && sorted[i-1] == d {
			return nil, refuse(HolidaysWrong, "", "days", "%v is named twice.", d)
		}
	}
	if slices.Equal(sorted, s.Holidays()) {
		return nil, refuse(HolidaysSame, "", "days", "The calendar has just these days.")
	}
	return &record.HolidaysNamed{Days: sorted, By: by}, nil
}
