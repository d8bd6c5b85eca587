package honest

import (
	"slices"

	"drawhouse/core/money"
)

// Cents is money with its origin.
type Cents struct {
	Origin Form
	// Paper is the voucher that the money was.
	Paper string
	// Ticket and Session say which ticket won a prize, and in which visit it was paid.
	Ticket, Session string
	Amount          money.Amount
}

func (c Cents) same(d Cents) bool {
	c.Amount, d.Amount = 0, 0
	return c == d
}

// pot is money that cannot be told apart any more. What lies in it belongs to the balance
// of visits, cards and receipts, and to stakes that are not drawn yet.
type pot struct {
	up   int // the pot that this one was poured into, or itself
	lots []Cents
	// owed is stake that was drawn when its money could not be found. What a visit that is open
	// owes, it owes alone: money of others in the pot does not pay for it.
	owed money.Amount
	// late is what came in afterwards for such stake. It is kept in case a game is void.
	late []Cents
	// might are prizes that stayed in the pot while cash left that they might have been.
	might []maybe
	// vouchers are those that have ever paid into the pot.
	vouchers []string
}

// maybe is a prize that might have left before, under the limit of that time.
type maybe struct {
	Cents
	most    money.Amount
	bounded bool
}

func (b *Book) newPot(lots ...Cents) int {
	b.pots = append(b.pots, pot{up: len(b.pots)})
	p := len(b.pots) - 1
	for _, c := range lots {
		b.put(p, c)
	}
	return p
}

func (b *Book) find(p int) int {
	for b.pots[p].up != p {
		p = b.pots[p].up
	}
	return p
}

// pour makes one pot of two.
func (b *Book) pour(p, q int) int {
	p, q = b.find(p), b.find(q)
	if p == q {
		return p
	}
	from := &b.pots[q]
	lots, owed := from.lots, from.owed
	b.pots[p].late = append(b.pots[p].late, from.late...)
	b.pots[p].might = append(b.pots[p].might, from.might...)
	b.pots[p].vouchers = append(b.pots[p].vouchers, from.vouchers...)
	from.up, from.lots, from.owed, from.late, from.might, from.vouchers = p, nil, 0, nil, nil, nil
	for _, c := range lots {
		b.put(p, c)
	}
	if owed > 0 {
		gone := b.spend(p, owed)
		b.pots[p].late = append(b.pots[p].late, gone...)
	}
	return p
}

// put adds money to a pot. What the pot owes for drawn stakes is gone at once, from the money that
// can leave by the fewest ways.
func (b *Book) put(p int, c Cents) {
	if at := &b.pots[b.find(p)]; c.Origin.voucher() && !slices.Contains(at.vouchers, c.Paper) {
		at.vouchers = append(at.vouchers, c.Paper)
	}
	c.Amount -= b.swap(p, c)
	if c.Amount <= 0 {
		return
	}
	into := &b.pots[b.find(p)]
	if i := slices.IndexFunc(into.lots, c.same); i >= 0 {
		into.lots[i].Amount += c.Amount
	} else {
		into.lots = append(into.lots, c)
	}
	if owed := into.owed; owed > 0 {
		into.owed = 0
		gone := b.spend(p, owed)
		into = &b.pots[b.find(p)]
		into.late = append(into.late, gone...)
	}
}

// swap lets money pay for stake that was drawn before anybody paid for it, in place of money
// that can leave by more ways and came first. It returns how much of the money that was.
func (b *Book) swap(p int, c Cents) (swapped money.Amount) {
	into := &b.pots[b.find(p)]
	for i := range into.late {
		free := into.late[i]
		n := min(free.Amount, c.Amount-swapped)
		if n <= 0 || freedom(free) <= freedom(c) {
			continue
		}
		into.late[i].Amount -= n
		free.Amount, swapped = n, swapped+n
		into.lots = append(into.lots, free)
	}
	into.late = slices.DeleteFunc(into.late, func(c Cents) bool { return c.Amount <= 0 })
	if swapped > 0 {
		c.Amount = swapped
		into.late = append(into.late, c)
	}
	return swapped
}

// freedom orders money by the ways on which it can leave: vouchers have the fewest, cash the
// most.
func freedom(c Cents) int {
	return slices.IndexFunc([]func(Cents) bool{isBound, isPrize, isCash},
		func(fits func(Cents) bool) bool { return fits(c) })
}

// takeIf removes up to n of the money that fits, and returns what it removed.
func (b *Book) takeIf(p int, n money.Amount, fits func(Cents) bool) []Cents {
	from := &b.pots[b.find(p)]
	var out []Cents
	for i := range from.lots {
		if n <= 0 {
			break
		}
		c := from.lots[i]
		if !fits(c) {
			continue
		}
		c.Amount = min(c.Amount, n)
		from.lots[i].Amount -= c.Amount
		n -= c.Amount
		out = append(out, c)
	}
	from.lots = slices.DeleteFunc(from.lots, func(c Cents) bool { return c.Amount <= 0 })
	return out
}

func sum(lots []Cents) money.Amount {
	var n money.Amount
	for _, c := range lots {
		n += c.Amount
	}
	return n
}

func isBound(c Cents) bool  { return c.Origin.bound() }
func isPrize(c Cents) bool  { return c.Origin == Prize }
func isCash(c Cents) bool   { return !isBound(c) && !isPrize(c) }
func isAny(Cents) bool      { return true }
func notBound(c Cents) bool { return !isBound(c) }

// spend lets stake go: bound money first, then prizes, because money that can leave by
// fewer ways is the money that a house may say was played.
func (b *Book) spend(p int, n money.Amount) []Cents {
	var out []Cents
	for _, fits := range []func(Cents) bool{isBound, isPrize, isCash} {
		out = append(out, b.takeIf(p, n-sum(out), fits)...)
	}
	b.pots[b.find(p)].owed += n - sum(out)
	return out
}

// unpaid returns the visit that is still to pay for a ticket, or nil.
func (b *Book) unpaid(t *ticket) *session {
	if v := b.sessions[t.session]; t.session != "" && v != nil && !v.ended {
		return v
	}
	return nil
}

// unspend brings a stake back that a draw took, with the origins of what it took.
func (b *Book) unspend(t *ticket, stake money.Amount, used []Cents) {
	p := t.pot
	for _, c := range used {
		b.put(p, c)
	}
	// The rest was not paid when it was drawn. Either it is still owed, or it was paid later.
	rest := stake - sum(used)
	if v := b.unpaid(t); v != nil {
		n := min(rest, v.owed)
		v.owed -= n
		rest -= n
	}
	from := &b.pots[b.find(p)]
	n := min(rest, from.owed)
	from.owed -= n
	rest -= n
	for len(from.late) > 0 && rest > 0 {
		c := from.late[len(from.late)-1]
		c.Amount = min(c.Amount, rest)
		rest -= c.Amount
		if from.late[len(from.late)-1].Amount -= c.Amount; from.late[len(from.late)-1].Amount == 0 {
			from.late = from.late[:len(from.late)-1]
		}
		b.put(p, c)
		from = &b.pots[b.find(p)]
	}
}

// has adds up the money in a pot that fits.
func (b *Book) has(p int, fits func(Cents) bool) money.Amount {
	var n money.Amount
	for _, c := range b.pots[b.find(p)].lots {
		if fits(c) {
			n += c.Amount
		}
	}
	return n
}
