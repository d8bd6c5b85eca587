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
	Remedy      string // what to do about it
}

// oldestVersion is the oldest server that the house is used with, as server_version_num has it.
const oldestVersion = 12_00_00

// versionFinding judges the version of a server.
func versionFinding(version string, number int) Finding {
	f := Finding{Name: "server_version", Value: version}
	if number < oldestVersion {
		f.Err = fmt.Errorf("the server is PostgreSQL %s, and the house takes version 12 or later", version)
		f.Remedy = "Bring the server to a version that its makers still mend"
	}
	return f
}

// turnOn is what to do about a setting that is off.
const turnOn = "Set it to on in postgresql.conf and reload the server"

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
	var (
		pages, version string
		number         int
	)
	err = conn.QueryRow(ctx,
		`SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('synchronous_standby_names'), current_setting('full_page_writes'), current_setting('server_version'), current_setting('server_version_num')::int`).
		Scan(&s.fsync, &s.synchronousCommit, &s.standbys, &pages, &version, &number)
	if err != nil {
		return nil, fmt.Errorf("postgres: reading the server's settings: %w", err)
	}
	return append([]Finding{versionFinding(version, number)}, s.findings(pages)...), nil
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
		{"fsync", s.fsync, byItself(func(one *settings) { one.fsync = s.fsync }), turnOn},
		{"synchronous_commit", s.synchronousCommit,
			byItself(func(one *settings) { one.synchronousCommit, one.standbys = s.synchronousCommit, s.standbys }), turnOn},
		{"full_page_writes", fullPageWrites, nil, turnOn},
	}
	if fullPageWrites != "on" {
		found[2].Err = fmt.Errorf("full_page_writes is %s: %w", fullPageWrites, ErrNotDurable)
	}
	return found
}
