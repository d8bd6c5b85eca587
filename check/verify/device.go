package verify

import (
	"crypto/sha256"
	"crypto/sha3"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"drawhouse/core/day"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// A device is what draws a game, as it was chosen when the game opened.
type device struct {
	kind       record.Device
	custodians []custodian
	registered uint32               // its number in the register, or 0
	chosen     *record.DeviceChosen // the record that chose it; nil where none did
}

// A custodian commits to hash chains and gives out their links.
type custodian struct {
	name string
	key  journal.Verifier
}

// The first lines of a commitment and of what numbers are made of.
const (
	chainForm    = "drawhouse/chain/v1"
	linksForm    = "drawhouse/links/v1"
	linkForm     = "drawhouse/link/v2"
	numbersForm  = "drawhouse/witnessed/v1"
	escrowShares = 3
	// linksOfGame is how many links a chain has for each game.
	linksOfGame = 3
)

type chainKey struct {
	custodian string
	day       day.Day
}

// A chain is what a custodian committed to: the tip, from which on there is one link for
// each draw. The value at a place is SHA-256 of the chain's id, the place before it as
// four bytes and the value behind. Of links that stand each for themselves (singly) known is
// the RFC 6962 root over the texts of the links, in the order of games.
type chain struct {
	singly bool
	id     hash
	first  uint64
	games  uint64
	// known is the value at a place that leads to the tip; at first the tip itself.
	known hash
	place uint64
}

// deviceChosen checks that the rulebook knows draws by the device, and that those who
// give links are known by their keys. Draws by links begin with a Keno Day, before which
// chains are committed to.
func (c *checker) deviceChosen(b *record.DeviceChosen) error {
	if c.public.repeated() {
		return nil
	}
	s := c.series[b.Series]
	if s == nil {
		return fault(CheckDraw, "a device is chosen for series %d, which has not begun", b.Series)
	}
	if err := s.checkDevice(b.Device); err != nil {
		return err
	}
	if b.Device == record.DeviceWitnessed && s.dayOpen {
		return fault(CheckDraw, "draws by links begin in the middle of day %v", s.day)
	}
	if err := c.chosenOf(s, b); err != nil {
		return err
	}
	chosen := device{kind: b.Device, registered: b.Registered, chosen: b}
	for _, named := range b.Custodians {
		key, err := journal.ParseVerifier(named.Key)
		if err != nil || key.Name() != named.Name {
			return fault(CheckDraw, "the key of custodian %s is %q", named.Name, named.Key)
		}
		if known := c.opts.LinksKeys; len(known) > 0 && !slices.Contains(known, named.Key) {
			return fault(CheckDraw, "custodian %s gives links by the key %s, which is none that you gave", named.Name, named.Key)
		}
		for _, other := range b.Custodians {
			if other.Name < named.Name && sameKey(other.Key, named.Key) {
				if err := c.guard(fault(CheckDraw,
					"custodians %s and %s have one key", other.Name, named.Name)); err != nil {
					return err
				}
			}
		}
		chosen.custodians = append(chosen.custodians, custodian{named.Name, key})
	}
	// Custodians who stay were held against the others when they were named.
	if before := s.device.chosen; before == nil || !slices.Equal(before.Custodians, b.Custodians) {
		if err := c.newer(c.ownKeys(b.Custodians)); err != nil {
			return err
		}
	}
	s.device = chosen
	return nil
}

// ownKeys reports a custodian who commits with a key that signs something else: who gets signatures of one kind out of
// it has the other.
func (c *checker) ownKeys(custodians []record.Custodian) error {
	others := map[string]string{c.report.HouseKey.Key: "the house", c.report.DeviceKey.Key: "the draw device"}
	for _, keys := range []map[string]string{c.public.keys(), c.log.keys(), c.witnessing.keys()} {
		maps.Copy(others, keys)
	}
	for _, named := range custodians {
		for _, vkey := range slices.Sorted(maps.Keys(others)) {
			if sameKey(vkey, named.Key) {
				return fault(CheckDraw, "custodian %s commits to links with the key of %s", named.Name, others[vkey])
			}
		}
		if other := c.commitsWith(named.Key); other != "" && other != named.Name {
			return fault(CheckDraw, "custodians %s and %s have one key", other, named.Name)
		}
	}
	return nil
}

// commitsWith returns the custodian who commits with a key in any series, or "".
func (c *checker) commitsWith(vkey string) string {
	for _, s := range c.opened {
		if s.device.chosen == nil {
			continue
		}
		for _, named := range s.device.chosen.Custodians {
			if sameKey(vkey, named.Key) {
				return named.Name
			}
		}
	}
	return ""
}

// sameKey reports whether two verifier keys, NAME+ID+KEY, have one public key behind the byte that says what they sign.
func sameKey(one, other string) bool {
	of := func(vkey string) string {
		parts := strings.SplitN(vkey, "+", 3)
		typed, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
		if len(parts) != 3 || err != nil || len(typed) == 0 {
			return ""
		}
		return string(typed[1:])
	}
	return of(one) != "" && of(one) == of(other)
}

// checkDevice checks that the rulebook of the next game knows a device.
func (s *series) checkDevice(kind record.Device) error {
	if devices := s.termsAt(uint32(len(s.games)) + 1).rules.book.Draw().Devices; !slices.Contains(devices,
		string(kind)) {
		return fault(CheckDraw, "games are drawn by %s, and the rulebook knows %s", kind, devices)
	}
	return nil
}

// checkChains checks that everybody who gives links is bound for a day that opens.
func (s *series) checkChains(d day.Day) error {
	for _, who := range s.device.custodians {
		if s.chains[chainKey{who.name, d}] == nil {
			return fault(CheckDraw, "day %v opens, and %s has not committed to a chain", d, who.name)
		}
	}
	return nil
}

// opensWith gives a game that opens its device, which must be able to draw it.
func (c *checker) opensWith(s *series, g *game) error {
	if s.device.kind == "" {
		s.device.kind = record.DeviceGenerator
	}
	if err := s.checkDevice(s.device.kind); err != nil {
		return err
	}
	if d := c.registeredDevice(s.device.registered); d != nil && d.failed && g.terms.rules.book.Draw().Registered {
		return fault(CheckDraw, "game %v opens, and device %d, which would draw it, is out of service", g.name,
			s.device.registered)
	}
	for _, who := range s.device.custodians {
		if ch := s.chains[chainKey{who.name, g.name.Day}]; ch == nil || !ch.covers(g) {
			return fault(CheckDraw, "game %v opens, and the chain of %s has no link for it", g.name, who.name)
		}
	}
	g.device = s.device
	return nil
}

func (ch *chain) covers(g *game) bool {
	number := uint64(g.name.Number)
	return number >= ch.first && number-ch.first < ch.games
}

// chainCommitted checks a commitment to a chain. From the level of guards on there is
// none: one link of a chain gives all links before it.
func (c *checker) chainCommitted(b *record.ChainCommitted) error {
	if c.level >= record.LevelGuarded {
		return fault(CheckDraw, "%s commits to a chain, and links are committed to singly", b.Custodian)
	}
	return c.committed(b.Series, chainKey{b.Custodian, b.Day}, b.Note, chainForm)
}

// linksCommitted checks a commitment to links that stand each for themselves.
func (c *checker) linksCommitted(b *record.LinksCommitted) error {
	if c.public.repeated() {
		return nil
	}
	err := c.committed(b.Series, chainKey{b.Custodian, b.Day}, b.Note, linksForm)
	if err == nil {
		s := c.series[b.Series]
		s.committed = append(slices.DeleteFunc(s.committed,
			func(before *record.LinksCommitted) bool { return before.Day < s.day }), b)
	}
	return err
}

// committed checks a commitment: who signed it, for which day, and that the day had not
// opened.
func (c *checker) committed(id uint8, key chainKey, note []byte, form string) error {
	s := c.series[id]
	if s == nil {
		return fault(CheckDraw, "a commitment for series %d, which has not begun", id)
	}
	i := slices.IndexFunc(s.device.custodians, func(who custodian) bool { return who.name == key.custodian })
	switch {
	case i < 0:
		return fault(CheckDraw, "%s is no custodian of the series", key.custodian)
	case key.day <= s.day:
		return fault(CheckDraw, "%s commits to links for day %v, which has opened", key.custodian, key.day)
	case s.chains[key] != nil:
		return fault(CheckDraw, "%s commits a second time for day %v", key.custodian, key.day)
	}
	text, _, err := journal.OpenNote(note, s.device.custodians[i].key)
	if err != nil {
		return fault(CheckDraw, "the commitment of %s does not hold: %v", key.custodian, err)
	}
	ch, err := readChain(text, form, key, s.name)
	if err != nil {
		return fault(CheckDraw, "the commitment of %s: %v", key.custodian, err)
	}
	s.chains[key] = ch
	c.report.Chains++
	return nil
}

// readChain reads the text of a commitment.
func readChain(text, form string, key chainKey, series string) (*chain, error) {
	r := journal.ReadBody(text, form)
	whose, of, on := r.Text("custodian"), r.Text("series"), r.Text("day")
	ch := &chain{singly: form == linksForm, first: r.Uint("first", math.MaxUint32),
		games: r.Uint("games", math.MaxUint32)}
	if ch.singly {
		ch.known = hash(r.Hash("root"))
	} else {
		ch.known = hash(r.Hash("tip"))
	}
	for i := range escrowShares {
		r.Hash(fmt.Sprintf("share%d", i+1))
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	if whose != key.custodian || of != series || on != key.day.String() {
		return nil, fmt.Errorf("it is of %s for %s %s", whose, of, on)
	}
	name := fmt.Sprintf("%s\ncustodian %s\nseries %s\nday %s\nfirst %d\ngames %d\n", chainForm, whose, of, on, ch.first,
		ch.games)
	ch.id = sha256.Sum256([]byte(name))
	return ch, nil
}

// follow checks that a link leads to the tip: hashed down to a place that is known to
// lead there it gives the value there. From then on it is the known one.
func (ch *chain) follow(place uint64, link hash) bool {
	value := link
	for at := place; at > ch.place; at-- {
		input := binary.BigEndian.AppendUint32(slices.Clone(ch.id[:]), uint32(at-1))
		value = sha256.Sum256(append(input, value[:]...))
	}
	if place <= ch.place || value != ch.known {
		return false
	}
	ch.known, ch.place = link, place
	return true
}

// linkReleased checks a link of a chain.
func (c *checker) linkReleased(b *record.LinkReleased) error {
	s, g, err := c.linkOf(b.Game, b.Custodian, b.By)
	if err != nil {
		return err
	}
	ch := s.chains[chainKey{b.Custodian, g.name.Day}]
	if b.Draw != g.draw() || b.Draw > linksOfGame || ch.singly {
		return fault(CheckDraw, "a link for draw %d of game %v, and %d is the one that counts", b.Draw, g.name,
			g.draw())
	}
	place := (uint64(g.name.Number)-ch.first)*linksOfGame + uint64(b.Draw)
	if !ch.follow(place, hash(b.Link)) {
		return fault(CheckDraw, "the link of %s for game %v does not lead to the tip of its chain", b.Custodian, g.name)
	}
	return c.takeLink(g, b.Custodian, hash(b.Link))
}

// linkGiven checks a link that stands for itself: its path leads to the root that was
// committed to. There is one link a game, so that a game has one draw.
func (c *checker) linkGiven(b *record.LinkGiven) error {
	s, g, err := c.linkOf(b.Game, b.Custodian, b.By)
	if err != nil {
		return err
	}
	ch := s.chains[chainKey{b.Custodian, g.name.Day}]
	if !ch.singly || g.draw() != 1 {
		return fault(CheckDraw,
			"a link for game %v at draw %d: links that stand for themselves are for the first draw, which is the only one",
			g.name, g.draw())
	}
	name := g.sealedName(s)
	leaf := fmt.Sprintf("%s\ncustodian %s\nseries %s\nday %s\ngame %d\nlink %v\n", linkForm, b.Custodian, name.Series,
		name.Day, name.Number, journal.Hash(b.Link))
	if !onPath([]byte(leaf), uint64(g.name.Number)-ch.first, ch.games, b.Path, ch.known) {
		return fault(CheckDraw, "the link of %s for game %v does not lead to the root committed to", b.Custodian,
			g.name)
	}
	return c.takeLink(g, b.Custodian, hash(b.Link))
}

// linkOf checks that a link comes after the seal and before the first number, from a
// custodian of the game, and after all custodians have cosigned. That is so for a link that
// was rebuilt too: there is one that fits.
func (c *checker) linkOf(ref record.Game, whose string, by uint32) (*series, *game, error) {
	s, g, err := c.at(CheckDraw, ref, stageSealed)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case g.device.kind != record.DeviceWitnessed:
		return nil, nil, fault(CheckDraw, "a link for game %v, which is drawn by %s", g.name, g.device.kind)
	case !slices.ContainsFunc(g.device.custodians, func(who custodian) bool { return who.name == whose }):
		return nil, nil, fault(CheckDraw, "%s is no custodian of game %v", whose, g.name)
	case by != 0 && !c.people.known(by):
		return nil, nil, fault(CheckPeople, "the link is brought by person %d, who was not added", by)
	}
	if w := c.missing(g.cosigned()); w != nil {
		return nil, nil, fault(CheckDraw,
			"a link for game %v, and witness %s has not cosigned its seal", g.name, w.name)
	}
	if why := c.unmet(g); why != "" {
		return nil, nil, fault(CheckDraw, "a link for game %v, and %s", g.name, why)
	}
	if g.logged.entries > 0 && !g.quorate {
		return nil, nil, fault(CheckDraw,
			"a link for game %v, and not all custodians have cosigned the public log with its seal", g.name)
	}
	if who := g.uncosigned(); who != "" {
		if err := c.guard(fault(CheckDraw,
			"a link for game %v, and custodian %s has not cosigned its seal", g.name, who)); err != nil {
			return nil, nil, err
		}
	}
	if _, known := g.links[whose]; known {
		return nil, nil, fault(CheckDraw, "%s gives a second link for draw %d of game %v", whose, g.draw(), g.name)
	}
	return s, g, nil
}

func (c *checker) takeLink(g *game, whose string, link hash) error {
	if g.links == nil {
		g.links = map[string]hash{}
	}
	g.links[whose] = link
	c.report.Links++
	return nil
}

// uncosigned returns a custodian who has not cosigned the seal of the game, or nothing.
func (g *game) uncosigned() string {
	for _, who := range g.device.custodians {
		if !slices.Contains(g.cosigned(), who.name) {
			return who.name
		}
	}
	return ""
}

// cosigned returns who has cosigned the seal of the game: in the journal, or, as custodians, in the public log.
func (g *game) cosigned() []string {
	names := slices.Clone(g.witnessed)
	if g.logged.entries > 0 && g.quorate {
		for _, who := range g.device.custodians {
			names = append(names, who.name)
		}
	}
	return names
}

// onPath reports whether a leaf is in a tree of RFC 6962, by section 2.1.1: at every level
// the hash is joined with its neighbour, which the path has, except where the hash is the
// last of its level and has none.
func onPath(leaf []byte, index, size uint64, path []record.Hash, root hash) bool {
	if index >= size {
		return false
	}
	h := sha256.Sum256(append([]byte{0}, leaf...))
	for last := size - 1; last > 0; index, last = index/2, last/2 {
		if index == last && index%2 == 0 {
			continue // It has no neighbour at this level.
		}
		if len(path) == 0 {
			return false
		}
		if index%2 == 1 {
			h = join(hash(path[0]), h)
		} else {
			h = join(h, hash(path[0]))
		}
		path = path[1:]
	}
	return len(path) == 0 && h == root
}

// linksKnown reports whether links may be known to somebody: custodians give them once all of them have cosigned the
// public log with the seal, or, where the game was sealed before there was a log, the seal.
func (g *game) linksKnown() bool {
	if g.logged.entries > 0 {
		return g.quorate
	}
	return g.uncosigned() == ""
}

// checkStandsByLinks objects to a void of a draw that custodians have cosigned, or whose links
// are known: that would be a second try. A game ends without a result all the same where
// the rulebook carries its plays on, once all its links are public.
func (c *checker) checkStandsByLinks(g *game, clause string, ends bool) error {
	if g.device.kind != record.DeviceWitnessed || len(g.links) == 0 && !g.linksKnown() {
		return nil
	}
	if ends && g.round.gone && g.round.signature == nil {
		return nil
	}
	if ends && clause != "" && len(g.links) == len(g.device.custodians) &&
		slices.Contains(g.terms.rules.book.Draw().Unfinished, fateCarry) {
		return nil
	}
	return c.guard(fault(CheckDraw,
		"game %v is declared void after its custodians cosigned the seal, or after a link was known", g.name))
}

// expansion returns the bytes that the numbers of a draw by links are made of, once all
// links and the round are there: SHAKE256 of the draw, the seal, the links by custodian and the round.
func (g *game) expansion(s *series) (*sha3.SHAKE, error) {
	name := g.sealedName(s)
	form, lines, err := g.round.beaconLines()
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("%s\nseries %s\nday %s\ngame %d\nrevision %d\nof %d\nseal %v\n",
		form, name.Series, name.Day, name.Number, g.draw(), g.terms.rules.of, journal.Hash(g.seal))
	for _, who := range g.device.custodians { // They are in the order of their names.
		link, ok := g.links[who.name]
		if !ok {
			return nil, fmt.Errorf("%s has not given its link", who.name)
		}
		text += fmt.Sprintf("custodian %s\nlink %v\n", who.name, journal.Hash(link))
	}
	text += lines
	shake := sha3.NewSHAKE256()
	_, _ = shake.Write([]byte(text)) // A SHAKE that was not read from takes everything.
	return shake, nil
}

// checkByDevice checks that a number is the one that the game's device gives next.
func (c *checker) checkByDevice(s *series, g *game, b *record.NumberDrawn) error {
	switch g.device.kind {
	case record.DeviceCage:
		return s.cage.checkNumber(g, b)
	case record.DeviceWitnessed:
		if err := g.checkFromLinks(s, b.Bytes); err != nil {
			return fault(CheckDraw, "number %d of game %v: %v", len(g.numbers)+1, g.name, err)
		}
	}
	number, err := numberOf(b.Bytes, &g.drawn, g.terms.rules.of)
	if err != nil {
		return fault(CheckDraw, "number %d of game %v: %v", len(g.numbers)+1, g.name, err)
	}
	if b.Number != number {
		return fault(CheckDraw, "its bytes %x give %d, and it says %d", b.Bytes, number, b.Number)
	}
	return nil
}

// checkFromLinks checks that the bytes of a number are the next ones that seal and links
// give.
func (g *game) checkFromLinks(s *series, read []byte) error {
	if g.stream == nil {
		stream, err := g.expansion(s)
		if err != nil {
			return err
		}
		g.stream = stream
	}
	next := make([]byte, len(read))
	_, _ = g.stream.Read(next) // It has no end.
	if !slices.Equal(next, read) {
		return fmt.Errorf("its bytes are %x, and seal and links give %x", read, next)
	}
	return nil
}

// drawAgain forgets what a draw that does not count was made of.
func (g *game) drawAgain() { g.links, g.stream = nil, nil }
