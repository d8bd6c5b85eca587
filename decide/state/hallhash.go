package state

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/journal/record"
)

// hallEncoding is the one encoding of what a hall holds: core deterministic CBOR, in
// which nothing and an empty list are one.
var hallEncoding = func() cbor.EncMode {
	options := cbor.CoreDetEncOptions()
	options.NilContainers = cbor.NilContainerAsEmpty
	mode, err := options.EncMode()
	if err != nil {
		panic(err)
	}
	return mode
}()

// halls writes what the bingo rooms hold. A house without any is hashed as before
// there were some.
func (h digest) halls(halls map[uint8]*Hall) {
	for _, id := range slices.Sorted(maps.Keys(halls)) {
		hall := *halls[id]
		hall.Sessions = slices.DeleteFunc(slices.Clone(hall.Sessions), func(s *Session) bool { return s.done })
		h.numbers(uint64(id))
		h.encoded(&hall)
	}
}

func (h digest) encoded(v any) {
	data, err := hallEncoding.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("state: %T does not encode: %v", v, err)) // Its fields are plain values.
	}
	h.text(string(data))
}

// hashSession returns the hash of a session after those before it.
func hashSession(before record.Hash, s *Session, guarded bool) record.Hash {
	h := digest{sha256.New()}
	h.Write(before[:])
	h.encoded(s)
	if guarded {
		h.guardedSession(s)
	}
	return record.Hash(h.Sum(nil))
}

// guardedSession writes what a session keeps since record.LevelGuarded.
func (h digest) guardedSession(s *Session) {
	h.numbers(uint64(s.Set.Session), uint64(len(s.Players)))
	for i := range s.Players {
		h.numbers(uint64(s.Players[i].back), uint64(s.Players[i].kept))
	}
	for i := range s.Games {
		h.text(s.Games[i].invalid)
		h.flag(s.Games[i].returned)
		h.Write(s.Games[i].heard[:])
		h.text(string(s.Games[i].misread))
		for _, person := range s.Games[i].mended {
			h.numbers(uint64(person))
		}
		for k := range s.Games[i].Claims {
			c := &s.Games[i].Claims[k]
			h.flag(c.withdrawn)
			h.numbers(uint64(c.had.Cents), uint64(c.had.JackpotCents))
		}
	}
}
