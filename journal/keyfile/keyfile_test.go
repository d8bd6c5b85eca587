package keyfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/internal/tokentest"
	"drawhouse/journal"
	"drawhouse/journal/keyfile"
)

// generated returns what stands in the file of a key.
func generated(t testing.TB, name string) string {
	t.Helper()
	text, err := keyfile.Generate(strings.NewReader(strings.Repeat(name, 32)), name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const inToken = "pkcs11:token=house;object=one?module-path=/usr/lib/x.so&pin-source=/etc/pin"

// verifierOf returns the second line of a file.
func verifierOf(text string) string {
	_, verifier, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return verifier
}

// TestParse reads files of keys. One in a token is known without the token.
func TestParse(t *testing.T) {
	text, other := generated(t, "a.example"), generated(t, "b.example")
	key, err := keyfile.Parse([]byte(text))
	if err != nil || key.Token != "" || key.Signer.Name() != "a.example" {
		t.Errorf("%+v, %v", key, err)
	}
	if _, err := key.Prove(); err != nil {
		t.Error(err)
	}
	held := inToken + "\n" + verifierOf(text) + "\n"
	key, err = keyfile.Parse([]byte(held))
	if err != nil || key.Token != inToken || key.Text() != held || key.Signer.Name() != "a.example" ||
		journal.HolderOf(key.Signer) == nil {
		t.Errorf("%+v, %v", key, err)
	}
	first, _, _ := strings.Cut(text, "\n")
	for _, wrong := range []string{"", first, first + "\n" + verifierOf(other), inToken, inToken + "\nx",
		"pkcs11:object=a\n" + verifierOf(text), verifierOf(text)} {
		if key, err := keyfile.Parse([]byte(wrong)); err == nil || strings.Contains(err.Error(), first) {
			t.Errorf("%q is %+v, %v", wrong, key, err)
		}
	}
}

// TestTake takes a key of a token into use, writes its file and reads it.
func TestTake(t *testing.T) {
	token := tokentest.New(t)
	key, info, err := keyfile.Take(token.Make("one"), "a.example")
	if err != nil || !info.Kept {
		t.Fatalf("%+v: %v", info, err)
	}
	path := filepath.Join(t.TempDir(), "a.key")
	if err := os.WriteFile(path, []byte(key.Text()), 0o600); err != nil {
		t.Fatal(err)
	}
	read, err := keyfile.Read(path)
	if err != nil || read.Verifier != key.Verifier {
		t.Fatalf("%+v: %v", read, err)
	}
	if _, err := read.Prove(); err != nil {
		t.Error(err)
	}
	if _, _, err := keyfile.Take(token.Name("none"), "a.example"); err == nil {
		t.Error("a key that is not there was taken")
	}
}

// FuzzParse: what is read bears the name that its second line has.
func FuzzParse(f *testing.F) {
	text := generated(f, "a.example")
	for _, seed := range []string{text, inToken + "\n" + verifierOf(text), "", "\n", "pkcs11:\nx"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		key, err := keyfile.Parse(data)
		if err == nil && !strings.HasPrefix(key.Verifier, key.Signer.Name()+"+") {
			t.Errorf("%q signs as %s", key.Verifier, key.Signer.Name())
		}
	})
}
