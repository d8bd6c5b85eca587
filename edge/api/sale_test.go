package api

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"drawhouse/core/refusal"
	"drawhouse/core/serial"
	"drawhouse/decide/command"
	"drawhouse/decide/staff"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

func TestSale(t *testing.T) {
	r := newRig(t)
	r.openDay()
	ticket := `{"v":1,"rulebook":"vic-keno-2015","first":"open","games":3,"bets":[{"bet":"classic","spots":[80,3,17],"stake_cents":100},{"bet":"classic","spots":{"pick":4},"stake_cents":100}]}`
	sold, _ := r.sell(ticket)
	if len(sold.Serial) != 16 || sold.CostCents != 600 || sold.Games != 3 || sold.Session != 1 {
		t.Errorf("sold %+v", sold)
	}
	if sold.FirstGame.Day != "2026-11-15" || sold.FirstGame.Ordinal != 1 || sold.LastGame.Ordinal != 3 {
		t.Errorf("games %+v to %+v", sold.FirstGame, sold.LastGame)
	}
	if got := sold.Time.Format("2006-01-02T15:04:05Z07:00"); got != "2026-11-15T12:00:00+11:00" {
		t.Errorf("sold at %s", got)
	}
	if !strings.Contains(string(sold.Ticket), `"spots":[3,17,80]`) || !strings.Contains(string(sold.Ticket), `"picked"`) {
		t.Errorf("ticket %s", sold.Ticket)
	}
	verifier, err := journal.ParseVerifier(r.house.Hub().Board().House.HouseKey)
	must(t, err)
	checkpoint, _, err := journal.OpenCheckpoint([]byte(sold.Checkpoint), verifier)
	must(t, err)
	if checkpoint.Size <= sold.Place.Seq {
		t.Errorf("the checkpoint at %d does not cover the ticket at %v", checkpoint.Size, sold.Place)
	}
}

// TestRepeatedSale sends a sale again, in time and after its game has closed: it
// is answered as before, and there is one ticket.
func TestRepeatedSale(t *testing.T) {
	r := newRig(t)
	r.openDay()
	named := strings.Replace(oneSpot, `"open"`,
		fmt.Sprintf(`{"day":"2026-11-15","game":%d}`, r.house.First().Games(1)[0].Ref.Number), 1)
	body, _ := r.saleBody(1, 1, named)
	var first, again, late Sale
	r.send(http.MethodPut, salePath(1, 1), body).into(t, &first)
	r.send(http.MethodPut, salePath(1, 1), body).into(t, &again)
	r.play()
	r.send(http.MethodPut, salePath(1, 1), body).into(t, &late)
	again.Checkpoint, late.Checkpoint = first.Checkpoint, first.Checkpoint
	for name, s := range map[string]Sale{"again": again, "late": late} {
		if !reflect.DeepEqual(s, first) {
			t.Errorf("%s: %+v, want %+v", name, s, first)
		}
	}
	if g := r.house.First().Games(2)[1]; g.Settled.Plays != 1 {
		t.Errorf("%d tickets played", g.Settled.Plays)
	}
	other, _ := r.saleBody(1, 1, oneSpot)
	wantFault(t, r.send(http.MethodPut, salePath(1, 1), other), http.StatusConflict, "request_body_other", "request")
	next, _ := r.saleBody(1, 2, oneSpot)
	r.send(http.MethodPut, salePath(1, 2), next).into(t, &Sale{})
	wantFault(t, r.send(http.MethodPut, salePath(1, 1), other), http.StatusConflict, "request_superseded", "request")
}

