package searcher

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"drawhouse/core/money"
)

// step is an act of a chain, made when its turn comes; an empty line is none.
type step func(*World, *rand.Rand) string

// chains are short lists of acts, each with an aim: to bring a voucher through an entry, a
// prize through every way of payment, a thing to the end of its time, and so on. What comes
// of the acts is chosen at random; other acts come in between.
var chains = []func(*World, *rand.Rand) []step{
	spendVoucher, spendVoucher, wearPrize, wearPrize, outlive, stopMidway, giveBack, claimIt, voidIt,
	overLimit, overLimit, payOut, payOut, outlivePaper, stakePrize, twoMachines, twoMachines, oneTotal, agedPaper,
	agedPaper, payElsewhere, shutOut, noFurther,
	onCredit, ownPrize, refundBeside, otherGame, misread, otherPayee, backByItself, noAccount, setBet,
}

// aheadOf takes the next act of the chain that was begun, or begins one.
func (w *World) aheadOf(r *rand.Rand) string {
	if len(w.ahead) == 0 && r.IntN(6) == 0 {
		w.ahead = pick(r, chains)(w, r)
	}
	for len(w.ahead) > 0 && r.IntN(10) > 0 {
		next := w.ahead[0]
		w.ahead = w.ahead[1:]
		if line := next(w, r); line != "" {
			return line
		}
	}
	return ""
}

func say(format string, args ...any) step {
	return func(*World, *rand.Rand) string { return fmt.Sprintf(format, args...) }
}

// some returns one of several lists of steps.
func some(r *rand.Rand, lists ...[]step) []step { return pick(r, lists) }

// sellAs sells a ticket and notes its name.
func sellAs(name *string, till uint32) step {
	return func(w *World, r *rand.Rand) string {
		*name = fmt.Sprintf("A%d", len(w.tickets)+1)
		b := pick(r, w.plan.bets)
		line := fmt.Sprintf("sell %s at T%d %s%s", *name, till, b.text, pick(r, b.stakes))
		if n := pick(r, b.games); n > 1 {
			line += fmt.Sprintf(" for %d games", n)
		}
		return line
	}
}

// sellFor sells a ticket that costs just so much, if the bet of the plan allows it.
func sellFor(name *string, till uint32, dollars string) step {
	return func(w *World, _ *rand.Rand) string {
		*name = fmt.Sprintf("A%d", len(w.tickets)+1)
		return fmt.Sprintf("sell %s at T%d %s%s", *name, till, w.plan.bets[0].text, dollars)
	}
}

// on does something with the thing that a step before has made.
func on(name *string, format string, args ...any) step {
	return func(w *World, _ *rand.Rand) string {
		if !slices.Contains(w.tickets, *name) && !slices.Contains(w.papers, *name) {
			return ""
		}
		return fmt.Sprintf(strings.ReplaceAll(format, "NAME", *name), args...)
	}
}

// endOf ends the session at a terminal in one of the usual ways.
func endOf(till uint32) step {
	return func(w *World, r *rand.Rand) string {
		e := ""
		if r.IntN(2) == 0 {
			e = pick(r, ends)
		}
		return fmt.Sprintf("settle T%d%s%s", till, e, w.newPapers())
	}
}

// anyEnd ends it in one of all the ways that offerSettle knows.
func anyEnd(w *World, r *rand.Rand) string { return w.offerSettle(r) }

func wins(_ *World, r *rand.Rand) string { return "play " + numbers(r, true) }

func (w *World) voucher(r *rand.Rand) string {
	kinds := slices.DeleteFunc(slices.Clone(w.plan.papers),
		func(id string) bool { return !strings.HasSuffix(id, "voucher") })
	if len(kinds) == 0 {
		return ""
	}
	return pick(r, kinds)
}

// spendVoucher buys an entry with a voucher and takes it back in one of the ways.
func spendVoucher(w *World, r *rand.Rand) []step {
	t, kind := w.till(r), w.voucher(r)
	if kind == "" {
		return nil
	}
	paper, ticket, other := "", "", ""
	amount := pick(r, []string{"5.00", "20.00", "20.00", "100.00"})
	issue := func(w *World, r *rand.Rand) string {
		paper = fmt.Sprintf("P%d", w.nextPaper())
		return fmt.Sprintf("issue %s at T%d %s %s%s%s%s", paper, t, kind, amount,
			pick(r, []string{"", "", " for 10 days"}), w.forType(r), pick(r, []string{"", " by the operator"}))
	}
	spend := func(w *World, _ *rand.Rand) string {
		return fmt.Sprintf("settle T%d with %s%s", t, paper, w.newPapers())
	}
	return slices.Concat(
		[]step{issue},
		some(r, nil, nil, []step{later}),
		[]step{say("next T%d", t), sellFor(&ticket, t, pick(r, []string{amount, amount, "1.00", "5.00"}))},
		some(r,
			[]step{on(&paper, "settle T%d with NAME given back", w.till(r))},
			[]step{later, on(&paper, "settle T%d with NAME given back", t)},
			[]step{on(&ticket, "cancel NAME at T%d", t), spend},
			[]step{spend, on(&ticket, "cancel NAME at T%d", t)},
			[]step{spend, say("next T%d", t), on(&ticket, "cancel NAME at T%d", t), endOf(t)},
			[]step{spend, say("next T%d", t), on(&ticket, "cancel NAME at T%d", t), sellFor(&other, t, amount),
				endOf(t), on(&other, "cancel NAME at T%d", t)},
			[]step{spend, say("close"), (*World).voidFirst, on(&ticket, "pay NAME at T%d", t)},
			[]step{spend, say("close"), (*World).voidFirst, say("next T%d", t), on(&ticket, "pay NAME at T%d", t),
				endOf(t)},
			[]step{spend, say("next T%d", t), on(&ticket, "cancel NAME at T%d", t), anyEnd},
			[]step{spend, on(&paper, "settle T%d with NAME given back", t)},
		),
		some(r, nil, []step{on(&paper, "settle T%d with NAME given back", pick(r, w.plan.tills))},
			[]step{on(&paper, "claim NAME unreadable with the original")}),
	)
}

