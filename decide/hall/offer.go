package hall

import (
	"fmt"
	"slices"
	"time"

	"drawhouse/core/ledger"
	"drawhouse/core/refusal"
	"drawhouse/decide/state"
	"drawhouse/journal/record"
)

// offerOf finds a promotion.
func offerOf(s *state.State, ref record.Offer) (room, *state.Offer, error) {
	r, err := roomOf(s, ref.Hall)
	if err != nil {
		return r, nil, err
	}
	offer, ok := r.Offer(ref.Offer)
	if !ok {
		return r, nil, offerUnknown(ref)
	}
	return r, offer, nil
}

func offerUnknown(ref record.Offer) *refusal.Refusal {
	return &refusal.Refusal{Code: OfferUnknown, Path: "offer",
		Sentence: fmt.Sprintf("There is no promotion %d.", ref.Offer)}
}

// awardOf finds a prize of a promotion that has started.
func awardOf(s *state.State, ref record.Offer, prize uint8) (room, *state.Offer, *state.OfferAward, error) {
	r, offer, err := offerOf(s, ref)
	if err != nil {
		return r, nil, nil, err
	}
	award, ok := offer.Award(prize)
	if !ok {
		return r, nil, nil, refuse(OfferUnknown, "", "prize", "Promotion %d has no prize %d.", ref.Offer, prize)
	}
	if !offer.Started || offer.Cancelled {
		return r, nil, nil, refuse(OfferPhase, held(offer, ""), "offer",
			"Promotion %d has not started, or was cancelled.", ref.Offer)
	}
	return r, offer, award, nil
}

// held returns the clause by which a promotion does not go on: it was cancelled or is
// postponed, or has not started. For another reason the clause is otherwise.
func held(o *state.Offer, otherwise string) string {
	switch {
	case o.Cancelled || o.Postponed:
		return "10.12"
	case !o.Started:
		return "10.7.7"
	}
	return otherwise
}

// Notify says that the Authority was given the terms of a promotion, whole and good.
// Offer 0 is a new one. Another notice changes the terms; once the promotion has
// started it needs the Authority's approval.
//
//rule:nsw-bingo-2019 10.5 10.6 10.7 10.9 10.9.1
func Notify(s *state.State, n record.OfferNotified) (*record.OfferNotified, error) {
	r, err := roomOf(s, n.Offer.Hall)
	if err != nil {
		return nil, err
	}
	if err := needRank(n.By, record.RankSupervisor, "10.9"); err != nil {
		return nil, err
	}
	if faults := r.noticeFaults(&n, s.Guarded(), "terms"); len(faults) > 0 {
		return nil, faults[0]
	}
	n.Version = 1
	if n.Offer.Offer == 0 {
		n.Offer.Offer = uint32(len(r.Offers) + 1)
	} else if offer, ok := r.Offer(n.Offer.Offer); ok {
		n.Version = offer.Version + 1
	}
	return &n, nil
}

// mayChange reports why the terms of a promotion cannot be changed.
//
//rule:nsw-bingo-2019 10.9.1
func mayChange(o *state.Offer, approval string) *refusal.Refusal {
	if o.Cancelled || slices.ContainsFunc(o.Prizes, func(a state.OfferAward) bool { return a.SealPlace.Volume != 0 }) {
		return &refusal.Refusal{Code: OfferPhase, Clause: "10.9.1", Path: "offer",
			Sentence: fmt.Sprintf("Promotion %d is drawn, or was cancelled.", o.Number)}
	}
	if o.Started && approval == "" {
		return &refusal.Refusal{Code: ApprovalMissing, Clause: "10.9.1", Path: "approval",
			Sentence: "After the start terms change only with the Authority's approval."}
	}
	return nil
}

// Start opens a promotion for entries, not before the Authority has had its terms for
// a day.
//
//rule:nsw-bingo-2019 10.9
func Start(s *state.State, ref record.Offer, now record.Time, by record.By) (*record.OfferStarted, error) {
	r, offer, err := offerOf(s, ref)
	if err != nil {
		return nil, err
	}
	if offer.Started || offer.Cancelled || now < offer.Terms.Starts {
		return nil, refuse(OfferPhase, held(offer, "10.7.7"), "offer",
			"Promotion %d has started, was cancelled, or starts later.", ref.Offer)
	}
	hours := r.rules.Promotion().NoticeHours
	if now < offer.NotifiedAt+record.Time((time.Duration(hours)*time.Hour).Milliseconds()) {
		return nil, refuse(NoticeTooLate, "10.9", "offer",
			"The Authority has the terms at least %d hours before the start.", hours)
	}
	return &record.OfferStarted{Offer: ref, By: by}, nil
}

