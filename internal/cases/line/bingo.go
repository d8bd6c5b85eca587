package line

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/games/bingo"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// bingoCase runs the verbs of bingo. A BOX is the lines of the form, such as three of nine cells,
// with slashes between them, a dot for a blank, or @NAME for the box that the rules show with the
// pattern of that name. A refusal names the clause and the field of its first fault.
//
//	bingo box BOX -> ok, or refused CLAUSE FIELD
//	bingo strip BOX ; ... six of them -> ok, or refused CLAUSE FIELD; @COLOUR is a strip that the rules show
//	bingo complete PATTERN BOX ; NUMBERS -> yes, or the fewest numbers that are lacking
//	bingo make SERIES UP FIRST BOOKS COLOUR ... -> the boxes made, or refused CLAUSE FIELD
//	bingo serial TEXT -> series, book and game, or refused
//	bingo clause ID -> what the room shows of a clause to anybody who asks for the rules, or none
//	bingo clauses -> how many of them there are, and how many of those say nothing
//	bingo card TEXT ; NUMBERS -> what the numbers of box 1 of this card, or these, find in a table of books
//	                             101 to 110 of series K7: serial and box, or none
func bingoCase(book *rulebook.Book, operation string) (string, error) {
	verb, rest, _ := strings.Cut(operation, " ")
	form, err := bingo.NewForm(book)
	if err != nil {
		return "", err
	}
	run, ok := map[string]func(*rulebook.Book, *bingo.Form, string) (string, error){
		"box": boxCase, "strip": stripCase, "complete": completeCase,
		"make": makeCase, "serial": serialCase, "card": cardCase, "clause": clauseCase, "clauses": clauseCase,
	}[verb]
	if !ok {
		return "", fmt.Errorf("no such verb: bingo %s", verb)
	}
	got, err := run(book, form, rest)
	if faults, ok := errors.AsType[bingo.Faults](err); ok {
		return strings.TrimSpace(fmt.Sprintf("refused %s %s", faults[0].Clause, faults[0].Field)), nil
	}
	return got, err
}

// shown are the boxes of the rules by the name of their pattern, and the names of
// each colour's boxes in the order of the print.
func shown(book *rulebook.Book, form *bingo.Form) (boxes map[string]bingo.Grid, colours map[string][]string,
	err error) {
	data, err := rules.Boxes(book.ID())
	if err != nil {
		return nil, nil, err
	}
	boxes, colours = map[string]bingo.Grid{}, map[string][]string{}
	for paragraph := range strings.SplitSeq(string(data), "\n\n") {
		lines := strings.Split(strings.TrimSpace(paragraph), "\n")
		if strings.HasPrefix(lines[0], "#") {
			continue
		}
		name, colour, _ := strings.Cut(lines[0], " ")
		colours[colour] = append(colours[colour], name)
		if boxes[name], err = caseGrid(form, lines[1:]); err != nil {
			return nil, nil, err
		}
	}
	return boxes, colours, nil
}

func caseGrid(form *bingo.Form, lines []string) (grid bingo.Grid, err error) {
	if len(lines) != form.Lines() {
		return grid, fmt.Errorf("%d lines are not a box", len(lines))
	}
	for i, line := range lines {
		cells := strings.Fields(line)
		if len(cells) != form.Columns() {
			return grid, fmt.Errorf("%d cells are not a line: %s", len(cells), line)
		}
		for column, cell := range cells {
			if cell == "." {
				continue
			}
			n, err := strconv.ParseUint(cell, 10, 8)
			if err != nil {
				return grid, err
			}
			grid[i][column] = uint8(n)
		}
	}
	return grid, nil
}

// caseBox reads a BOX.
func caseBox(book *rulebook.Book, form *bingo.Form, text string) (bingo.Grid, error) {
	name, ok := strings.CutPrefix(text, "@")
	if !ok {
		return caseGrid(form, strings.Split(text, "/"))
	}
	boxes, _, err := shown(book, form)
	grid, known := boxes[name]
	if err == nil && !known {
		err = fmt.Errorf("no box is shown with %s", name)
	}
	return grid, err
}

func boxCase(book *rulebook.Book, form *bingo.Form, text string) (string, error) {
	grid, err := caseBox(book, form, text)
	if err != nil {
		return "", err
	}
	if _, err := form.Box(grid); err != nil {
		return "", err
	}
	return "ok", nil
}

func stripCase(book *rulebook.Book, form *bingo.Form, text string) (string, error) {
	parts := strings.Split(text, " ; ")
	if colour, ok := strings.CutPrefix(text, "@"); ok && len(parts) == 1 {
		_, colours, err := shown(book, form)
		if err != nil {
			return "", err
		}
		parts = nil
		for _, name := range colours[colour] {
			parts = append(parts, "@"+name)
		}
	}
	if len(parts) != form.StripBoxes() {
		return "", fmt.Errorf("%d boxes are not a strip", len(parts))
	}
	grids := make([]bingo.Grid, len(parts))
	for i, part := range parts {
		var err error
		if grids[i], err = caseBox(book, form, strings.TrimSpace(part)); err != nil {
			return "", err
		}
	}
	if _, err := form.Strip(grids); err != nil {
		return "", err
	}
	return "ok", nil
}

