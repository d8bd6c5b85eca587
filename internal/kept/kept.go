// Package kept holds journals that earlier builds and candidates wrote: those with a number are from before 1.0.0, the
// others have the version of the program that wrote them in their names. Together they have records of every kind, and
// those of one version have every kind that this version writes (TestEveryKindIsKept).
//
// A journal outlives the program that wrote it. TestKeptJournals replays each journal,
// verifies it, raises its level, goes on with it, and verifies again. TestHouseGoesOn opens a running house
// on each, which sells, draws, settles and pays, and verifies what came of it. TestKeptAnswers holds
// states, balances, reports, tables of facts and tickets of the journals against
// what the earlier build told of them, by the hashes in testdata/answers.txt; where a later
// build meant to tell something else, -rewrite has changed the line.
//
// So a change to a record's form, to the fold or to its hash shows here, and not at an
// operator's next start. Make candidate writes the journals of another version: it plays testdata/scenarios
// (TestCandidate), and has tests of package house lay down what only a running house writes.
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
	keyFile       = "house.skey"
	deviceKeyFile = "device.skey"
	statesFile    = "states"
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
	// Device is the key of its draws, or nil where that was not kept.
	Device journal.Signer
	// Records are all its records in order, with their places.
	Records []Record

	at map[record.Place][]byte
}

// Version returns the version of the program that wrote the journal, as far as its name says so; "" for a journal of
// before 1.0.0.
func (j *Journal) Version() string {
	version, _, ok := strings.Cut(j.Name, "_")
	if !ok {
		return ""
	}
	return version
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
	if key, ok := j.Export[deviceKeyFile]; ok {
		if j.Device, err = journal.ParseSigner(string(key)); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{keyFile, deviceKeyFile, statesFile} {
		delete(j.Export, name)
	}
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
	r, err := j.record(place)
	return r.Body, err
}

// record returns the record at a place.
func (j *Journal) record(place record.Place) (record.Record, error) {
	data, ok := j.at[place]
	if !ok {
		return record.Record{}, fmt.Errorf("kept: %s has no record at %v", j.Name, place)
	}
	return record.Decode(data)
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
