package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// standIn returns a maker in a folder that has stand-ins for programs and papers, and the files of packages as they
// are.
func standIn(t *testing.T) *maker {
	t.Helper()
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	m := &maker{source: source, out: t.TempDir(), stage: t.TempDir(), version: "1.2.3-rc.4", commit: "abc",
		time: time.Unix(1_800_000_000, 0).UTC(), platforms: platforms[:2], commands: []string{"make build"}}
	for name := range strings.FieldsSeq("completion.bash completion.zsh completion.fish copyright changelog.gz") {
		if err := m.put(name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.ReadFile(os.Args[0]) // any program that says what it is made of
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.platforms {
		if err := os.WriteFile(m.program(p), program, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// touch gives the files of a folder a time.
func touch(dir string, at time.Time) error {
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	for _, file := range files {
		err = errors.Join(err, os.Chtimes(file, at, at))
	}
	return err
}

// TestSameBytes makes everything twice, at two times and in two folders.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	var made [2]*maker
	for i := range made {
		m := standIn(t)
		for _, dir := range []string{m.out, m.stage} {
			if err := touch(dir, time.Unix(int64(i), 0)); err != nil {
				t.Fatal(err)
			}
		}
		for _, step := range []func() error{m.packages, m.image, m.boms, m.provenance, m.sums} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		made[i] = m
	}
	files, err := made[0].files()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(files, " "), "SHA256SUMS drawhouse-1.2.3-rc.4-image.tar "+
		"drawhouse-1.2.3-rc.4-linux-amd64 drawhouse-1.2.3-rc.4-linux-amd64.cdx.json "+
		"drawhouse-1.2.3-rc.4-linux-arm64 drawhouse-1.2.3-rc.4-linux-arm64.cdx.json "+
		"drawhouse-1.2.3-rc.4.provenance.json drawhouse_1.2.3~rc.4_amd64.deb drawhouse_1.2.3~rc.4_arm64.deb"; got != want {
		t.Errorf("made %s, want %s", got, want)
	}
	for _, file := range files {
		one, err := os.ReadFile(filepath.Join(made[0].out, file))
		if err != nil {
			t.Fatal(err)
		}
		two, err := os.ReadFile(filepath.Join(made[1].out, file))
		if err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s differs: %v", file, err)
		}
	}
}

// TestImage unpacks the image and has the library that others use judge it.
func TestImage(t *testing.T) {
	t.Parallel()
	m := standIn(t)
	if err := m.image(); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(m.out, m.base()+"-image.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	dir := t.TempDir()
	for r := tar.NewReader(file); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.FromSlash(header.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	outer, err := index.IndexManifest()
	if err != nil || len(outer.Manifests) != 1 {
		t.Fatalf("the layout names %v, want one index: %v", outer, err)
	}
	inner, err := index.ImageIndex(outer.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	list, err := inner.IndexManifest()
	if err != nil || len(list.Manifests) != len(m.platforms) {
		t.Fatalf("the index has %v, want one for each of %v: %v", list, m.platforms, err)
	}
	for i, p := range m.platforms {
		if at := list.Manifests[i].Platform; at.OS != p.os || at.Architecture != p.arch {
			t.Errorf("image %d is for %v, want %v", i, at, p)
		}
	}
}

// TestLicencesAreNeeded refuses a module without a licence, which nobody may give away.
func TestLicencesAreNeeded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var b bytes.Buffer
	if err := licences(&b, "example.org/m v1", dir); err == nil {
		t.Error("a module without a licence was taken")
	}
	if err := os.WriteFile(filepath.Join(dir, "LICENSE.txt"), []byte("Do as you like.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := licences(&b, "example.org/m v1", dir); err != nil || !strings.Contains(b.String(), "Do as you like.") {
		t.Errorf("%v, %s", err, &b)
	}
}
