package rules

import (
	"fmt"
	"strings"
	"testing"

	"drawhouse/rulebook"
)

// TestEditionStatesTax: the books that leave the tax to the law take it from an edition, and the others refuse it.
func TestEditionStatesTax(t *testing.T) {
	const tax = `keno: {tax: {clause: "1", base: turnover, rate: 10, rounding: floor, losses: not_carried, due_day: 7, ` +
		"payee: State Revenue}}\n"
	for id, open := range map[string]bool{"vic-keno-2015": true, "tas-keno-2023": true, "casino-keno-div2": false} {
		base, err := Book(id)
		if err != nil {
			t.Fatal(err)
		}
		if _, has := base.Tax(); has {
			t.Errorf("%s has a tax of its own", id)
		}
		text := fmt.Sprintf("rulebook: %s\nbase: %v\nedition: 2\n%s", id, base.Hash(), tax)
		book, err := rulebook.LoadOn("edition", []byte(text),
			func(h rulebook.Hash) (*rulebook.Book, bool) { return base, h == base.Hash() })
		if (err == nil) != open || !open && !strings.Contains(err.Error(), "keno.tax") {
			t.Errorf("%s: %v", id, err)
			continue
		}
		if !open {
			continue
		}
		if stated, has := book.Tax(); !has || stated.Rate != 10_00 || stated.Payee != "State Revenue" {
			t.Errorf("%s: the edition has the tax %+v", id, stated)
		}
	}
}
