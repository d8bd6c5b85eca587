package verify

import (
	"crypto/sha256"
	"crypto/sha3"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"drawhouse/day"
	"drawhouse/journal"
	"drawhouse/record"
)

// A device is what draws a game, as it was chosen when the game opened.
type device struct {
	kind       record.Device
	custodians []custodian
}

// A custodian commits to hash chains and gives out their links.
type custodian struct {
	name string
	key  journal.Verifier
}

// The first lines of a commitment and of what numbers are made of.
const (
	chainForm    = "drawhouse/chain/v1"
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
// four bytes and the value behind.
type chain struct {
	id    hash
	first uint64
	games uint64
	// known is the value at a place that leads to the tip; at first the tip itself.
	known hash
	place uint64
}

// deviceRecord checks a record about devices. It reports whether it knows the kind.
func (c *checker) deviceRecord(body record.Body) (bool, error) {
	switch b := body.(type) {
	case *record.DeviceChosen:
		return true, c.deviceChosen(b)
	case *record.ChainCommitted:
		return true, c.chainCommitted(b)
	case *record.LinkReleased:
		return true, c.linkReleased(b)
	case *record.CageStarted:
		return true, c.cageStarted(b)
	case *record.BallKeyed:
		return true, c.ballKeyed(b)
	case *record.CageAttended:
		return true, c.cageAttended(b)
	}
	return false, nil
}

// deviceChosen checks that the rulebook knows draws by the device, and that those who
// give links are known by their keys. Draws by links begin with a Keno Day, before which
// chains are committed to.
func (c *checker) deviceChosen(b *record.DeviceChosen) error {
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
	chosen := device{kind: b.Device}
	for _, named := range b.Custodians {
		key, err := journal.ParseVerifier(named.Key)
		if err != nil || key.Name() != named.Name {
			return fault(CheckDraw, "the key of custodian %s is %q", named.Name, named.Key)
		}
		chosen.custodians = append(chosen.custodians, custodian{named.Name, key})
	}
	s.device = chosen
	return nil
}

// checkDevice checks that the rulebook of the next game knows a device.
func (s *series) checkDevice(kind record.Device) error {
	if devices := s.termsAt(uint32(len(s.games)) + 1).rules.book.Draw().Devices; !slices.Contains(devices, string(kind)) {
		return fault(CheckDraw, "games are drawn by %s, and the rulebook knows %q", kind, devices)
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
func (s *series) opensWith(g *game) error {
	if s.device.kind == "" {
		s.device.kind = record.DeviceGenerator
	}
	if err := s.checkDevice(s.device.kind); err != nil {
		return err
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

// chainCommitted checks a commitment: who signed it, for which day, and that the day had
// not opened.
func (c *checker) chainCommitted(b *record.ChainCommitted) error {
	s := c.series[b.Series]
	if s == nil {
		return fault(CheckDraw, "a chain for series %d, which has not begun", b.Series)
	}
	i := slices.IndexFunc(s.device.custodians, func(who custodian) bool { return who.name == b.Custodian })
	key := chainKey{b.Custodian, b.Day}
	switch {
	case i < 0:
		return fault(CheckDraw, "%s is no custodian of the series", b.Custodian)
	case b.Day <= s.day:
		return fault(CheckDraw, "%s commits to a chain for day %v, which has opened", b.Custodian, b.Day)
	case s.chains[key] != nil:
		return fault(CheckDraw, "%s commits to a second chain for day %v", b.Custodian, b.Day)
	}
	text, _, err := journal.OpenNote(b.Note, s.device.custodians[i].key)
	if err != nil {
		return fault(CheckDraw, "the commitment of %s does not hold: %v", b.Custodian, err)
	}
	ch, err := readChain(text, b, s.name)
	if err != nil {
		return fault(CheckDraw, "the commitment of %s: %v", b.Custodian, err)
	}
	s.chains[key] = ch
	c.report.Chains++
	return nil
}

// readChain reads the text of a commitment.
func readChain(text string, b *record.ChainCommitted, series string) (*chain, error) {
	r := journal.ReadBody(text, chainForm)
	whose, of, on := r.Text("custodian"), r.Text("series"), r.Text("day")
	ch := &chain{first: r.Uint("first", math.MaxUint32), games: r.Uint("games", math.MaxUint32)}
	ch.known = hash(r.Hash("tip"))
	for i := range escrowShares {
		r.Hash(fmt.Sprintf("share%d", i+1))
	}
	if err := r.Close(); err != nil {
		return nil, err
	}
	if whose != b.Custodian || of != series || on != b.Day.String() {
		return nil, fmt.Errorf("it is of %s for %s %s", whose, of, on)
	}
	name := fmt.Sprintf("%s\ncustodian %s\nseries %s\nday %s\nfirst %d\ngames %d\n", chainForm, whose, of, on, ch.first, ch.games)
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

// linkReleased checks that a link comes after the seal and before the first number, from
// a custodian of the game, and is the one that was committed to. That is so for a link
// from escrow too: there is one that fits.
func (c *checker) linkReleased(b *record.LinkReleased) error {
	s, g, err := c.at(CheckDraw, b.Game, stageSealed)
	if err != nil {
		return err
	}
	switch {
	case g.device.kind != record.DeviceWitnessed:
		return fault(CheckDraw, "a link for game %v, which is drawn by %s", g.name, g.device.kind)
	case b.Draw != g.draw() || b.Draw > linksOfGame:
		return fault(CheckDraw, "a link for draw %d of game %v, and %d is the one that counts", b.Draw, g.name, g.draw())
	case !slices.ContainsFunc(g.device.custodians, func(who custodian) bool { return who.name == b.Custodian }):
		return fault(CheckDraw, "%s is no custodian of game %v", b.Custodian, g.name)
	case b.By != 0 && c.people.persons[b.By] == nil:
		return fault(CheckPeople, "the link is brought by person %d, who was not added", b.By)
	}
	if w := c.missing(g.witnessed); w != nil {
		return fault(CheckDraw, "a link for game %v, and witness %s has not cosigned its seal", g.name, w.name)
	}
	if _, known := g.links[b.Custodian]; known {
		return fault(CheckDraw, "%s gives a second link for draw %d of game %v", b.Custodian, b.Draw, g.name)
	}
	ch := s.chains[chainKey{b.Custodian, g.name.Day}]
	place := (uint64(g.name.Number)-ch.first)*linksOfGame + uint64(b.Draw)
	if !ch.follow(place, hash(b.Link)) {
		return fault(CheckDraw, "the link of %s for game %v does not lead to the tip of its chain", b.Custodian, g.name)
	}
	if g.links == nil {
		g.links = map[string]hash{}
	}
	g.links[b.Custodian] = hash(b.Link)
	c.report.Links++
	return nil
}

// expansion returns the bytes that the numbers of a draw by links are made of, once all
// links are there: SHAKE256 of the draw, the seal and the links by custodian.
func (g *game) expansion(s *series) (*sha3.SHAKE, error) {
	name := g.sealedName(s)
	text := fmt.Sprintf("%s\nseries %s\nday %s\ngame %d\nrevision %d\nof %d\nseal %v\n",
		numbersForm, name.Series, name.Day, name.Number, g.draw(), g.terms.rules.of, journal.Hash(g.seal))
	for _, who := range g.device.custodians { // They are in the order of their names.
		link, ok := g.links[who.name]
		if !ok {
			return nil, fmt.Errorf("%s has not given its link", who.name)
		}
		text += fmt.Sprintf("custodian %s\nlink %v\n", who.name, journal.Hash(link))
	}
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
