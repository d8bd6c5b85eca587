package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// The files of an export, see the package comment.
const (
	HouseFile      = "house.json"
	CheckpointFile = "checkpoint"
	// ObjectsFolder is what stands before the name that an object has in the
	// house, such as winners/1/417/1.
	ObjectsFolder = "objects/"

	// FormatVersion is the version of the layout that this package reads.
	FormatVersion = 1
	// RecordsPerFile is how many records a record file holds; only the last one
	// may hold fewer.
	RecordsPerFile = 1 << 16

	// maxSmallFile bounds house.json and the checkpoint, a few lines each.
	maxSmallFile = 1 << 16
)

// RecordFile returns the name of the n'th record file of the newest volume, counted
// from 0.
func RecordFile(n uint64) string { return fmt.Sprintf("records-%08d.cbor", n) }

// EarlierFile returns the name of the n'th record file of a volume before the newest.
func EarlierFile(volume uint16, n uint64) string {
	return fmt.Sprintf("volumes/%d/", volume) + RecordFile(n)
}

// WinnersFile returns the name of the winners file of a settlement.
func WinnersFile(series uint8, ordinal uint32, revision uint8) string {
	return fmt.Sprintf(ObjectsFolder+"winners/%d/%d/%d", series, ordinal, revision)
}

// BitmapFile returns the name of the bitmap of a game's seal over the tickets of
// a volume.
func BitmapFile(series uint8, ordinal uint32, volume uint16) string {
	return fmt.Sprintf(ObjectsFolder+"bitmap/%d/%d/%d", series, ordinal, volume)
}

// BookFile returns the name of the book of a trading day.
func BookFile(series uint8, d day.Day) string {
	return fmt.Sprintf(ObjectsFolder+"books/%d/%v", series, d)
}

// LogFile returns the name of a file of a public log: the number of the log, and the path of C2SP tlog-tiles.
func LogFile(number uint16, path string) string { return fmt.Sprintf("public/%d/%s", number, path) }

// ErrAbsent is what a Source returns for a file that the export does not have.
var ErrAbsent = errors.New("the export has no such file")

// A Source is an export that can be read. Names use slashes.
type Source interface {
	// Open returns the file of that name, or an error that wraps ErrAbsent.
	Open(name string) (io.ReadCloser, error)
}

// House is the content of house.json: whose export this is, and the keys that
// the house says are its own.
type House struct {
	Format    int    `json:"format"`
	House     string `json:"house"`
	Volume    uint16 `json:"volume"`
	HouseKey  string `json:"house_key"`
	DeviceKey string `json:"device_key"`
	// Earlier are the volumes before Volume, ascending.
	Earlier []uint16 `json:"earlier,omitempty"`
}

// Marshal returns the one form that house.json may have.
func (h House) Marshal() []byte {
	data, err := json.MarshalIndent(h, "", "  ")
	if err != nil {
		panic(err) // Strings and numbers always marshal.
	}
	return append(data, '\n')
}

// ParseHouse reads house.json. What Marshal would not have written is refused,
// so that nothing in the file is without meaning.
func ParseHouse(data []byte) (House, error) {
	var h House
	if err := json.Unmarshal(data, &h); err != nil {
		return House{}, fmt.Errorf("%s is not readable: %w", HouseFile, err)
	}
	if h.Format != FormatVersion {
		return House{}, fmt.Errorf("%s says format %d, and this build reads format %d", HouseFile, h.Format,
			FormatVersion)
	}
	for i, number := range h.Earlier {
		if number == 0 || number >= h.Volume || i > 0 && number <= h.Earlier[i-1] {
			return House{}, fmt.Errorf("%s lists volume %d out of order", HouseFile, number)
		}
	}
	if !bytes.Equal(h.Marshal(), data) {
		return House{}, fmt.Errorf("%s is not in the form in which it is written", HouseFile)
	}
	return h, nil
}

// readWhole reads a file of at most limit bytes.
func readWhole(src Source, name string, limit int64) ([]byte, error) {
	f, err := src.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer closeRead(f)
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("%s has more than %d bytes", name, limit)
	}
	return data, nil
}

// closeRead closes a file that was read. An error can take back nothing of what
// was read, so it says nothing about the export.
func closeRead(f io.Closer) { _ = f.Close() }

// recordFiles returns how many record files a log of size records has.
func recordFiles(size uint64) uint64 {
	files := size / RecordsPerFile
	if size%RecordsPerFile > 0 {
		files++
	}
	return files
}

// maxRecordBytes bounds one record of a record file.
const maxRecordBytes = record.MaxBytes
