package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"drawhouse": main})
}

// TestScripts runs the command as people do. Each script in testdata is one
// command with its outputs, errors and statuses.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			// The shipped rulebooks are the starting point of what-if files.
			rules, err := os.Getwd()
			env.Setenv("RULES", rules+"/../../rules")
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":  status,
			"replace": replace,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
