package backup

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"drawhouse/journal"
	"drawhouse/journal/store"
)

// magic is the first line of a backup. Its number is that of the form.
const magic = "drawhouse backup 1\n"

// The letters of frames.
const (
	frameVolume = 'V'
	frameRecord = 'R'
	frameHead   = 'H'
	frameObject = 'O'
	frameEnd    = 'E'
)

// Write writes the journal of a source, as it is at one moment, in the form of the
// package comment. What it has written is for the caller to make durable, and to read
// back with Read.
func Write(ctx context.Context, to io.Writer, from store.Source, progress Progress) (Summary, error) {
	contents, err := from.Contents(ctx)
	if err != nil {
		return Summary{}, err
	}
	summary, err := summarise(contents)
	if err != nil {
		return Summary{}, err
	}
	summary.Copied = summary.Records
	w := newWriter(to)
	done := uint64(0)
	for _, head := range contents.Volumes {
		err := w.volume(ctx, head, from, func() {
			if done++; progress != nil && (done%256 == 0 || done == summary.Records) {
				progress(done, summary.Records)
			}
		})
		if err != nil {
			return Summary{}, fmt.Errorf("volume %d: %w", head.Volume, err)
		}
	}
	for _, name := range contents.Objects {
		data, err := from.Object(ctx, name)
		if err != nil {
			return Summary{}, err
		}
		w.frame(frameObject, w.numbers(uint64(len(name))), []byte(name), data)
	}
	return summary, w.end()
}

// writer writes frames and hashes them. Its first error stays.
type writer struct {
	out    *bufio.Writer
	hash   hash.Hash
	head   [1 + binary.MaxVarintLen64]byte
	number []byte
	err    error
}

func newWriter(to io.Writer) *writer {
	w := &writer{out: bufio.NewWriterSize(to, 1<<18), hash: sha256.New()}
	w.write([]byte(magic))
	return w
}

func (w *writer) write(data []byte) {
	if w.err == nil {
		w.hash.Write(data)
		_, w.err = w.out.Write(data)
	}
}

// frame writes a frame of some parts.
func (w *writer) frame(letter byte, parts ...[]byte) {
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	w.head[0] = letter
	w.write(binary.AppendUvarint(w.head[:1], uint64(length)))
	for _, part := range parts {
		w.write(part)
	}
}

// numbers returns numbers as varints, until it is called again.
func (w *writer) numbers(values ...uint64) []byte {
	w.number = w.number[:0]
	for _, v := range values {
		w.number = binary.AppendUvarint(w.number, v)
	}
	return w.number
}

// volume writes a volume and holds its records against its root.
func (w *writer) volume(ctx context.Context, head store.Head, from store.Source, tell func()) error {
	w.frame(frameVolume, w.numbers(uint64(head.Volume)))
	tree := journal.NewTree()
	err := store.Entries(ctx, from, head.Volume, 0, head.Size, func(_ uint64, e store.Entry) error {
		if tree.Append(e.Data); tree.Size()%journal.TileWidth == 0 {
			tree.TakeTiles() // They can be made again from the records.
		}
		w.frame(frameRecord, w.numbers(uint64(e.About.Volume), e.About.Seq), e.Data)
		tell()
		return w.err
	})
	if err == nil && tree.Root() != head.Root {
		err = fmt.Errorf("its %d records come to root %v, its head says %v: %w", head.Size, tree.Root(), head.Root,
			ErrDamaged)
	}
	if err != nil {
		return err
	}
	w.frame(frameHead, w.numbers(head.Size), head.Root[:], head.Checkpoint)
	return w.err
}

// end writes the last frame and hands everything on.
func (w *writer) end() error {
	sum := w.hash.Sum(nil)
	w.frame(frameEnd, sum)
	if w.err != nil {
		return w.err
	}
	return w.out.Flush()
}
