package drawhouse_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// longestFile is the most lines that a Go file written by hand may have; a
// reader who meets a longer one meets two ideas.
const longestFile = 900

// mostBranches is the most ways through a function of the product.
const mostBranches = 30

// widestLine is the most columns that a line of Go may have. What cannot be broken, such as
// a text, a tag, a directive and what an example prints, does not count.
const widestLine = 120

var (
	// leftover finds the words that mark unfinished work. They are put together
	// here so that this file may be checked like any other.
	leftover = regexp.MustCompile(`\b(` + strings.Join([]string{"TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"}, "|") +
		`)\b`)
	// machinePath finds a path that exists on one person's machine only.
	machinePath = regexp.MustCompile(`(^|[^\w./~-])/(home|root|work|Users)/\w`)
	// trailing finds white space at the end of a line, and carriage returns.
	trailing = regexp.MustCompile(`[ \t\r]$`)
	// drawerNames are names of packages that say nothing of what is in them.
	drawerNames = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "stuff"}
)

func TestTidy(t *testing.T) {
	files := sources(t)
	for _, f := range files {
		report(t, checkText(f))
		if f.isGo() && !f.isTestdata() {
			report(t, checkGo(f))
		}
	}
	for _, p := range goPackages(t, files) {
		report(t, checkPackage(p))
	}
}

// checkText returns what no text file may hold. Files under testdata are what a
// test says they are, down to their spaces, but leave nothing unfinished.
func checkText(f source) []string {
	if bytes.IndexByte(f.data, 0) >= 0 {
		return nil // Pictures and fonts have no lines.
	}
	var problems []string
	add := func(line int, what string) {
		problems = append(problems, fmt.Sprintf("%s:%d: %s", f.name, line, what))
	}
	number := 0
	for line := range strings.Lines(string(f.data)) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if word := leftover.FindString(line); word != "" {
			add(number, word+" marks work that is not finished")
		}
		if machinePath.MatchString(line) {
			add(number, "a path of one machine")
		}
		if !f.isTestdata() && trailing.MatchString(line) {
			add(number, "white space at the end of the line")
		}
	}
	return problems
}

// checkGo returns what no Go file may be.
func checkGo(f source) []string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, f.name, f.data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return []string{fmt.Sprintf("%s does not parse: %v", f.name, err)}
	}
	var problems []string
	if formatted, err := format.Source(f.data); err != nil || !bytes.Equal(formatted, f.data) {
		problems = append(problems, f.name+": not formatted by gofmt")
	}
	lines := fset.File(file.Pos()).LineCount()
	if lines > longestFile && !f.isTest() && !ast.IsGenerated(file) {
		problems = append(problems, fmt.Sprintf("%s: %d lines, more than %d: split it by what it is about", f.name, lines,
			longestFile))
	}
	if !ast.IsGenerated(file) {
		for _, line := range tooWide(f.data) {
			problems = append(problems, fmt.Sprintf("%s:%d: more than %d columns", f.name, line, widestLine))
		}
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && !f.isTest() && branches(fn) > mostBranches {
			problems = append(problems, fmt.Sprintf("%s: %s has %d branches, more than %d", fset.Position(fn.Pos()),
				fn.Name.Name, branches(fn), mostBranches))
		}
	}
	if file.Name.Name != "main" && !f.isTest() {
		for _, pos := range prints(file) {
			problems = append(problems, fmt.Sprintf("%s: a library prints", fset.Position(pos)))
		}
	}
	return problems
}

// directive finds comments that are read by programs, which want them in one line.
var directive = regexp.MustCompile(`^//[a-z]+:?[a-z]`)

