package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"drawhouse/core/figure"
	"drawhouse/games/bingo"
)

// bingoOddsCmd says how likely the games of a room are won by which call: what a
// mathematician needs who sets a prize for a bingo within so many calls.
type bingoOddsCmd struct {
	Rulebook string `default:"nsw-bingo-2019" help:"Id of a built-in rulebook, or a file."`
	Boxes    int    `default:"1" placeholder:"N" help:"How many boxes are in play."`
	Strips   bool   `help:"The boxes are those of whole strips, such as six with all 90 numbers; bingo alone."`
	JSON     bool   `name:"json" help:"Write JSON: the chance after every call, with twelve decimals."`
}

// bingoChances is how likely a pattern is complete in at least one box, after each call.
type bingoChances struct {
	Pattern string   `json:"pattern"`
	Even    int      `json:"even_chance_at"` // the first call with a chance of a half or more
	After   []chance `json:"after"`          // so many calls, from 0 on
}

// chance is a probability.
type chance struct{ *big.Rat }

// MarshalJSON writes the chance as a decimal number.
func (c chance) MarshalJSON() ([]byte, error) { //nolint:unparam // It is an interface of encoding/json.
	return []byte(c.FloatString(12)), nil
}

// shownCalls are the calls that the table has a column for.
var shownCalls = []int{20, 30, 40, 50, 60, 70, 80}

// Run implements the command.
func (c *bingoOddsCmd) Run(out *bytes.Buffer) error {
	if c.Boxes < 1 || c.Boxes > 1_000_000 {
		return misused("--boxes", fmt.Errorf("%d is not a number of boxes from 1 to 1,000,000", c.Boxes))
	}
	all, err := c.chances()
	if err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(all)
	}
	return c.write(out, all)
}

// chances returns the chances of every pattern of the rulebook.
func (c *bingoOddsCmd) chances() ([]bingoChances, error) {
	form, err := bingoForm(c.Rulebook)
	if err != nil {
		return nil, err
	}
	if boxes := form.StripBoxes(); c.Strips && c.Boxes%boxes != 0 {
		return nil, misused("--strips", fmt.Errorf("%d boxes are no whole strips of %d", c.Boxes, boxes))
	}
	book, err := findBook("--rulebook", c.Rulebook)
	if err != nil {
		return nil, err
	}
	patterns, err := bingo.NewPatterns(form, book.Patterns())
	if err != nil {
		return nil, err
	}
	if c.Strips {
		one, err := c.chancesOf(form, "bingo", c.Boxes/form.StripBoxes(), form.StripFullHouse)
		return []bingoChances{one}, err
	}
	all := make([]bingoChances, patterns.Len())
	for i := range all {
		all[i], err = c.chancesOf(form, patterns.At(i).ID, c.Boxes,
			func(calls int) *big.Rat { return patterns.Chance(i, calls) })
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// chancesOf returns the chances of a pattern among so many boxes or strips.
func (c *bingoOddsCmd) chancesOf(form *bingo.Form, pattern string, among int,
	one func(calls int) *big.Rat) (bingoChances, error) {
	found := bingoChances{Pattern: pattern}
	half := big.NewRat(1, 2)
	for calls := range int(form.Universe()) + 1 {
		p, err := bingo.Among(among, one(calls))
		if err != nil {
			return found, err
		}
		if found.Even == 0 && p.Cmp(half) >= 0 {
			found.Even = calls
		}
		found.After = append(found.After, chance{p})
	}
	if found.Even == 0 {
		return found, errors.New("bingo: all numbers are called, and no box is complete")
	}
	return found, nil
}

// write writes the chances as people read them.
func (c *bingoOddsCmd) write(out *bytes.Buffer, all []bingoChances) error {
	who := "one box"
	switch {
	case c.Strips:
		who = fmt.Sprintf("at least one of %s of whole strips", figure.CountOf(c.Boxes, "box", "boxes"))
	case c.Boxes > 1:
		who = "at least one of " + figure.CountOf(c.Boxes, "box", "boxes")
	}
	fmt.Fprintf(out, "The chance in percent that %s has the pattern after so many calls.\n", who)
	if c.Boxes > 1 {
		out.WriteString("Each box, or strip, counts as independent of the others.\n")
	}
	out.WriteByte('\n')
	var rows bytes.Buffer
	rows.WriteString("PATTERN\tEVEN CHANCE AT CALL")
	shown := slices.DeleteFunc(slices.Clone(shownCalls), func(calls int) bool { return calls >= len(all[0].After) })
	for _, calls := range shown {
		fmt.Fprintf(&rows, "\tAFTER %d", calls)
	}
	for _, one := range all {
		fmt.Fprintf(&rows, "\n%s\t%d", one.Pattern, one.Even)
		for _, calls := range shown {
			fmt.Fprintf(&rows, "\t%s", new(big.Rat).Mul(one.After[calls].Rat, big.NewRat(100, 1)).FloatString(4))
		}
	}
	rows.WriteByte('\n')
	return writeColumns(out, &rows)
}