func (w *World) voidFirst(r *rand.Rand) string {
	s, _ := w.play.Engine.State().Series(1)
	waits := s.Unsettled()
	if len(waits) == 0 {
		return ""
	}
	return fmt.Sprintf("void game %d%s", waits[0].Ordinal, pick(r, []string{"", "", " with no further game"}))
}

// wearPrize wins and takes the prize by one way after the other.
func wearPrize(w *World, r *rand.Rand) []step {
	t, at := w.till(r), w.till(r)
	ticket, other := "", ""
	return slices.Concat(
		[]step{sellAs(&ticket, t), wins},
		some(r,
			[]step{on(&ticket, "pay NAME at T%d", at)},
			[]step{say("next T%d", at), on(&ticket, "pay NAME at T%d", at), endOf(at)},
			[]step{say("next T%d", at), on(&ticket, "pay NAME at T%d", at), paperOf(at), endOf(at)},
			[]step{say("next T%d", at), on(&ticket, "pay NAME at T%d", at), sellAs(&other, at), endOf(at),
				on(&other, "cancel NAME at T%d", at)},
			[]step{(*World).offerCardStep, say("next T%d", at), on(&ticket, "pay NAME at T%d", at), cardOf(at),
				endOf(at)},
			[]step{say("next T%d", at), on(&ticket, "pay NAME at T%d", at), edgeOf(at)},
			[]step{say("next T%d", at), on(&ticket, "pay NAME at T%d", at), edgeOf(at)},
		),
		some(r, nil, []step{on(&ticket, "pay NAME at T%d", w.till(r))}, []step{paperBack(w.till(r))},
			[]step{on(&ticket, "cancel NAME at T%d", at)}),
	)
}

func (w *World) offerCardStep(r *rand.Rand) string {
	if w.cards > 0 {
		return ""
	}
	return w.offerCard(r)
}

// paperOf buys a receipt or a voucher in a session.
func paperOf(t uint32) step {
	return func(w *World, r *rand.Rand) string {
		if len(w.plan.papers) == 0 {
			return ""
		}
		a := w.cents(r, max(1, -w.owed(t)))
		return fmt.Sprintf("issue P%d at T%d %s %s", w.nextPaper(), t, pick(r, w.plan.papers), write(a))
	}
}

// cardOf puts what is owed on a card.
func cardOf(t uint32) step {
	return func(w *World, r *rand.Rand) string {
		if w.cards == 0 {
			return ""
		}
		return fmt.Sprintf("settle T%d card %d %s%s%s", t, 1+r.IntN(w.cards), write(-w.cents(r, max(1, -w.owed(t)))),
			pick(r, ends), w.newPapers())
	}
}

// edgeOf ends a session with two means, the first of them at the edge of a limit.
func edgeOf(t uint32) step {
	return func(w *World, r *rand.Rand) string {
		if len(w.plan.means) == 0 {
			return ""
		}
		owed := max(1, -w.owed(t))
		line := fmt.Sprintf("settle T%d pay %s", t, pick(r, w.plan.means))
		if r.IntN(3) > 0 {
			line += " " + write(w.cents(r, owed)) + ", " + pick(r, w.plan.means)
		}
		return line + pick(r, []string{"", " payee", " checked", " payee checked"}) + w.newPapers()
	}
}

// paperBack turns the newest paper into money.
func paperBack(t uint32) step {
	return func(w *World, r *rand.Rand) string {
		if len(w.papers) == 0 {
			return ""
		}
		n := len(w.papers)
		return fmt.Sprintf("settle T%d with %s%s%s", t, w.papers[n-1],
			pick(r, []string{"", " payee", " payee checked", " another payee checked", " pay cheque payee",
				" pay change_receipt", " pay sst_receipt"}), w.newPapers())
	}
}

// later moves on to a Keno Day at the edge of a period.
func later(w *World, r *rand.Rand) string {
	s, _ := w.play.Engine.State().Series(1)
	to, err := s.Day.AddDays(pick(r, w.plan.days))
	if err != nil {
		return ""
	}
	return "day " + to.String()
}

