package drawhouse_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// layers is the allowed import graph. A package may import what stands on a
// line above its own and nothing else of this module; packages on one line do
// not know each other. A package may stand here before it is written; one that
// is written and does not stand here fails the test. "internal/..." is every
// package below internal that has no place of its own.
const layers = `
	# How numbers are written, and how values are hashed.
	core/figure  core/digest
	# Values.
	core/money  core/ball  core/day  core/item  journal  core/refusal
	# What people do at a ball machine, and what a public beacon says.
	games/draw/cage  games/beacon
	# What a rule is, what a posting is, where numbers come from.
	rulebook  core/ledger  games/draw  core/serial  core/handover
	# The games.
	rulebook/rules  games/keno  games/bingo  games/jackpot
	# Facts, and what can be said of chances without any.
	journal/record  rulebook/odds
	# What everybody may follow of the facts.
	journal/public
	# Results.
	games/settle
	# What the facts add up to.
	decide/state
	# Decisions by subject, and the second opinion on all of them.
	decide/staff  decide/game  decide/hall  check/verify  games/evaluate  books
	# What happens between a customer and the house, over the decisions that it joins.
	decide/counter
	# Every command, in one row each.
	decide/command
	decide/engine  check/witness
	# Whose cosignatures somebody asks for.
	check/policy
	# What a proof shows to a player.
	check/proof
	# From here on the world: disks, clocks, networks, and goroutines, which a panic ends.
	core/contain
	journal/store  journal/pkcs11  books/bets  house/config  edge/terminal  journal/snapshot  check/verify/export  check/rngreport  journal/logbook  core/limit  edge/api/negotiate  edge/client/openapi
	journal/store/sqlite  journal/store/postgres  journal/store/storetest  journal/store/backup  house/person  receipt  house/timetable
	journal/store/archive  journal/keyfile  house/live  receipt/cards  receipt/forms  receipt/printer  books/report  books/facts  books/bankfile
	edge/client  journal/lane  books/entries  check/watch  check/witness/wire  games/draw/remote  check/witness/replay
	house  check/watch/page
	edge/api  edge/web  edge/certify
	edge/monitor
	internal/sim
	# The root, which has the version and the hashes of parts, and imports none of them.
	.
	# What plays cases and what joins clauses with code, which the program does for a laboratory.
	internal/directives  internal/cases
	internal/cases/line  internal/matrix
	# The program: how its commands speak, what it demonstrates, what measures it, what it gives a laboratory.
	cmd/drawhouse/console  cmd/drawhouse/memory
	cmd/drawhouse/demo
	cmd/drawhouse/bench  cmd/drawhouse/lab
	cmd/drawhouse  internal/...
	# What plays cases, and tells a second book what it did. What breaks rules under the cases.
	internal/searcher  internal/mutants
`

// pure are the packages that take time, entropy and rulebook as arguments. They
// give the same answer on every machine and in every year, which is what lets a
// journal be replayed and an inspector recompute it.
var pure = strings.Fields(`
	core/figure core/digest
	core/money core/ball core/day core/item journal core/refusal
	games/draw/cage games/beacon
	rulebook core/ledger games/draw core/serial core/handover
	rulebook/rules games/keno games/bingo games/jackpot
	journal/record rulebook/odds journal/public
	games/settle
	decide/state
	decide/counter decide/command decide/staff decide/game decide/hall check/verify games/evaluate books
	decide/engine check/witness
	check/proof check/policy
`)

// restraints hold a package to less than its layer allows.
var restraints = []restraint{{
	pkg:   "check/verify",
	why:   "the second grading shares no code with the first",
	never: []string{"games/keno", "games/bingo", "rulebook/rules", "core/handover"},
	reach: []string{"games/settle", "games/jackpot", "decide/state", "journal/store", "decide/engine"},
}, {
	pkg:   "journal/record",
	why:   "a record is a fact, and reading one needs no rule",
	never: []string{"rulebook", "games/draw"},
	reach: []string{"rulebook/rules", "games/settle", "games/jackpot"},
}, {
	pkg: "check/witness",
	why: "a witness judges with verify and not with what it judges",
	never: []string{"games/keno", "games/bingo", "rulebook/rules", "games/settle", "games/jackpot", "decide/counter",
		"decide/game", "decide/engine"},
}}

