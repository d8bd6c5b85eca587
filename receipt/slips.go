package receipt

import (
	"fmt"
	"strings"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/core/serial"
	"drawhouse/rulebook"
)

// A Paid is what a payment slip is printed from.
type Paid struct {
	Counter
	Serial string
	Time   time.Time
	Amount money.Amount
	Parts  []PaidPart
	Bonus  *money.Amount // what fell on a ready ticket at random, which may be nothing
}

// PaidPart is what was paid for one game.
type PaidPart struct {
	Game   string // as people know it
	Amount money.Amount
}

// Payment makes the slip of prizes that were paid. The parts are told one by one up
// to a number that fits a slip, and counted beyond.
func Payment(p Paid) (*Slip, error) {
	const mostParts = 40
	s := &Slip{money: p.Money, name: "Payment of ticket " + p.Serial}
	s.headed(p.Counter, "PAYMENT")
	s.fact("Ticket", grouped(p.Serial))
	s.rule()
	rest := money.Amount(0)
	for i, part := range p.Parts {
		if i < mostParts {
			s.pair(plain, "Game "+part.Game, part.Amount.String())
			continue
		}
		var err error
		if rest, err = rest.Add(part.Amount); err != nil {
			return nil, err
		}
	}
	if more := len(p.Parts) - mostParts; more > 0 {
		s.pair(plain, figure.Count(more, "more game"), rest.String())
	}
	if p.Bonus != nil {
		s.pair(plain, "Of it a bonus prize", p.Bonus.String())
	}
	s.pair(large, "PAID", p.Amount.String())
	s.signed(p.Counter, p.Time)
	return s, nil
}

// headed prints the top of a slip.
func (s *Slip) headed(c Counter, what string) {
	s.centre(bold, c.Heading)
	s.centre(plain, c.Venue)
	s.gap()
	s.centre(large, what)
	s.gap()
}

// signed prints the bottom of a slip: where and when.
func (s *Slip) signed(c Counter, at time.Time) {
	s.rule()
	s.fact("Time", printedTime(at))
	s.counter(c)
}

// A Cancelled is what a cancellation slip is printed from.
type Cancelled struct {
	Counter
	Serial  string
	Time    time.Time
	Refund  money.Amount // stakes of games that were not closed
	Carried money.Amount // prizes that were running on
}

// Cancellation makes the slip of a ticket that was given back.
func Cancellation(c Cancelled) (*Slip, error) {
	total, err := c.Refund.Add(c.Carried)
	if err != nil {
		return nil, err
	}
	s := &Slip{money: c.Money, name: "Cancellation of ticket " + c.Serial}
	s.headed(c.Counter, "CANCELLED")
	s.fact("Ticket", grouped(c.Serial))
	s.rule()
	s.pair(plain, "Stakes returned", c.Refund.String())
	if c.Carried != 0 {
		s.pair(plain, "Prizes that ran on", c.Carried.String())
	}
	s.pair(large, "REFUND", total.String())
	s.say(plain,
		"The games that were not closed are cancelled. Prizes of games played before can still be claimed with the ticket.")
	s.signed(c.Counter, c.Time)
	return s, nil
}

// A Transaction is one thing that happened in a customer session. What the customer
// pays in is positive, what goes out to the customer is negative.
type Transaction struct {
	What   string // such as Ticket, Prize, Change receipt
	Serial string
	Amount money.Amount
}

// A CustomerSession is what a summary is printed from.
type CustomerSession struct {
	Counter
	Number       uint32
	Time         time.Time
	Transactions []Transaction
}

