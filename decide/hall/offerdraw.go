package hall

import (
	"slices"

	"drawhouse/core/ball"
	"drawhouse/core/day"
	"drawhouse/decide/state"
	"drawhouse/games/draw"
	"drawhouse/journal"
	"drawhouse/journal/record"
)

// prizesPerOffer is how far apart the numbers of two promotions' prizes are in seals.
const prizesPerOffer = 100

// OfferName returns the name by which seals and draws call the draw of a prize: the
// hall, the day of the draw by UTC, and 402 for prize 2 of promotion 4.
func OfferName(h *state.Hall, o *state.Offer, prize uint8) journal.Game {
	year, month, dom := o.Terms.Draws.Time().Date()
	date, err := day.Of(year, int(month), dom)
	if err != nil {
		date = day.None
	}
	return journal.Game{Series: h.Opened.Name + promotionSuffix, Day: date.String(),
		Number: o.Number*prizesPerOffer + uint32(prize)}
}

// SealOffer closes the entries of a prize: a seal with a bitmap of the entries that
// have won nothing yet. A scrutineer oversees draws of great prizes.
//
//rule:nsw-bingo-2019 10.2 10.12
func SealOffer(s *state.State, b record.OfferSealed, now record.Time, at journal.Checkpoint,
	signer journal.Signer) (*record.OfferSealed, Sealed, error) {
	r, offer, award, err := awardOf(s, b.Offer, b.Prize)
	if err != nil {
		return nil, Sealed{}, err
	}
	if offer.Postponed || now < offer.Terms.Draws || award.SealPlace.Volume != 0 || len(offer.Left()) == 0 {
		clause := held(offer, "10.7.1")
		if clause == "10.7.1" && now < offer.Terms.Draws {
			clause = "10.7.2"
		}
		return nil, Sealed{}, refuse(OfferPhase, clause, "offer",
			"Prize %d cannot be drawn: it was, it is too early, nobody is left, or the promotion is postponed.",
			b.Prize)
	}
	if limit := r.rules.Promotion().ScrutineerOver.Amount(); offer.Terms.Prizes[b.Prize-1].ValueCents > limit &&
		b.Scrutineer == "" {
		return nil, Sealed{}, refuse(ScrutineerNeeded, "10.2", "scrutineer",
			"A scrutineer oversees the draw of a prize over %v.", limit)
	}
	var places []record.Place
	for _, i := range offer.Left() {
		places = append(places, offer.Entries[i].Place)
	}
	body := journal.SealBody{Checkpoint: at, Game: OfferName(r.Hall, offer, b.Prize), Plays: uint64(len(places))}
	sealed, err := seal(body, places, s.Next().Volume, signer)
	b.Seal = sealed.Signed
	return &b, sealed, err
}

// spare is how many times more outcomes a draw has than there are entries, so that
// hardly one is drawn again.
const spare = 1 << 10

// offerNumbers returns how many ordered numbers of 90 are drawn to choose among so
// many entries, and how many outcomes there are.
func offerNumbers(entries int) (count int, outcomes uint64) {
	outcomes = 1
	for left := uint64(ball.Bingo); outcomes < uint64(entries)*spare; left-- {
		outcomes *= left
		count++
	}
	return count, outcomes
}

// OfferPlan returns what the device is to draw for a prize.
func OfferPlan(h *state.Hall, o *state.Offer, prize uint8) draw.Plan {
	count, _ := offerNumbers(len(o.Left()))
	return draw.Plan{Game: OfferName(h, o, prize), Revision: uint32(o.Prizes[prize-1].Draws) + 1, Universe: ball.Bingo,
		Least: count, Most: count}
}

// offerIndex maps ordered numbers to an index below the entries: the rank of the
// numbers among all that could have come, modulo the entries. The highest ranks,
// which would favour some, give none.
func offerIndex(numbers []int, entries int) (index int, ok bool) {
	count, outcomes := offerNumbers(entries)
	if count != len(numbers) {
		return 0, false
	}
	rank := uint64(0)
	remaining := ball.Full(ball.Bingo).Numbers()
	for _, n := range numbers {
		at := slices.Index(remaining, n)
		if at < 0 {
			return 0, false
		}
		rank = rank*uint64(len(remaining)) + uint64(at)
		remaining = slices.Delete(remaining, at, at+1)
	}
	if rank >= outcomes-outcomes%uint64(entries) {
		return 0, false
	}
	return int(rank % uint64(entries)), true
}

// DrawOffer takes a draw of the device for a prize, and finds who won.
//
//rule:nsw-bingo-2019 10.2
func DrawOffer(s *state.State, b record.OfferDrawn) (*record.OfferDrawn, error) {
	r, offer, award, err := awardOf(s, b.Offer, b.Prize)
	if err != nil {
		return nil, err
	}
	if award.SealPlace.Volume == 0 || award.Entry != 0 || offer.Postponed {
		return nil, refuse(OfferPhase, held(offer, "10.2"), "prize",
			"Prize %d is not sealed, was drawn, or the promotion is postponed.", b.Prize)
	}
	sealed, err := openSeal(s, award.Seal, award.SealPlace)
	if err != nil {
		return nil, err
	}
	result, err := openResult(s, b.Note)
	if err != nil {
		return nil, err
	}
	plan := OfferPlan(r.Hall, offer, b.Prize)
	numbers := make([]int, len(b.Numbers))
	for i, n := range b.Numbers {
		numbers[i] = int(n)
	}
	if result.Game != plan.Game || result.Revision != plan.Revision || result.Seal != sealed ||
		!slices.Equal(result.Numbers.Numbers(), numbers) || len(numbers) != plan.Most {
		return nil, refuse(DrawNotAttested, "10.2", "note",
			"The device's note is of another draw, seal or other numbers.")
	}
	if err := checkBytes(numbers, b.Bytes); err != nil {
		return nil, err
	}
	b.Draw, b.Entry = uint16(plan.Revision), 0
	left := offer.Left()
	if index, ok := offerIndex(numbers, len(left)); ok {
		b.Entry = uint32(left[index] + 1)
	}
	return &b, nil
}

// checkBytes reports whether bytes give numbers in their order.
func checkBytes(numbers []int, bytes [][]byte) error {
	remaining := ball.Full(ball.Bingo)
	for i, n := range numbers {
		given := 0
		if i < len(bytes) {
			given, _ = draw.NumberFromBytes(remaining, bytes[i])
		}
		if given != n {
			return refuse(NumberNotPossible, "10.2", "bytes",
				"The bytes of number %d give %d and not %d.", i+1, given, n)
		}
		remaining = remaining.Minus(ball.MustOf(ball.Bingo, n))
	}
	return nil
}
