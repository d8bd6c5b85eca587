package engine_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// TestYear runs customers through more than a year of each rulebook: they buy, win,
// cancel, buy papers and cards, use them or forget them, and some leave unpaid. In the
// end every paper is used, expired or outstanding, the ledger has them to the cent,
// nothing is on any customer's account, and the second opinion agrees. The soak trades
// on every day.
func TestYear(t *testing.T) {
	for _, id := range []string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			y := newYear(t, id, 7)
			for y.date < y.last {
				y.tradingDay()
			}
			y.check()
		})
	}
}

// year is a house and what its customers hold.
type year struct {
	t          *testing.T
	core       *cases.Core
	book       *rulebook.Book
	random     *rand.Rand
	date, last day.Day
	opened     day.Day // the last Keno Day
	game       uint32

	tickets  []cases.Ticket
	papers   []cases.Paper
	cards    []uint32
	sessions int
}

func newYear(t *testing.T, id string, seed uint64) *year {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	y := &year{t: t, book: book, random: rand.New(rand.NewPCG(seed, 1)), date: day.MustParse("2026-11-15"), game: 1}
	y.last = y.date + yearDays
	y.core, err = cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(y.date),
		Seed: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	y.must(y.core.Does(command.SetLimit{OfVenue: command.OfVenue{Venue: 1}, Cents: 1_000_00}))
	return y
}

func (y *year) must(err error) {
	y.t.Helper()
	if err != nil {
		y.t.Fatal(err)
	}
}

// may lets a refusal pass; whatever else goes wrong is a fault.
func (y *year) may(err error) bool {
	y.t.Helper()
	var refused *refusal.Refusal
	if err != nil && !errors.As(err, &refused) {
		y.t.Fatal(err)
	}
	return err == nil
}

// tradingDay opens a Keno Day, serves customers, plays two games and closes it.
func (y *year) tradingDay() {
	y.core.SetClock(cases.Noon(y.date))
	y.must(y.core.OpenDay(y.date))
	y.opened = y.date
	y.must(y.core.OpenGame())
	for range 4 {
		y.customer()
	}
	y.must(y.core.TurnGame())
	y.must(y.core.Draw(y.game, nil))
	y.game++
	for range 2 {
		y.customer()
	}
	y.must(y.core.CloseGame())
	y.must(y.core.Draw(y.game, nil))
	y.game++
	y.must(y.core.CloseDay())
	y.date += day.Day(1 + y.random.IntN(2*dayStep-1))
}

// customer serves one customer at a writer's or a self-service terminal.
func (y *year) customer() {
	y.sessions++
	terminal := uint32(1)
	if y.book.ID() != "casino-keno-div2" && y.random.IntN(3) == 0 {
		terminal = 2
	}
	y.buyPapers()
	y.core.NextCustomer(terminal)
	stakes := money.Amount(0)
	for range y.random.IntN(3) {
		if ticket, ok := y.sell(terminal); ok {
			stakes += ticket.Cost
		}
	}
	for range y.random.IntN(3) {
		y.bring(terminal)
	}
	y.end(terminal, stakes)
}

// sell sells a ticket on one to three numbers.
func (y *year) sell(terminal uint32) (cases.Ticket, bool) {
	bet := "classic"
	if y.book.ID() != "vic-keno-2015" {
		bet = "standard"
	}
	spots := []int{1 + y.random.IntN(26), 27 + y.random.IntN(26), 53 + y.random.IntN(26)}[:1+y.random.IntN(3)]
	form := fmt.Sprintf(`{"games":%d,"bets":[{"bet":"%s","spots":[%s],"stake_cents":%d}]}`,
		1+y.random.IntN(4), bet, join(spots), 100*(1+y.random.IntN(40)))
	method := rulebook.MethodForm
	if terminal == 2 {
		method = rulebook.MethodScreen
	}
	ticket, err := y.core.Sell(cases.Order{Terminal: terminal, Method: method, Form: cases.Complete(y.book.ID(), form)})
	if !y.may(err) {
		return ticket, false
	}
	y.tickets = append(y.tickets, ticket)
	return ticket, true
}

func join(numbers []int) string {
	text := ""
	for i, n := range numbers {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprint(n)
	}
	return text
}

// bring has the customer bring a ticket, to be paid or cancelled.
func (y *year) bring(terminal uint32) {
	if len(y.tickets) == 0 {
		return
	}
	i := max(0, len(y.tickets)-1-y.random.IntN(12))
	if y.random.IntN(4) == 0 {
		_, _, err := y.core.Cancel(terminal, y.tickets[i])
		y.may(err)
		return
	}
	_, err := y.core.Pay(terminal, y.tickets[i])
	y.may(err)
}

