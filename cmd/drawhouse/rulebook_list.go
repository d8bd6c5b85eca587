package main

import (
	"bytes"
	"fmt"

	"drawhouse/rulebook/rules"
)

// rulebookListCmd lists the built-in rulebooks.
type rulebookListCmd struct{}

// Run implements the command.
func (*rulebookListCmd) Run(out *bytes.Buffer) error {
	var rows bytes.Buffer
	fmt.Fprintln(&rows, "ID\tEDITION\tKIND\tFROM\tHASH\tTITLE")
	for _, id := range rules.IDs() {
		book, err := rules.Book(id)
		if err != nil {
			return err
		}
		fmt.Fprintf(&rows, "%s\t%d\t%s\t%v\t%.16s\t%s\n", book.ID(), book.Edition(), book.Kind(), book.From(),
			book.Hash(), book.Title())
	}
	return writeColumns(out, &rows)
}