// outlive lets something get old and uses it then.
func outlive(w *World, r *rand.Rand) []step {
	t, at := w.till(r), w.till(r)
	ticket, paper := "", ""
	issue := func(w *World, r *rand.Rand) string {
		if len(w.plan.papers) == 0 {
			return ""
		}
		paper = fmt.Sprintf("P%d", w.nextPaper())
		return fmt.Sprintf("issue %s at T%d %s 20.00%s", paper, t, pick(r, w.plan.papers),
			pick(r, []string{"", "", " for 10 days"}))
	}
	use := func(w *World, _ *rand.Rand) string {
		if paper == "" {
			return ""
		}
		return fmt.Sprintf("settle T%d with %s%s", at, paper, w.newPapers())
	}
	return some(r,
		[]step{sellAs(&ticket, t), wins, later, on(&ticket, "pay NAME at T%d", at),
			on(&ticket, "claim NAME expired with the original"), claimOn, claimOn, claimOn},
		[]step{sellAs(&ticket, t), later, on(&ticket, "cancel NAME at T%d", at)},
		[]step{sellAs(&ticket, t), func(_ *World, r *rand.Rand) string { return "end " + numbers(r, true) },
			on(&ticket, "cancel NAME at T%d", t)},
		[]step{issue, later, say("next T%d", at), sellFor(&ticket, at, "20.00"), use},
		[]step{issue, later, use},
		[]step{issue, say("next T%d", t), sellFor(&ticket, t, "20.00"), use, later,
			on(&ticket, "cancel NAME at T%d", t)},
		[]step{sellAs(&ticket, t), wins, say("next T%d", at), on(&ticket, "pay NAME at T%d", at), edgeOf(at), later,
			paperBack(at), paperBack(t)},
		[]step{issue, say("next T%d", t), sellFor(&ticket, t, "20.00"), use, say("next T%d", t),
			on(&ticket, "cancel NAME at T%d", t), endOf(t), later, paperBack(t)},
	)
}

// claimOn takes the newest claim one step on.
func claimOn(w *World, r *rand.Rand) string {
	if w.claims == 0 {
		return ""
	}
	form, ok := w.play.Engine.State().ClaimForm(uint32(w.claims))
	if !ok || !form.IsOpen() {
		return ""
	}
	return pick(r, []string{
		fmt.Sprintf("sign %d as %s", w.claims, w.plan.parties[0]),
		fmt.Sprintf("sign %d as %s", w.claims, pick(r, w.plan.parties)),
		fmt.Sprintf("decide %d allowed", w.claims), fmt.Sprintf("settle-claim %d by cheque", w.claims),
		fmt.Sprintf("settle-claim %d by cash at venue 1", w.claims),
	})
}

// stopMidway stops payment at some point of the way of a ticket.
func stopMidway(w *World, r *rand.Rand) []step {
	t := w.till(r)
	ticket := ""
	stop := on(&ticket, pick(r, []string{"freeze NAME", "freeze NAME", "disqualify NAME by operative inspector",
		"disqualify NAME by supervisor", "undelivered NAME at T1"}))
	first := []step{sellAs(&ticket, t), wins}
	return some(r,
		slices.Concat(first, []step{stop, on(&ticket, "pay NAME at T%d", t)}),
		slices.Concat(first, []step{say("next T%d", t), on(&ticket, "pay NAME at T%d", t), stop, endOf(t),
			on(&ticket, "pay NAME at T%d", t), on(&ticket, "release NAME"), on(&ticket, "pay NAME at T%d", t)}),
		[]step{sellAs(&ticket, t), stop, on(&ticket, "cancel NAME at T%d", t)},
		[]step{sellAs(&ticket, t), say("next T%d", t), on(&ticket, "cancel NAME at T%d", t), stop, endOf(t)},
		slices.Concat(first, []step{on(&ticket, "claim NAME lost"), stop, claimOn, claimOn, claimOn, claimOn}),
	)
}

// giveBack sells and cancels, here or elsewhere, before and after games.
func giveBack(w *World, r *rand.Rand) []step {
	t, at := w.till(r), w.till(r)
	ticket := ""
	return slices.Concat(
		some(r, []step{sellAs(&ticket, t)}, []step{say("next T%d", t), sellAs(&ticket, t)},
			[]step{say("next T%d", t), sellAs(&ticket, t), endOf(t)}),
		some(r, nil, []step{wins}, []step{say("close")}),
		[]step{on(&ticket, "cancel NAME at T%d", at), on(&ticket, "cancel NAME at T%d", t)},
		some(r, nil, []step{on(&ticket, "pay NAME at T%d", at)}, []step{endOf(t)}),
	)
}

// claimIt claims a ticket, has the claim paid and brings the ticket as well.
func claimIt(w *World, r *rand.Rand) []step {
	t := w.till(r)
	ticket := ""
	return slices.Concat(
		[]step{sellAs(&ticket, t), wins,
			on(&ticket, "claim NAME %s%s", pick(r, w.plan.reasons), pick(r, []string{"", " with the original"}))},
		some(r, nil, []step{on(&ticket, "pay NAME at T%d", t)}, []step{on(&ticket, "cancel NAME at T%d", t)}),
		[]step{claimOn, claimOn, claimOn, claimOn, claimOn},
		some(r, []step{on(&ticket, "pay NAME at T%d", t)},
			[]step{on(&ticket, "claim NAME lost"), claimOn, claimOn, claimOn, claimOn}),
	)
}

// voidIt voids a game and has its stake back.
func voidIt(w *World, r *rand.Rand) []step {
	t := w.till(r)
	ticket := ""
	return slices.Concat(
		[]step{sellAs(&ticket, t), say("close"), (*World).voidFirst},
		some(r,
			[]step{on(&ticket, "pay NAME at T%d", t)},
			[]step{say("next T%d", t), on(&ticket, "pay NAME at T%d", t), endOf(t)},
			[]step{on(&ticket, "cancel NAME at T%d", t), on(&ticket, "pay NAME at T%d", t)},
			[]step{say("open"), wins, on(&ticket, "pay NAME at T%d", t), on(&ticket, "pay NAME at T%d", w.till(r))},
			[]step{on(&ticket, "forfeit NAME at T%d", t), on(&ticket, "pay NAME at T%d", t)},
		),
	)
}