// Session makes the summary of a customer session: what was bought, paid and
// returned, and what is left to pay one way or the other (vic-keno-2015
// 2(a).customer-session, tas-keno-2023 1.14).
//
//rule:tas-keno-2023 1.49
func Session(c CustomerSession) (*Slip, error) {
	s := &Slip{money: c.Money, name: fmt.Sprintf("Summary of session %d", c.Number)}
	s.headed(c.Counter, "SUMMARY")
	s.pair(plain, "Session", fmt.Sprint(c.Number))
	s.rule()
	net := money.Amount(0)
	for _, t := range c.Transactions {
		s.pair(plain, t.What, t.Amount.String())
		s.say(plain, grouped(t.Serial))
		var err error
		if net, err = net.Add(t.Amount); err != nil {
			return nil, err
		}
	}
	s.rule()
	switch {
	case net > 0:
		s.pair(large, "TO PAY", net.String())
	case net < 0:
		s.pair(large, "TO YOU", (-net).String())
	default:
		s.pair(large, "EVEN", net.String())
	}
	s.signed(c.Counter, c.Time)
	return s, nil
}

// An Issued is what a change receipt or a voucher is printed from.
type Issued struct {
	Counter
	Book       *rulebook.Book
	Instrument string // id of the rulebook's instrument
	Serial     string
	Amount     money.Amount
	Time       time.Time
	Expires    day.Day // last day; none if it does not expire
	Claim      *serial.ClaimCode
	Duplicate  bool   // printed again
	GameType   string // id of the bet that it pays for; empty for any
}

// Voucher makes a paper that stands for money, with what the rulebook lets its holder
// do with it.
func Voucher(v Issued) (*Slip, error) {
	instrument, ok := v.Book.Instrument(v.Instrument)
	if !ok {
		return nil, fmt.Errorf("receipt: %s has no instrument %q", v.Book.ID(), v.Instrument)
	}
	if v.Serial == "" || v.Amount <= 0 {
		return nil, fmt.Errorf("receipt: a %s needs a serial and an amount", instrument.Name)
	}
	if instrument.Life != nil && !v.Expires.IsValid() {
		return nil, &Missing{"expiry", instrument.Quoted()}
	}
	game := ""
	if v.GameType != "" {
		bet, ok := v.Book.Bet(v.GameType)
		if !ok {
			return nil, fmt.Errorf("receipt: %s has no bet %q", v.Book.ID(), v.GameType)
		}
		game = bet.Name()
	}
	s := &Slip{money: v.Money, name: instrument.Name + " " + v.Serial}
	s.headed(v.Counter, instrument.Name)
	if v.Duplicate {
		s.centre(large, "DUPLICATE")
	}
	s.pair(large, "VALUE", v.Amount.String())
	if v.Expires.IsValid() {
		s.pair(bold, "Good until", v.Expires.String())
	}
	if game != "" {
		s.pair(bold, "Good for", game)
	}
	s.rule()
	s.centre(plain, "Serial")
	s.centre(bold, grouped(v.Serial))
	if fits(v.Serial) {
		s.bars(v.Serial)
	} else {
		s.qr(v.Serial)
	}
	if v.Claim != nil {
		s.claim(*v.Claim)
	}
	for _, term := range terms(v.Book, &instrument) {
		s.say(plain, term)
	}
	s.signed(v.Counter, v.Time)
	return s, nil
}

// terms says what may be done with an instrument: what the rulebook lets its money become, and
// what becomes of it when nobody uses it.
//
//rule:vic-keno-2015 12(d) 13 14(a) 14(c) 23(c) 23(d)
//rule:tas-keno-2023 13.7(b)(ii) 14.2
func terms(book *rulebook.Book, i *rulebook.Instrument) []string {
	all := []string{cashTerm(book, i.ID)}
	if i.PartUse {
		all = append(all, "A part of it may be staked.")
	} else {
		all = append(all, "It is used whole, and no change is given.")
	}
	if !i.LostRefunded() {
		all = append(all, "It is not replaced if it is lost.")
	}
	after := "After its last day"
	if i.FormLife != nil {
		all = append(all, "After its last day it is paid on a claim form alone, up to "+lifeWords(*i.FormLife)+
			" from its issue.")
		after = "After that"
	}
	switch i.ExpiresTo {
	case "prize_fund":
		all = append(all, after+" its value goes to the prize fund.")
	case "treasurer":
		all = append(all, after+" its value goes to the Treasurer.")
	case "forfeited":
		all = append(all, after+" it is worth nothing.")
	}
	return all
}

