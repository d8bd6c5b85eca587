package house

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"drawhouse/decide/engine"
)

// A Part is what a fault is contained in: the rest of the house goes on without it.
type Part string

// The parts that a house has once. SeriesPart and RoomPart name the others.
const (
	PartDevice    Part = "device"
	PartWitness   Part = "witness"
	PartStorage   Part = "storage"
	PartSnapshots Part = "snapshots"
	PartReaders   Part = "readers"
	PartFollower  Part = "follower"
	// PartKeys is the keys that tokens hold.
	PartKeys Part = "keys"
	// PartBooks is the books of the trading days.
	PartBooks Part = "books"
	// PartInterface is what answers requests, and what works beside it.
	PartInterface Part = "interface"
)

// Parts returns the parts of a house with some series of games, for metrics.
func Parts(series []uint8) []Part {
	var all []Part
	for _, id := range series {
		all = append(all, SeriesPart(id))
	}
	return append(all, PartDevice, PartWitness, PartStorage, PartSnapshots, PartReaders, PartFollower, PartKeys,
		PartBooks, PartInterface)
}

// SeriesPart names a series of games.
func SeriesPart(series uint8) Part { return Part(fmt.Sprintf("series %d", series)) }

// RoomPart names a bingo room.
func RoomPart(room uint8) Part { return Part(fmt.Sprintf("room %d", room)) }

// An Alarm says that a part of the house needs a person. It says nothing about
// readiness: a house with alarms may sell.
type Alarm struct {
	Part Part
	Key  string // tells the alarms of one part apart
	// Since is when the part first failed.
	Since time.Time
	// Sentence says what is wrong. Times and counts that change with every try are not
	// in the sentence: the log has a line for each sentence and not for each try.
	Sentence string
	// Remedy says what a person does about it.
	Remedy string
	// Count is how often the alarm was raised since it stands.
	Count uint64
}

// StopsDraws reports whether games are not drawn while the alarm stands: the device or its key is away, or a series
// or a bingo room stands still. What a witness keeps from being drawn, Witnesses says.
func (a Alarm) StopsDraws() bool {
	switch a.Part {
	case PartDevice:
		return true
	case PartWitness:
		return false
	case PartKeys:
		return a.Key == keyOfDevice
	default:
		return a.Key == playing || a.Key == roomDraws
	}
}

// Alarms is the register of the alarms of a house. It outlives the reopening of a
// journal. Its methods may be called by any number of goroutines.
type Alarms struct {
	mu     sync.Mutex // guards what follows
	all    map[alarmKey]Alarm
	panics map[string]uint64 // that were caught, by where
}

type alarmKey struct {
	part Part
	key  string
}

// raise takes in an alarm, and reports whether it says anything new. An alarm that
// stands keeps the time at which it was raised.
func (a *Alarms) raise(alarm Alarm) (news bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	id := alarmKey{alarm.Part, alarm.Key}
	old, ok := a.all[id]
	if ok {
		alarm.Since = old.Since
	}
	alarm.Count = old.Count + 1
	if a.all == nil {
		a.all = map[alarmKey]Alarm{}
	}
	a.all[id] = alarm
	return !ok || old.Sentence != alarm.Sentence
}

// panicked counts a panic, and returns how many there were in the same place.
func (a *Alarms) panicked(where string) uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.panics == nil {
		a.panics = map[string]uint64{}
	}
	a.panics[where]++
	return a.panics[where]
}

// clear takes the alarms of a part away that match, and returns them.
func (a *Alarms) clear(part Part, match func(key string) bool) (cleared []Alarm) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, alarm := range a.all {
		if id.part == part && match(id.key) {
			delete(a.all, id)
			cleared = append(cleared, alarm)
		}
	}
	return cleared
}

// list returns the alarms by part and key.
func (a *Alarms) list() []Alarm {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]Alarm, 0, len(a.all))
	for _, alarm := range a.all {
		list = append(list, alarm)
	}
	slices.SortFunc(list, func(x, y Alarm) int { return cmp.Or(cmp.Compare(x.Part, y.Part), cmp.Compare(x.Key, y.Key)) })
	return list
}

// Alarms returns the alarms that stand, by part.
func (h *House) Alarms() []Alarm { return h.config.Alarms.list() }

// Raise raises an alarm, or keeps the one of this part and key up to date. The log is
// told of every new sentence, once.
func (h *House) Raise(part Part, key, sentence, remedy string) {
	if h.config.Alarms.raise(Alarm{Part: part, Key: key, Since: h.config.Clock.Now(), Sentence: sentence,
		Remedy: remedy}) {
		h.config.Log.Error("alarm", "part", string(part), "alarm", key, "sentence", sentence, "remedy", remedy)
	}
}

// Clear ends the alarm of a part and key, if there is one.
func (h *House) Clear(part Part, key string) {
	h.logCleared(h.config.Alarms.clear(part, func(k string) bool { return k == key }))
}

// clearPart ends all alarms of a part.
func (h *House) clearPart(part Part) {
	h.logCleared(h.config.Alarms.clear(part, func(string) bool { return true }))
}

// alarmTies begins the key of the alarm that a book does not tie.
const alarmTies = "ties"

// tellTied raises an alarm if figures of a book differ that must be equal. The alarm ends with a book of the same
// series that ties.
func (h *House) tellTied(tied engine.Tied) {
	key := fmt.Sprintf("%s of series %d", alarmTies, tied.Series)
	if len(tied.Faults) == 0 {
		h.Clear(PartBooks, key)
		return
	}
	h.Raise(PartBooks, key, fmt.Sprintf("The book of series %d on %v does not tie: %s.", tied.Series, tied.Day,
		reason(errors.New(strings.Join(tied.Faults, "; ")))),
		"Export the journal, verify the export, and compare the report that names these figures with its records.")
}

// longestReason bounds what an alarm repeats of an error.
const longestReason = 400

// changing is what differs between two tries that fail for the same reason: the own port
// of a connection, and how long something took.
var changing = regexp.MustCompile(`\S+:\d+->|\b\d+(\.\d+)?(ns|µs|ms|s)\b`)

// reason returns an error as an alarm says it: in one line, and without what changes from
// try to try.
func reason(err error) string {
	text := strings.Join(strings.Fields(changing.ReplaceAllString(err.Error(), "")), " ")
	if len(text) > longestReason {
		text = strings.ToValidUTF8(text[:longestReason], "") + " ..."
	}
	return text
}

func (h *House) logCleared(cleared []Alarm) {
	for _, a := range cleared {
		h.config.Log.Info("alarm ended", "part", string(a.Part), "alarm", a.Key, "since", a.Since)
	}
}
