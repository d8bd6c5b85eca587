package counter

import (
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which a sale is refused beside those of the ticket itself.
const (
	ChannelOther refusal.Code = "channel_other" // the ticket was priced for another kind of terminal
	BehindLast   refusal.Code = "behind_last"   // the series ends before the last game of the ticket
	NotOnSale    refusal.Code = "not_on_sale"   // no game is open
	SalePaused   refusal.Code = "paused"        // sale is stopped for the time being
	GameClosed   refusal.Code = "closed"        // the named first game is closed
	CostOther    refusal.Code = "cost_other"    // the ticket costs something else than the terminal expects
	PriceOther   refusal.Code = "price_other"   // the rulebook has changed since the ticket was priced
)

// Quote is a ticket that is checked against its rulebook and priced.
type Quote struct {
	Book      rulebook.Hash // under which it was priced
	Channel   rulebook.Channel
	Method    rulebook.Method
	Runner    bool
	Venue     string // id of the venue in catalogues, for which it was checked
	Ticket    keno.Ticket
	Price     keno.Price
	Exposures []keno.Exposure // what it adds to outcomes that are bounded over all tickets
	AnyFirst  bool            // the player wants whichever game is open, not a named one
	Delayed   bool            // or whichever game of delayed start is next
	Replays   record.Place    // the ticket that is played again; the zero place for none
}

// PrepareSale resolves and prices what a terminal asks for. In names the open game as
// far as is known; Sell checks it again.
func PrepareSale(desk *keno.Desk, req keno.Request, in keno.Setting, env keno.Envelope) (Quote, error) {
	ticket, err := desk.Resolve(req, in)
	if err != nil {
		return Quote{}, err
	}
	price, err := desk.Quote(ticket, env)
	if err != nil {
		return Quote{}, err
	}
	return Quote{
		Book: desk.Book().Hash(), Channel: env.Channel, Method: env.Method, Runner: env.Runner, Venue: env.Venue,
		Ticket: ticket, Price: price, Exposures: desk.Exposures(ticket),
		AnyFirst: req.First.Kind == keno.FirstOpen, Delayed: req.First.Kind == keno.FirstDelayed,
	}, nil
}

// Sale asks to sell a ticket.
type Sale struct {
	Request record.Request
	Series  uint8
	Quote   Quote
	Claim   record.Hash
	Expect  money.Amount // what the terminal thinks it costs; 0 if it does not say
	Player  uint32       // number of a player who works in the house; 0 for another
	// InSession says that the ticket is paid for with others at the end of the session.
	InSession bool
}

// sellerOf returns the terminal at which something of a series is sold or given.
func sellerOf(s *state.State, id uint32, of uint8) (terminal state.Terminal, series *state.Series, err error) {
	if terminal, err = terminalOf(s, id); err != nil {
		return terminal, nil, err
	}
	series, err = seriesOf(s, of)
	return terminal, series, err
}

// Sell sells the ticket, for cash in a customer session of its own or to be paid at
// the end of the session, or says why not. A ticket is for the game that is open when it is recorded, or for the next
// game of delayed start. After the time at which trading was announced to end nothing is sold.
//
//rule:vic-keno-2015 5 9(b)(v) 9(h) 11(a)(i) 11(b)
//rule:tas-keno-2023 3.1 5.5
//rule:casino-keno-div2 3.1 10.0
func Sell(s *state.State, now record.Time, c Sale) (*record.TicketSold, []ledger.Posting, error) {
	terminal, series, err := sellerOf(s, c.Request.Terminal, c.Series)
	if err != nil {
		return nil, nil, err
	}
	if err := checkLicensed(s, terminal, series); err != nil {
		return nil, nil, err
	}
	first, ordinal, err := firstGame(series, &c.Quote)
	if err != nil {
		return nil, nil, err
	}
	if rule := series.Book.Games().EarlyClosure; series.TradingOver(now) {
		return nil, nil, refuse(NotOnSale, rule.Quoted(), "first", "Trading has ended at the time that was announced.")
	}
	if err := checkQuote(series, terminal, c); err != nil {
		return nil, nil, err
	}
	if err := checkEnd(series, ordinal, c.Quote.Ticket.Games); err != nil {
		return nil, nil, err
	}
	if venue, _ := s.Venue(terminal.Venue); venue.Listed != c.Quote.Venue {
		return nil, nil, refuse(PriceOther, "", "", "The ready tickets of the venue have changed. Price the ticket again.")
	}
	if err := checkSaleTender(s, series, terminal, c); err != nil {
		return nil, nil, err
	}
	if err := checkSaleSession(s, series, terminal, c); err != nil {
		return nil, nil, err
	}
	if err := checkExposures(series, ordinal, c.Quote.Exposures); err != nil {
		return nil, nil, err
	}
	ticket := c.Quote.Ticket
	ticket.First = keno.GameRef{Day: first.Day, Game: int(first.Number)}
	encoded, err := ticket.AppendCBOR(nil)
	if err != nil {
		return nil, nil, err
	}
	cost := c.Quote.Price.Cost
	sold := &record.TicketSold{
		Request: c.Request, Session: terminal.NextSession(), Method: string(c.Quote.Method), Runner: c.Quote.Runner,
		Replays: c.Quote.Replays,
		Series:  series.ID, Ordinal: ordinal, Ticket: encoded, Ways: uint32(c.Quote.Price.Ways),
		CostCents: cost, Claim: c.Claim,
	}
	from := ledger.Debit(ledger.Customer, terminal.ID, cost)
	if !c.InSession {
		sold.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: cost}}
		from = ledger.Debit(ledger.Cash, terminal.Venue, cost)
	}
	return sold, []ledger.Posting{from, ledger.Credit(ledger.Unplayed, 0, cost)}, nil
}

