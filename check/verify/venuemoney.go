package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// mostAnswers is how many answers of banks about direct debits count for a venue: the newest. What was paid longer ago
// is not called back.
const mostAnswers = 64

// mostPayments is how many payments of a venue, and of a series to the State, can be reversed, or make a reference one
// that is taken: the newest. mostSettled is how many paid statements of a venue can be owed again.
const (
	mostPayments = 128
	mostSettled  = 64
)

// mostAhead is how many days ahead of a file a bank collects at most.
const mostAhead = 14

// venueBooks are the accounts between the operator and its venues, worked out from the records alone.
type venueBooks struct {
	of       map[uint32]*venueBook
	today    day.Day         // the newest Keno Day of all series
	due      map[uint32]bool // venues whose statement must come before any other record
	creditor *record.CreditorNamed
	mark     string // of the house, in the ids of files of direct debits
	files    uint32
	coming   []saidAnswer // of a bank, on which two persons agreed and which the next records take in, in this order
}

// venueBook is the account of one venue.
type venueBook struct {
	agreed   []*record.VenueAgreed // as they came
	counting bool                  // the first day of the first agreement has come
	since    venueWork             // since the last statement
	last     record.VenueStated
	debts    []*venueDebt // by statement
	settled  []*venueDebt // that were paid, by statement: the newest
	answers  []venueAnswer
	payments []venuePayment // that people have recorded, the newest
}

// venuePayment is a payment of a venue, or to it.
type venuePayment struct {
	at        uint64
	slip      bool // of cash, and not of the bank
	cents     money.Amount
	reference string
	reversed  bool
}

// venueWork is what was done at a venue, and what it has paid.
type venueWork struct{ sold, back, papers, prizes, refunds, fees, feesBack, received money.Amount }

// venueDebt is a statement that was not paid when it was looked at last.
type venueDebt struct {
	number   uint32
	due      day.Day
	cents    money.Amount
	file     uint32       // that collects it, and asked is for how much
	asked    money.Amount // by that file
	returned bool
}

// venueAnswer is what a bank said of a direct debit.
type venueAnswer struct {
	file, number uint32
	due          day.Day
	cents        money.Amount
	paid         bool
	withdrawn    bool // by the house, and the bank has not answered
}

// begins returns the first day of the first agreement.
func (v *venueBook) begins() day.Day {
	first := v.agreed[0].From
	for _, a := range v.agreed {
		first = min(first, a.From)
	}
	return first
}

// first returns the first day of the next statement.
func (v *venueBook) first() day.Day {
	if v.last.Number > 0 {
		return v.last.To + 1
	}
	return v.begins()
}

// terms returns the agreement of the next statement: the newest that has begun by its first day. It is nil before
// the first.
func (v *venueBook) terms() (found *record.VenueAgreed) {
	for _, a := range v.agreed {
		if a.From <= v.first() {
			found = a
		}
	}
	return found
}

// venueAgreed checks an agreement: it begins on a day that has not opened, and an account with a mandate can be one.
func (c *checker) venueAgreed(b *record.VenueAgreed) error {
	if _, ok := c.venues[b.Venue]; !ok || b.From <= c.money.today {
		return fault(CheckHouse, "an agreement with venue %d begins on %v, and there is no such venue or day", b.Venue, b.From)
	}
	if b.Mandate != "" && !isAccount(b.Account) {
		return fault(CheckHouse, "the account %q of venue %d cannot be one", b.Account, b.Venue)
	}
	if b.TaxRate > 0 && !slices.Contains([]string{"floor", "ceil", "half-up", "half-even"}, b.TaxRounding) {
		return fault(CheckHouse, "the tax on the commission of venue %d is rounded by %q", b.Venue, b.TaxRounding)
	}
	if c.money.of == nil {
		c.money.of = map[uint32]*venueBook{}
	}
	v := c.money.of[b.Venue]
	if v == nil {
		v = new(venueBook)
		c.money.of[b.Venue] = v
	}
	v.agreed = append(v.agreed, b)
	return nil
}

// isAccount reports whether a text can be an account. The check digits of an IBAN, which begins with letters, make the
// whole number leave 1 when it is divided by 97.
func isAccount(text string) bool {
	if len(text) < 4 || len(text) > 34 {
		return false
	}
	left := uint64(0)
	for i := range len(text) {
		ch := text[(i+4)%len(text)]
		switch {
		case ch >= '0' && ch <= '9':
			left = (10*left + uint64(ch) - '0') % 97
		case ch >= 'A' && ch <= 'Z':
			left = (100*left + uint64(ch) - 'A' + 10) % 97
		default:
			return false
		}
	}
	return text[0] <= '9' || left == 1
}

