package verify

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/journal/record"
)

// A cage is a ball machine as its records tell of it (casino-keno-div2 2.3, 7.7, part
// 11): who keyed which ball, what both agreed on, and what keeps the machine from
// drawing. It is written from the rules and shares nothing with the house's own.
type cage struct {
	state     cageState
	game      record.Game
	draw      uint8
	recorders [2]uint32
	keyed     [2][]byte // each begins with what both agreed on
	agreed    []byte
	given     bool // the game has no further draw

	counted  bool // 80 balls, and not opened since
	replace  byte // the ball to be replaced, or 0
	broken   bool // the machine is to be repaired
	computer bool // the computer is to be put right
	untaken  bool // it did not take the result of this draw
}

type cageState uint8

const (
	cageIdle cageState = iota
	cageDrawing
	cageFull      // twenty balls are agreed on
	cageEntered   // and the computer has taken them
	cageWorthless // the draw does not count
)

var cageStates = [...]string{"idle", "drawing", "full", "entered", "void"}

func (s cageState) String() string { return cageStates[s] }

const (
	ballsInCage  = 80
	ballsOfDraw  = 20
	cageApproval = "attend_cage"
)

// at reports whether the machine is, or was, at the draw of a game that counts.
func (m *cage) at(g *game) bool { return m.state != cageIdle && m.game == g.name && m.draw == g.draw() }

// locked says what keeps the machine from drawing, if anything.
func (m *cage) locked() string {
	switch {
	case m.replace != 0:
		return fmt.Sprintf("ball %d is to be replaced", m.replace)
	case m.broken:
		return "the machine is to be repaired"
	case m.computer:
		return "the computer is to be put right"
	case !m.counted:
		return "80 balls were not counted"
	}
	return ""
}

// cageStarted checks the start of a ball draw: a sealed game, two recorders, a machine
// that nothing keeps from drawing, and a void draw made again before any other.
func (c *checker) cageStarted(b *record.CageStarted) error {
	s, g, err := c.at(CheckDraw, b.Game, stageSealed)
	if err != nil {
		return err
	}
	if err := s.checkEnds(CheckDraw); err != nil {
		return err
	}
	m := &s.cage
	again := m.state == cageWorthless && !m.given
	switch {
	case g.device.kind != record.DeviceCage || b.Draw != g.draw():
		return fault(CheckDraw, "the cage is started for draw %d of game %v, which is at draw %d by %s", b.Draw, g.name,
			g.draw(), g.device.kind)
	case m.state == cageDrawing || m.state == cageFull:
		return fault(CheckDraw, "the cage is started for game %v, and is %v in game %v", g.name, m.state, m.game)
	case c.level >= record.LevelGuarded && g.terms.rules.book.Draw().Keyings != len(b.Recorders):
		return fault(CheckDraw, "%d people record the draw of game %v, and its rulebook asks for %d", len(b.Recorders),
			g.name, g.terms.rules.book.Draw().Keyings)
	case c.level >= record.LevelGuarded && s.paused:
		return fault(CheckDraw, "the cage is started for game %v while play is paused", g.name)
	case m.locked() != "":
		return fault(CheckDraw, "the cage is started for game %v, and %s", g.name, m.locked())
	case again && (m.game != g.name || b.Draw != m.draw+1), !again && (m.game == g.name || b.Draw != 1):
		return fault(CheckDraw, "the cage is started for draw %d of game %v, after draw %d of game %v, which is %v",
			b.Draw, g.name, m.draw, m.game, m.state)
	case b.Recorders[0] == b.Recorders[1]:
		return fault(CheckDraw, "person %d records a ball draw alone", b.Recorders[0])
	}
	if w := c.missing(g.witnessed); w != nil {
		return fault(CheckDraw, "game %v is drawn, and witness %s has not cosigned its seal", g.name, w.name)
	}
	if why := c.unmet(g); why != "" {
		return fault(CheckDraw, "game %v is drawn, and %s", g.name, why)
	}
	for _, who := range append(b.Recorders[:], b.By) {
		if !c.people.known(who) {
			return fault(CheckPeople, "person %d at the cage was not added", who)
		}
	}
	*m = cage{state: cageDrawing, game: g.name, draw: b.Draw, recorders: b.Recorders, counted: true}
	return nil
}

// ballKeyed checks that each of the two keys its own next ball, and takes for drawn what
// both have keyed at the same place. Where they differ both key again.
func (c *checker) ballKeyed(b *record.BallKeyed) error {
	s, g, err := c.at(CheckDraw, b.Game, stageSealed)
	if err != nil {
		return err
	}
	m := &s.cage
	who := slices.Index(m.recorders[:], b.By)
	if m.state != cageDrawing || !m.at(g) || b.Draw != m.draw || who < 0 {
		return fault(CheckDraw,
			"person %d keys a ball of draw %d of game %v, and the cage is %v in draw %d of game %v with %v", b.By, b.Draw,
			g.name, m.state, m.draw, m.game, m.recorders)
	}
	mine, other := m.keyed[who], m.keyed[1-who]
	if int(b.Place) != len(mine)+1 || b.Place > ballsOfDraw || b.Number > ballsInCage ||
		slices.Contains(mine, b.Number) {
		return fault(CheckDraw, "person %d keys ball %d at place %d after %v", b.By, b.Number, b.Place, mine)
	}
	m.keyed[who] = append(mine, b.Number)
	c.report.Balls++
	switch place := int(b.Place); {
	case len(other) < place:
	case other[place-1] != b.Number:
		m.keyed = [2][]byte{slices.Clone(m.agreed), slices.Clone(m.agreed)}
	default:
		m.agreed = slices.Clone(m.keyed[who][:place])
		if place == ballsOfDraw {
			m.state = cageFull
		}
	}
	return nil
}

