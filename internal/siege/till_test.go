package siege

import (
	"crypto/rand"
	"fmt"
	"time"

	"drawhouse/edge/terminal"
	"drawhouse/internal/outside"
)

// request sends a numbered request of a terminal.
func (w *world) request(id string, at *outside.Terminal, method, what string, body func(number int) any) (int,
	outside.Answer) {
	number, answer := at.Numbered(method, what, body)
	return number, w.note(w.operations[id], answer)
}

func saleBody(at *outside.Terminal, number int, ticket outside.M, inSession bool) outside.M {
	return outside.M{"method": "form", "in_session": inSession,
		"claim_hash": outside.HashOf(outside.CodeOf(at.ID, number), at.ID, number), "ticket": ticket}
}

// sell sells a ticket at a terminal and remembers it.
func (w *world) sell(at *outside.Terminal, ticket outside.M, inSession bool) (outside.Sold, outside.Answer) {
	number, answer := w.request("sell", at, "PUT", "sale", func(n int) any { return saleBody(at, n, ticket, inSession) })
	sold := outside.Sold{Serial: answer.Text("serial"), Code: outside.CodeOf(at.ID, number).String(),
		Ordinal: answer.Int("first_game", "ordinal"), Cents: answer.Int("cost_cents"),
		Day: answer.Text("first_game", "day"), Game: answer.Int("first_game", "game")}
	if answer.OK() {
		w.mu.Lock()
		w.sold = append(w.sold, sold)
		w.mu.Unlock()
	}
	return sold, answer
}

func (w *world) till() *outside.Terminal { return w.terminal(1 + w.below(2)) }

// won returns a ticket that has won and that nobody was paid for, or none. No ticket is
// returned twice.
func (w *world) won() (outside.Sold, bool) {
	w.mu.Lock()
	var candidates []outside.Sold
	for i := len(w.sold) - 1; i >= 0 && len(candidates) < 40; i-- {
		if sold := w.sold[i]; !w.taken[sold.Serial] && sold.Ordinal < w.game-1 {
			candidates = append(candidates, sold)
		}
	}
	w.mu.Unlock()
	for _, sold := range candidates {
		answer := w.h.Ask("GET", "/v1/tickets/"+sold.Serial, nil)
		won := answer.Int("unpaid_cents") > 0 && answer.Get("stopped") == nil
		w.mu.Lock()
		free := !w.taken[sold.Serial]
		if won || sold.Ordinal < w.game-longest {
			w.taken[sold.Serial] = true // What has not won by now wins nothing more.
		}
		w.mu.Unlock()
		if won && free {
			return sold, true
		}
	}
	return outside.Sold{}, false
}

// drawn returns a ticket whose first game is sealed, or none.
func (w *world) drawn() (outside.Sold, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := len(w.sold) - 1; i >= 0; i-- {
		if sold := w.sold[i]; !w.taken[sold.Serial] && sold.Ordinal < w.game {
			w.taken[sold.Serial] = true
			return sold, true
		}
	}
	return outside.Sold{}, false
}

