package certify

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"drawhouse/internal/acmetest"
)

// rig is a manager whose time the test has in its hands, with the servers that answer for it.
type rig struct {
	t         *testing.T
	authority *acmetest.Authority
	settings  Settings
	manager   *Manager
	tls       net.Listener
	waits     chan time.Duration // how long Run waits now
	wake      chan time.Time
	stop      context.CancelFunc
	ended     chan struct{}

	mu  sync.Mutex // guards what follows
	now time.Time
	log strings.Builder
}

// begin is when the test begins, for manager and authority alike.
var begin = time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC)

func newRig(t *testing.T, names ...string) *rig {
	r := &rig{t: t, authority: acmetest.New(t), waits: make(chan time.Duration), wake: make(chan time.Time),
		now: begin}
	var err error
	if r.tls, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	answering := func(config func(*Manager) *tls.Config) *tls.Config {
		return &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			c := config(r.manager)
			if c.GetConfigForClient != nil {
				if other, err := c.GetConfigForClient(hello); other != nil || err != nil {
					return other, err
				}
			}
			return c, nil
		}}
	}
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the next") })
	server := &http.Server{Handler: next, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)}
	go func() { _ = server.Serve(tls.NewListener(r.tls, answering((*Manager).TLS))) }()
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.manager.Challenges(next).ServeHTTP(w, q)
	}))
	t.Cleanup(func() { r.end(); plain.Close(); _ = server.Close() })
	r.authority.Set(func(a *acmetest.Authority) {
		a.Now, a.TLSAt, a.PlainAt = r.clock, r.tls.Addr().String(), plain.Listener.Addr().String()
	})
	directory := r.authority.Directory()
	r.settings = Settings{Directory: directory, Names: names, Email: "operator@house.example", Roots: r.authority.Pool(),
		Folder: FolderOf(filepath.Join(t.TempDir(), "acme"), directory), Agent: "drawhouse", Now: r.clock,
		After: func(d time.Duration) <-chan time.Time { r.waits <- d; return r.wake },
		Log:   slog.New(slog.NewTextHandler(r, nil))}
	return r
}

func (r *rig) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

// Write takes what is logged.
func (r *rig) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Write(p)
}

// logged returns what was logged since it was last asked.
func (r *rig) logged() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := r.log.String()
	r.log.Reset()
	return text
}

// start begins as a process does, and returns how long it then waits.
func (r *rig) start() time.Duration {
	r.t.Helper()
	r.end()
	m, err := Open(r.settings)
	if err != nil {
		r.t.Fatal(err)
	}
	r.manager = m
	ctx, cancel := context.WithCancel(context.Background())
	r.stop, r.ended = cancel, make(chan struct{})
	go func() { defer close(r.ended); m.Run(ctx) }()
	return <-r.waits
}

func (r *rig) end() {
	if r.stop != nil {
		r.stop()
		<-r.ended
	}
}

// after lets time pass, as long as Run waits or more, and returns how long it waits then.
func (r *rig) after(d time.Duration) time.Duration {
	r.mu.Lock()
	r.now = r.now.Add(d)
	r.mu.Unlock()
	r.wake <- time.Time{}
	return <-r.waits
}

// serial returns the number of the certificate that a connection is shown, if it is good for a name.
func (r *rig) serial(name string) (string, error) {
	conn, err := tls.Dial("tcp", r.tls.Addr().String(),
		&tls.Config{ServerName: name, RootCAs: r.authority.Roots(), Time: r.clock})
	if err != nil {
		return "", err
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.String(), nil
}

// asked returns how many orders and accounts the authority has had.
func (r *rig) asked() (orders, accounts int) {
	r.authority.Set(func(a *acmetest.Authority) { orders, accounts = a.Orders, a.Accounts })
	return orders, accounts
}

func (r *rig) orders(want int) {
	r.t.Helper()
	if orders, accounts := r.asked(); orders != want || accounts != 1 {
		r.t.Errorf("%d orders of %d accounts, want %d of one", orders, accounts, want)
	}
}

// has expects a text to have parts.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %s", part, text)
		}
	}
}

const day24 = 24 * time.Hour

