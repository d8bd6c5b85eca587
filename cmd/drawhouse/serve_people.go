package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"

	"drawhouse/cmd/drawhouse/demo"
	"drawhouse/core/figure"
	"drawhouse/decide/staff"
	"drawhouse/edge/api"
	"drawhouse/house"
	"drawhouse/house/person"
)

// openRegister opens the register of people beside the journal.
func (f storageFlags) openRegister(ctx context.Context) (*person.Register, error) {
	return f.openRegisterWith(ctx, f.keysOf())
}

// openRegisterWith opens the register with the keys of another folder than the house's; without a
// folder what is sealed stays so.
func (f storageFlags) openRegisterWith(ctx context.Context, keys string) (*person.Register, error) {
	if f.Database != "" {
		return person.OpenDatabase(ctx, f.Database, keys)
	}
	return person.Open(ctx, f.Data, keys)
}

// sealRegister seals what is in the register of before there were keys, and says what cannot be
// read. A house sells, draws and pays without names: that a key is missing does not keep it from
// starting. A follower changes nothing, since its writer may be at it.
func (f storageFlags) sealRegister(ctx context.Context, register *person.Register, follows bool, log *slog.Logger) {
	if !follows {
		n, err := register.Renew(ctx)
		if err != nil {
			log.Error("the register of people could not be sealed", "error", err)
		} else if n > 0 {
			log.Info("the register of people was sealed under its current key; back the keys up", "entries", n)
		}
	}
	standing, err := register.Standing(ctx)
	if err != nil {
		log.Error("the register of people cannot be read", "error", err)
		return
	}
	for _, fault := range personalFaults(standing, f.keysOf()) {
		log.Error(fault)
	}
}

// personalFaults says which keys of a register are not in a folder, and what does not work without them.
func personalFaults(s person.Standing, keys string) (faults []string) {
	for _, k := range s.Missing() {
		fault := fmt.Sprintf("the personal key %v is not in %s: %s of the register of people cannot be read", k.KeyName, keys,
			figure.CountOf(k.Entries, "entry", "entries"))
		if k.Current {
			fault += ", and none can be added: nobody is invited, gives a password, claims or is paid by cheque"
		}
		faults = append(faults, fault+". Terminals sell all the same. Put the file back from the backup of the keys. If it is lost: drawhouse keys rotate personal --lost")
	}
	return faults
}

// checkReach refuses to let others than this machine reach what anybody could abuse
// or overhear: terminals with keys that everybody knows, and passwords in the clear.
func (c *serveFlags) checkReach(h *house.House, at net.Addr) error {
	tcp, ok := at.(*net.TCPAddr)
	if ok && tcp.IP.IsLoopback() {
		return nil
	}
	if demo.HasKeys(h) {
		return misused("--addr",
			fmt.Errorf("%v can be reached from elsewhere, and the terminals of a demonstration have keys that everybody knows; listen at 127.0.0.1", at))
	}
	if !c.secure() && !c.BehindTLS {
		return misused("--addr",
			fmt.Errorf("%v can be reached from elsewhere and passwords would go there in the clear; give --tls-cert and --tls-key or --acme-domain, or --behind-tls if a proxy has the certificate", at))
	}
	return nil
}

// interfaceOf makes the interface of a house and says what has to be said about it at
// its start: where it is, that a demonstration is one, and how the first
// administrator is made.
func (c *serveFlags) interfaceOf(h *house.House, options api.Options, at net.Addr,
	out io.Writer) (http.Handler, *api.Server, error) {
	missing := staff.MayFound(h.People())
	for range missing {
		options.Setup = append(options.Setup, rand.Text())
	}
	options.Secure, options.Care = c.secure() || c.BehindTLS, c.Care
	var err error
	if options.Papers, err = c.papers(); err != nil {
		return nil, nil, err
	}
	handler, server, err := pages(h, options)
	if err != nil {
		return nil, nil, err
	}
	text := fmt.Sprintf("drawhouse is open at %s\n", c.url(at))
	if demo.HasKeys(h) {
		text += "THIS IS A DEMONSTRATION: its terminals have keys that everybody knows, and everybody who reaches it can sell. It answers this machine alone.\n"
		text += demoCounter(h, server, c.url(at)) + demoRoom(h, c.url(at))
	}
	// Each link is for a person of its own: the two count as two persons from the first day.
	for i, token := range options.Setup {
		which := "administrator"
		if i == len(options.Setup)-1 {
			which = "second administrator"
		}
		text += fmt.Sprintf("make its %s, once: %s/web/setup.html#%s\n", which, c.url(at), token)
	}
	_, err = io.WriteString(out, text)
	return handler, server, err
}
