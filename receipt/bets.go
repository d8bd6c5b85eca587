package receipt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/figure"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// kinds says what kind of ticket it is: the bets by their names and what is special
// about each, every kind once.
//
//rule:casino-keno-div2 3.13(k)
func (t *ticketSlip) kinds() (kinds []string) {
	for i := range t.sale.Ticket.Bets {
		if kind := strings.Join(t.kindOf(&t.sale.Ticket.Bets[i]), ", "); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func (t *ticketSlip) kindOf(b *keno.Bet) []string {
	bet, ok := t.sale.Book.Bet(b.Bet)
	if !ok {
		return []string{b.Bet}
	}
	kind := []string{bet.Name()}
	if race, ok := bet.Race(); ok {
		if named, ok := race.Type(b.Type); ok {
			kind = append(kind, named.Name)
		}
	}
	if b.Item.IsValid() {
		kind = append(kind, t.itemName(b.Item))
	}
	// A ready ticket with other numbers is still one: the player chose it, and not how many
	// numbers are picked.
	if b.Item.IsValid() && b.Picked != 0 {
		kind = append(kind, "random numbers")
	} else if picks, ok := bet.Picks(); ok {
		name := map[keno.Picked]string{keno.PickedQuick: picks.Quick, keno.PickedMystery: picks.Mystery}[b.Picked]
		kind = append(kind, name)
	}
	if b.Shape() == keno.ShapeGroups {
		kind = append(kind, "way bet")
	}
	if b.Run {
		kind = append(kind, "prize runs on")
	}
	if t.playsJackpot(b, bet) {
		kind = append(kind, "jackpot")
	}
	return slices.DeleteFunc(kind, func(s string) bool { return s == "" })
}

// itemName returns the name of a ready ticket of the catalogue; one that is not in it
// any more has its id.
func (t *ticketSlip) itemName(ref keno.ItemRef) string {
	for _, item := range t.sale.Book.Items() {
		if item.ID == ref.ID && item.Edition == ref.Edition {
			return item.Name
		}
	}
	return ref.String()
}

// playsJackpot reports whether a way of the bet is of the size of a jackpot.
func (t *ticketSlip) playsJackpot(b *keno.Bet, bet *rulebook.Bet) bool {
	jackpots, ok := t.sale.Book.Jackpots()
	if !ok || !bet.Jackpot() || !slices.Contains(jackpots.Bets, bet.ID()) {
		return false
	}
	sizes, _ := t.sizes(b)
	return slices.ContainsFunc(jackpots.Pools, func(p rulebook.PoolFile) bool { return sizes[p.Spots] > 0 })
}

// sizes counts the ways of a bet in one game, and those on numbers by their spots.
func (t *ticketSlip) sizes(b *keno.Bet) (bySpots [ball.Keno + 1]int64, ways int64) {
	for way := range t.desk.Ways(b, 0) {
		ways++
		if way.Spots.IsValid() {
			bySpots[way.Spots.Len()]++
		}
	}
	return bySpots, ways
}

// bets prints every bet and holds what they cost against the record.
func (t *ticketSlip) bets() error {
	var sum money.Amount
	for i := range t.sale.Ticket.Bets {
		b := &t.sale.Ticket.Bets[i]
		t.rule()
		if len(t.sale.Ticket.Bets) > 1 {
			t.say(bold, fmt.Sprintf("%d. %s", i+1, strings.Join(t.kindOf(b), ", ")))
		}
		t.selection(b)
		cost, err := t.stakes(b)
		if err == nil {
			sum, err = sum.Add(cost)
		}
		if err != nil {
			return fmt.Errorf("receipt: bet %d: %w", i+1, err)
		}
	}
	if sum != t.sale.Cost {
		return fmt.Errorf("receipt: the bets come to %v and the record says %v", sum, t.sale.Cost)
	}
	return nil
}

// selection prints what was chosen.
//
//rule:vic-keno-2015 2(a).combination-bet.receipt
//rule:casino-keno-div2 3.13(a)
func (t *ticketSlip) selection(b *keno.Bet) {
	switch b.Shape() {
	case keno.ShapeSpots:
		t.pair(plain, "Spots", strconv.Itoa(b.Spots.Len()))
		t.numbers("", numbersOf(b.Spots))
	case keno.ShapeGroups:
		for i, group := range b.Groups {
			t.numbers(groupSign(i)+" ", numbersOf(group))
		}
		t.ways(b)
	case keno.ShapeCalls:
		t.calls(b)
	case keno.ShapeRace:
		for i, rows := range b.Places {
			t.numbers(ordinal(i+1)+" ", numbersOf(rows))
		}
	}
}

func numbersOf(set ball.Set) []string {
	var texts []string
	for n := range set.All() {
		texts = append(texts, strconv.Itoa(n))
	}
	return texts
}

// groupSign returns the sign of a group: A to Z, then AA and so on.
func groupSign(i int) string {
	const letters = 'Z' - 'A' + 1
	if i >= letters {
		return groupSign(i/letters-1) + groupSign(i%letters)
	}
	return string(rune('A' + i))
}

// ways prints how many ways there are of each size, or the ways that were marked.
func (t *ticketSlip) ways(b *keno.Bet) {
	const mostMarks = 24
	bySpots, _ := t.sizes(b)
	for spots, count := range bySpots {
		if count > 0 {
			t.pair(plain, figure.Count(spots, "spot"), figure.Count(count, "way"))
		}
	}
	if b.Play.Kind != keno.PlayMarks {
		return
	}
	var marked []string
	for _, m := range b.Play.Marks[:min(len(b.Play.Marks), mostMarks)] {
		marked = append(marked, markSign(m))
	}
	if more := len(b.Play.Marks) - mostMarks; more > 0 {
		marked = append(marked, fmt.Sprintf("and %d more", more))
	}
	t.say(plain, "Ways "+strings.Join(marked, " "))
}

// markSign returns the signs of the groups that a marked way joins.
func markSign(m keno.Mark) string {
	var signs []string
	for i := range keno.MaxGroups {
		if m&(1<<i) != 0 {
			signs = append(signs, groupSign(i))
		}
	}
	return strings.Join(signs, "+")
}

// calls prints the call of every game; one that serves all is printed once.
func (t *ticketSlip) calls(b *keno.Bet) {
	if len(b.Calls) == 1 {
		t.say(tall, title(b.Calls[0].String()))
		return
	}
	for i, call := range b.Calls {
		number, _ := t.sale.lastGame(i + 1)
		t.pair(bold, "Game "+number, title(call.String()))
	}
}

// title returns a word with a capital.
func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// stakes prints what a bet and its features cost and returns the sum over all games.
//
//rule:casino-keno-div2 3.13(b)
//rule:tas-keno-2023 21.4(f)
func (t *ticketSlip) stakes(b *keno.Bet) (money.Amount, error) {
	games := t.sale.Ticket.Games
	_, ways := t.sizes(b)
	sum, err := t.stake("", b, b.Stake, ways, games)
	if err != nil {
		return 0, err
	}
	for _, side := range []struct {
		keno.Side
		id rulebook.FeatureID
	}{{b.With.Multiplier, rulebook.FeatureMultiplier}, {b.With.LuckyLast, rulebook.FeatureLuckyLast}} {
		if !side.On {
			continue
		}
		name := string(side.id)
		if feature, ok := t.sale.Book.Feature(side.id); ok {
			name = feature.Name()
		}
		stake, covered := b.Stake, games
		if side.Stake != 0 {
			stake = side.Stake
		}
		if side.Games != 0 {
			covered = side.Games
		}
		last, _ := t.sale.lastGame(covered)
		t.pair(bold, name, fmt.Sprintf("games %s to %s", t.sale.game(t.sale.Ticket.First.Game), last))
		cost, err := t.stake(name, b, stake, ways, covered)
		if err == nil {
			sum, err = sum.Add(cost)
		}
		if err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// stake prints one stake, of the bet or of a feature: for each way, for a game, and
// over the games for which it is paid. A bet whose prize runs on is paid once.
func (t *ticketSlip) stake(feature string, b *keno.Bet, stake money.Amount, ways int64,
	games int) (money.Amount, error) {
	inGame, err := stake.Mul(ways)
	if err != nil {
		return 0, err
	}
	noun := "way"
	if b.Shape() == keno.ShapeRace {
		noun = "combination"
	}
	if ways > 1 {
		t.pair(plain, "Stake", fmt.Sprintf("%s of %v", figure.Count(ways, noun), stake))
	}
	paid := games
	if b.Run {
		paid = 1
		t.pair(plain, "Stake of the first game", inGame.String())
	} else {
		t.pair(plain, "Stake a game", inGame.String())
	}
	cost, err := inGame.Mul(int64(paid))
	if err == nil && (feature != "" || len(t.sale.Ticket.Bets) > 1) && paid > 1 {
		t.pair(plain, "in "+figure.Count(paid, "game"), cost.String())
	}
	return cost, err
}
