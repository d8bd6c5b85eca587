package cases

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// RunHall plays a scenario of a bingo room and returns the first line that is not as
// it says. In the end the books must agree with the room, and package verify with
// the journal. With restarts the house begins anew from its journal before each line.
func (f *File) RunHall(s Scenario, restarts bool) error {
	r, err := f.playHall(s, restarts)
	if err != nil {
		return err
	}
	last := s[len(s)-1].Number
	if err := CheckHall(r.Engine.State()); err != nil {
		return fmt.Errorf("%s:%d: after the scenario: %w", f.Path, last, err)
	}
	report, err := r.Verify()
	if err == nil && !report.OK() {
		err = report.Failure
	}
	if err != nil {
		return fmt.Errorf("%s:%d: the second opinion: %w", f.Path, last, err)
	}
	if err := r.CheckSnapshot(len(r.Records) / 2); err != nil {
		return fmt.Errorf("%s:%d: %w", f.Path, last, err)
	}
	return nil
}

// PlayHall plays a scenario of a bingo room, and returns the house with all that is durable.
func (f *File) PlayHall(s Scenario) (*Core, error) {
	r, err := f.playHall(s, false)
	if err != nil {
		return nil, err
	}
	return r.Core, r.Take()
}

// playHall plays the lines of a scenario of a bingo room.
func (f *File) playHall(s Scenario, restarts bool) (*hallRun, error) {
	r := &hallRun{book: f.Rulebook, rules: f.Book}
	for i, line := range s {
		var err error
		if i == 0 {
			err = r.begin(line, fmt.Sprintf("%s %d", f.Clause, line.Number))
		} else {
			if restarts {
				err = r.Restart()
			}
			if err == nil {
				err = r.line(line)
			}
		}
		if err != nil {
			return nil, &Failure{f.Path, line, err}
		}
	}
	return r, nil
}

// hallRun is a scenario of a bingo room under way.
type hallRun struct {
	*Room
	book  string
	rules *rulebook.Book // in the place of the book that is built in; nil for that one
	cards string
	offer offerDraft
	// shared are the boxes that one number completed, by book.
	shared map[string]int
}

// begin opens the room: hall [up N] [levels]. There are 40 books of series K7, from
// 101 on, with cards for five games, and members M1 to M9. With levels the jackpot
// has two: major within 20 numbers, with 70% of the fees, and minor.
func (r *hallRun) begin(l Line, seed string) error {
	w := wordsOf(l.Operation)
	w.next()
	var levels []command.Level
	if w.flag("levels") {
		levels = []command.Level{{Name: "major", Within: 20, Share: 7000, SeedCents: 1000_00},
			{Name: "minor", Share: 3000, SeedCents: 100_00}}
	}
	up := w.number("up", 6)
	var err error
	begin := Noon(day.MustParse("2026-11-15"))
	if r.rules != nil {
		r.Room, err = newRoom(r.rules, hall.NewKit, seed, begin, levels)
	} else {
		r.Room, err = NewRoomBy(cmp.Or(r.book, RoomBook), seed, begin, levels...)
	}
	if err != nil {
		return err
	}
	r.cards = "K7"
	if err := r.AddCards(r.cards, up, 101, 40, 5); err != nil {
		return err
	}
	for i := 1; i <= 9; i++ {
		if err := r.Join(fmt.Sprintf("M%d", i)); err != nil {
			return err
		}
	}
	return w.end()
}

// line runs one line. One that expects nothing must merely be possible.
func (r *hallRun) line(l Line) error {
	w := wordsOf(l.Operation)
	do, ok := hallVerbs[w.next()]
	if !ok {
		return fmt.Errorf("no such verb: %s", l.Operation)
	}
	got, err := do(r, w)
	var refused *refusal.Refusal
	switch {
	case errors.As(err, &refused) && l.Want != "":
		clause := refused.Clause
		if clause == "" {
			clause = "-"
		}
		got = fmt.Sprintf("refused %s %s", refused.Code, clause)
	case err != nil:
		return err
	default:
		if err := w.end(); err != nil {
			return err
		}
	}
	if l.Want != "" && got != l.Want {
		if refused != nil {
			got += ": " + refused.Sentence
		}
		return fmt.Errorf("got %s", got)
	}
	return nil
}

