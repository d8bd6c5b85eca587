package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/internal/cases"
)

// purse is what the test itself knows of the money of a venue and of the State: sums, and nothing of statements.
type purse struct {
	owes      money.Amount // by the venue on its account
	bank      money.Amount // of the operator
	safe      money.Amount // of the venue
	holds     money.Amount // the venue of the operator
	treasurer money.Amount // owed to the Treasurer
	payments  []paidBy
	asked     []debitBy      // of direct debits that the bank has not answered
	collected []debitBy      // that it has paid, and that it may call back
	did       map[string]int // acts, by name
}

// debitBy is a direct debit of a file.
type debitBy struct {
	file, statement uint32
	cents           money.Amount
}

// paidBy is a payment that can be taken back.
type paidBy struct {
	reference string
	cents     money.Amount // that came to the bank; below zero, what left it
	state     bool         // to the State
}

// TestMoneyAtRandom does acts about the money of a venue and of the State in any order: payments, their reversals, cash
// of the safe, direct debits, answers of the bank, statements of weeks. After each act the accounts are what the sums
// of the acts say, the unpaid statements come to what is owed, and what the bank is to collect with what a new file
// would collect is no more than what is owed. A payment and its reversal leave everything as it was. In the end
// verify works it all out again.
func TestMoneyAtRandom(t *testing.T) {
	q := ownMoneyHouse(t)
	s := q.Engine.State()
	date := s.NewestDay()
	random := rand.New(rand.NewPCG(30, 16))
	p := &purse{owes: s.VenueOwes(1), bank: s.Balances().Of(ledger.Bank), safe: 50_00,
		treasurer: -s.Balances().Of(ledger.Treasurer), did: map[string]int{}}
	p.ordered(q)
	for n := range 400 {
		if n%10 == 9 {
			need(t, q.CloseDay())
			date += 7
			q.SetClock(cases.Noon(date))
			unclaimed := s.Balances().Of(ledger.Treasurer)
			need(t, q.OpenDay(date))
			p.treasurer += unclaimed - s.Balances().Of(ledger.Treasurer)
			m, _ := s.VenueMoney(1)
			commission := m.Last.SoldCents * 7 / 100
			if m.Last.Adds() != p.holds-commission || m.Last.To >= date || m.Last.To < date-7 {
				t.Fatalf("the venue held %v, and the statement is %+v", p.holds, m.Last)
			}
			p.owes, p.holds = p.owes+m.Last.Adds(), 0
			p.trade(q, uint32(n/10+2), 1+random.IntN(20), random.IntN(4) == 0)
		} else {
			p.act(q, random, n)
		}
		p.check(q, n)
	}
	for _, name := range []string{"receive", "pay", "reverse", "brought", "taken", "banked", "order", "paid", "returned",
		"called back", "withdraw", "remit", "reverse remittance", "paid and collected",
		"order beside others"} {
		if p.did[name] == 0 {
			t.Errorf("%s was not done: %v", name, p.did)
		}
	}
	report, err := q.Verify()
	need(t, err)
	if report.Failure != nil {
		t.Error(report.Failure)
	}
}

// trade plays a game with one ticket, of which the prize is paid.
func (p *purse) trade(q *quarter, ordinal uint32, dollars int, wins bool) {
	q.t.Helper()
	number := map[bool]int{true: 1, false: 80}[wins]
	need(q.t, q.OpenGame())
	ticket, err := q.sell(1, number, dollars)
	need(q.t, err)
	need(q.t, q.CloseGame())
	need(q.t, q.Draw(ordinal, []int{1}))
	p.holds = money.Amount(dollars) * 100
	if wins {
		paid, err := q.Pay(1, ticket)
		need(q.t, err)
		p.holds -= paid
	}
}

// act does one act, if it can be done.
func (p *purse) act(q *quarter, random *rand.Rand, n int) {
	s := q.Engine.State()
	cents := money.Amount(1 + random.IntN(12_00))
	reference := fmt.Sprintf("reference %d", n)
	back := "" // reverses what the act has done
	switch k := random.IntN(12); {
	case k == 0 || k == 1:
		q.agree(command.ReceiveRemittance{Venue: 1, Cents: cents.Cents(), Reference: reference})
		if len(p.asked) > 0 {
			p.did["paid and collected"]++
		}
		p.pays("receive", paidBy{reference, cents, false})
		back = reference
	case k == 2 && p.owes < 0:
		cents = min(cents, -p.owes)
		q.agree(command.PayVenue{Venue: 1, Cents: cents.Cents(), Reference: reference})
		p.pays("pay", paidBy{reference, -cents, false})
		back = reference
	case k == 3:
		q.agree(command.CarryCash{Venue: 1, Move: "brought", Cents: cents.Cents(), Reference: reference})
		p.safe, p.did["brought"] = p.safe+cents, p.did["brought"]+1
	case k == 4 && p.safe > 0:
		cents = min(cents, p.safe)
		move := []string{"taken", "banked"}[random.IntN(2)]
		q.agree(command.CarryCash{Venue: 1, Move: move, Cents: cents.Cents(), Reference: reference})
		p.safe, p.did[move] = p.safe-cents, p.did[move]+1
		if move == "banked" {
			p.owes, p.bank = p.owes-cents, p.bank+cents
		}
	case k == 5 && p.treasurer > 0:
		cents = min(cents/20+1, p.treasurer)
		q.agree(command.MakeRemittance{Account: "treasurer", Cents: cents.Cents(), Paid: "2026-11-15",
			Reference: reference})
		p.treasurer -= cents
		p.bank -= cents
		p.payments, p.did["remit"] = append(p.payments, paidBy{reference, -cents, true}), p.did["remit"]+1
	case k == 6 && len(p.payments) > 0:
		p.reverse(q, random.IntN(len(p.payments)))
	case k == 7 || k == 8:
		if refused := q.try(command.OrderDebits{Collect: (s.NewestDay() + 1).String()}); refused == nil {
			p.did["order"]++
			p.ordered(q)
		} else if !refusedAs(refused, "nothing_due") {
			q.t.Fatal(refused)
		}
	case k == 9 && len(p.asked) > 0 && random.IntN(4) == 0:
		file := p.asked[0].file
		q.agree(command.WithdrawDebits{File: file, Reason: "paid otherwise"})
		p.asked, p.did["withdraw"] = slices.DeleteFunc(p.asked, func(d debitBy) bool { return d.file == file }),
			p.did["withdraw"]+1
	case k == 10 && len(p.asked) > 0:
		p.answer(q, random)
	case k == 11 && len(p.collected) > 0:
		d := p.collected[len(p.collected)-1]
		back := command.DebitAnswer{File: d.file, Venue: 1, Statement: d.statement, Code: "MD06"}
		q.agree(command.TakeInAnswer{Answers: []command.DebitAnswer{back}})
		p.collected = p.collected[:len(p.collected)-1]
		p.owes, p.bank, p.did["called back"] = p.owes+d.cents, p.bank-d.cents, p.did["called back"]+1
	}
	if back != "" && random.IntN(3) == 0 {
		p.reverse(q, len(p.payments)-1)
	}
}