// restraint says what pkg must not import itself (never) and what it must not
// import even through others (reach).
type restraint struct {
	pkg, why     string
	never, reach []string
}

// impure are the imports that a pure package must not have. Each stands for its
// subfolders too.
var impure = []struct{ path, why string }{
	{"C", "pure code is Go"},
	{"crypto/rand", "entropy is an argument"},
	{"database/sql", "storage belongs to the caller"},
	{"embed", "only rules carries its data with it"},
	{"flag", "configuration is an argument"},
	{"hash/maphash", "its seed differs from run to run"},
	{"io/fs", "files belong to the caller"},
	{"io/ioutil", "files belong to the caller"},
	{"log", "a decision is returned and not logged"},
	{"math/rand", "entropy is an argument"},
	{"net", "the network belongs to the caller"},
	{"os", "files, environment and processes belong to the caller"},
	{"path/filepath", "files belong to the caller"},
	{"plugin", "the build decides what runs"},
	{"syscall", "the machine belongs to the caller"},
	{"testing", "tests stay in test files"},
	{"time/tzdata", "a time zone is an argument"},
	{"unsafe", "a value is what its type says"},
}

// impureExceptions lift a ban for one package.
var impureExceptions = map[string][]string{
	"rulebook/rules": {"embed", "io/fs"}, // The rulebooks are data inside the binary.
}

// pureModules are the packages of other modules that pure packages may import:
// encodings, hash trees, a kind of signatures and the normal form of texts, that themselves keep to the bans.
var pureModules = []string{
	"github.com/cloudflare/circl/sign/bls",
	"github.com/fxamacker/cbor/v2",
	"github.com/goccy/go-yaml",
	"golang.org/x/mod/sumdb/note",
	"golang.org/x/mod/sumdb/tlog",
	"golang.org/x/text/unicode/norm",
}

func TestImportGraph(t *testing.T) {
	graph := map[string][]string{}
	for _, p := range goPackages(t, sources(t)) {
		graph[p.dir] = p.imports
	}
	report(t, checkGraph(graph, parseLayers(layers), restraints))
}

func TestPureImports(t *testing.T) {
	for _, p := range goPackages(t, sources(t)) {
		if slices.Contains(pure, p.dir) {
			report(t, checkPureImports(p.dir, p.imports))
		}
	}
}

// formOf is what verify may use of packages that also have the code which it judges: the forms of texts and files, and
// none of what makes them.
var formOf = map[string][]string{
	"journal/public": {"MaxEntry", "Parse", "SplitBundle", "BundlePath", "TilePath"},
	"journal": {"Hash", "Checkpoint", "Game", "Span", "SealBody", "LogBody", "Verifier", "LogOrigin", "OpenCheckpoint", "OpenLog",
		"OpenNote", "OpenSeal", "ParseSeal", "ParseVerifier", "ReadBody", "UnverifiedCheckpoint", "VolumeOrigin"},
}

// TestVerifyUsesFormsOnly holds the sources of verify against formOf: it works out tiles, proofs, roots and entries by
// itself.
func TestVerifyUsesFormsOnly(t *testing.T) {
	checked := 0
	for _, f := range sources(t) {
		if path.Dir(f.name) != "check/verify" || !f.isGo() || f.isTest() {
			continue
		}
		used, err := uses(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range used {
			if allowed, ok := formOf[at.pkg]; ok && !slices.Contains(allowed, at.name) {
				t.Errorf("%s uses %s of %s, which is no form", f.name, at.name, at.pkg)
			}
			checked++
		}
	}
	if checked < 100 {
		t.Errorf("only %d uses were checked", checked)
	}
}

// use is a name that a file uses of a package of the module.
type use struct{ pkg, name string }

// uses returns what a file uses of packages of the module.
func uses(f source) (list []use, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), f.name, f.data, 0)
	if err != nil {
		return nil, err
	}
	imported := map[string]string{}
	for _, spec := range file.Imports {
		if pkg, ok := own(strings.Trim(spec.Path.Value, `"`)); ok {
			name := path.Base(pkg)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			imported[name] = pkg
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok && imported[of.Name] != "" {
				list = append(list, use{imported[of.Name], s.Sel.Name})
			}
		}
		return true
	})
	return list, nil
}

