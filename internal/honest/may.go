package honest

import (
	"fmt"
	"slices"

	"drawhouse/core/money"
)

// Refusal is the text saying no.
type Refusal struct{ Clause, Why string }

func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", r.Clause, r.Why) }

// Silence is the text saying nothing. A house that differs from it does not differ from
// the text.
type Silence struct{ Why string }

func (s *Silence) Error() string { return "the text is silent: " + s.Why }

func refuse(clause, format string, args ...any) error {
	return &Refusal{clause, fmt.Sprintf(format, args...)}
}

// May says what the text says about an act: nil if it is allowed, a [*Refusal] with the
// clause, or a [*Silence]. It does not change the book.
func (b *Book) May(a Act) error {
	if _, ok := b.rules.Acts[a.Kind]; !ok {
		return &Silence{fmt.Sprintf("it does not speak of %q", a.Kind)}
	}
	trial := b.clone()
	if !a.Day.isZero() {
		trial.day = a.Day
	}
	if err := trial.formal(a); err != nil {
		return err
	}
	var silent error
	for _, br := range trial.Do(a) {
		if br.Clause != "" {
			return &Refusal{br.Clause, br.What}
		}
		silent = &Silence{br.What}
	}
	return silent
}

// Formal says what the text says about the shape of an act, such as its limits of stakes:
// nil, a [*Refusal] or a [*Silence]. It does not change the book.
func (b *Book) Formal(a Act) error { return b.formal(a) }

// formal checks what the text says about the shape of an act: no money is lost if a house
// does it otherwise, so [Book.Do] does not ask for it.
func (b *Book) formal(a Act) error {
	if a.Kind == Sell {
		if err := b.formalSell(a); err != nil {
			return err
		}
	}
	for _, p := range slices.Concat(a.In, a.Out) {
		if p.Amount <= 0 {
			return refuse(b.rules.Acts[a.Kind], "%v is no amount", p.Amount)
		}
	}
	if shape := shapes[a.Kind]; shape != nil {
		return shape(b, a)
	}
	return nil
}

// shapes says what the text says about the shape of each kind of act beside sales.
var shapes = map[Kind]func(*Book, Act) error{
	Fee: (*Book).formalFee, End: (*Book).formalEnd, Cancel: (*Book).formalBack, Refund: (*Book).formalRefund,
	Win: (*Book).formalWin,
	Pay: (*Book).formalOut, Redeem: (*Book).formalRedeem, Lodge: (*Book).formalClaim,
	Promotion: (*Book).formalPromotion,
}

func (b *Book) formalFee(a Act) error {
	if d := b.rounds[a.Round]; d != nil && d.fee != a.Amount {
		return refuse(b.rules.OneFee, "the fee of session %s is %v", a.Round, d.fee)
	}
	return nil
}

func (b *Book) formalEnd(a Act) error {
	for _, p := range a.In {
		if err := b.formalTender(a.At.Desk, p.Form); err != nil && p.Form != Unpaid {
			return err
		}
	}
	return b.formalOut(a)
}

// formalBack checks the form in which stakes go back.
func (b *Book) formalBack(a Act) error {
	for _, p := range a.Out {
		if p.Form.voucher() && b.rules.VoucherBack == "" {
			return &Silence{"it has no rule for giving a voucher back"}
		}
	}
	return nil
}

func (b *Book) formalRefund(a Act) error {
	if err := b.formalBack(a); err != nil {
		return err
	}
	if b.rules.VoidCarries != "" && !a.LastRun {
		return refuse(b.rules.VoidCarries, "the wager goes to the next game of the day")
	}
	t := b.ticket(a.Ticket)
	if t == nil || t.round == "" {
		return nil
	}
	if t.feeVoid {
		return &Silence{"it does not say who keeps a void fee"}
	}
	if d := b.rounds[t.round]; d != nil && d.closed && t.stakes(voided) == 0 {
		return &Silence{"it does not speak of fees after an early close"}
	}
	return nil
}

func (b *Book) formalWin(a Act) error {
	if step := b.rules.PrizeStep; step.set() && a.Amount%step.Amount != 0 {
		return refuse(step.Clause, "a prize of %v", a.Amount)
	}
	return nil
}

func (b *Book) formalRedeem(a Act) error {
	v := b.papers[a.Paper]
	n := total(a.Out)
	if v != nil && v.form == Receipt && b.rules.RedeemInFull != "" && n > 0 && n < v.left {
		return refuse(b.rules.RedeemInFull, "%s holds %v", v.id, v.left)
	}
	return nil
}

func (b *Book) formalPromotion(a Act) error {
	if n := total(a.Out); n <= b.rules.PromotionFrom.Amount && n != totalOf(a.Out, Cash) {
		return &Silence{"it gives the choice of a cheque only to larger prizes"}
	}
	return nil
}

