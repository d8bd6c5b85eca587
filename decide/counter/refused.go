package counter

import (
	"fmt"
	"slices"

	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// CauseUnknown: a sale is not refused for that.
const CauseUnknown refusal.Code = "cause_unknown"

// RefuseSale records that a person refused to sell at a terminal.
//
//rule:tas-keno-2023 5.1
//rule:vic-keno-2015 6(c)
func RefuseSale(s *state.State, b record.SaleRefused) (*record.SaleRefused, error) {
	if _, err := terminalOf(s, b.Terminal); err != nil {
		return nil, err
	}
	if !slices.Contains(record.SaleCauses(), b.Cause) {
		return nil, &refusal.Refusal{Code: CauseUnknown, Path: "cause",
			Sentence: fmt.Sprintf("A sale is refused for one of %v.", record.SaleCauses())}
	}
	return &b, nil
}
