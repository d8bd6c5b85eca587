package rulebook

import (
	"slices"
	"strings"
)

// checkProrating checks the reductions of major prizes.
func (c *checker) checkProrating() {
	const list = "keno.prorating"
	for i := range c.keno.Prorating {
		p, path := &c.keno.Prorating[i], item(list, i)
		c.checkKnown(path+".bets", "bet", p.Bets, c.keno.betIDs())
		switch {
		case p.MajorOver == nil && p.MajorFrom == nil:
			c.add(path, "has neither major_over nor major_from: no prize is a major prize")
		case p.MajorOver != nil && p.MajorFrom != nil:
			c.add(path+".major_from", "a major prize begins either over an amount or from it on")
		}
		if p.Cap != nil && p.Floor > *p.Cap {
			c.add(path+".floor", "%v is above the cap, %v", p.Floor, *p.Cap)
		}
		if whole := c.paidWhole(p); !isSubset(whole, p.Outside) {
			c.add(path+".outside", "the house never reduces these prizes: write outside: [%s]", strings.Join(whole, ", "))
		}
		for j := range i {
			for _, id := range c.keno.betIDs() {
				if namedOrAll(p.Bets, id) && namedOrAll(c.keno.Prorating[j].Bets, id) {
					c.add(path+".bets", "the prizes of the bet %q are reduced by %s too", id, item(list, j))
				}
			}
		}
	}
}

// paidWhole returns which prizes of the bets of a reduction come beside the schedules and are paid whole.
func (c *checker) paidWhole(p *Prorating) (whole []string) {
	reduced := func(id string) bool { return namedOrAll(p.Bets, id) }
	if j := c.keno.Jackpots; j != nil && slices.ContainsFunc(j.Bets, reduced) {
		whole = append(whole, "jackpot")
		if j.BonusFrom > 0 {
			whole = append(whole, "bonus_jackpot")
		}
	}
	if c.keno.Promotions != nil {
		whole = append(whole, "promotion")
	}
	return whole
}

// isSubset reports whether a list has every one of some words.
func isSubset(some, list []string) bool {
	return !slices.ContainsFunc(some, func(w string) bool { return !slices.Contains(list, w) })
}

// checkFunds checks rounding, the prize fund and promotions.
func (c *checker) checkFunds() {
	if c.keno.Rounding.Step == 0 {
		c.add("keno.rounding.step", "is nothing; the least step is one cent")
	}
	fund := c.keno.PrizeFund
	if fund != (PrizeFund{}) && fund.Least == 0 {
		c.add("keno.prize_fund.least", "is nothing; players would win nothing")
	}
	if sum := fund.Schedule + fund.Bonus; sum != 0 && sum != fund.Least {
		c.add("keno.prize_fund.schedule", "schedule and bonus add up to %v, and the fund is %v", sum, fund.Least)
	}
	if p := c.keno.Promotions; p != nil {
		known := c.keno.betIDs()
		for _, f := range c.keno.Features {
			known = append(known, string(f.ID))
		}
		c.checkKnown("keno.promotions.pool_excludes", "bet or feature", p.PoolExcludes, known)
		if !p.BonusPool && (len(p.PoolExcludes) > 0 || p.Paused || p.Moves || p.TransitionPauses) {
			c.add("keno.promotions.bonus_pool", "is not set, and there is a rule for the bonus prize pool")
		}
	}
}

// checkPayments checks what pays for tickets and how prizes are paid.
func (c *checker) checkPayments() {
	c.checkInstruments()
	c.checkTenders()
	c.checkPayout()
	c.checkOrigins()
	c.checkCancellation()
}

func (k *KenoFile) instrumentIDs() []string {
	ids := make([]string, len(k.Instruments))
	for i := range k.Instruments {
		ids[i] = k.Instruments[i].ID
	}
	return ids
}

func (c *checker) checkInstruments() {
	const list = "keno.instruments"
	c.checkUnique(list, "id", len(c.keno.Instruments), func(i int) string { return c.keno.Instruments[i].ID })
	for i := range c.keno.Instruments {
		in, path := &c.keno.Instruments[i], item(list, i)
		c.checkID(path+".id", in.ID)
		if in.Life != nil {
			c.checkLife(path+".life", *in.Life)
		}
		if in.FormLife != nil {
			c.checkLife(path+".form_life", *in.FormLife)
		}
		c.checkKnown(path+".made_out_for.bets", "bet", in.GameTypes(), c.keno.betIDs())
		if in.For != nil && len(in.For.Bets) == 0 {
			c.add(path+".made_out_for.bets", "names no bet: it would pay for nothing")
		}
		if in.MinimumAge < 0 || in.MinimumAge > mostAge {
			c.add(path+".minimum_age", "%d is not an age up to %d", in.MinimumAge, mostAge)
		}
		if in.Life == nil && (in.ExpiresTo != "" || in.ShorterLife || in.FormLife != nil) {
			c.add(path+".life", "is missing where there is a rule for its end")
		}
	}
}

