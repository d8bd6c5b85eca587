//go:build unix

package engine

import (
	"crypto/sha256"
	"errors"
	"syscall"
	"testing"
	"time"

	"drawhouse/decide/counter"
	"drawhouse/decide/game"
	"drawhouse/journal"
)

// openTickets is how many tickets play in the game that is sealed and proven from.
const openTickets = 1_000_000

// tiles are the tiles of a journal in memory.
type tiles map[[2]uint64][]byte

// ReadTile implements journal.TileReader.
func (t tiles) ReadTile(level uint8, index uint64) ([]byte, error) {
	data, ok := t[[2]uint64{uint64(level), index}]
	if !ok {
		return nil, errors.New("no such tile")
	}
	return data, nil
}

// closed sells a million tickets for a game, and closes it.
func closed(b *testing.B) (*rig, tiles) {
	b.Helper()
	r, stored := newRig(b, "seal"), tiles{}
	r.openDay("2026-11-15")
	offer, err := r.offer(1, 1, `{"bet":"classic","spots":[3,17,42,56,80],"stake_cents":100}`)
	must(b, err)
	keep := func() {
		pending, ok, err := r.engine.Take()
		must(b, err)
		for _, tile := range pending.Tiles {
			stored[[2]uint64{uint64(tile.Level), tile.Index}] = tile.Data
		}
		if !ok {
			b.Fatal("nothing was sold")
		}
	}
	for i := range openTickets {
		_, err := r.engine.Sell(r.now, counter.Sale{Request: r.request(1, "x"), Series: series, Quote: offer})
		must(b, err)
		if i%1000 == 999 {
			keep()
		}
	}
	done, postings, err := game.Close(r.engine.State(), series)
	must(b, err)
	_, err = r.engine.append(r.now, done, postings)
	must(b, err)
	keep()
	return r, stored
}

// measured runs a benchmark and reports what processor time it took beside what time
// passed: on a machine that others use only the first says something.
func measured(b *testing.B, do func()) {
	before := processorTime(b)
	for b.Loop() {
		do()
	}
	b.ReportMetric(float64(processorTime(b)-before)/float64(b.N)/1e6, "cpu-ms/op")
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkMillion seals a game of a million tickets, and proves one of them under its
// seal. Beside them stands the SHA-256 of as many bits, on the same machine at the same
// time.
func BenchmarkMillion(b *testing.B) {
	r, stored := closed(b)
	sealed, err := game.Seal(r.engine.State(), series, 1, r.engine.checkpoint(), r.house)
	must(b, err)
	bits := sealed.Bitmaps[1].Bytes()
	b.Run("yardstick", func(b *testing.B) {
		measured(b, func() { sha256.Sum256(bits) })
	})
	b.Run("seal", func(b *testing.B) {
		measured(b, func() {
			_, err := game.Seal(r.engine.State(), series, 1, r.engine.checkpoint(), r.house)
			must(b, err)
		})
	})
	verifier, err := journal.ParseVerifier(r.engine.State().Volume().HouseKey)
	must(b, err)
	seal, err := journal.OpenSeal(sealed.Record.Seal, verifier)
	must(b, err)
	const place = openTickets / 2
	b.Run("proof", func(b *testing.B) {
		measured(b, func() {
			bitmap, err := journal.ParseBitmap(seal.Body().Open[0].First, seal.Body().Open[0].Length, bits)
			must(b, err)
			_, err = bitmap.Prove(place)
			must(b, err)
			_, err = journal.ProveRecord(place, seal.Body().Checkpoint.Size, journal.NewReader(r.engine.tree, stored))
			must(b, err)
		})
	})
}
