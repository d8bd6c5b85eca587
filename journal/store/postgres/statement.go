package postgres

import (
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// shape is what an append has besides records that are about nothing. Each shape
// has a statement of its own, so that the many appends without tiles and objects do
// not pay for them.
type shape struct {
	begins  bool // a volume
	about   bool // some records are about others
	tiles   bool
	objects bool
}

// shapeOf returns the shape of a batch that goes on with its volume.
func shapeOf(b *store.Batch) shape {
	s := shape{tiles: len(b.Tiles) > 0, objects: len(b.Objects) > 0}
	for i := range b.Entries {
		if b.Entries[i].About != (record.Place{}) {
			s.about = true
			break
		}
	}
	return s
}

// The parts of an append. Parameters 1 to 8 are lane, epoch, volume, from, size,
// root, checkpoint and the records' data. Every part that inserts asks for the row
// that moved first, so that it also waits until that row is ours.
const (
	moveHead = `moved AS (
		UPDATE lane SET size = $5, root = $6, checkpoint = $7
		WHERE lane = $1 AND epoch = $2 AND volume = $3 AND size = $4
		RETURNING 1)`
	beginVolume = `moved AS (
		UPDATE lane SET volume = $3, size = $5, root = $6, checkpoint = $7
		FROM (SELECT * FROM lane WHERE lane = $1 AND epoch = $2 AND volume < $3 AND $4 = 0::bigint FOR UPDATE) AS former
		WHERE lane.lane = former.lane
		RETURNING former.*),
	ended AS (
		INSERT INTO volume (lane, volume, epoch, size, root, checkpoint)
		SELECT lane, volume, epoch, size, root, checkpoint FROM moved)`
	insertRecords = `, records AS (
		INSERT INTO record (lane, volume, seq, data)
		SELECT $1, $3, $4 + n - 1, data FROM unnest($8) WITH ORDINALITY AS entry (data, n)
		WHERE EXISTS (SELECT FROM moved))`
	insertRecordsAbout = `, records AS (
		INSERT INTO record (lane, volume, seq, data, about_volume, about_seq)
		SELECT $1, $3, $4 + n - 1, data, about_volume, about_seq
		FROM unnest($8, $A, $B) WITH ORDINALITY AS entry (data, about_volume, about_seq, n)
		WHERE EXISTS (SELECT FROM moved))`
	insertTiles = `, tiles AS (
		INSERT INTO tile (lane, volume, level, number, data)
		SELECT $1, $3, level, number, data FROM unnest($A, $B, $C) AS tile (level, number, data)
		WHERE EXISTS (SELECT FROM moved))`
	insertObjects = `, objects AS (
		INSERT INTO object (lane, name, data)
		SELECT $1, name, data FROM unnest($A, $B) AS object (name, data)
		WHERE EXISTS (SELECT FROM moved))`
	countMoved = ` SELECT count(*) FROM moved`
)

// statement is the text of a shape with the types of its parameters.
type statement struct {
	text  string
	types []uint32
}

func statementOf(s shape) statement {
	st := statement{types: []uint32{
		pgtype.Int4OID, pgtype.Int8OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.Int8OID,
		pgtype.ByteaOID, pgtype.ByteaOID, pgtype.ByteaArrayOID,
	}}
	st.text = "WITH " + moveHead
	if s.begins {
		st.text = "WITH " + beginVolume
	}
	if s.about {
		st.add(insertRecordsAbout, pgtype.Int4ArrayOID, pgtype.Int8ArrayOID)
	} else {
		st.add(insertRecords)
	}
	if s.tiles {
		st.add(insertTiles, pgtype.Int2ArrayOID, pgtype.Int8ArrayOID, pgtype.ByteaArrayOID)
	}
	if s.objects {
		st.add(insertObjects, pgtype.TextArrayOID, pgtype.ByteaArrayOID)
	}
	st.text += countMoved
	return st
}

// add adds a part whose own parameters it calls $A, $B and $C.
func (st *statement) add(part string, types ...uint32) {
	for i, oid := range types {
		st.types = append(st.types, oid)
		part = strings.ReplaceAll(part, "$"+string(rune('A'+i)), "$"+strconv.Itoa(len(st.types)))
	}
	st.text += part
}

// arguments are the parameters of a statement in binary form. Their memory is used
// again by the next append.
type arguments struct {
	values [][]byte
	used   int
}

// keepBytes bounds the memory that is kept for the next append.
const keepBytes = 1 << 20

// reset begins the arguments of another statement.
func (a *arguments) reset() {
	for i := range a.values {
		if cap(a.values[i]) > keepBytes {
			a.values[i] = nil
		}
	}
	a.used = 0
}

// next returns where to write the next argument. An
// argument is never nil, which would be NULL.
func (a *arguments) next() *[]byte {
	if a.used == len(a.values) {
		a.values = append(a.values, nil)
	}
	value := &a.values[a.used]
	if *value == nil {
		*value = make([]byte, 0, 64)
	}
	*value = (*value)[:0]
	a.used++
	return value
}

func (a *arguments) int4(v int32) {
	value := a.next()
	*value = binary.BigEndian.AppendUint32(*value, uint32(v))
}

func (a *arguments) int8(v int64) {
	value := a.next()
	*value = binary.BigEndian.AppendUint64(*value, uint64(v))
}

func (a *arguments) bytes(v []byte) {
	value := a.next()
	*value = append(*value, v...)
}

// array writes an array of one dimension with n elements that element appends, each
// by appendElement or appendNull.
func (a *arguments) array(oid uint32, n int, element func(to []byte, i int) []byte) {
	value := a.next()
	to := binary.BigEndian.AppendUint32(*value, 1) // dimensions
	to = binary.BigEndian.AppendUint32(to, 1)      // There may be nulls.
	to = binary.BigEndian.AppendUint32(to, oid)
	to = binary.BigEndian.AppendUint32(to, uint32(n))
	to = binary.BigEndian.AppendUint32(to, 1) // the number of the first
	for i := range n {
		to = element(to, i)
	}
	*value = to
}

// appendElement appends an element of an array behind its length.
func appendElement[T []byte | string](to []byte, data T) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(len(data)))
	return append(to, data...)
}

