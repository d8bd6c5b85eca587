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

// Register keeps entries by their hashes, sealed under personal keys. Its methods may be called
// by any number of goroutines, and what they return without an error is durable.
type Register struct {
	db   *sql.DB
	keys *keyring

	mark  string // what stands before the number of a parameter
	alone string // keeps others from sealing with the old key while a transaction brings in a new one
	stay  string // keeps a key from being exchanged until a transaction has ended
	erase string // makes erased bytes leave the file; empty where sealing is what keeps them from readers
	clean string // makes the bytes of entries leave the file that were sealed anew
}

// Open opens the register in a data directory, which must be there. Keys is the folder of the
// personal keys; the first is made with the first entry.
func Open(ctx context.Context, dir, keys string) (*Register, error) {
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
	// SQLite then refuses one of them without waiting. A transaction here is alone from its
	// beginning (_txlock).
	db.SetMaxOpenConns(1)
	return prepare(ctx, &Register{db: db, keys: &keyring{dir: keys}, mark: "?", erase: "VACUUM", clean: "VACUUM"})
}

// OpenDatabase opens the register in a PostgreSQL database. Of several servers in the
// URL the one is taken that is not a standby, which nobody can write to.
func OpenDatabase(ctx context.Context, source, keys string) (*Register, error) {
	config, err := pgx.ParseConfig(source)
	if err != nil {
		return nil, fmt.Errorf("person: %w", err) // It names no password.
	}
	if len(config.Fallbacks) > 0 {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary
	}
	return prepare(ctx, &Register{db: stdlib.OpenDB(*config), keys: &keyring{dir: keys}, mark: "$",
		alone: `LOCK TABLE person_key IN ACCESS EXCLUSIVE MODE`, stay: `LOCK TABLE person_key IN ACCESS SHARE MODE`,
		clean: `VACUUM FULL person_entry`})
}

// prepare makes the register's tables if they are not there. A register of before there were
// keys has plain entries and no days; Renew seals them.
func prepare(ctx context.Context, r *Register) (*Register, error) {
	for _, table := range []string{
		`CREATE TABLE IF NOT EXISTS person_entry (hash text NOT NULL PRIMARY KEY, kind text NOT NULL, entry text NOT NULL)`,
		`CREATE TABLE IF NOT EXISTS person_key (id text NOT NULL PRIMARY KEY, number integer NOT NULL)`,
	} {
		if _, err := r.db.ExecContext(ctx, table); err != nil {
			return nil, errors.Join(fmt.Errorf("person: %w", err), r.db.Close())
		}
	}
	if _, err := r.db.ExecContext(ctx, `SELECT over FROM person_entry LIMIT 0`); err != nil {
		const column = `ALTER TABLE person_entry ADD COLUMN over text NOT NULL DEFAULT ''`
		if _, err := r.db.ExecContext(ctx, column); err != nil {
			return nil, errors.Join(fmt.Errorf("person: %w", err), r.db.Close())
		}
	}
	return r, nil
}

// Close closes the register.
func (r *Register) Close() error { return r.db.Close() }

// query writes the parameters of a statement as its database names them.
func (r *Register) query(text string) string { return strings.ReplaceAll(text, "$", r.mark) }

// put seals an entry and keeps it. The key cannot be exchanged in between.
func (r *Register) put(ctx context.Context, kind, entry string, hash record.Hash) error {
	err := r.inTx(ctx, r.stay, func(tx *sql.Tx) error {
		sealer, err := r.current(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, r.query(`INSERT INTO person_entry (hash, kind, entry) VALUES ($1, $2, $3)`),
			key(hash), kind, sealer.seal(kind, key(hash), entry))
		return err
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// inTx does something in a transaction, behind a statement that says who else may do what
// meanwhile.
func (r *Register) inTx(ctx context.Context, lock string, do func(*sql.Tx) error) error {
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // After the commit it does nothing.
	if lock != "" {
		if _, err := tx.ExecContext(ctx, lock); err != nil {
			return err
		}
	}
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (r *Register) get(ctx context.Context, kind string, hash record.Hash) (string, error) {
	var stored string
	err := r.db.QueryRowContext(ctx, r.query(`SELECT entry FROM person_entry WHERE hash = $1 AND kind = $2`), key(hash),
		kind).Scan(&stored)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "", ErrUnknown
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	entry, err := r.opened(kind, key(hash), stored)
	switch {
	case err != nil:
		return "", err
	case hashOf(kind, []byte(entry)) != hash:
		return "", ErrChanged
	}
	return entry, nil
}

// opened returns what a stored entry says. One of before there were keys says it plainly until
// Renew has sealed it.
func (r *Register) opened(kind, hash, stored string) (string, error) {
	id, sealed, ok := sealedUnder(stored)
	if !ok {
		return stored, nil
	}
	sealer, err := r.keys.find(id)
	switch {
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrNoKey, err)
	case sealer == nil:
		return "", &NoKey{KeyName{ID: id}, r.keys.dir}
	}
	return sealer.open(kind, hash, sealed)
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
	keys := make([]string, len(hashes))
	for i, hash := range hashes {
		keys[i] = key(hash)
	}
	return r.forget(ctx, keys)
}

func (r *Register) forget(ctx context.Context, keys []string) error {
	for _, key := range keys {
		if _, err := r.db.ExecContext(ctx, r.query(`DELETE FROM person_entry WHERE hash = $1`), key); err != nil {
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
