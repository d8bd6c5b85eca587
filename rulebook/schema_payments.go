package rulebook

import (
	"slices"

	"drawhouse/core/day"
)

// This file is the part of the schema about money that changes hands: tickets given
// back, what pays for them, how prizes are paid, and what becomes of those that
// nobody fetches.

// Cancellation says when a ticket may be given back.
type Cancellation struct {
	Cite
	SameVenue    bool   `json:"same_venue,omitempty"`
	VenueClause  string `json:"same_venue_clause,omitempty"`
	SameDay      bool   `json:"same_day,omitempty"`
	DayClause    string `json:"same_day_clause,omitempty"`
	TradingHours bool   `json:"trading_hours,omitempty"`
	HoursClause  string `json:"trading_hours_clause,omitempty"`
	// a longer ticket cannot be cancelled once the game after this one has begun; 0 for none
	LastGame       int    `json:"last_game,omitempty"`
	LastGameClause string `json:"last_game_clause,omitempty"`
	// what a holder gets when a rule change voids a ticket
	RuleChange       []string `json:"rule_change,omitempty" words:"refund new_entry"`
	RuleChangeClause string   `json:"rule_change_clause,omitempty"`
	VoucherFirst     bool     `json:"voucher_first,omitempty" retired:"origins say in which order money comes back"`
}

// Tender lists what may pay for tickets, by kind of venue and channel.
type Tender struct {
	Cite
	Venues  []VenueKind `json:"venues,omitempty"` // absent: all
	Channel Channel     `json:"channel"`
	Accept  []string    `json:"accept"` // cash, replay, winnings and ids of instruments
}

// Credit has the clauses by which payment stops on tickets that were not paid for; the venue bears the loss.
type Credit struct {
	Cite
	Freeze      bool   `json:"freeze,omitempty" retired:"payment on an unpaid ticket always stops"`
	VenuePays   bool   `json:"venue_pays,omitempty" retired:"the venue always bears what customers leave unpaid"`
	VenueClause string `json:"venue_pays_clause,omitempty" retired:"the venue always bears what customers leave unpaid"`
}

// VenueKind is the kind of licence that a venue holds.
type VenueKind string

// The kinds of venue.
const (
	VenueClub     VenueKind = "club"
	VenueHotel    VenueKind = "hotel"
	VenueOutlet   VenueKind = "wagering_outlet"
	VenueLicensed VenueKind = "licensed_premises"
	VenueCasino   VenueKind = "casino"
	// VenueCentral is the operator's own counter, which exchanges vouchers.
	VenueCentral VenueKind = "central_site"
)

// VenueKinds returns all kinds of venue.
func VenueKinds() []string { return VenueKind("").words() }

// Payout says how prizes reach people.
type Payout struct {
	Cite
	Period            Life           `json:"period"` // at a venue, from each game's Keno Day
	Methods           []PayoutMethod `json:"methods"`
	CashAtLeast       *Dollars       `json:"cash_at_least,omitempty"` // always available in cash as part payment
	CashAtLeastClause string         `json:"cash_at_least_clause,omitempty"`
	ChequeWords       []string       `json:"cheque_words,omitempty"`
	ChequeWordsClause string         `json:"cheque_words_clause,omitempty"`
	Through           *PayoutThrough `json:"through,omitempty"` // absent: any terminal pays
	// the paper stays with the writer; a run goes on with a linked ticket
	KeepsTicket bool `json:"keeps_ticket,omitempty"`
	Anonymous   bool `json:"anonymous,omitempty" retired:"every winner may stay unnamed"`
}

// BoundsTicket reports whether the method pays so much for a ticket and no more.
func (m *PayoutMethod) BoundsTicket() bool { return m.Of == "ticket" && m.UpTo != nil }

// PayoutThrough says which terminals pay and give back, and whether somebody must have signed
// on there.
type PayoutThrough struct {
	Cite
	Channels       []Channel `json:"channels"`
	Attended       bool      `json:"attended,omitempty"`
	AttendedClause string    `json:"attended_clause,omitempty"`
}

