package state

import (
	"maps"
	"slices"

	"drawhouse/core/day"
	"drawhouse/core/digest"
	"drawhouse/core/money"
	"drawhouse/journal/record"
)

// ClaimForm is a claim form as it stands.
type ClaimForm struct {
	record.ClaimLodged
	Place record.Place
	Notes []record.ClaimNoted
	// Signed are the last signatures, by party.
	Signed  map[string]record.ClaimSigned
	Decided *record.ClaimDecided
	Paid    *record.ClaimPaid
	// Uncopied says that there is a letter or a payment since the inspector took copies.
	Uncopied bool
	// Erased says that the register has forgotten who claimed.
	Erased bool
	// Split says that prizes and stakes of a void game are parts of their own.
	Split bool
}

// Returns reports whether a part of the form is a stake that goes back. On forms of before
// the guards everything of a void game is.
func (c *ClaimForm) Returns(series *Series, p record.ClaimPart) bool {
	if p.IsOther() {
		return false
	}
	g, ok := series.Brief(p.Ordinal)
	return p.At == record.ClaimReturned || ok && g.Phase == PhaseVoid && !c.Split
}

// note adds a paper.
func (c *ClaimForm) note(n record.ClaimNoted) error {
	switch n.Note {
	case record.NoteReceived, record.NoteSent:
		c.Uncopied = true
	case record.NoteCopied:
		c.Uncopied = false
	case record.NoteErased:
		if c.IsOpen() {
			return cannot("the claimant of claim %d is forgotten, and it may still be paid", n.Claim)
		}
		c.Erased = true
	}
	c.Notes = append(c.Notes, n)
	return nil
}

// IsOpen reports whether the claim may still be paid.
func (c *ClaimForm) IsOpen() bool {
	return c.Paid == nil && (c.Decided == nil || c.Decided.Outcome == record.ClaimAllowed)
}

// Clone returns a copy that later records do not change.
func (c *ClaimForm) Clone() ClaimForm {
	again := *c
	again.Notes, again.Signed = slices.Clone(c.Notes), maps.Clone(c.Signed)
	return again
}

// claims are the claim forms, and which tickets and papers open ones are of.
type claims struct {
	forms summed[uint32, ClaimForm] // by number, from 1 on
	under map[record.Place]uint32
	// behind are prizes that stayed where they were while others of their game moved,
	// because of a claim that was then refused. The next sweep takes them along.
	behind map[paidPlay]string
	// lost are the tickets that were paid as lost, by the form, and paid the forms on which
	// something of a ticket was paid.
	lost map[record.Place]uint32
	paid map[record.Place][]uint32
}

// claimFolds are about prizes that nobody fetched in time, and about claim forms.
var claimFolds = []folding{
	on((*State).sweepPrizes),
	on((*State).lodgeClaim),
	on(func(s *State, b *record.ClaimNoted) error {
		return s.onClaim(b.Claim, func(c *ClaimForm) error { return c.note(*b) })
	}),
	on(func(s *State, b *record.ClaimSigned) error {
		return s.onClaim(b.Claim, func(c *ClaimForm) error { return c.sign(*b) })
	}),
	on(func(s *State, b *record.ClaimDecided) error {
		return s.onClaim(b.Claim, func(c *ClaimForm) error { return s.decideClaim(c, b) })
	}),
	on(func(s *State, b *record.ClaimPaid) error {
		return s.onClaim(b.Claim, func(c *ClaimForm) error { return s.payClaim(c, b) })
	}),
}

func (c *ClaimForm) sign(b record.ClaimSigned) error {
	if c.Decided != nil {
		return cannot("claim %d is signed after it was decided", b.Claim)
	}
	c.Signed[b.Party] = b
	return nil
}

// ClaimForm returns a claim form. The caller must not change it.
func (s *State) ClaimForm(number uint32) (*ClaimForm, bool) {
	form := s.claims.forms.get(number)
	return form, form != nil
}

// ClaimCount returns how many claim forms there are: their numbers go from 1 to that.
func (s *State) ClaimCount() uint32 { return uint32(s.claims.forms.len()) }

// ClaimForms returns all claim forms by number. The caller must not change them.
func (s *State) ClaimForms() []*ClaimForm {
	list := make([]*ClaimForm, s.ClaimCount())
	for i := range list {
		list[i] = s.claims.forms.get(uint32(i) + 1)
	}
	return list
}

// LostOn returns the number of the last claim form on which a ticket was paid as lost, or 0. Two
// persons who replace its sheets end that.
func (s *State) LostOn(ticket record.Place) uint32 { return s.claims.lost[ticket] }

// UnderClaim returns the number of the open claim form for a ticket or paper, or 0.
func (s *State) UnderClaim(place record.Place) uint32 { return s.claims.under[place] }

func (s *State) onClaim(number uint32, do func(*ClaimForm) error) error {
	if _, ok := s.ClaimForm(number); !ok {
		return cannot("claim %d was not lodged", number)
	}
	s.noted.claim(number)
	return s.claims.forms.change(number, do)
}

