package facts_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/game"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// betOf is a bet on numbers of each rulebook of keno.
var betOf = map[string]string{"vic-keno-2015": "classic", "tas-keno-2023": "standard", "casino-keno-div2": "standard",
	"mi-club-keno": "club_keno", "gr-kino-bonus": "kino"}

// The days that are traded in a run of all tests, and with DRAWHOUSE_FACTS=all: a quarter.
const (
	fewDays     = 4
	quarterDays = 92
)

// quarter is a house under way, and what its customers hold.
type quarter struct {
	t       testing.TB
	core    *cases.Core
	book    *rulebook.Book
	random  *rand.Rand
	date    day.Day
	game    uint32
	of      uint8 // the series; 0 for the one that there is
	tickets []cases.Ticket
	papers  []cases.Paper
}

// quarters plays some days, or a quarter, in a house of every rulebook of keno: tickets of several games, visits with
// papers and several tickets, payments late and never, cancellations, customers who leave unpaid, moves and counts of
// a bank, and void games.
func quarters(t testing.TB) map[string]*cases.Core {
	t.Helper()
	days, houses := fewDays, map[string]*cases.Core{}
	if os.Getenv("DRAWHOUSE_FACTS") == "all" {
		days = quarterDays
	}
	for id := range betOf {
		houses[id+"/quarter"] = quarterOf(t, id, days)
	}
	houses["vic-keno-2015/two"] = twoSeries(t)
	houses["fees/quarter"] = feesHouse(t)
	return houses
}

// quarterOf plays some days in a house of a rulebook.
func quarterOf(t testing.TB, id string, days int) *cases.Core {
	t.Helper()
	book := taxed(t, id)
	q := &quarter{t: t, book: book, random: rand.New(rand.NewPCG(7, uint64(len(id)))), date: firstDay, game: 1}
	var err error
	q.core, err = cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(),
		Begin: cases.Noon(q.date), Seed: "quarter " + id})
	must(t, err)
	q.may(q.core.Does(command.SetLimit{OfVenue: command.OfVenue{Venue: 1}, Cents: 1_000_00}))
	must(t, q.core.Agree(command.CarryCash{Venue: 1, Move: "brought", Cents: 321_00, Reference: "slip 1"}))
	q.agreements()
	for range days {
		q.play()
	}
	must(t, q.core.Take())
	return q.core
}

// firstDay is the first day of a quarter: after it come the ends of a week and of a month.
var firstDay = day.MustParse("2026-06-29")

// taxed returns a rulebook with a tax on what the games of a month leave, as an edition of an operator has it.
func taxed(t testing.TB, id string) *rulebook.Book {
	t.Helper()
	text, err := rules.Text(id)
	must(t, err)
	whole := strings.Replace(string(text), "\nkeno:\n", "\nkeno:\n  tax: {clause: \"1\", base: net_revenue, rate: 24.24, "+
		"rounding: half-even, losses: carried, due_day: 7, payee: State Revenue Office}\n", 1)
	book, err := rulebook.Load("taxed", []byte(whole))
	must(t, err)
	return book
}

// agreements has venues agree on commissions. Weeks end on the second and on the third day of the quarter.
func (q *quarter) agreements() {
	q.t.Helper()
	must(q.t, q.core.Agree(command.AgreeVenue{Venue: 1, FromDay: firstDay.String(), SalesRate: 733, PrizesRate: 111,
		LeastCents: 50, TaxRate: 1000, TaxRounding: "half-even", FloorCents: 20_00, WeekEnds: 2, DaysToPay: 3, Mandate: "M-1",
		Account: "DE89370400440532013000", Signed: "2026-06-01"}))
	must(q.t, q.core.Agree(command.AgreeVenue{Venue: 2, FromDay: firstDay.String(), SalesRate: 651, PrizesRate: 7,
		LeastCents: 10_00, TaxRate: 1250, TaxRounding: "half-up", WeekEnds: 3, DaysToPay: 0, Mandate: "M-2",
		Account: "DE89370400440532013000", Signed: "2026-06-01"}))
	must(q.t, q.core.Agree(command.NameCreditor{Name: "Keno Pty Ltd", Account: "DE02120300000000202051",
		Creditor: "DE98ZZZ09999999999"}))
}

