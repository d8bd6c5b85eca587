package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// papers writes into the stage what packages have beside the program: completions, the manual, licences and changes.
func (m *maker) papers() error {
	program := filepath.Join(m.stage, "drawhouse")
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script, err := m.run(nil, program, "completion", shell)
		if err != nil {
			return err
		}
		if err := m.put("completion."+shell, []byte(script)); err != nil {
			return err
		}
	}
	if _, err := m.run(nil, program, "man", filepath.Join(m.stage, "man")); err != nil {
		return err
	}
	pages, err := filepath.Glob(filepath.Join(m.stage, "man", "*"))
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		return errors.New("there is no manual")
	}
	changes := filepath.Join(m.source, "CHANGELOG.md")
	for _, file := range append(pages, changes) {
		to := file
		if file == changes {
			to = filepath.Join(m.stage, "changelog")
		}
		if err := pack(file, to+".gz"); err != nil {
			return err
		}
	}
	copyright, err := m.copyright()
	if err != nil {
		return err
	}
	return m.put("copyright", copyright)
}

func (m *maker) put(name string, data []byte) error {
	return os.WriteFile(filepath.Join(m.stage, name), data, 0o644)
}

// pack compresses a file without its time and name.
func pack(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, packed.Bytes(), 0o644)
}

// module is a module that the program is made with.
type module struct{ Path, Version, Dir string }

// copyright returns the licence of the program and, as they ask for, those of the modules in it, on
// whichever platform.
func (m *maker) copyright() ([]byte, error) {
	seen := map[string]module{}
	for _, p := range platforms {
		listed, err := m.run([]string{"GOOS=" + p.os, "GOARCH=" + p.arch, "CGO_ENABLED=0"}, "go", "list", "-deps",
			"-json=Module", "./cmd/drawhouse")
		if err != nil {
			return nil, err
		}
		for decoder := json.NewDecoder(strings.NewReader(listed)); ; {
			var of struct{ Module *module }
			if err := decoder.Decode(&of); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
			if of.Module != nil && of.Module.Version != "" {
				seen[of.Module.Path] = *of.Module
			}
		}
	}
	var all []module
	for _, one := range seen {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	var b bytes.Buffer
	if err := licences(&b, "drawhouse", m.source); err != nil {
		return nil, err
	}
	for _, one := range all {
		if err := licences(&b, one.Path+" "+one.Version, one.Dir); err != nil {
			return nil, err
		}
	}
	typeface := filepath.Join(m.source, "edge/web/assets/kit")
	err := licences(&b, "Atkinson Hyperlegible Next, the typeface of the pages", typeface)
	return b.Bytes(), err
}

// licences appends the licence files of a folder.
func licences(b *bytes.Buffer, name, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		if e.IsDir() || !slices.ContainsFunc([]string{"LICEN", "COPYING", "NOTICE", "OFL"}, func(begin string) bool {
			return strings.HasPrefix(upper, begin)
		}) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		found = true
		fmt.Fprintf(b, "%s\n%s, %s\n\n%s\n\n", strings.Repeat("=", 78), name, e.Name(), bytes.TrimSpace(text))
	}
	if !found {
		return fmt.Errorf("%s has no licence in %s", name, dir)
	}
	return nil
}