// oneIsEnough are the acts that one person does or attests; all others decide what a
// draw is worth, or let the machine draw again, and take two.
var oneIsEnough = []record.CageAct{record.CageCounted, record.CageReplaced, record.CageAccepted}

// cageAttended checks an act beside the balls: that it can be now, and who wanted it.
func (c *checker) cageAttended(b *record.CageAttended) error {
	s := c.series[b.Series]
	if s == nil {
		return fault(CheckDraw, "a cage of series %d, which has not begun", b.Series)
	}
	if err := c.checkCagePeople(s, b); err != nil {
		return err
	}
	if err := c.checkEntered(s, b); err != nil {
		return err
	}
	if err := c.guard(s.cage.checkFallen(b)); err != nil {
		return err
	}
	if err := s.cage.act(b); err != nil {
		return fault(CheckDraw, "%s at the cage, which is %v in draw %d of game %v: %v", b.Act, s.cage.state,
			s.cage.draw, s.cage.game, err)
	}
	s.untaken(b)
	return nil
}

// checkCagePeople checks that somebody who was added did it and, where it takes two, that
// a second person has consented to exactly this at exactly this draw.
func (c *checker) checkCagePeople(s *series, b *record.CageAttended) error {
	if !c.people.known(b.By) {
		return fault(CheckPeople, "person %d at the cage was not added", b.By)
	}
	if slices.Contains(oneIsEnough, b.Act) {
		return nil
	}
	a := c.people.approval(b.Approval)
	if a == nil || !a.granted || !a.used || a.by != b.By || b.Reason == "" {
		return fault(CheckPeople, "%s at the cage without a reason, or without the approval of a second person", b.Act)
	}
	at := "no draw"
	if s.cage.state != cageIdle {
		at = fmt.Sprintf("%v, revision %d", s.byName[s.cage.game].sealedName(s), s.cage.draw)
	}
	text := fmt.Sprintf("%s at %s: %sreason %q", b.Act, at, s.cage.about(b), b.Reason)
	want := contentIn(b.Series, cageApproval, text)
	if c.level < record.LevelGuarded {
		text = fmt.Sprintf("%s at %s: balls %d, number %d, place %d, video %q, reason %q", b.Act, at, b.Balls, b.Number,
			b.Place, b.Video, b.Reason)
		want = contentOf(cageApproval, text)
	}
	if a.content != want {
		return fault(CheckPeople, "approval %d is of something else than %s", b.Approval, text)
	}
	return nil
}

// about names what two persons decide on at the machine. What they decide of a ball holds for
// that ball, wherever it has moved by then: its number is named, and of a reading that was
// wrong the number that stands in the record.
func (m *cage) about(b *record.CageAttended) string {
	var words []string
	if b.Balls > 0 {
		words = append(words, fmt.Sprintf("%d balls, ", b.Balls))
	}
	if at := int(b.Place); b.Act == record.CageReread && at > 0 && at <= len(m.agreed) {
		words = append(words, fmt.Sprintf("recorded as %d, ", m.agreed[at-1]))
	}
	if b.Number > 0 {
		words = append(words, fmt.Sprintf("ball %d, ", b.Number))
	} else if b.Place > 0 {
		words = append(words, fmt.Sprintf("place %d, ", b.Place))
	}
	if b.Video != "" {
		words = append(words, fmt.Sprintf("video %q, ", b.Video))
	}
	return strings.Join(words, "")
}

// checkFallen checks that a ball that fell back is named by its number, unless nobody had
// entered it (casino-keno-div2 11.4(d), reading fallen-ball-by-number).
func (m *cage) checkFallen(b *record.CageAttended) error {
	at := int(b.Place)
	if b.Act != record.CageFellBack || at < 1 || at > len(m.agreed) || m.agreed[at-1] == b.Number {
		return nil
	}
	return fault(CheckDraw, "ball %d fell back, and at place %d is ball %d", b.Number, at, m.agreed[at-1])
}

