package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

const (
	// pageRows bounds the rows that Records reads at a time, and pageBytes is about
	// how many bytes it aims at: the server sends whatever was asked for, so the
	// next page is as long as the records of the last suggest. The first has
	// firstRows.
	pageRows  = 8192
	pageBytes = 1 << 20
	firstRows = 256
)

const (
	headColumns   = "epoch, volume, size, root, checkpoint"
	selectHead    = "SELECT " + headColumns + " FROM lane WHERE lane = $1"
	selectVolumes = "SELECT " + headColumns + " FROM volume WHERE lane = $1 UNION ALL " + selectHead + " ORDER BY volume"
	selectRecord  = "SELECT data FROM record WHERE lane = $1 AND volume = $2 AND seq = $3"
	selectRecords = "SELECT seq, data FROM record WHERE lane = $1 AND volume = $2 AND seq >= $3 AND seq < $4 ORDER BY seq"
	selectTile    = "SELECT data FROM tile WHERE lane = $1 AND volume = $2 AND level = $3 AND number = $4"
	selectObject  = "SELECT data FROM object WHERE lane = $1 AND name = $2"
	selectAbout   = "SELECT volume, seq FROM record WHERE lane = $1 AND about_volume = $2 AND about_seq = $3 ORDER BY volume, seq"
)

// read asks the database, and asks again where the connection was cut: a fail-over cuts every connection of the pool
// at once, and to read twice does no harm. A server that cannot be reached is not asked again.
func read[T any](s *Store, ask func() (T, error)) (T, error) {
	answer, err := ask()
	for tries := 0; isCut(err) && tries <= int(s.reads.Stat().MaxConns()); tries++ {
		answer, err = ask()
	}
	return answer, err
}

// isCut reports whether an error is of a connection that was made and is no more.
func isCut(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	var refused *pgconn.ConnectError
	if errors.As(err, &refused) {
		return false
	}
	var failed *pgconn.PgError
	if errors.As(err, &failed) {
		return failed.Code == adminShutdown || failed.Code == crashShutdown
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || pgconn.SafeToRetry(err)
}

// isAway reports whether an error says that the server cannot be reached: no connection could be made, or it was cut
// however often it was tried.
func isAway(err error) bool {
	var refused *pgconn.ConnectError
	return errors.As(err, &refused) || isCut(err)
}

// scanHead reads a row of headColumns. A lane without a row is empty.
func scanHead(row pgx.Row) (store.Head, error) {
	var (
		epoch, size      int64
		volume           int32
		root, checkpoint []byte
	)
	err := row.Scan(&epoch, &volume, &size, &root, &checkpoint)
	if errors.Is(err, pgx.ErrNoRows) {
		return store.Head{Volume: store.FirstVolume, Root: journal.EmptyRoot()}, nil
	}
	if err != nil {
		return store.Head{}, err
	}
	if epoch < 0 || size < 0 || volume < 1 || volume > 0xffff || len(root) != journal.HashBytes {
		return store.Head{}, fmt.Errorf("head of volume %d: %w", volume, store.ErrCorrupt)
	}
	head := store.Head{Epoch: uint64(epoch), Volume: uint16(volume), Size: uint64(size), Root: journal.Hash(root)}
	if len(checkpoint) > 0 {
		head.Checkpoint = checkpoint
	}
	return head, nil
}

// Head implements store.Reader.
func (s *Store) Head(ctx context.Context) (store.Head, error) {
	if err := s.enter(ctx); err != nil {
		return store.Head{}, err
	}
	defer s.leave()
	head, err := read(s, func() (store.Head, error) { return scanHead(s.reads.QueryRow(ctx, selectHead, s.lane)) })
	if err != nil {
		return store.Head{}, fmt.Errorf("postgres: reading the head: %w", classify(err))
	}
	return head, nil
}

// Volumes implements store.Reader.
func (s *Store) Volumes(ctx context.Context) ([]store.Head, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	heads, err := read(s, func() ([]store.Head, error) { return s.volumes(ctx) })
	if err != nil {
		return nil, fmt.Errorf("postgres: reading the volumes: %w", classify(err))
	}
	if len(heads) == 0 {
		heads = []store.Head{{Volume: store.FirstVolume, Root: journal.EmptyRoot()}}
	}
	return heads, nil
}

func (s *Store) volumes(ctx context.Context) ([]store.Head, error) {
	rows, err := s.reads.Query(ctx, selectVolumes, s.lane)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (store.Head, error) { return scanHead(row) })
}

