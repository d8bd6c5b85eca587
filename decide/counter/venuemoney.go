package counter

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// The codes about the money of venues.
const (
	AgreementWrong  refusal.Code = "agreement_wrong"  // its terms cannot be
	NoAgreement     refusal.Code = "no_agreement"     // the venue has none
	SafeShort       refusal.Code = "safe_short"       // the safe has less than is to leave it
	VenueUnpaid     refusal.Code = "venue_unpaid"     // the venue has missed a payment, and sells nothing until it pays
	MandateWrong    refusal.Code = "mandate_wrong"    // the bank cannot use the mandate or the account
	NothingDue      refusal.Code = "nothing_due"      // no statement can be collected
	AnswerFaulty    refusal.Code = "answer_faulty"    // the file of the bank cannot be read
	DebitUnknown    refusal.Code = "debit_unknown"    // an answer is about no direct debit of the house
	DebitAnsweredBy refusal.Code = "debit_answered"   // the bank has answered that already
	CreditorMissing refusal.Code = "creditor_missing" // nobody has said to whom direct debits are paid
	CollectDay      refusal.Code = "collect_day"      // the bank cannot collect on that day
	FileAnswered    refusal.Code = "file_answered"    // the bank has said something of every debit of the file
	ReferenceTaken  refusal.Code = "reference_taken"  // a payment by this reference is recorded already
	PaymentUnknown  refusal.Code = "payment_unknown"  // no payment by this reference can be reversed
	PaidTooMuch     refusal.Code = "paid_too_much"    // less is owed to the venue
)

// MostDaysAhead is how many days ahead a file of direct debits is ordered at most: banks take none earlier.
const MostDaysAhead = 14

// AgreeVenue takes in an agreement with a venue. It begins on a day that has not opened.
func AgreeVenue(s *state.State, b record.VenueAgreed) (*record.VenueAgreed, error) {
	wrong := func(path, format string, args ...any) error { return refuse(AgreementWrong, "", path, format, args...) }
	switch {
	case !hasVenue(s, b.Venue):
		return nil, refuse(staff.VenueUnknown, "", "venue", "There is no venue %d.", b.Venue)
	case b.From <= s.NewestDay():
		return nil, wrong("from_day", "An agreement begins after the newest Keno Day, %v.", s.NewestDay())
	case b.SalesRate > record.Whole:
		return nil, wrong("sales_rate", "A commission is at most %d basis points.", record.Whole)
	case b.PrizesRate > record.Whole:
		return nil, wrong("prizes_rate", "A commission is at most %d basis points.", record.Whole)
	case b.FeesRate > record.Whole:
		return nil, wrong("fees_rate", "A commission is at most %d basis points.", record.Whole)
	case b.LeastCents < 0 || b.LeastCents > MaxMoved:
		return nil, wrong("least_cents", "A least commission is from 0.00 to %v.", MaxMoved)
	case b.TaxRate > record.Whole:
		return nil, wrong("tax_rate", "A tax is at most %d basis points.", record.Whole)
	case (b.TaxRate == 0) != (b.TaxRounding == ""):
		return nil, wrong("tax_rounding", "A tax on the commission has a rounding, and no tax has none.")
	case b.TaxRate != 0 && !isRounding(b.TaxRounding):
		return nil, wrong("tax_rounding", "A tax is rounded by floor, ceil, half-up or half-even.")
	case b.FloorCents < 0 || b.FloorCents > MaxMoved:
		return nil, wrong("floor_cents", "A least payment is from 0.00 to %v.", MaxMoved)
	case b.WeekEnds > 6:
		return nil, wrong("week_ends", "A weekday is from 0, Sunday, to 6, Saturday.")
	case b.DaysToPay > record.MostDaysToPay:
		return nil, wrong("days_to_pay", "A venue has at most %d days to pay.", record.MostDaysToPay)
	}
	if b.Mandate == "" && b.Account == "" && b.Signed == day.None {
		return &b, nil
	}
	if b.Mandate == "" || b.Signed == day.None {
		return nil, refuse(MandateWrong, "", "mandate", "A mandate needs a reference, an account and the day of its signature.")
	}
	if err := checkBankText("mandate", b.Mandate); err != nil {
		return nil, err
	}
	return &b, checkAccount(b.Account)
}

