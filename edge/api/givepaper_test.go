package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestGivesPaper issues a paper at the operator's expense: two persons agree on it, and its
// terminal issues that paper, once.
func TestGivesPaper(t *testing.T) {
	o := newOffice(t)
	issued := func(paper string, approval uint32) reply {
		o.number++
		return o.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/paper", o.number),
			fmt.Sprintf(`{%s,"claim_hash":%q,"approval":%d}`, paper, strings.Repeat("ab", 32), approval))
	}
	issue := func(cents int, approval uint32) reply {
		return issued(fmt.Sprintf(`"kind":"prepaid_voucher","cents":%d`, cents), approval)
	}
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/papers", `{"terminal":1,"kind":"banknote","cents":1000}`),
		422, "paper_kind", "paper")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/papers",
		`{"terminal":4000,"kind":"prepaid_voucher","cents":1000}`), 404, "terminal_unknown", "terminal")
	wantFault(t, issue(1000, 77), 404, "approval_unknown", "approval")
	request := o.ask("papers", `{"terminal":1,"kind":"prepaid_voucher","cents":1000}`)
	wantFault(t, issue(1000, request.Number), 409, "approval_not_given", "approval")
	o.decide(o.second, request, true).into(t, &Approval{})
	wantFault(t, o.use(o.first, request), 409, "issued_at_terminal", "approval")
	wantFault(t, issue(2000, request.Number), 409, "approval_other", "cents")
	wantFault(t, issued(`"kind":"gift_voucher","cents":1000`, request.Number), 409, "approval_other", "kind")
	wantFault(t, issued(`"kind":"prepaid_voucher","cents":1000,"days":5`, request.Number), 409, "approval_other", "days")
	var paper PaperIssued
	issue(1000, request.Number).into(t, &paper)
	if paper.Cents != 1000 || paper.Kind != "prepaid_voucher" {
		t.Errorf("issued is %+v", paper)
	}
	wantFault(t, issue(1000, request.Number), 409, "approval_over", "approval")
}