// venuesOpen takes in that a Keno Day opens: the statements of the weeks that have ended must come at once.
func (c *checker) venuesOpen(today day.Day) {
	c.money.today = max(c.money.today, today)
	c.money.due = nil
	for id, v := range c.money.of {
		v.counting = v.counting || v.begins() <= c.money.today
		if terms := v.terms(); terms != nil && weekEnd(v.first(), today, terms.WeekEnds) != day.None {
			if c.money.due == nil {
				c.money.due = map[uint32]bool{}
			}
			c.money.due[id] = true
		}
	}
}

// weekEnd returns the last weekday of a kind from a first day on and before another day, or no day.
func weekEnd(first, before day.Day, weekday uint8) (last day.Day) {
	year, month, dom := first.Date()
	ahead := (int(weekday) - int(time.Date(year, time.Month(month), dom, 0, 0, 0, 0, time.UTC).Weekday()) + 7) % 7
	for d := first + day.Day(ahead); d < before; d += 7 {
		last = d
	}
	return last
}

// checkStated checks that all statements come that are due as a Keno Day opens, behind what else the day ends.
func (c *checker) checkStated(body record.Body) error {
	if len(c.money.due) == 0 || turnOf(body) <= turnStatements {
		return nil
	}
	return fault(CheckPayments,
		"the week of %d venues was over as the day began, and the next record is not the statement of venue %d",
		len(c.money.due), slices.Min(slices.Collect(maps.Keys(c.money.due))))
}

// venueStated works a statement out again.
func (c *checker) venueStated(b *record.VenueStated) (postings, error) {
	v := c.money.of[b.Venue]
	if v == nil || !c.money.due[b.Venue] || b.Venue != slices.Min(slices.Collect(maps.Keys(c.money.due))) {
		return nil, fault(CheckPayments, "a statement of venue %d, of which none is due", b.Venue)
	}
	delete(c.money.due, b.Venue)
	terms := v.terms()
	var takings money.Amount
	for _, a := range []ledger.Account{ledger.Cash, ledger.Safe, ledger.Chips, ledger.SiteCheques, ledger.VenueLosses,
		ledger.OverShort, ledger.VenueFunds} {
		takings += c.books.account(a, b.Venue).balance
	}
	owed := c.books.account(ledger.VenueAccount, b.Venue).balance
	to := weekEnd(v.first(), c.money.today, terms.WeekEnds)
	commission := max(floorPart(v.since.sold-v.since.back, terms.SalesRate)+floorPart(v.since.prizes, terms.PrizesRate)+
		floorPart(v.since.fees-v.since.feesBack, terms.FeesRate), terms.LeastCents)
	tax := taxOn(commission, terms.TaxRate, terms.TaxRounding)
	rest, madeUp := takings-commission-tax, money.Amount(0)
	if terms.FloorCents > rest && terms.FloorCents != 0 {
		madeUp, rest = terms.FloorCents-rest, terms.FloorCents
	}
	right := record.VenueStated{
		Venue: b.Venue, Number: v.last.Number + 1, From: v.first(), To: to, Due: to + day.Day(terms.DaysToPay),
		SoldCents: v.since.sold, BackCents: v.since.back, PapersCents: v.since.papers, PrizesCents: v.since.prizes,
		RefundsCents: v.since.refunds, FeesCents: v.since.fees, FeesBackCents: v.since.feesBack, TakingsCents: takings,
		CommissionCents: commission, TaxCents: tax, FloorCents: madeUp,
		OpeningCents: v.last.ClosingCents, ReceivedCents: v.since.received, ClosingCents: owed + rest,
	}
	if b.Due == right.Due && b.Due < c.money.today {
		if err := c.newer(fault(CheckPayments, "statement %d of venue %d is due on %v, before the day on which it was made",
			b.Number, b.Venue, b.Due)); err != nil {
			return nil, err
		}
	} else {
		right.Due = max(right.Due, c.money.today)
	}
	if *b != right {
		return nil, fault(CheckPayments, "statement %d of venue %d is %v, and %v is right", b.Number, b.Venue, *b, right)
	}
	v.last, v.since = *b, venueWork{}
	if rest > 0 {
		v.debts = append(v.debts, &venueDebt{number: b.Number, due: b.Due, cents: rest})
	}
	v.forget(owed + rest)
	return postings{ledger.Debit(ledger.VenueAccount, b.Venue, rest), ledger.Credit(ledger.VenueFunds, b.Venue, takings),
		ledger.Debit(ledger.Commission, b.Venue, commission), ledger.Debit(ledger.CommissionTax, b.Venue, tax),
		ledger.Credit(ledger.Guarantees, b.Venue, madeUp)}, nil
}

