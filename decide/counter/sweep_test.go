package counter_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

const storySeries = 1

// story is a house in which tickets win, and what its people do with them.
type story struct {
	t       rapid.TB
	book    *rulebook.Book
	core    *cases.Core
	today   day.Day
	tickets []cases.Ticket
}

// bets are what wins $3.00 on a dollar where number 1 is drawn.
var bets = map[string]string{"vic-keno-2015": "classic", "tas-keno-2023": "standard", "casino-keno-div2": "standard"}

func (s *story) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// beginStory founds a house on a day, sells tickets for one, two and three games, and plays
// those over three Keno Days.
func beginStory(t rapid.TB, id string, first day.Day, seed int) *story {
	s := &story{t: t, today: first}
	var err error
	s.book, err = rules.Book(id)
	s.must(err)
	s.core, err = cases.NewCore(cases.Founding{Book: s.book, Schedule: s.book.Schedules()[0].ID(),
		Begin: cases.Noon(first), Seed: fmt.Sprintf("%s %d", id, seed)})
	s.must(err)
	s.must(errors.Join(s.core.OpenDay(first), s.core.OpenGame()))
	for i := range 6 {
		form := fmt.Sprintf(`{"v":1,"rulebook":%q,"first":"open","games":%d,"bets":[{"bet":%q,"spots":[1],"stake_cents":%d}]}`, id, 1+i%3, bets[id], 100*(i+1))
		sold, err := s.core.Sell(cases.Order{Terminal: 1, Method: rulebook.MethodForm, Form: []byte(form)})
		s.must(err)
		s.tickets = append(s.tickets, sold)
	}
	for i := range 3 {
		if i > 0 {
			s.day(s.today + 20)
		}
		s.end(i)
	}
	return s
}

// state returns what the journal adds up to.
func (s *story) state() (*state.State, *state.Series) {
	all, err := s.core.State()
	s.must(err)
	own, _ := all.Series(storySeries)
	return all, own
}

// end draws the game on sale, with number 1 among its numbers, and ends the day.
func (s *story) end(i int) {
	s.must(s.core.CloseGame())
	_, own := s.state()
	numbers := []int{1}
	for n := 2; len(numbers) < 20; n++ {
		numbers = append(numbers, n)
	}
	numbers[19] = 21 + i
	s.must(s.core.Draw(own.Unsettled()[0].Ordinal, numbers))
	s.must(s.core.CloseDay())
}

// day begins a Keno Day; the one before has ended.
func (s *story) day(d day.Day) {
	s.today = d
	s.core.SetClock(cases.Noon(d))
	s.must(errors.Join(s.core.OpenDay(d), s.core.OpenGame()))
}

// next goes on to a later Keno Day, whose game nobody has played in.
func (s *story) next(d day.Day) {
	_, own := s.state()
	if own.DayOpen {
		s.must(s.core.CloseGame())
		s.must(s.core.Draw(own.Unsettled()[0].Ordinal, nil))
		s.must(s.core.CloseDay())
	}
	s.day(d)
}

// person returns somebody with one of some roles.
func (s *story) person(roles ...record.Role) uint32 {
	all, _ := s.state()
	for _, p := range all.People().Persons() {
		if p.HasAny(roles...) {
			return p.ID
		}
	}
	s.t.Fatalf("nobody has %v", roles)
	return 0
}

func (s *story) operator() uint32 {
	return s.person(record.RoleSupervisor, record.RoleOperative, record.RoleAdministrator)
}

// refusedOr fails on anything that is no refusal, and reports whether it was none.
func (s *story) refusedOr(err error) bool {
	s.t.Helper()
	var refused *refusal.Refusal
	if err != nil && !errors.As(err, &refused) {
		s.t.Fatal(err)
	}
	return err == nil
}

// does has a person do a command.
func (s *story) does(person uint32, c command.Command) error {
	return command.Outcome(s.core.DoesAs(person, c))
}

