package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A play of a way in a game is told by four things, each with a few values: how it
// was entered, which features were in force, what became of it in the jackpots, and
// what pro-rating did to its prize. A value may be missing, such as that of
// pro-rating for a way that won nothing, and a win of a jackpot may have several.
const (
	byBet = iota
	byFeature
	byJackpot
	byProrating
	dimensions
)

var dimensionNames = [dimensions]string{"bet", "feature", "jackpot", "pro-rating"}

// The values beside those of bets.
var (
	featureValues   = []string{"none", "multiplier", "lucky_last", "both"}
	jackpotValues   = []string{"outside", "entered", "sole", "shared", "pooled", "bonus", "seeded"}
	proratingValues = []string{"uncapped", "spared", "reduced"}
)

// pair is a cell of a matrix.
type pair struct {
	rows, columns int // dimensions
	row, column   string
}

// coverage counts pairs.
type coverage struct {
	rulebook string
	values   [dimensions][]string
	count    map[pair]int
	sellable map[pair]string // of bet and feature: why the desk refuses; empty if it does not
}

func newCoverage(id string) *coverage {
	c := &coverage{rulebook: id, count: map[pair]int{}, sellable: map[pair]string{}}
	for _, k := range kinds[id] {
		c.values[byBet] = append(c.values[byBet], k.name)
	}
	c.values[byFeature], c.values[byJackpot], c.values[byProrating] = featureValues, jackpotValues, proratingValues
	return c
}

// add counts what one play of a way was.
func (c *coverage) add(is [dimensions][]string) {
	for rows := range dimensions {
		for columns := rows + 1; columns < dimensions; columns++ {
			for _, row := range is[rows] {
				for _, column := range is[columns] {
					c.count[pair{rows, columns, row, column}]++
				}
			}
		}
	}
}

// cells visits every pair.
func (c *coverage) cells(visit func(pair)) {
	for rows := range dimensions {
		for columns := rows + 1; columns < dimensions; columns++ {
			for _, row := range c.values[rows] {
				for _, column := range c.values[columns] {
					visit(pair{rows, columns, row, column})
				}
			}
		}
	}
}

// missing returns the pairs that the rules allow and that have not been.
func (c *coverage) missing() []string {
	var cells []string
	c.cells(func(p pair) {
		if c.forbidden(p) == "" && c.count[p] == 0 {
			cells = append(cells, p.String())
		}
	})
	return cells
}

func (p pair) String() string {
	return fmt.Sprintf("%s %q with %s %q", dimensionNames[p.rows], p.row, dimensionNames[p.columns], p.column)
}

// report prints the matrices and fails on pairs that are not as the rules have it.
func (c *coverage) report(t *testing.T) {
	t.Helper()
	var b strings.Builder
	reasons := map[string][]string{}
	for rows := range dimensions {
		for columns := rows + 1; columns < dimensions; columns++ {
			fmt.Fprintf(&b, "\n%-18s", dimensionNames[rows]+" x "+dimensionNames[columns])
			for _, column := range c.values[columns] {
				fmt.Fprintf(&b, "%11s", column)
			}
			for _, row := range c.values[rows] {
				fmt.Fprintf(&b, "\n%-18s", row)
				for _, column := range c.values[columns] {
					p := pair{rows, columns, row, column}
					why := c.forbidden(p)
					if why == "" {
						fmt.Fprintf(&b, "%11d", c.count[p])
						continue
					}
					reasons[why] = append(reasons[why], p.row+" x "+p.column)
					b.WriteString("          -")
					if c.count[p] > 0 {
						t.Errorf("%v happened %d times, and should not: %s", p, c.count[p], why)
					}
				}
			}
			b.WriteByte('\n')
		}
	}
	t.Logf("coverage under %s; - is forbidden:%s", c.rulebook, b.String())
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("forbidden, because %s: %s", reason, strings.Join(reasons[reason], ", "))
	}
	for _, cell := range c.missing() {
		t.Errorf("%s: never happened", cell)
	}
}