// TestUsesAreSeen shows that the check above sees what makes a log, under another name too.
func TestUsesAreSeen(t *testing.T) {
	used, err := uses(source{name: "x.go", data: []byte(`package x
import (
	log "drawhouse/journal/public"
	"drawhouse/journal"
	"fmt"
)
var _, _ = log.NewFold(), fmt.Sprint(journal.Hash{})
`)})
	if want := []use{{"journal/public", "NewFold"}, {"journal", "Hash"}}; err != nil || !slices.Equal(used, want) {
		t.Errorf("found %v, want %v, %v", used, want, err)
	}
}

// TestPureIsALayer keeps the two lists in step: no pure package may stand above
// an impure one, or it could import it.
func TestPureIsALayer(t *testing.T) {
	places := parseLayers(layers)
	lowest := len(places)
	for pkg, layer := range places {
		if !slices.Contains(pure, pkg) {
			lowest = min(lowest, layer)
		}
	}
	for _, pkg := range pure {
		layer, ok := places[pkg]
		if !ok || layer >= lowest {
			t.Errorf("%s is pure but does not stand below every impure package", pkg)
		}
	}
}

// parseLayers returns the number of each package's layer, counted from 0 at the
// bottom.
func parseLayers(text string) map[string]int {
	places, layer := map[string]int{}, 0
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		for _, pkg := range fields {
			places[pkg] = layer
		}
		if len(fields) > 0 {
			layer++
		}
	}
	return places
}

// layerOf returns the layer of pkg, through a "..." line if need be.
func layerOf(places map[string]int, pkg string) (int, bool) {
	if layer, ok := places[pkg]; ok {
		return layer, true
	}
	for dir := path.Dir(pkg); dir != "."; dir = path.Dir(dir) {
		if layer, ok := places[dir+"/..."]; ok {
			return layer, true
		}
	}
	return 0, false
}

