package house

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/journal/lane"
	"drawhouse/journal/record"
)

// drawn has the cage draw numbers and the game settle.
func (f *floor) drawn(numbers ...int) Game {
	f.t.Helper()
	f.untilSealed()
	ref := f.waiting()
	f.start()
	f.key(numbers...)
	f.does(record.CageAttended{Act: record.CageAccepted})
	return f.untilSettled(ref)
}

// corrects has ann and carol correct the result of a game.
func (f *floor) corrects(g Game, numbers ...int) error {
	f.t.Helper()
	act := command.CorrectResult{Ordinal: g.Ordinal, Revision: g.Settled.Revision + 1, Numbers: numbers,
		Reason: "ball 5 was misread: tape 3", Clause: "11.1"}
	number, err := f.house.First().Ask(f.t.Context(), f.ann, act)
	if err != nil {
		return err
	}
	_, err = f.house.Do(f.t.Context(), command.Change{Command: staff.Consent{By: f.carol, Approval: number,
		Content: command.Content(1, act), Granted: true}}, record.By{})
	must(f.t, err)
	_, err = f.house.Operate(f.t.Context(), f.ann, number)
	return err
}

// shown returns what the second person is shown of a correction that ann asks for, now and
// after the house was started again.
func (f *floor) shown(g Game, numbers ...int) []string {
	f.t.Helper()
	act := command.CorrectResult{Ordinal: g.Ordinal, Revision: g.Settled.Revision + 1, Numbers: numbers, Reason: "x",
		Clause: "11.1"}
	number, err := f.house.First().Ask(f.t.Context(), f.ann, act)
	must(f.t, err)
	asked, _ := f.house.People().Approval(number)
	seen, err := f.house.Foresee(f.t.Context(), []state.Approval{asked})
	must(f.t, err)
	f.house.foreseen = foreseen{}
	again, err := f.house.Foresee(f.t.Context(), []state.Approval{asked})
	must(f.t, err)
	if len(seen[0].Effects) == 0 || !slices.Equal(seen[0].Effects[1:], again[0].Effects[1:]) {
		f.t.Errorf("the request shows %q, and after a start %q", seen[0].Effects, again[0].Effects)
	}
	return seen[0].Effects
}

// prize returns what a ticket has won in its first game, and what it was paid.
func (f *floor) prize(sold Sold) (won, paid money.Amount) {
	f.t.Helper()
	t, err := f.house.Ticket(f.t.Context(), sold.Place)
	must(f.t, err)
	return t.Games[0].Prize, t.Games[0].Paid
}

// onSale plays until a game is on sale.
func (f *floor) onSale() {
	f.t.Helper()
	f.run(func(time.Time) error {
		if ordinal := f.house.First().seen().sale.ordinal; ordinal > 0 {
			return errEnough
		}
		return nil
	})
}

// pays pays a ticket, and holds the payment to what it is to come to.
func (f *floor) pays(sold Sold, want money.Amount) {
	f.t.Helper()
	f.number++
	paid, err := f.house.Pay(f.t.Context(), record.Request{Terminal: 1, Number: f.number}, sold.Place,
		Holder{Code: f.codes[sold.Place]})
	must(f.t, err)
	if got := paid.Payment.Amount(); got != want {
		f.t.Errorf("ticket %v is paid %v, want %v", sold.Place, got, want)
	}
}

// balance returns what stands on an account of the house.
func (f *floor) balance(account ledger.Account) money.Amount {
	f.t.Helper()
	for _, b := range f.verify().Balances {
		if b.Account == account.String() {
			return b.Cents
		}
	}
	return 0
}

