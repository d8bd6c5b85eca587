// Command countermove makes the packages sale, session, payout, voucher and claim of a
// drawhouse checkout into one package, counter. It works on types: every use of a name in
// the whole module is found by the place of its declaration. See run.sh.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

const module = "drawhouse"

// old are the packages that are joined. Of two things that become one, the first package's stays.
var old = []string{"sale", "payout", "voucher", "session", "claim"}

const joined = "counter"

type edit struct {
	start, end int
	text       string
}

type mover struct {
	dir      string
	fset     *token.FileSet
	renames  map[string]string // "sale.Command" -> "Sale"
	used     map[string]bool
	files    map[string]string // old file -> new file, "-" for none
	byPos    map[string]string // position of a declaration -> new name
	edits    map[string][]edit // by relative file
	seen     map[string]map[edit]bool
	data     map[string][]byte
	problems []string
	names    map[string]map[string]string // package -> old top level name -> new name
	loaded   []*source
}

func main() {
	log.SetFlags(0)
	dir := flag.String("C", ".", "the checkout")
	tables := flag.String("tables", ".", "where renames.txt, files.txt and doc.go.txt are")
	check := flag.Bool("n", false, "find out what is in the way, and change nothing")
	flag.Parse()
	abs, err := filepath.Abs(*dir)
	if err != nil {
		log.Fatal(err)
	}
	m := &mover{
		dir: abs, renames: map[string]string{}, used: map[string]bool{}, files: map[string]string{}, byPos: map[string]string{},
		edits: map[string][]edit{}, seen: map[string]map[edit]bool{}, data: map[string][]byte{}, names: map[string]map[string]string{},
	}
	readTable(filepath.Join(*tables, "renames.txt"), m.renames)
	readTable(filepath.Join(*tables, "files.txt"), m.files)
	m.load()
	m.declare()
	m.moveFiles()
	m.merge()
	for _, p := range m.loaded {
		for _, f := range p.Syntax {
			m.file(p, f)
		}
	}
	m.plants()
	m.comments()
	for name := range m.renames {
		if !m.used[name] {
			fmt.Println("warning: not in this tree:", name)
		}
	}
	if len(m.problems) > 0 {
		sort.Strings(m.problems)
		for _, p := range slices.Compact(m.problems) {
			fmt.Println("in the way:", p)
		}
		os.Exit(1)
	}
	if *check {
		return
	}
	m.write(*tables)
}

func readTable(name string, to map[string]string) {
	data, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) == 2 {
			to[f[0]] = f[1]
		} else if len(f) != 0 {
			log.Fatalf("%s: %q", name, line)
		}
	}
}

func (m *mover) load() {
	m.fset = token.NewFileSet()
	for _, tags := range []string{"-tags=", "-tags=soak"} {
		m.loaded = append(m.loaded, loadAll(m.fset, m.dir, tags)...)
	}
}

func (m *mover) rel(name string) string {
	r, err := filepath.Rel(m.dir, name)
	if err != nil || strings.HasPrefix(r, "..") {
		return ""
	}
	return filepath.ToSlash(r)
}

func (m *mover) at(pos token.Pos) string {
	p := m.fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d", m.rel(p.Filename), p.Line, p.Column)
}

// short returns the folder of a package of the module, with _test for an external test.
func short(p *types.Package) string {
	return strings.TrimPrefix(p.Path(), module+"/")
}

func isOld(path string) bool {
	path = strings.TrimSuffix(path, "_test")
	s, ok := strings.CutPrefix(path, module+"/")
	return ok && slices.Contains(old, s)
}

