package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// model returns the commands as the program has them.
func model() *kong.Node { return kong.Must(new(cli)).Model.Node }

// wordsOf returns candidates without their help.
func wordsOf(root *kong.Node, line string) string {
	found := candidates(root, strings.Split(line, " "))
	for i, candidate := range found {
		found[i], _, _ = strings.Cut(candidate, "\t")
	}
	return strings.Join(found, " ")
}

// TestCandidates completes lines.
func TestCandidates(t *testing.T) {
	t.Parallel()
	root := model()
	for line, want := range map[string]string{
		"keys ":                            "list check backup make show rotate",
		"keys ro":                          "rotate",
		"key":                              "keys",
		"keys rotate ":                     "house device serials personal",
		"keys rotate house ":               "house device serials personal", // several may be exchanged at once
		"serve --log-format ":              "text json",
		"serve --log-format j":             "json",
		"serve --log-format = j":           "json", // as bash has it
		"serve --log-format=j":             "--log-format=json",
		"serve --log-format json --log-l":  "--log-level",
		"--config ":                        anyFile,
		"--config x ver":                   "version verify",
		"serve --config=x":                 anyFile,
		"serve --data ":                    anyFolder,
		"serve --addr ":                    "",
		"serve --no-such ":                 "",
		"serve --no-such=":                 "",
		"witness --links-":                 "--links-key", // of serve, which stands for witness alone
		"witness r":                        "rebuild",
		"witness rebuild x r":              "",
		"serve --demo --log-format=text w": "",
		"no such command ":                 "",
		"version --parts --v":              "--verify",
		"version --verify ":                anyFile,
	} {
		if got := wordsOf(root, line); got != want {
			t.Errorf("%q may become %q, want %q", line, got, want)
		}
	}
	if got := candidates(root, nil); got != nil {
		t.Errorf("a line without a word may become %q", got)
	}
}

// TestEveryWordIsCompleted completes every command and every flag.
func TestEveryWordIsCompleted(t *testing.T) {
	t.Parallel()
	root, completed := model(), 0
	var visit func(node *kong.Node, path []string)
	visit = func(node *kong.Node, path []string) {
		for _, child := range node.Children {
			below := append(slices.Clone(path), child.Name)
			got := wordsOf(root, strings.Join(below, " "))
			if !child.Hidden && !slices.Contains(strings.Fields(got), child.Name) {
				t.Errorf("%v is not completed: %q", below, got)
			}
			visit(child, below)
		}
		for _, flag := range node.Flags {
			line := strings.Join(append(slices.Clone(path), "--"+flag.Name), " ")
			if got := wordsOf(root, line); !flag.Hidden && !slices.Contains(strings.Fields(got), "--"+flag.Name) {
				t.Errorf("%q is not completed: %q", line, got)
			}
			completed++
		}
	}
	visit(root, nil)
	if completed < 200 {
		t.Errorf("there are only %d flags", completed)
	}
}