// checkSaleTender refuses a sale with a tender of its own, which is cash, where cash does not
// pay for tickets, and one in a session where nothing pays for tickets: it could not end.
//
//rule:casino-keno-div2 4.1
//rule:tas-keno-2023 12.1(a) 12.1(b)
func checkSaleTender(s *state.State, series *state.Series, terminal state.Terminal, c Sale) error {
	venue, _ := s.Venue(terminal.Venue)
	if c.InSession {
		if clause, ok := series.Book.Sells(venue.Kind, terminal.Channel); !ok {
			return refuse(TenderOther, clause, "terminal",
				"Nothing pays for tickets at a %s terminal of a %s.", terminal.Channel, venue.Kind)
		}
		return nil
	}
	clause, ok := series.Book.TakesCash(venue.Kind, terminal.Channel)
	if ok {
		return nil
	}
	return refuse(TenderOther, clause, "terminal", "A %s terminal in a %s takes no cash.", terminal.Channel, venue.Kind)
}

// checkSaleSession refuses a sale that does not go with the session that is open, and
// one that plays a ticket again on which payment is stopped.
//
//rule:tas-keno-2023 1.12
func checkSaleSession(s *state.State, series *state.Series, terminal state.Terminal, c Sale) error {
	if err := checkOpen(&terminal, series, c.InSession, "sell"); err != nil {
		return err
	}
	if stop, ok := s.Stopped(c.Quote.Replays); ok && (stop.Frozen || stop.Disqualified) {
		return refuse(Frozen, stop.Clause, "replay",
			"The ticket that is to be played again is stopped: %s.", stop.Reason)
	}
	return nil
}

// firstGame returns the first game of a ticket. It is the game on sale unless the
// ticket is for a game of delayed start. A game that has closed takes no ticket.
//
//rule:vic-keno-2015 9(h) 2(b)(iii)
//rule:casino-keno-div2 4.4 7.1
func firstGame(series *state.Series, quote *Quote) (record.Game, uint32, error) {
	open, named := series.Newest(), quote.Ticket.First
	if series.Paused {
		return record.Game{}, 0, refuse(SalePaused, "", "first", "Sale is stopped for the time being.")
	}
	if open == nil || open.Phase != state.PhaseOpen {
		return record.Game{}, 0, refuse(NotOnSale, series.Book.Games().Quoted(), "first", "No game is on sale now.")
	}
	if designated, ok := series.Designated(); ok &&
		(quote.Delayed || !quote.AnyFirst && namesGame(named, designated.Game)) {
		return designated.Game, designated.Ordinal, nil
	}
	if quote.AnyFirst || !quote.Delayed && namesGame(named, open.Ref) {
		return open.Ref, open.Ordinal, nil
	}
	return record.Game{}, 0, refuse(GameClosed, series.Book.Games().Quoted(), "first",
		"Game %d is closed; game %d is on sale.", named.Game, open.Ref.Number)
}

// checkEnd refuses a ticket with a game behind the last one of the series.
//
//rule:tas-keno-2023 front.transition
func checkEnd(series *state.Series, first uint32, games int) error {
	if series.LastDay == day.None {
		return nil
	}
	last := series.LastGame(series.LastDay, series.LastGames)
	if wanted := uint64(first) + uint64(games) - 1; wanted > uint64(last) {
		system := series.Book.System()
		return refuse(BehindLast, system.EndClause(), "games",
			"The games end with Keno Day %v. A ticket has at most %d from this game on.", series.LastDay,
			max(0, int64(last)-int64(first)+1))
	}
	return nil
}

func namesGame(ref keno.GameRef, game record.Game) bool {
	return ref.Day == game.Day && ref.Game == int(game.Number)
}

// checkExposures refuses a ticket that would lift what all tickets together have on
// one outcome of a game above its bound, in any of its games.
//
//rule:tas-keno-2023 21.2(c) 21.2(c)(i) 21.2(c)(ii)
func checkExposures(series *state.Series, first uint32, exposures []keno.Exposure) error {
	type key struct {
		ordinal uint32
		outcome string
	}
	var own map[key]money.Amount // A ticket may put money on one outcome more than once.
	for _, e := range exposures {
		for i := range uint32(e.Games) {
			at := key{first + uint32(e.First) + i, e.Outcome}
			if own == nil {
				own = map[key]money.Amount{}
			}
			own[at] += e.Stake
			if all := series.Exposed(at.ordinal, at.outcome) + own[at]; all > e.Max {
				return refuse(keno.OutcomeFull, e.Clause, "bets",
					"All tickets together may put %v on %s in a game; with this one it would be %v in game %d of the ticket.", e.Max,
					e.Outcome, all, at.ordinal-first+1)
			}
		}
	}
	return nil
}

// checkQuote refuses a quote that is outdated, or not for this sale.
func checkQuote(series *state.Series, terminal state.Terminal, c Sale) error {
	switch {
	case c.Quote.Book != series.Book.Hash():
		return refuse(PriceOther, "", "",
			"The rules have changed since the ticket was priced. Ask for the price again.")
	case c.Quote.Channel != terminal.Channel:
		return refuse(ChannelOther, "", "terminal",
			"Terminal %d is a %s terminal; the ticket was priced for %s.", terminal.ID, terminal.Channel,
			c.Quote.Channel)
	case (c.Quote.Method == rulebook.MethodReplay) != (c.Quote.Replays != record.Place{}):
		return refuse(keno.ReplayUnknown, "", "replay",
			"An entry by replay names the ticket that is played again, and no other does.")
	case c.Expect != 0 && c.Expect != c.Quote.Price.Cost:
		return refuse(CostOther, "", "expect_cents", "The ticket costs %v, not %v.", c.Quote.Price.Cost, c.Expect)
	}
	return nil
}
