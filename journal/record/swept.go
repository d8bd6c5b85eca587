package record

import (
	"errors"
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// Swept is what nobody had fetched of the prizes of a game.
type Swept struct {
	_       struct{}     `cbor:",toarray"`
	Ordinal uint32       // the game, by its number in the series
	Cents   money.Amount // what is moved of the prizes of the game
}

// PrizesSwept takes prizes that nobody has fetched in time to where the rulebook says,
// game by game. Which tickets they are of follows from the winners files of the games
// and from what was paid before this record.
type PrizesSwept struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	Day    day.Day // day on which it is done
	From   string  // where the prizes were; empty for prizes that were owed as on the day of the game
	To     string  // where the prizes go, as the rulebook names it
	Clause string
	List   []Swept // what is moved, ascending by game
}

func (p *PrizesSwept) check() error {
	if p.Series == 0 || !p.Day.IsValid() || p.To == "" || p.To == p.From || len(p.List) == 0 {
		return errors.New("unclaimed prizes need a series, a day, another destination and games")
	}
	_, err := p.sum()
	return err
}

func (p *PrizesSwept) sum() (sum money.Amount, err error) {
	for i, game := range p.List {
		if game.Ordinal == 0 || game.Cents <= 0 || i > 0 && game.Ordinal <= p.List[i-1].Ordinal {
			return 0, fmt.Errorf("line %d takes %v of game %d", i+1, game.Cents, game.Ordinal)
		}
		if sum, err = sum.Add(game.Cents); err != nil {
			return 0, err
		}
	}
	return sum, nil
}
