package record

import (
	"drawhouse/day"
	"drawhouse/ledger"
)

// claimSamples holds one record of every kind about unclaimed prizes and claims.
func claimSamples() []Record {
	at := func(b Body, postings ...ledger.Posting) Record {
		return Record{Time: 1_794_700_800_000, Postings: postings, Body: b}
	}
	return []Record{
		at(&PrizesSwept{
			Series: 1, Day: day.MustParse("2026-11-15"), From: "claim_form", To: "treasurer", Clause: "14.3",
			List: []Swept{{Ordinal: 90417, Cents: 300}, {Ordinal: 90418, Cents: 500}},
		}, ledger.Debit(ledger.Unclaimed, 0, 800), ledger.Credit(ledger.Treasurer, 0, 800)),
	}
}
