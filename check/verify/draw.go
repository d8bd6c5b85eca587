package verify

import (
	"fmt"
	"strconv"
	"strings"

	"drawhouse/journal"
	"drawhouse/journal/record"
)

// drawnNumbers marks the numbers drawn. The index is a byte, so that any byte of
// a ticket may be looked up.
type drawnNumbers [256]bool

// in returns how many numbers of a list were drawn. Nil is no draw.
func (d *drawnNumbers) in(list []byte) int {
	matched := 0
	if d == nil {
		return 0
	}
	for _, n := range list {
		if d[n] {
			matched++
		}
	}
	return matched
}

// numberDrawn checks that a number is what its bytes give, and that it comes
// after the seal and not after the last (vic-keno-2015 4, 18(a)).
func (c *checker) numberDrawn(b *record.NumberDrawn) error {
	s, g, err := c.at(CheckDraw, b.Game, stageSealed)
	if err != nil {
		return err
	}
	if s.paused {
		return fault(CheckDraw, "it is drawn while play is paused")
	}
	if err := s.checkEnds(CheckDraw); err != nil {
		return err
	}
	if b.Draw != g.draw() {
		return fault(CheckDraw, "it is of draw %d, and %d draws of the game were made void", b.Draw, g.voided)
	}
	if w := c.missing(g.cosigned()); len(g.numbers) == 0 && w != nil {
		return fault(CheckDraw, "game %v is drawn, and witness %s has not cosigned its seal", g.name, w.name)
	}
	if err := c.newer(s.cage.checkComputer(g)); err != nil {
		return err
	}
	if why := c.unmet(g); len(g.numbers) == 0 && why != "" {
		return fault(CheckDraw, "game %v is drawn, and %s", g.name, why)
	}
	rules := g.terms.rules
	if len(g.numbers) == rules.draw {
		return fault(CheckDraw, "game %v has its %d numbers already", g.name, rules.draw)
	}
	if g.drawn[b.Number] {
		return fault(CheckDraw, "%d was drawn before in game %v", b.Number, g.name)
	}
	if err := c.checkByDevice(s, g, b); err != nil {
		return err
	}
	g.numbers = append(g.numbers, b.Number)
	g.drawn[b.Number] = true
	c.report.Numbers++
	return nil
}

// draw returns which draw of the game counts, unless it is made void.
func (g *game) draw() uint8 { return g.voided + 1 }

// maxDraws is how often a game may be drawn: far more often than it will be.
const maxDraws = 100

// drawVoided takes back the numbers of a draw that does not count: the game, which
// is not settled, is drawn again (casino-keno-div2 11.2-11.4). Whether there was
// cause for it is for people to say, who have given a reason and an approval.
func (c *checker) drawVoided(b *record.DrawVoided) error {
	s := c.series[b.Game.Series]
	if s == nil || s.byName[b.Game] == nil {
		return fault(CheckDraw, "game %v was never opened", b.Game)
	}
	g := s.byName[b.Game]
	switch {
	case g.stage != stageSealed && g.stage != stageDrawn:
		return fault(CheckDraw, "a draw of game %v is made void, and the game is %v", g.name, g.stage)
	case b.Draw != g.draw() || g.voided == maxDraws:
		return fault(CheckDraw, "draw %d of game %v is made void, and %d is the one that counts", b.Draw, g.name,
			g.draw())
	case len(g.numbers) == 0 && !s.cage.at(g):
		return fault(CheckDraw, "draw %d of game %v is made void before its first number", b.Draw, g.name)
	}
	if err := s.cage.checkVoid(g, false); err != nil {
		return err
	}
	if err := c.checkStandsByLinks(g, b.Clause, false); err != nil {
		return err
	}
	g.voided++
	g.drawAgain()
	g.stage, g.numbers, g.drawn = stageSealed, nil, drawnNumbers{}
	c.report.Voided++
	return nil
}

