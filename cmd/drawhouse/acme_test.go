package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"drawhouse/internal/acmetest"
	"drawhouse/internal/outside"
)

// certified is a house as a process that asks an authority for its certificate.
type certified struct {
	*served
	addr  string                // where it is reached by TLS
	plain string                // where it redirects
	heard int                   // how much of the log has been looked at
	roots func() *x509.CertPool // of what the authority gives
}

// newCertified returns a house that is yet to be started, for names at an authority.
func newCertified(t *testing.T, directory, ca string, names ...string) *certified {
	t.Helper()
	anybody := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // as curl -k
	c := &certified{addr: freeAddress(t), plain: freeAddress(t), served: &served{t: t, name: outside.Program(t),
		dir: filepath.Join(t.TempDir(), "data"), client: &http.Client{Transport: anybody}}}
	c.extra = []string{"--redirect-addr=" + c.plain, "--acme-directory=" + directory, "--acme-ca=" + ca, "--acme-agree",
		"--addr=" + c.addr}
	for _, name := range names {
		c.extra = append(c.extra, "--acme-domain="+name)
	}
	c.endWithTest()
	t.Cleanup(anybody.CloseIdleConnections)
	return c
}

// serial returns the number of the certificate, if it is good for a name.
func (c *certified) serial(name string) (string, error) {
	conn, err := tls.Dial("tcp", c.addr, &tls.Config{ServerName: name, RootCAs: c.roots()})
	if err != nil {
		return "", err
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.String(), nil
}

// goodFor waits until the house has a certificate for a name, another one than before, and returns its number.
func (c *certified) goodFor(name, before string) (serial string) {
	c.t.Helper()
	waitFor(c.t, "there is another certificate for "+name, func() bool {
		var err error
		serial, err = c.serial(name)
		return err == nil && serial != before
	})
	return serial
}

// askAgain has the house ask the authority at once.
func (c *certified) askAgain() {
	c.t.Helper()
	if err := c.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		c.t.Fatal(err)
	}
}

// says waits until the log has a text, behind what it was last asked for.
func (c *certified) says(text string) {
	c.t.Helper()
	waitFor(c.t, "the log says "+text, func() bool {
		log := c.log.String()
		_, after, ok := strings.Cut(log[c.heard:], text)
		if ok {
			c.heard = len(log) - len(after)
		}
		return ok
	})
}

// restart ends the house and starts it again, with further flags.
func (c *certified) restart(flags ...string) {
	c.t.Helper()
	c.stop()
	c.log.Reset()
	c.heard = 0
	c.extra = append(c.extra, flags...)
	c.start()
}

