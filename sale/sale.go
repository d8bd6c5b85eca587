// Package sale decides whether a ticket is sold.
//
// A sale has two halves. Prepare does what needs no state: it resolves the
// request, holds it against the rulebook and prices it, so that many sales can
// be prepared at once. Decide, which the house runs one sale after the other,
// looks at the state: is the terminal known, is the game on sale, and does the
// money fit. What comes of it is a record (vic-keno-2015 5: the details must be
// stored before the ticket exists) or a refusal with its clause.
// TestSaleRefusals and TestLife of package engine show it at work.
package sale

import (
	"fmt"

	"drawhouse/keno"
	"drawhouse/ledger"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/refusal"
	"drawhouse/rulebook"
	"drawhouse/state"
)

// The codes with which a sale is refused beside those of the ticket itself.
const (
	SeriesUnknown   refusal.Code = "series_unknown"   // no such series of games
	TerminalUnknown refusal.Code = "terminal_unknown" // no such terminal
	ChannelOther    refusal.Code = "channel_other"    // the ticket was priced for another kind of terminal
	NotOnSale       refusal.Code = "not_on_sale"      // no game is open
	Closed          refusal.Code = "closed"           // the named first game is closed
	NotOffered      refusal.Code = "not_offered"      // the rulebook has the bet, this house does not sell it
	CostOther       refusal.Code = "cost_other"       // the ticket costs something else than the terminal expects
	PriceOther      refusal.Code = "price_other"      // the rulebook has changed since the ticket was priced
)

// Offer is a ticket that may be sold as far as its rulebook is concerned.
type Offer struct {
	Book     rulebook.Hash // under which it was priced
	Channel  rulebook.Channel
	Method   rulebook.Method
	Ticket   keno.Ticket
	Price    keno.Price
	AnyFirst bool // the player wants whichever game is open, not a named one
}

// Prepare resolves and prices what a terminal asks for. In names the open game as
// far as is known; Decide has the last word on it.
func Prepare(desk *keno.Desk, req keno.Request, in keno.Setting, env keno.Envelope) (Offer, error) {
	ticket, err := desk.Resolve(req, in)
	if err != nil {
		return Offer{}, err
	}
	price, err := desk.Quote(ticket, env)
	if err != nil {
		return Offer{}, err
	}
	if err := offered(desk, &ticket, price); err != nil {
		return Offer{}, err
	}
	return Offer{
		Book: desk.Book().Hash(), Channel: env.Channel, Method: env.Method,
		Ticket: ticket, Price: price, AnyFirst: req.First.Kind == keno.FirstOpen,
	}, nil
}

// offered refuses what the house cannot carry through: prizes that run on, side
// bets of which the second opinion knows nothing, and every size that plays for a
// jackpot, because the house keeps no pools.
func offered(desk *keno.Desk, ticket *keno.Ticket, price keno.Price) error {
	for i := range ticket.Bets {
		bet := &ticket.Bets[i]
		path := fmt.Sprintf("bets[%d]", i)
		rule, _ := desk.Book().Bet(bet.Bet)
		switch {
		case rule.Form() == rulebook.FormRace:
			return &refusal.Refusal{Code: NotOffered, Path: path + ".bet", Sentence: fmt.Sprintf("This house does not sell %s.", rule.Name())}
		case bet.Run:
			return &refusal.Refusal{Code: NotOffered, Path: path + ".run", Sentence: "This house does not let prizes run on."}
		case bet.With.LuckyLast.On:
			return &refusal.Refusal{Code: NotOffered, Path: path + ".with.lucky_last", Sentence: "This house does not sell bets on the last number."}
		case price.Bets[i].Jackpot:
			return &refusal.Refusal{Code: NotOffered, Path: path, Sentence: "This house keeps no jackpots and sells no size that plays for one."}
		}
	}
	return nil
}

// Command is a sale to decide.
type Command struct {
	Request record.Request
	Series  uint8
	Offer   Offer
	Claim   record.Hash
	Expect  money.Amount // what the terminal thinks it costs; 0 if it does not say
}

// Decide sells the ticket for cash, in a customer session of its own, or says why
// not. A ticket is for the game that is open when it is recorded.
//
//rule:vic-keno-2015 5 9(b)(v) 9(h) 11(a)(i) 11(b)
func Decide(s *state.State, c Command) (*record.TicketSold, []ledger.Posting, error) {
	terminal, ok := s.Terminal(c.Request.Terminal)
	if !ok {
		return nil, nil, &refusal.Refusal{Code: TerminalUnknown, Path: "terminal", Sentence: fmt.Sprintf("There is no terminal %d.", c.Request.Terminal)}
	}
	series, game, err := openGame(s, c)
	if err != nil {
		return nil, nil, err
	}
	if err := checkOffer(series, terminal, c); err != nil {
		return nil, nil, err
	}
	ticket := c.Offer.Ticket
	ticket.First = keno.GameRef{Day: game.Ref.Day, Game: int(game.Ref.Number)}
	encoded, err := ticket.AppendCBOR(nil)
	if err != nil {
		return nil, nil, err
	}
	cost := c.Offer.Price.Cost
	sold := &record.TicketSold{
		Request: c.Request, Session: terminal.Session + 1, Method: string(c.Offer.Method),
		Series: series.ID, Ordinal: game.Ordinal, Ticket: encoded, Ways: uint32(c.Offer.Price.Ways),
		CostCents: cost, Claim: c.Claim, Tenders: []record.Tender{{Kind: record.TenderCash, Cents: cost}},
	}
	return sold, []ledger.Posting{
		ledger.Debit(ledger.Cash, terminal.Venue, cost),
		ledger.Credit(ledger.Unplayed, 0, cost),
	}, nil
}

// openGame returns the game that a ticket would be for.
func openGame(s *state.State, c Command) (*state.Series, *state.Game, error) {
	series, ok := s.Series(c.Series)
	if !ok {
		return nil, nil, &refusal.Refusal{Code: SeriesUnknown, Path: "series", Sentence: fmt.Sprintf("There is no series %d.", c.Series)}
	}
	game := series.Newest()
	if game == nil || game.Phase != state.PhaseOpen {
		return nil, nil, &refusal.Refusal{Code: NotOnSale, Path: "first", Sentence: "No game is on sale now."}
	}
	first := c.Offer.Ticket.First
	if !c.Offer.AnyFirst && (first.Day != game.Ref.Day || first.Game != int(game.Ref.Number)) {
		return nil, nil, &refusal.Refusal{
			Code: Closed, Path: "first", Clause: series.Book.Games().Quoted(),
			Sentence: fmt.Sprintf("Game %d is closed; game %d is on sale.", first.Game, game.Ref.Number),
		}
	}
	return series, game, nil
}

// checkOffer holds what was prepared against what is so now.
func checkOffer(series *state.Series, terminal state.Terminal, c Command) error {
	switch {
	case c.Offer.Book != series.Book.Hash():
		return &refusal.Refusal{Code: PriceOther, Sentence: "The rules have changed since the ticket was priced. Ask for the price again."}
	case c.Offer.Channel != terminal.Channel:
		return &refusal.Refusal{Code: ChannelOther, Path: "terminal", Sentence: fmt.Sprintf("Terminal %d is a %s terminal; the ticket was priced for %s.", terminal.ID, terminal.Channel, c.Offer.Channel)}
	case c.Expect != 0 && c.Expect != c.Offer.Price.Cost:
		return &refusal.Refusal{Code: CostOther, Path: "expect_cents", Sentence: fmt.Sprintf("The ticket costs %v, not %v.", c.Offer.Price.Cost, c.Expect)}
	}
	return nil
}
