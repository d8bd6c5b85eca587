package public

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// Finding is something in a log that cannot be in the log of an honest house.
type Finding struct {
	Entry uint64 // number of the entry, from 0
	Code  Code
	Says  string
}

func (f *Finding) Error() string { return fmt.Sprintf("entry %d: %s: %s", f.Entry, f.Code, f.Says) }

// Code names a kind of finding.
type Code string

// The kinds of findings. Each is named by the lie that it shows.
const (
	Unreadable    Code = "unreadable"     // an entry that is not in the form of the log
	WrongStart    Code = "wrong-start"    // a log that does not begin as a log begins
	JournalForked Code = "journal-forked" // the journal is no extension of what was named before
	SecondSeal    Code = "second-seal"    // two seals of one game
	SealUnsigned  Code = "seal-unsigned"  // a seal that the house has not signed, or of another game
	SealLate      Code = "seal-late"      // a seal that follows a link or the result of the game
	LinkEarly     Code = "link-early"     // a link of a game that has no seal
	LinkWrong     Code = "link-wrong"     // a link that the custodian has not committed to
	ResultWrong   Code = "result-wrong"   // a result that does not follow from seal and links
	SecondResult  Code = "second-result"  // two results of one draw
	SoldLate      Code = "sold-late"      // a game is settled with other tickets than were sealed
	VoidLate      Code = "void-late"      // a draw by links that is declared void while some of its links are known and others not
	Undrawn       Code = "undrawn"        // a day that ends with a sealed game that has no result and is not void
	OutOfOrder    Code = "out-of-order"   // an entry about a game that cannot be there yet
	RoundWrong    Code = "round-wrong"    // a round that is not that of the game, or not signed by the beacon in the one form
	RoundLate     Code = "round-late"     // a round that could be known when it was named, or when the seal was cosigned
	VoidInTime    Code = "void-in-time"   // a game declared void although its seal was cosigned before its round
	TimeFell      Code = "time-fell"      // an entry of an earlier time or record than the one before
)

// A Chain reads a log from its first entry on and keeps what the next entries must agree with. It needs nothing but the
// entries, and trusts one key: that of the log, or of the house. It belongs to one goroutine. What is over leaves it:
// a game with its settlement, a day with its end.
type Chain struct {
	known  string // key that the reader knows
	size   uint64 // entries that were read
	body   journal.LogBody
	house  string // key of the house in the newest volume
	device string // key of draws in the newest volume
	named  journal.Checkpoint
	millis uint64
	place  [2]uint64 // volume and number of the record of the last entry
	series map[string]*chainSeries
	halls  map[uint64]*chainHall // by number
	// required are the names of those without whom nothing is drawn, and cosigners of all who cosign.
	required, cosigners []string
	cosignerKeys        []string
}

// chainSeries is what a chain keeps of a series.
type chainSeries struct {
	device     string                     // what draws
	beacons    []chainBeacon              // of now and of a day to come, ascending by their days
	newest     string                     // the newest day of which a game opened
	custodians []string                   // keys, ascending by name
	links      map[string]draw.Commitment // by custodian and day
	games      map[journal.Game]*chainGame
	closed     string // the newest day that is over
	// devices are what drew the games of each day that opened in this log: a correction may look back for months.
	devices map[string][]string
}

// chainGame is a game that is under way.
type chainGame struct {
	// custodians are the keys of those whose links draw the game: a game keeps the device with which it opened.
	custodians []string
	// commitments are what the custodians had committed to when the game was sealed, by name.
	commitments map[string]draw.Commitment
	seal        *journal.Seal
	links       map[string]draw.Link
	results     map[uint64]draw.Result
	void        bool
	device      string // what draws the game
	settled     uint64 // the newest revision of its settlement
	chainRound
}

// newGame returns a game of the series that opens.
func (s *chainSeries) newGame() *chainGame {
	return &chainGame{device: s.device, custodians: s.custodians, links: map[string]draw.Link{},
		results: map[uint64]draw.Result{}}
}

// Custody is how the numbers of a sealed game come about: the keys of its custodians, ascending by name, and what they
// had committed to when the game was sealed, by name. A game that no custodians draw has none.
type Custody struct {
	Custodians  []string
	Commitments map[string]draw.Commitment
	// Deadline is the last second since 1970 UTC in which the seal may be cosigned, because a round of a beacon is part
	// of the draw; 0 without one.
	Deadline int64
}