// accounts does what is done in a day about the money of venues and of the State: the bank answers about debits and
// calls one back, venues pay by transfer and bank cash, payments are taken back, the operator pays venues and tax, and
// orders debits.
func (q *quarter) accounts() {
	q.t.Helper()
	s, n := q.core.Engine.State(), int(q.date)
	agree := func(act command.Act) { q.may(q.core.Agree(act)) }
	for venue := uint32(1); venue <= 2; venue++ {
		for _, u := range s.UnpaidBills(venue) {
			answer := command.DebitAnswer{File: u.File, Venue: venue, Statement: u.Number, Paid: (n+int(venue))%5 != 0}
			if u.File == 0 {
				continue
			}
			agree(command.TakeInAnswer{Answers: []command.DebitAnswer{answer}})
			if answer.Paid && n%2 == 0 {
				answer.Paid, answer.Code = false, "MD06"
				agree(command.TakeInAnswer{Answers: []command.DebitAnswer{answer}})
			}
		}
		if owes := s.VenueOwes(venue); owes < 0 {
			agree(command.PayVenue{Venue: venue, Cents: -owes.Cents(), Reference: fmt.Sprintf("out %d", n)})
		} else if owes > 0 {
			agree(command.ReceiveRemittance{Venue: venue, Cents: 2_00, Reference: fmt.Sprintf("in %d", n)})
			agree(command.ReceiveRemittance{Venue: venue, Cents: 3_00, Reference: fmt.Sprintf("in %d again", n)})
			agree(command.ReverseVenuePayment{Venue: venue, Reference: fmt.Sprintf("in %d again", n), Reason: "twice"})
			agree(command.CarryCash{Venue: venue, Move: "banked", Cents: 1_00, Reference: fmt.Sprintf("slip %d", n)})
		}
	}
	agree(command.OrderDebits{Collect: (q.date + 1).String()})
	if series, _ := s.Series(1); series.TaxOwed(day.MustParse("2026-06-01")) > 0 {
		paid := command.MakeRemittance{Account: "tax", Month: "2026-06", Cents: 1_00, Paid: q.date.String(),
			Reference: fmt.Sprintf("tax %d", n)}
		agree(paid)
		if n%2 == 0 {
			agree(command.ReverseRemittance{Account: "tax", Month: "2026-06", Reference: paid.Reference, Reason: "not paid"})
		}
	}
}

// feesHouse is a house with a bingo room of a venue that has a commission on its fees: three players enter, one entry
// is undone, the session ends early, and one player fetches the fee.
func feesHouse(t testing.TB) *cases.Core {
	t.Helper()
	room, err := cases.NewRoom("fees", cases.Noon(firstDay))
	must(t, err)
	must(t, room.Agree(command.AgreeVenue{Venue: 1, FromDay: firstDay.String(), FeesRate: 733, WeekEnds: 1, TaxRate: 1000,
		TaxRounding: "ceil"}))
	must(t, room.OpenDay(firstDay))
	must(t, room.AddCards("K7", 6, 101, 10, 2))
	_, err = room.Set(record.SessionSet{Day: firstDay, FeeCents: 10_01, BooksMax: 3, Series: []string{"K7"},
		Games: []record.BingoPlan{{Prizes: []record.PatternPrize{{Pattern: record.PatternBingo, Cents: 5_00}}}}})
	must(t, err)
	for i, member := range []string{"M1", "M2", "M3"} {
		must(t, room.Join(member))
		_, err := room.Enter(member, "K7", uint32(101+i), uint32(101+i), 0)
		must(t, err)
	}
	during := command.During(room.Ref())
	player := func(n uint32) command.OfPlayer { return command.OfPlayer{InSession: during, Player: n} }
	must(t, room.Do(command.UndoEntry{OfPlayer: player(3), Reason: "sold by mistake"}, cases.Supervisor))
	must(t, room.Do(command.SignClosure{InSession: during, At: cases.Noon(firstDay).Add(30 * time.Minute)},
		cases.Supervisor))
	room.SetClock(cases.Noon(firstDay).Add(31 * time.Minute))
	must(t, room.Do(command.CloseSession{InSession: during}, cases.Supervisor))
	must(t, room.Do(command.PayRefund{OfPlayer: player(1)}, cases.Dealer))
	must(t, room.CloseDay())
	room.SetClock(cases.Noon(firstDay + 1))
	must(t, room.OpenDay(firstDay+1))
	must(t, room.CloseDay())
	must(t, room.Take())
	return room.Core
}