func TestSaleFaults(t *testing.T) {
	r := newRig(t)
	closed, _ := r.saleBody(1, 1, oneSpot)
	wantFault(t, r.send(http.MethodPut, salePath(1, 1), closed), http.StatusConflict, "not_on_sale", "ticket.first")
	r.openDay()
	good, _ := r.saleBody(1, 1, oneSpot)
	with := func(old, replacement string) string { return strings.Replace(good, old, replacement, 1) }
	for name, c := range map[string]struct {
		path, body  string
		status      int
		code, field string
	}{
		"nothing":         {"", "", 400, "form_syntax", ""},
		"not an object":   {"", "[]", 400, "form_syntax", ""},
		"cut":             {"", good[:len(good)-1], 400, "form_syntax", ""},
		"something after": {"", good + "{}", 400, "form_syntax", ""},
		"unknown field":   {"", with(`"method"`, `"venue":1,"method"`), 400, "field_unknown", "venue"},
		"other case":      {"", with(`"method"`, `"Method"`), 400, "field_unknown", "Method"},
		"repeated field":  {"", with(`"method"`, `"method":"form","method"`), 400, "field_repeated", "method"},
		"missing field":   {"", `{"method":"verbal","ticket":` + oneSpot + `}`, 400, "field_missing", "claim_hash"},
		"wrong kind":      {"", with(`"verbal"`, `7`), 400, "field_value", "method"},
		"other method":    {"", with(`"verbal"`, `"telepathy"`), 422, "method_not_allowed", "method"},
		"null":            {"", with(`"verbal"`, `null`), 400, "field_value", "method"},
		"quotes elsewhere": {"", `{"method":"verbal","ticket":` + oneSpot + `,"claim_hash":` + zeroHash + `""}`, 400,
			"field_value", "claim_hash"},
		"wrong claim hash": {"", with(`"claim_hash":"`, `"claim_hash":"0`), 400, "field_value", "claim_hash"},
		"price of zero":    {"", with(`"method"`, `"expect_cents":0,"method"`), 400, "field_value", "expect_cents"},
		"price in parts":   {"", with(`"method"`, `"expect_cents":1.5,"method"`), 400, "field_value", "expect_cents"},
		"too long":         {"", strings.Repeat(" ", maxSaleBody) + good, 413, "body_too_large", ""},
		"ticket a text":    {"", with(oneSpot, `"x"`), 400, "field_value", "ticket"},
		"ticket field":     {"", with(`"stake_cents"`, `"stake"`), 400, "field_unknown", "ticket.bets[0].stake"},
		"ticket version":   {"", with(`"v":1`, `"v":2`), 400, "version_unknown", "ticket.v"},
		"other rulebook":   {"", with(`vic-keno-2015`, `vic-keno-1999`), 422, "rulebook_other", "ticket.rulebook"},
		"small stake": {"", with(`"stake_cents":200`, `"stake_cents":10`), 422, "stake_below_minimum",
			"ticket.bets[0].stake_cents"},
		"other price":      {"", with(`"method"`, `"expect_cents":100,"method"`), 409, "cost_other", "expect_cents"},
		"terminal":         {"/v1/terminals/9999/requests/1/sale", good, 403, "terminal_other", "terminal"},
		"terminal 0":       {"/v1/terminals/0/requests/1/sale", good, 403, "terminal_other", "terminal"},
		"terminal x":       {"/v1/terminals/x/requests/1/sale", good, 403, "terminal_other", "terminal"},
		"number 0":         {"/v1/terminals/1/requests/0/sale", good, 400, "parameter_value", "request"},
		"number too great": {"/v1/terminals/1/requests/9223372036854775808/sale", good, 400, "parameter_value", "request"},
	} {
		if c.path == "" {
			c.path = salePath(1, 1)
		}
		t.Run(name, func(t *testing.T) {
			r.t = t
			wantFault(t, r.send(http.MethodPut, c.path, c.body), c.status, c.code, c.field)
		})
	}
	if r.log.Len() > 0 {
		t.Errorf("a refusal is no matter for the log: %s", r.log)
	}
	if len(r.house.First().Games(1)) != 1 || r.house.First().Games(1)[0].Closed.Plays != 0 {
		t.Error("something was sold")
	}
}

// TestClause finds the clause beside the refusal that it is the reason of.
func TestClause(t *testing.T) {
	r := newRig(t)
	r.openDay()
	body, _ := r.saleBody(1, 1, strings.Replace(oneSpot, `"stake_cents":200`, `"stake_cents":10`, 1))
	if fault := r.send(http.MethodPut, salePath(1, 1), body).fault(t); fault.Clause == "" {
		t.Errorf("%+v", fault)
	}
}

