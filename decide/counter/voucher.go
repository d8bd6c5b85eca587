package counter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which papers are refused.
const (
	PaperKindUnknown  refusal.Code = "paper_kind"       // the rulebook has no such paper
	PaperNotSold      refusal.Code = "paper_not_sold"   // such papers are not bought
	PaperNotGiven     refusal.Code = "paper_not_given"  // such papers are not given away
	PaperLifeTooLong  refusal.Code = "paper_life"       // the time is longer than the rulebook's
	PaperOver         refusal.Code = "paper_over"       // its time is over
	PaperNotTaken     refusal.Code = "paper_not_taken"  // it is not accepted here
	PaperNotGivenBack refusal.Code = "paper_not_back"   // it cannot be given back, or not here and now
	PaperAmountWrong  refusal.Code = "paper_amount"     // the amount cannot be
	PaperTypeUnknown  refusal.Code = "paper_type"       // it is not made out for such a type of game
	PaperTypeOther    refusal.Code = "paper_type_other" // it is for another type of game than the tickets
	ClaimCodeMissing  refusal.Code = "claim_missing"    // a paper needs a claim code
)

// MaxMoved bounds what moves at a time by paper, card or bank. No rule asks for it: it
// keeps one wrong request from filling an account to where it overflows, which would
// stop the house.
const MaxMoved money.Amount = 100_000_000_00

// PaperOrder asks to issue one paper.
type PaperOrder struct {
	Request record.Request
	Now     record.Time
	Series  uint8
	ID      string
	Cents   money.Amount
	Claim   record.Hash
	Reason  record.IssueReason
	For     record.Place
	// Replaces is the earlier paper whose money the paper gives back; the zero place for none.
	Replaces record.Place
	// Days is a shorter time than the rulebook's, announced with the paper; 0 for none.
	Days int
	// InSession says that it is settled at the end of the session.
	InSession bool
	// LastDay and Kept are the life of the paper that this one is given for; the zero day for
	// none.
	LastDay, Kept day.Day
	// GameType is the type of game that it is for; empty for the first that the rulebook names.
	GameType string
	// Payee commits to whom the paper names; the zero hash for nobody.
	Payee record.Hash
	// Approval is what two persons have agreed on, for a paper at the operator's expense.
	Approval uint32
}

// IssuePaper issues a paper: bought at its face value, given in place of cash, or at the
// operator's expense.
//
//rule:vic-keno-2015 12(a) 14(b) 2(a).change-receipt 2(a).gift-voucher 2(a).prepaid-voucher
func IssuePaper(s *state.State, o PaperOrder) (*record.InstrumentIssued, []ledger.Posting, error) {
	terminal, series, err := sellerOf(s, o.Request.Terminal, o.Series)
	if err != nil {
		return nil, nil, err
	}
	paper, unit, err := paperKind(series.Book, o.ID)
	if err != nil {
		return nil, nil, err
	}
	sold := cmp.Or(rulebook.Quoted(paper.SoldClause), paper.Quoted())
	single := o.Reason == record.IssuedByOperator || o.Reason == record.IssuedForMoney && !o.InSession
	switch {
	case o.Reason == record.IssuedForMoney && !paper.Sold && !ownReceipt(series.Book, terminal.Channel, o.ID):
		return nil, nil, refuse(PaperNotSold, paper.Quoted(), "paper", "A %s is not bought.", paper.Name)
	case o.Reason == record.IssuedByOperator && turnsIntoMoney(series.Book, o.ID):
		return nil, nil, refuse(PaperNotGiven, sold, "kind",
			"A %s is for money that was paid, and can be turned into money. It is not given away.", paper.Name)
	case o.Cents <= 0 || o.Cents > MaxMoved:
		return nil, nil, refuse(PaperAmountWrong, sold, "cents", "A %s cannot be of %v.", paper.Name, o.Cents)
	case o.Claim == (record.Hash{}):
		return nil, nil, refuse(ClaimCodeMissing, "", "claims", "A %s needs a claim code.", paper.Name)
	}
	if err := checkOpen(&terminal, series, !single, ""); err != nil {
		return nil, nil, err
	}
	o.GameType, err = paperType(series.Book, &paper, o)
	if err != nil {
		return nil, nil, err
	}
	today := series.Today(o.Now)
	last, kept, err := PaperLife(&paper, today, o.Days)
	if err != nil {
		return nil, nil, err
	}
	if o.LastDay != 0 {
		last, kept = o.LastDay, o.Kept
	}
	issued := &record.InstrumentIssued{
		Request: o.Request, Session: terminal.NextSession(), Series: o.Series, ID: o.ID, Cents: o.Cents,
		Day: today, LastDay: last, Kept: kept, Claim: o.Claim, Reason: o.Reason, For: o.For, GameType: o.GameType,
	}
	if o.Replaces != (record.Place{}) {
		issued.Replaces = []record.Place{o.Replaces}
	}
	if o.Payee != (record.Hash{}) {
		issued.Particulars = o.Payee[:]
	}
	from := ledger.Debit(ledger.Customer, terminal.ID, o.Cents)
	switch {
	case o.Reason == record.IssuedByOperator:
		from = ledger.Debit(ledger.Operator, 0, o.Cents)
	case single:
		from = ledger.Debit(ledger.Cash, terminal.Venue, o.Cents)
		issued.Tenders = []record.Tender{{Kind: record.TenderCash, Cents: o.Cents}}
	}
	return issued, ledger.Merge(from, ledger.Credit(ledger.Instruments, unit, o.Cents)), nil
}