func (b *Book) formalTender(desk Desk, f Form) error {
	forms, ok := b.rules.Tender[desk]
	if !ok {
		return refuse(b.rules.Acts[Sell], "no entry is sold at a %v", desk)
	}
	if _, ok := forms[f]; !ok {
		return refuse(b.rules.Acts[Sell], "no entry is bought by %s at a %v", f, desk)
	}
	return nil
}

func (b *Book) formalSell(a Act) error {
	r := b.rules
	if _, ok := r.Tender[a.At.Desk]; !ok {
		return refuse(r.Acts[Sell], "no entry is sold at a %v", a.At.Desk)
	}
	for _, p := range a.In {
		if err := b.formalTender(a.At.Desk, p.Form); err != nil {
			return err
		}
	}
	if len(a.Games) == 0 {
		return refuse(r.Acts[Sell], "an entry without a game")
	}
	if r.GamesMost > 0 && len(a.Games) > r.GamesMost {
		return refuse(r.GamesWhere, "%d games", len(a.Games))
	}
	for _, g := range a.Games {
		if s := b.games[g]; s != nil && (s.closed || s.drawn) {
			return refuse(r.Acts[Sell], "game %d is closed", g)
		}
	}
	if most := r.EntryMost[a.At.Desk]; most.set() && (a.Ways == 0 || r.WaysNoMost == "" || a.At.Desk == SelfService) {
		if price := a.Stake * money.Amount(len(a.Games)); price > most.Amount {
			return refuse(most.Clause, "an entry of %v", price)
		}
	}
	if most := r.BetMost[a.Bet][a.At.Desk]; most.set() && a.Stake > most.Amount {
		return refuse(most.Clause, "%v a game", a.Stake)
	}
	if v := b.venues[a.At.Venue]; r.StakeRange != "" {
		if a.Stake < v.Least || v.Most > 0 && a.Stake > v.Most {
			return refuse(r.StakeRange, "%v a game", a.Stake)
		}
	}
	return b.formalStake(a)
}

// formalStake checks the least stake and its steps.
func (b *Book) formalStake(a Act) error {
	r := b.rules
	least, step := r.GameLeast, r.GameStep
	tiered := false
	for _, t := range r.Tiers {
		if a.Ways >= t.Ways {
			least, step, tiered = Limit{t.Each * money.Amount(a.Ways), t.Clause}, Limit{}, true
		}
	}
	if tiered && r.TierStep.set() {
		step = Limit{r.TierStep.Amount * money.Amount(a.Ways), r.TierStep.Clause}
	}
	if tiered && r.WaysLeast.set() && a.Stake < r.WaysLeast.Amount {
		return refuse(r.WaysLeast.Clause, "%v a game", a.Stake)
	}
	if least.set() && a.Stake < least.Amount {
		return refuse(least.Clause, "%v a game for %d ways", a.Stake, a.Ways)
	}
	if step.set() && a.Stake%step.Amount != 0 {
		return refuse(step.Clause, "%v a game is not a multiple of %v", a.Stake, step.Amount)
	}
	return nil
}

func (b *Book) formalOut(a Act) error {
	if above := b.rules.SiteChequeAbove; above.set() && totalOf(a.Out, SiteCheque) > 0 && total(a.Out) <= above.Amount {
		return refuse(above.Clause, "a site cheque voucher for %v", total(a.Out))
	}
	for _, p := range a.Out {
		if p.Form != Card || b.rules.CardPrize == "" || a.Kind == End {
			continue
		}
		if t := b.ticket(a.Ticket); t == nil || t.card != p.Paper {
			return refuse(b.rules.CardPrize, "card %s did not pay for the entry", p.Paper)
		}
	}
	return nil
}

func (b *Book) formalClaim(a Act) error {
	form := Winning
	if a.Ticket == "" {
		v := b.papers[a.Paper]
		if v == nil {
			return nil // the act itself finds it
		}
		form = v.form
		if v.claim != "" {
			return refuse(b.rules.Topics[onClaim], "%s is claimed", v.id)
		}
	} else if t := b.ticket(a.Ticket); t != nil && t.claim != "" && !b.claims[t.claim].closed {
		return refuse(b.rules.Topics[onClaim], "ticket %s is claimed", t.id)
	}
	able := b.rules.UnreadClaims
	if a.Lost {
		if clause, ok := b.rules.LostNever[form]; ok {
			return refuse(clause, "a lost %s", form)
		}
		able = b.rules.LostClaims
	}
	if _, ok := able[form]; !ok {
		return &Silence{"it has no claim for a " + string(form)}
	}
	return nil
}
