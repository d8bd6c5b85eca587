package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"drawhouse/edge/monitor"
	"drawhouse/internal/outside"
)

// serveWith starts a house on SQLite with further flags.
func serveWith(t *testing.T, flags ...string) *served {
	t.Helper()
	name := outside.Program(t)
	s := &served{t: t, name: name, dir: filepath.Join(t.TempDir(), "data"), extra: flags}
	s.endWithTest()
	s.start()
	return s
}

// admin returns what the operator's address of a house answers.
func (s *served) admin(path string) (int, string) {
	s.t.Helper()
	found := regexp.MustCompile(`at=(http://[0-9.:]+)`).FindStringSubmatch(s.log.String())
	if found == nil {
		s.t.Fatalf("the log names no address: %s", &s.log)
	}
	response, err := http.Get(found[1] + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(data)
}

// TestOperator asks a running house what its operator wants to know, and the public
// address no more than the public may.
func TestOperator(t *testing.T) {
	t.Parallel()
	backups := t.TempDir()
	s := serveWith(t, "--backups="+backups)
	runs(t, "backup", "--data="+s.dir, filepath.Join(backups, "house"))
	if !(&terminal{id: 1}).sell(s) {
		t.Fatal("nothing was sold")
	}
	for path, check := range map[string]string{"/readyz": "store", "/readyz/draw": "device", "/readyz/alarms": "backup"} {
		if status, text := s.admin(path); status != http.StatusOK || !strings.Contains(text, `{"name":"`+check+`","ok":true}`) {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	s.everythingServed(t)
	// The house counts a group of commands after the group has its answers.
	for _, line := range []string{
		`drawhouse_records_total{kind="ticket_sold"} 1`, "drawhouse_open_tickets 1", "drawhouse_ledger_trial_balance_cents 0",
		`drawhouse_ready{for="sell"} 1`, `drawhouse_ready{for="draw"} 1`, `drawhouse_role{role="writer"} 1`,
		`drawhouse_sales_total{series="1"} 1`,
		`drawhouse_http_requests_total{operation="PUT /v1/terminals/{terminal}/requests/{request}/sale",status="200"} 1`,
	} {
		waitFor(t, line, func() bool {
			_, metrics := s.admin("/metrics")
			return strings.Contains(metrics, "\n"+line+"\n")
		})
	}
	if status, _ := s.admin("/debug/pprof/symbol"); status != http.StatusOK {
		t.Errorf("pprof: %d", status)
	}
	if status, text := s.admin("/debug/pprof/cmdline"); status != http.StatusNotFound {
		t.Errorf("the command line is shown: %d %s", status, text)
	}
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/readyz/draw": 404, "/metrics": 404, "/debug/pprof/": 404} {
		status, answer, err := s.ask(http.MethodGet, path, nil)
		if err != nil || status != want || answer["checks"] != nil {
			t.Errorf("the public %s: %d %v %v", path, status, answer, err)
		}
	}
	s.stop()
	s.extra = []string{"--disk-reserve=1000000000"} // A disk that is never large enough.
	s.log.Reset()
	s.start()
	if status, text := s.admin("/readyz"); status != http.StatusServiceUnavailable ||
		!strings.Contains(text, `{"name":"disk","ok":false,"error":"`) {
		t.Errorf("readyz without room: %d %s", status, text)
	}
	status, answer, err := s.ask(http.MethodGet, "/readyz", nil)
	if text, _ := json.Marshal(answer); err != nil || status != http.StatusServiceUnavailable ||
		strings.Contains(string(text), "disk") {
		t.Errorf("the public readyz without room: %d %s %v", status, text, err)
	}
}

// everythingServed expects a running house to serve each check by name, and each metric but those of what it has not.
func (s *served) everythingServed(t *testing.T) {
	t.Helper()
	_, served := s.admin("/metrics")
	metrics := "\n" + served
	for path, of := range map[string]string{"/readyz": "sell", "/readyz/draw": "draw", "/readyz/alarms": "alarms"} {
		_, text := s.admin(path)
		var told struct{ Checks []struct{ Name string } }
		if err := json.Unmarshal([]byte(text), &told); err != nil || len(told.Checks) < 5 {
			t.Errorf("%s: %v %s", path, err, text)
		}
		for _, c := range told.Checks {
			if line := fmt.Sprintf("\ndrawhouse_check{check=%q,for=%q} 1\n", c.Name, of); !strings.Contains(metrics, line) {
				t.Errorf("the metrics lack %s", line)
			}
		}
	}
	without := []string{"follower", "certificate", "canary", "witness", "sign_on", "entry_fees", "refusals", "settle", "key_"}
	for _, f := range monitor.Families(monitor.OfHouse) {
		unused := slices.ContainsFunc(without, func(part string) bool { return strings.HasPrefix(f.Name, part) })
		if !unused && !strings.Contains(metrics, "\n# HELP "+f.FullName()+" "+f.Help+"\n") {
			t.Errorf("%s is not served, or with another text", f.FullName())
		}
	}
}

// TestTerminalLimit: a terminal that asks without pause is told to wait, and what it
// did not get did not happen.
func TestTerminalLimit(t *testing.T) {
	t.Parallel()
	s := serveWith(t, "--rate-terminal=1")
	term := &terminal{id: 1}
	for range 5 {
		if !term.sell(s) {
			t.Fatal("a terminal within its limit is refused")
		}
	}
	term.order()
	for deadline := time.Now().Add(time.Minute); ; { // Many at once come within a second, on however slow a machine.
		var all sync.WaitGroup
		var refused atomic.Int32
		for range 20 {
			all.Go(func() {
				status, answer, err := s.askAs(term.id, http.MethodPut, term.path(), term.body)
				if status != http.StatusTooManyRequests {
					return
				}
				refused.Add(1)
				if fault, _ := answer["error"].(map[string]any); fault["code"] != "too_many_requests" || err != nil {
					t.Errorf("it says %v, %v", answer, err)
				}
			})
		}
		if all.Wait(); refused.Load() > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a terminal without pause is never refused")
		}
	}
}

// TestLogForms: everything that the process says is lines of JSON when that is asked for, the way to make an
// administrator too; the log has every request under its id, sign-ons and games; and durations are seconds.
func TestLogForms(t *testing.T) {
	t.Parallel()
	s := serveWith(t, "--log-format=json", "--log-level=debug")
	request, err := http.NewRequest(http.MethodGet, s.url+"/v1/tickets/nonsense", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Request-Id", "mine-1")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if status, _, err := s.ask(http.MethodPost, "/v1/session",
		map[string]any{"person": 9, "password": "a guess of SECRET"}); err != nil || status != http.StatusUnauthorized {
		t.Errorf("a guess is answered %d, %v", status, err)
	}
	s.waitForLog(`"a game has closed"`)
	s.stop()
	missing := map[string]func(map[string]any) bool{
		"the request": func(e map[string]any) bool { return e["id"] == "mine-1" && e["code"] == "serial_unreadable" },
		"how long it took": func(e map[string]any) bool {
			took, ok := e["took_seconds"].(float64)
			return e["id"] == "mine-1" && ok && took > 0 && took < 60
		},
		"the guess": func(e map[string]any) bool {
			return e["msg"] == "a sign-on failed" && e["level"] == "WARN" && e["person"] == 9.0 && e["id"] != nil
		},
		"a game": func(e map[string]any) bool {
			return e["msg"] == "a game has opened" && e["series"] == 1.0 && e["game"] != "" && e["closes"] != ""
		},
		"the setup": func(e map[string]any) bool {
			msg, _ := e["msg"].(string)
			return e["level"] == "INFO" && strings.Contains(msg, "/web/setup.html#")
		},
	}
	for line := range strings.Lines(s.said + s.log.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		for _, key := range []string{"time", "level", "msg"} {
			if entry[key] == nil {
				t.Errorf("a line has no %s: %s", key, line)
			}
		}
		for what, is := range missing {
			if is(entry) {
				delete(missing, what)
			}
		}
	}
	for what := range missing {
		t.Errorf("%s is not told: %s", what, &s.log)
	}
	if strings.Contains(s.log.String(), "SECRET") {
		t.Error("the log has a password")
	}
}

// TestLogLevelSignal: the signal USR1 has a process tell of every request, and once more ends that.
func TestLogLevelSignal(t *testing.T) {
	t.Parallel()
	s := serveWith(t)
	told := func() int {
		before := strings.Count(s.log.String(), "GET /v1/games")
		if status, _, err := s.ask(http.MethodGet, "/v1/games", nil); err != nil || status != http.StatusOK {
			t.Fatalf("%d, %v", status, err)
		}
		// A line is written before the answer ends, or a moment later.
		for range 20 {
			if n := strings.Count(s.log.String(), "GET /v1/games") - before; n > 0 {
				return n
			}
			time.Sleep(10 * time.Millisecond)
		}
		return 0
	}
	if told() != 0 {
		t.Error("a request is told at level info")
	}
	for _, level := range []string{"DEBUG", "INFO"} {
		if err := s.cmd.Process.Signal(syscall.SIGUSR1); err != nil {
			t.Fatal(err)
		}
		s.waitForLog("level_now=" + level)
		if n := told(); (n > 0) != (level == "DEBUG") {
			t.Errorf("at level %s %d lines tell of a request", level, n)
		}
	}
}

// TestFatalJSON: a process whose log is JSON says in JSON, too, why it ends, with the same
// status, and once.
func TestFatalJSON(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"serve", "--data=" + filepath.Join(t.TempDir(), "none")},
		{"device", "--listen=nowhere", "--key=k", "--book=b", "--house-key=x"},
		{"witness", "serve", "--key=" + filepath.Join(t.TempDir(), "none"), "--state=s", "--log=x"},
		{"serve", "--no-such-flag"},
		{"serve", "--log-level=loud"},
	} {
		var plain, said bytes.Buffer
		want := run(args, io.Discard, &plain)
		status := run(append(args, "--log-format=json"), io.Discard, &said)
		var line struct{ Level, Msg, Error string }
		if err := json.Unmarshal(said.Bytes(), &line); err != nil || status != want || status == 0 || line.Level != "ERROR" ||
			!strings.Contains(plain.String(), line.Error) || line.Error == "" {
			t.Errorf("%s: status %d and %d, %v: %s", args[0], status, want, err, &said)
		}
	}
}

