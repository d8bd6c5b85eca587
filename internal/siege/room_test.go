package siege

import (
	"fmt"
	"time"

	"drawhouse/games/bingo"
	"drawhouse/internal/outside"
)

// evening plays bingo: it looks at the room and does what comes next there, if nobody else
// does.
func (w *world) evening() {
	if !w.room.TryLock() {
		return
	}
	defer w.room.Unlock()
	room := w.call("get-bingo-room", nil, outside.M{"hall": 1}, nil)
	session := room.Int("session", "session")
	if session == 0 || room.Text("session", "phase") == "closed" {
		w.nextSession()
		return
	}
	params := outside.M{"hall": 1, "session": session, "game": max(1, room.Int("session", "game"))}
	switch room.Text("session", "phase") {
	case "entering":
		w.enter(params)
	default:
		w.play(params, room.Text("session", "game_phase"))
	}
}

func (w *world) floor() *outside.Person { return w.as("senior") }

func (w *world) nextSession() {
	desk := w.call("get-bingo-desk", w.floor(), outside.M{"hall": 1}, nil)
	stock, _ := desk.Get("stock").([]any)
	series := "A"
	if len(stock) > 0 {
		first, _ := stock[0].(map[string]any)
		series = fmt.Sprint(first["series"])
	}
	plan := outside.M{
		"day": w.today(), "begins": time.Now(), "fee_cents": 1000, "books_max": 2, "series": []string{series},
		"games": []outside.M{{"prizes": []outside.M{{"pattern": "bingo", "cents": 10000},
			{"pattern": "top-line", "cents": 2000}}, "jackpot_numbers": 3 * w.below(2)}},
	}
	set := w.call("set-session", w.floor(), outside.M{"hall": 1}, plan)
	session := outside.M{"hall": 1, "session": set.Int("record", "session")}
	if set.OK() && w.chance(3) {
		w.call("change-session", w.floor(), session, plan)
	}
	if set.OK() && w.chance(5) {
		w.call("cancel-session", w.floor(), session, outside.M{"reason": "the wrong evening"})
	}
}

// enter brings players in, and closes the issue of books after some.
func (w *world) enter(params outside.M) {
	member := fmt.Sprint(100 + w.below(6))
	w.call("set-member", w.floor(), outside.M{"hall": 1}, outside.M{"member": member})
	desk := w.call("get-bingo-desk", w.floor(), outside.M{"hall": 1}, nil)
	stock, _ := desk.Get("stock").([]any)
	if len(stock) == 0 {
		return
	}
	first, _ := stock[0].(map[string]any)
	next, _ := first["next"].(float64)
	book := outside.M{"series": first["series"], "first": int(next), "last": int(next)}
	entry := outside.M{"member": member, "fee_cents": desk.Int("fee_cents"), "books": []outside.M{book}}
	if w.chance(2) { // One of the electronic cards is kept to replace another.
		entry["device"] = w.terminal(card + w.below(cards-1)).ID
	}
	entered := w.call("enter-session", w.floor(), params, entry)
	players, _ := desk.Get("players").([]any)
	if entered.OK() && len(players) > 0 && w.chance(3) {
		w.call("get-bingo-print", w.floor(), outside.M{"hall": 1, "session": params["session"], "player": 1}, nil)
		w.call("bar-player", w.floor(), outside.M{"hall": 1, "session": params["session"], "player": len(players) + 1},
			outside.M{"reason": "drunk", "fee_void": true})
	}
	if entered.OK() && w.chance(4) {
		w.call("undo-entry", w.floor(), outside.M{"hall": 1, "session": params["session"], "player": len(players) + 1},
			outside.M{"reason": "another book"})
	}
	if len(players) < 2 {
		return
	}
	ranges := []outside.M{}
	desk = w.call("get-bingo-desk", w.floor(), outside.M{"hall": 1}, nil)
	issued, _ := desk.Get("issued").([]any)
	for _, one := range issued {
		fields, _ := one.(map[string]any)
		ranges = append(ranges, outside.M{"books": fields["books"]})
	}
	w.call("close-issue", w.floor(), params, outside.M{"ranges": ranges})
}

