// Package directives reads the //rule: lines with which code names the clauses that it implements.
package directives

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Directive is one clause that a function or type names.
type Directive struct {
	Rulebook, Clause string
	Package          string // folder of the package
	File             string
	Function         string // its name, or that of a type
}

// Read finds every directive above a function or type in the code below a folder, tests apart.
func Read(root string) ([]Directive, error) { return ReadFrom(os.DirFS(root)) }

// ReadFrom finds every directive in the code of a file system, as Read does.
func ReadFrom(code fs.FS) ([]Directive, error) {
	var found []Directive
	err := fs.WalkDir(code, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && file != "." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(code, file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, decl := range parsed.Decls {
			for _, d := range Of(decl) {
				d.File, d.Package = file, path.Dir(file)
				found = append(found, d)
			}
		}
		return nil
	})
	return found, err
}

// Of returns the directives of one declaration.
func Of(decl ast.Decl) []Directive {
	var doc *ast.CommentGroup
	name := ""
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		doc, name = decl.Doc, decl.Name.Name
	case *ast.GenDecl:
		doc = decl.Doc
		if len(decl.Specs) > 0 {
			if spec, ok := decl.Specs[0].(*ast.TypeSpec); ok {
				name = spec.Name.Name
			}
		}
	}
	if doc == nil {
		return nil
	}
	var found []Directive
	for _, line := range doc.List {
		parsed, ok := ast.ParseDirective(line.Slash, line.Text)
		if !ok || parsed.Tool != "rule" {
			continue
		}
		for clause := range strings.FieldsSeq(parsed.Args) {
			found = append(found, Directive{Rulebook: parsed.Name, Clause: clause, Function: name})
		}
	}
	return found
}
