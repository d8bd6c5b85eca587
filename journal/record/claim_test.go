package record

import (
	"strings"
	"testing"

	"drawhouse/core/day"
	"drawhouse/core/ledger"
)

// claimSamples holds one record of every kind about unclaimed prizes, claims, and customers
// who are forgotten.
func claimSamples() []Record {
	at := func(b Body, postings ...ledger.Posting) Record {
		return Record{Time: 1_794_700_800_000, Postings: postings, Body: b}
	}
	return []Record{
		at(&PrizesSwept{
			Series: 1, Day: day.MustParse("2026-11-15"), From: "claim_form", To: "treasurer", Clause: "14.3",
			List: []Swept{{Ordinal: 90417, Cents: 300}, {Ordinal: 90418, Cents: 500}},
		}, ledger.Debit(ledger.Unclaimed, 0, 800), ledger.Credit(ledger.Treasurer, 0, 800)),
		at(&TicketsTakenIn{
			Series: 1, System: "Old Keno", Key: [32]byte{3}, Text: []byte("drawhouse open tickets 1\n"), Tickets: 2,
			Cents: 12_800,
			Until: day.MustParse("2033-11-15"), Then: "treasurer", Clause: "14.3", Reference: "decision 15", By: 12,
		}, ledger.Debit(ledger.Bank, 0, 12_800), ledger.Credit(ledger.OtherSystems, 0, 12_800)),
		at(&TicketsLapsed{
			Series: 1, Day: day.MustParse("2033-11-16"), File: Place{Volume: 1, Seq: 20416}, To: "treasurer", Clause: "14.3",
			Tickets: 1, Cents: 12_300,
		}, ledger.Debit(ledger.OtherSystems, 0, 12_300), ledger.Credit(ledger.Treasurer, 0, 12_300)),
		at(&TaxStated{
			Series: 1, Month: day.MustParse("2026-11-01"), Day: day.MustParse("2026-12-01"), Days: 30,
			StakedCents: 1_000_000, ReturnedCents: 4_000, WonCents: 740_010, BaseCents: 255_990, BroughtCents: 5_990,
			Base: "net_revenue", Rate: 2424, TaxCents: 60_600, Due: day.MustParse("2026-12-07"), Payee: "State Revenue",
			Clause: "16.3",
		}, ledger.Debit(ledger.Operator, 0, 60_600), ledger.Credit(ledger.Tax, 0, 60_600)),
		at(&RemittanceMade{
			Series: 1, From: "tax", Month: day.MustParse("2026-11-01"), Cents: 60_600, Paid: day.MustParse("2026-12-07"),
			Reference: "000418", By: 12,
		}, ledger.Debit(ledger.Tax, 0, 60_600), ledger.Credit(ledger.Bank, 0, 60_600)),
		at(&ClaimLodged{
			Claim: 3, Series: 1, Reason: ClaimLost, Received: day.MustParse("2026-11-15"), Original: true, Claimant: Hash{7},
			Parts: []ClaimPart{{Of: Place{Volume: 1, Seq: 20417}, Ordinal: 90417, Cents: 300, At: "claim_form"}}, By: 12,
		}),
		at(&ClaimNoted{Claim: 3, Note: NoteEvidence, Content: Hash{8}, By: 12}),
		at(&ClaimSigned{Claim: 3, Party: "inspector", Person: 14, Reason: "the numbers are not his"}),
		at(&ClaimDecided{Claim: 3, Outcome: ClaimAllowed, Reason: "the details agree", Clause: "15.3", By: 12}),
		at(&ClaimPaid{Claim: 3, Means: "cheque", Cents: 300, Reference: "000417", Venue: 1, By: 12},
			ledger.Debit(ledger.Unclaimed, 0, 300), ledger.Credit(ledger.Bank, 0, 300)),
		at(&HolderErased{Card: 5, By: 12}),
		at(&PayeeErased{Payee: Hash{9}, By: 12}),
	}
}

// TestErasuresCheck: an erasure says whose details are gone. Nobody had them erased where the house itself did, when
// their time was over.
func TestErasuresCheck(t *testing.T) {
	for name, bad := range map[string]Body{
		"of no card": &HolderErased{By: 12}, "of no payee": &PayeeErased{By: 12},
	} {
		if _, err := Encode(Record{Time: 1_794_700_800_000, Body: bad}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestClaimTextsCheck: what people write about a claim has an end.
func TestClaimTextsCheck(t *testing.T) {
	for name, with := range map[string]func(text string) Body{
		"signature": func(text string) Body { return &ClaimSigned{Claim: 3, Party: "inspector", Person: 14, Reason: text} },
		"decision": func(text string) Body {
			return &ClaimDecided{Claim: 3, Outcome: ClaimRefused, Reason: text, Clause: "15.3", By: 12}
		},
		"payment": func(text string) Body {
			return &ClaimPaid{Claim: 3, Means: "cheque", Cents: 300, Reference: text, By: 12}
		},
	} {
		for bytes, taken := range map[int]bool{0: false, 1: true, MostReason - 1: true, MostReason: true, MostReason +
			1: false} {
			if _, err := Encode(Record{Time: 1_794_700_800_000, Body: with(strings.Repeat("x", bytes))}); (err == nil) != taken {
				t.Errorf("%s with %d bytes: %v", name, bytes, err)
			}
		}
	}
}