// TestCorrectsResult enters a result wrongly, pays on it, and corrects it: who has won more
// is owed the difference, who has won less keeps what was paid, and who was not paid
// gets what the balls say.
func TestCorrectsResult(t *testing.T) {
	f := newFloor(t)
	f.onSale()
	lost := f.sellBet(1, `{"bet":"standard","spots":[5,6,7],"stake_cents":100}`)    // wins by what was entered only
	more := f.sellBet(1, `{"bet":"standard","spots":[18,19,20],"stake_cents":100}`) // wins by both
	gains := f.sellBet(1, `{"bet":"standard","spots":[1,2,77],"stake_cents":100}`)  // wins more by the balls
	// as the first, and is not paid in time
	idle := f.sellBet(1, `{"bet":"standard","spots":[4,5,6],"stake_cents":100}`)
	g := f.drawn(numbers(1, 20)...)
	before, _ := f.prize(lost)
	f.pays(lost, before)
	small, _ := f.prize(gains)
	if small > 0 {
		f.pays(gains, small)
	}
	right := append(append(numbers(1, 4), 77), numbers(6, 20)...)
	must(t, f.corrects(g, right...))
	again, _ := f.house.Game(g.Ref)
	if !slices.Equal(again.Numbers.Numbers(), right) || !slices.Equal(again.Entered.Numbers(), numbers(1, 20)) ||
		again.Settled.Revision != 2 {
		t.Errorf("the game shows %v, entered %v, revision %d", again.Numbers, again.Entered, again.Settled.Revision)
	}
	if won, paid := f.prize(lost); won >= before || paid != before {
		t.Errorf("a ticket that was paid %v has won %v and was paid %v", before, won, paid)
	}
	wonBoth, _ := f.prize(more)
	f.pays(more, wonBoth)
	all, paid := f.prize(gains)
	if all <= small || paid != small {
		t.Fatalf("a ticket that has won more: %v after %v, %v paid", all, small, paid)
	}
	f.pays(gains, all-small)
	if left, _ := f.prize(idle); left > 0 {
		f.pays(idle, left)
	}
	f.checkStory(lost.Place)
	if report := f.verify(); !report.OK() || report.Corrected != 1 {
		t.Errorf("%+v, %d corrected", report.Failure, report.Corrected)
	}
	if got, won := f.balance(ledger.Overpaid), again.Settled; got <= 0 || got > before {
		t.Errorf("the operator has lost %v of %v, prizes %v", got, before, won.PrizesCents)
	}
	// It is corrected back: the loss is none any more, and nobody is paid twice.
	must(t, f.corrects(again, numbers(1, 20)...))
	if won, paid := f.prize(lost); won != before || paid != before {
		t.Errorf("corrected back: %v won, %v paid", won, paid)
	}
	if report := f.verify(); !report.OK() || report.Corrected != 2 {
		t.Errorf("%+v, %d corrected", report.Failure, report.Corrected)
	}
}

// TestCorrectionsRefused tries what cannot be corrected.
func TestCorrectionsRefused(t *testing.T) {
	f := newFloor(t)
	g := f.drawn(numbers(1, 20)...)
	wantCode(t, "the same numbers", f.corrects(g, numbers(1, 20)...), game.NothingCorrected)
	wantCode(t, "too few", f.corrects(g, numbers(1, 19)...), game.NumbersMalformed)
	wantCode(t, "twice the same ball", f.corrects(g, append(numbers(1, 19), 1)...), game.NumbersMalformed)
	wantCode(t, "no ball", f.corrects(g, append(numbers(1, 19), 81)...), game.NumbersMalformed)
	clause := func(name string) error {
		_, err := f.house.First().Ask(t.Context(), f.ann,
			command.CorrectResult{Ordinal: g.Ordinal, Revision: 2, Numbers: numbers(2, 21), Reason: "x", Clause: name})
		return err
	}
	for _, unknown := range []string{"", "11", "11.1 ", "11.99", "9.5(z)"} {
		wantCode(t, "by clause "+unknown, clause(unknown), game.ClauseUnknown)
	}
	must(t, clause("11.4(c)(i)"))
	var refused *refusal.Refusal
	if !errors.As(clause("9.99"), &refused) || refused.Path != "clause" || refused.Clause != "11.1" {
		t.Errorf("%+v", refused)
	}
	other := g
	other.Settled.Revision = 4
	wantCode(t, "another settlement", f.corrects(other, numbers(2, 21)...), game.NothingCorrected)
	act := command.CorrectResult{Ordinal: g.Ordinal, Revision: 2, Numbers: numbers(2, 21), Reason: "x", Clause: "11.1"}
	number, err := f.house.First().Ask(t.Context(), f.ann, act)
	must(t, err)
	_, err = f.house.Do(t.Context(), command.Change{Command: staff.Consent{By: f.ann, Approval: number,
		Content: command.Content(1, act), Granted: true}}, record.By{})
	wantCode(t, "one person", err, staff.ApprovalOwn)
	_, err = f.house.Operate(t.Context(), f.ann, number)
	wantCode(t, "before anybody consents", err, staff.ApprovalNotGiven)
	wantPast := func(name string, by uint32, want bool) {
		t.Helper()
		if past, err := f.house.lookBackFor(t.Context(), by, number); (past != nil) != want || err != nil {
			t.Errorf("%s: the journal was read: %v, %v", name, past != nil, err)
		}
	}
	wantPast("before anybody consents", f.ann, false)
	_, err = f.house.Do(t.Context(), command.Change{Command: staff.Consent{By: f.carol, Approval: number,
		Content: command.Content(1, act), Granted: true}}, record.By{})
	must(t, err)
	wantPast("for somebody else", f.carol, false)
	wantPast("for who asked", f.ann, true)

	b := newBench(t)
	b.trade(10 * time.Minute)
	_, err = b.house.First().Ask(t.Context(), 1,
		command.CorrectResult{Ordinal: 1, Revision: 2, Numbers: numbers(1, 20), Reason: "x", Clause: "9.5"})
	wantCode(t, "a generator's numbers", err, game.NotByHand) // Of a rulebook that says nothing of an official record.
}

