package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
)

// applicationID marks the database as ours in its file header: the letters DRAW.
const applicationID = 0x44524157

// ErrVersion means that the database was written by a later version of the
// program, whose schema this one does not know.
var ErrVersion = errors.New("the database is of a later version")

// Migrations are schema/1.sql, schema/2.sql and so on: migration n takes the
// schema from version n-1 to version n. One that was released never changes.
//
//go:embed schema/*.sql
var migrations embed.FS

// schemaVersion is the number of migrations.
func schemaVersion() (int, error) {
	files, err := migrations.ReadDir("schema")
	return len(files), err
}

// migrate brings the schema to this program's version. Several processes may do
// so at once: the version is read again under the write lock.
func migrate(ctx context.Context, conn *sql.Conn) error {
	want, err := schemaVersion()
	if err != nil {
		return err
	}
	switch version, err := storedVersion(ctx, conn); {
	case err != nil:
		return err
	case version == want:
		return nil
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	defer func() { _ = tx.Rollback() }() // After a commit it does nothing.
	version, err := storedVersion(ctx, tx)
	if err != nil {
		return err
	}
	if version > want {
		return fmt.Errorf("schema %d, this program knows %d: %w", version, want, ErrVersion)
	}
	for n := version + 1; n <= want; n++ {
		if err := migrateTo(ctx, tx, n); err != nil {
			return fmt.Errorf("migrating to schema %d: %w", n, err)
		}
	}
	return tx.Commit()
}

func migrateTo(ctx context.Context, tx *sql.Tx, version int) error {
	text, err := migrations.ReadFile(fmt.Sprintf("schema/%d.sql", version))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d", text,
		applicationID, version))
	return err
}

// rowQueryer is a connection or a transaction on one.
type rowQueryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// storedVersion returns the version of the schema, which is 0 in a new database.
func storedVersion(ctx context.Context, q rowQueryer) (int, error) {
	var application, version int
	err := q.QueryRowContext(
		ctx, "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version").Scan(&application,
		&version)
	if err != nil {
		return 0, fmt.Errorf("reading the schema's version: %w", err)
	}
	if fresh := application == 0 && version == 0; !fresh && application != applicationID {
		return 0, fmt.Errorf("it is the database of another application (%#x)", application)
	}
	return version, nil
}
