// Package state is what the records of the journal add up to.
//
// Apply adds one record to a State. It reads no clock, no rulebook and no table:
// whatever a record means was decided before it was written, so two machines
// that apply the same records hold equal states (Hash), and a change of a rule
// or a repaired mistake cannot change the past. Apply refuses a record that
// cannot follow the ones before it, such as a ticket for a closed game or a
// second payment of one prize: such a journal is broken, not merely unwelcome. So
// is one whose Keno Day closed with another state than it adds up to here. The hash in a record
// that an earlier build wrote in another form is not compared (HashForm).
// TestHashCoversTheState holds the hash to everything that the state keeps.
//
// The decisions that make records are in the packages that the engine calls (counter, game,
// hall, staff, cage); they read the State and never change it.
//
// # Memory
//
// What a house keeps for ever it keeps packed from the end of a Keno Day on (packed, byPlace, OldGames). The other
// maps and lists are bounded by what the house is, by what is under way, or by what people do. TestGrowthIsSaid
// names those that have no line here.
//
// For each house, venue or rulebook:
//
//	State.books, filed, desks, terms  rulebooks and schedules that were adopted
//	State.series, halls, venues  what the house has
//	State.terminals  the terminals of the house
//	State.witnesses, logs, agreed  the witnesses that are named
//	State.earlier  the volumes of the journal
//	publicLog.note  one checkpoint with the cosignatures of the witnesses
//	Series.pools  the numbers of spots with a jackpot
//	Series.participants  an entry each time that others join or leave the jackpots
//	Hall.Pools, Tables, Rolled  the jackpot, the master tables, the patterns of the room
//	Hall.Members  the loyalty programme, with those who left
//	People.operators, venues, areas, terminals  what the house has
//	People.persons, stopped, duty  everybody who has worked here
//	People.hands  the last days, see OneHand
//	People.keyed  the last day, see KeysKept
//	Person.Grants  the roles of a person
//	Premises.Hours  a week
//	duties.roles  the roles that there are
//	devices.custodians  the custodians that are named
//	devices.commitments  the open Keno Day and the days to come
//	devices.beacons     two: of now, and of a day to come
//	tills.holidays  the public holidays that were named
//	State.register  the drawing devices that were registered
//	State.builds  the programs that have written the journal
//	others.files, stands  the files of tickets of other systems
//	OtherFile.rows, codes  MostOtherTickets in all files together, some 40 bytes each
//	venueMoney.venues  the venues that have an agreement
//	venueMoney.files  the files of direct debits that were ordered, some 16 bytes each
//	VenueMoney.Agreements  that of the next statement, and those that begin later
//	VenueMoney.Bills  the statements that a venue has not paid
//	VenueMoney.Answered  KeptAnswers of a venue
//	VenueMoney.Payments  KeptPayments of a venue
//	VenueMoney.Paid  KeptPaid of a venue
//
// For what is under way. It leaves with its game, session, paper or claim:
//
//	games.fresh  FreshGames, or the games of a Keno Day if these are more
//	entry.value  one of byPlace.fresh
//	packed.fresh  the payments of a Keno Day; the end of it empties the map
//	byPlace.fresh  likewise what was noted of tickets on that day
//	Series.exposed  games that are on sale or drawn
//	Series.pending  games for which others have to report
//	Pending.Pools, Reports  games for which others have to report
//	Series.changes, designated  games to come
//	Open.Sold, Paid, Cancelled, Issued  a customer session that is open
//	InSession.Lots, Types  a ticket of such a session
//	tills.papers  papers that are out
//	tills.unsettled  tickets and papers of sessions that are open
//	tills.undelivered  papers that did not arrive, until they are issued again
//	tills.copied  tickets with several sheets that open, until another sheet replaces them
//	tills.stops  tickets that are stopped or disqualified
//	tills.withheld  tickets whose money waits behind a stop
//	Withheld.Lots  tickets whose money waits behind a stop
//	tills.debts  tickets of sessions that have not paid
//	Debt.For  tickets of sessions that have not paid
//	tills.cheques  cheques that are promised and not handed over
//	Cheque.Tickets  cheques that are promised and not handed over
//	claims.under  tickets under a claim form that is open
//	claims.behind  prizes that wait for the next sweep
//
// For every game, ticket or promotion, packed:
//
//	packed.lists  about 3 bytes for a play that was paid, a ticket that was cancelled or took part in a promotion
//	byPlace.lists  20 bytes for what has paid for a ticket, if cash alone did not, and where its money went
//	OldGames.list, terms  about 360 bytes for a game; most games share their terms
//	gameTerms.Rates, Participants, WitnessedBy, Cosigners, Custodians  part of those terms
//	Game.Rates, Participants, WitnessedBy, Cosigners, Custodians  part of a game; packed with it
//	Game.Links, Paths, Signature, Winners, Corrections  likewise
//	Game.Seal, Carried, InTime  until the game is settled
//
// For every game, not packed:
//
//	fates.list  80 bytes for a game: what of its prizes was fetched, moved and claimed
//
// For what is out of the ordinary, or done by people, without an end:
//
//	taxing.due  months whose tax was not remitted in full
//	taxing.others  one for each account of the State
//	taxing.paid  KeptPayments of a series
//	Series.back  tickets of void games whose stakes went back
//	Series.byHand  games whose result was taken by hand
//	Series.promotions  promotions
//	Promotion.Left  promotions
//	Promotion.Rests  moves to another system
//	State.disputes  disputes between runners and players
//	People.approvals  acts of two persons; the hash goes through all of them
//	claims.forms, lost, paid  claim forms and the tickets on them
//	ClaimForm.Notes, Signed  claim forms and the tickets on them
//	tills.cards, cardAt  player cards that were issued
//	tills.losses  venues and days with a loss
//	tills.anonymous  winners who want to stay unnamed
//	tills.payees  persons whom the register was to forget
//	Hall.Sessions, Disputes, Offers  what was played, disputed and offered; readers share sessions that are over
//	HallTable.Issued  books of a master table that players were issued, until the table is used up
//	Session.Players, Devices, Games, Contributed  a session of bingo
//	BingoGame.Calls, Claims, Drawn, JackpotNumbers, Seal, WitnessedBy, Won, Wrong, misread  a game of bingo
//	Dispute.Steps  a dispute
//	Offer.Entries, Prizes, Kept  a promotion of a bingo room
//	OfferAward.Seal, Told  a promotion of a bingo room
package state