// TestOfficial: where the rulebook does not make the balls the official record, what was keyed stands.
func TestOfficial(t *testing.T) {
	f := newFloorWithout(t, "    official: true\n    official_clause: \"11.1\"\n")
	err := f.corrects(f.drawn(numbers(1, 20)...), numbers(2, 21)...)
	wantCode(t, "balls that are not official", err, game.NotByHand)
	if !strings.Contains(err.Error(), "what was keyed stands") {
		t.Errorf("it is refused with %v", err)
	}
}

// TestOneLookBackAtATime corrects a result while the journal is read for another
// correction: that is refused, nothing happened, and it works afterwards.
func TestOneLookBackAtATime(t *testing.T) {
	f := newFloor(t)
	g := f.drawn(numbers(1, 20)...)
	f.house.looking.Lock()
	if err := f.corrects(g, numbers(2, 21)...); !errors.Is(err, lane.ErrBusy) {
		t.Errorf("beside another: %v", err)
	}
	// Nobody else waits.
	must(t, command.Outcome(f.house.Do(t.Context(), command.Pause{Reason: "a storm"}, record.By{Person: f.ann})))
	f.house.looking.Unlock()
	must(t, f.corrects(g, numbers(2, 21)...))
}

// TestInspectorTellsOfCorrections puts a game at the ball machine to docs/inspector.py,
// which shares no code with this program, before and after a correction; and an export
// in which a number of a generator has lost its bytes.
func TestInspectorTellsOfCorrections(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	inspect := func(b *bench, dir string, ref record.Game) (string, error) {
		about := b.house.Hub().Board().House
		out, err := exec.Command(python, "../docs/inspector.py", "draw", dir, fmt.Sprintf("%v/%d", ref.Day, ref.Number),
			about.HouseKey, about.DeviceKey).CombinedOutput()
		return string(out), err
	}
	f := newFloor(t)
	g := f.drawn(numbers(1, 20)...)
	if out, err := inspect(f.bench, f.export(), g.Ref); err != nil ||
		!strings.Contains(out, "ball 20, as people keyed it") || strings.Contains(out, "CORRECTED") {
		t.Errorf("before the correction: %v\n%s", err, out)
	}
	must(t, f.corrects(g, numbers(2, 21)...))
	out, err := inspect(f.bench, f.export(), g.Ref)
	must(t, err)
	for _, want := range []string{"clause 11.1: ball 5 was misread: tape 3", "signed by the device: 1 2 3 ",
		"in settlement 2: 2 3 4 "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}

	b := newBench(t)
	b.trade(10 * time.Minute)
	dir := b.export()
	all := readRecords(t, dir)
	var stripped record.Game
	writeRecords(t, dir, changed(t, all, find(t, all, record.KindNumberDrawn), func(r *record.Record) {
		drawn := r.Body.(*record.NumberDrawn)
		drawn.Bytes, stripped = nil, drawn.Game
	}))
	if out, err := inspect(b, dir, stripped); err == nil || !strings.Contains(out, "the device signed for rng") {
		t.Errorf("a number without bytes: %v\n%s", err, out)
	}
}

// pool returns what is in the jackpot of six spots.
func (f *floor) pool() money.Amount {
	f.t.Helper()
	for _, p := range f.house.Hub().Board().Series[0].Jackpots {
		if p.Spots == 6 {
			return money.Amount(p.Cents)
		}
	}
	f.t.Fatal("there is no jackpot of six spots")
	return 0
}

