package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/internal/tokentest"
	"drawhouse/journal"
	"drawhouse/journal/keyfile"
)

// TestKeysOfTokens founds a house with keys in a token by the command line, exchanges one, and takes the token away.
func TestKeysOfTokens(t *testing.T) {
	token := tokentest.New(t)
	dir := filepath.Join(t.TempDir(), "data")
	run := func(want string, args ...string) string {
		t.Helper()
		status, out, errs := runLine(t, args...)
		if said := out + errs; (status == 0) != (errs == "") || !strings.Contains(said, want) {
			t.Fatalf("%v: %d %s, want %q", args, status, said, want)
		}
		return out
	}
	for _, label := range []string{"house-1", "house-2", "device-1", "log-1"} {
		out := run("It signs", "keys", "make", token.Name(label), "--name=keno.example")
		if !strings.Contains(out, "verifier key  keno.example+") || !strings.Contains(out, "never gives it away") {
			t.Errorf("keys make says %s", out)
		}
	}
	run("already", "keys", "make", token.Name("house-1"))
	run("pin-source", "keys", "show", token.Name("house-1")+"&pin-value=4711")
	run("It signs", "keys", "show", token.Name("house-2"))
	found := append([]string{"found", "keno.example", "--data=" + dir}, decided(t, "vic-keno-2015")...)
	run("does not begin with house= or device= or log=", append(found, "--key=serial="+token.Name("log-1"))...)
	run("is founded", append(found, "--key=house="+token.Name("house-1"), "--key=device="+token.Name("device-1"),
		"--key=log="+token.Name("log-1"))...)
	for _, label := range []string{"house-1", "device-1", "log-1"} {
		run(token.Name(label), "keys", "list", "--data="+dir)
	}
	run("are all there", "keys", "check", "--data="+dir)
	run("It signs", "keys", "show", filepath.Join(dir, "keys", "house.key"))
	run("and those in tokens sign", "doctor", "--data="+dir, "--quick")
	run("back up the token of", "keys", "backup", "--data="+dir, filepath.Join(t.TempDir(), "copy"))
	run("does not begin with device=", "keys", "rotate", "device", "--data="+dir, "--key=house="+token.Name("house-2"))
	run("The old key has signed for it", "keys", "rotate", "house", "--data="+dir, "--key=house="+token.Name("house-2"))
	run(token.Name("house-2"), "keys", "list", "--data="+dir)
	run("are all there", "keys", "check", "--data="+dir)

	_, house, err := journal.GenerateKey(strings.NewReader(strings.Repeat("house", 32)), "keno.example")
	if err != nil {
		t.Fatal(err)
	}
	device := deviceCmd{Key: keyName(token.Name("device-1")), HouseKeys: []string{house}}
	if _, err := device.config(); err == nil || !strings.Contains(err.Error(), "--name") {
		t.Errorf("a device without a name: %v", err)
	}
	device.Name = "keno.example/device"
	if config, err := device.config(); err != nil || journal.Prove(config.Keys.Signer, config.Key) != nil {
		t.Errorf("a device with a key in a token: %v", err)
	}
	file := filepath.Join(t.TempDir(), "witness.key")
	key, _, err := keyfile.Take(token.Name("log-1"), "witness.example")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(key.Text()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openOwnKey(file, "", ""); err == nil || !strings.Contains(err.Error(), "keeps its key in a file") {
		t.Errorf("a witness with a key in a token: %v", err)
	}

	token.TakeAway()
	run("does not sign", "keys", "check", "--data="+dir)
}
