package verify

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// A recordStream reads the records of an export one after the other.
type recordStream struct {
	src   Source
	names func(n uint64) string // names its files
	size  uint64                // records there should be
	next  uint64                // sequence number of the next record

	file io.ReadCloser
	in   *bufio.Reader
	buf  []byte // reused: a record is valid until the next one is read
}

func newRecordStream(src Source, names func(n uint64) string, size uint64) *recordStream {
	return &recordStream{src: src, names: names, size: size, in: bufio.NewReaderSize(nil, 1<<18)}
}

// read returns the bytes of the next record.
func (s *recordStream) read() ([]byte, error) {
	if s.next%RecordsPerFile == 0 {
		if err := s.turn(); err != nil {
			return nil, err
		}
	}
	length, err := readUvarint(s.in)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%s ends before record %d, and the checkpoint is of %d records", s.name(), s.next,
			s.size)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the length of record %d: %w", s.name(), s.next, err)
	}
	if length > maxRecordBytes {
		return nil, fmt.Errorf("%s: record %d has %d bytes, more than any record", s.name(), s.next, length)
	}
	if uint64(cap(s.buf)) < length {
		s.buf = make([]byte, length, 2*length)
	}
	s.buf = s.buf[:length]
	if _, err := io.ReadFull(s.in, s.buf); err != nil {
		return nil, fmt.Errorf("%s: record %d: %w", s.name(), s.next, noEOF(err))
	}
	s.next++
	return s.buf, nil
}

func (s *recordStream) name() string { return s.names(s.next / RecordsPerFile) }

// turn closes a file that was read and opens the next one.
func (s *recordStream) turn() error {
	if err := s.finishFile(); err != nil {
		return err
	}
	f, err := s.src.Open(s.name())
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	s.file = f
	s.in.Reset(f)
	return nil
}

// finishFile closes the open file, which must have been read to its end.
func (s *recordStream) finishFile() error {
	if s.file == nil {
		return nil
	}
	_, err := s.in.ReadByte()
	s.close()
	switch {
	case err == nil:
		return fmt.Errorf("%s goes on after record %d, which should be its last", s.names((s.next-1)/RecordsPerFile),
			s.next-1)
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("%s: %w", s.names((s.next-1)/RecordsPerFile), err)
	}
	return nil
}

// finish makes sure that nothing follows the records that were read.
func (s *recordStream) finish() error {
	if err := s.finishFile(); err != nil {
		return err
	}
	name := s.names(recordFiles(s.size))
	f, err := s.src.Open(name)
	switch {
	case err == nil:
		closeRead(f)
		return fmt.Errorf("%s holds records after the checkpoint, which no signature covers", name)
	case !errors.Is(err, ErrAbsent):
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (s *recordStream) close() {
	if s.file != nil {
		closeRead(s.file)
		s.file = nil
	}
}

// errUvarint reports a length that is not written as short as it can be.
var errUvarint = errors.New("it is not a length in its shortest form")

// readUvarint reads a length: seven bits a byte, the lowest first, in as few
// bytes as it takes, so that an export has one form.
func readUvarint(in io.ByteReader) (uint64, error) {
	var x uint64
	for shift := 0; shift < 63; shift += 7 {
		b, err := in.ReadByte()
		if err != nil {
			return 0, noEOF(err)
		}
		x |= uint64(b&0x7f) << shift
		if b < 0x80 {
			if b == 0 && shift > 0 {
				return 0, errUvarint
			}
			return x, nil
		}
	}
	return 0, errUvarint
}

// noEOF turns an end that comes too early into an error of its own.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