// twoSeries plays some days in a house with two series of games, whose days close one after the other: what happens in
// a day of the second is of another day of the house.
func twoSeries(t testing.TB) *cases.Core {
	t.Helper()
	book := taxed(t, "vic-keno-2015")
	first := &quarter{t: t, book: book, random: rand.New(rand.NewPCG(7, 2)), date: firstDay, game: 1, of: 1}
	var err error
	first.core, err = cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(),
		Begin: cases.Noon(first.date), Seed: "two series"})
	must(t, err)
	must(t, first.core.Agree(command.BeginSeries{Name: "evening-keno", Rulebook: book.Hash().String(),
		Schedule: book.Schedules()[0].ID(), Interval: 300, Reference: "letter 9"}))
	for venue := uint32(1); venue <= 2; venue++ {
		first.may(first.core.Agree(command.LicenseVenue{Venue: venue, Series: 2, Sells: true, Reference: "letter 10"}))
	}
	first.agreements()
	second := *first
	second.of = 2
	for range fewDays {
		first.play()
		second.play()
	}
	must(t, first.core.Take())
	return first.core
}

// may lets a refusal pass; whatever else goes wrong is a fault.
func (q *quarter) may(err error) bool {
	q.t.Helper()
	if _, refused := errors.AsType[*refusal.Refusal](err); err != nil && !refused {
		q.t.Fatal(err)
	}
	return err == nil
}

func (q *quarter) one(n int) bool { return q.random.IntN(n) == 0 }

// play trades on a day of three games.
func (q *quarter) play() {
	if q.of != 2 {
		q.core.SetClock(cases.Noon(q.date))
	}
	if q.of != 0 {
		q.core.Of(q.of)
	}
	must(q.t, q.core.OpenDay(q.date))
	must(q.t, q.core.OpenGame())
	if q.of != 2 {
		q.accounts()
	}
	q.bank(record.BankFill, 200_00)
	for n := range 3 {
		for range 6 {
			q.customer()
		}
		if n < 2 {
			must(q.t, q.core.TurnGame())
		} else {
			must(q.t, q.core.CloseGame())
		}
		q.settle(n)
		q.game++
	}
	q.bank(record.BankDrop, 10_00)
	if q.one(2) {
		by, with := q.signers()
		counted := money.Amount(100_00 + q.random.IntN(50_00))
		q.may(q.core.CountBank(record.BankCounted{Terminal: 1, CountedCents: counted, By: by, With: with}))
	}
	must(q.t, q.core.CloseDay())
	q.date++
}

// settle draws the game that has closed, the nth of its day, or has it declared void: on every second day the second
// game, and on every third the last one, of which the stakes go back.
func (q *quarter) settle(n int) {
	last := n == 2
	if n == 1 && q.date%2 == 0 || last && q.date%3 == 0 {
		clause, err := rules.First(q.book.ID())
		must(q.t, err)
		must(q.t, q.core.Begin(q.game, []int{1, 2, 3}))
		if q.may(q.core.VoidGame(q.game, game.Void{Reason: "the device failed", Clause: clause, Approval: 1, Refund: last})) {
			return
		}
	}
	must(q.t, q.core.Draw(q.game, nil))
}

func (q *quarter) bank(move record.BankMove, cents money.Amount) {
	by, with := q.signers()
	q.may(q.core.MoveBank(record.BankMoved{Terminal: 1, Move: move, Cents: cents, By: by, With: with}))
}

