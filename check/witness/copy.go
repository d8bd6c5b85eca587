package witness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/public"
)

// logCopy is a custodian's own copy of the public log, as far as the release rule asks for it. The entries themselves
// are in the book.
type logCopy struct {
	chain *public.Chain
	tree  *journal.Tree
	// cosigned are the checkpoints that were cosigned here, by size, newer than the newest with a quorum.
	cosigned map[uint64]signedTree
	// games are the sealed games of Keno Days that are open, and series those of a series in the order of their seals.
	games  map[journal.Game]*sealedGame
	series map[string][]*sealedGame
	// knownVoids is how many games were declared void although all their links are in the log, before the void or behind.
	knownVoids uint64
	// days are the newest day of each series of which a game opened, and before those of the logs before this one.
	days, before map[string]string
}

func newLogCopy() logCopy {
	return logCopy{tree: journal.NewTree(), cosigned: map[uint64]signedTree{}, games: map[journal.Game]*sealedGame{},
		series: map[string][]*sealedGame{}, days: map[string]string{}}
}

// sealedGame is a game that is drawn by links, from its seal on.
type sealedGame struct {
	name    journal.Game
	entry   uint64 // number of the entry with the seal
	note    string // of the seal
	hash    journal.Hash
	custody public.Custody
	links   map[string]bool // custodians whose links are in the log
	drawn   bool            // the log has the result, which follows from seal and links
	void    uint64          // number of the entry that declares the game void, or 0
	// drawVoid says that the log has declared a draw of the game void, and letGo that the people of this custodian have
	// let go of the game, which was declared void too late.
	drawVoid, letGo bool
	// voidBehind is the size of a checkpoint with the cosignatures of the policy, above the seal, which was known here
	// before the game was declared void; 0 for others.
	voidBehind uint64
	// quorum is the size of the first checkpoint above the seal that had the cosignatures of the policy, as far as is
	// known here, or 0. From then on a link may have been given out: by this custodian, or by two holders of its shares.
	// Of a game without a round it is the first that was cosigned here: nobody tells this custodian whether the others
	// have cosigned it too.
	quorum uint64
	// inTime says that the seal was cosigned by the policy before anybody could know the round of the game.
	inTime bool
}

// quorate takes in that a checkpoint above the seal had the cosignatures of the policy.
func (s *sealedGame) quorate(size uint64) {
	if s.quorum == 0 || size < s.quorum {
		s.quorum = size
	}
}

// meets reports whether the seal is known to have been cosigned before anybody could know the round of the game, or
// the game has none.
func (s *sealedGame) meets() bool { return s.custody.Deadline == 0 || s.inTime }

// lacksLinks reports whether the log has not all links of the game.
func (s *sealedGame) lacksLinks() bool { return len(s.links) < len(s.custody.Custodians) }

// unfinished says why a game has not ended rightly, or "".
func (s *sealedGame) unfinished() string {
	switch {
	case s.drawn:
		return "" // The chain worked it out again.
	case s.letGo:
		return ""
	case s.voidBehind > 0:
		return fmt.Sprintf("and was declared void behind a quorum above its seal, with %d entries, that was known here before", s.voidBehind)
	case s.void > 0 && !s.lacksLinks():
		return "" // Everybody can work out what the result would have been.
	case s.void == 0:
		return "and has no result"
	case s.quorum > 0 && s.quorum <= s.void:
		return "and was declared void after its links could be known"
	}
	return ""
}

// Copied returns how far the copy of the log goes, and the key of the log; "" before its first entry.
func (g *Gate) Copied() (c journal.Checkpoint, key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c = journal.Checkpoint{Size: g.copy.tree.Size(), Root: g.copy.tree.Root()}
	if g.copy.chain != nil {
		body := g.copy.chain.Body()
		c.Origin, key = body.Origin, body.Key
	}
	return c, key
}

// House returns the key of the house in the newest volume that the copy names; "" before its first entry.
func (g *Gate) House() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.copy.chain == nil {
		return ""
	}
	return g.copy.chain.HouseKey()
}

// LogKey returns the key of the log that begins with an entry, which a key of the house has signed.
func (g *Gate) LogKey(first []byte) (string, error) {
	body, err := g.Beginning(first)
	return body.Key, err
}

// begin returns the chain that has read the first entry of the log. A log that follows may be signed by the key of the
// house that the log before it names. The caller holds the lock.
func (g *Gate) begin(first []byte) (*public.Chain, error) {
	err := errors.New("witness: no key of the house is known")
	keys := g.house
	if g.copy.chain != nil {
		keys = append(slices.Clone(keys), g.copy.chain.HouseKey())
	}
	for _, key := range keys {
		chain := public.NewChain(key)
		if _, err = chain.Take(first); err == nil {
			return chain, nil
		}
	}
	return nil, err
}

