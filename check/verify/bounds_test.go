package verify

import (
	"strings"
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// TestBounds holds that a value beyond its bound, and an act that carries a balance beyond
// its bound, is a finding before the level of the guards and a fault from that level on.
func TestBounds(t *testing.T) {
	moved := func(cents money.Amount) record.Record {
		return record.Record{
			Time: 1, Body: &record.BankMoved{Terminal: 1, Move: record.BankFloat, Cents: money.MaxAmount, By: 1, With: 2},
			Postings: []ledger.Posting{ledger.Debit(ledger.Cash, 1, cents), ledger.Credit(ledger.Safe, 1, cents)},
		}
	}
	long := record.Record{Time: 1, Body: &record.PlayPaused{Series: 1, By: 1, Reason: strings.Repeat("x", 5000)}}
	settled := moved(money.MaxBalance + 1)
	settled.Body = &record.GameSettled{}
	for name, c := range map[string]struct {
		r  record.Record
		ok bool
	}{
		"within":                {moved(money.MaxBalance), true},
		"a cent beyond":         {moved(money.MaxBalance + 1), false},
		"a long text":           {long, false},
		"what follows by games": {settled, true},
	} {
		for _, level := range []uint8{record.LevelFirst, record.LevelGuarded} {
			k := &checker{report: &Report{}, log: theLog{volumes: []*volume{{number: 1}}}, level: level}
			err := k.checkBounds(c.r)
			found := k.report.FindingCount > 0
			if (err == nil) != (c.ok || level == record.LevelFirst) || found != (!c.ok && level == record.LevelFirst) {
				t.Errorf("%s at level %d: %v, %d findings", name, level, err, k.report.FindingCount)
			}
		}
	}
}
