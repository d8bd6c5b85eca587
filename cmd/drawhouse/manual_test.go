package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"drawhouse"
)

// TestManual looks for every command, argument and flag on its page.
func TestManual(t *testing.T) {
	t.Parallel()
	root := model()
	pages := manual(root)
	if first := string(pages["drawhouse.1"]); !strings.Contains(first, drawhouse.Version) {
		t.Error("the first page does not name the version")
	}
	for _, command := range root.Children {
		page := string(pages["drawhouse-"+command.Name+".1"])
		if !strings.Contains(string(pages["drawhouse.1"]), manText("drawhouse-"+command.Name)) {
			t.Errorf("the first page does not name %s", command.Name)
		}
		var visit func(node *kong.Node)
		visit = func(node *kong.Node) {
			if node.Hidden {
				return
			}
			has := func(text string) {
				if text = manText(strings.Join(strings.Fields(text), " ")); !strings.Contains(page, text+"\n") {
					t.Errorf("the page of %s does not have %q", node.FullPath(), text)
				}
			}
			has(node.Help)
			for _, argument := range node.Positional {
				has(argument.Help)
			}
			for _, flag := range node.Flags {
				if !flag.Hidden && !strings.Contains(page, `\fB`+manText("--"+flag.Name)) {
					t.Errorf("the page of %s does not have --%s", node.FullPath(), flag.Name)
				}
			}
			for _, child := range node.Children {
				visit(child)
			}
		}
		visit(command)
	}
}

// TestManText writes texts that man would take for its own.
func TestManText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		".TH is no heading": `\&.TH is no heading`,
		"'quoted'":          `\&'quoted'`,
		`a \fB b`:           `a \efB b`,
		"--config":          `\-\-config`,
	} {
		if got := manText(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestManualIsRead has man read every page.
func TestManualIsRead(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("man"); err != nil {
		t.Skip("THE PAGES OF THE MANUAL WERE NOT READ: no man")
	}
	dir := t.TempDir()
	for name, page := range manual(model()) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, page, 0o600); err != nil {
			t.Fatal(err)
		}
		read := exec.Command("man", "--warnings=w", "-l", "-E", "UTF-8", file)
		read.Env = append(os.Environ(), "MANWIDTH=100", "LC_ALL=C.UTF-8")
		warnings := new(strings.Builder)
		read.Stderr = warnings
		text, err := read.Output()
		title := strings.ToUpper(strings.TrimSuffix(name, ".1")) + "(1)"
		if err != nil || warnings.Len() > 0 || !strings.HasPrefix(string(text), title) {
			t.Error(fmt.Errorf("%s: %w: %s%.200s", name, err, warnings, text))
		}
	}
}
