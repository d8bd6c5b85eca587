package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"drawhouse/core/figure"
	"drawhouse/receipt"
	"drawhouse/rulebook"
)

// rulebookCheckCmd checks a rulebook file.
type rulebookCheckCmd struct {
	File string `arg:"" help:"The rulebook as YAML."`
}

// Run implements the command. Faults and warnings are the result and go to the
// output, one to a line as editors read them, each fault with the form of what to write there.
func (c *rulebookCheckCmd) Run(out *bytes.Buffer) error {
	data, err := os.ReadFile(c.File)
	if err != nil {
		return misused("FILE", err)
	}
	book, err := loadFile(c.File, data)
	if err == nil {
		// A file of a rulebook of the program is no operator's own.
		if _, ours := builtIn(book.Hash()); !ours {
			if faults := unfit(book, data); len(faults) > 0 {
				err = faults
			}
		}
	}
	if faults := (rulebook.Faults)(nil); errors.As(err, &faults) {
		for _, f := range faults {
			fmt.Fprintln(out, f)
			if line := f.Remedy(); line != "" {
				fmt.Fprintf(out, "    write: %s\n", line)
			}
		}
		return fmt.Errorf("%s has %s", c.File, figure.Count(len(faults), "fault"))
	}
	if err != nil {
		return err
	}
	warnings := append(cautions(book, time.Now()), unprintable(c.File, book)...)
	for _, w := range warnings {
		w.Message = "warning: " + w.Message
		fmt.Fprintln(out, w)
	}
	warned := "no warnings"
	if len(warnings) > 0 {
		warned = figure.Count(len(warnings), "warning")
	}
	fmt.Fprintf(out, "%s is sound: %s edition %d, hash %v, %s\n", c.File, book.ID(), book.Edition(), book.Hash(),
		warned)
	return nil
}

// unprintable returns a warning for every text of a book that paper cannot print as it is. The sign of the currency is
// none: where it cannot be printed, papers have the code.
func unprintable(file string, book *rulebook.Book) (warnings rulebook.Faults) {
	for _, v := range rulebook.Diff(new(rulebook.Book), book) {
		if letters := receipt.Replaced(v.New); letters != "" && !strings.HasPrefix(v.Path, "format.") {
			warnings = append(warnings, rulebook.Fault{File: file, Path: v.Path,
				Message: fmt.Sprintf("papers do not have %q and print other letters", letters)})
		}
	}
	return warnings
}
