package witness

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// ErrLeft: the log that follows leaves games of the one before whose results can be known. A custodian that followed it
// by itself would give the house a free try: begin a log wherever a result does not suit.
var ErrLeft = errors.New("the people of this custodian have not let that go")

// LetGo is what the people of a custodian let go of: it follows the log although these games have no right result, and
// publishes its links of them.
type LetGo struct {
	Log   string         `json:"log"` // the origin of the log that follows
	Games []journal.Game `json:"games,omitempty"`
}

// left returns the games that end with the copied log and have not ended rightly, although a link of them may have
// left. The caller holds the lock.
func (g *Gate) left() (games []*sealedGame) {
	cosigned := max(g.quorum.checkpoint.Size, g.missed)
	for size := range g.copy.cosigned {
		cosigned = max(cosigned, size)
	}
	for name, sealed := range g.copy.games {
		if sealed.unfinished() != "" && (sealed.entry < cosigned || g.gave(name)) {
			games = append(games, sealed)
		}
	}
	slices.SortFunc(games, func(a, b *sealedGame) int { return cmp.Compare(a.entry, b.entry) })
	return games
}

// Leaves refuses a log that follows, of an origin, if it leaves games of which the people of this custodian have not
// said that they let them go.
func (g *Gate) Leaves(origin string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.leaves(origin)
}

// leaves is Leaves under the lock.
func (g *Gate) leaves(origin string) error {
	var names []string
	for _, sealed := range g.left() {
		if !slices.Contains(g.letGo[origin].Games, sealed.name) {
			names = append(names, fmt.Sprintf("%v (%s)", sealed.name, strings.TrimPrefix(sealed.unfinished(), "and ")))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf(
		"witness: %s begins behind %s, which leaves %s: %w. If they agree to that, they start it once with --let-go %s", origin,
		g.copy.chain.Body().Origin, strings.Join(names, ", "), ErrLeft, origin)
}

// leave refuses entries with the beginning of a log that leaves games, or with games of a Keno Day of which the log
// before had games already. Nothing is written of them. The caller holds the lock.
func (g *Gate) leave(entries [][]byte) error {
	origin, before := "", g.copy.before
	if g.copy.chain != nil {
		origin = g.copy.chain.Body().Origin
	}
	for i, data := range entries {
		e, err := public.Parse(data)
		if err != nil {
			return nil //nolint:nilerr // It is a lie, which stops the gate when it is read.
		}
		day := before[e.Text("series")]
		switch {
		case e.Kind == public.Begun && (i > 0 || g.copy.tree.Size() > 0):
			chain, err := g.successor(data)
			if err != nil {
				return nil //nolint:nilerr // As above.
			}
			origin, before = chain.Body().Origin, g.copy.past()
			if err := g.leaves(origin); err != nil {
				return err
			}
		case (e.Kind == public.Opened || e.Kind == public.Sealed) && e.Text("day") <= day && !g.lets(origin):
			return fmt.Errorf("witness: %s has a game of %s, and the log before it had games of that Keno Day: %w. "+
				"If they agree to that, they start it once with --let-go %s",
				origin, e.Text("day"), ErrLeft, origin)
		}
	}
	return nil
}

// past returns the newest days of this log and those before it, by series.
func (c *logCopy) past() map[string]string {
	days := maps.Clone(c.days)
	for series, day := range c.before {
		days[series] = max(days[series], day)
	}
	return days
}

// lets reports whether people have spoken about a log. The caller holds the lock.
func (g *Gate) lets(origin string) bool {
	_, said := g.letGo[origin]
	return said
}

// LetGo lets go what the log of an origin leaves of the one before, because the people of this custodian say so. It
// counts for the games that are left now and no others: what they say once is no leave for more. It returns these
// games.
func (g *Gate) LetGo(origin string, write func(GateEntry) error) ([]journal.Game, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.copy.chain == nil {
		return nil, errors.New("witness: no entry of a public log is known here")
	}
	body := g.copy.chain.Body()
	said := LetGo{Log: origin}
	switch {
	case g.succeeds(origin):
		for _, sealed := range g.left() {
			said.Games = append(said.Games, sealed.name)
		}
	case origin != body.Origin:
		return nil, fmt.Errorf("witness: %s is neither %s, which is followed, nor the log behind it", origin,
			body.Origin)
	}
	if before, again := g.letGo[origin]; again && (origin == body.Origin || slices.Equal(before.Games, said.Games)) {
		return before.Games, nil
	}
	if err := write(GateEntry{LetGo: &said}); err != nil {
		return nil, err
	}
	g.letGo[origin] = said
	return said.Games, nil
}

// succeed goes on with the log that follows. A game that was sealed under a signature of this custodian and has not
// ended rightly ends with the log: its link counts as given out, and is published, so that everybody can work out the
// result that it would have had. The caller holds the lock.
func (g *Gate) succeed(first *public.Entry, data []byte) error {
	chain, err := g.successor(data)
	if err != nil {
		return err
	}
	for _, sealed := range g.left() {
		if !g.gave(sealed.name) {
			at := int64(first.Millis / 1000) //nolint:gosec // A time.
			g.released[sealed.name] = Released{Name: sealed.name, Seal: sealed.note, At: at}
		}
	}
	past := g.copy.past()
	g.copy, g.quorum, g.missed = newLogCopy(), signedTree{}, 0
	g.copy.chain, g.copy.before = chain, past
	g.copy.tree.Append(data)
	return nil
}

// successor reads the first entry of the log that follows, which must name where the copy ends. The caller holds the
// lock.
func (g *Gate) successor(data []byte) (*public.Chain, error) {
	chain, err := g.begin(data)
	if err != nil {
		return nil, err
	}
	ends := journal.Checkpoint{Origin: g.copy.chain.Body().Origin, Size: g.copy.tree.Size(), Root: g.copy.tree.Root()}
	switch body := chain.Body(); {
	case !g.succeeds(body.Origin):
		return nil, fmt.Errorf("witness: %s does not follow %s", body.Origin, ends.Origin)
	case *body.Before != ends:
		return nil, fmt.Errorf("witness: %s follows %v, and the copy ends with %v", body.Origin, *body.Before, ends)
	case g.missed > ends.Size:
		return nil, fmt.Errorf("witness: %s follows %v, and %d entries were cosigned here", body.Origin, *body.Before,
			g.missed)
	}
	return chain, nil
}

// succeeds reports whether an origin is that of the log that follows. The caller holds the lock.
func (g *Gate) succeeds(origin string) bool {
	if g.copy.chain == nil {
		return false
	}
	house, number, err := journal.ParseLogOrigin(g.copy.chain.Body().Origin)
	return err == nil && origin == journal.LogOrigin(house, number+1)
}

// Succeeds reports whether an origin is that of the log that follows the one of which the gate has a copy.
func (g *Gate) Succeeds(origin string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.succeeds(origin)
}
