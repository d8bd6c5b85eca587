package siege

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"drawhouse/edge/terminal"
	"drawhouse/games/beacon"
	"drawhouse/internal/outside"
)

// newKey is the public key of a device that nobody has.
func newKey(seed int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "spare %d", seed))
	public := ed25519.NewKeyFromSeed(sum[:]).Public().(ed25519.PublicKey)
	return base64.StdEncoding.EncodeToString(public)
}

// handedOver is a signed file of open tickets of another system. One in three was altered.
func handedOver(w *world) outside.M {
	seed := sha256.Sum256([]byte("another system"))
	key := ed25519.NewKeyFromSeed(seed[:])
	text := fmt.Sprintf("drawhouse open tickets 1\nsystem: Old Keno\nrulebook: vic-keno-2015\ncurrency: AUD\nas of: %v\ncode,cents,kind,until\n", w.today())
	for range 1 + w.below(3) {
		text += fmt.Sprintf("OLD%015d,%d,prize,\n", w.below(1<<30), 1+w.below(100_00))
	}
	mark := base64.StdEncoding.EncodeToString(ed25519.Sign(key, []byte(text)))
	if w.chance(3) {
		text += "OLD000000000000001,100,prize,\n"
	}
	return outside.M{"text": text + "signature: " + mark + "\n", "reference": "letter 1",
		"key": base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))}
}

// victim returns somebody who may lose what they have: a new person with a role, who has
// a password if it is asked for.
func (w *world) victim(password bool, grants ...outside.M) *outside.Person {
	number := w.call("add-person", w.as("administrator"), nil,
		outside.M{"name": "Some Victim", "grants": grants}).Int("number")
	p := w.h.As(number, outside.Password)
	if password {
		token := w.call("invite-person", w.as("administrator"), outside.M{"person": number}, nil).Text("token")
		w.call("accept-invitation", nil, nil, outside.M{"token": token, "password": outside.Password})
		w.note(w.operations["sign-on"], p.SignOn())
	}
	return p
}

func (w *world) central() *outside.Person { return w.as("supervisor") }

// operator returns a recipe that asks for an act of the operator and has it carried out.
func operator(id string, body func(w *world) outside.M) func(*world) {
	return func(w *world) {
		if a := w.ask(id, w.central(), body(w)); a != nil && w.chance(2) {
			w.agreed(a)
		}
	}
}

func about(reason string) func(*world) outside.M {
	return func(w *world) outside.M {
		sold, _ := w.sell(w.till(), w.ticket(), false)
		return outside.M{"serial": sold.Serial, "reason": reason}
	}
}

// debitFile returns the id of a file of direct debits, or of one that there is not.
func (w *world) debitFile() string {
	files, _ := w.call("list-debit-files", w.central(), nil, nil).Get("files").([]any)
	if len(files) == 0 || w.chance(8) {
		return "DH-1"
	}
	file, _ := pick(w, files).(map[string]any)
	return fmt.Sprint(file["id"])
}

// reference returns one of a few references, so that some payments are recorded twice and some are taken back.
func (w *world) reference() string { return fmt.Sprintf("bank %d", w.below(40)) }

// peopleRecipes are what is done to people and places.
var peopleRecipes = map[string]func(*world){
	"add-person":  func(w *world) { w.victim(false, outside.M{"role": "writer", "venue": 1}) },
	"sign-on":     func(w *world) { w.victim(true) },
	"sign-off":    func(w *world) { w.call("sign-off", w.victim(true), nil, nil) },
	"get-session": func(w *world) { w.call("get-session", w.central(), nil, nil) },
	"change-password": func(w *world) {
		w.call("change-password", w.victim(true), nil, outside.M{"old": outside.Password, "new": "violet anchor prism 88"})
	},
	"grant-role": func(w *world) {
		p := w.victim(false)
		grant := outside.M{"role": "writer", "venue": 1}
		w.call("grant-role", w.as("administrator"), outside.M{"person": p.Number}, grant)
		w.call("withdraw-role", w.as("administrator"), outside.M{"person": p.Number}, grant)
	},
	"lock-person": func(w *world) {
		w.call("lock-person", w.central(), outside.M{"person": w.victim(false).Number},
			outside.M{"locked": true, "reason": "suspected"})
	},
	"erase-person": func(w *world) {
		p := w.victim(false)
		a := w.ask("request-approval", w.as("administrator"),
			outside.M{"action": "erase_person", "person": p.Number, "reason": "left"})
		if a == nil {
			return
		}
		w.call("decide-approval", w.as(pick(w, []string{"partner", "second"})), outside.M{"approval": a.number},
			outside.M{"content": a.content, "granted": true})
		w.call("erase-person", w.as("administrator"), outside.M{"person": p.Number},
			outside.M{"approval": a.number, "reason": "left"})
	},
	"begin-duty": func(w *world) {
		grant := outside.M{"role": "senior", "venue": 1}
		p := w.victim(true, grant)
		w.call("begin-duty", p, nil, grant)
		switch w.below(3) {
		case 0:
			w.call("leave-duty", p, nil, nil)
		case 1:
			w.call("end-duty", p, nil, nil)
		default:
			w.call("send-home", w.central(), outside.M{"person": p.Number}, nil)
		}
	},
	"add-operator": func(w *world) {
		w.call("add-operator", w.as("administrator"), nil, outside.M{"number": 1 + w.below(60000), "name": "Hotels Limited"})
	},
	"add-venue": func(w *world) {
		w.call("add-venue", w.as("administrator"), nil,
			outside.M{"kind": "hotel", "name": fmt.Sprintf("Hotel %d", w.below(1_000_000))})
	},
	"rename-venue": func(w *world) {
		w.call("rename-venue", w.as("administrator"), outside.M{"venue": w.venue()},
			outside.M{"name": fmt.Sprintf("Hotel %d", w.below(1_000_000))})
	},
	"set-hours": func(w *world) {
		w.call("set-hours", w.as("administrator"), outside.M{"venue": w.venue()},
			outside.M{"hours": []outside.M{{"weekday": w.below(7), "from": 600, "to": 1300}}})
	},
	"add-area": func(w *world) {
		venue, area := w.venue(), 1+w.below(60000)
		w.call("add-area", w.as("administrator"), outside.M{"venue": venue}, outside.M{"number": area, "name": "Front bar"})
		w.call("report-display", w.central(), outside.M{"venue": venue, "area": area},
			outside.M{"screen": "draw", "working": false, "reason": "dark"})
		n := w.call("add-terminal", w.as("administrator"), nil, outside.M{"venue": venue, "channel": "writer"}).Int("number")
		w.call("place-terminal", w.as("administrator"), outside.M{"terminal": n}, outside.M{"area": area})
	},
	"add-terminal": func(w *world) {
		n := w.call("add-terminal", w.as("administrator"), nil,
			outside.M{"venue": w.venue(), "channel": "writer", "key": newKey(w.below(1 << 30))}).Int("number")
		switch w.below(3) {
		case 0:
			w.call("key-terminal", w.as("administrator"), outside.M{"terminal": n}, outside.M{"key": newKey(w.below(1 << 30))})
		case 1:
			w.call("revoke-terminal", w.as("administrator"), outside.M{"terminal": n}, outside.M{"reason": "stolen"})
		default:
			n := w.call("add-terminal", w.as("administrator"), nil,
				outside.M{"venue": w.venue(), "channel": "writer"}).Int("number")
			code := w.call("allow-enrolment", w.as("administrator"), outside.M{"terminal": n}, nil).Text("code")
			w.call("enrol", nil, nil, outside.M{"code": code, "key": newKey(w.below(1 << 30))})
		}
	},
	"unwind-session": func(w *world) {
		n := w.call("add-terminal", w.as("administrator"), nil, outside.M{"venue": 1, "channel": "writer"}).Int("number")
		public := terminal.DemoPublic(uint32(n))
		w.call("key-terminal", w.as("administrator"), outside.M{"terminal": n},
			outside.M{"key": base64.StdEncoding.EncodeToString(public[:])})
		w.sell(w.h.DemoTerminal(n), w.ticket(), true)
		w.call("revoke-terminal", w.as("administrator"), outside.M{"terminal": n}, outside.M{"reason": "stolen"})
		w.agreed(w.ask("unwind-session", w.central(), outside.M{"terminal": n, "cents": 0, "reason": "stolen"}))
	},
	"appoint-inspector": func(w *world) {
		p := w.victim(false)
		if w.agreed(w.ask("appoint-inspector", w.as("administrator"), outside.M{"person": p.Number})).OK() {
			id, body := "dismiss-inspector", outside.M{"person": p.Number}
			if w.chance(2) {
				id, body = "lock-inspector", outside.M{"person": p.Number, "locked": true, "reason": "suspected"}
			}
			w.agreed(w.ask(id, w.as("administrator"), body))
		}
	},
}