// act takes an act beside the balls.
func (m *cage) act(b *record.CageAttended) error {
	resting := m.state == cageIdle || m.state == cageEntered || m.state == cageWorthless
	begun := m.state == cageDrawing || m.state == cageFull || m.state == cageEntered
	switch b.Act {
	case record.CageCounted:
		m.counted = b.Balls == ballsInCage
		return must(resting, "a draw is under way")
	case record.CageReplaced:
		good := resting && (m.replace == 0 || m.replace == b.Number) && isBall(b.Number)
		m.replace, m.counted = 0, false
		return must(good, "ball %d is not the one to be replaced", b.Number)
	case record.CageRepaired:
		good := m.broken && m.state != cageDrawing
		m.broken, m.counted = false, false
		return must(good, "nothing is to be repaired now")
	case record.CageFailed:
		m.broken = true
		return nil
	case record.CageComputerFailed:
		m.computer = true
		return nil
	case record.CageRectified:
		good := m.computer
		m.computer = false
		return must(good, "the computer had not failed")
	case record.CageFound, record.CageHeldBack:
		return m.spoilt(b, begun)
	}
	return m.inDraw(b)
}

// spoilt takes an act by which a draw, even a full one, does not count.
func (m *cage) spoilt(b *record.CageAttended, begun bool) error {
	good := begun && b.Balls != ballsInCage
	if b.Act == record.CageHeldBack {
		good = begun && isBall(b.Number) && !slices.Contains(m.agreed, b.Number)
		m.replace = b.Number
	}
	m.counted, m.state = false, cageWorthless
	return must(good, "there is nothing irregular in that")
}

// inDraw takes an act in the course of a draw.
func (m *cage) inDraw(b *record.CageAttended) error {
	state := m.state
	switch b.Act {
	case record.CageBroke:
		m.replace, m.counted, m.state = b.Number, false, cageWorthless
		return must(state == cageDrawing && isBall(b.Number), "no ball can break now")
	case record.CageFellBack:
		return m.fellBack(b)
	case record.CageReread:
		return m.reread(b)
	case record.CageNotAccepted:
		m.computer = true
		return must(state == cageFull, "there is no full result")
	case record.CageAbandoned, record.CageNoFurther:
		m.given, m.state = true, cageWorthless
		return must(state == cageDrawing || state == cageWorthless, "no draw is under way")
	case record.CageAccepted:
		m.state = cageEntered
		return must(state == cageFull && !m.computer, "there is no full result, or no computer to take it")
	}
	return fmt.Errorf("there is no such act")
}

// fellBack strikes a ball that no recording shows, and has the machine repaired after the
// draw.
func (m *cage) fellBack(b *record.CageAttended) error {
	place := int(b.Place)
	if m.state != cageDrawing || place < 1 || place > len(m.agreed)+1 || place > len(m.agreed) && b.Number != 0 {
		return fmt.Errorf("no ball was drawn at place %d", place)
	}
	m.broken = true
	switch {
	case b.Video != "":
	case place > len(m.agreed):
		m.keyed = [2][]byte{slices.Clone(m.agreed), slices.Clone(m.agreed)}
	default:
		m.agreed = slices.Delete(m.agreed, place-1, place)
		for i := range m.keyed {
			m.keyed[i] = slices.Delete(m.keyed[i], place-1, place)
		}
	}
	return nil
}

// reread brings the record of a place in line with the ball there.
func (m *cage) reread(b *record.CageAttended) error {
	place := int(b.Place)
	if m.state != cageDrawing && m.state != cageFull || place < 1 || place > len(m.agreed) || !isBall(b.Number) ||
		slices.Contains(m.keyed[0], b.Number) || slices.Contains(m.keyed[1], b.Number) {
		return fmt.Errorf("ball %d cannot be at place %d", b.Number, place)
	}
	for _, list := range [][]byte{m.agreed, m.keyed[0], m.keyed[1]} {
		list[place-1] = b.Number
	}
	return nil
}

func isBall(n byte) bool { return n >= 1 && n <= ballsInCage }

func must(good bool, format string, args ...any) error {
	if good {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// checkNumber checks that a number of a ball draw is the one that both recorders agreed
// on at its place, after the result was entered.
func (m *cage) checkNumber(g *game, b *record.NumberDrawn) error {
	if m.state != cageEntered || !m.at(g) {
		return fault(CheckDraw, "a number of game %v, and the cage is %v in draw %d of game %v", g.name, m.state,
			m.draw, m.game)
	}
	if entered := m.agreed[len(g.numbers)]; b.Number != entered || len(b.Bytes) > 0 {
		return fault(CheckDraw, "number %d of game %v is %d, and both recorders keyed %d", len(g.numbers)+1, g.name,
			b.Number, entered)
	}
	return nil
}

// checkComputer checks that no other device begins to draw while the computer is to be put right
// (casino-keno-div2 11.5, 11.7). A draw that has begun goes on.
func (m *cage) checkComputer(g *game) error {
	if !m.computer || g.device.kind == record.DeviceCage || len(g.numbers) > 0 {
		return nil
	}
	return fault(CheckDraw, "game %v is drawn by %s, and the computer is to be put right", g.name, g.device.kind)
}

// checkVoid checks that a draw at the machine is declared void only by what happened
// there, and a game only if it was given up there.
func (m *cage) checkVoid(g *game, whole bool) error {
	if g.device.kind != record.DeviceCage {
		return nil
	}
	if m.at(g) && m.state != cageWorthless || whole && m.state != cageIdle && m.game == g.name && !m.given {
		return fault(CheckDraw, "game %v is declared void, and its draw at the cage is %v", g.name, m.state)
	}
	return nil
}
