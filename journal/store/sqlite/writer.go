package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// insertRows is the greatest number of rows of one INSERT; with 250 no gain over
// 64 was seen. A rest is inserted by statements of half the rows each.
const insertRows = 64

// The statements of a writer besides those that insert records.
const (
	moveHead = `UPDATE lane SET size = ?1, root = ?2, checkpoint = ?3
		WHERE lane = ?4 AND epoch = ?5 AND volume = ?6 AND size = ?7`
	endVolume = `INSERT INTO volume (lane, volume, epoch, size, root, checkpoint)
		SELECT lane, volume, epoch, size, root, checkpoint FROM lane
		WHERE lane = ?1 AND epoch = ?2 AND volume < ?3`
	beginVolume = `UPDATE lane SET volume = ?3, size = ?4, root = ?5, checkpoint = ?6
		WHERE lane = ?1 AND epoch = ?2 AND volume < ?3`
	raiseEpoch = `INSERT INTO lane (lane, epoch, volume, size, root, checkpoint)
		VALUES (?1, 1, ?2, 0, ?3, x'')
		ON CONFLICT (lane) DO UPDATE SET epoch = epoch + 1`
	insertTile   = `INSERT INTO tile (lane, volume, level, number, data) VALUES (?1, ?2, ?3, ?4, ?5)`
	insertObject = `INSERT INTO object (lane, name, data) VALUES (?1, ?2, ?3)`
)

// writer is the one connection that writes. It is used by one goroutine at a
// time.
type writer struct {
	db   *sql.DB
	conn *sql.Conn
	lane int64
	// statements are those prepared so far, by their text.
	statements map[string]*sql.Stmt
	// plain and about are the texts that insert a number of records, without and
	// with the places that they are about.
	plain, about [insertRows + 1]string
	args         []any
	// logged is about how many bytes SQLite's log has got since it was last moved into
	// the database.
	logged int
}

// SQLite's log is moved into the database when it has got about so many bytes. A commit
// writes whole pages, a few of them however little it changes.
const (
	longLog  = 4 << 20
	pageSize = 4096
)

// openWriter opens the connection and brings the schema up to date. It tries
// again while others do the same: SQLite gives up at once, without heeding the
// time to wait, when two connections put a new database into WAL mode.
//
// A connection that is of no use is given up by a function.
func openWriter(ctx context.Context, path string, lane int64, giveUp func(*writer) error) (*writer, error) {
	for begin := time.Now(); ; {
		w, err := tryWriter(ctx, path, lane, giveUp)
		if !isBusy(err) || time.Since(begin) > busyTimeout {
			return w, err
		}
		select {
		case <-time.After(openPause):
		case <-ctx.Done():
			return nil, errors.Join(err, context.Cause(ctx))
		}
	}
}

// tryWriter is one attempt of openWriter. WAL has its own parameter because the
// driver sorts the values of _pragma and would set the mode after what depends on
// it.
func tryWriter(ctx context.Context, path string, lane int64, giveUp func(*writer) error) (*writer, error) {
	db, err := sql.Open("sqlite", source(path, "FULL", "_journal_mode", "WAL"))
	if err != nil {
		return nil, err
	}
	w := &writer{db: db, lane: lane, statements: map[string]*sql.Stmt{}}
	if w.conn, err = db.Conn(ctx); err == nil {
		err = migrate(ctx, w.conn)
	}
	switch {
	case isBusy(err):
		return nil, errors.Join(err, w.close())
	case err != nil:
		return nil, errors.Join(err, giveUp(w))
	}
	for rows := insertRows; rows > 0; rows /= 2 {
		w.plain[rows] = insertRecords(rows, false)
		w.about[rows] = insertRecords(rows, true)
	}
	return w, nil
}

// insertRecords returns the statement that inserts a number of records: lane,
// volume and first sequence number are its first parameters, and then come those
// of each row.
func insertRecords(rows int, about bool) string {
	var text strings.Builder
	text.WriteString("INSERT INTO record (lane, volume, seq, about_volume, about_seq, data) VALUES ")
	for row := range rows {
		if row > 0 {
			text.WriteString(", ")
		}
		if about {
			first := 4 + 3*row
			fmt.Fprintf(&text, "(?1, ?2, ?3 + %d, ?%d, ?%d, ?%d)", row, first, first+1, first+2)
		} else {
			fmt.Fprintf(&text, "(?1, ?2, ?3 + %d, NULL, NULL, ?%d)", row, 4+row)
		}
	}
	return text.String()
}

