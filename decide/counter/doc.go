// Package counter decides what happens between a customer and the house: at the counter of
// a venue, and on a claim form.
//
// Every function takes the state and a command. It returns a record with its postings, or
// a refusal with the clause of the rulebook. It changes nothing by itself: the engine
// writes the record. Amounts, limits, times and means of paying are data of the rulebook.
//
// Sale. PrepareSale needs no state: it resolves a request, checks it against the rulebook
// and prices it, so that many run at once. Sell looks at the state, one sale after the
// other: terminal, game, price and tender. A ticket exists once its record is stored
// (vic-keno-2015 5). Cancel gives back what a ticket has paid for games that have not
// closed.
//
// Payment. Which tickets won is settled: the winners file of each game says so, and its
// hash is in the journal. Pay takes what the files say of a ticket, checks that they are
// the files that were settled, and works every prize out again. Where the two differ,
// nothing is paid. Route splits what is due into the means that the rulebook allows. A
// cheque may be promised for a time (ChequeDue, HandCheque), and a bonus may fall on a
// ticket (AllocateBonus).
//
// Ways out. CheckExit is asked about every record before it is written: money that is
// stopped does not leave, and no kind of record moves money out of the house unless it
// stands on a list there. Freeze, Disqualify, Invalidate and Forfeit stop payment; Release
// and Reinstate let it go on.
//
// Session. A customer session begins with its first act and ends with one record.
// EndSession adds up what was sold, paid and given back, takes what the customer tenders
// and pays what is due. Until then its tickets count against the writer's bank (BankOf),
// because the ledger has what the customer owes from the moment a ticket exists. A session
// that ends unpaid freezes its tickets and is the venue's loss (vic-keno-2015
// 2(a).customer-session, 11(a), 11(b), 17(e), 21(d)(i); tas-keno-2023 1.14, 1.19 to 1.21,
// 12.1, 13.13, 16; casino-keno-div2 4.1).
//
// Papers that stand for money, and player cards. The rulebook says how long a paper is
// good, whether it may be bought, turned into cash or given back, and where its money goes
// when nobody has used it (vic-keno-2015 12, 13, 14, 22(c), 23(c), 23(d); tas-keno-2023
// 1.59, 14.2). A paper is used once and whole. Its time ends with a date: months are
// counted to the day with the same number or the month's last, days from the day of issue
// on. EraseHolder and ErasePayee have the register forget a customer, by a record that
// says who had it do so and never who it was.
//
// Claim forms. LodgeClaim, NoteClaim, SignClaim, DecideClaim and PayClaim are the life of
// a form: for a ticket that is lost, cannot be read or has expired, that came by mail, or
// whose winner cannot act (vic-keno-2015 20(f) to 23; tas-keno-2023 14, 15;
// casino-keno-div2 8.12). A form is worth what the central record says. Its money stays
// where it is until the form is decided: no sweep takes it, and nobody else is paid.
//
// Prizes that nobody fetches. Sweep takes them to where the rulebook says: off the system,
// to the Treasurer, or lost to the players (vic-keno-2015 22(b); tas-keno-2023 14.1 to
// 14.3; casino-keno-div2 9.2). FindUnfetched says of each where it is and where it goes
// next (casino-keno-div2 9.3).
//
// The cases of these clauses show every limit below, at and above it. TestSaleRefusals,
// TestPayRefusals and TestLife of package engine show sale and payment at work, TestBank
// the writer's bank, TestPaperLives and TestRedemption papers, TestErase who is forgotten.
// TestSweepTwin holds Sweep against a slow twin over years of payments, claims and
// refusals, in which no cent is lost. TestLyingAboutUnclaimedPrizes and
// TestLyingAboutClaims of package verify show what a house cannot say.
package counter
