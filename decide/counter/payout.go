package counter

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/games/settle"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which a payment is refused.
const (
	TicketUnknown   refusal.Code = "ticket_unknown"   // there is no such ticket
	TicketCancelled refusal.Code = "ticket_cancelled" // it was given back before its first game
	NotDrawn        refusal.Code = "not_drawn"        // none of its games has a result yet
	NoPrize         refusal.Code = "no_prize"         // it has won nothing so far
	TooLate         refusal.Code = "too_late"         // the time for claims at a venue has passed
	FactsMissing    refusal.Code = "facts_missing"    // the result of a game came while the claim was prepared
	PrizeDisagrees  refusal.Code = "prize_disagrees"  // the settled prize is not the recomputed one
	HeldBack        refusal.Code = "held_back"        // prizes of a delayed start game are paid from the next Keno Day on
	NotAgreed       refusal.Code = "not_agreed"       // a witness that must agree to the result has not
	Disputed        refusal.Code = "disputed"         // a witness that must agree says that the journal does not hold
	KeepsTicket     refusal.Code = "keeps_ticket"     // the writer keeps the paper, and games are to come
)

// Win is what the winners files of a game say of a ticket together: nothing is zero
// cents.
type Win struct {
	Ordinal uint32
	Cents   money.Amount
	Files   []record.Hash // of the files that say so, one for each revision
}

// Payment asks to pay a ticket.
type Payment struct {
	Request record.Request
	Now     record.Time // when the payment is decided
	Place   record.Place
	Sold    *record.TicketSold // the record at Place
	SoldAt  record.Time        // of that record; a claim form asks for the claimant's age at that time
	Code    serial.ClaimCode
	Wins    []Win // for every settled game of the ticket
	// InSession says that the payment is settled with others at the end of the session.
	InSession bool
	// Expect is what the terminal thinks that it comes to; nil if it does not say.
	Expect *money.Amount
	// Continuation is the claim of the ticket that the rest of the games go on with,
	// where the writer keeps the paper.
	Continuation record.Hash
	// OnlyPrizes leaves out stakes that go back.
	OnlyPrizes bool
	// OnForm says that a claim form is assessed: how late it is, and where the money is
	// then, is for LodgeClaim.
	OnForm bool
	// Hand is the prize that was paid by hand, and is all that the payment is of.
	Hand Hand
	// Disputed says who disputes the journal, and nothing is paid; empty for nobody.
	Disputed string
	// Entropy decides what bonus falls on the ticket; it is needed where promotions
	// on ready tickets are offered.
	Entropy []byte
}

