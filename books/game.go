package books

import (
	"maps"
	"slices"

	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// Game is what a game came to.
type Game struct {
	_         struct{} `cbor:",toarray"`
	Number    uint16
	Ordinal   uint32
	Void      bool
	Plays     uint64
	Ways      uint64
	Stakes    money.Amount
	Winners   uint64
	Prizes    money.Amount
	Carried   money.Amount
	Breakage  money.Amount
	Jackpots  money.Amount // shares of winners here
	Reduced   bool         // a limit on major prizes was met
	Revisions uint8
	Pools     []Pool // as the game left them
	// Back is what went back for a void game, and for void games that were to be played along with it: stakes, and
	// prizes that had run on.
	Back money.Amount
	// Part says that this is not a game but what one record did to a game that was there before. No stored book has it.
	Part bool `cbor:"-"`
}

// Staked returns the stakes of the game that count, less what went back for it.
func (g *Game) Staked() money.Amount { return g.Stakes - g.Back }

// Won returns what players have won in the game: prizes that are payable, and prizes that run on and are stakes of the
// next game. What goes back for a void game was staked or won before.
func (g *Game) Won() (payable, carried money.Amount) {
	if g.Void {
		return 0, 0
	}
	return g.Prizes, g.Carried
}

// Pool is a jackpot after a game.
type Pool struct {
	_         struct{} `cbor:",toarray"`
	Spots     uint8
	Primary   record.Exact
	Secondary record.Exact
	Waiting   record.Exact // money of a closed system that still comes in
	Added     record.Exact // what the stakes of the game put in, primary and secondary
	Won       money.Amount // in the game
}

// play follows the games of the day.
func (d *open) play(body record.Body) {
	switch b := body.(type) {
	case *record.GameOpened:
		d.games[b.Ordinal] = &Game{Number: b.Game.Number, Ordinal: b.Ordinal}
		d.ordinals[b.Game] = b.Ordinal
	case *record.PoolOpened:
		d.setPools([]record.Pool{b.Pool})
	case *record.PoolMoved:
		d.setPools(b.Pools)
	case *record.PoolsTakenIn:
		d.setPools(b.Pools)
	case *record.GameClosed:
		d.contribute(b.Contributions)
		d.change(b.Game, func(g *Game) { g.Plays, g.Ways, g.Stakes = b.Plays, b.Ways, b.StakesCents })
	case *record.GameSettled:
		d.setPools(b.Pools)
		d.change(b.Game, func(g *Game) { d.settle(g, b) })
	case *record.GameVoided:
		d.setPools(b.Pools)
		d.change(b.Game, func(g *Game) {
			g.Void, g.Prizes, g.Carried = true, b.PrizesCents, b.CarriedCents
			g.Back = b.RefundCents + b.PrizesCents + b.CarriedCents
		})
	}
}

// contribute adds what the stakes of a game put into the jackpots.
func (d *open) contribute(list []record.Contribution) {
	for spots, p := range d.pools {
		p.Added = 0
		d.pools[spots] = p
	}
	for _, c := range list {
		p := d.pools[c.Spots]
		p.Primary, p.Secondary, p.Added = p.Primary+c.Primary, p.Secondary+c.Secondary, c.Primary+c.Secondary
		d.pools[c.Spots] = p
	}
}

// setPools takes up jackpots as a record leaves them.
func (d *open) setPools(pools []record.Pool) {
	for _, p := range pools {
		d.pools[p.Spots] = Pool{Spots: p.Spots, Primary: p.Primary, Secondary: p.Secondary, Waiting: p.Waiting,
			Added: d.pools[p.Spots].Added}
	}
}

// change changes a game of the day. One of an earlier day that is settled once more
// is among the events, and its day's book stays as it was.
func (d *open) change(ref record.Game, do func(*Game)) {
	if ordinal, ok := d.ordinals[ref]; ok {
		do(d.games[ordinal])
	}
}

func (d *open) settle(g *Game, b *record.GameSettled) {
	g.Winners, g.Prizes, g.Carried, g.Breakage = b.Winners, b.PrizesCents, b.CarriedCents, b.BreakageCents
	g.Jackpots, g.Reduced, g.Revisions = b.JackpotCents, len(b.Reductions) > 0, b.Revision
	first := g.Pools // of the first settlement, where this is a further one
	g.Pools = nil
	for _, spots := range slices.Sorted(maps.Keys(d.pools)) {
		pool := d.pools[spots]
		pool.Spots = spots
		if i := slices.IndexFunc(first, func(p Pool) bool { return p.Spots == spots }); i >= 0 {
			pool.Added = first[i].Added // A later game may have contributed since.
		}
		for _, a := range b.Awards {
			if a.Spots == spots {
				pool.Won += a.AmountCents
			}
		}
		g.Pools = append(g.Pools, pool)
	}
}
