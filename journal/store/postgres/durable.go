package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// ErrNotDurable means that the server is set up to acknowledge commits that it may
// lose. A house does not sell on it: a ticket that was acknowledged is durable.
var ErrNotDurable = errors.New("the server acknowledges commits that it may lose")

// settings are those of a server that decide whether a commit survives.
type settings struct {
	fsync, synchronousCommit, standbys string
}

// check returns why commits under the settings are not durable.
func (s settings) check() error {
	switch {
	case s.fsync != "on":
		return fmt.Errorf("fsync is %s: %w", s.fsync, ErrNotDurable)
	case s.synchronousCommit == "off":
		return fmt.Errorf("synchronous_commit is off: %w", ErrNotDurable)
	case s.synchronousCommit == "local" && s.standbys != "":
		// The standby that takes over would not have the commit.
		return fmt.Errorf("synchronous_commit is local although synchronous_standby_names is %q: %w", s.standbys,
			ErrNotDurable)
	case !slices.Contains([]string{"on", "local", "remote_write", "remote_apply"}, s.synchronousCommit):
		return fmt.Errorf("synchronous_commit is %q, which this program does not know: %w", s.synchronousCommit,
			ErrNotDurable)
	}
	return nil
}

// secure refuses a server that may lose commits, and holds the session to what it
// has found: synchronous_commit is any user's to change, and the configuration may
// be read anew at any time.
func secure(ctx context.Context, conn *pgx.Conn) error {
	var s settings
	err := conn.QueryRow(
		ctx, `SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('synchronous_standby_names')`).
		Scan(&s.fsync, &s.synchronousCommit, &s.standbys)
	if err != nil {
		return fmt.Errorf("reading the server's settings: %w", err)
	}
	if err := s.check(); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "SELECT set_config('synchronous_commit', $1, false)", s.synchronousCommit)
	return err
}
