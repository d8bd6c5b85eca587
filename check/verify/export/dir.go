package export

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"drawhouse/check/verify"
)

// A Dir is an export in a directory, to be written or to be read. Nothing
// outside the directory is reached, whatever links it holds.
type Dir struct{ root *os.Root }

// CreateDir makes a new directory for an export, which is for its owner alone: the records
// in it name who works and plays there. A directory that is there already is refused: an
// export is whole, and not mixed with another.
func CreateDir(name string) (*Dir, error) {
	err := os.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("export: %s is there already, and an export goes into a new directory: %w", name,
			fs.ErrExist)
	}
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	return OpenDir(name)
}

// OpenDir opens the directory of an export.
func OpenDir(name string) (*Dir, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	return &Dir{root}, nil
}

// Close gives the directory up. Files that are open stay so.
func (d *Dir) Close() error { return d.root.Close() }

// Create makes a new file, and the folders above it.
func (d *Dir) Create(name string) (io.WriteCloser, error) {
	if folder := path.Dir(name); folder != "." {
		if err := d.root.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
	}
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Open opens a file of the export for [verify.Run].
func (d *Dir) Open(name string) (io.ReadCloser, error) {
	f, err := d.root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w (%w)", verify.ErrAbsent, err)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}
