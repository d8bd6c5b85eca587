package journal

import (
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// A Hash is a SHA-256 hash of RFC 6962: of a record, of an inner node, or of a
// whole log. Its String is standard base64.
type Hash = tlog.Hash

const (
	// HashBytes is the length of a Hash.
	HashBytes = tlog.HashSize

	// TileWidth is the number of hashes in a full tile.
	TileWidth = 1 << tileHeight

	// TileBytes is the length of a full tile's data.
	TileBytes = TileWidth * HashBytes

	// MaxSize is the greatest number of records of one log. It is the bound of
	// tlog, which counts in int64.
	MaxSize = 1<<63 - 1

	tileHeight = 8
	tileLevels = 64 / tileHeight
)

// A Tile is a run of consecutive hashes at one level of the tiling. At level 0
// these are the hashes of records; at level n+1 each is the root of a full tile
// of level n. Index counts tiles within their level from zero.
//
// Data is the concatenated hashes. A full tile holds TileWidth of them and
// never changes again.
type Tile struct {
	Level uint8
	Index uint64
	Data  []byte
}

// Width returns the number of hashes in the tile.
func (t Tile) Width() int { return len(t.Data) / HashBytes }

// A TileReader reads stored full tiles.
type TileReader interface {
	// ReadTile returns the data of a full tile, TileBytes long. The caller does
	// not change what it gets. A tile that is not stored is an error.
	ReadTile(level uint8, index uint64) ([]byte, error)
}

// TileReaderFunc makes a function a TileReader.
type TileReaderFunc func(level uint8, index uint64) ([]byte, error)

// ReadTile calls f.
func (f TileReaderFunc) ReadTile(level uint8, index uint64) ([]byte, error) { return f(level, index) }

// readFullTile reads a tile and checks its length, so that a damaged store is
// named here and not by a slice out of range further on.
func readFullTile(tiles TileReader, level uint8, index uint64) ([]byte, error) {
	data, err := tiles.ReadTile(level, index)
	if err != nil {
		return nil, fmt.Errorf("journal: reading tile %d/%d: %w", level, index, err)
	}
	if len(data) != TileBytes {
		return nil, fmt.Errorf("journal: tile %d/%d has %d bytes, want %d", level, index, len(data), TileBytes)
	}
	return data, nil
}

// hashAt returns the i'th hash of a tile's data.
func hashAt(data []byte, i int) Hash {
	return Hash(data[i*HashBytes : (i+1)*HashBytes])
}

// subtreeHash returns the root over the hashes of data, whose number must be a
// power of two.
func subtreeHash(data []byte) Hash {
	n := len(data) / HashBytes
	if n == 1 {
		return hashAt(data, 0)
	}
	half := n / 2 * HashBytes
	return tlog.NodeHash(subtreeHash(data[:half]), subtreeHash(data[half:]))
}