const six = `{"bet":"standard","spots":[1,2,3,4,5,6],"stake_cents":500}`

// TestCorrectsJackpots corrects a jackpot that nobody had won, and one that was missed and
// that somebody else has won since: the pool has its money again, or the operator adds
// what it lacks.
func TestCorrectsJackpots(t *testing.T) {
	for name, c := range map[string]struct {
		entered, between, drawn []int
		overpaid                bool
	}{
		"nobody had won":      {entered: numbers(1, 20), drawn: numbers(21, 40)},
		"somebody was missed": {entered: numbers(21, 40), drawn: numbers(1, 20)},
		"missed, and others have won it": {entered: numbers(21, 40), between: numbers(1, 20), drawn: numbers(1, 20),
			overpaid: true},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFloor(t)
			f.onSale()
			first := f.sellBet(1, six)
			before := f.pool()
			g := f.drawn(c.entered...)
			if c.between != nil {
				f.onSale()
				f.sellBet(1, six)
				f.drawn(c.between...)
			}
			f.onSale()
			must(t, f.corrects(g, c.drawn...))
			won, _ := f.prize(first)
			again, _ := f.house.Game(g.Ref)
			hits := c.drawn[0] == 1
			if (won > before) != hits || (len(again.Settled.JackpotWins) == 1) != hits {
				t.Errorf("by the right numbers the ticket has won %v of %v, %d wins", won, before, len(again.Settled.JackpotWins))
			}
			if f.pool() < 1500_00 {
				t.Errorf("the jackpot has fallen to %v", f.pool())
			}
			report := f.verify()
			if !report.OK() || report.Corrected != 1 {
				t.Errorf("%+v, %d corrected", report.Failure, report.Corrected)
			}
			if lost := f.balance(ledger.Overpaid); (lost > 0) != c.overpaid {
				t.Errorf("the operator has lost %v", lost)
			}
			// A start from the journal comes to the same.
			must(t, f.house.Close(t.Context()))
			must(t, f.store.Close())
			f.open()
			if after, _ := f.prize(first); after != won {
				t.Errorf("after a start the ticket has won %v, before it %v", after, won)
			}
		})
	}
}

// TestCorrectsLaterJackpots corrects results behind which others have won the jackpot. Who
// shared a smaller pool than the right one is owed the rest, anybody who has more keeps it, and
// the jackpot as it stands is what all draws by their right numbers come to. Corrected back
// and again, nobody is paid twice.
func TestCorrectsLaterJackpots(t *testing.T) {
	f := newFloor(t)
	f.onSale()
	first := f.sellBet(1, six)
	g := f.drawn(numbers(1, 20)...)
	f.onSale()
	one, two := f.sellBet(1, six), f.sellBet(1, strings.Replace(six, "500", "200", 1))
	f.drawn(append(numbers(1, 19), 50)...)
	f.onSale()
	now, before := f.pool(), f.each(first, one, two)
	f.pays(one, before[1])
	shown := f.shown(g, numbers(21, 40)...)
	must(t, f.corrects(g, numbers(21, 40)...))
	if !slices.ContainsFunc(shown, func(s string) bool {
		return strings.HasPrefix(s, "Game 2026-") && strings.Contains(s, "/1, revision 2")
	}) {
		t.Errorf("the second person is told %q", shown)
	}
	after := f.each(first, one, two)
	if after[0] != 0 || after[1]+after[2] < before[0]+before[1]+before[2]-1500_00-1 {
		t.Errorf("of a jackpot that nobody had won before, %v was won; now %v", before, after)
	}
	if got := f.pool(); got < now || got > now+1 {
		t.Errorf("the jackpot that later winners took stands at %v after %v", got, now)
	}
	f.pays(one, after[1]-before[1])
	if report := f.verify(); !report.OK() || report.Revisions != 1 {
		t.Fatalf("%+v, %d revisions", report.Failure, report.Revisions)
	}
	// Back: the later winners keep what they have, and the operator bears it.
	g, _ = f.house.Game(g.Ref)
	must(t, f.corrects(g, numbers(1, 20)...))
	if back := f.each(first, one, two); back[0] != before[0] || back[1] < after[1] || back[2] < after[2] ||
		back[1] > after[1]+2 {
		t.Errorf("corrected back: %v, before it %v", back, after)
	}
	if lost := f.balance(ledger.Overpaid); lost < after[1]+after[2]-before[1]-before[2] {
		t.Errorf("the operator bears %v", lost)
	}
	// Again: what they keep is theirs by right once more, and nothing is added.
	g, _ = f.house.Game(g.Ref)
	must(t, f.corrects(g, numbers(21, 40)...))
	if again := f.each(first, one, two); again[0] != 0 || again[1] > after[1]+2 || again[2] > after[2]+2 {
		t.Errorf("corrected again: %v, the first time %v", again, after)
	}
	report := f.verify()
	if !report.OK() || report.Corrected != 3 || report.Revisions != 3 {
		t.Errorf("%+v, %d corrected, %d revisions", report.Failure, report.Corrected, report.Revisions)
	}
	if lost := f.balance(ledger.Overpaid); lost > 10 {
		t.Errorf("the operator bears %v of what is owed by right", lost)
	}
	f.pays(two, f.each(two)[0])
	f.checkStory(two.Place)
	must(t, f.house.Close(t.Context()))
	must(t, f.store.Close())
	f.open()
	f.checkStory(one.Place)
}

