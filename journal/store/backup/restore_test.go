package backup_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"testing"

	"drawhouse/journal/store"
	"drawhouse/journal/store/backup"
	"drawhouse/journal/store/storetest"
)

// TestRestore restores a backup into each kind of store: everything is there but the
// checkpoints.
func TestRestore(t *testing.T) {
	data, from := file(t, "memory")
	open := func() io.Reader { return bytes.NewReader(data) }
	want := dump(t, from)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Run(kind, func(t *testing.T) {
			to := kinds[kind](t)
			defer to.Close()
			told := uint64(0)
			summary, err := backup.Restore(t.Context(), to, open, func(done, total uint64) { told = done })
			if err != nil || summary.Records != 7000 || told != 7000 {
				t.Fatalf("%+v, %v, told %d", summary, err, told)
			}
			head, err := to.Head(t.Context())
			if err != nil || len(head.Checkpoint) != 0 || len(summary.Volumes[1].Checkpoint) == 0 {
				t.Errorf("the journal ends with the checkpoint %q, %v; that of the backup is %q", head.Checkpoint, err,
					summary.Volumes[1].Checkpoint)
			}
			got := dump(t, to)
			rest := maps.Clone(want)
			for _, name := range []string{"head 1", "head 2"} {
				delete(got, name)
				delete(rest, name)
			}
			if !maps.Equal(got, rest) {
				t.Errorf("%d things were restored, the source has %d, or they differ", len(got), len(rest))
			}
			if _, err := backup.Restore(t.Context(), to, open, nil); !errors.Is(err, backup.ErrNotEmpty) {
				t.Errorf("restored over a journal: %v", err)
			}
		})
	}
}

// TestRestoreDamaged restores what is damaged or breaks off: nothing that a house
// would open is left.
func TestRestoreDamaged(t *testing.T) {
	good, _ := file(t, "memory")
	for _, at := range []int{0, 100, len(good) / 2, len(good) - 10} {
		spoilt := bytes.Clone(good)
		spoilt[at] ^= 4
		to := storetest.OpenMemory(storetest.NewDisk())
		if _, err := backup.Restore(t.Context(), to, func() io.Reader { return bytes.NewReader(spoilt) },
			nil); !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("damaged at %d: %v", at, err)
		}
		if head, err := to.Head(t.Context()); err != nil || head.Size > 0 {
			t.Errorf("%d records of a damaged backup were written, %v", head.Size, err)
		}
	}
	for broken := range 4 {
		disk := storetest.OpenMemory(storetest.NewDisk())
		batches := 0
		faulty := storetest.NewFaulty(disk, func(store.Batch) storetest.Fault {
			if batches++; batches > broken {
				return storetest.BeforeCommit
			}
			return storetest.NoFault
		})
		if _, err := backup.Restore(t.Context(), faulty, func() io.Reader { return bytes.NewReader(good) },
			nil); !errors.Is(err, storetest.ErrFault) {
			t.Errorf("a fault: %v", err)
		}
		if head, err := disk.Head(t.Context()); err != nil || len(head.Checkpoint) > 0 {
			t.Errorf("after %d batches a restore that broke off ends with a checkpoint, %v", broken, err)
		}
	}
}
