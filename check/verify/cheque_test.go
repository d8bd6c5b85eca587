package verify

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drawhouse/core/day"
	"drawhouse/decide/counter"
	"drawhouse/journal/record"
	rulebooks "drawhouse/rulebook/rules"
)

// TestChequesAreDueAsPromised works out until when a cheque must be there twice: as the house
// does, and here.
func TestChequesAreDueAsPromised(t *testing.T) {
	book, err := rulebooks.Book("tas-keno-2023")
	if err != nil {
		t.Fatal(err)
	}
	first := day.MustParse("2026-12-01")
	rapid.Check(t, func(t *rapid.T) {
		asked := record.Time(rapid.Int64Range(1_796_083_200_000, 1_798_761_600_000).Draw(t, "asked")) // December 2026
		offset := rapid.SampledFrom([]int32{0, 36_000, 39_600, -18_000}).Draw(t, "offset")
		var holidays []day.Day
		for _, n := range rapid.SliceOfN(rapid.Int32Range(0, 40), 0, 12).Draw(t, "holidays") {
			holidays = append(holidays, first+day.Day(n))
		}
		c := &checker{now: asked, tills: tills{cheques: cheques{holidays: holidays}}}
		want, ok := counter.ChequeDue(book, counter.SiteCheque, asked, offset,
			func(d day.Day) bool { return slices.Contains(holidays, d) })
		if got := c.endOfHours(24, offset); !ok || got != want {
			t.Fatalf("asked for at %v it is due at %v, and at %v by the house", asked.Time(), got.Time(), want.Time())
		}
	})
}

// TestChequeLies refuses what no honest house would record of a cheque.
func TestChequeLies(t *testing.T) {
	end, ticket := record.Place{Volume: 1, Seq: 8}, record.Place{Volume: 1, Seq: 4}
	who := bytes.Repeat([]byte{7}, 32)
	good := record.ChequePromised{End: end, Terminal: 3, Means: "site_cheque", Cents: 440_00, Due: 99,
		Tickets: []record.Place{ticket}, Payee: who}
	open := func() *checker {
		return &checker{
			log: theLog{volumes: []*volume{{number: 1}}}, seq: 9, level: record.LevelGuarded,
			people: people{persons: map[uint32]*member{
				1: {duties: []duty{{record.RoleWriter, 2}}}, 2: {duties: []duty{{record.RoleSenior, 5}}},
				3: {duties: []duty{{record.RoleOperative, 0}}}, 4: {duties: []duty{{record.RoleInspector, 0}}},
			}},
			tills: tills{cheques: cheques{
				ended: end,
				awaited: map[string]promise{"site_cheque": {terminal: 3, venue: 2, cents: 440_00, due: 99,
					tickets: []record.Place{ticket}, payee: who}},
			}},
		}
	}
	for name, change := range map[string]func(*record.ChequePromised){
		"of another session":    func(b *record.ChequePromised) { b.End.Seq-- },
		"of another terminal":   func(b *record.ChequePromised) { b.Terminal++ },
		"by other means":        func(b *record.ChequePromised) { b.Means = "cheque" },
		"of another amount":     func(b *record.ChequePromised) { b.Cents++ },
		"at another time":       func(b *record.ChequePromised) { b.Due++ },
		"to nobody":             func(b *record.ChequePromised) { b.Payee = nil },
		"to somebody else":      func(b *record.ChequePromised) { b.Payee = bytes.Repeat([]byte{8}, 32) },
		"for no ticket":         func(b *record.ChequePromised) { b.Tickets = nil },
		"for the session's end": func(b *record.ChequePromised) { b.Tickets = []record.Place{end} },
	} {
		lie := good
		change(&lie)
		if open().chequePromised(&lie) == nil {
			t.Errorf("a cheque %s was taken", name)
		}
	}
	c := open()
	if c.checkPromised(&record.SessionEnded{}) == nil {
		t.Error("a session ended by cheque, and nothing was promised")
	}
	if err := c.chequePromised(&good); err != nil {
		t.Fatal(err)
	}
	if err := c.checkPromised(&record.SessionEnded{}); err != nil {
		t.Error(err)
	}
	if c.chequePromised(&good) == nil {
		t.Error("a cheque was promised twice")
	}
	cheque := record.Place{Volume: 1, Seq: 9}
	if c.checkPayeeOut(record.Hash(who)) == nil || c.checkPayeeOut(record.Hash{8}) != nil {
		t.Error("the payee of a cheque that is promised is forgotten, or nobody else is")
	}
	for _, by := range []uint32{2, 4, 5} {
		if c.chequeHanded(&record.ChequeHanded{Cheque: cheque, By: by}) == nil {
			t.Errorf("person %d handed a cheque over", by)
		}
	}
	if c.chequeHanded(&record.ChequeHanded{Cheque: end, By: 1}) == nil {
		t.Error("a cheque was handed over that was never promised")
	}
	for _, by := range []uint32{1, 3} {
		c.tills.cheques.due[flat(cheque)] = promise{venue: 2}
		if err := c.chequeHanded(&record.ChequeHanded{Cheque: cheque, By: by}); err != nil {
			t.Error(err)
		}
	}
	if c.chequeHanded(&record.ChequeHanded{Cheque: cheque, By: 1}) == nil {
		t.Error("a cheque was handed over twice")
	}
}
