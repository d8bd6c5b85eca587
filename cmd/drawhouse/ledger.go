package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	firm "drawhouse/books/entries"
	"drawhouse/cmd/drawhouse/console"
	"drawhouse/core/day"
	"drawhouse/core/figure"
	"drawhouse/core/ledger"
)

// ledgerCmd is what the ledger of the operator's firm takes from the house.
type ledgerCmd struct {
	Accounts ledgerAccountsCmd `cmd:"" help:"List the accounts of a house with their codes and classes."`
	Check    ledgerCheckCmd    `cmd:"" help:"Check a mapping file from the accounts of a house to those of the firm."`
	Entries  ledgerEntriesCmd  `cmd:"" help:"Write journal entries of closed Keno Days, by day, month or year."`
}

// mappingFlag names a mapping file.
type mappingFlag struct {
	Mapping string `placeholder:"FILE" help:"The mapping file; the accounts have the codes of the house if absent."`
}

// mapping reads the mapping file, or returns none.
func (f mappingFlag) mapping() (*firm.Mapping, error) {
	if f.Mapping == "" {
		return nil, nil
	}
	return readMapping("--mapping", f.Mapping)
}

func readMapping(argument, file string) (*firm.Mapping, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, misused(argument, err)
	}
	return firm.Parse(filepath.Base(file), data)
}

// ledgerAccountsCmd lists the chart of accounts.
type ledgerAccountsCmd struct {
	mappingFlag
}

