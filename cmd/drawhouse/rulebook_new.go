package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/rulebook"
)

// rulebookNewCmd makes a small rulebook to go on from.
type rulebookNewCmd struct {
	File      string   `arg:"" optional:"" help:"Where to write it; absent: the output."`
	Base      string   `placeholder:"ID|FILE" help:"Write an edition of this rulebook instead. It takes over the examples of the base; write what was decided otherwise."`
	Successor bool     `help:"With --base: the edition is for the system that comes after, with its game numbers and ticket codes."`
	Kind      string   `enum:"keno,bingo" default:"keno" help:"Kind of game: keno or bingo (${default})."`
	ID        string   `placeholder:"ID" help:"Id that tickets and journals name: small letters, digits and hyphens."`
	Name      string   `placeholder:"TEXT" help:"Title, which is printed on tickets."`
	Currency  string   `placeholder:"CODE" help:"Currency, such as AUD."`
	Zone      string   `placeholder:"ZONE" help:"Time zone, such as Europe/Lisbon."`
	From      string   `placeholder:"DATE" help:"First day in force; yesterday if absent, which a Keno Day of this night is."`
	Age       int      `default:"18" help:"Least age of players (${default})."`
	Price     string   `default:"1.00" help:"Keno: least stake of a way in a game, and the step of stakes (${default})."`
	Most      string   `default:"1000" help:"Keno: most that a ticket costs (${default})."`
	Games     int      `default:"20" help:"Keno: most games of a ticket (${default})."`
	Months    int      `default:"12" help:"Keno: months in which a prize is paid (${default})."`
	Spots     string   `default:"1-10" help:"Keno: how many numbers may be chosen (${default})."`
	Prizes    []string `sep:"none" placeholder:"SPOTS=MATCHED:PRIZE,..." help:"Keno: prizes of a number of spots for the price, such as 3=2:1,3:42. Repeat it for others; absent: prizes that return about three quarters."`
}

// Help says what comes of it.
func (*rulebookNewCmd) Help() string {
	return `The file is a whole rulebook of an invented document, with a remark on every section. It passes
drawhouse rulebook check, and a house can be founded by it as it is. At a terminal the command asks
for what the line does not say.`
}

// Run implements the command.
func (c *rulebookNewCmd) Run(out *bytes.Buffer) error {
	text, err := c.text()
	if err != nil {
		return err
	}
	if c.File == "" {
		out.WriteString(text)
		return nil
	}
	file, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return misused("FILE", err)
	}
	if _, err = file.WriteString(text); errors.Join(err, file.Close()) != nil {
		return misused("FILE", errors.Join(err, os.Remove(c.File)))
	}
	if info, err := os.Stat(c.Base); err == nil && info.Mode().IsRegular() &&
		filepath.Dir(c.Base) != filepath.Dir(c.File) {
		fmt.Fprintf(out, "Put %s into the folder of %s: an edition is read with the file of its base beside it.\n", c.Base,
			c.File)
	}
	kind := rulebook.Draft{Kind: rulebook.Kind(c.Kind)}
	fmt.Fprintf(out,
		"%s is written. Next:\n  drawhouse rulebook check %s\n  drawhouse %s %s\n  drawhouse found %s --rulebook %s --reference \"the decision that allows it\"\n",
		c.File, c.File, kind.Odds(), c.File, c.Kind+".example", c.File)
	return nil
}

// text returns the file, which is sound.
func (c *rulebookNewCmd) text() (string, error) {
	name := cmp.Or(c.File, "rulebook")
	if c.Base != "" {
		base, err := findBook("--base", c.Base)
		if err != nil {
			return "", err
		}
		c.Kind = string(base.Kind())
		if !c.Successor {
			return rulebook.EditionOf(base), nil
		}
		text, ok := rulebook.SuccessorOf(base)
		if !ok {
			return "", misused("--successor", fmt.Errorf("%s names no system that comes after", base.ID()))
		}
		return text, nil
	}
	if err := c.ask(os.Stdin, os.Stderr, term.IsTerminal(int(os.Stdin.Fd()))); err != nil {
		return "", err
	}
	draft, err := c.draft()
	if err != nil {
		return "", err
	}
	text := draft.Text()
	_, err = rulebook.Load(name, []byte(text))
	return text, err
}

