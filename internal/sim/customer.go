package sim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"drawhouse/journal"
	"drawhouse/rulebook"
)

// customer fills in forms. Customers know the numbers of the next draw and play them
// more often than not, so that every prize is won now and then.
type customer struct {
	*rand.Rand
	book  *rulebook.Book
	drawn []int // the numbers of the game that is on sale
}

func (w *world) customer(r *rand.Rand) customer {
	c := customer{Rand: r, book: w.book, drawn: numbersOf(w.plan.Seed, journal.Game{}, 1)[:rhythm.Numbers]}
	if g, _ := w.audit.newest(); g != nil {
		c.drawn = numbersOf(w.plan.Seed, w.audit.nameOf(g.ref), 1)[:rhythm.Numbers]
	}
	return c
}

// once reports true once in n times.
func (c customer) once(n int) bool { return c.IntN(n) == 0 }

// entry chooses how a ticket is entered at a terminal: as a rule in a way that the
// rulebook has for it.
func (c customer) entry(channel rulebook.Channel) rulebook.EntryWay {
	var ways []rulebook.EntryWay
	for _, way := range c.book.EntryWays() {
		if way.Channel == channel && way.Method != rulebook.MethodReplay {
			ways = append(ways, way)
		}
	}
	if len(ways) == 0 || c.once(40) {
		return rulebook.EntryWay{Channel: channel, Method: rulebook.MethodVerbal}
	}
	return ways[c.IntN(len(ways))]
}

// form fills in a whole ticket. The rulebook may refuse it.
func (c customer) form(first string, way rulebook.EntryWay) string {
	if items := c.book.Items(); way.Method == rulebook.MethodItem && len(items) > 0 {
		item := items[c.IntN(len(items))]
		stake := ""
		if item.StakeCents == 0 {
			stake = `,"stake_cents":100`
		}
		return fmt.Sprintf(`{"v":1,"rulebook":%q,"first":%s,"bets":[{"item":%q%s}]}`, c.book.ID(), first, item.ID,
			stake)
	}
	games := 1
	if c.once(3) {
		games = 1 + c.IntN(6)
	}
	bets := []string{c.bet(games, way)}
	for c.once(5) {
		bets = append(bets, c.bet(games, way))
	}
	return fmt.Sprintf(`{"v":1,"rulebook":%q,"first":%s,"games":%d,"bets":[%s]}`, c.book.ID(), first, games,
		strings.Join(bets, ","))
}

// bet fills in one bet.
func (c customer) bet(games int, way rulebook.EntryWay) string {
	bets := c.book.Bets()
	bet := bets[c.IntN(len(bets))]
	if len(way.Bets) > 0 && !c.once(20) {
		bet, _ = c.book.Bet(way.Bets[c.IntN(len(way.Bets))])
	}
	switch bet.Form() {
	case rulebook.FormCalls:
		return c.calls(bet, games)
	case rulebook.FormRace:
		return c.race(bet)
	default:
		return c.numbers(bet, games, way.TakesWays())
	}
}

func (c customer) stake() int {
	switch c.IntN(20) {
	case 0:
		return 50
	case 1:
		return 10 * (1 + c.IntN(30))
	case 2, 3:
		return 100 * (1 + c.IntN(400))
	}
	return 100 * (1 + c.IntN(5))
}

// with adds features.
func (c customer) with(games int) string {
	var features []string
	if _, ok := c.book.Feature("multiplier"); ok && c.once(3) {
		part := ""
		if games > 1 && c.once(2) {
			part = fmt.Sprintf(`"games":%d`, 1+c.IntN(games-1))
		}
		features = append(features, `"multiplier":{`+part+`}`)
	}
	if _, ok := c.book.Feature("lucky_last"); ok && c.once(3) {
		part := ""
		if c.once(2) {
			part = fmt.Sprintf(`"stake_cents":%d`, 100*(1+c.IntN(4)))
		}
		features = append(features, `"lucky_last":{`+part+`}`)
	}
	if len(features) == 0 {
		return ""
	}
	return `,"with":{` + strings.Join(features, ",") + `}`
}