func isRounding(name string) bool {
	_, err := money.ParseRounding(name)
	return err == nil
}

// checkBankText refuses a text that banks do not take: they know Latin letters, digits and a few signs.
func checkBankText(path, text string) error {
	for _, r := range text {
		if !isBankRune(r) {
			return refuse(MandateWrong, "", path, "Banks do not take the character %q.", r)
		}
	}
	return nil
}

func isBankRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || slices.Contains([]rune("/-?:().,'+ "), r)
}

// checkAccount refuses an account that is none. What begins like an IBAN has its check digits.
func checkAccount(account string) error {
	if len(account) < 4 || len(account) > 34 {
		return refuse(MandateWrong, "", "account", "An account has 4 to 34 characters.")
	}
	for _, r := range account {
		if r < '0' || r > '9' && r < 'A' || r > 'Z' {
			return refuse(MandateWrong, "", "account", "An account has capital letters and digits, without spaces.")
		}
	}
	if account[0] >= 'A' && !isIBAN(account) {
		return refuse(MandateWrong, "", "account", "The check digits of the IBAN are wrong.")
	}
	return nil
}

// isIBAN reports whether the check digits of an IBAN are right: with its first four characters moved to the end, and
// with numbers from 10 to 35 for letters, it leaves 1 when it is divided by 97.
func isIBAN(account string) bool {
	rest := 0
	for _, r := range account[4:] + account[:4] {
		if r >= 'A' {
			rest = (rest*100 + int(r-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(r-'0')) % 97
		}
	}
	return rest == 1
}

func hasVenue(s *state.State, venue uint32) bool {
	_, ok := s.Venue(venue)
	return ok
}

// CarryCash takes in cash that came into the safe of a venue or left it. What is brought is the venue's own. What is
// banked pays the account of the venue.
func CarryCash(s *state.State, b record.CashCarried) (*record.CashCarried, []ledger.Posting, error) {
	if err := checkVenueMoney(s, b.Venue, b.Cents, b.Reference, b.Move == record.CashBanked); err != nil {
		return nil, nil, err
	}
	if err := checkReference(s, b.Venue, true, b.Reference); err != nil {
		return nil, nil, err
	}
	if !slices.Contains(record.CashMoves(), b.Move) {
		return nil, nil, refuse(AmountWrong, "", "move", "Cash is brought, taken or banked.")
	}
	into := b.Cents
	if b.Move != record.CashBrought {
		into = -b.Cents
		if has := s.Balances().OfUnit(ledger.Safe, b.Venue); has < b.Cents {
			return nil, nil, refuse(SafeShort, "", "cents", "The safe has %v, and %v are to leave it.", has, b.Cents)
		}
	}
	if err := checkCarriers(s, &b); err != nil {
		return nil, nil, err
	}
	postings := []ledger.Posting{ledger.Debit(ledger.Safe, b.Venue, into), ledger.Credit(ledger.VenueFunds, b.Venue, into)}
	if b.Move == record.CashBanked {
		postings = append(postings, received(b.Venue, b.Cents)...)
	}
	return &b, ledger.Merge(postings...), nil
}

// checkCarriers checks that a senior of the venue signs for its cash beside the person who asks. It is asked last: who
// signs is known last.
func checkCarriers(s *state.State, b *record.CashCarried) error {
	with, ok := s.People().Person(b.With)
	if !ok || with.Erased || !with.Has(record.RoleSenior, b.Venue) || b.With == b.By {
		return refuse(PersonsMissing, "", "with", "A senior of venue %d signs for its cash, beside the person who asks.",
			b.Venue)
	}
	return nil
}

// received are the postings of money of a venue that came to the operator's bank.
func received(venue uint32, cents money.Amount) []ledger.Posting {
	return ledger.Merge(ledger.Debit(ledger.Bank, 0, cents), ledger.Credit(ledger.VenueAccount, venue, cents))
}

// ReceiveRemittance takes in money that a venue has paid into the bank of the operator.
func ReceiveRemittance(s *state.State,
	b record.RemittanceReceived) (*record.RemittanceReceived, []ledger.Posting, error) {
	if err := checkVenueMoney(s, b.Venue, b.Cents, b.Reference, true); err != nil {
		return nil, nil, err
	}
	if err := checkReference(s, b.Venue, false, b.Reference); err != nil {
		return nil, nil, err
	}
	return &b, received(b.Venue, b.Cents), nil
}

// PayVenue records that the operator has paid a venue what it owed the venue on its account.
func PayVenue(s *state.State, b record.VenuePaid) (*record.VenuePaid, []ledger.Posting, error) {
	if err := checkVenueMoney(s, b.Venue, b.Cents, b.Reference, true); err != nil {
		return nil, nil, err
	}
	if err := checkReference(s, b.Venue, false, b.Reference); err != nil {
		return nil, nil, err
	}
	if err := checkOwedVenue(s, &b); err != nil {
		return nil, nil, err
	}
	return &b, received(b.Venue, -b.Cents), nil
}

// checkOwedVenue refuses a payment to a venue of more than the operator owes it. The engine asks it of every record
// (waysOut).
func checkOwedVenue(s *state.State, b *record.VenuePaid) error {
	if owed := max(0, -s.VenueOwes(b.Venue)); b.Cents > owed {
		return refuse(PaidTooMuch, "", "cents", "%v are paid, and the operator owes venue %d %v.", b.Cents, b.Venue, owed)
	}
	return nil
}

// checkReference refuses a payment that is recorded already: its reference is that of one of the newest payments of
// the venue that was not reversed. Slips of cash and payments of the bank have references of their own.
func checkReference(s *state.State, venue uint32, cash bool, reference string) error {
	m, ok := s.VenueMoney(venue)
	if !ok {
		return nil // Of a venue without an account nothing is kept.
	}
	if was, taken := m.Payment(cash, reference); taken {
		return refuse(ReferenceTaken, "", "reference",
			"Venue %d has a payment with the reference %q already: %v, record %v. Take a payment in once.", venue, was.Reference,
			max(was.Cents, -was.Cents), was.At)
	}
	return nil
}

// ReverseVenuePayment takes back a payment that was recorded with a wrong amount, venue or reference. What it paid is
// owed again.
func ReverseVenuePayment(s *state.State, b record.VenuePaymentReversed) (*record.VenuePaymentReversed,
	[]ledger.Posting, error) {
	m, ok := s.VenueMoney(b.Venue)
	switch {
	case !hasVenue(s, b.Venue):
		return nil, nil, refuse(staff.VenueUnknown, "", "venue", "There is no venue %d.", b.Venue)
	case !ok:
		return nil, nil, refuse(NoAgreement, "", "venue", "Venue %d has no agreement, and so no account.", b.Venue)
	case b.Reason == "":
		return nil, nil, refuse(ReasonMissing, "", "reason", "Say why the payment is taken back.")
	}
	was, ok := m.Payment(false, b.Reference)
	if !ok {
		return nil, nil, refuse(PaymentUnknown, "", "reference",
			"Of the newest %d payments of venue %d none has the reference %q and is not reversed. Cash is carried back instead.",
			state.KeptPayments, b.Venue, b.Reference)
	}
	b.Of, b.Cents, b.Reference = was.At, was.Cents, was.Reference
	return &b, received(b.Venue, -b.Cents), nil
}

// checkVenueMoney refuses money of a venue that does not exist or has no agreement, without an amount or a reference.
func checkVenueMoney(s *state.State, venue uint32, cents money.Amount, reference string, needsAgreement bool) error {
	_, agreed := s.VenueMoney(venue)
	switch {
	case !hasVenue(s, venue):
		return refuse(staff.VenueUnknown, "", "venue", "There is no venue %d.", venue)
	case cents <= 0 || cents > MaxMoved:
		return refuse(AmountWrong, "", "cents", "Nothing moves, or more than can.")
	case record.SameReference(reference, ""):
		return refuse(ReasonMissing, "", "reference", "Give the reference of the slip or of the bank.")
	case needsAgreement && !agreed:
		return refuse(NoAgreement, "", "venue", "Venue %d has no agreement, and so no account.", venue)
	}
	return nil
}

// Statement is the record of a statement with its postings.
type Statement struct {
	Record   *record.VenueStated
	Postings []ledger.Posting
}

// StateVenues makes the statements that are due as a Keno Day opens: of every venue with an agreement whose week has
// ended before that day. A week in which no Keno Day opened is part of the statement after it.
func StateVenues(s *state.State, today day.Day) ([]Statement, error) {
	var all []Statement
	for _, venue := range s.VenuesWithAgreement() {
		m, _ := s.VenueMoney(venue)
		terms, ok := m.Agreement(m.First())
		if !ok {
			continue
		}
		to, ok := lastWeekEnd(m.First(), today, terms.WeekEnds)
		if !ok {
			continue
		}
		statement, err := stateVenue(s, m, terms, to, today)
		if err != nil {
			return nil, err
		}
		all = append(all, statement)
	}
	return all, nil
}

// lastWeekEnd returns the last day before today on which a week ends, from a first day on.
func lastWeekEnd(first, today day.Day, weekday uint8) (day.Day, bool) {
	for to := today - 1; to >= first; to-- {
		if Weekday(to) == weekday {
			return to, true
		}
	}
	return day.None, false
}

// Weekday returns the weekday of a date, from Sunday, which is 0. 1970-01-04 was a Sunday.
func Weekday(d day.Day) uint8 {
	sunday := day.MustParse("1970-01-04")
	return uint8(((int64(d)-int64(sunday))%7 + 7) % 7)
}

// stateVenue makes the statement of a venue up to a day. It can be paid on the day on which it is made at least,
// whatever the agreement says.
func stateVenue(s *state.State, m *state.VenueMoney, terms record.VenueAgreed, to, today day.Day) (Statement, error) {
	due, err := to.AddDays(int(terms.DaysToPay))
	if err != nil {
		return Statement{}, err
	}
	due = max(due, today, s.NewestDay())
	takings, owes := s.VenueHolds(terms.Venue), s.VenueOwes(terms.Venue)
	earned, err := Earn(terms, m.Done, takings)
	if err != nil {
		return Statement{}, err
	}
	b := &record.VenueStated{
		Venue: terms.Venue, Number: m.Last.Number + 1, From: m.First(), To: to, Due: due,
		SoldCents: m.Done.Sold, BackCents: m.Done.Back, PapersCents: m.Done.Papers, PrizesCents: m.Done.Prizes,
		RefundsCents: m.Done.Refunds, FeesCents: m.Done.Fees, FeesBackCents: m.Done.FeesBack, TakingsCents: takings,
		CommissionCents: earned.Commission, TaxCents: earned.Tax, FloorCents: earned.Floor,
		OpeningCents: m.Last.ClosingCents, ReceivedCents: m.Done.Received,
	}
	b.ClosingCents = owes + b.Adds()
	return Statement{b, ledger.Merge(
		ledger.Debit(ledger.VenueAccount, b.Venue, b.Adds()),
		ledger.Credit(ledger.VenueFunds, b.Venue, takings),
		ledger.Debit(ledger.Commission, b.Venue, earned.Commission),
		ledger.Debit(ledger.CommissionTax, b.Venue, earned.Tax),
		ledger.Credit(ledger.Guarantees, b.Venue, earned.Floor),
	)}, nil
}

// Earned is what an agreement makes of one statement.
type Earned struct {
	Commission money.Amount // that the venue has earned
	Tax        money.Amount // on the commission, on top of it
	Floor      money.Amount // that the venue makes up to the least payment
}

// Earn works out what an agreement makes of what a venue did and holds. The commission is the parts of sales, of
// prizes paid and of fees of bingo, each rounded down to a whole cent, and at least the least commission. The tax on it
// is rounded as the agreement says. What is left of the takings then is made up to the least payment, if there is one.
func Earn(terms record.VenueAgreed, done state.VenueDone, takings money.Amount) (e Earned, err error) {
	for _, part := range []struct {
		of   money.Amount
		rate uint16
	}{
		{done.Sold - done.Back, terms.SalesRate}, {done.Prizes, terms.PrizesRate},
		{done.Fees - done.FeesBack, terms.FeesRate},
	} {
		cents, err := money.MulDiv(part.of, int64(part.rate), record.Whole, money.Floor)
		if err != nil {
			return e, err
		}
		if e.Commission, err = e.Commission.Add(cents); err != nil {
			return e, err
		}
	}
	e.Commission = max(e.Commission, terms.LeastCents)
	if terms.TaxRate != 0 {
		rounding, err := money.ParseRounding(terms.TaxRounding)
		if err != nil {
			return e, err
		}
		if e.Tax, err = money.MulDiv(e.Commission, int64(terms.TaxRate), record.Whole, rounding); err != nil {
			return e, err
		}
	}
	left, err := money.Sum(takings, -e.Commission, -e.Tax)
	if terms.FloorCents > 0 {
		e.Floor = max(0, terms.FloorCents-left)
	}
	return e, err
}

// checkVenuePaid refuses a sale at a venue that has missed a payment, if its agreement says so.
func checkVenuePaid(s *state.State, venue uint32) error {
	m, ok := s.VenueMoney(venue)
	if !ok || !m.Current().Stops {
		return nil
	}
	if missed, ok := s.Missed(venue); ok {
		premises, _ := s.People().Premises(venue)
		return refuse(VenueUnpaid, "", "terminal",
			"%s has not paid statement %d, which was due on %v: %v are left. It sells again when they are paid.",
			premises.Name, missed.Number, missed.Due, missed.Left)
	}
	return nil
}

// NameCreditor says to whom direct debits are paid.
func NameCreditor(b record.CreditorNamed) (*record.CreditorNamed, error) {
	if b.Name == "" || b.Creditor == "" {
		return nil, refuse(MandateWrong, "", "name", "A creditor has a name and an identifier.")
	}
	for _, field := range [][2]string{{"name", b.Name}, {"creditor", b.Creditor}, {"scheme", b.Scheme}} {
		if err := checkBankText(field[0], field[1]); err != nil {
			return nil, err
		}
	}
	if len(b.Name) > 70 || len(b.Creditor) > 35 || len(b.Scheme) > 4 {
		return nil, refuse(MandateWrong, "", "name",
			"A name has at most 70 characters, an identifier 35, and a scheme 4.")
	}
	return &b, checkAccount(b.Account)
}

// OrderDebits makes a file of direct debits for all statements that are not paid and not collected already, of the
// venues whose agreement has a mandate. The oldest statements of the first venues come first. The bank collects on a
// day after today, which is not too far ahead.
func OrderDebits(s *state.State, currency string, today, collect day.Day, by uint32) (*record.DebitsOrdered, error) {
	creditor, ok := s.Creditor()
	switch {
	case !ok:
		return nil, refuse(CreditorMissing, "", "", "Name the creditor of direct debits first.")
	case collect <= today || collect > today+MostDaysAhead:
		return nil, refuse(CollectDay, "", "collect", "The bank collects from %v to %v: on the next day at the earliest, and %d days ahead at most.",
			today+1, today+MostDaysAhead, MostDaysAhead)
	}
	file := &record.DebitsOrdered{File: s.DebitFiles() + 1, Collect: collect, Name: creditor.Name,
		Account: creditor.Account, Creditor: creditor.Creditor, Scheme: creditor.Scheme, Currency: currency, By: by,
		House: record.BankMark(s.Volume().HouseKey)}
	for _, venue := range s.VenuesWithAgreement() {
		m, _ := s.VenueMoney(venue)
		terms := m.Current()
		if terms.Mandate == "" {
			continue
		}
		premises, _ := s.People().Premises(venue)
		for _, u := range s.UnpaidBills(venue) {
			if u.Left > 0 && u.File == 0 && len(file.Debits) < record.MostDebits {
				file.Debits = append(file.Debits, record.Debit{Venue: venue, Statement: u.Number, Cents: u.Left,
					Name: premises.Name, Mandate: terms.Mandate, Account: terms.Account, Signed: terms.Signed})
			}
		}
	}
	if len(file.Debits) == 0 {
		return nil, refuse(NothingDue, "", "", "No statement of a venue with a mandate is left to collect.")
	}
	return file, nil
}

// WithdrawDebits takes a file of direct debits back, as far as the bank has said nothing of it.
func WithdrawDebits(s *state.State, b record.DebitsWithdrawn) (*record.DebitsWithdrawn, error) {
	_, under := s.UnderWay(b.File)
	switch {
	case b.File == 0 || b.File > s.DebitFiles():
		return nil, refuse(DebitUnknown, "", "file", "There is no file %d of direct debits.", b.File)
	case b.Reason == "":
		return nil, refuse(ReasonMissing, "", "reason", "Say why the file is taken back.")
	case under == 0:
		return nil, refuse(FileAnswered, "", "file",
			"The bank has answered about every debit of file %d, or the file was withdrawn before.", b.File)
	}
	return &b, nil
}

// DebitAnswers are records of the bank's answers, each with its postings.
type DebitAnswers struct {
	Record   *record.DebitAnswered
	Postings []ledger.Posting
}

// debitOf names the direct debit that an answer is about.
func debitOf(a record.DebitAnswered) string {
	return fmt.Sprintf("of statement %d of venue %d in file %d", a.Statement, a.Venue, a.File)
}

// AnswerDebits takes in what the bank has answered. An answer that was taken in before does nothing. Answers of
// which none is new are refused, with what else the file names. An answer that names no amount is about the whole
// debit.
func AnswerDebits(s *state.State, answers []record.DebitAnswered, others []string, by uint32) ([]DebitAnswers, error) {
	var all []DebitAnswers
	seen := map[[3]uint32]bool{} // whether it was paid, by the debit
	for _, a := range answers {
		debit := [3]uint32{a.File, a.Venue, a.Statement}
		if paid, twice := seen[debit]; twice && paid != a.Paid {
			return nil, refuse(DebitAnsweredBy, "", "answers",
				"The answer says of the direct debit %s that it was paid and that it was returned. Take in the payment first.",
				debitOf(a))
		} else if twice {
			continue
		}
		seen[debit] = a.Paid
		cents, fresh, err := answerable(s, a)
		if err != nil {
			return nil, err
		}
		if fresh {
			a.Cents, a.By = cents, by
			all = append(all, DebitAnswers{&a, answerPostings(s, a)})
		}
	}
	if len(all) == 0 {
		sentence := "Nothing in the answer is new."
		if len(others) > 0 {
			sentence += " It names: " + strings.Join(others, ", ") + "."
		}
		return nil, refuse(DebitAnsweredBy, "", "answers", "%s", sentence)
	}
	return all, nil
}

// answerable returns the amount of the direct debit that an answer is about, and whether the answer says anything new.
// It refuses one about no debit of the house or about another amount. A debit that was withdrawn can be answered once:
// the bank may have collected it all the same.
func answerable(s *state.State, a record.DebitAnswered) (cents money.Amount, fresh bool, err error) {
	m, ok := s.VenueMoney(a.Venue)
	if !ok {
		return 0, false, refuse(DebitUnknown, "", "answers", "The house has no direct debit %s.", debitOf(a))
	}
	if asked := m.Asked(a.File, a.Statement); asked != nil {
		cents, fresh = asked.Asked, true
	} else if answered, known := m.AnswerTo(a.File, a.Statement); known {
		cents, fresh = answered.Cents, answered.Withdrawn || answered.Paid && !a.Paid
	} else {
		return 0, false, refuse(DebitUnknown, "", "answers", "The house has no direct debit %s that a bank can answer.",
			debitOf(a))
	}
	if a.Cents != 0 && a.Cents != cents {
		return 0, false, refuse(AmountWrong, "", "answers", "The direct debit %s is of %v, and the answer of %v.", debitOf(a),
			cents, a.Cents)
	}
	return cents, fresh, nil
}

// answerPostings are those of an answer: a payment comes to the bank, and one that is called back leaves it.
func answerPostings(s *state.State, a record.DebitAnswered) []ledger.Posting {
	if a.Paid {
		return received(a.Venue, a.Cents)
	}
	m, _ := s.VenueMoney(a.Venue)
	if answered, known := m.AnswerTo(a.File, a.Statement); known && answered.Paid && m.Asked(a.File, a.Statement) == nil {
		return received(a.Venue, -a.Cents)
	}
	return nil
}