// Pay pays what the ticket has won in its settled games and was not yet paid, or
// says why not: in cash, or into the customer session.
//
//rule:vic-keno-2015 20(b) 20(c) 20(d) 21(d)(i)
//rule:tas-keno-2023 11.3 13.4
//rule:casino-keno-div2 8.3(a) 8.4 5.14.second
func Pay(s *state.State, c Payment) (*record.TicketPaid, []ledger.Posting, error) {
	terminal, err := terminalOf(s, c.Request.Terminal)
	if err != nil {
		return nil, nil, err
	}
	series, ok := s.Series(c.Sold.Series)
	if !ok {
		return nil, nil, refuse(TicketUnknown, "", "serial", "There is no such ticket.")
	}
	opening, err := Opening(s, c.Place, c.Sold.Claim, c.Sold.Request, c.Code)
	if err != nil {
		return nil, nil, err
	}
	if err := CheckStop(s, c.Place); err != nil {
		return nil, nil, err
	}
	if err := checkOpen(&terminal, series, c.InSession, "pay"); err != nil {
		return nil, nil, err
	}
	if c.Disputed != "" {
		return nil, nil, refuse(Disputed, "", "", "Nothing is paid while %s.", c.Disputed)
	}
	due, err := payable(s, series, c)
	if err != nil {
		return nil, nil, err
	}
	if c.Hand.Ordinal != 0 {
		if err := c.Hand.agrees(s, series, due); err != nil {
			return nil, nil, err
		}
	}
	if err := checkContinuation(s, series, c); err != nil {
		return nil, nil, err
	}
	paid := &record.TicketPaid{
		Request: c.Request, Session: terminal.NextSession(), Ticket: c.Place, Opening: opening, Series: series.ID,
		Parts: due.parts, RefundCents: due.refunds, MajorCents: due.majors,
	}
	if c.Hand.Ordinal != 0 {
		paid.PaidBy, paid.Clause = c.Hand.PaidBy, rulebook.Quoted(series.Book.Draw().StandsClause)
	}
	amount := paid.Amount()
	if err := checkExpected(c.Expect, amount); err != nil {
		return nil, nil, err
	}
	other := ledger.Credit(ledger.Customer, terminal.ID, amount)
	venue, _ := s.Venue(terminal.Venue)
	if err := checkCounter(series.Book, venue.Kind, terminal.Channel); err != nil {
		return nil, nil, err
	}
	if err := checkTicketAt(s, series.Book, terminal, venue, c.Place, amount, due.lots(s, c.Place)); err != nil {
		return nil, nil, err
	}
	if err := checkBack(series.Book, terminal, venue, due.lots(s, c.Place)); err != nil {
		return nil, nil, err
	}
	dues := Dues{
		Total: amount, Tickets: []money.Amount{amount}, Majors: due.majors, Lots: due.lots(s, c.Place),
		Channel: terminal.Channel, Venue: venue.Kind, Limit: venue.CashLimit,
	}
	dues.stake(s, series.Book, terminal.ID, dues.Lots)
	if !c.InSession {
		if err := InCash(series.Book, dues); err != nil {
			return nil, nil, err
		}
		paid.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: -amount}}
		other = ledger.Credit(ledger.Cash, terminal.Venue, amount)
	}
	if err := checkBonus(s, series, terminal, venue, c, dues); err != nil {
		return nil, nil, err
	}
	return paid, ledger.Merge(append(due.postings(), other)...), nil
}

// InCash refuses to hand money out in cash by an act of its own where the rules let it leave
// otherwise: then it leaves at the end of a session.
//
//rule:vic-keno-2015 17(e) 21(d)(i)
func InCash(book *rulebook.Book, d Dues) error {
	for _, l := range d.Lots {
		origin, _ := book.Origin(l.ID)
		if way, ok := origin.Way(rulebook.Same); ok {
			return refuse(InSession, way.Quoted(), "serial",
				"%v of it goes back as %s. Do it in a session, at whose end that is given.", l.Cents, named(book, l.ID))
		}
	}
	_, err := Route(book, d, []Share{{Cash, d.Total}})
	return err
}

// named returns how people call money of an origin.
func named(book *rulebook.Book, id string) string {
	if in, ok := book.Instrument(id); ok {
		return in.Name
	}
	return id
}

// lots returns what is due by origin: prizes, what an earlier session withheld, and the
// stakes of void games as what had paid for them.
func (d *due) lots(s *state.State, ticket record.Place) []state.Lot {
	var sum money.Amount
	for _, part := range d.parts {
		sum += part.Cents
	}
	var all []state.Lot
	if won := sum - d.refunds - d.withheld; won > 0 {
		all = append(all, state.Lot{ID: state.OriginPrize, Of: ticket, Cents: won})
	}
	if d.withheld > 0 {
		held, _ := s.Withheld(ticket)
		all = append(all, held.Lots...)
	}
	return append(all, s.GivesBack(ticket, d.refunds)...)
}

// checkContinuation asks for the claim of the ticket with which the rest of the games
// go on, where the writer keeps the paper.
//
//rule:casino-keno-div2 8.5
func checkContinuation(s *state.State, series *state.Series, c Payment) error {
	if !NeedsContinuation(s, series, c) || c.Continuation != (record.Hash{}) {
		return nil
	}
	return refuse(KeepsTicket, lastCited(series.Book.Payout().Clause), "continuation_hash",
		"Games remain. Send a claim code for the replacement ticket: the writer keeps the paid one.")
}

