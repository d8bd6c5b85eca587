package witness

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// ErrLeft: the log that follows leaves games of the one before whose results can be known. A custodian that followed it
// by itself would give the house a free try: begin a log wherever a result does not suit.
var ErrLeft = errors.New("the people of this custodian have not let that go")

// errDayOver: a Keno Day that an earlier log had opened is over for good. Its links may be known, and whoever may
// seal a game under known links chooses its numbers. Nothing that people say changes that.
var errDayOver = errors.New("an earlier log had games of this Keno Day, and of such a day no game is opened or sealed again: the log that follows begins with a later day")

// errAhead: an entry has a time that has not come. By such a time a house could end a game before its round is overdue.
var errAhead = errors.New("its time has not come here")

// mostAhead is by how many seconds the clock of the house may go before that of a custodian.
const mostAhead = 600

// LetGo is what the people of a custodian let go of: it follows the log, or goes on with it, although these games have
// no right result, and publishes its links of them. Further ones for the same log add to it.
type LetGo struct {
	Log   string         `json:"log"` // the origin of the log that follows, or that is followed
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
// said that they let them go. From then on they can: the book keeps for which games that log waits.
func (g *Gate) Leaves(origin string, write func(GateEntry) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	waits := LetGo{Log: origin}
	for _, sealed := range g.leaving(origin) {
		waits.Games = append(waits.Games, sealed.name)
	}
	if len(waits.Games) == 0 {
		return nil
	}
	if g.offered.Log != origin || !slices.Equal(g.offered.Games, waits.Games) {
		if err := write(GateEntry{Offered: &waits}); err != nil {
			return err
		}
		g.offered = waits
	}
	return g.leaves(origin)
}

// leaving returns the games that a log which follows leaves and that nobody has let go. The caller holds the lock.
func (g *Gate) leaving(origin string) []*sealedGame {
	return slices.DeleteFunc(g.left(), func(sealed *sealedGame) bool {
		return slices.Contains(g.letGo[origin].Games, sealed.name)
	})
}

// leaves is Leaves without the book. The caller holds the lock.
func (g *Gate) leaves(origin string) error {
	var names, words []string
	for _, sealed := range g.leaving(origin) {
		names = append(names, fmt.Sprintf("%v (%s)", sealed.name, strings.TrimPrefix(sealed.unfinished(), "and ")))
		words = append(words, letGoBy(sealed.name))
	}
	if len(names) == 0 {
		return nil
	}
	return fmt.Errorf(
		"witness: %s begins behind %s, which leaves %s: %w. If they agree to that, they start it once with %s", origin,
		g.copy.chain.Body().Origin, strings.Join(names, ", "), ErrLeft, strings.Join(words, " "))
}

// letGoBy says how people let a game go.
func letGoBy(game journal.Game) string {
	return fmt.Sprintf("--let-go %s/%s/%d", game.Series, game.Day, game.Number)
}

// ParseLetGo reads the name of a game as people give it who let it go: SERIES/DAY/NUMBER.
func ParseLetGo(text string) (journal.Game, error) {
	var name journal.Game
	rest, number, ok1 := cutLast(text)
	series, day, ok2 := cutLast(rest)
	n, err := strconv.ParseUint(number, 10, 32)
	if !ok1 || !ok2 || err != nil || strconv.FormatUint(n, 10) != number {
		return name, fmt.Errorf("witness: %q names no game: write SERIES/DAY/NUMBER, such as vic-keno/2026-11-15/418", text)
	}
	name = journal.Game{Series: series, Day: day, Number: uint32(n)}
	return name, name.Check()
}

// cutLast splits a text at its last slash: the name of a series may have others.
func cutLast(text string) (before, after string, ok bool) {
	at := strings.LastIndex(text, "/")
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}

// opensDay reports whether an entry opens or seals a game: from then on its Keno Day is of this log.
func opensDay(e *public.Entry) bool { return e.Kind == public.Opened || e.Kind == public.Sealed }

// ahead refuses entries of a time to come. The caller holds the lock.
func (g *Gate) ahead(entries [][]byte, now int64) error {
	for _, data := range entries {
		e, err := public.Parse(data)
		if err != nil {
			return nil //nolint:nilerr // It is a lie, which stops the gate when it is read.
		}
		if e.Millis/1000 > uint64(max(now, 0)+mostAhead) {
			return fmt.Errorf("witness: %s of record %d:%d has the time %d, more than %d seconds ahead of the clock here: %w; set the clock that is wrong",
				e.Kind, e.Volume, e.Seq, e.Millis/1000, mostAhead, errAhead)
		}
	}
	return nil
}

// leave refuses entries with the beginning of a log that leaves games, or with games of a Keno Day of which a log
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
		case opensDay(e) && e.Text("day") <= day:
			return fmt.Errorf("witness: %s: %s of %v: %w", origin, e.Kind, e.Game(), errDayOver)
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

// LetGo lets games go, because the people of this custodian say so. It takes those that wait for it: those that a log
// which follows leaves without a right result, once that was refused for it, and those that were declared void when
// their links could be known. It counts for the games that are named and no others, so that what people say once is no
// leave for more, and until it takes effect: that log is followed, or the game is declared void in this one. A game
// that has ended rightly is passed over. If one of them cannot be let go, none is. It returns those that are let go
// now, and those that were before and still wait.
func (g *Gate) LetGo(games []journal.Game, write func(GateEntry) error) (now, before []journal.Game, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.copy.chain == nil {
		return nil, nil, errors.New("witness: no entry of a public log is known here")
	}
	here, behind := LetGo{Log: g.copy.chain.Body().Origin}, LetGo{Log: g.behind()}
	for _, name := range games {
		sealed := g.copy.games[name]
		waits := sealed != nil && sealed.unfinished() != ""
		switch {
		case waits && sealed.void > 0:
			here.Games = append(here.Games, name)
		case g.letGoBehind(name):
			if waits {
				before = append(before, name)
			}
		case waits && g.offered.Log == behind.Log && slices.Contains(g.offered.Games, name):
			behind.Games = append(behind.Games, name)
		case sealed != nil && !waits, sealed == nil && g.gave(name):
			// There is nothing to let go; or it is of a day that is over, or of a log before this one.
		default:
			return nil, nil, fmt.Errorf("witness: %v is none of the games that wait to be let go in %s: %s. A game waits once its void, or a log that leaves it, was refused here for it; start without it until then",
				name, here.Log, named(g.waiting()))
		}
	}
	for _, said := range []LetGo{here, behind} {
		if len(said.Games) == 0 {
			continue
		}
		if err := write(GateEntry{LetGo: &said}); err != nil {
			return now, before, err
		}
		g.takeLetGo(said)
		now = append(now, said.Games...)
	}
	return now, before, nil
}

// behind returns the origin of the log that may follow the copied one. The caller holds the lock.
func (g *Gate) behind() string {
	house, number, err := journal.ParseLogOrigin(g.copy.chain.Body().Origin)
	if err != nil {
		return "" // The chain read it.
	}
	return journal.LogOrigin(house, number+1)
}

// letGoBehind reports whether people have let a game go for the log that may follow. The caller holds the lock.
func (g *Gate) letGoBehind(name journal.Game) bool {
	return slices.Contains(g.letGo[g.behind()].Games, name)
}

// waiting returns the games of the copied log that wait for people to let them go. The caller holds the lock.
func (g *Gate) waiting() []*sealedGame {
	return slices.DeleteFunc(g.left(), func(sealed *sealedGame) bool {
		offered := g.offered.Log == g.behind() && slices.Contains(g.offered.Games, sealed.name)
		return sealed.void == 0 && (!offered || g.letGoBehind(sealed.name))
	})
}

// named returns the names of games, or that there are none.
func named(games []*sealedGame) string {
	if len(games) == 0 {
		return "there are none"
	}
	names := make([]string, len(games))
	for i, sealed := range games {
		names[i] = sealed.name.String()
	}
	return strings.Join(names, ", ")
}

// takeLetGo takes over what people have let go. A void game of the log that is followed counts as one whose link was
// given out: the link is published, and the game is never sealed anew.
func (g *Gate) takeLetGo(said LetGo) {
	all := g.letGo[said.Log]
	all.Log = said.Log
	for _, name := range said.Games {
		if !slices.Contains(all.Games, name) {
			all.Games = append(all.Games, name)
		}
		sealed := g.copy.games[name]
		if sealed == nil || g.copy.chain.Body().Origin != said.Log {
			continue
		}
		g.goesWithout(sealed)
	}
	g.letGo[said.Log] = all
}

// goesWithout lets go of a void game of the log that is followed: its link counts as given out. The caller holds the
// lock.
func (g *Gate) goesWithout(sealed *sealedGame) {
	sealed.letGo = true
	if !g.gave(sealed.name) {
		g.released[sealed.name] = Released{Name: sealed.name, Seal: sealed.note}
	}
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
	g.copy, g.quorum, g.missed, g.offered = newLogCopy(), signedTree{}, 0, LetGo{}
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
	return g.copy.chain != nil && origin == g.behind()
}

// Succeeds reports whether an origin is that of the log that follows the one of which the gate has a copy.
func (g *Gate) Succeeds(origin string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.succeeds(origin)
}
