package settle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"drawhouse/core/ball"
	"drawhouse/games/keno"
	"drawhouse/rulebook"
)

// sequence reads numbers in the order drawn.
func sequence(t testing.TB, text string) ball.Sequence {
	t.Helper()
	q, err := ball.ParseSequence(ball.Keno, text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func raceOf(t testing.TB, h *house) *rulebook.Race {
	t.Helper()
	bet, _ := h.book.Bet("racing")
	race, ok := bet.Race()
	if !ok {
		t.Fatal("racing is no race")
	}
	return race
}

// raced draws for the rows 1 to 8 as many numbers as the digits of counts say, A
// for ten. The numbers come row by row in the order given, so that of two rows with
// as many the one that is named first got there first.
func raced(t testing.TB, order, counts string) ball.Sequence {
	t.Helper()
	var words []string
	for i := range order {
		row := int(order[i] - '0')
		n, err := strconv.ParseInt(counts[row-1:row], 16, 0)
		if err != nil {
			t.Fatal(err)
		}
		for k := range int(n) {
			words = append(words, strconv.Itoa(10*(row-1)+k+1))
		}
	}
	return sequence(t, strings.Join(words, " "))
}

// TestRaceTies has ties at every place, worked out by hand: each line has the rows
// in the order in which they got their last number, how many numbers each has, and
// who is first, second and third.
func TestRaceTies(t *testing.T) {
	race := raceOf(t, newHouse(t, "tas-keno-2023", "settlement"))
	for _, c := range []struct{ name, order, counts, want string }{
		{"no tie among the first three", "12345678", "65431100", "row 1 first, row 2 second, row 3 third"},
		{"no tie, last come first", "87654321", "65431100", "row 1 first, row 2 second, row 3 third"},
		{"two are first", "21345678", "55431110", "row 2 first, row 1 second, row 3 third"},
		{"two are first, the other way", "12345678", "55431110", "row 1 first, row 2 second, row 3 third"},
		{"three are first", "83145672", "50500325", "row 8 first, row 3 second, row 1 third"},
		{"two are second", "13245678", "64431110", "row 1 first, row 3 second, row 2 third"},
		{"three are second", "41325678", "53331311", "row 1 first, row 4 second, row 3 third"},
		{"two are third", "12435678", "64331111", "row 1 first, row 2 second, row 4 third"},
		{"all others are third", "76543821", "62222222", "row 1 first, row 7 second, row 6 third"},
		{"four of five each", "12345678", "05050505", "row 2 first, row 4 second, row 6 third"},
		{"three rows hold everything", "12345678", "00900290", "row 3 first, row 7 second, row 6 third"},
		{"two rows of ten", "73", "00A000A0", "row 7 first, row 3 second, rows 1 2 4 5 6 8 third"},
		{"two rows of ten, the other way", "37", "00A000A0", "row 3 first, row 7 second, rows 1 2 4 5 6 8 third"},
	} {
		order := rank(race, raced(t, c.order, c.counts))
		if got := order.words(3); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestReachedFirst: it is not who is ahead on the way that counts, but who has the
// count of the end first.
func TestReachedFirst(t *testing.T) {
	race := raceOf(t, newHouse(t, "tas-keno-2023", "settlement"))
	// Row 1 has three of its numbers before row 2 has any, but row 2 has its fourth
	// before row 1 has.
	numbers := sequence(t, "1 2 3 11 12 13 14 4 21 31 41 51 61 71 22 32 42 52 62 72")
	order := rank(race, numbers)
	if got := order.words(2); got != "row 2 first, row 1 second" {
		t.Error(got)
	}
}

// TestEveryCombination judges every combination of every type, one by one, in
// columns and by the words of the rules, over many draws.
func TestEveryCombination(t *testing.T) {
	race := raceOf(t, newHouse(t, "tas-keno-2023", "settlement"))
	source := rand.New(rand.NewPCG(5, 6))
	draws := []ball.Sequence{raced(t, "73", "00A000A0"), raced(t, "12", "AA000000"), raced(t, "76543821", "62222222"),
		raced(t, "12345678", "05050505")}
	for range 20 {
		draws = append(draws, shuffled(source))
	}
	for i, numbers := range draws {
		order, places, won := rank(race, numbers), slowRace(numbers.Numbers()), map[string]int{}
		for _, kind := range race.Types() {
			ways := combinations(&kind)
			for from := 0; from < len(ways); from += 64 {
				var c codes
				part := ways[from:min(from+64, len(ways))]
				for k, rows := range part {
					c.put(k, rowCode(rows), 1, 0)
				}
				lanes := order.winning(&kind, &c) & upTo(len(part))
				for k, rows := range part {
					want := slowRaceWon(kind.ID, rows[:], places)
					if got := lanes>>k&1 != 0; got != want {
						t.Fatalf("draw %d: %s %v wins in a column: %v", i, kind.ID, rows, got)
					}
					if got := order.wins(&kind, rows[:kind.Places]); got != want {
						t.Fatalf("draw %d: %s %v wins: %v", i, kind.ID, rows, got)
					}
					if want {
						won[kind.ID]++
					}
				}
			}
		}
		want := "map[exact_quinella:1 place:3 quinella:1 trifecta:1 trio:1 win:1]"
		if i < 2 {
			want = "map[exact_quinella:1 place:8 quinella:1 trifecta:6 trio:6 win:1]"
		}
		if fmt.Sprint(won) != want {
			t.Errorf("draw %d: %v win, want %s", i, won, want)
		}
	}
}

// combinations returns every combination of a type.
func combinations(kind *rulebook.RaceType) (all [][keno.MaxPlaces]keno.Row) {
	var rows [keno.MaxPlaces]keno.Row
	var fill func(n int)
	fill = func(n int) {
		if n == kind.Places {
			all = append(all, rows)
			return
		}
		for row := keno.Row(1); row <= 8; row++ {
			if !slices.Contains(rows[:n], row) && (kind.Ordered || n == 0 || row > rows[n-1]) {
				rows[n] = row
				fill(n + 1)
			}
		}
	}
	fill(0)
	return all
}

// TestDeadHeatByTheBook: a rulebook that does not declare the others third places
// nobody there.
func TestDeadHeatByTheBook(t *testing.T) {
	book := editedBook(t, "tas-keno-2023", "        dead_heat_third: true\n", "")
	bet, _ := book.Bet("racing")
	race, _ := bet.Race()
	order := rank(race, raced(t, "73", "00A000A0"))
	if got := order.words(3); got != "row 7 first, row 3 second" {
		t.Error(got)
	}
	trio, _ := race.Type("trio")
	if order.wins(&trio, []keno.Row{1, 3, 7}) {
		t.Error("a trio wins without a third")
	}
}
