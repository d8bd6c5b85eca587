package postgres

import (
	"context"
	"fmt"
)

// Bytes implements store.Sized: it adds up the tables with their indexes. The server's
// own log is not the house's alone.
func (s *Store) Bytes(ctx context.Context) (int64, error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.leave()
	const query = `SELECT sum(pg_total_relation_size(to_regclass(name)))::bigint FROM unnest(ARRAY['lane', 'volume', 'record', 'tile', 'object']) AS name`
	sum, err := read(s, func() (sum int64, err error) {
		err = s.reads.QueryRow(ctx, query).Scan(&sum)
		return sum, err
	})
	if err != nil {
		return 0, fmt.Errorf("postgres: the size of the tables: %w", classify(err))
	}
	return sum, nil
}