// taxOn returns so many basis points of a commission, which is not below nothing, in whole cents.
func taxOn(commission money.Amount, rate uint16, rounding string) money.Amount {
	down := floorPart(commission, rate)
	twice := 2 * (commission % 10_000 * money.Amount(rate) % 10_000) // of the part of a cent, in ten-thousandths
	up := false
	switch rounding {
	case "ceil":
		up = twice > 0
	case "half-up":
		up = twice >= 10_000
	case "half-even":
		up = twice > 10_000 || twice == 10_000 && down%2 != 0
	}
	if up {
		return down + 1
	}
	return down
}

// floorPart returns so many basis points of an amount, rounded down to a whole cent.
func floorPart(cents money.Amount, rate uint16) money.Amount {
	whole, rest := cents/10_000, cents%10_000
	if rest < 0 {
		whole, rest = whole-1, rest+10_000
	}
	return whole*money.Amount(rate) + rest*money.Amount(rate)/10_000
}

// lefts returns what is left of each debt when a venue owes so much in all. It has paid first what no file collects,
// from the oldest debt on, and then what files collect.
func (v *venueBook) lefts(owes money.Amount) []money.Amount {
	left, paid := make([]money.Amount, len(v.debts)), -owes
	for i, d := range v.debts {
		left[i] = max(d.cents, d.asked)
		paid += left[i]
	}
	for _, collected := range []bool{false, true} {
		for i, d := range v.debts {
			most := left[i]
			if !collected {
				most -= d.asked
			}
			part := min(paid, most)
			left[i], paid = left[i]-part, paid-part
		}
	}
	return left
}

// forget drops the debts that are paid and that no file collects.
func (v *venueBook) forget(owes money.Amount) {
	left, kept := v.lefts(owes), []*venueDebt(nil)
	for i, d := range v.debts {
		if left[i] > 0 || d.file > 0 {
			kept = append(kept, d)
			continue
		}
		d.returned = false
		v.settled = append(v.settled, d)
	}
	v.debts = kept
	slices.SortFunc(v.settled, func(a, b *venueDebt) int { return int(a.number) - int(b.number) })
	v.settled = v.settled[max(0, len(v.settled)-mostSettled):]
}

// unsettle makes debts that were paid unpaid again, the newest first, as far as what the venue owes is more than what
// its debts come to.
func (v *venueBook) unsettle(owes money.Amount) {
	for len(v.settled) > 0 {
		var sum money.Amount
		for _, d := range v.debts {
			sum += d.cents
		}
		if sum >= owes {
			return
		}
		last := len(v.settled) - 1
		v.debts = append(v.debts, v.settled[last])
		v.settled = v.settled[:last]
		slices.SortFunc(v.debts, func(a, b *venueDebt) int { return int(a.number) - int(b.number) })
	}
}

// sameReference reports whether two texts are one reference, without what nobody sees, and whatever the case and the
// width of their letters.
func sameReference(a, b string) bool {
	seen := func(text string) string {
		return strings.Join(strings.FieldsFunc(norm.NFKC.String(text), func(ch rune) bool {
			return unicode.IsSpace(ch) || unicode.IsControl(ch) || unicode.Is(unicode.Cf, ch)
		}), "")
	}
	return strings.EqualFold(seen(a), seen(b))
}

// takePayment takes in a payment that people record for a venue. Its reference is new among those of its kind that were
// not reversed.
func (c *checker) takePayment(v *venueBook, p venuePayment) error {
	for _, other := range v.payments {
		if !other.reversed && other.slip == p.slip && sameReference(other.reference, p.reference) {
			if err := c.newer(fault(CheckHouse, "a payment with the reference %q is taken in, and record %v has taken it in",
				p.reference, placeOf(other.at))); err != nil {
				return err
			}
			break
		}
	}
	p.at = c.here()
	v.payments = append(v.payments, p)
	v.payments = v.payments[max(0, len(v.payments)-mostPayments):]
	return nil
}

