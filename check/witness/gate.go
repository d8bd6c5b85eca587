package witness

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"drawhouse/games/beacon"
	"drawhouse/games/draw"
	"drawhouse/journal"
)

// The errors of the release rule.
var (
	// ErrNoLinks: no links for the day of a game are held here.
	ErrNoLinks = errors.New("no links for this day are held here")
	// ErrOrder: an earlier game of the series has not ended rightly.
	ErrOrder = errors.New("an earlier game has not ended rightly")
	// ErrUnproved: the public log does not show what the release rule asks for.
	ErrUnproved = errors.New("not shown by the public log")
	// ErrStop: what was shown means that this custodian must stop for good.
	ErrStop = errors.New("the custodian stops for good")
	// ErrNotTaken: the gate does not take entries in. Nothing of them is written, so that it can take others, or the
	// same later: a house that is honest can mend that, or the people of the custodian.
	ErrNotTaken = errors.New("nothing of that is taken in")
)

// GateEntry is what a Gate has taken in or decided. It is to be made durable before anything leaves, and given to
// Restore, in order, when the gate is made anew. One of the fields is there.
type GateEntry struct {
	// Entries are entries of the public log, which follow those before.
	Entries [][]byte `json:"entries,omitempty"`
	// Quorum is a checkpoint of the log with the cosignatures of the policy.
	Quorum string `json:"quorum,omitempty"`
	// Missed is how many entries of the log this custodian had cosigned before its book was lost.
	Missed   uint64    `json:"missed,omitempty"`
	Released *Released `json:"released,omitempty"`
	Stopped  *Stopped  `json:"stopped,omitempty"`
	// Offered is a log that follows, which was refused because it leaves games, and which games these are.
	Offered *LetGo `json:"offered,omitempty"`
	// LetGo is what the people of this custodian let go of.
	LetGo *LetGo `json:"letGo,omitempty"`
}

// Released is a game under whose seal a link was given out.
type Released struct {
	Name journal.Game `json:"name"`
	Seal string       `json:"seal"` // its note
	At   int64        `json:"at"`   // seconds since 1970 UTC
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

// A Gate is the release rule, which asks the public log and nothing else. It has a copy of the log, entry by entry. A
// link leaves if the copy has one seal of its game; if a checkpoint above that entry has the cosignatures of the
// policy, every custodian's among them; and if every earlier sealed game of the series has its right result, or all
// its links are in the log, or it was declared void before a checkpoint above its seal had those cosignatures. So who
// abandons a game draws no other. A log that tells a lie, or forks, stops the gate for good.
//
// Custodians, custodians that replay the journal, and holders of shares pass through the same gate. Any number of
// goroutines may use it.
type Gate struct {
	house      []string // verifier keys
	custodians []*Verifier
	policy     func(checkpoint []byte) (lacks string) // nil asks for nobody but the custodians
	keys       []string                               // of commitments, of every custodian, ascending by name
	own        *Verifier                              // nil for a holder
	beacons    []beacon.Chain                         // that may be part of draws

	mu       sync.Mutex // guards what follows
	copy     logCopy
	quorum   signedTree // the newest checkpoint that had the cosignatures of the policy
	missed   uint64
	released map[journal.Game]Released
	stopped  *Stopped
	letGo    map[string]LetGo // by the origin of the log that follows
	offered  LetGo            // the log that follows and was refused last, and the games for which it waits
}

// signedTree is a tree with the note in which it was signed.
type signedTree struct {
	checkpoint journal.Checkpoint
	note       string
}

// GateConfig is what a Gate is made of.
type GateConfig struct {
	// House are verifier keys of the house or of its public log. One of them has signed how the log begins.
	House []string
	// Custodians are all of them, this one included. No checkpoint counts without the cosignature of each.
	Custodians []Custodian
	// Policy says what the cosignatures under a checkpoint lack, or ""; nil asks for nobody but the custodians.
	Policy func(checkpoint []byte) (lacks string)
	Own    string // the name of this custodian; "" for a holder of shares
	// Beacons are those of which rounds may be part of draws, beside the quicknet of the League of Entropy. A house with a
	// beacon of its own knows rounds before others, and can keep them back.
	Beacons []beacon.Chain
}

// NewGate returns a gate that has decided nothing.
func NewGate(c GateConfig) (*Gate, error) {
	if len(c.Custodians) < 2 {
		return nil, errors.New("witness: the policy names every custodian, and there are two at least")
	}
	if err := CheckCustodians(c.Custodians, c.House...); err != nil {
		return nil, err
	}
	g := &Gate{house: c.House, policy: c.Policy, copy: newLogCopy(), released: map[journal.Game]Released{},
		letGo: map[string]LetGo{}, beacons: append(slices.Clone(c.Beacons), beacon.Quicknet())}
	sorted := slices.SortedFunc(slices.Values(c.Custodians),
		func(a, b Custodian) int { return strings.Compare(a.Name(), b.Name()) })
	for _, custodian := range sorted {
		g.custodians, g.keys = append(g.custodians, custodian.Verifier), append(g.keys, custodian.LinksKey)
		if custodian.Name() == c.Own {
			g.own = custodian.Verifier
		}
	}
	if c.Own != "" && g.own == nil {
		return nil, fmt.Errorf("witness: %s itself is not among the custodians of the policy", c.Own)
	}
	return g, nil
}

// Restore takes up what was taken in or decided before.
func (g *Gate) Restore(e GateEntry) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case len(e.Entries) > 0:
		if err := g.read(e.Entries); err != nil && !errors.Is(err, ErrStop) {
			return err // Why it stops stands in the next line, or is found again.
		}
	case e.Quorum != "":
		c, err := journal.UnverifiedCheckpoint([]byte(e.Quorum))
		if err != nil {
			return err
		}
		g.takeQuorum(signedTree{c, e.Quorum})
	case e.Missed > 0:
		g.takeMissed(e.Missed)
	case e.Released != nil:
		g.takeReleased(*e.Released)
	case e.Stopped != nil:
		g.stopped = e.Stopped
	case e.Offered != nil:
		g.offered = *e.Offered
	case e.LetGo != nil:
		g.takeLetGo(*e.LetGo)
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
	for name, r := range g.released {
		if r.At <= before {
			games = append(games, name)
		}
	}
	slices.SortFunc(games, byName)
	return games
}