// signers returns the writer at terminal 1 and the senior of its venue.
func (q *quarter) signers() (by, with uint32) {
	must(q.t, q.core.Take())
	for _, data := range q.core.Records[:min(len(q.core.Records), 200)] {
		r, err := record.Decode(data)
		must(q.t, err)
		if b, ok := r.Body.(*record.ShiftBegun); ok && b.Venue <= 1 {
			if b.Terminal == 1 {
				by = b.Person
			}
			if b.Role == record.RoleSenior {
				with = b.Person
			}
		}
	}
	return by, cmp.Or(with, 901)
}

// customer serves one: a ticket by itself, or a visit.
func (q *quarter) customer() {
	terminal := []uint32{1, 1, 3}[q.random.IntN(3)]
	if q.one(2) {
		q.sell(terminal)
		q.bring(terminal)
		return
	}
	q.issue()
	q.core.NextCustomer(terminal)
	for range 1 + q.random.IntN(3) {
		q.sell(terminal)
	}
	for range q.random.IntN(3) {
		q.bring(terminal)
	}
	visit := cases.Visit{Payee: true, Checked: true, Unpaid: q.one(12)}
	if len(q.papers) > 0 && q.one(2) {
		i := q.random.IntN(len(q.papers))
		visit.Papers = []cases.Paper{q.papers[i]}
	}
	settled, err := q.core.EndCustomer(terminal, visit)
	if !q.may(err) {
		settled, err = q.core.EndCustomer(terminal, cases.Visit{Payee: true, Checked: true})
		for n := 0; !q.may(err) && n < 50; n++ {
			q.sell(terminal) // What the terminal may not hand out is played.
			settled, err = q.core.EndCustomer(terminal, cases.Visit{Payee: true, Checked: true})
			if t, _ := q.core.Engine.State().Terminal(terminal); t.Open == nil {
				return
			}
		}
	}
	q.papers = append(q.papers, settled.Papers...)
}

// issue sells a paper of a kind that the rulebook has.
func (q *quarter) issue() {
	for _, paper := range q.book.Instruments() {
		if _, ok := ledger.Paper(paper.ID); !ok || !paper.Sold || paper.ID == "player_card" || !q.one(3) {
			continue
		}
		p, err := q.core.IssuePaper(1, paper.ID, money.Amount(100*(1+q.random.IntN(30))), 0, "", false)
		if q.may(err) {
			q.papers = append(q.papers, p)
		}
	}
}

// sell sells a ticket on one to four numbers, or one whose prizes run on.
func (q *quarter) sell(terminal uint32) {
	var spots []string
	for n := range 1 + q.random.IntN(4) {
		spots = append(spots, fmt.Sprint(1+20*n+q.random.IntN(20)))
	}
	form := fmt.Sprintf(`{"games":%d,"bets":[{"bet":"%s","spots":[%s],"stake_cents":%d}]}`, 1+q.random.IntN(4),
		betOf[q.book.ID()], strings.Join(spots, ","), 100*(1+q.random.IntN(4)))
	if q.book.ID() == "vic-keno-2015" && q.one(5) {
		form = `{"games":3,"bets":[{"bet":"heads_or_tails","calls":["heads","heads","tails"],"run":true,"stake_cents":200}]}`
	}
	ticket, err := q.core.Sell(cases.Order{Terminal: terminal, Method: rulebook.MethodForm,
		Form: cases.Complete(q.book.ID(), form)})
	if q.may(err) {
		q.tickets = append(q.tickets, ticket)
	}
}

// bring has a customer bring one of the last tickets, to be paid or cancelled. Some are brought days later, and
// some never.
func (q *quarter) bring(terminal uint32) {
	if len(q.tickets) == 0 {
		return
	}
	i := max(0, len(q.tickets)-1-q.random.IntN(40))
	if q.one(4) {
		_, _, err := q.core.Cancel(terminal, q.tickets[len(q.tickets)-1])
		q.may(err)
		return
	}
	_, err := q.core.Pay(terminal, q.tickets[i])
	if q.may(err) && q.one(2) {
		q.tickets = slices.Delete(q.tickets, i, i+1)
	}
}
