package main

import (
	"bytes"
	"fmt"
	"strings"

	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// rulebookShowCmd shows a rulebook.
type rulebookShowCmd struct {
	Rulebook string `arg:"" help:"Id of a built-in rulebook, a file, or one of an exported journal as DIR@HASH."`
	Status   bool   `help:"Say of every value whether it is fixed, open to an edition, or an example."`
	Money    bool   `help:"Show what money of each origin may become, in the order in which it is spent."`
	YAML     bool   `name:"yaml" help:"Print the file itself of a built-in rulebook, to read or to begin a rulebook of your own with."`
}

// Run implements the command.
func (c *rulebookShowCmd) Run(out *bytes.Buffer) error {
	if c.YAML {
		text, err := rules.Text(c.Rulebook)
		if err != nil {
			return misused("--yaml", err)
		}
		out.Write(text)
		return nil
	}
	book, err := findBook("RULEBOOK", c.Rulebook)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, edition %d: %s\nhash %v\n\n", book.ID(), book.Edition(), book.Title(), book.Hash())
	if c.Money {
		return showMoney(out, book)
	}
	status := book.Statuses()
	// What a book holds is what it differs in from a book that holds nothing.
	for _, v := range rulebook.DiffWritten(new(rulebook.Book), book) {
		switch {
		// stands behind the values
		case v.New == "" || strings.HasSuffix(v.Path, ".clause") || strings.HasSuffix(v.Path, "_clause"):
			continue
		case v.Clause == "":
			fmt.Fprintf(out, "%s: %s", v.Path, v.New)
		default:
			fmt.Fprintf(out, "%s: %s (%s)", v.Path, v.New, v.Clause)
		}
		if c.Status {
			fmt.Fprintf(out, ", %s", status[v.Path])
		}
		fmt.Fprintln(out)
	}
	return nil
}

// showMoney prints the table of money.
func showMoney(out *bytes.Buffer, book *rulebook.Book) error {
	var rows bytes.Buffer
	fmt.Fprintln(&rows, strings.ToUpper(strings.Join(rulebook.MoneyHeads(), "\t")))
	for _, r := range book.MoneyTable() {
		fmt.Fprintln(&rows, book.Money().In(strings.Join(r.Cells(), "\t")))
	}
	return writeColumns(out, &rows)
}