// signs signs a claim.
func (s *story) signs(b record.ClaimSigned) error {
	return s.does(b.Person, command.SignClaim{OfForm: command.OfForm{Claim: b.Claim}, Party: b.Party,
		Satisfied: b.Satisfied, Reason: b.Reason})
}

// lodge claims a ticket.
func (s *story) lodge(ticket cases.Ticket, reason record.ClaimReason) bool {
	won, err := s.core.Claimed(ticket)
	s.must(err)
	return s.refusedOr(s.does(cases.Payer, command.LodgeClaim{Reason: string(reason), Original: true, Who: record.Hash{1},
		Tickets: []counter.Payment{won}}))
}

// allow has everybody sign a claim and allows it.
func (s *story) allow(number uint32) bool {
	for _, need := range s.book.Claims().Signatures {
		who := s.operator()
		if need.Role == "inspector" {
			who = s.person(record.RoleInspector)
		}
		s.refusedOr(s.signs(record.ClaimSigned{Claim: number, Person: who, Satisfied: true}))
	}
	return s.refusedOr(s.does(s.operator(),
		command.DecideClaim{OfForm: command.OfForm{Claim: number}, Outcome: "allowed", Reason: "it agrees"}))
}

func (s *story) decide(number uint32, outcome record.ClaimOutcome) bool {
	return s.refusedOr(s.does(s.operator(),
		command.DecideClaim{OfForm: command.OfForm{Claim: number}, Outcome: string(outcome), Reason: "it does not"}))
}

func (s *story) pay(number uint32) bool {
	return s.refusedOr(s.does(cases.Payer, command.PayClaim{OfForm: command.OfForm{Claim: number}, Means: "cheque",
		Reference: "1"}))
}

// slowSweep is Sweep as somebody would do it by hand: ticket by ticket, and for each the
// days on which its time ends counted one after the other. It returns the sums by game,
// from where and to where.
func (s *story) slowSweep(today day.Day) map[string]money.Amount {
	all, own := s.state()
	sums := map[string]money.Amount{}
	for _, ticket := range s.tickets {
		won, err := s.core.Won(ticket)
		s.must(err)
		for _, w := range won {
			left := w.Payable - all.Paid(ticket.Place, w.Ordinal)
			if left <= 0 || keptByForm(all, ticket.Place, w.Ordinal) {
				continue
			}
			g, _ := own.Game(w.Ordinal)
			at, to := all.PrizeAt(own, ticket.Place, w.Ordinal), ""
			for _, step := range s.book.Unclaimed() {
				if today > slowEnd(g.Ref.Day, step.After) {
					to = step.Then
				}
			}
			if to != "" && at != to && (at == "" || at == counter.ByForm) {
				sums[fmt.Sprintf("%d %s>%s", w.Ordinal, at, to)] += left
			}
		}
	}
	return sums
}

// keptByForm reports whether an open form keeps a prize where it is. One that came too
// late goes on to the Treasurer, and so does the money.
func keptByForm(all *state.State, ticket record.Place, ordinal uint32) bool {
	form, ok := all.ClaimForm(all.UnderClaim(ticket))
	return ok && slices.ContainsFunc(form.Parts, func(p record.ClaimPart) bool {
		return p.Of == ticket && p.Ordinal == ordinal && p.At != counter.Treasurer
	})
}

// slowEnd counts months one by one: to the day with the same number, or the month's last.
func slowEnd(from day.Day, life rulebook.Life) day.Day {
	year, month, dom := from.Date()
	for range life.Months + 12*life.Years {
		if month++; month > 12 {
			year, month = year+1, 1
		}
	}
	for {
		if end, err := day.Of(year, month, dom); err == nil {
			return end + day.Day(life.Days)
		}
		dom--
	}
}

