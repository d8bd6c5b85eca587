package searcher

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// guardOff is the variable that says which guard is off.
const guardOff = "DRAWHOUSE_GUARD_OFF"

// unseen are guards that no act of the searcher comes near, or behind which another one
// refuses the same, with why.
var unseen = map[string]string{
	"game.GuardDate":            "the command that opens a Keno Day asks game.CheckDate too, which is switched off for both",
	"counter.checkContinuation": "no record says that a sheet has no claim code: the engine refuses it a second time",
	"counter.ending.checkType":  "what a voucher may pay for is asked again when its money is spent; this check only says so first",
	"staff.Guards":              "they are about persons, whom the searcher does not play",
}

// checks are those of packages counter and game that are switched off beside the guards of the engine: each
// is the only place, or the first one, that says so.
var checks = []string{
	"game.CheckDate",               // the date of a Keno Day
	"counter.checkSettled",         // what an open session has not paid for
	"counter.checkBack",            // what a terminal cannot hand out
	"counter.checkContinuation",    // the paper that the writer keeps
	"counter.checkCancel",          // day, venue and games of a cancellation
	"counter.CheckPayee",           // the payee of a cheque
	"counter.ClaimForm.complete",   // what cannot be read is handed in
	"counter.ClaimForm.checkPayee", // a form of somebody else than the payee
	"counter.ending.checkPayee",    // a cheque for somebody else than the payee
	"counter.ending.checkType",     // the type of game of a voucher
	"counter.ending.checkJoined",   // prizes that become one while a part of them lies elsewhere
	"counter.lyingElsewhere",       // what other self-service terminals must hand out
}

// TestGuardsOff switches the guards of the engine and some checks off, one by one, and has the
// searcher look for what they hold back. It builds a program for that, where DRAWHOUSE_ROWS is set.
func TestGuardsOff(t *testing.T) {
	if os.Getenv("DRAWHOUSE_ROWS") == "" {
		t.Skip("DRAWHOUSE_ROWS is not set")
	}
	names, program := guardProgram(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			command := exec.CommandContext(t.Context(), program, "-test.run", "^TestHunted$", "-test.v") //nolint:gosec // Its own program.
			command.Env = append(os.Environ(), guardOff+"="+name)
			out, err := command.CombinedOutput()
			hit := regexp.MustCompile(`hunted: .*`).FindAllString(string(out), -1)
			switch {
			case err != nil && len(hit) == 0:
				t.Fatalf("%v\n%s", err, out)
			case err != nil && unseen[name] != "":
				t.Errorf("it is listed as one that the searcher does not see, and was found: %v", hit)
			case err == nil && unseen[name] == "":
				t.Errorf("it is off, and nothing is found: %v", hit)
			}
			t.Logf("%s: %s %s", name, strings.Join(hit, "; "), unseen[name])
		})
	}
}

// guardProgram builds the tests of this package with an engine that leaves a guard out, and with
// checks that refuse nothing. It returns the names of all that can be off.
func guardProgram(t *testing.T) (names []string, program string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	replace := map[string]string{}
	put := func(path string, text string) {
		at := filepath.Join(folder, strconv.Itoa(len(replace))+".go")
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, path)] = at
	}
	list, text := engineGuards(t, filepath.Join(root, "decide", "engine", "guard.go"))
	names = list
	put("decide/engine/guard.go", text)
	for _, of := range []string{"decide/counter", "decide/game"} {
		files, err := filepath.Glob(filepath.Join(root, of, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if list, text := switchedChecks(t, path); len(list) > 0 {
				names = append(names, list...)
				put(filepath.Join(of, filepath.Base(path)), text)
			}
		}
		put(of+"/zz_off.go", "package "+filepath.Base(of)+
			"\n\nimport \"os\"\n\nfunc isOff(name string) bool { return os.Getenv(\""+guardOff+"\") == name }\n")
	}
	for _, name := range checks {
		if !slices.Contains(names, name) {
			t.Errorf("there is no %s", name)
		}
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(at, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(folder, "searcher.test")
	command := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", at, "-o", program, ".") //nolint:gosec // As above.
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return names, program
}

// engineGuards returns the names of the guards of the engine, and its source with a switch for each.
func engineGuards(t *testing.T, path string) (names []string, text string) {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = string(source)
	list := text[strings.Index(text, "var guards"):strings.Index(text, "// guard asks")]
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+\.\w+),$`).FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	if len(names) == 0 || !strings.Contains(list, "staff.Guards()...") {
		t.Fatal("the guards of the engine are written down in another way")
	}
	names = append(names, "staff.Guards")
	off := fmt.Sprintf("%#v[min(i, %d)] == os.Getenv(%q)", names, len(names)-1, guardOff)
	text = strings.Replace(text, "for _, ask := range guards {", "for i, ask := range guards {\n\t\tif "+off+
		" {\n\t\t\tcontinue\n\t\t}", 1)
	return names, strings.Replace(text, "import (", "import (\n\t\"os\"\n", 1)
}

// switchedChecks returns the names of the checks in a source, and the source with a switch in each.
func switchedChecks(t *testing.T, path string) (names []string, text string) {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	text, put := string(source), 0
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := file.Name.Name + "."
		if f.Recv != nil {
			name += strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*") + "."
		}
		if name += f.Name.Name; !slices.Contains(checks, name) {
			continue
		}
		names = append(names, name)
		at := files.Position(f.Body.Lbrace).Offset + 1 + put
		line := "\n\tif isOff(\"" + name + "\") {\n\t\treturn nil\n\t}\n"
		text = text[:at] + line + text[at:]
		put += len(line)
	}
	return names, text
}

// TestHunted searches with a guard of the engine off, and fails when it finds something.
func TestHunted(t *testing.T) {
	if os.Getenv(guardOff) == "" {
		t.Skip(guardOff + " is not set")
	}
	most := 40_000
	if unseen[os.Getenv(guardOff)] != "" {
		most = 10_000
	}
	for _, id := range books {
		if !strings.HasPrefix(os.Getenv(guardOff), "staff.") && plans[id].firsts[0] == "hall" {
			continue // A room of bingo has no counter and no games of keno.
		}
		h := Hunt{Rulebook: id, Seed: 5, Acts: most, Length: 60, Check: 2,
			Ignore: func(f Finding) bool { return isKnown(id, f) }}
		hit, tried, err := h.Run()
		if err != nil {
			t.Fatal(err)
		}
		if hit != nil {
			t.Setenv(guardOff, "")
			if alsoWithout(id, hit) {
				t.Fatalf("it was found with the guard on, too:\n%v", hit)
			}
			t.Errorf("hunted: %s after %d acts: %v", id, hit.Acts, hit.Finding)
			return
		}
		t.Logf("hunted: %s: nothing in %d acts", id, tried)
	}
}