// NeedsContinuation reports whether the writer keeps the paper of a ticket that is paid while
// games of it are to come.
//
//rule:casino-keno-div2 8.5
func NeedsContinuation(s *state.State, series *state.Series, c Payment) bool {
	if !series.Book.Payout().KeepsTicket {
		return false
	}
	_, last, err := playOf(s, series, c)
	if err != nil {
		return false
	}
	g, ok := series.Game(last)
	return !ok || !g.Phase.IsOver()
}

// due is what a ticket is owed now.
type due struct {
	parts           []record.PaidPart
	refunds, majors money.Amount // of the parts: stakes of void games, and major prizes
	withheld        money.Amount // of the parts: what an earlier session did not hand out
}

// postings takes what is due from where it is.
func (d *due) postings() []ledger.Posting {
	var sum money.Amount
	for _, part := range d.parts {
		sum += part.Cents
	}
	return []ledger.Posting{
		ledger.Debit(ledger.Prizes, 0, sum-d.refunds-d.withheld), ledger.Debit(ledger.Refunds, 0, d.refunds),
		ledger.Debit(ledger.Withheld, 0, d.withheld),
	}
}

// payable returns what is due to the ticket now: what its games are owed, and before that
// what the end of a session has withheld. That was due once, so that no time ends it, at a
// counter or on a form.
func payable(s *state.State, series *state.Series, c Payment) (due, error) {
	owed, err := payableGames(s, series, c)
	held, ok := s.Withheld(c.Place)
	if !ok || c.Hand.Ordinal != 0 {
		return owed, err
	}
	cents := held.Cents
	if c.OnlyPrizes {
		cents = held.Prizes()
	}
	if cents == 0 || err != nil && !owesNothing(err) {
		return owed, err
	}
	owed.parts = append([]record.PaidPart{{Cents: cents}}, owed.parts...)
	owed.withheld, owed.majors = cents, owed.majors+held.Majors
	return owed, nil
}

// owesNothing reports whether a refusal says that games owe nothing now, and not that
// something is wrong with what they owe.
func owesNothing(err error) bool {
	r, ok := errors.AsType[*refusal.Refusal](err)
	return ok && r.Code != FactsMissing && r.Code != PrizeDisagrees
}

// payableGames returns what the games of the ticket owe it now. A game that was paid and
// settled anew since is owed the difference.
//
//rule:vic-keno-2015 21(h)
func payableGames(s *state.State, series *state.Series, c Payment) (owed due, err error) {
	play, last, err := playOf(s, series, c)
	if err != nil {
		return due{}, err
	}
	games, err := overGames(s, series, play.First, last)
	if err != nil {
		return due{}, err
	}
	wins := make(map[uint32]Win, len(c.Wins))
	for _, win := range c.Wins {
		wins[win.Ordinal] = win
	}
	seen := tally{settled: len(games)}
	for i := range games {
		g, _ := series.Game(games[i].Ordinal)
		cents, err := prizeIn(g, play, games[:i+1], wins[g.Ordinal])
		if err != nil {
			return due{}, err
		}
		if c.Hand.Ordinal != 0 && c.Hand.Ordinal != g.Ordinal {
			continue
		}
		refund, back := refundIn(g, &play, games[:i+1]), series.Owed(c.Place, g.Ordinal)
		if listed := series.BackOf(c.Place, g.Ordinal); listed != nil && listed.Cents != refund || listed == nil &&
			refund != 0 {
			return due{}, refuse(PrizeDisagrees, "", "serial",
				"Game %d gives back %v by its list and %v by the ticket. Call the central site; nothing is paid.",
				g.Ref.Number, back, refund)
		}
		if c.OnlyPrizes {
			refund, back = 0, 0
		}
		left := cents - s.PaidPrize(series, c.Place, g.Ordinal)
		late := !c.OnForm && (series.Swept(g.Ordinal) != "" || isTooLate(s.BookOf(g), series, g, c.Now))
		if late && back > 0 {
			left = 0 // A time ends for prizes. A stake that goes back stays the player's.
		}
		switch {
		case cents+refund == 0:
		case left <= 0 && back == 0:
			seen.paid++
		case late && back == 0:
			seen.late++
		case isHeldBack(s.BookOf(g), series, g):
			seen.held++
		case waitsForWitness(s, g):
			witness, _ := s.Unagreed(g.SettledPlace)
			seen.unagreed = fmt.Sprintf("The result of game %d waits for %s, who has not agreed to it yet.",
				g.Ref.Number, witness.Name)
		default:
			left = max(left, 0)
			owed.parts = append(owed.parts, record.PaidPart{Ordinal: g.Ordinal, Cents: left + back})
			owed.refunds += back
			majors, err := majorsIn(s.BookOf(g), &play, games[:i+1])
			if err != nil {
				return due{}, err
			}
			owed.majors += min(majors, left)
		}
	}
	if len(owed.parts) == 0 {
		return due{}, seen.refusal(series.Book)
	}
	return owed, nil
}

