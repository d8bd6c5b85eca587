package rulebook

import "slices"

// The origins of money that are no instruments.
const (
	OriginCash  = "cash"
	OriginPrize = "prize"
)

// earlierOrigins returns what money may become under a book from before books said so: what
// the book says of its instruments, and the payout methods for all else. A voucher that is no
// cash goes back as a voucher.
func earlierOrigins(k *KenoFile) []Origin {
	var bound, free []Origin
	ways := func() (all []Leave) {
		for _, m := range k.Payout.Methods {
			if !slices.ContainsFunc(all, func(l Leave) bool { return l.As == m.ID }) {
				all = append(all, Leave{Cite: m.Cite, As: m.ID, Counts: true, StakeByCard: m.ID == playerCard})
			}
		}
		return all
	}
	for _, in := range k.Instruments {
		o := Origin{Cite: in.Cite, ID: in.ID}
		switch {
		case in.ID == playerCard:
			o.Leaves = append([]Leave{{Cite: in.Cite, As: Same}}, ways()...)
			free = append(free, o)
		case in.CashBack:
			o.Leaves = ways()
			for i := range o.Leaves {
				o.Leaves[i].Venues = in.CashBackVenues
				if in.CashBackClause != in.Clause {
					o.Leaves[i].Clause = in.CashBackClause
				}
			}
			free = append(free, o)
		default:
			o.Leaves = []Leave{{Cite: in.Cite, As: Same}}
			if in.RefundSameVenueDay {
				o.Leaves = append(o.Leaves, Leave{Cite: in.Cite, As: OriginCash, BoughtHereToday: true})
			}
			bound = append(bound, o)
		}
	}
	all := append(bound, Origin{Cite: k.Payout.Cite, ID: OriginPrize, Leaves: ways()})
	all = append(all, free...)
	return append(all, Origin{Cite: k.Payout.Cite, ID: OriginCash, Leaves: ways()})
}

// playerCard is the id of player cards.
const playerCard = "player_card"

// checkOrigins checks what money may become.
func (c *checker) checkOrigins() {
	const list = "keno.origins"
	c.checkHandsOut()
	if len(c.keno.Origins) == 0 {
		return // An earlier book: its instruments say so.
	}
	known := slices.Concat([]string{OriginCash, OriginPrize}, c.keno.instrumentIDs())
	c.checkUnique(list, "id", len(c.keno.Origins), func(i int) string { return c.keno.Origins[i].ID })
	for i := range c.keno.Origins {
		o, path := &c.keno.Origins[i], item(list, i)
		c.checkKnown(path+".id", "origin", []string{o.ID}, known)
		c.checkUnique(path+".leaves", "as", len(o.Leaves), func(j int) string { return o.Leaves[j].As })
		if len(o.Leaves) == 0 {
			c.add(path+".leaves", "names no way: nobody could fetch this money")
		}
		for j := range o.Leaves {
			l, at := &o.Leaves[j], item(path+".leaves", j)
			method := slices.ContainsFunc(c.keno.Payout.Methods, func(m PayoutMethod) bool { return m.ID == l.As })
			if !method && l.As != Same {
				c.add(at+".as", "there is no payout method %q", l.As)
			}
			if l.As == Same && !slices.Contains(c.keno.instrumentIDs(), o.ID) {
				c.add(at+".as", "%s is no paper and no card: it cannot be given again", o.ID)
			}
		}
	}
	for _, id := range known {
		if !slices.ContainsFunc(c.keno.Origins, func(o Origin) bool { return o.ID == id }) {
			c.add(list, "does not say what becomes of %q", id)
		}
	}
	for i, in := range c.keno.Instruments {
		if in.CashBack || in.RefundSameVenueDay || len(in.CashBackVenues) > 0 {
			c.add(item("keno.instruments", i)+".cash_back", "is said by origins")
		}
	}
	if c.keno.Cancellation.VoucherFirst {
		c.add("keno.cancellation.voucher_first", "is said by origins")
	}
}

// checkHandsOut checks what kinds of terminals can hand out. What pays for tickets at such a
// terminal may have to go elsewhere to come back, but prizes leave wherever tickets are paid.
func (c *checker) checkHandsOut() {
	const list = "keno.hands_out"
	known := slices.Concat([]string{OriginCash}, c.keno.instrumentIDs())
	for _, m := range c.keno.Payout.Methods {
		if !slices.Contains(known, m.ID) {
			known = append(known, m.ID)
		}
	}
	c.checkUnique(list, "channel", len(c.keno.HandsOut), func(i int) string { return string(c.keno.HandsOut[i].Channel) })
	for i := range c.keno.HandsOut {
		h, path := &c.keno.HandsOut[i], item(list, i)
		c.checkKnown(path+".gives", "means", h.Gives, known)
		if !slices.Contains(c.channels(), h.Channel) {
			c.add(path+".channel", "nothing is sold at channel %s", h.Channel)
		}
		through := c.keno.Payout.Through
		if through != nil && !slices.Contains(through.Channels, h.Channel) {
			continue // Nothing is paid there.
		}
		for _, o := range c.keno.Origins {
			if o.ID == OriginPrize && !slices.ContainsFunc(o.Leaves,
				func(l Leave) bool { return !l.StakeByCard && slices.Contains(h.Gives, l.As) }) {
				c.add(path+".gives", "a prize could not leave at channel %s", h.Channel)
			}
		}
	}
}