// cashTerm says whether, where and when an instrument is turned into cash.
func cashTerm(book *rulebook.Book, id string) string {
	origin, _ := book.Origin(id)
	way, ok := origin.Way(rulebook.OriginCash)
	switch {
	case !ok:
		return "It is not turned into cash."
	case way.BoughtHereToday:
		return "It is turned into cash only on the day of issue, by the venue that issued it, for who bought it."
	case len(way.Venues) > 0:
		kinds := make([]string, len(way.Venues))
		for j, kind := range way.Venues {
			kinds[j] = strings.ReplaceAll(string(kind), "_", " ")
		}
		return "It is turned into cash at: " + strings.Join(kinds, ", ") + "."
	}
	return "It is turned into cash at the counter."
}

// lifeWords says how long a time is.
func lifeWords(l rulebook.Life) string {
	var words []string
	for _, part := range []struct {
		n    int
		unit string
	}{{l.Years, "year"}, {l.Months, "month"}, {l.Days, "day"}} {
		if part.n > 0 {
			words = append(words, figure.Count(part.n, part.unit))
		}
	}
	return strings.Join(words, " and ")
}

// A ChequeOrder is what the particulars of a cheque are printed from.
type ChequeOrder struct {
	Counter
	Book   *rulebook.Book
	Payee  string
	Serial string // of the ticket
	Amount money.Amount
	Date   day.Day
	Time   time.Time
}

// Cheque makes the particulars from which a prize cheque is written, with the words
// that must cross it.
//
//rule:vic-keno-2015 21(f)
//rule:tas-keno-2023 13.10 13.8(c)
func Cheque(c ChequeOrder) (*Slip, error) {
	policy := c.Book.Payout()
	switch {
	case c.Payee == "":
		return nil, &Missing{"payee", rulebook.Quoted(policy.ChequeWordsClause)}
	case c.Amount <= 0:
		return nil, fmt.Errorf("receipt: a cheque of %v", c.Amount)
	}
	s := &Slip{money: c.Money, name: "Cheque for ticket " + c.Serial}
	s.headed(c.Counter, "CHEQUE")
	s.fact("Date", c.Date.String())
	s.pair(bold, "Pay", c.Payee)
	s.say(plain, spell(c.Amount))
	s.pair(large, "AMOUNT", c.Amount.String())
	if len(policy.ChequeWords) > 0 {
		s.rule()
		s.centre(plain, "Cross the cheque with two lines and:")
		for _, words := range policy.ChequeWords {
			s.centre(bold, "// "+words+" //")
		}
	}
	s.rule()
	s.fact("For ticket", grouped(c.Serial))
	s.signed(c.Counter, c.Time)
	return s, nil
}

// spell returns an amount in words, as cheques have it.
func spell(a money.Amount) string {
	dollars, cents := a.Cents()/100, a.Cents()%100
	text := words(dollars) + " dollars"
	if dollars == 1 {
		text = "one dollar"
	}
	if cents == 0 {
		return title(text) + " only"
	}
	return title(text) + fmt.Sprintf(" and %02d cents", cents)
}

var (
	small = strings.Fields(
		"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens = strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety")
)

// words returns a number that is not negative in words.
func words(n int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1_000_000_000, "thousand million"}, {1_000_000, "million"}, {1000, "thousand"}, {100, "hundred"}} {
		if n < unit.size {
			continue
		}
		text := words(n/unit.size) + " " + unit.name
		switch rest := n % unit.size; {
		case rest == 0:
			return text
		case rest < 100:
			return text + " and " + words(rest)
		default:
			return text + " " + words(rest)
		}
	}
	switch {
	case n < int64(len(small)):
		return small[n]
	case n%10 == 0:
		return tens[n/10]
	}
	return tens[n/10] + "-" + small[n%10]
}