// lucky returns n numbers, of which some will be drawn.
func (c customer) lucky(n int) []int {
	hits := min(n, len(c.drawn))
	if c.once(2) {
		hits = c.IntN(hits + 1)
	}
	var list []int
	for _, i := range c.Perm(len(c.drawn))[:hits] {
		list = append(list, c.drawn[i])
	}
	for _, k := range c.Perm(80) {
		if len(list) < n && !slices.Contains(list, k+1) && (!slices.Contains(c.drawn, k+1) || n-len(list) > 60) {
			list = append(list, k+1)
		}
	}
	for _, k := range c.Perm(80) {
		if len(list) < n && !slices.Contains(list, k+1) {
			list = append(list, k+1)
		}
	}
	return list
}

// numbers fills in a bet on numbers: one way, picked ones, or groups.
func (c customer) numbers(bet *rulebook.Bet, games int, ways bool) string {
	sizes := bet.Sizes().Numbers()
	n := sizes[c.IntN(len(sizes))]
	var what string
	kind := c.IntN(8)
	if !ways && !c.once(20) {
		kind = 0
	}
	switch kind {
	case 3:
		what = fmt.Sprintf(`"spots":{"pick":%d}`, n)
	case 1, 2:
		groups := c.groups()
		what = fmt.Sprintf(`"groups":%s,"play":%s`, lists(groups), c.ways(groups))
	default:
		spots := c.lucky(n)
		slices.Sort(spots)
		what = `"spots":` + list(spots)
	}
	return fmt.Sprintf(`{"bet":%q,%s,"stake_cents":%d%s}`, bet.ID(), what, c.stake(), c.with(games))
}

func (c customer) groups() [][]int {
	numbers := c.lucky(20)
	c.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	var groups [][]int
	for range 2 + c.IntN(5) {
		size := min(1+c.IntN(4), len(numbers))
		if size == 0 {
			break
		}
		group := slices.Clone(numbers[:size])
		slices.Sort(group)
		groups, numbers = append(groups, group), numbers[size:]
	}
	return groups
}

// ways says which ways of groups are played.
func (c customer) ways(groups [][]int) string {
	switch c.IntN(3) {
	case 0:
		return `"all"`
	case 1:
		return fmt.Sprintf(`{"groups":[%d]}`, 1+c.IntN(len(groups)))
	}
	total := 0
	for range 1 + c.IntN(3) {
		total += len(groups[c.IntN(len(groups))])
	}
	return fmt.Sprintf(`{"spots":[%d]}`, total)
}

func (c customer) calls(bet *rulebook.Bet, games int) string {
	n := 1
	if games > 1 && c.once(2) {
		n = games
	}
	calls := make([]string, n)
	for i := range calls {
		calls[i] = []string{`"heads"`, `"tails"`, `"evens"`}[c.IntN(3)]
	}
	run := ""
	if rule, _ := bet.Calls(); rule.Run && c.once(2) {
		run = `,"run":true`
	}
	return fmt.Sprintf(`{"bet":%q,"calls":[%s]%s,"stake_cents":%d%s}`, bet.ID(), strings.Join(calls, ","), run,
		c.stake(), c.with(games))
}

func (c customer) race(bet *rulebook.Bet) string {
	race, _ := bet.Race()
	types := race.Types()
	kind := types[c.IntN(len(types))]
	places := make([][]int, kind.Places)
	for i := range places {
		for _, row := range c.Perm(8)[:1+c.IntN(4)] {
			places[i] = append(places[i], row+1)
		}
		places[i] = append(places[i], (c.drawn[c.IntN(len(c.drawn))]-1)/10+1)
		slices.Sort(places[i])
		places[i] = slices.Compact(places[i])
	}
	return fmt.Sprintf(`{"bet":%q,"type":%q,"places":%s,"stake_cents":%d}`, bet.ID(), kind.ID, lists(places), c.stake())
}

func list(numbers []int) string { return strings.ReplaceAll(fmt.Sprint(numbers), " ", ",") }

func lists(groups [][]int) string {
	words := make([]string, len(groups))
	for i, g := range groups {
		words[i] = list(g)
	}
	return "[" + strings.Join(words, ",") + "]"
}
