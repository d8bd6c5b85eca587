package searcher

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// guardOff is the variable that says which guard of the engine is off, by its place in the list.
const guardOff = "DRAWHOUSE_GUARD_OFF"

// unseen are guards that no act of the searcher comes near, or behind which another one
// refuses the same, with why.
var unseen = map[string]string{
	"game.GuardDate": "it holds the date of a Keno Day against the clock; the clock of a case goes with the day",
	"staff.Guards":   "they are about persons, whom the searcher does not play",
}

// TestGuardsOff switches the guards of the engine off, one by one, and has the searcher look
// for what they hold back. It builds a program for that, where DRAWHOUSE_ROWS is set.
func TestGuardsOff(t *testing.T) {
	if os.Getenv("DRAWHOUSE_ROWS") == "" {
		t.Skip("DRAWHOUSE_ROWS is not set")
	}
	names, program := guardProgram(t)
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			command := exec.CommandContext(t.Context(), program, "-test.run", "^TestHunted$", "-test.v") //nolint:gosec // Its own program.
			command.Env = append(os.Environ(), guardOff+"="+strconv.Itoa(i))
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

// guardProgram builds the tests of this package with an engine that leaves a guard out. It
// returns the names of the guards in their order.
func guardProgram(t *testing.T) (names []string, program string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "engine", "guard.go")
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	list := text[strings.Index(text, "var guards"):strings.Index(text, "// guard asks")]
	for _, m := range regexp.MustCompile(`(?m)^\t(\w+\.\w+),$`).FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	if len(names) == 0 || !strings.Contains(list, "staff.Guards()...") {
		t.Fatal("the guards of the engine are written down in another way")
	}
	names = append(names, "staff.Guards")
	last := strconv.Itoa(len(names) - 1)
	text = strings.Replace(text, "for _, ask := range guards {", "for i, ask := range guards {\n\t\tif strconv.Itoa(min(i, "+last+")) == os.Getenv(\""+guardOff+"\") {\n\t\t\tcontinue\n\t\t}", 1)
	text = strings.Replace(text, "import (", "import (\n\t\"os\"\n\t\"strconv\"\n", 1)
	folder := t.TempDir()
	other := filepath.Join(folder, "guard.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: other}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{other: text, filepath.Join(folder, "overlay.json"): string(overlay)} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program = filepath.Join(folder, "searcher.test")
	command := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", filepath.Join(folder, "overlay.json"), "-o", program, ".") //nolint:gosec // As above.
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return names, program
}

// TestHunted searches with a guard of the engine off, and fails when it finds something.
func TestHunted(t *testing.T) {
	if os.Getenv(guardOff) == "" {
		t.Skip(guardOff + " is not set")
	}
	for _, id := range books {
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
