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
	"strconv"
	"strings"
	"testing"
)

// guardOff is the variable that says which guard is off.
const guardOff = "DRAWHOUSE_GUARD_OFF"

// unseen are guards that no act of the searcher comes near, or behind which another one
// refuses the same, with why.
var unseen = map[string]string{
	"game.GuardDate": "it holds the date of a Keno Day against the clock; the clock of a case goes with the day",
	"staff.Guards":   "they are about persons, whom the searcher does not play",
}

// TestGuardsOff switches the guards of the engine off, and every check of packages counter and hall,
// one by one, and has the searcher look for what they hold back. It builds a program for that, where
// DRAWHOUSE_ROWS is set.
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
	list, text := engineGuards(t, filepath.Join(root, "engine", "guard.go"))
	names = list
	put("engine/guard.go", text)
	for _, of := range []string{"counter", "hall"} {
		files, err := filepath.Glob(filepath.Join(root, of, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			list, text := switchedChecks(t, of, path)
			if names = append(names, list...); len(list) > 0 {
				put(filepath.Join(of, filepath.Base(path)), text)
			}
		}
		put(filepath.Join(of, "zz_off.go"), "package "+of+"\n\nimport \"os\"\n\nfunc isOff(name string) bool { return os.Getenv(\""+guardOff+"\") == name }\n")
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
	text = strings.Replace(text, "for _, ask := range guards {", "for i, ask := range guards {\n\t\tif "+off+" {\n\t\t\tcontinue\n\t\t}", 1)
	return names, strings.Replace(text, "import (", "import (\n\t\"os\"\n", 1)
}

// switchedChecks returns the names of the checks in a source that refuse something and do nothing
// else, and the source with a switch in each. The guards of the engine are such checks too, and are
// switched there.
func switchedChecks(t *testing.T, of, path string) (names []string, text string) {
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
		if !ok || !strings.HasPrefix(strings.ToLower(f.Name.Name), "check") || f.Type.Results == nil || len(f.Type.Results.List) != 1 {
			continue
		}
		result, ok := f.Type.Results.List[0].Type.(*ast.Ident)
		if !ok || result.Name != "error" || asked(f) {
			continue
		}
		name := of + "."
		if f.Recv != nil {
			name += strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*") + "."
		}
		name += f.Name.Name
		names = append(names, name)
		at := files.Position(f.Body.Lbrace).Offset + 1 + put
		line := "\n\tif isOff(\"" + name + "\") {\n\t\treturn nil\n\t}\n"
		text = text[:at] + line + text[at:]
		put += len(line)
	}
	return names, text
}

// asked reports whether a check is one that the engine asks about every record.
func asked(f *ast.FuncDecl) bool {
	if list := f.Type.Params.List; f.Recv == nil && len(list) == 2 {
		return types.ExprString(list[1].Type) == "record.Record"
	}
	return false
}

// TestHunted searches with a guard of the engine off, and fails when it finds something.
func TestHunted(t *testing.T) {
	if os.Getenv(guardOff) == "" {
		t.Skip(guardOff + " is not set")
	}
	for _, id := range books {
		// A room of bingo has no counter, and houses of keno no room.
		if is := strings.HasSuffix(plans[id].firsts[0], "hall"); is && strings.HasPrefix(os.Getenv(guardOff), "counter.") || !is && strings.HasPrefix(os.Getenv(guardOff), "hall.") {
			continue
		}
		h := Hunt{Rulebook: id, Seed: 5, Acts: 8_000, Length: 60, Check: 2, Ignore: func(f Finding) bool { return isKnown(id, f) }}
		hit, tried, err := h.Run()
		if err != nil {
			t.Fatal(err)
		}
		if hit != nil {
			t.Errorf("hunted: %s after %d acts: %v", id, hit.Acts, hit.Finding)
			return
		}
		t.Logf("hunted: %s: nothing in %d acts", id, tried)
	}
}