func TestQuote(t *testing.T) {
	r := newRig(t)
	quote := func(ticket string) reply {
		return r.send(http.MethodPost, "/v1/quote", `{"terminal":1,"method":"verbal","ticket":`+ticket+`}`)
	}
	wantFault(t, quote(oneSpot), http.StatusConflict, "not_on_sale", "ticket.first")
	r.openDay()
	var price Price
	quote(`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":5,"bets":[{"bet":"classic","spots":{"pick":6},"stake_cents":300}]}`).into(t, &price)
	if price.CostCents != 1500 || price.Ways != 1 || price.Games != 5 || price.FirstGame.Day != "2026-11-15" ||
		len(price.Bets) != 1 || price.Bets[0].CostCents != 1500 || price.ToGo {
		t.Errorf("%+v", price)
	}
	for games, toGo := range map[int]bool{49: false, 50: true} {
		var price Price
		quote(fmt.Sprintf(`{"v":1,"rulebook":"vic-keno-2015","first":"open","games":%d,"bets":[{"bet":"classic","spots":[1],"stake_cents":100}]}`,
			games)).into(t, &price)
		if price.ToGo != toGo {
			t.Errorf("%d games: %+v", games, price)
		}
	}
	wantFault(t, r.send(http.MethodPost, "/v1/quote", `{"terminal":0,"method":"verbal","ticket":`+oneSpot+`}`), 400,
		"field_value", "terminal")
	wantFault(t, r.send(http.MethodPost, "/v1/quote", `{"terminal":9999,"method":"verbal","ticket":`+oneSpot+`}`), 403,
		"terminal_other", "terminal")
}

// TestQuoteKnowsTheFloor asks for a price where the sale would be refused for the hour or
// for who is missing: the price line says so with the same code and clause, and what is
// wrong with the ticket comes first.
func TestQuoteKnowsTheFloor(t *testing.T) {
	r := newRig(t)
	r.openDay()
	number := uint64(0)
	both := func(code refusal.Code, clause string) {
		t.Helper()
		number++
		body, _ := r.saleBody(1, number, oneSpot)
		quoted := r.send(http.MethodPost, "/v1/quote", `{"terminal":1,"method":"verbal","ticket":`+oneSpot+`}`).fault(t)
		sold := r.send(http.MethodPut, salePath(1, number), body).fault(t)
		if quoted.Code != code || quoted.Clause != clause || sold.Code != quoted.Code || sold.Clause != quoted.Clause {
			t.Errorf("quoted %+v, sold %+v, want %s by %s", quoted, sold, code, clause)
		}
	}
	do := func(c staff.Command) {
		t.Helper()
		_, err := r.house.Do(t.Context(), command.Change{Command: c}, record.By{})
		must(t, err)
	}
	// It is noon on a Sunday, 2026-11-15, and the venue opens at one.
	do(staff.SetHours{Venue: 1, Hours: []record.Trading{{Weekday: 0, From: 13 * 60, To: 23 * 60}}})
	both("not_trading", "")
	do(staff.SetHours{Venue: 1, Hours: []record.Trading{{Weekday: 0, From: 11 * 60, To: 23 * 60}}})
	var senior uint32
	for _, one := range r.house.People().Persons() {
		if one.Shift.On() && one.Shift.Role == record.RoleSenior {
			senior = one.ID
		}
	}
	do(staff.End{By: senior, Person: senior})
	both("no_senior", "7(b)")
	wrong := strings.Replace(oneSpot, `"stake_cents":200`, `"stake_cents":10`, 1)
	if fault := r.send(http.MethodPost, "/v1/quote", `{"terminal":1,"method":"verbal","ticket":`+wrong+
		`}`).fault(t); fault.Clause != "11(c)" {
		t.Errorf("a ticket that cannot be sold: %+v", fault)
	}
}