// paperType returns the type of game for which a paper is made out: the one that is asked for,
// the one of the paper that it replaces, or the first that the rulebook names. A voucher from
// before rulebooks named types is for any, and so is what replaces it.
//
//rule:vic-keno-2015 2(a).gift-voucher 2(a).prepaid-voucher
func paperType(book *rulebook.Book, paper *rulebook.Instrument, o PaperOrder) (string, error) {
	if o.Reason == record.IssuedAsRefund {
		return o.GameType, nil
	}
	switch asked := GameTypeOf(paper, o.GameType); {
	case asked == "" || slices.Contains(paper.GameTypes(), asked):
		return asked, nil
	case len(paper.GameTypes()) == 0:
		return "", refuse(PaperTypeUnknown, paper.Quoted(), "game_type",
			"A %s is for no type of game in particular.", paper.Name)
	}
	return "", refuse(PaperTypeUnknown, paper.GameTypesClause(), "game_type",
		"A %s is for %s.", paper.Name, typeNames(book, paper.GameTypes(), " or for "))
}

// GameTypeOf returns the type of game that a kind of paper is for where one is asked for, or none.
func GameTypeOf(paper *rulebook.Instrument, asked string) string {
	if asked == "" && len(paper.GameTypes()) > 0 {
		return paper.GameTypes()[0]
	}
	return asked
}

// typeNames names types of game as players know them.
func typeNames(book *rulebook.Book, types []string, joined string) string {
	names := make([]string, len(types))
	for i, id := range types {
		names[i] = id
		if bet, ok := book.Bet(id); ok {
			names[i] = bet.Name()
		}
	}
	return strings.Join(names, joined)
}

// turnsIntoMoney reports whether a paper may leave as something else than it is, other than to
// who bought it: a receipt for money. Nobody has paid for one that the operator gives.
//
//rule:vic-keno-2015 2(a).change-receipt 14(b)
//rule:tas-keno-2023 1.59
func turnsIntoMoney(book *rulebook.Book, id string) bool {
	origin, _ := book.Origin(id)
	return slices.ContainsFunc(origin.Leaves,
		func(l rulebook.Leave) bool { return l.As != rulebook.Same && !l.BoughtHereToday })
}

// paperKind returns a kind of paper and its unit in the ledger.
func paperKind(book *rulebook.Book, id string) (rulebook.Instrument, uint32, error) {
	paper, ok := book.Instrument(id)
	if !ok || !IsPaper(id) {
		return rulebook.Instrument{}, 0, refuse(PaperKindUnknown, "", "paper",
			"There is no paper %q in these rules.", id)
	}
	unit, _ := ledger.Paper(id)
	return paper, unit, nil
}

// IsPaper reports whether what a rulebook takes for money is a paper that terminals issue.
// A card is none, and chips have no serial.
func IsPaper(id string) bool {
	_, has := ledger.Paper(id)
	return has && id != PlayerCard
}

// PaperLife returns the last day on which a paper of a day can be used, and the last on
// which its money is kept for it: a shorter time that was announced ends the use, and
// not the keeping. Where a claim form serves a paper whose time is over, its money is
// kept as long as that.
//
//rule:vic-keno-2015 12(c) 12(d) 13 14(a) 14(c) 22(c)
//rule:tas-keno-2023 14.2
func PaperLife(paper *rulebook.Instrument, issued day.Day, days int) (last, kept day.Day, err error) {
	if paper.Life == nil {
		return 0, 0, nil
	}
	if last, err = paper.Life.Last(issued); err == nil {
		kept = last
		if paper.FormLife != nil {
			kept, err = paper.FormLife.Last(issued)
		}
	}
	if err != nil {
		return 0, 0, fmt.Errorf("counter: the life of a %s of %v: %w", paper.ID, issued, err)
	}
	if days == 0 {
		return last, kept, nil
	}
	shorter, err := issued.AddDays(days)
	if err != nil || days < 0 || shorter > last || !paper.ShorterLife {
		return 0, 0, refuse(PaperLifeTooLong, paperLifeClause(paper), "days",
			"A %s cannot be good for %s.", paper.Name, figure.Count(days, "day"))
	}
	return shorter, kept, nil
}

// Redemption is a paper that its holder presents.
type Redemption struct {
	Paper  state.Paper
	Accept []string // what pays for tickets here
	Clause string   // that says so
	Venue  uint32
	Kind   rulebook.VenueKind
	Today  day.Day
	Refund bool // the buyer gives it back
	NoCash bool // the terminal hands out no cash
	Sale   bool // tickets were sold in the session
}

// Exchanged reports whether only some kinds of venue turn a paper into money.
func Exchanged(book *rulebook.Book, id string) bool {
	origin, _ := book.Origin(id)
	way, ok := origin.Way(rulebook.OriginCash)
	return ok && len(way.Venues) > 0
}

