package prooftest

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"drawhouse/check/proof"
	"drawhouse/journal"
)

// Cases returns sound proofs, with much evidence and with little, and proofs of
// which one thing is damaged.
func (a *Archive) Cases() []Case {
	a.t.Helper()
	key := proof.Evidence{HouseKey: a.HouseKey}
	cases := []Case{
		a.Full(),
		{Name: "the proof alone", Proof: a.proof(nil), Evidence: key},
		{Name: "a fingerprint in capitals", Proof: a.proof(nil),
			Evidence: proof.Evidence{HouseKey: a.HouseKey,
				Fingerprint: " " + strings.ToUpper(strings.ReplaceAll(a.body.Fingerprint(), "-", " ")) + "\n"}},
	}
	return slices.Concat(cases, a.damagedProofs(key), a.damagedEvidence(), a.acrossVolumes(), a.inTheLog())
}

// damagedProofs has proofs that the house, or somebody between, altered.
func (a *Archive) damagedProofs(key proof.Evidence) []Case {
	a.t.Helper()
	other := bytes.Replace(a.record, []byte("classic"), []byte("clossic"), 1)
	tampered := strings.Replace(string(a.note(a.body, a.house)), "stakes-cents 1234567", "stakes-cents 1234568", 1)
	bits := a.clearBitmap()
	empty := a.body
	empty.Open = []journal.Span{bits.Span(1)}
	without, err := bits.Prove(seq)
	a.check(err)
	hash := journal.EmptyRoot().String()
	const (
		unreadable   = "The proof cannot be read."
		notSigned    = "The seal is not signed by the house's key."
		otherRecord  = "The record is not the one whose hash the proof states."
		notInJournal = "The record is not shown to be in the sealed journal."
		noBit        = "The ticket's bit is not shown by the seal."
	)
	edits := []struct {
		name, want string
		edit       func(*answer)
	}{
		{"no seq", unreadable, func(p *answer) { p.Seq = nil }},
		{"no bit", unreadable, func(p *answer) { p.Bit = nil }},
		{"bad base64", unreadable, func(p *answer) { p.Record = "?" }},
		{"a seal changed", notSigned, func(p *answer) { p.Seal = tampered }},
		{"a seal by somebody else", notSigned, func(p *answer) { p.Seal = string(a.note(a.body, a.device)) }},
		{"a checkpoint as the seal", "What the house signed is not a seal.",
			func(p *answer) { p.Seal = string(a.checkpoint(a.body.Checkpoint, nil)) }},
		{"another record", otherRecord, func(p *answer) { p.Record = base64.StdEncoding.EncodeToString(other) }},
		{"another record with its hash", notInJournal, func(p *answer) { p.setRecord(other) }},
		{"another place", notInJournal, func(p *answer) { *p.Seq = seq + 1 }},
		{"a place behind the journal", notInJournal, func(p *answer) { *p.Seq = size }},
		{"a hash of the path changed", notInJournal, func(p *answer) { p.Inclusion[3] = hash }},
		{"a path too short", notInJournal, func(p *answer) { p.Inclusion = p.Inclusion[1:] }},
		{"a path too long", notInJournal, func(p *answer) { p.Inclusion = append(p.Inclusion, hash) }},
		{"another chunk", noBit, func(p *answer) {
			p.Bit.Chunk = base64.StdEncoding.EncodeToString(without.Chunk)
		}},
		{"a chunk cut", noBit, func(p *answer) {
			p.Bit.Chunk = base64.StdEncoding.EncodeToString(without.Chunk[1:])
		}},
		{"another chunk's index", noBit, func(p *answer) { p.Bit.Index = 0 }},
		{"the chunk's path changed", noBit, func(p *answer) { p.Bit.Path[0] = hash }},
		{"a ticket that does not play", "The ticket is shown not to play in this game.", func(p *answer) {
			p.Seal = string(a.note(empty, a.house))
			p.Bit = bitOf(without)
		}},
	}
	cases := []Case{{"not JSON", []byte("{"), key, unreadable}}
	for _, e := range edits {
		cases = append(cases, Case{e.name, a.proof(e.edit), key, e.want})
	}
	return append(cases, a.wrongRecord(key))
}

// wrongRecord proves a record that is no ticket.
func (a *Archive) wrongRecord(key proof.Evidence) Case {
	a.t.Helper()
	data := []byte("record 5004")
	inclusion, err := journal.ProveRecord(seq+1, size, journal.NewReader(a.tree, a.tiles))
	a.check(err)
	p := a.proof(func(p *answer) {
		p.setRecord(data)
		*p.Seq, p.Inclusion = seq+1, texts(inclusion)
	})
	return Case{"a record of something else", p, key, "The record is not of a ticket."}
}