// fastSweep is Sweep in the same form, with its postings held against its lists.
func (s *story) fastSweep(today day.Day) map[string]money.Amount {
	all, own := s.state()
	swept, err := counter.Sweep(all, own, today)
	s.must(err)
	sums := map[string]money.Amount{}
	for _, x := range swept {
		var sum money.Amount
		for _, line := range x.Record.List {
			sums[fmt.Sprintf("%d %s>%s", line.Ordinal, x.Record.From, x.Record.To)] += line.Cents
			sum += line.Cents
		}
		s.must(ledger.Check(x.Postings))
		if len(x.Postings) != 2 || x.Postings[0].Cents+x.Postings[1].Cents != 0 ||
			max(x.Postings[0].Cents, x.Postings[1].Cents) != sum {
			s.t.Errorf("%v are swept by %v", sum, x.Postings)
		}
	}
	return sums
}

// checkForms holds what forms are worth against what became of it: what was lodged is
// paid, was let go, or is kept.
func (s *story) checkForms() {
	all, own := s.state()
	var lodged, paid, released, kept money.Amount
	under := map[record.Place]uint32{}
	for _, c := range all.ClaimForms() {
		lodged += c.Amount()
		switch {
		case c.Paid != nil:
			paid += c.Paid.Cents
		case c.IsOpen():
			kept += c.Amount()
			for _, p := range c.Parts {
				under[p.Of] = c.Claim
			}
		default:
			released += c.Amount()
		}
	}
	if lodged != paid+released+kept {
		s.t.Errorf("forms of %v: %v paid, %v let go, %v kept", lodged, paid, released, kept)
	}
	for _, ticket := range s.tickets {
		if got := all.UnderClaim(ticket.Place); got != under[ticket.Place] {
			s.t.Errorf("ticket %v is under claim %d, and the forms say %d", ticket.Place, got, under[ticket.Place])
		}
	}
	s.checkPrizes(all, own)
}

// checkPrizes holds the places at which prizes are against what every ticket has won.
func (s *story) checkPrizes(all *state.State, own *state.Series) {
	var owed, here money.Amount
	for _, ticket := range s.tickets {
		won, err := s.core.Won(ticket)
		s.must(err)
		for _, w := range won {
			g, _ := own.Game(w.Ordinal)
			u, left, err := counter.FindUnfetched(all, own, g, ticket.Place, w.Payable)
			s.must(err)
			owed += w.Payable - all.Paid(ticket.Place, w.Ordinal)
			if left {
				here += u.Cents
			}
		}
	}
	var books money.Amount
	for _, account := range []ledger.Account{ledger.Prizes, ledger.Unclaimed, ledger.Treasurer, ledger.ApprovedPurposes} {
		books -= all.Balances().Of(account)
	}
	if owed != here || owed != books {
		s.t.Errorf("tickets are owed %v, %v are listed, and the books have %v", owed, here, books)
	}
}

// TestSweepTwin plays years in which tickets are paid, claimed, refused and swept, under
// each rulebook. After every step Sweep says for any day what the slow twin says, what
// forms are worth is paid, let go or kept, no cent of a prize is lost, and in the end
// verify agrees with the whole.
func TestSweepTwin(t *testing.T) {
	swept, paid := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.SampledFrom([]string{"vic-keno-2015", "tas-keno-2023", "casino-keno-div2"}).Draw(rt, "rulebook")
		first := rapid.SampledFrom([]string{"2026-08-31", "2027-02-28", "2028-02-29", "2026-11-15"}).Draw(rt, "first")
		s := beginStory(rt, id, day.MustParse(first), 0)
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			s.step(rt)
			today := rapid.SampledFrom(s.edges()).Draw(rt, "today")
			fast, slow := s.fastSweep(today), s.slowSweep(today)
			if !maps.Equal(fast, slow) {
				rt.Fatalf("%s on %v: swept %v, by hand %v", id, today, fast, slow)
			}
			swept += len(fast)
			s.checkForms()
		}
		report, err := s.core.Verify()
		s.must(err)
		if !report.OK() {
			rt.Fatal(report.Failure)
		}
		all, _ := s.state()
		paid += len(slices.DeleteFunc(all.ClaimForms(), func(c *state.ClaimForm) bool { return c.Paid == nil }))
	})
	t.Logf("%d sweeps and %d paid claims", swept, paid)
	if swept == 0 || paid == 0 {
		t.Errorf("%d sweeps and %d paid claims: it has tried nothing", swept, paid)
	}
}

