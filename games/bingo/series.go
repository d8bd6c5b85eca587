package bingo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The bounds of a series. They keep serials short and a table in memory.
const (
	maxSeriesID = 8
	maxGames    = 99
	maxBook     = 999_999
	maxBoxes    = 1 << 26
)

// Series says what was printed together: books, each with one card for every game.
// A card has Up boxes on its page, whole strips.
type Series struct {
	ID        string   // one to eight capitals and digits
	Up        int      // boxes to a page, as many as the rulebook has
	FirstBook int      // books are numbered from here without a gap
	Colours   []Colour // one for each game
}

// check returns what is wrong with a series of so many books. A colour may come up
// once: it is how dealer and player know the game.
//
//rule:nsw-bingo-2019 2.3.1 2.3.2
func (f *Form) check(s *Series, books int) (faults Faults) {
	if !validSeriesID(s.ID) {
		faults.add(Fault{Field: "series", Clause: f.cite("2.2.2"),
			Message: fmt.Sprintf("%q is not the name of a series: one to %d capitals and digits", s.ID, maxSeriesID)})
	}
	if !slices.Contains(f.pages, s.Up) {
		faults.add(Fault{Field: "up", Clause: f.cite("1.1.scorecard"),
			Message: fmt.Sprintf("no page of %d boxes is sold; there are %v", s.Up, f.pages)})
	}
	if s.FirstBook < 1 || books < 1 || s.FirstBook > maxBook || books > maxBook-s.FirstBook+1 {
		faults.add(Fault{Field: "books", Clause: f.cite("2.3.1"),
			Message: fmt.Sprintf("%d books from %d on are not numbered from 1 to %d", books, s.FirstBook, maxBook)})
	}
	if len(s.Colours) < 1 || len(s.Colours) > maxGames {
		faults.add(Fault{Field: "colours", Clause: f.cite("2.3.2"),
			Message: fmt.Sprintf("%d games; a series has 1 to %d", len(s.Colours), maxGames)})
	}
	for game, c := range s.Colours {
		field := fmt.Sprintf("game %d", game+1)
		if _, err := ParseColour(c.Name + " " + c.RGB()); err != nil {
			faults.add(Fault{Field: field, Clause: f.cite("2.3.2"), Message: err.Error()})
		}
		for earlier := range game {
			if e := s.Colours[earlier]; f.colourPerGame && (e.Name == c.Name || e.RGB() == c.RGB()) {
				faults.add(Fault{Field: field, Clause: f.cite("2.3.2"),
					Message: fmt.Sprintf("is %s %s like game %d; no two games of a series have one colour", c.Name,
						c.RGB(), earlier+1)})
			}
		}
	}
	return faults
}

func validSeriesID(id string) bool {
	return id != "" && len(id) <= maxSeriesID && strings.Trim(id, seriesAlphabet) == ""
}

// seriesAlphabet is in the order of the values that check digits count.
const seriesAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// stripsPerCard returns how many strips are on a page.
func (f *Form) stripsPerCard(s *Series) int { return s.Up / f.boxes }

// Serial is the serial of a card: its series, its book and its game. It is
// comparable; the zero Serial is none.
type Serial struct {
	Series string
	Book   int
	Game   int // from 1
}

// String returns the serial as printed, such as K7-000123-04-34: series, book, game
// and two check digits.
//
//rule:nsw-bingo-2019 2.2.2
func (s Serial) String() string {
	body := s.body()
	return fmt.Sprintf("%s-%06d-%02d-%02d", s.Series, s.Book, s.Game, 98-remainder(body+"00"))
}

func (s Serial) body() string { return fmt.Sprintf("%s%06d%02d", s.Series, s.Book, s.Game) }

// ParseSerial reads a serial as printed. Small letters count as capitals, and
// nothing else may differ: the check digits (ISO 7064, modulus 97) find every wrong
// digit, every two that changed places, and all but one in a hundred other errors.
//
//rule:nsw-bingo-2019 2.2.2
func ParseSerial(text string) (Serial, error) {
	parts := strings.Split(strings.ToUpper(strings.TrimSpace(text)), "-")
	if len(parts) != 4 || !validSeriesID(parts[0]) || len(parts[1]) != 6 || len(parts[2]) != 2 || len(parts[3]) != 2 {
		return Serial{}, fmt.Errorf(
			"bingo: %q is not a serial of the form SERIES-BOOK-GAME-CHECK, such as K7-000123-04-34", text)
	}
	var numbers [3]int
	for i := range numbers {
		n, err := strconv.ParseUint(parts[i+1], 10, 32)
		if err != nil {
			return Serial{}, fmt.Errorf("bingo: %q in serial %q is not a number", parts[i+1], text)
		}
		numbers[i] = int(n)
	}
	s := Serial{Series: parts[0], Book: numbers[0], Game: numbers[1]}
	if s.Book == 0 || s.Game == 0 || s.String() != strings.Join(parts, "-") {
		return Serial{}, fmt.Errorf("bingo: the check digits of serial %q do not fit; a character is wrong", text)
	}
	return s, nil
}

// remainder divides by 97, letters counting 10 to 35.
func remainder(text string) int {
	r := 0
	for _, c := range text {
		value := strings.IndexRune(seriesAlphabet, c)
		if value >= 10 {
			r *= 10
		}
		r = (10*r + value) % 97
	}
	return r
}

// Spot is one box of one card, counted from 1.
type Spot struct {
	Serial Serial
	Box    int
}

// String returns serial and box.
func (s Spot) String() string { return fmt.Sprintf("%v box %d", s.Serial, s.Box) }
