package rulebook

import (
	"cmp"
	"slices"

	"drawhouse/core/ball"
)

// Bet is one bet of a compiled rulebook.
type Bet struct {
	index int
	file  BetFile
	race  *Race
}

func compileBets(files []BetFile) []*Bet {
	bets := make([]*Bet, len(files))
	for i, f := range files {
		bets[i] = &Bet{index: i, file: f}
		if f.Race != nil {
			bets[i].race = &Race{file: *f.Race}
		}
	}
	return bets
}

// Bets returns the bets in the order of the file.
func (b *Book) Bets() []*Bet { return slices.Clone(b.bets) }

// Bet returns the bet of that name.
func (b *Book) Bet(id string) (*Bet, bool) {
	bet, ok := b.betByID[id]
	return bet, ok
}

// BetIDs returns the names of the bets in the order of the file.
func (b *Book) BetIDs() []string {
	ids := make([]string, len(b.bets))
	for i, bet := range b.bets {
		ids[i] = bet.ID()
	}
	return ids
}

// ID returns the name that tickets know the bet by.
func (b *Bet) ID() string { return b.file.ID }

// Name returns the name that players know the bet by.
func (b *Bet) Name() string { return b.file.Name }

// Form returns the shape of the bet.
func (b *Bet) Form() Form { return b.file.Form }

// Sizes returns how many spots may be chosen; it is invalid for a bet that is not
// on numbers.
func (b *Bet) Sizes() ball.Set { return b.file.Sizes.Set() }

// FormBox returns the box of an entry form in which players mark the bet, by its name, and the clause that names
// it; empty where the rules name none.
func (b *Bet) FormBox() (name, clause string) { return b.file.FormBox, b.file.FormBoxClause }

// Jackpot reports whether the bet plays for the jackpots.
func (b *Bet) Jackpot() bool { return b.file.Jackpot }

// Clause returns where the bet comes from.
func (b *Bet) Clause() string { return b.file.Clause }

// Index returns the bet's place in the file, from 0.
func (b *Bet) Index() int { return b.index }

// Ways returns how groups of spots may be joined, if they may.
func (b *Bet) Ways() (Ways, bool) { return optional(b.file.Ways) }

// Picks returns what a terminal may choose for the player, if anything.
func (b *Bet) Picks() (Picks, bool) { return optional(b.file.Picks) }

// Calls returns how heads, tails and evens are called, if the bet is on them.
func (b *Bet) Calls() (Calls, bool) { return optional(b.file.Calls) }

// Race returns the race, if the bet is on one.
func (b *Bet) Race() (*Race, bool) { return b.race, b.race != nil }

// Race is the race of a compiled bet.
type Race struct{ file RaceFile }

// Rows returns how many rows race.
func (r *Race) Rows() int { return r.file.Rows }

// RowNumbers returns how many numbers a row has.
func (r *Race) RowNumbers() int { return r.file.RowNumbers }

// Types returns the ways to bet on the race in the order of the file.
func (r *Race) Types() []RaceType { return clone(r.file.Types) }

// Type returns the way to bet of that name.
func (r *Race) Type(id string) (RaceType, bool) {
	for _, t := range r.file.Types {
		if t.ID == id {
			return t, true
		}
	}
	return RaceType{}, false
}

// DeadHeatThird reports whether all other rows are third when two rows hold every
// number drawn.
func (r *Race) DeadHeatThird() bool { return r.file.DeadHeatThird }

// Clause returns where the race comes from.
func (r *Race) Clause() string { return r.file.Clause }

// Feature is something that hangs on a bet of a compiled rulebook.
type Feature struct{ file FeatureFile }

// Features returns the features in the order of the file.
func (b *Book) Features() []*Feature { return slices.Clone(b.features) }

// Feature returns the feature of that name.
func (b *Book) Feature(id FeatureID) (*Feature, bool) {
	for _, f := range b.features {
		if f.file.ID == id {
			return f, true
		}
	}
	return nil, false
}

// ID returns the name that the engine knows the feature by.
func (f *Feature) ID() FeatureID { return f.file.ID }

// Name returns the name that players know the feature by.
func (f *Feature) Name() string { return f.file.Name }

// Clause returns where the feature comes from.
func (f *Feature) Clause() string { return f.file.Clause }

// Bets returns the bets on which the feature may hang.
func (f *Feature) Bets() []string { return slices.Clone(f.file.Bets) }

// Allows reports whether the feature may hang on a bet.
func (f *Feature) Allows(bet string) bool { return slices.Contains(f.file.Bets, bet) }

// RunOnly reports whether the feature goes with a bet only when its prize runs on.
func (f *Feature) RunOnly(bet string) bool { return slices.Contains(f.file.RunOnly, bet) }

// RunOnlyClause returns where that comes from.
func (f *Feature) RunOnlyClause() string { return f.file.RunOnlyClause }

// Sizes returns the sizes that every way must have, if the feature binds them.
func (f *Feature) Sizes() (ball.Set, bool) {
	sizes := f.file.Sizes.Set()
	return sizes, sizes.IsValid()
}

// SizesClause returns where those sizes come from.
func (f *Feature) SizesClause() string { return f.file.SizesClause }

// EqualStake reports whether the side stake equals the bet's.
func (f *Feature) EqualStake() bool { return f.file.EqualStake }

// EqualStakeClause returns where that comes from.
func (f *Feature) EqualStakeClause() string { return f.file.EqualStakeClause }

// FirstGames reports whether the feature may cover fewer games than the ticket:
// then the first ones.
func (f *Feature) FirstGames() bool { return f.file.FirstGames }

// FirstGamesClause returns the clause on how many games the feature covers: that
// of the first games, where it may cover fewer than the ticket.
func (f *Feature) FirstGamesClause() string { return cmp.Or(f.file.FirstGamesClause, f.file.Clause) }

// Ways reports whether the feature may hang on a way bet.
func (f *Feature) Ways() bool { return f.file.Ways }