// sellLarge sells a ticket for one of the larger stakes of the plan, which wins.
func sellLarge(name *string, till uint32) step {
	return func(w *World, r *rand.Rand) string {
		*name = fmt.Sprintf("A%d", len(w.tickets)+1)
		b := w.plan.bets[0]
		return fmt.Sprintf("sell %s at T%d %s%s", *name, till, b.text, pick(r, b.stakes[len(b.stakes)/2:]))
	}
}

// endBy ends a session by one of the means of the plan, with what it needs or without.
func endBy(till uint32) step {
	return func(w *World, r *rand.Rand) string {
		means, shown := pick(r, w.plan.means), pick(r,
			[]string{"", " payee", " checked", " payee checked", " payee checked", " payee without account checked"})
		if means == "transfer" && shown == "" {
			shown = " nameless account"
		}
		return fmt.Sprintf("settle T%d pay %s%s%s", till, means, shown, w.newPapers())
	}
}

// endNamed ends a session with a payee who was looked up.
func endNamed(till uint32) step {
	return func(w *World, _ *rand.Rand) string {
		return fmt.Sprintf("settle T%d payee checked%s", till, w.newPapers())
	}
}

// chipsFor pays what a session owes with chips.
func chipsFor(till uint32) step {
	return func(w *World, _ *rand.Rand) string {
		if owed := w.owed(till); owed > 0 {
			return fmt.Sprintf("settle T%d chips %s", till, write(owed))
		}
		return ""
	}
}

// overLimit gives a venue a low limit, and brings money of every origin over it.
func overLimit(w *World, r *rand.Rand) []step {
	t, at := w.till(r), w.till(r)
	ticket := ""
	limit := func(_ *World, r *rand.Rand) string {
		return fmt.Sprintf("limit venue 1 %s", pick(r, []string{"300.00", "300.00", "500.00"}))
	}
	back := some(r,
		[]step{on(&ticket, "cancel NAME at T%d", t)},
		[]step{say("next T%d", t), on(&ticket, "cancel NAME at T%d", t), endBy(t), endOf(t)},
		[]step{say("close"), (*World).voidFirst, on(&ticket, "pay NAME at T%d", t)},
	)
	return slices.Concat([]step{limit}, some(r,
		slices.Concat([]step{sellLarge(&ticket, t)}, back),
		slices.Concat([]step{say("next T%d", t), sellLarge(&ticket, t), chipsFor(t)}, back),
		[]step{sellLarge(&ticket, 2), wins, say("next T2"), on(&ticket, "pay NAME at T2"), endOf(2), paperBack(at),
			paperBack(1), paperBack(3)},
		[]step{sellLarge(&ticket, t), wins, say("next T%d", at), on(&ticket, "pay NAME at T%d", at), endBy(at),
			endOf(at)},
	))
}

// payOut pays a prize by each means, with the paper and the person that it needs or without.
func payOut(w *World, r *rand.Rand) []step {
	t, at := w.till(r), w.till(r)
	ticket := ""
	return slices.Concat(
		some(r, []step{sellAs(&ticket, t)}, []step{sellLarge(&ticket, t)}),
		[]step{wins, say("next T%d", at), on(&ticket, "pay NAME at T%d", at), endBy(at), endBy(at), endBy(at),
			endOf(at), paperBack(3)},
	)
}

// outlivePaper has a prize paid by a paper, and brings that after its time.
func outlivePaper(w *World, r *rand.Rand) []step {
	t := w.till(r)
	ticket := ""
	return slices.Concat(
		[]step{sellLarge(&ticket, t), wins, say("next T%d", t), on(&ticket, "pay NAME at T%d", t)},
		some(r, []step{endNamed(t)}, []step{endOf(t)}),
		[]step{later, paperBack(1), paperBack(3)},
		some(r, nil, []step{later, paperBack(1), paperBack(3)}),
	)
}

// stakePrize stakes a large prize on entries and takes these back, one by one.
func stakePrize(w *World, r *rand.Rand) []step {
	t := pick(r, []uint32{1, 1, 3})
	ticket, one, two := "", "", ""
	small := func(name *string) step { return sellFor(name, t, pick(r, []string{"1.00", "20.00", "1000.00"})) }
	back := func(name *string) []step {
		return some(r, []step{on(name, "cancel NAME at T%d", t)},
			[]step{say("next T%d", t), on(name, "cancel NAME at T%d", t), endOf(t)},
			[]step{say("next T%d", t), on(name, "cancel NAME at T%d", t), small(&ticket),
				endOf(t)}, []step{say("close"), (*World).voidFirst, on(name, "pay NAME at T%d", t)})
	}
	return slices.Concat(
		[]step{sellLarge(&ticket, t), wins, say("next T%d", t), on(&ticket, "pay NAME at T%d", t), small(&one),
			small(&two), endNamed(t)},
		back(&one), back(&two),
	)
}