// buyPapers issues papers of every kind that the rulebook has, now and then.
func (y *year) buyPapers() {
	for _, paper := range y.book.Instruments() {
		if _, ok := ledger.Paper(paper.ID); !ok || y.random.IntN(3) > 0 {
			continue
		}
		if paper.ID == "player_card" {
			if len(y.cards) < 3 {
				made, err := y.core.DoesAs(0, command.RegisterCard{Holder: command.Customer{Born: "1980-01-01"},
					Details: record.Hash{1}})
				y.must(err)
				card, _ := made.(*record.CardRegistered)
				y.cards = append(y.cards, card.Card)
			}
			continue
		}
		p, err := y.core.IssuePaper(1, paper.ID, money.Amount(100*(1+y.random.IntN(30))), 0, "", !paper.Sold)
		if refused := new(refusal.Refusal); errors.As(err, &refused) && refused.Code == counter.PaperNotGiven {
			continue // It comes out of sessions alone.
		}
		y.must(err)
		y.papers = append(y.papers, p)
	}
}

// end ends the session, with a paper or a card if the customer thinks of it. What is
// refused is tried again in the plainest way.
func (y *year) end(terminal uint32, stakes money.Amount) {
	visit := cases.Visit{Payee: true, Checked: true}
	used := -1
	if len(y.papers) > 0 && y.random.IntN(2) == 0 {
		used = y.random.IntN(len(y.papers))
		visit.Papers = []cases.Paper{y.papers[used]}
	}
	if len(y.cards) > 0 && y.random.IntN(3) == 0 {
		visit.Card = y.cards[y.random.IntN(len(y.cards))]
		visit.CardCents = money.Amount(100 * (y.random.IntN(40) - 25))
	}
	visit.Unpaid = y.random.IntN(25) == 0
	settled, err := y.core.EndCustomer(terminal, visit)
	if !y.may(err) {
		used = -1
		if settled, err = y.core.EndCustomer(terminal, cases.Visit{Payee: true, Checked: true}); !y.may(err) {
			// Nothing was open, or a ticket has won too much for the terminal: the
			// customer's next one is a writer's.
			y.leave(terminal)
			return
		}
	}
	if used >= 0 {
		y.papers = slices.Delete(y.papers, used, used+1)
	}
	y.papers = append(y.papers, settled.Papers...)
}

// leave ends a session that its terminal cannot pay: new tickets for all of it would do,
// and so does a paper bought with it. Where nothing is open there is nothing to do.
func (y *year) leave(terminal uint32) {
	t, _ := y.core.Engine.State().Terminal(terminal)
	if t.Open == nil {
		return
	}
	for range 1000 {
		owed := y.core.Engine.State().Balances().OfUnit(ledger.Customer, terminal)
		if owed >= 0 {
			break
		}
		y.sell(terminal)
	}
	_, err := y.core.EndCustomer(terminal, cases.Visit{Payee: true, Checked: true})
	y.must(err)
}

// check adds up what became of every paper and holds it against the ledger.
func (y *year) check() {
	y.t.Helper()
	y.must(y.core.Take())
	var issued, used, expired, out money.Amount
	count := map[string]int{}
	for _, data := range y.core.Records {
		r, err := record.Decode(data)
		y.must(err)
		switch b := r.Body.(type) {
		case *record.InstrumentIssued:
			issued += b.Cents
			count["issued"]++
		case *record.InstrumentsExpired:
			for _, x := range b.List {
				expired += x.Cents
				count["expired"]++
			}
		case *record.SessionEnded:
			count["sessions"]++
			for _, t := range b.Tenders {
				if t.Kind == record.TenderInstrument {
					used += t.Cents
					count["used"]++
				}
			}
		}
	}
	// Papers that customers buy are forgotten now and then. Others come out of sessions, and are few.
	bought := slices.ContainsFunc(y.book.Instruments(),
		func(i rulebook.Instrument) bool { return i.Sold && i.Life != nil })
	s := y.core.Engine.State()
	for _, p := range s.Papers() {
		if p.Kept != 0 && p.Kept < y.opened {
			y.t.Errorf("a %s is out that was kept to %v", p.ID, p.Kept)
		}
		out += p.Cents
		count["out"]++
	}
	var funds money.Amount
	for _, number := range s.Cards() {
		card, _ := s.Card(number)
		funds += card.Cents
	}
	if issued != used+expired+out {
		y.t.Errorf("%v were issued: %v used, %v expired, %v out", issued, used, expired, out)
	}
	if count["issued"] != count["used"]+count["expired"]+count["out"] {
		y.t.Errorf("papers: %v", count)
	}
	if owed := -s.Balances().Of(ledger.Instruments); owed != out+funds {
		y.t.Errorf("the ledger owes %v for papers and cards; %v and %v are out", owed, out, funds)
	}
	if left := s.Balances().Of(ledger.Customer); left != 0 || s.Balances().Trial() != 0 {
		y.t.Errorf("customers owe %v, and the trial balance is %v", left, s.Balances().Trial())
	}
	if y.book.ID() != "casino-keno-div2" && (count["used"] == 0 || bought && count["expired"] == 0 || count["out"] == 0) {
		y.t.Errorf("not everything happened: %v", count)
	}
	report, err := y.core.Verify()
	y.must(err)
	if !report.OK() {
		y.t.Errorf("%v", report.Failure)
	}
	y.t.Logf("%d days, %d sessions, papers %v: %v issued = %v used + %v expired + %v out; cards %v",
		y.last-day.MustParse("2026-11-15"), count["sessions"], count, issued, used, expired, out, funds)
}
