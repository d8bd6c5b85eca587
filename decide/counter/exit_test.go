package counter

import (
	"testing"

	"drawhouse/core/ledger"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// TestEveryWayOut holds that a record of any kind which moves money out of the house is
// asked about, or is listed with the reason why not: a kind that nobody has thought of is
// refused.
func TestEveryWayOut(t *testing.T) {
	s := state.New()
	covered, reasons := 0, 0
	for _, kind := range record.Kinds() {
		_, exit := waysOut[kind]
		reason, stays := insideKinds[kind]
		switch {
		case exit && stays:
			t.Errorf("%v is asked about and listed as one that is not", kind)
		case stays && len(reason) < 20:
			t.Errorf("%v is listed without a reason", kind)
		case exit:
			covered++
			continue
		case stays:
			reasons++
			continue
		}
		for account := range outsideAccounts {
			r := record.Record{Body: record.Empty(kind), Postings: []ledger.Posting{ledger.Credit(account, 1, 100)}}
			if CheckExit(s, r) == nil {
				t.Errorf("a record of the kind %v moves money out of account %d unasked", kind, account)
			}
		}
		if err := CheckExit(s, record.Record{Body: record.Empty(kind),
			Postings: []ledger.Posting{ledger.Debit(ledger.Cash, 1, 100)}}); err != nil {
			t.Errorf("a record of the kind %v brings money in: %v", kind, err)
		}
	}
	if covered != len(waysOut) || reasons != len(insideKinds) {
		t.Errorf("%d of %d exits and %d of %d others are kinds of records", covered, len(waysOut), reasons, len(insideKinds))
	}
}