func (s *State) lodgeClaim(b *record.ClaimLodged) error {
	if _, ok := s.series[b.Series]; !ok || b.Claim != s.ClaimCount()+1 {
		return cannot("claim %d after %d of them, of series %d", b.Claim, s.ClaimCount(), b.Series)
	}
	if s.claims.under == nil {
		s.claims.under, s.claims.behind = map[record.Place]uint32{}, map[paidPlay]string{}
	}
	form := &ClaimForm{ClaimLodged: *b, Place: s.next, Signed: map[string]record.ClaimSigned{}, Split: s.Guarded()}
	for _, p := range b.Parts {
		if p.IsOther() {
			if err := s.moveOther(p, OtherOpen, OtherClaimed); err != nil {
				return err
			}
			continue
		}
		if s.claims.under[p.Of] != 0 && s.claims.under[p.Of] != b.Claim {
			return cannot("%v is under claim %d and %d", p.Of, s.claims.under[p.Of], b.Claim)
		}
		s.claims.under[p.Of] = b.Claim
		s.noted.held(p.Of)
		if err := s.reservePart(form, p, p.Cents); err != nil {
			return err
		}
	}
	s.claims.forms.put(b.Claim, form)
	s.noted.claim(b.Claim)
	return nil
}

// reservePart keeps the money of a part where it is, or lets it go with a negative
// amount.
func (s *State) reservePart(c *ClaimForm, p record.ClaimPart, cents money.Amount) error {
	series := s.series[c.Series]
	if p.At == record.ClaimWithheld {
		if held, ok := s.tills.withheld[p.Of]; !ok || held.Cents != p.Cents {
			return cannot("%v of ticket %v are claimed that were withheld, and %v were", p.Cents, p.Of, held.Cents)
		}
		return nil
	}
	if p.IsPaper() {
		if paper := s.tills.papers.get(p.Of); paper == nil || paper.Cents != p.Cents {
			return cannot("paper %v is claimed, which is not out with %v", p.Of, p.Cents)
		}
		return nil
	}
	g, ok := series.Brief(p.Ordinal)
	if !ok || !g.Phase.IsOver() {
		return cannot("ticket %v is claimed for game %d, which is not settled", p.Of, p.Ordinal)
	}
	if c.Returns(series, p) {
		return nil // Stakes go nowhere else.
	}
	series.fates.change(p.Ordinal, func(f *fate) {
		switch p.At {
		case "":
			f.prizes.reserved += cents
		case ByForm:
			f.form.reserved += cents
		}
	})
	return nil
}

// letGo ends what an open claim kept.
func (s *State) letGo(c *ClaimForm) error {
	for _, p := range c.Parts {
		if p.IsOther() {
			if err := s.moveOther(p, OtherClaimed, OtherOpen); err != nil {
				return err
			}
			continue
		}
		delete(s.claims.under, p.Of)
		s.noted.held(p.Of)
		if err := s.reservePart(c, p, -p.Cents); err != nil {
			return err
		}
	}
	return nil
}

func (s *State) decideClaim(c *ClaimForm, b *record.ClaimDecided) error {
	if c.Decided != nil {
		return cannot("claim %d is decided twice", b.Claim)
	}
	c.Decided = b
	if b.Outcome == record.ClaimAllowed {
		return nil
	}
	series := s.series[c.Series]
	for _, p := range c.Parts {
		if p.Ordinal != 0 && (p.At == "" || p.At == ByForm) && series.Swept(p.Ordinal) != p.At {
			s.claims.behind[paidPlay{p.Of, p.Ordinal}] = p.At
		}
	}
	return s.letGo(c)
}

// PrizeAt returns where the prize of a ticket in a game is, as the rulebook names it;
// nothing while it can be fetched.
func (s *State) PrizeAt(series *Series, ticket record.Place, ordinal uint32) string {
	if at, ok := s.claims.behind[paidPlay{ticket, ordinal}]; ok {
		return at
	}
	return series.Swept(ordinal)
}

func (s *State) payClaim(c *ClaimForm, b *record.ClaimPaid) error {
	if c.Decided == nil || c.Decided.Outcome != record.ClaimAllowed || c.Paid != nil || b.Cents != c.Amount() {
		return cannot("claim %d is paid %v, and that was not allowed, or was paid before", b.Claim, b.Cents)
	}
	if err := s.letGo(c); err != nil {
		return err
	}
	c.Paid, c.Uncopied = b, true
	series := s.series[c.Series]
	for _, p := range c.Parts {
		if p.IsOther() {
			if err := s.moveOther(p, OtherOpen, OtherPaid); err != nil {
				return err
			}
			continue
		}
		s.claims.pay(c, p)
		var err error
		switch part := (record.PaidPart{Ordinal: p.Ordinal, Cents: p.Cents}); {
		case p.At == record.ClaimWithheld:
			err = s.tills.handOut(p.Of, p.Cents)
		case p.IsPaper():
			err = s.tills.use(p.Of, p.Cents)
		case c.Returns(series, p):
			if err = s.payPart(series, p.Of, part, series.Owed(p.Of, p.Ordinal), ""); c.Split {
				s.tills.giveUp(p.Of, p.Cents)
			}
		default:
			err = s.payPart(series, p.Of, part, 0, p.At)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pay notes that a part of a form is paid.
func (c *claims) pay(form *ClaimForm, p record.ClaimPart) {
	if p.IsPaper() {
		return
	}
	if c.paid == nil {
		c.lost, c.paid = map[record.Place]uint32{}, map[record.Place][]uint32{}
	}
	if form.Reason == record.ClaimLost {
		c.lost[p.Of] = form.Claim
	}
	if on := c.paid[p.Of]; !slices.Contains(on, form.Claim) {
		c.paid[p.Of] = append(on, form.Claim)
	}
}

// pot is what of the prizes of a game is at one place.
type pot struct{ in, out, reserved money.Amount }

// free is what no claim form has reserved.
func (p pot) free() money.Amount { return p.in - p.out - p.reserved }

// fate is what became of the prizes of a game.
type fate struct {
	// prizes are those that can be fetched at a venue; what went in is in the settlement.
	// form are those that are paid on a claim form alone.
	prizes, form pot
	// overpaid is what was paid for a result that was corrected and is not won by the
	// right one. It is no part of what the settlement states.
	overpaid money.Amount
	swept    string // where the rest went last, as the rulebook names it; empty before
	on       day.Day
}

// fates are what became of the prizes of games, as far as something has.
type fates struct {
	list []fate     // by ordinal - 1
	sum  digest.Sum // of those of which something has become
}

// at returns what became of the prizes of a game.
func (f *fates) at(ordinal uint32) fate {
	if ordinal == 0 || int(ordinal) > len(f.list) {
		return fate{}
	}
	return f.list[ordinal-1]
}

// change changes what became of the prizes of a game that there is.
func (f *fates) change(ordinal uint32, do func(*fate)) {
	if missing := int(ordinal) - len(f.list); missing > 0 {
		f.list = append(f.list, make([]fate, missing)...)
	}
	of := &f.list[ordinal-1]
	if *of != (fate{}) {
		f.sum.Sub(digest.Entry(ordinal, of))
	}
	do(of)
	if *of != (fate{}) {
		f.sum.Add(digest.Entry(ordinal, of))
	}
}

// fetch notes that a prize of a game was paid from a place.
func (s *Series) fetch(ordinal uint32, cents money.Amount, at string) (err error) {
	s.fates.change(ordinal, func(f *fate) {
		from := &f.prizes
		if at != "" {
			from = &f.form
		}
		from.out, err = from.out.Add(cents)
	})
	return err
}

// Swept returns where the prizes of a game went that nobody had fetched in time, as the
// rulebook names it, or nothing before.
func (s *Series) Swept(ordinal uint32) string {
	return s.fates.at(ordinal).swept
}

// SweptOn returns the Keno Day on which they went there.
func (s *Series) SweptOn(ordinal uint32) day.Day {
	return s.fates.at(ordinal).on
}

// Unclaimed returns what of the prizes of a game nobody has fetched or claimed: what can be
// fetched at a venue, and what is kept for claim forms. A void game has prizes where some
// ran on into it.
func (s *Series) Unclaimed(g Brief) (prizes, form money.Amount) {
	if !g.Phase.IsOver() {
		return 0, 0
	}
	f := s.fates.at(g.Ordinal)
	f.prizes.in = g.prizes + f.overpaid
	return f.prizes.free(), f.form.free()
}

// ByForm is where rulebooks say that prizes are paid on a claim form alone.
const ByForm = "claim_form"

func (s *State) sweepPrizes(b *record.PrizesSwept) error {
	series, err := s.openSeries(b.Series, b.Day)
	if err != nil {
		return err
	}
	for _, line := range b.List {
		game, ok := series.Brief(line.Ordinal)
		if !ok {
			return cannot("prizes of game %d, which does not exist", line.Ordinal)
		}
		prizes, form := series.Unclaimed(game)
		fetchable := b.From == "" && prizes == line.Cents
		if !fetchable && !(b.From == ByForm && form == line.Cents && b.To != ByForm) {
			return cannot("%v of game %d go from %q to %s, and that is not where or what they are", line.Cents,
				line.Ordinal, b.From, b.To)
		}
		series.fates.change(line.Ordinal, func(f *fate) {
			if fetchable {
				f.prizes.out += line.Cents
			} else {
				f.form.out += line.Cents
			}
			if b.To == ByForm {
				f.form.in += line.Cents
			}
			f.swept, f.on = b.To, b.Day
		})
		maps.DeleteFunc(s.claims.behind, func(play paidPlay, at string) bool {
			return play.ordinal == line.Ordinal &&
				at == b.From
		})
	}
	return nil
}
