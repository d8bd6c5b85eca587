package person

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/internal/pgtest"
	"drawhouse/journal/record"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// registers are those that must behave alike.
var registers = map[string]func(t *testing.T) *Register{
	"SQLite": func(t *testing.T) *Register {
		r, err := Open(t.Context(), t.TempDir(), t.TempDir())
		must(t, err)
		return r
	},
	"PostgreSQL": func(t *testing.T) *Register {
		r, err := OpenDatabase(t.Context(), pgtest.Schema(t), t.TempDir())
		must(t, err)
		return r
	},
}

// TestRegister keeps, finds, refuses what was changed and forgets.
func TestRegister(t *testing.T) {
	for name, open := range registers {
		t.Run(name, func(t *testing.T) {
			r := open(t)
			t.Cleanup(func() { must(t, r.Close()) })
			ctx := t.Context()
			d, err := NewDetails(" Ada $1 O'Hara ", "ada@example.org", rand.Reader)
			must(t, err)
			must(t, r.Put(ctx, d))
			if got, err := r.Details(ctx, d.Hash()); err != nil || got.Name != "Ada $1 O'Hara" || got.Hash() != d.Hash() {
				t.Errorf("kept %+v: %v", got, err)
			}
			secret, err := NewSecret("correct horse battery", LeastCost, rand.Reader)
			must(t, err)
			must(t, r.PutSecret(ctx, secret))
			if got, err := r.Secret(ctx, secret.Hash()); err != nil || got != secret {
				t.Errorf("kept %q: %v", got, err)
			}
			if _, err := r.Secret(ctx, d.Hash()); !errors.Is(err, ErrUnknown) {
				t.Errorf("details passed for a password: %v", err)
			}
			if _, err := r.Details(ctx, record.Hash{1}); !errors.Is(err, ErrUnknown) {
				t.Errorf("nobody: %v", err)
			}
			other, err := NewSecret("my own password", LeastCost, rand.Reader)
			must(t, err)
			_, err = r.db.ExecContext(ctx, r.query(`UPDATE person_entry SET entry = $1 WHERE kind = 'secret'`), string(other))
			must(t, err)
			if got, err := r.Secret(ctx, secret.Hash()); !errors.Is(err, ErrChanged) {
				t.Errorf("a password put into the database is taken: %q, %v", got, err)
			}
			must(t, r.Forget(ctx, d.Hash(), secret.Hash()))
			if _, err := r.Details(ctx, d.Hash()); !errors.Is(err, ErrUnknown) {
				t.Errorf("forgotten: %v", err)
			}
			must(t, r.Forget(ctx, d.Hash()))
		})
	}
}

// TestForgotten looks for an entry in the bytes of the file, as it is stored.
func TestForgotten(t *testing.T) {
	dir := t.TempDir()
	r, err := Open(t.Context(), dir, t.TempDir())
	must(t, err)
	d, err := NewDetails("Bartholomew Unmistakable", "", rand.Reader)
	must(t, err)
	must(t, r.Put(t.Context(), d))
	var stored string
	must(t, r.db.QueryRowContext(t.Context(), `SELECT entry FROM person_entry`).Scan(&stored))
	found := func() bool {
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		must(t, err)
		for _, file := range files {
			data, err := os.ReadFile(file)
			must(t, err)
			if bytes.Contains(data, []byte(stored)) {
				return true
			}
		}
		return false
	}
	if !found() {
		t.Fatal("the test looks in the wrong place")
	}
	must(t, r.Forget(t.Context(), d.Hash()))
	if found() {
		t.Error("the file still has the entry")
	}
	must(t, r.Close())
	info, err := os.Stat(filepath.Join(dir, FileName))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the register is %v", info.Mode())
	}
}

// TestDetails: a salt makes two people of one name different, and names are bounded.
func TestDetails(t *testing.T) {
	a, err := NewDetails("Ada", "", rand.Reader)
	must(t, err)
	b, err := NewDetails("Ada", "", rand.Reader)
	must(t, err)
	if a.Hash() == b.Hash() {
		t.Error("two salts, one hash")
	}
	for text, good := range map[string]bool{"": false, " ": false, "A": true, strings.Repeat("å", 200): true,
		strings.Repeat("å", 201): false, "\xff": false} {
		if _, err := NewDetails(text, "", rand.Reader); (err == nil) != good {
			t.Errorf("the name %.20q: %v", text, err)
		}
	}
	if _, err := NewDetails("Ada", "", bytes.NewReader(nil)); err == nil {
		t.Error("details without a salt")
	}
}

// TestPassword: a password matches its own entry and no other, and its length is
// bounded below, at and above.
func TestPassword(t *testing.T) {
	for n, good := range map[int]bool{LeastPassword - 1: false, LeastPassword: true, MostPassword: true, MostPassword +
		1: false} {
		if _, err := NewSecret(strings.Repeat("ö", n), LeastCost, rand.Reader); (err == nil) != good {
			t.Errorf("%d characters: %v", n, err)
		}
	}
	secret, err := NewSecret("correct horse battery", LeastCost, rand.Reader)
	must(t, err)
	for password, want := range map[string]bool{"correct horse battery": true, "correct horse batterY": false, "": false,
		strings.Repeat("x", 1<<20): false} {
		if got, err := secret.Matches(password); err != nil || got != want {
			t.Errorf("%.30q matches: %v, %v", password, got, err)
		}
	}
}

// TestSecretForms: an entry has one form, and its cost is bounded.
func TestSecretForms(t *testing.T) {
	secret, err := NewSecret("correct horse battery", LeastCost, bytes.NewReader([]byte("somesaltsomesalt")))
	must(t, err)
	for name, text := range map[string]string{
		"empty":          "",
		"other function": strings.Replace(string(secret), "argon2id", "argon2i", 1),
		"other version":  strings.Replace(string(secret), "v=19", "v=16", 1),
		"too dear":       strings.Replace(string(secret), "m=8", "m=4000000", 1),
		"many threads":   strings.Replace(string(secret), "p=1", "p=9", 1),
		"leading zero":   strings.Replace(string(secret), "m=8", "m=08", 1),
		"short key":      string(secret[:len(secret)-4]),
	} {
		if ok, err := Secret(text).Matches("correct horse battery"); ok || err == nil {
			t.Errorf("%s: matches %v, %v", name, ok, err)
		}
	}
}

// FuzzSecret reads entries that nobody wrote.
func FuzzSecret(f *testing.F) {
	f.Add("$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$aaaa")
	f.Fuzz(func(t *testing.T, text string) {
		cost, salt, key, err := Secret(text).parse()
		if err == nil && encodeSecret(cost, salt, key) != Secret(text) {
			t.Errorf("%q has another form", text)
		}
	})
}
