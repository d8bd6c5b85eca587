package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"drawhouse/core/day"
	"drawhouse/journal/record"
)

// answerOf returns the body with which the answer of a bank about one direct debit is taken in.
func answerOf(t *testing.T, file, id, status, reason string) string {
	t.Helper()
	text := `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt><OrgnlGrpInfAndSts>` +
		"<OrgnlMsgId>" + file + "</OrgnlMsgId><OrgnlMsgNmId>pain.008.001.02</OrgnlMsgNmId></OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><TxInfAndSts>" +
		"<OrgnlEndToEndId>" + file + id + "</OrgnlEndToEndId><TxSts>" + status + "</TxSts>" + reason +
		"</TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>"
	body, err := json.Marshal(map[string]string{"text": text})
	must(t, err)
	return string(body)
}

// endDay closes, draws and settles the only game of a day, and closes the day.
func endDay(r *rig, ordinal uint32) {
	r.t.Helper()
	line, ctx := r.house.First(), r.t.Context()
	must(r.t, line.CloseGame(ctx))
	for range 20 {
		must(r.t, line.DrawNumber(ctx, ordinal))
	}
	must(r.t, line.FinishDraw(ctx, ordinal))
	must(r.t, line.SettleGame(ctx, ordinal))
	must(r.t, line.CloseDay(ctx))
}