// oneTotal has two tickets of two games win, each paid in a visit of its own, in which a part of its prize is staked.
// The first stake comes back at a self-service terminal. Both tickets win again, and are paid and staked in one visit.
func oneTotal(w *World, r *rand.Rand) []step {
	if !slices.Contains(w.plan.tills, 4) {
		return nil
	}
	t, machine := pick(r, []uint32{1, 1, 3}), pick(r, []uint32{2, 4})
	one, two, staked, other := "", "", "", ""
	twice := func(name *string) step {
		return func(w *World, r *rand.Rand) string {
			return sellFor(name, t, pick(r, []string{"1000.00", "2000.00", "2000.00", "3000.00"}))(w, r) + " for 2 games"
		}
	}
	// part sells an entry for a part of what the visit has for the customer, and a little more.
	part := func(name *string, num, of int64, more int) step {
		return func(w *World, r *rand.Rand) string {
			return sellFor(name, t, fmt.Sprintf("%d.00", max(1, -w.owed(t).Cents()/100*num/of+int64(more))))(w, r)
		}
	}
	return slices.Concat(
		[]step{twice(&one), twice(&two), wins},
		[]step{say("next T%d", t), on(&one, "pay NAME at T%d", t), part(&staked, pick(r, []int64{3, 5, 5}), 6, 0),
			endNamed(t)},
		[]step{say("next T%d", t), on(&two, "pay NAME at T%d", t), part(&other, 0, 1, 20), endNamed(t)},
		[]step{say("next T%d", machine), on(&staked, "cancel NAME at T%d", machine), wins},
		[]step{say("next T%d", t), on(&one, "pay NAME at T%d", t), on(&two, "pay NAME at T%d", t),
			part(&other, 1, 2, 10), endNamed(t)},
	)
}

// twoMachines stakes a large prize on two entries whose game is void, or which are cancelled, and has one come
// back at a self-service terminal while the other comes back elsewhere.
func twoMachines(w *World, r *rand.Rand) []step {
	t := pick(r, []uint32{1, 1, 3})
	ticket, one, two := "", "", ""
	// half sells an entry for about a half of what the session at the writer's terminal has for the customer.
	half := func(name *string) step {
		return func(w *World, r *rand.Rand) string {
			return sellFor(name, t, fmt.Sprintf("%d.00", max(1, (-w.owed(t)).Cents()/200-int64(r.IntN(3)))))(w, r)
		}
	}
	all := func(name *string) step {
		return func(w *World, r *rand.Rand) string {
			return sellFor(name, t, fmt.Sprintf("%d.00", max(1, (-w.owed(t)).Cents()/100)))(w, r)
		}
	}
	a := pick(r, []uint32{2, 4})
	b := pick(r, []uint32{1, 2, 3, 4, 6 - a, 6 - a})
	verb := "cancel"
	var void []step
	if r.IntN(2) == 0 {
		verb, void = "pay", []step{say("close"), (*World).voidFirst}
	}
	limit := some(r, nil, []step{(*World).offerLimit})
	return slices.Concat(limit,
		[]step{sellLarge(&ticket, t), wins, say("next T%d", t), on(&ticket, "pay NAME at T%d", t), half(&one),
			all(&two), endNamed(t)},
		void,
		[]step{say("next T%d", a), on(&one, verb+" NAME at T%d", a), say("next T%d", b),
			on(&two, verb+" NAME at T%d", b)},
		some(r, []step{endOf(a), endOf(b)}, []step{endNamed(b), endOf(a)}),
	)
}

// noAccount has a prize sent to an account, which its payee may not have named.
func noAccount(w *World, r *rand.Rand) []step {
	if !slices.Contains(w.plan.means, "transfer") {
		return nil
	}
	t := w.till(r)
	ticket := ""
	names := pick(r, []string{" payee", " payee without account", " payee without account", " nameless account"})
	end := func(w *World, _ *rand.Rand) string {
		return fmt.Sprintf("settle T%d pay transfer%s checked%s", t, names, w.newPapers())
	}
	return []step{sellAs(&ticket, t), wins, say("next T%d", t), on(&ticket, "pay NAME at T%d", t), end, endNamed(t)}
}

// agedPaper has a paper that is a day old given for another: a voucher through an entry, a receipt
// for itself.
func agedPaper(w *World, r *rand.Rand) []step {
	t, kind := w.till(r), w.voucher(r)
	paper, ticket := "", ""
	nextDay := func(w *World, _ *rand.Rand) string {
		s, _ := w.play.Engine.State().Series(1)
		to, err := s.Day.AddDays(1)
		if err != nil {
			return ""
		}
		return "day " + to.String()
	}
	again := func(w *World, _ *rand.Rand) string {
		if len(w.papers) == 0 {
			return ""
		}
		n := len(w.papers)
		form := "change_receipt"
		if slices.Contains(w.plan.means, "sst_receipt") {
			form = "sst_receipt"
		}
		return fmt.Sprintf("settle T%d with %s pay %s%s", 2, w.papers[n-1], form, w.newPapers())
	}
	receipt := []step{sellFor(&ticket, 2, "5.00"), wins, say("next T2"), on(&ticket, "pay NAME at T2"), endOf(2),
		nextDay, again}
	if kind == "" {
		return receipt
	}
	issue := func(w *World, _ *rand.Rand) string {
		paper = fmt.Sprintf("P%d", w.nextPaper())
		return fmt.Sprintf("issue %s at T%d %s 20.00 by the operator", paper, t, kind)
	}
	spend := func(w *World, _ *rand.Rand) string {
		return fmt.Sprintf("settle T%d with %s%s", t, paper, w.newPapers())
	}
	return some(r, receipt, []step{
		issue, nextDay, say("next T%d", t), sellFor(&ticket, t, "20.00"), spend, say("next T%d", t),
		on(&ticket, "cancel NAME at T%d", t), endNamed(t),
	})
}

