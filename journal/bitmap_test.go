package journal

import (
	"errors"
	"slices"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
)

func mustBitmap(t testing.TB, first, length uint64, set ...uint64) *Bitmap {
	b, err := NewBitmapBuilder(first, length)
	if err != nil {
		t.Fatal(err)
	}
	for _, seq := range set {
		if err := b.Set(seq); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build()
}

func TestBitmapProvesEveryBit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		first := rapid.Uint64Range(0, 1<<40).Draw(rt, "first")
		length := rapid.OneOf(rapid.Uint64Range(1, 40_000),
			rapid.SampledFrom([]uint64{1, ChunkBits - 1, ChunkBits, ChunkBits + 1, 8 * ChunkBits})).Draw(rt, "length")
		seqs := rapid.SliceOf(rapid.Uint64Range(first, first+length-1)).Draw(rt, "set")
		m := mustBitmap(t, first, length, seqs...)
		in := make(map[uint64]bool)
		for _, seq := range seqs {
			in[seq] = true
		}
		if m.Count() != uint64(len(in)) {
			rt.Fatalf("%d bits set, want %d", m.Count(), len(in))
		}
		asked := append(seqs, first, first+length-1, rapid.Uint64Range(first, first+length-1).Draw(rt, "other"))
		for _, seq := range asked {
			p, err := m.Prove(seq)
			if err != nil {
				rt.Fatal(err)
			}
			set, err := CheckBit(m.Span(1), p, seq)
			if err != nil || set != in[seq] || m.Has(seq) != in[seq] {
				rt.Fatalf("bit of %d proven %v (%v), held %v, want %v", seq, set, err, m.Has(seq), in[seq])
			}
		}
		slices.Reverse(seqs)
		if mustBitmap(t, first, length, seqs...).Root() != m.Root() {
			rt.Fatal("the order of setting shows in the root")
		}
		again, err := ParseBitmap(first, length, m.Bytes())
		if err != nil || again.Root() != m.Root() {
			rt.Fatalf("stored bitmap reads back differently (%v)", err)
		}
	})
}

// The root is that of the log whose records are the chunks, so anybody with an
// RFC 6962 library can check it.
func TestBitmapRootIsLogOfChunks(t *testing.T) {
	m := mustBitmap(t, 100, 3*ChunkBits+5, 100, 100+ChunkBits, 100+3*ChunkBits+4)
	tree := NewTree()
	for chunk := range slices.Chunk(m.Bytes(), 512) {
		tree.Append(chunk)
	}
	if tree.Size() != 4 || tree.Root() != m.Root() {
		t.Errorf("%d chunks with root %v, bitmap has %v", tree.Size(), tree.Root(), m.Root())
	}
	if got := m.Bytes(); got[0] != 1 || got[512] != 1 || got[3*512] != 1<<4 {
		t.Errorf("bits lie at %x, %x, %x", got[0], got[512], got[3*512])
	}
	if mustBitmap(t, 0, 0).Root() != EmptyRoot() {
		t.Error("a bitmap without bits has a root of something")
	}
}

func TestTamperingWithBits(t *testing.T) {
	m := mustBitmap(t, 1000, 5*ChunkBits, 1000, 9000, 15_000)
	span := m.Span(1)
	p, err := m.Prove(9000)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(p.Chunk) {
		bent := p
		bent.Chunk = slices.Clone(p.Chunk)
		bent.Chunk[i/8] ^= 1 << (i % 8)
		if _, err := CheckBit(span, bent, 9000); !errors.Is(err, ErrProof) {
			t.Fatalf("bit %d of the chunk changed: %v", i, err)
		}
	}
	bent := p
	bent.Path = append(RecordProof{tlog.Hash{1}}, p.Path[1:]...)
	short, long, moved := p, p, p
	short.Chunk = p.Chunk[1:]
	long.Path = append(slices.Clone(p.Path), Hash{})
	moved.Index++
	for what, p := range map[string]BitProof{"path": bent, "short chunk": short, "long path": long, "index": moved} {
		if _, err := CheckBit(span, p, 9000); !errors.Is(err, ErrProof) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := CheckBit(span, p, 9000+ChunkBits); !errors.Is(err, ErrProof) {
		t.Errorf("the proof serves a bit of another chunk: %v", err)
	}
	other := span
	other.Root[0] ^= 1
	if _, err := CheckBit(other, p, 9000); !errors.Is(err, ErrProof) {
		t.Errorf("other root: %v", err)
	}
	for _, seq := range []uint64{0, 999, 1000 + 5*ChunkBits} {
		if _, err := CheckBit(span, p, seq); err == nil {
			t.Errorf("bit of %d outside the span was proven", seq)
		}
	}
}

func TestBitmapRefuses(t *testing.T) {
	b, err := NewBitmapBuilder(10, 10)
	if err != nil {
		t.Fatal(err)
	}
	m := b.Build()
	for _, seq := range []uint64{0, 9, 20, 1 << 63} {
		if b.Set(seq) == nil {
			t.Errorf("set the bit of %d", seq)
		}
		if _, err := m.Prove(seq); err == nil {
			t.Errorf("proved the bit of %d", seq)
		}
		if m.Has(seq) {
			t.Errorf("has the bit of %d", seq)
		}
	}
	if _, err := NewBitmapBuilder(MaxSize-5, 6); err == nil {
		t.Error("a bitmap beyond any log")
	}
	if _, err := NewBitmapBuilder(0, 1<<40); err == nil {
		t.Error("a bitmap beyond any memory")
	}
	data := m.Bytes()
	if _, err := ParseBitmap(10, 10, data[1:]); err == nil {
		t.Error("a short bitmap was read")
	}
	data[1] = 1 << 2 // bit 10, the first beyond the ten
	if _, err := ParseBitmap(10, 10, data); err == nil {
		t.Error("a bit beyond the end was read")
	}
}

func BenchmarkBitmapMillion(b *testing.B) {
	const n = 1_000_000
	b.ReportAllocs()
	for b.Loop() {
		builder, err := NewBitmapBuilder(5, n)
		if err != nil {
			b.Fatal(err)
		}
		for seq := uint64(5); seq < n; seq += 2 {
			if err := builder.Set(seq); err != nil {
				b.Fatal(err)
			}
		}
		builder.Build().Root()
	}
}
