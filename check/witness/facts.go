package witness

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// facts are what proved records say about the games of a series.
type facts struct {
	name   journal.Game
	target *sealed // the seal of the game that a link is asked for
	volume uint16

	opened      map[uint32]record.Game // by ordinal
	ordinals    map[record.Game]uint32
	seals       map[record.Game]*sealed
	links       map[record.Game][]*record.LinkGiven
	drawn       map[record.Game]draw.Result
	void        map[record.Game]bool
	commitments map[string]draw.Commitment // by note
	abandoned   []journal.Checkpoint
	// fork is an error if the records contradict each other, and others are the notes of
	// seals that contradict.
	fork   error
	others []string
}

// sealed is a seal as the journal has it.
type sealed struct {
	ref   record.Game
	place record.Place
	note  []byte
	body  journal.SealBody
	by    map[string]bool // custodians who cosigned the checkpoint of the seal
}

// read takes in what was proved and finds the seal of a game in it.
func (g *Gate) read(name journal.Game, j Journal) (*facts, error) {
	f := &facts{
		name: name, volume: j.Volume, opened: map[uint32]record.Game{}, ordinals: map[record.Game]uint32{},
		seals: map[record.Game]*sealed{},
		links: map[record.Game][]*record.LinkGiven{}, drawn: map[record.Game]draw.Result{},
		void:        map[record.Game]bool{},
		commitments: map[string]draw.Commitment{}, abandoned: j.Abandoned,
	}
	for _, e := range j.Entries {
		if err := g.readEntry(f, e); err != nil {
			return f, err
		}
	}
	for _, e := range j.Entries {
		if b, ok := e.Body.(*record.GameWitnessed); ok {
			g.readCosigned(f, b)
		}
	}
	for _, s := range f.seals {
		if s.body.Game == name {
			f.target = s
		}
	}
	if f.target == nil {
		return f, fmt.Errorf("witness: %v: no seal of the game is shown to be in the journal: %w", name, ErrUnproved)
	}
	for _, v := range g.custodians {
		if !f.target.by[v.Name()] {
			return f, fmt.Errorf("witness: %v: the journal does not show that custodian %s has cosigned the seal: %w",
				name, v.Name(), ErrUnproved)
		}
	}
	if f.ordinals[f.target.ref] == 0 {
		return f, fmt.Errorf("witness: %v: the record that opened the game is not shown: %w", name, ErrUnproved)
	}
	return f, nil
}

func (g *Gate) readEntry(f *facts, e Entry) error {
	switch b := e.Body.(type) {
	case *record.GameOpened:
		if other, twice := f.opened[b.Ordinal]; twice && other != b.Game {
			return fmt.Errorf("witness: game %d of the series is %v and %v: %w", b.Ordinal, other, b.Game, ErrUnproved)
		}
		f.opened[b.Ordinal], f.ordinals[b.Game] = b.Game, b.Ordinal
	case *record.GameSealed:
		return g.readSeal(f, e.Place, b)
	case *record.LinkGiven:
		f.links[b.Game] = append(f.links[b.Game], b)
	case *record.GameDrawn:
		text, _, _ := strings.Cut(string(b.Note), "\n\n")
		result, err := draw.ParseResult(text + "\n")
		if err != nil {
			return fmt.Errorf("witness: %w", err)
		}
		f.drawn[b.Game] = result
	case *record.GameVoided:
		f.void[b.Game] = true
	case *record.LinksCommitted:
		c, err := g.openCommitment(b.Note)
		if err != nil {
			return err
		}
		if !c.Singly || c.Chain.Custodian != b.Custodian || c.Chain.Day != b.Day.String() {
			return fmt.Errorf("witness: the commitment to the %v stands in a record of %s for %v: %w", c, b.Custodian,
				b.Day, ErrUnproved)
		}
		f.commitments[string(b.Note)] = c
	}
	return nil
}

