package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/figure"
	"drawhouse/games/bingo"
)

// bingoCmd is what an operator does with master tables.
type bingoCmd struct {
	Check  bingoCheckCmd  `cmd:"" help:"Say which boxes in play have completed what, and on which call."`
	Find   bingoFindCmd   `cmd:"" help:"Find a card by its serial, or a box by its numbers."`
	Odds   bingoOddsCmd   `cmd:"" help:"Say how likely a pattern is complete by which call."`
	Import bingoImportCmd `cmd:"" help:"Take over a series that somebody else printed: check every card, write its master table."`
}

// bingoFindCmd looks something up in a master table.
type bingoFindCmd struct {
	Table    string   `arg:"" help:"The master table."`
	What     []string `arg:"" help:"A serial, or all numbers of a box."`
	Rulebook string   `default:"nsw-bingo-2019" help:"Id of a built-in rulebook, or a file."`
}

// Run implements the command.
func (c *bingoFindCmd) Run(out *bytes.Buffer) error {
	form, err := bingoForm(c.Rulebook)
	if err != nil {
		return err
	}
	table, err := readTable("TABLE", c.Table, form)
	if err != nil {
		return err
	}
	what := strings.Join(c.What, " ")
	if serial, err := bingo.ParseSerial(what); err == nil {
		boxes, err := table.Card(serial)
		if err != nil {
			return err
		}
		for i, box := range boxes {
			writeBox(out, table, bingo.Spot{Serial: serial, Box: i + 1}, box, ball.Empty(form.Universe()))
		}
		return nil
	} else if strings.Contains(what, "-") {
		return misused("WHAT", err)
	}
	numbers, err := ball.Parse(form.Universe(), what)
	if err != nil {
		return misused("WHAT", err)
	}
	if numbers.Len() != form.BoxNumbers() {
		return misused("WHAT", fmt.Errorf("%d numbers; a box has %d", numbers.Len(), form.BoxNumbers()))
	}
	spot, box, ok := table.Find(numbers)
	if !ok {
		return fmt.Errorf("no box of series %s has these numbers", table.Series().ID)
	}
	writeBox(out, table, spot, box, ball.Empty(form.Universe()))
	return nil
}

// writeBox writes a box. Numbers that are called are in brackets.
func writeBox(out *bytes.Buffer, table *bingo.Table, spot bingo.Spot, box bingo.Box, called ball.Set) {
	fmt.Fprintf(out, "%v  %v\n", spot, table.Series().Colours[spot.Serial.Game-1])
	form := table.Form()
	if letters := form.Letters(); letters != nil {
		fmt.Fprintf(out, "   %s\n", strings.Join(letters, "    "))
	}
	for i, line := range box.Lines() {
		var cells strings.Builder
		for column, n := range line {
			switch {
			case form.IsFree(i, column):
				cells.WriteString(" free")
			case n == 0:
				cells.WriteString("   . ")
			case called.Has(int(n)):
				fmt.Fprintf(&cells, " [%2d]", n)
			default:
				fmt.Fprintf(&cells, "  %2d ", n)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(cells.String(), " "))
	}
}

// bingoImportCmd takes over a printer's series.
type bingoImportCmd struct {
	File      string   `arg:"" help:"The series: a .csv or .json file, as drawhouse cards writes them."`
	Table     string   `required:"" placeholder:"FILE" help:"Where to write the master table."`
	Series    string   `placeholder:"ID" help:"Name of the series; a JSON object may hold it."`
	Up        int      `default:"6" help:"Boxes to a page, such as 6 or 12: one of those of the rulebook."`
	Colours   []string `placeholder:"COLOUR" help:"The colours of the games, for an array of strips; a CSV file has them in its lines."`
	FirstBook int      `name:"first-book" default:"1" help:"Number of the first book, for an array of strips."`
	Rulebook  string   `default:"nsw-bingo-2019" help:"Id of a built-in rulebook, or a file: how cards must be."`
}

// Run implements the command.
func (c *bingoImportCmd) Run(out *bytes.Buffer) error {
	form, err := bingoForm(c.Rulebook)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(c.File)
	if err != nil {
		return misused("FILE", err)
	}
	table, err := c.read(form, data)
	if faults, ok := errors.AsType[bingo.Faults](err); ok {
		return fmt.Errorf("%s has faults:\n%w", c.File, faults)
	}
	if err != nil {
		return err
	}
	if err := writeTable("--table", c.Table, table); err != nil {
		return err
	}
	series := table.Series()
	fmt.Fprintf(out, "series %s: books %d to %d, %s, %d boxes to a page, %d boxes\n",
		series.ID, series.FirstBook, table.LastBook(), figure.Count(len(series.Colours),
			"game"), series.Up, table.Boxes())
	return nil
}

// read reads the file by what its name ends in.
func (c *bingoImportCmd) read(form *bingo.Form, data []byte) (*bingo.Table, error) {
	switch {
	case strings.HasSuffix(c.File, ".csv"):
		return form.ReadCSV(c.Series, c.Up, bytes.NewReader(data))
	case strings.HasSuffix(c.File, ".json"):
		series := bingo.Series{ID: c.Series, Up: c.Up, FirstBook: c.FirstBook}
		for _, text := range c.Colours {
			colour, err := bingo.ParseColour(text)
			if err != nil {
				return nil, misused("--colours", err)
			}
			series.Colours = append(series.Colours, colour)
		}
		return form.ReadJSON(series, data)
	}
	return nil, misused("FILE", fmt.Errorf("%s ends neither in .csv nor in .json", c.File))
}
