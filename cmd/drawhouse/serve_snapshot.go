package main

import (
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"sync"

	"drawhouse/house"
	"drawhouse/house/person"
	"drawhouse/journal/record"
)

// snapshotFile is where a house keeps its snapshot.
func snapshotFile(data string) string { return filepath.Join(data, "snapshot") }

// snapshots says where the house keeps its snapshots, if it does. They are read by nothing
// but a start: to verify, to examine or to export a journal is to read its records.
func (c *serveFlags) snapshots() house.Snapshots {
	if c.NoSnapshot {
		return house.Snapshots{}
	}
	return house.Snapshots{File: snapshotFile(c.Data)}
}

// wholeProgram says that the whole file of the program is hashed. A program that was linked for tests starts hundreds
// of times a run, and hashes the head alone, where the toolchain has the build's id.
var wholeProgram = !person.Cheap()

const programHead = 1 << 16

// programHash is the hash of this program's file.
var programHash = sync.OnceValues(hashProgram)

func hashProgram() (sum record.Hash, err error) {
	path, err := os.Executable()
	if err != nil {
		return sum, err
	}
	f, err := os.Open(path)
	if err != nil {
		return sum, err
	}
	defer func() { _ = f.Close() }()
	program := io.Reader(f)
	if !wholeProgram {
		program = io.LimitReader(f, programHead)
	}
	h := sha256.New()
	if _, err := io.Copy(h, program); err != nil {
		return sum, err
	}
	return record.Hash(h.Sum(nil)), nil
}
