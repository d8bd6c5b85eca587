package counter

import (
	"cmp"
	"errors"
	"slices"

	"drawhouse/core/money"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// The codes with which a way of paying is refused.
const (
	MeansUnknown  refusal.Code = "means_unknown"   // the rulebook does not pay so, or not at this kind of terminal
	MeansNotFrom  refusal.Code = "means_not_from"  // the amount is too small for it
	MeansTooMuch  refusal.Code = "means_too_much"  // it is more than is due
	TicketOverSST refusal.Code = "ticket_over_sst" // the ticket has won too much for this kind of terminal
	NotByCard     refusal.Code = "not_by_card"     // the card did not pay the stake
	NotExchanged  refusal.Code = "not_exchanged"   // it is paid so only for vouchers that are exchanged
	NotMajor      refusal.Code = "not_major"       // only major prizes and claims are paid so
	NotSo         refusal.Code = "not_so"          // money of this origin does not leave so
	PayeeMissing  refusal.Code = "payee_missing"   // the payee has not been named
	PayeeOther    refusal.Code = "payee_other"     // the paper that is paid names somebody else
	AccountNone   refusal.Code = "account_missing" // a person who is paid by transfer has named no account
	NotLookedUp   refusal.Code = "not_looked_up"   // nobody has looked into the list of excluded people
	LimitTooLow   refusal.Code = "limit_too_low"   // a venue must be able to pay more in cash
)

// The means of paying, as rulebooks name them.
const (
	Cash           = "cash"
	ChangeReceipt  = "change_receipt"
	SSTReceipt     = "sst_receipt"
	CentralVoucher = "central_voucher"
	SiteCheque     = "site_cheque"
	Cheque         = "cheque"
	Transfer       = "transfer"
	PlayerCard     = "player_card"
)

// Dues is what is due to a customer at the end of a session, as far as the way of
// paying depends on it.
type Dues struct {
	Total   money.Amount
	Tickets []money.Amount // what each ticket of the session was paid
	Majors  money.Amount   // of it, prizes of ways that are major
	// Lots is the money by origin. Nothing stands for prizes alone.
	Lots []state.Lot
	// Staked is what of the lots are prizes that were staked and come back. Beside is the most that may count here
	// so that terminals elsewhere can hand out what lies there of the same prizes; nil for no bound.
	Staked []Staked
	Beside *money.Amount
	// Later says that it is paid when other sessions may have ended before.
	Later bool
	// Bought is what of the lots was taken for papers, or to a player card: it leaves as cash
	// does. It is not in the total.
	Bought money.Amount
	// ByCard is what of the prizes was won by tickets whose stakes a player card has paid.
	ByCard  money.Amount
	Channel rulebook.Channel
	Venue   rulebook.VenueKind
	Limit   money.Amount // up to which the venue pays in cash; 0 where it has not said
	Claim   bool         // it is paid on a claim form
	// Exchanged is what of it a voucher had been issued for, which is now turned into
	// money.
	Exchanged money.Amount
}

// Staked is a prize that was staked and comes back, and what counted against limits in the
// sessions in which it was there before.
type Staked struct {
	Of             record.Place // the ticket that won it, or the first of several of one session
	Cents, Counted money.Amount
}

// stake notes the prizes among lots that were staked and come back at a terminal, and how much may leave there
// beside terminals elsewhere that must hand out some of a prize. A lot of nothing is a prize that is staked there:
// what leaves counts for it. The prizes of joined tickets are one from now on.
func (d *Dues) stake(s *state.State, book *rulebook.Book, terminal uint32, lots []state.Lot, joined ...record.Place) {
	d.Staked, d.Beside = nil, nil
	var prizes []record.Place
	for _, l := range lots {
		if !l.Back {
			continue
		}
		of := s.CountedWith(l.Of)
		if !slices.Contains(prizes, of) {
			prizes = append(prizes, of)
		}
		if l.Cents == 0 {
			continue
		}
		i := slices.IndexFunc(d.Staked, func(a Staked) bool { return a.Of == of })
		if i < 0 {
			i, d.Staked = len(d.Staked), append(d.Staked, Staked{Of: of, Counted: s.Counted(of)})
		}
		d.Staked[i].Cents += l.Cents
	}
	if len(prizes) == 0 {
		return
	}
	elsewhere := lyingElsewhere(s, book, terminal)
	for i := range d.Staked {
		if d.Later {
			d.Staked[i].Counted += countsThere(elsewhere, d.Staked[i].Of)
		}
	}
	group := leadsOf(s, joined)
	if len(group) > 0 {
		d.bound(s, elsewhere, group)
	}
	for _, of := range prizes {
		if !slices.Contains(group, of) {
			d.bound(s, elsewhere, []record.Place{of})
		}
	}
}

// bound lowers what may leave beside terminals elsewhere that must hand out some of prizes which are one: when
// what leaves here has counted, and what all the others hand out, each of them must still have room for its part.
func (d *Dues) bound(s *state.State, elsewhere []lying, prizes []record.Place) {
	var counted money.Amount
	for _, of := range prizes {
		counted += s.Counted(of)
	}
	counted += countsThere(elsewhere, prizes...)
	for _, o := range elsewhere {
		if part := o.part(prizes...); part > 0 {
			if room := o.limit + o.counts - part - counted; d.Beside == nil || room < *d.Beside {
				d.Beside = &room
			}
		}
	}
}

// leadsOf returns the tickets under which the prizes of tickets are counted, each once.
func leadsOf(s *state.State, tickets []record.Place) (leads []record.Place) {
	for _, ticket := range tickets {
		if lead := s.CountedWith(ticket); !slices.Contains(leads, lead) {
			leads = append(leads, lead)
		}
	}
	return leads
}

// countsThere returns what terminals will hand out in sessions in which some of a prize lies.
func countsThere(list []lying, prizes ...record.Place) (sum money.Amount) {
	for _, o := range list {
		if o.part(prizes...) > 0 {
			sum += o.counts
		}
	}
	return sum
}

// lying is what the open session of a terminal has to hand out that gives its receipts alone.
type lying struct {
	terminal      uint32
	prizes        map[record.Place]money.Amount // that were staked and have come back there
	counts, limit money.Amount                  // what may count when the session ends, and the most that may
}

// part returns how much of prizes lies there.
func (o *lying) part(prizes ...record.Place) (sum money.Amount) {
	for _, of := range prizes {
		sum += o.prizes[of]
	}
	return sum
}

// lyingElsewhere returns what lies in the open sessions of other terminals that give their receipts alone, and
// has been staked before. When such a session ends, its part of a prize needs room under the limit beside what has
// left of the prize until then, and all that the session hands out counts for the prize: another session that let
// more leave before would keep it from ending.
//
//rule:vic-keno-2015 2(a).self-service-terminal 21(d)(i)
func lyingElsewhere(s *state.State, book *rulebook.Book, terminal uint32) (list []lying) {
	for _, t := range s.InSession(0) {
		if _, bounded := book.HandsOut(t.Channel); !bounded || t.ID == terminal {
			continue
		}
		venue, _ := s.Venue(t.Venue)
		o := lying{terminal: t.ID, prizes: map[record.Place]money.Amount{}}
		for _, l := range t.Open.Brings() {
			origin, _ := book.Origin(l.ID)
			if way, ok := origin.Way(Cash); ok && way.Counts && way.At(venue.Kind) {
				o.counts += l.Cents
			}
			if l.Back && l.Cents > 0 {
				o.prizes[s.CountedWith(l.Of)] += l.Cents
			}
		}
		if o.limit, _ = sessionLimit(methodsAt(book, venue.Kind, t.Channel), venue.CashLimit); o.limit > 0 &&
			len(o.prizes) > 0 {
			list = append(list, o)
		}
	}
	return list
}

// sessionLimit returns the lowest limit of a session that methods have at a venue with a limit of its own, and
// the method that says so; 0 for no limit.
func sessionLimit(methods []rulebook.PayoutMethod, venue money.Amount) (limit money.Amount, by rulebook.PayoutMethod) {
	for _, m := range methods {
		if m.Of == "session" && m.UpTo != nil && (limit == 0 || m.UpTo.Amount() < limit) {
			limit, by = m.UpTo.Amount(), m
		}
		if m.VenueLimit && venue > 0 && (limit == 0 || venue < limit) {
			limit, by = venue, m
		}
	}
	return limit, by
}

// Share is a part of what is due and the means of paying it. In a choice, no amount
// is as much as is left.
type Share struct {
	Means string
	Cents money.Amount
}

// Route splits what is due into means of paying that the rulebook allows. The person
// chooses among these; what the choice leaves open goes into cash as far as it may,
// and then by cheque or voucher. A choice that is not allowed is refused with its
// clause.
//
//rule:vic-keno-2015 21(d)(i) 21(j) 2(a).total-prize-money
//rule:tas-keno-2023 1.20 13.1 13.5 13.6 13.7(a) 13.7(b) 13.7(c) 1.66
//rule:casino-keno-div2 8.11
func Route(book *rulebook.Book, d Dues, choice []Share) ([]Share, error) {
	shares, _, err := route(book, d, choice)
	return shares, err
}

// route is [Route], and says as well how much counts against the limit.
func route(book *rulebook.Book, d Dues, choice []Share) ([]Share, money.Amount, error) {
	r := routing{policy: book.Payout(), Dues: d}
	r.methods = methodsAt(book, d.Venue, d.Channel)
	r.hands, _ = book.HandsOut(d.Channel)
	if len(r.Lots) == 0 {
		r.Lots = []state.Lot{{ID: state.OriginPrize, Cents: d.Total + d.Bought}}
	}
	for _, l := range r.Lots {
		origin, _ := book.Origin(l.ID)
		r.origins = append(r.origins, origin)
	}
	if err := r.checkTickets(); err != nil {
		return nil, 0, err
	}
	var shares []Share
	left := d.Total
	for i, c := range choice {
		if c.Cents == 0 && i == len(choice)-1 {
			c.Cents = left
		}
		if err := r.fits(c, left, shareOf(shares, c.Means)); err != nil {
			return nil, 0, err
		}
		if c.Cents > 0 {
			shares = addShare(shares, c)
		}
		left -= c.Cents
	}
	if left > 0 {
		var err error
		if shares, err = r.rest(shares, left, len(choice) == 0); err != nil {
			return nil, 0, err
		}
	}
	return shares, r.counted(shares), r.checkLimit(shares)
}

// CheckBought refuses papers that were bought, or money that goes to a card, for more than
// may leave as cash. It returns how much of it counts against the limit.
//
//rule:vic-keno-2015 21(d)(i)
func CheckBought(book *rulebook.Book, d Dues) (money.Amount, error) {
	if d.Bought == 0 || d.Total > 0 {
		return 0, nil // The split of the total says so.
	}
	var sum money.Amount
	for _, l := range d.Lots {
		sum += l.Cents
	}
	d.Bought = min(d.Bought, sum)
	_, counted, err := route(book, d, nil)
	return counted, err
}

// JoinSpent joins what is said twice of one ticket and origin.
func JoinSpent(list []record.Spent) []record.Spent {
	var all []record.Spent
	for _, m := range list {
		i := slices.IndexFunc(all, func(a record.Spent) bool { return a.Ticket == m.Ticket && a.ID == m.ID && a.Of == m.Of })
		if i < 0 {
			all = append(all, m)
			continue
		}
		all[i].Cents += m.Cents
	}
	return all
}

// shareOf returns what goes by a means already.
func shareOf(shares []Share, means string) money.Amount {
	if i := slices.IndexFunc(shares, func(s Share) bool { return s.Means == means }); i >= 0 {
		return shares[i].Cents
	}
	return 0
}

// addShare puts a share into a list that has each means once.
func addShare(shares []Share, c Share) []Share {
	if i := slices.IndexFunc(shares, func(s Share) bool { return s.Means == c.Means }); i >= 0 {
		shares[i].Cents += c.Cents
		return shares
	}
	return append(shares, c)
}

// routing is a split in the making.
type routing struct {
	Dues
	policy  rulebook.Payout
	methods []rulebook.PayoutMethod
	hands   rulebook.HandsOut // of the terminal, if the rulebook bounds it
	origins []rulebook.Origin // of the lots
}

// may returns how much of the money may leave by a means, and how much of that counts against
// the limit. The clause is that of the first origin which may not.
func (r *routing) may(means string) (all, counts money.Amount, clause string) {
	for i, l := range r.Lots {
		switch way, ok := r.origins[i].Way(means); {
		case !ok || !way.At(r.Venue) || way.BoughtHereToday:
			if clause == "" {
				clause = r.origins[i].Quoted()
			}
		case way.Counts:
			all, counts = all+l.Cents, counts+l.Cents
		default:
			all += l.Cents
		}
	}
	return all, counts, clause
}

// free returns how much leaves in cash without counting against the limit.
func (r *routing) free() money.Amount {
	all, counts, _ := r.may(Cash)
	return all - counts
}

// methodsAt returns the methods of a kind of venue, and there of a kind of terminal: its
// own, or if it has none those of all, as far as it hands them out.
//
//rule:tas-keno-2023 13.7(b)(i) 1.59
//rule:vic-keno-2015 2(a).self-service-terminal
func methodsAt(book *rulebook.Book, venue rulebook.VenueKind, channel rulebook.Channel) []rulebook.PayoutMethod {
	return slices.DeleteFunc(counterAt(book, venue, channel),
		func(m rulebook.PayoutMethod) bool { return !book.Gives(channel, m.ID) })
}

// counterAt returns the methods of a counter, whatever its terminal can hand out.
func counterAt(book *rulebook.Book, venue rulebook.VenueKind, channel rulebook.Channel) []rulebook.PayoutMethod {
	return ownOr(ownOr(book.Payout().Methods,
		func(m rulebook.PayoutMethod) bool { return slices.Contains(m.Venues, venue) },
		func(m rulebook.PayoutMethod) bool { return len(m.Venues) == 0 }),
		func(m rulebook.PayoutMethod) bool { return m.Channel == channel },
		func(m rulebook.PayoutMethod) bool { return m.Channel == "" })
}

// ownOr returns the methods that are somebody's own, or if there are none the common ones.
func ownOr(all []rulebook.PayoutMethod, own, common func(rulebook.PayoutMethod) bool) []rulebook.PayoutMethod {
	var mine, other []rulebook.PayoutMethod
	for _, m := range all {
		if own(m) {
			mine = append(mine, m)
		} else if common(m) {
			other = append(other, m)
		}
	}
	if len(mine) > 0 {
		return mine
	}
	return other
}

// checkCounter refuses a ticket at a counter that does nothing but exchange vouchers: its
// prize would stay on the customer's account.
//
//rule:tas-keno-2023 13.7(b)(i)
func checkCounter(book *rulebook.Book, venue rulebook.VenueKind, channel rulebook.Channel) error {
	for _, m := range counterAt(book, venue, channel) {
		if m.Exchange {
			return refuse(NotExchanged, m.Quoted(), "serial", "This counter exchanges vouchers, and pays no tickets.")
		}
	}
	return nil
}

// ReceiptAt returns the paper by which a kind of terminal pays in place of cash, and how
// much it pays at a time at a venue of a kind with that limit of its own; 0 stands for no bound. A
// terminal that hands out no cash asks before it takes a ticket in payment, because a
// prize that is on the customer's account must be paid.
//
//rule:vic-keno-2015 2(a).self-service-terminal
func ReceiptAt(book *rulebook.Book, venue rulebook.VenueKind, channel rulebook.Channel,
	limit money.Amount) (means string, most money.Amount, ok bool) {
	for _, m := range methodsAt(book, venue, channel) {
		if _, paper := book.Instrument(m.ID); !paper || m.Payee || m.ID == PlayerCard {
			continue
		}
		if m.UpTo != nil {
			most = m.UpTo.Amount()
		}
		if m.VenueLimit && limit > 0 && (most == 0 || limit < most) {
			most = limit
		}
		return m.ID, most, true
	}
	return "", 0, false
}

func (r *routing) method(id string) (rulebook.PayoutMethod, bool) {
	i := slices.IndexFunc(r.methods, func(m rulebook.PayoutMethod) bool { return m.ID == id })
	if i < 0 {
		return rulebook.PayoutMethod{}, false
	}
	return r.methods[i], true
}

// checkTickets refuses a ticket that has won more than this kind of terminal pays.
//
//rule:tas-keno-2023 13.7(c)
func (r *routing) checkTickets() error {
	for _, m := range r.methods {
		if !m.BoundsTicket() {
			continue
		}
		for _, paid := range r.Tickets {
			if paid > m.UpTo.Amount() {
				return refuse(TicketOverSST, m.Quoted(), "serial",
					"The ticket comes to %v here in all. More than %v for a ticket is paid at a writer's terminal.",
					paid, m.UpTo.Amount())
			}
		}
	}
	return nil
}

// checkTicketAt refuses to take a ticket in at a terminal that could not end the session with it: one
// that gives papers alone, and has none for so much. A ticket that is paid, or given back, must reach
// its holder. What such terminals have paid on the ticket before counts.
//
//rule:tas-keno-2023 13.7(c)
//rule:vic-keno-2015 2(a).self-service-terminal 21(d)(i)
func checkTicketAt(s *state.State, book *rulebook.Book, terminal state.Terminal, venue state.Venue, ticket record.Place,
	prize money.Amount, lots []state.Lot) error {
	if _, bounded := book.HandsOut(terminal.Channel); !bounded {
		return nil
	}
	if prize > 0 { // A ticket that gives its stake back alone is not paid by that.
		r := routing{Dues: Dues{Tickets: []money.Amount{s.PaidByMachines(ticket) + prize}},
			methods: methodsAt(book, venue.Kind, terminal.Channel)}
		if err := r.checkTickets(); err != nil {
			return err
		}
	}
	d := handsOut(s, book, terminal, venue, lots)
	_, err := Route(book, d, nil)
	if over, ok := errors.AsType[*refusal.Refusal](err); ok {
		return refuse(TicketOverSST, over.Clause, "serial",
			"%v would be due at this terminal, and it may not hand out all of it. Go to a writer's terminal.", d.Total)
	}
	return err
}

// handsOut is what a terminal that gives papers alone would have to hand out at the end of its session,
// with the lots of one more ticket. What the session has sold is not taken off: it may come back.
func handsOut(s *state.State, book *rulebook.Book, terminal state.Terminal, venue state.Venue, more []state.Lot) Dues {
	d := Dues{Channel: terminal.Channel, Venue: venue.Kind, Limit: venue.CashLimit, Later: true}
	for _, l := range append(terminal.Open.Brings(), more...) {
		origin, _ := book.Origin(l.ID)
		if _, same := origin.Way(rulebook.Same); same || l.Cents == 0 {
			continue // It goes back as what it was.
		}
		d.Lots, d.Total = append(d.Lots, l), d.Total+l.Cents
	}
	d.stake(s, book, terminal.ID, d.Lots)
	return d
}

// compulsory returns the method by which so much must be paid, as far as it is not
// taken in cash.
//
//rule:tas-keno-2023 13.7(b) 13.7(b)(ii)
func (r *routing) compulsory() (rulebook.PayoutMethod, bool) {
	for _, m := range r.methods {
		if m.From != nil && r.Total-r.Exchanged >= m.From.Amount() {
			return m, true
		}
	}
	return rulebook.PayoutMethod{}, false
}

// fits refuses a share that the rulebook does not allow, with what goes by the same means
// already: two cheques are for no more than one.
//
//rule:vic-keno-2015 21(j)
//rule:casino-keno-div2 8.11
func (r *routing) fits(c Share, left, already money.Amount) error {
	sum := already + c.Cents
	m, ok := r.method(c.Means)
	must, forced := r.compulsory()
	most, _, clause := r.may(c.Means)
	switch {
	case !ok:
		return refuse(MeansUnknown, cmp.Or(r.hands.Quoted(), r.policy.Quoted()), "pay",
			"Money does not leave as %s here.", c.Means)
	case c.Cents < 0 || c.Cents > left:
		return refuse(MeansTooMuch, "", "pay",
			"%v by %s is more than the %v that are left to pay.", c.Cents, c.Means, left)
	case forced && c.Means != Cash && c.Means != must.ID && sum > r.Exchanged:
		return refuse(MeansOther, must.Quoted(), "pay",
			"From %v on, what is not taken in cash is paid by %s.", must.From.Amount(), must.ID)
	case m.From != nil && r.Total < m.From.Amount():
		return refuse(MeansNotFrom, m.Quoted(), "pay", "%s is for %v and more.", c.Means, m.From.Amount())
	case m.Over != nil && r.Total <= m.Over.Amount():
		return refuse(MeansNotFrom, m.Quoted(), "pay", "%s is for more than %v.", c.Means, m.Over.Amount())
	case m.Exchange && sum > r.Exchanged:
		return refuse(NotExchanged, m.Quoted(), "pay", "Only a voucher that is exchanged is paid by %s here.", c.Means)
	case m.MajorOrClaim && !r.Claim && sum > r.Majors:
		return refuse(NotMajor, m.Quoted(), "pay",
			"Only major prizes, %v here, and claims are paid by %s.", r.Majors, c.Means)
	case c.Means == PlayerCard && sum > r.ByCard:
		return refuse(NotByCard, m.Quoted(), "pay",
			"A prize goes to a player card only if the card has paid for the ticket, and %v was won so.", r.ByCard)
	case sum > most:
		return refuse(NotSo, clause, "pay", "%v by %s is more than the %v that may leave so.", sum, c.Means, most)
	}
	return nil
}

// limit returns how much may go out by means that the rulebook or the venue bounds,
// all of them together, and the method that says so. Where a voucher is compulsory, a
// venue that has set no limit pays what must be there in cash and no more.
//
//rule:vic-keno-2015 21(d)(i)
//rule:tas-keno-2023 13.7(a)
func (r *routing) limit() (most money.Amount, by rulebook.PayoutMethod) {
	most = r.Total + r.Bought
	if must, forced := r.compulsory(); forced && r.Limit == 0 && r.policy.CashAtLeast != nil {
		most, by = min(most, r.policy.CashAtLeast.Amount()), must
	}
	for _, m := range r.methods {
		if m.Of == "session" && m.UpTo != nil && m.UpTo.Amount() < most {
			most, by = m.UpTo.Amount(), m
		}
		if m.VenueLimit && r.Limit > 0 && r.Limit < most {
			most, by = r.Limit, m
		}
	}
	return r.together(most, by)
}

// together lowers what may go out by bounded means where prizes come back that were staked: each
// as far as the limit is not used up by what left before, where it was there. Where some of a prize lies at a
// terminal elsewhere that must hand it out, no more counts here than leaves room for that.
//
//rule:vic-keno-2015 21(d)(i) 2(a).parlay 2(a).total-prize-money
func (r *routing) together(most money.Amount, by rulebook.PayoutMethod) (money.Amount, rulebook.PayoutMethod) {
	i := slices.IndexFunc(r.origins, func(o rulebook.Origin) bool { return o.ID == state.OriginPrize })
	if i < 0 || len(r.Staked) == 0 && r.Beside == nil {
		return most, by
	}
	if way, _ := r.origins[i].Way(Cash); !way.Together {
		return most, by
	}
	limit, first := sessionLimit(r.methods, r.Limit)
	if limit == 0 {
		return most, by
	}
	_, room, _ := r.may(Cash)
	for _, s := range r.Staked {
		room -= s.Cents - min(s.Cents, max(0, limit-s.Counted))
	}
	if r.Beside != nil {
		room = min(room, max(0, *r.Beside))
	}
	if room < most {
		return room, first
	}
	return most, by
}

// bounded reports whether a means counts against the limit.
func (r *routing) bounded(id string) bool {
	m, ok := r.method(id)
	return ok && (m.VenueLimit || m.Of == "session" && m.UpTo != nil)
}

// counted returns what shares come to that count against the limit, with what was bought.
// Money that does not count goes first.
func (r *routing) counted(shares []Share) money.Amount {
	return max(0, r.taken(shares)-r.freeOf(shares))
}

// freeOf returns how much leaves in cash without counting against the limit beside some shares. Where a
// voucher is compulsory, what goes otherwise is money of vouchers that are exchanged.
//
//rule:tas-keno-2023 13.7(b)(ii)
func (r *routing) freeOf(shares []Share) money.Amount {
	free := r.free()
	must, forced := r.compulsory()
	for _, s := range shares {
		if forced && s.Means != Cash && s.Means != must.ID {
			free -= s.Cents
		}
	}
	return max(0, free)
}

// taken returns what bounded shares come to, with what was bought.
func (r *routing) taken(shares []Share) money.Amount {
	sum := r.Bought
	for _, s := range shares {
		if r.bounded(s.Means) {
			sum += s.Cents
		}
	}
	return sum
}

func (r *routing) checkLimit(shares []Share) error {
	most, by := r.limit()
	counted := r.counted(shares)
	switch {
	case counted <= most:
		return nil
	case r.Bought > most:
		return refuse(OverCashLimit, by.Quoted(), "papers",
			"%v would buy papers, and at most %v may leave so. Hand back with the session what it has sold.", counted,
			most)
	}
	return refuse(OverCashLimit, by.Quoted(), "pay",
		"%v is due, and at most %v may be paid in cash or by receipt.", counted, most)
}

// rest finds means for what a choice leaves open. Nobody who has not chosen gets more
// cash at once than must be there where a voucher is compulsory, but for vouchers that are exchanged.
//
//rule:tas-keno-2023 13.5 13.7(b)(ii)
func (r *routing) rest(shares []Share, left money.Amount, open bool) ([]Share, error) {
	must, forced := r.compulsory()
	if means, ok := r.first(); ok && (!forced || open) {
		most, _ := r.limit()
		can, _, _ := r.may(means)
		take := min(left, can-shareOf(shares, means))
		if r.bounded(means) {
			take = min(take, most+r.freeOf(shares)-r.taken(shares))
		}
		if forced && r.policy.CashAtLeast != nil {
			take = min(take, r.policy.CashAtLeast.Amount()+r.freeOf(shares))
		}
		if take > 0 {
			shares, left = addShare(shares, Share{means, take}), left-take
		}
	}
	if left == 0 {
		return shares, nil
	}
	if forced {
		// A voucher that is exchanged does not become another one.
		can, _, _ := r.may(must.ID)
		part := min(left, max(0, can-shareOf(shares, must.ID)))
		if part > 0 {
			shares, left = addShare(shares, Share{must.ID, part}), left-part
		}
		if left > 0 {
			shares = addShare(shares, Share{Cash, left})
		}
		return shares, nil
	}
	for _, m := range r.methods {
		if m.ID == Cash || m.ID == PlayerCard || r.bounded(m.ID) {
			continue
		}
		switch err := r.fits(Share{m.ID, left}, left, shareOf(shares, m.ID)); {
		case err == nil:
			return addShare(shares, Share{m.ID, left}), nil
		case m.Exchange:
			return nil, err // This counter pays nothing else.
		}
	}
	_, by := r.limit()
	return nil, refuse(OverCashLimit, by.Quoted(), "pay", "%v is left, and nothing may carry it.", left)
}

// first returns the means by which as much is paid as may be: cash, or where the terminal hands
// out none the receipt that it gives in place of it.
//
//rule:vic-keno-2015 2(a).change-receipt
func (r *routing) first() (means string, ok bool) {
	if _, ok := r.method(Cash); ok {
		return Cash, true
	}
	for _, m := range r.methods {
		if IsPaper(m.ID) && !m.Payee && r.bounded(m.ID) {
			return m.ID, true
		}
	}
	return "", false
}

// CheckCashLimit refuses a limit below what a venue must be able to pay in cash.
//
//rule:tas-keno-2023 13.5
func CheckCashLimit(book *rulebook.Book, limit money.Amount) error {
	p := book.Payout()
	if p.CashAtLeast != nil && limit < p.CashAtLeast.Amount() {
		return refuse(LimitTooLow, rulebook.Quoted(p.CashAtLeastClause), "limit_cents",
			"A venue must be able to pay %v in cash; its limit cannot be %v.", p.CashAtLeast.Amount(), limit)
	}
	return nil
}

// CheckLowered refuses a limit below what a customer session has taken in at a terminal that
// hands out its receipts alone: that session could not end. At a counter there are other ways.
//
//rule:vic-keno-2015 2(a).self-service-terminal
func CheckLowered(s *state.State, venue uint32, limit money.Amount) error {
	at, _ := s.Venue(venue)
	at.CashLimit = limit
	for _, t := range s.InSession(venue) {
		series, err := seriesOf(s, t.Open.Series)
		if err != nil {
			return err
		}
		book := series.Book
		h, bounded := book.HandsOut(t.Channel)
		if !bounded {
			continue
		}
		d := handsOut(s, book, t, at, nil)
		if _, err := Route(book, d, nil); err != nil && d.Total > 0 {
			return refuse(SessionOpen, h.Quoted(), "limit_cents",
				"Terminal %d owes %v in a customer session that is open. End that session first.", t.ID, d.Total)
		}
	}
	return nil
}

// CheckPayee refuses a share whose payee is not named, or of which nobody has looked
// up whether the payee is excluded.
//
//rule:vic-keno-2015 21(b)
//rule:tas-keno-2023 13.2 13.8(b)
func CheckPayee(book *rulebook.Book, means string, named, lookedUp bool) error {
	for _, m := range book.Payout().Methods {
		switch {
		case m.ID != means:
		case m.Payee && !named:
			return refuse(PayeeMissing, rulebook.Quoted(m.PayeeClause), "payee",
				"Payment by %s needs the details of the payee.", means)
		case m.Exclusion && !lookedUp:
			return refuse(NotLookedUp, rulebook.Quoted(m.ExclusionClause), "checked",
				"Before payment by %s somebody looks up whether the person is excluded.", means)
		}
	}
	return nil
}
