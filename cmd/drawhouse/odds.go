package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"drawhouse/core/ball"
	"drawhouse/core/money"
	"drawhouse/rulebook"
	"drawhouse/rulebook/odds"
	"drawhouse/rulebook/rules"
)

// oddsCmd prints exact odds.
type oddsCmd struct {
	Rulebook     string `arg:"" optional:"" help:"Id of a built-in rulebook, a file, or one of an exported journal as DIR@HASH; may be left out with --rulebook-file."`
	RulebookFile string `name:"rulebook-file" placeholder:"FILE" help:"Read the rulebook from a YAML file instead: what if a prize were another?"`
	Schedule     string `placeholder:"ID" help:"One schedule, by id or by number; all of them if absent."`
	Bet          string `placeholder:"ID" help:"One bet, such as classic or racing."`
	Pick         string `placeholder:"PICK" help:"One number of spots, call or type of race bet: 8, heads, trio."`
	Spots        string `placeholder:"\"1 2 3\"" help:"The numbers themselves; with the multiplier their sum counts."`
	Tiers        bool   `help:"Show every count matched; this is so for a single bet."`
	JSON         bool   `name:"json" help:"Write JSON: probabilities and returns as fractions."`
	Plot         string `placeholder:"FILE.svg" help:"Draw a single bet into a file."`
	Tickets      int    `placeholder:"N" help:"How often do the major prizes of N tickets of a single bet pass the cap?"`
	Stake        *int64 `placeholder:"CENTS" help:"Stake of each of the tickets, in cents; 100 if absent."`
	Multiplied   bool   `help:"Each of the tickets has the side stake of the multiplier."`
}

// Run implements the command.
func (c *oddsCmd) Run(out *bytes.Buffer) error {
	book, err := c.book()
	if err != nil {
		return err
	}
	report, err := c.report(book)
	if err != nil {
		return err
	}
	if report.Liability, err = c.liability(book, report); err != nil {
		return err
	}
	if err := c.plot(report); err != nil {
		return err
	}
	text, err := c.render(report, book.Money())
	if err != nil {
		return err
	}
	out.Write(text)
	return nil
}

// book returns the rulebook that the line names. A file may stand in for the
// built-in book of its id, and then must be of that id.
func (c *oddsCmd) book() (*rulebook.Book, error) {
	switch {
	case c.RulebookFile == "" && c.Rulebook == "":
		return nil, misused("RULEBOOK",
			fmt.Errorf("give the id of a rulebook (%s) or --rulebook-file", strings.Join(rules.IDs(), ", ")))
	case c.RulebookFile == "":
		return findBook("RULEBOOK", c.Rulebook)
	}
	book, _, err := readBook("--rulebook-file", c.RulebookFile)
	if err == nil && c.Rulebook != "" && book.ID() != c.Rulebook {
		return nil, misused("--rulebook-file", fmt.Errorf("%s is %s, not %s", c.RulebookFile, book.ID(), c.Rulebook))
	}
	return book, err
}

func (c *oddsCmd) report(book *rulebook.Book) (*odds.Report, error) {
	opts := odds.Options{Schedule: c.Schedule, Bet: c.Bet, Pick: c.Pick}
	if c.Spots != "" {
		spots, err := ball.Parse(ball.Keno, c.Spots)
		if err != nil {
			return nil, misused("--spots", err)
		}
		opts.Spots = spots
	}
	report, err := odds.Of(book, opts)
	if unknown := new(odds.Unknown); errors.As(err, &unknown) {
		return nil, misused("--"+unknown.Option, err)
	}
	return report, err
}

// single returns the one bet of the report, which the argument needs.
func (c *oddsCmd) single(argument string, report *odds.Report) (*odds.Bet, error) {
	if n := len(report.Bets); n != 1 {
		return nil,
			misused(argument,
				fmt.Errorf("takes a single bet, and %d are left; narrow them with --schedule, --bet, --pick or --spots", n))
	}
	return &report.Bets[0], nil
}

// liability returns the tail of the tickets that the line asks for, or nil. What is
// said of tickets where none are asked for is not passed over in silence.
func (c *oddsCmd) liability(book *rulebook.Book, report *odds.Report) (*odds.Tail, error) {
	stake := money.Dollar
	if c.Stake != nil {
		stake = money.Amount(*c.Stake)
	}
	switch {
	case c.Tickets < 0:
		return nil, misused("--tickets", fmt.Errorf("%d is not a number of tickets", c.Tickets))
	case c.Tickets == 0 && c.Stake != nil:
		return nil, misused("--stake", errors.New("is of the tickets, and there are no --tickets"))
	case c.Tickets == 0 && c.Multiplied:
		return nil, misused("--multiplied", errors.New("is of the tickets, and there are no --tickets"))
	case c.Tickets == 0:
		return nil, nil
	case stake < 1:
		return nil, misused("--stake", fmt.Errorf("%d is not a stake in cents", stake.Cents()))
	}
	bet, err := c.single("--tickets", report)
	if err != nil {
		return nil, err
	}
	return odds.Liability(book, bet, odds.Sold{Tickets: c.Tickets, Stake: stake, Multiplied: c.Multiplied})
}

// plot draws the bet, if that was asked for.
func (c *oddsCmd) plot(report *odds.Report) error {
	if c.Plot == "" {
		return nil
	}
	bet, err := c.single("--plot", report)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.Plot, bet.PlotSVG(), 0o644); err != nil {
		return misused("--plot", err)
	}
	return nil
}

// render returns what the command prints.
func (c *oddsCmd) render(report *odds.Report, style money.Style) ([]byte, error) {
	if c.JSON {
		return report.AppendJSON(nil)
	}
	text := report.AppendTable(nil)
	if c.Tiers || len(report.Bets) == 1 {
		for i := range report.Bets {
			text = report.Bets[i].AppendTiers(append(text, '\n'))
		}
	}
	if report.Liability != nil {
		text = report.Liability.AppendText(append(text, '\n'))
	}
	return []byte(style.In(string(text))), nil
}
