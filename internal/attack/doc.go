// Package attack attacks running houses over HTTP, as strangers, terminals and persons of
// the house would who want what is not theirs or want the house to stop.
//
// Every attack once succeeded against an earlier build. TestAttacks runs each against a
// real process and expects that the attack is refused and that the house goes on.
// DRAWHOUSE_BINARY runs the attacks against the program of another build.
package attack
