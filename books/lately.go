package books

import (
	"drawhouse/journal/record"
)

// LatelyMinutes is how far back sales are known minute by minute.
const LatelyMinutes = 60

// msPerMinute is a minute in the time of records.
const msPerMinute = 60_000

// Minute is what was done at terminals within a minute.
type Minute struct {
	Start record.Time
	Tally Tally
}

// lately is what was done within the last minutes, by venue. A minute in which nothing
// was done is absent, and the oldest go when new ones come, so that it stays small
// however long a house runs.
type lately struct {
	minutes []venueMinute // ascending
}

type venueMinute struct {
	start  record.Time
	venues map[uint32]*Tally
}

// add counts what was done at a venue. The times of records never fall.
func (l *lately) add(at record.Time, venue uint32, done *Tally) {
	start := at - at%msPerMinute
	if n := len(l.minutes); n == 0 || l.minutes[n-1].start != start {
		if n == LatelyMinutes {
			l.minutes = append(l.minutes[:0:0], l.minutes[1:]...)
		}
		l.minutes = append(l.minutes, venueMinute{start, map[uint32]*Tally{}})
	}
	tallyOf(l.minutes[len(l.minutes)-1].venues, venue).Add(done)
}

// Lately returns what was done at a venue, or anywhere if it is 0, in each of the last
// minutes up to now: as many as are kept, with those in which nothing was done.
func (f *Fold) Lately(venue uint32, now record.Time) []Minute {
	all := make([]Minute, LatelyMinutes)
	first := now - now%msPerMinute - (LatelyMinutes-1)*msPerMinute
	for i := range all {
		all[i].Start = first + record.Time(i)*msPerMinute
	}
	for _, m := range f.lately.minutes {
		i := (m.start - first) / msPerMinute
		if m.start < first || i >= LatelyMinutes {
			continue
		}
		for id, done := range m.venues {
			if venue == 0 || id == venue {
				all[i].Tally.Add(done)
			}
		}
	}
	return all
}
