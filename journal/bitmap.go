package journal

import (
	"bytes"
	"fmt"
	"math/bits"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	// ChunkBits is the number of bits in a chunk of a bitmap. A proof of one bit
	// carries the whole chunk, 512 bytes, and the path of its hash.
	ChunkBits  = 4096
	chunkBytes = ChunkBits / 8

	// maxBitmapBits bounds a bitmap to one GiB, far above what can be open in a
	// game, so that a wrong length is an error and not an allocation.
	maxBitmapBits = 1 << 33
)

// A BitmapBuilder collects the open sequence numbers of a game, in any order.
type BitmapBuilder struct {
	first, length uint64
	data          []byte
}

// NewBitmapBuilder begins a bitmap over the sequence numbers from first to
// before first+length, all of them clear.
func NewBitmapBuilder(first, length uint64) (*BitmapBuilder, error) {
	if length > maxBitmapBits || first > MaxSize-length {
		return nil, fmt.Errorf("journal: a bitmap cannot have %d bits from %d", length, first)
	}
	return &BitmapBuilder{first, length, make([]byte, chunkCount(length)*chunkBytes)}, nil
}

func chunkCount(length uint64) uint64 { return (length + ChunkBits - 1) / ChunkBits }

// Set sets the bit of a sequence number.
func (b *BitmapBuilder) Set(seq uint64) error {
	i := seq - b.first
	if i >= b.length { // true as well if seq is before first
		return outsideBitmap(seq, b.first, b.length)
	}
	b.data[i/8] |= 1 << (i % 8)
	return nil
}

func outsideBitmap(seq, first, length uint64) error {
	return fmt.Errorf("journal: sequence number %d is outside the bitmap of %d bits from %d", seq, length, first)
}

// Build returns the bitmap. The builder may be used on; the bitmap keeps its
// own copy.
func (b *BitmapBuilder) Build() *Bitmap {
	m := &Bitmap{first: b.first, length: b.length, data: bytes.Clone(b.data)}
	m.hash()
	return m
}

// A Bitmap says for each sequence number of a range whether its ticket plays
// in a game. It is cut into chunks of ChunkBits bits, and its root is the
// RFC 6962 root of the log whose records are the chunks. It never changes, so
// any number of goroutines may use it.
//
// Bit i of the range is bit i modulo 8, counted from the least, of byte i/8.
// The last chunk is filled up with zero bits.
type Bitmap struct {
	first, length uint64
	data          []byte
	hashes        chunkHashes
	root          Hash
}

// ParseBitmap returns the bitmap whose Bytes were data.
func ParseBitmap(first, length uint64, data []byte) (*Bitmap, error) {
	b, err := NewBitmapBuilder(first, length)
	if err != nil {
		return nil, err
	}
	if len(data) != len(b.data) {
		return nil, fmt.Errorf("journal: a bitmap of %d bits has %d bytes, got %d", length, len(b.data), len(data))
	}
	for i := length; i < uint64(len(data))*8; i++ {
		if data[i/8]>>(i%8)&1 == 1 {
			return nil, fmt.Errorf("journal: bit %d is set beyond the bitmap's %d bits", i, length)
		}
	}
	b.data = data
	return b.Build(), nil
}

// hash computes the root and the inner hashes from which proofs are made.
func (m *Bitmap) hash() {
	chunks := int64(chunkCount(m.length))
	m.hashes = make(chunkHashes, 0, tlog.StoredHashCount(chunks))
	for i := range chunks {
		hashes, err := tlog.StoredHashes(i, m.chunk(uint64(i)), m.hashes)
		if err != nil {
			panic(err) // The hashes are in memory; reading them cannot fail.
		}
		m.hashes = append(m.hashes, hashes...)
	}
	root, err := tlog.TreeHash(chunks, m.hashes)
	if err != nil {
		panic(err)
	}
	m.root = root
}

// chunkHashes are the hashes of the log of a bitmap's chunks, in tlog's storage
// order.
type chunkHashes []Hash

// ReadHashes makes the hashes a HashReader.
func (c chunkHashes) ReadHashes(indexes []int64) ([]Hash, error) {
	hashes := make([]Hash, len(indexes))
	for i, index := range indexes {
		hashes[i] = c[index]
	}
	return hashes, nil
}

func (m *Bitmap) chunk(i uint64) []byte { return m.data[i*chunkBytes : (i+1)*chunkBytes] }

// Root returns the root over the chunks.
func (m *Bitmap) Root() Hash { return m.root }

// Span returns what a seal states of the bitmap.
func (m *Bitmap) Span(volume uint16) Span {
	return Span{Volume: volume, First: m.first, Length: m.length, Root: m.root}
}

// Has reports whether the bit of a sequence number is set. Outside the range
// none is.
func (m *Bitmap) Has(seq uint64) bool {
	i := seq - m.first
	return i < m.length && m.data[i/8]>>(i%8)&1 == 1
}

// Count returns the number of bits set.
func (m *Bitmap) Count() uint64 {
	n := 0
	for _, b := range m.data {
		n += bits.OnesCount8(b)
	}
	return uint64(n)
}

// Bytes returns the chunks one after the other, to be stored.
func (m *Bitmap) Bytes() []byte { return bytes.Clone(m.data) }

// A BitProof shows one chunk of a bitmap to be under its root: the chunk, its
// index, and its path.
type BitProof struct {
	Chunk []byte
	Index uint64
	Path  RecordProof
}

// Prove returns the proof of the bit of a sequence number, set or clear.
func (m *Bitmap) Prove(seq uint64) (BitProof, error) {
	i := seq - m.first
	if i >= m.length {
		return BitProof{}, outsideBitmap(seq, m.first, m.length)
	}
	index := i / ChunkBits
	path, err := ProveRecord(index, chunkCount(m.length), m.hashes)
	if err != nil {
		return BitProof{}, err
	}
	return BitProof{Chunk: bytes.Clone(m.chunk(index)), Index: index, Path: path}, nil
}

// CheckBit returns the bit of a sequence number that the proof shows to be
// under the span's root, or an error if it shows none.
func CheckBit(span Span, p BitProof, seq uint64) (bool, error) {
	i := seq - span.First
	switch {
	case i >= span.Length:
		return false, outsideBitmap(seq, span.First, span.Length)
	case p.Index != i/ChunkBits:
		return false, fmt.Errorf("journal: the bit of %d is in chunk %d, the proof has chunk %d: %w", seq, i/ChunkBits,
			p.Index, ErrProof)
	case len(p.Chunk) != chunkBytes:
		return false, fmt.Errorf("journal: a chunk has %d bytes, the proof has %d: %w", chunkBytes, len(p.Chunk),
			ErrProof)
	}
	if err := CheckRecord(p.Path, chunkCount(span.Length), span.Root, p.Index, LeafHash(p.Chunk)); err != nil {
		return false, fmt.Errorf("journal: the bit of %d: %w", seq, err)
	}
	i %= ChunkBits
	return p.Chunk[i/8]>>(i%8)&1 == 1, nil
}
