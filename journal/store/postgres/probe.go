package postgres

import (
	"context"
	"fmt"
)

// Probe returns why nothing could be appended by the connection that writes, such as that
// the server was started again. It asks the server for nothing but an answer. A connection
// at work is not disturbed: what is under way finds out by itself.
func (s *Store) Probe(ctx context.Context) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	if !s.writing.TryLock() {
		return nil
	}
	defer s.writing.Unlock()
	if s.writer == nil || s.inDoubt {
		return nil // The next append is told.
	}
	if err := s.writer.conn.Ping(ctx); err != nil {
		return fmt.Errorf("postgres: the connection that writes: %w", s.dropWriter(err))
	}
	return nil
}