// checkVenuePays checks that a venue sells nothing while it has missed a payment, if its agreement says so.
func (c *checker) checkVenuePays(id uint32) error {
	v := c.money.of[id]
	if v == nil || v.terms() == nil || !v.terms().Stops {
		return nil
	}
	left := v.lefts(c.books.account(ledger.VenueAccount, id).balance)
	for i, d := range v.debts {
		if left[i] > 0 && (d.returned || d.due < c.money.today && d.file == 0) {
			return fault(CheckRequests, "venue %d sells, and %v of its statement %d, due on %v, are not paid", id, left[i],
				d.number, d.due)
		}
	}
	return nil
}

// countVenue counts what a record did at a venue with an agreement, and what the venue has paid by it.
func (c *checker) countVenue(r record.Record) {
	if len(c.money.of) == 0 {
		return
	}
	if _, statement := r.Body.(*record.VenueStated); !statement {
		for _, p := range r.Postings {
			if v := c.money.of[p.Unit]; p.Account == ledger.VenueAccount && v != nil {
				v.since.received -= p.Cents
				v.forget(c.books.account(ledger.VenueAccount, p.Unit).balance)
				if _, back := r.Body.(*record.VenuePaymentReversed); back {
					v.unsettle(c.books.account(ledger.VenueAccount, p.Unit).balance)
				}
			}
		}
	}
	c.countFees(r)
	id, ok := r.Counter()
	term := c.terminals[id]
	if !ok || term == nil || c.money.of[term.venue] == nil || !c.money.of[term.venue].counting {
		return
	}
	work := &c.money.of[term.venue].since
	switch b := r.Body.(type) {
	case *record.TicketSold:
		work.sold += b.CostCents
	case *record.TicketCancelled:
		work.back += b.RefundCents + b.CarriedCents
	case *record.InstrumentIssued:
		if b.Reason == record.IssuedForMoney {
			work.papers += b.Cents
		}
	case *record.TicketPaid:
		work.refunds += b.RefundCents
		for _, part := range b.Parts {
			work.prizes += part.Cents
		}
		work.prizes -= b.RefundCents
	}
}

// countFees counts what a record took or gave back of the fees of bingo, by its cash at the venue of the room.
func (c *checker) countFees(r record.Record) {
	var hall uint8
	back := true
	switch b := r.Body.(type) {
	case *record.PlayerEntered:
		hall, back = b.Hall, false
	case *record.EntryUndone:
		hall = b.Session.Hall
	case *record.RefundPaid:
		hall = b.Session.Hall
	default:
		return
	}
	venue := c.halls.venueOf(hall)
	v := c.money.of[venue]
	if v == nil || !v.counting {
		return
	}
	for _, p := range r.Postings {
		switch {
		case p.Account != ledger.Cash:
		case back:
			v.since.feesBack -= p.Cents
		default:
			v.since.fees += p.Cents
		}
	}
}

// cashCarried checks cash that came into the safe of a venue or left it. No more leaves it than it has.
func (c *checker) cashCarried(b *record.CashCarried) (postings, error) {
	if _, ok := c.venues[b.Venue]; !ok {
		return nil, fault(CheckHouse, "there is no venue %d", b.Venue)
	}
	if safe := c.books.account(ledger.Safe, b.Venue).balance; b.Move != record.CashBrought && b.Cents > safe {
		return nil, fault(CheckHouse, "%v leave the safe of venue %d, which has %v", b.Cents, b.Venue, safe)
	}
	if v := c.money.of[b.Venue]; v != nil {
		if err := c.takePayment(v, venuePayment{slip: true, cents: b.Cents, reference: b.Reference}); err != nil {
			return nil, err
		}
	}
	switch b.Move {
	case record.CashBrought:
		return postings{ledger.Debit(ledger.Safe, b.Venue, b.Cents), ledger.Credit(ledger.VenueFunds, b.Venue, b.Cents)}, nil
	case record.CashTaken:
		return postings{ledger.Debit(ledger.VenueFunds, b.Venue, b.Cents), ledger.Credit(ledger.Safe, b.Venue, b.Cents)}, nil
	}
	if c.money.of[b.Venue] == nil {
		return nil, fault(CheckHouse, "cash of venue %d is banked for its account, and it has no agreement", b.Venue)
	}
	return postings{ledger.Debit(ledger.VenueFunds, b.Venue, b.Cents), ledger.Credit(ledger.Safe, b.Venue, b.Cents),
		ledger.Debit(ledger.Bank, 0, b.Cents), ledger.Credit(ledger.VenueAccount, b.Venue, b.Cents)}, nil
}

