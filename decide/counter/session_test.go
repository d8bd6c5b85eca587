package counter_test

import (
	"errors"
	"strconv"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

func newCore(t *testing.T, id string) *cases.Core {
	t.Helper()
	book, err := rules.Book(id)
	if err != nil {
		t.Fatal(err)
	}
	date := day.MustParse("2026-11-15")
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(), Begin: cases.Noon(date),
		Seed: t.Name()})
	if err == nil {
		err = errors.Join(core.OpenDay(date), core.OpenGame())
	}
	if err != nil {
		t.Fatal(err)
	}
	return core
}

func sell(t *testing.T, core *cases.Core, cents int) cases.Ticket {
	t.Helper()
	form := `{"bets":[{"bet":"classic","spots":[1],"stake_cents":` + strconv.Itoa(cents) + `}]}`
	ticket, err := core.Sell(cases.Order{Terminal: 1, Method: rulebook.MethodForm,
		Form: cases.Complete("vic-keno-2015", form)})
	if err != nil {
		t.Fatal(err)
	}
	return ticket
}

// TestBank follows a writer's bank: its float, what is sold and owed, a fill, a drop,
// and a count that finds too little, each with two signatures.
func TestBank(t *testing.T) {
	core := newCore(t, "vic-keno-2015")
	s := core.Engine.State()
	persons := s.People().Persons()
	var senior, central uint32
	for _, p := range persons {
		if p.Has(record.RoleSenior, 1) {
			senior = p.ID
		}
		if p.HasAny(record.RoleSupervisor) {
			central = p.ID
		}
	}
	move := func(kind record.BankMove, cents int, by, with uint32) error {
		return core.MoveBank(record.BankMoved{Terminal: 1, Move: kind, Cents: 100 * money.Amount(cents), By: by, With: with})
	}
	want := func(drawer, customer int) {
		t.Helper()
		if bank, _ := counter.BankOf(s, 1); bank != (counter.Bank{Drawer: 100 * money.Amount(drawer),
			Customer: 100 * money.Amount(customer)}) {
			t.Errorf("the bank is %+v", bank)
		}
	}
	for name, err := range map[string]error{
		"one person":        move(record.BankFloat, 200, senior, senior),
		"nobody":            move(record.BankFloat, 200, 0, senior),
		"nobody else":       move(record.BankFloat, 200, senior, 77),
		"not of the venue":  move(record.BankFloat, 200, central, senior),
		"a drop of nothing": move(record.BankDrop, 1, senior, central),
	} {
		if codeOf(err) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := move(record.BankFloat, 200, senior, central); err != nil {
		t.Fatal(err)
	}
	want(200, 0)
	core.NextCustomer(1)
	sell(t, core, 5000)
	want(200, 50) // The ticket counts from the moment it exists.
	if err := core.CountBank(record.BankCounted{Terminal: 1, CountedCents: 20_000, By: senior,
		With: central}); codeOf(err) == "" {
		t.Errorf("a count while a customer is served: %v", err)
	}
	if _, err := core.EndCustomer(1, cases.Visit{}); err != nil {
		t.Fatal(err)
	}
	want(250, 0)
	if err := errors.Join(move(record.BankFill, 100, senior, central),
		move(record.BankDrop, 300, senior, central)); err != nil {
		t.Fatal(err)
	}
	want(50, 0)
	if err := move(record.BankFloat, 10, senior, central); codeOf(err) == "" {
		t.Errorf("a float on top: %v", err)
	}
	if err := core.CountBank(record.BankCounted{Terminal: 1, CountedCents: 4_990, By: senior, With: central}); err != nil {
		t.Fatal(err)
	}
	if short := s.Balances().OfUnit(ledger.OverShort, 1); short != 10 || s.Balances().Trial() != 0 {
		t.Errorf("short by %v", short)
	}
	if bank, _ := counter.BankOf(s, 1); bank.Drawer != 4_990 {
		t.Errorf("after the count the bank is %+v", bank)
	}
	verified(t, core)
}

// verified has the second opinion check the journal.
func verified(t *testing.T, core *cases.Core) {
	t.Helper()
	report, err := core.Verify()
	if err != nil || !report.OK() {
		t.Errorf("%v, %v", report.Failure, err)
	}
}

// TestReprint prints a ticket again that was not handed over, and the ticket is paid with
// the second code. Once the game is sealed one person does not print it again.
func TestReprint(t *testing.T) {
	core := newCore(t, "vic-keno-2015")
	ticket, kept := sell(t, core, 500), sell(t, core, 500)
	if err := core.Reprint(1, ticket); codeOf(err) == "" {
		t.Errorf("a ticket that was handed over is printed again: %v", err)
	}
	if err := core.Undelivered(3, ticket); codeOf(err) == "" {
		t.Errorf("another terminal says so: %v", err)
	}
	if err := errors.Join(core.Undelivered(1, ticket), core.Reprint(1, ticket), core.Undelivered(1, kept)); err != nil {
		t.Fatal(err)
	}
	numbers, err := cases.Numbers([]string{"1-20"})
	if err == nil {
		err = errors.Join(core.TurnGame(), core.Draw(1, numbers))
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := core.Pay(1, kept); codeOf(err) != "not_delivered" {
		t.Errorf("what was not delivered is paid: %v", err)
	}
	if err := core.Reprint(1, kept); codeOf(err) != "sheet_sealed" {
		t.Errorf("one person prints a ticket again whose game is sealed: %v", err)
	}
	guess := ticket
	guess.Guessed = true
	if _, err := core.Pay(1, guess); codeOf(err) != "claim_code_other" {
		t.Errorf("another code: %v", err)
	}
	if paid, err := core.Pay(1, ticket); err != nil || paid != 1500 {
		t.Errorf("paid %v, %v", paid, err)
	}
	verified(t, core)
}

// TestVoidUndelivered voids a ticket that was not handed over: another person consents
// to this very ticket, once, and nobody needs its claim code.
func TestVoidUndelivered(t *testing.T) {
	core := newCore(t, "vic-keno-2015")
	e := core.Engine
	ticket := sell(t, core, 500)
	sold, err := core.Sold(ticket)
	if err != nil {
		t.Fatal(err)
	}
	var senior, central uint32
	for _, p := range e.State().People().Persons() {
		if p.Has(record.RoleSenior, 1) {
			senior = p.ID
		}
		if p.HasAny(record.RoleSupervisor) {
			central = p.ID
		}
	}
	content := staff.ContentOf(command.ActionVoid, []byte(ticket.Place.String()))
	now := e.State().Now()
	if _, err := e.Do(now, command.Change{Command: staff.Request{By: senior, Action: command.ActionVoid,
		Content: content}}, command.Env{}); err != nil {
		t.Fatal(err)
	}
	asked := func(now record.Time, c command.Request) error {
		_, err := e.Request(now, c, command.Env{})
		return err
	}
	void := func(number uint64) error {
		return asked(now, command.VoidUndelivered{Cancellation: counter.Cancellation{Request: record.Request{Terminal: 1,
			Number: number}, Place: ticket.Place, Sold: sold},
			Use: staff.Use{By: senior, Approval: 1, Content: content}})
	}
	if err := void(50); codeOf(err) != staff.ApprovalNotGiven {
		t.Errorf("without consent: %v", err)
	}
	if _, err := e.Do(now, command.Change{Command: staff.Consent{By: central, Approval: 1, Content: content,
		Granted: true}}, command.Env{}); err != nil {
		t.Fatal(err)
	}
	if err := void(51); codeOf(err) != counter.NotUndelivered {
		t.Errorf("a ticket that was handed over: %v", err)
	}
	if err := core.Undelivered(1, ticket); err != nil {
		t.Fatal(err)
	}
	made, err := e.Do(now, command.Change{Command: staff.AddPerson{Details: record.Hash{1},
		Grants: []state.Grant{{Role: record.RoleWriter, Venue: 1}}}}, command.Env{})
	if err != nil {
		t.Fatal(err)
	}
	stranger := staff.NumberOf(made)
	for _, c := range []staff.Command{
		staff.Request{By: stranger, Action: command.ActionVoid, Content: content},
		staff.Consent{By: central, Approval: 2, Content: content, Granted: true},
	} {
		if _, err := e.Do(now, command.Change{Command: c}, command.Env{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := asked(now, command.VoidUndelivered{Cancellation: counter.Cancellation{Request: record.Request{Terminal: 1,
		Number: 52}, Place: ticket.Place, Sold: sold},
		Use: staff.Use{By: stranger, Approval: 2, Content: content}}); codeOf(err) != staff.NotOnShift {
		t.Errorf("by a writer who is not on shift there: %v", err)
	}
	if err := void(52); err != nil {
		t.Fatal(err)
	}
	if err := void(53); codeOf(err) != staff.ApprovalOver {
		t.Errorf("voided twice: %v", err)
	}
	if left := e.State().Balances().Of(ledger.Unplayed); left != 0 {
		t.Errorf("%v is still paid for games to come", left)
	}
	verified(t, core)
}

// TestSessionEndsOnce ends a session twice by one request: the second time it is answered as
// before, and nothing moves.
func TestSessionEndsOnce(t *testing.T) {
	core := newCore(t, "vic-keno-2015")
	core.NextCustomer(1)
	sell(t, core, 500)
	e := core.Engine
	end := counter.SessionEnd{Request: record.Request{Terminal: 1, Number: 9, Body: [16]byte{1}}, Series: 1}
	first, err := e.Request(e.State().Now(), command.EndSession{SessionEnd: end}, command.Env{})
	if err != nil {
		t.Fatal(err)
	}
	size := e.Size()
	again, err := e.Request(e.State().Now(), command.EndSession{SessionEnd: end}, command.Env{})
	if err != nil || !again.Repeated || again.Place != first.Place || e.Size() != size {
		t.Errorf("%+v, %v, %d records after %d", again, err, e.Size(), size)
	}
	end.Request.Body[0]++
	if _, err := e.Request(e.State().Now(), command.EndSession{SessionEnd: end}, command.Env{}); codeOf(err) == "" {
		t.Errorf("the same number for something else: %v", err)
	}
}

// TestCashIsWhatIsOwed: cash of another amount than is owed is refused; none of it is dropped
// unseen.
func TestCashIsWhatIsOwed(t *testing.T) {
	core := newCore(t, "vic-keno-2015")
	core.NextCustomer(1)
	sell(t, core, 500)
	e := core.Engine
	end := counter.SessionEnd{Request: record.Request{Terminal: 1, Number: 9, Body: [16]byte{1}}, Series: 1}
	for _, cash := range []money.Amount{20_00, 5_01, 4_99, -5_00} {
		end.Cash = cash
		if _, err := e.Request(e.State().Now(), command.EndSession{SessionEnd: end},
			command.Env{}); codeOf(err) != counter.AmountWrong {
			t.Errorf("%v for $5.00: %v", cash, err)
		}
	}
	end.Cash = 5_00
	if _, err := e.Request(e.State().Now(), command.EndSession{SessionEnd: end}, command.Env{}); err != nil {
		t.Error(err)
	}
	verified(t, core)
}
