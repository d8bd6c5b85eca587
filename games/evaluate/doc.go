// Package evaluate settles whole games from lines of text: tickets, then the
// numbers drawn, as many games as there are.
//
// A file has one JSON object to a line, in the order of things:
//
//	{"pool":{"spots":7,"primary_cents":123450}}
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
// A pool says what the jackpot of a number of spots holds before the stakes of the
// next game are added. From then on the games keep it: their stakes contribute when
// they are drawn, a total catch wins it, shared by stakes, and what the next game
// begins with is told with the results in the same form. It has primary_cents,
// secondary_cents, owed_cents and seeded_cents, each with parts of a cent beside it
// (primary_parts, in ten-thousandths), and for a jackpot that is shared with others
// what these have in it at the next draw, elsewhere_growth_cents, and staked on
// winning ways, elsewhere_stakes_cents. It stands before the tickets of the game. A
// ticket that plays for a jackpot of which no line has said what it holds is a fault,
// and not a guess.
//
// A promotion is a prize beside the schedules, for ways that match so many of so many
// spots of a bet:
//
//	{"promotion":{"id":"cash","cents":100000,"bet":"classic","spots":5,"matched":5}}
//
// perhaps only from a stake on, least_cents. It is offered from the next game on, and
// the first draw that has such ways wins it, shared by their stakes. It stands before
// the tickets of the game.
//
// [Run.Line] takes the lines one by one and returns a [Game] for each draw.
// Whatever is wrong with a line is a [Fault] with the number of the line, the
// field and the rule; from the first fault on nothing is settled any more, and
// the rest of the file is only searched for further faults, so that no result
// stands on half of a game.
//
// The clauses on prizes are those of package settle, on jackpots those of package
// jackpot, the clauses on entries those of package keno. TestWorkedExamples and
// TestJackpots have games settled by hand,
// TestAgreesWithTwin compares every prize with plain arithmetic on the prize
// table, TestReturnAgreesWithOdds and TestFeaturesAgreeWithOdds compare many games
// with the exact odds, and FuzzLine holds the reading of lines to its promises.
package evaluate