// numberOf maps the bytes of the source to a number as the device's mapping is
// published: with m numbers remaining a byte from 256 - 256 mod m on is rejected,
// and the first other byte b, which is the last one read, chooses the number at
// index b mod m among the remaining ones in ascending order.
func numberOf(read []byte, drawn *drawnNumbers, of int) (byte, error) {
	remaining := make([]byte, 0, of)
	for n := 1; n <= of; n++ {
		if !drawn[n] {
			remaining = append(remaining, byte(n))
		}
	}
	m := len(remaining)
	if len(read) == 0 || m == 0 {
		return 0, fmt.Errorf("%d bytes for a choice of %d", len(read), m)
	}
	limit := 256 - 256%m
	for i, b := range read {
		rejected := int(b) >= limit
		if rejected != (i < len(read)-1) {
			return 0, fmt.Errorf("byte %d of %x is not one that is read at this place", i+1, read)
		}
	}
	return remaining[int(read[len(read)-1])%m], nil
}

// resultForm is the first line of what the device signs.
const resultForm = "drawhouse/draw/v1"

// gameDrawn checks the device's statement: its signature, the game, the seal, and
// the numbers in their order.
func (c *checker) gameDrawn(b *record.GameDrawn) error {
	s, g, err := c.at(CheckDraw, b.Game, stageSealed)
	if err != nil {
		return err
	}
	if b.Draw != g.draw() || len(g.numbers) != g.terms.rules.draw {
		return fault(CheckDraw, "draw %d of game %v ends with %d numbers of draw %d, and needs %d", b.Draw, g.name,
			len(g.numbers), g.draw(), g.terms.rules.draw)
	}
	text, _, err := journal.OpenNote(b.Note, c.volume().device)
	if err != nil {
		return fault(CheckDraw, "the device's statement does not hold: %v", err)
	}
	if err := g.checkResult(text, s); err != nil {
		return fault(CheckDraw, "the device's statement: %v", err)
	}
	if err := c.checkRepeat(s, g); err != nil {
		return err
	}
	g.stage = stageDrawn
	return nil
}

// set returns the numbers drawn as bits, in whatever order they were drawn.
func (d *drawnNumbers) set() (bits [4]uint64) {
	for n, drawn := range d {
		if drawn {
			bits[n/64] |= 1 << (n % 64)
		}
	}
	return bits
}

func (g *game) checkResult(text string, s *series) error {
	r := journal.ReadBody(text, resultForm)
	device := r.Text("device")
	name := journal.Game{Series: r.Text("series"), Day: r.Text("day"), Number: uint32(r.Uint("game", 1<<32-1))}
	revision := r.Uint("revision", 1<<32-1)
	seal := r.Hash("seal")
	of := r.Uint("of", 255)
	numbers := r.Text("numbers")
	if err := r.Close(); err != nil {
		return err
	}
	switch {
	case device != string(g.device.kind):
		return fmt.Errorf("it is of the device %s, and the game is drawn by %s", device, g.device.kind)
	case name != g.sealedName(s):
		return fmt.Errorf("it is of game %v, and this is %v", name, g.sealedName(s))
	case revision != uint64(g.draw()):
		return fmt.Errorf("it is revision %d of a draw, and %d draws of the game were made void", revision, g.voided)
	case seal != g.seal:
		return fmt.Errorf("it names the seal %v, and the game's is %v", seal, journal.Hash(g.seal))
	case of != uint64(g.terms.rules.of) || numbers != g.printed():
		return fmt.Errorf("it has the numbers %s of %d, and drawn were %s of %d", numbers, of, g.printed(),
			g.terms.rules.of)
	}
	return nil
}

// sealedName returns the game's name as seals and statements have it.
func (g *game) sealedName(s *series) journal.Game {
	return journal.Game{Series: s.name, Day: g.name.Day.String(), Number: uint32(g.name.Number)}
}

// printed returns the numbers in the order drawn.
func (g *game) printed() string {
	words := make([]string, len(g.numbers))
	for i, n := range g.numbers {
		words[i] = strconv.Itoa(int(n))
	}
	return strings.Join(words, " ")
}
