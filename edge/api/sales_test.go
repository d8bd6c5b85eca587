package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"drawhouse/core/limit"
	"drawhouse/edge/terminal"
)

// signedSale returns a sale as a terminal signs it for a carrier.
func (r *rig) signedSale(terminal uint32, number uint64, body string) string {
	signature := r.session(terminal).Sign(http.MethodPut, salePath(terminal, number), []byte(body))
	return fmt.Sprintf(`{"terminal":%d,"number":%d,"signature":%q,"sale":%s}`, terminal, number, signature, body)
}

// carry sends sales in one request.
func (r *rig) carry(sales ...string) []SaleAnswer {
	r.t.Helper()
	var answer SalesAnswer
	r.send(http.MethodPost, "/v1/sales", `{"sales":[`+strings.Join(sales, ", ")+`]}`).into(r.t, &answer)
	if len(answer.Answers) != len(sales) {
		r.t.Fatalf("%d sales have %d answers", len(sales), len(answer.Answers))
	}
	return answer.Answers
}

// TestCarriedSales carries sales of several terminals, good and bad: each is answered
// as if it had come alone, in the order in which they stand.
func TestCarriedSales(t *testing.T) {
	r := newRig(t)
	r.openDay()
	good := func(terminal uint32, number uint64) string {
		body, _ := r.saleBody(terminal, number, oneSpot)
		return body
	}
	first, changed := good(1, 1), good(3, 1)
	forged := strings.Replace(r.signedSale(3, 1, changed), `"spots":[7]`, `"spots":[8]`, 1)
	replayed := r.signedSale(2, 1, good(2, 1))
	answers := r.carry(
		r.signedSale(1, 1, first), replayed, forged, replayed,
		strings.Replace(r.signedSale(4, 1, good(4, 1)), `"terminal":4`, `"terminal":5`, 1),
		r.signedSale(6, 1, strings.Replace(good(6, 1), `"stake_cents":200`, `"stake_cents":0`, 1)),
		r.signedSale(1, 2, good(1, 2)), r.signedSale(1, 1, first),
		`{"terminal":7,"number":1,"signature":"x 1 y","sale":{}}`, `{"terminal":7}`, `7`,
	)
	for i, want := range []struct {
		status int
		code   string
	}{
		{200, ""}, {200, ""}, {401, "request_forged"}, {401, "request_replayed"}, {401, "request_forged"},
		{422, "field_value"},
		{200, ""}, {409, "request_superseded"}, {401, "session_over"}, {400, "field_missing"}, {400, "form_syntax"},
	} {
		a, code := answers[i], ""
		if a.Error != nil {
			code = string(a.Error.Code)
		}
		if code != want.code || (a.Status == 200) != (want.status == 200) || (a.Sale != nil) != (code == "") {
			t.Errorf("sale %d: %d %s, want %d %s", i, a.Status, code, want.status, want.code)
		}
	}
	if a, b := answers[0].Sale, answers[6].Sale; a.Place.Seq >= answers[1].Sale.Place.Seq ||
		answers[1].Sale.Place.Seq >= b.Place.Seq {
		t.Errorf("the order is %v, %v, %v", a.Place, answers[1].Sale.Place, b.Place)
	}
}

// TestCarriedIsSold: a sale that was carried and one that came alone are the same
// request, whichever came first.
func TestCarriedIsSold(t *testing.T) {
	r := newRig(t)
	r.openDay()
	body, _ := r.saleBody(1, 1, oneSpot)
	carried := r.carry(r.signedSale(1, 1, body))[0].Sale
	var alone Sale
	r.send(http.MethodPut, salePath(1, 1), body).into(t, &alone)
	if carried == nil || carried.Place != alone.Place {
		t.Errorf("carried %+v, alone %+v", carried, alone)
	}
	r.play()
	if again := r.carry(r.signedSale(1, 1, body))[0]; again.Sale == nil || again.Sale.Place != alone.Place {
		t.Errorf("after its game %+v", again)
	}
}

