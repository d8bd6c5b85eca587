package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// pebble is the authority of another project as a process, which forgets everything when it ends: accounts, and the
// root that it signs with.
type pebble struct {
	t          *testing.T
	program    string
	dir        string
	at, manage string   // its addresses
	names      string   // of the server that has every name lead to this machine
	files      tlsFlags // of its own address
	cmd        *exec.Cmd
	said       spoken
	pool       *x509.CertPool // the root that it signed with last
}

// newPebble starts the server of names, and not the authority.
func newPebble(t *testing.T, program string) *pebble {
	t.Helper()
	dir := t.TempDir()
	p := &pebble{t: t, program: program, dir: dir, at: freeAddress(t), manage: freeAddress(t), names: freeAddress(t),
		files: tlsFlags{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem")}}
	writeCertificate(t, p.files, 1)
	names := exec.Command(program+"-challtestsrv", "-http01=", "-https01=", "-tlsalpn01=", "-doh=", "-dnsserver="+p.names,
		"-management="+freeAddress(t), "-defaultIPv6=")
	if err := names.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = names.Process.Kill()
		_ = names.Wait() // It was killed, and says so.
		p.kill()
		if t.Failed() {
			t.Logf("pebble said: %s", &p.said)
		}
	})
	return p
}

// start starts the authority. It looks for proofs at these addresses, and its certificates live so long.
func (p *pebble) start(tlsAt, plainAt string, life time.Duration, refused ...string) {
	p.t.Helper()
	port := func(addr string) int {
		_, text, err := net.SplitHostPort(addr)
		if err != nil {
			p.t.Fatal(err)
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			p.t.Fatal(err)
		}
		return n
	}
	config := map[string]any{"pebble": map[string]any{"listenAddress": p.at, "managementListenAddress": p.manage,
		"certificate": p.files.TLSCert, "privateKey": p.files.TLSKey, "tlsPort": port(tlsAt), "httpPort": port(plainAt),
		"domainBlocklist": refused, "keyAlgorithm": "ecdsa", "retryAfter": map[string]int{"authz": 1, "order": 1},
		"profiles": map[string]any{"default": map[string]any{"description": "the only one",
			"validityPeriod": int(life.Seconds())}}}}
	data, err := json.Marshal(config)
	if err != nil {
		p.t.Fatal(err)
	}
	file := filepath.Join(p.dir, "config.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.cmd = exec.Command(p.program, "-config="+file, "-dnsserver="+p.names)
	p.cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1")
	p.cmd.Stdout, p.cmd.Stderr = &p.said, &p.said
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} // of this test alone
	waitFor(p.t, "pebble shows its root", func() bool {
		response, err := client.Get("https://" + p.manage + "/roots/0")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		root, err := io.ReadAll(response.Body)
		p.pool = x509.NewCertPool()
		return err == nil && p.pool.AppendCertsFromPEM(root)
	})
}

// kill ends the authority as a power failure would.
func (p *pebble) kill() {
	if p.cmd != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait() // It was killed, and says so.
		p.cmd = nil
	}
}

// TestPebble has a house get its certificate from the authority of another project: after a start without it, by both
// proofs, renewed in time, through its absence, and never for a name that it refuses.
func TestPebble(t *testing.T) {
	p := newPebble(t, ofOthers(t, "DRAWHOUSE_PEBBLE"))
	c := newCertified(t, "https://"+p.at+"/dir", p.files.TLSCert, "house.example", "www.house.example")
	c.roots = func() *x509.CertPool { return p.pool }
	const long, short = 90 * 24 * time.Hour, 24 * time.Second
	elsewhere := freeAddress(t)
	c.opensWithout()

	p.start(c.addr, elsewhere, long) // TLS-ALPN-01 alone finds somebody.
	c.askAgain()
	c.says("the authority gave a certificate")
	first := c.goodFor("www.house.example", "")
	c.isGood()

	p.kill()
	c.restart() // It has what it needs, and asks nobody.
	if again, err := c.serial("house.example"); err != nil || again != first {
		t.Errorf("after a start the certificate is %s and not %s, %v", again, first, err)
	}

	p.start(elsewhere, c.plain, short, "new.house.example")
	c.restart("--acme-domain=new.house.example")
	c.says("the authority gave no certificate")
	c.says("new.house.example")
	if again := c.shown(); again != first {
		t.Errorf("a refused name has taken the certificate away: %s and not %s", again, first)
	}

	// The name is not refused any more, and is proven by HTTP-01, after TLS-ALPN-01 found nobody.
	p.kill()
	p.start(elsewhere, c.plain, short)
	c.askAgain()
	c.says("could not be proven by tls-alpn-01")
	c.askAgain()
	c.says("the authority gave a certificate")
	plainly := c.goodFor("new.house.example", first)

	// The next one comes without being asked for, and is proven as the last one was.
	p.kill()
	p.start(elsewhere, c.plain, short)
	c.says("the authority gave a certificate")
	renewed := c.goodFor("new.house.example", plainly)

	// Without the authority it stays in force, beyond its end, and people are called.
	p.kill()
	c.says("the one in force stays")
	if check := c.metric("drawhouse_certificate_renewal_failed"); check != "1" {
		t.Errorf("a renewal failed, and the metric says %q", check)
	}
	waitFor(t, "the check fails", func() bool {
		return c.metric(`drawhouse_check{check="certificate",for="alarms"}`) == "0"
	})
	if again := c.shown(); again != renewed {
		t.Errorf("without the authority the certificate is %s and not %s", again, renewed)
	}
	if !(&terminal{id: 2}).sell(c.served) {
		t.Error("without the authority nothing is sold")
	}
	p.start(c.addr, c.plain, long)
	c.askAgain()
	c.goodFor("house.example", renewed)
	c.stop()
	c.verify()
}

// shown returns the number of the certificate that anybody is shown, good or not.
func (c *certified) shown() string {
	c.t.Helper()
	conn, err := tls.Dial("tcp", c.addr, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.String()
}
