package house

import (
	"fmt"
	"slices"
	"sort"

	"drawhouse/core/day"
	"drawhouse/core/item"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// gameList are the games of a series as readers see them, by ordinal - 1. Of old games it has what the state
// has packed, and where the journal has what belongs to them.
type gameList struct {
	old    *state.OldGames // the first len(places) of them count
	places []gamePlaces
	fresh  []Game // the games behind those
}

// gamePlaces are the fields of a Game beside those of the state, as package item writes them.
type gamePlaces string

// len returns how many games there are.
func (l *gameList) len() int { return len(l.places) + len(l.fresh) }

// at returns the game of an ordinal that there is.
func (l *gameList) at(ordinal uint32) Game {
	if i := int(ordinal) - 1 - len(l.places); i >= 0 {
		return l.fresh[i]
	}
	g := Game{Game: *l.old.Game(ordinal)}
	l.places[ordinal-1].read(&g)
	return g
}

// ref returns the name of the game of an ordinal that there is.
func (l *gameList) ref(ordinal uint32) record.Game {
	if i := int(ordinal) - 1 - len(l.places); i >= 0 {
		return l.fresh[i].Ref
	}
	return l.old.Brief(ordinal).Ref
}

// between returns the games from one ordinal up to another.
func (l *gameList) between(first, last uint32) []Game {
	var found []Game
	for ordinal := first; ordinal <= last; ordinal++ {
		found = append(found, l.at(ordinal))
	}
	return found
}

// since returns the ordinal of the first game of a Keno Day or of a later one. Games are in the order of
// their days.
func (l *gameList) since(d day.Day) uint32 {
	return uint32(sort.Search(l.len(), func(i int) bool { return l.ref(uint32(i+1)).Day >= d })) + 1
}

// named returns the ordinal of the game of a name, or 0. It searches the day and then looks through it.
func (l *gameList) named(ref record.Game) uint32 {
	for ordinal := l.since(ref.Day); int(ordinal) <= l.len(); ordinal++ {
		switch found := l.ref(ordinal); {
		case found == ref:
			return ordinal
		case found.Day != ref.Day:
			return 0
		}
	}
	return 0
}

// change changes a game to what the state says of it and to what note makes of it.
func (l *gameList) change(of *state.Series, ordinal uint32, note func(*Game)) {
	i := int(ordinal) - 1 - len(l.places)
	if i >= 0 {
		note(&l.fresh[i])
		l.fresh[i].follow(of)
		return
	}
	g := l.at(ordinal)
	note(&g)
	g.follow(of)
	l.places[ordinal-1] = placesOf(&g)
	l.old = of.Old()
}

// follow copies what the state says of a game. What the copy points at the state does not
// change: it replaces lists, or adds behind their ends.
func (g *Game) follow(of *state.Series) {
	now, _ := of.Game(g.Ordinal)
	if g.Game = *now; now.Phase == state.PhaseSealed || now.Phase == state.PhaseVoid {
		g.DrawnPlace = record.Place{}
	}
}

// pack leaves to the state what it has packed.
func (l *gameList) pack(of *state.Series) {
	n := min(of.Old().Len(), l.len()) - len(l.places)
	if n <= 0 {
		return
	}
	for i := range l.fresh[:n] {
		l.places = append(l.places, placesOf(&l.fresh[i]))
	}
	l.old, l.fresh = of.Old(), slices.Clone(l.fresh[n:])
}

// placesOf returns the fields of a game beside those of the state. The cosigned checkpoint is left to the
// store, where cosignedAt finds it.
func placesOf(g *Game) gamePlaces {
	var w placeWriter
	w.place(g.DrawnPlace)
	w.b = item.AppendInt(w.b, int64(g.SettledAt))
	w.list(g.records)
	w.place(g.custody.opened)
	w.list(g.custody.shown)
	w.place(g.custody.witnessed)
	w.place(g.custody.cosignedAt)
	return gamePlaces(w.b)
}

// read reads what placesOf has written.
func (p gamePlaces) read(g *Game) {
	r := placeReader{Reader: item.Reader{Rest: []byte(p)}}
	g.DrawnPlace = r.place()
	g.SettledAt = record.Time(r.Int())
	g.records = r.list()
	g.custody.opened = r.place()
	g.custody.shown = r.list()
	g.custody.witnessed = r.place()
	g.custody.cosignedAt = r.place()
	if r.Bad || len(r.Rest) > 0 {
		panic(fmt.Errorf("house: the places of game %v cannot be read", g.Ref)) // TestGamePlaces.
	}
}

// placeWriter writes places. Those of a game lie close together, so that it writes each as the distance
// from the one before.
type placeWriter struct {
	b    []byte
	last record.Place
}

func (w *placeWriter) place(p record.Place) {
	w.b = item.AppendInt(w.b, int64(p.Volume)-int64(w.last.Volume))
	w.b = item.AppendInt(w.b, int64(p.Seq-w.last.Seq))
	w.last = p
}

func (w *placeWriter) list(places []record.Place) {
	w.b = item.AppendHead(w.b, item.Array, uint64(len(places)))
	for _, p := range places {
		w.place(p)
	}
}

// placeReader reads what a placeWriter has written.
type placeReader struct {
	item.Reader
	last record.Place
}

func (r *placeReader) place() record.Place {
	r.last.Volume = uint16(int64(r.last.Volume) + r.Int())
	r.last.Seq += uint64(r.Int())
	return r.last
}

func (r *placeReader) list() (places []record.Place) {
	for range r.Head(item.Array, uint64(len(r.Rest))) {
		places = append(places, r.place())
	}
	return places
}
