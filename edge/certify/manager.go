package certify

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
)

// Settings are what a Manager is told.
type Settings struct {
	Directory string   // of the authority
	Names     []string // that the certificate is for; CheckName has passed each
	Email     string   // the authority's way to the operator; "" for none
	// Roots are the roots of the authority's own address; nil are those of the system.
	Roots  *x509.CertPool
	Folder Folder
	// Plain says that Challenges answers at port 80 of the names, so that HTTP-01 can be tried, too.
	Plain bool
	Agent string // how the house names its program to the authority
	Log   *slog.Logger

	// Now returns the time, and After a channel that is sent to when a time has passed; nil are those of package time.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// A Manager has the certificate of a house. Its methods may be called by any number of goroutines.
type Manager struct {
	Settings
	client  *http.Client
	asked   chan struct{}
	current atomic.Pointer[tls.Certificate]
	local   *tls.Certificate // for connections from this machine until there is one

	mu     sync.Mutex                  // guards what follows
	proofs map[string]*tls.Certificate // TLS-ALPN-01, by name
	tokens map[string]string           // HTTP-01, by token
	last   Try
}

// Open takes up what is in the folder. A certificate there that cannot be read is told to the log, and another one is
// asked for.
func Open(s Settings) (*Manager, error) {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.After == nil {
		s.After = time.After
	}
	m := &Manager{Settings: s, client: Client(s.Roots), asked: make(chan struct{}, 1),
		proofs: map[string]*tls.Certificate{}, tokens: map[string]string{}}
	cert, last, err := s.Folder.Read()
	if err != nil {
		s.Log.Error("the certificate that is kept cannot be read; another one is asked for", "error", err)
	}
	m.last = last
	if cert != nil {
		m.current.Store(cert)
	}
	m.local, err = signedByItself(s.Now())
	return m, err
}

// Client returns a client that asks an authority.
func Client(roots *x509.CertPool) *http.Client {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: 30 * time.Second, IdleConnTimeout: time.Minute,
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// Status returns how the certificate stands.
func (m *Manager) Status() Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	var leaf *x509.Certificate
	if cert := m.current.Load(); cert != nil {
		leaf = cert.Leaf
	}
	return StatusOf(leaf, m.Names, m.last)
}

// Retry has Run ask the authority at once, if there is something to ask for.
func (m *Manager) Retry() {
	select {
	case m.asked <- struct{}{}:
	default: // It is asked already.
	}
}

// How Run waits.
const (
	pauseLeast = time.Minute      // after the first failure; each further one doubles it
	pauseMost  = time.Hour        // also how long Run does not look at the clock
	pauseGiven = 24 * time.Hour   // the longest that an authority can have the house wait
	pauseGood  = 5 * time.Second  // after a certificate, however short its life is
	patience   = 10 * time.Minute // for one try
)

// Run asks for certificates until the context ends.
func (m *Manager) Run(ctx context.Context) {
	kinds := []string{proofTLS}
	if m.Plain {
		kinds = append(kinds, proofHTTP)
	}
	for failures, kind := 0, 0; ctx.Err() == nil; {
		wait := min(m.due(), pauseMost) // The clock may be set meanwhile.
		if wait <= 0 {
			err := m.try(ctx, kinds[kind])
			if ctx.Err() != nil {
				return // It was broken off, and failed at nothing.
			}
			wait, failures = pauseGood, failures+1
			switch unproven := new(proofError); {
			case err == nil:
				failures = 0
			case errors.As(err, &unproven):
				kind = (kind + 1) % len(kinds) // What works is kept.
				fallthrough
			default:
				wait = pauseAfter(failures, err)
			}
			m.told(err, wait)
		}
		select {
		case <-ctx.Done():
		case <-m.asked:
		case <-m.After(wait):
		}
	}
}

// due returns how long the certificate will do; nothing if another one is wanted now.
func (m *Manager) due() time.Duration {
	cert := m.current.Load()
	if cert == nil || len(missing(cert.Leaf, m.Names)) > 0 {
		return 0
	}
	leaf := cert.Leaf
	return leaf.NotAfter.Add(-renewing(leaf.NotAfter.Sub(leaf.NotBefore))).Sub(m.Now())
}

// pauseAfter returns how long to wait after so many failures, of which err is the last.
func pauseAfter(failures int, err error) time.Duration {
	wait := pauseLeast
	for range failures - 1 {
		wait = min(2*wait, pauseMost)
	}
	refused := new(acme.Error)
	if !errors.As(err, &refused) {
		return wait
	}
	given, _ := acme.RateLimit(refused) // Nothing, if it is none.
	return max(wait, min(given, pauseGiven))
}

// try has one conversation with the authority, in which names are proven in one way.
func (m *Manager) try(ctx context.Context, kind string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cert, err := m.order(ctx, kind)
	if err != nil {
		return err
	}
	m.current.Store(cert)
	if err := m.Folder.keep(cert); err != nil {
		m.Log.Error("the certificate is in force, and cannot be kept: the next start asks for another one", "error", err)
	}
	return nil
}

// told notes what became of a try, and tells the log: of a failure as an error only where the certificate is a matter
// for a person by now.
func (m *Manager) told(err error, wait time.Duration) {
	last := Try{At: m.Now()}
	if err != nil {
		last.Error = err.Error()
	}
	m.mu.Lock()
	m.last = last
	m.mu.Unlock()
	if err := m.Folder.tell(last); err != nil {
		m.Log.Warn("what the authority said cannot be kept for drawhouse doctor", "error", err)
	}
	s := m.Status()
	switch stands := s.Needs(m.Now()); {
	case err == nil:
		m.Log.Info("the authority gave a certificate", "names", m.Names, "expires", s.Expires)
	case stands != nil:
		m.Log.Error("the authority gave no certificate", "error", err, "now", stands, "again_in", wait)
	default:
		m.Log.Warn("the authority gave no certificate; the one in force stays", "error", err, "expires", s.Expires,
			"again_in", wait)
	}
}

// noCertificate says why a handshake fails.
func (m *Manager) noCertificate() error {
	s := m.Status()
	said := "it has not answered yet"
	if s.Last.Error != "" {
		said = s.Last.Error
	}
	return fmt.Errorf("%w from %s for %s: %s", errNone, m.Directory, strings.Join(m.Names, ", "), said)
}