// TestLaterJackpotsRefused tries corrections that change a jackpot of a game which cannot be
// settled again, or whose own jackpot is no longer known.
func TestLaterJackpotsRefused(t *testing.T) {
	f := newFloor(t)
	f.onSale()
	f.sellBet(1, six)
	g := f.drawn(numbers(1, 20)...)
	f.onSale()
	later := f.sellBet(1, six)
	h := f.drawn(append(numbers(1, 19), 50)...)
	f.onSale()
	won, err := f.house.Won(t.Context(), later.Place)
	must(t, err)
	lost := command.LodgeClaim{Reason: "lost", Who: record.Hash{9}, Tickets: []counter.Payment{won}}
	must(t, command.Outcome(f.house.Do(t.Context(), lost, record.By{Person: f.ann})))
	wantCode(t, "a later prize on a form", f.corrects(g, numbers(21, 40)...), game.ClaimsOpen)
	must(t, f.corrects(g, append(numbers(1, 19), 77)...)) // The jackpot stays as it is.
	g, _ = f.house.Game(g.Ref)
	found := command.DecideClaim{OfForm: command.OfForm{Claim: 1}, Outcome: "refused", Reason: "it was found"}
	must(t, command.Outcome(f.house.Do(t.Context(), found, record.By{Person: f.carol})))
	wantCode(t, "after the game before it", f.corrects(h, numbers(21, 40)...), game.SharedAlready)
	must(t, f.corrects(h, append(numbers(1, 19), 51)...)) // As above.
	must(t, f.corrects(g, numbers(1, 20)...))             // As it was entered.
	h, _ = f.house.Game(h.Ref)
	must(t, f.corrects(h, numbers(21, 40)...))
	if report := f.verify(); !report.OK() || report.Corrected != 4 || report.Revisions != 0 {
		t.Errorf("%+v, %d corrected, %d revisions", report.Failure, report.Corrected, report.Revisions)
	}
}

