package receipt

import (
	"slices"
	"testing"

	"drawhouse/rulebook/rules"
)

// TestTermsOfPapers reads the small print of every paper of the books against their text.
func TestTermsOfPapers(t *testing.T) {
	for id, papers := range map[string]map[string][]string{
		"vic-keno-2015": {
			"change_receipt": {"It is turned into cash at the counter.", "A part of it may be staked.",
				"It is not replaced if it is lost.", "After its last day its value goes to the prize fund."},
			"gift_voucher": {"It is turned into cash only on the day of issue, by the venue that issued it, for who bought it.",
				"It is used whole, and no change is given.", "It is not replaced if it is lost.",
				"After its last day its value goes to the prize fund."},
			"prepaid_voucher": {"It is not turned into cash.", "It is used whole, and no change is given.",
				"It is not replaced if it is lost.", "After its last day it is worth nothing."},
		},
		"tas-keno-2023": {
			"sst_receipt": {"It is turned into cash at the counter.", "It is used whole, and no change is given.",
				"After its last day it is paid on a claim form alone, up to 7 years from its issue.",
				"After that its value goes to the Treasurer."},
			"central_voucher": {"It is turned into cash at: casino.", "It is used whole, and no change is given.",
				"After its last day it is paid on a claim form alone, up to 7 years from its issue.",
				"After that its value goes to the Treasurer."},
		},
	} {
		book, err := rules.Book(id)
		if err != nil {
			t.Fatal(err)
		}
		for paper, want := range papers {
			instrument, ok := book.Instrument(paper)
			if got := terms(book, &instrument); !ok || !slices.Equal(got, want) {
				t.Errorf("%s %s:\n%q\nwant\n%q", id, paper, got, want)
			}
		}
	}
}
