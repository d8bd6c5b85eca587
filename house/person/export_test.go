package person

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"drawhouse/internal/pgtest"
)

// TestExport brings a register from SQLite to PostgreSQL and back, unchanged.
func TestExport(t *testing.T) {
	keys := t.TempDir()
	from, err := Open(t.Context(), t.TempDir(), keys)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	ada := Details{Name: "Ada\nExample \"x\"", Salt: []byte("0123456789abcdef")}
	if err := errors.Join(from.Put(t.Context(), ada), from.PutSecret(t.Context(), "a secret")); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if n, err := from.Export(t.Context(), &file); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	to, err := OpenDatabase(t.Context(), pgtest.Schema(t), keys)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	for range 2 { // Once more changes nothing.
		if n, err := to.Import(t.Context(), bytes.NewReader(file.Bytes())); n != 2 || err != nil {
			t.Fatal(n, err)
		}
	}
	if d, err := to.Details(t.Context(), ada.Hash()); err != nil || d.Name != ada.Name {
		t.Errorf("%+v %v", d, err)
	}
	if ok, err := to.Has(t.Context(), Secret("a secret").Hash()); !ok || err != nil {
		t.Errorf("the secret is lost: %v", err)
	}
	if err := from.Forget(t.Context(), ada.Hash()); err != nil {
		t.Fatal(err)
	}
	if n, err := Mirror(t.Context(), to, from); n != 1 || err != nil {
		t.Errorf("%d entries are mirrored, %v", n, err)
	}
	if _, err := to.Details(t.Context(), ada.Hash()); !errors.Is(err, ErrUnknown) {
		t.Errorf("somebody who was erased is in the copy: %v", err)
	}
	if err := from.Put(t.Context(), ada); err != nil {
		t.Fatal(err)
	}
	if _, err := Mirror(t.Context(), to, from); err != nil {
		t.Error(err)
	}
	var was, again bytes.Buffer
	if _, err := from.Export(t.Context(), &was); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Export(t.Context(), &again); err != nil || !bytes.Equal(again.Bytes(), was.Bytes()) {
		t.Errorf("it came back as %q, %v; was %q", &again, err, &was)
	}
}

// TestExportDamaged changes every byte of a file and cuts it everywhere; nothing of it
// is ever taken.
func TestExportDamaged(t *testing.T) {
	r, err := Open(t.Context(), t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.PutSecret(t.Context(), "a secret"); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := r.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	whole := file.String()
	for i := range whole {
		bad := []byte(whole)
		bad[i] ^= 1
		if _, err := CheckExport(bytes.NewReader(bad), ""); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d changed: %v", i, err)
		}
		if _, err := CheckExport(strings.NewReader(whole[:i]), ""); !errors.Is(err, ErrDamaged) && i < len(whole)-1 {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
	if _, err := CheckExport(strings.NewReader(whole+"x"), ""); !errors.Is(err, ErrDamaged) {
		t.Errorf("with something behind it: %v", err)
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(exportHead + "\n"))
	f.Add([]byte(exportHead1 + "\n{\"key\":\"00\",\"number\":1}\n0 00\n"))
	f.Add([]byte(exportHead + "\n{\"hash\":\"\",\"kind\":\"\",\"entry\":\"\"}\n1 00\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, err := CheckExport(bytes.NewReader(data), ""); err != nil && (n != Checked{} || !errors.Is(err, ErrDamaged)) {
			t.Fatalf("%+v and %v", n, err)
		}
	})
}
