package draw

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/games/beacon"
	"drawhouse/journal"
)

// witnessedDevice is the name of the witnessed device in results.
const witnessedDevice = "witnessed"

const (
	// leastCustodians is how many custodians there are at least, if no beacon draws alone. A
	// single secret is not enough: anybody who knows it can add tickets until the result suits.
	leastCustodians = 2

	// rememberedChains is how many commitments a device remembers: a month of
	// several series with three custodians.
	rememberedChains = 512
)

// A Witnessed device makes its numbers of the seal and of links that two or more
// custodians give out after it. Nobody who lacks one of the links knows the
// numbers before, and nobody at all can change them after; a link that is
// withheld is rebuilt from escrow and gives the same numbers.
//
// It knows all numbers of a draw at its start, and yields them one by one like any
// other device. Any number of goroutines may use it.
type Witnessed struct {
	*desk
	custodians []journal.Verifier
	beacon     beacon.Chain // of which a round is part of every draw; none where there is none

	// What follows is guarded by the desk's lock.
	commitments memory[chainKey, Commitment]
	links       memory[linkKey, Link]
	days        memory[dayKey, bool] // on which a draw began
	rounds      memory[drawName, Round]
}

type (
	dayKey   struct{ series, day string }
	chainKey struct {
		custodian string
		day       dayKey
	}
	linkKey struct {
		custodian string
		draw      drawName
	}
)

// NewWitnessed returns a device for the custodians, two at least, who are known by
// their keys.
func NewWitnessed(keys Keys, custodians ...journal.Verifier) (*Witnessed, error) {
	return NewBeacon(keys, beacon.Chain{}, custodians...)
}

// NewBeacon returns a device of whose draws a round of a beacon is part, alone or beside
// the links of two custodians at least.
func NewBeacon(keys Keys, of beacon.Chain, custodians ...journal.Verifier) (*Witnessed, error) {
	if len(custodians) < leastCustodians && (len(custodians) > 0 || !of.Exists()) {
		return nil, fmt.Errorf("draw: %d custodians are not enough: who knows all secrets can choose", len(custodians))
	}
	var names []string
	for _, v := range custodians {
		if v == nil || slices.Contains(names, v.Name()) {
			return nil, errors.New("draw: each custodian has a name and a key of its own")
		}
		names = append(names, v.Name())
	}
	d, err := newDesk(witnessedDevice, keys)
	if err != nil {
		return nil, err
	}
	return &Witnessed{
		desk: d, custodians: slices.Clone(custodians), beacon: of,
		commitments: newMemory[chainKey, Commitment](rememberedChains),
		links:       newMemory[linkKey, Link](rememberedDraws * len(custodians)),
		days:        newMemory[dayKey, bool](rememberedChains),
		rounds:      newMemory[drawName, Round](rememberedDraws),
	}, nil
}

// Commit takes a custodian's signed commitment for a day. It must come before the
// first draw of the day, and there is one for each custodian, series and day;
// the same again is accepted. That it was public before the day, and not only
// before the draw, is for the record of the house to show.
func (d *Witnessed) Commit(msg []byte) (Commitment, error) {
	var c Commitment
	var err error
	for _, v := range d.custodians {
		if c, err = OpenCommitment(msg, v); err == nil {
			break
		}
	}
	if err != nil {
		return Commitment{}, fmt.Errorf("draw: no custodian's commitment: %w", err)
	}
	day := dayKey{c.Chain.Series, c.Chain.Day}
	key := chainKey{c.Chain.Custodian, day}
	d.mu.Lock()
	defer d.mu.Unlock()
	known, ok := d.commitments.get(key)
	_, begun := d.days.get(day)
	switch {
	case ok && known == c:
		return c, nil
	case ok:
		return Commitment{}, fmt.Errorf("draw: there is another commitment than this one to the %v: %w", c,
			ErrContradiction)
	case begun:
		return Commitment{}, fmt.Errorf(
			"draw: the commitment to the %v comes too late: draws of the day have begun: %w", c, ErrLink)
	}
	d.commitments.put(key, c)
	return c, nil
}

