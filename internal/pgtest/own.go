package pgtest

import (
	"errors"
	"path/filepath"
	"testing"
)

// Own returns a server of this test's own, which can be stopped and started again. It ends
// with the test.
func Own(tb testing.TB) *Server {
	tb.Helper()
	s, err := start()
	if errors.Is(err, errMissing) {
		tb.Skipf("SKIPPED, AND NOTHING IS KNOWN ABOUT POSTGRESQL: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = s.control("stop", "-m", "immediate") // It may have been stopped by the test.
		_ = s.life.Close()
	})
	return s
}

// Stop stops the server as a power failure does.
func (s *Server) Stop(tb testing.TB) {
	tb.Helper()
	if err := s.control("stop", "-m", "immediate"); err != nil {
		tb.Fatal(err)
	}
}

// Restart starts a server that was stopped, and waits until it answers.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	if err := errors.Join(s.control("start", "-o", "-k "+s.dir, "-l", filepath.Join(s.dir, "log")),
		s.wait()); err != nil {
		tb.Fatal(err)
	}
}

// control runs PostgreSQL's own program that starts and stops servers.
func (s *Server) control(what string, args ...string) error {
	programs, err := programs()
	if err != nil {
		return err
	}
	as, err := unprivileged()
	if err != nil {
		return err
	}
	return s.command(as, filepath.Join(programs, "pg_ctl"),
		append([]string{"-w", "-D", filepath.Join(s.dir, "data"), what}, args...)...).Run()
}
