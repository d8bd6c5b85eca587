// Package export writes the copy of a journal that an inspector takes away: the
// directory of files that package verify describes and reads. It also opens such
// a directory for verify.
//
// An export holds the records of all volumes up to a signed checkpoint, the
// objects that those records pin and the public log as the house has stored it,
// and nothing else: no personal details, no secret key, nothing of the house's
// storage. Writer and verifier share the names of the files and no more.
// TestExportIsVerified, in package verify, writes an export from a journal in memory
// and verifies it, and TestVolumes one of several volumes.
package export

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"drawhouse/check/verify"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// A Reader is the journal that is exported. The Reader of package store is one.
type Reader interface {
	// Records calls fn for the records of a volume from the sequence number from
	// to before to, in order. The data is fn's until fn returns.
	Records(ctx context.Context, volume uint16, from, to uint64, fn func(seq uint64, data []byte) error) error
	// Object returns the object of a name such as winners/1/417/1.
	Object(ctx context.Context, name string) ([]byte, error)
}

// A Sink takes the files of an export. Names use slashes.
type Sink interface {
	Create(name string) (io.WriteCloser, error)
}

// Write exports the records that a signed checkpoint covers, and all volumes before
// them: which those are the first record of each volume says. The checkpoint must be
// one that about.HouseKey signed. house.json is written last, so that an
// export that was broken off is not taken for a whole one.
func Write(ctx context.Context, sink Sink, about verify.House, checkpoint []byte, from Reader) error {
	about.Format, about.Earlier = verify.FormatVersion, nil
	key, err := journal.ParseVerifier(about.HouseKey)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	head, _, err := journal.OpenCheckpoint(checkpoint, key)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if origin := journal.VolumeOrigin(about.House, about.Volume); head.Origin != origin {
		return fmt.Errorf("export: the checkpoint is of %s, not of %s", head.Origin, origin)
	}
	w := &writer{ctx: ctx, sink: sink, from: from, names: NewNames(), log: newPublicLog()}
	volumes, err := w.volumes(about, head, key)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	for _, v := range volumes {
		w.volume = v
		if err := w.records(); err != nil {
			return fmt.Errorf("export: volume %d: %w", v.number, err)
		}
		if v.number != about.Volume {
			about.Earlier = append(about.Earlier, v.number)
		}
	}
	if err := w.endLog(); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := w.file(verify.CheckpointFile, checkpoint); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := w.file(verify.HouseFile, about.Marshal()); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

type writer struct {
	ctx  context.Context
	sink Sink
	from Reader
	out  *recordFile // the record file being written

	volume volume
	names  *Names
	log    *publicLog // nil once a record cannot be published
}

// A volume is what of one is exported.
type volume struct {
	number uint16
	size   uint64
	house  journal.Verifier // the key of its seals
	file   func(n uint64) string
}

// volumes returns all volumes up to the newest, in their order.
func (w *writer) volumes(about verify.House, head journal.Checkpoint, key journal.Verifier) ([]volume, error) {
	list := []volume{{about.Volume, head.Size, key, verify.RecordFile}}
	for {
		begun, err := w.first(list[len(list)-1])
		if err != nil {
			return nil, err
		}
		before, ok := endBefore(begun)
		if !ok {
			slices.Reverse(list)
			return list, nil
		}
		first, err := w.first(before)
		if err != nil {
			return nil, err
		}
		if first != nil {
			if before.house, err = journal.ParseVerifier(first.HouseKey); err != nil {
				return nil, fmt.Errorf("volume %d: %w", before.number, err)
			}
		}
		list = append(list, before)
	}
}

// endBefore returns the volume that another one follows, as that states its end. What
// states none that can be read begins the export, for the verifier to judge.
func endBefore(begun *record.VolumeBegun) (volume, bool) {
	if begun == nil {
		return volume{}, false
	}
	ended, err := journal.UnverifiedCheckpoint(begun.Previous)
	if err != nil {
		return volume{}, false
	}
	_, number, err := journal.ParseOrigin(ended.Origin)
	if err != nil || number == 0 || number >= begun.Volume {
		return volume{}, false
	}
	return volume{number: number, size: ended.Size, file: func(n uint64) string { return verify.EarlierFile(number, n) }},
		true
}

// first returns the first record of a volume, or nil if it is none that begins one:
// to find fault with that is the verifier's part.
func (w *writer) first(v volume) (begun *record.VolumeBegun, err error) {
	if v.size == 0 {
		return nil, nil
	}
	err = w.from.Records(w.ctx, v.number, 0, 1, func(_ uint64, data []byte) error {
		if r, err := record.Decode(data); err == nil {
			begun, _ = r.Body.(*record.VolumeBegun)
		}
		return nil
	})
	return begun, err
}

// records writes the record files and the objects of their records.
func (w *writer) records() error {
	err := w.from.Records(w.ctx, w.volume.number, 0, w.volume.size, func(seq uint64, data []byte) error {
		if seq%verify.RecordsPerFile == 0 {
			if err := w.turn(seq / verify.RecordsPerFile); err != nil {
				return err
			}
		}
		if err := w.out.write(data); err != nil {
			return err
		}
		if err := w.publish(record.Place{Volume: w.volume.number, Seq: seq}, data); err != nil {
			return fmt.Errorf("record %d: %w", seq, err)
		}
		files, err := w.names.Of(data)
		if err != nil {
			return fmt.Errorf("record %d: %w", seq, err)
		}
		for _, file := range files {
			if err := w.object(file); err != nil {
				return err
			}
		}
		return nil
	})
	if closed := w.out.close(); err == nil {
		err = closed
	}
	w.out = nil
	return err
}

// object copies the object that stands in the export under a file name.
func (w *writer) object(file string) error {
	data, err := w.from.Object(w.ctx, file[len(verify.ObjectsFolder):])
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return w.file(file, data)
}

// file writes a file that is in memory.
func (w *writer) file(name string, data []byte) error {
	f, err := w.sink.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// turn ends a record file and begins the n'th.
func (w *writer) turn(n uint64) error {
	if err := w.out.close(); err != nil {
		return err
	}
	f, err := w.sink.Create(w.volume.file(n))
	if err != nil {
		return err
	}
	w.out = &recordFile{file: f, out: bufio.NewWriterSize(f, 1<<18)}
	return nil
}

// A recordFile is a record file being written. Nil is none.
type recordFile struct {
	file io.WriteCloser
	out  *bufio.Writer
	head [binary.MaxVarintLen64]byte
}

// write adds a record behind its length.
func (f *recordFile) write(data []byte) error {
	n := binary.PutUvarint(f.head[:], uint64(len(data)))
	if _, err := f.out.Write(f.head[:n]); err != nil {
		return err
	}
	_, err := f.out.Write(data)
	return err
}

func (f *recordFile) close() error {
	if f == nil {
		return nil
	}
	err := f.out.Flush()
	if closed := f.file.Close(); err == nil {
		err = closed
	}
	return err
}