// TestVenueMoney: two persons agree with a venue, the house states its week, a direct debit goes to the bank and comes
// back, sale stops with an alarm, and goes on with a remittance. The journal verifies.
func TestVenueMoney(t *testing.T) {
	r := newRig(t)
	o := officeOf(r)
	o.both("agreements", `{"venue":1,"from_day":"2026-11-15","sales_rate":1000,"prizes_rate":0,"least_cents":0,"week_ends":0,"days_to_pay":2,"stops":true,"mandate":"M-1","account":"DE89370400440532013000","signed":"2026-09-01"}`)
	o.both("creditor", `{"name":"Keno Pty Ltd","account":"DE02120300000000202051","creditor":"DE98ZZZ09999999999","scheme":"B2B"}`)
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/debits", `{"collect":"2026-11-16"}`), 409, "nothing_due", "")
	wantFault(t, o.as(o.first, http.MethodGet, "/v1/operator/debits/1", ""), 404, "debit_file_unknown", "file")
	r.openDay()
	r.sell(oneSpot)
	endDay(r, 1)
	r.clock.advance(24 * time.Hour)
	delete(r.sessions, 1) // It is over.
	o.first, o.second = r.signOn(o.asks), r.signOn(r.member(record.RoleAdministrator))
	must(t, r.house.First().OpenDay(t.Context(), day.MustParse("2026-11-16"), 39_600))
	must(t, r.house.First().OpenGame(t.Context(), r.clock.Now().Add(3*time.Minute)))

	account := func() (a VenueAccount) {
		o.as(o.first, http.MethodGet, "/v1/venues/1/account", "").into(t, &a)
		return a
	}
	a := account()
	if a.Statement == nil || a.Statement.SoldCents != 200 || a.Statement.CommissionCents != 20 || a.OwesCents != 180 ||
		len(a.Unpaid) != 1 || a.Unpaid[0] != (VenueUnpaid{Statement: 1, Due: "2026-11-17", LeftCents: 180}) {
		t.Fatalf("the account is %+v, %+v", a, a.Statement)
	}
	o.both("debits", `{"collect":"2026-11-17"}`)
	file := o.as(o.first, http.MethodGet, "/v1/operator/debits/1", "")
	again := o.as(o.first, http.MethodGet, "/v1/operator/debits/1", "")
	var files DebitFiles
	o.as(o.first, http.MethodGet, "/v1/operator/debits", "").into(t, &files)
	if len(files.Files) != 1 || files.Files[0].ID != "DH"+record.BankMark(r.keys.HouseVerifier)+"-1" {
		t.Fatalf("the files are %+v", files)
	}
	id := files.Files[0].ID
	if file.status != http.StatusOK || !bytes.Equal(file.body, again.body) ||
		!strings.Contains(string(file.body), "<EndToEndId>"+id+"-1-1</EndToEndId></PmtId><InstdAmt Ccy=\"AUD\">1.80</InstdAmt>") {
		t.Fatalf("the file is %d %s", file.status, file.body)
	}
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/debit-answers", `{"text":"<a/>"}`), 422, "answer_faulty", "text")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/debit-answers", answerOf(t, id, "-1-2", "ACSC", "")), 422,
		"debit_unknown", "answers")
	returned := answerOf(t, id, "-1-1", "RJCT", "<StsId>B-1</StsId><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf>")
	o.both("debit-answers", returned)
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/debit-answers", returned), 422, "debit_answered", "answers")
	body, _ := r.saleBody(1, 41, oneSpot)
	wantFault(t, r.atTerminal(1, http.MethodPut, "/v1/terminals/1/requests/41/sale", body), 403, "venue_unpaid", "terminal")
	alarms := func() (n int) {
		for _, alarm := range r.house.Alarms() {
			if strings.Contains(alarm.Sentence, "has not paid statement 1: $1.80 was returned by the bank.") {
				n++
			}
		}
		return n
	}
	if alarms() != 1 {
		t.Errorf("the alarms are %+v", r.house.Alarms())
	}
	o.both("venue-remittances", `{"venue":1,"cents":179,"reference":"transfer 1"}`)
	wantFault(t, r.atTerminal(1, http.MethodPut, "/v1/terminals/1/requests/41/sale", body), 403, "venue_unpaid", "terminal")
	o.both("venue-remittances", `{"venue":1,"cents":1,"reference":"transfer 2"}`)
	if got := r.atTerminal(1, http.MethodPut, "/v1/terminals/1/requests/41/sale", body); got.status != http.StatusOK && got.status != http.StatusCreated {
		t.Errorf("the venue has paid, and a sale is answered %d %s", got.status, got.body)
	}
	if a := account(); a.OwesCents != 0 || len(a.Unpaid) != 0 {
		t.Errorf("the account is %+v", a)
	}
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/venue-remittances",
		`{"venue":1,"cents":1,"reference":"Transfer 2"}`), 422, "reference_taken", "reference")
	wantFault(t, o.as(o.first, http.MethodPost, "/v1/operator/venue-payments", `{"venue":1,"cents":1,"reference":"out 1"}`), 422,
		"paid_too_much", "cents")
	o.both("venue-payment-reversals", `{"venue":1,"reference":"transfer 1","reason":"of another venue"}`)
	if a := account(); a.OwesCents != 179 || len(a.Unpaid) != 1 || a.Unpaid[0].LeftCents != 179 || len(a.Payments) != 2 ||
		a.Payments[1].Way != "received" || !a.Payments[1].Reversed || a.Payments[0].Reversed {
		t.Errorf("a payment is taken back, and the account is %+v", a)
	}
	o.both("debits", `{"collect":"2026-11-17"}`)
	o.both("venue-remittances", `{"venue":1,"cents":279,"reference":"transfer 1"}`)
	if a := account(); a.OwesCents != -100 || len(a.Unpaid) != 0 || len(a.AtBank) != 1 ||
		a.AtBank[0] != (VenueDebit{Statement: 1, File: 2, Cents: 179, OverCents: 179}) {
		t.Errorf("the venue has paid what the bank is to collect, and the account is %+v", a)
	}
	if all := r.house.Alarms(); len(all) != 1 || !strings.Contains(all[0].Sentence, "File 2 collects $1.79 of") ||
		!strings.HasSuffix(all[0].Sentence, "for statement 1, and $1.79 of it are not owed any more.") {
		t.Errorf("the alarms are %+v", all)
	}
	o.both("debit-withdrawals", `{"file":2,"reason":"paid otherwise"}`)
	o.both("venue-payments", `{"venue":1,"cents":100,"reference":"out 1"}`)
	if a := account(); a.OwesCents != 0 || len(a.Unpaid) != 0 || len(a.Payments) != 4 || a.Payments[0].Way != "paid" ||
		a.Payments[0].Cents != 100 {
		t.Errorf("the venue is paid, and the account is %+v", a)
	}
	if len(r.house.Alarms()) != 0 {
		t.Errorf("the alarms are %+v", r.house.Alarms())
	}
	endDay(r, 2)
	var table ReportTable
	o.as(o.first, http.MethodGet, "/v1/reports/venue-account", "").into(t, &table)
	if got := fmt.Sprint(table.Rows); !strings.Contains(got, "2026-11-16 0.00 2.00 0.20 0.00 0.00 1.80 0.00 0.00 0.00]") {
		t.Errorf("the report is %s", got)
	}
	r.verifies()
}