// Custody returns how the numbers of a sealed game come about. The caller must not change what it gets.
func (c *Chain) Custody(name journal.Game) (Custody, bool) {
	s := c.series[name.Series]
	if s == nil || s.games[name] == nil || s.games[name].seal == nil {
		return Custody{}, false
	}
	deadline, _ := c.Deadline(name)
	return Custody{s.games[name].custodians, s.games[name].commitments, deadline}, true
}

// NewChain begins to read a log of which a key is known: the log's own, or the house's.
func NewChain(known string) *Chain {
	return &Chain{known: known, series: map[string]*chainSeries{}, halls: map[uint64]*chainHall{}}
}

// Size returns how many entries were read.
func (c *Chain) Size() uint64 { return c.size }

// Body returns how the log began.
func (c *Chain) Body() journal.LogBody { return c.body }

// HouseKey returns the key of the house in the newest volume that the log names.
func (c *Chain) HouseKey() string { return c.house }

// Keys returns the verifier keys that the log names beside those of commitments: its own, those of house and draws in
// the newest volume, and those of who cosigns.
func (c *Chain) Keys() []string {
	return append([]string{c.body.Key, c.house, c.device}, c.cosignerKeys...)
}

// Named returns the newest checkpoint of the journal that the log names.
func (c *Chain) Named() journal.Checkpoint { return c.named }

