package main

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"drawhouse/edge/certify"
)

// tlsFlags are the certificate of a house that is reached from elsewhere.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" setting:"" type:"existingfile" placeholder:"FILE" help:"Certificate of the house, PEM; with --tls-key. It is read again when it changes, and on SIGHUP."`
	TLSKey  string `name:"tls-key" setting:"" type:"existingfile" placeholder:"FILE" help:"Key of the certificate, PEM."`
	acmeFlags
}

// secure reports whether the house is reached by TLS.
func (f tlsFlags) secure() bool { return f.TLSCert != "" || f.asks() }

// url returns where a house is reached.
func (f tlsFlags) url(at net.Addr) string {
	if f.secure() {
		return "https://" + at.String()
	}
	return "http://" + at.String()
}

// certificateNames returns the names in the certificate, if there is one or is to be one.
func (f tlsFlags) certificateNames() []string {
	switch {
	case f.asks():
		return f.Domains
	case !f.secure():
		return nil
	}
	pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil || pair.Leaf == nil {
		return nil // wrap has said what is wrong with it.
	}
	return pair.Leaf.DNSNames
}

// A certificate is one that is exchanged while the house runs.
type certificate interface {
	// watch exchanges it when there is another one, until the context ends.
	watch(ctx context.Context)
	status() certify.Status
}

// secured puts TLS on a listener, if there is a certificate or is to be one, which is returned then: watch keeps it the
// newest.
func (c *serveFlags) secured(l net.Listener, log *slog.Logger) (net.Listener, certificate, error) {
	switch {
	case c.asks():
		cert, err := c.openCertificate(log)
		if err != nil {
			return nil, nil, err
		}
		return tls.NewListener(l, cert.TLS()), cert, nil
	case c.secure():
		return c.wrap(l, log)
	}
	return l, nil, nil
}

// wrap puts TLS on a listener, with the certificate in the files.
func (f tlsFlags) wrap(l net.Listener, log *slog.Logger) (net.Listener, *certificateFiles, error) {
	c := &certificateFiles{files: f, log: log}
	if err := c.read(); err != nil {
		return nil, nil, misused("--tls-cert", err)
	}
	return tls.NewListener(l, certify.Serving(c.get)), c, nil
}

// certificateFiles is a certificate that somebody else keeps the newest, in files.
type certificateFiles struct {
	files   tlsFlags
	log     *slog.Logger
	current atomic.Pointer[tls.Certificate]
	last    atomic.Pointer[certify.Try] // how files were read last; nil before they were exchanged
	stamp   [2]fileStamp                // of the files as they were read; the watcher's alone
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

func (c *certificateFiles) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return c.current.Load(), nil
}

func (c *certificateFiles) status() certify.Status {
	var last certify.Try
	if t := c.last.Load(); t != nil {
		last = *t
	}
	return certify.StatusOf(c.current.Load().Leaf, nil, last)
}

// read takes up the files as they are.
func (c *certificateFiles) read() error {
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

// hangups returns a channel that is sent SIGHUP, until stop is called.
func hangups() (asked <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGHUP)
	return c, func() { signal.Stop(c) }
}

// watch reads the files again when they have changed or SIGHUP asks for it. Files that
// cannot be read, such as a certificate whose key is not there yet, leave the old one
// in force.
func (c *certificateFiles) watch(ctx context.Context) {
	asked, stop := hangups()
	defer stop()
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
		last := &certify.Try{At: time.Now()}
		if err := c.read(); err != nil {
			failed = now
			last.Error = err.Error()
			c.log.Error("the new certificate cannot be taken; the old one stays", "error", err)
		} else {
			c.log.Info("the certificate was read again", "expires", c.current.Load().Leaf.NotAfter)
		}
		c.last.Store(last)
	}
}