// Holds reports whether the copy with further entries, of which the hashes are given, comes to a checkpoint.
func (g *Gate) Holds(leaves []journal.Hash, c journal.Checkpoint) bool {
	g.mu.Lock()
	tree := g.copy.tree.Clone()
	if g.copy.chain != nil && g.copy.chain.Body().Origin != c.Origin {
		tree = journal.NewTree()
	}
	g.mu.Unlock()
	for _, leaf := range leaves {
		tree.AppendLeaf(leaf)
		tree.TakeTiles()
	}
	return tree.Size() == c.Size && tree.Root() == c.Root
}

// Take takes further entries into the copy, once they are written. A lie in them stops the gate. Now is the time here,
// in seconds since 1970 UTC.
func (g *Gate) Take(entries [][]byte, now int64, write func(GateEntry) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.stopped != nil {
		return g.refusal()
	}
	// What is refused here leaves nothing in the copy: the gate can take it later, or other entries in its place.
	if err := errors.Join(g.leave(entries), g.strange(entries), g.ahead(entries, now)); err != nil {
		return fmt.Errorf("%w: %w", err, ErrNotTaken)
	}
	if err := write(GateEntry{Entries: entries}); err != nil {
		return err
	}
	err := g.read(entries)
	if errors.Is(err, ErrStop) {
		return errors.Join(err, write(GateEntry{Stopped: g.stopped}))
	}
	return err
}

// read reads entries that are durable. The caller holds the lock.
func (g *Gate) read(entries [][]byte) error {
	for _, data := range entries {
		if err := g.readEntry(data); err != nil {
			g.stopped = &Stopped{Why: "the public log tells a lie: " + err.Error()}
			if e, parsed := public.Parse(data); parsed == nil && e.Text("note") != "" {
				g.stopped.Notes = append(g.stopped.Notes, string(e.Note("note")))
				if sealed := g.copy.games[e.Game()]; sealed != nil {
					g.stopped.Notes = append(g.stopped.Notes, sealed.note)
				}
			}
			return g.refusal()
		}
	}
	return nil
}

// readEntry reads an entry.
func (g *Gate) readEntry(data []byte) error {
	at := g.copy.tree.Size()
	if first, err := public.Parse(data); at > 0 && err == nil && first.Kind == public.Begun {
		return g.succeed(first, data)
	}
	g.copy.tree.Append(data)
	g.copy.tree.TakeTiles()
	if at == 0 {
		chain, err := g.begin(data)
		g.copy.chain = chain
		return err
	}
	e, err := g.copy.chain.Take(data)
	if err != nil {
		return err
	}
	if e.Kind == public.DayClosed {
		g.copy.closeDay(e.Text("series"), e.Text("day"))
		return nil
	}
	if opensDay(e) {
		g.copy.days[e.Text("series")] = max(g.copy.days[e.Text("series")], e.Text("day"))
	}
	if e.Kind == public.Sealed {
		return g.seal(e, at)
	}
	sealed := g.copy.games[e.Game()]
	if sealed == nil {
		return nil
	}
	switch e.Kind {
	case public.Link:
		missed := sealed.lacksLinks()
		sealed.links[e.Text("custodian")] = true
		if sealed.void > 0 && missed && !sealed.lacksLinks() {
			g.copy.knownVoids++
		}
	case public.Result:
		sealed.drawn = true
	case public.DrawVoid:
		sealed.drawVoid = true
	case public.GameVoid:
		if sealed.void == 0 && !sealed.lacksLinks() {
			g.copy.knownVoids++
		}
		sealed.void = at
		if err := g.voided(sealed); err != nil {
			return err
		}
		if sealed.unfinished() != "" && g.letGoBehind(sealed.name) {
			g.goesWithout(sealed) // Its people have said so already, for a log that never came.
		}
	}
	return nil
}

// voided takes in that a game was declared void. It is a lie if this custodian has given its link and not all links are
// in the log: the house may know the result, and nobody else can. Links that follow do not change that: the house knew
// them first. If the custodian knew a quorum above the seal and has given nothing, the house may know the links from
// holders of shares, or it may not have heard of the quorum: the answers of those who cosigned can be lost, and anybody
// may put their cosignatures together. So that is for the people of the custodian to judge: no link of a later game
// leaves until they let the game go, whatever the log shows behind the void. Of a game with a round the chain says when
// it may be void.
func (g *Gate) voided(sealed *sealedGame) error {
	switch {
	case sealed.custody.Deadline > 0 || !sealed.lacksLinks():
		return nil
	case g.gave(sealed.name):
		return fmt.Errorf("%v is void, and its link was given out here; %d of %d links are in the log", sealed.name,
			len(sealed.links), len(sealed.custody.Custodians))
	case sealed.entry < g.quorum.checkpoint.Size:
		sealed.voidBehind = g.quorum.checkpoint.Size
	}
	return nil
}

// KnownVoids returns how many games of the log were declared void although everybody can work out their results. The
// rules of a house may demand that, and a house may leave by it what does not suit it: so it is for people to see.
func (g *Gate) KnownVoids() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.copy.knownVoids
}

// Beginning returns how a log begins, which a key of the house has signed.
func (g *Gate) Beginning(first []byte) (journal.LogBody, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	chain, err := g.begin(first)
	if err != nil {
		return journal.LogBody{}, err
	}
	return chain.Body(), nil
}

