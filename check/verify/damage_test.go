package verify_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"drawhouse/check/verify"
	"drawhouse/core/ledger"
	"drawhouse/core/money"
	"drawhouse/journal"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
	"drawhouse/rulebook/rules"
)

// A damage is something that a house may do wrong, and what must be said of it.
type damage struct {
	name   string
	lies   lies
	check  verify.Check
	record string // label of the record that is named
	reason string // part of the sentence
}

// change returns the lie that changes the body of one record.
func change[B record.Body](label string, to func(B)) lies {
	return lies{change: map[string]func(*record.Record){label: func(r *record.Record) { to(r.Body.(B)) }}}
}

// repost returns the lie that changes the postings of one record.
func repost(label string, moves ...ledger.Posting) lies {
	return lies{change: map[string]func(*record.Record){label: func(r *record.Record) { r.Postings = moves }}}
}

// before returns the lie that does something else before one record.
func before(label string, do func(*house)) lies {
	return lies{before: map[string]func(*house){label: do}}
}

func skip(label string) lies { return lies{skip: map[string]bool{label: true}} }

// reprice makes a sale cost something else, in all its parts.
func reprice(label string, cents money.Amount) lies {
	return lies{change: map[string]func(*record.Record){label: func(r *record.Record) {
		b := r.Body.(*record.TicketSold)
		b.CostCents, b.Tenders = cents, []record.Tender{{Kind: record.TenderCash, Cents: cents}}
		r.Postings = []ledger.Posting{ledger.Debit(ledger.Cash, 7, cents), ledger.Credit(ledger.Unplayed, 0, cents)}
	}}}
}

// repay makes a payment come to something else, in all its parts.
func repay(label string, cents money.Amount) lies {
	return lies{change: map[string]func(*record.Record){label: func(r *record.Record) {
		b := r.Body.(*record.TicketPaid)
		b.Parts[0].Cents, b.Tenders = cents, []record.Tender{{Kind: record.TenderCash, Cents: -cents}}
		r.Postings = []ledger.Posting{ledger.Debit(ledger.Prizes, 0, cents), ledger.Credit(ledger.Cash, 7, cents)}
	}}}
}

// another sells something else under a label.
func another(label string, ways uint32, cents money.Amount, games int, bets ...map[int]any) func(t testing.TB) lies {
	return func(t testing.TB) lies {
		l := reprice(label, cents)
		priced := l.change[label]
		l.change[label] = func(r *record.Record) {
			priced(r)
			b := r.Body.(*record.TicketSold)
			b.Ways, b.Ticket = ways, ticketBytes(t, "vic-keno-2015", b.Ordinal, games, bets...)
		}
		return l
	}
}

func classic(stake int, spots ...byte) map[int]any {
	return map[int]any{1: "classic", 2: stake, 3: spots}
}

// superplay is a bet that is said to be a picked Superplay 1.
func superplay(stake, edition int, groups ...[]byte) map[int]any {
	return map[int]any{1: "classic", 2: stake, 4: groups, 6: []byte{2, 4, 6}, 15: 1, 16: []any{"superplay-1", edition}}
}

