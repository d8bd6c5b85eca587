package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// migrationLock is the advisory lock of migrations: the letters DRAW. It is one
// for all houses of a database, which may wait for each other this once.
const migrationLock = 0x44524157

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

// rowQueryer is a connection, a pool of them, or a transaction.
type rowQueryer interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// storedVersion returns the version of the schema, which is 0 where there is none.
func storedVersion(ctx context.Context, q rowQueryer) (version int, err error) {
	var there bool
	if err := q.QueryRow(ctx, "SELECT to_regclass('drawhouse_schema') IS NOT NULL").Scan(&there); err != nil || !there {
		return 0, err
	}
	err = q.QueryRow(ctx, "SELECT version FROM drawhouse_schema").Scan(&version)
	return version, err
}

// upToDate reports whether the schema is of this program's version, which any
// connection may ask, also one that cannot write.
func upToDate(ctx context.Context, q rowQueryer) (bool, error) {
	want, err := schemaVersion()
	if err != nil {
		return false, err
	}
	version, err := storedVersion(ctx, q)
	switch {
	case err != nil:
		return false, fmt.Errorf("reading the schema's version: %w", err)
	case version > want:
		return false, fmt.Errorf("schema %d, this program knows %d: %w", version, want, ErrVersion)
	}
	return version == want, nil
}

// migrate brings the schema to this program's version, all of it or nothing.
// Several processes may do so at once: they take turns by an advisory lock, and
// the version is read again under it.
func migrate(ctx context.Context, conn *pgx.Conn) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(migrationLock)); err != nil {
			return err
		}
		done, err := upToDate(ctx, tx)
		if err != nil || done {
			return err
		}
		version, err := storedVersion(ctx, tx)
		if err != nil {
			return err
		}
		want, err := schemaVersion()
		if err != nil {
			return err
		}
		for n := version + 1; n <= want; n++ {
			if err := migrateTo(ctx, tx, n); err != nil {
				return fmt.Errorf("migrating to schema %d: %w", n, err)
			}
		}
		return nil
	})
}

func migrateTo(ctx context.Context, tx pgx.Tx, version int) error {
	text, err := migrations.ReadFile(fmt.Sprintf("schema/%d.sql", version))
	if err != nil {
		return err
	}
	note := "UPDATE drawhouse_schema SET version = $1"
	if version == 1 {
		if _, err := tx.Exec(ctx, "CREATE TABLE drawhouse_schema (version integer NOT NULL)"); err != nil {
			return err
		}
		note = "INSERT INTO drawhouse_schema (version) VALUES ($1)"
	}
	if _, err := tx.Exec(ctx, string(text)); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, note, version)
	return err
}
