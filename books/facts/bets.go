package facts

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// bet is a row of the table of all bets. The record of the row is the ticket.
type bet struct {
	Series  uint8  `doc:"Number of the series of games."`
	Ordinal uint32 `doc:"The first game of the ticket, by its number in the series."`
	Games   uint16 `doc:"How many games the ticket plays, one after the other."`
	Bet     string `doc:"Id of the bet in the rulebook."`
	Type    string `doc:"Id of the racing type of a bet on a race; empty for another bet."`
	Run     bool   `doc:"Whether a prize becomes the stake of the next game."`
	Picked  string `doc:"How the terminal chose for the player: quick or mystery; empty where the player chose."`
	Item    string `doc:"The ready ticket of the catalogue that the bet was, with its edition; empty for none."`
	Ways    uint32 `doc:"Ways that the bet plays in each game."`
	// StakeCents and those below are of one way in one game.
	StakeCents      money.Amount `doc:"Stake of each way in each game; of a bet whose prize runs on, in its first game."`
	MultiplierCents money.Amount `doc:"What the multiplier costs for each way in each of its games; 0 for a bet without it."`
	MultiplierGames uint16       `doc:"In how many of the first games of the ticket the multiplier counts."`
	LuckyLastCents  money.Amount `doc:"What the last number costs for each way in each of its games; 0 for a bet without it."`
	LuckyLastGames  uint16       `doc:"In how many of the first games of the ticket the last number counts."`
	CostCents       money.Amount `doc:"What the bet costs: all its ways in all games, features included."`
	Sizes           []size       `doc:"How many ways of each number of spots the bet plays."`
}

// size is how many ways of a bet have so many spots.
type size struct {
	Spots uint8  `doc:"Numbers of each of the ways; 0 for a bet without numbers."`
	Ways  uint32 `doc:"Ways with so many numbers."`
}

// sold writes the bets of a ticket.
func (w *Writer) sold(key []cell, b *record.TicketSold) error {
	desk, err := w.source.Desk(b.Series, b.Ordinal)
	if err != nil || desk == nil {
		return err
	}
	ticket, err := keno.DecodeTicket(b.Ticket)
	if err != nil {
		return fmt.Errorf("facts: bets of a ticket: %w", err)
	}
	var sum money.Amount
	for i := range ticket.Bets {
		row := betOf(desk, &ticket.Bets[i], ticket.Games)
		row.Series, row.Ordinal = b.Series, b.Ordinal
		sum += row.CostCents
		if err := w.write(w.bets, under(key, i), nil, reflect.ValueOf(row)); err != nil {
			return err
		}
	}
	if sum != b.CostCents {
		return fmt.Errorf("facts: the bets of a ticket cost %v, and the ticket %v", sum, b.CostCents)
	}
	return nil
}

// betOf returns what is said of a bet of a ticket of so many games.
func betOf(desk *keno.Desk, b *keno.Bet, games int) bet {
	row := bet{Games: uint16(games), Bet: b.Bet, Type: b.Type, Run: b.Run, StakeCents: b.Stake}
	if b.Picked != keno.PickedNot {
		row.Picked = b.Picked.String()
	}
	if b.Item.IsValid() {
		row.Item = b.Item.String()
	}
	sizes := map[uint8]uint32{}
	for way := range desk.Ways(b, 0) {
		row.Ways++
		sizes[uint8(way.Spots.Len())]++
	}
	for _, spots := range slices.Sorted(maps.Keys(sizes)) {
		row.Sizes = append(row.Sizes, size{spots, sizes[spots]})
	}
	row.MultiplierCents, row.MultiplierGames = sideOf(b.With.Multiplier, b, games)
	row.LuckyLastCents, row.LuckyLastGames = sideOf(b.With.LuckyLast, b, games)
	paid := func(of int) money.Amount {
		if b.Run {
			of = min(of, 1) // Later stakes are prizes.
		}
		return money.Amount(of)
	}
	row.CostCents = money.Amount(row.Ways) * (row.StakeCents*paid(games) +
		row.MultiplierCents*paid(int(row.MultiplierGames)) + row.LuckyLastCents*paid(int(row.LuckyLastGames)))
	return row
}

// sideOf returns what a feature of a bet costs for each way, and in how many games.
func sideOf(s keno.Side, b *keno.Bet, games int) (money.Amount, uint16) {
	if !s.On {
		return 0, 0
	}
	if s.Games != 0 {
		games = s.Games
	}
	if s.Stake != 0 {
		return s.Stake, uint16(games)
	}
	return b.Stake, uint16(games)
}
