package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/games/keno"
	"drawhouse/journal/record"
)

// This file has what one person does about the money of players and venues: it stops something,
// or says by when and how something is paid.

func init() {
	central := staff.Central()
	atVenues := append([]record.Role{record.RoleWriter, record.RoleSenior}, central...)
	treasury := func(name, method, path, says, refuses string, who ...record.Role) Row {
		return Row{Name: name, Method: method, Path: path, Says: says, Tag: "money", Who: Who{Roles: who},
			Refuses: refuses}.counted()
	}
	freeze := treasury("freeze-payment", "POST", "/v1/stops/freeze", "Stop payment on tickets and papers",
		"frozen parties_missing reason_missing other_system serial_unreadable ticket_lost ticket_unknown",
		append(staff.Central(),
			record.RoleInspector)...)
	freeze.Answer, freeze.View = FrozenPlaces{}, viewFrozen
	register[FreezePayment](freeze.alone("it stops something, and moves nothing"))
	register[SetAnonymity](treasury("set-anonymity", "PUT", "/v1/tickets/{serial}/anonymity",
		"Say whether a winner may be named",
		"other_system serial_unreadable ticket_lost ticket_unknown", central...).
		alone("whether somebody is named"))
	register[SetLimit](treasury("set-limit", "PUT", "/v1/venues/{venue}/limit",
		"Say up to which amount a venue pays in cash",
		"limit_too_low parties_missing session_open venue_unknown", central...).
		alone("how a prize is paid, and not how much"))
	register[SetCard](treasury("set-card", "PUT", "/v1/cards/{card}/status",
		"Exclude the holder of a card, close it, or let it be used again",
		"card_excluded card_short card_unheld card_unknown details_wrong field_conflict", append(
			[]record.Role{record.RoleSenior}, central...)...).
		alone("it ends or stops something; nobody lifts an exclusion"))
	register[RegisterCard](treasury("register-card", "POST", "/v1/cards", "Give somebody a player card",
		"card_barred card_none card_under_age details_wrong no_register", append([]record.Role{record.RoleSenior},
			central...)...).numbered(
		func(b record.Body) uint32 { return b.(*record.CardRegistered).Card }). //nolint:errcheck // What RegisterCard decides.
		alone("it has no money on it yet"))
	register[NotifyHolder](treasury("notify-card", "POST", "/v1/cards/{card}/notices",
		"Record that a holder was told of prizes that wait",
		"already_paid card_unknown details_wrong disqualified facts_missing frozen held_back no_prize not_agreed not_drawn not_its_ticket prize_disagrees "+
			"other_system serial_unreadable ticket_cancelled ticket_lost ticket_unknown too_late under_claim", central...).
		alone("that somebody was told"))
	register[EraseHolder](treasury("erase-holder", "POST", "/v1/cards/{card}/erasure",
		"Have the register forget the holder of a card that is closed",
		"card_open card_unknown denied_kept no_register not_allowed payee_needed", record.RoleAdministrator).
		alone("the card is closed"))
	register[ErasePayee](treasury("erase-payee", "DELETE", "/v1/payees/{hash}", "Have the register forget a payee",
		"denied_kept not_allowed payee_needed payee_unknown", record.RoleAdministrator).
		alone("a name, and the journal has who had it erased"))
	register[HandCheque](treasury("hand-cheque", "POST", "/v1/cheques/{cheque}/handover",
		"Record that a cheque was handed over",
		"cheque_unknown disqualified frozen not_of_venue", atVenues...).
		alone("that it was handed over; its payment was decided before"))
	register[NameHolidays](treasury("name-holidays", "PUT", "/v1/holidays", "Say which days are public holidays",
		"holidays_same holidays_wrong parties_missing", central...).
		alone("by when something is due, and not how much"))
}

