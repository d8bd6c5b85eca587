package person

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver of SQLite

	"drawhouse/journal/record"
)

// FileName is the name of the register in the data directory. It is a file of its
// own: a copy of the journal has nobody's name in it.
const FileName = "people.db"

// ErrUnknown means that the register has no such entry, or not any more.
var ErrUnknown = errors.New("person: not in the register")

// ErrUnavailable means that the register cannot be read or written now.
var ErrUnavailable = errors.New("person: the register does not answer")

// ErrChanged means that an entry is not the one that was written.
var ErrChanged = errors.New("person: the entry was changed in the register")

// Register keeps entries by their hashes. Its methods may be called by any number
// of goroutines, and what they return without an error is durable.
type Register struct {
	db    *sql.DB
	mark  string // what stands before the number of a parameter
	erase string // makes erased bytes leave the file; empty where there is nothing to do
}

// Open opens the register in a data directory, which must be there.
func Open(ctx context.Context, dir string) (*Register, error) {
	// The first part of a relative path would be taken for the host of a URL.
	path, err := filepath.Abs(filepath.Join(dir, FileName))
	if err != nil {
		return nil, fmt.Errorf("person: %w", err)
	}
	// SQLite would let the whole machine read it.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("person: %w", err)
	}
	if err := f.Close(); err != nil {
		return nil, fmt.Errorf("person: %w", err)
	}
	query := url.Values{"_busy_timeout": {"10000"}, "_synchronous": {"FULL"}, "_txlock": {"immediate"},
		"_pragma": {"secure_delete(1)"}}
	name := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, fmt.Errorf("person: %w", err)
	}
	// Two connections that write at once may each wait for the other to stop reading, and
	// SQLite then refuses one of them without waiting.
	db.SetMaxOpenConns(1)
	return prepare(ctx, &Register{db: db, mark: "?", erase: "VACUUM"})
}

// OpenDatabase opens the register in a PostgreSQL database. Of several servers in the
// URL the one is taken that is not a standby, which nobody can write to.
func OpenDatabase(ctx context.Context, source string) (*Register, error) {
	config, err := pgx.ParseConfig(source)
	if err != nil {
		return nil, fmt.Errorf("person: %w", err) // It names no password.
	}
	if len(config.Fallbacks) > 0 {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary
	}
	return prepare(ctx, &Register{db: stdlib.OpenDB(*config), mark: "$"})
}

// prepare makes the register's table if it is not there.
func prepare(ctx context.Context, r *Register) (*Register, error) {
	const table = `CREATE TABLE IF NOT EXISTS person_entry (hash text NOT NULL PRIMARY KEY, kind text NOT NULL, entry text NOT NULL)`
	if _, err := r.db.ExecContext(ctx, table); err != nil {
		return nil, errors.Join(fmt.Errorf("person: %w", err), r.db.Close())
	}
	return r, nil
}

// Close closes the register.
func (r *Register) Close() error { return r.db.Close() }

// query writes the parameters of a statement as its database names them.
func (r *Register) query(text string) string { return strings.ReplaceAll(text, "$", r.mark) }

func (r *Register) put(ctx context.Context, kind, entry string, hash record.Hash) error {
	_, err := r.db.ExecContext(ctx, r.query(`INSERT INTO person_entry (hash, kind, entry) VALUES ($1, $2, $3)`),
		key(hash), kind, entry)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

func (r *Register) get(ctx context.Context, kind string, hash record.Hash) (string, error) {
	var entry string
	err := r.db.QueryRowContext(ctx, r.query(`SELECT entry FROM person_entry WHERE hash = $1 AND kind = $2`), key(hash),
		kind).Scan(&entry)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", ErrUnknown
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrUnavailable, err)
	case hashOf(kind, []byte(entry)) != hash:
		return "", ErrChanged
	}
	return entry, nil
}

func key(hash record.Hash) string { return fmt.Sprintf("%x", hash[:]) }

// Put keeps details under their hash.
func (r *Register) Put(ctx context.Context, d Details) error {
	return r.put(ctx, "details", string(encode(d)), d.Hash())
}

// Details returns the details of a hash.
func (r *Register) Details(ctx context.Context, hash record.Hash) (d Details, err error) {
	err = r.read(ctx, "details", hash, &d)
	return d, err
}

// PutSecret keeps the entry of a password under its hash.
func (r *Register) PutSecret(ctx context.Context, s Secret) error {
	return r.put(ctx, "secret", string(s), s.Hash())
}

// Secret returns the entry of a password.
func (r *Register) Secret(ctx context.Context, hash record.Hash) (Secret, error) {
	entry, err := r.get(ctx, "secret", hash)
	return Secret(entry), err
}

// Forget erases entries, also from the unused parts of a file. What backups and the
// medium itself remember is beyond it.
func (r *Register) Forget(ctx context.Context, hashes ...record.Hash) error {
	for _, hash := range hashes {
		if _, err := r.db.ExecContext(ctx, r.query(`DELETE FROM person_entry WHERE hash = $1`), key(hash)); err != nil {
			return fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
	}
	if r.erase == "" {
		return nil
	}
	if _, err := r.db.ExecContext(ctx, r.erase); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}
