package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/games/bingo"
	"drawhouse/receipt/cards"
)

// cardsCmd makes and prints bingo cards.
type cardsCmd struct {
	Strips    *int     `placeholder:"N" help:"Make so many strips, of six boxes or as the rulebook has them, in whole books."`
	From      string   `placeholder:"FILE" help:"Print this master table only."`
	Format    string   `enum:"json,csv,pdf" default:"json" help:"json: an array of strips of boxes of lines of cells, such as six of three of nine, 0 where no number stands; csv: one line of a box a line; pdf: sheets of --paper."`
	Paper     string   `enum:"a4,letter" default:"a4" help:"Size of the sheets: a4 or letter (${default})."`
	Series    string   `default:"A1" help:"Name of the series: one to eight capitals and digits."`
	Up        int      `default:"6" help:"Boxes to a page, such as 6 or 12: one of those of the rulebook."`
	Games     *int     `placeholder:"N" help:"Games of the series, each in a colour of its own; 1 if absent."`
	Colours   []string `placeholder:"COLOUR" help:"The colours of the games, such as pink or \"salmon #fa8072\"; they count the games too."`
	FirstBook int      `name:"first-book" default:"1" help:"Number of the first book."`
	Table     string   `placeholder:"FILE" help:"Write the master table, by which winning cards are checked."`
	Seed      string   `placeholder:"FILE" help:"Take the random bytes from this file, to make a recorded series again. Cards that are sold are made without."`
	Out       string   `placeholder:"FILE" help:"Write the cards to a file instead of the output."`
	Rulebook  string   `default:"nsw-bingo-2019" help:"Id of a built-in rulebook, or a file: how cards must be."`
}

// Run implements the command.
func (c *cardsCmd) Run(con console.Streams) error {
	form, err := bingoForm(c.Rulebook)
	if err != nil {
		return err
	}
	table, err := c.table(form)
	if err != nil {
		return err
	}
	if c.Table != "" {
		if err := writeTable("--table", c.Table, table); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	if err := c.render(&out, table); err != nil {
		return err
	}
	if c.Out != "" {
		if err := os.WriteFile(c.Out, out.Bytes(), 0o644); err != nil {
			return misused("--out", err)
		}
		return nil
	}
	if _, err := out.WriteTo(con.Stdout); err != nil {
		return fmt.Errorf("write the cards: %w", err)
	}
	return nil
}

// bingoForm returns the form of cards of a rulebook.
func bingoForm(name string) (*bingo.Form, error) {
	book, err := findBook("--rulebook", name)
	if err != nil {
		return nil, err
	}
	form, err := bingo.NewForm(book)
	if err != nil {
		return nil, misused("--rulebook", err)
	}
	return form, nil
}

// table returns the cards: new ones, or those of a file.
func (c *cardsCmd) table(form *bingo.Form) (*bingo.Table, error) {
	switch {
	case (c.Strips == nil) == (c.From == ""):
		return nil, misused("--strips, --from", errors.New("give one of them"))
	case c.From != "":
		return readTable("--from", c.From, form)
	}
	series, err := c.series()
	if err != nil {
		return nil, err
	}
	perBook := len(series.Colours) * series.Up / form.StripBoxes()
	if *c.Strips < 1 || perBook > 0 && *c.Strips%perBook != 0 {
		return nil, misused("--strips", fmt.Errorf("%d strips are not whole books of %d", *c.Strips, perBook))
	}
	entropy, err := c.entropy()
	if err != nil {
		return nil, err
	}
	table, err := form.MakeTable(series, *c.Strips/max(perBook, 1), entropy)
	if faults, ok := errors.AsType[bingo.Faults](err); ok {
		return nil, console.Usage(faults)
	}
	return table, err
}

// entropy returns where the random bytes come from: the system, watched as the draw
// device's are, unless a recorded series is made again.
func (c *cardsCmd) entropy() (io.Reader, error) {
	if c.Seed == "" {
		return openSource()
	}
	seed, err := os.ReadFile(c.Seed)
	if err != nil {
		return nil, misused("--seed", err)
	}
	return bytes.NewReader(seed), nil
}

// series returns what the line says of the series.
func (c *cardsCmd) series() (bingo.Series, error) {
	series := bingo.Series{ID: c.Series, Up: c.Up, FirstBook: c.FirstBook}
	for _, text := range c.Colours {
		colour, err := bingo.ParseColour(text)
		if err != nil {
			return series, misused("--colours", err)
		}
		series.Colours = append(series.Colours, colour)
	}
	games := max(len(c.Colours), 1)
	if c.Games != nil {
		games = *c.Games
	}
	if len(c.Colours) > 0 {
		if games != len(c.Colours) {
			return series, misused("--games", fmt.Errorf("%d games, and %d colours", games, len(c.Colours)))
		}
		return series, nil
	}
	colours, err := bingo.Palette(games)
	if err != nil {
		return series, misused("--games", err)
	}
	series.Colours = colours
	return series, nil
}

// render writes the cards as the line asks.
func (c *cardsCmd) render(out *bytes.Buffer, table *bingo.Table) error {
	switch c.Format {
	case "csv":
		out.Write(table.AppendCSV(nil))
	case "pdf":
		papers := cards.Papers()
		paper := papers[max(0, slices.IndexFunc(papers,
			func(p cards.Paper) bool { return strings.EqualFold(p.Name, c.Paper) }))]
		bar := labBar("sheets", int64(cards.Sheets(paper, table)), out)
		defer endBar(bar)
		buffered := bufio.NewWriter(out)
		if err := cards.Write(buffered, paper, table, time.Now(), func() { advance(bar, 1) }); err != nil {
			return err
		}
		return buffered.Flush()
	default:
		out.Write(bingo.AppendStripsJSON(nil, table.Strips()))
	}
	return nil
}

// readTable reads a master table.
func readTable(argument, path string, form *bingo.Form) (*bingo.Table, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, misused(argument, err)
	}
	table, err := form.ReadTable(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// writeTable writes a master table. It replaces no file: the table of cards that were
// sold cannot be made again.
func writeTable(argument, path string, table *bingo.Table) error {
	data, err := table.MarshalBinary()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return misused(argument, err)
	}
	_, err = file.Write(data)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("write the master table: %w", err)
	}
	return nil
}
