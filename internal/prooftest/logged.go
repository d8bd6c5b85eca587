package prooftest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"

	"drawhouse/check/proof"
	"drawhouse/check/witness"
	"drawhouse/journal"
	"drawhouse/journal/public"
)

// logSize is how many entries the public log has, and sealEntry which of them is the seal.
const (
	logSize   = 300
	sealEntry = 257
)

// loggedAs is a public log in which the seal is an entry, as a house can have made it that lies.
type loggedAs struct {
	origin string
	signer journal.Signer
	body   journal.SealBody // of the seal in the entry
	by     journal.Signer   // who signed that
	edit   func(text string) string
	cosign []*witness.Cosigner
}

// logged returns how an honest house has the seal in its log, cosigned by two of the archive's three witnesses.
func (a *Archive) logged() loggedAs {
	return loggedAs{origin: journal.LogOrigin("drawhouse.example", 1), signer: a.log, body: a.body, by: a.house,
		cosign: a.cosigners[:2]}
}

// SealEntry is the entry of a seal in the public log.
func (a *Archive) sealEntry(l loggedAs) []byte {
	a.t.Helper()
	note, g, at := a.note(l.body, l.by), l.body.Game, l.body.Checkpoint
	text := fmt.Sprintf("drawhouse/log/v1\nkind game-sealed\ntime 1794711840000\nrecord 1:%d\nseries %s\nday %s\ngame %d\n"+
		"note %s\njournal %s %d %v\nfrom 0\n", size, g.Series, g.Day, g.Number, base64.StdEncoding.EncodeToString(note),
		at.Origin, at.Size, at.Root)
	if l.edit != nil {
		text = l.edit(text)
	}
	return []byte(text)
}

// logEntries are the entries of the log.
func (a *Archive) logEntries(l loggedAs) [][]byte {
	entries := make([][]byte, logSize)
	for i := range entries {
		entries[i] = fmt.Appendf(nil, "drawhouse/log/v1\nkind kind-of-later\ntime 1794711800000\nrecord 1:%d\n", i)
	}
	entries[sealEntry] = a.sealEntry(l)
	return entries
}

// logProof proves that the seal is in the log, changed by edit.
func (a *Archive) logProof(l loggedAs, edit func(*public.Proof)) []byte {
	a.t.Helper()
	tree, stored := journal.NewTree(), tiles{}
	entries := a.logEntries(l)
	for _, entry := range entries {
		tree.Append(entry)
	}
	for _, tile := range tree.TakeTiles() {
		stored[[2]uint64{uint64(tile.Level), tile.Index}] = tile.Data
	}
	at := journal.Checkpoint{Origin: l.origin, Size: logSize, Root: tree.Root()}
	path, err := journal.ProveRecord(sealEntry, logSize, journal.NewReader(tree, stored))
	a.check(err)
	p := &public.Proof{Entry: entries[sealEntry], Index: sealEntry, Path: path, Checkpoint: a.signed(at, l.signer)}
	for i, cosigner := range l.cosign {
		line, err := cosigner.Cosign(at, 1_794_711_900+int64(i))
		a.check(err)
		p.Checkpoint = append(p.Checkpoint, line...)
	}
	if edit != nil {
		edit(p)
	}
	return p.Marshal()
}

// inLog is the evidence of a player who knows log and witnesses.
func (a *Archive) inLog() proof.Evidence {
	return proof.Evidence{HouseKey: a.HouseKey, LogKey: a.LogKey, WitnessKeys: a.witnessKeys()}
}

func (a *Archive) witnessKeys() (keys []string) {
	for _, c := range a.cosigners {
		keys = append(keys, c.String())
	}
	return keys
}

