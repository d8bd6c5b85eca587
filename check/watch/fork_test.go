package watch_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"drawhouse/check/watch"
	"drawhouse/journal/public"
)

// TestMirrorKeepsAFork shows a log that contradicts a mirror: of the same length, shorter, and longer. The mirror stays
// as it is, keeps the other checkpoint beside its own, and says so at every later run, also when the house shows the
// first history again.
func TestMirrorKeepsAFork(t *testing.T) {
	for name, c := range map[string]struct {
		size int // of the other history
		code public.Code
	}{"as long": {12, watch.LogForked}, "shorter": {11, watch.LogForked}, "longer": {14, watch.RootWrong}} {
		t.Run(name, func(t *testing.T) {
			a, other := newAuthor(t).told(), newAuthor(t)
			other.tellers = slices.Insert(other.tellers, 5, opens(7))
			other.told()
			folder := t.TempDir()
			run := func(from log) []*public.Finding {
				w, err := watch.New(from, a.keys[house].vkey, a.custodyPolicy(), watch.Mirror(folder), nil)
				a.must(err)
				before, err := w.Resume(t.Context())
				a.must(err)
				look, err := w.Look(t.Context())
				a.must(err)
				return append(before.Findings, look.Findings...)
			}
			shown := a.publish(12, custodians...)
			if found := run(shown); found != nil {
				t.Fatalf("found %v", found)
			}
			forked := other.publish(c.size, custodians[0])
			if part := public.BundlePath(0, 12); forked[part] == nil {
				forked[part] = shown[part]
			}
			found := run(forked)
			i := slices.IndexFunc(found, func(f *public.Finding) bool { return f.Code == c.code })
			if i < 0 {
				t.Fatalf("found %v", found)
			}
			names(t, found[i:], c.code, "it is cosigned by "+custodians[0]+", and is kept in "+filepath.Join(folder, "fork"))
			kept, err := os.ReadFile(filepath.Join(folder, "fork"))
			own, _ := os.ReadFile(filepath.Join(folder, watch.CheckpointPath))
			if err != nil || !bytes.Equal(kept, forked[watch.CheckpointPath]) || !bytes.Equal(own, shown[watch.CheckpointPath]) {
				t.Errorf("it keeps %q beside %q: %v", kept, own, err)
			}
			for range 2 {
				names(t, run(shown), watch.LogForked, "contradicted this mirror before")
			}
		})
	}
}
