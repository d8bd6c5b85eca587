package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
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
func (c *serveFlags) checkReach(h *house.House, at net.Addr) error {
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
func (c *serveFlags) interfaceOf(h *house.House, options api.Options, at net.Addr, out io.Writer) (http.Handler, *api.Server, error) {
	administered := false
	h.People(func(p *state.People) { administered = staff.HasAdministrator(p) })
	if !administered {
		options.Setup = rand.Text()
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
	if hasDemoKeys(h) {
		text += "THIS IS A DEMONSTRATION: its terminals have keys that everybody knows, and whoever reaches it can sell. It answers this machine alone.\n"
		text += demoCounter(h, server, c.url(at)) + demoRoom(h, c.url(at))
	}
	if options.Setup != "" {
		text += fmt.Sprintf("make its administrator, once: %s/web/setup.html#%s\n", c.url(at), options.Setup)
	}
	_, err = io.WriteString(out, text)
	return handler, server, err
}
