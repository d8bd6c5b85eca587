package verify_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/record"
)

// publish lets the house's own program follow the public log, before a record enters the tree.
func (h *house) publish(r record.Record) {
	h.t.Helper()
	if h.log == nil {
		return
	}
	at := public.Journal{Origin: journal.VolumeOrigin(houseName, h.about.Volume), Tree: h.tree}
	_, begins := r.Body.(*record.VolumeBegun)
	if begins {
		at = h.ended
		if at.Tree == nil {
			at.Tree = journal.NewTree()
		}
	}
	next, err := h.log.Make(record.Place{Volume: h.about.Volume, Seq: h.tree.Size()}, r, at)
	if err != nil {
		h.log = nil // A lie, of which no log can be made.
		return
	}
	for _, full := range h.log.Put(next) {
		h.store(full.Name, full.Data)
	}
	if next.Names() || begins {
		h.tree.Mark()
	}
}

// foundLog names witnesses, chooses what draws and begins the public log.
func (h *house) foundLog() {
	h.t.Helper()
	if !h.logged {
		return
	}
	h.add("named", cosigners())
	h.add("chosen", &record.DeviceChosen{Series: series, Device: record.DeviceGenerator})
	h.beginLog("log", 1)
}

func cosigners() *record.WitnessesNamed {
	return &record.WitnessesNamed{Witnesses: []record.Witness{alice.named(false), bob.named(false)}}
}

// logKey returns the key of the public log of a number.
func (h *house) logKey(number uint16) (journal.Signer, string) {
	h.t.Helper()
	return key(h.t, journal.LogOrigin(houseName, number), byte(70+number))
}

// logBody returns how the public log of a number begins.
func (h *house) logBody(number uint16) journal.LogBody {
	h.t.Helper()
	body := h.log.Beginning(public.Journal{Origin: journal.VolumeOrigin(houseName, h.about.Volume), Tree: h.tree})
	body.Origin = journal.LogOrigin(houseName, number)
	_, body.Key = h.logKey(number)
	return body
}

// beginLog begins the public log of a number and repeats what its readers must know.
func (h *house) beginLog(label string, number uint16) {
	h.t.Helper()
	if h.log == nil {
		return
	}
	signer, _ := h.logKey(number)
	note, err := journal.SignLog(h.logBody(number), signer, h.signer)
	require(h.t, err)
	h.add(label, &record.LogBegun{Note: note})
	h.add(label+" device", &record.DeviceChosen{Series: series, Device: record.DeviceGenerator})
	h.add(label+" witnesses", cosigners())
}

// logCosigned records that some have cosigned the public log of a number as it stands, or otherwise than it does.
func (h *house) logCosigned(label string, number uint16, other func(*journal.Checkpoint), by ...cosigner) {
	h.t.Helper()
	if h.log == nil {
		return
	}
	over := h.log.View().Checkpoint()
	if other != nil {
		other(&over)
	}
	signer, _ := h.logKey(number)
	note, err := journal.SignCheckpoint(over, signer)
	require(h.t, err)
	b := &record.LogWitnessed{Checkpoint: note}
	for _, c := range by {
		b.Checkpoint = append(b.Checkpoint, c.line(over, 1_794_682_900)...)
		b.By = append(b.By, c.name)
	}
	h.add(label, b)
}

// tellLog tells of a house with a public log of more than a bundle, which another one follows.
func (h *house) tellLog() *house {
	h.t.Helper()
	h.logged = true
	h.found()
	h.open(1)
	h.sell("first", 1, 1, 1, 1, 100, classic(100, 1))
	h.closeAndSeal(1, totals{plays: 1, ways: 1, stakes: 100, fund: 75, tickets: []string{"first"}})
	h.draw(1, firstNumbers)
	h.settle(1, record.GameSettled{Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 100, Winners: 1, WinningWays: 1,
		PrizesCents: 300}, []prize{{"first", 300, 1}})
	h.logCosigned("log cosigned", 1, nil, alice)
	for i := range 260 {
		h.add(fmt.Sprintf("named %d", i), cosigners())
	}
	h.logCosigned("log cosigned again", 1, nil, alice, bob)
	h.pay("pay first", 2, "first", 1, 300)
	h.closeDay("day closed", 1)
	h.beginLog("log 2", 2)
	h.logCosigned("log 2 cosigned", 2, nil, bob)
	return h
}

