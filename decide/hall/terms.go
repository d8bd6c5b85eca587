package hall

import (
	"fmt"
	"slices"
	"strings"

	"drawhouse/core/refusal"
	"drawhouse/journal/record"
)

// The codes with which promotions are refused.
const (
	TermsMissing     refusal.Code = "terms_missing"     // a particular that the terms must have
	PrizeProhibited  refusal.Code = "prize_prohibited"  // the law prohibits such a prize
	PrizeUnconfirmed refusal.Code = "prize_unconfirmed" // nobody says that a prize in goods has nothing prohibited in it
	PrizeKind        refusal.Code = "prize_kind"        // no such kind of prize
	NoAlternative    refusal.Code = "no_alternative"    // cash is not offered instead
	OfferUnknown     refusal.Code = "offer_unknown"     // there is no such promotion
	OfferPhase       refusal.Code = "offer_phase"       // it has not come so far, or has come further
	NoticeTooLate    refusal.Code = "notice_too_late"   // the Authority has not had the terms long enough
	ApprovalMissing  refusal.Code = "approval_missing"  // the approval of the Authority is not named
	ScrutineerNeeded refusal.Code = "scrutineer_needed" // no scrutineer is named who watches the draw
	MethodOther      refusal.Code = "method_other"      // winners are not told in this way
	NotTheWinner     refusal.Code = "not_the_winner"    // who claims has not won the prize
	DetailsMissing   refusal.Code = "details_missing"   // name and address of the denied claimant are not given
	NotTold          refusal.Code = "not_told"          // the inspectorate was not told
)

// particularClauses are the clauses of the particulars, by the names that the
// rulebook has for them.
var particularClauses = map[string]string{
	"manner": "10.7.1", "award_time_and_place": "10.7.2", "eligibility": "10.7.3", "minimum_wager": "10.7.4",
	"nature_and_qualifications": "10.7.5", "closing_time": "10.7.6", "promotion_place_and_time": "10.7.7",
	"claim_method": "10.7.8", "winner_notification": "10.7.9", "publication": "10.7.10",
	"prize_details_and_value": "10.7.11",
}

// needed is a particular of a kind of prize and its clause.
type needed struct{ name, clause string }

// kindDetails are the kinds of prizes and what their terms must say of each.
var kindDetails = map[string][]needed{
	"cash": nil, "casino_dollars": nil, "slot_dollars": nil, "goods": nil,
	"appliance": {{"make", "10.7.11.1(i)"}, {"model", "10.7.11.1(ii)"}, {"accessories", "10.7.11.1(iii)"}},
	"vehicle": {{"make", "10.7.11.2(i)"}, {"model", "10.7.11.2(ii)"}, {"accessories", "10.7.11.2(iii)"},
		{"on_road_costs", "10.7.11.2(iv)"}},
	"travel": {{"persons", "10.7.11.3(i)"}, {"included", "10.7.11.3(ii)"}, {"restrictions", "10.7.11.3(iii)"},
		{"spending_money", "10.7.11.3(iv)"}},
	"real_estate": {
		{"dwelling", "10.7.11.4(i)"}, {"plans", "10.7.11.4(ii)"}, {"contract", "10.7.11.4(iii)"},
		{"easements", "10.7.11.4(iv)"}, {"address", "10.7.11.4(v)"}, {"included", "10.7.11.4(vi)"},
	},
}

// prohibitedClauses are the clauses against what a prize may not have.
var prohibitedClauses = map[string]string{
	"tobacco": "10.5.1", "firearm": "10.5.2", "ammunition": "10.5.2", "imitation_firearm": "10.5.2",
	"prohibited_weapon": "10.5.3", "liquor_over_limit": "10.5.4", "prescribed_item": "10.5.5",
}

// prohibited returns the word of a rulebook for a prohibited thing that somebody wrote in letters of either case, and
// with spaces or hyphens between its words.
func prohibited(words []string, thing string) (string, bool) {
	written := strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return '_'
		}
		return r
	}, strings.TrimSpace(thing))
	i := slices.IndexFunc(words, func(word string) bool { return strings.EqualFold(word, written) })
	if i < 0 {
		return "", false
	}
	return words[i], true
}

// lacks are the clauses and sentences of what every promotion has.
var lacks = map[record.OfferLack]struct{ clause, sentence string }{
	record.LackName:   {"10.7", "The promotion has no name."},
	record.LackStart:  {"10.7.7", "The promotion has no start."},
	record.LackClose:  {"10.7.6", "Entries close after the start of the promotion."},
	record.LackDraw:   {"10.7.2", "The draw is not before entries close."},
	record.LackPrizes: {"10.7.11", "A promotion has prizes, and not more than can be kept."},
}

// Checklist returns everything for which Notify refuses a notice to the Authority, in the order of its checks, except
// that another person must send it. It is empty for a good notice.
//
//rule:nsw-bingo-2019 10.6 10.7 10.7.1 10.7.2 10.7.3 10.7.4 10.7.5 10.7.6 10.7.7 10.7.8 10.7.9 10.7.10 10.7.11
func Checklist(s Reading, n *record.OfferNotified) ([]*refusal.Refusal, error) {
	r, err := roomOf(s, n.Offer.Hall)
	if err != nil {
		return nil, err
	}
	return r.noticeFaults(n, true, ""), nil
}

