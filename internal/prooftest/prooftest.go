// Package prooftest makes a ticket with everything that can be brought to prove it,
// and damaged copies of that, for the tests of those who check proofs.
package prooftest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"drawhouse/check/proof"
	"drawhouse/check/witness"
	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/core/ledger"
	"drawhouse/core/serial"
	"drawhouse/games/draw"
	"drawhouse/games/keno"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// The place of the ticket among the records under the seal. They are so many that
// the bitmap has several chunks.
const (
	size  = 9000
	first = 10
	seq   = 5003
)

// A Case is a proof with evidence, and what is to come of it.
type Case struct {
	Name     string
	Proof    []byte
	Evidence proof.Evidence
	Failure  string // the sentence, or empty
}

// An Archive is one sealed game with one ticket.
type Archive struct {
	t      testing.TB
	tree   *journal.Tree
	tiles  tiles
	record []byte
	body   journal.SealBody
	bitmap *journal.Bitmap

	house, device journal.Signer
	log           journal.Signer
	cosigner      *witness.Cosigner   // the first of the three
	cosigners     []*witness.Cosigner // of the public log
	claim         serial.ClaimCode

	// The public keys, as a player knows them.
	HouseKey, DeviceKey, LogKey, WitnessKey string
}

type tiles map[[2]uint64][]byte

func (m tiles) ReadTile(level uint8, index uint64) ([]byte, error) {
	if data, ok := m[[2]uint64{uint64(level), index}]; ok {
		return data, nil
	}
	return nil, fmt.Errorf("no tile %d/%d", level, index)
}

// New makes the archive, the same every time.
func New(t testing.TB) *Archive {
	t.Helper()
	a := &Archive{t: t, tree: journal.NewTree(), tiles: tiles{}}
	a.house, a.HouseKey = a.key("drawhouse.example")
	a.device, a.DeviceKey = a.key("drawhouse.example/device")
	a.log, a.LogKey = a.key(journal.LogOrigin("drawhouse.example", 1))
	for _, name := range []string{"inspector.example", "university.example", "paper.example"} {
		signer, vkey := a.key(name)
		cosigner, err := witness.NewCosigner(signer, vkey)
		a.check(err)
		a.cosigners = append(a.cosigners, cosigner)
	}
	a.cosigner = a.cosigners[0]
	a.WitnessKey = a.cosigner.String()
	var err error
	a.claim, err = serial.NewClaimCode(strings.NewReader("0123456789"))
	a.check(err)
	a.record = a.ticket()
	for i := range size {
		data := fmt.Appendf(nil, "record %d", i)
		if i == seq {
			data = a.record
		}
		a.tree.Append(data)
	}
	for _, tile := range a.tree.TakeTiles() {
		a.tiles[[2]uint64{uint64(tile.Level), tile.Index}] = tile.Data
	}
	a.seal()
	return a
}

func (a *Archive) check(errs ...error) {
	a.t.Helper()
	if err := errors.Join(errs...); err != nil {
		a.t.Fatal(err)
	}
}

func (a *Archive) key(name string) (journal.Signer, string) {
	a.t.Helper()
	secret, public, err1 := journal.GenerateKey(strings.NewReader(strings.Repeat(name, 32)), name)
	signer, err2 := journal.ParseSigner(secret)
	a.check(err1, err2)
	return signer, public
}

// ticket is the record of a ticket with one plain bet and one of two groups.
func (a *Archive) ticket() []byte {
	a.t.Helper()
	at, err := day.Parse("2026-11-15")
	a.check(err)
	set := func(numbers ...int) ball.Set { return ball.MustOf(ball.Keno, numbers...) }
	ticket := keno.Ticket{Rulebook: "vic-keno-2015", First: keno.GameRef{Day: at, Game: 416}, Games: 10,
		Bets: []keno.Bet{
			{Bet: "classic", Spots: set(3, 17, 42, 56, 80), Stake: 100},
			{Bet: "classic", Groups: []ball.Set{set(1, 2), set(79, 80)}, Play: keno.Play{Kind: keno.PlayAll},
				Stake: 123_400},
		}}
	encoded, err := ticket.AppendCBOR(nil)
	a.check(err)
	sold := &record.TicketSold{
		Request: record.Request{Terminal: 2, Number: 12}, Session: 1, Method: "form", Series: 1, Ordinal: 416,
		Ticket: encoded, Ways: 4, CostCents: 1_235_000, Claim: record.Hash(a.claim.Hash(2, 12)),
	}
	data, err := record.Encode(record.Record{
		Time: record.Of(time.Date(2026, 11, 15, 3, 4, 5, 6e6, time.UTC)), Body: sold,
		Postings: []ledger.Posting{ledger.Debit(ledger.Cash, 1, 1_235_000),
			ledger.Debit(ledger.Unplayed, 0, -1_235_000)},
	})
	a.check(err)
	return data
}

func (a *Archive) seal() {
	a.t.Helper()
	bits, err := journal.NewBitmapBuilder(first, size-first)
	a.check(err)
	for i := uint64(first); i < size; i += 7 {
		a.check(bits.Set(i))
	}
	a.check(bits.Set(seq))
	a.bitmap = bits.Build()
	a.body = journal.SealBody{
		Checkpoint: journal.Checkpoint{Origin: journal.VolumeOrigin("drawhouse.example", 1), Size: size,
			Root: a.tree.Root()},
		Game:  journal.Game{Series: "vic-keno", Day: "2026-11-15", Number: 417},
		Plays: a.bitmap.Count(), StakesCents: 1_234_567, Open: []journal.Span{a.bitmap.Span(1)},
	}
}

