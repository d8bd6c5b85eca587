package draw

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"drawhouse/journal"
)

// chainForm is the first line of a chain's name and of a commitment.
const chainForm = "drawhouse/chain/v1"

const (
	// drawsOfGame is how many links a chain has for each game: one for its draw,
	// and one for each that is made again after people declared the one before it
	// void. Links are for one use: those that made a void result are public.
	drawsOfGame = 3

	// maxChainGames bounds the games of a chain; no rulebook has more in a day.
	maxChainGames = 10_000
)

// ErrLink: a link is missing, of another draw, or does not fit its chain.
var ErrLink = errors.New("no valid link of the chain")

// A ChainName says whose chain it is and for which games: those of a series and
// day that are numbered from First on.
type ChainName struct {
	Custodian string
	Series    string
	Day       string
	First     uint32
	Games     uint32
}

func (n ChainName) String() string {
	return fmt.Sprintf("chain of %s for %s %s", n.Custodian, n.Series, n.Day)
}

// Check reports what is wrong with the name, if anything.
func (n ChainName) Check() error {
	if err := (journal.Game{Series: n.Series, Day: n.Day, Number: n.First}).Check(); err != nil {
		return err
	}
	if n.Custodian == "" || strings.ContainsAny(n.Custodian, " \t\r\n+") {
		return fmt.Errorf("draw: custodian %q cannot sign: a name has no spaces and no plus", n.Custodian)
	}
	if n.Games == 0 || n.Games > maxChainGames || n.First > math.MaxUint32-n.Games {
		return fmt.Errorf("draw: %v: %d games from %d on are not 1 to %d", n, n.Games, n.First, maxChainGames)
	}
	return nil
}

// body begins the text of a chain.
func (n ChainName) body() *journal.BodyWriter { return n.lines(chainForm) }

// lines begins a text about a chain, or about links, of a form.
func (n ChainName) lines(form string) *journal.BodyWriter {
	return journal.NewBody(form).
		Text("custodian", n.Custodian).
		Text("series", n.Series).
		Text("day", n.Day).
		Uint("first", uint64(n.First)).
		Uint("games", uint64(n.Games))
}

// id is the hash of the name. It goes into every link, so that no link is worth
// anything in another chain.
func (n ChainName) id() [sha256.Size]byte { return sha256.Sum256([]byte(n.body().String())) }

// links is how many links the chain has.
func (n ChainName) links() uint32 { return n.Games * drawsOfGame }

// place returns the place of a draw's link, counted from 1: three for each game,
// in the order of games.
func (n ChainName) place(game journal.Game, revision uint32) (uint32, error) {
	switch {
	case game.Series != n.Series || game.Day != n.Day || game.Number < n.First || game.Number-n.First >= n.Games:
		return 0, fmt.Errorf("draw: the %v is not for %v: %w", n, game, ErrLink)
	case revision < 1 || revision > drawsOfGame:
		return 0, fmt.Errorf("draw: the %v has %d links for each game and none for revision %d: %w", n, drawsOfGame,
			revision, ErrLink)
	}
	return (game.Number-n.First)*drawsOfGame + revision, nil
}

// step returns the value at a place from the one behind it:
// SHA-256 of the chain's id, the place as four bytes, the highest first, and the
// value behind.
func step(id [sha256.Size]byte, place uint32, behind journal.Hash) journal.Hash {
	input := make([]byte, 0, len(id)+4+len(behind))
	input = append(input, id[:]...)
	input = binary.BigEndian.AppendUint32(input, place)
	return sha256.Sum256(append(input, behind[:]...))
}

// A Chain is a custodian's secret: values each of which is the hash of the one
// behind it. The one behind the last is the seed, the one at place 0 is the tip, and
// those between are the links, given out from the tip's end. A person who has the tip
// can check a link, and nobody can find one from those before it.
type Chain struct {
	name   ChainName
	values []journal.Hash // by place, the tip first
}

// NewSeed reads a seed.
func NewSeed(entropy io.Reader) (seed journal.Hash, err error) {
	if _, err := io.ReadFull(entropy, seed[:]); err != nil {
		return seed, fmt.Errorf("draw: reading entropy: %w", err)
	}
	return seed, nil
}

// NewChain returns the chain of a seed.
func NewChain(name ChainName, seed journal.Hash) (*Chain, error) {
	if err := name.Check(); err != nil {
		return nil, err
	}
	c := &Chain{name: name, values: make([]journal.Hash, name.links()+1)}
	id, behind := name.id(), seed
	for place := name.links(); ; place-- {
		behind = step(id, place, behind)
		c.values[place] = behind
		if place == 0 {
			return c, nil
		}
	}
}

// Name returns the chain's name.
func (c *Chain) Name() ChainName { return c.name }

// Tip returns the value that the custodian commits to.
func (c *Chain) Tip() journal.Hash { return c.values[0] }

// A Link is what a custodian gives to one draw. Path leads from a link that stands for
// itself to the root that was committed to; a link of a chain has none.
type Link struct {
	Custodian string
	Game      journal.Game
	Revision  uint32
	Value     journal.Hash
	Path      Path
}

// Link returns the link of a draw. A custodian gives it away through
// [Custodian.Release] only, which asks for the seal first.
func (c *Chain) Link(game journal.Game, revision uint32) (Link, error) {
	place, err := c.name.place(game, revision)
	if err != nil {
		return Link{}, err
	}
	return Link{Custodian: c.name.Custodian, Game: game, Revision: revision, Value: c.values[place]}, nil
}
