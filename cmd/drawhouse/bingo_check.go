package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/ball"
	"drawhouse/core/figure"
	"drawhouse/games/bingo"
)

// bingoCheckCmd says who has what: it follows a game from the master table, the books
// issued and the numbers called. Whether a box wins is not decided here, for the call
// wins and not the card.
type bingoCheckCmd struct {
	Table    string   `arg:"" help:"The master table."`
	Game     int      `required:"" help:"Which game of the series."`
	Issued   string   `required:"" placeholder:"FIRST-LAST" help:"First and last book issued."`
	Strike   []int    `placeholder:"BOOK" help:"Books within these that nobody holds."`
	Calls    string   `required:"" placeholder:"FILE" help:"The numbers called, in their order; -17 takes back 17, which was called wrongly."`
	Pattern  []string `placeholder:"ID" help:"Only these patterns; bingo is the full house."`
	Card     string   `placeholder:"SERIAL" help:"Only the boxes of this card, with their numbers."`
	All      bool     `help:"List all boxes that are complete, not only the first and those of the last number."`
	JSON     bool     `name:"json" help:"Write JSON."`
	Rulebook string   `default:"nsw-bingo-2019" help:"Id of a built-in rulebook, or a file."`
}

// bingoCheck is a game that was followed to its last call.
type bingoCheck struct {
	table    *bingo.Table
	issue    *bingo.Issue
	patterns *bingo.Patterns
	play     *bingo.Play
	complete [][]bingoComplete // for each pattern, in the order of calls
}

// bingoComplete is a box that completed a pattern.
type bingoComplete struct {
	Call   int    `json:"call"`
	Number int    `json:"number"`
	Serial string `json:"serial"`
	Box    int    `json:"box"`
}

// bingoStanding is what is said of one pattern.
type bingoStanding struct {
	Pattern  string          `json:"pattern"`
	Complete int             `json:"complete"`  // boxes
	OneToGo  int             `json:"one_to_go"` // boxes
	First    []bingoComplete `json:"first"`     // complete before all others
	OnLast   []bingoComplete `json:"on_last"`   // completed by the last number called
	All      []bingoComplete `json:"all,omitempty"`
}

// Run implements the command.
func (c *bingoCheckCmd) Run(out *bytes.Buffer) error {
	game, err := c.follow()
	if err != nil {
		return err
	}
	wanted, err := c.wanted(game.patterns)
	if err != nil {
		return err
	}
	if c.Card != "" {
		return c.writeCard(out, game, wanted)
	}
	standings := make([]bingoStanding, 0, len(wanted))
	for _, i := range wanted {
		standings = append(standings, c.standing(game, i))
	}
	if c.JSON {
		enc := json.NewEncoder(out)
		enc.SetIndent("", "  ")
		return enc.Encode(standings)
	}
	c.write(out, game, standings)
	return nil
}

// follow reads what the line names and plays the game.
func (c *bingoCheckCmd) follow() (*bingoCheck, error) {
	book, err := findBook("--rulebook", c.Rulebook)
	if err != nil {
		return nil, err
	}
	form, err := bingo.NewForm(book)
	if err != nil {
		return nil, misused("--rulebook", err)
	}
	g := new(bingoCheck)
	if g.table, err = readTable("TABLE", c.Table, form); err != nil {
		return nil, err
	}
	issued, err := parseBooks(c.Issued)
	if err != nil {
		return nil, misused("--issued", err)
	}
	if g.issue, err = g.table.Issue(c.Game, issued, c.Strike); err != nil {
		return nil, console.Usage(err)
	}
	if g.patterns, err = bingo.NewPatterns(form, book.Patterns()); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(c.Calls)
	if err != nil {
		return nil, misused("--calls", err)
	}
	calls, err := bingo.ParseCalls(form.Universe(), string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Calls, err)
	}
	return g, g.call(calls)
}

// parseBooks reads FIRST-LAST.
func parseBooks(text string) (bingo.Range, error) {
	first, last, ok := strings.Cut(text, "-")
	a, err1 := strconv.Atoi(first)
	b, err2 := strconv.Atoi(last)
	if !ok || errors.Join(err1, err2) != nil {
		return bingo.Range{}, fmt.Errorf("%q is not FIRST-LAST, such as 101-250", text)
	}
	return bingo.Range{First: a, Last: b}, nil
}

// call plays the calls and keeps what each completes.
func (g *bingoCheck) call(calls ball.Sequence) (err error) {
	if g.play, err = g.issue.Play(g.patterns); err != nil {
		return err
	}
	g.complete = make([][]bingoComplete, g.patterns.Len())
	var changes []bingo.Change
	for k := range calls.Len() {
		if changes, err = g.play.Call(calls.At(k), changes[:0]); err != nil {
			return err
		}
		for _, change := range changes {
			spot := g.issue.Spot(change.Box)
			for i := range g.complete {
				if change.Patterns.Has(i) {
					g.complete[i] = append(g.complete[i],
						bingoComplete{k + 1, calls.At(k), spot.Serial.String(), spot.Box})
				}
			}
		}
	}
	return nil
}

