package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

const (
	// pageRows and pageBytes bound what Records reads at a time. A page ends with
	// the record by which it reaches either.
	pageRows  = 4096
	pageBytes = 1 << 20
)

const (
	headColumns   = "epoch, volume, size, root, checkpoint"
	selectHead    = "SELECT " + headColumns + " FROM lane WHERE lane = ?1"
	selectVolumes = "SELECT " + headColumns + " FROM volume WHERE lane = ?1 UNION ALL " + selectHead + " ORDER BY volume"
	selectRecord  = "SELECT data FROM record WHERE lane = ?1 AND volume = ?2 AND seq = ?3"
	selectRecords = "SELECT seq, data FROM record WHERE lane = ?1 AND volume = ?2 AND seq >= ?3 AND seq < ?4 ORDER BY seq"
	selectTile    = "SELECT data FROM tile WHERE lane = ?1 AND volume = ?2 AND level = ?3 AND number = ?4"
	selectObject  = "SELECT data FROM object WHERE lane = ?1 AND name = ?2"
	selectAbout   = "SELECT volume, seq FROM record WHERE lane = ?1 AND about_volume = ?2 AND about_seq = ?3 ORDER BY volume, seq"
)

// queries are the prepared queries of the readers. They run without the
// caller's context, which is asked before each: none takes longer than a page,
// and watching a context costs more than most of them.
type queries struct {
	head, volumes, record, records, tile, object, about, presence *sql.Stmt
}

func prepareQueries(ctx context.Context, db *sql.DB) (q queries, err error) {
	for _, p := range []struct {
		statement **sql.Stmt
		text      string
	}{
		{&q.head, selectHead}, {&q.volumes, selectVolumes}, {&q.record, selectRecord}, {&q.records, selectRecords},
		{&q.tile, selectTile}, {&q.object, selectObject}, {&q.about, selectAbout}, {&q.presence, selectPresence},
	} {
		//nolint:sqlclosecheck // Statements live as long as the store, and close with its connections.
		if *p.statement, err = db.PrepareContext(ctx, p.text); err != nil {
			return queries{}, fmt.Errorf("preparing %q: %w", p.text, err)
		}
	}
	return q, nil
}

// scanner is a row to scan.
type scanner interface {
	Scan(dest ...any) error
}

// scanHead reads a row of headColumns. A lane without a row is empty.
func scanHead(row scanner) (store.Head, error) {
	var (
		epoch, size      int64
		volume           uint16
		root, checkpoint []byte
	)
	err := row.Scan(&epoch, &volume, &size, &root, &checkpoint)
	if errors.Is(err, sql.ErrNoRows) {
		return store.Head{Volume: store.FirstVolume, Root: journal.EmptyRoot()}, nil
	}
	if err != nil {
		return store.Head{}, err
	}
	if epoch < 0 || size < 0 || len(root) != journal.HashBytes {
		return store.Head{}, fmt.Errorf("head of volume %d: %w", volume, store.ErrCorrupt)
	}
	head := store.Head{Epoch: uint64(epoch), Volume: volume, Size: uint64(size), Root: journal.Hash(root)}
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
	head, err := scanHead(s.query.head.QueryRow(s.lane))
	if err != nil {
		return store.Head{}, fmt.Errorf("sqlite: reading the head: %w", classify(err))
	}
	return head, nil
}

// Volumes implements store.Reader.
func (s *Store) Volumes(ctx context.Context) ([]store.Head, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	heads, err := s.volumes()
	if err != nil {
		return nil, fmt.Errorf("sqlite: reading the volumes: %w", classify(err))
	}
	if len(heads) == 0 {
		heads = []store.Head{{Volume: store.FirstVolume, Root: journal.EmptyRoot()}}
	}
	return heads, nil
}

func (s *Store) volumes() (heads []store.Head, err error) {
	rows, err := s.query.volumes.Query(s.lane)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		head, err := scanHead(rows)
		if err != nil {
			return nil, err
		}
		heads = append(heads, head)
	}
	return heads, rows.Err()
}

// value reads the one value of a query.
func (s *Store) value(ctx context.Context, query *sql.Stmt, args ...any) ([]byte, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	var data []byte
	err := query.QueryRow(args...).Scan(&data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("sqlite: %w", store.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", classify(err))
	}
	return data, nil
}

// Record implements store.Reader.
func (s *Store) Record(ctx context.Context, place record.Place) ([]byte, error) {
	if place.Seq > journal.MaxSize {
		return nil, fmt.Errorf("sqlite: record %v: %w", place, store.ErrNotFound)
	}
	data, err := s.value(ctx, s.query.record, s.lane, int64(place.Volume), int64(place.Seq))
	if err != nil {
		return nil, fmt.Errorf("record %v: %w", place, err)
	}
	return data, nil
}

// Tile implements store.Reader.
func (s *Store) Tile(ctx context.Context, volume uint16, level uint8, index uint64) ([]byte, error) {
	if index > journal.MaxSize {
		return nil, fmt.Errorf("sqlite: tile %d/%d: %w", level, index, store.ErrNotFound)
	}
	data, err := s.value(ctx, s.query.tile, s.lane, int64(volume), int64(level), int64(index))
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
	data, err := s.value(ctx, s.query.object, s.lane, name)
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
	places, err := s.about(place)
	if err != nil {
		return nil, fmt.Errorf("sqlite: records about %v: %w", place, classify(err))
	}
	return places, nil
}

func (s *Store) about(about record.Place) (places []record.Place, err error) {
	rows, err := s.query.about.Query(s.lane, int64(about.Volume), int64(about.Seq))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var place record.Place
		if err := rows.Scan(&place.Volume, &place.Seq); err != nil {
			return nil, err
		}
		places = append(places, place)
	}
	return places, rows.Err()
}

// Records implements store.Reader. It copies a page of rows, lets go of the
// connection, and only then calls fn: a slow reader holds up neither other
// readers nor the truncation of the log.
func (s *Store) Records(ctx context.Context, volume uint16, from, to uint64,
	fn func(seq uint64, data []byte) error) error {
	if from > to || to > journal.MaxSize {
		return fmt.Errorf("sqlite: there is no range of records from %d to %d", from, to)
	}
	var p page
	for from < to {
		if err := s.readPage(ctx, &p, volume, from, to); err != nil {
			return fmt.Errorf("sqlite: records of volume %d from %d: %w", volume, from, classify(err))
		}
		for i := range p.ends {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("sqlite: %w", err)
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
func (s *Store) readPage(ctx context.Context, p *page, volume uint16, from, to uint64) (err error) {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	p.bytes, p.ends = p.bytes[:0], p.ends[:0]
	to = min(to, from+pageRows)
	rows, err := s.query.records.Query(s.lane, int64(volume), int64(from), int64(to))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for next := from; len(p.bytes) < pageBytes && rows.Next(); next++ {
		var seq int64
		var data sql.RawBytes
		if err := rows.Scan(&seq, &data); err != nil {
			return err
		}
		if uint64(seq) != next {
			return fmt.Errorf("record %d is missing: %w", next, store.ErrCorrupt)
		}
		p.bytes = append(p.bytes, data...)
		p.ends = append(p.ends, len(p.bytes))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(p.ends) == 0 {
		return s.missing(volume, from)
	}
	return nil
}

// missing returns why there is no record at a place: it was never written, or it
// was and is gone.
func (s *Store) missing(volume uint16, seq uint64) error {
	heads, err := s.volumes()
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
