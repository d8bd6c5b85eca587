package verify_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/journal"
)

// reframe writes the record file anew after an edit of its records.
func reframe(t testing.TB, f files, edit func([][]byte) [][]byte) {
	t.Helper()
	name := verify.RecordFile(0)
	in := bytes.NewReader(f[name])
	var records [][]byte
	for in.Len() > 0 {
		n, err := binary.ReadUvarint(in)
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(in, data); err != nil {
			t.Fatal(err)
		}
		records = append(records, data)
	}
	var out []byte
	for _, data := range edit(records) {
		out = append(binary.AppendUvarint(out, uint64(len(data))), data...)
	}
	f[name] = out
}

// TestAlteredExport changes the files of an honest house, which signs nothing of
// it.
func TestAlteredExport(t *testing.T) {
	h := newHouse(t, lies{}).tell()
	at := func(label string) int { return int(h.places[label]) }
	last := "day closed"
	h.places["beyond"] = h.tree.Size()
	records := func(edit func([][]byte) [][]byte) func(files) {
		return func(f files) { reframe(t, f, edit) }
	}
	for _, c := range []struct {
		name   string
		edit   func(files)
		check  verify.Check
		record string
		reason string
	}{
		{"a byte of a claim code's hash", records(func(r [][]byte) [][]byte {
			data := r[at("miss")]
			data[len(data)-10]++
			return r
		}), verify.CheckLog, "seal 1", "its root is not that of the records up to the close"},
		{"a byte after the last seal", records(func(r [][]byte) [][]byte {
			data := r[at(last)]
			data[len(data)-1]++ // of the hash of the state, which nothing else tells
			return r
		}), verify.CheckLog, last, "after 1:50, up to which a seal holds"},
		{"a price and its parts", records(func(r [][]byte) [][]byte {
			data := bytes.ReplaceAll(r[at("ways")], []byte{0x19, 0x01, 0x2c}, []byte{0x19, 0x01, 0x2b})
			r[at("ways")] = bytes.ReplaceAll(data, []byte{0x39, 0x01, 0x2b}, []byte{0x39, 0x01, 0x2a})
			return r
		}), verify.CheckLog, "ways",
			"one was changed, dropped, added or moved, and this is the first that does not fit: it was sold for $2.99"},
		// All others move up by one, so that the close stands where the last ticket was.
		{"a record dropped", records(func(r [][]byte) [][]byte { return slices.Delete(r, at("evens"), at("evens")+1) }),
			verify.CheckLog, "cheap ways", "6 plays of 12 ways for $11.50"},
		{"a record dropped and another added at the end", records(func(r [][]byte) [][]byte {
			r = slices.Delete(r, at("evens"), at("evens")+1)
			return append(r, r[len(r)-1])
		}), verify.CheckLog, "cheap ways", "6 plays of 12 ways for $11.50"},
		{"a record added at the end", records(func(r [][]byte) [][]byte { return append(r, r[len(r)-1]) }),
			verify.CheckExport, "beyond", "goes on after record"},
		{"two records swapped", records(func(r [][]byte) [][]byte {
			r[at("evens")], r[at("bonus")] = r[at("bonus")], r[at("evens")]
			return r
		}), verify.CheckLog, "bonus", "milliseconds before"},
		{"a record twice", records(func(r [][]byte) [][]byte { r[at("evens")] = r[at("ways")]; return r }),
			verify.CheckLog, "evens", "follows its request 2"},
		{"a length in a longer form", func(f files) {
			name := verify.RecordFile(0)
			f[name] = append([]byte{f[name][0] | 0x80, f[name][1] | 0x80, 0}, f[name][2:]...)
		}, verify.CheckExport, "volume", "shortest form"},
		{"records after the checkpoint", func(f files) { f[verify.RecordFile(1)] = []byte{0} }, verify.CheckExport, "beyond",
			"after the checkpoint"},
		{"no records", func(f files) { delete(f, verify.RecordFile(0)) }, verify.CheckExport, "volume", "no such file"},
		{"no winners file", func(f files) { delete(f, verify.WinnersFile(1, 1, 1)) }, verify.CheckSettlement, "settle 1",
			"no such file"},
		{"winners file edited", func(f files) { f[verify.WinnersFile(1, 1, 1)][0]++ }, verify.CheckSettlement, "settle 1",
			"does not have the hash"},
		{"no bitmap", func(f files) { delete(f, verify.BitmapFile(1, 2, 1)) }, verify.CheckSeal, "seal 2", "no such file"},
		{"bitmap edited", func(f files) { f[verify.BitmapFile(1, 2, 1)][511] = 1 }, verify.CheckSeal, "seal 2",
			"is not the bitmap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := h.files()
			c.edit(f)
			expectFailure(t, verify.Run(f, verify.Options{}), c.check, h.places, c.record, c.reason)
		})
	}
}

