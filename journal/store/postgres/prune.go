package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"drawhouse/journal/store"
)

const (
	isEnded      = "SELECT count(*) FROM volume WHERE lane = $1 AND volume = $2"
	pruneRecords = "DELETE FROM record WHERE lane = $1 AND volume = $2"
	pruneTiles   = "DELETE FROM tile WHERE lane = $1 AND volume = $2"
)

// Prune implements store.Prunable. It has a connection of its own: the journal is
// written meanwhile.
func (s *Store) Prune(ctx context.Context, volume uint16) (records uint64, err error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.leave()
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return 0, fmt.Errorf("postgres: pruning volume %d: %w", volume, err)
	}
	defer func() { _ = closeConn(conn) }()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		var ended int
		if err := tx.QueryRow(ctx, isEnded, s.lane, int32(volume)).Scan(&ended); err != nil {
			return err
		}
		if ended == 0 {
			return fmt.Errorf("it has not ended: %w", store.ErrBatch)
		}
		gone, err := tx.Exec(ctx, pruneRecords, s.lane, int32(volume))
		if err != nil {
			return err
		}
		records = uint64(gone.RowsAffected())
		_, err = tx.Exec(ctx, pruneTiles, s.lane, int32(volume))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("postgres: pruning volume %d: %w", volume, classify(err))
	}
	return records, nil
}