// seal takes in the seal of a game.
func (g *Gate) seal(e *public.Entry, at uint64) error {
	custody, ok := g.copy.chain.Custody(e.Game())
	if !ok {
		return fmt.Errorf("%v has no seal", e.Game())
	}
	if len(custody.Custodians) == 0 {
		return nil // Drawn by something else.
	}
	note := e.Note("note")
	body, err := unverifiedSeal(note)
	if err != nil {
		return err
	}
	sealed := &sealedGame{name: e.Game(), entry: at, note: string(note), hash: body.Hash(), custody: custody,
		links: map[string]bool{}}
	if _, given := g.released[sealed.name]; given || at < g.missed {
		sealed.quorate(at + 1)
	}
	g.copy.games[sealed.name] = sealed
	g.copy.series[sealed.name.Series] = append(g.copy.series[sealed.name.Series], sealed)
	return nil
}

// closeDay forgets the games of a day that have ended rightly. One that has not ended so is in the way of all later
// ones.
func (c *logCopy) closeDay(series, day string) {
	var left []*sealedGame
	for _, sealed := range c.series[series] {
		if sealed.name.Day > day || sealed.unfinished() != "" {
			left = append(left, sealed)
			continue
		}
		delete(c.games, sealed.name)
	}
	c.series[series] = left
}

// Cosigned takes in that a checkpoint of the log was cosigned here.
func (g *Gate) Cosigned(s Signed) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if s.Checkpoint.Size > g.quorum.checkpoint.Size {
		g.copy.cosigned[s.Checkpoint.Size] = signedTree{s.Checkpoint, string(s.Note)}
	}
	// With this signature a quorum can exist of which nobody tells here, and holders give shares under it. A game with a
	// round is void without anybody's will if others were late, so that it has to be shown that they were not.
	for _, sealed := range g.copy.games {
		if sealed.custody.Deadline == 0 && sealed.entry < s.Checkpoint.Size {
			sealed.quorate(s.Checkpoint.Size)
		}
	}
}

// See looks at a checkpoint of the log that the house shows. If this custodian has cosigned it, and has fewer entries,
// its book is lost or old: it gives out nothing until it has them.
func (g *Gate) See(note []byte, write func(GateEntry) error) error {
	c, err := journal.UnverifiedCheckpoint(note)
	if err != nil || g.own == nil || !g.Follows(c.Origin) {
		return err
	}
	by, err := Cosignatures(note, g.own)
	if err != nil || len(by) == 0 {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.Size <= g.missed || c.Size <= g.copy.tree.Size() {
		return nil
	}
	if err := write(GateEntry{Missed: c.Size}); err != nil {
		return err
	}
	g.takeMissed(c.Size)
	return nil
}

// Differs returns the note of this custodian's that a checkpoint of the log contradicts, or "". Whoever holds both can
// show that the log has two histories.
func (g *Gate) Differs(c journal.Checkpoint) (other string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if root, note, ok := g.rootAt(c.Size); ok && root != c.Root && g.copy.chain != nil &&
		g.copy.chain.Body().Origin == c.Origin {
		return note
	}
	return ""
}

// Quorum returns the newest checkpoint that had the cosignatures of the policy, with these; nil before there is one.
func (g *Gate) Quorum() []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.quorum.note == "" {
		return nil
	}
	return []byte(g.quorum.note)
}

// Follows reports whether an origin is that of the log of which the gate has a copy, or of a log of the house before
// there is a copy.
func (g *Gate) Follows(origin string) bool {
	if copied, _ := g.Copied(); copied.Origin != "" {
		return copied.Origin == origin
	}
	return g.OfHouse(origin)
}

// OfHouse reports whether an origin is that of a public log of the house.
func (g *Gate) OfHouse(origin string) bool {
	house, number, err := journal.ParseLogOrigin(origin)
	return err == nil && slices.ContainsFunc(g.house, func(vkey string) bool {
		name, _, _ := strings.Cut(vkey, "+")
		return name == house || name == journal.LogOrigin(house, number)
	})
}

// Missing reports whether the copy lacks entries that were cosigned here before the book was lost, and how many there
// must be.
func (g *Gate) Missing() (size uint64, missing bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.missed, g.copy.tree.Size() < g.missed
}

// miss refuses a checkpoint of entries that the copy does not have. The caller holds the lock. The checkpoint has the
// cosignature of every custodian.
func (g *Gate) miss(size uint64, write func(GateEntry) error) error {
	if have := g.copy.tree.Size(); size > have {
		if g.own != nil && size > g.missed {
			if err := write(GateEntry{Missed: size}); err != nil {
				return err
			}
			g.takeMissed(size)
		}
		return fmt.Errorf("witness: the log with %d entries is cosigned, and %d are known here: the book is lost or old, or the copy is behind: %w", size, have, ErrUnproved)
	}
	if size := g.missed; g.copy.tree.Size() < size {
		return fmt.Errorf("witness: %d entries were cosigned here before the book was lost, and %d are known: %w", size,
			g.copy.tree.Size(), ErrUnproved)
	}
	return nil
}