// payElsewhere has a prize paid at the other venue, which may be one that pays vouchers alone.
func payElsewhere(_ *World, r *rand.Rand) []step {
	ticket := ""
	return slices.Concat(
		some(r, []step{sellLarge(&ticket, 1)}, []step{sellAs(&ticket, 1)}),
		[]step{wins, say("next T3"), on(&ticket, "pay NAME at T3"), endBy(3), say("settle T3 pay cheque payee checked"),
			endOf(3)},
	)
}

// shutOut shuts a terminal out whose session is open, has it unwound, and asks for its money elsewhere.
func shutOut(w *World, r *rand.Rand) []step {
	t, at := w.till(r), w.till(r)
	ticket, one, two := "", "", ""
	unwind := func(w *World, r *rand.Rand) string {
		owed := max(0, w.unwinds(t))
		return fmt.Sprintf("terminal %d unwound %s", t, write(pick(r, []money.Amount{owed, owed, owed, 0, owed / 2})))
	}
	return slices.Concat(
		[]step{sellAs(&ticket, at), sellFor(&two, t, "5.00"), wins, say("next T%d", t),
			on(&ticket, "pay NAME at T%d", t)},
		some(r, nil, []step{on(&two, "cancel NAME at T%d", t)}, []step{paperOf(t)}),
		some(r, []step{sellAs(&one, t)}, nil, []step{sellAs(&one, t), on(&one, "cancel NAME at T%d", t)}),
		[]step{say("terminal %d shut", t)},
		some(r, nil, nil, []step{on(&ticket, "freeze NAME")}, []step{endOf(t)}, []step{wins}),
		[]step{unwind},
		some(r, []step{say("terminal %d keyed", t)}, nil),
		some(r, []step{on(&ticket, "pay NAME at T%d", at)},
			[]step{say("next T%d", at), on(&ticket, "pay NAME at T%d", at), edgeOf(at)},
			[]step{on(&one, "cancel NAME at T%d", at), on(&one, "pay NAME at T%d", at)}),
	)
}

// noFurther declares that no further game of the day is possible, and goes on all the same.
func noFurther(w *World, r *rand.Rand) []step {
	t := w.till(r)
	ticket, other := "", ""
	over := func(w *World, _ *rand.Rand) string {
		s, _ := w.play.Engine.State().Series(1)
		if waits := s.Unsettled(); len(waits) > 0 {
			return fmt.Sprintf("void game %d with no further game", waits[0].Ordinal)
		}
		return ""
	}
	return slices.Concat(
		[]step{sellAs(&ticket, t), say("close")},
		some(r, nil, []step{say("open")}),
		[]step{over},
		some(r, []step{sellAs(&other, t), wins}, []step{say("open"), sellAs(&other, t)},
			[]step{on(&ticket, "pay NAME at T%d", t)}),
	)
}

// onCredit has a visit end that does not pay all, and asks for what it got: on a card, as a paper or
// as an entry.
func onCredit(w *World, r *rand.Rand) []step {
	t, at := w.till(r), w.till(r)
	ticket, paper := "", ""
	unpaid := func(what string) step {
		return func(w *World, r *rand.Rand) string {
			owed := max(1, w.owed(t))
			return fmt.Sprintf("settle T%d%s unpaid%s", t, what,
				pick(r, []string{"", " but 0.01", " but " + write(max(1, owed/2)), " but " + write(max(1, owed-1))}))
		}
	}
	buy := func(w *World, r *rand.Rand) string {
		if len(w.plan.papers) == 0 {
			return ""
		}
		paper = fmt.Sprintf("P%d", w.nextPaper())
		return fmt.Sprintf("issue %s at T%d %s 20.00", paper, t, pick(r, w.plan.papers))
	}
	use := func(w *World, _ *rand.Rand) string {
		if paper == "" {
			return ""
		}
		return fmt.Sprintf("settle T%d with %s%s", at, paper, w.newPapers())
	}
	lists := [][]step{
		{say("next T%d", t), sellAs(&ticket, t), unpaid(""), on(&ticket, "release NAME"),
			on(&ticket, "cancel NAME at T%d", t)},
		{say("next T%d", t), sellAs(&ticket, t), unpaid(""), wins, on(&ticket, "release NAME paid 0.01"),
			on(&ticket, "pay NAME at T%d", at)},
		{say("next T%d", t), buy, unpaid(""), use, on(&paper, "release NAME"), use},
		{say("next T%d", t), buy, use},
		{say("next T%d", t), sellAs(&ticket, t), on(&ticket, "cancel NAME at T%d", at), wins,
			on(&ticket, "claim NAME lost"), on(&ticket, "pay NAME at T%d", at)},
	}
	if w.plan.card {
		card := pick(r, []string{" card 1 -50.00", " card 1 -20.00", " card 1 -5.00"})
		lists = append(lists,
			[]step{(*World).offerCardStep, say("next T%d", t), sellAs(&ticket, t), unpaid(card)},
			[]step{(*World).offerCardStep, unpaid(card), say("settle T%d card 1 5.00", at)},
			[]step{(*World).offerCardStep, say("next T%d", t), unpaid(card), say("settle T%d card 1 5.00", at)})
	}
	return some(r, lists...)
}

