package evaluate

import (
	"strings"
	"testing"
)

// TestPromotions: a promotion is offered until the first draw that has ways for it,
// and these share it by their stakes.
func TestPromotions(t *testing.T) {
	five := "1,2,3,4,5"
	for _, explain := range []bool{false, true} {
		games, err := file(t, book(t, "vic-keno-2015"), Options{Explain: explain},
			`{"promotion":{"id":"cash","cents":100000,"bet":"classic","spots":5,"matched":5}}`,
			`{"promotion":{"id":"late","cents":50000,"bet":"classic","spots":4,"matched":0,"least_cents":300}}`,
			ticketLine("vic-keno-2015", "two", `"games":3`, spots(five, 200)),
			ascending(1, 21),
			ticketLine("vic-keno-2015", "one", `"games":2`, spots(five, 100)),
			sold("none", spots("21,22,23,24", 200)),
			ascending(2, 1), // 2 x 640 and 2/3 of 1,000.00, 640 and 1/3
			sold("none", spots("21,22,23,24", 300)),
			ascending(3, 1))
		if err != nil {
			t.Fatal(err)
		}
		checkGame(t, games[0], []string{"two 0"}, []string{`"reductions":[],"plays_on"`})
		checkGame(t, games[1], []string{"two 194660", "one 97330", "none 0"},
			[]string{`"prizes_cents":291990`, `"promotions":[{"id":"cash","ways":2,"stakes_cents":300,"paid_cents":99990}]`})
		checkGame(t, games[2], []string{"two 128000", "one 64000", "none 50000"},
			[]string{`"promotions":[{"id":"late","ways":1,"stakes_cents":300,"paid_cents":50000}]`})
		if told := `"words":"cash, 5 of 5 on $2.00: $1,000.00 shared`; explain && !strings.Contains(games[1], told) {
			t.Errorf("%s\nhas no %s", games[1], told)
		}
	}
}

func TestPromotionFaults(t *testing.T) {
	cash := `{"promotion":{"id":"cash","cents":100000,"bet":"classic","spots":5,"matched":5}}`
	won := []string{cash, sold("a", spots("1,2,3,4,5", 100)), ascending(1, 1)}
	for _, c := range []struct {
		name, rulebook string
		lines          []string
		want           []string
	}{
		{"again once it is won", "vic-keno-2015", append(won, cash, ascending(2, 1)), nil},
		{"while it is offered", "vic-keno-2015", []string{cash, cash, drawn(1)}, []string{"2 id_repeated promotion.id"}},
		{"after a ticket", "vic-keno-2015", []string{won[1], cash, drawn(1)}, []string{"2 pool_order promotion"}},
		{"no such bet", "vic-keno-2015", []string{strings.Replace(cash, "classic", "tombola", 1), drawn(1)},
			[]string{"1 bet_not_sold promotion.bet"}},
		{"a bet without spots", "vic-keno-2015", []string{strings.Replace(cash, "classic", "heads_or_tails", 1), drawn(1)},
			[]string{"1 field_value promotion.spots"}},
		{"no such size", "vic-keno-2015", []string{strings.Replace(cash, `"spots":5`, `"spots":11`, 1), drawn(1)},
			[]string{"1 field_value promotion.spots"}},
		{"more than there are", "vic-keno-2015", []string{strings.Replace(cash, `"matched":5`, `"matched":6`, 1), drawn(1)},
			[]string{"1 field_value promotion.matched"}},
		{"a rulebook without them", "casino-keno-div2", []string{cash, drawn(1)}, []string{"1 promotion_unknown promotion"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := file(t, book(t, c.rulebook), Options{}, c.lines...)
			checkFaults(t, err, c.want)
		})
	}
}