// venue is one that was added for the siege, so that the others sell on.
func (w *world) venue() int { return w.away }

// gameRecipes run the games.
var gameRecipes = map[string]func(*world){
	"pause": func(w *world) {
		w.halt.Lock()
		defer w.halt.Unlock()
		w.call("pause", w.central(), nil, outside.M{"reason": "a fault"})
		w.call("resume", w.central(), nil, nil)
	},
	"announce-closure": operator("announce-closure",
		func(*world) outside.M { return outside.M{"at": time.Now().Add(20 * time.Hour)} }),
	"compare-rules": func(w *world) {
		w.call("compare-rules", w.central(), outside.M{"from": w.rulebook, "to": w.rulebook}, nil)
	},
	"read-object": func(w *world) {
		objects, _ := w.call("get-journal-contents", w.as("inspector"), nil, nil).Get("objects").([]any)
		if len(objects) > 0 {
			w.call("read-object", w.as("inspector"), outside.M{"name": pick(w, objects)}, nil)
		}
	},
	"read-journal": func(w *world) {
		w.call("read-journal", w.as("inspector"), outside.M{"volume": 1, "from": 0, "to": 5}, nil)
	},
	"register-device": func(w *world) {
		serial := fmt.Sprint(w.below(1 << 30))
		w.agreed(w.ask("register-device", w.central(),
			outside.M{"device": "rng", "maker": "Acme", "serial_number": serial, "site": "central site",
				"reference": "letter 6"}))
		devices, _ := w.call("get-course", w.central(), nil, nil).Get("devices").([]any)
		if len(devices) == 0 {
			return
		}
		// The device that draws stays sound, so that the games go on.
		w.agreed(w.ask("choose-device", w.central(), outside.M{"number": 1}))
		chain := beacon.Quicknet()
		w.agreed(w.ask("choose-beacon", w.central(), outside.M{"from_day": fmt.Sprintf("2999-01-%02d", 1+w.below(28)),
			"chain": chain.Name(), "key": hex.EncodeToString(chain.Key[:]), "genesis_seconds": chain.Genesis,
			"period_seconds": chain.Period}))
		w.call("bring-round", w.central(), nil, outside.M{"round": 1, "signature": strings.Repeat("b5", 48)})
		w.call("inspect-device", w.as("inspector"), outside.M{"registered": len(devices)},
			outside.M{"part": "device", "sound": len(devices) == 1 || w.chance(2), "finding": "as approved"})
	},
	"inspect-draw": func(w *world) {
		w.call("inspect-draw", w.as("inspector"), outside.M{"ordinal": w.onSale() - 2},
			outside.M{"agrees": true, "finding": "as recorded"})
	},
	"show-notice": func(w *world) { w.call("show-notice", w.central(), nil, outside.M{"text": "Welcome."}) },
	"adopt-rulebook": operator("adopt-rulebook", func(w *world) outside.M {
		return outside.M{"id": pick(w, []string{"tas-keno-2023", "nsw-bingo-2019", "casino-keno-div2"})}
	}),
	"adopt-rulebook-file": operator("adopt-rulebook-file", func(w *world) outside.M {
		file := fmt.Sprintf("rulebook: vic-keno-2015\nbase: %s\nedition: %d\n", w.rulebook, 2+w.below(1_000))
		if w.chance(3) {
			file += "keno: {eligibility: {minimum_age: 21}}\n" // It is fixed.
		}
		return outside.M{"text": file, "reference": "letter 1"}
	}),
	"make-remittance": operator("make-remittance", func(w *world) outside.M {
		account := pick(w, []string{"tax", "treasurer", "crown", "approved_purposes"})
		said := outside.M{"account": account, "cents": 1 + w.below(1_000), "paid": "2026-11-15", "reference": w.reference()}
		if account == "tax" {
			said["month"] = "2026-10"
		}
		return said
	}),
	"agree-venue": operator("agree-venue", func(w *world) outside.M {
		said := outside.M{"venue": 1, "from_day": w.tomorrow(), "sales_rate": w.below(10_002), "prizes_rate": w.below(500),
			"fees_rate": w.below(500), "least_cents": w.below(5_000), "floor_cents": w.below(5_000), "week_ends": w.below(8),
			"days_to_pay": w.below(62), "stops": false}
		if w.chance(2) {
			said["tax_rate"], said["tax_rounding"] = 1000, pick(w, []string{"floor", "ceil", "half-up", "half-even"})
		}
		if w.chance(2) {
			said["mandate"], said["account"], said["signed"] = "M-1", "DE89370400440532013000", "2026-09-01"
		}
		return said
	}),
	"carry-cash": operator("carry-cash", func(w *world) outside.M {
		return outside.M{"venue": 1, "move": pick(w, []string{"brought", "brought", "taken", "banked"}),
			"cents": 1 + w.below(10_000), "reference": w.reference()}
	}),
	"receive-remittance": operator("receive-remittance", func(w *world) outside.M {
		return outside.M{"venue": 1 + w.below(2), "cents": 1 + w.below(10_000), "reference": w.reference()}
	}),
	"pay-venue": operator("pay-venue", func(w *world) outside.M {
		return outside.M{"venue": 1 + w.below(2), "cents": 1 + w.below(2_000), "reference": w.reference()}
	}),
	"reverse-venue-payment": operator("reverse-venue-payment", func(w *world) outside.M {
		return outside.M{"venue": 1 + w.below(2), "reference": w.reference(), "reason": "of another venue"}
	}),
	"reverse-remittance": operator("reverse-remittance", func(w *world) outside.M {
		return outside.M{"account": pick(w, []string{"treasurer", "crown", "approved_purposes"}), "reference": w.reference(),
			"reason": "of another account"}
	}),
	"withdraw-debits": operator("withdraw-debits", func(w *world) outside.M {
		return outside.M{"file": 1 + w.below(2), "reason": "the bank was closed"}
	}),
	"name-creditor": operator("name-creditor", func(w *world) outside.M {
		return outside.M{"name": "Keno Pty Ltd", "account": pick(w, []string{"DE02120300000000202051", "12345678"}),
			"creditor": "DE98ZZZ09999999999", "scheme": pick(w, []string{"", "CORE", "B2B"})}
	}),
	"order-debits": operator("order-debits", func(w *world) outside.M { return outside.M{"collect": w.tomorrow()} }),
	"take-in-answer": operator("take-in-answer", func(w *world) outside.M {
		file := w.debitFile()
		if w.chance(4) {
			return outside.M{"text": fmt.Sprintf(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03">`+
				"<CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>%s</OrgnlMsgId><OrgnlMsgNmId>pain.008.001.02</OrgnlMsgNmId>"+
				"<GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>", file)}
		}
		return outside.M{"text": fmt.Sprintf(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03">`+
			"<CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>%s</OrgnlMsgId><OrgnlMsgNmId>pain.008.001.02</OrgnlMsgNmId>"+
			"</OrgnlGrpInfAndSts><OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>%s-1-%d</OrgnlEndToEndId><TxSts>%s</TxSts>"+
			"</TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>", file, file, 1+w.below(2),
			pick(w, []string{"ACSC", "RJCT", "PDNG", "GONE"}))}
	}),
	"take-in-tickets": operator("take-in-tickets", func(w *world) outside.M { return handedOver(w) }),
	"change-terms": operator("change-terms", func(w *world) outside.M {
		return outside.M{"from": w.onSale() + 100_000, "rulebook": w.rulebook,
			"schedule": pick(w, []string{"schedule-1", "schedule-2"}), "reference": "letter 1"}
	}),
	"designate-game": operator("designate-game", func(w *world) outside.M { return outside.M{"ordinal": w.onSale() + 2} }),
	"open-day":       operator("open-day", func(w *world) outside.M { return outside.M{"day": w.today()} }),
	"close-day":      (*world).closeDay,
	"void-game": operator("void-game", func(w *world) outside.M {
		return outside.M{"ordinal": w.onSale() - w.below(2), "clause": "18(b)", "reason": "a fault"}
	}),
	"void-draw": func(w *world) {
		for range 20 { // A game is drawn for half of the time.
			a := w.ask("void-draw", w.central(), outside.M{"ordinal": w.onSale() - 1, "draw": 1, "clause": "18(b)",
				"reason": "a fault"})
			if a != nil {
				w.agreed(a)
				return
			}
			w.look()
		}
	},
	"correct-result": operator("correct-result", func(w *world) outside.M {
		numbers := []int{}
		for i := range 20 {
			numbers = append(numbers, 1+i*4)
		}
		return outside.M{"ordinal": w.onSale() - w.below(3), "revision": 1, "numbers": numbers, "clause": "18(b)",
			"reason": "keyed wrongly"}
	}),
	"give-paper": operator("give-paper", func(*world) outside.M {
		return outside.M{"kind": "gift_voucher", "cents": 500,
			"terminal": 1}
	}),
	"name-participants": operator("name-participants", func(w *world) outside.M {
		return outside.M{"from": w.onSale() + 2 + w.below(2)*100_000, "names": []string{"act", "vic"}}
	}),
	"move-pool": operator("move-pool", func(w *world) outside.M {
		return outside.M{"cents": 100, "move": pick(w, []string{"lend", "reallocate", "set_aside"}), "reference": "letter 2",
			"spots": 7 + w.below(4)}
	}),
	"give-aside": func(w *world) {
		w.agreed(w.ask("move-pool", w.central(),
			outside.M{"cents": 100, "move": "set_aside", "reference": "letter 2", "spots": 7 + w.below(4)}))
		w.ask("give-aside", w.central(), outside.M{"cents": 100, "ordinal": w.onSale() - 2, "reference": "letter 4",
			"spots": 7 + w.below(4)})
	},
	"report-jackpot": (*world).jackpots, "share-jackpots": (*world).jackpots,
	"change-promotion": operator("change-promotion", func(w *world) outside.M {
		return outside.M{"number": 1 + w.below(3), "paused": w.chance(2), "reference": "letter 5"}
	}),
	"begin-promotion": operator("begin-promotion", func(w *world) outside.M {
		// A high stake that seldom wins, so that the prize fund has something to offer once
		// its game is closed.
		sold, _ := w.sell(w.till(), outside.Ticket(500_000, 1, 9, 17, 25, 33, 41, 49, 57, 65, 73), false)
		for i := 0; i < 100 && w.h.Alive() && w.onSale() <= sold.Ordinal; i++ {
			time.Sleep(50 * time.Millisecond)
		}
		return outside.M{"name": "Bonus week", "from": w.onSale() + 3, "cents": 1, "bet": "classic", "spots": 1, "matched": 1,
			"reference": "letter 3"}
	}),
}

// jackpots reports what another jurisdiction says of the jackpots of a game, of all or not,
// and has them shared. Of a game that is not over yet it is asked for as well.
func (w *world) jackpots() {
	ordinal := w.onSale() - w.below(5)
	for spots := 7; spots <= 10; spots++ {
		if w.chance(6) {
			continue
		}
		w.agreed(w.ask("report-jackpot", w.central(), outside.M{
			"growth_cents": 100, "jurisdiction": "act", "ordinal": ordinal, "spots": spots, "stakes_cents": 1000 * w.below(2),
		}))
	}
	w.agreed(w.ask("share-jackpots", w.central(), outside.M{"ordinal": ordinal}))
}

// closeDay asks for the end of the day when it could end: the games are paused, and the one
// on sale is void. Nobody consents, so that the house goes on.
func (w *world) closeDay() {
	w.halt.Lock()
	defer w.halt.Unlock()
	w.call("pause", w.central(), nil, outside.M{"reason": "a fault"})
	w.look()
	w.agreed(w.ask("void-game", w.central(), outside.M{"ordinal": w.onSale(), "clause": "18(b)", "reason": "a fault"}))
	w.ask("close-day", w.central(), outside.M{"day": w.today()})
	w.call("resume", w.central(), nil, nil)
}

// stopRecipes stop payments, claims, cards and banks.
var stopRecipes = map[string]func(*world){
	"disqualify-ticket": func(w *world) {
		body := about("played for a minor")(w)
		if w.agreed(w.ask("disqualify-ticket", w.central(), body)).OK() {
			w.agreed(w.ask("reinstate-ticket", w.central(), body))
		}
	},
	"invalidate-ticket": operator("invalidate-ticket", about("a forgery")),
	"freeze-payment": func(w *world) {
		sold, _ := w.sell(w.till(), w.ticket(), false)
		body := outside.M{"serials": []string{sold.Serial}, "reason": "a complaint"}
		w.call("freeze-payment", w.central(), nil, body)
		w.agreed(w.ask("release-payment", w.central(), body))
	},
	"set-anonymity": func(w *world) {
		sold, _ := w.sell(w.till(), w.ticket(), false)
		w.call("set-anonymity", w.central(), outside.M{"serial": sold.Serial}, outside.M{"anonymous": true})
	},
	"list-venue": operator("list-venue", func(w *world) outside.M {
		return outside.M{"venue": w.venue(), "list": pick(w, []string{"", "harbour-club"})}
	}),
	"refuse-sale": func(w *world) {
		w.call("refuse-sale", w.central(), outside.M{"terminal": 1},
			outside.M{"cause": pick(w, []string{"under_age", "other"})})
	},
	"dispute-runner": func(w *world) {
		number := w.call("dispute-runner", w.as("senior"), outside.M{"venue": 1},
			outside.M{"runner": 1 + w.below(9), "text": "a form came late"}).Int("number")
		w.call("decide-runner", w.as("senior"), outside.M{"venue": 1, "dispute": max(number, 1)},
			outside.M{"text": "the ticket stands"})
	},
	"set-limit": func(w *world) {
		w.call("set-limit", w.central(), outside.M{"venue": w.venue()}, outside.M{"cents": 100_000 + w.below(100_000)})
	},
	"move-bank": func(w *world) {
		w.agreed(w.ask("move-bank", w.as("writer"),
			outside.M{"terminal": 1, "move": pick(w, []string{"float", "fill", "drop"}), "cents": 5000}))
	},
	"count-bank": func(w *world) {
		w.agreed(w.ask("count-bank", w.as("writer"), outside.M{"terminal": 1, "cents": 5000}))
	},
	"get-bank": func(w *world) { w.call("get-bank", w.central(), outside.M{"bank": 1}, nil) },
	"register-card": func(w *world) {
		card := outside.M{"card": w.call("register-card", w.as("senior"), nil, newCard()).Int("number")}
		if serial := w.byCard(card["card"]); serial != "" {
			w.call("notify-card", w.central(), card, outside.M{"serials": []string{serial}})
		}
		w.call("get-card", w.central(), card, nil)
		w.call("set-card", w.as("senior"), card, outside.M{"status": "closed", "reason": "own wish"})
		w.call("erase-holder", w.as("administrator"), card, nil)
	},
	"name-holidays": func(w *world) {
		w.call("name-holidays", w.central(), nil,
			outside.M{"days": []string{"2026-12-25", fmt.Sprintf("2027-01-%02d", 1+w.below(28))}})
	},
	"lodge-claim": func(w *world) { w.claim() },
}

