package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"github.com/transparency-dev/formats/log"
	"github.com/transparency-dev/merkle/rfc6962"
)

// small is a log of a few entries.
type small struct{ entries, hashed []string }

func (s small) ReadTile(_ context.Context, level, index uint64, _ uint8) (data []byte, err error) {
	if level > 0 || index > 0 {
		return nil, os.ErrNotExist
	}
	for _, e := range s.hashed {
		data = append(data, rfc6962.DefaultHasher.HashLeaf([]byte(e))...)
	}
	return data, nil
}

func (s small) ReadEntryBundle(_ context.Context, index uint64, _ uint8) (data []byte, err error) {
	if index > 0 {
		return nil, os.ErrNotExist
	}
	for _, e := range s.entries {
		data = append(binary.BigEndian.AppendUint16(data, uint16(len(e))), e...)
	}
	return data, nil
}

// TestProvedNotices changes an entry, its hash, and what was signed: each is noticed.
func TestProvedNotices(t *testing.T) {
	h := rfc6962.DefaultHasher
	of := func(s string) []byte { return h.HashLeaf([]byte(s)) }
	under := log.Checkpoint{Size: 3, Hash: h.HashChildren(h.HashChildren(of("one"), of("two")), of("three"))}
	good := []string{"one", "two", "three"}
	for i, c := range []struct {
		small
		root []byte
		want bool
	}{
		{small{good, good}, under.Hash, true},
		{small{[]string{"one", "TWO", "three"}, good}, under.Hash, false},
		{small{good, []string{"one", "TWO", "three"}}, under.Hash, false},
		{small{[]string{"one", "TWO", "three"}, []string{"one", "TWO", "three"}}, under.Hash, false},
		{small{good[:2], good}, under.Hash, false},
		{small{nil, good}, under.Hash, false},
		{small{good, good}, of("one"), false},
	} {
		n, err := proved(t.Context(), c.small, log.Checkpoint{Size: 3, Hash: c.root})
		if got := fmt.Sprint(n, err == nil); (got == "3 true") != c.want {
			t.Errorf("%d: %d entries, %v", i, n, err)
		}
	}
}