// tooWide returns the lines of a Go file that are wider than widestLine.
func tooWide(data []byte) (wide []int) {
	texts := map[int]int{} // columns of what cannot be broken, by line
	output := false        // what an example prints follows
	within := map[int]bool{}
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(data))
	var s scanner.Scanner
	s.Init(file, data, nil, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			break
		}
		output = tok == token.COMMENT && (output || strings.HasSuffix(strings.ToLower(text), "output:"))
		if tok != token.STRING && tok != token.CHAR && !output && !(tok == token.COMMENT && directive.MatchString(text)) {
			continue
		}
		line := file.Line(pos)
		texts[line] += utf8.RuneCountInString(text)
		for k := range strings.Count(text, "\n") {
			within[line], within[line+k+1] = true, true
		}
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if !within[number] && utf8.RuneCount(bytes.TrimRight(line, "\n"))-texts[number] > widestLine {
			wide = append(wide, number)
		}
	}
	return wide
}

// branches counts the ways through a function: one, and one more for every condition, loop and case.
func branches(fn *ast.FuncDecl) int {
	n := 1
	ast.Inspect(fn, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			n += min(len(x.List), 1)
		case *ast.CommClause:
			if x.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// prints returns where a file writes to the process's own output, as people do
// to see what happens and forget to remove.
func prints(file *ast.File) []token.Pos {
	var found []token.Pos
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			if f.Name == "println" || f.Name == "print" {
				found = append(found, f.Pos())
			}
		case *ast.SelectorExpr:
			x, ok := f.X.(*ast.Ident)
			if ok && x.Name == "fmt" && slices.Contains([]string{"Print", "Printf", "Println"}, f.Sel.Name) {
				found = append(found, f.Pos())
			}
		}
		return true
	})
	return found
}

// checkPackage returns what is wrong with a package's name and comment.
func checkPackage(p *goPackage) []string {
	var problems []string
	for _, name := range append(strings.Split(p.dir, "/"), p.name) {
		if slices.Contains(drawerNames, name) {
			problems = append(problems, fmt.Sprintf("%s: a package is named for what it is about, not %s", p.dir, name))
			break
		}
	}
	switch {
	case p.doc == "":
		problems = append(problems, p.dir+": no package comment")
	case p.name != "main" && !strings.HasPrefix(p.doc, "Package "+p.name+" "):
		problems = append(problems, fmt.Sprintf("%s: the package comment does not begin with Package %s", p.dir, p.name))
	case p.name == "main" && !strings.HasPrefix(p.doc, "Command "+path.Base(p.dir)+" "):
		problems = append(problems, fmt.Sprintf("%s: the package comment does not begin with Command %s", p.dir,
			path.Base(p.dir)))
	}
	return problems
}

func TestTextBansFire(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"clean", "a.md", "Nothing to hide.\n", ""},
		{"a word within a word", "a.md", "METHO" + "DOLOGY and TO" + "DOS\n", ""},
		{"an address", "a.md", "https://example.org/" + "home/page\n", ""},
		{"a relative path", "a.md", "see ../" + "work/plan\n", ""},
		{"a picture", "a.png", "\x89PNG\x00 \n", ""},
		{"spaces in a golden", "a/testdata/receipt.txt", "total  \n", ""},

		{"leftover 1", "a.go", "// TO" + "DO: later\n", "not finished"},
		{"leftover 2", "a.go", "// FIX" + "ME\n", "not finished"},
		{"leftover 3", "a.yaml", "# XX" + "X wrong\n", "not finished"},
		{"leftover 4", "a.js", "/* HA" + "CK */\n", "not finished"},
		{"leftover in a golden", "a/testdata/x.txt", "TO" + "DO\n", "not finished"},
		{"a home", "a.sh", "cd /" + "home/alice\n", "one machine"},
		{"a home in quotes", "a.go", "p := \"/" + "root/x\"\n", "one machine"},
		{"a home of another kind", "a.md", "/" + "Users/bob\n", "one machine"},
		{"trailing space", "a.md", "one \ntwo\n", "a.md:1: white space"},
		{"trailing tab", "a.md", "one\ntwo\t\n", "a.md:2: white space"},
		{"trailing space without newline", "a.md", "one ", "white space"},
		{"carriage return", "a.md", "one\r\n", "white space"},
	} {
		expect(t, c.name, checkText(source{c.file, []byte(c.text)}), c.want)
	}
}

