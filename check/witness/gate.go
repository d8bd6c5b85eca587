package witness

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// The errors of the release rule.
var (
	// ErrNoLinks: no links for the day of a game are held here.
	ErrNoLinks = errors.New("no links for this day are held here")
	// ErrOrder: an earlier game of the series has not ended rightly.
	ErrOrder = errors.New("games are drawn one at a time and in order")
	// ErrSecondSeal: the game was sealed before, under another seal.
	ErrSecondSeal = errors.New("the game has another seal")
)

// GateEntry is what a Gate has decided. It is to be made durable before anything leaves,
// and given to Restore, in order, when the gate is made anew. One of the fields is there.
type GateEntry struct {
	Pinned   *Pinned   `json:"pinned,omitempty"`
	Released *Released `json:"released,omitempty"`
	Finished *Finished `json:"finished,omitempty"`
	Stopped  *Stopped  `json:"stopped,omitempty"`
}

// Pinned is the commitment of a custodian for a day as the journal has it.
type Pinned struct {
	Note string `json:"note"`
}

// Released is a game under whose seal a link was given out.
type Released struct {
	Ref     record.Game  `json:"ref"`
	Name    journal.Game `json:"name"`
	Ordinal uint32       `json:"ordinal"`
	Seal    string       `json:"seal"` // its note
	Place   record.Place `json:"place"`
	Volume  uint16       `json:"volume"` // up to which the journal was followed
	At      int64        `json:"at"`     // seconds since 1970 UTC
}

// Finished is a game that has its right result, or that ended without one as it may.
type Finished struct {
	Name journal.Game `json:"name"`
}

// Stopped says why the custodian gives no link any more, with the notes that prove it.
type Stopped struct {
	Why   string   `json:"why"`
	Notes []string `json:"notes,omitempty"`
}

// Names reports whether the notes of a gate that has stopped are about a game: of such a
// game no link is published.
func (s *Stopped) Names(game journal.Game) bool {
	return s != nil && slices.ContainsFunc(s.Notes, func(note string) bool {
		body, err := unverifiedSeal([]byte(note))
		return err == nil && body.Game == game
	})
}

// A Gate is the release rule. A link leaves only under a seal that is proved to be in the
// journal and to be cosigned by every custodian, that is the only seal of its game, and
// after every earlier game of the Keno Day, and every game for which a link was given out
// before, has its right result. The gate works the result out again from the seal and the
// links. Two seals of one game stop the gate for good.
//
// Custodians, custodians that replay the journal, and holders of shares pass through the
// same gate. Any number of goroutines may use it: what costs time happens before its lock.
type Gate struct {
	prover     Prover
	house      []journal.Verifier
	custodians []*Verifier
	own        string // "" for a holder

	mu       sync.Mutex // guards what follows
	pins     map[pinKey]draw.Commitment
	released map[journal.Game]*taken
	stopped  *Stopped

	// followed is the volume up to which the journal was followed. Earlier volumes have
	// ended: who cosigns looks here, without the lock.
	followed atomic.Uint32
}

type (
	pinKey struct{ custodian, series, day string }
	taken  struct {
		Released
		hash journal.Hash
		over bool
	}
)

// GateConfig is what a Gate is made of.
type GateConfig struct {
	Prover     Prover
	House      []journal.Verifier
	Custodians []*Verifier // every one: the policy, which no house decides
	Own        string      // the name of this custodian; "" for a holder of shares
}

// NewGate returns a gate that has decided nothing.
func NewGate(c GateConfig) (*Gate, error) {
	if len(c.Custodians) < 2 {
		return nil, errors.New("witness: the policy names every custodian, and there are two at least")
	}
	keys := map[string]bool{}
	for _, v := range c.Custodians {
		if keys[v.Name()] || keys[string(v.key)] {
			return nil, fmt.Errorf("witness: %s is named twice, or its key has two names", v.Name())
		}
		keys[v.Name()], keys[string(v.key)] = true, true
	}
	if c.Own != "" && !keys[c.Own] {
		return nil, fmt.Errorf("witness: %s itself is not among the custodians of the policy", c.Own)
	}
	return &Gate{
		prover: c.Prover, house: c.House, custodians: c.Custodians, own: c.Own,
		pins: map[pinKey]draw.Commitment{}, released: map[journal.Game]*taken{},
	}, nil
}

// Restore takes up what was decided before.
func (g *Gate) Restore(e GateEntry) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case e.Pinned != nil:
		c, err := g.openCommitment([]byte(e.Pinned.Note))
		if err != nil {
			return err
		}
		g.pins[pinOf(c)] = c
	case e.Released != nil:
		body, err := unverifiedSeal([]byte(e.Released.Seal))
		if err != nil {
			return err
		}
		g.released[e.Released.Name] = &taken{Released: *e.Released, hash: body.Hash()}
		g.follow(e.Released.Volume)
	case e.Finished != nil:
		if t := g.released[e.Finished.Name]; t != nil {
			t.over = true
		}
	case e.Stopped != nil:
		g.stopped = e.Stopped
	}
	return nil
}

