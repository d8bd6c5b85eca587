package verify_test

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/journal"
)

// TestExportIsVerified writes an export to a directory, as the house does, and
// verifies what is there.
func TestExportIsVerified(t *testing.T) {
	h := newHouse(t, lies{}).tell()
	name := filepath.Join(t.TempDir(), "export")
	dir, err := export.CreateDir(name)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := export.Write(context.Background(), dir, h.about, h.signed(), h); err != nil {
		t.Fatal(err)
	}
	read, err := export.OpenDir(name)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if report := verify.Run(read, verify.Options{HouseKey: h.about.HouseKey, DeviceKey: h.about.DeviceKey}); !report.OK() {
		t.Error(report.Failure)
	}
	if _, err := read.Open("objects/winners/9/9/9"); !errors.Is(err, verify.ErrAbsent) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := read.Open("../secret"); err == nil || errors.Is(err, verify.ErrAbsent) {
		t.Errorf("a file outside the export: %v", err)
	}
	if _, err := export.CreateDir(name); err == nil {
		t.Error("an export was made over another")
	}
}

// TestExportPrefix exports up to an older checkpoint: a journal that is cut
// anywhere is still a journal.
func TestExportPrefix(t *testing.T) {
	whole := newHouse(t, lies{}).tell()
	for size := 1; size <= len(whole.data); size++ {
		h := newHouse(t, lies{})
		for _, data := range whole.data[:size] {
			h.tree.Append(data)
		}
		h.data, h.objects = whole.data, whole.objects
		if report := verify.Run(h.files(), verify.Options{}); !report.OK() {
			t.Errorf("the first %d records: %v", size, report.Failure)
		}
	}
}

// TestExportFiles checks that records are spread over files, and that verify
// reads them on. The records beyond the story are requests that were burned.
func TestExportFiles(t *testing.T) {
	h := newHouse(t, lies{}).tell()
	for n := uint64(1); h.tree.Size() < verify.RecordsPerFile+3; n++ {
		h.add("more", burned(71, n))
	}
	f := h.files()
	if f[verify.RecordFile(1)] == nil || f[verify.RecordFile(2)] != nil {
		t.Error("the records are not in two files")
	}
	calls := 0
	report := verify.Run(f, verify.Options{Progress: func(done, total uint64) {
		calls++
		if total != h.tree.Size() || done > total {
			t.Errorf("%d of %d are done", done, total)
		}
	}})
	if !report.OK() || calls != 17 {
		t.Errorf("%v, %d reports of progress", report.Failure, calls)
	}
	delete(f, verify.RecordFile(1))
	if failure := verify.Run(f, verify.Options{}).Failure; failure == nil || failure.Place.Seq != verify.RecordsPerFile {
		t.Errorf("a record file is missing: %v", failure)
	}
}

// TestExportRefuses shows what Write does not export.
func TestExportRefuses(t *testing.T) {
	h := newHouse(t, lies{}).tell()
	other, otherKey := key(t, origin, 9)
	signed, err := journal.SignCheckpoint(h.checkpoint(), other)
	if err != nil {
		t.Fatal(err)
	}
	about := h.about
	about.Volume = 2
	broken := h.about
	broken.HouseKey = "none"
	theirs := h.about
	theirs.HouseKey = otherKey
	for _, c := range []struct {
		name       string
		about      verify.House
		checkpoint []byte
		sink       export.Sink
		want       string
	}{
		{"another's checkpoint", h.about, signed, files{}, "opening a note"},
		{"under another's key", theirs, h.signed(), files{}, "opening a note"},
		{"another volume", about, h.signed(), files{}, "not of keno.example/vic/v2"},
		{"no key", broken, h.signed(), files{}, "verifier key"},
		{"a full disk", h.about, h.signed(), fullDisk{}, errDisk.Error()},
	} {
		err := export.Write(context.Background(), c.sink, c.about, c.checkpoint, h)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Create(string) (io.WriteCloser, error) { return nil, errDisk }
