package main

import (
	"bytes"
	"fmt"

	"drawhouse/core/figure"
	"drawhouse/rulebook"
	"drawhouse/rulebook/odds"
)

// rulebookDiffCmd compares two rulebooks.
type rulebookDiffCmd struct {
	A     string `arg:"" help:"The older rulebook: an id, a file, or one of an exported journal as DIR@HASH."`
	B     string `arg:"" help:"The newer rulebook: an id, a file, or one of an exported journal as DIR@HASH."`
	Paths bool   `help:"Print the paths of the values, every citation included, and no effects."`
}

// Run implements the command.
func (c *rulebookDiffCmd) Run(out *bytes.Buffer) error {
	a, err := findBook("A", c.A)
	if err != nil {
		return err
	}
	b, err := findBook("B", c.B)
	if err != nil {
		return err
	}
	changes := rulebook.DiffWritten(a, b)
	if len(changes) > 0 && !c.Paths {
		return writeDifferences(out, a, b, changes)
	}
	for _, change := range changes {
		fmt.Fprintf(out, "%s: %s -> %s", change.Path, orNothing(change.Old), orNothing(change.New))
		if change.Clause != "" {
			fmt.Fprintf(out, " (%s)", change.Clause)
		}
		fmt.Fprintln(out)
	}
	if len(changes) == 0 {
		fmt.Fprintf(out, "no differences: both have the hash %v\n", a.Hash())
	}
	return nil
}

func orNothing(value string) string {
	if value == "" {
		return "nothing"
	}
	return value
}

// writeDifferences says in words in what two rulebooks differ, and what that does.
func writeDifferences(out *bytes.Buffer, a, b *rulebook.Book, changes []rulebook.Change) error {
	for _, book := range []*rulebook.Book{a, b} {
		fmt.Fprintf(out, "%s, edition %d, hash %v\n", book.ID(), book.Edition(), book.Hash())
	}
	fmt.Fprintln(out, "\nvalues")
	citations := 0
	for _, change := range changes {
		if change.IsCitation() {
			citations++
			continue
		}
		fmt.Fprintf(out, "  %s\n", change.Words())
	}
	if citations > 0 {
		fmt.Fprintf(out, "  %s of clauses and readings; --paths lists them.\n", figure.Count(citations, "change"))
	}
	effects, err := odds.Effect(a, b)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "\nodds and liability")
	for _, line := range effects {
		fmt.Fprintf(out, "  %s\n", line)
	}
	if len(effects) == 0 {
		fmt.Fprintln(out, "  They stay as they are.")
	}
	return nil
}