// Stopped returns why the gate has stopped, or nil.
func (g *Gate) Stopped() *Stopped {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stopped
}

// Games returns the games for which the gate has opened, before a time.
func (g *Gate) Games(before int64) (games []journal.Game) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for name, t := range g.released {
		if t.At <= before {
			games = append(games, name)
		}
	}
	slices.SortFunc(games, func(a, b journal.Game) int {
		if c := strings.Compare(a.Series+" "+a.Day, b.Series+" "+b.Day); c != 0 {
			return c
		}
		return int(a.Number) - int(b.Number)
	})
	return games
}

// Pass decides whether the link of a game may leave. What it decides was given to write,
// in order, and is durable when Pass returns nil: only then may the link leave. Asked again
// under the same seal Pass agrees again.
func (g *Gate) Pass(e Evidence, now int64, write func(GateEntry) error) error {
	if stopped := g.Stopped(); stopped != nil {
		return fmt.Errorf("witness: %s: %w", stopped.Why, ErrStop)
	}
	followed := uint16(g.followed.Load()) //nolint:gosec // It was a uint16.
	proved, err := g.prover.Prove(e, followed)
	var f *facts
	if err == nil {
		f, err = g.read(e.Game, proved)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped != nil {
		return fmt.Errorf("witness: %s: %w", g.stopped.Why, ErrStop)
	}
	var entries []GateEntry
	if err == nil {
		entries, err = g.decide(e.Game, f, now)
	}
	if errors.Is(err, ErrStop) {
		return errors.Join(err, g.stop(err, f, write))
	}
	if err != nil || len(entries) == 0 {
		return err
	}
	// From here on nobody cosigns more of an earlier volume. Who did so while this was
	// proved has been first.
	before := g.follow(f.volume)
	if err := g.prover.Stands(proved); err != nil {
		g.followed.Store(before)
		return err
	}
	for _, entry := range entries {
		if err := write(entry); err != nil {
			return fmt.Errorf("witness: %w", err)
		}
	}
	g.take(entries, f)
	return nil
}

// follow takes in up to which volume the journal was followed, and returns what was known
// before.
func (g *Gate) follow(volume uint16) (before uint32) {
	before = g.followed.Load()
	g.followed.Store(max(before, uint32(volume)))
	return before
}

// Ended reports whether a log is a volume of the house that has ended: a link was given out
// in a later one, and so the earlier one grows no more.
func (g *Gate) Ended(origin string) bool {
	name, volume, err := journal.ParseOrigin(origin)
	return err == nil && uint32(volume) < g.followed.Load() &&
		slices.ContainsFunc(g.house, func(v journal.Verifier) bool { return v.Name() == name })
}

// stop records why the gate stops. The caller holds the lock.
func (g *Gate) stop(why error, f *facts, write func(GateEntry) error) error {
	g.stopped = &Stopped{Why: why.Error()}
	if f != nil && f.target != nil {
		g.stopped.Notes = append(g.stopped.Notes, string(f.target.note))
		if t := g.released[f.name]; t != nil {
			g.stopped.Notes = append(g.stopped.Notes, t.Seal)
		}
		g.stopped.Notes = append(g.stopped.Notes, f.others...)
	}
	return write(GateEntry{Stopped: g.stopped})
}

// take takes over what was decided and is durable. The caller holds the lock.
func (g *Gate) take(entries []GateEntry, f *facts) {
	for _, entry := range entries {
		switch {
		case entry.Pinned != nil:
			c := f.commitments[entry.Pinned.Note]
			g.pins[pinOf(c)] = c
		case entry.Finished != nil:
			g.released[entry.Finished.Name].over = true
		case entry.Released != nil:
			g.released[entry.Released.Name] = &taken{Released: *entry.Released, hash: f.target.body.Hash()}
		}
	}
}

// Binds reports whether a commitment is the one that the journal was shown to have.
func (g *Gate) Binds(c draw.Commitment) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	pinned, ok := g.pins[pinOf(c)]
	return ok && pinned == c
}

// decide holds what was proved against the rule. The caller holds the lock.
func (g *Gate) decide(name journal.Game, f *facts, now int64) ([]GateEntry, error) {
	if f.fork != nil {
		return nil, f.fork
	}
	if t := g.released[name]; t != nil {
		return nil, g.again(t, f)
	}
	entries, pins, err := g.pin(f)
	if err != nil {
		return nil, err
	}
	for _, v := range g.custodians {
		if _, ok := pins[pinKey{v.Name(), name.Series, name.Day}]; !ok {
			return nil, fmt.Errorf(
				"witness: %v: the commitment of %s for the day is not shown to be in the journal: %w", name, v.Name(),
				ErrUnproved)
		}
	}
	for before, t := range g.released {
		if t.over || before.Series != name.Series {
			continue
		}
		if err := f.ended(t.Ref, before, t.hash, pins, g.custodians); err != nil {
			return nil, fmt.Errorf("witness: %v: the link of %v was given out: %w", name, before, err)
		}
		entries = append(entries, GateEntry{Finished: &Finished{before}})
	}
	if err := g.inOrder(f, pins); err != nil {
		return nil, err
	}
	return append(entries, GateEntry{Released: &Released{
		Ref: f.target.ref, Name: name, Ordinal: f.ordinals[f.target.ref], Seal: string(f.target.note),
		Place: f.target.place, Volume: f.volume, At: now,
	}}), nil
}

