package lab

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// packed is the time of every file of an archive, the earliest that a zip can have, so that the same files make the
// same archive.
var packed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// archive writes all files below a folder of a name into an archive beside the one asked for, and returns its name.
func (w *writer) archive(name, folder string) (part string, err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".part-")
	if err != nil {
		return "", err
	}
	defer func() {
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	add, end := tarTo(f)
	if filepath.Ext(name) == ".zip" {
		add, end = zipTo(f)
	}
	w.sort()
	for _, file := range w.files {
		to, err := add(folder+"/"+file.Name, file.Bytes)
		if err != nil {
			return "", err
		}
		from, err := w.root.Open(filepath.FromSlash(file.Name))
		if err != nil {
			return "", err
		}
		_, err = io.Copy(to, from)
		if err := errors.Join(err, from.Close()); err != nil {
			return "", fmt.Errorf("pack %s: %w", file.Name, err)
		}
	}
	return f.Name(), end()
}

// tarTo returns how a file is added to a tar, and how it ends.
func tarTo(to io.Writer) (add func(name string, size int64) (io.Writer, error), end func() error) {
	t := tar.NewWriter(to)
	return func(name string, size int64) (io.Writer, error) {
		return t, t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644, ModTime: packed,
			Format: tar.FormatPAX})
	}, t.Close
}

// zipTo returns how a file is added to a zip, and how it ends.
func zipTo(to io.Writer) (add func(name string, size int64) (io.Writer, error), end func() error) {
	z := zip.NewWriter(to)
	return func(name string, _ int64) (io.Writer, error) {
		return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: packed})
	}, z.Close
}