// byName orders games by series, day and number.
func byName(a, b journal.Game) int {
	return cmp.Or(strings.Compare(a.Series, b.Series), strings.Compare(a.Day, b.Day), cmp.Compare(a.Number, b.Number))
}

// Pass decides whether the link of a game may leave. The note is a checkpoint of the public log with its cosignatures.
// What is decided was given to write, in order, and is durable when Pass returns nil: only then may the link leave.
// Asked again Pass agrees again.
func (g *Gate) Pass(game journal.Game, note []byte, now int64, write func(GateEntry) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped != nil {
		return g.refusal()
	}
	if err := g.weigh(note, write); err != nil {
		return err
	}
	sealed := g.copy.games[game]
	if err := g.may(game, sealed); err != nil {
		return err
	}
	if before, again := g.released[game]; again {
		if body, err := unverifiedSeal([]byte(before.Seal)); err == nil && body.Hash() == sealed.hash {
			return nil
		}
		return g.stop(write, fmt.Sprintf("%v has another seal than the one under which its link was given out", game),
			before.Seal, sealed.note)
	}
	released := Released{Name: game, Seal: sealed.note, At: now}
	if err := write(GateEntry{Released: &released}); err != nil {
		return err
	}
	g.takeReleased(released)
	return nil
}

// weigh takes in a checkpoint of the log, if it has the cosignatures of the policy. The caller holds the lock.
func (g *Gate) weigh(note []byte, write func(GateEntry) error) error {
	c, err := g.open(note)
	if err != nil {
		return err
	}
	root, other, ok := g.rootAt(c.Size)
	if ok && root != c.Root {
		return g.stop(write, fmt.Sprintf("%s has two histories of %d entries", c.Origin, c.Size), string(note), other)
	}
	if c.Size <= g.quorum.checkpoint.Size && !g.showsInTime(c.Size, note) {
		return nil // It says nothing that is not known.
	}
	if lacks := g.lacks(note); lacks != "" {
		return fmt.Errorf("witness: too early: the log with %d entries: %s: %w", c.Size, lacks, ErrUnproved)
	}
	if err := g.miss(c.Size, write); err != nil {
		return err
	}
	// The roots of older checkpoints are forgotten: that every custodian has cosigned one, this one among them, is enough.
	if !ok && c.Size > g.quorum.checkpoint.Size {
		return fmt.Errorf("witness: the log with %d entries was not cosigned here; bring the newest checkpoint: %w", c.Size,
			ErrUnproved)
	}
	if err := write(GateEntry{Quorum: string(note)}); err != nil {
		return err
	}
	g.takeQuorum(signedTree{c, string(note)})
	return nil
}

// showsInTime reports whether a checkpoint shows that a game was sealed in time of which that was not known: what is
// newer may have been cosigned too late for it. The caller holds the lock.
func (g *Gate) showsInTime(size uint64, note []byte) bool {
	for _, sealed := range g.copy.games {
		if !sealed.meets() && g.copy.chain.ShowsInTime(sealed.name, size, note, g.enough) {
			return true
		}
	}
	return false
}

