package cases

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var namedPattern = regexp.MustCompile(`@([A-Z]\w*)`)

// named puts the numbers of tickets in the place of @NAME, each number once, and the
// lowest others in the place of "rest", so that there are as many as a game draws.
// Picked numbers are known by the paper alone, to a scenario as to a player.
func (r *run) named(text string) (string, error) {
	var failed error
	seen := map[string]bool{}
	text = namedPattern.ReplaceAllStringFunc(text, func(found string) string {
		numbers, err := r.numbersOf(found[1:])
		if err != nil {
			failed = err
		}
		fresh := slices.DeleteFunc(numbers, func(n string) bool { return seen[n] })
		for _, n := range fresh {
			seen[n] = true
		}
		return strings.Join(fresh, " ")
	})
	if before, ok := strings.CutSuffix(text, "rest"); ok && failed == nil {
		text = filledUp(before)
	}
	return text, failed
}

// filledUp adds the lowest numbers that are not there.
func filledUp(text string) string {
	numbers := strings.Fields(text)
	for n := 1; len(numbers) < drawn; n++ {
		if word := strconv.Itoa(n); !slices.Contains(numbers, word) {
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
