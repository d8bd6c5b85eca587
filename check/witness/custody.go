package witness

import (
	"fmt"

	"drawhouse/games/draw"
	"drawhouse/journal"
)

// A Custody holds the links of days. Links leave through the gate alone.
type Custody struct {
	Gate   *Gate
	prover *Cosigned
	links  map[dayOf]*draw.Links
}

type dayOf struct{ series, day string }

// NewCustody returns the custody, without links, of a custodian who knows the house by its
// keys and all custodians, itself among them, by theirs.
func NewCustody(own string, house []journal.Verifier, custodians []*Verifier) (*Custody, error) {
	prover := &Cosigned{House: house, Custodians: custodians,
		Latest: func(string) (Signed, bool) { return Signed{}, false }}
	gate, err := NewGate(GateConfig{Prover: prover, House: house, Custodians: custodians, Own: own})
	return &Custody{Gate: gate, prover: prover, links: make(map[dayOf]*draw.Links)}, err
}

// Follow tells the custody what its custodian has cosigned, before the first question.
func (c *Custody) Follow(latest func(origin string) (Signed, bool)) { c.prover.Latest = latest }

// Hold takes the links of a day into custody, before the first question.
func (c *Custody) Hold(links *draw.Links) error {
	name := links.Name()
	day := dayOf{name.Series, name.Day}
	if _, held := c.links[day]; held {
		return fmt.Errorf("witness: two sets of links for %s %s: each day has one", name.Series, name.Day)
	}
	if name.Custodian != c.Gate.own {
		return fmt.Errorf("witness: the links are of %s, and the custodian is %s", name.Custodian, c.Gate.own)
	}
	c.links[day] = links
	return nil
}

// Link returns the link of a game for which the gate has opened.
func (c *Custody) Link(game journal.Game) (draw.Link, error) {
	links, held := c.links[dayOf{game.Series, game.Day}]
	if !held {
		return draw.Link{}, fmt.Errorf("witness: %v: %w", game, ErrNoLinks)
	}
	return links.Link(game)
}

// Release gives out the link of a game, if the gate lets it pass and what the gate decided
// is durable.
func (c *Custody) Release(e Evidence, now int64, write func(GateEntry) error) (draw.Link, error) {
	link, err := c.Link(e.Game) // Nothing is decided about a game whose link is not held.
	if err != nil {
		return draw.Link{}, err
	}
	if err := c.Gate.Pass(e, now, write); err != nil {
		return draw.Link{}, err
	}
	// The gate pinned what the journal has of this custodian; another link would not fit.
	c.Gate.mu.Lock()
	commitment := c.Gate.pins[pinKey{c.Gate.own, e.Game.Series, e.Game.Day}]
	c.Gate.mu.Unlock()
	return link, commitment.CheckLink(link)
}
