// Package export writes the copy of a journal that an inspector takes away: the
// directory of files that package verify describes and reads. It also opens such
// a directory for verify.
//
// An export holds the records of one volume up to a signed checkpoint and the
// objects that those records pin, and nothing else: no personal details, no
// secret key, nothing of the house's storage. Writer and verifier share the names
// of the files and no more. TestExportIsVerified, in package verify, writes an
// export from a journal in memory and verifies it.
package export

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"drawhouse/journal"
	"drawhouse/record"
	"drawhouse/verify"
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

// Write exports the records that a signed checkpoint covers. The checkpoint must
// be one that about.HouseKey signed. house.json is written last, so that an
// export that was broken off is not taken for a whole one.
func Write(ctx context.Context, sink Sink, about verify.House, checkpoint []byte, from Reader) error {
	about.Format = verify.FormatVersion
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
	w := &writer{ctx: ctx, sink: sink, from: from, house: key, volume: about.Volume, games: map[record.Game]game{}}
	if err := w.records(head.Size); err != nil {
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

	house  journal.Verifier
	volume uint16
	// games holds what the names of objects need and their records leave out. A
	// game may be settled again long after.
	games map[record.Game]game
}

type game struct {
	ordinal uint32
	plays   uint64
}

// records writes the record files and the objects of their records.
func (w *writer) records(size uint64) error {
	err := w.from.Records(w.ctx, w.volume, 0, size, func(seq uint64, data []byte) error {
		if seq%verify.RecordsPerFile == 0 {
			if err := w.turn(seq / verify.RecordsPerFile); err != nil {
				return err
			}
		}
		if err := w.out.write(data); err != nil {
			return err
		}
		if !namesObject(data) {
			return nil
		}
		r, err := record.Decode(data)
		if err != nil {
			return fmt.Errorf("record %d: %w", seq, err)
		}
		return w.objects(r.Body)
	})
	if closed := w.out.close(); err == nil {
		err = closed
	}
	return err
}

// namesObject reports whether a record has to be decoded: the others, nearly
// all, are copied as they are. So are bytes that have no kind: to find fault with
// records is the verifier's part.
func namesObject(data []byte) bool {
	kind, ok := record.KindOf(data)
	if !ok {
		return false
	}
	switch kind {
	case record.KindGameOpened, record.KindGameClosed, record.KindGameSealed, record.KindGameSettled, record.KindGameVoided,
		record.KindTableAdded, record.KindBingoSealed, record.KindOfferSealed:
		return true
	}
	return false
}

// objects copies the objects that a record pins.
func (w *writer) objects(body record.Body) error {
	switch b := body.(type) {
	case *record.GameOpened:
		w.games[b.Game] = game{ordinal: b.Ordinal}
	case *record.GameClosed:
		w.games[b.Game] = game{w.games[b.Game].ordinal, b.Plays + b.DeferredPlays}
	case *record.GameSealed:
		// A game without plays has nothing to mark in its bitmap.
		if g := w.games[b.Game]; g.plays > 0 {
			return w.object(verify.BitmapFile(b.Game.Series, g.ordinal, w.volume))
		}
	case *record.TableAdded:
		return w.object(verify.TableFile(b.Hall, b.Series))
	case *record.BingoSealed:
		return w.bitmap(b.Seal, verify.PlayersFile(b.Game, b.Draw, w.volume))
	case *record.OfferSealed:
		return w.bitmap(b.Seal, verify.EntriesFile(b.Offer, b.Prize, w.volume))
	case *record.GameVoided:
		return w.object(verify.WinnersFile(b.Game.Series, w.games[b.Game].ordinal, 1))
	case *record.GameSettled:
		return w.object(verify.WinnersFile(b.Game.Series, w.games[b.Game].ordinal, b.Revision))
	}
	return nil
}

// bitmap copies the bitmap of a seal of a bingo room. A seal over nobody has none.
func (w *writer) bitmap(signed []byte, file string) error {
	opened, err := journal.OpenSeal(signed, w.house)
	if err != nil || opened.Body().Plays == 0 {
		return err
	}
	return w.object(file)
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
	f, err := w.sink.Create(verify.RecordFile(n))
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
