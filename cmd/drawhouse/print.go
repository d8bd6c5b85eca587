package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/receipt/forms"
	"drawhouse/rulebook/odds"
)

// printCmd prints what a venue lays out.
type printCmd struct {
	Forms    printFormsCmd    `cmd:"" help:"The forms on which players enter, as PDF."`
	Schedule printScheduleCmd `cmd:"" help:"The prizes with their odds, as PDF."`
}

// printFormsCmd prints entry forms.
type printFormsCmd struct {
	Rulebook string `arg:"" help:"Id of a built-in rulebook, a file, or one of an exported journal as DIR@HASH."`
	Help     string `name:"help-line" placeholder:"TEXT" help:"Where players find help; no such line without it."`
	Out      string `placeholder:"FILE" help:"Write into a file instead of the output."`
}

// Run implements the command.
func (c *printFormsCmd) Run(out *bytes.Buffer, con console.Streams) error {
	book, err := findBook("RULEBOOK", c.Rulebook)
	if err != nil {
		return err
	}
	replaced, err := forms.Entry(out, book, time.Now(), c.Help)
	if err != nil {
		return misprinted(err)
	}
	if err := sayReplaced(con, replaced); err != nil {
		return err
	}
	return writeOut(out, c.Out)
}

// printScheduleCmd prints prizes.
type printScheduleCmd struct {
	Rulebook string `arg:"" help:"Id of a built-in rulebook, a file, or one of an exported journal as DIR@HASH."`
	Schedule string `placeholder:"ID" help:"One schedule, by id or by number; all of them if absent."`
	Help     string `name:"help-line" placeholder:"TEXT" help:"Where players find help; no such line without it."`
	Out      string `placeholder:"FILE" help:"Write into a file instead of the output."`
}

// Run implements the command.
func (c *printScheduleCmd) Run(out *bytes.Buffer, con console.Streams) error {
	book, err := findBook("RULEBOOK", c.Rulebook)
	if err != nil {
		return err
	}
	replaced, err := forms.Schedule(out, book, c.Schedule, time.Now(), c.Help)
	if err != nil {
		return misprinted(err)
	}
	if err := sayReplaced(con, replaced); err != nil {
		return err
	}
	return writeOut(out, c.Out)
}

// sayReplaced says which letters paper does not have, if there were any.
func sayReplaced(con console.Streams, replaced string) error {
	if replaced == "" {
		return nil
	}
	_, err := fmt.Fprintf(con.Stderr, "drawhouse: paper does not have %q; written in other letters\n", replaced)
	return err
}

// misprinted names the argument that an error is about.
func misprinted(err error) error {
	switch {
	case errors.Is(err, forms.ErrNotKeno):
		return misused("RULEBOOK", err)
	case errors.As(err, new(*odds.Unknown)):
		return misused("--schedule", err)
	}
	return err
}

// writeOut moves what a command made into a file, if the line names one.
func writeOut(out *bytes.Buffer, path string) error {
	if path == "" {
		return nil
	}
	defer out.Reset()
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		return misused("--out", err)
	}
	return nil
}
