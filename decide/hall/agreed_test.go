package hall_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/core/day"
	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/hall"
	"drawhouse/internal/cases"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// TestPrizeWaitsForWitness pays a bingo once the witness that must agree to its result
// has, not before and not while the journal is disputed; and package verify refuses a
// journal in which it was paid before.
func TestPrizeWaitsForWitness(t *testing.T) {
	const seed = "a prize that waits"
	e := newEvening(t, seed, 1)
	_, err := e.Set(record.SessionSet{Day: day.MustParse("2026-11-15"), FeeCents: 10_00, BooksMax: 1,
		Series: []string{cards},
		Games:  []record.BingoPlan{{Prizes: []record.PatternPrize{{Pattern: record.PatternBingo, Cents: 100_00}}}}})
	e.must(err)
	_, err = e.Enter("ann", cards, 101, 101, 0)
	e.must(err)
	_, err = e.Issue(cards, 101, 101)
	e.must(err)
	e.plain(101)
	settled := e.Engine.State().Result()
	signer, cosigner := e.signers(seed)
	e.must(e.Engine.NameWitnesses(e.Tick(),
		record.WitnessesNamed{Witnesses: []record.Witness{{Name: cosigner.Name(), Key: cosigner.String(), Required: true}}}))

	payment := command.PayBingo{
		OfClaim: command.OfClaim{InGame: command.At(record.BingoGame{Hall: 1, Session: e.Session, Game: 1}), Claim: 1},
		Prize:   []command.MediumPart{{Medium: string(record.MediumCash), Cents: 100_00}},
	}
	e.refused(payment, "", hall.NotAgreed)
	e.must(e.Take())
	note, err := journal.SignCheckpoint(e.behind(settled), signer)
	e.must(err)
	line, err := cosigner.Cosign(e.behind(settled), 1_800_000_000)
	e.must(err)
	e.must(e.Engine.WitnessJournal(e.Tick(), append(note, line...), []string{cosigner.Name()}))
	e.refused(payment, "a witness disagrees", hall.Disputed)
	e.pay(1, 1, 100_00, 0)
	e.replays()
	e.verifies()

	last := len(e.Records) - 1
	if e.verifyPrefix(signer, last-1, e.Records[last]) == nil {
		t.Error("nobody sees that it was paid before the witness agreed")
	}
}

// signers returns the key of the house that a seed founds, and a witness.
func (e evening) signers(seed string) (journal.Signer, *witness.Cosigner) {
	e.t.Helper()
	skey, _, err := journal.GenerateKey(cases.NewScript(sha256.Sum256([]byte(seed))), "case.example")
	e.must(err)
	house, err := journal.ParseSigner(skey)
	e.must(err)
	skey, vkey, err := journal.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{60}, 32)), "alice.example")
	e.must(err)
	signer, err := journal.ParseSigner(skey)
	e.must(err)
	cosigner, err := witness.NewCosigner(signer, vkey)
	e.must(err)
	return house, cosigner
}

// behind returns the journal as it was just behind a record.
func (e evening) behind(place record.Place) journal.Checkpoint {
	tree := journal.NewTree()
	for _, data := range e.Records[:place.Seq+1] {
		tree.Append(data)
	}
	return journal.Checkpoint{Origin: journal.VolumeOrigin("case.example", 1), Size: tree.Size(), Root: tree.Root()}
}

func (e evening) refused(p command.PayBingo, disputed string, code refusal.Code) {
	e.t.Helper()
	_, err := e.Engine.Do(e.Tick(), p, command.Env{By: cases.Dealer, Disputed: disputed})
	var refused *refusal.Refusal
	if !errors.As(err, &refused) || refused.Code != code {
		e.t.Errorf("the payment ends with %v, want %s", err, code)
	}
}
