package cases

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/rulebook"
)

// ErrDoesNotFit reports a line of settlement that cannot happen in a house: a pool or
// a promotion that is already there, a jackpot that is won without its stakes having
// filled it, a void game, the same numbers drawn twice, tickets that nobody may buy.
var ErrDoesNotFit = errors.New("cases: the line does not fit a house")

// Settle plays a line of settlement in a house: the tickets are bought, the games
// played, and what each ticket won is compared.
//
//	settle SCHEDULE NUMBERS / NUMBERS ... ; [COUNT x] TICKET ; ... -> PRIZE PRIZE ... ; PRIZE ...
func (f *File) Settle(l Line, book *rulebook.Book, found Founder) error {
	s, err := readSettlement(l)
	if err != nil {
		return err
	}
	begin := book.From()
	h, err := found(Founding{Book: book, Schedule: s.schedule, Begin: Noon(begin), Seed: fmt.Sprint(f.Path, l.Number)})
	if err != nil {
		return err
	}
	if err := errors.Join(h.OpenDay(begin), h.OpenGame()); err != nil {
		return err
	}
	tickets, err := s.buy(h, book)
	if err != nil {
		return err
	}
	for i, numbers := range s.draws {
		if err := errors.Join(h.TurnGame(), h.Draw(uint32(i+1), numbers)); err != nil {
			return err
		}
	}
	won, err := wonJackpots(h)
	if err != nil {
		return err
	}
	if won {
		return ErrDoesNotFit
	}
	got, err := prizesOf(h, tickets, len(s.draws))
	if err == nil && got != l.Want {
		err = fmt.Errorf("got %s", got)
	}
	return err
}

// settlement is what a line of settlement says.
type settlement struct {
	schedule string
	draws    [][]int
	tickets  []string
}

func readSettlement(l Line) (s settlement, err error) {
	parts := strings.Split(strings.TrimPrefix(l.Operation, "settle "), ";")
	schedule, draws, _ := strings.Cut(strings.TrimSpace(parts[0]), " ")
	s.schedule = schedule
	sets := map[string]bool{}
	for text := range strings.SplitSeq(draws, "/") {
		numbers, err := Numbers(strings.Fields(text))
		if err != nil || sets[setOf(numbers)] {
			return s, ErrDoesNotFit // A void game, or numbers that the device would not draw again.
		}
		sets[setOf(numbers)] = true
		s.draws = append(s.draws, numbers)
	}
	for _, part := range parts[1:] {
		part = strings.TrimSpace(part)
		if strings.HasPrefix(part, "pool ") || strings.HasPrefix(part, "elsewhere ") ||
			strings.HasPrefix(part, "promotion ") {
			return s, ErrDoesNotFit
		}
		s.tickets = append(s.tickets, part)
	}
	return s, nil
}

// setOf names a set of numbers.
func setOf(numbers []int) string {
	var in [81]byte
	for _, n := range numbers {
		in[n] = 1
	}
	return string(in[:])
}

// buy buys the tickets, and returns one of each.
func (s *settlement) buy(h House, book *rulebook.Book) ([]Ticket, error) {
	var tickets []Ticket
	for _, text := range s.tickets {
		count := 1
		if number, rest, ok := strings.Cut(text, " x "); ok {
			var err error
			if count, err = strconv.Atoi(number); err != nil {
				return nil, err
			}
			text = rest
		}
		form, err := form(book.ID(), text, len(s.draws))
		if err != nil {
			return nil, err
		}
		for i := range count {
			t, err := h.Sell(Order{Terminal: 1, Method: rulebook.MethodForm, Form: form})
			var refused *refusal.Refusal
			if errors.As(err, &refused) {
				return nil, fmt.Errorf("%w: %w", ErrDoesNotFit, err)
			}
			if err != nil {
				return nil, err
			}
			if i == 0 {
				tickets = append(tickets, t)
			}
		}
	}
	return tickets, nil
}

// wonJackpots reports whether a jackpot was won in a game. Lines of settlement without
// pools leave out what stakes add to them.
func wonJackpots(h House) (bool, error) {
	st, err := h.State()
	if err != nil {
		return false, err
	}
	current, _ := st.Series(series)
	for ordinal := uint32(1); ; ordinal++ {
		g, ok := current.Game(ordinal)
		if !ok || len(g.Settled.JackpotWins) > 0 {
			return ok, nil
		}
	}
}

// prizesOf writes what tickets won as lines of settlement do.
func prizesOf(h House, tickets []Ticket, games int) (string, error) {
	between := " "
	if games > 1 {
		between = " ; "
	}
	var all []string
	for _, t := range tickets {
		won, err := h.Won(t)
		if err != nil {
			return "", err
		}
		var prizes []string
		for _, w := range won {
			prizes = append(prizes, w.text())
		}
		all = append(all, strings.Join(prizes, " "))
	}
	return strings.Join(all, between), nil
}
