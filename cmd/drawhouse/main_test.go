package main

import (
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
