package export

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"drawhouse/check/verify"
	"drawhouse/journal/record"
)

// Rulebooks returns the rulebooks that the export in a directory has, in the order in which they were adopted.
// It takes the records as they are, and has no look at signatures: that is the verifier's part.
func Rulebooks(dir string) (adopted []record.RulebookAdopted, err error) {
	d, err := OpenDir(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	about, err := d.house()
	if err != nil {
		return nil, err
	}
	for _, number := range about.Earlier {
		if err := d.adopted(func(n uint64) string { return verify.EarlierFile(number, n) }, &adopted); err != nil {
			return nil, err
		}
	}
	return adopted, d.adopted(verify.RecordFile, &adopted)
}

// house reads house.json.
func (d *Dir) house() (about verify.House, err error) {
	const most = 1 << 16
	f, err := d.Open(verify.HouseFile)
	if err != nil {
		return about, fmt.Errorf("export: this is no export: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err = errors.Join(err, f.Close()); err != nil {
		return about, fmt.Errorf("export: %s: %w", verify.HouseFile, err)
	}
	return verify.ParseHouse(data)
}

// adopted adds the rulebooks in the record files of a volume.
func (d *Dir) adopted(file func(n uint64) string, all *[]record.RulebookAdopted) error {
	for n := uint64(0); ; n++ {
		f, err := d.Open(file(n))
		if errors.Is(err, verify.ErrAbsent) {
			return nil
		}
		if err == nil {
			err = errors.Join(adoptedIn(f, all), f.Close())
		}
		if err != nil {
			return fmt.Errorf("export: %s: %w", file(n), err)
		}
	}
}

// adoptedIn adds the rulebooks of a record file.
func adoptedIn(f io.Reader, all *[]record.RulebookAdopted) error {
	in := bufio.NewReader(f)
	var data []byte
	for {
		length, err := binary.ReadUvarint(in)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case length > record.MaxBytes:
			return fmt.Errorf("a record of %d bytes is more than any record", length)
		}
		if data = append(data[:0], make([]byte, length)...); length > 0 {
			if _, err := io.ReadFull(in, data); err != nil {
				return err
			}
		}
		if kind, ok := record.KindOf(data); !ok || kind != record.KindRulebookAdopted {
			continue
		}
		r, err := record.Decode(data)
		if err != nil {
			return err
		}
		if b, ok := r.Body.(*record.RulebookAdopted); ok {
			if sha256.Sum256(b.Book) != b.Hash {
				return fmt.Errorf("the rulebook %s does not have the hash that its record states", b.ID)
			}
			*all = append(*all, *b)
		}
	}
}
