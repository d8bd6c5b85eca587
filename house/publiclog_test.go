package house

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"net/http/httptest"

	"drawhouse/check/witness"
	"drawhouse/check/witness/wire"
	"drawhouse/journal"
	"drawhouse/journal/public"
	"drawhouse/journal/store"
)

// readLog reads the whole public log by its parts, as a stranger does: by the checkpoint, which says how far the
// log goes, and by bundles and tiles, full and partial.
func readLog(t *testing.T, h *House, key string) (journal.Checkpoint, *public.Chain) {
	t.Helper()
	note, err := h.LogCheckpoint()
	must(t, err)
	verifier, err := journal.ParseVerifier(key)
	must(t, err)
	checkpoint, _, err := journal.OpenCheckpoint(note, verifier)
	must(t, err)
	chain, tree := public.NewChain(key), journal.NewTree()
	for from := uint64(0); from < checkpoint.Size; from += public.BundleWidth {
		width := int(min(public.BundleWidth, checkpoint.Size-from)) % public.BundleWidth
		part := public.Part{Entries: true, Index: from / public.BundleWidth, Width: width}
		data, err := h.LogPart(t.Context(), part)
		must(t, err)
		entries, err := public.SplitBundle(data)
		must(t, err)
		for _, entry := range entries {
			if _, err := chain.Take(entry); err != nil {
				t.Fatal(err)
			}
			tree.Append(entry)
		}
		hashes, err := h.LogPart(t.Context(), public.Part{Index: part.Index, Width: width})
		must(t, err)
		if len(hashes) != len(entries)*journal.HashBytes || !bytes.Equal(hashes[:journal.HashBytes], leaf(entries[0])) {
			t.Errorf("the tile of bundle %d has %d bytes and begins otherwise", part.Index, len(hashes))
		}
	}
	if tree.Size() != checkpoint.Size || tree.Root() != checkpoint.Root {
		t.Fatalf("the entries come to %d with root %v, and the checkpoint says %d with %v", tree.Size(), tree.Root(),
			checkpoint.Size, checkpoint.Root)
	}
	return checkpoint, chain
}

func leaf(entry []byte) []byte {
	h := journal.LeafHash(entry)
	return h[:]
}

// logKey returns the verifier of the public log.
func (b *bench) logKey() string {
	b.t.Helper()
	return b.house.public.shown.Load().Key
}

// TestPublicLog plays, is closed and opened again, and has the same log, which goes on and of which an export holds.
func TestPublicLog(t *testing.T) {
	b := newBench(t)
	if _, err := b.house.LogPart(t.Context(), public.Part{Width: 200}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a tile that is not there: %v", err)
	}
	b.minutes(30, 1)
	before, chain := readLog(t, b.house, b.logKey())
	if before.Origin != "bench.example/log" || chain.Size() < 20 {
		t.Errorf("%s has %d entries", before.Origin, chain.Size())
	}
	b.close()
	b.open()
	after, _ := readLog(t, b.house, b.logKey())
	if after.Size < before.Size {
		t.Errorf("the log had %d entries before the house was opened again, and has %d", before.Size, after.Size)
	}
	b.minutes(420, 1)
	last, _ := readLog(t, b.house, b.logKey())
	if last.Size < 2*public.BundleWidth {
		t.Fatalf("the log has %d entries only", last.Size)
	}
	switch report := verifyDir(t, b.export()); {
	case !report.OK():
		t.Error(report.Failure)
	case report.PublicLog.Entries < last.Size || report.PublicLog.Key != b.logKey():
		t.Errorf("verify comes to %+v, and %d entries were shown", report.PublicLog, last.Size)
	}
	// A reader that began earlier asks for a part of what is full now.
	part := public.Part{Entries: true, Width: 5}
	data, err := b.house.LogPart(t.Context(), part)
	must(t, err)
	if entries, err := public.SplitBundle(data); err != nil || len(entries) != 5 {
		t.Errorf("%d entries of a bundle that is full, %v", len(entries), err)
	}
	hashes, err := b.house.LogPart(t.Context(), public.Part{Width: 5})
	must(t, err)
	if len(hashes) != 5*journal.HashBytes {
		t.Errorf("%d bytes of a tile that is full", len(hashes))
	}
}

// TestPublicLogIsCosigned shows a checkpoint only once the witness has cosigned it.
func TestPublicLogIsCosigned(t *testing.T) {
	b := newBench(t)
	key := b.logKey()
	private, vkey, err := journal.GenerateKey(b.random, "inspector.example")
	must(t, err)
	signer, err := journal.ParseSigner(private)
	must(t, err)
	cosigner, err := witness.NewCosigner(signer, vkey)
	must(t, err)
	house, err := journal.ParseVerifier(b.house.config.Keys.HouseVerifier)
	must(t, err)
	log, err := journal.ParseVerifier(key)
	must(t, err)
	server, err := wire.NewServer(wire.ServerConfig{
		Cosigner: cosigner, Watch: witness.NewWatch(house, log), State: filepath.Join(t.TempDir(), "witness"), Now: time.Now,
	})
	must(t, err)
	t.Cleanup(func() { _ = server.Close() })
	front := httptest.NewServer(server)
	t.Cleanup(front.Close)
	b.close()
	b.witnesses = Witnesses{Timeout: 10 * time.Second, Members: []wire.Member{{
		Client: &wire.Client{URL: front.URL, Witness: cosigner.Verifier}, Policy: wire.Required}}}
	b.open()
	b.minutes(9, 1)
	var note []byte
	eventually(t, "the log is cosigned as it stands", func() bool {
		shown := b.house.public.shown.Load()
		note = shown.cosigned
		return shown.witnessed > 0 && shown.witnessed >= shown.due
	})
	got, err := b.house.LogCheckpoint()
	must(t, err)
	if !bytes.Equal(got, note) {
		t.Error("another checkpoint is shown than the one that is cosigned")
	}
	if by, err := witness.Cosignatures(note, cosigner.Verifier); err != nil || len(by) != 1 {
		t.Errorf("cosigned by %d, %v", len(by), err)
	}
	readLog(t, b.house, key)
}