// words are those of an operation that were not read yet.
type words struct {
	list []string
	err  error
}

func wordsOf(text string) *words { return &words{list: strings.Fields(text)} }

// next takes the next word, or nothing.
func (w *words) next() string {
	if len(w.list) == 0 {
		return ""
	}
	word := w.list[0]
	w.list = w.list[1:]
	return word
}

// flag takes a word wherever it stands.
func (w *words) flag(word string) bool {
	i := slices.Index(w.list, word)
	if i < 0 {
		return false
	}
	w.list = slices.Delete(slices.Clone(w.list), i, i+1)
	return true
}

// after takes a word and the one behind it.
func (w *words) after(word string) (string, bool) {
	i := slices.Index(w.list, word)
	if i < 0 || i+1 >= len(w.list) {
		return "", false
	}
	value := w.list[i+1]
	w.list = slices.Delete(slices.Clone(w.list), i, i+2)
	return value, true
}

// number takes a number behind a word.
func (w *words) number(word string, otherwise int) int {
	value, ok := w.after(word)
	if !ok {
		return otherwise
	}
	return w.int(value)
}

func (w *words) int(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n
}

// nextInt takes the next word as a number.
func (w *words) nextInt() int { return w.int(w.next()) }

// amount takes an amount behind a word.
func (w *words) amount(word string, otherwise money.Amount) money.Amount {
	value, ok := w.after(word)
	if !ok {
		return otherwise
	}
	return w.cents(value)
}

func (w *words) cents(text string) money.Amount {
	a, err := money.Parse(text)
	if err != nil && w.err == nil {
		w.err = err
	}
	return a
}

// span takes a range such as 101-104, or one number, behind a word.
func (w *words) span(word string) (first, last uint32) {
	text, _ := w.after(word)
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	return uint32(w.int(low)), uint32(w.int(high))
}

// rest takes all numbers that are left.
func (w *words) rest() (numbers []int) {
	for _, word := range w.list {
		numbers = append(numbers, w.int(word))
	}
	w.list = nil
	return numbers
}

// by takes who does it.
func (w *words) by(otherwise record.By) record.By {
	switch who, _ := w.after("by"); who {
	case "dealer":
		return Dealer
	case "supervisor":
		return Supervisor
	case "casino":
		return Casino
	}
	return otherwise
}

// parts takes a payment: media and amounts in pairs.
func (w *words) parts() (list []command.MediumPart) {
	for len(w.list) >= 2 && w.list[0] != "jackpot" {
		medium := w.next()
		list = append(list, command.MediumPart{Medium: medium, Cents: w.cents(w.next()).Cents()})
	}
	return list
}

// end says what was not understood.
func (w *words) end() error {
	if w.err == nil && len(w.list) > 0 {
		return fmt.Errorf("not understood: %v", w.list)
	}
	return w.err
}

// clock lets time pass: clock 20m.
func (r *hallRun) clock(w *words) (string, error) {
	d, err := time.ParseDuration(w.next())
	r.Wait(d)
	return "", err
}

// account returns the balance of an account, as in other scenarios.
func (r *hallRun) account(w *words) (string, error) {
	name := w.next()
	for _, a := range ledger.Accounts() {
		if a.String() == name {
			balance := r.Engine.State().Balances().Of(a)
			if a != ledger.Cash {
				balance = -balance
			}
			return balance.String(), nil
		}
	}
	return "", fmt.Errorf("there is no account %s", name)
}

// pool returns what is in a level of the jackpot.
func (r *hallRun) pool(w *words) (string, error) {
	return r.Hall().PoolCents(max(1, w.number("level", 1))).String(), nil
}