// declare finds the declarations that get other names.
func (m *mover) declare() {
	for _, p := range m.loaded {
		pkg := short(p.Types)
		if p.Name == "main" && strings.HasPrefix(p.PkgPath, module) && len(p.Syntax) > 0 {
			pkg = strings.TrimPrefix(p.PkgPath, module+"/")
		}
		put := func(key string, obj types.Object) {
			if to, ok := m.renames[key]; ok {
				m.used[key] = true
				m.byPos[m.at(obj.Pos())] = to
			}
		}
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			obj := scope.Lookup(name)
			key := pkg + "." + name
			put(key, obj)
			if isOld(p.PkgPath) {
				folder := strings.TrimSuffix(pkg, "_test")
				if m.names[folder] == nil {
					m.names[folder] = map[string]string{}
				}
				to := name
				if n, ok := m.renames[key]; ok {
					to = n
				}
				m.names[folder][name] = to
			}
			if t, ok := obj.(*types.TypeName); ok && !t.IsAlias() {
				named := t.Type().(*types.Named)
				for i := range named.NumMethods() {
					put(pkg+".("+name+")."+named.Method(i).Name(), named.Method(i))
				}
				if st, ok := named.Underlying().(*types.Struct); ok {
					for i := range st.NumFields() {
						put(key+"."+st.Field(i).Name(), st.Field(i))
					}
				}
			}
		}
		// Locals.
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				key := pkg + "." + fn.Name.Name
				if fn.Recv != nil {
					key = pkg + ".(" + recvName(fn) + ")." + fn.Name.Name
				}
				ast.Inspect(fn, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						if obj := p.TypesInfo.Defs[id]; obj != nil && obj.Parent() != p.Types.Scope() {
							put(key+":"+id.Name, obj)
						}
					}
					return true
				})
			}
		}
	}
	// Embedded fields are called as their types.
	for _, p := range m.loaded {
		for id, obj := range p.TypesInfo.Defs {
			v, ok := obj.(*types.Var)
			if !ok || !v.Embedded() {
				continue
			}
			if t, ok := p.TypesInfo.Uses[id]; ok {
				if to, ok := m.byPos[m.at(t.Pos())]; ok {
					m.byPos[m.at(v.Pos())] = to
				}
			}
		}
	}
}

func recvName(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return "?"
		}
	}
}

// moveFiles completes the table of files.
func (m *mover) moveFiles() {
	taken := map[string]bool{}
	for _, to := range m.files {
		taken[to] = true
	}
	for _, pkg := range old {
		list, err := filepath.Glob(filepath.Join(m.dir, pkg, "*"))
		if err != nil || len(list) == 0 {
			log.Fatalf("there is no package %s here: was it moved already? (%v)", pkg, err)
		}
		for _, name := range list {
			from := pkg + "/" + filepath.Base(name)
			if m.files[from] != "" {
				continue
			}
			to := joined + "/" + filepath.Base(name)
			if taken[to] {
				to = joined + "/" + pkg + "_" + filepath.Base(name)
			}
			m.files[from], taken[to] = to, true
		}
	}
	for from := range m.files {
		if _, err := os.Stat(filepath.Join(m.dir, from)); err != nil {
			fmt.Println("warning: not in this tree:", from)
			delete(m.files, from)
		}
	}
}

func (m *mover) source(file string) []byte {
	if m.data[file] == nil {
		data, err := os.ReadFile(filepath.Join(m.dir, file))
		if err != nil {
			log.Fatal(err)
		}
		m.data[file] = data
	}
	return m.data[file]
}

func (m *mover) add(file string, e edit) {
	if m.seen[file] == nil {
		m.seen[file] = map[edit]bool{}
	}
	if !m.seen[file][e] {
		m.seen[file][e] = true
		m.edits[file] = append(m.edits[file], e)
	}
}

func (m *mover) newName(obj types.Object) (string, bool) {
	if obj == nil || !obj.Pos().IsValid() {
		return "", false
	}
	to, ok := m.byPos[m.at(obj.Pos())]
	return to, ok
}

// declared is a top level declaration of an old package.
type declared struct {
	obj  types.Object
	pkg  *source
	node ast.Node // *ast.ValueSpec, *ast.FuncDecl, *ast.TypeSpec
	gen  *ast.GenDecl
	file string
}