// clearBitmap is the bitmap without the ticket.
func (a *Archive) clearBitmap() *journal.Bitmap {
	a.t.Helper()
	bits, err := journal.NewBitmapBuilder(first, size-first)
	a.check(err)
	for i := uint64(first); i < size; i += 7 {
		if i != seq {
			a.check(bits.Set(i))
		}
	}
	return bits.Build()
}

// damagedEvidence has a sound proof and evidence that does not fit it.
func (a *Archive) damagedEvidence() []Case {
	a.t.Helper()
	moved := a.body
	moved.Game.Number++
	shorter := a.body.Checkpoint
	shorter.Size--
	cosigned := a.checkpoint(a.body.Checkpoint, a.cosigner)
	changed := bytes.Clone(cosigned)
	if at := len(changed) - 12; changed[at] == 'A' { // in the signature, which is base64
		changed[at] = 'B'
	} else {
		changed[at] = 'A'
	}
	edits := []struct {
		name, want string
		edit       func(*proof.Evidence)
	}{
		{"no house key", "The house's key cannot be read.", func(e *proof.Evidence) { e.HouseKey = "" }},
		{"another id in the key", "The house's key cannot be read.",
			func(e *proof.Evidence) { e.HouseKey = strings.Replace(e.HouseKey, "+", "+0", 1) }},
		{"somebody else's key", "The seal is not signed by the house's key.",
			func(e *proof.Evidence) { e.HouseKey = a.DeviceKey }},
		{"a torn receipt", "The receipt cannot be read.", func(e *proof.Evidence) { e.Receipt = e.Receipt[:40] }},
		{"a receipt by somebody else", "The receipt's checkpoint is not signed by the house's key.",
			func(e *proof.Evidence) { e.Receipt = a.receipt(journal.LeafHash(a.record), a.device) }},
		{"another ticket's receipt", "The receipt is of another ticket.",
			func(e *proof.Evidence) { e.Receipt = a.receipt(journal.LeafHash([]byte("x")), a.house) }},
		{"a seal nobody signed", "The seal that you brought is not signed by the house's key.",
			func(e *proof.Evidence) { e.Seal = a.note(a.body, a.device) }},
		{"another game's seal", "The seal that you brought is another one.",
			func(e *proof.Evidence) { e.Seal = a.note(moved, a.house) }},
		{"another fingerprint", "The fingerprint that you noted is another one.",
			func(e *proof.Evidence) {
				e.Fingerprint = strings.Repeat("0", len("0000-0000-0000-0000-0000-0000-0000-0000"))
			}},
		{"a fingerprint with one digit too few", "The fingerprint that you noted is too short to show which seal it is.",
			func(e *proof.Evidence) { e.Fingerprint = e.Fingerprint[:len(e.Fingerprint)-1] }},
		{"a fingerprint with one digit too many", "The fingerprint that you noted is another one.",
			func(e *proof.Evidence) { e.Fingerprint += "0" }},
		{"a checkpoint nobody signed", "The checkpoint is not signed by the house's key.",
			func(e *proof.Evidence) { e.Checkpoint = []byte(a.body.Checkpoint.Marshal()) }},
		{"another checkpoint", "The checkpoint is not that of the seal.",
			func(e *proof.Evidence) { e.Checkpoint = a.checkpoint(shorter, a.cosigner) }},
		{"no cosignature", "No witness whose key you gave cosigned the checkpoint.",
			func(e *proof.Evidence) { e.Checkpoint = a.checkpoint(a.body.Checkpoint, nil) }},
		{"no witness known", "No witness whose key you gave cosigned the checkpoint.",
			func(e *proof.Evidence) { e.WitnessKeys = nil }},
		{"a cosignature changed", "No witness whose key you gave cosigned the checkpoint.",
			func(e *proof.Evidence) { e.Checkpoint = changed }},
		{"a witness's key torn", "A witness's key cannot be read.",
			func(e *proof.Evidence) { e.WitnessKeys = []string{a.WitnessKey[:60]} }},
		{"no device key", "The device's key cannot be read.", func(e *proof.Evidence) { e.DeviceKey = "" }},
		{"numbers by somebody else", "The numbers are not signed by the device's key.",
			func(e *proof.Evidence) { e.DeviceKey = a.HouseKey }},
		{"numbers of another seal", "The numbers were drawn under another seal.",
			func(e *proof.Evidence) { e.Draw = a.draw(moved.Hash()) }},
	}
	var cases []Case
	for _, x := range edits {
		c := a.Full()
		x.edit(&c.Evidence)
		c.Name, c.Failure = x.name, x.want
		cases = append(cases, c)
	}
	return cases
}
