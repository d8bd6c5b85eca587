package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// platform is what a program is built for.
type platform struct{ os, arch string }

// platforms are those of a release. Tests run on Linux with amd64; the others are built and not tried.
var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
}

// packed reports whether a platform has a package and a place in the image.
func (p platform) packed() bool { return p.os == "linux" }

// maker makes one release.
type maker struct {
	source, out string // folders
	stage       string // a folder for what only becomes part of a file
	platforms   []platform
	version     string
	commit      string
	time        time.Time
	commands    []string // that made it
}

func main() {
	source := flag.String("source", "", "folder of the clone to build")
	out := flag.String("out", "", "folder to write, which must not exist")
	only := flag.String("platform", "", "build for this platform alone, such as linux/amd64")
	flag.Parse()
	if err := release(*source, *out, *only); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

func release(source, out, only string) (err error) {
	if source == "" || out == "" {
		return errors.New("-source and -out are needed")
	}
	m := &maker{platforms: platforms}
	if only != "" {
		name, arch, _ := strings.Cut(only, "/")
		if m.platforms = []platform{{name, arch}}; !slices.Contains(platforms, m.platforms[0]) {
			return fmt.Errorf("%s is none of %v", only, platforms)
		}
	}
	if m.source, err = filepath.Abs(source); err != nil {
		return err
	}
	if m.out, err = filepath.Abs(out); err != nil {
		return err
	}
	if err := os.Mkdir(m.out, 0o755); err != nil {
		return err
	}
	if m.stage, err = os.MkdirTemp("", "release"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.stage)) }()
	steps := []func() error{m.identify, m.programs, m.papers, m.packages, m.image, m.boms, m.provenance, m.sums}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// run runs a program in the source and returns its output.
func (m *maker) run(env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = m.source
	cmd.Env = append(os.Environ(), env...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, &complaint)
	}
	return string(out), err
}

// identify reads which commit this is, and its time.
func (m *maker) identify() error {
	changes, err := m.run(nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" {
		return fmt.Errorf("there is more than the commit, which would become part of the programs:\n%s", changes)
	}
	about, err := m.run(nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return err
	}
	commit, seconds, _ := strings.Cut(strings.TrimSpace(about), " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	m.commit, m.time = commit, time.Unix(unix, 0).UTC()
	return err
}

// programs builds the program for each platform, and asks the one for this machine which version it is.
func (m *maker) programs() error {
	own := platform{runtime.GOOS, runtime.GOARCH}
	if err := m.build(own, filepath.Join(m.stage, "drawhouse")); err != nil {
		return err
	}
	said, err := m.run(nil, filepath.Join(m.stage, "drawhouse"), "version")
	if err != nil {
		return err
	}
	fields := strings.Fields(said)
	if len(fields) < 2 || !strings.Contains(said, "\ncommit "+m.commit+" ") || strings.Contains(said, "not committed") {
		return fmt.Errorf("the program is not one of commit %s: %s", m.commit, said)
	}
	m.version = fields[1]
	m.commands = nil
	for _, p := range m.platforms {
		fmt.Printf("release: building for %s/%s\n", p.os, p.arch)
		if err := m.build(p, m.program(p)); err != nil {
			return err
		}
	}
	return nil
}

// program returns the file of a program.
func (m *maker) program(p platform) string {
	name := m.base() + "-" + p.os + "-" + p.arch
	if p.os == "windows" {
		name += ".exe"
	}
	return filepath.Join(m.out, name)
}

// base is how the names of files begin.
func (m *maker) base() string { return "drawhouse-" + m.version }

// build builds the program as `make build` does.
func (m *maker) build(p platform, file string) error {
	target := []string{"GOOS=" + p.os, "GOARCH=" + p.arch}
	_, err := m.run(target, "make", "-s", "build", "OUT="+file)
	m.commands = append(m.commands, strings.Join(target, " ")+" make build OUT="+filepath.Base(file))
	return err
}