// merge drops what is declared twice under one new name and is the same.
func (m *mover) merge() {
	all := map[string][]declared{} // by "" or "_test" and the new name
	var order []string
	done := map[string]bool{}
	for _, path := range old {
		for _, p := range m.loaded {
			if p.PkgPath != module+"/"+path && p.PkgPath != module+"/"+path+"_test" {
				continue
			}
			suffix := ""
			if strings.HasSuffix(p.PkgPath, "_test") {
				suffix = "_test"
			}
			for _, f := range p.Syntax {
				for _, d := range m.topLevel(p, f) {
					at := m.at(d.obj.Pos())
					if done[at] {
						continue
					}
					done[at] = true
					name := m.nameOf(d.obj)
					if types.Universe.Lookup(name) != nil {
						m.problems = append(m.problems, fmt.Sprintf("%s: %s hides a name of Go", at, name))
					}
					if all[suffix+name] == nil {
						order = append(order, suffix+name)
					}
					all[suffix+name] = append(all[suffix+name], d)
				}
			}
		}
	}
	for _, key := range order {
		list := all[key]
		if len(list) == 1 {
			continue
		}
		stays := max(0, slices.IndexFunc(list, func(d declared) bool { return d.obj.Name() == m.nameOf(d.obj) }))
		for i, d := range list {
			if i == stays {
				continue
			}
			at := m.at(d.obj.Pos())
			if why := m.same(list[stays], d); why != "" {
				m.problems = append(m.problems, fmt.Sprintf("%s: %s is also at %s, and %s", at, m.nameOf(d.obj), m.at(list[stays].obj.Pos()), why))
				continue
			}
			fmt.Printf("one: %s (%s goes, %s stays)\n", m.nameOf(d.obj), at, m.at(list[stays].obj.Pos()))
			m.drop(d)
		}
	}
}

func (m *mover) nameOf(obj types.Object) string {
	if to, ok := m.byPos[m.at(obj.Pos())]; ok {
		return to
	}
	return obj.Name()
}

func (m *mover) topLevel(p *source, f *ast.File) []declared {
	var all []declared
	file := m.rel(m.fset.Position(f.Pos()).Filename)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name != "init" {
				all = append(all, declared{p.TypesInfo.Defs[d.Name], p, d, nil, file})
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					all = append(all, declared{p.TypesInfo.Defs[s.Name], p, s, d, file})
				case *ast.ValueSpec:
					for _, id := range s.Names {
						if id.Name != "_" {
							all = append(all, declared{p.TypesInfo.Defs[id], p, s, d, file})
						}
					}
				}
			}
		}
	}
	return all
}

// same says why two declarations are not the same, or nothing.
func (m *mover) same(a, b declared) string {
	ca, ok1 := a.obj.(*types.Const)
	cb, ok2 := b.obj.(*types.Const)
	if ok1 && ok2 {
		if !constant.Compare(ca.Val(), token.EQL, cb.Val()) || ca.Type().String() != cb.Type().String() {
			return "they differ"
		}
		return ""
	}
	fa, ok1 := a.node.(*ast.FuncDecl)
	fb, ok2 := b.node.(*ast.FuncDecl)
	if ok1 && ok2 {
		text := func(d declared, f *ast.FuncDecl) string {
			src := m.source(d.file)
			return string(src[m.fset.Position(f.Type.Params.Pos()).Offset:m.fset.Position(f.End()).Offset])
		}
		if text(a, fa) == text(b, fb) {
			return ""
		}
	}
	return "they differ"
}

// drop takes a declaration out.
func (m *mover) drop(d declared) {
	src := m.source(d.file)
	off := func(p token.Pos) int { return m.fset.Position(p).Offset }
	lines := func(from, to int) edit {
		for from > 0 && src[from-1] != '\n' {
			from--
		}
		for to < len(src) && src[to] != '\n' {
			to++
		}
		return edit{from, min(to+1, len(src)), ""}
	}
	switch n := d.node.(type) {
	case *ast.FuncDecl:
		from := off(n.Pos())
		if n.Doc != nil {
			from = off(n.Doc.Pos())
		}
		m.add(d.file, lines(from, off(n.End())))
	case *ast.ValueSpec:
		if len(n.Names) != 1 {
			m.problems = append(m.problems, fmt.Sprintf("%s: several names in one line", m.at(n.Pos())))
			return
		}
		if d.gen.Lparen.IsValid() {
			from := off(n.Pos())
			if n.Doc != nil {
				from = off(n.Doc.Pos())
			}
			m.add(d.file, lines(from, off(n.End())))
			return
		}
		from := off(d.gen.Pos())
		if d.gen.Doc != nil {
			from = off(d.gen.Doc.Pos())
		}
		m.add(d.file, lines(from, off(d.gen.End())))
	}
}