func (c *checker) remittanceReceived(b *record.RemittanceReceived) (postings, error) {
	if c.money.of[b.Venue] == nil {
		return nil, fault(CheckHouse, "venue %d remits money, and has no agreement", b.Venue)
	}
	if err := c.takePayment(c.money.of[b.Venue], venuePayment{cents: b.Cents, reference: b.Reference}); err != nil {
		return nil, err
	}
	return postings{ledger.Debit(ledger.Bank, 0, b.Cents), ledger.Credit(ledger.VenueAccount, b.Venue, b.Cents)}, nil
}

// venuePaid checks that no more is paid to a venue than the operator owes it.
func (c *checker) venuePaid(b *record.VenuePaid) (postings, error) {
	v := c.money.of[b.Venue]
	if v == nil {
		return nil, fault(CheckHouse, "venue %d is paid, and has no agreement", b.Venue)
	}
	if owes := c.books.account(ledger.VenueAccount, b.Venue).balance; b.Cents <= 0 || owes > -b.Cents {
		return nil, fault(CheckHouse, "venue %d is paid %v, and its account stands at %v", b.Venue, b.Cents, owes)
	}
	if err := c.takePayment(v, venuePayment{cents: -b.Cents, reference: b.Reference}); err != nil {
		return nil, err
	}
	return postings{ledger.Debit(ledger.VenueAccount, b.Venue, b.Cents), ledger.Credit(ledger.Bank, 0, b.Cents)}, nil
}

// venuePaymentReversed checks that a payment which is taken back was recorded so, and is taken back once.
func (c *checker) venuePaymentReversed(b *record.VenuePaymentReversed) (postings, error) {
	v := c.money.of[b.Venue]
	if v == nil {
		return nil, fault(CheckHouse, "a payment of venue %d is reversed, which has no agreement", b.Venue)
	}
	for i := range v.payments {
		p := &v.payments[i]
		if p.at == flat(b.Of) && !p.slip && !p.reversed && p.cents == b.Cents && p.reference == b.Reference {
			p.reversed = true
			return postings{ledger.Credit(ledger.Bank, 0, b.Cents), ledger.Debit(ledger.VenueAccount, b.Venue, b.Cents)}, nil
		}
	}
	return nil, fault(CheckHouse, "a payment of %v of venue %d with the reference %q is reversed, which record %v is not",
		b.Cents, b.Venue, b.Reference, b.Of)
}

func (c *checker) creditorNamed(b *record.CreditorNamed) error {
	if !isAccount(b.Account) {
		return fault(CheckHouse, "direct debits go to the account %q, which cannot be one", b.Account)
	}
	c.money.creditor = b
	return nil
}