// PayoutMethod is one way to pay and the amounts for which it may, or must, be used.
type PayoutMethod struct {
	Cite
	ID      string  `json:"id" words:"cash change_receipt sst_receipt site_cheque central_voucher cheque transfer player_card"`
	Of      string  `json:"of" words:"session ticket prize"` // the amount that is tested
	Channel Channel `json:"channel,omitempty"`
	// Venues are the kinds of venue that pay so, and in no other way; absent: all that
	// have no ways of their own.
	Venues       []VenueKind `json:"venues,omitempty"`
	Exchange     bool        `json:"exchange,omitempty"` // for vouchers that are exchanged, and nothing else
	From         *Dollars    `json:"from,omitempty"`
	Over         *Dollars    `json:"over,omitempty"`
	UpTo         *Dollars    `json:"up_to,omitempty"`
	VenueLimit   bool        `json:"venue_limit,omitempty"`
	MajorOrClaim bool        `json:"major_or_claim,omitempty"`
	Payee        bool        `json:"payee,omitempty"` // payee details are needed
	PayeeClause  string      `json:"payee_clause,omitempty"`
	Account      bool        `json:"account,omitempty"`   // the payee names an account
	Exclusion    bool        `json:"exclusion,omitempty"` // the exclusion database is checked first
	// ExclusionClause is the clause that asks for the check.
	ExclusionClause string `json:"exclusion_clause,omitempty"`
	WithinHours     int    `json:"within_hours,omitempty"`
}

// Life is a span counted on dates.
type Life struct {
	Cite
	Days   int `json:"days,omitempty"`
	Months int `json:"months,omitempty"`
	Years  int `json:"years,omitempty"`
}

// Last returns the last day of a time that runs from a day.
func (l Life) Last(from day.Day) (day.Day, error) {
	last, err := from.AddMonths(l.Months + 12*l.Years)
	if err != nil {
		return 0, err
	}
	return last.AddDays(l.Days)
}

// Instrument is a paper or card that stands for money.
type Instrument struct {
	Cite
	ID          string `json:"id"`
	Name        string `json:"name"`
	Life        *Life  `json:"life,omitempty"`
	ShorterLife bool   `json:"shorter_life,omitempty"` // a shorter one may be notified at issue
	// FormLife is until when it is paid on a claim form once its life is over, from its
	// issue; absent: it is not.
	FormLife       *Life  `json:"form_life,omitempty"`
	FormLifeClause string `json:"form_life_clause,omitempty"`
	// For says for which types of game it is made out; absent: it pays for any.
	For       *MadeOut `json:"made_out_for,omitempty"`
	ExpiresTo string   `json:"expires_to,omitempty" words:"prize_fund treasurer forfeited"`
	Sold      bool     `json:"sold,omitempty"` // a player may buy one
	// SoldClause is the clause of Sold.
	SoldClause string `json:"sold_clause,omitempty"`
	CashBack   bool   `json:"cash_back,omitempty"` // may be turned into cash
	// CashBackVenues are the kinds of venue that turn it into cash; absent: all.
	CashBackVenues     []VenueKind `json:"cash_back_venues,omitempty"`
	CashBackClause     string      `json:"cash_back_clause,omitempty"`
	PartUse            bool        `json:"part_use,omitempty"`
	RefundSameVenueDay bool        `json:"refund_same_venue_day,omitempty"`
	// Lost says whether one that is lost may be claimed; absent: it may not.
	Lost       string `json:"lost,omitempty" words:"refunded refused"`
	LostClause string `json:"lost_clause,omitempty"`
	// MinimumAge is the age from which a person may be given one; absent: that of players.
	MinimumAge       int    `json:"minimum_age,omitempty"`
	MinimumAgeClause string `json:"minimum_age_clause,omitempty"`
}

// LeastAge returns the age from which a person may be given the instrument, with its clause. Players are of
// the given eligibility.
func (i *Instrument) LeastAge(players Eligibility) (years int, clause string) {
	if i.MinimumAge == 0 {
		return players.MinimumAge, players.Quoted()
	}
	return i.MinimumAge, Quoted(i.MinimumAgeClause)
}

// MadeOut says for which types of game a paper is made out, each for one of them.
type MadeOut struct {
	Cite
	Bets []string `json:"bets"` // by their ids; the first is the one where nobody names another
}

// GameTypes returns the types of game for one of which the paper is made out, by the ids of
// bets; none if it pays for any.
func (i *Instrument) GameTypes() []string {
	if i.For == nil {
		return nil
	}
	return i.For.Bets
}