// TestLife follows a certificate through a year: no authority at first, the first certificate, renewal, an authority
// that is away and one that has the house wait, starts in between, and another name.
func TestLife(t *testing.T) {
	t.Parallel()
	r := newRig(t, "house.example", "www.house.example")
	away := func(yes bool) { r.authority.Set(func(a *acmetest.Authority) { a.Away = yes }) }

	away(true)
	if wait := r.start(); wait != time.Minute {
		t.Errorf("after one failure it waits %v", wait)
	}
	if err := r.manager.Status().Check(r.clock()); err == nil || r.manager.Status().Last.Error == "" {
		t.Errorf("without certificate all is well: %v", err)
	} else {
		has(t, err.Error(),
			"there is no certificate yet; the last try, at 2031-05-01T12:00:00Z: the account at the authority: ")
	}
	has(t, r.logged(), "level=ERROR", "the authority gave no certificate", "again_in=1m0s")
	r.withoutCertificate()
	if wait := r.after(time.Minute); wait != 2*time.Minute {
		t.Errorf("after two failures it waits %v", wait)
	}
	away(false)
	if wait := r.after(2 * time.Minute); wait != pauseGood {
		t.Errorf("with a certificate it waits %v", wait)
	}
	has(t, r.logged(), "level=INFO", "the authority gave a certificate")
	r.orders(1)
	r.keptPrivately()
	first, err := r.serial("www.house.example")
	if err != nil {
		t.Fatal(err)
	}
	if wait := r.start(); wait != time.Hour {
		t.Errorf("after a start it waits %v", wait)
	}
	r.after(59 * day24)
	r.start()
	r.orders(1)
	if again, err := r.serial("house.example"); err != nil || again != first {
		t.Errorf("after a start: certificate %s and not %s, %v", again, first, err)
	}

	away(true)
	if wait := r.after(day24 + time.Hour); wait != time.Minute {
		t.Errorf("at its time nothing is renewed: it waits %v", wait)
	}
	if s := r.manager.Status(); s.Check(r.clock()) != nil || s.Last.Error == "" {
		t.Errorf("a month before its end a person is needed, or nothing was tried: %+v", s)
	}
	has(t, r.logged(), "level=WARN", "the one in force stays")
	r.after(10 * day24)
	if err := r.manager.Status().Check(r.clock()); err == nil {
		t.Error("three weeks before the end nobody is needed")
	} else {
		has(t, err.Error(), "the certificate ends on 2031-07-30; the last try, at ")
	}
	has(t, r.logged(), "level=ERROR")
	if again, err := r.serial("house.example"); err != nil || again != first {
		t.Errorf("with the authority away: certificate %s and not %s, %v", again, first, err)
	}
	r.authority.Set(func(a *acmetest.Authority) { a.Away, a.Busy = false, 36000*time.Second })
	if wait := r.after(time.Hour); wait != 10*time.Hour {
		t.Errorf("the authority said to wait ten hours, and it waits %v", wait)
	}
	r.authority.Set(func(a *acmetest.Authority) { a.Busy = 0 })
	r.manager.Retry()
	if wait := <-r.waits; wait != pauseGood {
		t.Errorf("asked to try at once it waits %v", wait)
	}
	r.orders(2)
	second, err := r.serial("house.example")
	if err != nil || second == first || r.manager.Status().Check(r.clock()) != nil {
		t.Errorf("renewed: %s, %v, %v", second, err, r.manager.Status())
	}

	r.authority.Set(func(a *acmetest.Authority) { a.Refused = "new.house.example" })
	r.settings.Names = append(r.settings.Names, "new.house.example")
	if wait := r.start(); wait != time.Minute {
		t.Errorf("for another name it waits %v", wait)
	}
	if err := r.manager.Status().Check(r.clock()); err == nil {
		t.Error("a name without certificate is nobody's matter")
	} else {
		has(t, err.Error(), "the certificate is not for new.house.example", "new.house.example is not certified here")
	}
	if again, err := r.serial("house.example"); err != nil || again != second {
		t.Errorf("while a name is refused: certificate %s and not %s, %v", again, second, err)
	}
	r.authority.Set(func(a *acmetest.Authority) { a.Refused = "" })
	r.after(time.Minute)
	if _, err := r.serial("new.house.example"); err != nil {
		t.Error(err)
	}
}

// withoutCertificate expects what connections are told before there is one.
func (r *rig) withoutCertificate() {
	r.t.Helper()
	if _, err := r.serial("house.example"); err == nil {
		r.t.Error("a certificate of nobody's is good")
	}
	conn, err := tls.Dial("tcp", r.tls.Addr().String(), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		r.t.Errorf("this machine is not answered: %v", err)
	} else if err := conn.Close(); err != nil {
		r.t.Error(err)
	}
	_, err = r.manager.certificateFor(&tls.ClientHelloInfo{Conn: stranger{}})
	if !errors.Is(err, errNone) {
		r.t.Fatalf("a stranger is shown a certificate: %v", err)
	}
	has(r.t, err.Error(), r.settings.Directory, "house.example, www.house.example", "the account at the authority")
	answer := r.plain(http.MethodGet, "/")
	if answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" {
		r.t.Errorf("a browser is told %d", answer.Code)
	}
	has(r.t, answer.Body.String(), "no certificate yet")
}