// tillRecipes are what terminals do.
var tillRecipes = map[string]func(*world){
	"sell": func(w *world) { w.sell(w.till(), w.ticket(), false) },
	"sell-many": func(w *world) {
		at := w.till()
		sale, err := at.Signed(func(n int) any { return saleBody(at, n, w.ticket(), false) })
		if err == nil {
			w.call("sell-many", nil, nil, outside.M{"sales": []any{sale}})
		}
	},
	"pay": func(w *world) {
		if sold, ok := w.won(); ok {
			w.request("pay", w.till(), "PUT", "payment",
				func(int) any { return outside.M{"serial": sold.Serial, "claim_code": sold.Code} })
		}
	},
	"forfeit": func(w *world) {
		if sold, ok := w.won(); ok {
			w.request("forfeit", w.till(), "PUT", "forfeit",
				func(int) any { return outside.M{"serial": sold.Serial, "claim_code": sold.Code} })
		}
	},
	"cancel": func(w *world) {
		at := w.till()
		sold, _ := w.sell(at, w.ticket(), false)
		w.request("cancel", at, "PUT", "cancellation",
			func(int) any { return outside.M{"serial": sold.Serial, "claim_code": sold.Code} })
	},
	"abandon": func(w *world) { w.request("abandon", w.till(), "POST", "abandon", func(int) any { return nil }) },
	"quote": func(w *world) {
		at := w.till()
		w.call("quote", at, nil, outside.M{"terminal": at.ID, "method": "form", "ticket": w.ticket()})
	},
	"end-session": func(w *world) {
		at := w.terminal(2)
		sold, _ := w.sell(at, w.ticket(), true)
		w.request("end-session", at, "PUT", "session-end", func(int) any { return outside.M{"cash_cents": sold.Cents} })
	},
	"issue-paper": func(w *world) {
		at := w.till()
		w.request("issue-paper", at, "PUT", "paper", func(n int) any {
			return outside.M{"kind": "gift_voucher", "cents": 500,
				"claim_hash": outside.HashOf(outside.CodeOf(at.ID, n), at.ID, n)}
		})
	},
	"report-undelivered": func(w *world) { w.undelivered(w.till()) },
	"reprint": func(w *world) {
		at := w.till()
		serial := w.undelivered(at)
		w.request("reprint", at, "PUT", "reprint", func(n int) any {
			return outside.M{"serial": serial, "claim_hash": outside.HashOf(outside.CodeOf(at.ID, n), at.ID, n)}
		})
	},
	"void-undelivered": func(w *world) {
		at := w.till()
		serial := w.undelivered(at)
		asked := w.call("ask-void", at, outside.M{"terminal": at.ID}, outside.M{"serial": serial})
		w.call("decide-approval", w.as("senior"), outside.M{"approval": asked.Int("number")},
			outside.M{"content": asked.Text("content"), "granted": true})
		w.request("void-undelivered", at, "PUT", "void",
			func(int) any { return outside.M{"serial": serial, "approval": asked.Int("number")} })
	},
	"ask-reissue": func(w *world) {
		sold, ok := w.drawn()
		if !ok {
			return
		}
		at := w.terminal(1)
		asked := w.call("ask-reissue", at, outside.M{"terminal": at.ID}, outside.M{"serial": sold.Serial})
		w.call("decide-approval", w.as("senior"), outside.M{"approval": asked.Int("number")},
			outside.M{"content": asked.Text("content"), "granted": true})
		w.request("reprint", at, "PUT", "reprint", func(n int) any {
			return outside.M{"serial": sold.Serial, "approval": asked.Int("number"),
				"claim_hash": outside.HashOf(outside.CodeOf(at.ID, n), at.ID, n)}
		})
	},
	"keep-payee": func(w *world) {
		at := w.till()
		hash := w.call("keep-payee", at, outside.M{"terminal": at.ID},
			outside.M{"name": "Jo Citizen", "address": "1 High Street"}).Text("hash")
		if w.chance(2) {
			w.call("get-payee", w.as("supervisor"), outside.M{"hash": hash}, nil)
			w.call("erase-payee", w.as("administrator"), outside.M{"hash": hash}, nil)
		}
	},
	"list-cheques": func(w *world) { w.cheque() },
	"prove-ticket": func(w *world) {
		w.inResult(func(one outside.Sold) {
			w.call("prove-ticket", nil, outside.M{"serial": one.Serial, "game": fmt.Sprintf("%s/%d", one.Day, one.Game)}, nil)
		})
	},
	"prove-seal": func(w *world) {
		w.inResult(func(one outside.Sold) { w.call("prove-seal", nil, outside.M{"day": one.Day, "number": one.Game}, nil) })
	},
	"begin-shift": func(w *world) {
		at := w.terminal(spare)
		w.call("begin-shift", at, outside.M{"terminal": at.ID},
			outside.M{"person": w.as("relief").Number, "password": outside.Password})
		w.sell(at, w.ticket(), false)
		w.call("end-shift", at, outside.M{"terminal": at.ID}, nil)
	},
	"show-signs": func(w *world) {
		at := w.terminal(display)
		w.call("show-signs", at, outside.M{"terminal": at.ID}, outside.M{"screens": []string{"draw"}})
	},
	"look-up": func(w *world) {
		at := w.till()
		w.call("look-up", at, outside.M{"terminal": at.ID, "serial": w.known("serial")}, nil)
	},
	"look-up-card": func(w *world) {
		at := w.till()
		card := w.call("register-card", w.as("senior"), nil, newCard()).Int("number")
		w.call("look-up-card", at, outside.M{"terminal": at.ID, "card": card}, nil)
	},
	"make-paper": func(w *world) {
		at := w.till()
		sold, answer := w.sell(at, w.ticket(), false)
		w.call("make-paper", at, outside.M{"terminal": at.ID},
			outside.M{"paper": "ticket", "format": "svg", "claim_code": sold.Code, "answer": answer.Get()})
	},
	"say-hello": func(w *world) {
		hello, _, err := terminal.Begin(terminal.DemoKey(3), 3, time.Now(), rand.Reader)
		if err == nil {
			w.call("say-hello", nil, outside.M{"terminal": 3}, hello)
		}
	},
}

func (w *world) undelivered(at *outside.Terminal) string {
	sold, _ := w.sell(at, w.ticket(), false)
	w.call("report-undelivered", at, outside.M{"terminal": at.ID}, outside.M{"serial": sold.Serial, "reason": "paper jam"})
	return sold.Serial
}

// cheque has a prize paid by cheque.
func (w *world) cheque() {
	sold, ok := w.won()
	if !ok {
		return
	}
	w.desk.Lock()
	defer w.desk.Unlock()
	at := w.terminal(counter)
	hash := w.call("keep-payee", at, outside.M{"terminal": at.ID},
		outside.M{"name": "Jo Citizen", "address": "1 High Street"}).Text("hash")
	_, paid := w.request("pay", at, "PUT", "payment",
		func(int) any { return outside.M{"serial": sold.Serial, "claim_code": sold.Code, "in_session": true} })
	w.request("end-session", at, "PUT", "session-end", func(int) any {
		return outside.M{"pay": []outside.M{{"means": "cheque", "cents": paid.Int("paid_cents")}}, "payee_hash": hash,
			"checked": true}
	})
	// If that was refused the customer is paid in cash.
	w.request("end-session", at, "PUT", "session-end", func(int) any { return outside.M{} })
	w.call("list-cheques", w.central(), nil, nil)
}

func newCard() outside.M {
	return outside.M{"holder": outside.M{"name": "Jo Citizen", "born": "1990-01-01", "address": "1 High Street"}}
}

// inResult does something with a ticket whose first game has a result, if there is one.
func (w *world) inResult(do func(outside.Sold)) {
	w.mu.Lock()
	sold := append([]outside.Sold(nil), w.sold[:min(len(w.sold), 20)]...)
	w.mu.Unlock()
	for _, one := range sold {
		for _, result := range w.h.Results() {
			if result.Ordinal == one.Ordinal {
				do(one)
				return
			}
		}
	}
}
