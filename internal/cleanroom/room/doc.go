// Package room grades a bingo room, and the counter of a casino.
// Its tests follow the official rules and what the interface says of itself, and share nothing
// with the house but the program: they start a real house, act over HTTP as its users do, and
// have `drawhouse verify` check the journal at the end. What they expect was written down
// before the product was asked.
package room
