package books

import (
	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// course is how far the days of a series are.
type course struct {
	day  day.Day // that is open, or was last
	last day.Day // with which the series ends; day.None if nobody has said so
	open bool
}

// follow takes up what says which form the books have, and which series closes the house.
func (f *Fold) follow(body record.Body) {
	switch b := body.(type) {
	case *record.VolumeBegun:
		f.reach(b.Level)
	case *record.LevelRaised:
		f.reach(b.Level)
	case *record.SeriesBegun:
		f.courseOf(b.Series)
	case *record.SeriesLimited:
		f.courseOf(b.Series).last = b.LastDay
	case *record.DayOpened:
		c := f.courseOf(b.Series)
		c.day, c.open = b.Day, true
		f.newest = max(f.newest, b.Day)
	case *record.DayClosed:
		f.courseOf(b.Series).open = false
	case *record.ApprovalRequested:
		f.requested(b)
	case *record.VenueAdded:
		f.venues[b.Venue] = b.Name
	case *record.VenueRenamed:
		f.venues[b.Venue] = b.Name
	case *record.TerminalAdded:
		f.terminals[b.Terminal] = b.Venue
	case *record.HallOpened:
		f.halls[b.Hall] = b.Venue
	}
}

// reach takes the level that the journal has from now on. The day of the house on which books get another form has
// counted less in its first part.
func (f *Fold) reach(level uint8) {
	f.mixed = f.mixed || f.level != 0 && f.level < record.LevelSeries && level >= record.LevelSeries
	f.level = level
}

// Mixed reports whether the day of the house began when books had another form: then its figures need not tie.
func (f *Fold) Mixed() bool { return f.mixed }

func (f *Fold) courseOf(series uint8) *course {
	c, ok := f.courses[series]
	if !ok {
		c = new(course)
		f.courses[series] = c
	}
	return c
}

// Closer returns the series whose close of a day closes the day of the house: the lowest that has not had its last
// Keno Day. A series has had it, too, if no day of it can open any more, because the house is beyond its last day.
// Journals below record.LevelSeries are closed by the first series.
func (f *Fold) Closer() uint8 {
	if f.level < record.LevelSeries {
		return anywhere
	}
	closer := uint8(0)
	for series, c := range f.courses {
		over := c.last != day.None && !c.open && (c.day >= c.last || f.newest > c.last)
		if !over && (closer == 0 || series < closer) {
			closer = series
		}
	}
	if len(f.courses) == 0 {
		return anywhere
	}
	return closer
}
