package rulebook

import (
	"slices"

	"drawhouse/core/money"
)

// This file holds the policies of a keno rulebook that are read as they are
// written. All are zero for a bingo rulebook.

// Numbers returns how many numbers there are and how many are drawn: 80 and 20.
func (b *Book) Numbers() (of, draw int) { return b.keno.Numbers.Of, b.keno.Numbers.Draw }

// Games returns how games are numbered and how many a ticket may enter.
func (b *Book) Games() Games {
	games := b.keno.Games
	games.Numbering = games.Numbering.of(b.keno.System.Plays)
	return games
}

// EntryKinds returns the kinds of terminal and the methods that the rules know.
func (b *Book) EntryKinds() EntryKinds { return clone(b.keno.EntryKinds) }

// EntryWays returns the permitted ways to enter, in the order of the file.
func (b *Book) EntryWays() []EntryWay { return clone(b.keno.Entry) }

// Entry returns the policy of one way to enter, if it is permitted.
func (b *Book) Entry(channel Channel, method Method) (EntryWay, bool) {
	for i := range b.keno.Entry {
		if e := &b.keno.Entry[i]; e.Channel == channel && e.Method == method {
			return clone(*e), true
		}
	}
	return EntryWay{}, false
}

// Eligibility returns who may play.
func (b *Book) Eligibility() Eligibility { return clone(b.keno.Eligibility) }

// Limits returns the bounds on money in the order in which they are checked.
func (b *Book) Limits() []Limit { return clone(b.keno.Limits) }

// Items returns the catalogue of ready tickets.
func (b *Book) Items() []ItemFile { return clone(b.keno.Catalogue) }

// Item returns the latest edition of a ready ticket.
func (b *Book) Item(id string) (ItemFile, bool) {
	latest := -1
	for i, item := range b.keno.Catalogue {
		if item.ID == id && (latest < 0 || item.Edition > b.keno.Catalogue[latest].Edition) {
			latest = i
		}
	}
	if latest < 0 {
		return ItemFile{}, false
	}
	return clone(b.keno.Catalogue[latest]), true
}

// Jackpots returns what grows, who wins it and how it is shared, if the rulebook
// has jackpots.
func (b *Book) Jackpots() (Jackpots, bool) { return optional(b.keno.Jackpots) }

// Prorating returns the reductions of major prizes in the order in which they
// are made.
func (b *Book) Prorating() []Prorating { return clone(b.keno.Prorating) }

// Rounding returns how a way's prize in a game is rounded, and the clause.
func (b *Book) Rounding() (step money.Amount, mode money.Rounding, clause string) {
	r := &b.keno.Rounding
	return r.Step.Amount(), b.rounding, r.Clause
}

// PrizeFund returns the part of receipts that belongs to players.
func (b *Book) PrizeFund() PrizeFund { return b.keno.PrizeFund }

// Promotions returns which prizes above the schedules may be offered.
func (b *Book) Promotions() (Promotions, bool) { return optional(b.keno.Promotions) }

// Cancellation returns when a ticket may be given back.
func (b *Book) Cancellation() Cancellation { return clone(b.keno.Cancellation) }

// Tenders returns what may pay for tickets.
func (b *Book) Tenders() []Tender { return clone(b.keno.Tenders) }

// TakesCash reports whether cash pays for tickets at a kind of terminal in a kind of
// venue, and the clause that says so or lists what pays there instead. It is asked at
// every sale and so copies nothing.
func (b *Book) TakesCash(venue VenueKind, channel Channel) (clause string, ok bool) {
	for i := range b.keno.Tenders {
		t := &b.keno.Tenders[i]
		if t.Channel != channel {
			continue
		}
		clause = t.Quoted()
		if (len(t.Venues) == 0 || slices.Contains(t.Venues, venue)) && slices.Contains(t.Accept, "cash") {
			return clause, true
		}
	}
	return clause, false
}

// Sells reports whether anything pays for tickets at a kind of terminal of a kind of venue,
// and the clause that lists where something does.
func (b *Book) Sells(venue VenueKind, channel Channel) (clause string, ok bool) {
	for i := range b.keno.Tenders {
		t := &b.keno.Tenders[i]
		if clause == "" || t.Channel == channel {
			clause = t.Quoted()
		}
		if t.Channel == channel && (len(t.Venues) == 0 || slices.Contains(t.Venues, venue)) {
			return clause, true
		}
	}
	return clause, false
}

// Payout returns how prizes reach people.
func (b *Book) Payout() Payout { return clone(b.keno.Payout) }

