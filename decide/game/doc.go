// Package game decides the course of a game: it opens, closes, is sealed, drawn
// and settled, each step one record or a refusal.
//
// Every function takes the state, which it does not change, and returns the body
// of a record with its postings. A game opens when the one before it closes, so
// that sale never stops (vic-keno-2015 18(b), 18(c)); nothing is drawn before
// the seal is public, and nothing is settled before the device has signed all
// numbers. The tests of package engine run whole days through these functions.
package game
