package verify

import (
	"testing"

	"drawhouse/journal/record"
	"drawhouse/rulebook"
	builtin "drawhouse/rulebook/rules"
)

// builtinTerms returns the terms of a rulebook and a schedule.
func builtinTerms(book *rulebook.Book, schedule string) (*terms, error) {
	r, err := newRules(book)
	if err != nil {
		return nil, err
	}
	hash := record.Hash(book.Hash())
	c := &checker{rules: map[record.Hash]*rules{hash: r}, terms: map[termsKey]*terms{}}
	return c.termsOf(hash, schedule)
}

// FuzzTicket reads and prices any bytes: it must not panic, nor price a ticket
// that another set of bytes says as well.
func FuzzTicket(f *testing.F) {
	for _, seed := range []string{
		"\x85\x01\x6dvic-keno-2015\x82\x01\x00\x01\x81\xa3\x01\x67classic\x02\x18\x64\x03\x42\x01\x02",
		"\x85\x01\x6dvic-keno-2015\x82\x01\x00\x01\x81\xa4\x01\x67classic\x02\x18\x64\x04\x82\x41\x01\x41\x02\x05\xf5",
		"\x85\x01\x6dvic-keno-2015\x82\x01\x00\x02\x81\xa3\x01\x6eheads_or_tails\x02\x18\x64\x09\x42\x01\x03",
	} {
		f.Add([]byte(seed))
	}
	book, err := builtin.Book("vic-keno-2015")
	if err != nil {
		f.Fatal(err)
	}
	terms, err := builtinTerms(book, book.Schedules()[0].ID())
	if err != nil {
		f.Fatal(err)
	}
	var c wayCounter
	f.Fuzz(func(t *testing.T, data []byte) {
		form, err := readTicket(data)
		if err != nil {
			return
		}
		cost, err := terms.judge(&form, entry{channel: rulebook.ChannelWriter, method: rulebook.MethodForm}, &c)
		if err == nil && (cost <= 0 || form.ways() == 0) {
			t.Errorf("a ticket of %d ways for %v", form.ways(), cost)
		}
	})
}

// TestTicketForms refuses what deterministic CBOR and the layout do not allow.
func TestTicketForms(t *testing.T) {
	const head = "\x85\x01\x6dvic-keno-2015\x82\x01\x00\x01\x81"
	for name, data := range map[string]string{
		"empty":                 "",
		"version 2":             "\x85\x02",
		"a longer number":       "\x85\x18\x01\x6dvic-keno-2015\x82\x01\x00\x01\x81\xa3\x01\x67classic\x02\x18\x64\x03\x41\x01",
		"a longer stake":        head + "\xa3\x01\x67classic\x02\x19\x00\x64\x03\x41\x01",
		"an open length":        head + "\xbf\x01\x67classic\x02\x18\x64\x03\x41\x01\xff",
		"keys out of order":     head + "\xa3\x02\x18\x64\x01\x67classic\x03\x41\x01",
		"a key twice":           head + "\xa3\x01\x67classic\x01\x67classic\x02\x18\x64",
		"an unknown key":        head + "\xa3\x01\x67classic\x02\x18\x64\x11\x41\x01",
		"no stake":              head + "\xa2\x01\x67classic\x03\x41\x01",
		"no bet":                "\x85\x01\x6dvic-keno-2015\x82\x01\x00\x01\x80",
		"a mark that is false":  head + "\xa4\x01\x67classic\x02\x18\x64\x04\x82\x41\x01\x41\x02\x05\xf4",
		"bytes behind the end":  head + "\xa3\x01\x67classic\x02\x18\x64\x03\x41\x01\x00",
		"an end within numbers": head + "\xa3\x01\x67classic\x02\x18\x64\x03\x42\x01",
	} {
		if _, err := readTicket([]byte(data)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	if _, err := readTicket([]byte(head + "\xa3\x01\x67classic\x02\x18\x64\x03\x41\x01")); err != nil {
		t.Error(err)
	}
}