// file collects the edits of a file.
func (m *mover) file(p *source, f *ast.File) {
	name := m.rel(m.fset.Position(f.Package).Filename)
	if name == "" {
		return
	}
	off := func(p token.Pos) int { return m.fset.Position(p).Offset }
	inside := isOld(p.PkgPath)                                // of the new package, or of its external tests
	own := inside && !strings.HasSuffix(f.Name.Name, "_test") // needs no qualifier
	if inside {
		to := joined
		if !own {
			to += "_test"
		}
		m.add(name, edit{off(f.Name.Pos()), off(f.Name.End()), to})
		if f.Doc != nil {
			m.add(name, edit{off(f.Doc.Pos()), off(f.Package), ""})
		}
	}
	m.imports(name, f, own)
	qualifiers := map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		if !ok {
			return true
		}
		pkg, ok := p.TypesInfo.Uses[id].(*types.PkgName)
		if !ok || !isOld(pkg.Imported().Path()) {
			return true
		}
		qualifiers[id] = true
		if own {
			to := sel.Sel.Name
			if n, ok := m.newName(p.TypesInfo.Uses[sel.Sel]); ok {
				to = n
			}
			qualifiers[sel.Sel] = true
			m.add(name, edit{off(sel.Pos()), off(sel.End()), to})
			m.shadow(p, f, id.Pos(), to)
		} else {
			m.add(name, edit{off(id.Pos()), off(id.End()), joined})
			m.shadow(p, f, id.Pos(), joined)
		}
		return true
	})
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || qualifiers[id] {
			return true
		}
		obj := p.TypesInfo.Defs[id]
		def := obj != nil
		if !def {
			obj = p.TypesInfo.Uses[id]
		}
		to, ok := m.newName(obj)
		if !ok {
			return true
		}
		m.add(name, edit{off(id.Pos()), off(id.End()), to})
		if v, isVar := obj.(*types.Var); !isVar || !v.IsField() {
			if _, isMethod := obj.(*types.Func); !(isMethod && obj.Parent() == nil) && !selected(f, id) {
				m.shadow(p, f, id.Pos(), to)
			}
		}
		if def {
			m.doc(name, f, id, to)
		}
		return true
	})
}

// selected reports whether an identifier is the name behind a point.
func selected(f *ast.File, id *ast.Ident) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel == id {
			found = true
		}
		return !found
	})
	return found
}

// shadow reports a name that would mean something else where it is written.
func (m *mover) shadow(p *source, f *ast.File, pos token.Pos, name string) {
	scope := p.Types.Scope().Innermost(pos)
	if scope == nil {
		return
	}
	found, obj := scope.LookupParent(name, pos)
	if obj == nil || m.at(obj.Pos()) == m.at(pos) {
		return
	}
	if to, ok := m.newName(obj); ok && to != name {
		return // It gets out of the way.
	}
	if isOld(p.PkgPath) && found == p.Types.Scope() {
		return // merge judges these.
	}
	if _, ok := obj.(*types.PkgName); ok && isOld(p.PkgPath) {
		return
	}
	m.problems = append(m.problems, fmt.Sprintf("%s: %s would mean what is declared at %s", m.at(pos), name, m.at(obj.Pos())))
}

// doc gives a doc comment the name with which it begins.
func (m *mover) doc(file string, f *ast.File, id *ast.Ident, to string) {
	var doc *ast.CommentGroup
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name == id {
				doc = d.Doc
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if s.Name == id {
						if doc = s.Doc; doc == nil {
							doc = d.Doc
						}
					}
				case *ast.ValueSpec:
					if slices.Contains(s.Names, id) {
						if doc = s.Doc; doc == nil && !d.Lparen.IsValid() {
							doc = d.Doc
						}
					}
				}
			}
		}
	}
	if doc == nil {
		return
	}
	text := doc.List[0].Text
	if rest, ok := strings.CutPrefix(text, "// "+id.Name); ok && (rest == "" || !isWord(rest[0])) {
		at := m.fset.Position(doc.Pos()).Offset + len("// ")
		m.add(file, edit{at, at + len(id.Name), to})
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// imports takes out the old imports, and lets one of them be the new one.
func (m *mover) imports(name string, f *ast.File, own bool) {
	src := m.source(name)
	replaced := own
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if !isOld(path) {
			continue
		}
		from, to := m.fset.Position(spec.Pos()).Offset, m.fset.Position(spec.End()).Offset
		if !replaced {
			replaced = true
			m.add(name, edit{from, to, strconv.Quote(module + "/" + joined)})
			continue
		}
		for from > 0 && src[from-1] != '\n' {
			from--
		}
		for to < len(src) && src[to] != '\n' {
			to++
		}
		m.add(name, edit{from, to + 1, ""})
	}
}