// TestSweptUnderALateForm: a claim is refused after the time of its prizes, so that they
// were left behind when the others went to the Treasurer. A person who claims them again claims
// from the Treasurer, and the next sweep takes the money there, form or no form.
func TestSweptUnderALateForm(t *testing.T) {
	s := beginStory(t, "vic-keno-2015", day.MustParse("2026-08-31"), 0)
	ticket := s.tickets[len(s.tickets)-1]
	if !s.lodge(ticket, record.ClaimLost) {
		t.Fatal("the claim is refused")
	}
	s.next(s.today + 370)
	if swept := s.fastSweep(s.today + 1); len(swept) != 0 {
		t.Fatalf("%v are swept, and a form keeps them", swept)
	}
	if !s.decide(1, record.ClaimRefused) || !s.lodge(ticket, record.ClaimLost) {
		t.Fatal("the claim is not refused, or not made again")
	}
	all, _ := s.state()
	form, _ := all.ClaimForm(2)
	for _, p := range form.Parts {
		if p.At != counter.Treasurer {
			t.Errorf("game %d is claimed at %q", p.Ordinal, p.At)
		}
	}
	swept, want := s.fastSweep(s.today+1), map[string]money.Amount{}
	for _, p := range form.Parts {
		want[fmt.Sprintf("%d >%s", p.Ordinal, counter.Treasurer)] = p.Cents
	}
	if len(want) == 0 || !maps.Equal(swept, want) {
		t.Errorf("swept %v, want %v", swept, want)
	}
	s.next(s.today + 1)
	if again := s.fastSweep(s.today + 1); len(again) != 0 {
		t.Errorf("%v are swept again", again)
	}
	s.checkForms()
	report, err := s.core.Verify()
	s.must(err)
	if !report.OK() {
		t.Error(report.Failure)
	}
}

// edges are the days around those on which the time of a prize ends, and one long after.
func (s *story) edges() []day.Day {
	_, own := s.state()
	days := []day.Day{s.today + 4000}
	for ordinal := uint32(1); ordinal <= 3; ordinal++ {
		g, _ := own.Game(ordinal)
		for _, step := range s.book.Unclaimed() {
			end := slowEnd(g.Ref.Day, step.After)
			for d := end - 1; d <= end+1; d++ {
				if d > s.today {
					days = append(days, d)
				}
			}
		}
	}
	return days
}

// step does one thing of those that may happen.
func (s *story) step(rt *rapid.T) {
	ticket := rapid.SampledFrom(s.tickets).Draw(rt, "ticket")
	all, _ := s.state()
	form := uint32(rapid.IntRange(0, len(all.ClaimForms())).Draw(rt, "form"))
	reason := rapid.SampledFrom(record.ClaimReasons()).Draw(rt, "reason")
	switch rapid.IntRange(0, 6).Draw(rt, "what") {
	case 0:
		s.next(s.today + day.Day(rapid.SampledFrom([]int{1, 31, 190, 370, 2600}).Draw(rt, "days")))
	case 1:
		_, err := s.core.Pay(1, ticket)
		s.refusedOr(err)
	case 2:
		s.lodge(ticket, reason)
	case 3:
		s.decide(form, rapid.SampledFrom([]record.ClaimOutcome{record.ClaimRefused, record.ClaimReferred}).Draw(rt,
			"outcome"))
	case 4:
		s.allow(form)
	case 5:
		if s.allow(form) {
			s.pay(form)
		}
	case 6:
		if last := uint32(len(all.ClaimForms())) + 1; s.lodge(ticket, reason) && s.allow(last) {
			s.pay(last)
		}
	}
}

// noon is noon of the story's day.
func (s *story) noon() time.Time { return cases.Noon(s.today) }
