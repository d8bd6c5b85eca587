package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

const (
	// selectContents has a row for each volume and then one for each object. It is
	// one statement so that it sees one moment.
	selectContents = "SELECT " + headColumns + `, NULL AS name FROM volume WHERE lane = $1
		UNION ALL SELECT ` + headColumns + `, NULL FROM lane WHERE lane = $1
		UNION ALL SELECT 0, 0, 0, NULL, NULL, name FROM object WHERE lane = $1 ORDER BY name NULLS FIRST, volume`
	selectAbouts = `SELECT seq, about_volume, about_seq FROM record
		WHERE lane = $1 AND volume = $2 AND seq >= $3 AND seq < $4 AND about_volume IS NOT NULL`
)

// Contents implements store.Source.
func (s *Store) Contents(ctx context.Context) (store.Contents, error) {
	if err := s.enter(ctx); err != nil {
		return store.Contents{}, err
	}
	defer s.leave()
	c, err := read(s, func() (store.Contents, error) { return s.contents(ctx) })
	if err != nil {
		return store.Contents{}, fmt.Errorf("postgres: reading the contents: %w", classify(err))
	}
	if len(c.Volumes) == 0 {
		c.Volumes = []store.Head{{Volume: store.FirstVolume, Root: journal.EmptyRoot()}}
	}
	return c, nil
}

func (s *Store) contents(ctx context.Context) (c store.Contents, err error) {
	rows, err := s.reads.Query(ctx, selectContents, s.lane)
	if err != nil {
		return c, err
	}
	defer rows.Close()
	for rows.Next() {
		var name *string
		head, err := scanHead(withName{rows, &name})
		if name != nil {
			c.Objects = append(c.Objects, *name)
			continue // Its head is nothing, and no head.
		}
		if err != nil {
			return c, err
		}
		c.Volumes = append(c.Volumes, head)
	}
	return c, rows.Err()
}

// withName scans a row that has a name behind its other columns.
type withName struct {
	row  pgx.Row
	name **string
}

func (w withName) Scan(dest ...any) error { return w.row.Scan(append(dest, w.name)...) }

// Abouts implements store.Source.
func (s *Store) Abouts(ctx context.Context, volume uint16, from, to uint64) (map[uint64]record.Place, error) {
	if err := s.enter(ctx); err != nil {
		return nil, err
	}
	defer s.leave()
	if to > journal.MaxSize {
		return nil, fmt.Errorf("postgres: there is no range of records from %d to %d", from, to)
	}
	abouts, err := read(s, func() (map[uint64]record.Place, error) { return s.abouts(ctx, volume, from, to) })
	if err != nil {
		return nil, fmt.Errorf("postgres: what records of volume %d from %d are about: %w", volume, from, classify(err))
	}
	return abouts, nil
}

func (s *Store) abouts(ctx context.Context, volume uint16, from, to uint64) (map[uint64]record.Place, error) {
	rows, err := s.reads.Query(ctx, selectAbouts, s.lane, int32(volume), int64(from), int64(to))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	abouts := map[uint64]record.Place{}
	for rows.Next() {
		var seq, aboutSeq int64
		var aboutVolume int32
		if err := rows.Scan(&seq, &aboutVolume, &aboutSeq); err != nil {
			return nil, err
		}
		abouts[uint64(seq)] = record.Place{Volume: uint16(aboutVolume), Seq: uint64(aboutSeq)}
	}
	return abouts, rows.Err()
}
