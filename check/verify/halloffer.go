package verify

import (
	"slices"
	"strings"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

type hallOffer struct {
	number    uint32
	version   uint16
	terms     *record.OfferTerms
	notified  record.Time
	started   bool
	stopped   bool // postponed
	cancelled bool
	entries   []offerEntry
	prizes    []offerPrize
}

type offerEntry struct {
	member string
	seq    uint64
	won    bool
}

type offerPrize struct {
	seal    hash
	sealed  bool
	draws   uint16
	entry   uint32
	granted bool
}

func offerFault(format string, args ...any) error { return fault(CheckOffers, format, args...) }

// asMoney are the kinds of prizes that are money or as good as it (nsw-bingo-2019 10.3).
var asMoney = []string{"cash", "casino_dollars", "slot_dollars"}

// offerNotified checks that terms have all that they must have, and that they change
// only as they may.
func (c *checker) offerNotified(r *hallRoom, b *record.OfferNotified) error {
	if int(b.Offer.Offer) == len(r.offers)+1 {
		r.offers = append(r.offers, &hallOffer{number: b.Offer.Offer})
	}
	if int(b.Offer.Offer) > len(r.offers) {
		return offerFault("promotion %d comes after %d", b.Offer.Offer, len(r.offers))
	}
	o := r.offers[b.Offer.Offer-1]
	if b.Version != o.version+1 || o.cancelled || o.started && b.Approval == "" ||
		slices.ContainsFunc(o.prizes, func(p offerPrize) bool { return p.sealed }) {
		return offerFault("the terms of promotion %d change, and may not", o.number)
	}
	for _, name := range r.rules.Promotion.Particulars {
		if !slices.ContainsFunc(b.Terms.Particulars, func(d record.OfferDetail) bool {
			return d.Name == name && (strings.TrimSpace(d.Text) != "" || d.Text != "" && c.level < record.LevelGuarded)
		}) {
			return offerFault("the terms do not say %s", name)
		}
	}
	litres := uint64(0)
	for _, p := range b.Terms.Prizes {
		for _, thing := range p.Contains {
			plain := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.TrimSpace(thing))
			if slices.ContainsFunc(r.rules.Promotion.Prohibited, func(word string) bool {
				return strings.EqualFold(word, plain)
			}) {
				return offerFault("the prize %s has %s", p.Name, thing)
			}
		}
		litres += uint64(p.LiquorMillilitres)
	}
	if litres > 1000*uint64(r.rules.Promotion.LiquorLitres) {
		return offerFault("the prizes have %d millilitres of liquor", litres)
	}
	if c.level >= record.LevelGuarded && slices.ContainsFunc(b.Terms.Prizes,
		func(p record.OfferPrize) bool { return !slices.Contains(asMoney, p.Kind) }) {
		for _, thing := range r.rules.Promotion.Prohibited {
			if !slices.Contains(b.Confirms, thing) {
				return offerFault("a prize of promotion %d is no money, and person %d does not say that it has no %s",
					o.number, b.By.Person, thing)
			}
		}
	}
	o.version, o.terms, o.notified = b.Version, &b.Terms, c.now
	o.prizes = make([]offerPrize, len(b.Terms.Prizes))
	return nil
}

func (c *checker) offerStarted(r *hallRoom, o *hallOffer) error {
	notice := time.Duration(r.rules.Promotion.NoticeHours) * time.Hour
	if o.started || o.cancelled || c.now < o.terms.Starts || c.now.Time().Sub(o.notified.Time()) < notice {
		return offerFault("promotion %d starts twice, or before the Authority had its terms for %v", o.number, notice)
	}
	o.started = true
	return nil
}

func (c *checker) offerEntered(r *hallRoom, o *hallOffer, b *record.OfferEntered) error {
	if !o.started || o.cancelled || o.stopped || c.now >= o.terms.Closes || int(b.Entry) != len(o.entries)+1 ||
		!r.members[b.Member] {
		return offerFault("entry %d of %s in promotion %d, which takes none now", b.Entry, b.Member, o.number)
	}
	o.entries = append(o.entries, offerEntry{member: b.Member, seq: c.here()})
	return nil
}

// left returns the entries that have won nothing, from 0.
func (o *hallOffer) left() (list []int) {
	for i := range o.entries {
		if !o.entries[i].won {
			list = append(list, i)
		}
	}
	return list
}

func (r *hallRoom) offerName(o *hallOffer, prize uint8) journal.Game {
	return journal.Game{Series: r.opened.Name + "-promotion", Day: o.terms.Draws.Time().Format("2006-01-02"),
		Number: o.number*100 + uint32(prize)}
}

func (c *checker) offerSealed(r *hallRoom, o *hallOffer, b *record.OfferSealed) error {
	if int(b.Prize) > len(o.prizes) || !o.started || o.cancelled || o.stopped || c.now < o.terms.Draws ||
		o.prizes[b.Prize-1].sealed {
		return offerFault("prize %d is sealed out of turn", b.Prize)
	}
	if o.terms.Prizes[b.Prize-1].ValueCents > r.rules.Promotion.ScrutineerOver.Amount() && b.Scrutineer == "" {
		return offerFault("prize %d is drawn without a scrutineer", b.Prize)
	}
	var in []uint64
	for _, i := range o.left() {
		in = append(in, o.entries[i].seq)
	}
	seal, err := c.roomSeal(b.Seal, r.offerName(o, b.Prize), in, 0,
		func(volume uint16) string { return EntriesFile(b.Offer, b.Prize, volume) })
	o.prizes[b.Prize-1].seal, o.prizes[b.Prize-1].sealed = seal, true
	return err
}