// isHeldBack reports whether the prizes of a game wait for the next Keno Day.
//
//rule:vic-keno-2015 21(h)
func isHeldBack(book *rulebook.Book, series *state.Series, g *state.Game) bool {
	return book.Games().Delayed.PaidNextDay && g.Delayed && series.Day <= g.Ref.Day
}

// waitsForWitness reports whether a witness that must agree to the result of a game has not.
func waitsForWitness(s *state.State, g *state.Game) bool {
	_, waits := s.Unagreed(g.SettledPlace)
	return waits
}

// majorsIn returns the major prizes of a play in the last of some games, where the
// rulebook pays these otherwise than others.
//
//rule:casino-keno-div2 8.11
func majorsIn(book *rulebook.Book, play *settle.Play, games []settle.Game) (sum money.Amount, err error) {
	pro := book.Prorating()
	if !slices.ContainsFunc(book.Payout().Methods, func(m rulebook.PayoutMethod) bool { return m.MajorOrClaim }) ||
		len(pro) == 0 {
		return 0, nil
	}
	prizes, err := settle.PrizesByWay(*play, play.Needs(games))
	for _, prize := range prizes {
		if pro[0].MajorFrom != nil && prize >= pro[0].MajorFrom.Amount() || pro[0].MajorOver != nil &&
			prize > pro[0].MajorOver.Amount() {
			sum += prize
		}
	}
	return sum, err
}

// refundIn returns the stakes of a play that go back because the last of some games, or one
// that was played along with it, is void. What ran through void games alone has won nothing
// and is a stake still.
//
//rule:casino-keno-div2 11.6
//rule:vic-keno-2015 2(a).let-it-run
func refundIn(g *state.Game, play *settle.Play, games []settle.Game) (sum money.Amount) {
	if g.Phase != state.PhaseVoid || g.Void.Deferred {
		return 0
	}
	for _, ordinal := range append([]uint32{g.Ordinal}, g.Closed.Deferred...) {
		sum += play.StakesIn(ordinal)
	}
	return sum + play.Unwon(games)
}

// playOf returns what the ticket plays, and up to which game: its last, or that
// before it was cancelled.
func playOf(s *state.State, series *state.Series, c Payment) (play settle.Play, last uint32, err error) {
	ticket, err := keno.DecodeTicket(c.Sold.Ticket)
	if err != nil {
		return play, 0, err
	}
	play = settle.PlayOf(s.DeskFor(series, c.Sold.Ordinal), c.Place, c.Sold.Ordinal, &ticket)
	last = play.Last
	if cancelled, ok := s.Cancelled(c.Place); ok {
		if last = cancelled.Shorten(&play); last < play.First {
			return play, 0, refuse(TicketCancelled, series.Book.Cancellation().Quoted(), "serial",
				"The ticket was cancelled before its first game.")
		}
	}
	return play, last, nil
}

// overGames returns the games of a ticket that are settled or void: they are the
// first ones, because games end in their order. Behind them stands a game that is
// none of the ticket's, if the last of those was void and was played along with it.
//
//rule:tas-keno-2023 11.2
//rule:casino-keno-div2 8.2
func overGames(s *state.State, series *state.Series, first, last uint32) ([]settle.Game, error) {
	var games []settle.Game
	for ordinal := first; ordinal <= last; ordinal++ {
		g, ok := series.Game(ordinal)
		if !ok || !g.Phase.IsOver() {
			break
		}
		over, err := s.SettledIn(series, g)
		if err != nil {
			return nil, err
		}
		games = append(games, over)
		last = max(last, g.PlayedWith)
	}
	return games, nil
}

// prizeIn returns the prize of a ticket in the last of some games, on which the
// winners files and a calculation made anew must agree. Both are of the record: what a
// paper or a screen says is not asked.
//
//rule:vic-keno-2015 9(g)
//rule:tas-keno-2023 5.6 9.5
func prizeIn(game *state.Game, play settle.Play, games []settle.Game, win Win) (money.Amount, error) {
	if win.Ordinal != game.Ordinal || !slices.Equal(win.Files, game.Winners) {
		return 0, refuse(FactsMissing, "", "", "The result of game %d has just come. Try again.", game.Ref.Number)
	}
	again, err := settle.PrizeIn(play, play.Needs(games))
	if err != nil {
		return 0, err
	}
	if again.Payable != win.Cents {
		return 0, refuse(PrizeDisagrees, "", "serial",
			"Game %d was settled at %v and comes to %v now. Call the central site; nothing is paid.", game.Ref.Number,
			win.Cents, again.Payable)
	}
	return win.Cents, nil
}

// isTooLate reports whether the time for claims at a venue has passed: it runs from
// the Keno Day on which the wins of each game were recorded, to the day of the month on which it began.
//
//rule:vic-keno-2015 21(d)(i)
//rule:tas-keno-2023 14.2
//rule:casino-keno-div2 9.1
func isTooLate(book *rulebook.Book, series *state.Series, game *state.Game, now record.Time) bool {
	last, err := LastPaid(book, game.WonOn())
	return err != nil || series.Today(now) > last
}

// LastPaid returns the last day on which venues pay prizes that were recorded on a Keno Day.
func LastPaid(book *rulebook.Book, of day.Day) (day.Day, error) {
	return book.Payout().Period.Last(of)
}

// tally counts why games gave nothing to pay.
type tally struct {
	settled, paid, late, held int
	unagreed                  string // which game waits for whom
}

func (t tally) refusal(book *rulebook.Book) error {
	switch {
	case t.unagreed != "":
		return refuse(NotAgreed, "", "serial", "%s", t.unagreed)
	case t.held > 0:
		return refuse(HeldBack, lastCited(book.Games().Delayed.Clause), "serial",
			"Prizes of a delayed start game are paid from the next Keno Day on.")
	case t.late > 0:
		period := book.Payout().Period
		return refuse(TooLate, period.Quoted(), "serial",
			"The time for claims at a venue has passed, %d months after the game's Keno Day. %s",
			period.Months+12*period.Years, lateWay(book))
	case t.paid > 0:
		return refuse(AlreadyPaid, "", "serial", "What the ticket has won was paid.")
	case t.settled == 0:
		return refuse(NotDrawn, "", "serial", "The ticket's games have not been drawn.")
	}
	return refuse(NoPrize, "", "serial", "The ticket has not won.")
}

// lateWay says how a prize is fetched after the time for claims at a venue.
func lateWay(book *rulebook.Book) string {
	for _, step := range book.Unclaimed() {
		if step.Then != "lapsed" {
			return "It is claimed on the " + book.Claims().Form + "."
		}
	}
	return "By these rules nobody has a claim to it any more."
}

// lastCited returns the last clause that a value cites: what comes of it.
func lastCited(clauses string) string {
	cited := strings.Fields(clauses)
	if len(cited) == 0 {
		return ""
	}
	return cited[len(cited)-1]
}
