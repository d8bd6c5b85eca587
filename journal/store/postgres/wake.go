package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"drawhouse/core/contain"
	"drawhouse/journal/store"
)

const (
	// channel is where appends of every lane are announced.
	channel = "drawhouse_appended"

	// announcePause is the least time between announcements. One costs the server
	// about as much as an append of one record, and a follower that is woken reads all
	// there is.
	announcePause = 20 * time.Millisecond
)

// lookAgain is how long Changed waits for an announcement before it looks by itself. One
// may be lost with a connection, and must not be missed for ever.
var lookAgain = 5 * time.Second // A test never looks by itself.

// announce lets followers know that there is more. It does not wait, and an
// announcement that gets lost is no fault: followers also look by themselves.
func (s *Store) announce() {
	s.announcing.Do(func() {
		s.herald.Add(1)
		contain.Go("announcing", s.runHerald, func(error) { s.herald.Done() })
	})
	select {
	case s.news <- struct{}{}:
	default: // There is an announcement to come already.
	}
}

// runHerald announces until the store is closed. It uses a reader's connection, so
// that no append waits for it.
func (s *Store) runHerald() error {
	pause := time.NewTicker(announcePause)
	defer pause.Stop()
	for s.ending.Err() == nil {
		select {
		case <-s.news:
			_, _ = s.reads.Exec(s.ending, "NOTIFY "+channel)
			<-pause.C
		case <-s.ending.Done():
		}
	}
	return nil
}

// Changed waits until the journal's head is another than the one known, and returns
// it. Announcements of the writer only wake it: the head is read from its table, by
// which a follower never sees more than is durable. Callers take turns.
func (s *Store) Changed(ctx context.Context, known store.Head) (store.Head, error) {
	if err := s.enter(ctx); err != nil {
		return store.Head{}, err
	}
	defer s.leave()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.ending, func() { cancel(store.ErrClosed) })()
	s.listening.Lock()
	defer s.listening.Unlock()
	for {
		err := s.listen(ctx)
		if err == nil {
			var head store.Head
			head, err = scanHead(s.reads.QueryRow(ctx, selectHead, s.lane))
			if err == nil && (head.Epoch != known.Epoch || head.Volume != known.Volume || head.Size != known.Size) {
				return head, nil
			}
		}
		if err == nil {
			err = s.awaken(ctx)
		}
		if ended := context.Cause(ctx); ended != nil {
			err = ended
		}
		if err != nil {
			return store.Head{}, fmt.Errorf("postgres: waiting for a change: %w", err)
		}
	}
}

// listen makes sure of a connection that hears of appends. It must hear before the
// head is read, or an append in between would wake nobody. The caller holds
// s.listening.
func (s *Store) listen(ctx context.Context) error {
	if s.listener != nil && !s.listener.IsClosed() {
		return nil
	}
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return errors.Join(err, closeConn(conn))
	}
	s.listener = conn
	return nil
}

// awaken waits for an announcement, but no longer than lookAgain.
func (s *Store) awaken(ctx context.Context) error {
	waiting, cancel := context.WithTimeout(ctx, lookAgain)
	defer cancel()
	_, err := s.listener.WaitForNotification(waiting)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return nil // Time to look by itself.
	}
	return err
}
