package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Finding is a setting of a server, and what is wrong with it; nil for nothing.
type Finding struct {
	Name, Value string
	Err         error
}

// Examine looks at the settings that decide whether commits survive a crash of the
// server. Unlike Open it tells all of them, and also looks at full_page_writes, which
// no session can hold: without it a crash in the middle of a page loses the page.
func Examine(ctx context.Context, url string) (_ []Finding, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	prepareConfig(config)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var s settings
	var pages string
	err = conn.QueryRow(ctx,
		`SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('synchronous_standby_names'), current_setting('full_page_writes')`).
		Scan(&s.fsync, &s.synchronousCommit, &s.standbys, &pages)
	if err != nil {
		return nil, fmt.Errorf("postgres: reading the server's settings: %w", err)
	}
	return s.findings(pages), nil
}

// findings judges each setting by itself.
func (s settings) findings(fullPageWrites string) []Finding {
	good := settings{fsync: "on", synchronousCommit: "on"}
	byItself := func(change func(*settings)) error {
		one := good
		change(&one)
		return one.check()
	}
	found := []Finding{
		{"fsync", s.fsync, byItself(func(one *settings) { one.fsync = s.fsync })},
		{"synchronous_commit", s.synchronousCommit,
			byItself(func(one *settings) { one.synchronousCommit, one.standbys = s.synchronousCommit, s.standbys })},
		{"full_page_writes", fullPageWrites, nil},
	}
	if fullPageWrites != "on" {
		found[2].Err = fmt.Errorf("full_page_writes is %s: %w", fullPageWrites, ErrNotDurable)
	}
	return found
}