// play goes on with the game of a session.
func (w *world) play(params outside.M, phase string) {
	game := w.call("get-bingo-game", nil, params, nil)
	calls, _ := game.Get("calls").([]any)
	switch {
	case w.chance(40):
		w.call("void-bingo", w.floor(), params,
			outside.M{"cause": "disruption", "reason": "an alarm", "refund": true, "none_follows": w.chance(2)})
		w.call("pay-bingo-refund", w.floor(), outside.M{"hall": 1, "session": params["session"], "player": 1}, nil)
	case phase == "waiting":
		if w.call("seal-jackpot", w.floor(), params, nil).OK() {
			for place := 1; place <= 3; place++ {
				w.call("call-bingo", w.floor(), params, outside.M{"place": place})
			}
			w.call("finish-bingo", w.floor(), params, nil)
		}
		w.call("announce-bingo", w.floor(), params, nil)
	case phase == "calling" && len(calls) < 90:
		w.devices(params)
		last := min(90, len(calls)+1+w.below(8))
		for place := len(calls) + 1; place <= last; place++ {
			switch answer := w.call("call-bingo", w.floor(), params, outside.M{"place": place}); {
			case answer.OK():
				w.shout(params)
			case answer.Code() == "bingo_called":
				w.settle(params)
				w.call("finish-bingo", w.floor(), params, nil)
				return
			}
		}
		if len(calls) > 0 {
			w.call("correct-call", w.floor(), params, outside.M{"number": calls[len(calls)-1], "wrong": 90 - w.below(90)})
		}
		w.settle(params)
	default:
		w.settle(params)
		w.takeBack(params)
		w.call("finish-bingo", w.floor(), params, nil)
		w.call("sign-closure", w.floor(), params, outside.M{"at": time.Now().Add(25 * time.Minute)})
		w.call("close-session", w.floor(), params, nil)
	}
}

// devices has the electronic cards of a session shown, and now and then one fail and be
// replaced by one that nobody holds.
func (w *world) devices(params outside.M) {
	out := w.issued()
	free := 0
	for i := range cards {
		if at := w.terminal(card + i); out[at.ID] == nil {
			free = at.ID
		}
	}
	for i := range cards {
		at := w.terminal(card + i)
		held := out[at.ID]
		if held == nil {
			continue
		}
		w.call("get-held-card", at, outside.M{"terminal": at.ID}, nil)
		w.call("get-bingo-scorecard", w.floor(), outside.M{"hall": 1, "session": params["session"], "game": params["game"],
			"player": held["player"]}, nil)
		device := outside.M{"hall": 1, "session": params["session"], "device": at.ID}
		if held["halted"] == true || w.chance(4) && w.call("fail-device", w.floor(), device, nil).OK() {
			w.call("replace-device", w.floor(), device, outside.M{"with": free})
			return
		}
	}
}

// takeBack takes the electronic cards of a session back.
func (w *world) takeBack(params outside.M) {
	for id := range w.issued() {
		w.call("return-device", w.floor(), outside.M{"hall": 1, "session": params["session"], "device": id}, outside.M{})
	}
}

// issued returns the electronic cards that are out, by their numbers.
func (w *world) issued() map[int]map[string]any {
	out := map[int]map[string]any{}
	for _, held := range outside.List(w.call("get-bingo-desk", w.floor(), outside.M{"hall": 1}, nil).Get("devices")) {
		if id, _ := held["device"].(float64); held["back"] != true {
			out[int(id)] = held
		}
	}
	return out
}

// shout claims what cards have completed with the last number, and now and then what they
// have not.
func (w *world) shout(params outside.M) {
	desk := w.call("get-bingo-desk", w.floor(), outside.M{"hall": 1}, nil)
	issued, _ := desk.Get("issued").([]any)
	for _, one := range issued {
		fields, _ := one.(map[string]any)
		books, _ := fields["books"].(map[string]any)
		first, _ := books["first"].(float64)
		game, _ := params["game"].(int)
		serial := bingo.Serial{Series: fmt.Sprint(books["series"]), Book: int(first), Game: game}.String()
		card := w.call("get-bingo-card", w.floor(),
			outside.M{"hall": 1, "session": params["session"], "game": params["game"], "serial": serial}, nil)
		if w.chance(10) {
			w.call("open-claim", w.floor(), params,
				outside.M{"pattern": pick(w, []string{"bingo", "top-line"}), "serial": serial, "box": 1 + w.below(6)})
		}
		numbers, _ := card.Get("called").([]any)
		called := len(numbers)
		boxes, _ := card.Get("boxes").([]any)
		for i, box := range boxes {
			fields, _ := box.(map[string]any)
			standing, _ := fields["standing"].([]any)
			for _, one := range standing {
				if s, _ := one.(map[string]any); s["complete"] == true && s["place"] == float64(called) {
					w.call("open-claim", w.floor(), params, outside.M{"pattern": s["pattern"], "serial": serial, "box": i + 1})
				}
			}
		}
	}
	w.settle(params)
}

// settle has the claims of a game checked, and paid where something is due.
func (w *world) settle(params outside.M) {
	claims, _ := w.call("list-bingo-claims", w.floor(), params, nil).Get("claims").([]any)
	for _, one := range claims {
		fields, _ := one.(map[string]any)
		claim, _ := fields["claim"].(float64)
		cents, _ := fields["cents"].(float64)
		with := outside.M{"hall": 1, "session": params["session"], "game": params["game"], "claim": int(claim)}
		if fields["decided"] != true {
			w.call("check-claim", w.floor(), with, outside.M{"card_in_hand": true, "marked": true})
		}
		if fields["accepted"] != true || fields["settled"] != true || fields["paid"] == true {
			continue
		}
		w.call("pay-bingo", w.floor(), with, outside.M{"prize": []outside.M{{"medium": "cash", "cents": int(cents)}}})
	}
}

