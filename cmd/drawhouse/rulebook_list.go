package main

import (
	"bytes"
	"fmt"
	"text/tabwriter"

	"drawhouse/rules"
)

// rulebookListCmd lists the built-in rulebooks.
type rulebookListCmd struct{}

// Run implements the command.
func (*rulebookListCmd) Run(out *bytes.Buffer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "ID\tEDITION\tKIND\tFROM\tHASH\tTITLE"); err != nil {
		return err
	}
	for _, id := range rules.IDs() {
		book, err := rules.Book(id)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\t%d\t%s\t%v\t%.16s\t%s\n",
			book.ID(), book.Edition(), book.Kind(), book.From(), book.Hash(), book.Title()); err != nil {
			return err
		}
	}
	return w.Flush()
}
