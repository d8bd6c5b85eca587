package counter_test

import (
	"os"
	"path/filepath"
	"testing"

	"drawhouse/core/day"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal/record"
	"drawhouse/rulebook/rules"
)

// TestErase: an administrator has the holder of a closed card and a payee forgotten, once;
// nobody else has anybody forgotten, and nobody is forgotten who is needed.
func TestErase(t *testing.T) {
	book, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	core, err := cases.NewCore(cases.Founding{Book: book, Schedule: book.Schedules()[0].ID(),
		Begin: cases.Noon(day.MustParse("2026-11-15")), Seed: t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	now := core.Engine.State().Now()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	add := func(role record.Role) uint32 {
		id := core.Engine.State().People().NextPerson()
		must(core.Staff(staff.AddPerson{Details: record.Hash{byte(id)}, Grants: []state.Grant{{Role: role}}}))
		return id
	}
	admin, supervisor := add(record.RoleAdministrator), add(record.RoleSupervisor)
	for _, holder := range []record.Hash{{5}, {6}} {
		_, err := core.DoesAs(admin, command.RegisterCard{Holder: command.Customer{Born: "1990-01-01"}, Details: holder})
		must(err)
	}
	must(command.Outcome(core.Engine.Do(now, command.SetCard{Card: 1, Status: "closed", Reason: "own wish"},
		command.As(1, admin))))
	holder := func(card, by uint32) error {
		return command.Outcome(core.DoesAs(by, command.EraseHolder{Card: card}))
	}
	payee := func(first byte, by uint32) error {
		return command.Outcome(core.DoesAs(by, command.ErasePayee{Payee: command.Payee{first}}))
	}
	size := core.Engine.Size()
	for what, c := range map[string]struct {
		err  error
		want string
	}{
		"no card": {holder(3, admin), "card_unknown "}, "an open card": {holder(2, admin), "card_open "},
		"by a supervisor": {holder(1, supervisor), "not_allowed "}, "by nobody there": {holder(1, 9_999), "not_allowed "},
		"no payee": {payee(0, admin), "payee_unknown "}, "a holder as a payee": {payee(6, admin), "payee_unknown "},
		"a payee by a supervisor": {payee(7, supervisor), "not_allowed "},
	} {
		if got := said(c.err); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
	if core.Engine.Size() != size {
		t.Error("a refused erasure left a record")
	}
	must(holder(1, admin))
	must(payee(7, admin))
	erased := core.Engine.Size()
	must(holder(1, admin))
	must(payee(7, admin))
	if core.Engine.Size() != erased {
		t.Error("an erasure that is repeated left a record")
	}
	s := core.Engine.State()
	if card, _ := s.Card(1); card.Erased.By != admin ||
		s.PayeeErased(record.Hash{7}) != (state.Erasure{At: s.Now(), By: admin}) || s.PayeeErased(record.Hash{8}).Done() {
		t.Errorf("the card has %+v, the payee %+v", card.Erased, s.PayeeErased(record.Hash{7}))
	}
	for status, want := range map[record.CardStatus]string{record.CardActive: "card_unheld ", record.CardClosed: "ok"} {
		if got := said(command.Outcome(core.Engine.Do(now, command.SetCard{Card: 1, Status: string(status), Reason: "again"},
			command.As(1, admin)))); got != want {
			t.Errorf("a card that nobody holds becomes %s: %s, want %s", status, got, want)
		}
	}
	report, err := core.Verify()
	must(err)
	if report.Failure != nil {
		t.Error(report.Failure)
	}
}

// toldCore is the house at the end of a scenario, and an administrator there.
func toldCore(t *testing.T, rulebook, scenario string) (core *cases.Core, admin uint32) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, rulebook, "cases")
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(path, "story.txt"), []byte(scenario), 0o644); err != nil {
		t.Fatal(err)
	}
	files, err := cases.ReadAll(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := files[0].Run(files[0].Scenarios[0], func(f cases.Founding) (cases.House, error) {
		core, err = cases.NewCore(f)
		return core, err
	}); err != nil {
		t.Fatal(err)
	}
	admin = core.Engine.State().People().NextPerson()
	if err := core.Staff(staff.AddPerson{Details: record.Hash{byte(admin)},
		Grants: []state.Grant{{Role: record.RoleAdministrator}}}); err != nil {
		t.Fatal(err)
	}
	return core, admin
}

// TestPayeeOfAChequeStays: the payee of a cheque is forgotten when the cheque is handed over, and not before.
func TestPayeeOfAChequeStays(t *testing.T) {
	core, admin := toldCore(t, "tas-keno-2023", `
house
sell A at T1 standard 1-3 @ 10.00
play 1-20
next T1
pay A at T1 -> $440.00
settle T1 pay site_cheque payee checked -> site_cheque -$440.00
`)
	cheque := core.Engine.State().Cheques()[0]
	erase := func() string {
		return said(command.Outcome(core.DoesAs(admin, command.ErasePayee{Payee: command.Payee(cheque.Payee)})))
	}
	if got := erase(); got != "payee_needed 13.10" {
		t.Errorf("the payee of a cheque that is promised: %s", got)
	}
	if err := command.Outcome(core.DoesAs(admin, command.HandCheque{Cheque: command.Place(cheque.Place)})); err != nil {
		t.Fatal(err)
	}
	if got := erase(); got != "ok" {
		t.Errorf("the payee of a cheque that was handed over: %s", got)
	}
}

// TestPayeeOfAPaperStays: nobody is forgotten to whom a voucher is made out that is out, as a payee or as
// a claimant. Who has no voucher any more is forgotten.
func TestPayeeOfAPaperStays(t *testing.T) {
	const out = `
house other=casino
sell A at T1 standard 1-5 @ 9.00
sell B at T1 standard 1-5 @ 9.00
play 1-20
next T1
pay A at T1
settle T1 payee = V -> cash -$300.00, central_voucher -$4,398.00
`
	core, admin := toldCore(t, "tas-keno-2023", out)
	who := core.Engine.State().Papers()[0].Payee
	if got := said(command.Outcome(core.DoesAs(admin,
		command.ErasePayee{Payee: command.Payee(who)}))); got != "payee_needed 13.2" {
		t.Errorf("the payee of a voucher that is out: %s", got)
	}
	core, admin = toldCore(t, "tas-keno-2023", out+"settle T3 with V payee -> paper $4,398.00, cash -$4,398.00\n")
	for range 2 {
		if got := said(command.Outcome(core.DoesAs(admin, command.ErasePayee{Payee: command.Payee(who)}))); got != "ok" {
			t.Errorf("the payee of a voucher that was paid: %s", got)
		}
	}
	const claimed = out + `next T1
pay B at T1
settle T1 payee = W -> cash -$300.00, central_voucher -$4,398.00
claim V lost -> claim 1 of $4,398.00
`
	for name, c := range map[string]struct{ goesOn, want string }{
		"another voucher is out": {"decide 1 refused\n", "payee_needed 13.2"},
		"another claim is open":  {"decide 1 refused\nclaim W lost\n", "claim_open 15.1"},
		"no voucher is out":      {"decide 1 refused\nsettle T3 with W payee\nsettle T3 with V payee\n", "ok"},
		"the claim may be paid":  {"", "claim_open 15.1"},
	} {
		core, admin := toldCore(t, "tas-keno-2023", claimed+c.goesOn)
		if got := said(command.Outcome(core.DoesAs(admin,
			command.EraseClaimant{OfForm: command.OfForm{Claim: 1}}))); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