// readSeal takes in a seal that a key of the house signed.
func (g *Gate) readSeal(f *facts, place record.Place, b *record.GameSealed) error {
	var seal journal.Seal
	err := fmt.Errorf("witness: no key of the house is known")
	for _, house := range g.house {
		if seal, err = journal.OpenSeal(b.Seal, house); err == nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("witness: the seal of %v: %w: %w", b.Game, draw.ErrSeal, err)
	}
	body := seal.Body()
	if body.Game.Day != b.Game.Day.String() || body.Game.Number != uint32(b.Game.Number) {
		return fmt.Errorf("witness: the seal in record %v is of %v: %w", place, body.Game, draw.ErrSeal)
	}
	s := &sealed{ref: b.Game, place: place, note: b.Seal, body: body, by: map[string]bool{}}
	for _, other := range f.seals {
		if other.body.Game == body.Game && other.body.Hash() != body.Hash() {
			f.fork = fmt.Errorf("witness: %v has two seals in the journal, at %v and %v: %w: %w", body.Game,
				other.place, place, ErrSecondSeal, ErrStop)
			f.others = append(f.others, string(b.Seal))
			return nil
		}
	}
	f.seals[b.Game] = s
	return nil
}

// readCosigned takes in which custodians have cosigned a seal.
func (g *Gate) readCosigned(f *facts, b *record.GameWitnessed) {
	s := f.seals[b.Game]
	if s == nil {
		return
	}
	known := make([]journal.Verifier, len(g.custodians))
	for i, v := range g.custodians {
		known[i] = v.OfSeals()
	}
	for _, house := range g.house {
		seal, err := journal.OpenSeal(b.Seal, house, known...)
		if err != nil || seal.Body().Hash() != s.body.Hash() {
			continue
		}
		for _, name := range seal.Signers() {
			s.by[name] = true
		}
	}
}

// ended reports why a sealed game has not ended as it must: with the result that its seal
// and its links give, which is worked out here, or without one after all its links were
// published.
func (f *facts) ended(ref record.Game, name journal.Game, seal journal.Hash, pins map[pinKey]draw.Commitment,
	custodians []*Verifier) error {
	var links []draw.Link
	for _, v := range custodians {
		link, err := f.linkOf(ref, name, v.Name(), pins)
		if err != nil {
			return err
		}
		links = append(links, link)
	}
	if f.void[ref] {
		return nil // A reader can work out what the result would have been.
	}
	result, ok := f.drawn[ref]
	if !ok {
		return fmt.Errorf("the result of %v is not shown: %w", name, ErrOrder)
	}
	plan := draw.KenoPlan(name, 1)
	picks, err := draw.WitnessedNumbers(plan, seal, links)
	if err != nil {
		return err
	}
	if result.Game != name || result.Revision != 1 || result.Seal != seal ||
		result.Numbers.Universe() != plan.Universe || result.Numbers.Len() != len(picks) {
		return fmt.Errorf("the result of %v is of another seal, draw or game: %w", name, ErrOrder)
	}
	for i, pick := range picks {
		if result.Numbers.At(i) != pick.Number {
			return fmt.Errorf("the result of %v is wrong: number %d is %d, and seal and links give %d: %w", name, i+1,
				result.Numbers.At(i), pick.Number, ErrOrder)
		}
	}
	return nil
}

// linkOf returns the link of a custodian for a game, which fits its commitment.
func (f *facts) linkOf(ref record.Game, name journal.Game, custodian string,
	pins map[pinKey]draw.Commitment) (draw.Link, error) {
	i := slices.IndexFunc(f.links[ref], func(l *record.LinkGiven) bool { return l.Custodian == custodian })
	commitment, ok := pins[pinKey{custodian, name.Series, name.Day}]
	if i < 0 || !ok {
		return draw.Link{}, fmt.Errorf("the link of %s for %v, or its commitment, is not shown: %w", custodian, name,
			ErrOrder)
	}
	given := f.links[ref][i]
	hashes := make([]journal.Hash, len(given.Path))
	for i, h := range given.Path {
		hashes[i] = journal.Hash(h)
	}
	link := draw.Link{Custodian: custodian, Game: name, Revision: 1, Value: journal.Hash(given.Link),
		Path: draw.PathOf(hashes)}
	return link, commitment.CheckLink(link)
}