// Run implements the command.
func (c *ledgerAccountsCmd) Run(out *bytes.Buffer) error {
	m, err := c.mapping()
	if err != nil {
		return err
	}
	table := "CODE\tCLASS\tNAME\tACCOUNT\tKEPT FOR EACH\n"
	for _, a := range ledger.Accounts() {
		t := m.Target(a, 0, 0)
		table += fmt.Sprintf("%s\t%v\t%s\t%v\t%s\n", t.Code, t.Class, t.Name, a, a.KeptFor())
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, err = io.WriteString(w, table)
	return errors.Join(err, w.Flush())
}

// ledgerCheckCmd checks a mapping file.
type ledgerCheckCmd struct {
	File string `arg:"" help:"The mapping file."`
}

// Help says what a mapping file has.
func (*ledgerCheckCmd) Help() string {
	var b strings.Builder
	b.WriteString("A mapping file is YAML: under accounts: a list of rules with these fields.\n\n")
	for _, f := range firm.Fields() {
		fmt.Fprintf(&b, "  %s: %s\n", f.Name, strings.ReplaceAll(f.Says, "`", ""))
	}
	return b.String()
}

// Run implements the command.
func (c *ledgerCheckCmd) Run(out *bytes.Buffer) error {
	m, err := readMapping("<file>", c.File)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is sound: %s\n", filepath.Base(c.File), figure.Count(m.Rules(), "rule"))
	if kept := m.Kept(); len(kept) > 0 {
		fmt.Fprintf(out, "these accounts keep the codes of the house: %s\n", figure.List(kept))
	}
	return nil
}

// ledgerEntriesCmd writes journal entries. It only reads, so it may run beside the house.
type ledgerEntriesCmd struct {
	storageFlags
	mappingFlag
	From    string `placeholder:"DATE" help:"First day; the first of the house if absent."`
	To      string `placeholder:"DATE" help:"Last day; the last that is closed if absent."`
	By      string `default:"day" enum:"day,month,year" help:"An entry for each day, month or year (${default})."`
	After   string `placeholder:"NUMBER" help:"Go on after this entry, the last that was taken in."`
	Opening bool   `help:"Begin with the opening balances of the first entry."`
	Format  string `default:"csv" enum:"csv,ledger" help:"csv, or ledger for hledger and ledger (${default})."`
	Out     string `placeholder:"FILE" help:"Write there and not to the screen; it must not exist."`
}

// Help says how entries are taken in.
func (*ledgerEntriesCmd) Help() string {
	return `Every closed day of the house is one entry, with a number that stays the same, such as
1/2026-11-15. Name the last number that the ledger of the firm has with --after, and no
day is left out or taken in twice. A month or a year is the sum of its days; it is written
once a day of the next one is closed, and --from and --to name it by any of its days.`
}

// Run implements the command.
func (c *ledgerEntriesCmd) Run(out *bytes.Buffer, streams console.Streams) error {
	choice, err := c.choice()
	if err != nil {
		return err
	}
	ctx, stop := untilStopped()
	defer stop()
	st, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	j, err := firm.Open(ctx, st)
	if err != nil {
		return err
	}
	says := streams.Stderr
	var sum firm.Summary
	if c.Out == "" {
		sum, err = j.Write(ctx, out, choice, firm.Format(c.Format))
	} else {
		says = out
		sum, err = c.file(ctx, j, choice)
	}
	if errors.Is(err, firm.ErrAfter) {
		out.Reset()
		return misused("--after", err)
	}
	if err != nil {
		out.Reset()
		return err
	}
	return c.say(says, sum)
}

// file writes the entries into a file, which is there whole or not at all.
func (c *ledgerEntriesCmd) file(ctx context.Context, j *firm.Journal, choice firm.Choice) (firm.Summary, error) {
	f, err := os.OpenFile(c.Out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return firm.Summary{}, misused("--out", err)
	}
	w := bufio.NewWriterSize(f, 1<<16)
	sum, err := j.Write(ctx, w, choice, firm.Format(c.Format))
	if err = errors.Join(err, w.Flush(), f.Close()); err != nil {
		err = errors.Join(err, os.Remove(c.Out))
	}
	return sum, err
}

// say tells which entries were written.
func (c *ledgerEntriesCmd) say(w io.Writer, sum firm.Summary) error {
	var b strings.Builder
	switch sum.Entries {
	case 0:
		b.WriteString("there are no entries in this time\n")
	case 1:
		fmt.Fprintf(&b, "1 entry, %s\n", sum.Last)
	default:
		fmt.Fprintf(&b, "%s, from %s to %s\n", figure.CountOf(sum.Entries, "entry", "entries"), sum.First, sum.Last)
	}
	if len(sum.Empty) > 0 {
		fmt.Fprintf(&b, "nothing was posted in %s\n", figure.List(sum.Empty))
	}
	if sum.Unfinished != "" {
		fmt.Fprintf(&b, "%s is left out: no day after it is closed\n", sum.Unfinished)
	}
	if sum.Brought {
		fmt.Fprintf(&b, "the accounts had balances before %s: the first file that a ledger takes in needs --opening\n", sum.First)
	}
	if sum.Since.Records > 0 {
		fmt.Fprintf(&b, "%v No entry has any of it.\n", sum.Since)
	}
	if c.Out != "" {
		fmt.Fprintf(&b, "the entries are in %s\n", c.Out)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// choice reads the flags.
func (c *ledgerEntriesCmd) choice() (firm.Choice, error) {
	choice := firm.Choice{By: firm.Period(c.By), After: c.After, Opening: c.Opening}
	var err error
	if choice.From, choice.To, err = periodOf(c.From, c.To); err != nil {
		return choice, err
	}
	choice.Mapping, err = c.mapping()
	return choice, err
}

// periodOf reads the first and the last day of a period, either of which may be absent.
func periodOf(first, last string) (from, to day.Day, err error) {
	if first != "" {
		if from, err = day.Parse(first); err != nil {
			return from, to, misused("--from", err)
		}
	}
	if last != "" {
		if to, err = day.Parse(last); err != nil {
			return from, to, misused("--to", err)
		}
	}
	if from != day.None && to != day.None && from > to {
		return from, to, misused("--to", fmt.Errorf("%v is before %v", to, from))
	}
	return from, to, nil
}
