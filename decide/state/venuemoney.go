package state

import (
	"cmp"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// KeptAnswers is how many answers about direct debits are kept of a venue: a bank may call one of these payments
// back. It bounds the memory of a venue.
const KeptAnswers = 64

// KeptPayments is how many payments of a venue, and of a series to the State, are kept: a reference among them is not
// taken in twice, and each of them can be reversed. KeptPaid is how many paid statements are kept of a venue: one of
// them is owed again when its payment is reversed. They bound the memory of a venue.
const (
	KeptPayments = 128
	KeptPaid     = 64
)

// venueMoney is the money between the operator and its venues.
type venueMoney struct {
	newest   day.Day // the newest Keno Day that any series has opened
	venues   map[uint32]*VenueMoney
	creditor record.CreditorNamed
	files    []record.Place // of the orders of direct debits, by number - 1
}

// VenueMoney is how a venue with an agreement stands with the operator. What it owes is the balance of its account
// in the ledger.
type VenueMoney struct {
	// Agreements are those of this and of later statements, ascending by their first day.
	Agreements []record.VenueAgreed
	// Counts says that the first day of the first agreement has come: what is done counts for a commission.
	Counts bool
	Done   VenueDone          // since the last statement
	Last   record.VenueStated // the last statement; of number 0 where there is none
	Bills  []Bill             // statements that are not paid, ascending
	Paid   []Bill             // the newest statements that were paid, ascending
	// Answered are the newest answers of the bank and the debits that were withdrawn, ascending by time.
	Answered []AnsweredDebit
	// Payments are the newest that people have recorded by a reference, ascending by place. Readers share the list.
	Payments []VenuePayment
}

// VenuePayment is money of a venue that came to the operator or left, as people have recorded it.
type VenuePayment struct {
	At        record.Place
	Kind      record.Kind
	Cents     money.Amount // that the operator got; below zero, what it paid
	Reference string
	Reversed  bool
}

// VenueDone is what was done at the terminals of a venue and in its bingo rooms, and what it has paid on its account.
type VenueDone struct {
	Sold, Back, Papers, Prizes, Refunds, Fees, FeesBack, Received money.Amount
}

// Bill is a statement that is to be paid. What is left of it follows from the balance of the venue's account (unpaid).
type Bill struct {
	Number   uint32
	Due      day.Day
	Cents    money.Amount
	File     uint32       // of the direct debit that the bank has not answered; 0 for none
	Asked    money.Amount // by that file; 0 for none
	Returned bool         // a bank has refused to pay it, or has called its payment back
}

// AnsweredDebit is a direct debit that the bank has answered.
type AnsweredDebit struct {
	File, Statement uint32
	Due             day.Day
	Cents           money.Amount
	Paid            bool
	Withdrawn       bool // the house has taken it back, and the bank has said nothing of it
}

// Unpaid is a statement with what is left to pay of it. Where a bank has yet to answer about its direct debit,
// nothing may be left.
type Unpaid struct {
	Bill
	Left   money.Amount
	Missed bool // a bank has returned its payment, or its time is over and no direct debit for it is under way
}

// Over returns how much more a direct debit that is under way collects than is left to pay of its statement, because
// the venue has paid it otherwise meanwhile.
func (u Unpaid) Over() money.Amount { return max(0, u.Asked-u.Left) }

// venueFolds are about the money of venues.
var venueFolds = []folding{
	on((*State).agreeVenue),
	on((*State).stateVenue),
	on((*State).carryCash),
	on((*State).receiveRemittance),
	plain((*State).nameCreditor),
	on((*State).orderDebits),
	on((*State).answerDebit),
	on((*State).withdrawDebits),
	on((*State).payVenue),
	on((*State).reverseVenuePayment),
}

// VenueMoney returns how a venue with an agreement stands. The caller must not change it.
func (s *State) VenueMoney(venue uint32) (*VenueMoney, bool) {
	m, ok := s.money.venues[venue]
	return m, ok
}

// VenuesWithAgreement returns the numbers of the venues that have an agreement, ascending.
func (s *State) VenuesWithAgreement() []uint32 {
	list := make([]uint32, 0, len(s.money.venues))
	for venue := range s.money.venues {
		list = append(list, venue)
	}
	slices.Sort(list)
	return list
}

// NewestDay returns the newest Keno Day that any series has opened.
func (s *State) NewestDay() day.Day { return s.money.newest }

// Creditor returns to whom direct debits are paid, if two persons have said so.
func (s *State) Creditor() (record.CreditorNamed, bool) {
	return s.money.creditor, s.money.creditor.Name != ""
}

// DebitFiles returns how many files of direct debits there are: they are numbered from 1 on.
func (s *State) DebitFiles() uint32 { return uint32(len(s.money.files)) }

// venueAccounts are the accounts of what a venue holds for the operator.
var venueAccounts = []ledger.Account{ledger.Cash, ledger.Safe, ledger.Chips, ledger.SiteCheques, ledger.VenueLosses,
	ledger.OverShort, ledger.VenueFunds}

// VenueHolds returns what a venue holds for the operator: its cash, chips, cheques, losses and what counts found,
// less what of them is the venue's own.
func (s *State) VenueHolds(venue uint32) (sum money.Amount) {
	for _, a := range venueAccounts {
		sum += s.balances.OfUnit(a, venue)
	}
	return sum
}

// VenueOwes returns what a venue owes on its account; below zero, the operator owes it.
func (s *State) VenueOwes(venue uint32) money.Amount {
	return s.balances.OfUnit(ledger.VenueAccount, venue)
}

// UnpaidBills returns the statements of a venue that are not paid, or that a bank is still to collect, the oldest
// first.
func (s *State) UnpaidBills(venue uint32) []Unpaid {
	m, ok := s.money.venues[venue]
	if !ok {
		return nil
	}
	return m.unpaid(s.VenueOwes(venue), s.money.newest)
}

// unpaid shares what a venue owes out among its statements. What a direct debit under way asks for is paid by that
// debit, and by other money last: no other file asks for it, and no other statement waits for it. The rest is paid
// from the oldest statement on. What is owed beyond all of them, because the operator has paid out a payment that was
// reversed since, is with the oldest.
func (m *VenueMoney) unpaid(owes money.Amount, today day.Day) []Unpaid {
	list := make([]Unpaid, len(m.Bills))
	owes = max(owes, 0)
	share := func(u *Unpaid, most money.Amount) {
		part := min(owes, max(most, 0))
		u.Left, owes = u.Left+part, owes-part
	}
	for i, b := range slices.Backward(m.Bills) {
		list[i].Bill = b
		share(&list[i], b.Asked)
	}
	for i := range slices.Backward(m.Bills) {
		share(&list[i], list[i].Cents-list[i].Left)
	}
	if len(list) > 0 {
		share(&list[0], owes)
	}
	for i := range list {
		u := &list[i]
		u.Missed = u.Left > 0 && (u.Returned || today > u.Due && u.File == 0)
	}
	return list
}

// Missed returns the oldest statement whose payment a venue has missed, if there is one.
func (s *State) Missed(venue uint32) (missed Unpaid, ok bool) {
	for _, u := range s.UnpaidBills(venue) {
		if u.Missed {
			return u, true
		}
	}
	return missed, false
}

// Agreement returns the agreement under which the statement with a first day is made.
func (m *VenueMoney) Agreement(first day.Day) (found record.VenueAgreed, ok bool) {
	for _, a := range m.Agreements {
		if a.From <= first {
			found, ok = a, true
		}
	}
	return found, ok
}

// Current returns the agreement under which the next statement is made, which may be one that begins later.
func (m *VenueMoney) Current() record.VenueAgreed {
	current, ok := m.Agreement(m.First())
	if !ok {
		current = m.Agreements[0]
	}
	return current
}

// First returns the first day of the next statement.
func (m *VenueMoney) First() day.Day {
	if m.Last.Number != 0 {
		return m.Last.To + 1
	}
	return m.Agreements[0].From
}

// countVenue counts what a record does at a venue, and what pays its account.
func (s *State) countVenue(r record.Record) {
	if len(s.money.venues) == 0 {
		return
	}
	for _, p := range r.Postings {
		m := s.money.venues[p.Unit]
		if p.Account == ledger.VenueAccount && m != nil && r.Kind() != record.KindVenueStated {
			m.Done.Received -= p.Cents
		}
	}
	s.countFees(r)
	terminal, ok := r.Counter()
	if !ok {
		return
	}
	at, ok := s.terminals[terminal]
	if !ok {
		return
	}
	m, ok := s.money.venues[at.Venue]
	if !ok || !m.Counts {
		return
	}
	switch b := r.Body.(type) {
	case *record.TicketSold:
		m.Done.Sold += b.CostCents
	case *record.TicketCancelled:
		m.Done.Back += b.RefundCents + b.CarriedCents
	case *record.TicketPaid:
		m.Done.Prizes += b.Amount() - b.RefundCents
		m.Done.Refunds += b.RefundCents
	case *record.InstrumentIssued:
		if b.Reason == record.IssuedForMoney {
			m.Done.Papers += b.Cents
		}
	}
}

// countFees counts fees of bingo that a record takes or pays back, for the venue of the room.
func (s *State) countFees(r record.Record) {
	session, ok := r.HallSession()
	if !ok || s.halls[session.Hall] == nil {
		return
	}
	m, ok := s.money.venues[s.halls[session.Hall].Opened.Venue]
	if !ok || !m.Counts {
		return
	}
	switch b := r.Body.(type) {
	case *record.PlayerEntered:
		m.Done.Fees += b.FeeCents
	case *record.EntryUndone, *record.RefundPaid:
		for _, p := range r.Postings {
			if p.Account == ledger.EntryFees || p.Account == ledger.HallRefunds {
				m.Done.FeesBack += p.Cents
			}
		}
	}
}

// openVenues takes in that a Keno Day has opened.
func (s *State) openVenues(today day.Day) {
	s.money.newest = max(s.money.newest, today)
	if len(s.money.venues) > 0 {
		s.noted.whole(allVenues) // What is missed depends on the day.
	}
	for _, m := range s.money.venues {
		m.Counts = m.Counts || m.Agreements[0].From <= s.money.newest
	}
}

func (s *State) agreeVenue(b *record.VenueAgreed) error {
	if _, ok := s.venues[b.Venue]; !ok || b.From <= s.money.newest {
		return cannot("an agreement with venue %d from %v", b.Venue, b.From)
	}
	if s.money.venues == nil {
		s.money.venues = map[uint32]*VenueMoney{}
	}
	m, ok := s.money.venues[b.Venue]
	if !ok {
		m = new(VenueMoney)
		s.money.venues[b.Venue] = m
	}
	m.Agreements = slices.DeleteFunc(m.Agreements, func(a record.VenueAgreed) bool { return a.From >= b.From })
	m.Agreements = append(m.Agreements, *b)
	s.noted.whole(allVenues)
	return nil
}

// stateVenue takes in a statement. Agreements that are no longer needed are forgotten.
func (s *State) stateVenue(b *record.VenueStated) error {
	m, ok := s.money.venues[b.Venue]
	if !ok || b.Number != m.Last.Number+1 || b.From != m.First() ||
		b.OpeningCents-b.ReceivedCents != s.VenueOwes(b.Venue) || b.TakingsCents != s.VenueHolds(b.Venue) {
		return cannot("statement %d of venue %d", b.Number, b.Venue)
	}
	m.Last, m.Done = *b, VenueDone{}
	for len(m.Agreements) > 1 && m.Agreements[1].From <= m.First() {
		m.Agreements = slices.Delete(m.Agreements, 0, 1)
	}
	if cents := b.Adds(); cents > 0 {
		m.Bills = append(m.Bills, Bill{Number: b.Number, Due: b.Due, Cents: cents})
	}
	s.noted.whole(allVenues)
	return nil
}

// forgetPaid drops the statements that are paid and about which no bank is to answer.
func (s *State) forgetPaid(r record.Record) {
	for _, p := range r.Postings {
		if p.Account == ledger.VenueAccount {
			s.dropPaid(p.Unit)
		}
	}
	switch b := r.Body.(type) {
	case *record.DebitAnswered:
		s.dropPaid(b.Venue)
	case *record.VenuePaymentReversed:
		if m, ok := s.money.venues[b.Venue]; ok {
			m.restore(s.VenueOwes(b.Venue))
		}
	}
}

// restore makes statements that were paid unpaid again, the newest first, until those that are not paid come to what
// the venue owes.
func (m *VenueMoney) restore(owes money.Amount) {
	for _, b := range m.Bills {
		owes -= b.Cents
	}
	for i := len(m.Paid) - 1; i >= 0 && owes > 0; i-- {
		owes -= m.Paid[i].Cents
		m.insert(m.Paid[i])
		m.Paid = m.Paid[:i:i]
	}
}

// insert puts a statement among those that are not paid.
func (m *VenueMoney) insert(bill Bill) {
	at := slices.IndexFunc(m.Bills, func(b Bill) bool { return b.Number > bill.Number })
	if at < 0 {
		at = len(m.Bills)
	}
	m.Bills = slices.Insert(m.Bills, at, bill)
}

func (s *State) dropPaid(venue uint32) {
	m, ok := s.money.venues[venue]
	if !ok {
		return
	}
	unpaid := s.UnpaidBills(venue)
	m.Bills = m.Bills[:0:0]
	for _, u := range unpaid {
		if u.Left > 0 || u.File != 0 {
			m.Bills = append(m.Bills, u.Bill)
			continue
		}
		u.Bill.Returned = false
		m.Paid = append(m.Paid, u.Bill)
	}
	slices.SortFunc(m.Paid, func(a, b Bill) int { return cmp.Compare(a.Number, b.Number) })
	m.Paid = m.Paid[max(0, len(m.Paid)-KeptPaid):]
	s.noted.whole(allVenues)
}

func (s *State) carryCash(b *record.CashCarried) error {
	if _, ok := s.venues[b.Venue]; !ok {
		return cannot("there is no venue %d", b.Venue)
	}
	if _, agreed := s.money.venues[b.Venue]; b.Move == record.CashBanked && !agreed {
		return cannot("cash of venue %d is banked, which has no agreement", b.Venue)
	}
	s.keepPayment(b.Venue, VenuePayment{Kind: record.KindCashCarried, Cents: b.Cents, Reference: b.Reference})
	return nil
}

// keepPayment keeps a payment of the record that is applied, for a venue with an agreement.
func (s *State) keepPayment(venue uint32, p VenuePayment) {
	if m, ok := s.money.venues[venue]; ok {
		p.At = s.next
		m.Payments = append(m.Payments[max(0, len(m.Payments)+1-KeptPayments):], p)
		s.noted.whole(allVenues)
	}
}

// Payment returns the newest payment of a venue by a reference that was not reversed: cash that was carried, or one of
// the bank.
func (m *VenueMoney) Payment(cash bool, reference string) (VenuePayment, bool) {
	for _, p := range slices.Backward(m.Payments) {
		if !p.Reversed && (p.Kind == record.KindCashCarried) == cash && record.SameReference(p.Reference, reference) {
			return p, true
		}
	}
	return VenuePayment{}, false
}

func (s *State) receiveRemittance(b *record.RemittanceReceived) error {
	if _, ok := s.money.venues[b.Venue]; !ok {
		return cannot("a remittance of venue %d, which has no agreement", b.Venue)
	}
	s.keepPayment(b.Venue, VenuePayment{Kind: record.KindRemittanceReceived, Cents: b.Cents, Reference: b.Reference})
	return nil
}

func (s *State) payVenue(b *record.VenuePaid) error {
	if _, ok := s.money.venues[b.Venue]; !ok || b.Cents > -s.VenueOwes(b.Venue) {
		return cannot("venue %d is paid %v, and owes %v", b.Venue, b.Cents, s.VenueOwes(b.Venue))
	}
	s.keepPayment(b.Venue, VenuePayment{Kind: record.KindVenuePaid, Cents: -b.Cents, Reference: b.Reference})
	return nil
}

// reverseVenuePayment marks a payment as one that was not made. Which statements are owed again depends on the
// postings.
func (s *State) reverseVenuePayment(b *record.VenuePaymentReversed) error {
	m, ok := s.money.venues[b.Venue]
	if !ok {
		return cannot("venue %d has no agreement", b.Venue)
	}
	i := slices.IndexFunc(m.Payments, func(p VenuePayment) bool { return p.At == b.Of })
	if i < 0 || m.Payments[i].Reversed || m.Payments[i].Kind == record.KindCashCarried || m.Payments[i].Cents != b.Cents {
		return cannot("a payment of %v of venue %d is reversed, which record %v is not", b.Cents, b.Venue, b.Of)
	}
	m.Payments = slices.Clone(m.Payments)
	m.Payments[i].Reversed = true
	s.noted.whole(allVenues)
	return nil
}

func (s *State) nameCreditor(b *record.CreditorNamed) { s.money.creditor = *b }

func (s *State) orderDebits(b *record.DebitsOrdered) error {
	if b.File != s.DebitFiles()+1 {
		return cannot("file %d of direct debits", b.File)
	}
	s.money.files = append(s.money.files, s.next)
	s.noted.whole(allVenues)
	for _, d := range b.Debits {
		m, ok := s.money.venues[d.Venue]
		if !ok {
			return cannot("venue %d has no agreement", d.Venue)
		}
		bill := m.bill(d.Statement)
		if bill == nil || bill.File != 0 {
			return cannot("statement %d of venue %d is collected", d.Statement, d.Venue)
		}
		bill.File, bill.Asked = b.File, d.Cents
		s.noted.whole(allVenues)
	}
	return nil
}

func (m *VenueMoney) bill(number uint32) *Bill {
	for i := range m.Bills {
		if m.Bills[i].Number == number {
			return &m.Bills[i]
		}
	}
	return nil
}

// Asked returns the direct debit of a file for a statement that the bank has not answered, or nil.
func (m *VenueMoney) Asked(file, statement uint32) *Bill {
	if bill := m.bill(statement); bill != nil && file != 0 && bill.File == file {
		return bill
	}
	return nil
}

// AnswerTo returns what the bank has answered about a direct debit, if that is kept.
func (m *VenueMoney) AnswerTo(file, statement uint32) (AnsweredDebit, bool) {
	i := m.answer(file, statement)
	if i < 0 {
		return AnsweredDebit{}, false
	}
	return m.Answered[i], true
}

func (m *VenueMoney) answer(file, statement uint32) int {
	return slices.IndexFunc(m.Answered,
		func(a AnsweredDebit) bool { return a.File == file && a.Statement == statement })
}

// answerDebit takes in the answer of the bank. A payment that is called back makes the statement one that is to be
// paid again.
func (s *State) answerDebit(b *record.DebitAnswered) error {
	m, ok := s.money.venues[b.Venue]
	if !ok {
		return cannot("venue %d has no agreement", b.Venue)
	}
	answer := AnsweredDebit{File: b.File, Statement: b.Statement, Cents: b.Cents, Paid: b.Paid}
	bill := m.Asked(b.File, b.Statement)
	i := m.answer(b.File, b.Statement)
	switch {
	case bill == nil && i >= 0 && m.Answered[i].Paid && !b.Paid:
		answer.Due = m.Answered[i].Due
		m.Answered = slices.Delete(m.Answered, i, i+1)
		m.callBack(answer)
	case bill == nil && i >= 0 && m.Answered[i].Withdrawn && m.Answered[i].Cents == b.Cents:
		answer.Due = m.Answered[i].Due
		m.Answered = slices.Delete(m.Answered, i, i+1)
	default:
		if bill == nil || bill.Asked != b.Cents {
			return cannot("file %d has no direct debit of %v for statement %d of venue %d", b.File, b.Cents, b.Statement,
				b.Venue)
		}
		answer.Due = bill.Due
		bill.File, bill.Asked, bill.Returned = 0, 0, !b.Paid
	}
	m.keepAnswer(answer)
	s.noted.whole(allVenues)
	return nil
}

func (m *VenueMoney) keepAnswer(answer AnsweredDebit) {
	m.Answered = append(m.Answered, answer)
	if len(m.Answered) > KeptAnswers {
		m.Answered = slices.Delete(m.Answered, 0, len(m.Answered)-KeptAnswers)
	}
}

// withdrawDebits takes back the direct debits of a file about which the bank has said nothing. The statements are owed
// as if they had not been ordered, and can still be paid on the newest Keno Day: that a file was withdrawn is no fault
// of the venue.
func (s *State) withdrawDebits(b *record.DebitsWithdrawn) error {
	under := 0
	for venue, m := range s.money.venues {
		for i := range m.Bills {
			bill := &m.Bills[i]
			if b.File == 0 || bill.File != b.File {
				continue
			}
			under++
			m.keepAnswer(AnsweredDebit{File: b.File, Statement: bill.Number, Due: bill.Due, Cents: bill.Asked, Withdrawn: true})
			bill.File, bill.Asked, bill.Due = 0, 0, max(bill.Due, s.money.newest)
		}
		s.dropPaid(venue)
	}
	if under == 0 {
		return cannot("file %d of direct debits has none of which the bank has said nothing", b.File)
	}
	return nil
}

// UnderWay returns the direct debits of a file about which the bank has said nothing: their sum, and how many there
// are.
func (s *State) UnderWay(file uint32) (sum money.Amount, debits int) {
	for _, m := range s.money.venues {
		for _, bill := range m.Bills {
			if file != 0 && bill.File == file {
				sum, debits = sum+bill.Asked, debits+1
			}
		}
	}
	return sum, debits
}

// callBack makes a statement whose payment was called back one that is to be paid.
func (m *VenueMoney) callBack(a AnsweredDebit) {
	if bill := m.bill(a.Statement); bill != nil {
		bill.Cents, bill.Returned = bill.Cents+a.Cents, true
		return
	}
	m.Paid = slices.DeleteFunc(slices.Clone(m.Paid), func(b Bill) bool { return b.Number == a.Statement })
	m.insert(Bill{Number: a.Statement, Due: a.Due, Cents: a.Cents, Returned: true})
}

// VenueStanding is how a venue stands with the operator, as readers see it.
type VenueStanding struct {
	Agreement record.VenueAgreed // of the next statement
	Last      record.VenueStated // of number 0 where there is none
	Owes      money.Amount       // on its account; below zero, the operator owes it
	Unpaid    []Unpaid           // the oldest first
	Payments  []VenuePayment     // the newest, ascending by time
}

// VenueStanding returns how a venue stands, if it has an agreement.
func (v *View) VenueStanding(venue uint32) (VenueStanding, bool) {
	standing, ok := v.money[venue]
	return standing, ok
}

// DebitFiles returns where the orders of direct debits stand, by number - 1. The caller must not change them.
func (v *View) DebitFiles() []record.Place { return v.files }

// standings returns how all venues with an agreement stand.
func (s *State) standings() map[uint32]VenueStanding {
	all := make(map[uint32]VenueStanding, len(s.money.venues))
	for venue, m := range s.money.venues {
		all[venue] = VenueStanding{m.Current(), m.Last, s.VenueOwes(venue), s.UnpaidBills(venue), m.Payments}
	}
	return all
}