// offerDrawn checks a draw: each number by its bytes, the device's signature, and who
// won. So many numbers are drawn that their orders are at least 1,024 times the
// entries; the rank of the order, unless it is among the highest that would favour
// some, gives the entry by its rest.
func (c *checker) offerDrawn(r *hallRoom, o *hallOffer, b *record.OfferDrawn) error {
	if int(b.Prize) > len(o.prizes) || o.stopped || o.cancelled {
		return offerFault("prize %d is drawn out of turn", b.Prize)
	}
	p, left := &o.prizes[b.Prize-1], o.left()
	if !p.sealed || p.entry != 0 || b.Draw != p.draws+1 {
		return offerFault("draw %d of prize %d is out of turn", b.Draw, b.Prize)
	}
	p.draws = b.Draw
	if err := c.roomStatement(b.Note, r.offerName(o, b.Prize), uint64(b.Draw), p.seal, b.Numbers, offerOf); err != nil {
		return fault(CheckDraw, "the device's statement: %v", err)
	}
	orders, rank := uint64(1), uint64(0)
	var drawn drawnNumbers
	for i, n := range b.Numbers {
		number, err := numberOf(b.Bytes[i], &drawn, offerOf) // On an error 0, which no device states.
		if number != n || orders >= uint64(len(left))<<10 {
			return fault(CheckDraw, "number %d of the draw is %d, and %d is right (%v)", i+1, n, number, err)
		}
		below := uint64(0) // numbers that were not drawn and come before it
		for m := uint8(1); m < n; m++ {
			if !drawn[m] {
				below++
			}
		}
		orders *= uint64(offerOf - i)
		rank = rank*uint64(offerOf-i) + below
		drawn[n] = true
	}
	if orders < uint64(len(left))<<10 {
		return fault(CheckDraw, "%d numbers are too few for %d entries", len(b.Numbers), len(left))
	}
	want := uint32(0)
	if count := uint64(len(left)); rank < orders/count*count {
		want = uint32(left[rank%count]) + 1
	}
	if b.Entry != want {
		return fault(CheckDraw, "entry %d wins, and %d is right", b.Entry, want)
	}
	if p.entry = want; want != 0 {
		o.entries[want-1].won = true
	}
	return nil
}

func (o *hallOffer) told(b *record.OfferTold) error {
	if int(b.Prize) > len(o.prizes) || o.prizes[b.Prize-1].entry == 0 ||
		!slices.Contains([]string{"face-to-face", "mail", "telephone", "email"}, b.Method) {
		return offerFault("the winner of prize %d is told by %s", b.Prize, b.Method)
	}
	return nil
}

// offerClaimed checks who is granted a prize, and how it is paid.
func (r *hallRoom) offerClaimed(o *hallOffer, b *record.OfferClaimed) (postings, error) {
	if int(b.Prize) > len(o.prizes) {
		return nil, offerFault("there is no prize %d", b.Prize)
	}
	p, prize := &o.prizes[b.Prize-1], &o.terms.Prizes[b.Prize-1]
	if !b.Granted {
		if prize.ValueCents > r.rules.Promotion.DeniedKeptOver.Amount() && len(b.Details) == 0 {
			return nil, offerFault("a claim to %v is denied, and nothing is kept of it", prize.ValueCents)
		}
		if prize.ValueCents > r.rules.Promotion.DeniedKeptOver.Amount() {
			r.denied = append(r.denied, record.Hash(b.Details))
		}
		return nil, nil
	}
	if p.entry == 0 || p.granted || o.entries[p.entry-1].member != b.Member || b.Alternative && !prize.Alternative {
		return nil, offerFault("prize %d is granted to %s, who has not won it, or twice", b.Prize, b.Member)
	}
	p.granted = true
	due, media := prize.ValueCents, []string{"cash"}
	switch {
	case prize.Kind == "cash" || b.Alternative:
		if due > r.rules.Promotion.ChoiceOver.Amount() {
			media = append(media, "cheque", "transfer")
		}
	case prize.Kind == "casino_dollars" || prize.Kind == "slot_dollars":
		media = []string{prize.Kind}
	default:
		due = 0
	}
	want, sum, err := r.parts(b.Parts, media)
	if err != nil {
		return nil, err
	}
	if sum != due {
		return nil, offerFault("%v is paid for a prize of %v", sum, due)
	}
	return append(want, ledger.Debit(ledger.Operator, 0, sum)), nil
}

func (o *hallOffer) stop(b *record.OfferStopped) error {
	if o.cancelled || b.Act == record.OfferCleared && !o.stopped || b.Act != record.OfferCleared && b.Told == "" {
		return offerFault("promotion %d is %s out of turn, or the inspectorate was not told", o.number, b.Act)
	}
	o.stopped, o.cancelled = b.Act == record.OfferPostponed, b.Act == record.OfferCancelled
	return nil
}
