package drawhouse_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// link finds the target of an inline link or picture of Markdown.
var link = regexp.MustCompile(`\]\(([^()\s]+)\)`)

// TestLinks follows the links of every document to files of the module and to headings of
// its documents, so that a map of folders cannot show one that is not there.
func TestLinks(t *testing.T) {
	var documents []source
	headings := map[string]map[string]bool{}
	for _, f := range sources(t) {
		if strings.HasSuffix(f.name, ".md") && !f.isTestdata() {
			documents = append(documents, f)
			headings[f.name] = headingsOf(f)
		}
	}
	for _, f := range documents {
		report(t, checkLinks(f, exists, headings))
	}
}

func exists(name string) bool {
	_, err := os.Stat(filepath.FromSlash(name))
	return err == nil
}

// checkLinks returns the links of a document that lead to no file, or to no heading of a
// document. Addresses on the network are not followed.
func checkLinks(f source, exists func(name string) bool, headings map[string]map[string]bool) []string {
	var problems []string
	number := 0
	for line := range strings.Lines(string(f.data)) {
		number++
		for _, match := range link.FindAllStringSubmatch(line, -1) {
			target, heading, _ := strings.Cut(match[1], "#")
			if strings.Contains(target, ":") {
				continue
			}
			name := f.name
			if target != "" {
				name = path.Join(path.Dir(f.name), target)
			}
			if target != "" && !exists(name) {
				problems = append(problems, fmt.Sprintf("%s:%d: the link to %s leads nowhere", f.name, number, target))
			} else if known := headings[name]; known != nil && heading != "" && !known[heading] {
				problems = append(problems, fmt.Sprintf("%s:%d: %s has no heading %s", f.name, number, name, heading))
			}
		}
	}
	return problems
}

// headingsOf returns the headings of a document as links name them: in small letters, with
// hyphens for blanks and without other marks; one that comes again has its count.
func headingsOf(f source) map[string]bool {
	found := map[string]bool{}
	inCode := false
	for line := range strings.Lines(string(f.data)) {
		if strings.HasPrefix(line, "```") {
			inCode = !inCode
		}
		text := strings.TrimLeft(line, "#")
		if inCode || text == line || !strings.HasPrefix(text, " ") {
			continue
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(text))
		again := name
		for n := 1; found[again]; n++ {
			again = fmt.Sprintf("%s-%d", name, n)
		}
		found[again] = true
	}
	return found
}

func TestLinkCheckFires(t *testing.T) {
	onlyGuide := func(name string) bool { return name == "docs/GUIDE.md" }
	guide := source{"docs/GUIDE.md",
		[]byte("# The guide\n## Start, and `stop`\n```\n# no heading\n```\n## Twice\n## Twice\n")}
	for _, c := range []struct{ name, file, text, want string }{
		{"down", "README.md", "see [it](docs/GUIDE.md).\n", ""},
		{"beside", "docs/A.md", "see [it](GUIDE.md#start-and-stop).\n", ""},
		{"within", "docs/GUIDE.md", "see [it](#the-guide).\n", ""},
		{"the second of a name", "docs/A.md", "[it](GUIDE.md#twice-1)\n", ""},
		{"no such heading", "docs/A.md", "[it](GUIDE.md#end)\n", "docs/GUIDE.md has no heading end"},
		{"no such heading within", "docs/GUIDE.md", "[it](#end)\n", "has no heading end"},
		{"a remark of a command", "docs/A.md", "[it](GUIDE.md#no-heading)\n", "has no heading no-heading"},
		{"network", "README.md", "see [it](https://example.org/x).\n", ""},
		{"no such file", "README.md", "\n[it](docs/GONE.md)\n", "README.md:2: the link to docs/GONE.md"},
		{"relative to the wrong folder", "docs/A.md", "[it](docs/GUIDE.md)\n", "leads nowhere"},
		{"a picture", "README.md", "![it](docs/board.png)\n", "leads nowhere"},
	} {
		expect(t, c.name, checkLinks(source{c.file, []byte(c.text)}, onlyGuide,
			map[string]map[string]bool{guide.name: headingsOf(guide)}), c.want)
	}
}