// TestCorrectsWhatWasRaised corrects a game whose winners were raised by the correction of the game before
// it: that one is corrected back, then this one corrected, then that one corrected again. At the end every
// ticket has won, and the jackpot stands at, what both right results come to.
func TestCorrectsWhatWasRaised(t *testing.T) {
	for name, c := range map[string]struct {
		right                 []int
		later, other, lasting money.Amount // what the tickets have won, and what the operator bears
	}{
		"another ticket has won the jackpot": {append(numbers(7, 25), 50), 0, 1500_45, 1500_45},
		"nobody has won it":                  {numbers(31, 50), 0, 0, 1500_45},
		"who won it has won it":              {append(numbers(1, 19), 51), 1500_45, 5_00, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFloor(t)
			f.onSale()
			first := f.sellBet(1, six)
			g := f.drawn(numbers(1, 20)...)
			f.onSale()
			later, other := f.sellBet(1, six), f.sellBet(1, strings.Replace(six, "1,2,3,4,5,6", "7,8,9,20,21,22", 1))
			h := f.drawn(append(numbers(1, 19), 50)...)
			f.onSale()
			must(t, f.corrects(g, numbers(21, 40)...))
			raised := f.each(later)[0]
			f.pays(later, raised)
			f.again()
			if won := f.each(later)[0]; won != raised {
				t.Fatalf("after a start the ticket has won %v of %v", won, raised)
			}
			h, _ = f.house.Game(h.Ref)
			wantCode(t, "while the game before it is corrected", f.corrects(h, c.right...), game.SharedAlready)
			g, _ = f.house.Game(g.Ref)
			must(t, f.corrects(g, numbers(1, 20)...))
			h, _ = f.house.Game(h.Ref)
			must(t, f.corrects(h, c.right...))
			f.again()
			g, _ = f.house.Game(g.Ref)
			must(t, f.corrects(g, numbers(21, 40)...))
			if won, want := f.each(first, later, other), []money.Amount{0, c.later, c.other}; !slices.Equal(won, want) {
				t.Errorf("the tickets have won %v, and %v is right", won, want)
			}
			if lost, rest := f.balance(ledger.Overpaid), f.pool()+c.later+c.other; lost != c.lasting || rest < raised {
				t.Errorf("the operator bears %v, and %v is right; the jackpot and its winners have %v of %v", lost, c.lasting, rest,
					raised)
			}
			report := f.verify()
			if !report.OK() || report.Corrected != 4 {
				t.Fatalf("%+v, %d corrected", report.Failure, report.Corrected)
			}
			f.again()
			f.number++
			again := record.Request{Terminal: 1, Number: f.number}
			if _, err := f.house.Pay(t.Context(), again, later.Place, Holder{Code: f.codes[later.Place]}); err == nil {
				t.Error("the ticket that was paid is paid again")
			}
			for _, sold := range []Sold{first, later, other} {
				f.checkStory(sold.Place)
			}
		})
	}
}

// TestLiesAboutLaterJackpots has a house that holds all its keys write otherwise about the
// later games of a correction.
func TestLiesAboutLaterJackpots(t *testing.T) {
	f := newFloor(t)
	f.onSale()
	f.sellBet(1, six)
	g := f.drawn(numbers(1, 20)...)
	f.onSale()
	f.sellBet(1, six)
	f.drawn(append(numbers(1, 19), 50)...)
	f.onSale()
	must(t, f.corrects(g, numbers(21, 40)...))
	g, _ = f.house.Game(g.Ref)
	must(t, f.corrects(g, append(numbers(1, 19), 77)...))
	raised := func(change func(*record.Record, *record.GameSettled)) func([][]byte) ([][]byte, int) {
		return func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected) + 2
			return changed(t, all, at, func(r *record.Record) { change(r, r.Body.(*record.GameSettled)) }), at
		}
	}
	fixed := func(seen int, change func(*record.ResultCorrected)) func([][]byte) ([][]byte, int) {
		return func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected)
			return changed(t, all, at, func(r *record.Record) { change(r.Body.(*record.ResultCorrected)) }), at + seen
		}
	}
	h, _ := f.house.First().GameAt(g.Ordinal + 1)
	lies(t, f.bench, map[string]forgery{
		"something is earned": {fixed(2, func(b *record.ResultCorrected) {
			b.Earned = []record.Earned{{Game: h.Ref,
				Cents: 1}}
		}), "is won now"},
		"on another day": {fixed(0, func(b *record.ResultCorrected) { b.Day++ }), "the Keno Day is"},
		"another game earns": {fixed(1, func(b *record.ResultCorrected) {
			b.Earned = []record.Earned{{Game: g.Ref,
				Cents: 1}}
		}), "not settled again"},
		"it is left out": {func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected) + 2
			return slices.Delete(all, at, at+1), at
		}, "is to be settled again"},
		"winners share less": {raised(func(_ *record.Record, b *record.GameSettled) { b.Awards[0].AmountCents-- }),
			"share"},
		"winners keep it instead": {raised(func(_ *record.Record,
			b *record.GameSettled) {
			b.Awards[0].Part = record.PartKept
		}), "share"},
		"the prizes are less": {raised(func(_ *record.Record, b *record.GameSettled) { b.PrizesCents-- }), "prizes"},
		"a jackpot moves": {raised(func(_ *record.Record,
			b *record.GameSettled) {
			b.Pools = []record.Pool{{Spots: 6}}
		}), "has moved the jackpots"},
		"another revision": {raised(func(_ *record.Record, b *record.GameSettled) { b.Revision++ }), "revision"},
		"the operator pays it": {raised(func(r *record.Record, _ *record.GameSettled) {
			for i := range r.Postings {
				if r.Postings[i].Account == ledger.PrizeFund {
					r.Postings[i].Account = ledger.Overpaid
				}
			}
		}), ""},
	})
}

