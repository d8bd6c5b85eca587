package verify_test

import (
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"drawhouse/check/verify"
)

// growsAlike adds the records of an export to a grader one after the other, and
// expects of it what was found in the whole. What only a whole export can show, its
// files and its checkpoints, is left out.
func growsAlike(t testing.TB, src verify.Source, opts verify.Options, whole *verify.Report) {
	t.Helper()
	if f := whole.Failure; f != nil && (f.Check == verify.CheckExport || f.Check == verify.CheckLog ||
		f.Check == verify.CheckHouse) {
		return
	}
	// The keys are those of some volume, and a journal that grows begins with its first.
	g := verify.NewGrader(src, verify.Options{HasClause: opts.HasClause, Rulebooks: opts.Rulebooks,
		Witnesses: opts.Witnesses, Cosignatures: opts.Cosignatures})
	for _, data := range allRecords(t, src) {
		if g.Add(data) != nil {
			break
		}
	}
	_ = g.Balances() // What it finds is in the report.
	grown := g.Report()
	ignored := cmpopts.IgnoreFields(verify.Report{}, "Checkpoint", "Volumes", "Earlier", "Lost", "HouseKey", "DeviceKey")
	if whole.Failure != nil {
		if diff := cmp.Diff(whole.Failure, grown.Failure); diff != "" {
			t.Fatalf("what grows fails otherwise (-whole +grown):\n%s", diff)
		}
		return
	}
	if diff := cmp.Diff(whole, grown, ignored); diff != "" {
		t.Fatalf("what grows differs (-whole +grown):\n%s", diff)
	}
	if got, want := g.Checkpoint(), whole.Checkpoint; got.Size != want.Size || got.Root.String() != want.Root {
		t.Fatalf("it grew to %v, and the export is of %v", got, want)
	}
}

// allRecords returns the records of all volumes of an export.
func allRecords(t testing.TB, src verify.Source) [][]byte {
	t.Helper()
	house, err := verify.ParseHouse(wholeFile(t, src, verify.HouseFile))
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for _, volume := range append(house.Earlier, house.Volume) {
		for n := uint64(0); ; n++ {
			name := verify.EarlierFile(volume, n)
			if volume == house.Volume {
				name = verify.RecordFile(n)
			}
			rest := wholeFile(t, src, name)
			if rest == nil {
				break
			}
			for len(rest) > 0 {
				length, head := binary.Uvarint(rest)
				all = append(all, rest[head:head+int(length)])
				rest = rest[head+int(length):]
			}
		}
	}
	return all
}

// wholeFile reads a file of an export, or returns nil if it is not there.
func wholeFile(t testing.TB, src verify.Source, name string) []byte {
	t.Helper()
	f, err := src.Open(name)
	if errors.Is(err, verify.ErrAbsent) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestGraderStops shows that a grader says the same of everything behind its first
// failure, and that it takes no journal that begins in its middle or is another's.
func TestGraderStops(t *testing.T) {
	h := newHouse(t, reprice("five spots", 199)).tell()
	g := verify.NewGrader(h.files(), verify.Options{HouseKey: h.about.HouseKey, DeviceKey: h.about.DeviceKey})
	var first error
	for _, data := range h.data {
		err := g.Add(data)
		if first == nil {
			first = err
		} else if !errors.Is(err, first) {
			t.Fatalf("first %v, then %v", first, err)
		}
	}
	want := &verify.Difference{Field: "cost", Stated: "$1.99", Due: "$2.00"}
	if f := g.Failure(); f == nil || f.Place.Seq != 14 || cmp.Diff(want, f.Differs) != "" {
		t.Errorf("the failure is %v, %+v", f, f.Differs)
	}
	if err := verify.NewGrader(h.files(), verify.Options{}).Add(h.data[1]); err == nil {
		t.Error("a journal began with its second record")
	}
	_, stranger := key(t, houseName, 33)
	for _, opts := range []verify.Options{{HouseKey: stranger}, {DeviceKey: stranger}} {
		if err := verify.NewGrader(h.files(), opts).Add(h.data[0]); err == nil {
			t.Errorf("a journal of another key was taken: %+v", opts)
		}
	}
}