// TestPublicLog verifies journals with a public log and says how far the log goes.
func TestPublicLog(t *testing.T) {
	h := newHouse(t, lies{}).tellLog()
	report := runBothWays(t, h.files(), verify.Options{})
	if !report.OK() {
		t.Fatal(report.Failure)
	}
	view := h.log.View()
	want := verify.PublicLog{Origin: houseName + "/log2", Key: view.Key, Entries: 3, Root: view.Root.String(), Cosigned: 3}
	if got := *report.PublicLog; got.Origin != want.Origin || got.Key != want.Key || got.Entries != want.Entries ||
		got.Root != want.Root || got.Cosigned != want.Cosigned || !slices.Equal(got.By, []string{bob.name}) {
		t.Errorf("reported %+v, want %+v", got, want)
	}
	sentence := "3 entries of keno.example/vic/log2, each made again from its record, with root " + want.Root +
		"; cosigned up to entry 3 by bob.example"
	if text := reportText(t, report); !strings.Contains(text, sentence) {
		t.Errorf("the report does not say %q:\n%s", sentence, text)
	}
	if text, says := reportText(t, report), "none cosigned by itself, witnesses cosign the public log"; !strings.Contains(text, says) {
		t.Errorf("the report does not say %q:\n%s", says, text)
	}
	for name := range h.files() {
		if name == "public/1/tile/1/000" {
			t.Error("a tile of one hash is said to be full")
		}
	}
}

// TestPublicLogOfVolumes follows a public log over changes of keys and volumes.
func TestPublicLogOfVolumes(t *testing.T) {
	newSigner, _ := key(t, houseName, 11)
	h := newHouse(t, lies{})
	h.logged = true
	h.tellVolumes(turning{seed: 11}, turning{abandoned: [][]byte{lost(t, 2, 900, newSigner)}})
	report := runBothWays(t, h.files(), verify.Options{})
	if !report.OK() {
		t.Fatal(report.Failure)
	}
	if view := h.log.View(); report.PublicLog.Root != view.Root.String() || report.PublicLog.Cosigned != 0 {
		t.Errorf("reported %+v, want root %v", report.PublicLog, view.Root)
	}
	if text := reportText(t, report); !strings.Contains(text, "; not cosigned\n") {
		t.Errorf("the report is\n%s", text)
	}
}

