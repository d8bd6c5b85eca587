// Package hall decides what happens in a bingo room: who may enter a session, which
// cards are in play, what is announced and called, whether a claim holds, who
// shares a prize, and what becomes of money when a game cannot be finished.
//
// Each function takes the state and a command and returns the record that the
// journal will have, with its postings, or a refusal with its clause. It follows
// nsw-bingo-2019 3 to 10; whatever is a number there comes from the rulebook.
//
// # A session
//
// A session is set with its fee, its games and their prizes ([SetSession]). Members
// of the loyalty programme enter with the fee and are issued books, on paper or on
// an electronic card ([Enter]). The dealer enters the first and the last serial of
// what was issued ([CloseIssue]): then the fees go to the jackpot and to the
// operator, and nobody enters any more.
//
// Each game is announced and sealed ([Announce], [Seal]) before its first number. The
// seal is that of all games of the house: a signed note over the journal, with a
// bitmap of the records by which players entered. A game for the jackpot draws its
// numbers before, under a seal of its own. Numbers come from the device one at a
// time ([Number]). A person who has a pattern calls before the next one ([Open]); while
// a supervisor checks the call ([Check]) no number is drawn. What was won is
// shared when the next number shows that nobody else called, or at the end
// ([Settle]).
//
// # Cards
//
// Checking a claim needs the boxes of a card. They are in the master table, an object
// beside the journal whose hash the journal pins. A [Kit] holds tables that were
// read and hashed; a claim against a table that is not in it is an error and never
// a guess.
//
// A [Scorecard] is what an electronic card shows: it marks, by key or by itself, and
// tells its holder what is lacking. It never calls.
//
// TestSession plays a whole session; the cases of rulebook/rules/nsw-bingo-2019 show every
// clause; package verify grades all of it a second time.
package hall