func appendNull(to []byte) []byte { return binary.BigEndian.AppendUint32(to, 0xffffffff) }

func appendInt2(to []byte, v int16) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint32(to, 2), uint16(v))
}

func appendInt4(to []byte, v int32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(to, 4), uint32(v))
}

func appendInt8(to []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(to, 8), uint64(v))
}

// fill writes the arguments of a batch's statement.
func (a *arguments) fill(lane int32, s shape, b *store.Batch) [][]byte {
	a.reset()
	a.int4(lane)
	a.int8(int64(b.Epoch))
	a.int4(int32(b.Volume))
	a.int8(int64(b.From))
	a.int8(int64(b.Size()))
	a.bytes(b.Root[:])
	a.bytes(b.Checkpoint)
	a.array(pgtype.ByteaOID, len(b.Entries), func(to []byte, i int) []byte { return appendElement(to, b.Entries[i].Data) })
	if s.about {
		a.fillAbout(b.Entries)
	}
	if s.tiles {
		a.array(pgtype.Int2OID, len(b.Tiles), func(to []byte,
			i int) []byte {
			return appendInt2(to, int16(b.Tiles[i].Level))
		})
		a.array(pgtype.Int8OID, len(b.Tiles), func(to []byte,
			i int) []byte {
			return appendInt8(to, int64(b.Tiles[i].Index))
		})
		a.array(pgtype.ByteaOID, len(b.Tiles), func(to []byte, i int) []byte { return appendElement(to, b.Tiles[i].Data) })
	}
	if s.objects {
		a.array(pgtype.TextOID, len(b.Objects), func(to []byte, i int) []byte { return appendElement(to, b.Objects[i].Name) })
		a.array(pgtype.ByteaOID, len(b.Objects),
			func(to []byte, i int) []byte { return appendElement(to, b.Objects[i].Data) })
	}
	return a.values[:a.used]
}

func (a *arguments) fillAbout(entries []store.Entry) {
	none := record.Place{}
	a.array(pgtype.Int4OID, len(entries), func(to []byte, i int) []byte {
		if entries[i].About == none {
			return appendNull(to)
		}
		return appendInt4(to, int32(entries[i].About.Volume))
	})
	a.array(pgtype.Int8OID, len(entries), func(to []byte, i int) []byte {
		if entries[i].About == none {
			return appendNull(to)
		}
		return appendInt8(to, int64(entries[i].About.Seq))
	})
}