// CheckRedemption says whether a paper is taken. One that may be turned into cash is taken
// wherever that is done.
//
//rule:vic-keno-2015 11(a)(ii) 11(a)(iii) 12(c) 13 14(a) 23(d)
//rule:tas-keno-2023 1.59 12.1(a) 12.1(b) 13.7(b)(ii)
func CheckRedemption(book *rulebook.Book, u Redemption) error {
	paper, ok := book.Instrument(u.Paper.ID)
	if !ok {
		return refuse(PaperKindUnknown, "", "paper", "There is no paper %q in these rules.", u.Paper.ID)
	}
	origin, _ := book.Origin(paper.ID)
	cash, turns := origin.Way(rulebook.OriginCash)
	bought := u.Paper.Venue == u.Venue && u.Paper.Day == u.Today && u.Paper.Reason == record.IssuedForMoney
	switch {
	case u.Paper.LastDay != 0 && u.Today > u.Paper.LastDay:
		return refuse(PaperOver, paperLifeClause(&paper), "serial",
			"The %s was good until %v.", paper.Name, u.Paper.LastDay)
	case u.Refund && u.NoCash:
		return refuse(PaperNotGivenBack, lastCited(paper.Clause), "serial",
			"A %s is given back for cash, and this terminal hands out none. Go to a writer's terminal.", paper.Name)
	case u.Refund && !(turns && cash.BoughtHereToday && bought):
		return refuse(PaperNotGivenBack, lastCited(paper.Clause), "serial",
			"A %s is given back only where and on the day it was bought.", paper.Name)
	case u.Refund || slices.Contains(u.Accept, paper.ID):
		return nil
	case turns && !cash.BoughtHereToday && u.NoCash:
		return refuse(PaperNotTaken, cash.Quoted(), "serial",
			"A %s is turned into cash, and this terminal hands out none. Go to a writer's terminal.", paper.Name)
	case turns && !cash.BoughtHereToday && !leaves(origin, u.Kind):
		return refuse(PaperNotTaken, cash.Quoted(), "serial", "A %s is not turned into cash here.", paper.Name)
	case u.Sale || !leaves(origin, u.Kind):
		return refuse(PaperNotTaken, u.Clause, "serial", "A %s does not pay for tickets here.", paper.Name)
	}
	return nil
}

// leaves reports whether a kind of venue turns a paper into something else.
func leaves(origin rulebook.Origin, venue rulebook.VenueKind) bool {
	return slices.ContainsFunc(origin.Leaves, func(l rulebook.Leave) bool {
		return l.As != rulebook.Same && !l.BoughtHereToday && l.At(venue)
	})
}

func paperLifeClause(paper *rulebook.Instrument) string {
	if paper.Life != nil && paper.Life.Clause != "" {
		return paper.Life.Quoted()
	}
	return paper.Quoted()
}

// expireAtOnce is how many papers one record of an expiry holds.
const expireAtOnce = 1000

// PaperExpiry is a record of papers whose time is over, with its postings.
type PaperExpiry struct {
	Record   *record.InstrumentsExpired
	Postings []ledger.Posting
}

// ExpirePapers takes the money of papers that nobody has used in time to where the rulebook
// says: to the prize fund, to the Treasurer, or to the operator.
//
//rule:vic-keno-2015 12(d) 13 14(c)
//rule:tas-keno-2023 14.1 14.2
func ExpirePapers(s *state.State, series *state.Series, today day.Day) []PaperExpiry {
	var all []PaperExpiry
	for _, paper := range series.Book.Instruments() {
		unit, ok := ledger.Paper(paper.ID)
		to, known := expiryAccounts[paper.ExpiresTo]
		if !ok || !known {
			continue
		}
		var list []record.Expired
		var sum money.Amount
		flush := func() {
			if len(list) > 0 {
				all = append(all, PaperExpiry{
					&record.InstrumentsExpired{Series: series.ID, Day: today, ID: paper.ID, To: paper.ExpiresTo,
						List: list},
					ledger.Merge(ledger.Debit(ledger.Instruments, unit, sum), ledger.Credit(to, 0, sum)),
				})
			}
			list, sum = nil, 0
		}
		for _, p := range s.Papers() {
			if p.ID != paper.ID || p.Series != series.ID || p.Kept == 0 || today <= p.Kept ||
				s.UnderClaim(p.Place) != 0 {
				continue
			}
			if s.Guarded() && s.Unsettled(p.Place) != 0 {
				continue // Nobody has paid for it yet, and the session that has sold it takes it back.
			}
			sum += p.Cents // What all papers stand for is in one account, so that a part of it fits.
			if list = append(list, record.Expired{Instrument: p.Place, Cents: p.Cents}); len(list) == expireAtOnce {
				flush()
			}
		}
		flush()
	}
	return all
}

// expiryAccounts are the accounts to which the money of papers goes.
var expiryAccounts = map[string]ledger.Account{
	"prize_fund": ledger.PrizeFund, "treasurer": ledger.Treasurer, "forfeited": ledger.Forfeited,
}
