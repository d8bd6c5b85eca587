// Package logbook keeps lines in a file. A line is durable when Append returns, and
// is there again, whole and in its order, after any crash.
//
// A witness and a draw device each have one: what they have signed must not be
// forgotten, or they could be brought to sign the contrary. A file has one owner at
// a time. It is written by appending alone, so that people can read it and a
// backup of it is a copy.
//
// A line is the CRC-32 of its text as eight hexadecimal digits, a space, and the
// text. The sum finds damage and not forgery: anybody who keeps something here that
// others must not change signs it. TestCutAtEveryByte shows what a crash can leave.
package logbook

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// maxLine bounds a line, so that a file that is no book is not read into memory.
const maxLine = 1 << 20

// A Book is a file of lines. Any number of goroutines may use it.
type Book struct {
	mu   sync.Mutex // guards what follows
	file *os.File
	path string // under which the next start looks for it
	end  int64  // where the next line begins
	err  error  // why nothing more is ever written
	torn bool   // a write failed, and the file may hold a part of its line
}

// Open opens a book, or begins an empty one, and calls line for every line in it, whose
// text is only lent. A last line without an end was never acknowledged and is cut off; any other
// damage is an error, for what was acknowledged is not given up in silence.
func Open(path string, line func(text []byte) error) (*Book, error) {
	return OpenPlaced(path, func(_ int64, text []byte) error { return line(text) })
}

// OpenPlaced is Open for an owner who will read lines again: it is told where each begins, for Line.
func OpenPlaced(path string, line func(at int64, text []byte) error) (*Book, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("logbook: %w", err)
	}
	b := &Book{file: file, path: path}
	if err := b.begin(path, line); err != nil {
		return nil, errors.Join(fmt.Errorf("logbook: %s: %w", path, err), file.Close())
	}
	return b, nil
}

// begin takes possession of the file, reads it and brings it to its last whole
// line.
func (b *Book) begin(path string, line func(int64, []byte) error) error {
	if err := lock(b.file); err != nil {
		return fmt.Errorf("another process holds it: %w", err)
	}
	whole, err := read(b.file, line)
	if err != nil {
		return err
	}
	if err := b.file.Truncate(whole); err != nil {
		return err
	}
	if _, err := b.file.Seek(whole, io.SeekStart); err != nil {
		return err
	}
	b.end = whole
	return errors.Join(b.file.Sync(), syncDir(filepath.Dir(path)))
}

// read calls line for every whole line and returns where they end.
func read(file io.Reader, line func(int64, []byte) error) (whole int64, err error) {
	reader := bufio.NewReaderSize(file, maxLine)
	for number := 1; ; number++ {
		entry, err := reader.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && !isTorn(entry):
			return 0, fmt.Errorf("line %d has no end and is none of a book", number)
		case errors.Is(err, io.EOF):
			return whole, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return 0, fmt.Errorf("line %d is longer than %d bytes", number, maxLine)
		case err != nil:
			return 0, err
		}
		text, err := parse(entry[:len(entry)-1])
		if err == nil {
			err = line(whole, text)
		}
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", number, err)
		}
		whole += int64(len(entry))
	}
}

// isTorn reports whether the end of a file may be what a crash left of a line: its
// beginning, or the zeros of a block that was never filled. Any other file is
// somebody else's, and is not cut.
func isTorn(tail []byte) bool {
	for i, c := range tail[:min(len(tail), sumDigits)] {
		isDigit := c >= '0' && c <= '9' || c >= 'a' && c <= 'f'
		if c != 0 && (i < sumDigits-1 && !isDigit || i == sumDigits-1 && c != ' ') {
			return false
		}
	}
	return true
}

// syncDir makes the name of a new file durable.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// sumDigits is the length of what stands before a text.
const sumDigits = 9

