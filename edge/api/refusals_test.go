package api

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"drawhouse/edge/terminal"
	"drawhouse/journal/record"
)

// TestEachItsOwnRefusal: what is wrong with a request has its own code and, where a rule
// refuses it, that rule's clause.
func TestEachItsOwnRefusal(t *testing.T) {
	r := newRig(t)
	r.openDay()
	r.sell(oneSpot) // The first game has a play.
	r.play()
	held, heldCode := r.sell(oneSpot)
	given, givenCode := r.sell(oneSpot)
	r.cancel(1, given.Serial, givenCode.String()).into(t, &Cancellation{})
	other := r.terminalElsewhere()
	next := func(terminal uint32, action string) string {
		r.number++
		return fmt.Sprintf("/v1/terminals/%d/requests/%d/%s", terminal, r.number, action)
	}
	sale, _ := r.saleBody(1, r.number+1, oneSpot)
	closed := strings.Replace(sale, `"open"`, `{"day":"2026-11-15","game":0}`, 1)
	seen := map[string]string{}
	for _, c := range []struct {
		what   string
		answer func() reply
		status int
		code   string
		field  string
		clause string
	}{
		{"a body over the limit", func() reply {
			return r.send(http.MethodPut, next(1, "sale"),
				strings.Repeat(" ", maxSaleBody)+sale)
		}, 413, "body_too_large", "", ""},
		{"no JSON", func() reply { return r.send(http.MethodPut, next(1, "sale"), "sell me a ticket") }, 400, "form_syntax",
			"", ""},
		{"a wrong type", func() reply {
			return r.send(http.MethodPut, next(1, "sale"), strings.Replace(sale, `"verbal"`, "7", 1))
		}, 400, "field_value", "method", ""},
		{"an unknown field", func() reply {
			return r.send(http.MethodPut, next(1, "sale"), strings.Replace(sale, "{", `{"free":true,`, 1))
		}, 400, "field_unknown", "free", ""},
		{"a field twice", func() reply {
			return r.send(http.MethodPut, next(1, "sale"), strings.Replace(sale, "{", `{"method":"verbal",`, 1))
		}, 400, "field_repeated", "method", ""},
		{"a field too few", func() reply { return r.send(http.MethodPut, next(1, "sale"), "{}") }, 400, "field_missing",
			"method", ""},
		{"a late sale", func() reply { return r.send(http.MethodPut, next(1, "sale"), closed) }, 409, "game_not_open",
			"ticket.first", "18(b)"},
		{"too small a stake", func() reply {
			return r.send(http.MethodPut, next(1, "sale"), strings.Replace(sale, "200", "20", 1))
		}, 422, "stake_below_minimum", "ticket.bets[0].stake_cents", "11(c)"},
		{"a cancelled ticket again", func() reply { return r.cancel(1, given.Serial, givenCode.String()) }, 422,
			"nothing_left", "serial", "17(b)"},
		{"a ticket of another venue", func() reply { return r.cancel(other, held.Serial, heldCode.String()) }, 422,
			"other_venue", "terminal", "17(a)(i)"},
		{"a wrong claim code", func() reply { return r.cancel(1, held.Serial, givenCode.String()) }, 403, "claim_code_other",
			"claim_code", ""},
		{"a request received before", func() reply { return r.replayed(next(1, "sale"), sale) }, 409, "request_replayed", "",
			""},
		{"a request of another terminal", func() reply {
			path := next(1, "sale")
			return r.send(http.MethodPut, path, sale, terminal.Header, r.session(2).Sign(http.MethodPut, path, []byte(sale)))
		}, 403, "terminal_other", "terminal", ""},
		{"a number used for something else", func() reply {
			return r.send(http.MethodPut, fmt.Sprintf("/v1/terminals/1/requests/%d/sale", r.number-1),
				strings.Replace(sale, "200", "300", 1))
		}, 409, "request_body_other", "request", ""},
		{"a number that was superseded", func() reply { return r.send(http.MethodPut, salePath(1, 1), sale) }, 409,
			"request_superseded", "request", ""},
	} {
		answer := c.answer()
		fault := answer.fault(t)
		if answer.status != c.status || string(fault.Code) != c.code || fault.Field != c.field || fault.Clause != c.clause {
			t.Errorf("%s: %d %s; want %d %s in %q by %q", c.what, answer.status, answer.body, c.status, c.code, c.field,
				c.clause)
		}
		if before, ok := seen[c.code]; ok {
			t.Errorf("%s is refused like %s", c.what, before)
		}
		seen[c.code] = c.what
	}
}

// cancel gives a ticket back at a terminal.
func (r *rig) cancel(at uint32, serial, code string) reply {
	r.t.Helper()
	r.number++
	path := fmt.Sprintf("/v1/terminals/%d/requests/%d/cancellation", at, r.number)
	return r.atTerminal(at, http.MethodPut, path, fmt.Sprintf(`{"serial":%q,"claim_code":%q}`, serial, code))
}

// replayed sends a request and then the very same bytes once more.
func (r *rig) replayed(path, body string) reply {
	r.t.Helper()
	header := r.session(1).Sign(http.MethodPut, path, []byte(body))
	r.send(http.MethodPut, path, body, terminal.Header, header).into(r.t, &Sale{})
	return r.send(http.MethodPut, path, body, terminal.Header, header)
}

// terminalElsewhere brings a venue with a terminal into the house, whose number it
// returns, and a senior who is on duty there.
func (r *rig) terminalElsewhere() uint32 {
	r.t.Helper()
	admin := r.signOn(r.member(record.RoleAdministrator))
	var venue, added Numbered
	r.as(admin, http.MethodPost, "/v1/venues", `{"kind":"club","name":"River Club"}`).into(r.t, &venue)
	key := terminal.DemoPublic(9000)
	r.as(admin, http.MethodPost, "/v1/terminals",
		fmt.Sprintf(`{"venue":%d,"channel":"writer","key":%q}`, venue.Number,
			base64.StdEncoding.EncodeToString(key[:]))).into(r.t, &added)
	session, answer := r.hello(added.Number, terminal.DemoKey(9000), r.clock.Now().Add(time.Millisecond))
	if session == nil {
		r.t.Fatalf("%d %s", answer.status, answer.body)
	}
	r.sessions[added.Number] = session
	return added.Number
}