func completeCase(book *rulebook.Book, form *bingo.Form, text string) (string, error) {
	id, rest, _ := strings.Cut(text, " ")
	which, numbers, ok := strings.Cut(rest, " ; ")
	if !ok {
		return "", errors.New("the line calls no numbers")
	}
	grid, err := caseBox(book, form, which)
	if err != nil {
		return "", err
	}
	box, err := form.Box(grid)
	if err != nil {
		return "", err
	}
	calls, err := bingo.ParseCalls(form.Universe(), numbers)
	if err != nil {
		return "", err
	}
	patterns, err := bingo.NewPatterns(form, book.Patterns())
	if err != nil {
		return "", err
	}
	i, ok := patterns.Index(id)
	if !ok {
		return "", fmt.Errorf("no such pattern: %s", id)
	}
	standing := patterns.Standing(i, box, calls)
	if standing.Complete {
		return "yes", nil
	}
	return fmt.Sprintf("%d to go", standing.ToGo), nil
}

// makeCase makes a series and looks at every strip of it.
func makeCase(_ *rulebook.Book, form *bingo.Form, text string) (string, error) {
	words := strings.Fields(text)
	if len(words) < 4 {
		return "", errors.New("the line is not SERIES UP FIRST BOOKS COLOUR ...")
	}
	var numbers [3]int
	for i := range numbers {
		n, err := strconv.Atoi(words[1+i])
		if err != nil {
			return "", err
		}
		numbers[i] = n
	}
	series := bingo.Series{ID: words[0], Up: numbers[0], FirstBook: numbers[1]}
	for _, name := range words[4:] {
		colour, err := bingo.ParseColour(name)
		if err != nil {
			return "", err
		}
		series.Colours = append(series.Colours, colour)
	}
	table, err := form.MakeTable(series, numbers[2], rand.NewChaCha8(sha256.Sum256([]byte("cases"))))
	if err != nil {
		return "", err
	}
	for _, strip := range table.Strips() {
		all := ball.Empty(form.Universe())
		for _, box := range strip {
			all = all.Union(box.Set())
		}
		if all.Len() != form.StripBoxes()*form.BoxNumbers() {
			return "", fmt.Errorf("a strip holds %v", all)
		}
	}
	return fmt.Sprintf("%d boxes, books %d to %d", table.Boxes(), series.FirstBook, table.LastBook()), nil
}

func serialCase(_ *rulebook.Book, _ *bingo.Form, text string) (string, error) {
	serial, err := bingo.ParseSerial(text)
	if err != nil {
		return "refused", nil //nolint:nilerr // A refusal is what the case asks for.
	}
	return fmt.Sprintf("series %s book %d game %d", serial.Series, serial.Book, serial.Game), nil
}

// clauseCase reads a clause of the rules in plain words, or counts them.
func clauseCase(book *rulebook.Book, _ *bingo.Form, id string) (string, error) {
	index, err := rules.Clauses(book.ID())
	if err != nil {
		return "", err
	}
	silent := 0
	for _, c := range index.Clauses {
		if c.ID == id {
			return c.Says, nil
		}
		if c.Says == "" {
			silent++
		}
	}
	if id != "" {
		return "none", nil
	}
	return fmt.Sprintf("%d clauses, %d silent", len(index.Clauses), silent), nil
}

// cardCase finds a box by the numbers of a card's first box, or by given ones.
func cardCase(_ *rulebook.Book, form *bingo.Form, text string) (string, error) {
	colours, err := bingo.Palette(3)
	if err != nil {
		return "", err
	}
	table, err := form.MakeTable(bingo.Series{ID: "K7", Up: 6, FirstBook: 101, Colours: colours}, 10,
		rand.NewChaCha8(sha256.Sum256([]byte("cases"))))
	if err != nil {
		return "", err
	}
	name, given, _ := strings.Cut(text, " ; ")
	serial, err := bingo.ParseSerial(name)
	if err != nil {
		return "", err
	}
	boxes, err := table.Card(serial)
	if err != nil {
		return "none", nil //nolint:nilerr // A card that the series does not have.
	}
	numbers := boxes[0].Set()
	if given != "" {
		numbers, err = ball.Parse(form.Universe(), given)
	}
	if err != nil {
		return "", err
	}
	spot, box, ok := table.Find(numbers)
	if !ok {
		return "none", nil
	}
	if !slices.Contains(boxes, box) {
		return "", fmt.Errorf("%v is not on card %v", spot, serial)
	}
	return spot.String(), nil
}
