package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"drawhouse/journal"
	"drawhouse/journal/store"
)

// answerMost is how long the server may take to answer an append. A network that
// swallows packets would otherwise hold the writer for a quarter of an hour; after
// this time the outcome is unknown, and anybody who takes over learns it.
var answerMost = time.Minute // A test is not as patient.

// raiseEpoch takes a lane over. A lane without a row is new.
const raiseEpoch = `INSERT INTO lane (lane, epoch, volume, size, root, checkpoint)
	VALUES ($1, 1, $2, 0, $3, '')
	ON CONFLICT (lane) DO UPDATE SET epoch = lane.epoch + 1
	RETURNING ` + headColumns

// writer is the one connection that writes. It is used by one goroutine at a time.
type writer struct {
	lane int32
	conn *pgx.Conn
	// prepared are the names of the statements that the server knows.
	prepared map[shape]string
	args     arguments
	// warnings are what the server has warned of since they were last cleared.
	warnings []string
}

// openWriter connects.
func openWriter(ctx context.Context, config *pgx.ConnConfig, lane int32) (*writer, error) {
	w := &writer{lane: lane, prepared: map[shape]string{}}
	config = config.Copy()
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if isDoubtful(n) {
			w.warnings = append(w.warnings, n.Message)
		}
	}
	var err error
	if w.conn, err = pgx.ConnectConfig(ctx, config); err != nil {
		return nil, err
	}
	// A plan for given arrays is no better than one for any.
	if _, err = w.conn.Exec(ctx, "SET plan_cache_mode = force_generic_plan"); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

// isDoubtful reports whether a commit that comes with a notice may not be what it
// seems. That the server soon runs out of transaction numbers, of which it warns with
// every transaction, is bad news and no doubt.
func isDoubtful(n *pgconn.Notice) bool {
	return n.SeverityUnlocalized == "WARNING" && n.File != "varsup.c" && n.File != "multixact.c"
}

func (w *writer) close() error { return closeConn(w.conn) }

// errUnknown marks the errors after which it is not known what is stored.
var errUnknown = errors.New("the outcome is unknown")

// warned returns the warnings since they were last cleared as an error. PostgreSQL
// acknowledges a commit with nothing but a warning when the wait for its
// replication is called off.
func (w *writer) warned() error {
	if len(w.warnings) == 0 {
		return nil
	}
	return fmt.Errorf("%w: the server warns: %s", errUnknown, strings.Join(w.warnings, "; "))
}

// TakeOver implements store.Store.
func (s *Store) TakeOver(ctx context.Context) (store.Head, error) {
	root := journal.EmptyRoot()
	return s.takeOver(ctx, func(w *writer) pgx.Row {
		return w.conn.QueryRow(ctx, raiseEpoch, w.lane, int32(store.FirstVolume), root[:])
	})
}

// takeOver raises the epoch by the given query, which returns the head with it. No row
// means that the query's condition was not met.
func (s *Store) takeOver(ctx context.Context, raise func(*writer) pgx.Row) (store.Head, error) {
	if err := s.enter(ctx); err != nil {
		return store.Head{}, err
	}
	defer s.leave()
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.ensureWriter(ctx); err != nil {
		return store.Head{}, fmt.Errorf("postgres: taking over: %w", classify(err))
	}
	head, err := s.writer.takeOver(ctx, raise)
	if errors.Is(err, store.ErrFenced) {
		return store.Head{}, fmt.Errorf("postgres: taking over: %w", err)
	}
	if err != nil {
		return store.Head{}, fmt.Errorf("postgres: taking over: %w", s.dropWriter(err))
	}
	s.inDoubt = false
	s.announce()
	return head, nil
}

// ensureWriter connects if there is no connection. The caller holds s.writing.
func (s *Store) ensureWriter(ctx context.Context) error {
	if s.writer != nil && !s.writer.conn.IsClosed() {
		return nil
	}
	w, err := openWriter(ctx, s.config, s.lane)
	if err != nil {
		return err
	}
	s.writer = w
	return nil
}