// ownPrize has a ticket win while its visit is open, and asks for the prize there or elsewhere.
func ownPrize(w *World, r *rand.Rand) []step {
	t := w.till(r)
	ticket, other := "", ""
	return slices.Concat(
		[]step{say("next T%d", t), sellAs(&ticket, t), wins},
		some(r, []step{on(&ticket, "pay NAME at T%d", t)},
			[]step{say("next T%d", w.till(r)), on(&ticket, "pay NAME at T%d", w.till(r))},
			[]step{on(&ticket, "cancel NAME at T%d", t)},
			[]step{on(&ticket, "claim NAME unreadable with the original"), claimOn, claimOn}),
		some(r, nil, []step{sellAs(&other, t)}),
		[]step{endOf(t), on(&ticket, "pay NAME at T%d", t)},
	)
}

// refundBeside takes an entry of a voucher back in a visit that buys something else too.
func refundBeside(w *World, r *rand.Rand) []step {
	t, kind := pick(r, []uint32{1, 1, 3}), w.voucher(r)
	if kind == "" {
		return nil
	}
	paper, ticket, other := "", "", ""
	issue := func(w *World, r *rand.Rand) string {
		paper = fmt.Sprintf("P%d", w.nextPaper())
		return fmt.Sprintf("issue %s at T%d %s 20.00 by the operator", paper, t, kind)
	}
	spend := func(w *World, _ *rand.Rand) string {
		return fmt.Sprintf("settle T%d with %s%s", t, paper, w.newPapers())
	}
	receipt := func(w *World, r *rand.Rand) string {
		return fmt.Sprintf("issue P%d at T%d %s %s", w.nextPaper(), t, pick(r, w.plan.papers),
			pick(r, []string{"5.00", "19.99", "20.00", "20.01", "50.00"}))
	}
	beside := some(r, []step{receipt}, []step{receipt, sellFor(&other, t, "5.00")}, []step{sellAs(&other, t)},
		[]step{receipt, receipt}, nil)
	return slices.Concat(
		[]step{issue, say("next T%d", t), sellFor(&ticket, t, pick(r, []string{"20.00", "20.00", "5.00", "100.00"})),
			spend},
		some(r, nil, []step{say("close"), (*World).voidFirst, say("open")}),
		[]step{say("next T%d", t)},
		some(r, slices.Concat(beside, []step{on(&ticket, "cancel NAME at T%d", t), on(&ticket, "pay NAME at T%d", t)}),
			slices.Concat([]step{on(&ticket, "cancel NAME at T%d", t), on(&ticket, "pay NAME at T%d", t)}, beside)),
		some(r, []step{endOf(t)}, []step{anyEnd}, []step{cardOf(t)}, []step{edgeOf(t)}),
	)
}

// backByItself brings an entry that a voucher has paid for back to a self-service terminal, which hands out
// no voucher.
func backByItself(w *World, r *rand.Rand) []step {
	kind := w.voucher(r)
	if kind == "" {
		return nil
	}
	paper, ticket := "", ""
	issue := func(w *World, r *rand.Rand) string {
		paper = fmt.Sprintf("P%d", w.nextPaper())
		return fmt.Sprintf("issue %s at T1 %s 20.00%s", paper, kind,
			pick(r, []string{"", " by the operator", " by the operator"}))
	}
	t := pick(r, []uint32{1, 2})
	spend := func(w *World, _ *rand.Rand) string {
		return fmt.Sprintf("settle T%d with %s%s", t, paper, w.newPapers())
	}
	return slices.Concat(
		[]step{issue, say("next T%d", t), sellFor(&ticket, t, pick(r, []string{"20.00", "5.00", "100.00"})), spend},
		some(r, nil, []step{say("close"), (*World).voidFirst, say("open")}),
		[]step{say("next T2"), on(&ticket, "cancel NAME at T2"), on(&ticket, "pay NAME at T2")},
		some(r, nil, []step{endOf(2)}),
	)
}

// otherGame pays with a voucher of one type of game for entries of others, and takes those back.
func otherGame(w *World, r *rand.Rand) []step {
	t, kind := w.till(r), w.voucher(r)
	if kind == "" || len(w.plan.types) == 0 {
		return nil
	}
	paper, one, two := "", "", ""
	issue := func(w *World, r *rand.Rand) string {
		paper = fmt.Sprintf("P%d", w.nextPaper())
		return fmt.Sprintf("issue %s at T%d %s 20.00 for %s%s", paper, t, kind,
			pick(r, slices.Concat(w.plan.types, []string{"bonus"})), pick(r, []string{"", " by the operator"}))
	}
	heads := func(name *string) step {
		return func(w *World, r *rand.Rand) string {
			*name = fmt.Sprintf("A%d", len(w.tickets)+1)
			return fmt.Sprintf("sell %s at T%d heads_or_tails heads @ %s", *name, t, pick(r, []string{"20.00", "5.00"}))
		}
	}
	spend := func(w *World, _ *rand.Rand) string {
		return fmt.Sprintf("settle T%d with %s%s", t, paper, w.newPapers())
	}
	return slices.Concat(
		[]step{issue, say("next T%d", t)},
		some(r, []step{heads(&one)}, []step{sellFor(&one, t, "20.00")}, []step{heads(&one), sellFor(&two, t, "20.00")},
			[]step{sellFor(&two, t, "5.00"), heads(&one)}),
		some(r, nil, nil, []step{on(&one, "cancel NAME at T%d", t)}),
		[]step{spend, say("next T%d", t), on(&one, "cancel NAME at T%d", t)},
		some(r, nil, []step{sellFor(&two, t, "20.00")}, []step{heads(&two)}),
		[]step{endOf(t), on(&two, "cancel NAME at T%d", t)},
	)
}