// GameTypesClause returns the clause by which the paper is made out for a type of game.
func (i *Instrument) GameTypesClause() string {
	if i.For == nil {
		return i.Quoted()
	}
	return i.For.Quoted()
}

// Origin says what money of one origin may leave a customer's session as, besides paying for
// tickets, which the tenders say. The order of the list is the order in which money is spent,
// and in which a ticket gives it back.
type Origin struct {
	Cite
	ID     string  `json:"id"` // cash, chips, prize, or the id of an instrument
	Leaves []Leave `json:"leaves"`
}

// HandsOut says what a kind of terminal can give into the hands of a customer besides tickets:
// means of paying and papers. A kind that is not listed gives all that the rulebook has.
type HandsOut struct {
	Cite
	Channel Channel  `json:"channel"`
	Gives   []string `json:"gives"` // payout methods, and ids of instruments
}

// Leave is one way on which money of an origin may leave. Limits, payees and kinds of
// terminals are those of the payout method with the same name.
type Leave struct {
	Cite
	// As is a payout method, or "same": the paper again, or the card that it came from.
	As     string      `json:"as" words:"same cash change_receipt sst_receipt site_cheque central_voucher cheque transfer player_card"`
	Venues []VenueKind `json:"venues,omitempty"` // absent: all
	// Counts says that it counts against the limits of the method.
	Counts bool `json:"counts,omitempty"`
	// Together says that a prize which was staked and comes back counts together with what
	// left before of the sessions in which it was there.
	Together bool `json:"together,omitempty"`
	// Keeps is what a paper keeps that is given for an earlier one.
	Keeps []string `json:"keeps,omitempty" words:"life game_type"`
	// BoughtHereToday says that only who bought the paper is paid so, where and on the day it
	// was bought.
	BoughtHereToday bool `json:"bought_here_today,omitempty"`
	// StakeByCard says that only a prize is paid so whose stakes the card has paid.
	StakeByCard bool `json:"stake_by_card,omitempty"`
}

// Same is the name of the way on which money goes back to what it was.
const Same = "same"

// Way returns the way on which money of the origin leaves as something, if it may.
func (o *Origin) Way(as string) (Leave, bool) {
	for _, l := range o.Leaves {
		if l.As == as {
			return l, true
		}
	}
	return Leave{}, false
}

// At reports whether the way is open at a kind of venue.
func (l *Leave) At(venue VenueKind) bool {
	return len(l.Venues) == 0 || slices.Contains(l.Venues, venue)
}

// LostRefunded reports whether a paper that is lost may be claimed.
func (i *Instrument) LostRefunded() bool { return i.Lost == "refunded" }

// Claims says how a claim without a readable ticket is decided.
type Claims struct {
	Cite
	Form       string      `json:"form"`
	Signatures []Signature `json:"signatures"`
	PaidBy     []string    `json:"paid_by" words:"cash cheque transfer"`
	// PaidByClause is the clause that says how claims are paid.
	PaidByClause string `json:"paid_by_clause,omitempty"`
	// WithOriginal are further ways of paying a claim that the ticket came with.
	WithOriginal       []string `json:"with_original,omitempty" words:"cash cheque transfer"`
	WithOriginalClause string   `json:"with_original_clause,omitempty"`
	// Mail says that a ticket may be sent in, with the form.
	Mail       bool   `json:"registered_mail,omitempty"`
	MailClause string `json:"registered_mail_clause,omitempty"`
	// MailDetails are what a person who sends a ticket in says of themselves.
	MailDetails *MailDetails `json:"mail_details,omitempty"`
	Copies      bool         `json:"copies_to_inspector,omitempty"`
	// CopiesClause is the clause that gives the inspector copies.
	CopiesClause string `json:"copies_to_inspector_clause,omitempty"`
}

// MailDetails are the parts of a claimant's details that a clause asks for.
type MailDetails struct {
	Cite
	Parts []string `json:"parts" words:"name address born phone letter"`
}

// Signature is one that a claim needs from an amount on.
type Signature struct {
	Cite
	Role string   `json:"role" words:"licensee operator casino_operator state_wide_gaming_operative commission inspector"`
	From *Dollars `json:"from,omitempty"`
}

// Unclaimed is what happens to a prize when a span has passed since its Keno Day.
type Unclaimed struct {
	Cite
	After Life   `json:"after"`
	Then  string `json:"then" words:"claim_form treasurer lapsed"`
}