// fraud is found after a game is over: the desk says what stands as won there, and one of
// it is taken back. Where nothing stands as won the evening goes on.
func (w *world) fraud() {
	won := outside.List(w.call("get-bingo-desk", w.floor(), outside.M{"hall": 1}, nil).Get("won"))
	if len(won) == 0 {
		w.evening()
		return
	}
	found := pick(w, won)
	claim, _ := found["claim"].(float64)
	params := outside.M{"hall": 1, "session": found["session"], "game": found["game"]}
	w.call("invalidate-bingo", w.as("operative"), params,
		outside.M{"claims": []int{int(claim)}, "reason": "a card from outside", "refund": w.chance(2)})
}

// roomRecipes are what is done in a bingo room.
var roomRecipes = map[string]func(*world){
	"get-bingo-room": (*world).evening, "enter-session": (*world).evening, "call-bingo": (*world).evening,
	"announce-bingo": (*world).evening,
	"set-session":    (*world).evening, "finish-bingo": (*world).evening, "open-claim": (*world).evening,
	"close-session":    (*world).evening,
	"invalidate-bingo": (*world).fraud,
	"set-member": func(w *world) {
		w.call("set-member", w.floor(), outside.M{"hall": 1}, outside.M{"member": fmt.Sprint(1000 + w.below(9000))})
	},
	"note-incident": func(w *world) {
		w.call("note-incident", w.floor(), outside.M{"hall": 1, "session": 1}, outside.M{"text": "A light failed."})
	},
	"raise-dispute": func(w *world) {
		w.call("raise-dispute", w.floor(), outside.M{"hall": 1}, outside.M{"subject": "A call was not heard.", "session": 1})
		w.call("move-dispute", w.floor(), outside.M{"hall": 1, "dispute": 1 + w.below(5)},
			outside.M{"step": pick(w, []string{"decided", "review", "reviewed", "advised"}), "text": "Heard."})
		// A player is heard whose fee the dispute can award, and the award is paid.
		raised := w.call("raise-dispute", w.floor(), outside.M{"hall": 1},
			outside.M{"subject": "A call was not heard.", "session": 1, "member": fmt.Sprint(100 + w.below(6))})
		one := outside.M{"hall": 1, "dispute": raised.Int("record", "dispute")}
		w.call("move-dispute", w.floor(), one, outside.M{"step": "decided", "text": "Heard.", "award_cents": 5})
		w.call("pay-award", w.as("operative"), one, outside.M{"parts": []outside.M{{"medium": "cash", "cents": 5}}})
	},
	"notify-promotion": func(w *world) { w.call("notify-promotion", w.floor(), outside.M{"hall": 1}, promotion()) },
	"check-promotion":  func(w *world) { w.call("check-promotion", w.floor(), outside.M{"hall": 1}, promotion()) },
	"stop-promotion": func(w *world) {
		w.call("notify-promotion", w.floor(), outside.M{"hall": 1}, promotion())
		w.call("stop-promotion", w.floor(), outside.M{"hall": 1, "promotion": 1 + w.below(3)},
			outside.M{"act": pick(w, []string{"postponed", "cancelled"}), "reason": "rain", "told": "by poster"})
	},
	"add-table": func(w *world) {
		w.mu.Lock()
		tables := w.tables
		w.mu.Unlock()
		w.call("add-table", w.as("administrator"), outside.M{"hall": 1}, pick(w, tables))
	},
	"open-hall": func(w *world) {
		w.call("open-hall", w.as("administrator"), outside.M{"hall": 2 + w.below(200)},
			outside.M{"name": fmt.Sprintf("room-%d", w.below(100_000)), "venue": 1, "rulebook": "nsw-bingo-2019",
				"levels": []outside.M{{"name": "jackpot", "share": 10000, "seed_cents": 1000}}})
	},
}

func promotion() outside.M {
	particulars := []outside.M{}
	for _, name := range []string{"manner", "award_time_and_place", "eligibility", "minimum_wager",
		"nature_and_qualifications", "closing_time",
		"promotion_place_and_time", "claim_method", "winner_notification", "publication", "prize_details_and_value"} {
		particulars = append(particulars, outside.M{"name": name, "text": "as displayed"})
	}
	at := func(hours int) time.Time { return time.Now().Add(time.Duration(hours) * time.Hour) }
	return outside.M{"name": "Cup day", "available": "at the desk", "marketing": "poster 3", "particulars": particulars,
		"starts": at(26), "closes": at(27), "draws": at(28),
		"prizes": []outside.M{{"kind": "cash", "name": "A purse", "value_cents": 50000}}}
}