// misread has a result corrected before or after its prizes are paid, and asks for them again.
func misread(w *World, r *rand.Rand) []step {
	if !w.plan.machine {
		return nil
	}
	t := w.till(r)
	ticket, two := "", ""
	again := func(w *World, r *rand.Rand) string { return w.offerMachine(r) }
	pay := some(r, []step{on(&ticket, "pay NAME at T%d", t)},
		[]step{say("next T%d", t), on(&ticket, "pay NAME at T%d", t), endOf(t)},
		[]step{say("next T%d", t), on(&ticket, "pay NAME at T%d", t)}, []step{on(&ticket, "cancel NAME at T%d", t)},
		[]step{on(&ticket, "claim NAME lost"), claimOn, claimOn, claimOn}, []step{on(&ticket, "freeze NAME")})
	return slices.Concat(
		[]step{say("machine"), wins, sellAs(&ticket, t), sellAs(&two, t),
			func(_ *World, r *rand.Rand) string { return "play " + numbers(r, r.IntN(2) == 0) }},
		some(r, nil, pay), []step{again}, pay, some(r, nil, []step{again}),
		[]step{on(&ticket, "pay NAME at T%d", t), endOf(t), on(&two, "pay NAME at T%d", t)},
	)
}

// otherPayee has somebody else come with a voucher that names a payee, to a counter or with a form.
func otherPayee(w *World, r *rand.Rand) []step {
	if !slices.Contains(w.plan.means, "central_voucher") {
		return nil
	}
	ticket, paper := "", ""
	pays := func(w *World, _ *rand.Rand) string {
		n := len(w.papers)
		paper = fmt.Sprintf("P%d", n+1)
		return fmt.Sprintf("settle T1 pay central_voucher payee checked%s", w.newPapers())
	}
	return slices.Concat(
		[]step{sellFor(&ticket, 1, "1999.00"), wins, say("next T1"), on(&ticket, "pay NAME at T1"), pays},
		some(r, []step{on(&paper, "claim NAME unreadable with the original by another")},
			[]step{on(&paper, "settle T3 with NAME another payee checked")},
			[]step{on(&paper, "settle T3 with NAME pay %s another payee checked", pick(r, w.plan.means))}),
		[]step{claimOn, claimOn, claimOn},
	)
}

// setBet sells a set bet on which a bonus may fall, lets it win in its last game or before, and presents it.
func setBet(w *World, r *rand.Rand) []step {
	if w.plan.item == "" {
		return nil
	}
	t, at := w.till(r), w.till(r)
	ticket := ""
	// A small part of the stakes is there to be offered.
	fill := func(w *World, _ *rand.Rand) string {
		return fmt.Sprintf("sell A%d at T1 standard 80 @ 1999.00", len(w.tickets)+1)
	}
	promote := func(w *World, r *rand.Rand) string {
		s, _ := w.play.Engine.State().Series(1)
		newest := s.Newest()
		if newest == nil {
			return ""
		}
		return fmt.Sprintf("promote-item %s %d prizes of %s 1 in %d from game %d", w.plan.item, 1+r.IntN(2),
			pick(r, []string{"1.00", "4.00", "4.00", "7.00", "15.99"}), 1+r.IntN(2), newest.Ordinal+1)
	}
	sell := func(w *World, _ *rand.Rand) string {
		ticket = fmt.Sprintf("A%d", len(w.tickets)+1)
		return fmt.Sprintf(`sell %s at T%d by item {"bets":[{"item":%q}]}`, ticket, t, w.plan.item)
	}
	hits := on(&ticket, "play @NAME/%d rest from 22", pick(r, []int{0, 4, 4, 5}))
	misses := func(from int) step { return on(&ticket, "play @NAME/0 rest from %d", from) }
	games := pick(r, [][]step{
		{hits, misses(10), misses(20), misses(30), misses(40)}, {misses(10), misses(20), misses(30), misses(40), hits},
		{hits, misses(10)},
	})
	return slices.Concat(
		[]step{fill, func(_ *World, r *rand.Rand) string { return "play " + numbers(r, false) }, promote,
			func(_ *World, r *rand.Rand) string { return "play " + numbers(r, false) }},
		some(r, []step{sell}, []step{say("next T%d", t), sell, endOf(t)}), games,
		some(r, nil, nil, []step{later}),
		some(r, []step{on(&ticket, "pay NAME at T%d", at)},
			[]step{say("next T%d", at), on(&ticket, "pay NAME at T%d", at), endOf(at)},
			[]step{say("next T%d", at), on(&ticket, "pay NAME at T%d", at), on(&ticket, "freeze NAME"), endOf(at),
				on(&ticket, "release NAME"), say("next T%d", t), on(&ticket, "pay NAME at T%d", t), endOf(t)}),
		[]step{on(&ticket, "pay NAME at T%d", t)},
	)
}