// enough reports whether a checkpoint has the cosignatures of the policy.
func (g *Gate) enough(checkpoint []byte) bool { return g.lacks(checkpoint) == "" }

// lacks says what the cosignatures under a checkpoint lack, or "".
func (g *Gate) lacks(note []byte) string {
	signed, err := Cosignatures(note, g.custodians...)
	if err != nil {
		return err.Error()
	}
	for _, v := range g.custodians {
		if !slices.ContainsFunc(signed, func(c Cosignature) bool { return c.Name == v.Name() }) {
			return "custodian " + v.Name() + " has not cosigned"
		}
	}
	if g.policy == nil {
		return ""
	}
	return g.policy(note)
}

// rootAt returns the root that the copy had with a number of entries, and the note in which it was cosigned here.
func (g *Gate) rootAt(size uint64) (root journal.Hash, note string, ok bool) {
	if g.quorum.checkpoint.Size == size {
		return g.quorum.checkpoint.Root, g.quorum.note, true
	}
	if cosigned, ok := g.copy.cosigned[size]; ok {
		return cosigned.checkpoint.Root, cosigned.note, true
	}
	return g.copy.tree.Root(), "", g.copy.tree.Size() == size
}

// open reads a checkpoint of the log that the copy is of.
func (g *Gate) open(note []byte) (journal.Checkpoint, error) {
	fail := func(err error) (journal.Checkpoint, error) {
		return journal.Checkpoint{}, fmt.Errorf("witness: the checkpoint: %w: %w", ErrUnproved, err)
	}
	if g.copy.tree.Size() == 0 {
		return fail(errors.New("no entry of the public log is known here"))
	}
	body := g.copy.chain.Body()
	verifier, err := journal.ParseVerifier(body.Key)
	if err != nil {
		return fail(err)
	}
	c, _, err := journal.OpenCheckpoint(note, verifier)
	if err == nil && c.Origin != body.Origin {
		err = fmt.Errorf("it is of %s, and the log is %s", c.Origin, body.Origin)
	}
	if err != nil {
		return fail(err)
	}
	return c, nil
}

// ownKeys reports a key of commitments with which, as the log says, something else is signed as well. Nobody knew the
// keys of the log when the gate was made. The caller holds the lock.
func (g *Gate) ownKeys() error {
	for _, key := range g.keys {
		for _, vkey := range g.copy.chain.Keys() {
			if journal.SameKey(key, vkey) {
				return fmt.Errorf("%s signs commitments, and the log has that key as %s: %w", key, vkey, ErrTwoKinds)
			}
		}
	}
	return nil
}

// may holds a game against the rule. The caller holds the lock.
func (g *Gate) may(game journal.Game, sealed *sealedGame) error {
	switch {
	case sealed == nil:
		return fmt.Errorf("witness: %v: the log has no seal of the game that is drawn by links and is of this Keno Day: %w",
			game, ErrUnproved)
	case game.Day <= g.copy.before[game.Series]:
		return fmt.Errorf("witness: %v: %w: %w", game, errDayOver, ErrUnproved)
	case sealed.entry < g.missed && !g.gave(game):
		return fmt.Errorf("witness: %v was sealed before the book of this custodian was lost, and its link may have been given out: it comes from two holders of shares: %w", game, ErrUnproved)
	case (sealed.void > 0 || sealed.drawVoid) && !g.gave(game):
		return fmt.Errorf("witness: %v: the log has declared it void, and no link of it is given out: %w", game, ErrUnproved)
	case sealed.entry >= g.quorum.checkpoint.Size:
		return fmt.Errorf("witness: too early: %v is sealed in entry %d, and %d entries are cosigned: %w", game, sealed.entry,
			g.quorum.checkpoint.Size, ErrUnproved)
	case !sealed.meets():
		return fmt.Errorf("witness: %v: its seal was not cosigned by %d, so that it is void: %w", game, sealed.custody.Deadline,
			ErrUnproved)
	case !slices.Equal(sealed.custody.Custodians, g.keys):
		return fmt.Errorf("witness: %v: the log names the custodians %q, and the policy has %q: %w", game,
			sealed.custody.Custodians, g.keys, ErrUnproved)
	}
	if err := g.ownKeys(); err != nil {
		return fmt.Errorf("witness: %v: %w: %w", game, err, ErrUnproved)
	}
	for _, v := range g.custodians {
		committed, ok := sealed.custody.Commitments[v.Name()]
		if !ok {
			return fmt.Errorf("witness: %v: %s had committed to no links when the game was sealed: %w", game, v.Name(),
				ErrUnproved)
		}
		if err := committed.Covers(game); err != nil {
			return fmt.Errorf("witness: %v: what %s had committed to has no link of it: %w: %w", game, v.Name(), err, ErrUnproved)
		}
	}
	for _, before := range g.copy.series[game.Series] {
		if before == sealed {
			return nil
		}
		if why := before.unfinished(); why != "" {
			switch people := "the people of this custodian start it once with " + letGoBy(before.name); {
			case before.voidBehind > 0:
				why += "; it goes on when " + people
			case before.void > 0:
				why += "; it goes on when all links of that game are in the log, or when " + people
			}
			return fmt.Errorf("witness: %v: %v was sealed before it, %s: %w", game, before.name, why, ErrOrder)
		}
	}
	return nil
}