// again closes the house and opens it from its journal.
func (f *floor) again() {
	f.t.Helper()
	must(f.t, f.house.Close(f.t.Context()))
	must(f.t, f.store.Close())
	f.open()
}

// each returns what tickets have won.
func (f *floor) each(tickets ...Sold) (won []money.Amount) {
	f.t.Helper()
	for _, sold := range tickets {
		cents, _ := f.prize(sold)
		won = append(won, cents)
	}
	return won
}

// TestLiesAboutCorrections has a house that holds all its keys write otherwise about a
// correction.
func TestLiesAboutCorrections(t *testing.T) {
	f := newFloor(t)
	f.onSale()
	paid := f.sellBet(1, `{"bet":"standard","spots":[5,6,7],"stake_cents":100}`)
	f.sellBet(1, six)
	g := f.drawn(numbers(1, 20)...)
	won, _ := f.prize(paid)
	f.pays(paid, won)
	must(t, f.corrects(g, append(append(numbers(1, 4), 77), numbers(6, 20)...)...))
	corrected := func(change func(*record.ResultCorrected)) func(record.Body) {
		return func(b record.Body) { change(b.(*record.ResultCorrected)) }
	}
	found(t, f.bench, map[string]lie{
		"by nobody's leave": {record.KindResultCorrected, corrected(func(b *record.ResultCorrected) { b.Approval = 77 }),
			"agreed on correct_result"},
		"to other numbers": {record.KindResultCorrected, corrected(func(b *record.ResultCorrected) { b.Numbers[0] = 80 }),
			"agreed on correct_result"},
		"for another reason": {record.KindResultCorrected,
			corrected(func(b *record.ResultCorrected) { b.Reason = "it suits us" }), "agreed on correct_result"},
		"of another revision": {record.KindResultCorrected, corrected(func(b *record.ResultCorrected) { b.Revision = 3 }),
			"agreed on correct_result"},
	})
	lies(t, f.bench, map[string]forgery{
		"nobody has consented": {func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected)
			return slices.Delete(all, at-1, at), at - 1
		}, "nobody has approved it"},
		"it is not settled anew": {func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected)
			return slices.Delete(all, at+1, at+2), at
		}, "not settled anew"},
		"more is added to jackpots": {func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected)
			return changed(t, all, at, func(r *record.Record) { r.Body.(*record.ResultCorrected).ToppedCents++ }), at + 1
		}, "adds"},
		"less was paid than it was": {func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected)
			return changed(t, all, at, func(r *record.Record) { r.Body.(*record.ResultCorrected).OverpaidCents-- }), at + 1
		}, "paid and not won"},
		"twice the same": {func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected)
			return slices.Insert(all, at+2, all[at-1], all[at], all[at+1]), at + 2
		}, "approval"},
		"a winner is left out": {func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected) + 1
			return changed(t, all, at, func(r *record.Record) { r.Body.(*record.GameSettled).Winners-- }), at
		}, "winning plays"},
		"money is taken back": {func(all [][]byte) ([][]byte, int) {
			at := find(t, all, record.KindResultCorrected) + 1
			return changed(t, all, at, func(r *record.Record) {
				for i := range r.Postings {
					if r.Postings[i].Account == ledger.Overpaid {
						r.Postings[i].Account = ledger.Retained
					}
				}
			}), at
		}, ""},
	})
}

// forgery changes a journal and says at which record that shows.
type forgery struct {
	forge  func(all [][]byte) ([][]byte, int)
	reason string
}

// lies writes each forgery into an export and has it found where it shows.
func lies(t *testing.T, b *bench, forgeries map[string]forgery) {
	whole := b.export()
	for name, l := range forgeries {
		t.Run(name, func(t *testing.T) {
			records, at := l.forge(readRecords(t, whole))
			dir := filepath.Join(t.TempDir(), "forged")
			must(t, os.CopyFS(dir, os.DirFS(whole)))
			writeRecords(t, dir, records)
			b.resign(dir, records)
			checkNamed(t, verifyDir(t, dir), at, l.reason)
		})
	}
}

// changed returns records of which one is another.
func changed(t testing.TB, all [][]byte, at int, change func(*record.Record)) [][]byte {
	t.Helper()
	r, err := record.Decode(all[at])
	must(t, err)
	change(&r)
	all[at], err = record.Encode(r)
	must(t, err)
	return all
}
