package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// statement is a statement of in-toto whose predicate is the provenance of SLSA.
type statement struct {
	Type          string         `json:"_type"`
	Subject       []subject      `json:"subject"`
	PredicateType string         `json:"predicateType"`
	Predicate     slsaProvenance `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

type slsaProvenance struct {
	BuildDefinition struct {
		BuildType            string            `json:"buildType"`
		ExternalParameters   map[string]string `json:"externalParameters"`
		InternalParameters   map[string]any    `json:"internalParameters"`
		ResolvedDependencies []resolved        `json:"resolvedDependencies"`
	} `json:"buildDefinition"`
	RunDetails struct {
		Builder map[string]string `json:"builder"`
	} `json:"runDetails"`
}

type resolved struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// provenance writes how the files were made: of which commit, with which Go, by which commands. It says nothing of when
// and on which machine, because another machine gives the same bytes at another time.
func (m *maker) provenance() error {
	made := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	files, err := m.files()
	if err != nil {
		return err
	}
	for _, file := range files {
		sum, err := sumOf(filepath.Join(m.out, file))
		if err != nil {
			return err
		}
		made.Subject = append(made.Subject, subject{file, map[string]string{"sha256": sum}})
	}
	sums, err := sumOf(filepath.Join(m.source, "go.sum"))
	if err != nil {
		return err
	}
	build := &made.Predicate.BuildDefinition
	build.BuildType = "urn:drawhouse:make-release:1"
	build.ExternalParameters = map[string]string{"commit": m.commit, "version": m.version}
	build.InternalParameters = map[string]any{"go": runtime.Version(), "commands": append([]string{
		"git checkout " + m.commit}, append(m.commands, "make release")...)}
	build.ResolvedDependencies = []resolved{
		{"source", map[string]string{"gitCommit": m.commit}}, {"go.sum", map[string]string{"sha256": sums}}}
	made.Predicate.RunDetails.Builder = map[string]string{"id": "urn:drawhouse:scripts-release"}
	return writeJSON(filepath.Join(m.out, m.base()+".provenance.json"), made)
}

// files returns the names of the files that were made, in order.
func (m *maker) files() (names []string, err error) {
	entries, err := os.ReadDir(m.out)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

// sums writes the hashes of all files, as sha256sum reads them.
func (m *maker) sums() error {
	files, err := m.files()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for _, file := range files {
		sum, err := sumOf(filepath.Join(m.out, file))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, file)
	}
	return os.WriteFile(filepath.Join(m.out, "SHA256SUMS"), b.Bytes(), 0o644)
}
