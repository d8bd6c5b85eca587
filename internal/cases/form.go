package cases

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"drawhouse/core/money"
)

// form returns a ticket in the form of package keno. The text is such a form that
// may leave out its version, rulebook and games, or the bets of one, or bets in short:
//
//	classic 1-3 80 @ 2.00 + classic 7 @ 1.00 multiplier 2
//	heads_or_tails heads tails run @ 3.00
//
// After the stake come features, each with the number of games if it is not all.
func form(rulebook, text string, games int) ([]byte, error) {
	if !strings.HasPrefix(text, "{") {
		var bets []string
		for part := range strings.SplitSeq(text, "+") {
			bet, err := shortBet(strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			bets = append(bets, bet)
		}
		text = `{"bets":[` + strings.Join(bets, ",") + `]}`
	}
	var given []map[string]json.RawMessage
	if err := json.Unmarshal([]byte("["+text+"]"), &given); err != nil {
		return nil, fmt.Errorf("%s: %w", text, err)
	}
	if len(given) == 0 || len(given[0]) == 0 {
		return nil, errors.New("the form is empty")
	}
	if _, isBet := given[0]["bet"]; isBet || len(given) > 1 {
		text = `{"bets":[` + text + `]}`
	}
	if _, ok := given[0]["games"]; !ok && games > 0 {
		text = fmt.Sprintf(`{"games":%d,%s`, games, text[1:])
	}
	return Complete(rulebook, text), nil
}

// Complete adds to a form the version and the rulebook if it leaves them out. It
// is not parsed for that: cases have forms that cannot be.
func Complete(rulebook, form string) []byte {
	for _, add := range []string{fmt.Sprintf(`"rulebook":%q`, rulebook), `"v":1`} {
		if name, _, _ := strings.Cut(add, ":"); !strings.Contains(form, name+":") {
			form = "{" + add + "," + strings.TrimPrefix(form, "{")
		}
	}
	return []byte(form)
}

// shortBet reads "BET SPOTS @ STAKE FEATURE ...".
func shortBet(text string) (string, error) {
	what, rest, ok := strings.Cut(text, " @ ")
	name, numbers, named := strings.Cut(strings.TrimSpace(what), " ")
	words := strings.Fields(rest)
	if !ok || !named || len(words) == 0 {
		return "", fmt.Errorf("%q is not BET SPOTS @ STAKE", text)
	}
	stake, err := money.Parse(words[0])
	if err != nil {
		return "", err
	}
	bet := map[string]any{"bet": name, "stake_cents": stake.Cents()}
	if err := addSelection(bet, strings.Fields(numbers)); err != nil {
		return "", err
	}
	with, err := features(words[1:])
	if err != nil {
		return "", err
	}
	if len(with) > 0 {
		bet["with"] = with
	}
	data, err := json.Marshal(bet)
	return string(data), err
}

// addSelection adds spots, or calls with the word run if the prize is to run on.
func addSelection(bet map[string]any, words []string) error {
	if spots, err := Numbers(words); err == nil {
		bet["spots"] = spots
		return nil
	}
	var calls []string
	for _, word := range words {
		switch word {
		case "heads", "tails", "evens":
			calls = append(calls, word)
		case "run":
			bet["run"] = true
		default:
			return fmt.Errorf("%q is neither a number nor a call", word)
		}
	}
	bet["calls"] = calls
	return nil
}

func features(words []string) (map[string]any, error) {
	with := map[string]any{}
	for i := 0; i < len(words); i++ {
		side := map[string]any{}
		with[words[i]] = side
		if i+1 < len(words) {
			if games, err := strconv.Atoi(words[i+1]); err == nil {
				side["games"] = games
				i++
			}
		}
	}
	for name := range with {
		if name != "multiplier" && name != "lucky_last" {
			return nil, fmt.Errorf("%q is no feature", name)
		}
	}
	return with, nil
}

// Numbers reads numbers and ranges of them, such as 1-20, in their order.
func Numbers(words []string) ([]int, error) {
	var numbers []int
	for _, word := range words {
		low, high, isRange := strings.Cut(word, "-")
		if !isRange {
			high = low
		}
		from, err := strconv.Atoi(low)
		to, err2 := strconv.Atoi(high)
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		if from < 1 || to > 80 || from > to {
			return nil, fmt.Errorf("%q is not among the numbers from 1 to 80", word)
		}
		for n := from; n <= to; n++ {
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}