// note signs a seal.
func (a *Archive) note(body journal.SealBody, signer journal.Signer) []byte {
	a.t.Helper()
	msg, err := journal.SignSeal(body, signer)
	a.check(err)
	return msg
}

// answer is a proof as the API gives it; a field may be left out.
type answer struct {
	Record    string   `json:"record"`
	LeafHash  string   `json:"leaf_hash"`
	Seq       *uint64  `json:"seq,omitempty"`
	Inclusion []string `json:"inclusion"`
	Seal      string   `json:"seal"`
	Bit       *bit     `json:"bit,omitempty"`
	Volumes   []volume `json:"volumes,omitempty"`
	LogProof  string   `json:"log_proof,omitempty"`
	Unlogged  string   `json:"unlogged,omitempty"`
}

type bit struct {
	Chunk string   `json:"chunk"`
	Index uint64   `json:"index"`
	Path  []string `json:"path"`
}

// setRecord puts a record with its hash into a proof.
func (p *answer) setRecord(data []byte) {
	p.Record, p.LeafHash = base64.StdEncoding.EncodeToString(data), journal.LeafHash(data).String()
}

func bitOf(p journal.BitProof) *bit {
	return &bit{Chunk: base64.StdEncoding.EncodeToString(p.Chunk), Index: p.Index, Path: texts(p.Path)}
}

// proof returns the proof of the ticket, changed by edit.
func (a *Archive) proof(edit func(*answer)) []byte {
	a.t.Helper()
	inclusion, err1 := journal.ProveRecord(seq, size, journal.NewReader(a.tree, a.tiles))
	bit, err2 := a.bitmap.Prove(seq)
	a.check(err1, err2)
	p := answer{Seq: new(uint64(seq)), Inclusion: texts(inclusion), Seal: string(a.note(a.body, a.house)),
		Bit: bitOf(bit)}
	p.setRecord(a.record)
	if edit != nil {
		edit(&p)
	}
	data, err := json.MarshalIndent(p, "", "  ")
	a.check(err)
	return data
}

func texts(path journal.RecordProof) []string {
	list := make([]string, len(path))
	for i, h := range path {
		list[i] = h.String()
	}
	return list
}

// receipt returns the answer to the sale.
func (a *Archive) receipt(leaf journal.Hash, signer journal.Signer) []byte {
	a.t.Helper()
	c := journal.Checkpoint{Origin: a.body.Checkpoint.Origin, Size: seq + 1, Root: leaf}
	msg, err := journal.SignCheckpoint(c, signer)
	a.check(err)
	data, err := json.Marshal(map[string]any{"serial": "4194091604387280", "place": fmt.Sprintf("1:%d", seq),
		"leaf_hash": leaf.String(), "checkpoint": string(msg)})
	a.check(err)
	return data
}

// checkpoint returns a checkpoint, cosigned if a cosigner is given.
func (a *Archive) checkpoint(c journal.Checkpoint, cosigner *witness.Cosigner) []byte {
	a.t.Helper()
	msg, err := journal.SignCheckpoint(c, a.house)
	a.check(err)
	if cosigner != nil {
		line, err := cosigner.Cosign(c, 1_794_711_900)
		a.check(err)
		msg = append(msg, line...)
	}
	return msg
}

// draw returns the device's statement of the numbers 1 to 20 under a seal.
func (a *Archive) draw(seal journal.Hash) []byte {
	a.t.Helper()
	numbers := make([]int, 20)
	for i := range numbers {
		numbers[i] = 20 - i
	}
	drawn, err := ball.NewSequence(ball.Keno, numbers...)
	a.check(err)
	msg, err := journal.SignNote(draw.Result{Device: "rng", Game: a.body.Game, Revision: 1, Seal: seal,
		Numbers: drawn}.Marshal(), a.device)
	a.check(err)
	return msg
}

// Full is the proof with all evidence but the claim code.
func (a *Archive) Full() Case {
	logged := a.proof(func(p *answer) { p.LogProof = string(a.logProof(a.logged(), nil)) })
	return Case{Name: "everything", Proof: logged, Evidence: proof.Evidence{
		HouseKey: a.HouseKey, Receipt: a.receipt(journal.LeafHash(a.record), a.house), Seal: a.note(a.body, a.house),
		Fingerprint: a.body.Fingerprint(), Checkpoint: a.checkpoint(a.body.Checkpoint, a.cosigner),
		WitnessKeys: []string{a.WitnessKey}, LogKey: a.LogKey,
		Draw: a.draw(a.body.Hash()), DeviceKey: a.DeviceKey,
	}}
}

// ClaimCode returns the claim code of the ticket.
func (a *Archive) ClaimCode() string { return a.claim.String() }

// Story is the story of the ticket as far as the archive has one: its sale, and the game
// under whose seal it is.
func (a *Archive) Story() *proof.Story {
	a.t.Helper()
	inclusion, err := journal.ProveRecord(seq, size, journal.NewReader(a.tree, a.tiles))
	a.check(err)
	place := fmt.Sprintf("1:%d", seq)
	return &proof.Story{
		House: "drawhouse.example", Serial: "4194091604387280", Place: place,
		Made:       time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC),
		Checkpoint: string(a.checkpoint(a.body.Checkpoint, nil)),
		Entries: []proof.Entry{{Place: place, Record: base64.StdEncoding.EncodeToString(a.record),
			Inclusion: texts(inclusion)}},
		Games: []proof.Game{{Series: 1, Ordinal: 417, Day: a.body.Game.Day, Number: uint16(a.body.Game.Number),
			Proof: a.proof(nil)}},
	}
}

// SignStory signs a story as the house does, whatever it says.
func (a *Archive) SignStory(s *proof.Story) ([]byte, error) { return s.Sign(a.house) }