// TestLyingHouse lets the house do one thing wrong at a time and sign the rest
// as it should be. Each must be found, at its record, for its reason.
func TestLyingHouse(t *testing.T) {
	other, otherKey := key(t, origin, 9)
	damages := []damage{
		// The log.
		{"time falls", lies{change: map[string]func(*record.Record){"ways": func(r *record.Record) { r.Time = opening }}},
			verify.CheckLog, "ways", "milliseconds before"},
		{"a kind of the future",
			lies{raw: map[string]func([]byte) []byte{"burned": func(b []byte) []byte { b[1] = 23; return b }}},
			verify.CheckLog, "burned", "is not known here"},
		{"unbalanced books", lies{raw: map[string]func([]byte) []byte{"five spots": unbalance(t)}},
			verify.CheckLog, "five spots", "debits and credits differ"},
		{"another form of the same record", lies{raw: map[string]func([]byte) []byte{"burned": longerHead}},
			verify.CheckLog, "burned", "canonical form"},

		// With an offset of days any date could be given to any day.
		{"a date by clocks of its own", lies{raw: map[string]func([]byte) []byte{"day": edited(t, func(parts []any) {
			body := parts[4].([]any)
			body[1], body[2] = body[1].(uint64)+9, zone+9*24*3600
		})}}, verify.CheckLog, "day", "clocks that add"},

		// The house.
		{"no beginning", skip("volume"), verify.CheckHouse, "rulebook", "begins with its first record"},
		{"a second beginning", before("day", (*house).found), verify.CheckHouse, "volume", "and no other"},
		{"another house key", change("volume", func(b *record.VolumeBegun) { b.HouseKey = otherKey }), verify.CheckHouse,
			"volume", "house key"},
		{"another device key", change("volume", func(b *record.VolumeBegun) { b.DeviceKey = otherKey }), verify.CheckHouse,
			"volume", "device key"},
		{"another volume", change("volume", func(b *record.VolumeBegun) { b.Volume = 2 }), verify.CheckHouse, "volume",
			"volume 2"},
		{"a later volume", change("volume", func(b *record.VolumeBegun) { b.Previous = []byte("checkpoint") }),
			verify.CheckHouse, "volume", "follows another one"},
		{"a rulebook under another hash", change("rulebook", func(b *record.RulebookAdopted) { b.Hash[0]++ }),
			verify.CheckHouse, "rulebook", "hash"},
		{"a rulebook under another name", change("rulebook", func(b *record.RulebookAdopted) { b.ID = "tas-keno-2023" }),
			verify.CheckHouse, "rulebook", "calls it tas-keno-2023"},
		{"a rulebook with a text that is none",
			change("rulebook", func(b *record.RulebookAdopted) { b.Text = []byte("rulebook: x\n") }), verify.CheckHouse,
			"rulebook", "the text of the operator has faults"},
		{"a rulebook with the text of another",
			change("rulebook", func(b *record.RulebookAdopted) { b.Text = bookText(t, "tas-keno-2023") }), verify.CheckHouse,
			"rulebook", "the text of the operator is another rulebook"},
		{"a file of the operator that nobody approved", before("day", func(h *house) {
			h.add("own", adoptedFrom(t, strings.Replace(string(bookText(t, "vic-keno-2015")), "rulebook: vic-keno-2015",
				"rulebook: own-keno-1", 1)))
		}), verify.CheckHouse, "own", "nobody has approved it"},
		{"an edition without its text", before("day", func(h *house) {
			own := adoptedFrom(t, fmt.Sprintf("rulebook: vic-keno-2015\nbase: %x\nedition: 2\nkeno: {catalogue: []}\n", h.book))
			own.Text, own.Reference = nil, ""
			h.add("own", own)
		}), verify.CheckHouse, "own", "has no text of it"},
		{"a series under no rulebook", change("series", func(b *record.SeriesBegun) { b.Rulebook[0]++ }), verify.CheckHouse,
			"series", "not adopted"},
		{"no such schedule", change("series", func(b *record.SeriesBegun) { b.Schedule = "schedule-9" }), verify.CheckHouse,
			"series", "schedule-9"},
		{"a terminal at no venue", change("terminal", func(b *record.TerminalAdded) { b.Venue = 8 }), verify.CheckHouse,
			"terminal", "venue 8"},
		{"a terminal twice", change("terminal 2", func(b *record.TerminalAdded) { b.Terminal = 70 }), verify.CheckHouse,
			"terminal 2", "added before"},
		{"money with a venue", repost("venue", ledger.Debit(ledger.Cash, 7, 100), ledger.Credit(ledger.Retained, 0, 100)),
			verify.CheckHouse, "venue", "cash of venue 7"},

		// Requests.
		{"price a cent too low", reprice("five spots", 199), verify.CheckRequests, "five spots",
			"sold for $1.99, and its bets cost $2.00"},
		{"price a cent too high", reprice("ways", 301), verify.CheckRequests, "ways", "bets cost $3.00"},
		{"bonus for nothing", reprice("bonus", 100), verify.CheckRequests, "bonus", "bets cost $2.00"},
		{"ways miscounted", change("ways", func(b *record.TicketSold) { b.Ways = 2 }), verify.CheckRequests, "ways",
			"counts 2 ways"},
		{"request number reused", change("ways", func(b *record.TicketSold) { b.Request.Number = 1 }), verify.CheckRequests,
			"ways", "request 1 of terminal 70 follows its request 1"},
		{"burned number used", change("miss", func(b *record.TicketSold) { b.Request.Number = 5 }), verify.CheckRequests,
			"miss", "follows its request 5"},
		{"session reused", change("ways", func(b *record.TicketSold) { b.Session = 1 }), verify.CheckRequests, "ways",
			"session 1 of terminal 70 had ended"},
		{"session falls", change("evens", func(b *record.TicketSold) { b.Session = 1 }), verify.CheckRequests, "evens",
			"follows its session 2"},
		{"unknown terminal", change("ways", func(b *record.TicketSold) { b.Request.Terminal = 99 }), verify.CheckRequests,
			"ways", "terminal 99"},
		{"on credit", change("ways", func(b *record.TicketSold) { b.Tenders = nil }), verify.CheckRequests, "ways",
			"it moves $3.00 on cash"},
		{"paid with something else", change("ways", func(b *record.TicketSold) { b.Tenders[0].Kind = 2 }),
			verify.CheckRequests, "ways", "tender 2"},
		{"cash of another venue", repost("ways", ledger.Debit(ledger.Cash, 8, 300), ledger.Credit(ledger.Unplayed, 0, 300)),
			verify.CheckRequests, "ways", "on cash of venue 8"},
		{"takings kept", repost("ways", ledger.Debit(ledger.Cash, 7, 300), ledger.Credit(ledger.Retained, 0, 300)),
			verify.CheckRequests, "ways", "on retained"},
		{"by telephone", change("ways", func(b *record.TicketSold) { b.Method = "telephone" }), verify.CheckRequests, "ways",
			"no entry by telephone"},
		{"ways told to the writer", change("ways", func(b *record.TicketSold) { b.Method = "verbal" }), verify.CheckRequests,
			"ways", "may not be entered by verbal"},
		{"own numbers as an item", change("ways", func(b *record.TicketSold) { b.Method = "item" }), verify.CheckRequests,
			"ways", "neither picked nor a ready ticket"},
		{"own ways as an item", another("miss", 3, 300, 1, superplay(100, 9, []byte{1, 2}, []byte{3, 4}, []byte{5, 6}))(t),
			verify.CheckRequests, "miss", "no edition 9"},
		{"an item of other groups", another("miss", 14, 1400, 1,
			superplay(100, 1, []byte{1, 2}, []byte{3, 4}, []byte{5, 6}, []byte{7, 8}))(t), verify.CheckRequests, "miss",
			"not have the numbers and ways of its ready ticket"},
		{"series that never began", change("ways", func(b *record.TicketSold) { b.Series = 2 }), verify.CheckRequests, "ways",
			"series 2"},
		{"for a game to come", change("ways", func(b *record.TicketSold) { b.Ordinal = 2 }), verify.CheckRequests, "ways",
			"has not opened"},
		{"paper for another game", change("ways",
			func(b *record.TicketSold) { b.Ticket[len("\x85\x01\x6dvic-keno-2015\x82\x1a....")]++ }), verify.CheckRequests,
			"ways", "begins with game"},
		{"a ticket that is none", change("ways", func(b *record.TicketSold) { b.Ticket = []byte{0x01} }),
			verify.CheckRequests, "ways", "cannot be read"},
		{"a jackpot that nobody keeps", another("miss", 1, 100, 1, classic(100, 1, 2, 3, 4, 5, 6, 7))(t),
			verify.CheckRequests, "miss", "jackpot that has not begun"},
		{"eleven spots", another("miss", 1, 100, 1, classic(100, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))(t), verify.CheckRequests,
			"miss", "not sold"},
		{"a spot twice", another("miss", 1, 100, 1, classic(100, 1, 1))(t), verify.CheckRequests, "miss",
			"over the one before"},
		{"a spot of 81", another("miss", 1, 100, 1, classic(100, 81))(t), verify.CheckRequests, "miss", "at most 80"},
		{"half a dollar", another("miss", 1, 50, 1, classic(50, 1))(t), verify.CheckRequests, "miss",
			"below the minimum of $1.00"},
		{"a dollar fifty", another("miss", 1, 150, 1, classic(150, 1))(t), verify.CheckRequests, "miss", "steps of $1.00"},
		{"above the maximum", another("miss", 1, 1_000_000, 1, classic(1_000_000, 1))(t), verify.CheckRequests, "miss",
			"above the maximum of $9,999.00"},
		{"too many games", another("miss", 1, 100_100, 1001, classic(100, 1))(t), verify.CheckRequests, "miss", "1001 games"},
		{"a run", another("miss", 1, 100, 1, map[int]any{1: "classic", 2: 100, 3: []byte{1}, 10: true})(t),
			verify.CheckRequests, "miss", "fields of another form"},
		{"two calls", another("miss", 2, 200, 1, map[int]any{1: "heads_or_tails", 2: 100, 9: []byte{1}},
			map[int]any{1: "heads_or_tails", 2: 100, 9: []byte{2}})(t), verify.CheckRequests, "miss", "9(c)"},
		{"bonus on a call", another("miss", 1, 200, 1,
			map[int]any{1: "heads_or_tails", 2: 100, 9: []byte{1}, 13: []int{0, 0}})(t), verify.CheckRequests, "miss",
			"may not be played with the multiplier"},
		{"bonus of another stake", another("miss", 1, 300, 1,
			map[int]any{1: "classic", 2: 100, 3: []byte{1}, 13: []int{200, 0}})(t), verify.CheckRequests, "miss",
			"beside $1.00"},
		{"burned twice", change("burned", func(b *record.RequestBurned) { b.Number = 4 }), verify.CheckRequests, "burned",
			"follows its request 4"},

		// Games.
		{"day of another date", change("day", func(b *record.DayOpened) { b.Day += 2 }), verify.CheckGames, "day",
			"was opened on 2026-11-15"},
		{"day before the rulebook", change("day", func(b *record.DayOpened) { b.Day = 700_000 }), verify.CheckGames, "day",
			"not in force"},
		{"day twice", before("open 1", func(h *house) {
			h.add("again", &record.DayOpened{Series: series, Day: today + 1, OffsetSeconds: zone})
		}), verify.CheckGames, "again", "has not closed"},
		{"no day", skip("day"), verify.CheckGames, "open 1", "day that is not open"},
		{"a number left out", change("open 2", func(b *record.GameOpened) { b.Game.Number = 2 }), verify.CheckGames, "open 2",
			"number 2, and the next is 1"},
		{"an ordinal left out", change("open 2", func(b *record.GameOpened) { b.Ordinal = 3 }), verify.CheckGames, "open 2",
			"the next is 2"},
		{"two games open", before("close 1", func(h *house) {
			h.add("early", &record.GameOpened{Game: gameName(2), Ordinal: 2, Closes: h.now, Rulebook: h.book,
				Schedule: "schedule-1"})
		}), verify.CheckGames, "early", "while game 2026-11-15/0 is open"},
		{"closed twice", before("seal 1", func(h *house) {
			h.add("again", &record.GameClosed{Game: gameName(1), Plays: 6, Ways: 12, StakesCents: 1150})
		}), verify.CheckGames, "again", "is closed, and must be open"},
		{"a play miscounted", change("close 1", func(b *record.GameClosed) { b.Plays++ }), verify.CheckGames, "close 1",
			"7 plays of 12 ways"},
		{"a way miscounted", change("close 1", func(b *record.GameClosed) { b.Ways++ }), verify.CheckGames, "close 1",
			"6 plays of 13 ways"},
		{"stakes miscounted", change("close 1", func(b *record.GameClosed) { b.StakesCents++ }), verify.CheckGames, "close 1",
			"for $11.51"},
		{"another schedule", change("open 1", func(b *record.GameOpened) { b.Schedule = "schedule-2" }), verify.CheckGames,
			"open 1", "and schedule-1 of"},
		{"another rulebook", change("open 1", func(b *record.GameOpened) { b.Rulebook[0]++ }), verify.CheckGames, "open 1",
			"is current"},
		{"prize fund a cent short", repost("close 1", ledger.Debit(ledger.Unplayed, 0, 1150),
			ledger.Credit(ledger.PrizeFund, 0, 862), ledger.Credit(ledger.Retained, 0, 288)),
			verify.CheckGames, "close 1", "moves -$8.62 on prize_fund, and -$8.63 is right"},
		{"a day miscounted", change("day closed", func(b *record.DayClosed) { b.Games = 3 }), verify.CheckGames, "day closed",
			"counts 3 games"},
		{"a day closed early", before("settle 2", func(h *house) {
			h.closeDay("early", 2)
		}), verify.CheckGames, "early", "while game 2026-11-15/1 is drawn"},
		{"ticket added after the close", before("seal 1",
			func(h *house) { h.sell("late", 90, 1, 1, 1, 100, classic(100, 1)) }),
			verify.CheckRequests, "late", "after the close of that game"},
		{"ticket added after the seal", before("number 1 of 1",
			func(h *house) { h.sell("late", 90, 1, 1, 1, 100, classic(100, 1)) }),
			verify.CheckRequests, "late", "after the close of that game"},
		{"ticket added after the draw", before("settle 1",
			func(h *house) { h.sell("late", 90, 1, 1, 1, 100, classic(100, 1)) }),
			verify.CheckRequests, "late", "after the close of that game"},

		// Seals.
		{"no seal", skip("seal 1"), verify.CheckDraw, "number 1 of 1", "is closed, and must be sealed"},
		{"seal of another game", reseal(1, func(h *house) []byte { return h.seal(2, firstTotals, h.signer) }),
			verify.CheckSeal, "seal 1", "vic-keno 2026-11-15 1, and this is vic-keno 2026-11-15 0"},
		{"seal by another key", reseal(1, func(h *house) []byte { return h.seal(1, firstTotals, other) }), verify.CheckSeal,
			"seal 1", "does not hold"},
		{"seal of other stakes", reseal(1, func(h *house) []byte {
			sum := firstTotals
			sum.stakes++
			return h.seal(1, sum, h.signer)
		}), verify.CheckSeal, "seal 1", "6 plays for 1151 cents"},
		{"seal without a ticket", reseal(1, func(h *house) []byte {
			sum := firstTotals
			sum.tickets = sum.tickets[:5]
			return h.seal(1, sum, h.signer)
		}), verify.CheckSeal, "seal 1", "root is not that of the tickets"},
		{"seal that begins late", reseal(1, func(h *house) []byte {
			sum := firstTotals
			sum.tickets = sum.tickets[1:]
			return h.seal(1, sum, h.signer)
		}), verify.CheckSeal, "seal 1", "is in the game and not within"},
		{"seal of a later log", lies{
			before: map[string]func(*house){"seal 1": func(h *house) {
				h.add("between",
					&record.RequestBurned{Terminal: 71, Number: 1})
			}},
			note: reseal(1, func(h *house) []byte { return h.seal(1, firstTotals, h.signer) }).note,
		}, verify.CheckSeal, "seal 1", "and the close made it"},
		{"bitmap edited",
			lies{object: map[string]func([]byte) []byte{"bitmap/1/1/1": func(b []byte) []byte { b[0] ^= 2; return b }}},
			verify.CheckSeal, "seal 1", "objects/bitmap/1/1/1 is not the bitmap"},
		{"sealed twice", before("number 1 of 1", func(h *house) {
			h.add("again", &record.GameSealed{Game: gameName(1), Seal: h.seal(1, firstTotals, h.signer)})
		}), verify.CheckSeal, "again", "is sealed, and must be closed"},

		// Draws.
		{"number changed", change("number 3 of 1", func(b *record.NumberDrawn) { b.Number = 60 }), verify.CheckDraw,
			"number 3 of 1", "give 3, and it says 60"},
		{"bytes changed", change("number 3 of 1", func(b *record.NumberDrawn) { b.Bytes[0] = 5 }), verify.CheckDraw,
			"number 3 of 1", "give 8, and it says 3"},
		{"no bytes", change("number 3 of 1", func(b *record.NumberDrawn) { b.Bytes = nil }), verify.CheckDraw,
			"number 3 of 1", "0 bytes"},
		{"a byte thrown away", change("number 2 of 1", func(b *record.NumberDrawn) { b.Bytes[0] = 40 }), verify.CheckDraw,
			"number 2 of 1", "not one that is read at this place"},
		{"a number twice", change("number 3 of 1", func(b *record.NumberDrawn) { b.Number = 1 }), verify.CheckDraw,
			"number 3 of 1", "1 was drawn before"},
		{"twenty-one numbers", before("drawn 1", func(h *house) {
			h.add("more", &record.NumberDrawn{Game: gameName(1), Draw: 1, Number: 11, Bytes: []byte{0}})
		}), verify.CheckDraw, "more", "its 20 numbers already"},
		{"nineteen numbers", skip("number 20 of 1"), verify.CheckDraw, "drawn 1", "ends with 19 numbers"},
		{"a second draw", change("number 1 of 1", func(b *record.NumberDrawn) { b.Draw = 2 }), verify.CheckDraw,
			"number 1 of 1", "draw 2"},
		{"an old draw sent again", before("number 1 of 2", func(h *house) {
			h.add("raised", &record.LevelRaised{Level: record.LevelGuarded, Build: "test"})
			again := slices.Clone(firstNumbers)
			slices.Reverse(again)
			h.draw(2, again)
			h.places["again"] = h.places["drawn 2"]
		}), verify.CheckDraw, "again",
			"game 2026-11-15/1 has the numbers of game 2026-11-15/0, and no two persons have confirmed them"},
		{"another device", restate(1, func(h *house) []byte { return h.result(1, firstNumbers, h.signer) }), verify.CheckDraw,
			"drawn 1", "does not hold"},
		{"statement of other numbers", restate(1, func(h *house) []byte { return h.result(1, secondNumbers, h.device) }),
			verify.CheckDraw, "drawn 1", "drawn were 1 2 3"},
		{"statement of another game", restate(1, func(h *house) []byte {
			h.places["seal 2"] = h.places["seal 1"]
			return h.result(2, firstNumbers, h.device)
		}), verify.CheckDraw, "drawn 1", "2026-11-15 1, and this is"},
		{"statement under another seal", restate(1, func(h *house) []byte {
			note, err := journal.SignNote(strings.Replace(resultText(h), h.sealHash(1).String(), journal.EmptyRoot().String(),
				1), h.device)
			if err != nil {
				t.Fatal(err)
			}
			return note
		}), verify.CheckDraw, "drawn 1", "names the seal"},

		{"a game left without its result", lies{skip: map[string]bool{"settle 1": true, "pay five spots": true}},
			verify.CheckSettlement, "settle 2", "before game 2026-11-15/0, which is drawn"},

		// Payments.
		{"second payment", before("day closed", func(h *house) { h.pay("again", 90, "four of five", 2, 100000) }),
			verify.CheckPayments, "again", "was paid already by record 1:"},
		{"payment to anybody who asks", change("pay floor", func(b *record.TicketPaid) { b.Opening[0]++ }),
			verify.CheckPayments, "pay floor", "does not open the claim"},
		{"payment of another series", change("pay floor", func(b *record.TicketPaid) { b.Series = 2 }), verify.CheckPayments,
			"pay floor", "has no prize"},
		{"payment a cent too high", repay("pay five spots", 64001), verify.CheckPayments, "pay five spots", "pays $640.01"},
		{"payment before the result", before("settle 1", func(h *house) { h.pay("early", 90, "five spots", 1, 64000) }),
			verify.CheckPayments, "early", "before that game is settled"},
		{"payment of a loser", before("day closed", func(h *house) { h.pay("lost", 90, "miss", 1, 100) }),
			verify.CheckPayments, "lost", "has no prize"},
		{"payment of another game", before("day closed", func(h *house) { h.pay("lost", 90, "five spots", 2, 100) }),
			verify.CheckPayments, "lost", "has no prize in game 2"},
		{"payment of no ticket", before("day closed", func(h *house) { h.pay("lost", 90, "venue", 1, 100) }),
			verify.CheckPayments, "lost", "has no prize"},
		{"payment of another volume", change("pay floor", func(b *record.TicketPaid) { b.Ticket.Volume = 2 }),
			verify.CheckPayments, "pay floor", "has no prize in game 2"},
		{"payment from another till", repost("pay floor", ledger.Debit(ledger.Prizes, 0, 100000),
			ledger.Credit(ledger.Cash, 8, 100000)), verify.CheckPayments, "pay floor", "cash of venue 8"},
		{"payment in the next session but one's number", change("pay floor", func(b *record.TicketPaid) { b.Session = 11 }),
			verify.CheckPayments, "pay floor", "session 11 of terminal 70 had ended"},
		{"payment of a used request", change("pay floor", func(b *record.TicketPaid) { b.Request.Number = 11 }),
			verify.CheckPayments, "pay floor", "follows its request 11"},
		{"a fortune in cash", before("day closed", func(h *house) { h.pay("fortune", 90, "all fifteen", 2, 299718720) }),
			verify.CheckPayments, "fortune", "$10,000.00 is the most"},
		{"payment after six months", before("day closed", func(h *house) {
			h.closeDay("closed", 2)
			h.now += 183 * 24 * 3600 * 1000
			h.pay("old", 90, "ways", 1, 100)
		}), verify.CheckPayments, "old", "the last day was 2027-05-15"},
	}
	for _, d := range append(damages, settlementDamages(t)...) {
		t.Run(d.name, func(t *testing.T) {
			h := newHouse(t, d.lies)
			h.tell()
			expectFailure(t, runBothWays(t, h.files(), verify.Options{}), d.check, h.places, d.record, d.reason)
		})
	}
}