// own returns the folder of an import of this module.
func own(importPath string) (pkg string, ok bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// checkGraph returns what is wrong with a graph from folders to import paths.
func checkGraph(graph map[string][]string, places map[string]int, restraints []restraint) []string {
	var problems []string
	for _, pkg := range slices.Sorted(maps.Keys(graph)) {
		layer, ok := layerOf(places, pkg)
		if !ok && pkg != "." {
			problems = append(problems, fmt.Sprintf("%s has no layer: give it a line in deps_test.go", pkg))
			continue
		}
		for _, importPath := range graph[pkg] {
			dep, isOwn := own(importPath)
			if !isOwn {
				continue
			}
			if below, ok := layerOf(places, dep); !ok || pkg == "." || below >= layer {
				problems = append(problems, fmt.Sprintf("%s imports %s, which does not stand below it", pkg, dep))
			}
		}
	}
	for _, r := range restraints {
		problems = append(problems, r.check(graph)...)
	}
	return problems
}

func (r restraint) check(graph map[string][]string) []string {
	var problems []string
	for _, dep := range r.never {
		if slices.Contains(graph[r.pkg], module+"/"+dep) {
			problems = append(problems, fmt.Sprintf("%s must not import %s: %s", r.pkg, dep, r.why))
		}
	}
	reached := map[string]bool{}
	var visit func(pkg string)
	visit = func(pkg string) {
		for _, importPath := range graph[pkg] {
			if dep, isOwn := own(importPath); isOwn && !reached[dep] {
				reached[dep] = true
				visit(dep)
			}
		}
	}
	visit(r.pkg)
	for _, dep := range r.reach {
		if reached[dep] {
			problems = append(problems, fmt.Sprintf("%s must not reach %s: %s", r.pkg, dep, r.why))
		}
	}
	return problems
}

// checkPureImports returns what a pure package must not import.
func checkPureImports(pkg string, imports []string) []string {
	var problems []string
	for _, importPath := range imports {
		if why := pureBan(pkg, importPath); why != "" {
			problems = append(problems, fmt.Sprintf("%s is pure and imports %s: %s", pkg, importPath, why))
		}
	}
	return problems
}

// pureBan returns why the pure package pkg must not import the path, or "".
func pureBan(pkg, importPath string) string {
	if _, isOwn := own(importPath); isOwn || slices.Contains(impureExceptions[pkg], importPath) {
		return ""
	}
	for _, ban := range impure {
		if within(importPath, ban.path) {
			return ban.why
		}
	}
	first, _, _ := strings.Cut(importPath, "/")
	inModules := func(m string) bool { return within(importPath, m) }
	if strings.Contains(first, ".") && !slices.ContainsFunc(pureModules, inModules) {
		return "it is not among the modules of pure packages"
	}
	return ""
}

func within(importPath, parent string) bool {
	return importPath == parent || strings.HasPrefix(importPath, parent+"/")
}

// TestGraphCheckerFires shows that each rule of the graph refuses what it is
// there to refuse.
func TestGraphCheckerFires(t *testing.T) {
	places := parseLayers("low1 low2 # a remark\n\n# another\nmiddle\nhigh tools/...\n")
	judge := restraint{pkg: "high", why: "of independence", never: []string{"low1"}, reach: []string{"low2"}}
	for _, c := range []struct {
		name  string
		graph map[string][]string
		want  string
	}{
		{"downwards", map[string][]string{"middle": {"drawhouse/low1", "drawhouse/low2", "fmt"}}, ""},
		{"over a layer", map[string][]string{"tools/x": {"drawhouse/low1"}}, ""},
		{"not written yet", map[string][]string{}, ""},
		{"the root alone", map[string][]string{".": {"fmt"}}, ""},
		{"upwards", map[string][]string{"low1": {"drawhouse/middle"}}, "low1 imports middle"},
		{"sideways", map[string][]string{"low1": {"drawhouse/low2"}}, "low1 imports low2"},
		{"not listed", map[string][]string{"extra": nil}, "extra has no layer"},
		{"import not listed", map[string][]string{"high": {"drawhouse/extra"}}, "high imports extra"},
		{"the root is imported", map[string][]string{"high": {"drawhouse"}}, "high imports ."},
		{"the root imports", map[string][]string{".": {"drawhouse/low1"}}, ". imports low1"},
		{"never", map[string][]string{"high": {"drawhouse/low1"}}, "high must not import low1: of independence"},
		{"reach", map[string][]string{"high": {"drawhouse/middle"}, "middle": {"drawhouse/low2"}},
			"high must not reach low2"},
	} {
		expect(t, c.name, checkGraph(c.graph, places, []restraint{judge}), c.want)
	}
}

// TestPureImportBansFire shows that every ban fires, that its subfolders are
// within it, and that an exception is one package's and no other's.
func TestPureImportBansFire(t *testing.T) {
	for _, ban := range impure {
		expect(t, ban.path, checkPureImports("keno", []string{ban.path}), ban.why)
		expect(t, ban.path+"/x", checkPureImports("keno", []string{ban.path + "/x"}), ban.why)
	}
	for importPath, want := range map[string]string{
		"time":                         "",
		"math/big":                     "",
		"path":                         "",
		"drawhouse/core/money":         "",
		"golang.org/x/mod/sumdb/tlog":  "",
		"golang.org/x/mod/sumdb":       "not among the modules",
		"modernc.org/sqlite":           "not among the modules",
		"github.com/goccy/go-yaml/ast": "",
	} {
		expect(t, importPath, checkPureImports("keno", []string{importPath}), want)
	}
	expect(t, "rules with embed", checkPureImports("rulebook/rules", []string{"embed", "io/fs"}), "")
	expect(t, "rules with os", checkPureImports("rulebook/rules", []string{"os"}), "belong to the caller")
}