// metric returns what the house tells of a metric; "" for nothing.
func (c *certified) metric(name string) string {
	c.t.Helper()
	_, text := c.admin("/metrics")
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (.*)$`).FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1]
}

// asksPlainly sends a request where there is no TLS, and returns status and place.
func (c *certified) asksPlainly(method, host, page string) (int, string) {
	c.t.Helper()
	request, err := http.NewRequest(method, "http://"+c.plain+page, http.NoBody)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Host = host
	response, err := http.DefaultTransport.RoundTrip(request) // It does not go where it is sent.
	if err != nil {
		c.t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode, response.Header.Get("Location")
}

// doctor returns what the doctor says of the certificate and the authority.
func (c *certified) doctor() string {
	c.t.Helper()
	var lines []string
	_, said := examine(c.served, append(slices.Clone(c.extra[1:4]), "--quick", "--acme-domain=house.example")...)
	for line := range strings.Lines(said) {
		if strings.Contains(line, "  certificate ") || strings.Contains(line, "  authority ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, "\n")
}

// opensWithout starts the house while its authority is away: it sells, and says everywhere what is missing.
func (c *certified) opensWithout() {
	c.t.Helper()
	c.begin(c.arguments()...)
	c.waitForSale()
	if !(&terminal{id: 1}).sell(c.served) {
		c.t.Error("nothing was sold without a certificate")
	}
	c.says("the authority gave no certificate")
	if _, err := c.serial("house.example"); err == nil {
		c.t.Error("a certificate is good, and nobody gave one")
	}
	if status, _ := c.asksPlainly(http.MethodGet, "house.example", "/"); status != http.StatusServiceUnavailable {
		c.t.Errorf("without a certificate browsers are told %d", status)
	}
	if status, text := c.admin("/readyz"); status != http.StatusOK {
		c.t.Errorf("it does not sell: %d %s", status, text)
	}
	status, text := c.admin("/readyz/alarms")
	if status != http.StatusServiceUnavailable {
		c.t.Errorf("nobody is needed: %d", status)
	}
	contains(c.t, text, `{"name":"certificate","ok":false,"error":"there is no certificate yet; the last try, at `)
	if failed, until := c.metric("drawhouse_certificate_renewal_failed"), c.metric("drawhouse_certificate_expires_timestamp_seconds"); failed != "1" || until != "" {
		c.t.Errorf("the metrics say %q and %q", failed, until)
	}
	contains(c.t, c.doctor(), "WARN  authority", "does not answer", "It gives no certificate meanwhile",
		"WARN  certificate", "there is no certificate yet; the last try, at ")
}

// isGood expects a house with its first certificate to say so, and to send browsers on.
func (c *certified) isGood() {
	c.t.Helper()
	_, port, _ := strings.Cut(c.addr, ":")
	for _, one := range []struct {
		method, host, page string
		status             int
		place              string
	}{
		{http.MethodGet, "house.example", "/office?a=1", http.StatusPermanentRedirect, "https://house.example:" + port + "/office?a=1"},
		{http.MethodHead, "house.example:80", "/", http.StatusPermanentRedirect, "https://house.example:" + port + "/"},
		{http.MethodGet, "evil.example", "/", http.StatusMisdirectedRequest, ""},
		{http.MethodPost, "house.example", "/v1/sign-on", http.StatusMethodNotAllowed, ""},
		{http.MethodGet, "house.example", "/.well-known/acme-challenge/guess", http.StatusNotFound, ""},
	} {
		if status, place := c.asksPlainly(one.method, one.host, one.page); status != one.status || place != one.place {
			c.t.Errorf("%s %s%s: %d to %q", one.method, one.host, one.page, status, place)
		}
	}
	if failed, until := c.metric("drawhouse_certificate_renewal_failed"), c.metric("drawhouse_certificate_expires_timestamp_seconds"); failed != "0" || until == "" {
		c.t.Errorf("the metrics say %q and %q", failed, until)
	}
	if check := c.metric(`drawhouse_check{check="certificate",for="alarms"}`); check != "1" {
		c.t.Errorf("the check is %q", check)
	}
	contains(c.t, c.doctor(), "OK    authority", "OK    certificate", "it was issued on ")
}

// TestACME has a house get its certificate by itself: after a start without the authority, once, for its names, and
// kept for the next start.
func TestACME(t *testing.T) {
	t.Parallel()
	a := acmetest.New(t)
	a.Set(func(a *acmetest.Authority) { a.Away = true })
	c := newCertified(t, a.Directory(), a.File(t), "house.example", "www.house.example")
	c.roots = a.Roots
	c.opensWithout()

	a.Set(func(a *acmetest.Authority) { a.Away, a.TLSAt, a.PlainAt = false, c.addr, c.plain })
	c.askAgain()
	c.says("the authority gave a certificate")
	first := c.goodFor("www.house.example", "")
	c.isGood()

	// The authority is away, and is not missed.
	a.Set(func(a *acmetest.Authority) { a.Away = true })
	c.restart()
	if again, err := c.serial("house.example"); err != nil || again != first {
		t.Errorf("after a start the certificate is %s and not %s, %v", again, first, err)
	}
	a.Set(func(a *acmetest.Authority) {
		if a.Orders != 1 || a.Accounts != 1 {
			t.Errorf("it was asked for %d certificates by %d accounts", a.Orders, a.Accounts)
		}
	})
	c.stop()

	kept, err := filepath.Glob(filepath.Join(c.dir, "acme", "*", "certificate.pem"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept are %v, %v", kept, err)
	}
	if err := os.Chmod(kept[0], 0o644); err != nil {
		t.Fatal(err)
	}
	contains(t, refused(t, c.arguments()...), "--acme-dir: ", "chmod 600 "+kept[0])
}

// TestACMESettings: settings by which no certificate can come are refused with the flag and the rule.
func TestACMESettings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := tlsFlags{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem")}
	writeCertificate(t, files, 1)
	empty := filepath.Join(dir, "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const domain, agree = "--acme-domain=house.example", "--acme-agree"
	cert, key := "--tls-cert="+files.TLSCert, "--tls-key="+files.TLSKey
	for _, one := range []struct {
		args []string
		want string
	}{
		{[]string{domain}, "--acme-agree: an authority gives certificates to those who agree"},
		{[]string{"--acme-domain=house", agree}, `--acme-domain: "house" has no dot`},
		{[]string{"--acme-domain=192.0.2.7", agree}, `--acme-domain: "192.0.2.7" is an address`},
		{[]string{"--acme-domain=*.house.example", agree}, "--acme-domain: "},
		{[]string{domain, domain, agree}, `--acme-domain: "house.example" is given twice`},
		{[]string{domain, agree, cert, key}, "--acme-domain: --tls-cert and --tls-key give a certificate already"},
		{[]string{domain, agree, "--behind-tls"}, "--acme-domain: with --behind-tls the proxy has the certificate"},
		{[]string{domain, agree, "--acme-directory=http://acme.example/"}, "--acme-directory: "},
		{[]string{domain, agree, "--acme-email=the operator"}, "--acme-email: "},
		{[]string{domain, agree, "--acme-ca=" + empty}, "--acme-ca: " + empty + " has no certificate"},
		{[]string{agree}, "--acme-agree: it says how to ask for a certificate, and --acme-domain names none"},
		{[]string{"--acme-email=a@house.example"}, "--acme-email: it says how"},
		{[]string{"--acme-directory=https://acme.example/"}, "--acme-directory: it says how"},
		{[]string{"--redirect-addr=127.0.0.1:0"}, "--redirect-addr: there is no https"},
		{[]string{"--redirect-addr=127.0.0.1:0", "--behind-tls"}, "--redirect-addr: there is no https"},
		{[]string{cert}, "--tls-cert: a certificate needs --tls-key"},
		{[]string{key}, "--tls-cert: a certificate needs --tls-key"},
	} {
		args := append([]string{"serve", "--demo", "--addr=127.0.0.1:0", "--data=" + filepath.Join(dir, "none")}, one.args...)
		if said := refused(t, args...); !strings.Contains(said, one.want) {
			t.Errorf("%v: %s", one.args, said)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("a house was founded by settings that were refused")
	}
}

// TestRedirectOfFiles: a house whose certificate is in files redirects by the names in it.
func TestRedirectOfFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := tlsFlags{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem")}
	writeCertificate(t, files, 1)
	c := newCertified(t, "", "")
	c.extra = []string{"--addr=" + c.addr, "--redirect-addr=" + c.plain, "--tls-cert=" + files.TLSCert, "--tls-key=" + files.TLSKey,
		"--host=keno.example"}
	c.begin(c.arguments()...)
	if status, place := c.asksPlainly(http.MethodGet, "keno.example", "/terminal"); status != http.StatusPermanentRedirect ||
		place != fmt.Sprintf("https://keno.example:%s/terminal", strings.TrimPrefix(c.addr, "127.0.0.1:")) {
		t.Errorf("%d to %q", status, place)
	}
	if status, _ := c.asksPlainly(http.MethodGet, "evil.example", "/"); status != http.StatusMisdirectedRequest {
		t.Errorf("by another name: %d", status)
	}
}
