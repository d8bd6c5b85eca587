package counter

import (
	"fmt"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The places where prizes go that nobody fetches, as rulebooks name them.
const (
	ByForm    = state.ByForm // off the system, and paid on a claim form
	Treasurer = "treasurer"  // owed to the Treasurer, who pays what is claimed later
	Lapsed    = "lapsed"     // lost to the players
)

// prizeAccounts hold the prizes at each of these places. The empty one is where prizes are
// that can be fetched at a venue.
var prizeAccounts = map[string]ledger.Account{
	"": ledger.Prizes, ByForm: ledger.Unclaimed, Treasurer: ledger.Treasurer, Lapsed: ledger.ApprovedPurposes,
}

// sweepAtOnce is how many games one record of a sweep holds.
const sweepAtOnce = 1000

// Sweeping is a record of unclaimed prizes that move, with its postings.
type Sweeping struct {
	Record   *record.PrizesSwept
	Postings []ledger.Posting
}

// sweepMove is from where to where prizes go, and by which clause.
type sweepMove struct{ from, to, clause string }

// Sweep takes what nobody has fetched in time to where the rulebook of each game says.
// The time runs from the Keno Day on which the wins were recorded to the day with the same number, or the
// month's last, and includes that day. Prizes whose later times are over too go to
// the last place at once.
//
//rule:vic-keno-2015 22(b)
//rule:tas-keno-2023 14.1 14.3
//rule:casino-keno-div2 9.2 9.3
func Sweep(s *state.State, series *state.Series, today day.Day) ([]Sweeping, error) {
	var order []sweepMove
	lists := map[sweepMove][]record.Swept{}
	steps := newSweepSteps(s)
	for ordinal := uint32(1); ; ordinal++ {
		g, ok := series.Brief(ordinal)
		if !ok || g.Ref.Day >= today {
			break
		}
		prizes, form := series.Unclaimed(g)
		if prizes == 0 && form == 0 {
			continue
		}
		step, err := steps.reached(g, today)
		if err != nil {
			return nil, err
		}
		if step == nil {
			continue
		}
		for _, left := range []struct {
			at    string
			cents money.Amount
		}{{"", prizes}, {ByForm, form}} {
			if left.cents == 0 || left.at == step.Then {
				continue
			}
			m := sweepMove{left.at, step.Then, step.Quoted()}
			if _, known := lists[m]; !known {
				order = append(order, m)
			}
			lists[m] = append(lists[m], record.Swept{Ordinal: ordinal, Cents: left.cents})
		}
	}
	var all []Sweeping
	for _, m := range order {
		for list := lists[m]; len(list) > 0; {
			n := min(len(list), sweepAtOnce)
			swept, err := m.sweeping(series.ID, today, list[:n])
			if err != nil {
				return nil, err
			}
			all, list = append(all, swept), list[n:]
		}
	}
	return all, nil
}

func (m sweepMove) sweeping(series uint8, today day.Day, list []record.Swept) (Sweeping, error) {
	from, known := prizeAccounts[m.from]
	to, also := prizeAccounts[m.to]
	if !known || !also {
		return Sweeping{}, fmt.Errorf("counter: no account holds prizes at %q or %q", m.from, m.to)
	}
	swept := &record.PrizesSwept{Series: series, Day: today, From: m.from, To: m.to, Clause: m.clause, List: list}
	var sum money.Amount
	for _, line := range list {
		var err error
		if sum, err = sum.Add(line.Cents); err != nil {
			return Sweeping{}, err
		}
	}
	return Sweeping{swept, ledger.Merge(ledger.Debit(from, 0, sum), ledger.Credit(to, 0, sum))}, nil
}

// sweepSteps finds out what has become of the prizes of games. Games of a day under one
// rulebook come one after the other and have the same answer.
type sweepSteps struct {
	state *state.State
	book  record.Hash
	day   day.Day
	list  []rulebook.Unclaimed
	last  []day.Day // of each step, on which it has not come
}

func newSweepSteps(s *state.State) *sweepSteps { return &sweepSteps{state: s} }

// reached returns the last step whose time has come, or nil.
func (t *sweepSteps) reached(g state.Brief, today day.Day) (*rulebook.Unclaimed, error) {
	if t.book != g.Rulebook || t.day != g.WonOn {
		book, _ := t.state.Book(g.Rulebook) // A game opens under a rulebook that was adopted.
		t.book, t.day, t.list, t.last = g.Rulebook, g.WonOn, book.Unclaimed(), nil
		for i := range t.list {
			last, err := lastUnclaimedDay(t.list[i].After, t.day)
			if err != nil {
				return nil, err
			}
			t.last = append(t.last, last)
		}
	}
	for i := len(t.list) - 1; i >= 0; i-- {
		if today > t.last[i] {
			return &t.list[i], nil
		}
	}
	return nil, nil
}

// lastUnclaimedDay returns the last day of a time that runs from a day.
func lastUnclaimedDay(after rulebook.Life, from day.Day) (day.Day, error) {
	last, err := after.Last(from)
	if err != nil {
		return 0, fmt.Errorf("counter: the time of unclaimed prizes of %v: %w", from, err)
	}
	return last, nil
}
