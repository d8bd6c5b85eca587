package drawhouse_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// link finds the target of an inline link or picture of Markdown.
var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// TestLinks follows the links of every document to files of the module, so that
// a map of folders cannot show one that is not there.
func TestLinks(t *testing.T) {
	for _, f := range sources(t) {
		if strings.HasSuffix(f.name, ".md") && !f.isTestdata() {
			report(t, checkLinks(f, exists))
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(filepath.FromSlash(name))
	return err == nil
}

// checkLinks returns the links of a document that lead to no file. Addresses on
// the network and places within the document are not followed.
func checkLinks(f source, exists func(name string) bool) []string {
	var problems []string
	number := 0
	for line := range strings.Lines(string(f.data)) {
		number++
		for _, match := range link.FindAllStringSubmatch(line, -1) {
			target, _, _ := strings.Cut(match[1], "#")
			if target == "" || strings.Contains(target, ":") {
				continue
			}
			if !exists(path.Join(path.Dir(f.name), target)) {
				problems = append(problems, fmt.Sprintf("%s:%d: the link to %s leads nowhere", f.name, number, target))
			}
		}
	}
	return problems
}

func TestLinkCheckFires(t *testing.T) {
	onlyGuide := func(name string) bool { return name == "docs/GUIDE.md" }
	for _, c := range []struct{ name, file, text, want string }{
		{"down", "README.md", "see [it](docs/GUIDE.md).\n", ""},
		{"beside", "docs/A.md", "see [it](GUIDE.md#start).\n", ""},
		{"within", "docs/A.md", "see [it](#start).\n", ""},
		{"network", "README.md", "see [it](https://example.org/x).\n", ""},
		{"no such file", "README.md", "\n[it](docs/GONE.md)\n", "README.md:2: the link to docs/GONE.md"},
		{"relative to the wrong folder", "docs/A.md", "[it](docs/GUIDE.md)\n", "leads nowhere"},
		{"a picture", "README.md", "![it](docs/board.png)\n", "leads nowhere"},
	} {
		expect(t, c.name, checkLinks(source{c.file, []byte(c.text)}, onlyGuide), c.want)
	}
}
