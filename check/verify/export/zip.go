package export

import (
	"archive/zip"
	"bytes"
	"io"
)

// A Zip is an export as one archive, to be written. Files are written one after the other
// when they are closed, each at once: of a journal of any length it holds one record file
// and one object in memory.
type Zip struct {
	out    *zip.Writer
	folder string
}

// NewZip begins an archive with the export in a folder of that name.
func NewZip(w io.Writer, folder string) *Zip { return &Zip{zip.NewWriter(w), folder} }

// Create makes a file of the export.
func (z *Zip) Create(name string) (io.WriteCloser, error) {
	return &packed{name: z.folder + "/" + name, to: z}, nil
}

// Add writes a file beside the export.
func (z *Zip) Add(name string, data []byte) error {
	f, err := z.out.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return err
}

// Close ends the archive. One that is not closed is not whole, and no program opens it.
func (z *Zip) Close() error { return z.out.Close() }

// packed is a file that is written when it is closed.
type packed struct {
	bytes.Buffer
	name string
	to   *Zip
}

// Close implements io.Closer.
func (p *packed) Close() error { return p.to.Add(p.name, p.Bytes()) }