// TestLyingAboutTheLog tells lies about the public log in the records.
func TestLyingAboutTheLog(t *testing.T) {
	begin := func(label string, number uint16, to func(*journal.LogBody)) lies {
		return lies{note: map[string]func(*house) []byte{label: func(h *house) []byte {
			body := h.logBody(number)
			to(&body)
			h.log = nil
			signer, _ := h.logKey(number)
			note, err := journal.SignNote(body.Marshal(), signer, h.signer)
			require(h.t, err)
			return note
		}}}
	}
	signedBy := func(log, other byte) lies {
		return lies{note: map[string]func(*house) []byte{"log": func(h *house) []byte {
			body := h.logBody(1)
			h.log = nil
			signer, _ := key(h.t, body.Origin, log)
			owner, _ := key(h.t, origin, other)
			note, err := journal.SignNote(body.Marshal(), signer, owner)
			require(h.t, err)
			return note
		}}}
	}
	cosigned := func(other func(*journal.Checkpoint), by ...cosigner) lies {
		return before("log cosigned", func(h *house) { h.logCosigned("wrong", 1, other, by...) })
	}
	witnessed := func(to func(*record.LogWitnessed)) lies { return change("log cosigned", to) }
	at := journal.VolumeOrigin(houseName, 1)
	for _, d := range []damage{
		{"begun on an open day", before("open 1", func(h *house) { h.beginLog("early", 2); h.log = nil }),
			verify.CheckPublicLog, "early", "which is open"},
		{"another size of the journal", begin("log", 1, func(b *journal.LogBody) { b.Journal.Size-- }),
			verify.CheckPublicLog, "log", "which stands at"},
		{"another root of the journal", begin("log", 1, func(b *journal.LogBody) { b.Journal.Root[0]++ }),
			verify.CheckPublicLog, "log", "which stands at"},
		{"the journal of another volume", begin("log", 1, func(b *journal.LogBody) { b.Journal.Origin = houseName + "/v2" }),
			verify.CheckPublicLog, "log", "which stands at"},
		{"the end of a volume that never was", begin("log", 1, func(b *journal.LogBody) {
			b.Ended = []journal.Checkpoint{{Origin: houseName + "/v0", Size: 1, Root: journal.Hash{1}}}
		}), verify.CheckPublicLog, "log", "begins with the ends of volumes"},
		{"another end of the log before", begin("log 2", 2, func(b *journal.LogBody) { b.Before.Size-- }),
			verify.CheckPublicLog, "log 2", "and that ended with"},
		{"another root of the log before", begin("log 2", 2, func(b *journal.LogBody) { b.Before.Root[0]++ }),
			verify.CheckPublicLog, "log 2", "and that ended with"},
		{"a log left out", begin("log", 2, func(b *journal.LogBody) {
			b.Before = &journal.Checkpoint{Origin: houseName + "/log", Root: journal.EmptyRoot()}
		}), verify.CheckPublicLog, "log", "and the next log is keno.example/vic/log"},
		{"the log of another house", begin("log", 1, func(b *journal.LogBody) {
			_, b.Key = key(t, "other.example/log", 71)
			b.Origin, b.Journal.Origin = "other.example/log", "other.example/v1"
		}), verify.CheckPublicLog, "log", "not signed by"},
		{"another house key", begin("log", 1, func(b *journal.LogBody) { _, b.HouseKey = key(t, origin, 9) }),
			verify.CheckPublicLog, "log", "does not hold"},
		{"another device", begin("log", 1, func(b *journal.LogBody) { b.DeviceKey = b.HouseKey }),
			verify.CheckPublicLog, "log", "which are not those of the volume"},
		{"not signed by the log", signedBy(9, 1), verify.CheckPublicLog, "log", "not signed by"},
		{"not signed by the house", signedBy(71, 9), verify.CheckPublicLog, "log", "not signed by"},
		{"nothing signed", change("log", func(b *record.LogBegun) { b.Note = []byte("x") }), verify.CheckPublicLog, "log",
			"does not hold"},
		{"a device that is not repeated", skip("log device"), verify.CheckPublicLog, "log witnesses", "must repeat what stands"},
		{"witnesses who are not repeated", skip("log witnesses"), verify.CheckPublicLog, "day", "must repeat what stands"},
		{"another device repeated", change("log device", func(b *record.DeviceChosen) { b.Device = record.DeviceCage }),
			verify.CheckPublicLog, "log device", "must repeat what stands"},
		{"fewer witnesses repeated", change("log witnesses",
			func(b *record.WitnessesNamed) { b.Witnesses = b.Witnesses[:1] }), verify.CheckPublicLog, "log witnesses",
			"must repeat what stands"},
		{"a second seal", before("number 1 of 1", func(h *house) {
			seal, _ := h.sealNote(1)
			h.add("sealed again", &record.GameSealed{Game: gameName(1), Seal: seal})
		}), verify.CheckSeal, "sealed again", ""},
		{"another root cosigned", cosigned(func(c *journal.Checkpoint) { c.Root[0]++ }, alice), verify.CheckPublicLog, "wrong",
			"are not the first"},
		{"the root of another size cosigned", cosigned(func(c *journal.Checkpoint) { c.Size-- }, alice),
			verify.CheckPublicLog, "wrong", "are not the first"},
		{"more than there is cosigned", cosigned(func(c *journal.Checkpoint) { c.Size++ }, alice), verify.CheckPublicLog, "wrong",
			"and there are"},
		{"nothing cosigned", cosigned(func(c *journal.Checkpoint) { c.Size, c.Root = 0, journal.EmptyRoot() }, alice),
			verify.CheckPublicLog, "wrong", "and 0 were before"},
		{"another log cosigned", cosigned(func(c *journal.Checkpoint) { c.Origin = at }, alice), verify.CheckPublicLog, "wrong",
			"and the log is"},
		{"cosigned by somebody who is not named", cosigned(nil, newCosigner("carol.example", 43)), verify.CheckPublicLog,
			"wrong", "and it says by"},
		{"cosigned by a stranger under a name", cosigned(nil, newCosigner(alice.name, 43)), verify.CheckPublicLog, "wrong",
			"and it says by"},
		{"cosigned twice", before("named 0", func(h *house) {
			h.logCosigned("twice", 1, nil, alice)
		}), verify.CheckPublicLog, "twice", "were before"},
		{"cosigned before there is a log", before("log", func(h *house) {
			h.add("none", &record.LogWitnessed{Checkpoint: []byte("x"), By: []string{alice.name}})
		}), verify.CheckPublicLog, "none", "there is none"},
		{"said of somebody who did not", witnessed(func(b *record.LogWitnessed) { b.By = append(b.By, bob.name) }),
			verify.CheckPublicLog, "log cosigned", "and it says by"},
		{"not said of somebody who did", change("log cosigned again", func(b *record.LogWitnessed) { b.By = b.By[:1] }),
			verify.CheckPublicLog, "log cosigned again", "and it says by"},
		{"a cosignature of another checkpoint", witnessed(func(b *record.LogWitnessed) {
			signed, _, _ := bytes.Cut(b.Checkpoint, []byte("\n\n"))
			over, err := journal.ParseCheckpoint(string(signed) + "\n")
			require(t, err)
			over.Root[0]++
			lines := bytes.SplitAfter(b.Checkpoint, []byte("\n"))
			b.Checkpoint = append(bytes.Join(lines[:len(lines)-2], nil), alice.line(over, 1)...)
		}), verify.CheckPublicLog, "log cosigned", "does not hold"},
		{"a checkpoint that another key signed", witnessed(func(b *record.LogWitnessed) {
			signed, _, _ := bytes.Cut(b.Checkpoint, []byte("\n\n"))
			over, err := journal.ParseCheckpoint(string(signed) + "\n")
			require(t, err)
			other, _ := key(t, houseName+"/log", 9)
			note, err := journal.SignCheckpoint(over, other)
			require(t, err)
			b.Checkpoint = append(note, alice.line(over, 1)...)
		}), verify.CheckPublicLog, "log cosigned", "does not hold"},
	} {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t, d.lies).tellLog()
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
}

