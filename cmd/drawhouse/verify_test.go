package main

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// oneRecord is a journal with the record that begins it.
type oneRecord []byte

func (o oneRecord) Records(_ context.Context, _ uint16, _, _ uint64, fn func(uint64, []byte) error) error {
	return fn(0, o)
}

func (oneRecord) Object(context.Context, string) ([]byte, error) {
	return nil, errors.New("there are no objects")
}

// exportOneRecord writes the smallest export there is and returns its directory
// and the house's key.
func exportOneRecord(t *testing.T) (dir, houseKey string) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	skey, vkey, err := journal.GenerateKey(strings.NewReader(strings.Repeat("k", 32)), "keno.example/v1")
	must(err)
	signer, err := journal.ParseSigner(skey)
	must(err)
	data, err := record.Encode(record.Record{Time: 1,
		Body: &record.VolumeBegun{House: "keno.example", Volume: 1, Level: 1, Reason: record.ReasonFound, HouseKey: vkey,
			DeviceKey: vkey}})
	must(err)
	tree := journal.NewTree()
	tree.Append(data)
	checkpoint, err := journal.SignCheckpoint(journal.Checkpoint{Origin: "keno.example/v1", Size: 1, Root: tree.Root()},
		signer)
	must(err)
	dir = filepath.Join(t.TempDir(), "export")
	sink, err := export.CreateDir(dir)
	must(err)
	must(export.Write(t.Context(), sink, verify.House{House: "keno.example", Volume: 1, HouseKey: vkey, DeviceKey: vkey},
		checkpoint, oneRecord(data)))
	must(sink.Close())
	return dir, vkey
}

// TestVerify runs the command on an export that holds: status 0, and the report
// says what its keys are worth.
func TestVerify(t *testing.T) {
	t.Parallel()
	dir, key := exportOneRecord(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"verify", dir}, "agrees with itself"},
		{[]string{"verify", dir, "--house-key", key, "--device-key", key}, "keys: given apart from the export"},
		{[]string{"verify", dir, "--json"}, `"records": 1`},
	} {
		var stdout, stderr bytes.Buffer
		if status := run(c.args, &stdout, &stderr); status != 0 || !strings.Contains(stdout.String(), c.want) {
			t.Errorf("%v: status %d, want 0 and %q\n%s%s", c.args, status, c.want, &stdout, &stderr)
		}
	}
	_, other, err := journal.GenerateKey(strings.NewReader(strings.Repeat("o", 32)), "keno.example/v1")
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if status := run([]string{"verify", dir, "--house-key", other}, &stdout, &stderr); status != statusRefused ||
		!strings.Contains(stdout.String(), "another house key than the one given") {
		t.Errorf("status %d\n%s%s", status, &stdout, &stderr)
	}
}
