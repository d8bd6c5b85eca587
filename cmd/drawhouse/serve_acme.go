package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/crypto/acme"

	"drawhouse"
	"drawhouse/core/contain"
	"drawhouse/edge/api"
	"drawhouse/edge/certify"
)

// acmeFlags have the house get its certificate from an authority by itself.
type acmeFlags struct {
	Domains      []string `name:"acme-domain" setting:"" sep:"none" placeholder:"NAME" help:"Get a certificate for NAME from an ACME authority, keep it and renew it. NAME leads to this house, at port 443 or, with --redirect-addr, port 80. May be given several times: one certificate is for all."`
	Directory    string   `name:"acme-directory" setting:"" default:"https://acme-v02.api.letsencrypt.org/directory" placeholder:"URL" help:"The authority: the address of its directory (${default})."`
	Agree        bool     `name:"acme-agree" setting:"" help:"The operator agrees to the authority's terms of service; those of Let's Encrypt are at https://letsencrypt.org/repository/."`
	Email        string   `name:"acme-email" setting:"" placeholder:"ADDRESS" help:"Where the authority may write to; it is told when the account is opened."`
	ACMECA       string   `name:"acme-ca" setting:"" type:"existingfile" placeholder:"FILE" help:"Certificates of the roots, PEM, by which the authority's own address is known, for one that this machine does not know."`
	ACMEDir      string   `name:"acme-dir" setting:"" placeholder:"DIR" help:"Folder of account key and certificate (acme in the data directory). It is this node's alone."`
	RedirectAddr string   `name:"redirect-addr" setting:"" placeholder:"HOST:PORT" help:"Also listen without TLS, such as at 0.0.0.0:80: send browsers on to https, by the house's names alone, and let the authority prove names there."`
}

// asks reports whether the house asks an authority.
func (f acmeFlags) asks() bool { return len(f.Domains) > 0 }

// checkTLS reports settings of TLS that cannot be meant.
func (c *serveFlags) checkTLS() error {
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return misused("--tls-cert", errors.New("a certificate needs --tls-key, and the other way round"))
	case c.asks() && c.TLSCert != "":
		return misused("--acme-domain", errors.New("--tls-cert and --tls-key give a certificate already; take one way"))
	case c.asks() && c.BehindTLS:
		return misused("--acme-domain", errors.New("with --behind-tls the proxy has the certificate; take one way"))
	case c.RedirectAddr != "" && !c.secure():
		return misused("--redirect-addr", errors.New("there is no https to send anybody to; give --acme-domain, or --tls-cert and --tls-key"))
	case c.asks():
		return c.checkACME()
	}
	for _, one := range []struct {
		flag  string
		given bool
	}{{"--acme-directory", c.Directory != acme.LetsEncryptURL}, {"--acme-agree", c.Agree}, {"--acme-email", c.Email != ""},
		{"--acme-ca", c.ACMECA != ""}, {"--acme-dir", c.ACMEDir != ""}} {
		if one.given {
			return misused(one.flag, errors.New("it says how to ask for a certificate, and --acme-domain names none to ask for"))
		}
	}
	return nil
}

// checkACME reports settings by which no authority gives a certificate.
func (f acmeFlags) checkACME() error {
	for i, name := range f.Domains {
		if err := certify.CheckName(name); err != nil {
			return misused("--acme-domain", err)
		}
		if slices.Contains(f.Domains[:i], name) {
			return misused("--acme-domain", fmt.Errorf("%q is given twice", name))
		}
	}
	if err := certify.CheckDirectory(f.Directory); err != nil {
		return misused("--acme-directory", err)
	}
	if !f.Agree {
		return misused("--acme-agree", errors.New("an authority gives certificates to those who agree to its terms of service; read them, and give --acme-agree"))
	}
	if address, err := mail.ParseAddress(f.Email); f.Email != "" && (err != nil || address.Address != f.Email) {
		return misused("--acme-email", fmt.Errorf("%q is not an address such as operator@house.example", f.Email))
	}
	_, err := f.roots()
	return err
}

// roots returns the roots of the authority's address; nil are those of the machine.
func (f acmeFlags) roots() (*x509.CertPool, error) {
	if f.ACMECA == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.ACMECA)
	if err != nil {
		return nil, misused("--acme-ca", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, misused("--acme-ca", fmt.Errorf("%s has no certificate, which begins with -----BEGIN CERTIFICATE-----", f.ACMECA))
	}
	return pool, nil
}

// acmeFolder returns where the certificate is kept.
func (c *serveFlags) acmeFolder() certify.Folder {
	parent := c.ACMEDir
	if parent == "" {
		parent = filepath.Join(c.Data, "acme")
	}
	return certify.FolderOf(parent, c.Directory)
}

// checkTLSSecrets refuses keys of certificates that others on this machine can read or exchange.
func (c *serveFlags) checkTLSSecrets() error {
	if err := checkSecret(c.TLSKey); err != nil {
		return misused("--tls-key", err)
	}
	if !c.asks() {
		return nil
	}
	folder := c.acmeFolder()
	if err := errors.Join(checkSecretDir(filepath.Dir(string(folder))), checkSecretDir(string(folder)),
		checkSecret(folder.AccountKey()), checkSecret(folder.Certificate())); err != nil {
		return misused("--acme-dir", err)
	}
	return nil
}

// openCertificate takes up what an authority gave before.
func (c *serveFlags) openCertificate(log *slog.Logger) (*ordered, error) {
	roots, err := c.roots()
	if err != nil {
		return nil, err
	}
	m, err := certify.Open(certify.Settings{Directory: c.Directory, Names: c.Domains, Email: c.Email, Roots: roots,
		Folder: c.acmeFolder(), Plain: c.RedirectAddr != "", Agent: "drawhouse/" + drawhouse.Version, Log: log})
	if err != nil {
		return nil, err
	}
	return &ordered{m}, nil
}

// ordered is a certificate that the house asks an authority for.
type ordered struct{ *certify.Manager }

func (a *ordered) status() certify.Status { return a.Status() }

// watch keeps the certificate renewed. SIGHUP ends a pause after a failure at once.
func (a *ordered) watch(ctx context.Context) {
	hangup, stop := hangups()
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	contain.Go("hearing of SIGHUP", func() error {
		for {
			select {
			case <-hangup:
				a.Retry()
			case <-ctx.Done():
				return nil
			}
		}
	}, func(error) {})
	a.Run(ctx)
}

// openRedirect listens without TLS, if the house is to.
func (r *running) openRedirect(cert certificate) error {
	if r.RedirectAddr == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(r.publicAt.Addr().String())
	if err != nil {
		return misused("--addr", err)
	}
	if r.redirectAt, err = listen("--redirect-addr", r.RedirectAddr); err != nil {
		return err
	}
	handler := api.ToTLS(r.hostNames(), port)
	if a, ok := cert.(*ordered); ok {
		handler = a.Challenges(handler)
	}
	r.redirect = newServer(handler, r.log)
	r.log.Info("sending browsers on to https", "from", "http://"+r.redirectAt.Addr().String())
	return nil
}
