// Package kept holds journals that an earlier build wrote, of as many kinds of records as
// its tests made.
//
// A journal outlives the program that wrote it. TestKeptJournals replays each journal,
// verifies it, raises its level, goes on with it, and verifies again. TestKeptAnswers holds
// states, balances, reports, tables of facts and tickets of the journals against
// what the earlier build told of them, by the hashes in testdata/answers.txt; where a later
// build meant to tell something else, -rewrite has changed the line.
//
// So a change to a record's form, to the fold or to its hash shows here, and not at an
// operator's next start.
package kept

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/decide/game"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// The files of a kept journal beside those of its export. In statesFile are hashes of states
// in a form that no build computes any more.
const (
	keyFile    = "house.skey"
	statesFile = "states"
)

//go:embed testdata/*.tar.gz
var files embed.FS

// Journal is a kept journal.
type Journal struct {
	Name string
	// Export is the journal as the earlier build exported it.
	Export export.Memory
	// House is who wrote it, and Key is the key that signs in its last volume.
	House verify.House
	Key   journal.Signer
	// Records are all its records in order, with their places.
	Records []Record

	at map[record.Place][]byte
}

// Record is a record as it is stored.
type Record struct {
	Place record.Place
	Data  []byte
}

// All returns the kept journals in the order of their names.
func All() ([]*Journal, error) {
	names, err := fs.Glob(files, "testdata/*.tar.gz")
	if err != nil {
		return nil, err
	}
	all := make([]*Journal, 0, len(names))
	for _, name := range names {
		j, err := open(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, j)
	}
	return all, nil
}

func open(name string) (*Journal, error) {
	packed, err := files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	j := &Journal{Name: strings.TrimSuffix(strings.TrimPrefix(name, "testdata/"), ".tar.gz")}
	if j.Export, err = unpack(packed); err != nil {
		return nil, err
	}
	if j.Key, err = journal.ParseSigner(string(j.Export[keyFile])); err != nil {
		return nil, err
	}
	delete(j.Export, keyFile)
	delete(j.Export, statesFile)
	if j.House, err = verify.ParseHouse(j.Export[verify.HouseFile]); err != nil {
		return nil, err
	}
	return j, j.read()
}

func unpack(packed []byte) (export.Memory, error) {
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	out := export.Memory{}
	for in := tar.NewReader(plain); ; {
		header, err := in.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if out[header.Name], err = io.ReadAll(in); err != nil {
			return nil, err
		}
	}
}

// read reads the records of all volumes.
func (j *Journal) read() error {
	j.at = map[record.Place][]byte{}
	for _, volume := range append(slices.Clone(j.House.Earlier), j.House.Volume) {
		file := verify.RecordFile(0)
		if volume != j.House.Volume {
			file = verify.EarlierFile(volume, 0)
		}
		rest := j.Export[file]
		for seq := uint64(0); len(rest) > 0; seq++ {
			length, width := binary.Uvarint(rest)
			if width <= 0 || length > uint64(len(rest)-width) {
				return fmt.Errorf("%s ends within record %d", file, seq)
			}
			data := rest[width : width+int(length)] //nolint:gosec // It is no longer than the file.
			j.Records = append(j.Records, Record{record.Place{Volume: volume, Seq: seq}, data})
			j.at[record.Place{Volume: volume, Seq: seq}] = data
			rest = rest[width+int(length):] //nolint:gosec // As above.
		}
	}
	return nil
}

// BodyAt returns the body of the record at a place.
func (j *Journal) BodyAt(place record.Place) (record.Body, error) {
	data, ok := j.at[place]
	if !ok {
		return nil, fmt.Errorf("kept: %s has no record at %v", j.Name, place)
	}
	r, err := record.Decode(data)
	return r.Body, err
}

// Winners returns the winners file of a settlement of a game.
func (j *Journal) Winners(series uint8, ordinal uint32, revision uint8) ([]byte, error) {
	name := game.WinnersName(series, ordinal, revision)
	data, ok := j.Export[verify.ObjectsFolder+name]
	if !ok {
		return nil, fmt.Errorf("kept: %s has no %s", j.Name, name)
	}
	return data, nil
}
