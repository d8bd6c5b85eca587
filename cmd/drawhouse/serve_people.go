package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"

	"drawhouse/api"
	"drawhouse/house"
	"drawhouse/person"
	"drawhouse/record"
	"drawhouse/staff"
	"drawhouse/state"
	keyed "drawhouse/terminal"
)

// tlsFlags are the certificate of a house that is reached from elsewhere.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" type:"existingfile" placeholder:"FILE" help:"Certificate of the house, PEM; with --tls-key."`
	TLSKey  string `name:"tls-key" type:"existingfile" placeholder:"FILE" help:"Key of the certificate, PEM."`
}

// secure reports whether the house is reached by TLS.
func (f tlsFlags) secure() bool { return f.TLSCert != "" }

// wrap puts TLS on a listener, if there is a certificate.
func (f tlsFlags) wrap(l net.Listener) (net.Listener, error) {
	if (f.TLSCert == "") != (f.TLSKey == "") {
		return nil, misused("--tls-cert", errors.New("a certificate needs --tls-key, and the other way round"))
	}
	if !f.secure() {
		return l, nil
	}
	pair, err := tls.LoadX509KeyPair(f.TLSCert, f.TLSKey)
	if err != nil {
		return nil, misused("--tls-cert", err)
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}), nil
}

// url returns where a house is reached.
func (f tlsFlags) url(at net.Addr) string {
	if f.secure() {
		return "https://" + at.String()
	}
	return "http://" + at.String()
}

// openRegister opens the register of people beside the journal.
func (f storageFlags) openRegister(ctx context.Context) (*person.Register, error) {
	if f.Database != "" {
		return person.OpenDatabase(ctx, f.Database)
	}
	return person.Open(ctx, f.Data)
}

// demoDetails says who a person of the demonstration is. The salt follows from the
// number: these people have nothing to hide, and every start knows them.
func demoDetails(id uint32, role record.Role) person.Details {
	salt := sha256.Sum256(fmt.Appendf(nil, "drawhouse demonstration person %d", id))
	return person.Details{Name: fmt.Sprintf("Demonstration %s", role), Salt: salt[:16]}
}

func demoHash(id uint32, role record.Role) record.Hash { return demoDetails(id, role).Hash() }

// demoKeys gives the terminals of the demonstration keys that everybody knows.
func demoKeys(terminals []record.TerminalAdded) []record.Body {
	all := make([]record.Body, 0, len(terminals))
	for _, t := range terminals {
		all = append(all, &record.TerminalKeyed{Terminal: t.Terminal, Key: keyed.DemoPublic(t.Terminal)})
	}
	return all
}

// introduce tells the register who the people of a demonstration are.
func introduce(ctx context.Context, h *house.House, register *person.Register) error {
	var all []state.Person
	h.People(func(p *state.People) { all = p.Persons() })
	for _, p := range all {
		if len(p.Grants) == 0 || p.Erased || p.Details != demoHash(p.ID, p.Grants[0].Role) {
			continue
		}
		if _, err := register.Details(ctx, p.Details); !errors.Is(err, person.ErrUnknown) {
			return err
		}
		if err := register.Put(ctx, demoDetails(p.ID, p.Grants[0].Role)); err != nil {
			return err
		}
	}
	return nil
}

// hasDemoKeys reports whether a terminal of the house has a key that everybody knows.
// It looks at the first and the last: a demonstration is founded with all of them.
func hasDemoKeys(h *house.House) (found bool) {
	h.People(func(p *state.People) {
		posts := p.Posts()
		isDemo := func(t state.Post) bool { return t.Key == keyed.DemoPublic(t.Terminal) }
		found = len(posts) > 0 && (isDemo(posts[0]) || isDemo(posts[len(posts)-1]) || len(posts) < 1000 && slices.ContainsFunc(posts, isDemo))
	})
	return found
}

// checkReach refuses to let others than this machine reach what anybody could abuse
// or overhear: terminals with keys that everybody knows, and passwords in the clear.
func (c *serveCmd) checkReach(h *house.House, at net.Addr) error {
	tcp, ok := at.(*net.TCPAddr)
	if ok && tcp.IP.IsLoopback() {
		return nil
	}
	if hasDemoKeys(h) {
		return misused("--addr", fmt.Errorf("%v can be reached from elsewhere, and the terminals of a demonstration have keys that everybody knows; listen at 127.0.0.1", at))
	}
	if !c.secure() && !c.BehindTLS {
		return misused("--addr", fmt.Errorf("%v can be reached from elsewhere and passwords would go there in the clear; give --tls-cert and --tls-key, or --behind-tls if a proxy has them", at))
	}
	return nil
}

// interfaceOf makes the interface of a house and says what has to be said about it at
// its start: where it is, that a demonstration is one, and how the first
// administrator is made.
func (c *serveCmd) interfaceOf(h *house.House, options api.Options, at net.Addr, out io.Writer) (http.Handler, *api.Server, error) {
	administered := false
	h.People(func(p *state.People) { administered = staff.HasAdministrator(p) })
	if !administered {
		options.Setup = rand.Text()
	}
	options.Secure = c.secure() || c.BehindTLS
	handler, server, err := pages(h, options)
	if err != nil {
		return nil, nil, err
	}
	text := fmt.Sprintf("drawhouse is open at %s\n", c.url(at))
	if hasDemoKeys(h) {
		text += "THIS IS A DEMONSTRATION: its terminals have keys that everybody knows, and whoever reaches it can sell. It answers this machine alone.\n"
	}
	if options.Setup != "" {
		text += fmt.Sprintf("make its administrator, once: %s/web/setup.html#%s\n", c.url(at), options.Setup)
	}
	_, err = io.WriteString(out, text)
	return handler, server, err
}
