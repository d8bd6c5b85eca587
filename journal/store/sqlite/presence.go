package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"drawhouse/journal/store"
)

const (
	// putPresence announces the writer of the epoch that the lane is in, and nobody
	// else.
	putPresence = `INSERT INTO presence (lane, epoch, beat, address)
		SELECT lane, epoch, ?3, ?4 FROM lane WHERE lane = ?1 AND epoch = ?2
		ON CONFLICT (lane) DO UPDATE SET epoch = excluded.epoch, beat = excluded.beat, address = excluded.address`
	selectPresence = "SELECT epoch, beat, address FROM presence WHERE lane = ?1"
	succeed        = "UPDATE lane SET epoch = epoch + 1 WHERE lane = ?1 AND epoch = ?2"
)

// Announce implements store.Shared.
func (s *Store) Announce(ctx context.Context, p store.Presence) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	if err := s.announce(ctx, p); err != nil {
		return fmt.Errorf("sqlite: announcing the writer: %w", classify(err))
	}
	return nil
}

// announce writes by a connection of its own, which does not wait for the disk: with
// synchronous at NORMAL the log is not made durable at a commit, and it is before a
// checkpoint, so that the journal is as safe as without it.
func (s *Store) announce(ctx context.Context, p store.Presence) error {
	s.announcing.Lock()
	defer s.announcing.Unlock()
	if s.announcer == nil {
		db, err := sql.Open("sqlite", source(s.path, "NORMAL"))
		if err != nil {
			return err
		}
		db.SetMaxOpenConns(1)
		s.announcer = db
	}
	result, err := s.announcer.ExecContext(ctx, putPresence, s.lane, int64(p.Epoch), int64(p.Beat), p.Address)
	if err != nil {
		return err
	}
	if rows, err := result.RowsAffected(); err != nil || rows == 0 {
		return cmp.Or(err, store.ErrFenced)
	}
	if s.announced++; s.announced*2*pageSize < longLog {
		return nil
	}
	s.announced = 0
	return s.shorten()
}

// shorten moves SQLite's log into the database in a house in which nothing else happens
// than that its writer is announced.
func (s *Store) shorten() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return nil // It has failed, and the next append is told.
	}
	if err := s.writer.shorten(); err != nil {
		return s.settle(err)
	}
	return nil
}

// Present implements store.Shared.
func (s *Store) Present(ctx context.Context) (store.Presence, error) {
	if err := s.enter(ctx); err != nil {
		return store.Presence{}, err
	}
	defer s.leave()
	var epoch, beat int64
	var address string
	err := s.query.presence.QueryRow(s.lane).Scan(&epoch, &beat, &address)
	if errors.Is(err, sql.ErrNoRows) {
		return store.Presence{}, nil
	}
	if err != nil {
		return store.Presence{}, fmt.Errorf("sqlite: reading who writes: %w", classify(err))
	}
	return store.Presence{Epoch: uint64(epoch), Beat: uint64(beat), Address: address}, nil
}

// TakeOverFrom implements store.Shared.
func (s *Store) TakeOverFrom(ctx context.Context, epoch uint64) (store.Head, error) {
	return s.takeOver(ctx, func(w *writer) error {
		moved, err := w.exec(succeed, w.lane, int64(epoch))
		if err == nil && moved == 0 {
			err = store.ErrFenced
		}
		return err
	})
}
