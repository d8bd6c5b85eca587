package person

import (
	"bytes"
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"drawhouse/decide/command"
	"drawhouse/journal/record"
)

// TestCustomers keeps claimants and papers in each register, does not take one for the
// other, and forgets them.
func TestCustomers(t *testing.T) {
	for name, open := range registers {
		t.Run(name, func(t *testing.T) {
			r := open(t)
			t.Cleanup(func() { must(t, r.Close()) })
			ctx := t.Context()
			c, err := NewCustomer(command.Customer{Name: " Ada $1 O'Hara ", Address: "1 High Street", Born: "1990-01-31"},
				rand.Reader)
			must(t, err)
			p, err := NewPaper(" I lost it. ", rand.Reader)
			must(t, err)
			must(t, r.PutCustomer(ctx, c))
			must(t, r.PutPaper(ctx, p))
			if got, err := r.Customer(ctx, c.Hash()); err != nil || got.Name != "Ada $1 O'Hara" || got.Address != c.Address ||
				got.Hash() != c.Hash() {
				t.Errorf("kept %+v: %v", got, err)
			}
			if got, err := r.Paper(ctx, p.Hash()); err != nil || got.Text != "I lost it." || got.Hash() != p.Hash() {
				t.Errorf("kept %+v: %v", got, err)
			}
			if _, err := r.Customer(ctx, p.Hash()); !errors.Is(err, ErrUnknown) {
				t.Errorf("a paper passed for a customer: %v", err)
			}
			must(t, r.Forget(ctx, c.Hash(), p.Hash()))
			for _, hash := range []record.Hash{c.Hash(), p.Hash()} {
				if has, err := r.Has(ctx, hash); has || err != nil {
					t.Errorf("%x is kept: %v", hash, err)
				}
			}
		})
	}
}

// TestUnfit names the part of an entry that cannot be kept, at and above its bounds.
func TestUnfit(t *testing.T) {
	long := func(n int) string { return strings.Repeat("å", n) }
	for _, c := range []struct {
		customer command.Customer
		field    string
	}{
		{command.Customer{Name: "A"}, ""},
		{command.Customer{Name: " "}, "name"},
		{command.Customer{Name: long(maxText)}, ""},
		{command.Customer{Name: long(maxText + 1)}, "name"},
		{command.Customer{Name: "A", Address: "\xff"}, "address"},
		{command.Customer{Name: "A", Born: "31.1.1990"}, "born"},
		{command.Customer{Name: "A", Born: "1990-02-29"}, "born"},
		{command.Customer{Name: "A", Born: "1992-02-29"}, ""},
	} {
		_, err := NewCustomer(c.customer, rand.Reader)
		var unfit *Unfit
		if c.field == "" && err != nil || c.field != "" && (!errors.As(err, &unfit) || unfit.Field != c.field) {
			t.Errorf("%.40q: %v, want %q", c.customer, err, c.field)
		}
	}
	for n, good := range map[int]bool{0: false, 1: true, MostPaper: true, MostPaper + 1: false} {
		if _, err := NewPaper(long(n), rand.Reader); (err == nil) != good {
			t.Errorf("a paper of %d characters: %v", n, err)
		}
	}
	if _, err := NewCustomer(command.Customer{Name: "A"}, bytes.NewReader(nil)); err == nil {
		t.Error("a customer without a salt")
	}
}

// TestSalted: two customers of one name have different hashes, and parts are known by
// name.
func TestSalted(t *testing.T) {
	a, err := NewCustomer(command.Customer{Name: "Ada", Phone: "03"}, rand.Reader)
	must(t, err)
	b, err := NewCustomer(command.Customer{Name: "Ada", Phone: "03"}, rand.Reader)
	must(t, err)
	if a.Hash() == b.Hash() {
		t.Error("two salts, one hash")
	}
	if !a.Has("name") || !a.Has("phone") || a.Has("address") || a.Has("salt") {
		t.Errorf("%+v has other parts", a)
	}
}
