package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"drawhouse/rulebook"
)

// kind is a way of entering a bet that players of a random day know.
type kind struct {
	name   string
	method rulebook.Method
	games  int // that it must be for; 0: any number
	// bet writes a bet of it for so many games. Lucky are the numbers that the first of
	// them will draw, in their order, or nil if the player knows nothing.
	bet func(p *player, lucky []int, games int) string
}

// player makes up bets.
type player struct {
	random  *rand.Rand
	heavy   bool   // stakes as much as may be won in one game
	feature string // to add, as in the ticket form; empty for none
}

// kinds are what can be bought under each rulebook.
var kinds = map[string][]kind{
	"vic-keno-2015": {
		numbersKind("classic", "classic", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 40}),
		pickedKind("kwikipik", "classic", 10),
		{name: "combination", method: rulebook.MethodForm, bet: typesBet("classic", 100)},
		{name: "all combinations", method: rulebook.MethodForm, bet: allBet},
		{name: "superplay", method: rulebook.MethodItem, bet: itemBet(true, "superplay-1", "superplay-2")},
		{name: "heads or tails", method: rulebook.MethodForm, games: 1, bet: callBet(false)},
		{name: "prepick", method: rulebook.MethodForm, games: 3, bet: callBet(false)},
		{name: "let it run", method: rulebook.MethodForm, games: 4, bet: callBet(true)},
	},
	"tas-keno-2023": {
		numbersKind("standard", "standard", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
		numbersKind("special", "special", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15}),
		numbersKind("winner takes all", "winner_takes_all", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}),
		pickedKind("kwikpik", "standard", 15),
		{name: "mystery", method: rulebook.MethodItem, bet: mysteryBet("standard")},
		{name: "way bet", method: rulebook.MethodForm, bet: typesBet("standard", 10)},
		{name: "set bet", method: rulebook.MethodItem,
			bet: itemBet(false, "set-bet-1", "set-bet-2", "easy-play-1", "way-bet-1")},
		{name: "heads or tails", method: rulebook.MethodForm, bet: callBet(false)},
		raceKind("win", 1), raceKind("place", 1), raceKind("quinella", 2),
		raceKind("exact_quinella", 2), raceKind("trio", 3), raceKind("trifecta", 3),
	},
	"casino-keno-div2": {
		numbersKind("standard", "standard", []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}),
		numbersKind("special", "special", []int{4, 5, 6, 7, 8, 9, 10}),
		pickedKind("quickkeno", "standard", 10),
		{name: "mystery quickkeno", method: rulebook.MethodItem, bet: mysteryBet("standard")},
		{name: "way bet", method: rulebook.MethodForm, bet: marksBet("standard")},
		{name: "set bet", method: rulebook.MethodItem, bet: itemBet(false, "set-bet-1", "set-bet-2", "set-bet-3")},
	},
}

// stake returns a stake in whole dollars.
func (p *player) stake() int {
	if p.heavy {
		return 100 * []int{50, 100, 200, 250, 500, 900, 1900}[p.random.IntN(7)]
	}
	return 100 * (1 + p.random.IntN(9))
}

// write writes a bet with the player's feature.
func (p *player) write(bet map[string]any, games int) string {
	for name := range strings.FieldsSeq(p.feature) {
		with, _ := bet["with"].(map[string]any)
		if with == nil {
			with = map[string]any{}
		}
		side := map[string]any{}
		if games > 1 && name == "multiplier" && bet["run"] == nil && p.random.IntN(2) == 0 {
			side["games"] = 1 + p.random.IntN(games)
		}
		with[name], bet["with"] = side, with
	}
	data, err := json.Marshal(bet)
	if err != nil {
		panic(err) // It is made of numbers and texts.
	}
	return string(data)
}

// spots returns n numbers: as many as possible of the lucky ones, or now and then
// some fewer, and any others.
func (p *player) spots(n int, lucky []int) []int {
	hits := min(n, len(lucky))
	if hits > 0 && p.random.IntN(3) == 0 {
		hits -= p.random.IntN(min(hits, 3))
	}
	var spots []int
	for _, i := range p.random.Perm(len(lucky))[:hits] {
		spots = append(spots, lucky[i])
	}
	for _, i := range p.random.Perm(80) {
		if len(spots) == n {
			break
		}
		if !slices.Contains(lucky, i+1) {
			spots = append(spots, i+1)
		}
	}
	slices.Sort(spots)
	return spots
}

func numbersKind(name, bet string, sizes []int) kind {
	return kind{name: name, method: rulebook.MethodForm, bet: func(p *player, lucky []int, games int) string {
		n := sizes[p.random.IntN(len(sizes))]
		if lucky != nil && p.random.IntN(3) == 0 {
			n = 6 + p.random.IntN(5) // Among them are the jackpots.
		}
		return p.write(map[string]any{"bet": bet, "spots": p.spots(n, lucky), "stake_cents": p.stake()}, games)
	}}
}

func pickedKind(name, bet string, most int) kind {
	return kind{name: name, method: rulebook.MethodItem, bet: func(p *player, _ []int, games int) string {
		return p.write(map[string]any{"bet": bet, "spots": map[string]any{"pick": 1 + p.random.IntN(most)},
			"stake_cents": p.stake()}, games)
	}}
}

func mysteryBet(bet string) func(*player, []int, int) string {
	return func(p *player, _ []int, games int) string {
		return p.write(map[string]any{"bet": bet, "spots": map[string]any{"pick": "mystery"}, "stake_cents": p.stake()},
			games)
	}
}