func parse(line []byte) ([]byte, error) {
	if len(line) < sumDigits || line[sumDigits-1] != ' ' {
		return nil, errors.New("it does not begin with a sum")
	}
	text := line[sumDigits:]
	if want := sum(text); string(line[:sumDigits]) != want {
		return nil, fmt.Errorf("its sum is %s, and its text has %s: it is damaged", line[:sumDigits-1],
			want[:sumDigits-1])
	}
	return text, nil
}

func sum(text []byte) string { return fmt.Sprintf("%08x ", crc32.ChecksumIEEE(text)) }

// Append writes a line, which must not hold a newline, and returns when it is durable. After a write that failed, as on
// a full disk, the line is not in the book: the file is cut back to the last line that was acknowledged before the next
// one is written, and while that fails nothing is. A crash in between leaves a part of it at the most, which the next
// start cuts off. After a sync that failed nobody knows what the disk has: the book takes no more, and the owner is to
// be started anew.
func (b *Book) Append(text []byte) error {
	_, err := b.AppendPlaced(text)
	return err
}

// AppendPlaced is Append, and returns where the line begins, for Line.
func (b *Book) AppendPlaced(text []byte) (at int64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return 0, fmt.Errorf("logbook: nothing more is written: %w", b.err)
	}
	if bytes.IndexByte(text, '\n') >= 0 || len(text) > maxLine-sumDigits-1 {
		return 0, errors.New("logbook: a line holds a newline, or is too long")
	}
	if b.err = b.inPlace(); b.err != nil {
		return 0, fmt.Errorf("logbook: %w", b.err)
	}
	if err := b.cut(); err != nil {
		return 0, fmt.Errorf("logbook: a line that could not be written is not cut off yet: %w", err)
	}
	line := append(append([]byte(sum(text)), text...), '\n')
	b.torn = true
	if _, err := b.file.Write(line); err != nil {
		return 0, fmt.Errorf("logbook: %w", err)
	}
	if b.err = b.file.Sync(); b.err != nil {
		return 0, fmt.Errorf("logbook: %w", b.err)
	}
	b.torn = false
	at = b.end
	b.end += int64(len(line))
	return at, nil
}

// Err returns why the next line could not be written, as far as that can be known without writing one.
func (b *Book) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.err != nil:
		return fmt.Errorf("logbook: nothing more is written: %w", b.err)
	case b.torn:
		return errors.New("logbook: the last line could not be written")
	}
	if err := b.inPlace(); err != nil {
		return fmt.Errorf("logbook: %w", err)
	}
	return nil
}

// cut cuts off what a write that failed may have left.
func (b *Book) cut() error {
	if !b.torn {
		return nil
	}
	if err := b.file.Truncate(b.end); err != nil {
		return err
	}
	if _, err := b.file.Seek(b.end, io.SeekStart); err != nil {
		return err
	}
	b.torn = false // The next sync is that of both.
	return nil
}

// Line reads the line again that begins at a place.
func (b *Book) Line(at int64) ([]byte, error) {
	line, err := bufio.NewReader(io.NewSectionReader(b.file, at, maxLine)).ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("logbook: the line at %d: %w", at, err)
	}
	text, err := parse(line[:len(line)-1])
	if err != nil {
		return nil, fmt.Errorf("logbook: the line at %d: %w", at, err)
	}
	return text, nil
}

// inPlace refuses a book whose file was removed, was made shorter, or has another one in its place: what is written
// there nobody reads, or stands behind lines that are lost, and the next start would know nothing of it.
func (b *Book) inPlace() error {
	mine, err := b.file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Stat(b.path)
	switch {
	case err != nil:
		return fmt.Errorf("the book was taken away: %w", err)
	case !os.SameFile(mine, named):
		return fmt.Errorf("another file stands at %s in place of the book", b.path)
	case mine.Size() < b.end:
		return fmt.Errorf("the book has %d bytes, and %d were written", mine.Size(), b.end)
	}
	return nil
}

// Close gives up the file.
func (b *Book) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = errors.New("the book is closed")
	}
	return b.file.Close()
}