func TestGoBansFire(t *testing.T) {
	long := strings.Repeat("\n// A line.\n", longestFile/2+1)
	for _, c := range []struct{ name, file, text, want string }{
		{"clean", "a.go", "package a\n\nvar x = 1\n", ""},
		{"not formatted", "a.go", "package a\nvar  x = 1\n", "gofmt"},
		{"not Go", "a.go", "package\n", "does not parse"},
		{"too long", "a.go", "package a\n" + long, "split it"},
		{"a long test", "a_test.go", "package a\n" + long, ""},
		{"long and generated", "a.go", "// Code generated by x. DO NOT EDIT.\n\npackage a\n" + long, ""},
		{"a print", "a.go", "package a\n\nfunc f() { fmt.Println(1) }\n", "a library prints"},
		{"a built-in print", "a.go", "package a\n\nfunc f() { println(1) }\n", "a library prints"},
		{"a print to a writer", "a.go", "package a\n\nfunc f() { fmt.Fprintln(w, 1) }\n", ""},
		{"a line of 120 columns", "a.go", "package a\n\n// " + strings.Repeat("x", 117) + "\n", ""},
		{"a line of 121 columns", "a.go", "package a\n\n// " + strings.Repeat("x", 118) + "\n", "a.go:3: more than 120"},
		{"a wide output", "a.go", "package a\n\nfunc f() {\n\t// Output:\n\t// " + strings.Repeat("x", 118) + "\n}\n", ""},
		{"a wide text", "a.go", "package a\n\nvar x = \"" + strings.Repeat("x", 150) + "\"\n", ""},
		{"a wide text over lines", "a.go", "package a\n\nvar x = `\n" + strings.Repeat("x", 150) + "`\n", ""},
		{"a wide directive", "a.go", "package a\n\n//rule:" + strings.Repeat("x", 150) + "\nvar x = 1\n", ""},
		{"a wide call", "a.go", "package a\n\nvar x = f(" + strings.Repeat("a, ", 50) + "a)\n", "a.go:3: more than 120"},
		{"wide and generated", "a.go", "// Code generated by x. DO NOT EDIT.\n\npackage a\n\n// " + strings.Repeat("x", 118) + "\n", ""},
		{"30 branches", "a.go", "package a\n\nfunc f() {\n" + strings.Repeat("\tif x {\n\t}\n", 29) + "}\n", ""},
		{"31 branches", "a.go", "package a\n\nfunc f() {\n" + strings.Repeat("\tif x {\n\t}\n", 30) + "}\n", "31 branches"},
		{"a command prints", "a.go", "package main\n\nfunc f() { fmt.Println(1) }\n", ""},
	} {
		expect(t, c.name, checkGo(source{c.file, []byte(c.text)}), c.want)
	}
}

func TestPackageBansFire(t *testing.T) {
	for _, c := range []struct {
		name string
		pkg  goPackage
		want string
	}{
		{"clean", goPackage{dir: "keno", name: "keno", doc: "Package keno matches."}, ""},
		{"a command", goPackage{dir: "cmd/x", name: "main", doc: "Command x runs."}, ""},
		{"no comment", goPackage{dir: "keno", name: "keno"}, "no package comment"},
		{"another's comment", goPackage{dir: "keno", name: "keno", doc: "Package bingo calls."}, "Package keno"},
		{"a command like a package", goPackage{dir: "cmd/x", name: "main", doc: "Package main runs."}, "Command x"},
		{"a drawer", goPackage{dir: "util", name: "util", doc: "Package util helps."}, "not util"},
		{"a folder that is a drawer", goPackage{dir: "common/keno", name: "keno", doc: "Package keno is."}, "not common"},
		{"a name that is a drawer", goPackage{dir: "keno", name: "helpers", doc: "Package helpers is."}, "not helpers"},
	} {
		expect(t, c.name, checkPackage(&c.pkg), c.want)
	}
}