// TestPayment sells every number, so that twenty tickets win, and claims all.
func TestPayment(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sales, codes := make([]Sale, 81), make([]serial.ClaimCode, 81)
	for spot := 1; spot <= 80; spot++ {
		sales[spot], codes[spot] = r.sell(strings.Replace(oneSpot, "[7]", fmt.Sprintf("[%d]", spot), 1))
	}
	early, _, _ := r.pay(sales[1].Serial, codes[1])
	wantFault(t, early, http.StatusConflict, "not_drawn", "serial")
	g := r.play()
	for spot := 1; spot <= 80; spot++ {
		answer, path, body := r.pay(sales[spot].Serial, codes[spot])
		if !g.Numbers.Set().Has(spot) {
			wantFault(t, answer, http.StatusUnprocessableEntity, "no_prize", "serial")
			continue
		}
		var paid Payment
		answer.into(t, &paid)
		if paid.PaidCents != 600 || len(paid.Parts) != 1 || paid.Parts[0] != (Part{Ordinal: 1, Cents: 600}) ||
			paid.Serial != sales[spot].Serial {
			t.Errorf("paid %+v", paid)
		}
		if again := r.send(http.MethodPut, path, body); !bytes.Equal(again.body, answer.body) {
			t.Errorf("paid again: %s, before %s", again.body, answer.body)
		}
		second, _, _ := r.pay(sales[spot].Serial, codes[spot])
		wantFault(t, second, http.StatusConflict, "already_paid", "serial")
		r.checkTicket(sales[spot], 600)
	}
}

// checkTicket looks a ticket up that has won and was paid.
func (r *rig) checkTicket(sold Sale, cents int64) {
	r.t.Helper()
	var ticket Ticket
	r.send(http.MethodGet, "/v1/tickets/"+sold.Serial, "").into(r.t, &ticket)
	if ticket.WonCents != cents || ticket.PaidCents != cents || ticket.UnpaidCents != 0 || len(ticket.Games) != 1 {
		r.t.Errorf("ticket %+v", ticket)
		return
	}
	g := ticket.Games[0]
	if g.Phase != PhaseSettled || len(g.Numbers) != 20 || len(g.Lines) == 0 ||
		g.Lines[len(g.Lines)-1].AmountCents != cents || g.Lines[0].Clause == "" {
		r.t.Errorf("game %+v", g)
	}
}

func TestPaymentFaults(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sold, code := r.sell(oneSpot)
	path := "/v1/terminals/1/requests/2/payment"
	body := func(number, code string) string { return fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, number, code) }
	wantFault(t, r.send(http.MethodPut, path, body(sold.Serial, "short")), 400, "field_value", "claim_code")
	wantFault(t, r.send(http.MethodPut, path, body("12", code.String())), 404, "serial_unreadable", "serial")
	wantFault(t, r.send(http.MethodPut, path, body("", code.String())), 400, "field_value", "serial")
	wantFault(t, r.send(http.MethodPut, path, `{"serial":"1"}`), 400, "field_missing", "claim_code")
	wantFault(t, r.send(http.MethodPut, path, strings.Repeat(" ", maxBody+1)), 413, "body_too_large", "")
	r.play()
	wrong := code
	wrong[0]++
	wantFault(t, r.send(http.MethodPut, path, body(sold.Serial, wrong.String())), 403, "claim_code_other", "claim_code")
	// A record that is no ticket has no serial to claim by.
	number, err := r.house.Serial(record.Place{Volume: 1, Seq: 0})
	must(t, err)
	wantFault(t, r.send(http.MethodPut, path, body(number.String(), code.String())), 404, "ticket_unknown", "serial")
}

func TestAbandon(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sold, _ := r.sell(oneSpot)
	abandon := func(number int) reply {
		return r.send(http.MethodPost, fmt.Sprintf("/v1/terminals/1/requests/%d/abandon", number), "")
	}
	var view Abandoned
	abandon(1).into(t, &view)
	if view.Outcome != "sold" || view.Sale == nil || view.Sale.Serial != sold.Serial ||
		view.Sale.LeafHash != sold.LeafHash {
		t.Errorf("%+v", view)
	}
	view = Abandoned{}
	abandon(2).into(t, &view)
	if view.Outcome != "burned" || view.Sale != nil || view.Payment != nil {
		t.Errorf("%+v", view)
	}
	late, _ := r.saleBody(1, 2, oneSpot)
	wantFault(t, r.send(http.MethodPut, salePath(1, 2), late), http.StatusConflict, "request_burned", "request")

	// Of forty numbers one is always drawn, but for one game in twenty million.
	r.number = 2
	groups := strings.TrimSuffix(strings.Repeat("[%d],", 40), ",")
	numbers := make([]any, 40)
	for i := range numbers {
		numbers[i] = i + 1
	}
	winner, code := r.sell(`{"v":1,"rulebook":"vic-keno-2015","first":"open","bets":[{"bet":"classic","groups":[` +
		fmt.Sprintf(groups, numbers...) + `],"play":{"spots":[1]},"stake_cents":100}]}`)
	r.play()
	answer, _, _ := r.pay(winner.Serial, code)
	var paid Payment
	answer.into(t, &paid)
	view = Abandoned{}
	abandon(int(r.number)).into(t, &view)
	if view.Outcome != "paid" || view.Payment == nil || view.Payment.PaidCents != paid.PaidCents || paid.PaidCents == 0 {
		t.Errorf("%+v", view)
	}
	wantFault(t, abandon(1), http.StatusConflict, "request_superseded", "request")
	wantFault(t, r.send(http.MethodPost, "/v1/terminals/9999/requests/1/abandon", ""), http.StatusForbidden,
		"terminal_other", "terminal")
}