// plain asks what answers without TLS.
func (r *rig) plain(method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	r.manager.Challenges(next).ServeHTTP(w, httptest.NewRequest(method, "http://house.example"+path, http.NoBody))
	return w
}

// keptPrivately expects three files that nobody else may open.
func (r *rig) keptPrivately() {
	r.t.Helper()
	entries, err := os.ReadDir(string(r.settings.Folder))
	if err != nil || len(entries) != 3 {
		r.t.Errorf("there are %v, %v", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode() != 0o600 {
			r.t.Errorf("%s has mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
	if info, err := os.Stat(string(r.settings.Folder)); err != nil || info.Mode().Perm() != 0o700 {
		r.t.Errorf("the folder has mode %v, %v", info.Mode(), err)
	}
}

// stranger is a connection from elsewhere.
type stranger struct{ net.Conn }

func (stranger) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 443} }

// TestProofs proves names in both ways: the second is tried after the first has failed, and only where there is a plain
// listener.
func TestProofs(t *testing.T) {
	t.Parallel()
	r := newRig(t, "house.example")
	r.authority.Set(func(a *acmetest.Authority) { a.HTTPOnly = true })
	r.start()
	const byTLS = "house.example could not be proven by tls-alpn-01: the authority offers http-01"
	has(t, r.manager.Status().Last.Error, byTLS)
	r.after(time.Minute)
	has(t, r.manager.Status().Last.Error, byTLS)
	r.settings.Plain = true
	r.start()
	has(t, r.manager.Status().Last.Error, byTLS)
	if wait := r.after(time.Minute); wait != pauseGood {
		t.Errorf("it waits %v: %v", wait, r.manager.Status())
	}
	if _, err := r.serial("house.example"); err != nil {
		t.Error(err)
	}
	if wait := r.after(61 * day24); wait != pauseGood {
		t.Errorf("the next time it begins with what does not work: it waits %v: %v", wait, r.manager.Status())
	}
	if answer := r.plain(http.MethodGet, "/"); answer.Code != http.StatusTeapot {
		t.Errorf("with a certificate others are told %d", answer.Code)
	}
	if answer := r.plain(http.MethodGet, challengesAt+"guess"); answer.Code != http.StatusNotFound {
		t.Errorf("a token that nobody has is answered with %d", answer.Code)
	}
	if _, err := r.manager.proofFor(&tls.ClientHelloInfo{ServerName: "house.example"}); err == nil {
		t.Error("a name is proven that nobody asked for")
	}
}

// TestWrongPlace: a name that leads elsewhere gets no certificate, and the message says which.
func TestWrongPlace(t *testing.T) {
	t.Parallel()
	r := newRig(t, "house.example")
	r.authority.Set(func(a *acmetest.Authority) { a.TLSAt = a.PlainAt })
	r.start()
	has(t, r.manager.Status().Last.Error, "house.example could not be proven by tls-alpn-01")
}

// TestBrokenFiles: a certificate that cannot be read is replaced, and an account key that cannot be is not.
func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	r := newRig(t, "house.example")
	r.start()
	if err := os.WriteFile(r.settings.Folder.Certificate(), []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.start()
	has(t, r.logged(), "cannot be read; another one is asked for")
	r.orders(2)
	if _, err := r.serial("house.example"); err != nil {
		t.Error(err)
	}
	for _, broken := range []string{"nothing", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		if err := errors.Join(os.WriteFile(r.settings.Folder.AccountKey(), []byte(broken), 0o600),
			os.Remove(r.settings.Folder.Certificate())); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		r.start()
		has(t, r.manager.Status().Last.Error, "account.key is no account key", "restore it, or remove it")
	}
	r.orders(2)
}

// TestForgottenAccount: an authority that has lost an account is told of it anew.
func TestForgottenAccount(t *testing.T) {
	t.Parallel()
	r := newRig(t, "house.example")
	if _, err := r.settings.Folder.account(); err != nil { // It is there, and this authority has never seen it.
		t.Fatal(err)
	}
	if wait := r.start(); wait != pauseGood {
		t.Errorf("it waits %v: %v", wait, r.manager.Status())
	}
	r.orders(1)
}
