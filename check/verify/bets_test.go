package verify_test

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"drawhouse/rulebook"
)

func mapKeys(m map[string]int) iter.Seq[string] { return maps.Keys(m) }

// list writes numbers as JSON does.
func list(numbers []int) string {
	return strings.ReplaceAll(fmt.Sprint(numbers), " ", ",")
}

// lists writes lists of numbers.
func lists(groups [][]int) string {
	words := make([]string, len(groups))
	for i, g := range groups {
		words[i] = list(g)
	}
	return "[" + strings.Join(words, ",") + "]"
}

// lucky returns numbers of which most will be drawn in a game.
func (m *market) lucky(n int, ordinal uint32) []int {
	drawn := m.drawOf(ordinal)
	wanted := min(n, 20)
	if m.one(2) {
		wanted = m.random.IntN(wanted + 1)
	}
	numbers := slices.Clone(drawn)
	m.random.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	numbers = numbers[:wanted]
	for _, k := range m.random.Perm(80) {
		if len(numbers) == n {
			break
		}
		if !slices.Contains(drawn, k+1) && !slices.Contains(numbers, k+1) {
			numbers = append(numbers, k+1)
		}
	}
	for _, k := range m.random.Perm(80) {
		if len(numbers) == n {
			break
		}
		if !slices.Contains(numbers, k+1) {
			numbers = append(numbers, k+1)
		}
	}
	return numbers
}

// bet writes a bet that the rulebook may sell.
func (m *market) bet(games int, ordinal uint32) string {
	bets := m.book.Bets()
	bet := bets[m.random.IntN(len(bets))]
	if items := m.book.Items(); len(items) > 0 && m.one(15) {
		item := items[m.random.IntN(len(items))]
		stake := 100
		if item.StakeCents != 0 {
			return fmt.Sprintf(`{"item":%q}`, item.ID)
		}
		return fmt.Sprintf(`{"item":%q,"stake_cents":%d}`, item.ID, stake)
	}
	switch bet.Form() {
	case rulebook.FormCalls:
		return m.callBet(bet, games)
	case rulebook.FormRace:
		return m.raceBet(bet, ordinal)
	}
	return m.numbersBet(bet, games, ordinal)
}

// stake returns a stake in cents.
func (m *market) stake() int {
	switch m.random.IntN(12) {
	case 0:
		return 50
	case 1:
		return 10 * (1 + m.random.IntN(30))
	case 2:
		return 100 * (1 + m.random.IntN(400))
	}
	return 100 * (1 + m.random.IntN(5))
}

// with writes features.
func (m *market) with(games int) string {
	var features []string
	if _, ok := m.book.Feature(rulebook.FeatureMultiplier); ok && m.one(3) {
		first := ""
		if games > 1 && m.one(2) {
			first = fmt.Sprintf(`"games":%d`, 1+m.random.IntN(games-1))
		}
		features = append(features, `"multiplier":{`+first+`}`)
	}
	if _, ok := m.book.Feature(rulebook.FeatureLuckyLast); ok && m.one(3) {
		stake := ""
		if m.one(2) {
			stake = fmt.Sprintf(`"stake_cents":%d`, 100*(1+m.random.IntN(4)))
		}
		features = append(features, `"lucky_last":{`+stake+`}`)
	}
	if len(features) == 0 {
		return ""
	}
	return `,"with":{` + strings.Join(features, ",") + `}`
}

func (m *market) numbersBet(bet *rulebook.Bet, games int, ordinal uint32) string {
	sizes := bet.Sizes().Numbers()
	n := sizes[m.random.IntN(len(sizes))]
	if m.one(8) {
		pick := fmt.Sprint(n)
		if m.one(2) {
			pick = `"mystery"`
		}
		return fmt.Sprintf(`{"bet":%q,"spots":{"pick":%s},"stake_cents":%d%s}`, bet.ID(), pick, m.stake(), m.with(games))
	}
	if !m.one(4) {
		spots := m.lucky(n, ordinal)
		slices.Sort(spots)
		return fmt.Sprintf(`{"bet":%q,"spots":%s,"stake_cents":%d%s}`, bet.ID(), list(spots), m.stake(), m.with(games))
	}
	numbers := m.lucky(20, ordinal)
	m.random.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	var groups [][]int
	for range 2 + m.random.IntN(7) {
		size := min(1+m.random.IntN(4), len(numbers))
		if size == 0 {
			break
		}
		group := slices.Clone(numbers[:size])
		slices.Sort(group)
		groups, numbers = append(groups, group), numbers[size:]
	}
	return fmt.Sprintf(`{"bet":%q,"groups":%s,"play":%s,"stake_cents":%d%s}`, bet.ID(), lists(groups), m.playOf(groups),
		m.stake(), m.with(games))
}

// playOf names ways of groups.
func (m *market) playOf(groups [][]int) string {
	switch m.random.IntN(4) {
	case 0:
		return `"all"`
	case 1:
		return fmt.Sprintf(`{"groups":[%d]}`, 1+m.random.IntN(len(groups)))
	case 2:
		var ways [][]int
		for choice := 1; choice < 1<<len(groups) && len(ways) < 12; choice++ {
			var way []int
			for g := range groups {
				if choice>>g&1 == 1 {
					way = append(way, g+1)
				}
			}
			if m.one(3) {
				ways = append(ways, way)
			}
		}
		if len(ways) > 0 {
			return `{"ways":` + lists(ways) + `}`
		}
	}
	total := 0
	for range 1 + m.random.IntN(3) {
		total += len(groups[m.random.IntN(len(groups))])
	}
	return fmt.Sprintf(`{"spots":[%d]}`, total)
}

func (m *market) callBet(bet *rulebook.Bet, games int) string {
	calls := make([]string, 1)
	if games > 1 && m.one(2) {
		calls = make([]string, games)
	}
	for i := range calls {
		calls[i] = []string{`"heads"`, `"tails"`, `"evens"`}[m.random.IntN(3)]
	}
	run := ""
	rules, _ := bet.Calls()
	if rules.Run && m.one(2) {
		run = `,"run":true`
	}
	return fmt.Sprintf(`{"bet":%q,"calls":[%s]%s,"stake_cents":%d%s}`, bet.ID(), strings.Join(calls, ","), run, m.stake(),
		m.with(games))
}

func (m *market) raceBet(bet *rulebook.Bet, ordinal uint32) string {
	race, _ := bet.Race()
	types := race.Types()
	kind := types[m.random.IntN(len(types))]
	// Rows of the numbers drawn last are as likely to be among the first as any.
	places := make([][]int, kind.Places)
	for i := range places {
		for _, row := range m.random.Perm(8)[:1+m.random.IntN(4)] {
			places[i] = append(places[i], row+1)
		}
		places[i] = append(places[i], (m.drawOf(ordinal)[m.random.IntN(20)]-1)/10+1)
		slices.Sort(places[i])
		places[i] = slices.Compact(places[i])
	}
	return fmt.Sprintf(`{"bet":%q,"type":%q,"places":%s,"stake_cents":%d}`, bet.ID(), kind.ID, lists(places), m.stake())
}
