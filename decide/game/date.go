package game

import (
	"fmt"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// DayNotNow means that a Keno Day is opened on another date.
const DayNotNow refusal.Code = "day_not_now"

// CheckDate refuses a Keno Day that is opened on another date than its own or the next one. A
// Keno Day has the date on which its trading begins, and one that begins late may be opened
// after midnight; a day ahead would keep the days between from ever being opened, and sweep
// prizes whose time is not over.
//
//rule:vic-keno-2015 2(a).keno-day
//rule:tas-keno-2023 1.33
//rule:casino-keno-div2 1.0.keno-day
func CheckDate(now record.Time, d day.Day, offsetSeconds int32) error {
	local := now.Time().Add(time.Duration(offsetSeconds) * time.Second)
	date, err := day.Of(local.Year(), int(local.Month()), local.Day())
	if err != nil {
		return &refusal.Refusal{Code: DayNotNow, Path: "day", Sentence: "The clock shows no date."}
	}
	if d == date || d+1 == date {
		return nil
	}
	return &refusal.Refusal{Code: DayNotNow, Path: "day",
		Sentence: fmt.Sprintf("Keno Day %v cannot be opened on %v. Open it on its date or on the next one.", d, date)}
}

// GuardDate is CheckDate for every record that opens a Keno Day, whatever has decided it: by
// hand or by the timetable, the house opens no day that its journal could not have.
func GuardDate(_ *state.State, r record.Record) error {
	if opened, ok := r.Body.(*record.DayOpened); ok {
		return CheckDate(r.Time, opened.Day, opened.OffsetSeconds)
	}
	return nil
}