// TestBeforeTheRecords breaks what stands before the first record.
func TestBeforeTheRecords(t *testing.T) {
	h := newHouse(t, lies{}).tell()
	other, otherKey := key(t, origin, 9)
	resign := func(c journal.Checkpoint, signer journal.Signer) []byte {
		signed, err := journal.SignCheckpoint(c, signer)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	house := func(to func(*verify.House)) func(files) {
		return func(f files) {
			about := h.about
			to(&about)
			f[verify.HouseFile] = about.Marshal()
		}
	}
	elsewhere := h.checkpoint()
	elsewhere.Origin = houseName + "/v2"
	for _, c := range []struct {
		name   string
		edit   func(files)
		opts   verify.Options
		check  verify.Check
		reason string
	}{
		{"checkpoint of another key", func(f files) { f[verify.CheckpointFile] = resign(h.checkpoint(), other) },
			verify.Options{}, verify.CheckLog, "the checkpoint does not hold"},
		{"checkpoint of another volume", func(f files) { f[verify.CheckpointFile] = resign(elsewhere, h.signer) },
			verify.Options{}, verify.CheckLog, "of the log keno.example/vic/v2"},
		{"no checkpoint", func(f files) { delete(f, verify.CheckpointFile) }, verify.Options{}, verify.CheckExport,
			"checkpoint"},
		{"another house key is known", func(files) {}, verify.Options{HouseKey: otherKey}, verify.CheckHouse,
			"another house key"},
		{"another device key is known", func(files) {}, verify.Options{DeviceKey: otherKey}, verify.CheckHouse,
			"another device key"},
		{"no house", func(f files) { delete(f, verify.HouseFile) }, verify.Options{}, verify.CheckExport, "house.json"},
		{"a later format", house(func(h *verify.House) { h.Format = 2 }), verify.Options{}, verify.CheckExport, "format 2"},
		{"another volume", house(func(h *verify.House) { h.Volume = 2 }), verify.Options{}, verify.CheckLog,
			"and the export of keno.example/vic/v2"},
		{"no key", house(func(h *verify.House) { h.HouseKey = "" }), verify.Options{}, verify.CheckHouse, "house key"},
		{"a space more", func(f files) { f[verify.HouseFile] = append(f[verify.HouseFile], ' ') }, verify.Options{},
			verify.CheckExport, "form in which it is written"},
		{"an endless house", func(f files) { f[verify.HouseFile] = make([]byte, 1<<20) }, verify.Options{},
			verify.CheckExport, "more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := h.files()
			c.edit(f)
			failure := verify.Run(f, c.opts).Failure
			if failure == nil || failure.Check != c.check || !strings.Contains(failure.Reason, c.reason) {
				t.Errorf("got %v, want %s: %s", failure, c.check, c.reason)
			}
		})
	}
}

// TestUnreadable lets every file fail in the middle.
func TestUnreadable(t *testing.T) {
	f := newHouse(t, lies{}).tell().files()
	for name := range f {
		failure := verify.Run(faulty{f, name}, verify.Options{}).Failure
		if failure == nil || !strings.Contains(failure.Reason, errDisk.Error()) {
			t.Errorf("%s: %v", name, failure)
		}
	}
}

var errDisk = errors.New("the disk is gone")

// faulty is an export one of whose files cannot be read to its end.
type faulty struct {
	files
	name string
}

func (f faulty) Open(name string) (io.ReadCloser, error) {
	if name != f.name {
		return f.files.Open(name)
	}
	half := bytes.NewReader(f.files[name][:len(f.files[name])/2])
	return io.NopCloser(io.MultiReader(half, brokenReader{})), nil
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errDisk }

// stories are the journals written by hand.
var stories = []func(*house) *house{(*house).tell, (*house).tellRuns, (*house).tellRace, (*house).tellPool,
	(*house).tellPooled}

// FuzzOneByte changes one byte anywhere in an export. It must never be accepted,
// and never panic.
func FuzzOneByte(f *testing.F) {
	var honest []files
	var names [][]string
	for story, tell := range stories {
		honest = append(honest, tell(newHouse(f, lies{})).files())
		names = append(names, slices.Sorted(maps.Keys(honest[story])))
		for i := range names[story] {
			for _, offset := range []uint{0, 7, 90, 1000, 20_000} {
				f.Add(uint(story), uint(i), offset, byte(1))
				f.Add(uint(story), uint(i), offset, byte(0x80))
			}
		}
	}
	f.Fuzz(func(t *testing.T, story, file, offset uint, flip byte) {
		if flip == 0 {
			t.Skip("nothing is changed")
		}
		story %= uint(len(stories))
		name := names[story][file%uint(len(names[story]))]
		changed := maps.Clone(honest[story])
		changed[name] = bytes.Clone(changed[name])
		changed[name][offset%uint(len(changed[name]))] ^= flip
		if report := verify.Run(changed, verify.Options{}); report.OK() {
			t.Errorf("byte %d of %s was changed by %#x and accepted", offset, name, flip)
		}
	})
}

// FuzzSigned changes one byte of one record and signs the log anew up to it, as a
// house that lies would. Both ways to read tickets must say the same of it, and none
// may panic.
func FuzzSigned(f *testing.F) {
	var houses []*house
	for story, tell := range stories {
		houses = append(houses, tell(newHouse(f, lies{})))
		for i := range houses[story].data {
			f.Add(uint(story), uint(i), uint(9), byte(1))
			f.Add(uint(story), uint(i), uint(60), byte(2))
		}
	}
	f.Fuzz(func(t *testing.T, story, at, offset uint, flip byte) {
		honest := houses[story%uint(len(houses))]
		at %= uint(len(honest.data))
		liar := newHouse(t, lies{})
		liar.objects = honest.objects
		for i, data := range honest.data[:at+1] {
			if uint(i) == at {
				data = bytes.Clone(data)
				data[offset%uint(len(data))] ^= flip
			}
			liar.tree.Append(data)
			liar.data = append(liar.data, data)
		}
		out := files{}
		if err := export.Write(context.Background(), out, liar.about, liar.signed(), liar); err != nil {
			t.Skip("the record cannot be exported")
		}
		runBothWays(t, out, verify.Options{})
	})
}