// BoundsTicket reports whether terminals of a kind pay so much for a ticket and no more.
func (b *Book) BoundsTicket(at Channel) bool {
	return slices.ContainsFunc(b.keno.Payout.Methods,
		func(m PayoutMethod) bool { return m.Channel == at && m.BoundsTicket() })
}

// Instruments returns the papers and cards that stand for money.
func (b *Book) Instruments() []Instrument { return clone(b.keno.Instruments) }

// HandsOut returns what a kind of terminal can hand out, if the rulebook bounds it.
func (b *Book) HandsOut(channel Channel) (HandsOut, bool) {
	for _, h := range b.keno.HandsOut {
		if h.Channel == channel {
			return clone(h), true
		}
	}
	return HandsOut{}, false
}

// Gives reports whether a kind of terminal can hand something out.
func (b *Book) Gives(channel Channel, means string) bool {
	h, bounded := b.HandsOut(channel)
	return !bounded || slices.Contains(h.Gives, means)
}

// Origins returns what money of each origin may become, in the order in which it is spent.
func (b *Book) Origins() []Origin {
	if len(b.keno.Origins) > 0 {
		return clone(b.keno.Origins)
	}
	return earlierOrigins(&b.keno)
}

// Origin returns what money of an origin may become. Of an origin that the rulebook does not
// have, nothing leaves.
func (b *Book) Origin(id string) (o Origin, rank int) {
	all := b.Origins()
	for i := range all {
		if all[i].ID == id {
			return all[i], i
		}
	}
	return Origin{ID: id}, len(all)
}

// Instrument returns the instrument of that name.
func (b *Book) Instrument(id string) (Instrument, bool) {
	for _, in := range b.keno.Instruments {
		if in.ID == id {
			return clone(in), true
		}
	}
	return Instrument{}, false
}

// Claims returns how a claim without a readable ticket is decided.
func (b *Book) Claims() Claims { return clone(b.keno.Claims) }

// Unclaimed returns what happens to prizes that nobody fetches, in order of time.
func (b *Book) Unclaimed() []Unclaimed { return clone(b.keno.Unclaimed) }

// System returns the system that the book is for.
func (b *Book) System() System { return b.keno.System }

// Parties returns the acts to which the authority is a party.
func (b *Book) Parties() []Party { return clone(b.keno.Parties) }

// Serials returns the forms of the numbers of tickets that the rulebook tells apart.
func (b *Book) Serials() []SerialForm { return clone(b.keno.Serials) }

// SerialForm returns the form of the numbers of tickets that are sold under the book: that of the system which it is
// for.
//
//rule:tas-keno-2023 3.2
func (b *Book) SerialForm() SerialForm {
	for _, form := range b.keno.Serials {
		if form.Successor == (b.keno.System.Plays == PlaysSuccessor) {
			return form
		}
	}
	return SerialForm{Form: SerialDigits}
}

// Receipt returns what the paper must carry.
func (b *Book) Receipt() Receipt { return clone(b.keno.Receipt) }

// NamesWriter reports whether the paper must name who sold it.
func (b *Book) NamesWriter() bool { return slices.Contains(b.keno.Receipt.Fields, "writer") }

// Draw returns which devices may draw.
func (b *Book) Draw() Draw { return clone(b.keno.Draw) }

// Staffing returns who and what must be present.
func (b *Book) Staffing() Staffing { return clone(b.keno.Staffing) }

// InspectorFor returns the clause by which an inspector is the second person of an act, if a
// clause makes the authority a party to the act.
func (b *Book) InspectorFor(act string) (clause string, ok bool) {
	for _, p := range b.keno.Parties {
		if slices.Contains(p.Acts, act) {
			return p.Quoted(), true
		}
	}
	return "", false
}

// Tax returns what the State takes of the games of a month, if the book says so.
func (b *Book) Tax() (Tax, bool) { return optional(b.keno.Tax) }

// Migration returns how player money moves to a successor system, if it does.
func (b *Book) Migration() (Migration, bool) { return optional(b.keno.Migration) }

// Credit returns what becomes of tickets that were not paid for.
func (b *Book) Credit() Credit { return b.keno.Credit }

// Disqualify returns who may disqualify an entry.
func (b *Book) Disqualify() Disqualify { return clone(b.keno.Disqualify) }

// optional returns a copy of a policy that a rulebook may leave out.
func optional[T any](policy *T) (T, bool) {
	if policy == nil {
		var none T
		return none, false
	}
	return clone(*policy), true
}
