package backup

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// Visitor is told what a backup holds, in the order of the file. Bytes are its own
// only until it returns, and an error of it ends the reading. Any of its functions may
// be nil.
//
// What it is told is not proven before Read has returned: a damaged record shows at the
// end of its volume, and a damaged object at the end of the file.
type Visitor struct {
	Record func(place record.Place, e store.Entry) error
	Volume func(head store.Head) error // when its records are through, and come to its root
	Object func(name string, data []byte) error
}

// Read reads a backup and checks all of it. Anything that is not as the package
// comment says is an error that wraps ErrDamaged.
func Read(from io.Reader, visit Visitor) (Summary, error) {
	r := &reader{in: bufio.NewReaderSize(from, 1<<18), hash: sha256.New(), visit: visit}
	line := make([]byte, len(magic))
	if err := r.full(line); err != nil || string(line) != magic {
		return Summary{}, errors.Join(fmt.Errorf("it does not begin as a backup of this form: %w", ErrDamaged), err)
	}
	for {
		more, err := r.frame()
		if err != nil {
			return Summary{}, fmt.Errorf("after %d records and %d objects: %w", r.summary.Records, r.summary.Objects,
				err)
		}
		if !more {
			r.summary.Copied = r.summary.Records
			return r.summary, nil
		}
	}
}

// Is reports whether a file begins as a backup does; whether it is a whole one, Read
// tells.
func Is(from io.Reader) bool {
	line := make([]byte, len(magic))
	_, err := io.ReadFull(from, line)
	return err == nil && string(line) == magic
}

type reader struct {
	in      *bufio.Reader
	hash    hash.Hash
	visit   Visitor
	payload bytes.Buffer
	summary Summary

	tree   *journal.Tree // of the volume that is being read, or nil
	volume uint16
	name   string // of the last object
}

// full reads and hashes as many bytes as there is room for.
func (r *reader) full(data []byte) error {
	if _, err := io.ReadFull(r.in, data); err != nil {
		return cutOff(err)
	}
	r.hash.Write(data)
	return nil
}

// cutOff says of a file that ends where it should not that it is damaged.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it ends too early: %w", ErrDamaged)
	}
	return err
}

// ReadByte implements io.ByteReader, for varints.
func (r *reader) ReadByte() (byte, error) {
	b, err := r.in.ReadByte()
	if err == nil {
		r.hash.Write([]byte{b})
	}
	return b, err
}

// frame reads a frame and reports whether more may follow.
func (r *reader) frame() (more bool, err error) {
	sum := r.hash.Sum(nil) // of what is before the frame
	letter, err := r.ReadByte()
	if err != nil {
		return false, cutOff(err)
	}
	length, err := binary.ReadUvarint(r)
	if err != nil {
		return false, errors.Join(fmt.Errorf("a frame has no length: %w", ErrDamaged), err)
	}
	if length > maxFrame {
		return false, fmt.Errorf("a frame has %d bytes: %w", length, ErrDamaged)
	}
	r.payload.Reset()
	// Memory grows with what there is and not with what the length says.
	if _, err := io.CopyN(io.MultiWriter(&r.payload, r.hash), r.in, int64(length)); err != nil {
		return false, cutOff(err)
	}
	if letter == frameEnd {
		return false, r.end(sum)
	}
	return true, r.read(letter, fields{r.payload.Bytes()})
}

// maxFrame bounds a frame by what any store would take.
const maxFrame = 1 << 30

func (r *reader) read(letter byte, f fields) error {
	switch letter {
	case frameVolume:
		return r.begin(f)
	case frameRecord:
		return r.record(f)
	case frameHead:
		return r.head(f)
	case frameObject:
		return r.object(f)
	}
	return fmt.Errorf("there is no frame %q: %w", letter, ErrDamaged)
}

// fields are what is left of a frame.
type fields struct{ rest []byte }

func (f *fields) number() (uint64, error) {
	v, n := binary.Uvarint(f.rest)
	if n <= 0 {
		return 0, fmt.Errorf("a number is missing: %w", ErrDamaged)
	}
	f.rest = f.rest[n:]
	return v, nil
}

func (f *fields) bytes(n uint64) ([]byte, error) {
	if n > uint64(len(f.rest)) {
		return nil, fmt.Errorf("a frame is too short: %w", ErrDamaged)
	}
	data := f.rest[:n:n]
	f.rest = f.rest[n:]
	return data, nil
}

func (r *reader) begin(f fields) error {
	volume, err := f.number()
	if err != nil {
		return err
	}
	if r.tree != nil || r.summary.Objects > 0 || volume <= uint64(r.volume) || volume > 0xffff || len(f.rest) > 0 {
		return fmt.Errorf("volume %d does not belong here: %w", volume, ErrDamaged)
	}
	r.tree, r.volume = journal.NewTree(), uint16(volume)
	return nil
}

func (r *reader) record(f fields) error {
	volume, err := f.number()
	if err != nil {
		return err
	}
	seq, err := f.number()
	if err != nil {
		return err
	}
	if r.tree == nil || volume > uint64(r.volume) || len(f.rest) == 0 || len(f.rest) > record.MaxBytes {
		return fmt.Errorf("a record of %d bytes about %d:%d does not belong here: %w", len(f.rest), volume, seq,
			ErrDamaged)
	}
	place := record.Place{Volume: r.volume, Seq: r.tree.Size()}
	if r.tree.Append(f.rest); r.tree.Size()%journal.TileWidth == 0 {
		r.tree.TakeTiles()
	}
	r.summary.Records++
	if r.visit.Record == nil {
		return nil
	}
	return r.visit.Record(place, store.Entry{Data: f.rest, About: record.Place{Volume: uint16(volume), Seq: seq}})
}

func (r *reader) head(f fields) error {
	size, err := f.number()
	if err != nil {
		return err
	}
	root, err := f.bytes(journal.HashBytes)
	if err != nil {
		return err
	}
	if r.tree == nil || size != r.tree.Size() || r.tree.Root() != journal.Hash(root) {
		return fmt.Errorf("volume %d does not come to its root: %w", r.volume, ErrDamaged)
	}
	head := store.Head{Volume: r.volume, Size: size, Root: journal.Hash(root), Checkpoint: bytes.Clone(f.rest)}
	r.tree = nil
	r.summary.Volumes = append(r.summary.Volumes, head)
	if r.visit.Volume == nil {
		return nil
	}
	return r.visit.Volume(head)
}

func (r *reader) object(f fields) error {
	length, err := f.number()
	if err != nil {
		return err
	}
	name, err := f.bytes(length)
	if err != nil {
		return err
	}
	if r.tree != nil || string(name) <= r.name {
		return fmt.Errorf("object %q does not belong here: %w", name, ErrDamaged)
	}
	r.name = string(name)
	r.summary.Objects++
	if r.visit.Object == nil {
		return nil
	}
	return r.visit.Object(r.name, f.rest)
}

// end compares the hash of everything before the last frame with what it says.
func (r *reader) end(sum []byte) error {
	if r.tree != nil || len(r.summary.Volumes) == 0 || !bytes.Equal(sum, r.payload.Bytes()) {
		return fmt.Errorf("it does not come to its hash: %w", ErrDamaged)
	}
	if _, err := r.in.ReadByte(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows its end: %w", ErrDamaged)
	}
	return nil
}