// groups divides spots into groups of some sizes.
func (p *player) groups(lucky []int, sizes ...int) [][]int {
	total := 0
	for _, size := range sizes {
		total += size
	}
	all := p.spots(total, lucky)
	p.random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	var groups [][]int
	for _, size := range sizes {
		groups = append(groups, all[:size])
		all = all[size:]
	}
	return groups
}

// typesBet plays all ways of some sizes; jackpots are among those of seven and more.
func typesBet(bet string, least int) func(*player, []int, int) string {
	return func(p *player, lucky []int, games int) string {
		stake := least * (1 + p.random.IntN(5))
		if p.heavy {
			stake = 100 * (1 + p.random.IntN(60))
		}
		types, sizes := []int{4, 7, 8}, []int{3, 4, 4}
		if p.feature != "" && p.random.IntN(2) == 0 || p.random.IntN(3) == 0 {
			types, sizes = []int{2, 4, 6}, []int{2, 2, 2}
		}
		if least < 100 {
			stake = max(stake, 500/3/least*least+2*least) // A way ticket costs at least $5.00 a game.
		}
		if least < 100 && p.feature == "" && !p.heavy && p.random.IntN(2) == 0 {
			// Many ways for a few cents each: a jackpot beside a prize that is not major.
			types, sizes, stake = []int{7}, []int{1, 1, 1, 1, 1, 1, 1, 1, 1}, 20
		}
		return p.write(map[string]any{"bet": bet, "groups": p.groups(lucky, sizes...), "play": map[string]any{"spots": types},
			"stake_cents": stake}, games)
	}
}

func allBet(p *player, lucky []int, games int) string {
	sizes := []int{3, 4, 1}
	if p.random.IntN(3) == 0 {
		sizes = []int{1, 1, 2} // No jackpot.
	}
	return p.write(map[string]any{"bet": "classic", "groups": p.groups(lucky, sizes...), "play": "all",
		"stake_cents": p.stake()}, games)
}

// marksBet marks its ways one by one.
func marksBet(bet string) func(*player, []int, int) string {
	return func(p *player, lucky []int, games int) string {
		sizes := [][]int{{2, 4, 2}, {3, 3, 2}, {2, 2, 3}}[p.random.IntN(3)]
		return p.write(map[string]any{
			"bet": bet, "groups": p.groups(lucky, sizes...), "play": map[string]any{"ways": [][]int{{1, 2}, {1, 3}, {1, 2, 3}}},
			"stake_cents": 100 * (1 + p.random.IntN(4)),
		}, games)
	}
}

// itemBet takes a ready ticket; its stake and games are the catalogue's or not.
func itemBet(staked bool, items ...string) func(*player, []int, int) string {
	return func(p *player, _ []int, games int) string {
		bet := map[string]any{"item": items[p.random.IntN(len(items))]}
		if staked {
			bet["stake_cents"] = p.stake()
		} else if p.random.IntN(3) == 0 {
			bet["random"] = true // Other numbers than the catalogue's, where it allows that.
		}
		return p.write(bet, games)
	}
}

func callBet(run bool) func(*player, []int, int) string {
	return func(p *player, lucky []int, games int) string {
		calls := []string{"heads", "tails", "evens"}
		n := 1
		if games > 1 && (run || games == 3) {
			n = games
		}
		var mine []string
		for range n {
			mine = append(mine, calls[p.random.IntN(3)])
		}
		if lucky != nil {
			mine[0] = callOf(lucky)
		}
		bet := map[string]any{"bet": "heads_or_tails", "calls": mine, "stake_cents": p.stake()}
		if run {
			bet["run"] = true
		}
		return p.write(bet, games)
	}
}

// callOf returns what heads or tails comes to.
func callOf(numbers []int) string {
	heads := 0
	for _, n := range numbers {
		if n <= 40 {
			heads++
		}
	}
	switch {
	case heads > 10:
		return "heads"
	case heads < 10:
		return "tails"
	}
	return "evens"
}

// raceKind bets on one combination, or boxes some rows.
func raceKind(name string, places int) kind {
	return kind{name: strings.ReplaceAll(name, "_", " "), method: rulebook.MethodForm,
		bet: func(p *player, lucky []int, games int) string {
			order := p.random.Perm(8)
			if lucky != nil {
				order = finish(lucky)
			}
			var chosen [][]int
			for i := range places {
				chosen = append(chosen, []int{order[i] + 1})
			}
			if places > 1 && p.random.IntN(3) == 0 {
				box := []int{order[0] + 1, order[1] + 1, order[2] + 1, order[3] + 1}
				slices.Sort(box)
				for i := range chosen {
					chosen[i] = box
				}
			}
			return p.write(map[string]any{"bet": "racing", "type": name, "places": chosen, "stake_cents": p.stake()}, games)
		}}
}

// finish returns the rows, from 0, in the order in which they come in.
func finish(numbers []int) []int {
	var count, last [8]int
	for i, n := range numbers {
		count[(n-1)/10]++
		last[(n-1)/10] = i
	}
	rows := []int{0, 1, 2, 3, 4, 5, 6, 7}
	slices.SortFunc(rows, func(a, b int) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return last[a] - last[b]
	})
	return rows
}

// ticketForm writes a ticket of bets of one kind.
func ticketForm(id, first string, games int, bets []string) []byte {
	named := ""
	if games > 0 {
		named = fmt.Sprintf(`"games":%d,`, games)
	}
	return fmt.Appendf(nil, `{"v":1,"rulebook":%q,"first":%q,%s"bets":[%s]}`, id, first, named, strings.Join(bets, ","))
}
