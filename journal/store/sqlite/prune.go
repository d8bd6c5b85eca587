package sqlite

import (
	"context"
	"fmt"

	"drawhouse/journal/store"
)

const (
	// isEnded counts a volume among those that have ended, by changing nothing of it.
	isEnded      = "UPDATE volume SET size = size WHERE lane = ?1 AND volume = ?2"
	pruneRecords = "DELETE FROM record WHERE lane = ?1 AND volume = ?2"
	pruneTiles   = "DELETE FROM tile WHERE lane = ?1 AND volume = ?2"
)

// Prune implements store.Prunable. The file does not get smaller: what it frees is used
// again.
func (s *Store) Prune(ctx context.Context, volume uint16) (records uint64, err error) {
	if err := s.enter(ctx); err != nil {
		return 0, err
	}
	defer s.leave()
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return 0, fmt.Errorf("sqlite: after an unknown outcome: %w", store.ErrFenced)
	}
	err = s.writer.transact(func() error {
		ended, err := s.writer.exec(isEnded, s.lane, int64(volume))
		if err == nil && ended == 0 {
			err = fmt.Errorf("it has not ended: %w", store.ErrBatch)
		}
		if err != nil {
			return err
		}
		gone, err := s.writer.exec(pruneRecords, s.lane, int64(volume))
		records = uint64(gone)
		if err == nil {
			_, err = s.writer.exec(pruneTiles, s.lane, int64(volume))
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("sqlite: pruning volume %d: %w", volume, s.settle(err))
	}
	return records, nil
}
