package journal

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strings"
)

// The layout of a cosignature in a note (C2SP tlog-cosignature, Ed25519): the id of the key, the time, the signature.
const (
	stampAt        = 4
	stampBytes     = 8
	cosignedLength = stampAt + stampBytes + 64
)

// stampOf returns the time in a line of a signature, if it is a cosignature.
func stampOf(encoded string) (seconds int64, ok bool) {
	data, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || len(data) != cosignedLength {
		return 0, false
	}
	at := binary.BigEndian.Uint64(data[stampAt:])
	return int64(min(at, math.MaxInt64)), true
}

// CosignedAt returns when a witness says that it cosigned a checkpoint, in seconds since 1970 UTC, by the line of its
// name in the note. Whether the cosignature holds is for the caller. It reports false where the note has no line of
// the name in the form of a cosignature; of several the last time counts.
func CosignedAt(signed []byte, name string) (seconds int64, ok bool) {
	_, lines, _ := strings.Cut(string(signed), "\n\n")
	for l := range strings.SplitSeq(lines, "\n") {
		encoded, of := strings.CutPrefix(l, "— "+name+" ")
		if at, stamped := stampOf(encoded); of && stamped {
			seconds, ok = max(seconds, at), true
		}
	}
	return seconds, ok
}

// CosignedBy returns the note of a checkpoint without the cosignatures that say a later time than the given one, in
// seconds since 1970 UTC.
func CosignedBy(signed []byte, seconds int64) []byte {
	body, lines, _ := strings.Cut(string(signed), "\n\n")
	kept := body + "\n\n"
	for l := range strings.SplitAfterSeq(lines, "\n") {
		encoded := l[strings.LastIndexByte(l, ' ')+1:]
		if at, stamped := stampOf(strings.TrimSuffix(encoded, "\n")); !stamped || at <= seconds {
			kept += l
		}
	}
	return []byte(kept)
}
