package main

import (
	"crypto/sha256"
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"drawhouse/internal/outside"
)

// processes is how many tests run at a time. Most of them wait for processes of their own,
// so that there may be more than there are processors.
const processes = "6"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", processes); err != nil {
		panic(err)
	}
	wholeProgram = false // The scripts start this program.
	testscript.Main(tests{m}, map[string]func(){"drawhouse": main})
}

// tests are those of the package. The program that was built for them goes with their end.
type tests struct{ m *testing.M }

// Run implements testscript.TestingM.
func (t tests) Run() int {
	defer outside.Remove()
	return t.m.Run()
}

// TestScripts runs the command as people do. Each script in testdata is one
// command with its outputs, errors and statuses.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			// The shipped rulebooks are the starting point of what-if files.
			rules, err := os.Getwd()
			env.Setenv("RULES", rules+"/../../rulebook/rules")
			env.Values[houseKey{}] = new(scriptHouse)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  status,
			"replace": replace,
			"house":   tellHouse,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// TestProgramHash holds the hash that a house writes of its program against the file.
func TestProgramHash(t *testing.T) {
	defer func(was bool) { wholeProgram = was }(wholeProgram)
	wholeProgram = true
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if sum, err := hashProgram(); err != nil || sum != sha256.Sum256(program) {
		t.Errorf("%x, %v", sum, err)
	}
	wholeProgram = false
	if sum, err := hashProgram(); err != nil || sum != sha256.Sum256(program[:programHead]) {
		t.Errorf("the head: %x, %v", sum, err)
	}
}
