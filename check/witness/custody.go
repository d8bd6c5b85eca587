package witness

import (
	"fmt"

	"drawhouse/games/draw"
	"drawhouse/journal"
)

// A Custody holds the links of days. Links leave through the gate alone.
type Custody struct {
	Gate  *Gate
	own   string
	links map[dayOf]*draw.Links
}

type dayOf struct{ series, day string }

// NewCustody returns the custody, without links, of a custodian, whom the configuration of its gate names.
func NewCustody(c GateConfig) (*Custody, error) {
	if c.Own == "" {
		return nil, fmt.Errorf("witness: a custodian has a name")
	}
	gate, err := NewGate(c)
	return &Custody{Gate: gate, own: c.Own, links: make(map[dayOf]*draw.Links)}, err
}

// Hold takes the links of a day into custody, before the first question.
func (c *Custody) Hold(links *draw.Links) error {
	name := links.Name()
	day := dayOf{name.Series, name.Day}
	if _, held := c.links[day]; held {
		return fmt.Errorf("witness: two sets of links for %s %s: each day has one", name.Series, name.Day)
	}
	if name.Custodian != c.own {
		return fmt.Errorf("witness: the links are of %s, and the custodian is %s", name.Custodian, c.own)
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

// Release gives out the link of a game, if the gate lets it pass and what the gate decided is durable. A link that does
// not fit what the log has of this custodian could not be drawn with, and stays here.
func (c *Custody) Release(r LinkRequest, now int64, write func(GateEntry) error) (draw.Link, error) {
	link, err := c.Link(r.Game) // Nothing is decided about a game whose link is not held.
	if err != nil {
		return draw.Link{}, err
	}
	if commitment, ok := c.Gate.Commitment(r.Game, c.own); ok {
		if err := commitment.CheckLink(link); err != nil {
			return draw.Link{}, err
		}
	}
	if err := c.Gate.Pass(r.Game, r.Checkpoint, now, write); err != nil {
		return draw.Link{}, err
	}
	return link, nil
}