// again decides on a game for which the gate has opened before.
func (g *Gate) again(t *taken, f *facts) error {
	if t.hash == f.target.body.Hash() {
		return nil
	}
	// A restored journal may have lost the first seal, and says so. The game has its
	// result by the first seal all the same, and no link is given out under another.
	for _, lost := range f.abandoned {
		if _, volume, err := journal.ParseOrigin(lost.Origin); err == nil && volume == t.Place.Volume &&
			t.Place.Seq < lost.Size {
			return fmt.Errorf("witness: %v was sealed in volume %d, which the journal has abandoned since: %w", t.Name,
				volume, ErrSecondSeal)
		}
	}
	return fmt.Errorf("witness: %v has two seals in the journal: %w: %w", t.Name, ErrSecondSeal, ErrStop)
}

// pin returns the commitments that are known with those that were proved. A custodian is
// bound by the first commitment for a day.
func (g *Gate) pin(f *facts) (entries []GateEntry, pins map[pinKey]draw.Commitment, err error) {
	pins = map[pinKey]draw.Commitment{}
	for key, c := range g.pins {
		pins[key] = c
	}
	for note, c := range f.commitments {
		known, ok := pins[pinOf(c)]
		if ok && known != c {
			return nil, nil, fmt.Errorf("witness: the journal has two commitments to the %v: %w", c, ErrUnproved)
		}
		if !ok {
			pins[pinOf(c)] = c
			entries = append(entries, GateEntry{Pinned: &Pinned{note}})
		}
	}
	return entries, pins, nil
}

func pinOf(c draw.Commitment) pinKey {
	return pinKey{c.Chain.Custodian, c.Chain.Series, c.Chain.Day}
}

// inOrder goes back through the games of the Keno Day, to one that has its right result.
// A game between has ended without a result, and no link of it was given out.
func (g *Gate) inOrder(f *facts, pins map[pinKey]draw.Commitment) error {
	target := f.target
	next := target.ref
	for ordinal := f.ordinals[target.ref] - 1; ordinal > 0; ordinal-- {
		ref, ok := f.opened[ordinal]
		switch {
		case !ok:
			return fmt.Errorf("witness: %v: game %d of the series, which is before it, is not shown: %w", f.name,
				ordinal, ErrOrder)
		case !follows(ref, next):
			return fmt.Errorf("witness: %v: game %d of the series is %v, and game %d is %v: numbers were left out: %w",
				f.name, ordinal, ref, ordinal+1, next, ErrOrder)
		case ref.Day != target.ref.Day:
			return nil // The first game of a Keno Day.
		}
		name := journal.Game{Series: f.name.Series, Day: ref.Day.String(), Number: uint32(ref.Number)}
		if g.released[name] != nil {
			return nil // It is over: that was looked at before.
		}
		if g.own != "" && slices.ContainsFunc(f.links[ref],
			func(l *record.LinkGiven) bool { return l.Custodian == g.own && l.By == 0 }) {
			return fmt.Errorf("witness: the journal has a link of %s for %v that its book does not know of: the book is lost or old: %w", g.own, name, ErrStop)
		}
		if f.void[ref] && len(f.links[ref]) == 0 {
			next = ref
			continue
		}
		seal := f.seals[ref]
		if seal == nil {
			return fmt.Errorf("witness: %v: the seal of %v, which is before it, is not shown: %w", f.name, name,
				ErrOrder)
		}
		return f.ended(ref, name, seal.body.Hash(), pins, g.custodians)
	}
	return nil
}

// follows reports whether a game can be the next one after another: numbers count up, and
// begin anew with 0 or 1 on another day or after the last.
func follows(before, next record.Game) bool {
	return next.Number == before.Number+1 || next.Number <= 1
}

func (g *Gate) openCommitment(note []byte) (c draw.Commitment, err error) {
	err = errors.New("witness: no custodian has signed the commitment")
	for _, v := range g.custodians {
		var verifier journal.Verifier
		key, wrong := v.OfNotes()
		if wrong == nil {
			verifier, wrong = journal.ParseVerifier(key)
		}
		if wrong != nil {
			return c, wrong
		}
		if c, err = draw.OpenCommitment(note, verifier); err == nil {
			return c, nil
		}
	}
	return c, err
}

func unverifiedSeal(note []byte) (journal.SealBody, error) {
	text, _, _ := strings.Cut(string(note), "\n\n")
	return journal.ParseSeal(text + "\n")
}
