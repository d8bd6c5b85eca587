package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSecretsOfOthers starts a house, a device and a witness with keys that others on the
// machine can read, and in directories in which others can put files. Each refuses, and says
// which command ends it.
func TestSecretsOfOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	runs(t, append([]string{"found", "secrets.example", "--data=" + data}, decided(t, "vic-keno-2015")...)...)
	if mode := modeOf(t, data); mode != 0o700 {
		t.Errorf("the data directory is made with %v", mode)
	}
	house := []string{"serve", "--addr=127.0.0.1:0", "--data=" + data}
	private := filepath.Join(dir, "private")
	if err := os.Mkdir(private, 0o700); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(private, "machine.key")
	if err := makeKeyFile(key, "secrets.example/machine"); err != nil {
		t.Fatal(err)
	}
	verifier := houseKeyOf(t, data)
	device := []string{"device", "--listen=unix:" + filepath.Join(dir, "s"), "--key=" + key, "--book=" +
		filepath.Join(dir, "book"), "--house-key=" + verifier}
	witness := []string{"witness", "serve", "--listen=127.0.0.1:0", "--key=" + key, "--state=" +
		filepath.Join(dir, "state"), "--log=" + verifier}
	secured := tlsFlags{TLSCert: filepath.Join(private, "cert.pem"), TLSKey: filepath.Join(private, "tls.pem")}
	writeCertificate(t, secured, 1)
	for _, c := range []struct {
		args []string
		path string
		mode fs.FileMode
		want string
	}{
		{house, filepath.Join(data, "keys", "house.key"), 0o640, "chmod 600 "},
		{house, filepath.Join(data, "keys", "serial-volume-1.key"), 0o604, "chmod 600 "},
		{append(house, "--follow"), filepath.Join(data, "keys", "device.key"), 0o644, "chmod 600 "},
		{house, filepath.Join(data, "keys"), 0o770, "chmod 700 "},
		{house, data, 0o702, "chmod 700 "},
		{append(slices.Clone(house), "--tls-cert="+secured.TLSCert, "--tls-key="+secured.TLSKey), secured.TLSKey, 0o640,
			"chmod 600 "},
		{device, key, 0o640, "chmod 600 "},
		{device, private, 0o777, "chmod 700 "},
		{witness, key, 0o644, "chmod 600 "},
	} {
		before := modeOf(t, c.path)
		if err := os.Chmod(c.path, c.mode); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		if status := run(c.args, &stdout, &stderr); status != statusUsage ||
			!strings.Contains(stderr.String(), c.want+c.path) {
			t.Errorf("%s with %s at %v: status %d, %s", c.args[0], c.path, c.mode, status, &stderr)
		}
		if err := os.Chmod(c.path, before); err != nil {
			t.Fatal(err)
		}
	}
	export := filepath.Join(dir, "exports")
	if err := os.Mkdir(export, 0o700); err != nil {
		t.Fatal(err)
	}
	runs(t, "journal", "export", filepath.Join(export, "journal"), "--data="+data)
	runs(t, "export", filepath.Join(export, "tables"), "--data="+data)
	err := filepath.WalkDir(export, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && modeOf(t, path)&0o077 != 0 {
			t.Errorf("others may read %s of an export (%v)", path, modeOf(t, path))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// houseKeyOf returns the verifier key of a house that was founded.
func houseKeyOf(t *testing.T, data string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(data, "keys", "house.key"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.SplitN(string(text), "\n", 2)[1])
}

// copyFolder copies a folder of a house with what is its owner's alone.
func copyFolder(t *testing.T, to, from string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(to, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return os.Chmod(path, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
