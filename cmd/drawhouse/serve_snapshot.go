package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"drawhouse/house"
)

// snapshotFile is where a house keeps its snapshot.
func snapshotFile(data string) string { return filepath.Join(data, "snapshot") }

// snapshots says where the house keeps its snapshots, if it does. They are read by nothing
// but a start: to verify, to examine or to export a journal is to read its records.
func (c *serveFlags) snapshots(log *slog.Logger) house.Snapshots {
	if c.NoSnapshot {
		return house.Snapshots{}
	}
	name, err := programName()
	if err != nil {
		log.Warn("no snapshots are kept: this program cannot be told from another", "error", err)
		return house.Snapshots{}
	}
	return house.Snapshots{File: snapshotFile(c.Data), Build: name}
}

// programName names this program by the hash of its file. A version would not do: two
// builds of one may add records up in two ways, and a snapshot of one must not be gone
// on with by the other.
var programName = sync.OnceValues(func() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
})