// TestProof checks a proof with nothing but the answer and the house's key.
func TestProof(t *testing.T) {
	r := newRig(t)
	r.openDay()
	sold, _ := r.sell(oneSpot)
	for range 5 {
		r.sell(oneSpot)
	}
	game := fmt.Sprintf("2026-11-15/%d", sold.FirstGame.Game)
	path := "/v1/tickets/" + sold.Serial + "/proof?game="
	wantFault(t, r.send(http.MethodGet, path+game, ""), http.StatusNotFound, "not_sealed", "game")
	r.play()
	r.sell(oneSpot)
	var proof Proof
	r.send(http.MethodGet, path+game, "").into(t, &proof)
	verifier, err := journal.ParseVerifier(r.house.Hub().Board().House.HouseKey)
	must(t, err)
	seal, err := journal.OpenSeal([]byte(proof.Seal), verifier)
	must(t, err)
	must(t, seal.Body().CheckPlay(playProof(t, proof)))
	if proof.LeafHash != sold.LeafHash {
		t.Errorf("the receipt has %s, the proof is of %s", sold.LeafHash, proof.LeafHash)
	}
	data, err := base64.StdEncoding.DecodeString(proof.Record)
	must(t, err)
	if journal.LeafHash(data).String() != proof.LeafHash {
		t.Error("the record is not the one of the hash")
	}
	if (proof.LogProof == "") == (proof.Unlogged == "") {
		t.Errorf("log_proof is %q, and unlogged %q", proof.LogProof, proof.Unlogged)
	}
	next := r.house.First().Games(1)[0].Ref
	wantFault(t, r.send(http.MethodGet, fmt.Sprintf("/v1/games/%v/%d/seal.tlog-proof", next.Day, next.Number), ""),
		http.StatusNotFound, "not_sealed", "game")
	r.play()
	wantFault(t, r.send(http.MethodGet, path+fmt.Sprintf("%v/%d", next.Day, next.Number), ""), http.StatusNotFound,
		"not_in_game", "game")
	wantFault(t, r.send(http.MethodGet, path+"x", ""), http.StatusBadRequest, "parameter_value", "game")
	wantFault(t, r.send(http.MethodGet, path+"2026-11-15/999", ""), http.StatusNotFound, "game_unknown", "game")
	wantFault(t, r.send(http.MethodGet, strings.TrimSuffix(path, "?game="), ""), http.StatusBadRequest, "parameter_value",
		"game")
}

// playProof builds the proof as a client would.
func playProof(t *testing.T, p Proof) journal.PlayProof {
	t.Helper()
	decode := func(text string) []byte {
		data, err := base64.StdEncoding.DecodeString(text)
		must(t, err)
		return data
	}
	hash := func(text string) journal.Hash { return journal.Hash(decode(text)) }
	var inclusion, bits journal.RecordProof
	for _, h := range p.Inclusion {
		inclusion = append(inclusion, hash(h))
	}
	for _, h := range p.Bit.Path {
		bits = append(bits, hash(h))
	}
	return journal.PlayProof{
		Seq: p.Seq, Leaf: hash(p.LeafHash), Record: inclusion,
		Bit: journal.BitProof{Chunk: decode(p.Bit.Chunk), Index: p.Bit.Index, Path: bits},
	}
}
