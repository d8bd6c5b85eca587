package rules_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"drawhouse/ball"
	"drawhouse/money"
	"drawhouse/record"
	"drawhouse/rulebook"
	"drawhouse/settle"
)

// settleCase runs the verb of settlement:
//
//	settle SCHEDULE NUMBERS ; TICKET ; ... -> PRIZE ...
//
// NUMBERS are drawn, "1-20" or "1 2 3". A TICKET is "BET SPOTS @ STAKE", its ways
// joined by +, as in "classic 1-3 80 @ 2.00 + classic 7 @ 1.00"; with "12 x"
// before it there are twelve alike. The prizes are those of one of each.
func settleCase(book *rulebook.Book, operation string) (string, error) {
	parts := strings.Split(operation, ";")
	schedule, list, _ := strings.Cut(strings.TrimSpace(parts[0]), " ")
	terms, err := settle.NewTerms(book, schedule)
	if err != nil {
		return "", err
	}
	numbers, err := caseNumbers(strings.Fields(list))
	if err != nil {
		return "", err
	}
	open, firsts := settle.NewOpen(0), []settle.Play(nil)
	place := record.Place{Volume: 1}
	for _, part := range parts[1:] {
		count, ways, err := caseTicket(part)
		if err != nil {
			return "", err
		}
		for i := range count {
			place.Seq++
			play := settle.Play{Ticket: place, First: 1, Last: 1, Ways: ways}
			if i == 0 {
				firsts = append(firsts, play)
			}
			if err := open.Add(play); err != nil {
				return "", err
			}
		}
	}
	return casePrizes(open, firsts, numbers, terms)
}

// casePrizes settles and returns the prizes of some tickets, each found in the
// winners file and once more on its own.
func casePrizes(open *settle.Open, plays []settle.Play, numbers ball.Set, terms *settle.Terms) (string, error) {
	if _, err := open.Close(1); err != nil {
		return "", err
	}
	out, err := settle.Pass(open, 1, numbers, terms)
	if err != nil {
		return "", err
	}
	file, err := settle.DecodeWinners(out.Encode(settle.Settlement{Series: 1, Ordinal: 1, Revision: 1}))
	if err != nil {
		return "", err
	}
	var prizes []string
	for _, p := range plays {
		listed, _ := file.Lookup(p.Ticket)
		alone, err := settle.PrizeOf(p.Ways, numbers, terms, file.Reductions)
		if err != nil || alone != listed {
			return "", fmt.Errorf("ticket %v is listed with %v, and alone it wins %v (%w)", p.Ticket, listed, alone, err)
		}
		prizes = append(prizes, listed.String())
	}
	return strings.Join(prizes, " "), nil
}

// caseTicket reads "12 x classic 1-10 @ 1.00 + classic 7 @ 1.00".
func caseTicket(s string) (count int, ways []settle.Way, err error) {
	count = 1
	if number, rest, ok := strings.Cut(strings.TrimSpace(s), " x "); ok {
		if count, err = strconv.Atoi(number); err != nil {
			return 0, nil, err
		}
		s = rest
	}
	for part := range strings.SplitSeq(s, "+") {
		what, stake, ok := strings.Cut(part, "@")
		words := strings.Fields(what)
		if !ok || len(words) < 2 {
			return 0, nil, fmt.Errorf("%q is not BET SPOTS @ STAKE", part)
		}
		w := settle.Way{Bet: words[0]}
		if w.Spots, err = caseNumbers(words[1:]); err != nil {
			return 0, nil, err
		}
		if w.Stake, err = money.Parse(strings.TrimSpace(stake)); err != nil {
			return 0, nil, err
		}
		ways = append(ways, w)
	}
	return count, ways, nil
}

// caseNumbers reads numbers and ranges of them, such as 1-20.
func caseNumbers(words []string) (ball.Set, error) {
	var numbers []int
	for _, word := range words {
		low, high, isRange := strings.Cut(word, "-")
		if !isRange {
			high = low
		}
		from, err := strconv.Atoi(low)
		to, err2 := strconv.Atoi(high)
		if err := errors.Join(err, err2); err != nil {
			return ball.Set{}, err
		}
		for n := from; n <= to; n++ {
			numbers = append(numbers, n)
		}
	}
	return ball.Of(ball.Keno, numbers...)
}
