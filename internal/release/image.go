package main

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// image writes an image for containers with a program for each platform of Linux, as an OCI layout in one file. The
// layout names one index, from which those who load it take what fits their machine.
func (m *maker) image() error {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range m.platforms {
		if !p.packed() {
			continue
		}
		one, err := m.imageOf(p)
		if err != nil {
			return err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: one,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: p.os, Architecture: p.arch}}})
	}
	whole := mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: index, Descriptor: v1.Descriptor{
		Annotations: map[string]string{"org.opencontainers.image.ref.name": m.version,
			"io.containerd.image.name": "docker.io/library/drawhouse:" + m.version}}})
	dir := filepath.Join(m.stage, "image")
	if _, err := layout.Write(dir, whole); err != nil {
		return err
	}
	var packed bytes.Buffer
	if err := tarFolder(&packed, dir, m.time); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(m.out, m.base()+"-image.tar"), packed.Bytes(), 0o644)
}

// imageOf makes the image of a platform: the program, its user, and the folders that it may write.
func (m *maker) imageOf(p platform) (v1.Image, error) {
	program, err := os.ReadFile(m.program(p))
	if err != nil {
		return nil, err
	}
	copyright, err := os.ReadFile(filepath.Join(m.stage, "copyright"))
	if err != nil {
		return nil, err
	}
	var files bytes.Buffer
	w := tar.NewWriter(&files)
	for _, f := range []struct {
		name string
		mode int64
		user int
		data []byte
	}{
		{"etc/passwd", 0o644, 0, []byte(users)},
		{"tmp/", 0o1777, 0, nil},
		{"usr/bin/drawhouse", 0o755, 0, program},
		{"usr/share/doc/drawhouse/copyright", 0o644, 0, copyright},
		{"var/lib/drawhouse/", 0o700, imageUser, nil},
	} {
		header := &tar.Header{Name: f.name, Mode: f.mode, Uid: f.user, Gid: f.user, Size: int64(len(f.data)),
			ModTime: m.time, Typeflag: tar.TypeReg}
		if f.data == nil {
			header.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(files.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	made, err := mutate.Append(base, mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: m.time},
		CreatedBy: "make release"}})
	if err != nil {
		return nil, err
	}
	config, err := made.ConfigFile()
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(made, m.config(p, config))
}

// imageUser is the number of the user in the image, and users its /etc/passwd.
const (
	imageUser = 65532
	users     = "drawhouse:x:65532:65532:drawhouse:/var/lib/drawhouse:/nonexistent\n"
)

// config says how a container is run.
func (m *maker) config(p platform, config *v1.ConfigFile) *v1.ConfigFile {
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = p.os, p.arch, v1.Time{Time: m.time}
	config.Config = v1.Config{
		User:         strconv.Itoa(imageUser),
		Entrypoint:   []string{"/usr/bin/drawhouse"},
		Cmd:          []string{"serve"},
		Env:          []string{"PATH=/usr/bin", "DRAWHOUSE_DATA=/var/lib/drawhouse"},
		WorkingDir:   "/var/lib/drawhouse",
		Volumes:      map[string]struct{}{"/var/lib/drawhouse": {}},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		StopSignal:   "SIGTERM",
		Labels: map[string]string{
			"org.opencontainers.image.title":    "drawhouse",
			"org.opencontainers.image.version":  m.version,
			"org.opencontainers.image.revision": m.commit,
			"org.opencontainers.image.created":  m.time.Format(time.RFC3339),
			"org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	return config
}

// tarFolder writes the files of a folder in the order of their names, all of one time and of nobody.
func tarFolder(out io.Writer, dir string, at time.Time) error {
	w := tar.NewWriter(out)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if err := w.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o644, Size: int64(len(data)), ModTime: at,
			Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		return err
	}
	return w.Close()
}
