package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"drawhouse/journal/store"
)

const (
	// readConnections bounds the reads under way at a time, unless the URL says
	// otherwise by pool_max_conns; further ones wait.
	readConnections = 8

	// connectMost is how long a connection may take to be made.
	connectMost = 10 * time.Second

	// applicationName is what the server's own views call our connections.
	applicationName = "drawhouse"
)

// Store is a store.Store in a PostgreSQL database.
type Store struct {
	lane   int32
	config *pgx.ConnConfig // of connections that write
	reads  *pgxpool.Pool

	// ending ends with the beginning of Close, and with it the herald and anybody who
	// waits for a change.
	ending context.Context
	end    context.CancelFunc

	// news has an element when there is something to announce.
	news       chan struct{}
	announcing sync.Once // starts the herald
	herald     sync.WaitGroup

	// open is held for reading during every call and for writing by Close.
	open   sync.RWMutex
	closed bool // guarded by open

	writing sync.Mutex // guards what follows
	// writer is nil before the first use and after an append with an unknown
	// outcome; in doubt says that it is the latter, until the next takeover.
	writer  *writer
	inDoubt bool

	listening sync.Mutex // guards listener
	listener  *pgx.Conn  // nil until somebody waits for a change
}

// Open opens the journal of a lane in the database of a URL, or of the keywords
// that PostgreSQL's own programs take, and makes the tables if there are none. It
// may be opened several times, by this process and by others.
func Open(ctx context.Context, url string, lane uint16) (*Store, error) {
	if lane == 0 {
		return nil, errors.New("postgres: there is no lane 0")
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err) // It names no password.
	}
	s := &Store{lane: int32(lane), config: writerConfig(config.ConnConfig), news: make(chan struct{}, 1)}
	s.ending, s.end = context.WithCancel(context.Background())
	if err := s.start(ctx, readerConfig(config)); err != nil {
		return nil, fmt.Errorf("postgres: opening %s: %w", place(s.config), errors.Join(classify(err), s.Close()))
	}
	return s, nil
}

// place names the database for people, without its password.
func place(c *pgx.ConnConfig) string { return fmt.Sprintf("database %s at %s", c.Database, c.Host) }

func (s *Store) start(ctx context.Context, config *pgxpool.Config) (err error) {
	if s.reads, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	done, err := upToDate(ctx, s.reads)
	if err != nil || done {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return err
	}
	return errors.Join(migrate(ctx, conn), conn.Close(ctx))
}

// writerConfig returns how to connect to write. Transactions are of the isolation that the statements are written
// for, whatever the database's default is, and none is called off for its length.
func writerConfig(from *pgx.ConnConfig) *pgx.ConnConfig {
	c := from.Copy()
	prepareConfig(c)
	c.RuntimeParams["default_transaction_isolation"] = "read committed"
	c.RuntimeParams["default_transaction_read_only"] = "off"
	c.RuntimeParams["statement_timeout"] = "0"
	return c
}

// readerConfig returns how the pool of readers connects.
func readerConfig(from *pgxpool.Config) *pgxpool.Config {
	c := from.Copy()
	prepareConfig(c.ConnConfig)
	c.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on"
	c.ConnConfig.RuntimeParams["synchronous_commit"] = "off" // They write nothing, and announcements need not last.
	if !strings.Contains(from.ConnString(), "pool_max_conns") {
		c.MaxConns = readConnections
	}
	return c
}

// prepareConfig settles what all connections have in common. If the URL names several
// servers, all go to the one that is not a standby: a standby may be behind what was
// answered, and the writer's signs of life cannot be left there. The connections of
// readers say of themselves that they cannot write, so that the server is asked what
// it is, and not what the connection may do.
func prepareConfig(c *pgx.ConnConfig) {
	if len(c.Fallbacks) > 0 || c.ValidateConnect != nil {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectMost
	}
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = applicationName
	}
	// A server that vanishes without a word is noticed while nothing is under way;
	// an append under way has answerMost.
	dialer := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second,
		Interval: 5 * time.Second, Count: 3}}
	c.DialFunc = dialer.DialContext
}

// Close implements store.Store.
func (s *Store) Close() error {
	s.end()
	s.open.Lock()
	defer s.open.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.herald.Wait()
	if s.reads != nil {
		s.reads.Close()
	}
	var err error
	if s.writer != nil {
		err = s.writer.close()
	}
	if s.listener != nil {
		err = errors.Join(err, closeConn(s.listener))
	}
	if err != nil {
		return fmt.Errorf("postgres: closing: %w", err)
	}
	return nil
}

// closeConn says goodbye to the server, which need not answer.
func closeConn(conn *pgx.Conn) error {
	if conn.IsClosed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return conn.Close(ctx)
}

// enter begins a call, unless the store is closed or the context has ended. The
// caller ends it with leave.
func (s *Store) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	s.open.RLock()
	if s.closed {
		s.open.RUnlock()
		return fmt.Errorf("postgres: %w", store.ErrClosed)
	}
	return nil
}

func (s *Store) leave() { s.open.RUnlock() }

// Codes of PostgreSQL's errors, a class of them, and a constraint that they name.
const (
	uniqueViolation  = "23505"
	dataException    = "22"
	adminShutdown    = "57P01"
	crashShutdown    = "57P02"
	dataCorrupted    = "XX001"
	indexCorrupted   = "XX002"
	objectPrimaryKey = "object_pkey"
)

// classify adds the store's own error to one of PostgreSQL where there is one.
func classify(err error) error {
	var failed *pgconn.PgError
	if errors.As(err, &failed) && (failed.Code == dataCorrupted || failed.Code == indexCorrupted) {
		return fmt.Errorf("%w: %w", err, store.ErrCorrupt)
	}
	if isAway(err) {
		return fmt.Errorf("%w: %w", store.ErrAway, err)
	}
	return err
}