func expectFailure(t *testing.T, report *verify.Report, check verify.Check, places map[string]uint64, label,
	reason string) {
	t.Helper()
	f := report.Failure
	if f == nil {
		t.Fatal("accepted")
	}
	for _, leak := range []string{"%!", "<nil>", "{", "[\""} {
		if strings.Contains(f.Reason, leak) {
			t.Errorf("%q is not for people: %s", leak, f.Reason)
		}
	}
	seq, ok := places[label]
	if !ok {
		t.Fatalf("no record %q was written", label)
	}
	if f.Check != check || f.Place.Seq != seq || !strings.Contains(f.Reason, reason) {
		t.Errorf("got  %v\nwant %s: record 1:%d (%s): ... %s ...", f, check, seq, label, reason)
	}
}

// reseal returns the lie that puts another seal into the journal.
func reseal(ordinal uint32, sign func(*house) []byte) lies {
	return lies{note: map[string]func(*house) []byte{fmt.Sprintf("seal %d", ordinal): sign}}
}

// restate returns the lie that puts another statement of the device into it.
func restate(ordinal uint32, sign func(*house) []byte) lies {
	return lies{note: map[string]func(*house) []byte{fmt.Sprintf("drawn %d", ordinal): sign}}
}

// resultText returns the text of the device's statement on the first game.
func resultText(h *house) string {
	text, _, _ := strings.Cut(string(h.result(1, firstNumbers, h.device)), "\n\n")
	return text + "\n"
}

