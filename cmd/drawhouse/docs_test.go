package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var (
	// commandBlock finds the blocks of commands of a document.
	commandBlock = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```$")
	// typed finds the commands of a block, with the lines that they go on in.
	typed = regexp.MustCompile(`(?m)^(?:[A-Z_]+=\S+ )*(?:go run \./cmd/)?drawhouse ([a-z](?:.*\\\n)*.*)$`)
	// quoted finds what a document has between backquotes.
	quoted = regexp.MustCompile("`([^`]+)`")
)

// strangers are flags of other programs that the documents name.
var strangers = []string{"--level", "--risk"}

// TestDocumentedCommands holds every command and every flag that a document names against
// the command line, so that nobody types what is not there any more.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	root := kong.Must(new(cli)).Model.Node
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range documented(root, string(text)) {
			found++
			if err := checkCommand(root, line); err != nil {
				t.Errorf("%s: drawhouse %s: %v", filepath.Base(page), line, err)
			}
		}
	}
	if found < 200 {
		t.Errorf("the documents name only %d commands", found)
	}
}

// documented returns the commands of a document without the program's name: those of its
// blocks, and those between backquotes.
func documented(root *kong.Node, text string) (lines []string) {
	for _, b := range commandBlock.FindAllStringSubmatch(text, -1) {
		for _, line := range typed.FindAllStringSubmatch(b[1], -1) {
			lines = append(lines, line[1])
		}
	}
	for _, q := range quoted.FindAllStringSubmatch(commandBlock.ReplaceAllString(text, ""), -1) {
		first, rest, _ := strings.Cut(q[1], " ")
		switch {
		case first == "drawhouse":
			lines = append(lines, rest)
		case strings.HasPrefix(first, "--"), strings.Contains(rest, "--") && childOf(root, first) != nil:
			lines = append(lines, q[1])
		}
	}
	return lines
}

// checkCommand returns what of a line no command has. A line of flags alone is of some
// command that the text around it names.
func checkCommand(root *kong.Node, line string) error {
	at, whole := root, strings.HasPrefix(line, "--")
	for _, word := range strings.Fields(strings.ReplaceAll(line, "\\\n", " ")) {
		if strings.ContainsAny(word[:1], "#>|") {
			break // A remark, or where the result goes.
		}
		if !strings.HasPrefix(word, "--") {
			if child := childOf(at, word); child != nil {
				at = child
			} else if at == root && !whole {
				return fmt.Errorf("there is no command %s", word)
			}
			continue
		}
		name, _, _ := strings.Cut(word, "=")
		name = strings.TrimRight(name, ",.;)")
		if !slices.Contains(strangers, name) && !hasFlag(at, strings.TrimPrefix(name, "--"), whole) {
			return fmt.Errorf("there is no flag %s", name)
		}
	}
	return nil
}

// hasFlag reports whether a command has a flag, itself or by the command that stands for it
// without a name; below reports it of any command below, too.
func hasFlag(node *kong.Node, name string, below bool) bool {
	for _, group := range node.AllFlags(false) {
		if slices.ContainsFunc(group, func(f *kong.Flag) bool { return f.Name == name }) {
			return true
		}
	}
	for _, child := range node.Children {
		if (below || child == node.DefaultCmd) && hasFlag(child, name, below) {
			return true
		}
	}
	return false
}

// TestCommandCheckFires feeds the check with documents.
func TestCommandCheckFires(t *testing.T) {
	root := kong.Must(new(cli)).Model.Node
	for text, want := range map[string]string{
		"```sh\ndrawhouse serve --addr :80   # --no\n```\n":            "",
		"```sh\ndrawhouse witness --listen :80 \\\n  --state x\n```\n": "",
		"`drawhouse keys rotate house --lost` and `--takeover 5s`":     "",
		"`verify --checkpoint` and `draw` and `GET --no`":              "",
		"drawhouse is a program, and `go run --no`":                    "",
		"```sh\ndrawhouse serve --adr :80\n```\n":                      "there is no flag --adr",
		"```sh\nX=1 drawhouse sell\n```\n":                             "there is no command sell",
		"```sh\ndrawhouse keys backup \\\n  --lost\n```\n":             "there is no flag --lost",
		"`drawhouse restor`":                                           "there is no command restor",
		"`keys list --lost`":                                           "there is no flag --lost",
		"`--takover 5s`":                                               "there is no flag --takover",
	} {
		got := ""
		for _, line := range documented(root, text) {
			if err := checkCommand(root, line); err != nil {
				got = err.Error()
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