// gave reports whether the book says that the link of a game was given out. The caller holds the lock.
func (g *Gate) gave(game journal.Game) bool {
	_, known := g.released[game]
	return known
}

// Commitment returns what a custodian had committed to when a game was sealed.
func (g *Gate) Commitment(game journal.Game, custodian string) (draw.Commitment, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	sealed := g.copy.games[game]
	if sealed == nil {
		return draw.Commitment{}, false
	}
	c, ok := sealed.custody.Commitments[custodian]
	return c, ok
}

// refusal says that the gate has stopped. The caller holds the lock.
func (g *Gate) refusal() error { return fmt.Errorf("witness: %s: %w", g.stopped.Why, ErrStop) }

// stop records why the gate stops. The caller holds the lock.
func (g *Gate) stop(write func(GateEntry) error, why string, notes ...string) error {
	g.stopped = &Stopped{Why: why}
	for _, note := range notes {
		if note != "" {
			g.stopped.Notes = append(g.stopped.Notes, note)
		}
	}
	return errors.Join(g.refusal(), write(GateEntry{Stopped: g.stopped}))
}

// Learn takes in a checkpoint of the log with the cosignatures of the policy, of which somebody tells who gives a share
// of a game's link under it. It agrees once it is written down that a quorum is above the seal of that game, which was
// not declared void before: from then on the links count as known.
func (g *Gate) Learn(r LinkRequest, write func(GateEntry) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped != nil {
		return g.refusal()
	}
	if err := g.weigh(r.Checkpoint, write); err != nil {
		return err
	}
	switch sealed := g.copy.games[r.Game]; {
	case sealed == nil:
		return fmt.Errorf("witness: %v: the log has no seal of the game that is drawn by links and is of this Keno Day: %w",
			r.Game, ErrUnproved)
	case sealed.entry >= g.quorum.checkpoint.Size || !sealed.meets():
		return fmt.Errorf("witness: too early: no quorum is known above the seal of %v: %w", r.Game, ErrUnproved)
	case sealed.void > 0:
		return fmt.Errorf("witness: %v: the log has declared it void, and no share of its link is given: %w", r.Game, ErrUnproved)
	}
	return nil
}

// Forked stops the gate, because the house has signed two histories of its log. The notes prove it.
func (g *Gate) Forked(write func(GateEntry) error, why string, notes ...string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped != nil {
		return g.refusal()
	}
	return g.stop(write, why, notes...)
}

// takeQuorum takes over a checkpoint that has the cosignatures of the policy.
func (g *Gate) takeQuorum(s signedTree) {
	if s.checkpoint.Size > g.quorum.checkpoint.Size {
		g.quorum = s
		for size := range g.copy.cosigned {
			if size <= s.checkpoint.Size {
				delete(g.copy.cosigned, size)
			}
		}
	}
	if g.copy.chain != nil {
		g.copy.chain.Cosigned(s.checkpoint.Size, []byte(s.note), g.enough)
	}
	for _, sealed := range g.copy.games {
		if sealed.entry >= s.checkpoint.Size {
			continue
		}
		if !sealed.meets() {
			if !g.copy.chain.ShowsInTime(sealed.name, s.checkpoint.Size, []byte(s.note), g.enough) {
				continue // Nothing is given out for the game, unless an older checkpoint shows it sealed in time.
			}
			sealed.inTime = true
		}
		sealed.quorate(s.checkpoint.Size)
	}
}

// takeReleased takes over that a link was given out.
func (g *Gate) takeReleased(r Released) {
	g.released[r.Name] = r
	if sealed := g.copy.games[r.Name]; sealed != nil && sealed.quorum == 0 {
		sealed.quorate(sealed.entry + 1)
	}
}

// takeMissed takes over that entries were cosigned which the book does not have. A link of each game that is sealed in
// them may have been given out.
func (g *Gate) takeMissed(size uint64) {
	g.missed = max(g.missed, size)
	for _, sealed := range g.copy.games {
		if sealed.entry < size {
			sealed.quorate(sealed.entry + 1)
		}
	}
}

func unverifiedSeal(note []byte) (journal.SealBody, error) {
	text, _, _ := strings.Cut(string(note), "\n\n")
	return journal.ParseSeal(text + "\n")
}
