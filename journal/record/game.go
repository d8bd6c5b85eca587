package record

import (
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/money"
)

// Game names a game: its series, Keno Day and number within that day.
type Game struct {
	_      struct{} `cbor:",toarray"`
	Series uint8
	Day    day.Day
	Number uint16 // number of the game in its Keno Day, from 1
}

// String returns the name for people, such as 2026-11-15/417.
func (g Game) String() string { return fmt.Sprintf("%v/%d", g.Day, g.Number) }

func (g Game) check() error { return checkDay(g.Series, g.Day) }

// GameOpened lets tickets be sold for a game. Ordinal counts the games of the
// series from 1 and never restarts, so that consecutive games are consecutive
// numbers across days.
type GameOpened struct {
	_       struct{} `cbor:",toarray"`
	Game    Game
	Ordinal uint32 `is:"ordinal"`
	Closes  Time   `is:"time"` // when the game is meant to close; the close is a record of its own
	// Hash of the rulebook under which the game is played.
	Rulebook Hash
	Schedule string     `is:"schedule"` // schedule of prizes under which the game is played
	Rates    []PoolRate // how the game fills the jackpots, ascending by spots
	// Round of the public beacon that is part of the draw; 0 without a beacon.
	Round uint64 `later:"true"`
}

func (g *GameOpened) check() error {
	for i, r := range g.Rates {
		if r.Spots == 0 || i > 0 && r.Spots <= g.Rates[i-1].Spots {
			return fmt.Errorf("rate %d is of %d spots", i, r.Spots)
		}
	}
	return nil
}

// GameClosed ends sale and cancellation for a game. Its postings move the stakes
// of the game from unplayed to the prize fund and the operator, and from the fund
// to the jackpots.
type GameClosed struct {
	_           struct{} `cbor:",toarray"`
	Game        Game
	Plays       uint64       // tickets in the game
	Ways        uint64       // ways in the game: combinations of numbers that play
	StakesCents money.Amount // stakes of the game, all of them, with prizes of the game before that run on
	// The part of the stakes that is on the multiplier. Where a prize that runs on plays with the multiplier, half of
	// it is a stake on that.
	MultiplierCents money.Amount
	// The part of the stakes that is on the last number.
	LuckyLastCents money.Amount
	// The part of the stakes that is prizes of the game before that run on, whole.
	CarriedCents  money.Amount
	Contributions []Contribution // what the game adds to the jackpots, ascending by spots
	// BonusPool is what goes to the bonus prize pool.
	BonusPool Exact
	// The void games whose plays are played along, by their numbers in the series; none of them is paid again.
	Deferred            []uint32
	DeferredPlays       uint64       // tickets of void games that are played along
	DeferredWays        uint64       // ways of void games that are played along
	DeferredStakesCents money.Amount // stakes of void games that are played along
}

func (g *GameClosed) check() error {
	if g.StakesCents < 0 || (g.Plays == 0) != (g.Ways == 0) {
		return fmt.Errorf("%d plays of %d ways, %v", g.Plays, g.Ways, g.StakesCents)
	}
	for _, part := range []money.Amount{g.MultiplierCents, g.LuckyLastCents, g.CarriedCents} {
		if part < 0 || part > g.StakesCents {
			return fmt.Errorf("%v of stakes of %v", part, g.StakesCents)
		}
	}
	if g.DeferredStakesCents < 0 || len(g.Deferred) == 0 &&
		(g.DeferredPlays > 0 || g.DeferredWays > 0 || g.DeferredStakesCents > 0) {
		return fmt.Errorf("%d plays of %d games are played along", g.DeferredPlays, len(g.Deferred))
	}
	if g.BonusPool < 0 {
		return fmt.Errorf("%d parts of a cent for the bonus prize pool", g.BonusPool)
	}
	return checkContributions(g.Contributions)
}

// GameSealed publishes the seal, a signed note, before the first number.
type GameSealed struct {
	_    struct{} `cbor:",toarray"`
	Game Game
	Seal []byte `is:"seal"`
}

func (*GameSealed) check() error { return nil }

// NumberDrawn is one number from the device, in the order drawn, with the bytes
// of the source that it was made from, rejected ones included. Draw counts the
// draws of the game from 1; a further one follows only a void one.
type NumberDrawn struct {
	_      struct{} `cbor:",toarray"`
	Game   Game
	Draw   uint8 `is:"draw"`
	Number uint8 `is:"number"`
	Bytes  []byte
}

func (*NumberDrawn) check() error { return nil }

// GameDrawn is the device's signed statement of all numbers of a game.
type GameDrawn struct {
	_    struct{} `cbor:",toarray"`
	Game Game
	Draw uint8  `is:"draw"`
	Note []byte `is:"note"`
}

func (*GameDrawn) check() error { return nil }

// Carried is a prize that is not paid but staked in the next game. Run counts the
// ways of the ticket that run, from 0.
type Carried struct {
	_      struct{}     `cbor:",toarray"`
	Ticket Place        // the ticket whose prize runs on
	Run    uint8        // which run of the ticket, from 0
	Cents  money.Amount // the prize that is a stake of the next game
}