// checkLife checks a span: one unit, so that its last day is not in doubt.
func (c *checker) checkLife(path string, l Life) {
	units := 0
	for _, n := range []int{l.Days, l.Months, l.Years} {
		if n > 0 {
			units++
		}
	}
	if units != 1 {
		c.add(path, "must be a number of either days, months or years")
	}
}

// longPeriod is a period of payment, in days, beyond which a file is asked whether it means that.
const longPeriod = 10 * 365

// days returns about how long a life is, to compare lives of different units.
func (l Life) days() int { return l.Days + 30*l.Months + 365*l.Years }

// moneyWords are the tenders that are not instruments.
var moneyWords = []string{"cash", "replay", "winnings"}

func (c *checker) checkTenders() {
	const list = "keno.tenders"
	known := slices.Concat(moneyWords, c.keno.instrumentIDs())
	for i, t := range c.keno.Tenders {
		path := item(list, i)
		if len(t.Accept) == 0 {
			c.add(path+".accept", "names nothing that pays for a ticket")
		}
		c.checkKnown(path+".accept", "tender", t.Accept, known)
		for j := range i {
			other := c.keno.Tenders[j]
			both := len(t.Venues) == 0 || len(other.Venues) == 0 ||
				slices.ContainsFunc(t.Venues, func(v VenueKind) bool { return slices.Contains(other.Venues, v) })
			if both && t.Channel == other.Channel {
				c.add(path+".channel", "%s says what pays at channel %s of the same venues", item(list, j), t.Channel)
			}
		}
	}
	for _, channel := range c.channels() {
		if !slices.ContainsFunc(c.keno.Tenders, func(t Tender) bool { return t.Channel == channel }) {
			c.add(list, "nothing pays for a ticket at channel %s", channel)
		}
	}
}

// papers are the payout methods that hand out an instrument.
var papers = []string{"change_receipt", "sst_receipt", "central_voucher", "player_card"}

func (c *checker) checkPayout() {
	const path = "keno.payout"
	p := &c.keno.Payout
	c.checkLife(path+".period", p.Period)
	if p.Period.days() > longPeriod {
		c.warnings.add(path+".period", "is longer than %d years; is that what clause %s says?", longPeriod/365,
			Quoted(p.Clause))
	}
	list := path + ".methods"
	if len(p.Methods) == 0 {
		c.add(list, "names no way to pay a prize")
	}
	c.checkUnique(list, "id", len(p.Methods), func(i int) string {
		return strings.TrimSpace(p.Methods[i].ID + " " + string(p.Methods[i].Channel))
	})
	for i := range p.Methods {
		c.checkPayoutMethod(item(list, i), &p.Methods[i])
	}
	if p.Through != nil && len(p.Through.Channels) == 0 {
		c.add(path+".through.channels", "names no terminal: nobody could be paid")
	}
}

func (c *checker) checkPayoutMethod(path string, m *PayoutMethod) {
	if slices.Contains(papers, m.ID) && !slices.Contains(c.keno.instrumentIDs(), m.ID) {
		c.add(path+".id", "there is no instrument %q; there are %s", m.ID, listOf(c.keno.instrumentIDs()))
	}
	if m.From != nil && m.Over != nil {
		c.add(path+".over", "an amount is either from or over")
	}
	if m.UpTo != nil && (m.From != nil && *m.UpTo < *m.From || m.Over != nil && *m.UpTo <= *m.Over) {
		c.add(path+".up_to", "%v is below where the method begins", *m.UpTo)
	}
}

func (c *checker) checkCancellation() {
	last, longest := c.keno.Cancellation.LastGame, c.keno.Games.Multi.Max
	if last > 0 && last >= longest {
		c.add("keno.cancellation.last_game", "is %d, and the longest ticket has %d games", last, longest)
	}
}

// checkClaims checks what becomes of prizes that are not simply fetched.
func (c *checker) checkClaims() {
	claims := &c.keno.Claims
	const list = "keno.claims.signatures"
	if len(claims.Signatures) == 0 {
		c.add(list, "names nobody who decides a claim")
	}
	c.checkUnique(list, "role", len(claims.Signatures), func(i int) string { return claims.Signatures[i].Role })
	if len(claims.PaidBy) == 0 {
		c.add("keno.claims.paid_by", "names no way to pay a claim")
	}
	if len(c.keno.Unclaimed) == 0 {
		c.add("keno.unclaimed", "does not say what becomes of prizes that nobody fetches")
	}
	before := 0
	for i, u := range c.keno.Unclaimed {
		path := item("keno.unclaimed", i) + ".after"
		c.checkLife(path, u.After)
		if u.After.days() <= before {
			c.add(path, "is not later than the step before")
		}
		before = u.After.days()
	}
	if before > 0 && c.keno.Payout.Period.days() > before {
		c.add("keno.payout.period", "runs on after the prize has gone as unclaimed")
	}
}