// pays takes in a payment of the bank for the venue.
func (p *purse) pays(name string, by paidBy) {
	p.payments = append(p.payments, by)
	p.owes, p.bank, p.did[name] = p.owes-by.cents, p.bank+by.cents, p.did[name]+1
}

// reverse takes the nth payment back.
func (p *purse) reverse(q *quarter, n int) {
	by := p.payments[n]
	p.payments = slices.Delete(p.payments, n, n+1)
	p.bank -= by.cents
	if by.state {
		q.agree(command.ReverseRemittance{Account: "treasurer", Reference: by.reference, Reason: "not paid"})
		p.treasurer, p.did["reverse remittance"] = p.treasurer-by.cents, p.did["reverse remittance"]+1
		return
	}
	q.agree(command.ReverseVenuePayment{Venue: 1, Reference: by.reference, Reason: "of another venue"})
	p.owes, p.did["reverse"] = p.owes+by.cents, p.did["reverse"]+1
}

// ordered takes in the newest file of direct debits: it collects no more than what is owed, with what others collect.
func (p *purse) ordered(q *quarter) {
	q.t.Helper()
	s, sum := q.Engine.State(), money.Amount(0)
	for _, d := range p.asked {
		sum += d.cents
	}
	before := sum
	for _, u := range s.UnpaidBills(1) {
		if u.File == s.DebitFiles() {
			p.asked = append(p.asked, debitBy{u.File, u.Number, u.Asked})
			sum += u.Asked
		}
	}
	if before > 0 && sum > before {
		p.did["order beside others"]++
	}
	if sum == before || sum > max(p.owes, before) {
		q.t.Fatalf("files collect %v, and %v before: %v is owed", sum, before, p.owes)
	}
}

// answer takes in what the bank says of one of the direct debits.
func (p *purse) answer(q *quarter, random *rand.Rand) {
	i := random.IntN(len(p.asked))
	d := p.asked[i]
	p.asked = slices.Delete(p.asked, i, i+1)
	answer := command.DebitAnswer{File: d.file, Venue: 1, Statement: d.statement, Paid: random.IntN(3) > 0}
	if !answer.Paid {
		answer.Code = "AM04"
		p.did["returned"]++
	} else {
		p.owes, p.bank, p.did["paid"] = p.owes-d.cents, p.bank+d.cents, p.did["paid"]+1
		p.collected = append(p.collected, d)
	}
	q.agree(command.TakeInAnswer{Answers: []command.DebitAnswer{answer}})
}

// check compares the accounts with the sums of the acts, and the statements with the accounts.
func (p *purse) check(q *quarter, n int) {
	q.t.Helper()
	s := q.Engine.State()
	var left, asked money.Amount
	debits := 0
	for _, u := range s.UnpaidBills(1) {
		left += u.Left
		if u.Left == 0 && u.File == 0 {
			q.t.Errorf("act %d: statement %d is paid, and among the unpaid", n, u.Number)
		}
		if u.File != 0 {
			asked, debits = asked+u.Asked, debits+1
		}
	}
	var collects money.Amount
	for _, d := range p.asked {
		collects += d.cents
	}
	for _, x := range []struct {
		what    string
		is, due money.Amount
	}{
		{"the account of the venue", s.VenueOwes(1), p.owes}, {"the unpaid statements", left, max(p.owes, 0)},
		{"the bank", s.Balances().Of(ledger.Bank), p.bank}, {"the safe", s.Balances().OfUnit(ledger.Safe, 1), p.safe},
		{"what the venue holds of the operator", s.VenueHolds(1), p.holds},
		{"what the Treasurer is owed", -s.Balances().Of(ledger.Treasurer), p.treasurer},
		{"direct debits", asked, collects}, {"how many direct debits", money.Amount(debits), money.Amount(len(p.asked))},
	} {
		if x.is != x.due {
			q.t.Fatalf("act %d: %s: %v, and %v is right; %v", n, x.what, x.is, x.due, p.did)
		}
	}
}