// FreezePayment stops payment on tickets and papers, and on what was bought with them.
type FreezePayment struct {
	Serials []string       `json:"serials"`
	Reason  string         `json:"reason"`
	Places  []record.Place `json:"-"`
}

// FrozenPlaces are the tickets and papers on which payment was stopped.
type FrozenPlaces struct {
	Places []string `json:"places" doc:"With what was bought or replayed from them."`
}

func viewFrozen(done record.Body) any {
	view := FrozenPlaces{Places: []string{}}
	if frozen, ok := done.(*record.PaymentFrozen); ok {
		for _, place := range frozen.Places {
			view.Places = append(view.Places, place.String())
		}
	}
	return view
}

// Gather implements Gatherer.
func (c FreezePayment) Gather(ctx context.Context, from Sources) (Command, error) {
	if len(c.Places) > 0 {
		return c, nil // They are named already.
	}
	var err error
	c.Places, err = PlacesOf(ctx, from, c.Serials)
	return c, err
}

// PlacesOf returns where the tickets and papers of some serials stand. There is one at least.
func PlacesOf(ctx context.Context, from Sources, serials []string) ([]record.Place, error) {
	if len(serials) == 0 {
		return nil, wrong("serials", "have a serial at least")
	}
	var all []record.Place
	for _, serial := range serials {
		place, err := from.Outstanding(ctx, serial)
		if err != nil {
			return nil, err
		}
		all = append(all, place)
	}
	return all, nil
}

// Decide implements Command.
func (c FreezePayment) Decide(s *state.State, e *Env) (Decision, error) {
	series, err := seriesOf(s, e.Series)
	if err != nil {
		return Decision{}, err
	}
	return plain(counter.Freeze(s, c.Places, c.Reason, series.Book.Credit().Quoted(), e.By.Person))
}

// SetAnonymity says whether the winner of a ticket may be named in public.
type SetAnonymity struct {
	Serial    string       `json:"-" path:"serial"`
	Anonymous bool         `json:"anonymous"`
	Ticket    record.Place `json:"-"`
}

// Gather implements Gatherer.
func (c SetAnonymity) Gather(ctx context.Context, from Sources) (Command, error) {
	if c.Serial == "" {
		return c, nil // The ticket is named already.
	}
	var err error
	c.Ticket, err = from.OfTicket(ctx, c.Serial)
	return c, err
}

// Decide implements Command.
func (c SetAnonymity) Decide(_ *state.State, e *Env) (Decision, error) {
	if c.Ticket == (record.Place{}) {
		return Decision{}, &refusal.Refusal{Code: counter.TicketUnknown, Path: "serial",
			Sentence: "There is no such ticket."}
	}
	return plain(&record.AnonymitySet{Ticket: c.Ticket, Anonymous: c.Anonymous, By: e.By.Person}, nil)
}

// SetLimit says up to which amount a venue pays in cash.
type SetLimit struct {
	OfVenue `json:"-"`
	Cents   int64 `json:"cents" doc:"Up to which the venue pays in cash."`
}

// Decide implements Command.
func (c SetLimit) Decide(s *state.State, e *Env) (Decision, error) {
	if c.Cents <= 0 {
		return Decision{}, wrong("cents", "be an amount above zero")
	}
	if _, known := s.Venue(c.Venue); !known {
		return Decision{}, &refusal.Refusal{Code: staff.VenueUnknown, Path: "venue",
			Sentence: "There is no such venue."}
	}
	if err := counter.CheckAuthority(s, e.By.Person); err != nil {
		return Decision{}, err
	}
	limit := money.Amount(c.Cents)
	for series := range s.AllSeries() { // A venue has one limit, whatever it sells.
		if err := counter.CheckCashLimit(series.Book, limit); err != nil {
			return Decision{}, err
		}
	}
	return plain(&record.VenueLimitSet{Venue: c.Venue, Cents: limit, By: e.By.Person},
		counter.CheckLowered(s, c.Venue, limit))
}

