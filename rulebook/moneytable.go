package rulebook

import (
	"slices"
	"strconv"
	"strings"
)

// MoneyRow is one line of the table of money: what money of an origin may become, where, up to
// how much, and by which clause.
type MoneyRow struct {
	Origin string
	Spent  int    // the place of the origin in the order in which money is spent, from 1 on; 0 for a row about all origins
	As     string // what the money becomes: a ticket, a means of paying, or the same again
	Where  string // kinds of venue and terminal; empty for all
	Limit  string // empty for none
	Needs  string // what a payment needs: a payee, a look into the list of excluded people
	Keeps  string // what a paper keeps that is given for an earlier one
	Clause string // with the reading where there is one
}

// MoneyHeads returns the headings of the table of money, one for each of a row's cells.
func MoneyHeads() []string {
	return []string{"spent", "origin", "may become", "where", "limit", "needs", "keeps", "clause"}
}

// Cells returns the row as texts.
func (r *MoneyRow) Cells() []string {
	spent := ""
	if r.Spent > 0 {
		spent = strconv.Itoa(r.Spent)
	}
	return []string{spent, r.Origin, r.As, r.Where, r.Limit, r.Needs, r.Keeps, r.Clause}
}

// MoneyTable returns what money of each origin may become under a keno rulebook.
func (b *Book) MoneyTable() []MoneyRow {
	var all []MoneyRow
	for _, h := range b.keno.HandsOut {
		all = append(all, MoneyRow{Origin: "any", As: strings.Join(h.Gives, ", "), Where: string(h.Channel),
			Limit: "nothing else is handed out there", Clause: cited(h.Cite)})
	}
	for i, o := range b.Origins() {
		row := MoneyRow{Origin: o.ID, Spent: i + 1}
		all = append(all, b.ticketRows(row)...)
		for _, l := range o.Leaves {
			all = append(all, b.leaveRows(row, l)...)
		}
	}
	return all
}

// winnings is what tenders call prizes.
const winnings = "winnings"

// ticketRows returns where money of an origin pays for tickets.
func (b *Book) ticketRows(row MoneyRow) []MoneyRow {
	row.As = "ticket"
	var all []MoneyRow
	for _, t := range b.keno.Tenders {
		id := row.Origin
		if id == OriginPrize && slices.Contains(t.Accept, winnings) {
			id = winnings
		}
		if slices.Contains(t.Accept, id) {
			row.Where, row.Clause = whereIn(t.Venues, t.Channel), cited(t.Cite)
			row.Limit = b.typesOf(row.Origin)
			all = append(all, row)
		}
	}
	return all
}

// typesOf says in words which tickets a paper pays for that is made out for a type of game.
func (b *Book) typesOf(id string) string {
	paper, _ := b.Instrument(id)
	if len(paper.GameTypes()) == 0 {
		return ""
	}
	return "tickets of the type of game it is for: " + strings.Join(paper.GameTypes(), ", ")
}

// leaveRows returns one way on which money leaves, for each method by which it is paid.
func (b *Book) leaveRows(row MoneyRow, l Leave) []MoneyRow {
	row.As, row.Keeps, row.Clause = l.As, strings.Join(l.Keeps, ", "), cited(l.Cite)
	what := l.As
	if what == Same {
		what = row.Origin
	}
	only := b.onlyAt(what)
	row.Where = whereIn(l.Venues, only)
	if l.BoughtHereToday {
		row.Limit = "where and on the day it was bought, by who bought it"
	}
	var all []MoneyRow
	for _, m := range b.keno.Payout.Methods {
		if m.ID != l.As || len(l.Venues) > 0 && len(m.Venues) > 0 &&
			!slices.ContainsFunc(m.Venues, func(v VenueKind) bool { return slices.Contains(l.Venues, v) }) {
			continue
		}
		paid := row
		through := b.keno.Payout.Through
		if through != nil && m.Channel == "" && len(through.Channels) == 1 {
			m.Channel = through.Channels[0]
		}
		if m.Channel == "" {
			m.Channel = only
		}
		if venues := l.Venues; len(venues) == 0 {
			paid.Where = whereIn(m.Venues, m.Channel)
		} else {
			paid.Where = whereIn(venues, m.Channel)
		}
		if paid.Limit == "" {
			paid.Limit = m.bound(l)
		}
		paid.Needs = m.needs(l)
		if through != nil && through.Attended {
			paid.Needs = strings.TrimPrefix(paid.Needs+", somebody who has signed on there", ", ")
		}
		all = append(all, paid)
	}
	if len(all) == 0 {
		return []MoneyRow{row}
	}
	return all
}

// onlyAt returns the one kind of terminal that hands something out, or nothing if several do.
func (b *Book) onlyAt(means string) Channel {
	var at []Channel
	for _, e := range b.keno.Entry {
		if !slices.Contains(at, e.Channel) && b.Gives(e.Channel, means) {
			at = append(at, e.Channel)
		}
	}
	if len(at) != 1 {
		return ""
	}
	return at[0]
}

// bound says in words up to how much a method pays.
func (m *PayoutMethod) bound(l Leave) string {
	var parts []string
	if m.From != nil {
		parts = append(parts, "from "+m.From.Amount().String()+" on, and then nothing but cash beside it")
	}
	if m.Over != nil {
		parts = append(parts, "over "+m.Over.Amount().String())
	}
	if m.UpTo != nil && (l.Counts || m.Of != "session") {
		parts = append(parts, "up to "+m.UpTo.Amount().String()+" for a "+m.Of)
	}
	if m.VenueLimit && l.Counts {
		parts = append(parts, "up to the limit of the venue")
	}
	if l.Together {
		parts = append(parts, "what was staked and comes back together with what left before")
	}
	if m.MajorOrClaim {
		parts = append(parts, "major prizes and claims alone")
	}
	if m.Exchange {
		parts = append(parts, "vouchers that are exchanged alone")
	}
	return strings.Join(parts, "; ")
}

// needs says in words what a payment needs.
func (m *PayoutMethod) needs(l Leave) string {
	var parts []string
	if m.Payee {
		parts = append(parts, "a payee")
	}
	if m.Exclusion {
		parts = append(parts, "a look into the list of excluded people")
	}
	if l.StakeByCard {
		parts = append(parts, "a ticket that the card alone has paid for")
	}
	return strings.Join(parts, ", ")
}

// whereIn says in words where something is done.
func whereIn(venues []VenueKind, channel Channel) string {
	var parts []string
	for _, v := range venues {
		parts = append(parts, strings.ReplaceAll(string(v), "_", " "))
	}
	text := strings.Join(parts, ", ")
	if channel != "" {
		text = strings.TrimSpace(text + " " + string(channel))
	}
	return text
}

// cited returns the clauses of a value, with its reading.
func cited(c Cite) string {
	if c.Reading == "" {
		return c.Clause
	}
	return c.Clause + " " + c.Reading
}