// ask completes the line: by questions at a terminal, and else by what a book for a trial has.
func (c *rulebookNewCmd) ask(in io.Reader, questions io.Writer, terminal bool) error {
	lines := bufio.NewScanner(in)
	for _, q := range []struct {
		into             *string
		question, answer string
	}{
		{&c.ID, "Id, which is for good", "my-" + c.Kind},
		{&c.Name, "Title, which is printed on tickets", "My " + strings.ToUpper(c.Kind[:1]) + c.Kind[1:]},
		{&c.Currency, "Currency", "AUD"},
		{&c.Zone, "Time zone", "Australia/Sydney"},
	} {
		if *q.into != "" {
			continue
		}
		*q.into = q.answer
		if !terminal {
			continue
		}
		_, _ = fmt.Fprintf(questions, "%s [%s]: ", q.question, q.answer)
		if lines.Scan() && strings.TrimSpace(lines.Text()) != "" {
			*q.into = strings.TrimSpace(lines.Text())
		}
	}
	return lines.Err()
}

// draft reads the flags.
func (c *rulebookNewCmd) draft() (*rulebook.Draft, error) {
	d := &rulebook.Draft{Kind: rulebook.Kind(c.Kind), ID: c.ID, Title: c.Name, Currency: c.Currency, Zone: c.Zone,
		Age: c.Age, Games: c.Games, Months: c.Months}
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		return nil, misused("--zone", fmt.Errorf("there is no time zone %q", c.Zone))
	}
	if c.From == "" {
		// Until the morning the Keno Day is that of yesterday.
		c.From = time.Now().In(zone).AddDate(0, 0, -1).Format(time.DateOnly)
	}
	if d.From, err = day.Parse(c.From); err != nil {
		return nil, misused("--from", err)
	}
	if d.Price, err = money.Parse(c.Price); err != nil || d.Price <= 0 {
		return nil, misused("--price", fmt.Errorf("%q is not an amount such as 1.00", c.Price))
	}
	if d.Most, err = money.Parse(c.Most); err != nil || d.Most < d.Price {
		return nil, misused("--most", fmt.Errorf("%q is not an amount of the price or more", c.Most))
	}
	d.Prizes, err = c.prizes(d.Price)
	return d, err
}

// prizes returns the prizes of every number of spots that may be chosen.
func (c *rulebookNewCmd) prizes(price money.Amount) (map[int]map[int]money.Amount, error) {
	spots, err := ball.Parse(ball.Keno, c.Spots)
	if err != nil || spots.Len() == 0 {
		return nil, misused("--spots", fmt.Errorf("%q is not a list such as 1-10", c.Spots))
	}
	known := rulebook.DraftPrizes(price)
	for _, text := range c.Prizes {
		size, row, err := prizeRow(text)
		if err != nil {
			return nil, misused("--prizes", err)
		}
		if !spots.Has(size) {
			return nil, misused("--prizes", fmt.Errorf("%q is for %d spots, and --spots are %s", text, size, c.Spots))
		}
		known[size] = row
	}
	prizes := map[int]map[int]money.Amount{}
	for size := range spots.All() {
		if known[size] == nil {
			return nil,
				misused("--spots", fmt.Errorf("the prizes of %d spots are missing; write --prizes %d=MATCHED:PRIZE,... and so on",
					size, size))
		}
		prizes[size] = known[size]
	}
	return prizes, nil
}

// prizeRow reads the prizes of a number of spots: 3=2:1,3:42.
func prizeRow(text string) (spots int, row map[int]money.Amount, err error) {
	wrong := fmt.Errorf("%q is not SPOTS=MATCHED:PRIZE,... such as 3=2:1,3:42", text)
	size, rest, ok := strings.Cut(text, "=")
	if spots, err = strconv.Atoi(size); !ok || err != nil {
		return 0, nil, wrong
	}
	row = map[int]money.Amount{}
	for pair := range strings.SplitSeq(rest, ",") {
		left, right, _ := strings.Cut(pair, ":")
		matched, err := strconv.Atoi(left)
		prize, wrongPrize := money.Parse(right)
		if err != nil || wrongPrize != nil {
			return 0, nil, wrong
		}
		if matched < 0 || matched > spots {
			return 0, nil, fmt.Errorf("%q has a prize for %d matches, and %d spots have 0 to %d", text, matched, spots, spots)
		}
		row[matched] = prize
	}
	return spots, row, nil
}