// TestCertificateExchanged puts another certificate in the place of the first while the
// house runs. A broken one is not taken.
func TestCertificateExchanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := tlsFlags{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem")}
	writeCertificate(t, files, 1)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var flags logFlags
	log := new(syncedBuffer)
	secured, cert, err := files.wrap(listener, flags.logger(t.Context(), log))
	if err != nil {
		t.Fatal(err)
	}
	go cert.watch(t.Context())
	server := newServer(http.NotFoundHandler(), flags.logger(t.Context(), io.Discard))
	go func() { _ = server.Serve(secured) }() // It ends with the server's Close.
	defer server.Close()

	number := func() int64 {
		conn, err := tls.Dial("tcp", listener.Addr().String(), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	await := func(what string, ok func() bool) {
		t.Helper()
		for deadline := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: %s", what, log)
			}
		}
	}
	if n := number(); n != 1 {
		t.Fatalf("certificate %d", n)
	}
	writeCertificate(t, files, 2)
	await("the second certificate is not taken by itself", func() bool { return number() == 2 })
	if err := os.WriteFile(files.TLSKey, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	await("nobody complains of a broken key", func() bool { return strings.Contains(log.String(), "the old one stays") })
	if n := number(); n != 2 {
		t.Errorf("certificate %d after a broken key", n)
	}
	writeCertificate(t, files, 3)
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	await("the third certificate is not taken on SIGHUP", func() bool { return number() == 3 })
}

// writeCertificate writes a certificate with a serial number, and its key.
func writeCertificate(t *testing.T, files tlsFlags, number int64) {
	t.Helper()
	writeCertificateUntil(t, files, number, time.Now().Add(90*24*time.Hour))
}

func writeCertificateUntil(t *testing.T, files tlsFlags, number int64, until time.Time) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(number), Subject: pkix.Name{CommonName: "house.example"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{files.TLSKey: {Type: "PRIVATE KEY", Bytes: secret},
		files.TLSCert: {Type: "CERTIFICATE", Bytes: der}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// syncedBuffer is a log that is read while it is written.
type syncedBuffer struct {
	mu   sync.Mutex // guards text
	text strings.Builder
}

func (b *syncedBuffer) Write(data []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(data)
}

func (b *syncedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
