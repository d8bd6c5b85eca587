// Package tokentest makes tokens for tests: those of SoftHSM, which Debian has as softhsm2, reached through p11-kit.
package tokentest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"drawhouse/journal/pkcs11"
)

// modules are where Debian has the module.
var modules = []string{"/usr/lib/softhsm/libsofthsm2.so"}

// A Token is a token of a test. It ends with the test.
type Token struct {
	Label   string
	PINFile string
	Module  string
	PIN     string

	t    testing.TB
	dir  string // where SoftHSM keeps tokens
	conf string
}

// New makes a token, or skips the test if a program is missing. It sets a variable of the environment, so that the test
// cannot be parallel to others.
func New(t testing.TB) *Token {
	t.Helper()
	k := &Token{Label: "drawhouse", PIN: "4711", t: t}
	for _, module := range modules {
		if _, err := os.Stat(module); err == nil {
			k.Module = module
		}
	}
	_, err1 := exec.LookPath("softhsm2-util")
	_, err2 := exec.LookPath("p11-kit")
	if err := errors.Join(err1, err2); err != nil || k.Module == "" {
		t.Skipf("softhsm2 or p11-kit is not installed; scripts/setup-test.sh installs them: %v", err)
	}
	base := t.TempDir()
	k.dir, k.PINFile, k.conf = filepath.Join(base, "tokens"), filepath.Join(base, "pin"), filepath.Join(base, "softhsm2.conf")
	k.SetPIN(k.PIN)
	conf := fmt.Sprintf("directories.tokendir = %s\nobjectstore.backend = file\nlog.level = ERROR\n", k.dir)
	if err := errors.Join(os.Mkdir(k.dir, 0o700), os.WriteFile(k.conf, []byte(conf), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOFTHSM2_CONF", k.conf)
	k.util("--init-token", "--free", "--label", k.Label, "--pin", k.PIN, "--so-pin", "471100")
	return k
}

func (k *Token) util(args ...string) {
	k.t.Helper()
	if out, err := exec.Command("softhsm2-util", args...).CombinedOutput(); err != nil {
		k.t.Fatalf("softhsm2-util %v: %v: %s", args, err, out)
	}
}

// Import puts a private key in PKCS#8 into the token.
func (k *Token) Import(file, label string) {
	k.t.Helper()
	k.util("--import", file, "--token", k.Label, "--pin", k.PIN, "--label", label, "--id", "0a")
}

// SetPIN writes what is said to be the PIN.
func (k *Token) SetPIN(pin string) {
	k.t.Helper()
	if err := os.WriteFile(k.PINFile, []byte(pin+"\n"), 0o600); err != nil {
		k.t.Fatal(err)
	}
}

// Name returns the name of a key.
func (k *Token) Name(object string) string {
	return pkcs11.URI{Token: k.Label, Object: object, Module: k.Module, PIN: k.PINFile}.String()
}

// Make makes a key in the token and returns its name.
func (k *Token) Make(object string) string {
	k.t.Helper()
	uri, err := pkcs11.ParseURI(k.Name(object))
	if err != nil {
		k.t.Fatal(err)
	}
	if _, err := pkcs11.Make(uri); err != nil {
		k.t.Fatal(err)
	}
	return uri.String()
}

// TakeAway unplugs the token: the next process that loads the module does not find it.
func (k *Token) TakeAway() {
	k.t.Helper()
	if err := errors.Join(os.Rename(k.dir, k.dir+".away"), os.Mkdir(k.dir, 0o700)); err != nil {
		k.t.Fatal(err)
	}
	k.KillModules()
}

// GiveBack plugs the token in again.
func (k *Token) GiveBack() {
	k.t.Helper()
	if err := errors.Join(os.RemoveAll(k.dir), os.Rename(k.dir+".away", k.dir)); err != nil {
		k.t.Fatal(err)
	}
}

// KillModules kills the processes of the module that this test has started, and returns how many.
func (k *Token) KillModules() int {
	k.t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		k.t.Fatal(err)
	}
	killed := 0
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err1 := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		line, err2 := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if err1 != nil || err2 != nil || !strings.Contains(string(line), k.Module) {
			continue
		}
		_, rest, _ := strings.Cut(string(stat), ") ") // state and parent follow the name
		if fields := strings.Fields(rest); len(fields) < 2 || fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		if p, err := os.FindProcess(id); err == nil && p.Kill() == nil {
			killed++
		}
	}
	return killed
}