// debitsOrdered checks a file of direct debits: it collects every statement of a venue with a mandate that is not paid
// and that no earlier file collects, for what is left of it.
func (c *checker) debitsOrdered(b *record.DebitsOrdered) error {
	to := c.money.creditor
	switch {
	case b.File != c.money.files+1:
		return fault(CheckHouse, "file %d of direct debits follows file %d", b.File, c.money.files)
	case to == nil || to.Name != b.Name || to.Account != b.Account || to.Creditor != b.Creditor || to.Scheme != b.Scheme:
		return fault(CheckHouse, "direct debits are paid to %s, account %s, on which two persons did not agree", b.Name,
			b.Account)
	}
	known, fits := false, false
	for _, s := range c.series {
		if s == nil || s.rulesNow().book.Currency() != b.Currency {
			continue
		}
		today := localDate(c.now, s.offset)
		if s.dayOpen {
			today = s.day
		}
		known, fits = true, fits || b.Collect > today && b.Collect-mostAhead <= today
	}
	if !known {
		return fault(CheckHouse, "direct debits are in %s, and no series is", b.Currency)
	}
	if !fits {
		if err := c.newer(fault(CheckHouse, "direct debits are collected on %v, which is not from the next day to %d days ahead",
			b.Collect, mostAhead)); err != nil {
			return err
		}
	}
	if b.House != c.money.mark {
		objection := fault(CheckHouse, "the ids of file %d of direct debits have the mark %q, and %q is that of the house", b.File,
			b.House, c.money.mark)
		if b.House != "" {
			return objection
		}
		if err := c.newer(objection); err != nil {
			return err
		}
	}
	var due []record.Debit
	var debts []*venueDebt
	for _, id := range slices.Sorted(maps.Keys(c.money.of)) {
		v := c.money.of[id]
		terms := v.terms()
		if terms == nil || terms.Mandate == "" {
			continue
		}
		for i, left := range v.lefts(c.books.account(ledger.VenueAccount, id).balance) {
			if d := v.debts[i]; left > 0 && d.file == 0 {
				due, debts = append(due, record.Debit{Venue: id, Statement: d.number, Cents: left, Name: c.venues[id].name,
					Mandate: terms.Mandate, Account: terms.Account, Signed: terms.Signed}), append(debts, d)
			}
		}
	}
	if due = due[:min(len(due), record.MostDebits)]; len(due) == 0 || !slices.Equal(b.Debits, due) {
		return fault(CheckHouse, "file %d collects %v, and %v is due", b.File, b.Debits, due)
	}
	c.money.files = b.File
	for i := range due {
		debts[i].file, debts[i].asked = b.File, due[i].Cents
	}
	return nil
}

// markOf returns what stands for a house in ids at banks: the first four bytes of the hash of its key, in digits.
func markOf(key string) string {
	hash := sha256.Sum256([]byte(key))
	return strings.ToUpper(hex.EncodeToString(hash[:4]))
}

// debitsWithdrawn checks that a file is taken back of which the bank has left something unanswered. What it collects is
// owed again, and in time on the newest Keno Day.
func (c *checker) debitsWithdrawn(b *record.DebitsWithdrawn) error {
	taken := false
	for _, v := range c.money.of {
		var owed []*venueDebt
		for _, d := range v.debts {
			if d.file == b.File && b.File != 0 {
				owed = append(owed, d)
			}
		}
		for _, d := range owed {
			taken = true
			v.answered(venueAnswer{file: b.File, number: d.number, due: d.due, cents: d.asked, withdrawn: true})
			d.file, d.asked, d.due = 0, 0, max(d.due, c.money.today)
		}
	}
	if !taken {
		return fault(CheckHouse, "file %d of direct debits is withdrawn, and there is nothing of it to withdraw", b.File)
	}
	for id, v := range c.money.of {
		v.forget(c.books.account(ledger.VenueAccount, id).balance)
	}
	return nil
}

// answered keeps an answer among the newest.
func (v *venueBook) answered(a venueAnswer) {
	v.answers = append(v.answers, a)
	v.answers = v.answers[max(0, len(v.answers)-mostAnswers):]
}

// debitAnswered checks the answer of a bank: to a debit that waits for one, or that a payment is called back.
func (c *checker) debitAnswered(b *record.DebitAnswered) (postings, error) {
	v := c.money.of[b.Venue]
	if v == nil {
		return nil, fault(CheckHouse, "a bank answers about venue %d, which has no agreement", b.Venue)
	}
	answer := venueAnswer{file: b.File, number: b.Statement, cents: b.Cents, paid: b.Paid}
	var moved postings
	open := slices.IndexFunc(v.debts, func(d *venueDebt) bool { return d.number == b.Statement && d.file == b.File })
	before := slices.IndexFunc(v.answers,
		func(a venueAnswer) bool { return a.file == b.File && a.number == b.Statement })
	owes := c.books.account(ledger.VenueAccount, b.Venue).balance
	switch {
	case open >= 0 && v.debts[open].asked == b.Cents:
		d := v.debts[open]
		answer.due, d.file, d.asked = d.due, 0, 0
		if d.returned = !b.Paid; b.Paid {
			moved = postings{ledger.Debit(ledger.Bank, 0, b.Cents), ledger.Credit(ledger.VenueAccount, b.Venue, b.Cents)}
		} else {
			v.forget(owes)
		}
	case open < 0 && before >= 0 && v.answers[before].paid && !b.Paid && v.answers[before].cents == b.Cents:
		answer.due = v.answers[before].due
		v.answers = slices.Delete(v.answers, before, before+1)
		v.owesAgain(&venueDebt{number: b.Statement, due: answer.due, cents: b.Cents, returned: true})
		moved = postings{ledger.Credit(ledger.Bank, 0, b.Cents), ledger.Debit(ledger.VenueAccount, b.Venue, b.Cents)}
	case open < 0 && before >= 0 && v.answers[before].withdrawn && v.answers[before].cents == b.Cents:
		answer.due = v.answers[before].due
		v.answers = slices.Delete(v.answers, before, before+1)
		if b.Paid {
			moved = postings{ledger.Debit(ledger.Bank, 0, b.Cents), ledger.Credit(ledger.VenueAccount, b.Venue, b.Cents)}
		}
	default:
		return nil, fault(CheckHouse, "a bank answers about %v of statement %d of venue %d in file %d, which it was not asked",
			b.Cents, b.Statement, b.Venue, b.File)
	}
	v.answered(answer)
	return moved, nil
}

