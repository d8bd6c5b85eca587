package main

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/goreleaser/nfpm/v2"
	"github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
)

// packages makes a package for Debian of each program for Linux.
func (m *maker) packages() error {
	for _, p := range m.platforms {
		if p.packed() {
			if err := m.debian(p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *maker) debian(p platform) error {
	contents, err := m.contents(p)
	if err != nil {
		return err
	}
	script := func(name string) string { return filepath.Join(m.source, "packaging/deb", name) }
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "drawhouse", Arch: p.arch, Version: m.version, MTime: m.time, DisableGlobbing: true,
		Section: "misc", Priority: "optional", License: "Apache-2.0", Maintainer: "drawhouse <nobody@drawhouse.invalid>",
		Description: "central system for keno and bingo\n" +
			"It sells tickets through terminals of venues, draws, settles, pays and runs jackpots.\n" +
			"Every event is a record of a signed journal, which anybody can check.",
		Overridables: nfpm.Overridables{
			Contents: contents,
			Depends:  []string{"systemd | systemd-standalone-sysusers | systemd-sysusers"},
			// Witnesses and others are reached by https; the database may be on another machine.
			Recommends: []string{"ca-certificates"},
			Suggests:   []string{"postgresql"},
			Scripts: nfpm.Scripts{PostInstall: script("postinst"), PreRemove: script("prerm"),
				PostRemove: script("postrm")},
		},
	})
	if err := nfpm.PrepareForPackager(info, "deb"); err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := deb.Default.Package(info, &packed); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.out, deb.Default.ConventionalFileName(info)), packed.Bytes(), 0o644)
}

// contents are the files of a package.
func (m *maker) contents(p platform) (files.Contents, error) {
	var all files.Contents
	add := func(from, to string, mode os.FileMode) {
		all = append(all, &files.Content{Source: from, Destination: to, FileInfo: &files.ContentFileInfo{
			Owner: "root", Group: "root", Mode: mode, MTime: m.time}})
	}
	const docs = "/usr/share/doc/drawhouse/"
	staged := func(name string) string { return filepath.Join(m.stage, name) }
	packaged := func(name string) string { return filepath.Join(m.source, "packaging", name) }
	add(m.program(p), "/usr/bin/drawhouse", 0o755)
	add(packaged("sysusers.conf"), "/usr/lib/sysusers.d/drawhouse.conf", 0o644)
	add(packaged("drawhouse-.service.d/hardening.conf"),
		"/usr/lib/systemd/system/drawhouse-.service.d/hardening.conf", 0o644)
	add(staged("completion.bash"), "/usr/share/bash-completion/completions/drawhouse", 0o644)
	add(staged("completion.zsh"), "/usr/share/zsh/vendor-completions/_drawhouse", 0o644)
	add(staged("completion.fish"), "/usr/share/fish/vendor_completions.d/drawhouse.fish", 0o644)
	add(staged("copyright"), docs+"copyright", 0o644)
	add(staged("changelog.gz"), docs+"changelog.gz", 0o644)
	add(filepath.Join(m.source, "README.md"), docs+"README.md", 0o644)
	for _, many := range []struct{ pattern, to string }{
		{packaged("*.service"), "/usr/lib/systemd/system/"},
		{packaged("examples/*"), docs + "examples/"},
		{staged("man/*.gz"), "/usr/share/man/man1/"},
		{filepath.Join(m.source, "docs", "*.md"), docs},
	} {
		found, err := filepath.Glob(many.pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			add(file, many.to+filepath.Base(file), 0o644)
		}
	}
	all = append(all, &files.Content{Type: files.TypeDir, Destination: "/etc/drawhouse",
		FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: 0o755, MTime: m.time}})
	return all, nil
}
