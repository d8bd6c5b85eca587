package house

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"drawhouse/check/verify"
	"drawhouse/check/verify/export"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// TestDamageIsFound takes the export of a house that has played, damages it in one
// way at a time, and expects the second opinion to name the record. The first three
// are done by somebody without the house's key, the last two by the house itself,
// which signs what it has changed.
func TestDamageIsFound(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.run(func(until time.Time) error {
		if until.Sub(start) > 10*time.Minute {
			return errEnough
		}
		for range 8 {
			b.sell(1, 1)
		}
		return nil
	})
	if b.payAll() == 0 {
		t.Fatal("nobody has won")
	}
	whole := b.export()
	if report := verifyDir(t, whole); !report.OK() {
		t.Fatalf("the whole journal fails: %+v", report.Failure)
	}
	records := readRecords(t, whole)
	sold := find(t, records, record.KindTicketSold)
	paid := find(t, records, record.KindTicketPaid)
	closed := find(t, records, record.KindGameClosed)
	for name, c := range map[string]struct {
		change func([][]byte) [][]byte
		resign bool
		at     int // the record that must be named
	}{
		"one byte changed": {at: sold, change: func(all [][]byte) [][]byte {
			all[sold] = bytes.Clone(all[sold])
			all[sold][len(all[sold])-1] ^= 1
			return all
		}},
		// The ticket that is gone is missed by the close of its game, which has moved
		// up by one.
		"a record dropped": {at: closed - 1, change: func(all [][]byte) [][]byte {
			return slices.Delete(all, sold, sold+1)
		}},
		// Of two requests in the wrong order it is the second that cannot be.
		"two swapped": {at: sold + 1, change: func(all [][]byte) [][]byte {
			all[sold], all[sold+1] = all[sold+1], all[sold]
			return all
		}},
		"a ticket added after the seal": {at: closed + 2, resign: true, change: func(all [][]byte) [][]byte {
			return slices.Insert(all, closed+2, lateTicket(t, all, sold, closed))
		}},
		"a prize raised by a cent": {at: paid, resign: true, change: func(all [][]byte) [][]byte {
			all[paid] = raised(t, all[paid])
			return all
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "damaged")
			must(t, os.CopyFS(dir, os.DirFS(whole)))
			changed := c.change(slices.Clone(records))
			writeRecords(t, dir, changed)
			if c.resign {
				b.resign(dir, changed)
			}
			report := verifyDir(t, dir)
			if report.OK() {
				t.Fatal("the second opinion holds it for whole")
			}
			if !names(report.Failure, c.at) {
				t.Errorf("record %d was damaged; the report says %+v", c.at, report.Failure)
			}
			t.Logf("%s", report.Failure.Reason)
		})
	}
}

// names reports whether a failure is of the record at a sequence number.
func names(f *verify.Failure, seq int) bool {
	return f.Place.Volume != 0 && f.Place.Seq == uint64(seq)
}

// export writes the journal into a clean directory.
func (b *bench) export() string {
	b.t.Helper()
	head, err := b.store.Head(b.t.Context())
	must(b.t, err)
	name := filepath.Join(b.t.TempDir(), "export")
	dir, err := export.CreateDir(name)
	must(b.t, err)
	about := b.house.Hub().Board().House
	must(b.t, export.Write(b.t.Context(), dir,
		verify.House{House: about.Name, Volume: head.Volume, HouseKey: about.HouseKey, DeviceKey: about.DeviceKey},
		head.Checkpoint, b.store))
	must(b.t, dir.Close())
	return name
}

func verifyDir(t testing.TB, name string) *verify.Report {
	t.Helper()
	dir, err := export.OpenDir(name)
	must(t, err)
	defer func() { must(t, dir.Close()) }()
	return verify.Run(dir, verify.Options{})
}

const recordFile = "records-00000000.cbor"

// readRecords reads the one record file of a small export.
func readRecords(t testing.TB, dir string) [][]byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, recordFile))
	must(t, err)
	var records [][]byte
	for len(data) > 0 {
		length, n := binary.Uvarint(data)
		records = append(records, data[n:n+int(length)])
		data = data[n+int(length):]
	}
	return records
}

func writeRecords(t testing.TB, dir string, records [][]byte) {
	t.Helper()
	var data []byte
	for _, r := range records {
		data = binary.AppendUvarint(data, uint64(len(r)))
		data = append(data, r...)
	}
	must(t, os.WriteFile(filepath.Join(dir, recordFile), data, 0o600))
}

// resign signs a checkpoint over changed records, as a dishonest house would.
func (b *bench) resign(dir string, records [][]byte) {
	b.t.Helper()
	tree := journal.NewTree()
	for _, r := range records {
		tree.Append(r)
	}
	signed, err := journal.SignCheckpoint(journal.Checkpoint{
		Origin: journal.VolumeOrigin("bench.example", 1), Size: tree.Size(), Root: tree.Root(),
	}, b.house.config.Keys.House)
	must(b.t, err)
	must(b.t, os.WriteFile(filepath.Join(dir, "checkpoint"), signed, 0o600))
}

// find returns the first record of a kind.
func find(t testing.TB, records [][]byte, kind record.Kind) int {
	t.Helper()
	for i, data := range records {
		if k, ok := record.KindOf(data); ok && k == kind {
			return i
		}
	}
	t.Fatalf("the journal has no %v", kind)
	return 0
}

// lateTicket copies a ticket of a game under a request of its own, with the time
// of the close.
func lateTicket(t testing.TB, records [][]byte, sold, closed int) []byte {
	t.Helper()
	ticket, err := record.Decode(records[sold])
	must(t, err)
	end, err := record.Decode(records[closed])
	must(t, err)
	last := uint64(0)
	session := uint32(0)
	for _, data := range records[:closed] {
		if k, _ := record.KindOf(data); k != record.KindTicketSold {
			continue
		}
		r, err := record.Decode(data)
		must(t, err)
		body := r.Body.(*record.TicketSold)
		last, session = body.Request.Number, body.Session
	}
	body := ticket.Body.(*record.TicketSold)
	body.Request.Number, body.Session = last+1, session+1
	ticket.Time = end.Time
	data, err := record.Encode(ticket)
	must(t, err)
	return data
}

// raised returns a payment of one cent more, with its money made to fit.
func raised(t testing.TB, data []byte) []byte {
	t.Helper()
	r, err := record.Decode(data)
	must(t, err)
	body := r.Body.(*record.TicketPaid)
	body.Parts[0].Cents++
	body.Tenders[0].Cents--
	r.Postings[0].Cents++
	r.Postings[1].Cents--
	changed, err := record.Encode(r)
	must(t, err)
	return changed
}