// owesAgain takes in a debt whose payment was called back.
func (v *venueBook) owesAgain(d *venueDebt) {
	waits := slices.ContainsFunc(v.debts, func(other *venueDebt) bool { return other.number == d.number })
	if !waits {
		v.settled = slices.DeleteFunc(v.settled, func(other *venueDebt) bool { return other.number == d.number })
	}
	for i, other := range v.debts {
		if other.number == d.number {
			other.cents, other.returned = other.cents+d.cents, true
			return
		}
		if other.number > d.number {
			v.debts = slices.Insert(v.debts, i, d)
			return
		}
	}
	v.debts = append(v.debts, d)
}

// dayOf reads a date that two persons agreed on, which may be left out.
func dayOf(text string) day.Day {
	if text == "" {
		return day.None
	}
	d, err := day.Parse(text)
	if err != nil {
		return math.MaxInt32
	}
	return d
}

// is reports whether an answer of a bank is the one on which two persons agreed.
func (a saidAnswer) is(b *record.DebitAnswered) bool {
	return a.File == b.File && a.Venue == b.Venue && a.Statement == b.Statement && a.Paid == b.Paid && a.Code == b.Code &&
		a.Bank == b.Bank && (a.Cents == 0 || money.Amount(a.Cents) == b.Cents)
}

// newAnswers returns those answers of a bank that say something new, out of all on which two persons agreed: about a
// debit that waits for its answer, or about a payment that is called back. What is said of a debit twice counts once.
// There are none where one answer contradicts another or is about no debit: then nothing of the file is taken in.
func (c *checker) newAnswers(a *approval) (list []saidAnswer) {
	if a.action != record.ActionAnswer {
		return nil
	}
	for i, said := range a.says.Answers {
		if first := slices.IndexFunc(a.says.Answers, said.sameDebit); first < i {
			if a.says.Answers[first].Paid != said.Paid {
				return nil
			}
			continue
		}
		v := c.money.of[said.Venue]
		if v == nil {
			return nil
		}
		waits := slices.ContainsFunc(v.debts,
			func(d *venueDebt) bool { return d.number == said.Statement && d.file == said.File })
		before := slices.IndexFunc(v.answers,
			func(b venueAnswer) bool { return b.number == said.Statement && b.file == said.File })
		switch {
		case waits || before >= 0 && (v.answers[before].withdrawn || v.answers[before].paid && !said.Paid):
			list = append(list, said)
		case before < 0:
			return nil
		}
	}
	return list
}

// sameDebit reports whether two answers are about one debit.
func (a saidAnswer) sameDebit(other saidAnswer) bool {
	return a.File == other.File && a.Venue == other.Venue && a.Statement == other.Statement
}

// nextAnswer checks that a record takes in the next of the answers on which two persons agreed, and reports whether
// there are more. Whether they agreed at all is checked elsewhere.
func (c *checker) nextAnswer(b *record.DebitAnswered, using *approval) (more bool, err error) {
	if using == nil || using.action != record.ActionAnswer {
		return false, nil
	}
	if len(c.money.coming) == 0 || !c.money.coming[0].is(b) {
		return false, fault(CheckHouse, "two persons agreed on the answers of a bank, of which %v come next, and not this",
			c.money.coming)
	}
	c.money.coming = c.money.coming[1:]
	return len(c.money.coming) > 0, nil
}

