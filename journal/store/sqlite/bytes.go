package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// Bytes implements store.Sized: it adds up the files.
func (s *Store) Bytes(context.Context) (int64, error) {
	var sum int64
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(s.path + suffix)
		switch {
		case err == nil:
			sum += info.Size()
		case suffix == "" || !errors.Is(err, fs.ErrNotExist):
			return 0, err
		}
	}
	return sum, nil
}