// inTheLog has proofs with the seal's entry in the public log, sound ones and lies.
func (a *Archive) inTheLog() []Case {
	a.t.Helper()
	with := func(text []byte) []byte { return a.proof(func(p *answer) { p.LogProof = string(text) }) }
	sound := a.logProof(a.logged(), nil)
	bare := proof.Evidence{HouseKey: a.HouseKey, LogKey: a.LogKey}
	one := a.inLog()
	one.WitnessKeys, one.Quorum = one.WitnessKeys[:1], 1
	three := a.inLog()
	three.Quorum = 3
	apart := a.inLog()
	apart.LogProof = sound
	const (
		missing    = "Nothing shows the seal in the public log."
		unreadable = "The proof of the public log cannot be read."
		unsigned   = "The checkpoint of the public log is not signed by the log's key."
		notInLog   = "The entry is not shown to be in the public log."
		otherSeal  = "The entry of the public log is not of this seal."
		tooFew     = "Too few of the witnesses whose keys you gave cosigned the public log."
	)
	noKey, otherKey, doubled := a.inLog(), a.inLog(), a.inLog()
	noKey.LogKey, otherKey.LogKey = "log", a.HouseKey
	doubled.WitnessKeys = []string{doubled.WitnessKeys[0], doubled.WitnessKeys[0], doubled.WitnessKeys[2]}
	doubled.Quorum = 2
	torn := a.inLog()
	torn.WitnessKeys[0] = torn.WitnessKeys[0][:50]
	cases := []Case{
		{"in the log, two of three witnesses", with(sound), a.inLog(), ""},
		{"in the log, no witness known", with(sound), bare, ""},
		{"in the log, one witness known", with(sound), one, ""},
		{"in the log, by a file of its own", a.proof(nil), apart, ""},
		{"in the log, the log's key not known", with(sound), proof.Evidence{HouseKey: a.HouseKey}, ""},
		{"in the log, all three asked for", with(sound), three, tooFew},
		{"one witness's key given twice", with(sound), doubled, tooFew},
		{"a witness's key of the log torn", with(sound), torn, "A witness's key cannot be read."},
		{"no proof of the log", a.proof(nil), a.inLog(), missing},
		{"no proof of the log, and a reason", a.proof(func(p *answer) { p.Unlogged = "Not yet." }), a.inLog(), missing},
		{"the log's key torn", with(sound), noKey, "The log's key cannot be read."},
		{"the house's key as the log's", with(sound), otherKey, unsigned},
		{"a proof of the log that is none", with([]byte("c2sp.org/tlog-proof@v1\n")), a.inLog(), unreadable},
		{"a proof of the log of another form", with(bytes.Replace(sound, []byte("@v1"), []byte("@v2"), 1)), a.inLog(), unreadable},
		{"the index of the log in another spelling", with(bytes.Replace(sound, []byte("index "), []byte("index 0"), 1)),
			a.inLog(), unreadable},
	}
	for _, e := range []struct {
		name, want string
		edit       func(*public.Proof)
	}{
		{"another index in the log", notInLog, func(p *public.Proof) { p.Index-- }},
		{"an index behind the log", notInLog, func(p *public.Proof) { p.Index = logSize }},
		{"a path of the log too short", notInLog, func(p *public.Proof) { p.Path = p.Path[1:] }},
		{"a path of the log too long", notInLog, func(p *public.Proof) { p.Path = append(p.Path, p.Path[0]) }},
		{"a hash of the log's path changed", notInLog, func(p *public.Proof) { p.Path[2] = journal.EmptyRoot() }},
		{"no entry", notInLog, func(p *public.Proof) { p.Entry = nil }},
		{"an entry changed", notInLog, func(p *public.Proof) { p.Entry = append(p.Entry, "proof "+journal.EmptyRoot().String()+"\n"...) }},
		{"a larger log than was signed", unsigned, func(p *public.Proof) {
			p.Checkpoint = bytes.Replace(p.Checkpoint, []byte("\n300\n"), []byte("\n301\n"), 1)
		}},
		{"a cosignature of another time", tooFew, func(p *public.Proof) { p.Checkpoint = laterBy(p.Checkpoint, a.cosigners[1].Name()) }},
		{"a cosignature left out", tooFew, func(p *public.Proof) {
			p.Checkpoint = p.Checkpoint[:bytes.Index(p.Checkpoint, []byte("— "+a.cosigners[1].Name()))]
		}},
	} {
		cases = append(cases, Case{e.name, with(a.logProof(a.logged(), e.edit)), a.inLog(), e.want})
	}
	return append(cases, a.liesInTheLog(with, otherSeal)...)
}

// laterBy moves the time of a cosignature by a second.
func laterBy(note []byte, name string) []byte {
	head, line, _ := strings.Cut(string(note), "— "+name+" ")
	line, rest, _ := strings.Cut(line, "\n")
	data, _ := base64.StdEncoding.DecodeString(line)
	data[11]++
	return []byte(head + "— " + name + " " + base64.StdEncoding.EncodeToString(data) + "\n" + rest)
}

// liesInTheLog has logs that are signed and cosigned, in which the entry is another one than that of the seal.
func (a *Archive) liesInTheLog(with func([]byte) []byte, want string) (cases []Case) {
	a.t.Helper()
	replaced := func(old, by string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, by, 1) }
	}
	for _, e := range []struct {
		name, want string
		edit       func(*loggedAs)
	}{
		{"a log of another name under the log's key", "The checkpoint of the public log is not signed by the log's key.",
			func(l *loggedAs) { l.origin = journal.LogOrigin("drawhouse.example", 2) }},
		{"another game's entry", want, func(l *loggedAs) { l.body.Game.Number++ }},
		{"an entry of another game with this seal", want, func(l *loggedAs) { l.edit = replaced("game 417", "game 418") }},
		{"an entry of another kind", want, func(l *loggedAs) {
			l.edit = func(text string) string {
				head, _, _ := strings.Cut(strings.Replace(text, "game-sealed", "game-void", 1), "note ")
				return head + "draw 0\nclause 11.1\ndeferred no\nrefund-cents 0\n"
			}
		}},
		{"a second seal of the game in the log", want, func(l *loggedAs) { l.body.StakesCents++ }},
		{"a seal in the log that another key signed", want, func(l *loggedAs) { l.by = a.device }},
		{"an entry that names another journal", want, func(l *loggedAs) { l.edit = replaced(fmt.Sprintf(" %d ", size), fmt.Sprintf(" %d ", size+1)) }},
		{"an entry that is cut", "The entry is not shown to be in the public log.",
			func(l *loggedAs) { l.edit = replaced("\nfrom 0\n", "\n") }},
		{"an entry of another form", "The entry is not shown to be in the public log.",
			func(l *loggedAs) { l.edit = replaced("log/v1", "log/v2") }},
	} {
		l := a.logged()
		e.edit(&l)
		cases = append(cases, Case{e.name, with(a.logProof(l, nil)), a.inLog(), e.want})
	}
	for _, origin := range []string{journal.LogOrigin("other.example", 1), journal.VolumeOrigin("drawhouse.example", 2)} {
		l, evidence := a.logged(), a.inLog()
		l.origin = origin
		l.signer, evidence.LogKey = a.key(origin)
		cases = append(cases, Case{origin + " as the log", with(a.logProof(l, nil)), evidence, want})
	}
	return cases
}