// entries changes the entries of a bundle in an export.
func entries(name string, to func([][]byte) [][]byte) func(files) {
	return func(f files) {
		list, err := public.SplitBundle(f[name])
		if err != nil {
			panic(err)
		}
		f[name] = public.Bundle(to(list))
	}
}

// settledEntry returns an entry of a settlement from a bundle.
func (h *house) settledEntry(bundle []byte) []byte {
	h.t.Helper()
	list, err := public.SplitBundle(bundle)
	require(h.t, err)
	for _, data := range list {
		if e, err := public.Parse(data); err == nil && e.Kind == public.Settled {
			return data
		}
	}
	h.t.Fatal("nothing is settled")
	return nil
}

// TestAlteredLog changes the files of the public log behind the back of an honest house.
func TestAlteredLog(t *testing.T) {
	h := newHouse(t, lies{}).tellLog()
	const full, tile = "public/1/tile/entries/000", "public/1/tile/0/000"
	honest := h.files()
	size := 0 // of the first log behind its full bundle
	for name := range honest {
		var n int
		if _, err := fmt.Sscanf(name, "public/1/tile/entries/001.p/%d", &n); err == nil {
			size = max(size, n)
		}
	}
	partial := verify.LogFile(1, public.BundlePath(1, size))
	index := func(kind public.Kind) int {
		list, err := public.SplitBundle(honest[full])
		require(t, err)
		return slices.IndexFunc(list, func(data []byte) bool {
			e, err := public.Parse(data)
			return err == nil && e.Kind == kind
		})
	}
	replaced := func(kind public.Kind, old, with string) func(files) {
		return entries(full, func(list [][]byte) [][]byte {
			at := index(kind)
			if !bytes.Contains(list[at], []byte(old)) {
				t.Fatalf("%s has no %q:\n%s", kind, old, list[at])
			}
			list[at] = bytes.Replace(list[at], []byte(old), []byte(with), 1)
			return list
		})
	}
	without := func(kind public.Kind, line string) func(files) {
		return entries(full, func(list [][]byte) [][]byte {
			at := index(kind)
			lines := bytes.SplitAfter(list[at], []byte("\n"))
			last := len(lines) - 2
			if !bytes.HasPrefix(lines[last], []byte(line)) {
				t.Fatalf("%s does not end with %q:\n%s", kind, line, list[at])
			}
			list[at] = bytes.Join(lines[:last], nil)
			return list
		})
	}
	resized := func(to func([][]byte) [][]byte) func(files) {
		return func(f files) {
			list, err := public.SplitBundle(f[partial])
			require(t, err)
			list = to(list)
			delete(f, partial)
			f[verify.LogFile(1, public.BundlePath(1, len(list)))] = public.Bundle(list)
		}
	}
	for _, c := range []struct {
		name           string
		edit           func(files)
		record, reason string
	}{
		{"an entry of another text", replaced(public.Settled, "prizes-cents 300", "prizes-cents 200"), "settle 1",
			`has "prizes-cents 200" where its record makes "prizes-cents 300"`},
		{"an entry at another time", replaced(public.Opened, "time 1794", "time 1793"), "open 1", `has "time 1793`},
		{"an entry of another record", replaced(public.Result, "record 1:", "record 2:"), "drawn 1", `has "record 2:`},
		{"a proof from another size", replaced(public.Sealed, "from ", "from 1"), "seal 1", `has "from 1`},
		{"a proof of fewer hashes", without(public.Sealed, "proof "), "seal 1", `where its record makes "proof `},
		{"an entry that cannot be read", replaced(public.Sealed, "kind ", "sort "), "seal 1", "cannot be read"},
		{"an entry missing", entries(full, func(list [][]byte) [][]byte {
			at := index(public.Sealed)
			return slices.Delete(list, at, at+1)
		}), "seal 1", "is \"result vic-keno 2026-11-15 0 of record "},
		{"the last entry missing", entries(partial, func(list [][]byte) [][]byte { return list[:len(list)-1] }), "day closed",
			"it ends before entry"},
		{"an entry too many", entries(partial, func(list [][]byte) [][]byte { return append(list, list[0]) }), "log 2",
			"and the records make"},
		{"a bundle cut short", func(f files) { f[partial] = f[partial][:len(f[partial])-3] }, "log 2", "ends within an entry"},
		{"no bundle", func(f files) { delete(f, full) }, "named 248", "no such file"},
		{"no partial bundle", func(f files) { delete(f, partial) }, "day closed", "is not there"},
		{"a log of an entry less", resized(func(list [][]byte) [][]byte { return list[:len(list)-1] }), "day closed",
			fmt.Sprintf("has a log of %d entries, and the records make %d: entry %d, \"day-closed vic-keno 2026-11-15 of",
				256+size-1, 256+size, 256+size-1)},
		{"a log of an entry more", resized(func(list [][]byte) [][]byte { return append(list, list[0]) }), "log 2",
			fmt.Sprintf("and the records make %d: entry %d is \"witnesses of record", 256+size, 256+size)},
		{"a log without one in between", resized(func(list [][]byte) [][]byte { return list[1:] }), "named 249",
			fmt.Sprintf("has a log of %d entries, and the records make %d: entry 256", 256+size-1, 256+size)},
		{"a log with one in between", resized(func(list [][]byte) [][]byte {
			return slices.Insert(list, len(list)-1, h.settledEntry(honest[full]))
		}), "day closed", "is \"settled vic-keno 2026-11-15 0 of record"},
		{"a log without a full bundle", func(f files) {
			list, err := public.SplitBundle(f[full])
			require(t, err)
			delete(f, full)
			f[full+".p/200"] = public.Bundle(list[:200])
		}, "named 193", "the export has a log of 200 entries, and the records make 256 or more: entry 200"},
		{"no tile", func(f files) { delete(f, tile) }, "named 248", "no such file"},
		{"a hash of a tile", func(f files) { f[tile][32*7]++ }, "named 248", "its hash 7 is another"},
		{"a tile cut short", func(f files) { f[tile] = f[tile][:32*255] }, "named 248", "its hash 255 is another"},
		{"a tile with a tail", func(f files) { f[tile] = append(f[tile], 0) }, "named 248", "has more than"},
		{"a hash of a tile of tiles", func(f files) { f["public/1/tile/1/000.p/1"][0]++ }, "log 2", "its hash 0 is another"},
		{"no checkpoint", func(f files) { delete(f, "public/1/checkpoint") }, "log 2", "no such file"},
		{"an older checkpoint", func(f files) { f["public/2/checkpoint"] = f["public/1/checkpoint"] }, "log 2 cosigned",
			"is not the newest checkpoint that was cosigned"},
		{"no log", func(f files) {
			for name := range f {
				if strings.HasPrefix(name, "public/") {
					delete(f, name)
				}
			}
		}, "named 248", "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := h.files()
			for name, data := range f {
				f[name] = bytes.Clone(data)
			}
			c.edit(f)
			expectFailure(t, verify.Run(f, verify.Options{}), verify.CheckPublicLog, h.places, c.record, c.reason)
		})
	}
	for name := range honest {
		if !strings.HasPrefix(name, "public/") {
			continue
		}
		f := h.files()
		f[name] = bytes.Clone(f[name])
		f[name][len(f[name])/2] ^= 1
		if f := verify.Run(f, verify.Options{}).Failure; f == nil || f.Check != verify.CheckPublicLog {
			t.Errorf("another byte in %s: %v", name, f)
		}
	}
}