// forbidden returns why the rules do not allow a pair, or nothing if they do. Pairs of
// bet and feature are asked of the desk.
func (c *coverage) forbidden(p pair) string {
	if why := c.missingValue(p); why != "" {
		return why
	}
	switch [2]int{p.rows, p.columns} {
	case [2]int{byBet, byFeature}:
		return c.sellable[p]
	case [2]int{byBet, byJackpot}:
		return c.betInJackpot(p.row, p.column)
	case [2]int{byBet, byProrating}:
		return c.betProrated(p.row, p.column)
	case [2]int{byFeature, byJackpot}:
		return c.featureInJackpot(p.row, p.column)
	case [2]int{byJackpot, byProrating}:
		return c.jackpotProrated(p.row, p.column)
	}
	return ""
}

// missingValue says which values a rulebook does not know at all.
func (c *coverage) missingValue(p pair) string {
	for _, value := range []string{p.row, p.column} {
		switch {
		case c.rulebook == "casino-keno-div2" && (value == "multiplier" || value == "lucky_last" || value == "both"):
			return "the rules have no features"
		case c.rulebook == "vic-keno-2015" && (value == "lucky_last" || value == "both"):
			return "the rules have no Lucky Last"
		case c.rulebook != "vic-keno-2015" && (value == "pooled" || value == "bonus"):
			return "jackpots are neither pooled nor have they a bonus prize (only vic-keno-2015 15, 24)"
		case c.rulebook != "tas-keno-2023" && value == "seeded":
			return "no seed is lent (only tas-keno-2023 7.6)"
		}
	}
	return ""
}

// betInJackpot: jackpots are for ways of one bet and of certain sizes.
func (c *coverage) betInJackpot(bet, jackpot string) string {
	if jackpot == "outside" {
		return ""
	}
	switch {
	case slices.Contains([]string{"heads or tails", "prepick", "let it run"}, bet):
		return "calls enter no jackpot"
	case slices.Contains([]string{"win", "place", "quinella", "exact quinella", "trio", "trifecta"}, bet):
		return "races enter no jackpot"
	case bet == "special":
		return "special entries are outside of jackpots (tas-keno-2023 1.67, casino-keno-div2 1.0)"
	case bet == "winner takes all":
		return "only standard bets are in the jackpots (tas-keno-2023 7.3)"
	case bet == "set bet" && c.rulebook == "tas-keno-2023":
		return "the catalogue has no ready ticket of seven to nine spots"
	}
	return ""
}

// betProrated: which bets the limits are for.
func (c *coverage) betProrated(bet, prorating string) string {
	if prorating == "reduced" && c.rulebook == "tas-keno-2023" && bet == "heads or tails" {
		return "prizes of Heads or Tails are outside of the limit (tas-keno-2023 18.1)"
	}
	return ""
}

// featureInJackpot: which features go with the sizes of jackpots.
func (c *coverage) featureInJackpot(feature, jackpot string) string {
	multiplied := feature == "multiplier" || feature == "both"
	switch {
	case jackpot == "outside":
	case c.rulebook == "tas-keno-2023" && multiplied:
		return "Keno Xtra is for one to six spots (tas-keno-2023 21.4(b)), jackpots for seven to nine"
	case jackpot == "bonus" && !multiplied:
		return "the bonus jackpot is won with Keno Bonus only (vic-keno-2015 2(a).keno-bonus-jackpot-prize)"
	}
	return ""
}

// jackpotProrated: what the limits do to prizes beside jackpots.
func (c *coverage) jackpotProrated(jackpot, prorating string) string {
	if jackpot == "outside" || jackpot == "entered" {
		return ""
	}
	switch {
	case c.rulebook == "casino-keno-div2" && prorating == "reduced":
		return "a jackpot is paid instead of the prize and outside of the limit (casino-keno-div2 5.11, 8.10)"
	case c.rulebook == "vic-keno-2015" && prorating == "spared":
		return "all of seven to ten spots is a major prize at every stake (vic-keno-2015 2(a).major-prize, 11(f))"
	}
	return ""
}