// unbalance returns an edit that makes the first posting a cent more.
func unbalance(t testing.TB) func([]byte) []byte {
	return edited(t, func(parts []any) {
		posting := parts[3].([]any)[0].([]any)
		posting[2] = posting[2].(uint64) + 1
	})
}

// edited returns an edit of the five parts of a record, by which it can be made
// into one that no encoder writes.
func edited(t testing.TB, edit func(parts []any)) func([]byte) []byte {
	return func(data []byte) []byte {
		var parts []any
		if err := cbor.Unmarshal(data, &parts); err != nil {
			t.Fatal(err)
		}
		edit(parts)
		mode, err := cbor.CoreDetEncOptions().EncMode()
		if err != nil {
			t.Fatal(err)
		}
		data, err = mode.Marshal(parts)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
}

// longerHead writes the kind of a record with a byte more than it needs.
func longerHead(data []byte) []byte {
	return bytes.Join([][]byte{data[:1], {0x18}, data[1:]}, nil)
}

// bookText returns the file of a rulebook of the program.
func bookText(t *testing.T, id string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../rulebook/rules/" + id + "/book.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// adoptedFrom is the adoption of a file of the operator.
func adoptedFrom(t *testing.T, text string) *record.RulebookAdopted {
	t.Helper()
	base, err := rules.Book("vic-keno-2015")
	if err != nil {
		t.Fatal(err)
	}
	book, err := rulebook.LoadOn("own.yaml", []byte(text),
		func(rulebook.Hash) (*rulebook.Book, bool) { return base, true })
	if err != nil {
		t.Fatal(err)
	}
	return &record.RulebookAdopted{ID: book.ID(), Hash: record.Hash(book.Hash()), Book: book.Canonical(),
		Text: []byte(text), Reference: "letter 7"}
}
