package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"drawhouse/journal/store"
)

const (
	// FileName is the name of the database in the data directory.
	FileName = "drawhouse.db"

	// busyTimeout is how long a transaction waits for that of another process.
	// Those are short, so that a longer wait is a fault.
	busyTimeout = 10 * time.Second

	// openPause is the time between attempts to open a database that others are
	// opening, too.
	openPause = 2 * time.Millisecond

	// readConnections bounds the reads under way at a time; further ones wait.
	readConnections = 8
)

// Store is a store.Store in a SQLite database.
type Store struct {
	path  string
	lane  int64
	reads *sql.DB
	query queries

	// open is held for reading during every call and for writing by Close.
	open   sync.RWMutex
	closed bool // guarded by open

	announcing sync.Mutex // guards announcer and announced
	announcer  *sql.DB    // nil until the writer is announced
	announced  int        // how often since the log was moved into the database for it

	writing sync.Mutex // guards what follows
	// writer is nil before the first use and after an append with an unknown
	// outcome, and then stays so until the next takeover.
	writer *writer
	// abandoned says that a connection was abandoned: it lasts as long as the process, so
	// that no other one is the last. unsynced is why nothing may be written any more.
	abandoned bool
	unsynced  error
}

// Open opens the journal of a lane in a data directory, which it makes if there
// is none. It may be opened several times, by this process and by others.
func Open(ctx context.Context, dir string, lane uint16) (*Store, error) {
	if lane == 0 {
		return nil, errors.New("sqlite: there is no lane 0")
	}
	path, err := prepare(dir)
	if err != nil {
		return nil, fmt.Errorf("sqlite: preparing the data directory: %w", err)
	}
	s := &Store{path: path, lane: int64(lane)}
	if err := s.start(ctx); err != nil {
		return nil, fmt.Errorf("sqlite: opening %s: %w", path, classify(err))
	}
	return s, nil
}

// start opens the connections, the writer first: it makes the database what
// readers expect.
func (s *Store) start(ctx context.Context) (err error) {
	if s.writer, err = openWriter(ctx, s.path, s.lane, (*writer).abandon); err != nil {
		return err
	}
	if s.reads, err = sql.Open("sqlite", source(s.path, "FULL", "_query_only", "1")); err == nil {
		s.reads.SetMaxOpenConns(readConnections)
		s.reads.SetMaxIdleConns(readConnections)
		s.query, err = prepareQueries(ctx, s.reads)
	}
	if err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// prepare makes the directory durable and the database the owner's alone, and
// returns its path.
func prepare(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", err
		}
		// SQLite makes its files durable in the directory; that the directory
		// itself is durable in its parent is for us to see to.
		if err := syncDirectory(filepath.Dir(dir)); err != nil {
			return "", err
		}
	}
	// SQLite would let the whole machine read the database, and gives its other
	// files the permissions of this one.
	path := filepath.Join(dir, FileName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	return path, f.Close()
}

func syncDirectory(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// source returns the name by which the driver opens the database, how it
// synchronises, and further parameters with their values.
func source(path, synchronous string, further ...string) string {
	query := url.Values{
		"_busy_timeout": {fmt.Sprint(busyTimeout.Milliseconds())},
		"_synchronous":  {synchronous},
		"_txlock":       {"immediate"},
		"_pragma":       {"temp_store(2)", "wal_autocheckpoint(0)"}, // The writer sees to it: see shorten.
	}
	for i := 0; i < len(further); i += 2 {
		query.Set(further[i], further[i+1])
	}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	return name.String()
}

// Close implements store.Store.
func (s *Store) Close() error {
	s.open.Lock()
	defer s.open.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var err error
	if s.reads != nil {
		err = s.reads.Close()
	}
	if s.announcer != nil {
		err = errors.Join(err, s.announcer.Close())
	}
	if s.writer != nil {
		err = errors.Join(err, s.writer.close())
	}
	if err != nil {
		return fmt.Errorf("sqlite: closing: %w", err)
	}
	return nil
}

// enter begins a call, unless the store is closed or the context has ended. The
// caller ends it with leave.
func (s *Store) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	s.open.RLock()
	if s.closed {
		s.open.RUnlock()
		return fmt.Errorf("sqlite: %w", store.ErrClosed)
	}
	return nil
}

func (s *Store) leave() { s.open.RUnlock() }

// classify adds the store's own error to one of SQLite where there is one.
func classify(err error) error {
	var failed *driver.Error
	if !errors.As(err, &failed) {
		return err
	}
	switch failed.Code() & 0xff {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", err, store.ErrCorrupt)
	}
	switch failed.Code() {
	case codes.SQLITE_IOERR_FSYNC, codes.SQLITE_IOERR_DIR_FSYNC:
		return fmt.Errorf("%w: %w", err, store.ErrUnsynced)
	}
	return err
}

// isConstraint reports whether a statement failed because its row contradicts
// the schema or another row.
func isConstraint(err error) bool { return isCode(err, codes.SQLITE_CONSTRAINT) }

// isBusy reports whether a statement failed because of somebody else's lock.
func isBusy(err error) bool { return isCode(err, codes.SQLITE_BUSY) }

func isCode(err error, code int) bool {
	var failed *driver.Error
	return errors.As(err, &failed) && failed.Code()&0xff == code
}