// wanted returns the patterns that the line asks for, all if it names none.
func (c *bingoCheckCmd) wanted(patterns *bingo.Patterns) (wanted []int, err error) {
	for _, id := range c.Pattern {
		i, ok := patterns.Index(id)
		if !ok {
			return nil, misused("--pattern", fmt.Errorf("there is no %q; there are %s", id, patternIDs(patterns)))
		}
		wanted = append(wanted, i)
	}
	if len(wanted) == 0 {
		for i := range patterns.Len() {
			wanted = append(wanted, i)
		}
	}
	return wanted, nil
}

func patternIDs(patterns *bingo.Patterns) string {
	var ids []string
	for i := range patterns.Len() {
		ids = append(ids, patterns.At(i).ID)
	}
	return strings.Join(ids, ", ")
}

// standing returns what is to be said of pattern i.
func (c *bingoCheckCmd) standing(g *bingoCheck, i int) bingoStanding {
	all := g.complete[i]
	s := bingoStanding{Pattern: g.patterns.At(i).ID, Complete: len(all), OneToGo: g.play.ToGo(i)[1],
		First: []bingoComplete{}, OnLast: []bingoComplete{}}
	for _, b := range all {
		if b.Call == all[0].Call {
			s.First = append(s.First, b)
		}
		if b.Call == g.play.Calls().Len() {
			s.OnLast = append(s.OnLast, b)
		}
	}
	if c.All {
		s.All = all
	}
	return s
}

// write writes the standings for a person.
func (c *bingoCheckCmd) write(out *bytes.Buffer, g *bingoCheck, standings []bingoStanding) {
	series := g.table.Series()
	calls := g.play.Calls()
	fmt.Fprintf(out, "series %s, game %d, %v: %d boxes in play\n", series.ID, c.Game, series.Colours[c.Game-1],
		g.play.Boxes())
	if last, ok := calls.Last(); ok {
		fmt.Fprintf(out, "%s called, the last is %s\n", figure.Count(calls.Len(), "number"),
			g.table.Form().CallName(last))
	} else {
		out.WriteString("no number called\n")
	}
	var nothing []string
	for _, s := range standings {
		if s.Complete == 0 && s.OneToGo == 0 {
			nothing = append(nothing, s.Pattern)
			continue
		}
		fmt.Fprintf(out, "\n%s: %d complete, %d one to go\n", s.Pattern, s.Complete, s.OneToGo)
		switch {
		case c.All:
			writeComplete(out, "", s.All)
		case len(s.First) > 0:
			writeComplete(out, "first", s.First)
			if s.First[0].Call < calls.Len() {
				writeComplete(out, "last", s.OnLast)
			}
		}
	}
	if len(nothing) > 0 {
		fmt.Fprintf(out, "\nnone complete or one to go: %s\n", strings.Join(nothing, ", "))
	}
}

// writeComplete writes boxes, one a line.
func writeComplete(out *bytes.Buffer, which string, boxes []bingoComplete) {
	for _, b := range boxes {
		fmt.Fprintf(out, "  %-5s call %2d, number %2d: %s box %d\n", which, b.Call, b.Number, b.Serial, b.Box)
	}
}

// writeCard writes the boxes of one card and what they have completed.
func (c *bingoCheckCmd) writeCard(out *bytes.Buffer, g *bingoCheck, wanted []int) error {
	if c.JSON || c.All {
		return misused("--card", errors.New("goes with neither --json nor --all"))
	}
	serial, err := bingo.ParseSerial(c.Card)
	if err != nil {
		return misused("--card", err)
	}
	boxes, err := g.table.Card(serial)
	if err != nil {
		return err
	}
	if _, ok := g.issue.Box(bingo.Spot{Serial: serial, Box: 1}); !ok {
		return fmt.Errorf("card %v is not in play: it is of game %d of book %d", serial, serial.Game, serial.Book)
	}
	for n, box := range boxes {
		writeBox(out, g.table, bingo.Spot{Serial: serial, Box: n + 1}, box, g.play.Calls().Set())
		for _, i := range wanted {
			s := g.patterns.Standing(i, box, g.play.Calls())
			switch {
			case s.Complete && s.Place == g.play.Calls().Len():
				fmt.Fprintf(out, "  %s: complete by the last number, %d\n", g.patterns.At(i).ID, s.Number)
			case s.Complete:
				fmt.Fprintf(out, "  %s: complete since call %d, number %d; numbers were called since\n",
					g.patterns.At(i).ID, s.Place, s.Number)
			case s.ToGo == 1:
				fmt.Fprintf(out, "  %s: one to go, waits for %v\n", g.patterns.At(i).ID, s.Waits)
			}
		}
	}
	return nil
}
