package prooftest

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"drawhouse/check/proof"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// later is the same ticket in a game that was sealed two volumes later: the house has
// another key from volume 2 on.
type later struct {
	a       *Archive
	house   journal.Signer
	key     string
	volumes []volume
	body    journal.SealBody
}

// newLater makes it. The key of volume 1 signs for the new one, unless it is lost.
func (a *Archive) newLater(lost bool) *later {
	a.t.Helper()
	l := &later{a: a}
	secret, public, err1 := journal.GenerateKey(strings.NewReader(strings.Repeat("another key", 3)),
		"drawhouse.example")
	signer, err2 := journal.ParseSigner(secret)
	a.check(err1, err2)
	l.house, l.key = signer, public
	before := &record.VolumeBegun{House: "drawhouse.example", Volume: 1, HouseKey: a.HouseKey}
	at, outgoing := a.body.Checkpoint, a.house
	for volume := uint16(2); volume <= 3; volume++ {
		begun := &record.VolumeBegun{
			House: "drawhouse.example", Volume: volume, Level: 1, Build: "test", HouseKey: public,
			DeviceKey: a.DeviceKey,
			Reason:    record.ReasonKeys, Previous: a.signed(at, outgoing), StateForm: 1, State: make([]byte, 32),
		}
		body, err := begun.Statement(before)
		a.check(err)
		handing := outgoing
		if lost && volume == 2 {
			handing = nil
		}
		begun.Handover, err = journal.SignVolume(body, signer, handing)
		a.check(err)
		at = l.begin(begun)
		before, outgoing = begun, signer
	}
	l.body = journal.SealBody{
		Checkpoint: at, Game: a.body.Game, Plays: a.body.Plays, StakesCents: a.body.StakesCents, Open: a.body.Open,
	}
	return l
}

// volume is the beginning of a volume as the API gives it.
type volume struct {
	Record    string   `json:"record"`
	Inclusion []string `json:"inclusion"`
}

// begin adds a volume of some records and returns where it has come to.
func (l *later) begin(begun *record.VolumeBegun) journal.Checkpoint {
	l.a.t.Helper()
	data, err := record.Encode(record.Record{Time: 1_794_712_000_000, Body: begun})
	l.a.check(err)
	tree := journal.NewTree()
	tree.Append(data)
	for i := range 4 {
		tree.Append(fmt.Appendf(nil, "record %d of volume %d", i, begun.Volume))
	}
	path, err := journal.ProveRecord(0, tree.Size(), journal.NewReader(tree, tiles{}))
	l.a.check(err)
	l.volumes = append(l.volumes, volume{base64.StdEncoding.EncodeToString(data), texts(path)})
	return journal.Checkpoint{Origin: begun.Origin(), Size: tree.Size(), Root: tree.Root()}
}

// signed signs a checkpoint.
func (a *Archive) signed(c journal.Checkpoint, signer journal.Signer) []byte {
	a.t.Helper()
	msg, err := journal.SignCheckpoint(c, signer)
	a.check(err)
	return msg
}

// proof returns the proof across the volumes, changed by edit.
func (l *later) proof(edit func(*answer)) []byte {
	return l.a.proof(func(p *answer) {
		p.Seal = string(l.a.note(l.body, l.house))
		for _, v := range l.volumes {
			p.Volumes = append(p.Volumes, volume{v.Record, slices.Clone(v.Inclusion)})
		}
		if edit != nil {
			edit(p)
		}
	})
}

// acrossVolumes has proofs of the ticket in a game of volume 3.
func (a *Archive) acrossVolumes() []Case {
	a.t.Helper()
	l, lost := a.newLater(false), a.newLater(true)
	receipt := a.receipt(journal.LeafHash(a.record), a.house) // with the key of volume 1
	cases := []Case{
		{Name: "two volumes later, by the old key", Proof: l.proof(nil),
			Evidence: proof.Evidence{HouseKey: a.HouseKey, Receipt: receipt, Seal: a.note(l.body, l.house)}},
		{Name: "two volumes later, by the new key", Proof: l.proof(nil),
			Evidence: proof.Evidence{HouseKey: l.key, Receipt: receipt, Fingerprint: l.body.Fingerprint()}},
		{Name: "the old key lost, by the new key", Proof: lost.proof(nil),
			Evidence: proof.Evidence{HouseKey: lost.key}},
	}
	const (
		unreadable = "The proof cannot be read."
		astray     = "The volumes do not lead from the ticket to the seal."
		unsigned   = "The key that you gave did not sign for the one of the seal."
	)
	for _, e := range []struct {
		name, want string
		of         *later
		key        string
		edit       func(*answer)
	}{
		{"the old key lost, by the old key", unsigned, lost, a.HouseKey, nil},
		{"volumes, by somebody else's key", unsigned, l, a.DeviceKey, nil},
		{"volumes, and no ticket's volume", "The record is not shown to be in the sealed journal.", l, l.key,
			func(p *answer) { p.Volumes = p.Volumes[1:] }},
		{"no volumes", "The record is not shown to be in the sealed journal.", l, l.key, func(p *answer) { p.Volumes = nil }},
		{"the last volume left out", astray, l, l.key, func(p *answer) { p.Volumes = p.Volumes[:1] }},
		{"volumes in the wrong order", astray, l, l.key, func(p *answer) { slices.Reverse(p.Volumes) }},
		{"a volume's path changed", astray, l, l.key,
			func(p *answer) { p.Volumes[1].Inclusion[0] = journal.EmptyRoot().String() }},
		{"a volume of another house", astray, l, l.key, func(p *answer) { p.Volumes[0].Record = lost.volumes[0].Record }},
		{"a ticket as a volume", unreadable, l, l.key, func(p *answer) { p.Volumes[0].Record = p.Record }},
		{"a volume in bad base64", unreadable, l, l.key, func(p *answer) { p.Volumes[0].Record = "?" }},
		{"a volume whose note is another's", "The beginning of a volume contradicts itself.", l, l.key,
			func(p *answer) { p.Volumes[0].Record = l.exchanged() }},
	} {
		cases = append(cases, Case{e.name, e.of.proof(e.edit), proof.Evidence{HouseKey: e.key}, e.want})
	}
	return cases
}

// exchanged is the beginning of volume 2 with the note of volume 3.
func (l *later) exchanged() string {
	l.a.t.Helper()
	var begun [2]*record.VolumeBegun
	for i, v := range l.volumes {
		data, err := base64.StdEncoding.DecodeString(v.Record)
		l.a.check(err)
		r, err := record.Decode(data)
		l.a.check(err)
		var ok bool
		if begun[i], ok = r.Body.(*record.VolumeBegun); !ok {
			l.a.t.Fatalf("a record of %v begins a volume", r.Kind())
		}
	}
	begun[0].Handover = begun[1].Handover
	data, err := record.Encode(record.Record{Time: 1_794_712_000_000, Body: begun[0]})
	l.a.check(err)
	return base64.StdEncoding.EncodeToString(data)
}
