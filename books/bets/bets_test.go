package bets_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"drawhouse/books"
	"drawhouse/books/bets"
	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/decide/game"
	"drawhouse/internal/cases"
	"drawhouse/internal/kept"
	"drawhouse/journal/record"
)

// stored is a journal with what is beside its records.
type stored struct {
	bets.Source
	name    string
	records []kept.Record
	objects map[string][]byte // as the store names them
}

// played is a house of a case.
type played struct{ core *cases.Core }

// BodyAt implements bets.Source.
func (p played) BodyAt(place record.Place) (record.Body, error) {
	r, err := record.Decode(p.core.Records[place.Seq])
	return r.Body, err
}

// Winners implements bets.Source.
func (p played) Winners(series uint8, ordinal uint32, revision uint8) ([]byte, error) {
	data, ok := p.core.Objects[game.WinnersName(series, ordinal, revision)]
	if !ok {
		return nil, fmt.Errorf("there are no winners of game %d", ordinal)
	}
	return data, nil
}

// journals returns the kept journals, and those of the houses of all cases of keno.
func journals(t *testing.T) []*stored {
	t.Helper()
	all, err := readOnce()
	must(t, err)
	return all
}

var readOnce = sync.OnceValues(func() (all []*stored, failed error) {
	old, err := kept.All()
	failed = errors.Join(failed, err)
	for _, j := range old {
		s := &stored{Source: j, name: "kept " + j.Name, records: j.Records, objects: map[string][]byte{}}
		for name, data := range j.Export {
			s.objects[strings.TrimPrefix(name, verify.ObjectsFolder)] = data
		}
		all = append(all, s)
	}
	files, err := cases.ReadAll("../../rulebook/rules")
	failed = errors.Join(failed, err)
	for _, file := range files {
		for _, scenario := range file.Scenarios {
			var core *cases.Core
			err := file.Run(scenario, func(f cases.Founding) (cases.House, error) {
				var err error
				core, err = cases.NewCore(f)
				return core, err
			})
			failed = errors.Join(failed, err, core.Take())
			s := &stored{Source: played{core}, objects: core.Objects,
				name: fmt.Sprintf("%s/%s:%d", file.Rulebook, file.Clause, scenario[0].Number)}
			for seq, data := range core.Records {
				s.records = append(s.records, kept.Record{Place: record.Place{Volume: 1, Seq: uint64(seq)}, Data: data})
			}
			all = append(all, s)
		}
	}
	return all, failed
})

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTies adds the kept journals and the houses of all cases up by bets. After each record what is owed for games
// ahead is the balance of the account unplayed, and what closed games staked is what left it; at the end what was sold,
// given back and won is what the records state.
func TestTies(t *testing.T) {
	var whole bets.Sums
	parted := 0
	for _, j := range journals(t) {
		var sum, due bets.Sums
		hear := func(_ record.Place, _ record.Record, on *bets.Day, line bets.Line, adds bets.Sums) {
			sum.Add(adds)
			if line.Bet == "" {
				parted++
			}
			if on.Series != line.Series {
				t.Errorf("%s: a line of series %d on a day of series %d", j.name, line.Series, on.Series)
			}
		}
		fold := bets.New(j, bets.Listener{Adds: hear})
		prizes := map[record.Game]money.Amount{}
		for _, each := range j.records {
			place := each.Place
			r, err := record.Decode(each.Data)
			must(t, err)
			if err := fold.Add(place, r); err != nil {
				t.Errorf("%s: %v", j.name, err)
				break
			}
			switch b := r.Body.(type) {
			case *record.TicketSold:
				due.Sold, due.Ways = due.Sold+b.CostCents, due.Ways+int64(b.Ways)
			case *record.TicketCancelled:
				due.GivenBack += b.RefundCents + b.CarriedCents
			case *record.GameClosed:
				due.Closed += b.StakesCents
			case *record.GameVoided:
				if !b.Deferred {
					due.Void += b.RefundCents + b.PrizesCents + b.CarriedCents
				}
				due.Ran += b.CarriedCents
			case *record.GameSettled:
				due.Prizes += b.PrizesCents - prizes[b.Game]
				if prizes[b.Game] = b.PrizesCents; b.Revision == 1 {
					due.RunsOn, due.Ran = due.RunsOn+b.CarriedCents, due.Ran+b.CarriedCents
				}
			}
			if owed := -fold.State().Balances().Of(ledger.Unplayed); sum.Ahead() != owed {
				t.Fatalf("%s: after %v %v is owed by bets for games ahead, and the account has %v", j.name, place,
					sum.Ahead(), owed)
			}
		}
		if due.Multiplier, due.LuckyLast = sum.Multiplier, sum.LuckyLast; sum != due {
			t.Errorf("%s: by bets it is %+v, and the records say %+v", j.name, sum, due)
		}
		var ahead, byDay money.Amount
		for _, one := range fold.Ahead() {
			ahead += one.Cents
		}
		for _, d := range fold.Days() {
			for _, sums := range d.Lines {
				byDay += sums.Ahead()
			}
		}
		if ahead != sum.Ahead() || byDay != ahead {
			t.Errorf("%s: by game %v is owed, by day %v, and by record %v", j.name, ahead, byDay, sum.Ahead())
		}
		whole.Add(sum)
	}
	if whole.Void == 0 || whole.RunsOn == 0 || whole.Ran == whole.RunsOn || whole.Multiplier == 0 || whole.LuckyLast == 0 {
		t.Errorf("the journals come to %+v", whole)
	}
	t.Logf("%+v, of which %d could not be said of a way", whole, parted)
}

// TestTieWithBooks holds the lines of each closed day against the book of the day.
func TestTieWithBooks(t *testing.T) {
	held := 0
	for _, j := range journals(t) {
		fold := bets.New(j, bets.Listener{})
		late := map[record.Game]bool{}
		for _, each := range j.records {
			place := each.Place
			r, err := record.Decode(each.Data)
			must(t, err)
			must(t, fold.Add(place, r))
			if b, ok := r.Body.(*record.GameSettled); ok && b.Revision > 1 {
				late[b.Game] = true
			}
		}
		if len(late) > 0 {
			continue // The book of the day of a game does not have what a later day found of it.
		}
		for _, d := range fold.Days() {
			data, ok := j.objects[game.BookName(d.Series, d.Day)]
			if !ok {
				continue // The day goes on.
			}
			book, err := books.Decode(data)
			must(t, err)
			var sum bets.Sums
			for _, sums := range d.Lines {
				sum.Add(sums)
			}
			var won, on money.Amount
			for i := range book.Games {
				payable, carried := book.Games[i].Won()
				won, on = won+payable, on+carried
			}
			alone := book.Alone()
			total := alone.Total()
			if sum.Sold != total.Sold || sum.GivenBack != total.GivenBack || sum.Staked() != alone.Fund().Stakes ||
				sum.Prizes != won || sum.RunsOn != on {
				t.Errorf("%s: by bets %v comes to %+v, and its book has %v sold, %v given back, %v staked, %v and %v won",
					j.name, d.Day, sum, total.Sold, total.GivenBack, alone.Fund().Stakes, won, on)
			}
			held++
		}
	}
	if held < 20 {
		t.Errorf("%d days have a book", held)
	}
}
