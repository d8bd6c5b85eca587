// Package bets adds up what is sold and won by what people bet on: by bet, number of spots, feature, channel and venue.
//
// The books of a day know no bets. A Fold reads a journal from its beginning, with the winners files and the rulebooks
// that it names, and adds every way of every ticket up by trading day. What it says is held against the ledger record
// by record: what it has for games ahead is the balance of the account unplayed (TestTies).
package bets
