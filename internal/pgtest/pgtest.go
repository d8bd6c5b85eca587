// Package pgtest starts a PostgreSQL server for tests, from the programs that
// Debian's package brings, and ends it with the test binary.
//
// There is one server for a binary, started by the first test that asks for it, on a
// socket in a directory of its own; no network port is opened. Each test gets a
// schema of its own. The server is the child of a small script that waits for the end
// of the test binary, however that comes about, stops the server and removes its
// files: a test that panics or is killed leaves nothing behind.
//
// PostgreSQL refuses to run as root. Tests that do run as root start it as the user
// postgres, whom the package has made, or as nobody.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// superuser and port name the server's user and its socket.
	superuser = "drawhouse"
	port      = 5432

	// starting is how long a server may take to start.
	starting = 60 * time.Second
)

// Server is a running server.
type Server struct {
	dir     string // of the socket and everything else
	schemas atomic.Int64
	// life is closed by the end of this process, which is the sign for the server
	// to end too.
	life io.WriteCloser
}

// errMissing means that there is no PostgreSQL on this machine, or no way to run it.
var errMissing = errors.New("PostgreSQL cannot run here")

// theServer starts the binary's one server.
var theServer = sync.OnceValues(start)

// Start returns the server of this test binary. Where there can be none the test is
// skipped, and says why; a server that is there and does not start fails it.
func Start(tb testing.TB) *Server {
	tb.Helper()
	s, err := theServer()
	if errors.Is(err, errMissing) {
		tb.Skipf("SKIPPED, AND NOTHING IS KNOWN ABOUT POSTGRESQL: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Schema returns the URL of a new, empty schema.
func Schema(tb testing.TB) string {
	tb.Helper()
	s := Start(tb)
	name := fmt.Sprintf("test_%d", s.schemas.Add(1))
	s.Exec(tb, "CREATE SCHEMA "+name)
	return s.URL() + "&options=" + url.QueryEscape("-csearch_path="+name)
}

// URL returns the URL of the server's database.
func (s *Server) URL() string {
	query := url.Values{"host": {s.dir}, "port": {strconv.Itoa(port)}, "user": {superuser}}
	return "postgres:///postgres?" + query.Encode()
}

// Socket returns the path of the server's socket, for proxies.
func (s *Server) Socket() string { return filepath.Join(s.dir, fmt.Sprintf(".s.PGSQL.%d", port)) }

// Exec runs statements as the superuser, one by one.
func (s *Server) Exec(tb testing.TB, statements ...string) {
	tb.Helper()
	conn, err := pgx.Connect(context.Background(), s.URL())
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for _, text := range statements {
		if _, err := conn.Exec(context.Background(), text); err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
}

// start makes a cluster and starts its server.
func start() (*Server, error) {
	programs, err := programs()
	if err != nil {
		return nil, err
	}
	as, err := unprivileged()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pgtest-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	if err := s.run(programs, as); err != nil {
		if s.life != nil {
			_ = s.life.Close()
		}
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		if s.life == nil {
			_ = os.RemoveAll(dir)
		}
		return nil, fmt.Errorf("pgtest: %w\n%s", err, log)
	}
	return s, nil
}

// programs returns the directory of the newest server's programs. Debian keeps them
// off the path.
func programs() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		version := func(path string) float64 {
			v, _ := strconv.ParseFloat(filepath.Base(filepath.Dir(filepath.Dir(path))), 64)
			return v
		}
		newest := slices.MaxFunc(found, func(a, b string) int { return int(10 * (version(a) - version(b))) })
		return filepath.Dir(newest), nil
	}
	path, err := exec.LookPath("postgres")
	if err != nil {
		return "", fmt.Errorf("%w: its server is not installed (Debian: apt-get install postgresql)", errMissing)
	}
	return filepath.Dir(path), nil
}

// configuration is that of a small server with full durability.
const configuration = `
listen_addresses = ''
max_connections = 200
shared_buffers = 64MB
fsync = on
synchronous_commit = on
max_wal_size = 512MB
`

// keeper starts a server, waits until its standard input ends, and clears away.
const keeper = `
"$1/postgres" -D "$2/data" -k "$2" >>"$2/log" 2>&1 &
server=$!
cat >/dev/null
kill -QUIT $server
wait $server
rm -rf "$2"
`

// run makes the cluster in s.dir, starts its server and waits until it answers.
func (s *Server) run(programs string, as *identity) error {
	if as != nil {
		if err := os.Chown(s.dir, as.uid, as.gid); err != nil {
			return fmt.Errorf("%w: %w", errMissing, err)
		}
	}
	making := s.command(as, filepath.Join(programs, "initdb"), "-D", filepath.Join(s.dir, "data"), "-U", superuser,
		"-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	if out, err := making.CombinedOutput(); errors.Is(err, syscall.EPERM) {
		return fmt.Errorf("%w: root may not become another user here: %w", errMissing, err)
	} else if err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, bytes.TrimSpace(out))
	}
	if err := s.configure(); err != nil {
		return err
	}
	keeping := s.command(as, "/bin/sh", "-c", keeper, "keeper", programs, s.dir)
	life, err := keeping.StdinPipe()
	if err != nil {
		return err
	}
	if err := keeping.Start(); err != nil {
		return err
	}
	s.life = life
	return s.wait()
}

// command returns a command in the server's directory that keeps none of our files
// open: anybody who waits for the output of the tests does not wait for the server.
func (s *Server) command(as *identity, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "PG") })
	cmd.SysProcAttr = as.attributes()
	return cmd
}

func (s *Server) configure() error {
	f, err := os.OpenFile(filepath.Join(s.dir, "data", "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(configuration)
	return errors.Join(err, f.Close())
}

// wait waits until the server answers.
func (s *Server) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), starting)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL())
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer: %w", err)
		}
	}
}