// SetCard closes a player card, excludes its holder, or lets the card be used again.
type SetCard struct {
	Card   uint32    `json:"-" path:"card"`
	Status string    `json:"status" enum:"active,excluded,closed"`
	Until  time.Time `json:"until,omitzero" doc:"End of an exclusion; absent for none."`
	Reason string    `json:"reason"`
}

// Decide implements Command.
func (c SetCard) Decide(s *state.State, e *Env) (Decision, error) {
	set := record.CardStatusSet{Card: c.Card, Status: record.CardStatus(c.Status), Reason: c.Reason, By: e.By.Person}
	switch {
	case set.Status == record.CardExcluded && c.Until.IsZero():
		set.Until = record.Forever
	case set.Status == record.CardExcluded:
		set.Until = record.Of(c.Until)
	case set.Status != record.CardActive && set.Status != record.CardClosed:
		return Decision{}, wrong("status", "be active, excluded or closed")
	case !c.Until.IsZero():
		return Decision{}, &refusal.Refusal{Code: keno.FieldConflict, Path: "until",
			Sentence: "Only an exclusion has an end."}
	}
	return plain(counter.SetCardStatus(s, set, e.Now))
}

// RegisterCard gives somebody a player card.
type RegisterCard struct {
	Holder   Customer    `json:"holder" doc:"With a birth date, by which the age is checked."`
	Excluded bool        `json:"excluded,omitempty" doc:"The list of excluded people has the person."`
	Staff    bool        `json:"staff,omitempty" doc:"The person works for the licensee."`
	Details  record.Hash `json:"-"`
}

// Keep implements Keeper.
func (c RegisterCard) Keep(ctx context.Context, r Register, _ Sources) (Command, []record.Hash, error) {
	if _, err := c.born(); err != nil {
		return nil, nil, err
	}
	if r == nil {
		return nil, nil, WithoutRegister()
	}
	var err error
	c.Details, err = r.Keep(ctx, c.Holder, "holder.")
	return c, []record.Hash{c.Details}, err
}

func (c RegisterCard) born() (day.Day, error) {
	born, err := day.Parse(c.Holder.Born)
	if err != nil {
		return born, wrong("holder.born", "be a date such as 1990-01-31")
	}
	return born, nil
}

// Decide implements Command.
func (c RegisterCard) Decide(s *state.State, e *Env) (Decision, error) {
	series, err := seriesOf(s, e.Series)
	if err != nil {
		return Decision{}, err
	}
	born, err := c.born()
	if err != nil {
		return Decision{}, err
	}
	return plain(counter.RegisterCard(s, series.Book, counter.CardApplication{
		Details: c.Details, Born: born, Today: series.Today(e.Now), Excluded: c.Excluded, Staff: c.Staff,
		By: e.By.Person,
	}))
}

// NotifyHolder records that the holder of a card was told of prizes that wait.
type NotifyHolder struct {
	Card    uint32            `json:"-" path:"card"`
	Serials []string          `json:"serials"`
	Tickets []counter.Payment `json:"-"`
}

// Gather implements Gatherer.
func (c NotifyHolder) Gather(ctx context.Context, from Sources) (Command, error) {
	if len(c.Tickets) > 0 {
		return c, nil // They are named already.
	}
	places, err := PlacesOf(ctx, from, c.Serials)
	if err != nil {
		return nil, err
	}
	for _, place := range places {
		ticket, err := from.Won(ctx, place)
		if err != nil {
			return nil, err
		}
		c.Tickets = append(c.Tickets, ticket)
	}
	return c, nil
}

// Decide implements Command.
func (c NotifyHolder) Decide(s *state.State, e *Env) (Decision, error) {
	for i := range c.Tickets {
		c.Tickets[i].Now = e.Now
	}
	return plain(counter.NotifyHolder(s, c.Card, c.Tickets, e.By.Person))
}