// TestCarriedIsLimited: a terminal sells no more often through a carrier than by itself,
// and what no terminal has signed counts for the carrier's address.
func TestCarriedIsLimited(t *testing.T) {
	r := newRig(t)
	r.openDay()
	handler, err := New(r.house, Options{Now: r.clock.Now, PerTerminal: Rate{1}, PerAddress: Rate{1}})
	must(t, err)
	r.handler, r.sessions = handler, map[uint32]*terminal.Session{}
	r.session(1)
	var sales []string
	for number := range uint64(limit.Burst + 2) {
		body, _ := r.saleBody(1, number+1, oneSpot)
		sales = append(sales, r.signedSale(1, number+1, body))
	}
	for i, answer := range r.carry(sales...) {
		if limited := i > limit.Burst; limited != (answer.Error != nil && answer.Error.Code == TooManyRequests) {
			t.Errorf("sale %d: %d %+v", i, answer.Status, answer.Error)
		}
	}
	forged := `{"terminal":7,"number":1,"signature":"x 1 y","sale":{}}`
	r.carry(forged, forged, forged, forged, forged, forged, forged)
	if a := r.send(http.MethodGet, "/v1/board", ""); a.status != http.StatusTooManyRequests {
		t.Errorf("a carrier of forgeries asks for the board: %d", a.status)
	}
}

// TestCarrierRefused: what is wrong with the list itself is told to its carrier, and
// nothing of it is sold.
func TestCarrierRefused(t *testing.T) {
	r := newRig(t)
	r.openDay()
	body, _ := r.saleBody(1, 1, oneSpot)
	sale := r.signedSale(1, 1, body)
	for text, code := range map[string]string{
		``: "form_syntax", `{}`: "field_missing", `{"sales":[]}`: "field_value", `{"sales":{}}`: "field_value", `{"sales":[` +
			sale: "form_syntax",
		`{"sales":[` + sale + `],"more":1}`: "field_unknown", `{"sales":[` + sale + ` ` + sale + `]}`: "form_syntax",
		`{"sales":[` + strings.Repeat(`1,`, maxSales) + sale + `]}`: "too_many_sales",
		`{"sales":["` + strings.Repeat(`x`, maxSalesBody) + `"]}`:   "body_too_large",
	} {
		a := r.send(http.MethodPost, "/v1/sales", text)
		if fault := a.fault(t); string(fault.Code) != code {
			t.Errorf("%.60s: %d %s, want %s", text, a.status, fault.Code, code)
		}
	}
	if a := r.carry(r.signedSale(1, 1, body))[0]; a.Sale == nil {
		t.Errorf("afterwards: %+v", a.Error)
	}
}

// FuzzCarriedSales sends lists that no controller would send. Whatever they are, the
// house is not at fault, and there is an answer for each sale.
func FuzzCarriedSales(f *testing.F) {
	r := newRig(f)
	r.openDay()
	body, _ := r.saleBody(1, 1, oneSpot)
	sale := r.signedSale(1, 1, body)
	for _, text := range []string{`{"sales":[` + sale + `]}`, `{"sales":[1,{},[],"",` + sale + `]}`, `{"sales":[[[`,
		`{"sales":[null]}`, `{"sales":[1,]}`, `{"sales":[,1]}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := httptest.NewRecorder()
		r.handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/sales", strings.NewReader(text)))
		if w.Code >= 500 || !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%q: %d %s", text, w.Code, w.Body)
		}
		if w.Code != http.StatusOK {
			return
		}
		var request struct{ Sales []json.RawMessage }
		var answer SalesAnswer
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		if json.Unmarshal([]byte(text), &request) == nil && len(request.Sales) != len(answer.Answers) {
			t.Fatalf("%q: %d sales, %d answers", text, len(request.Sales), len(answer.Answers))
		}
	})
}
