package api_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"drawhouse/core/refusal"
	"drawhouse/decide/command"
	"drawhouse/decide/counter"
	"drawhouse/edge/api"
	"drawhouse/journal/record"
)

// pass lets time pass, in which everybody who has signed on is signed off.
func (r *bingoRoom) pass(until time.Time) {
	r.clock.now = until
	clear(r.sessions)
	clear(r.bearer)
}

// promote has a promotion drawn whose winner need not be present.
func (r *bingoRoom) promote() { r.promoteOf(50000) }

// promoteOf has a promotion drawn for a prize of so many cents.
func (r *bingoRoom) promoteOf(cents int) {
	r.t.Helper()
	var particulars []string
	for _, name := range []string{
		"manner", "award_time_and_place", "eligibility", "minimum_wager", "nature_and_qualifications", "closing_time",
		"promotion_place_and_time", "claim_method", "winner_notification", "publication", "prize_details_and_value",
	} {
		particulars = append(particulars, fmt.Sprintf(`{"name":%q,"text":"as displayed"}`, name))
	}
	begins := r.clock.now.Add(25 * time.Hour)
	at := func(d time.Duration) string { return begins.Add(d).Format(time.RFC3339) }
	r.supervise("POST", "/promotions", 200, fmt.Sprintf(`{"name":"Cup day","available":"at the desk","marketing":"poster 3","particulars":[%s],
		"starts":%q,"closes":%q,"draws":%q,"prizes":[{"kind":"cash","name":"A purse","value_cents":%d}]}`, strings.Join(particulars, ","), at(0), at(time.Hour), at(2*time.Hour), cents), nil)
	r.pass(begins)
	r.supervise("POST", "/promotions/1/start", 200, `{}`, nil)
	for _, member := range []string{"100", "200"} {
		r.send("POST", "/members", 200, fmt.Sprintf(`{"member":%q}`, member), nil)
		r.send("POST", "/promotions/1/entries", 200, fmt.Sprintf(`{"member":%q}`, member), nil)
	}
	r.pass(begins.Add(2 * time.Hour))
	r.supervise("POST", "/promotions/1/prizes/1/draw", 200, `{}`, nil)
}

// TestWinnersToTell: the view of a promotion says who has won and until which day the winner
// is to be told, marks a day that is over, and says nothing more once the winner was reached.
func TestWinnersToTell(t *testing.T) {
	r := newBingoRoom(t)
	defer r.close()
	r.found()
	prize := func() api.HallPromotionPrize {
		t.Helper()
		var all api.HallPromotions
		r.send("GET", "/promotions", 200, "", &all)
		if len(all.Promotions) != 1 || all.Promotions[0].Name != "Cup day" || all.Promotions[0].Entries != 2 ||
			len(all.Promotions[0].Prizes) != 1 {
			t.Fatalf("the promotions are %+v", all)
		}
		return all.Promotions[0].Prizes[0]
	}
	r.promote() // On Monday the 16th, at eleven in the evening.
	if p := prize(); p.Winner != "100" && p.Winner != "200" || p.TellUntil != "2026-11-18" || p.Overdue ||
		p.Drawn == nil || len(p.Told) != 0 {
		t.Errorf("a prize that was drawn is %+v", p)
	}
	r.send("POST", "/promotions/1/prizes/1/notices", 200, `{"method":"mail"}`, nil)
	r.pass(time.Date(2026, 11, 18, 12, 59, 50, 0, time.UTC))
	if p := prize(); p.Overdue || len(p.Told) != 1 {
		t.Errorf("ten seconds before the end of Wednesday the prize is %+v", p)
	}
	r.pass(time.Date(2026, 11, 18, 13, 0, 0, 0, time.UTC))
	if p := prize(); !p.Overdue || p.TellUntil != "2026-11-18" {
		t.Errorf("on Thursday the prize is %+v", p)
	}
	r.send("POST", "/promotions/1/prizes/1/notices", 200, `{"method":"telephone","reached":true}`, nil)
	if p := prize(); p.Overdue || p.TellUntil != "" || len(p.Told) != 2 || !p.Told[1].Reached {
		t.Errorf("the winner was reached, and the prize is %+v", p)
	}
	r.deliver(r.signed(http.MethodGet, "/v1/hall/9/promotions", nil), 404, nil)
	r.verifies()
}

// TestDeniedClaimant denies a claim to more than $100: name and address go into the register
// of people, their hash into the journal, and the inspector can look them up.
//
//rule:nsw-bingo-2019 10.10.1
func TestDeniedClaimant(t *testing.T) {
	r := newBingoRoom(t)
	defer r.close()
	r.found()
	r.promote()
	deny := func(status int, more string) (answer struct {
		Record struct {
			Details string `json:"details"`
		} `json:"record"`
	}) {
		t.Helper()
		r.supervise("POST", "/promotions/1/prizes/1/claims", status,
			fmt.Sprintf(`{"member":"300","granted":false,"reason":"no entry"%s}`, more), &answer)
		return answer
	}
	deny(422, "")
	deny(422, `,"claimant":{"name":"Cay Ree","address":" "}`)
	deny(422, `,"details_hash":"`+strings.Repeat("ab", 32)+`"`)
	kept := deny(200, `,"claimant":{"name":"Cay Ree","address":"1 Long Road"}`).Record.Details
	hash, err := hex.DecodeString(kept)
	if err != nil || len(hash) != len(record.Hash{}) {
		t.Fatalf("the journal has %q of the claimant", kept)
	}
	if who, err := r.register.Customer(t.Context(), record.Hash(hash)); err != nil || who.Name != "Cay Ree" ||
		who.Address != "1 Long Road" {
		t.Errorf("the register has %+v (%v)", who, err)
	}
	deny(200, `,"details_hash":"`+kept+`"`)
	r.verifies()
}

// TestDeniedClaimantIsKept: a person to whom more than $100 was denied is not forgotten, and another one may be.
//
//rule:nsw-bingo-2019 10.10.1
func TestDeniedClaimantIsKept(t *testing.T) {
	for cents, kept := range map[int]bool{9999: false, 10000: false, 10001: true} {
		r := newBingoRoom(t)
		r.found()
		r.promoteOf(cents)
		var answer struct {
			Record struct {
				Details string `json:"details"`
			} `json:"record"`
		}
		r.supervise("POST", "/promotions/1/prizes/1/claims", 200,
			`{"member":"300","granted":false,"reason":"no entry","claimant":{"name":"Cay Ree","address":"1 Long Road"}}`, &answer)
		hash, err := hex.DecodeString(answer.Record.Details)
		if err != nil {
			t.Fatal(err)
		}
		err = command.Outcome(r.house.Do(t.Context(), command.ErasePayee{Payee: command.Payee(hash)},
			record.By{Person: r.member(record.RoleAdministrator, 0)}))
		refused, _ := errors.AsType[*refusal.Refusal](err)
		if kept != (refused != nil) || kept && (refused.Code != counter.DeniedKept || refused.Clause != "10.10.1") ||
			!kept && err != nil {
			t.Errorf("%d cents: the person is forgotten: %v", cents, err)
		}
		r.verifies()
		r.close()
	}
}