// EnterOffer takes an entry of a member, until the closing time of the terms.
//
//rule:nsw-bingo-2019 10.7.6
func EnterOffer(s *state.State, ref record.Offer, member string, now record.Time) (*record.OfferEntered, error) {
	r, offer, err := offerOf(s, ref)
	if err != nil {
		return nil, err
	}
	if !offer.Started || offer.Cancelled || offer.Postponed || now >= offer.Terms.Closes {
		return nil, refuse(OfferPhase, held(offer, "10.7.6"), "offer", "Promotion %d takes no entries now.", ref.Offer)
	}
	if !r.Members[member] {
		return nil, refuse(NotAMember, "3.1", "member", "%q is no member of the loyalty programme.", member)
	}
	return &record.OfferEntered{Offer: ref, Entry: uint32(len(offer.Entries) + 1), Member: member}, nil
}

// Award is a claim to a promotional prize.
type Award = record.OfferClaimed

// ClaimOffer grants or denies a claim. Cash above a limit is paid as the winner
// chooses, and up to it in cash. A person who is denied is told why, and above another
// limit name and address are kept, outside the journal.
//
//rule:nsw-bingo-2019 10.3 10.4 10.10 10.10.1
func ClaimOffer(s *state.State, c Award) (*Award, []ledger.Posting, error) {
	r, offer, award, err := awardOf(s, c.Offer, c.Prize)
	if err != nil {
		return nil, nil, err
	}
	prize := &offer.Terms.Prizes[c.Prize-1]
	if !c.Granted {
		switch {
		case c.Reason == "":
			return nil, nil, refuse(ReasonMissing, "10.10", "reason", "Give a reason for denying the prize.")
		case prize.ValueCents > r.rules.Promotion().DeniedKeptOver.Amount() && len(c.Details) == 0:
			return nil, nil, refuse(DetailsMissing, "10.10.1", "details",
				"Name and address are kept of a denied claim to more than %v.",
				r.rules.Promotion().DeniedKeptOver.Amount())
		}
		return &c, nil, nil
	}
	if award.Entry == 0 || offer.Entries[award.Entry-1].Member != c.Member {
		return nil, nil, refuse(NotTheWinner, "10.10", "member", "Member %q has not won prize %d.", c.Member, c.Prize)
	}
	if award.Granted {
		return nil, nil, refuse(OfferPhase, "10.7.8", "prize", "Prize %d was granted.", c.Prize)
	}
	postings, err := r.grant(prize, &c)
	return &c, postings, err
}

// grant pays a prize in money, or the cash that is taken instead.
//
//rule:nsw-bingo-2019 10.3 10.4
func (r room) grant(prize *record.OfferPrize, c *Award) ([]ledger.Posting, error) {
	if c.Alternative && !prize.Alternative {
		return nil, refuse(NoAlternative, "10.3", "alternative", "The terms offer no cash instead of %s.", prize.Name)
	}
	due := prize.ValueCents
	media := []string{string(record.MediumCash)}
	switch {
	case prize.Kind == "cash" || c.Alternative:
		if due > r.rules.Promotion().ChoiceOver.Amount() {
			media = append(media, string(record.MediumCheque), string(record.MediumTransfer))
		}
	case isMoney(prize.Kind):
		media = []string{prize.Kind}
	default:
		due = 0
	}
	postings, err := r.payPart(c.Parts, due, media, "10.4", "parts")
	if err != nil {
		return nil, err
	}
	return ledger.Merge(append(postings, ledger.Debit(ledger.Operator, 0, due))...), nil
}

// Stop postpones a promotion whose integrity is in doubt, clears it, or cancels it.
// The inspectorate is told at once.
//
//rule:nsw-bingo-2019 10.12
func Stop(s *state.State, c record.OfferStopped) (*record.OfferStopped, error) {
	_, offer, err := offerOf(s, c.Offer)
	if err != nil {
		return nil, err
	}
	if err := needRank(c.By, record.RankSupervisor, "10.12"); err != nil {
		return nil, err
	}
	if c.Reason == "" {
		return nil, refuse(ReasonMissing, "10.12", "reason", "A promotion is stopped for a reason.")
	}
	if c.Act != record.OfferCleared && c.Told == "" {
		return nil, refuse(NotTold, "10.12", "told", "The inspectorate is notified at once; say how.")
	}
	if offer.Cancelled || c.Act == record.OfferCleared && !offer.Postponed ||
		c.Act == record.OfferPostponed && offer.Postponed {
		return nil, refuse(OfferPhase, "10.12", "act", "Promotion %d cannot be %s now.", c.Offer.Offer, c.Act)
	}
	return &c, nil
}