// MostCarried is how many prizes one record carries; a game may need several.
const MostCarried = 1 << 12

// PrizesCarried are prizes of a drawn game that become stakes of the next one. It
// stands before the settlement that it belongs to.
type PrizesCarried struct {
	_    struct{}  `cbor:",toarray"`
	Game Game      // the game in which the prizes were won
	List []Carried // the prizes, ascending by ticket and run
}

func (p *PrizesCarried) check() error {
	if len(p.List) == 0 || len(p.List) > MostCarried {
		return fmt.Errorf("%d prizes are carried in one record", len(p.List))
	}
	for _, c := range p.List {
		if c.Cents <= 0 || c.Ticket.Volume == 0 {
			return fmt.Errorf("run %d of ticket %v carries %v", c.Run, c.Ticket, c.Cents)
		}
	}
	return nil
}

// GameSettled states what a game came to. The winners themselves are in the
// winners file, an object beside the journal that WinnersHash pins. Its postings
// move the prizes from the prize fund and the jackpots to what is owed.
//
// A further revision states the whole again, with what has changed since the one
// before it, such as a share in a jackpot for which other jurisdictions had to
// report. Its winners file has only the tickets whose prize it changes, what they are
// owed in addition, and no reductions: those of the first settlement still hold. Its
// postings have only the difference.
type GameSettled struct {
	_           struct{} `cbor:",toarray"`
	Game        Game
	Revision    uint8        // number of the settlement of the game; 1 for the first
	Draw        uint8        // number of the draw whose numbers count
	Plays       uint64       // tickets in the game
	Ways        uint64       // ways in the game
	StakesCents money.Amount // stakes of the game
	// Tickets of void games that were played along.
	DeferredPlays uint64
	DeferredWays  uint64 // ways of void games that were played along
	// Winners counts the tickets that won something payable: once also where a ticket
	// is in the game and in a void one that was played along.
	Winners       uint64
	WinningWays   uint64       // ways that won, with those whose prizes are carried
	PrizesCents   money.Amount // prizes as payable, after pro-rating and rounding
	BreakageCents money.Amount // what rounding kept back from prizes
	// The prizes that become stakes of the next game; they stand one by one in the records just before this one.
	CarriedCents money.Amount
	CarriedWays  uint64 // how many ways have prizes that become stakes of the next game
	// Major prizes before pro-rating and before rounding, their sum rounded down to the cent once.
	MajorsCents money.Amount
	// Major prizes after pro-rating and before rounding, their sum rounded down to the cent once; equal to those
	// before where no cap was met.
	MajorsPaidCents money.Amount
	// Multiplier is the factor of the numbers drawn, by their sum or by the wheel that
	// their order turns; 0 where the rulebook has none.
	Multiplier uint8
	// Reductions are the factors of the limits that were exceeded, so that the
	// prize of one ticket can be found again without the other tickets.
	Reductions  []Reduction
	WinnersHash Hash // hash of the winners file, which has the payable prize of every ticket that won
	// What the winners of the jackpots share.
	Awards       []Award
	JackpotWins  []JackpotWin // the ways that won a share of a jackpot
	JackpotCents money.Amount // shares of the jackpots that were won here, together, before rounding
	// Pools are those that the settlement changed, as they stand after it: ready
	// for the next game.
	Pools []Pool
	// Promotions are those that were won. Their prizes are among the payable ones;
	// ways that won nothing else are not among the winning ways.
	Promotions []PromotionWon
}

// Reduction is the factor Num/Den by which major prizes under one limit were
// multiplied. Limit is its place among the limits of the rulebook, from 0.
type Reduction struct {
	_     struct{} `cbor:",toarray"`
	Limit uint8    // number of the limit of the rulebook that was exceeded
	Num   uint64   // numerator of the factor by which prizes under the limit are reduced
	Den   uint64   // denominator of the factor by which prizes under the limit are reduced
}

func (r *Reduction) check() error {
	if r.Num >= r.Den {
		return fmt.Errorf("a reduction by %d/%d", r.Num, r.Den)
	}
	return nil
}

func (g *GameSettled) check() error {
	if g.Revision == 0 || g.Draw == 0 || g.PrizesCents < 0 || g.BreakageCents < 0 ||
		g.Winners > g.Plays+g.DeferredPlays || g.WinningWays > g.Ways+g.DeferredWays {
		return fmt.Errorf("revision %d: %d winners of %d plays, prizes %v, breakage %v", g.Revision, g.Winners, g.Plays,
			g.PrizesCents, g.BreakageCents)
	}
	if g.CarriedCents < 0 || g.CarriedWays > g.WinningWays || (g.CarriedCents == 0) != (g.CarriedWays == 0) ||
		g.JackpotCents < 0 {
		return fmt.Errorf("%d prizes of %v are carried, jackpots %v", g.CarriedWays, g.CarriedCents, g.JackpotCents)
	}
	if err := checkAwards(g.Awards); err != nil {
		return err
	}
	return checkPools(g.Pools)
}