// Take takes a link that a custodian has given out, or that was rebuilt from
// escrow. One that does not fit the commitment is refused and leaves no trace.
func (d *Witnessed) Take(link Link) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, ok := d.commitments.get(chainKey{link.Custodian, dayKey{link.Game.Series, link.Game.Day}})
	if !ok {
		return fmt.Errorf("draw: %s has committed to no chain for %v: %w", link.Custodian, link.Game, ErrLink)
	}
	if err := c.CheckLink(link); err != nil {
		return err
	}
	d.links.put(linkKey{link.Custodian, drawName{link.Game, link.Revision}}, link)
	return nil
}

// TakeRound takes the round of a game, if its signature is that of the round. That it is the
// round of the game, and that the seal was cosigned in time, is for the caller.
func (d *Witnessed) TakeRound(game journal.Game, number uint64, signature []byte) error {
	if !d.beacon.Exists() {
		return fmt.Errorf("draw: %v: no beacon is part of the draw: %w", game, ErrLink)
	}
	if err := d.beacon.CheckRound(number, signature); err != nil {
		return fmt.Errorf("draw: %v: %w: %w", game, ErrLink, err)
	}
	round := Round{d.beacon.Name(), number, slices.Clone(signature)}
	d.mu.Lock()
	defer d.mu.Unlock()
	name := drawName{game, firstDraw}
	if known, ok := d.rounds.get(name); ok && known.Number != number {
		return fmt.Errorf("draw: %v has round %d, and not %d: %w", game, known.Number, number, ErrContradiction)
	}
	d.rounds.put(name, round)
	return nil
}

// firstDraw is the only draw of a game of which a beacon is part.
const firstDraw = 1

// Missing returns the custodians whose link of a draw is not there yet.
func (d *Witnessed) Missing(game journal.Game, revision uint32) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, missing := d.linksOf(drawName{game, revision})
	return missing
}

// linksOf returns the links of a draw and whose are missing. The caller holds the
// lock.
func (d *Witnessed) linksOf(name drawName) (links []Link, missing []string) {
	for _, v := range d.custodians {
		if link, ok := d.links.get(linkKey{v.Name(), name}); ok {
			links = append(links, link)
		} else {
			missing = append(missing, v.Name())
		}
	}
	return links, missing
}

// Start begins a draw or takes up one, as [Device.Start] does, once the links of
// all custodians are there. Recorded numbers that are not those of the seal and
// the links stop the device.
func (d *Witnessed) Start(plan Plan, seal journal.Seal, drawn ball.Sequence, recent []ball.Sequence) (*Draw, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	hash, err := d.keys.verifySeal(plan, seal)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	links, missing := d.linksOf(drawName{plan.Game, plan.Revision})
	round, given := d.rounds.get(drawName{plan.Game, plan.Revision})
	d.mu.Unlock()
	if len(missing) > 0 {
		return nil, fmt.Errorf("draw: %v, revision %d: no link of %s: %w", plan.Game, plan.Revision,
			strings.Join(missing, ", "), ErrLink)
	}
	if d.beacon.Exists() && !given {
		return nil, fmt.Errorf("draw: %v, revision %d: no round of the beacon: %w", plan.Game, plan.Revision, ErrLink)
	}
	known, err := WitnessedNumbers(plan, hash, links, round)
	if err != nil {
		return nil, err
	}
	if err := d.begin(plan, known, drawn); err != nil {
		return nil, err
	}
	return d.start(plan, seal, drawn, recent,
		func(drawn ball.Sequence) (Pick, error) { return known[drawn.Len()].clone(), nil })
}

// begin marks the day as begun and holds recorded numbers against the known ones.
func (d *Witnessed) begin(plan Plan, known []Pick, drawn ball.Sequence) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.days.put(dayKey{plan.Game.Series, plan.Game.Day}, true)
	for i := range min(drawn.Len(), len(known)) {
		if known[i].Number != drawn.At(i) {
			return d.stop(fmt.Errorf("draw: %v, revision %d: number %d is recorded as %d, the links give %d: %w",
				plan.Game, plan.Revision, i+1, drawn.At(i), known[i].Number, ErrContradiction))
		}
	}
	return nil
}
