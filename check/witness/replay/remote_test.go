package replay

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"drawhouse/check/witness"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/journal/store"
)

// FuzzSplitRecords reads whatever a house may send: what is read is written the same.
func FuzzSplitRecords(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{3, 1, 2, 3, 1, 9})
	f.Add([]byte{5, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		records, err := splitRecords(data)
		if err != nil {
			return
		}
		var again []byte
		for _, r := range records {
			again = append(binary.AppendUvarint(again, uint64(len(r))), r...)
		}
		if len(again) > len(data) {
			t.Errorf("%x was read as %x", data, again)
		}
	})
}

// shelf is a journal in memory of one volume.
type shelf struct {
	store.Source
	records [][]byte
}

func (s *shelf) Volumes(context.Context) ([]store.Head, error) {
	return []store.Head{{Volume: 1, Size: uint64(len(s.records)), Checkpoint: []byte("signed")}}, nil
}

func (s *shelf) Contents(ctx context.Context) (store.Contents, error) {
	heads, err := s.Volumes(ctx)
	return store.Contents{Volumes: heads, Objects: []string{"winners/1/2/1"}}, err
}

func (s *shelf) Records(_ context.Context, volume uint16, from, to uint64, fn func(uint64, []byte) error) error {
	for seq := from; seq < to; seq++ {
		if volume != 1 || seq >= uint64(len(s.records)) {
			return store.ErrNotFound
		}
		if err := fn(seq, s.records[seq]); err != nil {
			return err
		}
	}
	return nil
}

func (s *shelf) Object(_ context.Context, name string) ([]byte, error) {
	if name != "winners/1/2/1" {
		return nil, store.ErrNotFound
	}
	return []byte("winners"), nil
}

// TestRemote reads a journal over HTTP, larger than one answer, as a stranger and as
// the witness.
func TestRemote(t *testing.T) {
	s := &shelf{}
	sold, err := record.Encode(record.Record{Time: 1, Body: &record.RequestBurned{Terminal: 1, Number: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for range 3*maxRecords + 5 {
		s.records = append(s.records, sold)
	}
	keyOf := func(name string) (journal.Signer, journal.Verifier) {
		private, public, err := journal.GenerateKey(strings.NewReader(strings.Repeat(name, 40)), name)
		if err != nil {
			t.Fatal(err)
		}
		signer, err := journal.ParseSigner(private)
		if err != nil {
			t.Fatal(err)
		}
		verifier, err := journal.ParseVerifier(public)
		if err != nil {
			t.Fatal(err)
		}
		return signer, verifier
	}
	signer, verifier := keyOf("inspector.example")
	stranger, _ := keyOf("stranger.example")
	server := httptest.NewServer(Handler(s, func(r *http.Request) error {
		return witness.CheckAsk(r.Header.Get(witness.AskHeader), verifier, "keno.example", r.URL.RequestURI(), 1000)
	}))
	defer server.Close()
	ctx := context.Background()
	remote := &Remote{URL: server.URL, House: "keno.example", Signer: signer, Now: func() int64 { return 1030 }}
	n := uint64(0)
	err = remote.Records(ctx, 1, 0, uint64(len(s.records)), func(seq uint64, data []byte) error {
		if seq != n || !bytes.Equal(data, sold) {
			return fmt.Errorf("record %d is %d: %x", n, seq, data)
		}
		n++
		return nil
	})
	if err != nil || n != uint64(len(s.records)) {
		t.Errorf("%d records: %v", n, err)
	}
	if abouts, err := remote.Abouts(ctx, 1, 0, 100); err != nil || len(abouts) != 0 {
		t.Errorf("abouts %v: %v", abouts, err)
	}
	if c, err := remote.Contents(ctx); err != nil || len(c.Objects) != 1 || c.Volumes[0].Size != uint64(len(s.records)) {
		t.Errorf("contents %+v: %v", c, err)
	}
	if data, err := remote.Object(ctx, "winners/1/2/1"); err != nil || string(data) != "winners" {
		t.Errorf("object %s: %v", data, err)
	}
	if _, err := remote.Object(ctx, "winners/9"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no object: %v", err)
	}
	if _, err := remote.Record(ctx, record.Place{Volume: 2}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no record: %v", err)
	}
	for name, other := range map[string]*Remote{
		"a stranger":    {URL: server.URL, House: "keno.example", Signer: stranger, Now: func() int64 { return 1000 }},
		"another house": {URL: server.URL, House: "bingo.example", Signer: signer, Now: func() int64 { return 1000 }},
		"long ago":      {URL: server.URL, House: "keno.example", Signer: signer, Now: func() int64 { return 879 }},
		"too early":     {URL: server.URL, House: "keno.example", Signer: signer, Now: func() int64 { return 1121 }},
	} {
		if _, err := other.Volumes(ctx); !errors.Is(err, ErrUnread) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := remote.Records(ctx, 1, 5, 5, nil); err != nil {
		t.Errorf("no records: %v", err)
	}
	for _, bad := range []string{"/v1/journal/volumes/x/records?from=0&to=1", "/v1/journal/volumes/1/records?from=2&to=1",
		"/v1/journal/volumes/1/records?from=a&to=1", "/v1/journal/object"} {
		if _, err := remote.get(ctx, bad, 100); !errors.Is(err, ErrUnread) || !strings.Contains(err.Error(), "400") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestFirstField names what differs between two records.
func TestFirstField(t *testing.T) {
	encode := func(r record.Record) []byte {
		data, err := record.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	one := encode(record.Record{Time: 1, Body: &record.RequestBurned{Terminal: 1, Number: 7}})
	for _, c := range []struct {
		other []byte
		want  [3]string
	}{
		{encode(record.Record{Time: 2, Body: &record.RequestBurned{Terminal: 1, Number: 7}}),
			[3]string{"record.Time", "1", "2"}},
		{encode(record.Record{Time: 1, Body: &record.RequestBurned{Terminal: 1, Number: 8}}),
			[3]string{"record.Body.Number", "7", "8"}},
		{encode(record.Record{Time: 1, Body: &record.RoleWithdrawn{Person: 1, Role: record.RoleInspector}}),
			[3]string{"record.Body", "*record.RequestBurned", "*record.RoleWithdrawn"}},
		{one[:3], [3]string{"byte 3", fmt.Sprintf("%x of %d bytes", one[3:], len(one)), " of 3 bytes"}},
	} {
		if a, b, d := firstField(one, c.other); [3]string{a, b, d} != c.want {
			t.Errorf("%q, want %q", [3]string{a, b, d}, c.want)
		}
	}
}
