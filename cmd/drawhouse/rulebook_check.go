package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"drawhouse/rulebook"
)

// rulebookCheckCmd checks a rulebook file.
type rulebookCheckCmd struct {
	File string `arg:"" help:"The rulebook as YAML."`
}

// Run implements the command. Faults and warnings are the result and go to the
// output, one to a line as editors read them.
func (c *rulebookCheckCmd) Run(out *bytes.Buffer) error {
	data, err := os.ReadFile(c.File)
	if err != nil {
		return misused("FILE", err)
	}
	book, err := rulebook.Load(c.File, data)
	if faults := (rulebook.Faults)(nil); errors.As(err, &faults) {
		for _, f := range faults {
			fmt.Fprintln(out, f)
		}
		return fmt.Errorf("%s has %s", c.File, plural(len(faults), "fault"))
	}
	if err != nil {
		return err
	}
	warnings := book.Warnings()
	for _, w := range warnings {
		w.Message = "warning: " + w.Message
		fmt.Fprintln(out, w)
	}
	fmt.Fprintf(out, "%s is sound: %s edition %d, hash %v, %s\n", c.File, book.ID(), book.Edition(), book.Hash(), plural(len(warnings), "warning"))
	return nil
}

// plural counts things: "no faults", "1 fault", "3 faults".
func plural(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
