package attack

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"drawhouse/internal/outside"
)

// moneyAttacks want money.
var moneyAttacks = []attack{
	{"a terminal reprints a winner for itself", takeWinner},
	{"a terminal elsewhere reprints a winner for itself", takeWinnerElsewhere},
	{"a terminal blocks a ticket that is paid", blockPaid},
	{"a claim form pays a frozen ticket", payFrozen},
	{"a senior lifts an exclusion by closing the card", liftExclusion},
	{"a terminal with nobody on shift issues a voucher of a million", issueMillion},
}

func undelivered(at *outside.Terminal, serial string) outside.Answer {
	return at.Ask(http.MethodPost, fmt.Sprintf("/v1/terminals/%d/undelivered", at.ID),
		outside.M{"serial": serial, "reason": "paper jam"})
}

// reprint asks for a new sheet and returns it with its code.
func reprint(at *outside.Terminal, serial string) (sheet, code string, answer outside.Answer) {
	_, answer = at.Request("reprint", func(number int) any {
		made := outside.CodeOf(at.ID, number)
		code = made.String()
		return outside.M{"serial": serial, "claim_hash": outside.HashOf(made, at.ID, number)}
	})
	return answer.Text("serial"), code, answer
}

func pay(at *outside.Terminal, serial, code string) outside.Answer {
	_, answer := at.Request("payment", func(int) any { return outside.M{"serial": serial, "claim_code": code} })
	return answer
}

// takeWinner: after the game the terminal that sold a winner says that it was never handed
// over, prints a sheet with a code of its own, and is paid.
func takeWinner(t *testing.T, a *arena) string {
	at := a.DemoTerminal(1)
	ticket := a.winner(t, at)
	undelivered(at, ticket.Serial)
	sheet, code, answer := reprint(at, ticket.Serial)
	if answer.OK() {
		return granted("paid with the own sheet", pay(at, sheet, code)) + granted(" reprinted", answer)
	}
	if paid := pay(at, ticket.Serial, ticket.Code); !paid.OK() {
		return fmt.Sprintf("the holder is kept from the prize: %v", paid)
	}
	return ""
}

// takeWinnerElsewhere: the same from a terminal of another venue with nobody on shift.
func takeWinnerElsewhere(t *testing.T, a *arena) string {
	at := a.DemoTerminal(1)
	ticket := a.winner(t, at)
	got := granted("undelivered", undelivered(a.Away, ticket.Serial))
	undelivered(at, ticket.Serial)
	sheet, code, answer := reprint(a.Away, ticket.Serial)
	if answer.OK() {
		got += granted(" reprinted elsewhere", answer) + granted(" paid elsewhere", pay(a.Away, sheet, code))
	}
	return got
}

// blockPaid: a ticket that was paid is said not to have been handed over.
func blockPaid(t *testing.T, a *arena) string {
	at := a.DemoTerminal(1)
	ticket := a.winner(t, at)
	need(t, "payment", pay(at, ticket.Serial, ticket.Code))
	return granted("undelivered", undelivered(at, ticket.Serial))
}

// payFrozen: a ticket is claimed on a form; when its payment is frozen the form is paid all
// the same.
func payFrozen(t *testing.T, a *arena) string {
	ticket := a.winner(t, a.DemoTerminal(1))
	claim := need(t, "claim", a.supervisor().Ask(http.MethodPost, "/v1/claims", outside.M{
		"reason": "lost", "serials": []string{ticket.Serial},
		"claimant": outside.M{"name": "Jo Citizen", "address": "1 High Street", "account": "063000 12345678"},
	}))
	path := fmt.Sprintf("/v1/claims/%d/", claim.Int("number"))
	need(t, "freeze", a.second().Ask(http.MethodPost, "/v1/stops/freeze",
		outside.M{"serials": []string{ticket.Serial}, "reason": "a complaint"}))
	need(t, "signature", a.second().Ask(http.MethodPost, path+"signatures", outside.M{"satisfied": true}))
	a.second().Ask(http.MethodPost, path+"decision", outside.M{"outcome": "allowed", "reason": "agrees"})
	got := granted("paid", a.supervisor().Ask(http.MethodPost, path+"payment",
		outside.M{"means": "cheque", "reference": "1"}))
	status := need(t, "the claim", a.supervisor().Ask(http.MethodGet, strings.TrimSuffix(path, "/"), nil)).Text("status")
	if status == "paid" {
		return got + " the claim is paid"
	}
	return got
}

// liftExclusion: a senior closes the card of a player who is excluded, and makes it active.
func liftExclusion(t *testing.T, a *arena) string {
	card := need(t, "card", a.senior().Ask(http.MethodPost, "/v1/cards",
		outside.M{"holder": outside.M{"name": "Jo Citizen", "born": "1990-01-01"}})).Int("number")
	set := func(status string) outside.Answer {
		return a.senior().Ask(http.MethodPut, fmt.Sprintf("/v1/cards/%d/status", card),
			outside.M{"status": status, "reason": "own wish"})
	}
	need(t, "exclusion", set("excluded"))
	if answer := set("active"); answer.OK() {
		t.Fatalf("an exclusion is lifted at once: %v", answer)
	}
	set("closed")
	return granted("the exclusion is lifted", set("active"))
}

// issueMillion: a terminal without anybody on shift issues a gift voucher of a million.
func issueMillion(t *testing.T, a *arena) string {
	got := ""
	for _, cents := range []int{100_000_000, 10_000_000} {
		_, answer := a.Away.Request("paper", func(number int) any {
			return outside.M{"kind": "gift_voucher", "cents": cents,
				"claim_hash": outside.HashOf(outside.CodeOf(a.Away.ID, number), a.Away.ID, number)}
		})
		if answer.Err != nil {
			t.Fatal(answer)
		}
		got += granted("a voucher", answer)
	}
	return got
}