// value reads the one value of a query.
func (s *Store) value(ctx context.Context, query string, args ...any) ([]byte, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	data, err := read(s, func() (data []byte, err error) {
		err = s.reads.QueryRow(ctx, query, args...).Scan(&data)
		return data, err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, fmt.Errorf("postgres: %w", store.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", classify(err))
	}
	return data, nil
}

// Record implements store.Reader.
func (s *Store) Record(ctx context.Context, place record.Place) ([]byte, error) {
	if place.Seq > journal.MaxSize {
		return nil, fmt.Errorf("postgres: record %v: %w", place, store.ErrNotFound)
	}
	data, err := s.value(ctx, selectRecord, s.lane, int32(place.Volume), int64(place.Seq))
	if err != nil {
		return nil, fmt.Errorf("record %v: %w", place, err)
	}
	return data, nil
}

// Tile implements store.Reader.
func (s *Store) Tile(ctx context.Context, volume uint16, level uint8, index uint64) ([]byte, error) {
	if index > journal.MaxSize {
		return nil, fmt.Errorf("postgres: tile %d/%d: %w", level, index, store.ErrNotFound)
	}
	data, err := s.value(ctx, selectTile, s.lane, int32(volume), int16(level), int64(index))
	if err == nil && len(data) != journal.TileBytes {
		err = fmt.Errorf("%d bytes: %w", len(data), store.ErrCorrupt)
	}
	if err != nil {
		return nil, fmt.Errorf("tile %d/%d of volume %d: %w", level, index, volume, err)
	}
	return data, nil
}

// Object implements store.Reader.
func (s *Store) Object(ctx context.Context, name string) ([]byte, error) {
	data, err := s.value(ctx, selectObject, s.lane, name)
	if err != nil {
		return nil, fmt.Errorf("object %q: %w", name, err)
	}
	return data, nil
}

// About implements store.Reader.
func (s *Store) About(ctx context.Context, place record.Place) ([]record.Place, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	if place.Seq > journal.MaxSize {
		return nil, nil
	}
	places, err := read(s, func() ([]record.Place, error) { return s.about(ctx, place) })
	if err != nil {
		return nil, fmt.Errorf("postgres: records about %v: %w", place, classify(err))
	}
	return places, nil
}

func (s *Store) about(ctx context.Context, about record.Place) ([]record.Place, error) {
	rows, err := s.reads.Query(ctx, selectAbout, s.lane, int32(about.Volume), int64(about.Seq))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (place record.Place, err error) {
		var volume int32
		var seq int64
		err = row.Scan(&volume, &seq)
		return record.Place{Volume: uint16(volume), Seq: uint64(seq)}, err
	})
}

// Records implements store.Reader. It copies a page of rows, lets go of the
// connection, and only then calls fn: a slow reader holds up nobody.
func (s *Store) Records(ctx context.Context, volume uint16, from, to uint64,
	fn func(seq uint64, data []byte) error) error {
	if from > to || to > journal.MaxSize {
		return fmt.Errorf("postgres: there is no range of records from %d to %d", from, to)
	}
	p := page{next: firstRows}
	for from < to {
		if _, err := read(s, func() (*page, error) {
			return &p, s.readPage(ctx, &p, volume, from, min(to, from+p.next))
		}); err != nil {
			return fmt.Errorf("postgres: records of volume %d from %d: %w", volume, from, classify(err))
		}
		for i := range p.ends {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("postgres: %w", err)
			}
			if err := fn(from+uint64(i), p.record(i)); err != nil {
				return err
			}
		}
		from += uint64(len(p.ends))
	}
	return nil
}

// page is a run of records: their bytes one after the other, and where each ends.
type page struct {
	bytes []byte
	ends  []int
	next  uint64 // rows of the next page
}

func (p *page) record(i int) []byte {
	begin := 0
	if i > 0 {
		begin = p.ends[i-1]
	}
	return p.bytes[begin:p.ends[i]:p.ends[i]]
}

// readPage fills p with the records from a sequence number on. There is at least
// one, or an error.
func (s *Store) readPage(ctx context.Context, p *page, volume uint16, from, to uint64) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	p.bytes, p.ends = p.bytes[:0], p.ends[:0]
	rows, err := s.reads.Query(ctx, selectRecords, s.lane, int32(volume), int64(from), int64(to))
	if err != nil {
		return err
	}
	defer rows.Close()
	for next := from; rows.Next(); next++ {
		values := rows.RawValues() // in binary form, and ours until the next row
		if seq := binary.BigEndian.Uint64(values[0]); seq != next {
			return fmt.Errorf("record %d is missing: %w", next, store.ErrCorrupt)
		}
		p.bytes = append(p.bytes, values[1]...)
		p.ends = append(p.ends, len(p.bytes))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(p.ends) == 0 {
		return s.missing(ctx, volume, from)
	}
	p.next = min(pageRows, max(1, uint64(pageBytes*len(p.ends)/len(p.bytes))))
	return nil
}

// missing returns why there is no record at a place: it was never written, or it
// was and is gone.
func (s *Store) missing(ctx context.Context, volume uint16, seq uint64) error {
	heads, err := s.volumes(ctx)
	if err != nil {
		return err
	}
	for _, head := range heads {
		if head.Volume == volume && seq < head.Size {
			return fmt.Errorf("record %d is missing: %w", seq, store.ErrCorrupt)
		}
	}
	return store.ErrNotFound
}
