package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"

	"drawhouse/cmd/drawhouse/console"
	"drawhouse/cmd/drawhouse/memory"
)

// site is where a measurement keeps its data: directories below one, or beside
// them schemas of a PostgreSQL database that were not there before.
type site struct {
	dir      string
	database string // the URL, or "" for SQLite
	schemas  []string
}

// measured measures in a place of its own, which it clears however that ends, and writes
// what was found.
func measured[R interface{ writeText(*bytes.Buffer) }](out *bytes.Buffer, dir, database string, asJSON bool,
	measure func(context.Context, *site) (R, error)) (R, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var none R
	memory.Spend(slog.New(slog.DiscardHandler)) // Terminals must not wait for their own collector.
	place, err := newSite(dir, database)
	if err != nil {
		return none, err
	}
	report, err := measure(ctx, place)
	if err = errors.Join(err, place.clear()); err != nil {
		return none, err
	}
	if asJSON {
		return report, console.WriteJSON(out, report)
	}
	report.writeText(out)
	return report, nil
}

// newSite makes a directory in dir, or where the system has temporary files.
func newSite(dir, database string) (*site, error) {
	dir, err := os.MkdirTemp(dir, "drawhouse-bench-")
	if err != nil {
		return nil, console.Misused("--dir", err)
	}
	return &site{dir: dir, database: database}, nil
}

// storage returns a place for one of the contenders.
func (p *site) storage(ctx context.Context, name string) (location, error) {
	storage := location{data: filepath.Join(p.dir, name)}
	if p.database == "" {
		return storage, nil
	}
	schema := fmt.Sprintf("drawhouse_bench_%d_%s", os.Getpid(), name)
	if err := p.exec(ctx, "CREATE SCHEMA "+schema); err != nil {
		return location{}, console.Misused("--database", err)
	}
	p.schemas = append(p.schemas, schema)
	var err error
	storage.database, err = withSchema(p.database, schema)
	return storage, err
}

// clear removes what the measurement has left.
func (p *site) clear() error {
	err := os.RemoveAll(p.dir)
	for _, schema := range p.schemas {
		err = errors.Join(err, p.exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE"))
	}
	return err
}

func (p *site) exec(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, p.database)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}

// version returns what the server calls itself.
func (p *site) version(ctx context.Context) (string, error) {
	conn, err := pgx.Connect(ctx, p.database)
	if err != nil {
		return "", console.Misused("--database", err)
	}
	var version, fsync, commit string
	err = conn.QueryRow(ctx,
		"SELECT current_setting('server_version'), current_setting('fsync'), current_setting('synchronous_commit')").
		Scan(&version, &fsync, &commit)
	return fmt.Sprintf("PostgreSQL %s, fsync %s, synchronous_commit %s", version, fsync, commit), errors.Join(err,
		conn.Close(ctx))
}

// withSchema returns the URL, or the keywords, of a database with another schema.
// The form is one that PostgreSQL's own programs understand, too.
func withSchema(database, schema string) (string, error) {
	option := "-csearch_path=" + schema
	if !strings.HasPrefix(database, "postgres://") && !strings.HasPrefix(database, "postgresql://") {
		return database + " options='" + option + "'", nil
	}
	u, err := url.Parse(database)
	if err != nil {
		return "", console.Misused("--database", errors.New("it is not a URL")) // The error itself would repeat a password.
	}
	query := u.Query()
	query.Set("options", strings.TrimSpace(query.Get("options")+" "+option))
	u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20") // In these URLs a plus sign is one.
	return u.String(), nil
}
