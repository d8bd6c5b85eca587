package main

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// tlsFlags are the certificate of a house that is reached from elsewhere.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" setting:"" type:"existingfile" placeholder:"FILE" help:"Certificate of the house, PEM; with --tls-key. It is read again when it changes, and on SIGHUP."`
	TLSKey  string `name:"tls-key" setting:"" type:"existingfile" placeholder:"FILE" help:"Key of the certificate, PEM."`
}

// secure reports whether the house is reached by TLS.
func (f tlsFlags) secure() bool { return f.TLSCert != "" }

// url returns where a house is reached.
func (f tlsFlags) url(at net.Addr) string {
	if f.secure() {
		return "https://" + at.String()
	}
	return "http://" + at.String()
}

// certificateNames returns the names in the certificate, if there is one.
func (f tlsFlags) certificateNames() []string {
	if !f.secure() {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil || pair.Leaf == nil {
		return nil // wrap has said what is wrong with it.
	}
	return pair.Leaf.DNSNames
}

// wrap puts TLS on a listener, if there is a certificate, which is returned then: watch
// keeps it the newest.
func (f tlsFlags) wrap(l net.Listener, log *slog.Logger) (net.Listener, *certificate, error) {
	if (f.TLSCert == "") != (f.TLSKey == "") {
		return nil, nil, misused("--tls-cert", errors.New("a certificate needs --tls-key, and the other way round"))
	}
	if !f.secure() {
		return l, nil, nil
	}
	c := &certificate{files: f, log: log}
	if err := c.read(); err != nil {
		return nil, nil, misused("--tls-cert", err)
	}
	return tls.NewListener(l, &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"}}), c, nil
}

// certificate is a certificate that is exchanged while the house runs.
type certificate struct {
	files   tlsFlags
	log     *slog.Logger
	current atomic.Pointer[tls.Certificate]
	stamp   [2]fileStamp // of the files as they were read; the watcher's alone
}

// fileStamp tells whether a file is another one than before.
type fileStamp struct {
	modified time.Time
	size     int64
}

func stampOf(name string) fileStamp {
	info, err := os.Stat(name)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info.ModTime(), info.Size()}
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return c.current.Load(), nil
}

// expires returns when the certificate that is in force does.
func (c *certificate) expires() time.Time { return c.current.Load().Leaf.NotAfter }

// read takes up the files as they are.
func (c *certificate) read() error {
	stamp := [2]fileStamp{stampOf(c.files.TLSCert), stampOf(c.files.TLSKey)}
	if err := checkSecret(c.files.TLSKey); err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.files.TLSCert, c.files.TLSKey)
	if err != nil {
		return err
	}
	c.stamp = stamp
	c.current.Store(&pair)
	return nil
}

// looking is how often the files are looked at.
const looking = 2 * time.Second

// watch reads the files again when they have changed or SIGHUP asks for it. Files that
// cannot be read, such as a certificate whose key is not there yet, leave the old one
// in force.
func (c *certificate) watch(ctx context.Context) {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGHUP)
	defer signal.Stop(asked)
	tick := time.NewTicker(looking)
	defer tick.Stop()
	var failed [2]fileStamp // of files that could not be read, to complain once
	for {
		always := false
		select {
		case <-ctx.Done():
			return
		case <-asked:
			always = true
		case <-tick.C:
		}
		now := [2]fileStamp{stampOf(c.files.TLSCert), stampOf(c.files.TLSKey)}
		if !always && (now == c.stamp || now == failed) {
			continue
		}
		if err := c.read(); err != nil {
			failed = now
			c.log.Error("the new certificate cannot be taken; the old one stays", "error", err)
			continue
		}
		c.log.Info("the certificate was read again", "expires", c.current.Load().Leaf.NotAfter)
	}
}