// venueKinds are the kinds of the money of venues but for direct debits.
func venueKinds() []rower {
	return []rower{
		paying(CheckPayments, (*checker).venueStated),
		plain(CheckHouse, (*checker).venueAgreed).by(centralRoles).
			agreedAs("agree_venue", func(_ *checker, b *record.VenueAgreed, a *approval) bool {
				return a.says.Venue == b.Venue && dayOf(a.says.FromDay) == b.From && a.says.SalesRate == b.SalesRate &&
					a.says.PrizesRate == b.PrizesRate && money.Amount(a.says.Least) == b.LeastCents &&
					a.says.FeesRate == b.FeesRate && a.says.TaxRate == b.TaxRate && a.says.TaxRounding == b.TaxRounding &&
					money.Amount(a.says.Floor) == b.FloorCents &&
					a.says.WeekEnds == b.WeekEnds && a.says.DaysToPay == b.DaysToPay && a.says.Stops == b.Stops &&
					a.says.Mandate == b.Mandate && a.says.Account == b.Account && dayOf(a.says.Signed) == b.Signed &&
					a.by == b.By
			}),
		paying(CheckHouse, (*checker).cashCarried).
			byWhom(func(_ *checker, id uint32, b *record.CashCarried) []record.Role {
				if id == b.With {
					return []record.Role{record.RoleSenior}
				}
				return centralRoles
			}).
			at(func(_ *checker, b *record.CashCarried) uint32 { return b.Venue }).
			ofTwo(func(c *checker, b *record.CashCarried) error { return c.pair(b.By, b.With) }).
			agreedAs("carry_cash", func(_ *checker, b *record.CashCarried, a *approval) bool {
				return a.says.Venue == b.Venue && a.says.Move == string(b.Move) && money.Amount(a.says.Cents) == b.Cents &&
					a.says.Reference == b.Reference && signedBy(a, b.By, b.With)
			}),
		paying(CheckHouse, (*checker).remittanceReceived).by(centralRoles).
			agreedAs("receive_remittance", func(_ *checker, b *record.RemittanceReceived, a *approval) bool {
				return a.says.Venue == b.Venue && money.Amount(a.says.Cents) == b.Cents && a.says.Reference == b.Reference &&
					a.by == b.By
			}),
		paying(CheckHouse, (*checker).venuePaid).by(centralRoles).
			agreedAs("pay_venue", func(_ *checker, b *record.VenuePaid, a *approval) bool {
				return a.says.Venue == b.Venue && money.Amount(a.says.Cents) == b.Cents && a.says.Reference == b.Reference &&
					a.by == b.By
			}),
		paying(CheckHouse, (*checker).venuePaymentReversed).by(centralRoles).
			agreedAs("reverse_venue_payment", func(_ *checker, b *record.VenuePaymentReversed, a *approval) bool {
				return a.says.Venue == b.Venue && sameReference(a.says.Reference, b.Reference) && a.says.Reason == b.Reason &&
					a.by == b.By
			}),
	}
}

// debitKinds are the kinds of direct debits from venues.
func debitKinds() []rower {
	return []rower{
		plain(CheckHouse, (*checker).creditorNamed).by(centralRoles).
			agreedAs("name_creditor", func(_ *checker, b *record.CreditorNamed, a *approval) bool {
				return a.says.Name == b.Name && a.says.Account == b.Account && a.says.Creditor == b.Creditor &&
					a.says.Scheme == b.Scheme && a.by == b.By
			}),
		plain(CheckHouse, (*checker).debitsOrdered).by(centralRoles).
			agreedAs("order_debits", func(_ *checker, b *record.DebitsOrdered, a *approval) bool {
				return dayOf(a.says.Collect) == b.Collect && a.by == b.By
			}),
		paying(CheckHouse, (*checker).debitAnswered).by(centralRoles).
			agreedAs(record.ActionAnswer, func(_ *checker, b *record.DebitAnswered, a *approval) bool {
				return a.by == b.By && slices.ContainsFunc(a.says.Answers, func(said saidAnswer) bool { return said.is(b) })
			}),
		plain(CheckHouse, (*checker).debitsWithdrawn).by(centralRoles).
			agreedOn([]string{"withdraw_debits", record.ActionAnswer}, func(_ *checker, b *record.DebitsWithdrawn, a *approval) bool {
				return a.says.File == b.File && a.says.Reason == b.Reason && len(a.says.Answers) == 0 && a.by == b.By
			}),
	}
}
