package witness

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"drawhouse/draw"
	"drawhouse/journal"
)

// The first lines of a chain's secret and of a link.
const (
	seedForm = "drawhouse/chain-seed/v1"
	linkForm = "drawhouse/link/v1"
)

// MarshalSeed returns the text of a chain's secret, which its custodian keeps.
func MarshalSeed(name draw.ChainName, seed journal.Hash) string {
	return journal.NewBody(seedForm).
		Text("custodian", name.Custodian).
		Text("series", name.Series).
		Text("day", name.Day).
		Uint("first", uint64(name.First)).
		Uint("games", uint64(name.Games)).
		Hash("seed", seed).
		String()
}

// ParseSeed reads the text of a chain's secret and makes the chain.
func ParseSeed(text string) (*draw.Chain, error) {
	b := journal.ReadBody(text, seedForm)
	name := draw.ChainName{Custodian: b.Text("custodian"), Series: b.Text("series"), Day: b.Text("day")}
	name.First = uint32(b.Uint("first", math.MaxUint32))
	name.Games = uint32(b.Uint("games", math.MaxUint32))
	seed := b.Hash("seed")
	if err := b.Close(); err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	return draw.NewChain(name, seed)
}

// MarshalLink returns the text of a link.
func MarshalLink(l draw.Link) string {
	return journal.NewBody(linkForm).
		Text("custodian", l.Custodian).
		Text("series", l.Game.Series).
		Text("day", l.Game.Day).
		Uint("game", uint64(l.Game.Number)).
		Uint("revision", uint64(l.Revision)).
		Hash("link", l.Value).
		String()
}

// ParseLink reads the text of a link. Whether it fits its chain is for the
// commitment to say.
func ParseLink(text string) (draw.Link, error) {
	b := journal.ReadBody(text, linkForm)
	l := draw.Link{Custodian: b.Text("custodian")}
	l.Game.Series = b.Text("series")
	l.Game.Day = b.Text("day")
	l.Game.Number = uint32(b.Uint("game", math.MaxUint32))
	l.Revision = uint32(b.Uint("revision", math.MaxUint32))
	l.Value = b.Hash("link")
	if err := b.Close(); err != nil {
		return draw.Link{}, fmt.Errorf("witness: %w", err)
	}
	if err := l.Game.Check(); err != nil {
		return draw.Link{}, err
	}
	if MarshalLink(l) != text {
		return draw.Link{}, errors.New("witness: the link is not in canonical form")
	}
	return l, nil
}

// MarshalRelease returns a request for the link of a game: which draw of it, and
// its cosigned seal.
func MarshalRelease(revision uint32, seal []byte) []byte {
	return append([]byte("revision "+strconv.FormatUint(uint64(revision), 10)+"\n\n"), seal...)
}

// parseRelease reads a request for a link.
func parseRelease(request []byte) (revision uint32, seal []byte, err error) {
	head, note, ok := strings.Cut(string(request), "\n\n")
	text, ok2 := strings.CutPrefix(head, "revision ")
	n, err := strconv.ParseUint(text, 10, 32)
	if !ok || !ok2 || err != nil || strconv.FormatUint(n, 10) != text {
		return 0, nil, errors.New("witness: a request for a link is a line with revision and its number, an empty line and a seal")
	}
	return uint32(n), []byte(note), nil
}

// ErrNoChain: no chain for the day of a game is held here.
var ErrNoChain = errors.New("no chain for this day is held here")

// A Custody holds chains and gives out their links, each against the seal of its
// game, which the house signed and the custodian, as a witness, cosigned: before
// that, a link would let whoever has it add tickets until the result suits.
type Custody struct {
	keys       draw.Keys
	custodians map[dayOf]*draw.Custodian
}

type dayOf struct{ series, day string }

// NewCustody returns a custody that knows seals by the house's key and asks for the
// cosignatures of all the witnesses, of which the custodian is one.
func NewCustody(house journal.Verifier, witnesses ...*Verifier) (*Custody, error) {
	if len(witnesses) == 0 {
		return nil, errors.New("witness: a link is given out against a cosigned seal, and there is no witness to cosign it")
	}
	c := &Custody{keys: draw.Keys{House: house}, custodians: make(map[dayOf]*draw.Custodian)}
	for _, w := range witnesses {
		c.keys.Cosigners = append(c.keys.Cosigners, w.OfSeals())
		c.keys.Required = append(c.keys.Required, w.Name())
	}
	return c, nil
}

// Also has the custody know seals by a further key of the house: games that were sealed
// before a change of keys are drawn after it. It is for chains that are held from then on.
func (c *Custody) Also(house journal.Verifier) { c.keys.Others = append(c.keys.Others, house) }

// Hold takes a chain into custody.
func (c *Custody) Hold(chain *draw.Chain) error {
	name := chain.Name()
	day := dayOf{name.Series, name.Day}
	if _, held := c.custodians[day]; held {
		return fmt.Errorf("witness: two chains for %s %s: each day has one", name.Series, name.Day)
	}
	custodian, err := draw.NewCustodian(c.keys, chain)
	if err != nil {
		return err
	}
	c.custodians[day] = custodian
	return nil
}

// Release decides on a request for a link. What it returns is to be recorded, the
// request with it, before it leaves: Release forgets when the custody is made anew,
// and is then to be given the recorded requests again, in their order.
func (c *Custody) Release(request []byte) (draw.Link, error) {
	revision, msg, err := parseRelease(request)
	if err != nil {
		return draw.Link{}, err
	}
	seal, err := c.keys.OpenSeal(msg)
	if err != nil {
		return draw.Link{}, fmt.Errorf("witness: %w: %w", draw.ErrSeal, err)
	}
	game := seal.Body().Game
	custodian, held := c.custodians[dayOf{game.Series, game.Day}]
	if !held {
		return draw.Link{}, fmt.Errorf("witness: %v: %w", game, ErrNoChain)
	}
	for _, name := range c.keys.Required {
		if !slices.Contains(seal.Signers(), name) {
			return draw.Link{}, fmt.Errorf("witness: %v: too early: %s has not cosigned the checkpoint of the seal: %w", game, name, draw.ErrSeal)
		}
	}
	// What is drawn does not matter here; a link is for a game and a revision.
	return custodian.Release(draw.KenoPlan(game, revision), seal)
}