// EraseHolder has the register forget the holder of a card that nobody can use any more.
type EraseHolder struct {
	Card    uint32      `json:"-" path:"card"`
	Details record.Hash `json:"-"`
}

// Keep implements Keeper.
func (c EraseHolder) Keep(ctx context.Context, r Register, from Sources) (Command, []record.Hash, error) {
	if r == nil {
		return nil, nil, WithoutRegister() // The record would say what did not happen.
	}
	card, err := from.Card(ctx, c.Card)
	c.Details = card.Details
	return c, nil, err
}

// Forgets implements Eraser.
func (c EraseHolder) Forgets() []record.Hash { return []record.Hash{c.Details} }

// Decide implements Command.
func (c EraseHolder) Decide(s *state.State, e *Env) (Decision, error) {
	return onceErased(counter.EraseHolder(s, record.HolderErased{Card: c.Card, By: e.By.Person}))
}

// onceErased is a decision of one fact, or of none where the register has forgotten already: the
// erasure is then repeated in the register alone.
func onceErased[B any, P interface {
	*B
	record.Body
}](body P, err error) (Decision, error) {
	if err == nil && body == nil {
		return Decision{}, nil
	}
	return plain(body, err)
}

// ErasePayee has the register forget a payee.
type ErasePayee struct {
	Payee Payee `json:"-" path:"hash"`
}

// Keep implements Keeper. A payee of whom the register knows nothing is not erased: the record
// would say what did not happen.
func (c ErasePayee) Keep(ctx context.Context, r Register, _ Sources) (Command, []record.Hash, error) {
	known := false
	if r != nil {
		var err error
		if _, known, err = r.Known(ctx, record.Hash(c.Payee)); err != nil {
			return nil, nil, err
		}
	}
	if !known {
		return nil, nil, &refusal.Refusal{Code: counter.PayeeUnknown, Path: "hash",
			Sentence: "The register has no such payee."}
	}
	return c, nil, nil
}

// Forgets implements Eraser.
func (c ErasePayee) Forgets() []record.Hash { return []record.Hash{record.Hash(c.Payee)} }

// Decide implements Command.
func (c ErasePayee) Decide(s *state.State, e *Env) (Decision, error) {
	return onceErased(counter.ErasePayee(s, record.PayeeErased{Payee: record.Hash(c.Payee), By: e.By.Person}))
}

// Place is where something stands in the journal, as text such as 1:20417.
type Place record.Place

// errPlace says what a place is.
var errPlace = errors.New("a place in the journal, such as 1:20417")

// UnmarshalText implements [encoding.TextUnmarshaler].
func (p *Place) UnmarshalText(text []byte) error {
	place, err := record.ParsePlace(string(text))
	if err != nil {
		return errPlace
	}
	*p = Place(place)
	return nil
}

// HandCheque records that a cheque which was promised was handed over.
type HandCheque struct {
	Cheque Place `json:"-" path:"cheque"`
}

// Decide implements Command.
func (c HandCheque) Decide(s *state.State, e *Env) (Decision, error) {
	return plain(counter.HandCheque(s, record.Place(c.Cheque), e.By.Person))
}

// NameHolidays says which days are public holidays, on which no business is done.
type NameHolidays struct {
	Days []string `json:"days" doc:"Dates, such as 2026-12-25."`
}

// Decide implements Command.
func (c NameHolidays) Decide(s *state.State, e *Env) (Decision, error) {
	var days []day.Day
	for i, text := range c.Days {
		d, err := day.Parse(text)
		if err != nil {
			return Decision{}, wrong(fmt.Sprintf("days[%d]", i), "be a date such as 2026-12-25")
		}
		days = append(days, d)
	}
	return plain(counter.NameHolidays(s, days, e.By.Person))
}

// wrong refuses a value of a field.
func wrong(path, must string) error {
	return &refusal.Refusal{Code: keno.FieldValue, Path: path, Sentence: "The value must " + must + "."}
}
