package postgres

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestDoubt tells the warnings apart that put a commit in doubt.
func TestDoubt(t *testing.T) {
	for _, c := range []struct {
		severity, file string
		want           bool
	}{
		{"WARNING", "syncrep.c", true}, {"WARNING", "something.c", true}, {"WARNING", "varsup.c", false},
		{"NOTICE", "syncrep.c", false},
	} {
		if got := isDoubtful(&pgconn.Notice{SeverityUnlocalized: c.severity, File: c.file}); got != c.want {
			t.Errorf("%s of %s: %v", c.severity, c.file, got)
		}
	}
}
