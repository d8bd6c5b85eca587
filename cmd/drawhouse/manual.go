package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"drawhouse"
)

// manualCmd writes the pages of the manual.
type manualCmd struct {
	Dir string `arg:"" type:"path" help:"Folder to write them into; it is made if it is missing."`
}

// Run implements the command.
func (m *manualCmd) Run(c *kong.Context, out *bytes.Buffer) error {
	if err := os.MkdirAll(m.Dir, 0o755); err != nil {
		return misused("<dir>", err)
	}
	pages := manual(c.Model.Node)
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		if err := os.WriteFile(filepath.Join(m.Dir, name), pages[name], 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d pages in %s\n", len(pages), m.Dir)
	return nil
}

// manual returns a page of section 1 for the program and one for each of its commands, by the names of their files.
func manual(root *kong.Node) map[string][]byte {
	pages := map[string][]byte{"drawhouse.1": programPage(root)}
	for _, command := range root.Children {
		if !command.Hidden {
			pages["drawhouse-"+command.Name+".1"] = commandPage(command)
		}
	}
	return pages
}

// manualPage is a page in the language of man(7).
type manualPage struct{ bytes.Buffer }

// newPage begins a page with its name and what it is about.
func newPage(name, about string) *manualPage {
	p := new(manualPage)
	fmt.Fprintf(&p.Buffer, ".TH %s 1 \"\" \"drawhouse %s\" \"drawhouse\"\n", strings.ToUpper(name), drawhouse.Version)
	p.section("NAME")
	p.text(name + " - " + strings.TrimSuffix(about, "."))
	return p
}

func (p *manualPage) section(title string) { fmt.Fprintf(&p.Buffer, ".SH %s\n", title) }

// item begins a paragraph below a term.
func (p *manualPage) item(term, text string) {
	fmt.Fprintf(&p.Buffer, ".TP\n\\fB%s\\fR\n", manText(term))
	p.text(text)
}

// text writes lines that are filled.
func (p *manualPage) text(text string) {
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		fmt.Fprintln(&p.Buffer, manText(text))
	}
}

// verbatim writes lines as they stand.
func (p *manualPage) verbatim(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	p.WriteString(".PP\n.nf\n")
	for line := range strings.Lines(text) {
		fmt.Fprintln(&p.Buffer, manText(strings.TrimRight(line, " \n")))
	}
	p.WriteString(".fi\n")
}

// manText writes a text so that man(7) takes nothing of it for its own.
func manText(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// programPage is the page of the program, which lists its commands.
func programPage(root *kong.Node) []byte {
	p := newPage("drawhouse", description)
	p.section("SYNOPSIS")
	p.text("drawhouse [--config=FILE] COMMAND [FLAG ...] [ARGUMENT ...]")
	p.section("COMMANDS")
	for _, command := range root.Children {
		if !command.Hidden {
			p.item("drawhouse-"+command.Name+"(1)", command.Help)
		}
	}
	p.section("OPTIONS")
	p.flags(root.Flags)
	p.section("ENVIRONMENT")
	p.item(variablePrefix+"NAME", "The value of a setting that the command line does not give. The pages of commands name "+
		"the variable of each. Lists are separated by blanks.")
	p.section("EXIT STATUS")
	p.item("0", "The command did what it was asked.")
	p.item(fmt.Sprint(statusRefused), "The request was refused; the error output says why.")
	p.item(fmt.Sprint(statusUsage), "The command line cannot be meant.")
	return p.Bytes()
}

// commandPage is the page of a command, with the commands below it.
func commandPage(command *kong.Node) []byte {
	p := newPage("drawhouse-"+command.Name, command.Help)
	p.section("SYNOPSIS")
	leaves := command.Leaves(true)
	if len(leaves) == 0 {
		leaves = []*kong.Node{command}
	}
	for _, leaf := range leaves {
		p.WriteString(".PP\n")
		p.text("drawhouse " + leaf.Summary())
	}
	p.section("DESCRIPTION")
	p.command(command)
	p.below(command)
	p.section("SEE ALSO")
	p.text("drawhouse(1)")
	return p.Bytes()
}

// below writes the commands below a command.
func (p *manualPage) below(node *kong.Node) {
	for _, child := range node.Children {
		if !child.Hidden {
			p.section(manText(strings.ToUpper("drawhouse " + child.Path())))
			p.command(child)
			p.below(child)
		}
	}
}

// command writes what a command does and takes.
func (p *manualPage) command(node *kong.Node) {
	p.text(node.Help)
	p.verbatim(node.Detail)
	for _, argument := range node.Positional {
		p.item(argument.Summary(), argument.Help)
	}
	p.flags(node.Flags)
}

// flags writes flags with what they do, and how the environment gives them.
func (p *manualPage) flags(flags []*kong.Flag) {
	for _, flag := range flags {
		if flag.Hidden {
			continue
		}
		text := flag.Help
		if flag.Enum != "" {
			text += " One of " + strings.Join(flag.EnumSlice(), ", ") + "."
		}
		if flag.Tag.Has(settingTag) {
			text += " In the environment " + variableOf(flag.Name) + "."
		}
		p.item(flag.Summary(), text)
	}
}
