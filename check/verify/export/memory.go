package export

import (
	"bytes"
	"io"

	"drawhouse/check/verify"
)

// Memory is an export in memory, by the names of its files: for who verifies a journal at
// once and keeps nothing.
type Memory map[string][]byte

// Create makes a file, which can be opened once it is closed.
func (m Memory) Create(name string) (io.WriteCloser, error) {
	return &memoryFile{export: m, name: name}, nil
}

// Open opens a file of the export for [verify.Run].
func (m Memory) Open(name string) (io.ReadCloser, error) {
	data, ok := m[name]
	if !ok {
		return nil, verify.ErrAbsent
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// memoryFile is a file that is being written.
type memoryFile struct {
	bytes.Buffer
	export Memory
	name   string
}

// Close implements io.Closer.
func (f *memoryFile) Close() error {
	f.export[f.name] = f.Bytes()
	return nil
}
