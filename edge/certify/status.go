package certify

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Status says how a certificate stands, also one that is read from files.
type Status struct {
	Issued  time.Time // what the certificate in force says itself; zero without one
	Expires time.Time
	Missing []string // names that it is not for, and was to be
	Last    Try      // the last try to have another one; zero before the first
}

// StatusOf returns how a certificate for some names stands; nil is none.
func StatusOf(leaf *x509.Certificate, names []string, last Try) Status {
	if leaf == nil {
		return Status{Last: last}
	}
	return Status{Issued: leaf.NotBefore, Expires: leaf.NotAfter, Missing: missing(leaf, names), Last: last}
}

// missing returns the names that a certificate is not for.
func missing(leaf *x509.Certificate, names []string) (list []string) {
	for _, name := range names {
		if leaf.VerifyHostname(name) != nil {
			list = append(list, name)
		}
	}
	return list
}

// enough is how long before its end a certificate needs a person, unless its life is so short that this is a quarter of
// it or more.
const enough = 21 * 24 * time.Hour

// left returns how much time a certificate must have left.
func left(life time.Duration) time.Duration { return min(enough, life/4) }

// renewing returns how much time a certificate has left when the next one is asked for. It is more than left, so that a
// person is needed only after the authority has failed for a while.
func renewing(life time.Duration) time.Duration { return life / 3 }

var (
	errNone = errors.New("there is no certificate yet")
	// ErrUseless means that browsers and terminals take no certificate of the house.
	ErrUseless = errors.New("nobody takes it")
)

// Needs returns why a person has to see to the certificate.
func (s Status) Needs(now time.Time) error {
	switch {
	case s.Expires.IsZero():
		return errNone
	case !now.Before(s.Expires):
		return fmt.Errorf("the certificate ended on %s, and %w", day(s.Expires), ErrUseless)
	case now.Before(s.Issued):
		return fmt.Errorf("the certificate begins on %s, and %w before; is the clock right?", day(s.Issued), ErrUseless)
	case s.Expires.Sub(now) < left(s.Expires.Sub(s.Issued)):
		return fmt.Errorf("the certificate ends on %s", day(s.Expires))
	case len(s.Missing) > 0:
		return fmt.Errorf("the certificate is not for %s", strings.Join(s.Missing, ", "))
	}
	return nil
}

// Check returns what Needs does, and what the last try ended with.
func (s Status) Check(now time.Time) error {
	err := s.Needs(now)
	if err != nil && s.Last.Error != "" {
		err = fmt.Errorf("%w; the last try, at %s: %s", err, s.Last.At.UTC().Format(time.RFC3339), s.Last.Error)
	}
	return err
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }
