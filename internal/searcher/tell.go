package searcher

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"drawhouse/core/day"
	"drawhouse/core/money"
	"drawhouse/games/keno"
	"drawhouse/internal/cases"
	"drawhouse/internal/honest"
	"drawhouse/journal/record"
	"drawhouse/rulebook"
)

// teller tells the honest book what the house has written into its journal. It reads the
// records alone, so that nothing escapes it that the house does by itself, and it decides
// nothing: a record says how much money went where, and the book says what it thinks of it.
type teller struct {
	play *cases.Play
	book *honest.Book
	read int // records that were told

	day     honest.Date
	tickets map[record.Place]*soldTicket
	order   []record.Place
	papers  map[record.Place]paper
	places  map[uint32]honest.Place // by terminal
	cards   map[record.Place]string
	drawn   map[uint32]bool
	// corrected are the games whose results were corrected.
	corrected map[uint32]bool
	void      map[uint32]bool
	claims    map[uint32]*claim
	stopped   map[record.Place]uint8 // why
	carried   []record.Carried       // what runs on from the game that is about to end
	issued    []issued               // papers of the session that is about to end
	visit     string                 // of the last payment
	hall      rooms

	found []Finding
}

// Finding is something that the honest book holds against the house.
type Finding struct {
	Goal   honest.Goal
	Clause string
	What   string
}

// kind is a finding without its amounts and names: two findings of one kind are alike.
func (f Finding) kind() Finding {
	what, _, _ := strings.Cut(f.What, ";")
	words := slices.DeleteFunc(strings.Fields(what), func(w string) bool { return strings.ContainsAny(w, "0123456789") })
	return Finding{f.Goal, f.Clause, strings.Join(words, " ")}
}

// alike reports whether a shorter list of acts has led to the same. Where no clause says what is
// wrong, the message does: two panics are one only with one message in one function.
func (f Finding) alike(g Finding) bool {
	return f.Goal == g.Goal && f.Clause == g.Clause && (f.Clause != "" || f.kind() == g.kind())
}

func (f Finding) String() string { return fmt.Sprintf("%s (%s): %s", f.Goal, f.Clause, f.What) }

type soldTicket struct {
	sale  record.Place
	first uint32
	games int
	run   bool
	ran   bool // a prize of it has run on
	// carried is the game into which a stake was carried from one that was void.
	carried uint32
	told    map[uint32]int64 // what it won, by game
}

type paper struct {
	form  honest.Form
	payee []byte // the particulars of the person whom it names
}

type issued struct {
	at   record.Place
	body *record.InstrumentIssued
}

type claim struct {
	body  *record.ClaimLodged
	shown honest.Shown
}

func newTeller(play *cases.Play, book *honest.Book) *teller {
	return &teller{
		play: play, book: book, tickets: map[record.Place]*soldTicket{}, papers: map[record.Place]paper{},
		places: map[uint32]honest.Place{}, cards: map[record.Place]string{}, drawn: map[uint32]bool{},
		void: map[uint32]bool{}, corrected: map[uint32]bool{},
		claims: map[uint32]*claim{}, stopped: map[record.Place]uint8{}, hall: newRooms(),
	}
}

// forms are the papers of all rulebooks.
var forms = map[string]honest.Form{
	"gift_voucher": honest.Gift, "prepaid_voucher": honest.Prepaid, "approved_voucher": honest.OtherVoucher,
	"change_receipt": honest.Receipt, "sst_receipt": honest.Receipt, "central_voucher": honest.CentralVoucher,
	"cash": honest.Cash, "cheque": honest.Cheque, "transfer": honest.Transfer, "site_cheque": honest.SiteCheque,
}

// tell tells everything that was written since the last time.
func (t *teller) tell() error {
	if err := t.play.Take(); err != nil {
		return err
	}
	for ; t.read < len(t.play.Records); t.read++ {
		r, err := record.Decode(t.play.Records[t.read])
		if err != nil {
			return err
		}
		t.hall.now = r.Time
		if err := t.one(record.Place{Volume: 1, Seq: uint64(t.read)}, r); err != nil {
			return err
		}
	}
	return nil
}

// do tells one act.
func (t *teller) do(a honest.Act) {
	a.Day = t.day
	if err := t.book.Formal(a); err != nil {
		if refused, ok := err.(*honest.Refusal); ok { //nolint:errorlint // It is returned as it is.
			t.found = append(t.found, Finding{honest.OverLimit, refused.Clause, refused.Why})
		}
	}
	for _, b := range t.book.Do(a) {
		t.found = append(t.found, Finding{b.Goal, b.Clause, b.What})
	}
}

func dateOf(d day.Day) honest.Date {
	if !d.IsValid() {
		return honest.Date{}
	}
	year, month, dom := d.Date()
	return honest.Date{Year: year, Month: month, Day: dom}
}

// at returns where a terminal stands.
func (t *teller) at(terminal uint32) honest.Place {
	if p, ok := t.places[terminal]; ok {
		return p
	}
	s := t.play.Engine.State()
	till, _ := s.Terminal(terminal)
	venue, _ := s.Venue(till.Venue)
	p := honest.Place{Venue: fmt.Sprint(till.Venue)}
	switch {
	case venue.Kind == "central_site":
		p.Desk = honest.HeadOffice
	case till.Channel == rulebook.ChannelSST:
		p.Desk = honest.SelfService
	case venue.Kind == "casino" && t.play.Book() == "tas-keno-2023":
		p.Desk = honest.CasinoWriter
	}
	t.places[terminal] = p
	return p
}

func visit(r record.Request, session uint32) string {
	return fmt.Sprintf("T%d/%d", r.Terminal, session)
}

// in returns what customers hand over in a plain act, and out what they are handed.
func in(tenders []record.Tender) (parts []honest.Part)  { return plain(tenders, 1) }
func out(tenders []record.Tender) (parts []honest.Part) { return plain(tenders, -1) }

func plain(tenders []record.Tender, sign money.Amount) (parts []honest.Part) {
	for _, x := range tenders {
		form := honest.Cash
		if x.Kind == record.TenderChips {
			form = honest.Chips
		}
		if n := sign * x.Cents; n > 0 {
			parts = append(parts, honest.Part{Form: form, Amount: n})
		}
	}
	return parts
}

func (t *teller) one(at record.Place, r record.Record) error {
	switch b := r.Body.(type) {
	case *record.DayOpened:
		t.day = dateOf(b.Day)
	case *record.DayClosed:
		t.do(honest.Act{Kind: honest.DayEnd})
	case *record.VenueLimitSet:
		t.do(honest.Act{Kind: honest.Venue, At: honest.Place{Venue: fmt.Sprint(b.Venue)}, Limit: b.Cents})
	case *record.CardRegistered:
		t.cards[at] = fmt.Sprintf("card %d", b.Card)
	case *record.TicketSold:
		return t.sold(at, b)
	case *record.TicketCancelled:
		t.cancelled(b)
	case *record.TicketPaid:
		t.paid(b)
	case *record.BonusAllocated:
		t.bonus(b)
	case *record.InstrumentIssued:
		t.paperIssued(at, b)
	case *record.SessionEnded:
		t.ended(b)
	case *record.InstrumentsExpired:
		for _, x := range b.List {
			t.do(honest.Act{Kind: honest.Expire, Paper: x.Instrument.String()})
		}
	case *record.PrizesSwept:
		t.swept(b)
	default:
		if !t.course(b) && !t.stops(b) && !t.claimed(b) {
			t.room(b)
		}
	}
	return nil
}

func (t *teller) sold(at record.Place, b *record.TicketSold) error {
	ticket, err := keno.DecodeTicket(b.Ticket)
	if err != nil {
		return err
	}
	s := &soldTicket{sale: at, first: b.Ordinal, games: ticket.Games, told: map[uint32]int64{}}
	s.run = slices.ContainsFunc(ticket.Bets, func(b keno.Bet) bool { return b.Run })
	t.tickets[at] = s
	t.order = append(t.order, at)
	games := ticket.Games
	if s.run {
		games = 1
	}
	a := honest.Act{Kind: honest.Sell, At: t.at(b.Request.Terminal), Ticket: at.String(),
		Stake: b.CostCents / money.Amount(games), In: in(b.Tenders)}
	if b.CostCents%money.Amount(games) != 0 {
		return fmt.Errorf("ticket %v costs %v for %d games", at, b.CostCents, games)
	}
	for i := range games {
		a.Games = append(a.Games, int(b.Ordinal)+i)
	}
	if b.Ways > 1 {
		a.Ways = int(b.Ways)
	}
	if len(b.Tenders) == 0 {
		a.Session = visit(b.Request, b.Session)
	}
	for _, bet := range ticket.Bets {
		if plays := honest.Bet(bet.Bet); !slices.Contains(a.Plays, plays) {
			a.Plays = append(a.Plays, plays)
		}
	}
	a.Set = !slices.ContainsFunc(ticket.Bets, func(b keno.Bet) bool { return b.Item.ID == "" })
	if ticket.Bets[0].Bet == "heads_or_tails" {
		a.Bet = honest.HeadsOrTails
	}
	t.do(a)
	return nil
}

func (t *teller) cancelled(b *record.TicketCancelled) {
	if b.RefundCents+b.CarriedCents == 0 {
		return // A prize that would run on is due instead. Nothing moves.
	}
	a := honest.Act{Kind: honest.Cancel, At: t.at(b.Request.Terminal), Ticket: b.Ticket.String(), Out: out(b.Tenders)}
	s := t.tickets[b.Ticket]
	for i := 0; s != nil && !s.run && i < s.games; i++ {
		if g := s.first + uint32(i); g > b.Kept && !t.void[g] {
			a.Games = append(a.Games, int(g))
		}
	}
	if len(b.Tenders) == 0 {
		a.Session, a.Amount = visit(b.Request, b.Session), b.RefundCents+b.CarriedCents
	}
	if s != nil {
		s.games = max(0, int(b.Kept)-int(s.first)+1)
	}
	t.do(a)
}

// paid tells a payment: prizes, stakes of void games, and what an earlier session withheld.
func (t *teller) paid(b *record.TicketPaid) {
	session := ""
	if len(b.Tenders) == 0 {
		session = visit(b.Request, b.Session)
	}
	t.visit = session
	var prize money.Amount
	var won []honest.GamePrize
	tell := func(kind honest.Kind, a honest.Act, n money.Amount) {
		a.Kind, a.At, a.Ticket, a.Session = kind, t.at(b.Request.Terminal), b.Ticket.String(), session
		if session == "" {
			a.Out = []honest.Part{{Form: honest.Cash, Amount: n}}
		} else {
			a.Amount = n
		}
		t.do(a)
	}
	for _, part := range b.Parts {
		switch {
		case part.Ordinal == 0:
			tell(honest.Redeem, honest.Act{Paper: withheld(b.Ticket)}, part.Cents)
		case t.stakeOf(b.Ticket, part.Ordinal):
			tell(honest.Refund, honest.Act{Games: []int{int(part.Ordinal)}, LastRun: true}, part.Cents)
		default:
			prize += part.Cents
			won = append(won, honest.GamePrize{Game: int(part.Ordinal), Amount: part.Cents})
		}
	}
	if prize > 0 {
		tell(honest.Pay, honest.Act{Prizes: won}, prize)
	}
}

// bonus tells what fell on a ticket that was just paid: beside that payment, or into its visit.
func (t *teller) bonus(b *record.BonusAllocated) {
	a := honest.Act{Kind: honest.Bonus, At: t.at(b.Terminal), Ticket: b.Ticket.String(), Out: out(b.Tenders)}
	if len(b.Tenders) == 0 {
		a.Session, a.Amount = t.visit, b.Cents
	}
	t.do(a)
}

// stakeOf reports whether a ticket has a stake in a void game. A prize that ran on into one is
// none.
func (t *teller) stakeOf(ticket record.Place, game uint32) bool {
	s := t.tickets[ticket]
	return t.void[game] && (s == nil || !s.ran)
}

// withheld is the name of the money that the end of a session has kept for a ticket.
func withheld(ticket record.Place) string { return "withheld of " + ticket.String() }

func (t *teller) paperIssued(at record.Place, b *record.InstrumentIssued) {
	form := forms[b.ID]
	t.papers[at] = paper{form, b.Particulars}
	if b.Reason != record.IssuedForMoney && b.Reason != record.IssuedByOperator {
		t.issued = append(t.issued, issued{at, b})
		return
	}
	a := honest.Act{
		Kind: honest.Issue, At: t.at(b.Request.Terminal), Form: form, Paper: at.String(), Amount: b.Cents,
		In:   in(b.Tenders),
		Free: b.Reason == record.IssuedByOperator, Expires: dateOf(b.LastDay),
	}
	a.Plays = []honest.Bet{playsOf(b)}
	if len(b.Tenders) == 0 && !a.Free {
		a.Session = visit(b.Request, b.Session)
	}
	t.do(a)
}

// playsOf returns the type of game that a paper is for.
func playsOf(b *record.InstrumentIssued) honest.Bet {
	if b.GameType == "" {
		return honest.AnyGame
	}
	return honest.Bet(b.GameType)
}

// tenderForms are the forms of tenders that name no paper.
var tenderForms = map[record.TenderKind]honest.Form{
	record.TenderCash: honest.Cash, record.TenderUnpaid: honest.Unpaid, record.TenderChips: honest.Chips,
	record.TenderCheque:     honest.Cheque,
	record.TenderSiteCheque: honest.SiteCheque, record.TenderTransfer: honest.Transfer,
}

// part returns what a tender of a session was, whatever its sign is.
func (t *teller) part(x *record.Settlement) honest.Part {
	part := honest.Part{Form: tenderForms[x.Kind], Amount: max(x.Cents, -x.Cents)}
	switch x.Kind {
	case record.TenderCard:
		part.Form, part.Paper = honest.Card, t.cards[x.Instrument]
	case record.TenderWithheld:
		part.Form, part.Paper, part.Of = honest.Withheld, withheld(x.Instrument), x.Instrument.String()
	case record.TenderInstrument:
		part.Form, part.Paper = t.papers[x.Instrument].form, x.Instrument.String()
	}
	return part
}

// ended tells the end of a session with all that went in and out.
func (t *teller) ended(b *record.SessionEnded) {
	a := honest.Act{Kind: honest.End, At: t.at(b.Request.Terminal), Session: visit(b.Request, b.Session)}
	if b.Checked {
		a.Shown |= honest.ExclusionChecked
	}
	if b.Account {
		a.Shown |= honest.AccountNamed
	}
	alone := !t.book.Begun(a.Session)
	owes := t.book.Balance(a.Session) < 0
	var back []honest.Act // papers that are turned into money
	for i := range b.Tenders {
		x := &b.Tenders[i]
		if t.drawnFor(b, x.Particulars) {
			a.Shown |= honest.PayeeNamed
		}
		part := t.part(x)
		switch {
		case x.Kind == record.TenderInstrument &&
			(x.Refund || part.Form == honest.CentralVoucher || part.Form == honest.Receipt && !owes):
			back = append(back, honest.Act{Kind: honest.Redeem, At: a.At, Session: a.Session, Paper: part.Paper,
				Amount: x.Cents})
		case x.Cents > 0:
			a.In = append(a.In, part)
		default:
			a.Out = append(a.Out, part)
		}
	}
	t.given(&a)
	if alone && len(a.In) == 0 {
		t.redeemed(back, a)
		return
	}
	for _, r := range back {
		t.do(r)
	}
	t.do(a)
	for _, p := range a.Out {
		if p.Form == honest.Withheld && t.isStopped(p.Paper) { // and not because the terminal was shut out
			t.do(honest.Act{Kind: honest.Stop, Paper: p.Paper})
		}
	}
}

// given adds the papers to the end of a session that it gave out.
func (t *teller) given(end *honest.Act) {
	for _, p := range t.issued {
		part := honest.Part{Form: forms[p.body.ID], Paper: p.at.String(), Amount: p.body.Cents}
		switch part.Form {
		case honest.Gift, honest.Prepaid, honest.OtherVoucher:
			part.Replaces, part.Expires, part.Plays = honest.AnyVoucher, dateOf(p.body.LastDay), playsOf(p.body)
			if earlier := p.body.Replaced(); earlier != (record.Place{}) {
				part.Replaces = earlier.String()
			}
		case honest.Receipt:
			part.Expires = dateOf(p.body.LastDay)
		case honest.CentralVoucher:
			if named(p.body.Particulars) {
				end.Shown |= honest.PayeeNamed
			}
		}
		end.Out = append(end.Out, part)
	}
	t.issued = nil
}

// drawnFor reports whether particulars are of the player, as far as anybody knows: of a person, and where papers are
// brought that name their payee, of that person.
func (t *teller) drawnFor(b *record.SessionEnded, particulars []byte) bool {
	for i := range b.Tenders {
		payee := t.papers[b.Tenders[i].Instrument].payee
		if b.Tenders[i].Kind == record.TenderInstrument && named(payee) && !slices.Equal(payee, particulars) {
			return false
		}
	}
	return named(particulars)
}

// named reports whether particulars are somebody's: nobody's are all zeros.
func named(particulars []byte) bool {
	return slices.ContainsFunc(particulars, func(b byte) bool { return b != 0 })
}

// isStopped reports whether nothing is paid for the ticket whose money is withheld under a name.
func (t *teller) isStopped(name string) bool {
	for ticket, why := range t.stopped {
		if why != 0 && withheld(ticket) == name {
			return true
		}
	}
	return false
}

// redeemed tells of papers that are turned into money, and of nothing else in the session.
func (t *teller) redeemed(back []honest.Act, end honest.Act) {
	for _, a := range back {
		a.Session, a.Shown = "", end.Shown
		for left := a.Amount; left > 0 && len(end.Out) > 0; {
			p := &end.Out[0]
			part := *p
			part.Amount = min(left, p.Amount)
			a.Out = append(a.Out, part)
			left -= part.Amount
			p.More = part.Paper != ""
			if p.Amount -= part.Amount; p.Amount == 0 {
				end.Out = end.Out[1:]
			}
		}
		t.do(a)
	}
}

// swept tells that prizes of games were given up to a fund.
func (t *teller) swept(b *record.PrizesSwept) {
	if b.From != "" {
		return
	}
	for _, line := range b.List {
		for _, at := range t.order {
			if s := t.tickets[at]; s.told[line.Ordinal] > 0 || s.ran && t.void[line.Ordinal] {
				t.do(honest.Act{Kind: honest.Expire, Ticket: at.String(), Game: int(line.Ordinal)})
			}
		}
	}
}

// course tells how games go by.
func (t *teller) course(body record.Body) bool {
	switch b := body.(type) {
	case *record.GameClosed:
		t.do(honest.Act{Kind: honest.Close, Game: int(t.ordinal(b.Game))})
	case *record.NumberDrawn:
		if g := t.ordinal(b.Game); !t.drawn[g] {
			t.drawn[g] = true
			t.do(honest.Act{Kind: honest.Draw, Game: int(g)})
		}
	case *record.GameVoided:
		t.voided(b)
	case *record.ResultCorrected:
		t.corrected[t.ordinal(b.Game)] = true
	case *record.PrizesCarried:
		t.carried = append(t.carried, b.List...)
	case *record.GameSettled:
		g := int(t.ordinal(b.Game))
		for _, c := range t.carried {
			t.do(honest.Act{Kind: honest.Win, Ticket: c.Ticket.String(), Game: g, Amount: c.Cents})
			t.tickets[c.Ticket].ran = true
			t.do(honest.Act{Kind: honest.RunOn, Ticket: c.Ticket.String(), Game: g, To: g + 1})
		}
		t.carried = nil
		t.won()
		if len(t.corrected) > 0 && b.Revision > 1 { // the game of the correction, or a later one that shares more
			t.do(honest.Act{Kind: honest.Record, Game: g})
		}
	default:
		return false
	}
	return true
}

// ordinal returns the place of a game in its series.
func (t *teller) ordinal(g record.Game) uint32 {
	s, _ := t.play.Engine.State().Series(1)
	for ordinal := uint32(1); ; ordinal++ {
		o, ok := s.Game(ordinal)
		if !ok {
			return 0
		}
		if o.Ref == g {
			return ordinal
		}
	}
}

func (t *teller) voided(b *record.GameVoided) {
	g := t.ordinal(b.Game)
	t.do(honest.Act{Kind: honest.Void, Game: int(g)})
	// What runs through a void game goes on as it is.
	for _, c := range t.carried {
		t.do(honest.Act{Kind: honest.Carry, Ticket: c.Ticket.String(), Game: int(g), To: int(g) + 1})
	}
	t.carried = nil
	if !b.Deferred {
		t.void[g] = true
		return
	}
	for _, at := range t.order {
		s := t.tickets[at]
		if s.first <= g && g < s.first+uint32(s.games) || s.carried == g {
			s.carried = g + 1
			t.do(honest.Act{Kind: honest.Carry, Ticket: at.String(), Game: int(g), To: int(g) + 1})
		}
	}
}

// won tells what tickets have won, as the winners files that stand now have it.
func (t *teller) won() {
	for _, at := range t.order {
		s := t.tickets[at]
		won, err := t.play.Entitled(cases.Ticket{Place: at})
		if err != nil {
			continue
		}
		for _, g := range slices.Sorted(maps.Keys(t.corrected)) {
			if cents := won[g]; cents != s.told[g] {
				s.told[g] = cents
				t.do(honest.Act{Kind: honest.Correct, Ticket: at.String(), Game: int(g), Amount: money.Amount(cents)})
			}
		}
		for g, cents := range won {
			if more := cents - s.told[g]; more > 0 && !t.void[g] { // What is due of a void game ran on into it.
				s.told[g] = cents
				t.do(honest.Act{Kind: honest.Win, Ticket: at.String(), Game: int(g), Amount: money.Amount(more)})
			}
		}
	}
}

// Why nothing is paid.
const (
	frozen uint8 = 1 << iota
	disqualified
)

// stops tells what holds money back, and what takes it away.
func (t *teller) stops(body record.Body) bool {
	switch b := body.(type) {
	case *record.PaymentFrozen:
		t.stop(honest.Stop, frozen, b.Places...)
	case *record.PaymentReleased:
		if b.PaidCents > 0 {
			late := honest.Act{Kind: honest.PayLate, Amount: b.PaidCents}
			for _, p := range b.Places {
				late.Things = append(late.Things, p.String())
			}
			t.do(late)
		}
		t.stop(honest.Release, frozen, b.Places...)
	case *record.TicketDisqualified:
		t.stop(honest.Stop, disqualified, b.Ticket)
	case *record.TicketReinstated:
		t.stop(honest.Release, disqualified, b.Ticket)
	case *record.TicketInvalidated:
		t.do(honest.Act{Kind: honest.Invalidate, Ticket: b.Ticket.String()})
	case *record.PaperUndelivered:
		t.do(honest.Act{Kind: honest.Undelivered, Ticket: b.Paper.String()})
	case *record.PaperReissued:
		if t.tickets[b.Of] != nil {
			t.do(honest.Act{Kind: honest.Reprint, Ticket: b.Of.String()})
		}
	case *record.PrizeForfeited:
		for _, part := range b.Parts {
			if part.Ordinal == 0 {
				t.do(honest.Act{Kind: honest.Forfeit, Paper: withheld(b.Ticket), Amount: part.Cents})
				continue
			}
			t.do(honest.Act{Kind: honest.Forfeit, Ticket: b.Ticket.String(), Game: int(part.Ordinal)})
		}
	default:
		return false
	}
	return true
}

func (t *teller) stop(kind honest.Kind, why uint8, places ...record.Place) {
	for _, p := range places {
		if kind == honest.Stop {
			t.stopped[p] |= why
		} else if t.stopped[p] &^= why; t.stopped[p] != 0 {
			continue // It is stopped for another reason, too.
		}
		a := honest.Act{Kind: kind, Paper: p.String()}
		if card, ok := t.cards[p]; ok {
			a.Paper = card
		}
		if t.tickets[p] != nil {
			a = honest.Act{Kind: kind, Ticket: p.String()}
			t.do(honest.Act{Kind: kind, Paper: withheld(p)})
		}
		t.do(a)
	}
}

// claimed tells of claim forms. The book has a claim for each ticket and paper of a form.
func (t *teller) claimed(body record.Body) bool {
	switch b := body.(type) {
	case *record.ClaimLodged:
		t.claims[b.Claim] = &claim{body: b}
		t.each(b.Claim, func(a honest.Act, _ money.Amount) {
			a.Kind, a.Lost, a.Original, a.Shown = honest.Lodge, b.Reason == record.ClaimLost, b.Original, honest.ClaimForm
			t.do(a)
		})
	case *record.ClaimSigned:
		if c := t.claims[b.Claim]; c != nil && b.Satisfied {
			if b.Party == "inspector" {
				c.shown |= honest.Inspector
			} else {
				c.shown |= honest.Operative
			}
		}
	case *record.ClaimDecided:
		if b.Outcome == record.ClaimReferred {
			break
		}
		t.each(b.Claim, func(a honest.Act, _ money.Amount) {
			a.Kind, a.Grant = honest.Decide, b.Outcome == record.ClaimAllowed
			t.do(a)
		})
	case *record.ClaimPaid:
		t.each(b.Claim, func(a honest.Act, n money.Amount) {
			for _, p := range t.claims[b.Claim].body.Parts {
				switch {
				case p.Of.String() != a.Ticket || p.Ordinal == 0:
				case t.stakeOf(p.Of, p.Ordinal):
					a.Games = append(a.Games, int(p.Ordinal))
				default:
					a.Prizes = append(a.Prizes, honest.GamePrize{Game: int(p.Ordinal), Amount: p.Cents})
				}
			}
			a.Kind, a.Ticket, a.Paper, a.Out = honest.PayClaim, "", "", []honest.Part{{Form: forms[b.Means], Amount: n}}
			a.Shown |= honest.PayeeNamed | honest.Operative // Who decides a claim is an operative.
			if b.Account {
				a.Shown |= honest.AccountNamed
			}
			t.do(a)
		})
	default:
		return false
	}
	return true
}

// each visits the tickets and papers of a claim with what is claimed for them. What the end of a
// session has kept for a ticket is a thing of its own.
func (t *teller) each(number uint32, do func(honest.Act, money.Amount)) {
	c := t.claims[number]
	if c == nil {
		return
	}
	type thing struct {
		of   record.Place
		kept bool
	}
	var order []thing
	sum := map[thing]money.Amount{}
	for _, p := range c.body.Parts {
		if p.IsOther() {
			continue // The second book has no tickets of other systems.
		}
		x := thing{p.Of, t.tickets[p.Of] != nil && p.Ordinal == 0}
		if sum[x] == 0 {
			order = append(order, x)
		}
		sum[x] += p.Cents
	}
	for _, x := range order {
		a := honest.Act{Claim: fmt.Sprintf("claim %d of %v", number, x.of), Shown: c.shown,
			At: honest.Place{Desk: honest.HeadOffice}}
		switch {
		case x.kept:
			a.Paper = withheld(x.of)
			a.Claim += ", withheld"
		case t.tickets[x.of] != nil:
			a.Ticket = x.of.String()
		default:
			a.Paper = x.of.String()
		}
		do(a, sum[x])
	}
}
