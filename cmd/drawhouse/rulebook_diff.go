package main

import (
	"bytes"
	"fmt"

	"drawhouse/rulebook"
)

// rulebookDiffCmd compares two rulebooks.
type rulebookDiffCmd struct {
	A string `arg:"" help:"The older rulebook: an id or a file."`
	B string `arg:"" help:"The newer rulebook: an id or a file."`
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
	changes := rulebook.Diff(a, b)
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