// ends are what the next log may say of the end of the one before.
type ends struct {
	cosigned, part, whole journal.Checkpoint // as far as it was cosigned; a part behind that; all that the records make
}

// tellRestored tells of a log that begins in another volume, and states an end of the one before.
func (h *house) tellRestored(reason record.VolumeReason, stated func(ends) journal.Checkpoint) *house {
	h.t.Helper()
	var e ends
	h.logged = true
	h.found()
	e.cosigned = h.log.View().Checkpoint()
	h.logCosigned("log cosigned", 1, nil, alice, bob)
	h.add("named again", cosigners())
	e.part = h.log.View().Checkpoint()
	h.closeDay("day closed", 0)
	h.turn("volume 2", turning{number: 2, reason: reason})
	e.whole = h.log.View().Checkpoint()
	body := h.logBody(2)
	before := stated(e)
	body.Before = &before
	signer, _ := h.logKey(2)
	note, err := journal.SignLog(body, signer, h.signer)
	require(h.t, err)
	h.add("log 2", &record.LogBegun{Note: note})
	h.add("log 2 device", &record.DeviceChosen{Series: series, Device: record.DeviceGenerator})
	h.add("log 2 witnesses", cosigners())
	return h
}

// TestLogOfARestoredJournal lets the next log say, in a journal that was restored, that the one before ended with
// entries that the journal lacks, which is found; and nothing else that differs from the records.
func TestLogOfARestoredJournal(t *testing.T) {
	other := func(c journal.Checkpoint, size uint64) journal.Checkpoint {
		c.Size, c.Root = size, journal.Hash{9}
		return c
	}
	longer := func(e ends) journal.Checkpoint { return other(e.whole, e.whole.Size+5) }
	for _, c := range []struct {
		name   string
		reason record.VolumeReason
		stated func(ends) journal.Checkpoint
		fails  bool
		found  uint64
	}{
		{"what the records make", record.ReasonRestore, func(e ends) journal.Checkpoint { return e.whole }, false, 0},
		{"entries that are lost", record.ReasonRestore, longer, false, 1},
		{"other entries, as many", record.ReasonRestore,
			func(e ends) journal.Checkpoint { return other(e.whole, e.whole.Size) }, false, 1},
		{"other ones behind what is cosigned", record.ReasonRestore,
			func(e ends) journal.Checkpoint { return other(e.whole, e.cosigned.Size+1) }, false, 1},
		{"no more than what is cosigned", record.ReasonRestore, func(e ends) journal.Checkpoint { return e.cosigned }, true, 0},
		{"another past than is cosigned", record.ReasonRestore,
			func(e ends) journal.Checkpoint { return other(e.whole, e.cosigned.Size) }, true, 0},
		{"less than is cosigned", record.ReasonRestore,
			func(e ends) journal.Checkpoint { return other(e.whole, e.cosigned.Size-1) }, true, 0},
		{"a part of it", record.ReasonRestore, func(e ends) journal.Checkpoint { return e.part }, true, 0},
		{"entries that are lost, of a journal that is whole", record.ReasonKeys, longer, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t, lies{}).tellRestored(c.reason, c.stated)
			report := runBothWays(t, h.files(), verify.Options{})
			switch {
			case c.fails:
				expectFailure(t, report, verify.CheckPublicLog, h.places, "log 2", "and that ended with")
			case !report.OK() || report.FindingCount != c.found:
				t.Errorf("%+v, %+v", report.Failure, report.Findings)
			case c.found > 0 && !strings.Contains(report.Findings[0].Reason, "ask for the entries where they were followed"):
				t.Errorf("found %+v", report.Findings)
			}
		})
	}
}

