// Package evaluate settles whole games from lines of text: tickets, then the
// numbers drawn, as many games as there are.
//
// A file has one JSON object to a line, in the order of things:
//
//	{"ticket":{"v":1,"rulebook":"vic-keno-2015","first":"open","games":2,
//	  "bets":[{"bet":"classic","spots":[3,17,42],"stake_cents":100}]},"id":"a","channel":"writer"}
//	{"draw":{"game":417,"numbers":[3,17,42,5,...]}}
//
// (the ticket above stands on one line). A ticket has the form of package keno;
// its first game is the next draw of the file, whether it says "open" or names
// the game, and a ticket for several games plays on in the draws that follow. Its
// id is what the results call it by, and is no other's while it plays. Its channel,
// and its method where that is not the first that the rulebook lists for the
// channel, are how it was sold: the limits on stakes depend on them. A draw has its
// numbers in the order drawn, and settles its game over all tickets in it, caps and
// pro-rating included. A prize that runs is carried into the next draw; it is told
// apart from what is payable, and the last one is the prize.
//
// [Run.Line] takes the lines one by one and returns a [Game] for each draw.
// Whatever is wrong with a line is a [Fault] with the number of the line, the
// field and the rule; from the first fault on nothing is settled any more, and
// the rest of the file is only searched for further faults, so that no result
// stands on half of a game. A bet that plays for a jackpot, which cannot be settled
// here yet, is a fault too and not a guess.
//
// The clauses on prizes are those of package settle, the clauses on entries those
// of package keno. TestWorkedExamples has games settled by hand,
// TestAgreesWithTwin compares every prize with plain arithmetic on the prize
// table, TestReturnAgreesWithOdds and TestFeaturesAgreeWithOdds compare many games
// with the exact odds, and FuzzLine holds the reading of lines to its promises.
package evaluate