// dropWriter gives the connection up after an error that leaves it or an outcome in
// doubt. The caller holds s.writing.
func (s *Store) dropWriter(err error) error {
	// What is left of the connection is no matter, and its end no news.
	_ = s.writer.close()
	s.writer = nil
	return classify(err)
}

// takeOver takes the lane over on a server whose commits are durable. That is asked
// every time: a server's configuration may be read anew while it runs.
func (w *writer) takeOver(ctx context.Context, raise func(*writer) pgx.Row) (store.Head, error) {
	if err := secure(ctx, w.conn); err != nil {
		return store.Head{}, err
	}
	w.warnings = nil
	head, err := scanHead(raise(w))
	if err == nil && head.Epoch == 0 {
		err = store.ErrFenced
	}
	return head, errors.Join(err, w.warned())
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
	if s.inDoubt {
		return fmt.Errorf("postgres: after an unknown outcome: %w", store.ErrFenced)
	}
	err := s.ensureWriter(ctx)
	if err == nil {
		err = s.writer.append(&b)
	}
	switch {
	case err == nil:
		s.announce()
		return nil
	case !errors.Is(err, store.ErrFenced) && !errors.Is(err, store.ErrBatch):
		s.inDoubt = true
		if s.writer != nil {
			err = s.dropWriter(err)
		}
	}
	return fmt.Errorf("postgres: appending at %d:%d: %w", b.Volume, b.From, err)
}

// append stores a batch where the head is, or else as the beginning of a volume.
// That there is no head to move is the fence.
func (w *writer) append(b *store.Batch) error {
	s := shapeOf(b)
	moved, err := w.put(s, b)
	if err == nil && moved == 0 && b.From == 0 {
		s.begins = true
		moved, err = w.put(s, b)
	}
	if err == nil && moved == 0 {
		err = store.ErrFenced
	}
	return err
}

// put runs the statement of a shape and returns how many heads it moved. What a
// writer has begun it does not call off, so there is no context.
func (w *writer) put(s shape, b *store.Batch) (moved uint64, err error) {
	wire := w.conn.PgConn().Conn()
	if err := wire.SetDeadline(time.Now().Add(answerMost)); err != nil {
		return 0, fmt.Errorf("%w: %w", errUnknown, err)
	}
	defer func() { _ = wire.SetDeadline(time.Time{}) }() // It fails only for a connection that is closed.
	name, err := w.prepare(s)
	if err != nil {
		return 0, fmt.Errorf("%w: preparing: %w", errUnknown, err)
	}
	w.warnings = nil
	result := w.conn.PgConn().ExecPrepared(context.Background(), name, w.args.fill(w.lane, s, b), binaryFormat,
		binaryFormat)
	for result.NextRow() {
		moved = binary.BigEndian.Uint64(result.Values()[0])
	}
	// The commit comes after the rows, and Close waits for its answer.
	if _, err := result.Close(); err != nil {
		return 0, refusal(err)
	}
	return moved, w.warned()
}

// binaryFormat says that all values are in binary form.
var binaryFormat = []int16{1}

// prepare makes the statement of a shape known to the server.
func (w *writer) prepare(s shape) (string, error) {
	if name, ok := w.prepared[s]; ok {
		return name, nil
	}
	st, name := statementOf(s), fmt.Sprintf("append_%d", len(w.prepared))
	if _, err := w.conn.PgConn().Prepare(context.Background(), name, st.text, st.types); err != nil {
		return "", err
	}
	w.prepared[s] = name
	return name, nil
}

// refusal tells the errors by which the server has refused a batch, so that nothing
// is stored, from those after which that is not known.
func refusal(err error) error {
	var failed *pgconn.PgError
	switch {
	case !errors.As(err, &failed):
	case failed.Code == uniqueViolation && failed.ConstraintName == objectPrimaryKey:
		return fmt.Errorf("an object exists: %s: %w", failed.Detail, store.ErrBatch)
	case strings.HasPrefix(failed.Code, dataException):
		return fmt.Errorf("%w: %w", failed, store.ErrBatch)
	}
	return fmt.Errorf("%w: %w", errUnknown, err)
}
