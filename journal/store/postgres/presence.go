package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"drawhouse/journal/store"
)

const (
	// putPresence announces the writer of the epoch that the lane is in, and nobody
	// else.
	putPresence = `INSERT INTO presence (lane, epoch, beat, address)
		SELECT lane, epoch, $3, $4 FROM lane WHERE lane = $1 AND epoch = $2
		ON CONFLICT (lane) DO UPDATE SET epoch = excluded.epoch, beat = excluded.beat, address = excluded.address`
	selectPresence = "SELECT epoch, beat, address FROM presence WHERE lane = $1"
	succeed        = "UPDATE lane SET epoch = epoch + 1 WHERE lane = $1 AND epoch = $2 RETURNING " + headColumns
)

// Announce implements store.Shared. It uses a reader's connection, by which nothing
// waits for the disk, in a transaction that may write for once.
func (s *Store) Announce(ctx context.Context, p store.Presence) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	var announced int64
	err := pgx.BeginTxFunc(ctx, s.reads, pgx.TxOptions{AccessMode: pgx.ReadWrite}, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, putPresence, s.lane, int64(p.Epoch), int64(p.Beat), p.Address)
		announced = tag.RowsAffected()
		return err
	})
	if err == nil && announced == 0 {
		err = store.ErrFenced
	}
	if err != nil {
		return fmt.Errorf("postgres: announcing the writer: %w", classify(err))
	}
	return nil
}

// Present implements store.Shared.
func (s *Store) Present(ctx context.Context) (store.Presence, error) {
	if err := s.enter(ctx); err != nil {
		return store.Presence{}, err
	}
	defer s.leave()
	var address string
	var epoch, beat int64
	_, err := read(s, func() (bool, error) {
		return true, s.reads.QueryRow(ctx, selectPresence, s.lane).Scan(&epoch, &beat, &address)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return store.Presence{}, nil
	}
	if err != nil {
		return store.Presence{}, fmt.Errorf("postgres: reading who writes: %w", classify(err))
	}
	return store.Presence{Epoch: uint64(epoch), Beat: uint64(beat), Address: address}, nil
}

// TakeOverFrom implements store.Shared.
func (s *Store) TakeOverFrom(ctx context.Context, epoch uint64) (store.Head, error) {
	return s.takeOver(ctx, func(w *writer) pgx.Row {
		return w.conn.QueryRow(ctx, succeed, w.lane, int64(epoch))
	})
}
