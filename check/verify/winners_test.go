package verify_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"testing"

	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/journal/record"
)

// winnersFile writes the winners file of a game as its layout says.
func (h *house) winnersFile(ordinal uint32, settled record.GameSettled, won []prize) []byte {
	file := []byte("DHW\x01")
	add := func(numbers ...uint64) {
		for _, n := range numbers {
			file = binary.AppendUvarint(file, n)
		}
	}
	add(series, uint64(ordinal), uint64(settled.Revision), uint64(len(settled.Reductions)))
	for _, r := range settled.Reductions {
		add(uint64(r.Limit), r.Num, r.Den)
	}
	add(uint64(len(won)), uint64(settled.PrizesCents))
	last := uint64(0)
	for _, p := range won {
		place := uint64(h.in[p.ticket])<<48 + h.places[p.ticket]
		add(place-last, uint64(p.cents))
		last = place
	}
	return file
}

// rewrite returns the lie that writes another winners file and pins its hash.
func rewrite(ordinal uint32, edit func([]byte) []byte) lies {
	return lies{object: map[string]func([]byte) []byte{fmt.Sprintf("winners/1/%d/1", ordinal): edit}}
}

// swap returns an edit that replaces a run of bytes, which must be there.
func swap(t testing.TB, was, is []byte) func([]byte) []byte {
	return func(file []byte) []byte {
		if !bytes.Contains(file, was) {
			t.Fatalf("%x is not in %x", was, file)
		}
		return bytes.Replace(file, was, is, 1)
	}
}

func varint(n uint64) []byte { return binary.AppendUvarint(nil, n) }

// settlementDamages are those of a settlement.
func settlementDamages(t testing.TB) []damage {
	settled := func(name string, to func(*record.GameSettled), record, reason string) damage {
		return damage{name, change(record, to), verify.CheckSettlement, record, reason}
	}
	return []damage{
		settled("plays", func(b *record.GameSettled) { b.Plays++ }, "settle 1", "states 7 plays"),
		settled("ways", func(b *record.GameSettled) { b.Ways++ }, "settle 1", "states 13 ways"),
		settled("stakes", func(b *record.GameSettled) { b.StakesCents++ }, "settle 1", "states $11.51 stakes"),
		settled("a winner more", func(b *record.GameSettled) { b.Winners++ }, "settle 1", "5 winning plays"),
		settled("a winning way less", func(b *record.GameSettled) { b.WinningWays-- }, "settle 1", "3 winning ways"),
		settled("prizes a cent more", func(b *record.GameSettled) { b.PrizesCents++ }, "settle 1",
			"states $651.01 prizes, and the game came to $651.00"),
		settled("kept a cent more", func(b *record.GameSettled) { b.BreakageCents++ }, "settle 2", "$0.08 kept by rounding"),
		settled("majors a cent less", func(b *record.GameSettled) { b.MajorsCents-- }, "settle 2", "major prizes as won"),
		settled("majors paid a cent less", func(b *record.GameSettled) { b.MajorsPaidCents-- }, "settle 2",
			"major prizes as reduced"),
		settled("no reduction", func(b *record.GameSettled) { b.Reductions = nil }, "settle 2", "to be multiplied by"),
		settled("another factor", func(b *record.GameSettled) { b.Reductions[0].Num++ }, "settle 2", "to be multiplied by"),
		settled("another limit", func(b *record.GameSettled) { b.Reductions[0].Limit = 1 }, "settle 2",
			"to be multiplied by"),
		settled("a reduction without need", func(b *record.GameSettled) {
			b.Reductions = []record.Reduction{{Num: 1,
				Den: 2}}
		}, "settle 1", "was not exceeded"),
		settled("a second settlement", func(b *record.GameSettled) { b.Revision = 2 }, "settle 1",
			"is drawn, and must be settled"),
		settled("another multiplier", func(b *record.GameSettled) { b.Multiplier = 3 }, "settle 1",
			"states 3 times multiplied"),
		settled("another hash", func(b *record.GameSettled) { b.WinnersHash[0]++ }, "settle 1", "does not have the hash"),
		{"prize raised by a cent", rewrite(1, swap(t, varint(64000), varint(64001))), verify.CheckSettlement, "settle 1",
			"$640.01, and the prize is $640.00"},
		{"all prizes raised by a cent", lies{
			object: rewrite(1, func(b []byte) []byte {
				return swap(t, varint(64000), varint(64001))(swap(t, varint(65100), varint(65101))(b))
			}).object,
			change: map[string]func(*record.Record){"settle 1": func(r *record.Record) {
				r.Body.(*record.GameSettled).PrizesCents = 65101
				r.Postings = []ledger.Posting{ledger.Debit(ledger.PrizeFund, 0, 65101), ledger.Credit(ledger.Prizes, 0, 65101)}
			}},
		}, verify.CheckSettlement, "settle 1", "states $651.01 prizes, and the game came to $651.00"},
		{"prize to the next ticket", rewrite(1, swap(t, []byte{1, 100}, []byte{2, 100})), verify.CheckSettlement, "settle 1",
			"where ticket 1:15 is the next to win"},
		{"winners of another game", rewrite(1, func(b []byte) []byte { b[5] = 2; return b }), verify.CheckSettlement,
			"settle 1", "of series 1, game 2"},
		{"winners of another version", rewrite(1, func(b []byte) []byte { b[3] = 2; return b }), verify.CheckSettlement,
			"settle 1", "version 2"},
		{"winners that are none", rewrite(1, func([]byte) []byte { return []byte("DH") }), verify.CheckSettlement, "settle 1",
			"not a winners file"},
		{"winners cut off", rewrite(1, func(b []byte) []byte { return b[:len(b)-1] }), verify.CheckSettlement, "settle 1",
			"cannot be read"},
		{"winners with a tail", rewrite(1, func(b []byte) []byte { return append(b, 0) }), verify.CheckSettlement, "settle 1",
			"1 bytes follow"},
		{"winners in a longer form", rewrite(1, func(b []byte) []byte { return append(b[:len(b)-1], b[len(b)-1]|0x80, 0) }),
			verify.CheckSettlement, "settle 1", "shortest form"},
		{"winners by another factor", rewrite(2, swap(t, varint(325305000), varint(325305001))), verify.CheckSettlement,
			"settle 2", "it reduces by 300000000/325305001"},
		{"settled before it was drawn", skip("drawn 1"), verify.CheckSettlement, "settle 1", "is sealed, and must be drawn"},
		{"settled money taken elsewhere", repost("settle 1", ledger.Debit(ledger.Retained, 0, 65100),
			ledger.Credit(ledger.Prizes, 0, 65100)), verify.CheckSettlement, "settle 1", "on retained"},
		{"breakage pocketed", repost("settle 2", ledger.Debit(ledger.PrizeFund, 0, 300003167),
			ledger.Credit(ledger.Prizes, 0, 300003160), ledger.Credit(ledger.Retained, 0, 7)),
			verify.CheckSettlement, "settle 2", "on retained"},
	}
}
