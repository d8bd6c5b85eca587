package state

import (
	"reflect"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/core/day"
	"drawhouse/core/digest"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// FreshGames is how many of the newest games of a series stand in memory as they are. It is more than
// what every draw looks back at, and so much that most tickets are paid from them.
const FreshGames = 1024

// games are the games of a series, by ordinal - 1. Older ones are packed: a game is asked for after years,
// by a late claim or a question of its players, and there are millions of games by then.
type games struct {
	old   *OldGames // nil before there are any
	fresh []Game    // the games behind the old ones
	// over is the sum of the hashes of the games that are over. They are many and seldom change.
	over digest.Sum
}

// OldGames are the packed games of a series, from the first on. They never change, so that readers may
// have them: a series gets other OldGames when games are added to them or one is corrected.
type OldGames struct {
	list  []oldGame
	terms []gameTerms
}

// oldGame is a packed game: what is asked of all games at once, and the rest.
type oldGame struct {
	ref       record.Game
	phase     Phase
	corrected bool
	wonOn     day.Day
	terms     uint32 // among those of OldGames
	prizes    money.Amount
	rest      string // the other fields of the Game, as CBOR
}

// gameTerms are the fields of a Game that many games have in common.
type gameTerms struct {
	Rulebook     record.Hash
	Schedule     string
	Rates        []record.PoolRate
	Participants []string
	WitnessedBy  []string
	Cosigners    []string
	Device       record.Device
	Custodians   []record.Custodian
}

// termsBack is among how many terms pack looks for those of a game.
const termsBack = 32

// Brief is what is asked of all games of a series at once.
type Brief struct {
	Ref       record.Game
	Ordinal   uint32
	Phase     Phase
	Rulebook  record.Hash
	Corrected bool         // its result was, at least once
	WonOn     day.Day      // as [Game.WonOn]
	prizes    money.Amount // that its tickets have won
}

// brief returns what is asked of many games.
func (g *Game) brief() Brief {
	return Brief{
		Ref: g.Ref, Ordinal: g.Ordinal, Phase: g.Phase, Rulebook: g.Rulebook, Corrected: len(g.Corrections) > 0,
		WonOn: g.WonOn(), prizes: g.Settled.PrizesCents + g.Void.PrizesCents,
	}
}

// Len returns how many games are packed.
func (o *OldGames) Len() int {
	if o == nil {
		return 0
	}
	return len(o.list)
}

// Brief returns what is asked of many games, of one of them.
func (o *OldGames) Brief(ordinal uint32) Brief {
	g := &o.list[ordinal-1]
	return Brief{
		Ref: g.ref, Ordinal: ordinal, Phase: g.phase, Rulebook: o.terms[g.terms].Rulebook, Corrected: g.corrected,
		WonOn: g.wonOn, prizes: g.prizes,
	}
}

// Game unpacks one of the games.
func (o *OldGames) Game(ordinal uint32) *Game {
	packed := &o.list[ordinal-1]
	var g Game
	if err := cbor.Unmarshal([]byte(packed.rest), &g); err != nil {
		panic(err) // The state wrote it: TestGamesPack.
	}
	g.Ref, g.Ordinal, g.Phase = packed.ref, ordinal, packed.phase
	t := &o.terms[packed.terms]
	g.Rulebook, g.Schedule, g.Rates, g.Participants = t.Rulebook, t.Schedule, t.Rates, t.Participants
	g.WitnessedBy, g.Cosigners, g.Device, g.Custodians = t.WitnessedBy, t.Cosigners, t.Device, t.Custodians
	return &g
}

// pack packs a game that is over, and adds its terms if they are new.
func (o *OldGames) pack(g *Game) oldGame {
	b := g.brief()
	packed := oldGame{ref: g.Ref, phase: g.Phase, corrected: b.Corrected, wonOn: b.WonOn, prizes: b.prizes}
	rest, err := packing.Marshal(g)
	if err != nil {
		panic(err) // All its fields are values: TestGamesPack.
	}
	packed.rest = string(rest)
	terms := gameTerms{
		Rulebook: g.Rulebook, Schedule: g.Schedule, Rates: g.Rates, Participants: g.Participants,
		WitnessedBy: g.WitnessedBy, Cosigners: g.Cosigners, Device: g.Device, Custodians: g.Custodians,
	}
	for i := len(o.terms) - 1; i >= max(0, len(o.terms)-termsBack); i-- {
		if reflect.DeepEqual(o.terms[i], terms) {
			packed.terms = uint32(i)
			return packed
		}
	}
	packed.terms = uint32(len(o.terms))
	o.terms = append(o.terms, terms)
	return packed
}

// packing writes a game without the fields that an oldGame or its terms have.
var packing = must(cbor.CoreDetEncOptions().EncMode())

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// len returns how many games there are.
func (g *games) len() int { return g.old.Len() + len(g.fresh) }

// at returns the game of an ordinal, or nil. The caller must not change it.
func (g *games) at(ordinal uint32) *Game {
	switch old := g.old.Len(); {
	case ordinal == 0 || uint64(ordinal) > uint64(g.len()):
		return nil
	case int(ordinal) <= old:
		return g.old.Game(ordinal)
	default:
		return &g.fresh[int(ordinal)-1-old]
	}
}

// brief returns what is asked of many games.
func (g *games) brief(ordinal uint32) (Brief, bool) {
	switch old := g.old.Len(); {
	case ordinal == 0 || uint64(ordinal) > uint64(g.len()):
		return Brief{}, false
	case int(ordinal) <= old:
		return g.old.Brief(ordinal), true
	default:
		return g.fresh[int(ordinal)-1-old].brief(), true
	}
}

// named returns the game of a name, which it looks for from the newest on.
func (g *games) named(ref record.Game) (Brief, bool) {
	for ordinal := uint32(g.len()); ordinal > 0; ordinal-- {
		if b, _ := g.brief(ordinal); b.Ref == ref {
			return b, true
		}
	}
	return Brief{}, false
}

// end notes that a game is over.
func (g *games) end(game *Game) { g.over.Add(digest.For[Game]().Hash(game)) }

// change changes a game.
func (g *games) change(ordinal uint32, do func(*Game) error) error {
	game := g.at(ordinal)
	if game.Phase.IsOver() {
		g.over.Sub(digest.For[Game]().Hash(game))
	}
	err := do(game)
	if game.Phase.IsOver() {
		g.end(game)
	}
	if err == nil && int(ordinal) <= g.old.Len() {
		again := &OldGames{slices.Clone(g.old.list), g.old.terms}
		again.list[ordinal-1] = again.pack(game)
		g.old = again
	}
	return err
}

// newest returns the last game, or nil.
func (g *games) newest() *Game {
	if len(g.fresh) == 0 {
		return nil
	}
	return &g.fresh[len(g.fresh)-1]
}

// pack packs the games that are over, but for so many of the newest ones.
func (g *games) pack(keep int) {
	n := 0
	for n < len(g.fresh)-keep && g.fresh[n].Phase.IsOver() {
		n++
	}
	if n == 0 {
		return
	}
	// Who has the games that were old before has a shorter part of the same lists.
	again := &OldGames{}
	if g.old != nil {
		*again = *g.old
	}
	for i := range g.fresh[:n] {
		again.list = append(again.list, again.pack(&g.fresh[i]))
	}
	g.old, g.fresh = again, slices.Clone(g.fresh[n:])
}

// Brief returns what is asked of many games, of the game of an ordinal.
func (s *Series) Brief(ordinal uint32) (Brief, bool) { return s.games.brief(ordinal) }

// Old returns the games of the series that are packed.
func (s *Series) Old() *OldGames { return s.games.old }

// KeepFresh has the state keep fewer games as they stand, or more: FreshGames if nobody says. No decision
// depends on it. It is for tests, whose games are few.
func (s *State) KeepFresh(games int) { s.keep = games }

// pack makes small what is seldom asked for. That is done at the end of a Keno Day, a moment that follows
// from the records alone and at which nothing of the series is sold.
func (s *State) pack(series *Series) {
	s.payments.pack()
	s.tills.pack()
	series.games.pack(max(s.keep, 1))
}
