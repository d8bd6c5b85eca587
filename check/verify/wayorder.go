package verify

import "slices"

// The ways of a bet have an order, in which the winners of a jackpot are named by
// their places: joins of groups stand as their ascending lists of groups do, so that
// A comes before AB and that before B. Only a bet that wins a jackpot is listed.

// A lister goes through the ways of a bet in their order.
type lister struct {
	bet *bet
	// open tells, for the groups from one on, whether some of them bring a join of so
	// many groups and spots to a way that is played. So no branch without a way is
	// entered, however many joins there are.
	open  [][]bool
	width int
	visit func(way []byte)
	way   []byte // groups, from 0
}

// eachWay calls visit with the groups of every way, counted from 0, in order.
func (b *bet) eachWay(visit func(way []byte)) {
	if b.marks != nil {
		for _, mark := range slices.SortedFunc(slices.Values(b.marks), slices.Compare[[]byte]) {
			way := make([]byte, len(mark))
			for i, g := range mark {
				way[i] = g - 1
			}
			visit(way)
		}
		return
	}
	l := &lister{bet: b, visit: visit, width: b.rules.sizes.Max() + 1}
	l.open = make([][]bool, len(b.groups)+1)
	for from := len(b.groups); from >= 0; from-- {
		l.open[from] = make([]bool, (len(b.groups)+1)*l.width)
		for groups := range len(b.groups) + 1 {
			for spots := range l.width {
				l.open[from][groups*l.width+spots] = l.canEnd(groups, spots) || from < len(b.groups) &&
					(l.leads(from+1, groups, spots) || l.leads(from+1, groups+1, spots+len(b.groups[from])))
			}
		}
	}
	l.join(0, 0)
}

// canEnd reports whether a join of so many groups and spots is a way.
func (l *lister) canEnd(groups, spots int) bool {
	return groups > 0 && l.bet.rules.sizes.Has(spots) && l.bet.playsType(groups, spots)
}

// leads reports whether the groups from one on can make a way of a join.
func (l *lister) leads(from, groups, spots int) bool {
	return groups <= len(l.bet.groups) && spots < l.width && l.open[from][groups*l.width+spots]
}

// join visits the way that has come together, and those that the groups from one on
// make of it, in order.
func (l *lister) join(from, spots int) {
	if l.canEnd(len(l.way), spots) {
		l.visit(l.way)
	}
	for g := from; g < len(l.bet.groups); g++ {
		more := spots + len(l.bet.groups[g])
		if !l.leads(g+1, len(l.way)+1, more) {
			continue
		}
		l.way = append(l.way, byte(g))
		l.join(g+1, more)
		l.way = l.way[:len(l.way)-1]
	}
}

// caught returns the places of the ways of a bet that have so many spots and of which
// all were drawn.
func (b *bet) caught(spots int, drawn *drawnNumbers) []uint64 {
	if b.groups == nil {
		return []uint64{0}
	}
	var places []uint64
	at := uint64(0)
	b.eachWay(func(way []byte) {
		size, matched := 0, 0
		for _, g := range way {
			size += len(b.groups[g])
			matched += drawn.in(b.groups[g])
		}
		if size == spots && matched == spots {
			places = append(places, at)
		}
		at++
	})
	return places
}
