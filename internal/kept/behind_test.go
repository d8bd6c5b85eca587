package kept

import (
	"bytes"
	"strings"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/decide/state"
	"drawhouse/internal/cases"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// behindScenario is what no line of a scenario does, by the name of the journal: what the program does by itself, what
// needs a register, and what others sign.
var behindScenario = map[string]func(*testing.T, *cases.Core){
	"vic-keno-2015_counter-1": func(t *testing.T, core *cases.Core) {
		people(t, core)
		admin := administrators(t, core)[0]
		must(t, command.Outcome(core.DoesAs(admin, command.SetCard{Card: 2, Status: "closed", Reason: "she asked for it"})))
		must(t, command.Outcome(core.DoesAs(admin, command.EraseHolder{Card: 2})))
		witnessed(t, core)
		now := core.Engine.State().Now() + 1000
		_, err := core.Engine.NameBuild(now, record.BuildNamed{Build: "drawhouse kept", Binary: record.Hash{1}})
		must(t, err)
		terminal, _ := core.Engine.State().Terminal(3)
		_, err = core.Engine.Abandon(now, 3, terminal.Last.Number+1)
		must(t, err)
	},
	"tas-keno-2023_state-1": func(t *testing.T, core *cases.Core) {
		admin := administrators(t, core)[0]
		for _, cheque := range core.Engine.State().Cheques() {
			must(t, command.Outcome(core.DoesAs(admin, command.HandCheque{Cheque: command.Place(cheque.Place)})))
			must(t, command.Outcome(core.DoesAs(admin, command.ErasePayee{Payee: command.Payee(cheque.Payee)})))
		}
	},
	"tas-keno-2023_state-3": func(t *testing.T, core *cases.Core) {
		const successor = 2
		act, admins := command.MigrateBonus{From: 1, Reference: "letter 11"}, administrators(t, core)
		now := core.Engine.State().Now() + 1000
		asked, err := core.Engine.Ask(now, command.As(successor, admins[0]), act)
		must(t, err)
		must(t, core.Staff(staff.Consent{By: admins[1], Approval: asked, Content: command.Content(successor, act),
			Granted: true}))
		_, err = core.Engine.Operate(now+10_000, command.As(successor, admins[0]), asked)
		must(t, err)
	},
	"nsw-bingo-2019_room-3": bingoWitnessed,
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// administrators are the two persons who have agreed in a scenario.
func administrators(t *testing.T, core *cases.Core) (ids []uint32) {
	t.Helper()
	for _, p := range core.Engine.State().People().Persons() {
		if p.HasAny(record.RoleAdministrator) {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) < 2 {
		t.Fatal("the house has no two administrators")
	}
	return ids
}

// people brings an operator, a venue and a person, who is invited, locked, and forgotten.
func people(t *testing.T, core *cases.Core) {
	t.Helper()
	admins := administrators(t, core)
	by, other := admins[0], admins[1]
	do := func(c staff.Command) record.Body {
		t.Helper()
		made, err := core.Engine.Do(core.Engine.State().Now()+1000, command.Change{Command: c}, command.Env{})
		must(t, err)
		return made
	}
	do(staff.AddOperator{By: by, Operator: 1, Name: "Harbour Hotels", Licence: "L 1"})
	do(staff.AddVenue{By: by, Kind: "hotel", Name: "New Inn", Operator: 1})
	grant := state.Grant{Role: record.RoleWriter, Venue: 1}
	person := staff.NumberOf(do(staff.AddPerson{By: by, Details: record.Hash{7}, Grants: []state.Grant{grant}}))
	do(staff.Invite{By: by, Person: person})
	do(staff.SetPassword{By: by, Person: person, Secret: record.Hash{8}})
	do(staff.Recover{Person: other, Secret: record.Hash{9}, Reason: "the key was lost"})
	do(staff.Lock{By: by, Person: person, Until: core.Engine.State().Now() + 1_000_000, Reason: "three wrong passwords"})
	do(staff.WithdrawRole{By: by, Person: person, Grant: grant})
	erase := staff.Erase{By: by, Person: person, Reason: "left"}
	asked, ok := do(staff.Request{By: by, Action: staff.ActionErase, Content: erase.Content(),
		Erases: erase}).(*record.ApprovalRequested)
	if !ok {
		t.Fatal("an erasure was not asked for")
	}
	do(staff.Consent{By: other, Approval: asked.Approval, Content: erase.Content(), Granted: true})
	erase.Approval = asked.Approval
	do(erase)
}

// cosigner is a witness.
func cosigner(t *testing.T) (*witness.Cosigner, record.WitnessesNamed) {
	t.Helper()
	const name = "others.example"
	private, public, err := journal.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{9}, 32)), name)
	must(t, err)
	signer, err := journal.ParseSigner(private)
	must(t, err)
	c, err := witness.NewCosigner(signer, public)
	must(t, err)
	return c, record.WitnessesNamed{Witnesses: []record.Witness{{Name: name, Key: c.String()}}}
}

// cosigned returns a seal with the cosignature of a witness.
func cosigned(t *testing.T, c *witness.Cosigner, seal []byte, at record.Time) []byte {
	t.Helper()
	text, _, _ := strings.Cut(string(seal), "\n\n")
	parsed, err := journal.ParseSeal(text + "\n")
	must(t, err)
	line, err := c.Cosign(parsed.Checkpoint, int64(at/1000))
	must(t, err)
	return append(bytes.Clone(seal), line...)
}

// witnessed has a witness cosign the seal of the game on sale and the journal behind its result.
func witnessed(t *testing.T, core *cases.Core) {
	t.Helper()
	c, named := cosigner(t)
	must(t, core.Engine.NameWitnesses(core.Engine.State().Now()+1000, named))
	series, _ := core.Engine.State().Series(1)
	ordinal := series.Newest().Ordinal
	core.SetClock(core.Engine.State().Now().Time())
	must(t, core.CloseGame())
	must(t, core.Take()) // which signs the seal
	g, _ := series.Game(ordinal)
	now := core.Engine.State().Now()
	must(t, core.Engine.WitnessGame(now, 1, ordinal, cosigned(t, c, g.Seal, now), []string{c.Name()}))
	must(t, core.Draw(ordinal, nil))
	must(t, core.Take())
	checkpoint, err := journal.UnverifiedCheckpoint(core.Checkpoint)
	must(t, err)
	now = core.Engine.State().Now()
	line, err := c.Cosign(checkpoint, int64(now/1000))
	must(t, err)
	must(t, core.Engine.WitnessJournal(now, append(bytes.Clone(core.Checkpoint), line...), []string{c.Name()}))
	must(t, core.OpenGame())
}

// bingoWitnessed has a witness cosign the seal of the bingo game that is announced.
func bingoWitnessed(t *testing.T, core *cases.Core) {
	t.Helper()
	c, named := cosigner(t)
	must(t, core.Engine.NameWitnesses(core.Engine.State().Now()+1000, named))
	must(t, core.Take())
	ref := record.BingoGame{Hall: 1, Session: 1, Game: 1}
	hall, _ := core.Engine.State().Hall(ref.Hall)
	session, _ := hall.Session(ref.Session)
	now := core.Engine.State().Now()
	seal := cosigned(t, c, session.Games[ref.Game-1].Seal, now)
	must(t, core.Does(command.WitnessBingo{InGame: command.At(ref), Seal: seal, Names: []string{c.Name()}}))
}