// byCard brings cash to a card, or a prize if one waits, and pays for a ticket from the card.
func (w *world) byCard(card any) (serial string) {
	w.desk.Lock()
	defer w.desk.Unlock()
	at := w.terminal(counter)
	end := func(body outside.M) outside.Answer {
		_, answer := w.request("end-session", at, "PUT", "session-end", func(int) any { return body })
		return answer
	}
	brought := 1000
	if won, ok := w.won(); ok && w.chance(2) {
		if _, paid := w.request("pay", at, "PUT", "payment",
			func(int) any { return outside.M{"serial": won.Serial, "claim_code": won.Code, "in_session": true} }); paid.OK() {
			brought = paid.Int("paid_cents")
		}
	}
	if !end(outside.M{"card": card, "card_cents": -brought}).OK() {
		end(outside.M{}) // The customer takes the prize in cash.
	}
	sold, _ := w.sell(at, outside.Ticket(100, 7), true)
	if !end(outside.M{"card": card, "card_cents": sold.Cents}).OK() {
		end(outside.M{}) // The customer pays in cash.
		return ""
	}
	if brought > sold.Cents { // Only an empty card is closed.
		end(outside.M{"card": card, "card_cents": brought - sold.Cents})
	}
	return sold.Serial
}

// claim takes a claim form through all that can become of it.
func (w *world) claim() {
	sold, ok := w.won()
	if !ok {
		return
	}
	lodged := w.call("lodge-claim", w.central(), nil,
		outside.M{"reason": "lost", "serials": []string{sold.Serial},
			"claimant": outside.M{"name": "Jo Citizen", "address": "1 High Street"}})
	claim := outside.M{"claim": lodged.Int("number")}
	w.call("get-claim", w.central(), claim, nil)
	w.call("note-claim", w.central(), claim, outside.M{"note": "evidence", "text": "A photograph."})
	w.call("sign-claim", w.as("second"), claim, outside.M{"satisfied": true})
	w.call("decide-claim", w.as("second"), claim, outside.M{"outcome": "allowed", "reason": "agrees"})
	w.call("pay-claim", w.central(), claim, outside.M{"means": "cheque", "reference": "cheque 1"})
	w.call("copy-claim", w.as("inspector"), claim, nil)
	w.call("erase-claimant", w.as("administrator"), claim, nil)
}
