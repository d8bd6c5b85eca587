package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A source is a package with its syntax and types, as golang.org/x/tools/go/packages has it.
// The packages of the module are checked from their sources, so that nothing is compiled;
// those of others come from the compiler's export data, which is in its cache.
type source struct {
	PkgPath, Name string
	Syntax        []*ast.File
	Types         *types.Package
	TypesInfo     *types.Info
}

type listed struct {
	ImportPath, Dir, Name, Export                string
	Standard                                     bool
	Module                                       *struct{ Path string }
	GoFiles, CgoFiles, TestGoFiles, XTestGoFiles []string
	Imports, Deps, TestImports, XTestImports     []string
}

type loader struct {
	fset    *token.FileSet
	dir     string
	own     map[string]*listed
	order   []string
	exports types.Importer
	parsed  map[string]*ast.File
	plain   map[string]*types.Package
	list    []*source
}

func goList(dir string, args ...string) []*listed {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	var all []*listed
	for d := json.NewDecoder(out); ; {
		p := new(listed)
		if err := d.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			log.Fatal(err)
		}
		all = append(all, p)
	}
	if err := cmd.Wait(); err != nil {
		log.Fatal("go list: ", err)
	}
	return all
}

const fields = "-json=ImportPath,Dir,Name,Standard,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,Imports,Deps,TestImports,XTestImports,Export"

func loadAll(fset *token.FileSet, dir, tags string) []*source {
	l := &loader{fset: fset, dir: dir, own: map[string]*listed{}, parsed: map[string]*ast.File{}, plain: map[string]*types.Package{}}
	outside := map[string]bool{}
	for _, p := range goList(dir, tags, fields, "./...") {
		l.own[p.ImportPath] = p
		l.order = append(l.order, p.ImportPath)
	}
	for _, p := range l.own {
		for _, imports := range [][]string{p.Imports, p.TestImports, p.XTestImports} {
			for _, i := range imports {
				if l.own[i] == nil && i != "unsafe" && i != "C" {
					outside[i] = true
				}
			}
		}
	}
	files := map[string]string{}
	args := []string{"-export", "-deps", "-json=ImportPath,Export"}
	for i := range outside {
		args = append(args, i)
	}
	for _, p := range goList(dir, args...) {
		files[p.ImportPath] = p.Export
	}
	l.exports = importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(files[path])
	})
	for _, path := range l.order {
		l.load(path)
		l.loadTests(l.own[path])
	}
	return l.list
}

func (l *loader) parse(p *listed, names []string) []*ast.File {
	var all []*ast.File
	for _, name := range names {
		full := filepath.Join(p.Dir, name)
		if l.parsed[full] == nil {
			f, err := parser.ParseFile(l.fset, full, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				log.Fatal(err)
			}
			l.parsed[full] = f
		}
		all = append(all, l.parsed[full])
	}
	return all
}

type importFunc func(path string) (*types.Package, error)

func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

func (l *loader) check(path string, files []*ast.File, imports importFunc, signatures bool) (*source, []error) {
	var errs []error
	info := &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, Implicits: map[ast.Node]types.Object{},
	}
	conf := types.Config{Importer: imports, Error: func(err error) { errs = append(errs, err) }, IgnoreFuncBodies: signatures, FakeImportC: true}
	pkg, _ := conf.Check(path, l.fset, files, info)
	name := ""
	if len(files) > 0 {
		name = files[0].Name.Name
	}
	return &source{path, name, files, pkg, info}, errs
}

func (l *loader) load(path string) *types.Package {
	if p := l.plain[path]; p != nil {
		return p
	}
	p := l.own[path]
	s, errs := l.check(path, l.parse(p, p.GoFiles), l.importPlain, false)
	l.must(path, errs)
	l.plain[path] = s.Types
	l.list = append(l.list, s)
	return s.Types
}

func (l *loader) must(path string, errs []error) {
	if len(errs) > 0 {
		log.Fatalf("%s does not compile: %v", path, errs[0])
	}
}

func (l *loader) importPlain(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if l.own[path] != nil {
		return l.load(path), nil
	}
	return l.exports.Import(path)
}

// loadTests checks the tests of a package. External tests see it with its own tests, and so
// does whatever they import that depends on it.
func (l *loader) loadTests(p *listed) {
	augmented := l.plain[p.ImportPath]
	if len(p.TestGoFiles) > 0 {
		s, errs := l.check(p.ImportPath, l.parse(p, append(append([]string{}, p.GoFiles...), p.TestGoFiles...)), l.importPlain, false)
		l.must(p.ImportPath+" with tests", errs)
		augmented = s.Types
		l.list = append(l.list, s)
	}
	if len(p.XTestGoFiles) == 0 {
		return
	}
	memo := map[string]*types.Package{p.ImportPath: augmented}
	var imports importFunc
	imports = func(path string) (*types.Package, error) {
		if done := memo[path]; done != nil {
			return done, nil
		}
		q := l.own[path]
		if q == nil || augmented == l.plain[p.ImportPath] || !contains(q.Deps, p.ImportPath) {
			return l.importPlain(path)
		}
		s, errs := l.check(path, l.parse(q, q.GoFiles), imports, true)
		l.must(path, withoutUnused(errs))
		memo[path] = s.Types
		return s.Types, nil
	}
	s, errs := l.check(p.ImportPath+"_test", l.parse(p, p.XTestGoFiles), imports, false)
	l.must(p.ImportPath+"_test", errs)
	l.list = append(l.list, s)
}

// withoutUnused drops what is said of imports that only bodies use.
func withoutUnused(errs []error) []error {
	var rest []error
	for _, err := range errs {
		if !strings.Contains(err.Error(), "imported and not used") && !strings.Contains(err.Error(), "imported as") {
			rest = append(rest, err)
		}
	}
	return rest
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