// plants follows the planted bugs of package sim, which are texts of sources.
func (m *mover) plants() {
	const file = "sim/plants_test.go"
	if _, err := os.Stat(filepath.Join(m.dir, file)); err != nil {
		fmt.Println("warning: not in this tree:", file)
		return
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, m.source(file), 0)
	if err != nil {
		log.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || len(lit.Elts) < 4 {
			return true
		}
		var parts []*ast.BasicLit
		for _, e := range lit.Elts {
			if b, ok := e.(*ast.BasicLit); ok && b.Kind == token.STRING {
				parts = append(parts, b)
			}
		}
		if len(parts) < 4 {
			return true
		}
		where, _ := strconv.Unquote(parts[1].Value)
		to, ok := m.files[where]
		if !ok {
			return true
		}
		set := func(b *ast.BasicLit, text string) {
			m.add(file, edit{fset.Position(b.Pos()).Offset, fset.Position(b.End()).Offset, text})
		}
		_ = to // The path itself is followed by comments.
		from, _ := strconv.Unquote(parts[2].Value)
		src := string(m.source(where))
		at := strings.Index(src, from)
		if at < 0 {
			m.problems = append(m.problems, fmt.Sprintf("%s: the text of a planted bug is not in %s", fset.Position(lit.Pos()), where))
			return true
		}
		pairs := map[string]string{}
		for _, e := range m.edits[where] {
			if e.start >= at && e.end <= at+len(from) && e.end > e.start {
				pairs[src[e.start:e.end]] = e.text
			}
		}
		for _, b := range parts[2:4] {
			text := b.Value
			for a, z := range pairs {
				text = regexp.MustCompile(`\b`+regexp.QuoteMeta(a)+`\b`).ReplaceAllString(text, z)
			}
			if text != b.Value {
				set(b, text)
			}
		}
		return true
	})
}

var oldFile = regexp.MustCompile(`\b(sale|session|payout|voucher|claim)/\w+\.go\b`)

// comments follows qualified names in comments, and the prefixes of errors.
func (m *mover) comments() {
	qualified := regexp.MustCompile(`\b(sale|session|payout|voucher|claim)\.([A-Za-z]\w*)`)
	done := map[string]bool{}
	for _, p := range m.loaded {
		for _, f := range p.Syntax {
			name := m.rel(m.fset.Position(f.Package).Filename)
			if name == "" || done[name] {
				continue
			}
			done[name] = true
			own := isOld(p.PkgPath)
			for _, g := range f.Comments {
				for _, c := range g.List {
					base := m.fset.Position(c.Pos()).Offset
					for _, at := range qualified.FindAllStringSubmatchIndex(c.Text, -1) {
						to, ok := m.names[c.Text[at[2]:at[3]]][c.Text[at[4]:at[5]]]
						if !ok {
							continue
						}
						if !own {
							to = joined + "." + to
						}
						m.add(name, edit{base + at[0], base + at[1], to})
					}
				}
			}
			for _, g := range f.Comments {
				for _, c := range g.List {
					for _, at := range oldFile.FindAllStringIndex(c.Text, -1) {
						if to := m.files[c.Text[at[0]:at[1]]]; to != "" && to != "-" {
							base := m.fset.Position(c.Pos()).Offset
							m.add(name, edit{base + at[0], base + at[1], to})
						}
					}
				}
			}
			// A string that is a file, or a qualified name and nothing else.
			ast.Inspect(f, func(n ast.Node) bool {
				if b, ok := n.(*ast.BasicLit); ok && b.Kind == token.STRING {
					text, _ := strconv.Unquote(b.Value)
					from, _, _ := strings.Cut(text, ":")
					if to := m.files[from]; to != "" && to != "-" {
						at := m.fset.Position(b.Pos()).Offset + 1
						m.add(name, edit{at, at + len(from), to})
						return true
					}
					if pkg, of, ok := strings.Cut(text, "."); ok && m.names[pkg][of] != "" {
						fmt.Printf("a string: %s at %s\n", b.Value, m.at(b.Pos()))
						m.add(name, edit{m.fset.Position(b.Pos()).Offset, m.fset.Position(b.End()).Offset, strconv.Quote(joined + "." + m.names[pkg][of])})
					}
				}
				return true
			})
			if !own {
				continue
			}
			// "payout: ..." in errors and panics.
			prefix := regexp.MustCompile("^[\"`](sale|session|payout|voucher|claim): ")
			ast.Inspect(f, func(n ast.Node) bool {
				if b, ok := n.(*ast.BasicLit); ok && b.Kind == token.STRING {
					if at := prefix.FindStringSubmatchIndex(b.Value); at != nil {
						base := m.fset.Position(b.Pos()).Offset
						m.add(name, edit{base + at[2], base + at[3], joined})
					}
				}
				return true
			})
		}
	}
}