// close gives up the connection, and with it a transaction under way. Nobody else closes
// statements that were prepared on a connection, and SQLite keeps one open that has any.
func (w *writer) close() error {
	var err error
	for _, statement := range w.statements {
		err = errors.Join(err, statement.Close())
	}
	if w.conn != nil {
		err = errors.Join(err, w.conn.Close())
	}
	return errors.Join(err, w.db.Close())
}

// abandon gives up a connection after a failure. The last connection that ends moves
// SQLite's log into the database and syncs both, and what one sync has failed to write the
// next may take for written. A connection with a statement does not end before the process
// does.
func (w *writer) abandon() error {
	if w.conn == nil {
		return w.db.Close()
	}
	var err error
	// A transaction that is still open would keep everybody else from writing. One that
	// SQLite has ended by itself is not there to be undone, and the error means nothing.
	_, _ = w.exec("ROLLBACK")
	if len(w.statements) == 0 {
		_, err = w.exec("SELECT 1")
	}
	return errors.Join(err, w.conn.Close(), w.db.Close())
}

// exec runs a statement, which it prepares the first time, and returns how many
// rows it changed. What a writer has begun it does not call off, so there is no
// context.
func (w *writer) exec(text string, args ...any) (int64, error) {
	statement := w.statements[text]
	if statement == nil {
		var err error
		if statement, err = w.conn.PrepareContext(context.Background(), text); err != nil {
			return 0, err
		}
		w.statements[text] = statement
	}
	for _, arg := range args {
		if data, ok := arg.([]byte); ok {
			w.logged += len(data)
		}
	}
	result, err := statement.Exec(args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// transact runs fn in a transaction. If fn fails nothing is written; that
// undoing it may fail too is no matter, because then the connection is dropped.
func (w *writer) transact(fn func() error) error {
	if _, err := w.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := fn(); err != nil {
		_, undo := w.exec("ROLLBACK")
		if undo != nil {
			return fmt.Errorf("%w; rolling back: %w", errUnknown, errors.Join(err, undo))
		}
		return err
	}
	if _, err := w.exec("COMMIT"); err != nil {
		return fmt.Errorf("%w: %w", errUnknown, err)
	}
	if w.logged += 4 * pageSize; w.logged > longLog {
		return w.shorten()
	}
	return nil
}

// shorten moves SQLite's log into the database. SQLite would do so by itself, and tell
// nobody that a sync has failed; then it would sync again, which may succeed though
// nothing was written, and overwrite the log.
func (w *writer) shorten() error {
	w.logged = 0
	var busy, pages, moved int
	if err := w.conn.QueryRowContext(context.Background(),
		"PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &moved); err != nil {
		return fmt.Errorf("%w: moving the log into the database: %w", errUnknown, err)
	}
	return nil
}

// errUnknown marks the errors after which it is not known what is stored.
var errUnknown = errors.New("the outcome is unknown")

// TakeOver implements store.Store.
func (s *Store) TakeOver(ctx context.Context) (store.Head, error) {
	root := journal.EmptyRoot()
	return s.takeOver(ctx, func(w *writer) error {
		_, err := w.exec(raiseEpoch, w.lane, int64(store.FirstVolume), root[:])
		return err
	})
}

// takeOver raises the epoch in the given way and returns the head with it.
func (s *Store) takeOver(ctx context.Context, raise func(*writer) error) (store.Head, error) {
	if err := s.enter(ctx); err != nil {
		return store.Head{}, err
	}
	defer s.leave()
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.unsynced != nil {
		return store.Head{}, fmt.Errorf("sqlite: taking over: %w", s.unsynced)
	}
	if s.writer == nil {
		w, err := openWriter(ctx, s.path, s.lane, s.giveUp)
		if err != nil {
			return store.Head{}, fmt.Errorf("sqlite: taking over: %w", classify(err))
		}
		s.writer = w
	}
	head, err := s.writer.takeOver(raise)
	if err != nil {
		return store.Head{}, fmt.Errorf("sqlite: taking over: %w", s.settle(err))
	}
	return head, nil
}

func (w *writer) takeOver(raise func(*writer) error) (head store.Head, err error) {
	err = w.transact(func() error {
		if err := raise(w); err != nil {
			return err
		}
		head, err = scanHead(w.conn.QueryRowContext(context.Background(), selectHead, w.lane))
		return err
	})
	return head, err
}

// Append implements store.Store.
func (s *Store) Append(ctx context.Context, b store.Batch) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.leave()
	if err := b.Check(); err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if s.writer == nil {
		return fmt.Errorf("sqlite: after an unknown outcome: %w", store.ErrFenced)
	}
	if err := s.writer.transact(func() error { return s.writer.put(&b) }); err != nil {
		return fmt.Errorf("sqlite: appending at %d:%d: %w", b.Volume, b.From, s.settle(err))
	}
	return nil
}

// settle drops the writer after an error that leaves the outcome or the
// connection in doubt. The caller holds s.writing.
func (s *Store) settle(err error) error {
	if errors.Is(err, store.ErrFenced) || errors.Is(err, store.ErrBatch) {
		return err
	}
	closing := s.giveUp(s.writer)
	s.writer = nil
	err = classify(errors.Join(err, closing))
	if errors.Is(err, store.ErrUnsynced) {
		s.unsynced = err
	}
	return err
}

// giveUp gives up a connection after a failure. The first one is abandoned. By that no other
// one is the last of the process, and the others can be closed: a disk that is full for a
// day would otherwise cost a connection with every attempt. The caller holds s.writing.
func (s *Store) giveUp(w *writer) error {
	if w.conn == nil {
		return w.close()
	}
	if s.abandoned {
		_, _ = w.exec("ROLLBACK") // As in abandon.
		return w.close()
	}
	s.abandoned = true
	return w.abandon()
}

// put writes a batch within a transaction.
func (w *writer) put(b *store.Batch) error {
	if err := w.move(b); err != nil {
		return err
	}
	if err := w.putRecords(b); err != nil {
		return err
	}
	for i := range b.Tiles {
		t := &b.Tiles[i]
		if _, err := w.exec(insertTile, w.lane, int64(b.Volume), int64(t.Level), int64(t.Index), t.Data); err != nil {
			return fmt.Errorf("tile %d/%d: %w", t.Level, t.Index, err)
		}
	}
	for i := range b.Objects {
		o := &b.Objects[i]
		_, err := w.exec(insertObject, w.lane, o.Name, notNull(o.Data))
		if isConstraint(err) {
			return fmt.Errorf("object %q exists: %w", o.Name, store.ErrBatch)
		}
		if err != nil {
			return fmt.Errorf("object %q: %w", o.Name, err)
		}
	}
	return nil
}

// notNull returns the bytes in the form in which the driver stores an empty
// value rather than none.
func notNull(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}

// move moves the head of the lane. That there is none to move is the fence.
func (w *writer) move(b *store.Batch) error {
	size, root, checkpoint := int64(b.Size()), b.Root[:], notNull(b.Checkpoint)
	moved, err := w.exec(moveHead, size, root, checkpoint, w.lane, int64(b.Epoch), int64(b.Volume), int64(b.From))
	if err != nil {
		return err
	}
	if moved == 0 && b.From == 0 {
		if _, err := w.exec(endVolume, w.lane, int64(b.Epoch), int64(b.Volume)); err != nil {
			return err
		}
		if moved, err = w.exec(beginVolume, w.lane, int64(b.Epoch), int64(b.Volume), size, root,
			checkpoint); err != nil {
			return err
		}
	}
	if moved == 0 {
		return store.ErrFenced
	}
	return nil
}

// putRecords inserts the entries, as many by a statement as it takes.
func (w *writer) putRecords(b *store.Batch) error {
	rows := insertRows
	for done := 0; done < len(b.Entries); {
		for rows > len(b.Entries)-done {
			rows /= 2
		}
		if err := w.putRun(b, done, rows); err != nil {
			return fmt.Errorf("records from %d: %w", b.From+uint64(done), err)
		}
		done += rows
	}
	return nil
}

// putRun inserts a run of entries by one statement.
func (w *writer) putRun(b *store.Batch, first, rows int) error {
	run := b.Entries[first : first+rows]
	text := w.plain[rows]
	for i := range run {
		if run[i].About != (record.Place{}) {
			text = w.about[rows]
			break
		}
	}
	about := text == w.about[rows]
	w.args = append(w.args[:0], w.lane, int64(b.Volume), int64(b.From)+int64(first))
	for i := range run {
		switch place := run[i].About; {
		case about && place == record.Place{}:
			w.args = append(w.args, nil, nil)
		case about:
			w.args = append(w.args, int64(place.Volume), int64(place.Seq))
		}
		w.args = append(w.args, run[i].Data)
	}
	_, err := w.exec(text, w.args...)
	clear(w.args) // So that the records do not outlive their batch here.
	return err
}
