package cases

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	namedPattern = regexp.MustCompile(`@([A-Z]\w*)(?:/(\d+))?`)
	restPattern  = regexp.MustCompile(`rest(?: from (\d+))?$`)
)

// named puts the numbers of tickets in the place of @NAME, each number once, and the
// lowest others in the place of "rest", so that there are as many as a game draws.
// @NAME/4 stands for the first four numbers of a ticket; "rest" has none of its others.
// "rest from 41" begins with 41.
// Picked numbers are known by the paper alone, to a scenario as to a player.
func (r *run) named(text string) (string, error) {
	var failed error
	seen := map[string]bool{}
	var without []string
	text = namedPattern.ReplaceAllStringFunc(text, func(found string) string {
		name, first, part := strings.Cut(found[1:], "/")
		numbers, err := r.numbersOf(name)
		if err != nil {
			failed = err
		}
		if part {
			keep := min(number(first), len(numbers))
			numbers, without = numbers[:keep], append(without, numbers[keep:]...)
		}
		fresh := slices.DeleteFunc(numbers, func(n string) bool { return seen[n] })
		for _, n := range fresh {
			seen[n] = true
		}
		return strings.Join(fresh, " ")
	})
	if at := restPattern.FindStringSubmatchIndex(text); at != nil && failed == nil {
		from := 1
		if at[2] >= 0 {
			from = number(text[at[2]:at[3]])
		}
		text = filledUp(text[:at[0]], from, without)
	}
	return text, failed
}

// filledUp adds the lowest numbers that are not there, from one on, without some.
func filledUp(text string, from int, without []string) string {
	numbers := strings.Fields(text)
	for n := from; len(numbers) < drawn; n++ {
		if word := strconv.Itoa(n); !slices.Contains(numbers, word) && !slices.Contains(without, word) {
			numbers = append(numbers, word)
		}
	}
	return strings.Join(numbers, " ")
}

// numbersOf reads the numbers on the receipt of a ticket with one bet on numbers.
func (r *run) numbersOf(name string) ([]string, error) {
	t, ok := r.tickets[name]
	if !ok {
		return nil, fmt.Errorf("no ticket %s was sold", name)
	}
	picture, err := r.house.Receipt(t)
	if err != nil {
		return nil, err
	}
	rows := read(picture)
	for i, row := range rows {
		if strings.HasPrefix(row, "Spots ") && i+1 < len(rows) {
			return strings.Fields(rows[i+1]), nil
		}
	}
	return nil, fmt.Errorf("ticket %s shows no numbers", name)
}