// Custodians returns the names of those whose links draw, in any series, ascending.
func (c *Chain) Custodians() (names []string) {
	for _, s := range c.series {
		for _, vkey := range s.custodians {
			name, _, _ := strings.Cut(vkey, "+")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Take reads the next entry. It returns the entry, also if something is found in it; the entry is nil if it cannot be
// read. Errors are a [Finding].
func (c *Chain) Take(data []byte) (*Entry, error) {
	at := c.size
	c.size++
	e, err := Parse(data)
	if err != nil {
		return nil, &Finding{at, Unreadable, err.Error()}
	}
	if f := c.take(e, at); f != nil {
		f.Entry = at
		return e, f
	}
	return e, nil
}

func found(code Code, says string, args ...any) *Finding {
	return &Finding{Code: code, Says: fmt.Sprintf(says, args...)}
}

func (c *Chain) take(e *Entry, at uint64) *Finding {
	if (at == 0) != (e.Kind == Begun) {
		return found(WrongStart, "%s is entry %d", e.Kind, at)
	}
	place := [2]uint64{uint64(e.Volume), e.Seq}
	if e.Millis < c.millis || slices.Compare(place[:], c.place[:]) <= 0 && at > 0 {
		return found(TimeFell, "record %d:%d of time %d follows %d:%d of time %d", e.Volume, e.Seq, e.Millis, c.place[0],
			c.place[1], c.millis)
	}
	c.millis, c.place = e.Millis, [2]uint64{uint64(e.Volume), e.Seq}
	if !e.Known() {
		return nil
	}
	if e.Kind == Begun {
		return c.begin(e)
	}
	if namesJournal(e.Kind) {
		if f := c.grow(e); f != nil {
			_ = c.follow(e) // What follows is held against what is named now: one lie is told once.
			return f
		}
	}
	return c.follow(e)
}

// follow takes in an entry behind the beginning, whose journal is an extension of what was named before.
func (c *Chain) follow(e *Entry) *Finding {
	switch e.Kind {
	case Volume:
		c.house, c.device = e.Text("house-key"), e.Text("device-key")
		c.named = journal.Checkpoint{Origin: journal.VolumeOrigin(c.houseName(), uint16(e.Uint("volume"))), //nolint:gosec // Read.
			Root: journal.EmptyRoot()}
		return nil
	case Device:
		c.of(e).device, c.of(e).custodians = e.Text("device"), e.Texts("custodian")
		return nil
	case Beacon:
		return c.of(e).chooseBeacon(e)
	case Witnesses:
		c.required = namesOf(slices.Concat(e.Texts("required"), e.Texts("log")))
		c.cosigners = slices.Concat(c.required, namesOf(e.Texts("optional")))
		c.cosignerKeys = slices.Concat(e.Texts("required"), e.Texts("log"), e.Texts("optional"))
		return nil
	case Links:
		return c.commit(e)
	case DayClosed:
		return c.closeDay(e)
	}
	if _, hall := hallKinds[e.Kind]; hall {
		return c.takeHall(e)
	}
	return c.takeGame(e)
}

func (c *Chain) houseName() string {
	house, _, _ := journal.ParseLogOrigin(c.body.Origin)
	return house
}

// begin reads the first entry.
func (c *Chain) begin(e *Entry) *Finding {
	body, err := journal.OpenLog(e.Note("note"), c.known)
	if err != nil {
		return found(WrongStart, "%v", err)
	}
	if named := e.Trees("journal")[0]; named != body.Journal || e.Uint("from") != 0 || len(e.Texts("proof")) > 0 {
		return found(WrongStart, "the entry names the journal %v, and the beginning %v", named, body.Journal)
	}
	c.body, c.house, c.device, c.named = body, body.HouseKey, body.DeviceKey, body.Journal
	return nil
}

// grow checks that the journal only grew since the log named it.
func (c *Chain) grow(e *Entry) *Finding {
	before, now := c.named, e.Trees("journal")[0]
	c.named = now
	if now.Origin != before.Origin || e.Uint("from") != before.Size {
		return found(JournalForked, "%s from %d is named, and %s with %d records was named before", now.Origin,
			e.Uint("from"), before.Origin, before.Size)
	}
	proof := journal.TreeProof(e.Hashes("proof"))
	if before.Size == 0 {
		if len(proof) > 0 {
			return found(JournalForked, "a proof from an empty journal has %d hashes", len(proof))
		}
	} else if err := journal.CheckTree(proof, before.Size, before.Root, now.Size, now.Root); err != nil {
		return found(JournalForked, "%s is no extension of what was named before: %v", now.Origin, err)
	}
	return nil
}

func (c *Chain) of(e *Entry) *chainSeries {
	name := e.Text("series")
	s, ok := c.series[name]
	if !ok {
		s = &chainSeries{links: map[string]draw.Commitment{}, games: map[journal.Game]*chainGame{},
			devices: map[string][]string{}}
		c.series[name] = s
	}
	return s
}

// commit takes in what a custodian has committed to.
func (c *Chain) commit(e *Entry) *Finding {
	s := c.of(e)
	name, note := e.Text("custodian"), e.Note("note")
	verifier, err := custodianKey(s.custodians, name)
	if err != nil {
		return found(LinkWrong, "%v", err)
	}
	commitment, err := draw.OpenCommitment(note, verifier)
	if err != nil {
		return found(LinkWrong, "the commitment of %s: %v", name, err)
	}
	if commitment.Chain.Series != e.Text("series") || commitment.Chain.Day != e.Text("day") {
		return found(LinkWrong, "the commitment of %s is for %s %s", name, commitment.Chain.Series, commitment.Chain.Day)
	}
	key := e.Text("day") + " " + name
	if _, twice := s.links[key]; twice {
		return found(LinkWrong, "%s commits twice for %s", name, e.Text("day"))
	}
	s.links[key] = commitment
	return nil
}

func custodianKey(keys []string, name string) (journal.Verifier, error) {
	for _, vkey := range keys {
		verifier, err := journal.ParseVerifier(vkey)
		if err == nil && verifier.Name() == name {
			return verifier, nil
		}
	}
	return nil, fmt.Errorf("%s is no custodian of the series", name)
}

// closeDay forgets what belongs to a day.
func (c *Chain) closeDay(e *Entry) *Finding {
	s, day := c.of(e), e.Text("day")
	var undrawn *Finding
	for name, g := range s.games {
		if name.Day > day {
			continue
		}
		if g.seal != nil && len(g.results) == 0 && !g.void {
			undrawn = found(Undrawn, "%s ends, and %v is sealed and has no result", day, name)
		}
		delete(s.games, name)
	}
	for key := range s.links {
		if d, _, _ := strings.Cut(key, " "); d <= day {
			delete(s.links, key)
		}
	}
	s.closed = max(s.closed, day)
	return undrawn
}

// takeGame reads an entry about a game.
func (c *Chain) takeGame(e *Entry) *Finding {
	s, name := c.of(e), e.Game()
	g, known := s.games[name]
	over := name.Day <= s.closed
	switch e.Kind {
	case Opened, Sealed, Link, Round, Result, DrawVoid, GameVoid:
		if over {
			return found(OutOfOrder, "%s of %v, whose day is over", e.Kind, name)
		}
	case Settled: // A correction looks back, behind the end of the day, too.
		if over {
			return nil
		}
	case Corrected:
		return s.corrected(name, e, g)
	}
	switch e.Kind {
	case Opened:
		if known {
			return found(OutOfOrder, "game %v opens twice", name)
		}
		g = s.newGame()
		s.games[name], s.newest = g, max(s.newest, name.Day)
		if !slices.Contains(s.devices[name.Day], g.device) {
			s.devices[name.Day] = append(s.devices[name.Day], g.device)
		}
		return g.opens(s, name, e)
	case Sealed, Link, Round, Result, Settled, DrawVoid, GameVoid:
		// A game that was open when the log began has no entry of its opening.
		if !known {
			g = s.newGame()
			s.games[name] = g
		}
	}
	switch e.Kind {
	case Sealed:
		return c.seal(s, g, name, e)
	case Link:
		return g.link(name, e)
	case Round:
		return c.takeRound(g, name, e)
	case Result:
		return c.result(g, name, e)
	case DrawVoid:
		if g.inTime {
			return found(VoidInTime, "a draw of %v is void, and its seal was cosigned in time", name)
		}
		// A draw is void once it has numbers, and of these there is one draw, which follows from seal, links and round.
		if len(g.custodians) > 0 || g.round > 0 {
			return found(VoidLate, "a draw of %v is void, and of links and rounds there is one draw", name)
		}
	case GameVoid:
		if g.round > 0 {
			return g.endWithout(name, e)
		}
		// Where the rules end a game that cannot go on, all its links are known, so that everybody sees what its
		// result would have been.
		switch {
		case len(g.custodians) > 0 && len(g.results) > 0:
			return found(VoidLate, "%v is void, and its result is known", name)
		case len(g.links) > 0 && len(g.links) < len(g.custodians):
			return found(VoidLate, "%v is void, and %d of %d links of it are known", name, len(g.links), len(g.custodians))
		}
		g.void = true
	case Settled:
		return g.settle(name, e)
	}
	return nil
}

// corrected finds a result that is corrected and was not drawn by a ball machine. What a device signed, or what follows
// from seal, links and round, nobody has read wrongly.
func (s *chainSeries) corrected(name journal.Game, e *Entry, g *chainGame) *Finding {
	device := s.devices[name.Day]
	if g != nil {
		device = []string{g.device}
	}
	if len(device) == 0 || slices.Contains(device, deviceCage) || slices.Contains(device, "") {
		return nil // The day is one before this log, or the game opened before the log named a device.
	}
	return found(ResultWrong, "%v is corrected to %s, and its numbers were not read from a ball machine", name,
		e.Text("numbers"))
}

// deviceCage is the device of games that are drawn by a ball machine.
const deviceCage = string(record.DeviceCage)

// settle holds the settlement of a game against its seal: what was sold behind the seal, or taken back, shows in the
// count.
func (g *chainGame) settle(name journal.Game, e *Entry) *Finding {
	revision := e.Uint("revision")
	if revision != g.settled+1 && (g.seal != nil || g.settled > 0) {
		return found(OutOfOrder, "settlement %d of %v follows settlement %d", revision, name, g.settled)
	}
	g.settled = revision
	if g.seal == nil {
		return nil
	}
	if _, drawn := g.results[e.Uint("draw")]; !drawn && e.Uint("revision") == 1 {
		return found(OutOfOrder, "%v is settled by draw %d, of which there is no result", name, e.Uint("draw"))
	}
	body, along, stakes := g.seal.Body(), e.Uint("along-plays"), e.Uint("stakes-cents")
	sealed := uint64(max(body.StakesCents, 0)) //nolint:gosec // Not below 0.
	if e.Uint("plays")+along != body.Plays || stakes > sealed || along == 0 && stakes < sealed {
		return found(SoldLate, "%v was sealed with %d tickets for %d cents, and is settled with %d for %d, and %d of void games",
			name, body.Plays, sealed, e.Uint("plays"), stakes, along)
	}
	return nil
}

// seal takes in the seal of a game.
func (c *Chain) seal(s *chainSeries, g *chainGame, name journal.Game, e *Entry) *Finding {
	verifier, err := journal.ParseVerifier(c.house)
	if err != nil {
		return found(SealUnsigned, "%v", err)
	}
	seal, err := journal.OpenSeal(e.Note("note"), verifier)
	if err != nil {
		return found(SealUnsigned, "the seal of %v: %v", name, err)
	}
	body := seal.Body()
	switch {
	case body.Game != name:
		return found(SealUnsigned, "the seal of %v names %v", name, body.Game)
	case body.Checkpoint != c.named:
		return found(JournalForked, "the seal of %v is over %s with %d records, and the entry names %d", name,
			body.Checkpoint.Origin, body.Checkpoint.Size, c.named.Size)
	case g.seal != nil:
		return found(SecondSeal, "%v has two seals", name)
	case len(g.links) > 0 || len(g.results) > 0:
		return found(SealLate, "%v is sealed behind its links or its result", name)
	}
	g.seal, g.commitments, g.sealedAt = &seal, map[string]draw.Commitment{}, c.size-1
	g.musts, g.cosigners = slices.Concat(namesOf(g.custodians), c.required), c.cosigners
	for key, commitment := range s.links {
		if day, custodian, _ := strings.Cut(key, " "); day == name.Day {
			g.commitments[custodian] = commitment
		}
	}
	return nil
}

// link takes in a link.
func (g *chainGame) link(name journal.Game, e *Entry) *Finding {
	if g.seal == nil {
		return found(LinkEarly, "a link of %v comes before its seal", name)
	}
	custodian := e.Text("custodian")
	commitment, ok := g.commitments[custodian]
	if !ok {
		return found(LinkWrong, "%s had committed to nothing for %s when %v was sealed", custodian, name.Day, name)
	}
	link := draw.Link{Custodian: custodian, Game: name, Revision: 1, Value: e.Hashes("link")[0],
		Path: draw.PathOf(e.Hashes("path"))}
	if err := commitment.CheckLink(link); err != nil {
		return found(LinkWrong, "the link of %s for %v: %v", custodian, name, err)
	}
	g.links[custodian] = link
	return nil
}

// result takes in the numbers of a game: the device has signed them under the seal, and where custodians draw, they
// follow from seal and links.
func (c *Chain) result(g *chainGame, name journal.Game, e *Entry) *Finding {
	if g.seal == nil {
		return found(OutOfOrder, "%v has a result and no seal", name)
	}
	verifier, err := journal.ParseVerifier(c.device)
	if err != nil {
		return found(ResultWrong, "%v", err)
	}
	result, _, err := draw.OpenResult(e.Note("note"), verifier)
	if err != nil {
		return found(ResultWrong, "the result of %v: %v", name, err)
	}
	if result.Game != name || result.Seal != g.seal.Body().Hash() || uint64(result.Revision) != e.Uint("draw") {
		return found(ResultWrong, "the result of %v is of another game, draw or seal", name)
	}
	if _, twice := g.results[e.Uint("draw")]; twice {
		return found(SecondResult, "draw %d of %v has two results", e.Uint("draw"), name)
	}
	g.results[e.Uint("draw")] = result
	if g.device != "" && result.Device != g.device {
		return found(ResultWrong, "the result of %v is drawn by %s, and the game by %s", name, result.Device, g.device)
	}
	switch {
	case len(g.links) == 0 && len(g.custodians) == 0 && g.round == 0:
		return nil
	case result.Revision != 1:
		return found(ResultWrong, "draw %d of %v: of links there is one draw", result.Revision, name)
	}
	return g.worksOut(name, result)
}

// worksOut holds a result against the numbers that follow from seal, links and round.
func (g *chainGame) worksOut(name journal.Game, result draw.Result) *Finding {
	links := make([]draw.Link, 0, len(g.links))
	for _, custodian := range g.custodians {
		verifier, err := journal.ParseVerifier(custodian)
		if err != nil {
			return found(LinkWrong, "%v", err)
		}
		link, ok := g.links[verifier.Name()]
		if !ok {
			return found(ResultWrong, "%v has a result and no link of %s", name, verifier.Name())
		}
		links = append(links, link)
	}
	round, missing := g.part()
	if missing {
		return found(ResultWrong, "%v has a result and no round", name)
	}
	plan := draw.KenoPlan(name, result.Revision)
	picks, err := draw.WitnessedNumbers(plan, result.Seal, links, round)
	if err == nil && (result.Numbers.Universe() != plan.Universe || result.Numbers.Len() != len(picks)) {
		err = fmt.Errorf("%d numbers", result.Numbers.Len())
	}
	for i := 0; err == nil && i < len(picks); i++ {
		if result.Numbers.At(i) != picks[i].Number {
			err = fmt.Errorf("number %d is %d and not %d", i+1, result.Numbers.At(i), picks[i].Number)
		}
	}
	if err != nil {
		return found(ResultWrong, "the result of %v does not follow from seal, links and round: %v", name, err)
	}
	return nil
}
