// Package live shows the public what the journal says, as it says it.
//
// A [Hub] is given committed records in their order, one by one or a batch at a
// time, and turns those that are public into events: days and games that open
// and close, seals, numbers, results. Tickets, payments and terminals never
// become events. Because a record reaches the hub only after it is durable, no
// screen can show a number that a crash could take back.
//
// Bingo rooms are told of in the same feed: sessions, seals, numbers called and
// corrected, claims and prizes. The board has nothing of them; the screens of a room
// take the room's own view, which names the place it stands at, and follow the events
// after that.
//
// The hub keeps a [Board], which is the state of every series as the public may
// see it, and the history of events. A client takes the board once and from then
// on follows the events after the board's id; an event's id is the place of its
// record, so a client that lost its connection goes on exactly behind the last
// event it saw. Newer events are kept encoded, older ones are made again from
// their records, and what is older still is forgotten: such a client is told to
// take the board anew.
//
// Following costs the writer nothing: every client reads the history at its own
// pace, so there is no queue for each client that could fill. A client that does
// not accept what is sent to it within some seconds is cut off; it may come back
// with the id of the last event it saw.
//
// TestResumeFromEveryID, TestNothingBeforeItsRecord, TestOnlyPublicKinds and
// TestSlowClientIsCutOff hold it to this.
package live