// noticeFaults returns what is wrong with a notice: that the promotion cannot be changed, what its terms lack, and what
// nobody confirms of its prizes. The path of a fault of the terms begins with under. In a journal that is not guarded
// yet nobody confirms anything.
func (r room) noticeFaults(n *record.OfferNotified, guarded bool, under string) (list []*refusal.Refusal) {
	if n.Offer.Offer != 0 {
		offer, ok := r.Offer(n.Offer.Offer)
		if !ok {
			return []*refusal.Refusal{offerUnknown(n.Offer)}
		}
		if fault := mayChange(offer, n.Approval); fault != nil {
			list = append(list, fault)
		}
	}
	for _, fault := range r.checklist(&n.Terms) {
		list = append(list, fault.Below(under))
	}
	if guarded {
		list = append(list, r.checkConfirmed(n)...)
	}
	return list
}

func (r room) checklist(t *record.OfferTerms) (list []*refusal.Refusal) {
	for _, lack := range t.Lacks() {
		list = append(list, missing(lacks[lack].clause, string(lack), lacks[lack].sentence))
	}
	list = append(list, r.checkPrizes(t.Prizes)...)
	if strings.TrimSpace(t.Available) == "" {
		list = append(list, missing("10.6", "available", "Where the terms can be had is not said."))
	}
	if strings.TrimSpace(t.Marketing) == "" {
		list = append(list, missing("10.6", "marketing", "Which material refers to the terms is not said."))
	}
	for _, name := range r.rules.Promotion().Particulars {
		if !says(t.Particulars, name) {
			list = append(list, missing(particularClauses[name], "particulars."+name, "The terms do not say it."))
		}
	}
	return list
}

func missing(clause, path, sentence string) *refusal.Refusal {
	return &refusal.Refusal{Code: TermsMissing, Clause: clause, Path: path, Sentence: sentence}
}

func says(list []record.OfferDetail, name string) bool {
	return slices.ContainsFunc(list, func(d record.OfferDetail) bool {
		return d.Name == name &&
			strings.TrimSpace(d.Text) != ""
	})
}

// checkPrizes checks what prizes are, what they have in them and what is said of
// them. Liquor is counted over all prizes of the promotion.
//
//rule:nsw-bingo-2019 10.3 10.5.1 10.5.2 10.5.3 10.5.4 10.5.5
//rule:nsw-bingo-2019 10.7.11 10.7.11.1(i) 10.7.11.1(ii) 10.7.11.1(iii) 10.7.11.2(i) 10.7.11.2(ii) 10.7.11.2(iii) 10.7.11.2(iv)
//rule:nsw-bingo-2019 10.7.11.3(i) 10.7.11.3(ii) 10.7.11.3(iii) 10.7.11.3(iv)
//rule:nsw-bingo-2019 10.7.11.4(i) 10.7.11.4(ii) 10.7.11.4(iii) 10.7.11.4(iv) 10.7.11.4(v) 10.7.11.4(vi)
func (r room) checkPrizes(prizes []record.OfferPrize) (list []*refusal.Refusal) {
	liquor := uint64(0)
	for i := range prizes {
		p := &prizes[i]
		path := "prizes." + p.Name
		details, known := kindDetails[p.Kind]
		if !known || p.ValueCents <= 0 || p.Name == "" {
			list = append(list, &refusal.Refusal{Code: PrizeKind, Clause: "10.7.11", Path: path,
				Sentence: "The name, the kind and the value of the prize are not all said."})
		}
		if p.Alternative && isMoney(p.Kind) {
			list = append(list, &refusal.Refusal{Code: NoAlternative, Clause: "10.3", Path: path,
				Sentence: "Cash is an alternative to prizes that are not money, slot dollars or casino dollars."})
		}
		for _, thing := range p.Contains {
			if word, ok := prohibited(r.rules.Promotion().Prohibited, thing); ok {
				list = append(list, &refusal.Refusal{Code: PrizeProhibited, Clause: prohibitedClauses[word],
					Path: path, Sentence: "No prize may consist of it or include it."})
			}
		}
		for _, d := range details {
			if !says(p.Details, d.name) {
				list = append(list, missing(d.clause, path+"."+d.name, "The terms do not say it of the prize."))
			}
		}
		liquor += uint64(p.LiquorMillilitres)
	}
	if liquor > uint64(r.rules.Promotion().LiquorLitres)*1000 {
		list = append(list, &refusal.Refusal{Code: PrizeProhibited, Clause: "10.5.4", Path: "prizes",
			Sentence: "The prizes have more liquor than a promotion may."})
	}
	return list
}

// checkConfirmed returns what the person who gives the terms to the Authority does not confirm: where a prize is not
// money, that no prize has any of the prohibited things. What a prize is stands in its name, which a person reads.
//
//rule:nsw-bingo-2019 10.5 10.5.1 10.5.2 10.5.3 10.5.4 10.5.5
func (r room) checkConfirmed(n *record.OfferNotified) (list []*refusal.Refusal) {
	unconfirmed := func(clause, sentence string) {
		list = append(list, &refusal.Refusal{Code: PrizeUnconfirmed, Clause: clause, Path: "confirms", Sentence: sentence})
	}
	for _, thing := range n.Confirms {
		if !slices.Contains(r.rules.Promotion().Prohibited, thing) {
			unconfirmed("10.5", fmt.Sprintf("Nothing that is prohibited is called %q.", thing))
		}
	}
	if !slices.ContainsFunc(n.Terms.Prizes, func(p record.OfferPrize) bool { return !isMoney(p.Kind) }) {
		return list
	}
	for _, thing := range r.rules.Promotion().Prohibited {
		if !slices.Contains(n.Confirms, thing) {
			unconfirmed(prohibitedClauses[thing], fmt.Sprintf(
				"A prize is not money. A person who gives the terms to the Authority confirms that no prize has any of this: %s.",
				strings.ReplaceAll(thing, "_", " ")))
		}
	}
	return list
}

// isMoney reports whether a kind of prize is money or as good as it.
func isMoney(kind string) bool {
	return kind == "cash" || kind == "casino_dollars" || kind == "slot_dollars"
}