// write applies the edits and moves the files.
func (m *mover) write(tables string) {
	for file, edits := range m.edits {
		src := m.source(file)
		sort.Slice(edits, func(i, j int) bool {
			if edits[i].start != edits[j].start {
				return edits[i].start < edits[j].start
			}
			return edits[i].end > edits[j].end
		})
		var b bytes.Buffer
		at := 0
		for _, e := range edits {
			if e.start < at {
				if e.end <= at {
					continue // Within what is dropped.
				}
				log.Fatalf("%s: edits overlap at %d: %q", file, e.start, e.text)
			}
			b.Write(src[at:e.start])
			b.WriteString(e.text)
			at = e.end
		}
		b.Write(src[at:])
		text := emptyBlocks(b.Bytes())
		if m.files[file] != "" {
			text = withoutUnusedImports(file, text)
		}
		out, err := format.Source(text)
		if err != nil {
			log.Fatalf("%s: %v\n%s", file, err, b.Bytes())
		}
		if err := os.WriteFile(filepath.Join(m.dir, file), out, 0o644); err != nil {
			log.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(m.dir, joined), 0o755); err != nil {
		log.Fatal(err)
	}
	for from, to := range m.files {
		args := []string{"mv", from, to}
		if to == "-" {
			args = []string{"rm", "-qf", from}
		}
		cmd := exec.Command("git", args...)
		cmd.Dir = m.dir
		if out, err := cmd.CombinedOutput(); err != nil {
			log.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	doc, err := os.ReadFile(filepath.Join(tables, "doc.go.txt"))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(m.dir, joined, "doc.go"), doc, 0o644); err != nil {
		log.Fatal(err)
	}
	m.writeNames(filepath.Join(tables, "names.out"))
	var moved []string
	for from, to := range m.files {
		moved = append(moved, from+" "+to+"\n")
	}
	sort.Strings(moved)
	if err := os.WriteFile(filepath.Join(tables, "files.out"), []byte(strings.Join(moved, "")), 0o644); err != nil {
		log.Fatal(err)
	}
}

// withoutUnusedImports takes out imports of which nothing is left that uses them.
func withoutUnusedImports(file string, src []byte) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		log.Fatal(err)
	}
	used := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, spec := range slices.Backward(f.Imports) {
		path, _ := strconv.Unquote(spec.Path.Value)
		if spec.Name != nil || used[path[strings.LastIndexByte(path, '/')+1:]] || strings.Contains(path, ".") {
			continue
		}
		from, to := fset.Position(spec.Pos()).Offset, fset.Position(spec.End()).Offset
		for from > 0 && src[from-1] != '\n' {
			from--
		}
		src = slices.Concat(src[:from], src[to+1:])
	}
	return src
}

var emptyBlock = regexp.MustCompile(`(?m)(^//.*\n)*^(const|var|import) \(\s*\)\n`)

func emptyBlocks(src []byte) []byte { return emptyBlock.ReplaceAll(src, nil) }

// writeNames says what every name has become, for the documents.
func (m *mover) writeNames(file string) {
	var lines []string
	for pkg, names := range m.names {
		for from, to := range names {
			lines = append(lines, fmt.Sprintf("%s.%s %s\n", pkg, from, to))
		}
	}
	sort.Strings(lines)
	if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o644); err != nil {
		log.Fatal(err)
	}
}