// TestPolicyOfTheInspector draws a game behind checkpoints of the public log that meet the policy of the inspector, and
// behind others: none, one below the seal, one that somebody else has cosigned, one that comes after the draw.
func TestPolicyOfTheInspector(t *testing.T) {
	asks := verify.Options{Policy: func(checkpoint []byte) string {
		if bytes.Contains(checkpoint, []byte("\n— "+alice.name+" ")) {
			return ""
		}
		return alice.name + " has not cosigned"
	}}
	for _, c := range []struct {
		name            string
		below, at, late []cosigner
		says            string
	}{
		{"at the seal", nil, []cosigner{alice}, nil, ""},
		{"at the seal, by more", []cosigner{bob}, []cosigner{alice, bob}, nil, ""},
		{"nobody", nil, nil, nil, "no checkpoint of the public log above its seal is cosigned"},
		{"below the seal", []cosigner{alice}, nil, nil, "no checkpoint of the public log above its seal is cosigned"},
		{"by somebody else", []cosigner{alice}, []cosigner{bob}, nil, "meets the policy: alice.example has not cosigned"},
		{"after the draw", nil, nil, []cosigner{alice}, "no checkpoint of the public log above its seal is cosigned"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t, lies{})
			h.logged = true
			h.found()
			h.open(1)
			h.sell("first", 1, 1, 1, 1, 100, classic(100, 1))
			cosigned := func(label string, by []cosigner) {
				if by != nil {
					h.logCosigned(label, 1, nil, by...)
				}
			}
			cosigned("below", c.below)
			h.closeAndSeal(1, totals{plays: 1, ways: 1, stakes: 100, fund: 75, tickets: []string{"first"}})
			cosigned("at", c.at)
			h.draw(1, firstNumbers)
			cosigned("late", c.late)
			h.settle(1, record.GameSettled{Multiplier: 2, Plays: 1, Ways: 1, StakesCents: 100, Winners: 1, WinningWays: 1,
				PrizesCents: 300}, []prize{{"first", 300, 1}})
			if report := runBothWays(t, h.files(), verify.Options{}); !report.OK() {
				t.Fatalf("without a policy: %+v", report.Failure)
			}
			report := verify.Run(h.files(), asks)
			if c.says == "" && !report.OK() || c.says != "" && (report.OK() || !strings.Contains(report.Failure.Reason, c.says)) {
				t.Errorf("%+v, want %q", report.Failure, c.says)
			}
		})
	}
}
