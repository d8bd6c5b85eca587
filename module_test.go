package drawhouse_test

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "drawhouse"

// source is one file of the module; name is its slashed path from the root.
type source struct {
	name string
	data []byte
}

func (s source) isGo() bool       { return strings.HasSuffix(s.name, ".go") }
func (s source) isTest() bool     { return strings.HasSuffix(s.name, "_test.go") }
func (s source) isTestdata() bool { return strings.Contains("/"+s.name, "/testdata/") }

// sources returns every file that is or would be committed: what git tracks and
// what it neither tracks nor ignores. Without git, as in an unpacked archive,
// it is every file outside hidden folders.
func sources(t *testing.T) []source {
	t.Helper()
	var files []source
	for _, name := range names(t) {
		data, err := os.ReadFile(filepath.FromSlash(name))
		if os.IsNotExist(err) {
			continue // Tracked, and deleted since.
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, source{name, data})
	}
	if len(files) == 0 {
		t.Fatal("found no files: a check of nothing proves nothing")
	}
	return files
}

func names(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return walkedNames(t)
	}
	var found []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		// Links and folders of other repositories are not files of ours.
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func walkedNames(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci":
			return fs.SkipDir
		case d.Type().IsRegular():
			found = append(found, filepath.ToSlash(name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// goPackage is a folder with Go files that are not tests. dir is its slashed
// path from the root and "." for the root itself.
type goPackage struct {
	dir     string
	name    string
	doc     string
	imports []string // Of all its files, whatever their build tags.
}

// goPackages returns the packages of the module in the order of their folders.
func goPackages(t *testing.T, files []source) []*goPackage {
	t.Helper()
	byDir := map[string]*goPackage{}
	for _, f := range files {
		if !f.isGo() || f.isTest() || f.isTestdata() {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.name, f.data, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			t.Errorf("%s does not parse: %v", f.name, err)
			continue
		}
		dir := path.Dir(f.name)
		if byDir[dir] == nil {
			byDir[dir] = &goPackage{dir: dir, name: file.Name.Name}
		}
		byDir[dir].add(file)
	}
	var packages []*goPackage
	for _, p := range byDir {
		slices.Sort(p.imports)
		p.imports = slices.Compact(p.imports)
		packages = append(packages, p)
	}
	slices.SortFunc(packages, func(a, b *goPackage) int { return cmp.Compare(a.dir, b.dir) })
	return packages
}

func (p *goPackage) add(file *ast.File) {
	if doc := file.Doc.Text(); doc != "" {
		p.doc = doc
	}
	for _, spec := range file.Imports {
		p.imports = append(p.imports, strings.Trim(spec.Path.Value, "`\""))
	}
}

// buildFiles returns the paths of the non-test files of a package that are
// compiled on this machine.
func buildFiles(dir string) ([]string, error) {
	p, err := build.ImportDir(filepath.FromSlash(dir), 0)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, name := range p.GoFiles {
		files = append(files, path.Join(dir, name))
	}
	return files, nil
}

// expect fails unless exactly one of the problems that a checker found in a
// snippet contains want, or, if want is empty, unless there is none.
func expect(t *testing.T, name string, problems []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(problems) > 0:
		t.Errorf("%s: refused without cause: %q", name, problems)
	case want != "" && (len(problems) != 1 || !strings.Contains(problems[0], want)):
		t.Errorf("%s: found %q, want one problem with %q", name, problems, want)
	}
}

// report fails the test once for each problem.
func report(t *testing.T, problems []string) {
	t.Helper()
	for _, p := range problems {
		t.Error(p)
	}
}
